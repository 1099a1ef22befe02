"""Several processes of the bot as they run in earnest: `bot.py` in processes of its own, over a PostgreSQL database and
the sandbox, with people who click, ends that nobody planned, and a judge who compares what people were told with what
is kept.

`fleet` starts and ends processes, `parties` are people at tables, `kept` reads the database as it is, `judge` says what
is wrong, `trials` put it together. `python -m tools.fleet` runs them at length; the tests of this folder do briefly.
"""
