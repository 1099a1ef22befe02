"""Settings of servers and preferences of users, read once and cached. Values that are not valid count as not set."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, cast, get_args

import msgspec

from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.translation import N_, _, ngettext, public_label
from cogs.core.ops.time_zones import NO_ZONE
from cogs.core.pages.game_ui import GameUI
from cogs.core.tables.options import option_fields
from data.store import LimitReached, Limits, Store
from data.store.cluster_notices import PreferenceChanged, SettingsChanged
from engine.contract import AnyGame, Options

T = TypeVar("T")

Mentions = Literal["mention", "quiet"]
"""Whether a player whose turn it is gets a mention that notifies them, or only their name."""

Enders = Literal["moderators", "openers"]
"""Who may end a game in progress: only moderators, or also the person who opened the table."""

ChannelMode = Literal["except", "only"]
"""Whether tables are allowed everywhere except in the listed channels, or only in these."""

CHANNELS_ONLY, CHANNELS_EXCEPT = "channels", "channels.except"
"""The names of the two lists; at most one of them is stored. An empty one of the first kind allows no channel."""

MAX_CLOCK = 86_400
MAX_SEASON = 12
MAX_CHANNELS = 50
MAX_TABLES = 1_000
MAX_LISTED = 5
"""How many tables are named to a person who may open no more."""

REFEREE = "referee"
"""The option by which a game says whether the bot or the players judge a claim; not every game has it."""

PuzzleGames = Literal["all", "one"]
"""Whether the puzzles of all games are posted each day, or one of them in turn."""

PUZZLE_CHANNEL, PUZZLE_HOUR, PUZZLE_ZONE, PUZZLE_GAMES = "puzzle.channel", "puzzle.hour", "puzzle.zone", "puzzle.games"
"""The names of what is set about them."""

DEFAULT_HOUR = 7

Notify = Literal["mention", "message", "nothing"]
"""By a mention in the table's channel, by a direct message, or not at all."""

DEFAULT_NOTIFY: Notify = "mention"

NOTIFY_LABELS: dict[Notify, str] = {
    "mention": N_("Mention me in the channel"),
    "message": N_("Send me a DM"),
    "nothing": N_("Don't notify me"),
}
"""The options as they are chosen."""

_NOTIFY_WORDS: dict[Notify, str] = {
    "mention": N_("If you don't move within a few seconds, I mention you in the table's channel."),
    "message": N_(
        "If you don't move within a few seconds, I send you a DM. "
        "If you don't accept DMs from me, I mention you in the table's channel."
    ),
    "nothing": N_("I don't notify you when it's your turn."),
}


@dataclass(frozen=True)
class PuzzlePosts:
    """Where (None: nowhere), at which full hour (in a time zone) and of which games a server posts a day's puzzles."""

    channel: int | None = None
    hour: int = DEFAULT_HOUR
    zone: str = NO_ZONE
    games: PuzzleGames = "all"


@dataclass(frozen=True)
class Settings:
    """One server's settings. `clocks` (seconds) and `referees` go by game; what `channels` means depends on the mode.
    `threads`: each table gets a thread of its own. `puzzles`: where and when those of the day are posted. `language`:
    the code of the one for everybody, if it is not that of the server. `achievements`: whether there are any.
    """

    clocks: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    referees: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    channels: tuple[int, ...] = ()
    channel_mode: ChannelMode = "except"
    mentions: Mentions = "mention"
    enders: Enders = "moderators"
    season_months: int = 1
    threads: bool = False
    limits: Limits = field(default_factory=Limits)
    puzzles: PuzzlePosts = field(default_factory=PuzzlePosts)
    language: str | None = None
    achievements: bool = True

    def allows(self, channel: int | None, parent: int | None = None) -> bool:
        """Return True if tables are allowed in a channel; in a thread, if they are allowed in its parent channel."""
        listed = channel in self.channels or parent in self.channels
        return listed == (self.channel_mode == "only")

    def with_defaults(self, game: AnyGame, options: Options, given: Any) -> Options:
        """Return the options of a new table with the defaults of this server for what a command was not `given`."""
        defaults: dict[str, Any] = {}
        if game.key in self.clocks:
            defaults["clock"] = self.clocks[game.key]
        if game.key in self.referees and self.referees[game.key] in referees_of(game):
            defaults[REFEREE] = self.referees[game.key]
        return msgspec.structs.replace(
            options, **{name: value for name, value in defaults.items() if getattr(given, name, None) is None}
        )


