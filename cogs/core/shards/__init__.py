"""Shards that come and go while the bot runs: `gateway` opens and closes their sessions, `keeper` sees to it that this
process serves those that it holds, and `sharing` says which it should hold.
"""
