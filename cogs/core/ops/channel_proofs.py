"""Where the bot's own calls succeed, and where Discord refuses them. An answer to a press proves nothing about that."""

from collections.abc import Callable

from cachetools import LRUCache

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from engine.contract import Moment

REMEMBERED = 10_000
"""Of how many channels it is remembered when a call last succeeded there."""


class ChannelProofs:
    """Notes how the bot's own calls in channels end.

    `refused`: the channels in which the last call was not allowed, with the moment of the last one that succeeded.
    `changed` is called with a channel that is refused, or open again.
    """

    def __init__(self, clock: Clock) -> None:
        self.refused: dict[int, Moment] = {}
        self.changed: Callable[[int], None] = lambda channel: None
        self._clock = clock
        self._proved = LRUCache[int, Moment](REMEMBERED)

    def note_success(self, channel: int) -> None:
        """Note a call that succeeded. Does not block."""
        self._proved[channel] = self._clock.now()
        if self.refused.pop(channel, None) is not None:
            self.changed(channel)

    def note_failure(self, channel: int, error: BaseException) -> None:
        """Note a call that failed. Does not block."""
        if discord_errors.code_of(error) in discord_errors.NOT_ALLOWED:
            self.shut(channel)

    def shut(self, channel: int) -> None:
        """Note that the bot may not write in a channel. Does not block."""
        if channel not in self.refused:
            self.refused[channel] = self._proved.get(channel) or self._clock.now()
            self.changed(channel)
