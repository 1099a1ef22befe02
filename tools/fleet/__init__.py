"""Processes of the bot under faults: `bot.py` over PostgreSQL and the sandbox, with people who play while processes are
killed, and a judge that compares what people were told with what is stored.

`processes` starts and ends them, `parties` are the people at tables, `database` reads past the bot, `judge` finds what
is wrong, and `trials` puts it together. `python -m tools.fleet` runs long trials; tests/tools/fleet runs short ones.
"""
