"""Rows of the database, as values. Users, servers, channels and messages are Discord's ids; what is `UNSET` in a change
stays as it is.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from data.store.errors import SecretSeed
from engine.contract import Moment
from engine.players import Level

Status = Literal["lobby", "playing", "over", "closed"]
"""In the lobby, being played, played to its end, or closed without one. The first two are open."""


Cause = Literal["server", "connection", "api", "timeout", "locked", "permissions"]
"""Why a table cannot be played: its server is out of reach, presses do not arrive, Discord's API does not answer, or
the bot may not write in the channel, since a moderator timed it out, locked the thread or took its permissions away.
"""


NO_SERVER = 0
"""The server of tables that are on none: practice games in a direct message."""


class Limits(msgspec.Struct, frozen=True):
    """How many tables may be open at once on a server: by one person, in one channel with its threads, and in all.
    Paused tables do not count, and of a person's tables those with only bots are counted separately.
    """

    person: int = 3
    channel: int = 10
    server: int = 200


class NewTable(msgspec.Struct, frozen=True):
    """A table to open."""

    game: str
    guild: int
    channel: int
    opener: int
    options: str  # JSON
    created_at: Moment
    due: Moment | None = None  # when its lobby closes automatically
    invited: str = ""  # a user list
    kicked: str = ""  # a user list
    rematch_of: int | None = None
    parent: int | None = None  # the channel that its `channel` belongs to, if that is a thread


class TableRow(msgspec.Struct, frozen=True):
    """A table."""

    id: int
    game: str
    guild: int
    channel: int
    opener: int  # the host of the lobby
    status: Status
    options: str  # JSON
    created_at: Moment
    run: int
    version: int = 0  # the number of its events
    due: Moment | None = None  # the earliest deadline, in the time of `run`: later downtime has not been added yet
    seed: bytes | None = None  # from the beginning of the game
    commitment: str | None = None  # the hash of the seed
    message: int | None = None  # the table message, posted at `message_at`
    message_at: Moment | None = None
    started_at: Moment | None = None
    ended_at: Moment | None = None
    invited: str = ""  # a user list: for each of them a seat is reserved until they sit
    rematch_of: int | None = None
    slept_at: Moment | None = None  # since when nobody is at the table; `due` is then when it closes
    casual: bool = False  # never ranked: by its options, or since a caretaker had played before leaving counted
    rules: int = 1  # the version of the game's rules under which it began
    revision: int = 1  # grows with every change of what the table shows
    shown: int = 0  # the revision that its message is known to show
    paused_at: Moment | None = None  # since when its clocks are paused
    parent: int | None = None  # the channel that its `channel` belongs to, if that is a thread
    kicked: str = ""  # a list of users who were removed from the lobby and need an invitation to join again
    heir: int | None = None  # the player who has asked to become the host
    heir_due: Moment | None = None  # when they do, unless the host is there
    agreements: str | None = None  # what its players agree on or were asked (JSON)
    paused_by: Cause | None = None  # why its clocks are paused; None: its server is out of reach, or was
    blocked_at: Moment | None = None  # since when the bot may not write in its channel
    blocked_ms: int = 0  # for how long that has paused its clocks before


def user_list(users: Iterable[int]) -> str:
    """Return these users as a list is stored: each number between spaces, and empty if there is nobody."""
    listed = " ".join(map(str, dict.fromkeys(users)))
    return f" {listed} " if listed else ""


def users_in(listed: str) -> tuple[int, ...]:
    """Return the users of a stored list."""
    return tuple(map(int, listed.split()))


def seed_of(row: TableRow) -> bytes:
    """Return the seed of a game that is over. Raises `SecretSeed` for any other: everything that shows a seed must use
    this.
    """
    if row.status != "over" or row.seed is None:
        raise SecretSeed(f"The seed of table {row.id} is a secret until its game is over: ask again then.")
    return row.seed


class OpenTable(msgspec.Struct, frozen=True, gc=False):
    """What a start needs to know of every open table."""

    id: int
    status: Status
    due: Moment | None  # when its clock acts next
    run: int
    computers: bool  # a bot or a caretaker plays there
    asleep: bool  # nobody is at the table
    guild: int
    channel: int
    paused_at: Moment | None


class TableChange(msgspec.Struct, frozen=True):
    """What may change of a table besides its events."""

    status: Status | UnsetType = UNSET
    opener: int | UnsetType = UNSET
    options: str | UnsetType = UNSET
    due: Moment | UnsetType | None = UNSET
    seed: bytes | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    message: int | UnsetType | None = UNSET
    message_at: Moment | UnsetType | None = UNSET
    started_at: Moment | UnsetType = UNSET
    ended_at: Moment | UnsetType | None = UNSET
    invited: str | UnsetType = UNSET
    kicked: str | UnsetType = UNSET
    heir: int | UnsetType | None = UNSET
    heir_due: Moment | UnsetType | None = UNSET
    slept_at: Moment | UnsetType | None = UNSET
    rules: int | UnsetType = UNSET
    paused_at: Moment | UnsetType | None = UNSET
    paused_by: Cause | UnsetType | None = UNSET
    blocked_at: Moment | UnsetType | None = UNSET
    blocked_ms: int | UnsetType = UNSET
    casual: bool | UnsetType = UNSET
    agreements: str | UnsetType | None = UNSET


NO_CHANGE = TableChange()


class PendingDeletion(msgspec.Struct, frozen=True):
    """A message of a table to delete. If it `showed_table` and cannot be deleted, it will say where the table
    continues.
    """

    message: int
    channel: int
    showed_table: bool = False


class Reminder(msgspec.Struct, frozen=True):
    """One reminder of a kind to the players of a turn: it was begun at a moment for these seats, each only once.

    `message` is the line that mentions them: 0 if none was needed, and None if it is not known whether it was sent.
    """

    kind: Literal["mention", "nudge"]
    turn: int
    seats: tuple[int, ...]
    at: Moment
    message: int | None = None


class SeatRow(msgspec.Struct, frozen=True):
    """A seat: a user, a bot of a `level`, or neither for a person whose data was deleted."""

    seat: int
    user: int | None
    name: str
    level: Level | None = None
    caretaker: bool = False  # a computer plays for the user, who is absent
    lapses: int = 0  # how many turns in a row the user let pass
    dm_channel: int | None = None
    dm_message: int | None = None
    dm_state: str | None = None  # the digest of what the direct message shows
    dm_look: str | None = None  # the control (JSON) that led to its page, unless that is the game's
    dm_closed: bool = False  # direct messages are no longer tried
    forfeit: int | None = None  # the order of leaving a ranked game, from 1
    moved: bool = False  # an action that counts as a move was taken
    begun: str | None = None  # the control (JSON) that led to the unfinished draft on the user's page


class SeatChange(msgspec.Struct, frozen=True):
    """What may change of a seat while its user stays."""

    caretaker: bool | UnsetType = UNSET
    lapses: int | UnsetType = UNSET
    dm_channel: int | UnsetType | None = UNSET
    dm_message: int | UnsetType | None = UNSET
    dm_state: str | UnsetType | None = UNSET
    dm_look: str | UnsetType | None = UNSET
    dm_closed: bool | UnsetType = UNSET
    forfeit: int | UnsetType | None = UNSET
    moved: bool | UnsetType = UNSET
    begun: str | UnsetType | None = UNSET


class DecisionRow(msgspec.Struct, frozen=True):
    """What led to the events from `number` on: an action (JSON) of a seat or the clock, or the setup with neither."""

    number: int
    seat: int | None
    at: Moment
    action: str | None


class ResultRow(msgspec.Struct, frozen=True):
    """How a game ended for one seat; there is no score if it was ended early. Bots and deleted users have no `user`."""

    seat: int
    user: int | None
    place: int
    score: int | None
    reason: str
    ended_at: Moment
    guild: int
    game: str


def columns_of(change: TableChange | SeatChange, run: int | None = None) -> dict[str, object]:
    """Return what a change sets, by column. A table that is given a `due` also gets the `run` in whose time it is."""
    values = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not UNSET}
    return {**values, "run": run} if "due" in values and run is not None else values
