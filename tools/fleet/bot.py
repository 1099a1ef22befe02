"""The bot for trials: it rebalances its shards after seconds instead of a minute.

With `PRERENDER=0` it draws no covers in advance.
"""

import os
import sys

import bot
from cogs.core.cluster import shard_assignment
from tools.harness.prerendering import skip_prerendering

SETTLED_MS = 3_000
"""How long all shards must have been served before they are rebalanced."""

if __name__ == "__main__":
    shard_assignment.SETTLED_MS = SETTLED_MS
    if os.environ.get("PRERENDER") == "0":
        skip_prerendering()
    sys.exit(bot.main())
