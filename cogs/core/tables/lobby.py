"""Decisions in a lobby: joining and leaving before a game, and its options."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from cogs.core.ops.errors import UserError
from cogs.core.tables.changes import Change, Reseated, RowChanged, closed
from cogs.core.tables.options import asks_clock, dump_options, option_fields
from cogs.core.tables.snapshot import TableSnapshot
from data.store import SeatRow, TableChange
from data.store.rows import NO_CHANGE
from engine.contract import Moment
from engine.players import LEVELS, Level

CLOSES_AFTER_MS = 15 * 60_000

LEVEL_NAMES: dict[Level, str] = {Level.TRAINEE: "Trainee", Level.MASTER: "Master"}
"""The names that players see."""

LEVEL_WORDS: dict[Level, str] = {
    Level.TRAINEE: "plays for fun and makes mistakes",
    Level.MASTER: "thinks ahead and plays to win",
}


def check_open(table: TableSnapshot) -> None:
    """Raise `UserError` unless the table is in its lobby."""
    if table.row.status == "closed":
        raise UserError("This table is closed. Open another one with `/play`.")
    if table.row.status == "over":
        raise UserError("This game is over. Press Rematch to play again.")
    if not table.in_lobby:
        raise UserError("This game has already begun.")


def check_opener(table: TableSnapshot, user: int, what: str) -> None:
    """Raise `UserError` unless the table is in its lobby and this user is the host."""
    check_open(table)
    if user != table.row.opener:
        seat = "" if table.seat_of(user) is not None else " *Join* takes a seat."
        raise UserError(f"Only <@{table.row.opener}>, the host of this table, can {what}.{seat}")


def reserved_seats(table: TableSnapshot) -> int:
    """Return how many seats are reserved for an invited player who has not joined yet."""
    invited = table.row.invited
    return int(invited is not None and table.seat_of(invited) is None)


def _person(user: int, name: str) -> SeatRow:
    return SeatRow(seat=0, user=user, name=name)


def join(table: TableSnapshot, user: int, name: str, at: Moment) -> Change:
    """Seat a user. Raises `UserError`."""
    check_open(table)
    if table.seat_of(user) is not None:
        raise UserError("You already sit at this table.")
    free = table.game.player_counts[-1] - len(table.seats)
    if free == 0:
        raise UserError("This table is full. Open one of your own, or wait for a rematch.")
    if table.row.invited != user and free <= reserved_seats(table):
        raise UserError(f"The last seat is kept for <@{table.row.invited}>.")
    return _reseated(at, [*table.seats, _person(user, name)])


def sit_as_before(table: TableSnapshot, before: Iterable[SeatRow]) -> Reseated | None:
    """Seat the players of a rematch as they sat `before`, with the same marks and colours. Raises `UserError`."""
    check_open(table)
    order = {_sitting(row): row.seat for row in before}
    seats = sorted(table.seats, key=lambda row: order.get(_sitting(row), len(order)))
    return None if seats == list(table.seats) else Reseated(seats)


def _sitting(row: SeatRow) -> tuple[int | None, str]:
    """Return what identifies a player: a person's user id, or a computer player's name."""
    return row.user, row.name if row.user is None else ""


def decline(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Decline an invitation. Raises `UserError`."""
    check_open(table)
    if not reserved_seats(table) or table.row.invited != user:
        raise UserError("There is no invitation for you here. *Join* takes a free seat.")
    return _changed(at, TableChange(invited=None), notice=f"<@{user}> has declined the invitation.")


def invite(table: TableSnapshot, user: int, whom: int, bot: bool, at: Moment) -> Change:
    """Reserve a seat for a user, who must not be a `bot`. Only the host can. Raises `UserError`."""
    check_opener(table, user, "invite people")
    if bot:
        raise UserError("Bots do not play. *Manage* has computer players to add.")
    if table.seat_of(whom) is not None:
        raise UserError(f"<@{whom}> sits here already.")
    if reserved_seats(table):
        raise UserError(f"A seat is kept for <@{table.row.invited}>. Withdraw that invitation first.")
    if len(table.seats) >= table.game.player_counts[-1]:
        raise UserError("This table is full: there is no seat to keep for anybody.")
    return _changed(at, TableChange(invited=whom), notice=None)


def kick(table: TableSnapshot, user: int, whom: int, at: Moment) -> Change:
    """Remove a player, who may join again while a seat is free. Only the host can. Raises `UserError`."""
    check_opener(table, user, "send somebody out")
    if whom == user:
        raise UserError("You cannot send yourself out. *Leave* gives up your seat.")
    if table.seat_of(whom) is None:
        raise UserError("They do not sit at this table any more.")
    return _reseated(at, [row for row in table.seats if row.user != whom])


