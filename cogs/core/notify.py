"""How somebody wants to hear that it is their move: read from the store once a person, and obeyed from then on.

May import `data`.
"""

from typing import Literal, cast, get_args

from data.store import Store

Notify = Literal["mention", "message", "nothing"]
"""By a mention in the table's channel, by a direct message, or not at all."""

USUAL: Notify = "mention"

WORDS: dict[Notify, str] = {
    "mention": "a mention in the table's channel",
    "message": "a direct message",
    "nothing": "nothing",
}
"""What each way is called."""


class Preferences:
    """How everybody wants to be notified."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Notify] = {}

    async def of(self, user: int) -> Notify:
        """Return how a user wants to be notified."""
        known = self._known.get(user)
        if known is None:
            kept = await self._store.people.notified(user)
            known = self._known.setdefault(user, cast(Notify, kept) if kept in get_args(Notify) else USUAL)
        return known

    async def change(self, user: int, how: Notify) -> None:
        """Notify a user like this from now on. Raises `StoreError`; then nothing has changed."""
        await self._store.people.notify(user, None if how == USUAL else how)
        self._known[user] = how

    def forget(self, user: int) -> None:
        """Let go of what is known of a user, who was deleted."""
        self._known.pop(user, None)
