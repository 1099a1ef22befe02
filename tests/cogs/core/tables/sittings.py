"""Live tables of any game on a store, without Discord: begun, moved on, and played to their end at random."""

import random
from typing import Any
from unittest.mock import patch

import msgspec

from cogs.core.tables import seat_rules
from cogs.core.tables.live import LiveTable
from data.store import SeatRow, Store
from engine.contract import Action, Moment, Refusal, Seat
from engine.games import GAMES
from engine.games.break_out import Next
from tests.data.conftest import NOON, new
from tests.engine.playouts import material

GAME_KEYS = sorted(GAMES)

MINUTE_MS = 60_000


async def begun(store: Store, key: str, *, people: int = 2, computers: int = 0, clock: int = 0) -> LiveTable:
    """A table at which the users 10, 11, … and so many computers have just begun a game, the same at every run."""
    game = GAMES[key]
    options = game.options(clock=clock)
    seats = [SeatRow(number, 10 + number, f"User {10 + number}") for number in range(people)]
    seats += [SeatRow(people + number, None, f"Rookie {number}", "rookie") for number in range(computers)]
    row = await store.tables.create(new(game=key, options=msgspec.json.encode(options).decode()), seats)
    table = LiveTable(store, game, row, await store.seats.of(row.id))
    with patch("cogs.core.tables.live.secrets.token_bytes", lambda size: bytes(size)):
        await table.begin(material(game), NOON)
    return table


async def after_next(store: Store) -> tuple[LiveTable, Seat]:
    """A table at which three play Break-Out and the first NEXT has taken effect; and who said it."""
    table = await begun(store, "break_out", people=3, clock=60)
    (turn,) = table.view(None).waiting
    await table.act(turn, Next(), NOON)
    public: Any = table.view(None)
    while public.turn == turn:
        await table.expire(table.deadlines[0].id, table.deadlines[0].due)
        public = table.view(None)
    return table, turn


async def again(table: LiveTable) -> LiveTable:
    """The same table as the disk has it, as after a restart."""
    row = await table.store.tables.get(table.id)
    assert row is not None
    return await LiveTable.load(table.store, table.game, row)


def mover(table: LiveTable) -> tuple[Seat, Action]:
    """A seat that is awaited, and a sound action of it."""
    seat = next(seat for seat in table.view(None).waiting if table.legal(seat))
    return seat, table.legal(seat)[0]


def other(table: LiveTable, seat: Seat) -> Seat:
    """Another seat."""
    return Seat((seat + 1) % len(table.seats))


async def move(table: LiveTable, seat: Seat, action: Action, at: Moment) -> None:
    """Let whoever plays on the seat, person or computer, make a move."""
    if seat_rules.computers(table.seats[seat]):
        await table.play(seat, action, table.version, at)
    else:
        await table.act(seat, action, at)


async def step(table: LiveTable, rng: random.Random, at: Moment) -> Moment:
    """Let anybody make any move, or the next deadline pass; return when that was."""
    at = Moment(at + 1_000)
    seats = [Seat(row.seat) for row in table.seats if table.legal(Seat(row.seat))]
    due = table.earliest
    if seats and (due is None or due > at):
        seat = rng.choice(seats)
        try:
            await move(table, seat, rng.choice(table.legal(seat)), at)
        except Refusal as refusal:
            assert refusal.code.startswith("late")
        else:
            return at
    assert due is not None
    deadline = min(table.deadlines, key=lambda deadline: deadline.due)
    at = max(at, deadline.due)
    await table.expire(deadline.id, at)
    return at


async def play_out(table: LiveTable, at: Moment) -> Moment:
    """Let everybody play at random until the game is over; return when that was."""
    rng = random.Random(table.id)
    while table.playing:
        at = await step(table, rng, at)
    return at
