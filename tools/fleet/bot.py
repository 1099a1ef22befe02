"""The bot for trials: it rebalances its shards after seconds instead of a minute."""

import sys

import bot
from cogs.core.cluster import shard_assignment

SETTLED_MS = 3_000
"""How long all shards must have been served before they are rebalanced."""

if __name__ == "__main__":
    shard_assignment.SETTLED_MS = SETTLED_MS
    sys.exit(bot.main())