def leave(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Leave the lobby. The next person becomes host; without people the table closes. Raises `UserError`."""
    check_open(table)
    if table.seat_of(user) is None:
        raise UserError("You do not sit at this table.")
    rest = [row for row in table.seats if row.user != user]
    people = [row.user for row in rest if row.user is not None]
    if not people:
        return closed(table, "Everybody has left.", at)
    return _reseated(at, rest, TableChange(opener=people[0] if table.row.opener == user else UNSET))


def add_bot(table: TableSnapshot, user: int, level: str, at: Moment) -> Change:
    """Seat a computer player. Only the host can. Raises `UserError`."""
    check_opener(table, user, "add computer players")
    chosen: Level | None = next((known for known in LEVELS if known == level), None)
    if chosen is None:
        raise UserError(f"There is no computer player called {level!r}. There are: {', '.join(LEVEL_NAMES.values())}.")
    free = table.game.player_counts[-1] - len(table.seats)
    if free == 0:
        raise UserError("This table is full.")
    if free <= reserved_seats(table):
        raise UserError(
            f"The last seat is kept for <@{table.row.invited}>. Withdraw the invitation first to fill it otherwise."
        )
    name = _bot_name(chosen, table.seats)
    return _reseated(at, [*table.seats, SeatRow(seat=0, user=None, name=name, level=chosen)])


def _bot_name(level: Level, seats: Iterable[SeatRow]) -> str:
    taken = {row.name for row in seats}
    base = LEVEL_NAMES[level]
    return next(name for name in (base, *(f"{base} {n}" for n in range(2, 9))) if name not in taken)


def drop_bot(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Remove the last computer player. Only the host can. Raises `UserError`."""
    check_opener(table, user, "remove computer players")
    bots = [row for row in table.seats if row.level is not None]
    if not bots:
        raise UserError("No computer player sits here.")
    return _reseated(at, [row for row in table.seats if row is not bots[-1]])


def withdraw(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Withdraw an invitation. Only the host can. Raises `UserError`."""
    check_opener(table, user, "withdraw the invitation")
    if not reserved_seats(table):
        raise UserError("No seat is kept for anybody.")
    return _changed(at, TableChange(invited=None))


def set_option(table: TableSnapshot, user: int, name: str, value: str, at: Moment) -> Change:
    """Set an option to a value, given as text. Only the host can. Raises `UserError`."""
    check_opener(table, user, "set the options")
    known = next((entry for entry in option_fields(table.game.options) if entry.name == name), None)
    chosen = next((v for v in (known.values if known else ()) if str(v) == value), None)
    if chosen is None:
        raise UserError("That option does not exist any more. *Manage* has those of this table.")
    options = msgspec.structs.replace(table.options, **{name: chosen})
    asked = name == "clock" or asks_clock(table.row)
    return _changed(at, TableChange(options=dump_options(options, clock=asked)))


def hand_over(table: TableSnapshot, user: int, new_host: int, at: Moment) -> Change:
    """Make another player host. Only the host can. Raises `UserError`."""
    check_opener(table, user, "hand it over")
    if table.seat_of(new_host) is None:
        raise UserError("They do not sit at this table any more.")
    return _changed(at, TableChange(opener=new_host))


def cancel(table: TableSnapshot, user: int, at: Moment, moderator: bool = False) -> Change:
    """Close the lobby. Only the host and moderators can. Raises `UserError`."""
    check_open(table)
    if not moderator:
        check_opener(table, user, "close it")
    return closed(table, f"<@{user}> closed it.", at)


def expire(table: TableSnapshot, at: Moment) -> Change | None:
    """Close a lobby in which no game has begun in time."""
    if table.in_lobby and (table.row.due is None or table.row.due <= at):
        return closed(table, "No game began within 15 minutes.", at)
    return None


def _reseated(at: Moment, seats: Sequence[SeatRow], change: TableChange = NO_CHANGE) -> Reseated:
    """Return the change that seats these people; the lobby stays open for a while longer."""
    return Reseated(seats, _stays_open(change, at), used_at=at)


def _changed(at: Moment, change: TableChange, notice: str | UnsetType | None = UNSET) -> RowChanged:
    """Return a change of the lobby itself, which stays open for a while longer."""
    return RowChanged(_stays_open(change, at), used_at=at, notice=notice)


def _stays_open(change: TableChange, at: Moment) -> TableChange:
    return msgspec.structs.replace(change, due=Moment(at + CLOSES_AFTER_MS))


def initial_seats(user: int, name: str, bots: Iterable[Level]) -> list[SeatRow]:
    """Return the seats of a new table: its host, and the computer players they asked for."""
    seats = [_person(user, name)]
    for level in bots:
        seats.append(SeatRow(seat=len(seats), user=None, name=_bot_name(level, seats), level=level))
    return seats
