"""Private sentences to people at one table, each in an ephemeral message that explains why nothing was done.

Such a message is deleted as soon as its reader has a page or another sentence in its place, and when the game goes on,
but not before it can be read.
"""

from dataclasses import dataclass

from cogs.core.publishing.interaction_message import InteractionMessage
from engine.contract import Moment

READ_MS = 4_000
"""How long a sentence is shown at least, however fast the game goes on."""

AT_MOST_MS = 13 * 60_000
"""How long it is shown at most: after that its token could no longer delete it."""


@dataclass
class Notice:
    """One sentence. `over`: the game has gone on since."""

    message: InteractionMessage
    shown_at: Moment
    over: bool = False

    @property
    def delete_at(self) -> Moment:
        """When it should be deleted, as far as that is known."""
        return Moment(self.shown_at + READ_MS if self.over else self.message.at + AT_MOST_MS)


class Notices:
    """The sentences that are shown, one a person: `shown`, by user. The caller deletes what is returned."""

    def __init__(self) -> None:
        self.shown: dict[int, Notice] = {}

    @property
    def due(self) -> Moment | None:
        """When the next one should be deleted."""
        return min((notice.delete_at for notice in self.shown.values()), default=None)

    def add(self, user: int, message: InteractionMessage, now: Moment) -> InteractionMessage | None:
        """Add a sentence that was just sent to a person. Return the one that it replaces."""
        before = self.shown.pop(user, None)
        self.shown[user] = Notice(message, now)
        return None if before is None else before.message

    def replace(self, user: int, message: int) -> InteractionMessage | None:
        """Remove a person's sentence, since they have a page in this message. Return it, unless it was that message."""
        before = self.shown.pop(user, None)
        return None if before is None or before.message.message == message else before.message

    def game_went_on(self) -> None:
        """Delete every sentence as soon as it can have been read."""
        for notice in self.shown.values():
            notice.over = True

    def pop_due(self, now: Moment) -> list[InteractionMessage]:
        """Remove and return those whose time is over."""
        over = [user for user, notice in self.shown.items() if notice.delete_at <= now]
        return [self.shown.pop(user).message for user in over]

    def pop_all(self) -> list[InteractionMessage]:
        """Remove and return all of them."""
        gone = [notice.message for notice in self.shown.values()]
        self.shown.clear()
        return gone
