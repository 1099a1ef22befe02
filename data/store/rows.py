"""Rows of the database, as values.

Fields of a row are in the order in which they are read; all moments are milliseconds since the Unix epoch, all users,
servers, channels and messages are Discord's numbers. In a change, what is `UNSET` stays as it is.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from data.store.errors import SecretSeed
from engine.contract import Moment
from engine.players import Level

Status = Literal["lobby", "playing", "over", "closed"]
"""In the lobby, being played, played to its end, or closed without one. The first two are open."""


NO_SERVER = 0
"""The server of tables that are on none: practice games in a direct message."""


class Limits(msgspec.Struct, frozen=True):
    """How many tables may be open at once on a server: of those that one person opened, in one channel with its
    threads, and in all.

    A paused table, without anybody at it, does not count. Of a person's tables those with bots only are counted
    separately, up to the same number: they keep nobody from playing with others.
    """

    person: int = 3
    channel: int = 10
    server: int = 200


class NewTable(msgspec.Struct, frozen=True):
    """A table that is being opened. `options` is JSON; `due` is when its lobby closes by itself; `parent` is the
    channel that its `channel` belongs to, if that is a thread.
    """

    game: str
    guild: int
    channel: int
    opener: int
    options: str
    created_at: Moment
    due: Moment | None = None
    invited: int | None = None
    rematch_of: int | None = None
    parent: int | None = None


class TableRow(msgspec.Struct, frozen=True):
    """A table.

    `opener` runs the lobby. `due` is the earliest deadline, that of the lobby included, in the time of run `run`: later
    downtime has not been added to it yet. `version` is the number of its events. `seed` and its hash, the `commitment`,
    are there from the beginning of the game; `message` is the current table message, posted at `message_at`; one seat
    is reserved for the user `invited`. Nobody has been at the table since `slept_at`, if that is there; `due` is then
    when the table closes. A `casual` game is never ranked: it began before leaving counted, and a caretaker had played
    in it by then. `rules` is the version of the game's rules under which it began. `revision` grows with every change
    of what the table shows, and `shown` is the revision that its message is known to show. The clocks of a table with a
    `paused_at` have been paused since then. `parent` is the channel that its `channel` belongs to, if that is a thread
    and the table is not older than this column.
    """

    id: int
    game: str
    guild: int
    channel: int
    opener: int
    status: Status
    options: str
    created_at: Moment
    run: int
    version: int = 0
    due: Moment | None = None
    seed: bytes | None = None
    commitment: str | None = None
    message: int | None = None
    message_at: Moment | None = None
    started_at: Moment | None = None
    ended_at: Moment | None = None
    invited: int | None = None
    rematch_of: int | None = None
    slept_at: Moment | None = None
    casual: bool = False
    rules: int = 1
    revision: int = 1
    shown: int = 0
    paused_at: Moment | None = None
    parent: int | None = None


def seed_of(row: TableRow) -> bytes:
    """Return the seed of a game that is over, for everybody to see. Raises `SecretSeed` for any other.

    Everything that shows a seed must use this. Only the rules' own draws take it from the row.
    """
    if row.status != "over" or row.seed is None:
        raise SecretSeed(f"The seed of table {row.id} is a secret until its game is over: ask again then.")
    return row.seed


class OpenTable(msgspec.Struct, frozen=True, gc=False):
    """What a start needs to know of every open table. `computers`: a bot or a caretaker plays there; nobody is at a
    table that is `asleep`.
    """

    id: int
    status: Status
    due: Moment | None
    run: int
    computers: bool
    asleep: bool
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
    ended_at: Moment | UnsetType = UNSET
    invited: int | UnsetType | None = UNSET
    slept_at: Moment | UnsetType | None = UNSET
    rules: int | UnsetType = UNSET
    paused_at: Moment | UnsetType | None = UNSET


NO_CHANGE = TableChange()


class PendingDeletion(msgspec.Struct, frozen=True):
    """A message of a table to delete. If it `showed_table` and cannot be deleted, it says where the table goes on."""

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
    """Who sits where: a user, or a bot of a `level`. Neither: a person whose data was deleted.

    A `caretaker` plays for a user who is away; `lapses` counts the turns in a row that they let pass. The user's direct
    message of this table is `dm_message` in `dm_channel`, shows what `dm_state` is the digest of, and is not tried any
    more once it is `dm_closed`; the control `dm_look` (JSON) led to the page that it shows, unless that is the game's,
    and `begun` to the unfinished draft on the user's page. `forfeit` is the order of leaving a ranked game, from 1. The
    seat has `moved` once an action was taken there that counts as a move.
    """

    seat: int
    user: int | None
    name: str
    level: Level | None = None
    caretaker: bool = False
    lapses: int = 0
    dm_channel: int | None = None
    dm_message: int | None = None
    dm_state: str | None = None
    dm_look: str | None = None
    dm_closed: bool = False
    forfeit: int | None = None
    moved: bool = False
    begun: str | None = None


class SeatChange(msgspec.Struct, frozen=True):
    """What may change of a seat while its user stays."""

    caretaker: bool | UnsetType = UNSET
    lapses: int | UnsetType = UNSET
    dm_channel: int | UnsetType | None = UNSET
    dm_message: int | UnsetType | None = UNSET
    dm_state: str | UnsetType | None = UNSET
    dm_look: str | UnsetType | None = UNSET
    dm_closed: bool | UnsetType = UNSET
    forfeit: int | UnsetType = UNSET
    moved: bool | UnsetType = UNSET
    begun: str | UnsetType | None = UNSET


class DecisionRow(msgspec.Struct, frozen=True):
    """What led to the events from `number` on: an action (JSON) of a seat, or of the clock if `seat` is None.

    Number 0 is the setup, which has neither.
    """

    number: int
    seat: int | None
    at: Moment
    action: str | None


class ResultRow(msgspec.Struct, frozen=True):
    """How a game ended for one seat; place 1 is best. Bots and deleted users have no `user`. There is no score if the
    game was ended early.
    """

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
