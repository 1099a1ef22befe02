"""Proof that a finished game was fair: everything that chance decided is recomputed from the seed, and compared.

May import `engine` and msgspec.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import AnyGame, BrokenRecord, Event, Refusal, Seat, write
from engine.export import Decision, Export

SHOWN = 300
"""Characters of an event that a difference quotes."""


@dataclass(frozen=True)
class Difference:
    """The first thing in a record that does not follow from its seed: what, and both sides of it."""

    what: str
    recorded: str = ""
    recomputed: str = ""

    def sentence(self) -> str:
        """Return it as a sentence or two."""
        sides = f" Recorded: {_short(self.recorded)}." if self.recorded else ""
        return self.what + sides + (f" Recomputed: {_short(self.recomputed)}." if self.recomputed else "")


@dataclass(frozen=True)
class Report:
    """What came of it. `material` is False where event 1 says other material than what this version ships: everything
    else was recomputed with that, but nothing proves that it was the table's.
    """

    events: int
    decisions: int
    difference: Difference | None
    material: bool = True

    @property
    def proved(self) -> bool:
        """Whether everything is as the seed and this version's material have it."""
        return self.difference is None and self.material

    def sentence(self) -> str:
        """Return it in words."""
        if self.difference is not None:
            return f"This record does not follow from its seed. {self.difference.sentence()}"
        if not self.material:
            return (
                "Event 1 differs: its material (the cards, tracks and numbers of the game) is not this version's. With "
                "that material everything else follows from the seed."
            )
        return (
            f"All {self.events} events follow from the seed and the {self.decisions} decisions, and the seed is the "
            "one that was committed to."
        )


class _Differs(Exception):
    def __init__(self, what: str, recorded: str = "", recomputed: str = "") -> None:
        super().__init__(what)
        self.difference = Difference(what, recorded, recomputed)


def verify(export: Export, game: AnyGame, material: Any) -> Report:
    """Recompute a game and return what came of it. `material` is what this version ships for the game."""
    shipped = [True]
    try:
        _recompute(export, game, material, shipped)
    except _Differs as differs:
        return Report(len(export.events), len(export.decisions), differs.difference, shipped[0])
    return Report(len(export.events), len(export.decisions), None, shipped[0])


def _recompute(export: Export, game: AnyGame, material: Any, shipped: list[bool]) -> None:
    seed = _seed(export)
    recorded = list(_events(export, game))
    if not export.decisions or not recorded:
        raise _Differs("It is empty.")
    options = _converted(export.options, game.options, "The options cannot be read")
    played_with = getattr(recorded[0], "material", material)
    shipped[0] = played_with == material
    first = export.decisions[0]
    if (first.number, first.seat, first.action) != (0, None, None):
        raise _Differs("It does not begin with a setup.")
    if len(export.names) not in game.seats:
        raise _Differs(f"{game.title} is not played by {len(export.names)}.")
    events = game.setup(len(export.names), options, played_with, first.at, Chance(seed, str(export.table), 0))
    count = _compare(recorded, 0, events)
    state = game.fold(events)
    for decision in export.decisions[1:]:
        if decision.number != count:
            raise _Differs(f"After event {count} a decision is missing, or one is there twice.")
        events = _decided(game, state, decision, Chance(seed, str(export.table), count))
        count = _compare(recorded, count, events)
        state = game.fold(events, state)
    if count != len(recorded):
        raise _Differs(f"Event {count + 1} was never decided.", write(recorded[count]))
    if game.outcome(state) is None:
        raise _Differs("It breaks off before the game is over.")


def _seed(export: Export) -> bytes:
    try:
        seed = bytes.fromhex(export.seed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise _Differs(f"The seed is not {SEED_BYTES} bytes in hexadecimal.", export.seed)
    if commitment(seed) != export.commitment:
        raise _Differs("The seed is not the one that was committed to.", export.commitment, commitment(seed))
    return seed


def _events(export: Export, game: AnyGame) -> Iterator[Event]:
    for number, body in enumerate(export.events, start=1):
        try:
            yield game.read_event(msgspec.json.encode(body))
        except BrokenRecord as error:
            raise _Differs(f"Event {number} cannot be read: {error}.", msgspec.json.encode(body).decode()) from error


def _decided(game: AnyGame, state: Any, decision: Decision, chance: Chance) -> list[Event]:
    where = f"Decision at event {decision.number + 1}"
    body = msgspec.json.encode(decision.action)
    try:
        action = game.read_action(body)
        seat = None if decision.seat is None else Seat(decision.seat)
        decided: list[Event] = game.decide(state, seat, action, decision.at, chance)
    except BrokenRecord as error:
        raise _Differs(f"{where} cannot be read: {error}.", body.decode()) from error
    except Refusal as refusal:
        raise _Differs(f"{where} is refused by the rules ({refusal.code}).", body.decode()) from refusal
    return decided


def _compare(recorded: Sequence[Event], count: int, events: Sequence[Event]) -> int:
    """Compare recomputed events with those recorded from `count` on; return how many are compared now."""
    for event in events:
        if count >= len(recorded):
            raise _Differs(f"Event {count + 1} is missing.", "", write(event))
        if recorded[count] != event:
            raise _Differs(f"Event {count + 1} differs.", write(recorded[count]), write(event))
        count += 1
    return count


def _converted(value: Any, kind: type[Any], what: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _Differs(f"{what}: {error}.") from error


def _short(words: str) -> str:
    return words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
