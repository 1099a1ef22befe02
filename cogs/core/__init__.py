"""What the cogs share: live tables, timers, delivery of secrets, base controls, drawing. May import `engine` and
`data`.
"""
