"""Proof that a finished game was fair: recompute everything that chance decided from the seed, and compare.

A game that began under another version of the rules may proceed differently today. In that case each decision is
recomputed by itself, from the recorded events before it, and only what chance drew in it is compared. This proves the
draws; what the rules of that time made of them is not checked.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import AnyGame, BrokenRecord, Event, Moment, Refusal, Seat, to_json
from engine.export import Export, ExportedDecision

SHOWN = 300
"""How many characters of an event a difference quotes."""


@dataclass(frozen=True)
class Difference:
    """The first thing in a record that does not follow from its seed: what it is, as recorded and as recomputed."""

    what: str
    recorded: str = ""
    recomputed: str = ""

    def sentence(self) -> str:
        """Return the difference as one or more sentences."""
        sides = f" Recorded: {_short(self.recorded)}." if self.recorded else ""
        return self.what + sides + (f" Recomputed: {_short(self.recomputed)}." if self.recomputed else "")


@dataclass(frozen=True)
class OtherRules:
    """What could be proved of a game that proceeded differently under other rules: `proved` of its `draws`."""

    version: int
    present: int
    draws: int
    proved: int

    def sentence(self) -> str:
        """Return the result as a sentence."""
        if self.proved == self.draws:
            drawn = "all draws of chance are proved"
        else:
            drawn = f"{self.proved} of the {self.draws} draws of chance are proved, the others need the rules of then"
        return (
            f"This game was played under version {self.version} of its rules, and this is version {self.present}: "
            f"{drawn}, the seed is the one that was committed to, and the decisions were not judged."
        )


@dataclass(frozen=True)
class Report:
    """The result of a verification.

    `material` is False if event 1 has other material than this version ships: everything was recomputed with the
    recorded material, but nothing proves that it was the table's. `other` is set if the game proceeded differently than
    under this version's rules.
    """

    events: int
    decisions: int
    difference: Difference | None
    material: bool = True
    other: OtherRules | None = None

    @property
    def proved(self) -> bool:
        """Whether everything that can be recomputed matches the seed and this version's material."""
        drawn = self.other is None or self.other.proved == self.other.draws
        return self.difference is None and self.material and drawn

    def verdict(self) -> str:
        """Return the verdict in two or three words."""
        if self.other is None:
            return "Proved." if self.proved else "Not proved!"
        if self.proved:
            return "The draws are proved."
        return "Proved in part." if self.other.proved else "Not proved!"

    def sentence(self) -> str:
        """Return the result as one or more sentences."""
        if self.difference is not None:
            return f"This record does not follow from its seed. {self.difference.sentence()}"
        if self.other is not None:
            astray = " Its material, as event 1 has it, is not this version's." if not self.material else ""
            return self.other.sentence() + astray
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
    """Recompute a game and return a report. `material` is what this version ships for the game."""
    shipped, other, difference = [True], None, None
    try:
        try:
            with _fitting("It does not fit the game"):
                _recompute(export, game, material, shipped)
        except _Differs:
            if export.rules == game.rules_version:
                raise
            with _fitting("It does not fit the game"):
                other = _drawn(export, game, material)
    except _Differs as differs:
        difference = differs.difference
        if export.rules > game.rules_version:
            newer = (
                f" Its rules have version {export.rules}, and these are {game.rules_version}: ask a newer Cellblock."
            )
            difference = replace(difference, what=difference.what + newer)
    return Report(len(export.events), len(export.decisions), difference, shipped[0], other)


@contextmanager
def _fitting(what: str) -> Iterator[None]:
    """Turn any error into a difference: the rules trust their own events and states, but these come from outside."""
    try:
        yield
    except _Differs:
        raise
    except Exception as error:
        raise _Differs(f"{what} ({error!r}).") from error


def _recompute(export: Export, game: AnyGame, material: Any, shipped: list[bool]) -> None:
    seed = _seed(export)
    recorded = list(_events(export, game, material))
    if not export.decisions or not recorded:
        raise _Differs("It is empty.")
    played_with = getattr(recorded[0], "material", material)
    shipped[0] = played_with == _as_recorded(material, export.events[0])
    first = export.decisions[0]
    if (first.number, first.seat, first.action) != (0, None, None):
        raise _Differs("It does not begin with a setup.")
    events = _set_up(export, game, recorded[0], played_with, first.at, Chance(seed, str(export.table), 0))
    count = _compare(recorded, 0, events)
    state = game.fold(events)
    for decision in export.decisions[1:]:
        if decision.number != count:
            raise _Differs(f"After event {count} a decision is missing, or one is there twice.")
        events = _decided(game, state, decision, Chance(seed, str(export.table), count))
        count = _compare(recorded, count, events)
        state = game.fold(events, state)
    if count != len(recorded):
        raise _Differs(f"Event {count + 1} was never decided.", to_json(recorded[count]))
    if game.outcome(state) is None:
        raise _Differs("It breaks off before the game is over.")


