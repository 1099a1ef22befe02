"""Finished games from the store: as an export, and as the states to step through."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from data.store import DecisionRow, ResultRow, SeatRow, Store, TableRow, seed_of
from engine.contract import AnyGame, BrokenRecord, Options, Seat
from engine.export import Export, ExportedDecision, write_export
from engine.free_text import without_free_text
from engine.review import Decision


@dataclass(frozen=True)
class Replay:
    """A finished game: the states after the setup and after each decision, and the decisions."""

    row: TableRow
    options: Options
    states: tuple[Any, ...]
    decisions: tuple[Decision, ...]


def require_finished(row: TableRow) -> TableRow:
    """Return the table if its game is over. Raises `UserError`."""
    if row.status != "over":
        if row.status == "closed":
            raise UserError(_("The game at table {table} was never finished, so I can't show it again.", table=row.id))
        raise UserError(_("Table {table} is still open. I can only show finished games again.", table=row.id))
    return row


def revealed_seed(row: TableRow) -> str:
    """Return the seed of a game that is over, in hexadecimal. Raises `SecretSeed` for any other."""
    return seed_of(row).hex()


@dataclass(frozen=True)
class GameRecord:
    """A game as the store has it."""

    row: TableRow
    seats: Sequence[SeatRow]
    decisions: Sequence[DecisionRow]
    events: Sequence[str]
    results: Sequence[ResultRow]


async def load_record(store: Store, row: TableRow) -> GameRecord:
    """Load the game that was played at a table."""
    return GameRecord(
        row,
        await store.seats.of(row.id),
        await store.games.decisions(row.id),
        await store.games.events(row.id),
        await store.games.results(row.id),
    )


def export_of(game: AnyGame, record: GameRecord) -> Export:
    """Return a finished game as an export, without private notes. Raises `SecretSeed`. May take a while."""
    row, seed = record.row, seed_of(record.row)
    return Export(
        game=row.game,
        table=row.id,
        names=tuple(seat.name for seat in record.seats),
        options=json.loads(row.options),
        seed=seed.hex(),
        commitment=row.commitment or "",
        decisions=tuple(ExportedDecision(one.number, one.seat, one.at, _action(game, one)) for one in record.decisions),
        events=tuple(without_free_text(game.events, json.loads(body)) for body in record.events),
        rules=row.rules,
        places=tuple(result.place for result in record.results),
        forfeits=tuple(seat.forfeit for seat in record.seats),
    )


def export_file(game: AnyGame, record: GameRecord) -> bytes:
    """Return a finished game as the file that proves it. Raises `SecretSeed`. May take a while."""
    return write_export(export_of(game, record))


def _action(game: AnyGame, decision: DecisionRow) -> dict[str, Any] | None:
    return None if decision.action is None else without_free_text(game.actions, json.loads(decision.action))


def replay_of(
    game: AnyGame, row: TableRow, options: Options, decisions: Sequence[DecisionRow], events: Sequence[str]
) -> Replay:
    """Replay a finished game, without private notes. Raises `BrokenRecord`. May take a while."""
    read = [game.read_event(json.dumps(without_free_text(game.events, json.loads(body)))) for body in events]
    starts = [decision.number for decision in decisions]
    if not starts:
        raise BrokenRecord(f"{game.key}: a game begins with a setup")
    states: list[Any] = []
    state: Any = None
    for start, end in zip(starts, [*starts[1:], len(read)], strict=True):
        state = game.fold(read[start:end], state)
        states.append(state)
    return Replay(row, options, tuple(states), tuple(_decisions(game, decisions)))


def _decisions(game: AnyGame, decisions: Sequence[DecisionRow]) -> Iterator[Decision]:
    """Yield the decision that led to each state after the first. Raises `BrokenRecord`."""
    for step, decision in enumerate(decisions[1:], start=1):
        action = _action(game, decision)
        seat = None if decision.seat is None else Seat(decision.seat)
        yield Decision(step, seat, None if action is None else game.read_action(json.dumps(action)))
