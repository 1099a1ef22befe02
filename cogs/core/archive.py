"""Finished games, read from the store: as an export, and as the states that one can step through.

May import `engine`, `data` and its neighbours.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cogs.core.errors import Told
from data.store import DecisionRow, SeatRow, Store, TableRow
from engine.contract import AnyGame, BrokenRecord, Options
from engine.export import Decision, Export


@dataclass(frozen=True)
class Reel:
    """A finished game, moment by moment: the states after the setup and after each decision."""

    row: TableRow
    options: Options
    states: tuple[Any, ...]


async def finished(store: Store, number: int, guild: int | None) -> TableRow:
    """Return a table of this server whose game is over. Raises `Told`."""
    row = await store.table(number)
    if row is None or row.guild != guild:
        raise Told(f"There is no table {number} on this server.")
    if row.status != "over":
        what = "has not been played to its end" if row.status == "closed" else "is still open"
        raise Told(f"Table {number} {what}: only finished games can be looked at again.")
    return row


async def export_of(store: Store, row: TableRow) -> Export:
    """Return a finished game as an export."""
    assert row.status == "over" and row.seed is not None, "a running game's seed is a secret"
    seats, decisions, events = await store.seats(row.id), await store.decisions(row.id), await store.events(row.id)
    return _export(row, row.seed, seats, decisions, events)


def _export(
    row: TableRow, seed: bytes, seats: Sequence[SeatRow], decisions: Sequence[DecisionRow], events: Sequence[str]
) -> Export:
    return Export(
        game=row.game,
        table=row.id,
        names=tuple(seat.name for seat in seats),
        options=json.loads(row.options),
        seed=seed.hex(),
        commitment=row.commitment or "",
        decisions=tuple(
            Decision(one.number, one.seat, one.at, None if one.action is None else json.loads(one.action))
            for one in decisions
        ),
        events=tuple(json.loads(body) for body in events),
        rules=row.rules,
    )


def reel(
    game: AnyGame, row: TableRow, options: Options, decisions: Sequence[DecisionRow], events: Sequence[str]
) -> Reel:
    """Replay a finished game. Raises `BrokenRecord`. Takes a while for a long one."""
    read = [game.read_event(body) for body in events]
    starts = [decision.number for decision in decisions]
    if not starts:
        raise BrokenRecord(f"{game.key}: a game begins with a setup")
    states: list[Any] = []
    state: Any = None
    for start, end in zip(starts, [*starts[1:], len(read)], strict=True):
        state = game.fold(read[start:end], state)
        states.append(state)
    return Reel(row, options, tuple(states))