def _as_recorded(material: Any, begun: dict[str, Any]) -> Any:
    """Return this version's material without the fields that the first event is older than."""
    recorded = begun.get("material")
    if not isinstance(recorded, dict):
        return material
    older = {
        field.name: field.default
        for field in msgspec.structs.fields(type(material))
        if field.name not in recorded and field.default is not msgspec.NODEFAULT
    }
    return msgspec.structs.replace(material, **older)


def _drawn(export: Export, game: AnyGame, material: Any) -> OtherRules:
    """Recompute what chance drew in each decision, from the recorded events before it."""
    seed = _seed(export)
    recorded = list(_events(export, game, material))
    starts = [decision.number for decision in export.decisions]
    if not starts or starts[0] != 0 or starts != sorted(set(starts)) or starts[-1] >= len(recorded):
        raise _Differs("Its decisions and events do not fit together.")
    state: Any = None
    draws = proved = 0
    for decision, start, end in zip(export.decisions, starts, [*starts[1:], len(recorded)], strict=True):
        happened = recorded[start:end]
        chance = Chance(seed, str(export.table), start)
        try:
            if state is None:
                played_with = getattr(happened[0], "material", material)
                fresh = _set_up(export, game, happened[0], played_with, decision.at, chance)
            else:
                fresh = _decided(game, state, decision, chance)
        except Exception:  # today's rules refuse it, or do not allow the state that those of that time led to
            fresh = []
        drawn = _draws(game, happened)
        draws += len(drawn)
        proved += sum(one == other for one, other in zip(drawn, _draws(game, fresh), strict=False))
        with _fitting(f"The events from {start + 1} on do not fit the game"):
            state = game.fold(happened, state)
    if game.outcome(state) is None:
        raise _Differs("It breaks off before the game is over.")
    return OtherRules(export.rules, game.rules_version, draws, proved)


def _draws(game: AnyGame, events: Sequence[Event]) -> list[tuple[str, tuple[Any, ...]]]:
    """Return what chance decided in these events, in order."""
    found: list[tuple[str, tuple[Any, ...]]] = []
    for event in events:
        tag = str(type(event).__struct_config__.tag)
        if tag in game.chance_fields:
            found.append((tag, tuple(getattr(event, name) for name in game.chance_fields[tag])))
    return found


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


def _events(export: Export, game: AnyGame, material: Any) -> Iterator[Event]:
    """Read the events strictly, before any of them is folded."""
    for number, body in enumerate(export.events, start=1):
        with _fitting(f"Event {number} cannot be read"):
            try:
                event = game.read_event(msgspec.json.encode(body))
            except BrokenRecord as error:
                text = msgspec.json.encode(body).decode()
                raise _Differs(f"Event {number} cannot be read: {error}.", text) from error
        kind: type[Event] = type(event)
        for name in _seat_fields(kind):
            value = getattr(event, name)
            seats = value if isinstance(value, tuple) else (value,)
            if any(seat is not None and not 0 <= seat < len(export.names) for seat in seats):
                raise _Differs(f"Event {number} is of a seat that nobody has.", to_json(event))
        material = getattr(event, "material", material)
        if not game.could_happen(event, material):
            raise _Differs(f"Event {number} is impossible in this game.", to_json(event))
        yield event


@cache
def _seat_fields(kind: type[Event]) -> tuple[str, ...]:
    """Return the names of an event's fields that are seats, or may be one."""
    return tuple(name for name, hint in get_type_hints(kind).items() if hint is Seat or Seat in get_args(hint))


def _set_up(export: Export, game: AnyGame, begun: Event, material: Any, at: Moment, chance: Chance) -> list[Event]:
    """Set the game up again. A game that plays older rules by itself begins under those that it began under."""
    try:
        options = game.read_options(msgspec.json.encode(export.options))
    except msgspec.DecodeError as error:
        raise _Differs(f"The options cannot be read: {error}.") from error
    if len(export.names) not in game.player_counts:
        raise _Differs(f"{game.title} is not played by {len(export.names)}.")
    events: list[Event] = game.setup(len(export.names), options, material, at, chance)
    rules = getattr(begun, "rules", None)
    if rules is not None and rules <= export.rules < game.rules_version:
        events[0] = msgspec.structs.replace(events[0], rules=rules)
    return events


def _decided(game: AnyGame, state: Any, decision: ExportedDecision, chance: Chance) -> list[Event]:
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
    """Compare recomputed events with those recorded from `count` on; return how many have been compared now."""
    for event in events:
        if count >= len(recorded):
            raise _Differs(f"Event {count + 1} is missing.", "", to_json(event))
        if recorded[count] != event:
            raise _Differs(f"Event {count + 1} differs.", to_json(recorded[count]), to_json(event))
        count += 1
    return count


def _short(words: str) -> str:
    return words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
