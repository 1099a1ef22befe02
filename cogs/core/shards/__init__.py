"""Shards that come and go while the bot runs: `gateway` opens and closes their sessions, `open_shards` says how each of
these stands, `keeper` sees to it that this process serves what it holds, and `sharing` says what it should hold.
"""