def referees_of(game: AnyGame) -> tuple[str, ...]:
    """Return the ways in which a game can be refereed; none if it leaves no choice."""
    return next((tuple(map(str, f.values)) for f in option_fields(game.options) if f.name == REFEREE), ())


def read_settings(kept: Mapping[str, str], game_uis: Mapping[str, GameUI]) -> Settings:
    """Return the settings with these stored values."""
    clocks, referees = {}, {}
    for key, ui in game_uis.items():
        clock = _number(kept.get(f"clock.{key}"), 0, MAX_CLOCK)
        if clock is not None:
            clocks[key] = clock
        referee = kept.get(f"{REFEREE}.{key}")
        if referee is not None and referee in referees_of(ui.game):
            referees[key] = referee
    mentions, enders = kept.get("mentions"), kept.get("enders")
    named = CHANNELS_ONLY if CHANNELS_ONLY in kept else CHANNELS_EXCEPT
    return Settings(
        MappingProxyType(clocks),
        MappingProxyType(referees),
        tuple(int(word) for word in kept.get(named, "").split() if word.isdecimal()),
        "only" if named == CHANNELS_ONLY else "except",
        cast(Mentions, mentions) if mentions in get_args(Mentions) else "mention",
        cast(Enders, enders) if enders in get_args(Enders) else "moderators",
        _number(kept.get("season_months"), 1, MAX_SEASON) or 1,
        kept.get("threads") == "on",
        Limits(
            **{
                name: found
                for name in Limits.__struct_fields__
                if (found := _number(kept.get(f"limit.{name}"), 1, MAX_TABLES)) is not None
            }
        ),
        _puzzles(kept),
        kept.get("language"),
        kept.get("achievements") != "off",
    )


def _puzzles(kept: Mapping[str, str]) -> PuzzlePosts:
    channel, hour = kept.get(PUZZLE_CHANNEL, ""), _number(kept.get(PUZZLE_HOUR), 0, 23)
    return PuzzlePosts(
        int(channel) if channel.isdecimal() else None,
        DEFAULT_HOUR if hour is None else hour,
        kept.get(PUZZLE_ZONE, NO_ZONE),
        "one" if kept.get(PUZZLE_GAMES) == "one" else "all",
    )


def limit_words(reached: LimitReached, named: Sequence[str]) -> str:
    """Return why a person can open no more tables, and what to do. `named`: links to the first that are open."""
    match reached.whose:
        case "person":
            reason = ngettext(
                "You already have {n} open table here, which is the limit.",
                "You already have {n} open tables here, which is the limit.",
                reached.most,
            )
            cure = _(
                "Finish or leave one (*{more}*), or close a lobby (*{manage}*; for a rematch, *{others}* first).",
                more=public_label("More …"),
                manage=public_label("Manage"),
                others=public_label("Let others join"),
            )
        case "alone":
            reason = ngettext(
                "You already have {n} unfinished game against computers here, which is the limit.",
                "You already have {n} unfinished games against computers here, which is the limit.",
                reached.most,
            )
            cure = _(
                "Finish one, or leave one: press *Leave* under *{more}*; it waits a week for you.",
                more=public_label("More …"),
            )
        case "channel":
            reason = ngettext(
                "This channel already has {n} open table, which is the limit.",
                "This channel already has {n} open tables, which is the limit.",
                reached.most,
            )
            cure = _("Join one, use another channel, or wait until one ends.")
        case "server":
            reason = ngettext(
                "This server already has {n} open table, which is the limit.",
                "This server already has {n} open tables, which is the limit.",
                reached.most,
            )
            cure = _("Join one, or wait until one ends.")
    tables = ""
    if named and reached.whose != "server":
        listed = ", ".join(named)
        more = len(reached.tables) > len(named)
        tables = _("Open: {tables} and others.", tables=listed) if more else _("Open: {tables}.", tables=listed)
    managers = _("A server manager can raise the limit with `/settings limit`.")
    return " ".join(filter(None, (reason, tables, cure, managers)))


