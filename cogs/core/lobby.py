"""The lobby: who sits down before a game, with which options, and who may change what.

Transitions check everything on our side and commit before anyone is told; the page shows the result. May import
`data`, `engine` and its neighbours.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Button, Choice, Line, Page, Row, Select, Text
from cogs.core.screen import Screen, Sitter
from cogs.core.session import away
from cogs.core.session.live import LiveTable
from cogs.core.session.spans import span
from data.store import SeatRow, TableChange
from engine.contract import AnyGame, Moment, Options
from engine.players import LEVELS, Level

CLOSES_AFTER_MS = 15 * 60_000

LEVEL_NAMES: dict[Level, str] = {"rookie": "Rookie", "warden": "Warden"}
LEVEL_WORDS: dict[Level, str] = {
    "rookie": "plays for fun and makes mistakes",
    "warden": "thinks ahead and plays to win",
}

LETTERS = "ABCDEF"
"""How seats are named beside their colour and shape."""


def describe(sitter: Sitter) -> str:
    """Return a sitter for a list: letter, name, and what plays there."""
    letter = LETTERS[sitter.seat]
    if sitter.level is not None:
        return f"`{letter}` {sitter.bold} – computer, {LEVEL_WORDS[sitter.level]}"
    return f"`{letter}` {sitter.bold}" + (" – a computer plays on for now" if sitter.caretaker else "")


# Options, made from the game's own struct


class OptionField(msgspec.Struct, frozen=True):
    """One option of a game: its name in the struct, what it is called, and the values to choose from, some of which
    have words of their own.
    """

    name: str
    title: str
    description: str
    values: tuple[Any, ...]
    words: Mapping[Any, str] = {}

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
        words = (meta.extra or {}).get("words", {})
        fields.append(OptionField(name, meta.title, meta.description, values, words))
    return tuple(fields)


def value_words(name: str, value: Any) -> str:
    """Return an option's value as it is shown."""
    if name == "clock":
        if value == 0:
            return "no clock"
        return (
            f"{value} s"
            if value < 60 or value % 60
            else f"{value // 60} min"
            if value < 3_600
            else f"{value // 3_600} h"
        )
    return str(value).replace("_", " ")


def options_line(game: AnyGame, options: Options) -> str:
    """Return the options on one line."""
    return " · ".join(f"{f.title}: {f.shown(getattr(options, f.name))}" for f in option_fields(game.options))


# Pages


def lobby_page(screen: Screen, table: LiveTable, closes: Moment | None) -> Page:
    """Return the lobby as it stands."""
    game = table.game
    most = game.seats[-1]
    sitters = table.sitters()
    lines = [
        describe(sitter) + (" – opened the table" if sitter.user == table.row.opener else "") for sitter in sitters
    ]
    kept = _kept(table)
    if kept:
        lines.append(f"`{LETTERS[len(lines)]}` kept for <@{table.row.invited}>")
    lines += [f"`{LETTERS[i]}` –" for i in range(len(lines), most)]
    enough = len(sitters) in game.seats
    computers = any(sitter.level is not None for sitter in sitters)
    full = len(sitters) >= most
    taken = len(sitters) + kept >= most
    withdraw = (Button("Withdraw invitation", "uninvite"),) if kept else ()
    blocks: list[Block] = [
        Text(
            f"### {game.title}\n{screen.tagline}\n-# Table {table.id} · {span(game.seats)} "
            f"players · {options_line(game, table.options)}"
        ),
        Line(),
        Text("\n".join(lines)),
        Row(
            (
                Button("Join", "join", style="success", disabled=full),
                Button("Leave", "leave"),
                Button("Start", "begin", style="primary", disabled=not enough),
                Button("Rules", "rules", game.key),
            )
        ),
        Row(
            (
                *(Button(f"Add {LEVEL_NAMES[level]}", "add", level, disabled=taken) for level in LEVELS),
                Button("Remove computer", "drop", disabled=not computers),
                *withdraw,
            )
        ),
        Row(
            (
                Button("Options", "options"),
                Button("Hand over", "hand-over"),
                Button("Close", "cancel", style="danger"),
            )
        ),
    ]
    if closes is not None:
        blocks.append(Text(f"-# Closes <t:{closes // 1_000}:R> unless the game begins."))
    return Page(tuple(blocks), screen.colour)


