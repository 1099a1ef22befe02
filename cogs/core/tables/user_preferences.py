"""How each user wants to be notified that it is their move, read from the store once and then cached."""

from typing import Literal, cast, get_args

from cogs.core.cluster.ownership import Ownership
from cogs.core.tables.cache import Cache
from data.store import Store
from data.store.cluster_notices import PreferenceChanged

Notify = Literal["mention", "message", "nothing"]
"""By a mention in the table's channel, by a direct message, or not at all."""

DEFAULT: Notify = "mention"

WORDS: dict[Notify, str] = {
    "mention": "a mention in the table's channel",
    "message": "a direct message",
    "nothing": "nothing",
}
"""The options in words."""


class Preferences:
    """How everybody wants to be notified."""

    def __init__(self, store: Store, ownership: Ownership) -> None:
        self._store = store
        self._ownership = ownership
        self._cache = Cache(self._read)

    async def _read(self, user: int) -> Notify:
        kept = await self._store.user_data.notified(user)
        return cast(Notify, kept) if kept in get_args(Notify) else DEFAULT

    async def of(self, user: int) -> Notify:
        """Return how a user wants to be notified. Raises `StoreError`."""
        return await self._cache.of(user)

    async def change(self, user: int, how: Notify) -> None:
        """Notify a user like this from now on. Raises `StoreError`; then nothing has changed."""
        await self._store.user_data.notify(user, None if how == DEFAULT else how)
        self._ownership.tell(PreferenceChanged(user))
        self._cache.set(user, how)

    def forget(self, user: int | None = None) -> None:
        """Drop the preference of a user, who was deleted or has changed it in another process; or of all."""
        self._cache.forget(user)
