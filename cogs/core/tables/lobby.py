"""The lobby: who sits down before a game, with which options, and who may change what.

Transitions check everything on our side and commit before anyone is told; the page shows the result.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import count
from cogs.core.tables.kept import judged
from cogs.core.tables.live import LiveTable
from cogs.core.tables.standing import asks_clock
from data.store import SeatRow, TableChange
from data.store.rows import NO_CHANGE
from engine.contract import AnyGame, Moment, Options
from engine.players import LEVELS, Level

CLOSES_AFTER_MS = 15 * 60_000

LEVEL_NAMES: dict[Level, str] = {"rookie": "Trainee", "warden": "Master"}
"""What people read."""

LEVEL_WORDS: dict[Level, str] = {
    "rookie": "plays for fun and makes mistakes",
    "warden": "thinks ahead and plays to win",
}

# Options, made from the game's own struct


class OptionField(msgspec.Struct, frozen=True):
    """One option of a game: its name in the struct, what it is called, and the values to choose from, some of which
    have words of their own; `asks` is what one chooses by it, where the description only explains the values.
    """

    name: str
    title: str
    description: str
    values: tuple[Any, ...]
    words: Mapping[Any, str] = {}
    asks: str = ""

    def shown(self, value: Any) -> str:
        """Return a value of it as it is shown."""
        return self.words.get(value) or value_words(self.name, value)


def option_fields(options: type[Options]) -> tuple[OptionField, ...]:
    """Return the options of a struct in order. Raises TypeError for one that no control could set."""
    fields = []
    for name, hint in get_type_hints(options, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{options.__name__}: the option {name} has no title")
        kind, meta = get_args(hint)[0], get_args(hint)[1]
        values = get_args(kind) if get_origin(kind) is Literal else tuple(meta.examples or ())
        if not values or not meta.title or not meta.description:
            raise TypeError(
                f"{options.__name__}: the option {name} needs a title, a description and values to choose from"
            )
        more = meta.extra or {}
        words, asks = more.get("words", {}), more.get("asks", "")
        fields.append(OptionField(name, meta.title, meta.description, values, words, asks))
    return tuple(fields)


def value_words(name: str, value: Any) -> str:
    """Return an option's value as it is shown."""
    if name != "clock":
        return str(value).replace("_", " ")
    if value == 0:
        return "no clock"
    size, unit = next(pair for pair in _UNITS if value % pair[0] == 0)
    return count(value // size, unit)


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def meaning(entry: OptionField, value: Any) -> str:
    """Return what a value of an option means, where its description has a sentence for it ("free: it may lie …")."""
    names = "|".join(re.escape(value_words(entry.name, one)) for one in entry.values)
    named = re.escape(value_words(entry.name, value))
    found = re.search(rf"(?:^|\. ){named}: (.+?)\.?(?=$| (?:{names}): )", entry.description)
    return found[1] if found else ""


def described(entry: OptionField) -> str:
    """Return what is chosen by an option; where nothing says it, its description, or its title where the choices tell
    the rest.
    """
    explained = any(meaning(entry, value) for value in entry.values)
    return entry.asks or (entry.title if explained else entry.description)


def written(options: Options, *, clock: bool) -> str:
    """Return the options of a lobby as they are kept: with their `clock` if somebody has asked for it. Else whoever
    begins alone with computers has none, see `asks_clock`.
    """
    kept = msgspec.to_builtins(options)
    return msgspec.json.encode(kept if clock else {name: kept[name] for name in kept if name != "clock"}).decode()


def options_lines(game: AnyGame, options: Options) -> list[str]:
    """Return the options in words, a line each: the clock, and whatever is not as the game has it."""
    usual = game.options()
    clock, *others = option_fields(game.options)
    lines = [f"{clock.title}: {clock.shown(options.clock)}" if options.clock else "No turn clock"]
    for entry in others:
        value = getattr(options, entry.name)
        if value != getattr(usual, entry.name):
            lines.append(f"{entry.title}: {' – '.join(filter(None, (entry.shown(value), meaning(entry, value))))}")
    return lines


# Transitions


def check_open(table: LiveTable) -> None:
    """Raise `UserError` unless people still gather here."""
    if table.row.status == "closed":
        raise UserError("This table is closed. Open another one with `/play`.")
    if table.row.status == "over":
        raise UserError("This game is over. Press Rematch to play again.")
    if not table.in_lobby:
        raise UserError("This game has already begun.")


def check_opener(table: LiveTable, user: int, what: str) -> None:
    """Raise `UserError` unless this user opened the table (or was given it)."""
    check_open(table)
    if user != table.row.opener:
        seat = "" if table.seat_of(user) is not None else " *Join* takes a seat."
        raise UserError(f"Only <@{table.row.opener}>, the host of this table, can {what}.{seat}")


def kept(table: LiveTable) -> int:
    """Return how many seats are kept for somebody who was invited and has not come yet."""
    invited = table.row.invited
    return int(invited is not None and table.seat_of(invited) is None)


def _person(user: int, name: str) -> SeatRow:
    return SeatRow(seat=0, user=user, name=name)


@judged
async def join(table: LiveTable, user: int, name: str, at: Moment) -> None:
    """Seat a user. Raises `UserError` if they sit here, or if the table is full or its last seat kept for somebody."""
    check_open(table)
    if table.seat_of(user) is not None:
        raise UserError("You already sit at this table.")
    free = table.game.seats[-1] - len(table.seats)
    if free == 0:
        raise UserError("This table is full. Open one of your own, or wait for a rematch.")
    if table.row.invited != user and free <= kept(table):
        raise UserError(f"The last seat is kept for <@{table.row.invited}>.")
    await _keep(table, at, [*table.seats, _person(user, name)])


@judged
async def sit_as_before(table: LiveTable, before: Iterable[SeatRow]) -> None:
    """Let those who play again sit as they did `before`: their marks and colours are theirs, whoever pressed first. The
    others follow. Raises `UserError` where people gather no more.
    """
    check_open(table)
    order = {_sitting(row): row.seat for row in before}
    seats = sorted(table.seats, key=lambda row: order.get(_sitting(row), len(order)))
    if seats != list(table.seats):
        await table.set_seats(seats, NO_CHANGE)


def _sitting(row: SeatRow) -> tuple[int | None, str]:
    """Return who sits there: somebody by their number, a computer by its name."""
    return row.user, row.name if row.user is None else ""


@judged
async def decline(table: LiveTable, user: int, at: Moment) -> None:
    """Let somebody who is invited say that they do not come. Raises `UserError` for anybody else."""
    check_open(table)
    if not kept(table) or table.row.invited != user:
        raise UserError("There is no invitation for you here. *Join* takes a free seat.")
    await _keep(table, at, change=TableChange(invited=None))
    table.notice = f"<@{user}> has declined the invitation."


@judged
async def invite(table: LiveTable, user: int, whom: int, bot: bool, at: Moment) -> None:
    """Keep a seat for somebody, who may be a `bot`. Only for the opener. Raises `UserError` for anybody else, for
    somebody who cannot be invited, or where no seat can be kept.
    """
    check_opener(table, user, "invite people")
    if bot:
        raise UserError("Bots do not play. *Manage* has computer players to add.")
    if table.seat_of(whom) is not None:
        raise UserError(f"<@{whom}> sits here already.")
    if kept(table):
        raise UserError(f"A seat is kept for <@{table.row.invited}>. Withdraw that invitation first.")
    if len(table.seats) >= table.game.seats[-1]:
        raise UserError("This table is full: there is no seat to keep for anybody.")
    await _keep(table, at, change=TableChange(invited=whom))
    table.notice = None


@judged
async def send_out(table: LiveTable, user: int, whom: int, at: Moment) -> None:
    """Let somebody get up who sits here. They may join again while a seat is free. Only for the opener. Raises
    `UserError` for anybody else, or for somebody who does not sit here.
    """
    check_opener(table, user, "send somebody out")
    if whom == user:
        raise UserError("You cannot send yourself out. *Leave* gives up your seat.")
    if table.seat_of(whom) is None:
        raise UserError("They do not sit at this table any more.")
    await _keep(table, at, [row for row in table.seats if row.user != whom])


@judged
async def leave(table: LiveTable, user: int, at: Moment) -> None:
    """Let a user get up. If the opener goes, the next person runs the table; if nobody is left, it closes. Raises
    `UserError` for somebody who does not sit there, or when the game has begun.
    """
    check_open(table)
    if table.seat_of(user) is None:
        raise UserError("You do not sit at this table.")
    rest = [row for row in table.seats if row.user != user]
    people = [row.user for row in rest if row.user is not None]
    if not people:
        await table.close_alone("Everybody has left.", at)
        return
    await _keep(table, at, rest, TableChange(opener=people[0] if table.row.opener == user else msgspec.UNSET))


@judged
async def add_computer(table: LiveTable, user: int, level: str, at: Moment) -> None:
    """Seat a computer player of this level. Only for the opener. Raises `UserError` for anybody else, a level that
    there is not, or a table without a seat for it.
    """
    check_opener(table, user, "add computer players")
    chosen: Level | None = next((known for known in LEVELS if known == level), None)
    if chosen is None:
        raise UserError(f"There is no computer player called {level!r}. There are: {', '.join(LEVEL_NAMES.values())}.")
    free = table.game.seats[-1] - len(table.seats)
    if free == 0:
        raise UserError("This table is full.")
    if free <= kept(table):
        raise UserError(
            f"The last seat is kept for <@{table.row.invited}>. Withdraw the invitation first to fill it otherwise."
        )
    name = _computer_name(chosen, table.seats)
    await _keep(table, at, [*table.seats, SeatRow(seat=0, user=None, name=name, level=chosen)])


def _computer_name(level: Level, seats: Iterable[SeatRow]) -> str:
    taken = {row.name for row in seats}
    base = LEVEL_NAMES[level]
    return next(name for name in (base, *(f"{base} {n}" for n in range(2, 9))) if name not in taken)


@judged
async def drop_computer(table: LiveTable, user: int, at: Moment) -> None:
    """Take the computer player that was seated last away again. Only for the opener. Raises `UserError` for anybody
    else, or where none sits.
    """
    check_opener(table, user, "remove computer players")
    computers = [row for row in table.seats if row.level is not None]
    if not computers:
        raise UserError("No computer player sits here.")
    await _keep(table, at, [row for row in table.seats if row is not computers[-1]])


@judged
async def withdraw(table: LiveTable, user: int, at: Moment) -> None:
    """Keep the seat of somebody who was invited and has not come no longer. Only for the opener; raises `UserError`."""
    check_opener(table, user, "withdraw the invitation")
    if not kept(table):
        raise UserError("No seat is kept for anybody.")
    await _keep(table, at, change=TableChange(invited=None))


@judged
async def set_option(table: LiveTable, user: int, name: str, value: str, at: Moment) -> None:
    """Set one option to the value with these words. For the opener only; raises `UserError` for what is no value."""
    check_opener(table, user, "set the options")
    known = next((entry for entry in option_fields(table.game.options) if entry.name == name), None)
    chosen = next((v for v in (known.values if known else ()) if str(v) == value), None)
    if chosen is None:
        raise UserError("That option does not exist any more. *Manage* has those of this table.")
    options = msgspec.structs.replace(table.options, **{name: chosen})
    asked = name == "clock" or asks_clock(table.row)
    await _keep(table, at, change=TableChange(options=written(options, clock=asked)))


@judged
async def hand_over(table: LiveTable, user: int, heir: int, at: Moment) -> None:
    """Let somebody else who sits here run the table. Only for the opener. Raises `UserError` for anybody else, or an
    heir who does not sit here.
    """
    check_opener(table, user, "hand it over")
    if table.seat_of(heir) is None:
        raise UserError("They do not sit at this table any more.")
    await _keep(table, at, change=TableChange(opener=heir))


@judged
async def cancel(table: LiveTable, user: int, at: Moment, moderator: bool = False) -> None:
    """Close the table before its game begins. For the opener, and for moderators."""
    check_open(table)
    if not moderator:
        check_opener(table, user, "close it")
    await table.close_alone(f"<@{user}> closed it.", at)


@judged
async def expire(table: LiveTable, at: Moment) -> None:
    """Close a table at which no game has begun in time."""
    if table.in_lobby and (table.row.due is None or table.row.due <= at):
        await table.close_alone("No game began within 15 minutes.", at)


async def _keep(
    table: LiveTable, at: Moment, seats: Sequence[SeatRow] | None = None, change: TableChange = NO_CHANGE
) -> None:
    """Keep a change of the lobby, or who sits there now (None: as before), and that it stays open a while longer, all
    in one: what another process has begun or closed meanwhile stays so.
    """
    change = msgspec.structs.replace(change, due=Moment(at + CLOSES_AFTER_MS))
    if seats is None:
        await table.change(change)
    else:
        await table.set_seats(seats, change)
    table.used = at


def first_seat(user: int, name: str, computers: Iterable[Level]) -> list[SeatRow]:
    """Return the seats of a new table: who opens it, and the computer players they asked for."""
    seats = [_person(user, name)]
    for level in computers:
        seats.append(SeatRow(seat=len(seats), user=None, name=_computer_name(level, seats), level=level))
    return seats