def closed_page(screen: Screen, table: LiveTable) -> Page:
    """Return what is left of a table that closed without a result."""
    usual = "It closed before the game began." if table.state is None else "The game was ended."
    reason = "Everybody has left, and the places were certain." if table.results else table.notice or usual
    return Page(
        (
            Text(f"### {table.game.title}\nTable {table.id} is closed. {reason}"),
            *away.places(table),
            Text(f"-# Open another: `/{screen.command} start`"),
        ),
        None,
    )


def options_page(screen: Screen, table: LiveTable) -> Page:
    """Return the panel on which the opener sets the options."""
    blocks: list[Block] = [Text(f"### Options of table {table.id}")]
    for entry in option_fields(table.game.options):
        now = getattr(table.options, entry.name)
        values = entry.values if now in entry.values else (now, *entry.values)
        blocks.append(Text(f"**{entry.title}** – {entry.description}"))
        blocks.append(
            Select(
                "option",
                tuple(Choice(entry.shown(value), str(value), chosen=value == now) for value in values),
                entry.title,
                entry.name,
            )
        )
    return Page(tuple(blocks), screen.colour)


def hand_over_page(screen: Screen, table: LiveTable) -> Page:
    """Return the panel on which the opener picks who runs the table from now on. Raises `UserError` without anybody."""
    others = [s for s in table.sitters() if s.user is not None and s.user != table.row.opener]
    if not others:
        raise UserError("There is nobody else at this table to hand it over to. Somebody has to join first.")
    choices = tuple(Choice(sitter.name, str(sitter.user)) for sitter in others)
    return Page(
        (
            Text(f"### Hand over table {table.id}\nThey may then start, close and set the options in your place."),
            Select("heir", choices, "Who?"),
        ),
        screen.colour,
    )


LOOKS: Mapping[str, Callable[[Screen, LiveTable], Page]] = {"options": options_page, "hand-over": hand_over_page}
"""What an opener's panel can show, by the verb that leads there. May raise `UserError`."""

# Transitions


def _check_open(table: LiveTable) -> None:
    if table.row.status == "closed":
        raise UserError("This table is closed. Open another one with its game's start command.")
    if table.row.status == "over":
        raise UserError("This game is over. Press Rematch to play again.")
    if not table.in_lobby:
        raise UserError("This game has already begun.")


def check_opener(table: LiveTable, user: int, what: str) -> None:
    """Raise `UserError` unless this user opened the table (or was given it)."""
    _check_open(table)
    if user != table.row.opener:
        raise UserError(f"Only <@{table.row.opener}>, who opened this table, can {what}.")


def _kept(table: LiveTable) -> int:
    """Return how many seats are kept for somebody who was invited and has not come yet."""
    invited = table.row.invited
    return int(invited is not None and table.seat_of(invited) is None)


def _person(user: int, name: str) -> SeatRow:
    return SeatRow(seat=0, user=user, name=name)


async def join(table: LiveTable, user: int, name: str, at: Moment) -> None:
    """Seat a user. Raises `UserError` if they sit here, or if the table is full or its last seat kept for somebody."""
    async with table.lock:
        _check_open(table)
        if table.seat_of(user) is not None:
            raise UserError("You already sit at this table. It begins when its opener presses Start.")
        free = table.game.seats[-1] - len(table.seats)
        if free == 0:
            raise UserError("This table is full. Open one of your own, or wait for a rematch.")
        if table.row.invited != user and free <= _kept(table):
            raise UserError(f"The last seat is kept for <@{table.row.invited}>.")
        await table.set_seats([*table.seats, _person(user, name)])
        await _stay_open(table, at)


async def leave(table: LiveTable, user: int, at: Moment) -> None:
    """Let a user get up. If the opener goes, the next person runs the table; if nobody is left, it closes. Raises
    `UserError` for somebody who does not sit there, or when the game has begun.
    """
    async with table.lock:
        _check_open(table)
        if table.seat_of(user) is None:
            raise UserError("You do not sit at this table.")
        rest = [row for row in table.seats if row.user != user]
        people = [row.user for row in rest if row.user is not None]
        if not people:
            await table.close_alone("Everybody has left.", at)
            return
        await table.set_seats(rest)
        if table.row.opener == user:
            await table.change(TableChange(opener=people[0]))
        await _stay_open(table, at)