def _number(word: str | None, least: int, most: int) -> int | None:
    found = int(word) if word is not None and word.isdecimal() and len(word) < 9 else least - 1
    return found if least <= found <= most else None


class Cache(Generic[T]):
    """Values by the id of a user or a server; `read` reads a missing one from the store."""

    def __init__(self, read: Callable[[int], Awaitable[T]]) -> None:
        self._read = read
        self._values: dict[int, T] = {}
        self._forgotten = 0  # how often a value was dropped

    async def of(self, number: int) -> T:
        """Return the value of a user or a server. Raises `StoreError`."""
        known = self._values.get(number)
        if known is None:
            forgotten = self._forgotten
            read = await self._read(number)
            if forgotten != self._forgotten:
                return read  # it may be read again at once
            # What was set while we read is newer.
            known = self._values.setdefault(number, read)
        return known

    def set(self, number: int, value: T) -> None:
        """Store a value that is known to be the newest."""
        self._values[number] = value

    def forget(self, number: int | None = None) -> None:
        """Drop the value of a user or a server, or all values: another process may have changed them."""
        self._forgotten += 1
        if number is None:
            self._values.clear()
        else:
            self._values.pop(number, None)


class ServerSettings(Cache[Settings]):
    """The settings of all servers."""

    def __init__(self, store: Store, ownership: Ownership, game_uis: Mapping[str, GameUI]) -> None:
        super().__init__(self._read)
        self._store = store
        self._ownership = ownership
        self._game_uis = game_uis

    async def _read(self, guild: int) -> Settings:
        return read_settings(await self._store.server_admin.settings(guild), self._game_uis)

    async def change(self, guild: int, name: str, value: str | None) -> Settings:
        """Store a setting (None resets it), and return all settings of the server. Raises `StoreError`."""
        await self._store.server_admin.set(guild, name, value)
        self._ownership.tell(SettingsChanged(guild))
        settings = await self._read(guild)
        self.set(guild, settings)
        return settings

    async def delete(self, guild: int) -> None:
        """Delete all settings of a server. Raises `StoreError`."""
        await self._store.server_admin.forget(guild)
        self._ownership.tell(SettingsChanged(guild))
        self.forget(guild)


def notify_text(how: Notify) -> str:
    """Return what an option means for a user, in sentences."""
    everywhere = _("This applies to all tables on all servers.")
    return f"{_(_NOTIFY_WORDS[how])} {everywhere}"


class Preferences(Cache[Notify]):
    """How each user wants to be notified that it is their turn. `changed` is called with a user who has chosen."""

    def __init__(self, store: Store, ownership: Ownership) -> None:
        super().__init__(self._read)
        self.changed: Callable[[int], None] = lambda user: None
        self._store = store
        self._ownership = ownership

    async def _read(self, user: int) -> Notify:
        stored = await self._store.user_data.notified(user)
        return cast(Notify, stored) if stored in get_args(Notify) else DEFAULT_NOTIFY

    async def change(self, user: int, how: Notify) -> None:
        """Store how a user wants to be notified. Raises `StoreError`; then nothing has changed."""
        await self._store.user_data.notify(user, None if how == DEFAULT_NOTIFY else how)
        self._ownership.tell(PreferenceChanged(user))
        self.set(user, how)
        self.changed(user)
