"""What users have newly achieved in the game of a table, which each of them is told once."""

from collections.abc import Mapping

from cogs.core.pages.achievements import Badge
from cogs.core.publishing.services import PublishingServices
from data.store.progress import ToldBy


class AchievementNews:
    """The news of one table. It is told on one message of each user, where it stays while they read it: their page in
    the channel, until they press again, or their direct message.
    """

    def __init__(self, services: PublishingServices, table: int) -> None:
        self._services = services
        self._table = table
        self._badges: dict[int, tuple[Badge, ...]] = {}
        self._told: dict[int, ToldBy] = {}
        self._shown: set[int] = set()  # who has certainly seen it on their page

    def bring(self, badges: Mapping[int, tuple[Badge, ...]], told: Mapping[int, ToldBy]) -> None:
        """Take what users have achieved, and by what they were or will be told of it."""
        self._told.update(told)
        self._badges.update(badges)

    def of(self, user: int, by: ToldBy) -> tuple[Badge, ...]:
        """Return what a message of this kind tells a user."""
        return self._badges.get(user, ()) if self._told.get(user, by) == by else ()

    def note_told(self, user: int, by: ToldBy) -> None:
        """Note that a message of a user certainly tells them. Does not block."""
        if user in self._badges and user not in self._shown:
            self._told[user] = by
            self._shown.add(user)
            saved = self._services.store.progress.note_told(self._table, user, by)
            self._services.tasks.spawn(saved, f"told-{self._table}")

    def pressed(self, user: int) -> None:
        """Note that a user has pressed: what their page in the channel told them, they have read."""
        if user in self._shown and self._told[user] == "page":
            self._badges.pop(user, None)
