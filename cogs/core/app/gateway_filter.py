"""What the library makes of the events that come in by the gateway: of those that nobody here needs, nothing.

A bot on many servers hears every message on them, and each would become an object and two tasks before we could look at
its channel. And of a server only what is asked for later is kept. `FilteredState` is the library's own inside, so its
version is pinned, and `tests/cogs/core/app/test_gateway_filter.py` sees what happens to each event.
"""

from collections.abc import Callable
from typing import Any

from cogs.core.cluster.gateway import ShardedState

Wants = Callable[[Any], bool]
"""Says of a message, as it came in, whether anybody here needs it."""

NOT_KEPT = ("voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds")
"""What a server tells of itself when we come to it, and nobody here asks for."""


OF_THE_PRESSED = ("id", "type", "flags", "channel_id")
"""What is kept of a message that was pressed."""


class FilteredState(ShardedState):
    """The library's state, which passes over what nobody needs. `wants` is given to it by the client, which also says
    when it is `stopping`: whoever presses then is served by nobody, as a moment later.
    """

    wants: Wants
    stopping = False

    def parse_message_create(self, data: Any) -> None:
        """Make a message of it, and tell everybody, if anybody wants it."""
        if self.wants(data):
            super().parse_message_create(data)

    def parse_message_update(self, data: Any) -> None:
        """Pass over that a message was edited: most such edits are our own, and nobody here listens to them."""

    def parse_interaction_create(self, data: Any) -> None:
        """Serve it with no more of the message that was pressed than which one it is: nobody asks what stood on it, or
        whose it was.
        """
        if self.stopping:
            return
        if (pressed := data.get("message")) is not None:
            data["message"] = {name: pressed[name] for name in OF_THE_PRESSED if name in pressed} | {
                "content": "",
                "components": [],
            }
        super().parse_interaction_create(data)

    def parse_guild_create(self, data: Any) -> None:
        """Keep a server's channels, threads, roles and ourselves; of the channels not what they are about."""
        for name in NOT_KEPT:
            data.pop(name, None)
        for channel in data.get("channels", ()):
            channel.pop("topic", None)
        if "members" in data:
            data["members"] = [member for member in data["members"] if int(member["user"]["id"]) == self.self_id]
        super().parse_guild_create(data)
