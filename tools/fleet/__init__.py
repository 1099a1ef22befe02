"""Tests of several processes under faults: `bot.py` over PostgreSQL and the sandbox, people who play while processes
are killed, and a judge that compares the answers people got with what is stored.

`processes` starts and ends them, `parties` are the people at tables, `database` reads the stored data, `judge` finds
faults, and `trials` combines them. `python -m tools.fleet` runs long trials; tests/tools/fleet runs short ones.
"""
