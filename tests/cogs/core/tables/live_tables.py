"""Tables of any game on a store, without Discord: started, continued, and played to their end at random."""

import random
from typing import Any
from unittest.mock import patch

import msgspec

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import DiscordClock
from cogs.core.tables import moves
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import SeatRow, Store
from engine.contract import Action, Moment, Refusal, Seat
from engine.games import GAMES
from engine.games.break_out import Next
from engine.players import Level
from tests.data.conftest import NOON, new
from tools.harness.playouts import material

GAME_KEYS = sorted(GAMES)

MINUTE_MS = 60_000


async def start_game(store: Store, key: str, *, people: int = 2, computers: int = 0, clock: int = 0) -> Table:
    """Start a game of the users 10, 11, … and this many computers; the same in every run."""
    game = GAMES[key]
    options = game.options(clock=clock)
    seats = [SeatRow(number, 10 + number, f"User {10 + number}") for number in range(people)]
    seats += [SeatRow(people + number, None, f"Rookie {number}", Level.TRAINEE) for number in range(computers)]
    row = await store.tables.create(new(game=key, options=msgspec.json.encode(options).decode()), seats)
    table = Table(store, Ownership(DiscordClock()), TableSnapshot.of(game, row, await store.seats.of(row.id)))
    with patch("cogs.core.tables.moves.secrets.token_bytes", lambda size: bytes(size)):
        await table.act(moves.begin, material(game), NOON)
    return table


async def after_next(store: Store) -> tuple[Table, Seat]:
    """Return a table of three at Break-Out where the first NEXT has taken effect, and who said it."""
    table = await start_game(store, "break_out", people=3, clock=60)
    (turn,) = table.snapshot.view(None).to_act
    await table.act(moves.move, turn, Next(), NOON)
    public: Any = table.snapshot.view(None)
    while public.turn == turn:
        await table.act(moves.expire, table.snapshot.deadlines[0].id, table.snapshot.deadlines[0].due)
        public = table.snapshot.view(None)
    return table, turn


async def again(table: Table) -> Table:
    """Return the same table as the disk has it, as after a restart."""
    row = await table.store.tables.get(table.id)
    assert row is not None
    return await Table.load(table.store, table.ownership, table.game, row)


def mover(table: Table) -> tuple[Seat, Action]:
    """Return a seat that may act, and a legal action."""
    seat = next(seat for seat in table.snapshot.view(None).to_act if table.snapshot.legal(seat))
    return seat, table.snapshot.legal(seat)[0]


def other(table: Table, seat: Seat) -> Seat:
    """Another seat."""
    return Seat((seat + 1) % len(table.snapshot.seats))


async def move(table: Table, seat: Seat, action: Action, at: Moment) -> None:
    """Make a move for the player in a seat, person or computer."""
    if seat in table.snapshot.bots:
        await table.act(moves.play, seat, action, table.snapshot.version, at)
    else:
        await table.act(moves.move, seat, action, at)


async def step(table: Table, rng: random.Random, at: Moment) -> Moment:
    """Make a random move of any player, or let the next deadline expire. Return the time."""
    at = Moment(at + 1_000)
    seats = [Seat(row.seat) for row in table.snapshot.seats if table.snapshot.legal(Seat(row.seat))]
    due = table.snapshot.earliest
    if seats and (due is None or due > at):
        seat = rng.choice(seats)
        try:
            await move(table, seat, rng.choice(table.snapshot.legal(seat)), at)
        except Refusal as refusal:
            assert refusal.code.startswith("late")
        else:
            return at
    assert due is not None
    deadline = min(table.snapshot.deadlines, key=lambda deadline: deadline.due)
    at = max(at, deadline.due)
    await table.act(moves.expire, deadline.id, at)
    return at


async def play_out(table: Table, at: Moment) -> Moment:
    """Play at random until the game is over. Return the time."""
    rng = random.Random(table.id)
    while table.snapshot.playing:
        at = await step(table, rng, at)
    return at