async def add_computer(table: LiveTable, user: int, level: str, at: Moment) -> None:
    """Seat a computer player of this level. Only for the opener. Raises `UserError` for anybody else, a level that
    there is not, or a table without a seat for it.
    """
    check_opener(table, user, "add computer players")
    async with table.lock:
        _check_open(table)
        chosen: Level | None = next((known for known in LEVELS if known == level), None)
        if chosen is None:
            raise UserError(f"There is no computer player called {level!r}. There are: {', '.join(LEVELS)}.")
        free = table.game.seats[-1] - len(table.seats)
        if free == 0:
            raise UserError("This table is full.")
        if free <= _kept(table):
            raise UserError(
                f"The last seat is kept for <@{table.row.invited}>. Withdraw the invitation first to fill it otherwise."
            )
        name = _computer_name(chosen, table.seats)
        await table.set_seats([*table.seats, SeatRow(seat=0, user=None, name=name, level=chosen)])
        await _stay_open(table, at)


def _computer_name(level: Level, seats: Iterable[SeatRow]) -> str:
    taken = {row.name for row in seats}
    base = LEVEL_NAMES[level]
    return next(name for name in (base, *(f"{base} {n}" for n in range(2, 9))) if name not in taken)


async def drop_computer(table: LiveTable, user: int, at: Moment) -> None:
    """Take the computer player that was seated last away again. Only for the opener. Raises `UserError` for anybody
    else, or where none sits.
    """
    check_opener(table, user, "remove computer players")
    async with table.lock:
        _check_open(table)
        computers = [row for row in table.seats if row.level is not None]
        if not computers:
            raise UserError("No computer player sits here.")
        await table.set_seats([row for row in table.seats if row is not computers[-1]])
        await _stay_open(table, at)


async def withdraw(table: LiveTable, user: int, at: Moment) -> None:
    """Keep the seat of somebody who was invited and has not come no longer. Only for the opener; raises `UserError`."""
    check_opener(table, user, "withdraw the invitation")
    async with table.lock:
        _check_open(table)
        if not _kept(table):
            raise UserError("No seat is kept for anybody.")
        await table.change(TableChange(invited=None))
        await _stay_open(table, at)


async def set_option(table: LiveTable, user: int, name: str, value: str, at: Moment) -> None:
    """Set one option to the value with these words. For the opener only; raises `UserError` for what is no value."""
    check_opener(table, user, "set the options")
    async with table.lock:
        _check_open(table)
        known = next((entry for entry in option_fields(table.game.options) if entry.name == name), None)
        chosen = next((v for v in (known.values if known else ()) if str(v) == value), None)
        if chosen is None:
            raise UserError("That option does not exist any more. Press Options again.")
        options = msgspec.structs.replace(table.options, **{name: chosen})
        await table.change(TableChange(options=msgspec.json.encode(options).decode()))
        await _stay_open(table, at)


async def hand_over(table: LiveTable, user: int, heir: int, at: Moment) -> None:
    """Let somebody else who sits here run the table. Only for the opener. Raises `UserError` for anybody else, or an
    heir who does not sit here.
    """
    check_opener(table, user, "hand it over")
    async with table.lock:
        if table.seat_of(heir) is None:
            raise UserError("They do not sit at this table any more.")
        await table.change(TableChange(opener=heir))
        await _stay_open(table, at)


async def cancel(table: LiveTable, user: int, at: Moment, moderator: bool = False) -> None:
    """Close the table before its game begins. For the opener, and for moderators."""
    if not moderator:
        check_opener(table, user, "close it")
    async with table.lock:
        _check_open(table)
        await table.close_alone(f"<@{user}> closed it.", at)


async def expire(table: LiveTable, at: Moment) -> None:
    """Close a table at which no game has begun in time."""
    async with table.lock:
        if table.in_lobby:
            await table.close_alone("No game began within 15 minutes.", at)


async def _stay_open(table: LiveTable, at: Moment) -> None:
    table.used = at
    await table.change(TableChange(due=Moment(at + CLOSES_AFTER_MS)))


def first_seat(user: int, name: str, computers: Iterable[Level]) -> list[SeatRow]:
    """Return the seats of a new table: who opens it, and the computer players they asked for."""
    seats = [_person(user, name)]
    for level in computers:
        seats.append(SeatRow(seat=len(seats), user=None, name=_computer_name(level, seats), level=level))
    return seats
