"""In which language each person reads, and what everybody can read on a server."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import ENGLISH, Language, speak, speaking
from cogs.core.tables.settings import Cache, ServerSettings
from data.background import BackgroundTasks
from data.store import Store, StoreError
from data.store.cluster_notices import PreferenceChanged


class Reader(NamedTuple):
    """The language that a person has chosen, and that of their Discord when it was seen last."""

    chosen: Language | None
    seen: Language


class LanguageChoice(Cache[Reader]):
    """What others can read is in the server's language, and what one person alone reads in theirs.

    `guild_locale` returns the locale of a server, as far as it is known. `changed` is called with a person whose
    language may have changed.
    """

    def __init__(
        self,
        languages: Languages,
        store: Store,
        ownership: Ownership,
        settings: ServerSettings,
        tasks: BackgroundTasks,
        guild_locale: Callable[[int], str | None],
    ) -> None:
        super().__init__(self._read)
        self.languages = languages
        self.changed: Callable[[int], None] = lambda user: None
        self._store = store
        self._ownership = ownership
        self._settings = settings
        self._tasks = tasks
        self._guild_locale = guild_locale

    async def _read(self, user: int) -> Reader:
        chosen, seen = await self._store.user_data.language(user)
        return Reader(self.languages.find(chosen), self.languages.of(seen))

    async def of_user(self, user: int) -> Language:
        """Return the language in which a person reads: their choice, or that of their Discord. Raises `StoreError`."""
        if not self.languages.several:
            return ENGLISH
        reader = await self.of(user)
        return reader.chosen or reader.seen

    async def of_guild(self, guild: int) -> Language:
        """Return the language of what others can read on a server: the one that was set, or the server's own. Raises
        `StoreError`.
        """
        if not self.languages.several:
            return ENGLISH
        code = (await self._settings.of(guild)).language
        chosen = None if code is None else self.languages.find(code)
        return chosen or self.languages.of(self._guild_locale(guild))

    async def for_reader(self, user: int, guild: int | None) -> AbstractContextManager[None]:
        """Return a context in which all is composed that one person alone reads; `guild`: the server on whose messages
        it may name buttons. Raises `StoreError`.
        """
        return speaking(await self.of_user(user), None if guild is None else await self.of_guild(guild))

    async def for_all(self, guild: int) -> AbstractContextManager[None]:
        """Return a context in which all is composed that others can read on a server. Raises `StoreError`."""
        return speaking(await self.of_guild(guild))

    async def speak_to(self, user: int, locale: str, guild: int | None) -> None:
        """Compose everything that the running task shows in the language of a person whose Discord has this locale now,
        which is remembered. `guild`: the server where they are.
        """
        if not self.languages.several:
            return
        seen = self.languages.of(locale)
        try:
            reader = await self.of(user)
            public = None if guild is None else await self.of_guild(guild)
        except StoreError:
            speak(seen)
            return
        if seen is not reader.seen:
            self.set(user, Reader(reader.chosen, seen))
            self._tasks.spawn(self._store.user_data.see_language(user, seen.code), f"language-{user}")
            if reader.chosen is None:
                self.changed(user)
        speak(reader.chosen or seen, public)

    async def choose(self, user: int, code: str | None) -> Language:
        """Store in which language a person wants to read; None for that of their Discord. Raises `StoreError`."""
        await self._store.user_data.choose_language(user, code)
        self._ownership.tell(PreferenceChanged(user))
        reader = Reader(self.languages.find(code), (await self.of(user)).seen)
        self.set(user, reader)
        self.changed(user)
        return reader.chosen or reader.seen
