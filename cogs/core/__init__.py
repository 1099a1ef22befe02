"""What the cogs share: live tables, timers, delivery of secrets, base controls, drawing. May import aiohttp, discord,
isal, msgspec, Pillow, prometheus-client, python-dotenv, yarl, zlib-ng, `data`, `engine` and its neighbours.
"""
