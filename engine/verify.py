"""Proof that a finished game was fair: recompute everything that chance decided from the seed, and compare.

Of a game that began under another version of the rules only the draws are proved.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import AnyGame, BrokenRecord, Event, Moment, Refusal, Seat, to_json
from engine.export import Export, ExportedDecision

Detail = str | int


@dataclass(frozen=True)
class Difference:
    """The first thing in a record that does not follow from its seed: a code with its facts, as recorded and as
    recomputed.
    """

    code: str
    facts: Mapping[str, Detail]
    recorded: str = ""
    recomputed: str = ""


@dataclass(frozen=True)
class OtherRules:
    """What could be proved of a game that proceeded differently under other rules: `proved` of its `draws`."""

    draws: int
    proved: int


@dataclass(frozen=True)
class Report:
    """The result of a verification of a game under `rules`, by the `present` version of them.

    `material` is False if event 1 has other material than this version ships: everything was recomputed with the
    recorded material, but nothing proves that it was the table's. `other` is set if the game proceeded differently than
    under this version's rules.
    """

    events: int
    decisions: int
    rules: int
    present: int
    difference: Difference | None
    material: bool = True
    other: OtherRules | None = None

    @property
    def proved(self) -> bool:
        """Whether everything that can be recomputed matches the seed and this version's material."""
        drawn = self.other is None or self.other.proved == self.other.draws
        return self.difference is None and self.material and drawn


class _Differs(Exception):
    def __init__(self, code: str, recorded: str = "", recomputed: str = "", /, **facts: Detail) -> None:
        super().__init__(code)
        self.difference = Difference(code, facts, recorded, recomputed)


def verify(export: Export, game: AnyGame, material: Any) -> Report:
    """Recompute a game and return a report. `material` is what this version ships for the game.

    A game that began under another version of the rules may proceed differently today. In that case each decision is
    recomputed by itself, from the recorded events before it, and only what chance drew in it is compared. This proves
    the draws; what the rules of that time made of them is not checked.
    """
    shipped, other, difference = [True], None, None
    try:
        try:
            with _fitting("misfit"):
                _recompute(export, game, material, shipped)
        except _Differs:
            if export.rules == game.rules_version:
                raise
            with _fitting("misfit"):
                other = _drawn(export, game, material)
    except _Differs as differs:
        difference = differs.difference
    counted = len(export.events), len(export.decisions)
    return Report(*counted, export.rules, game.rules_version, difference, shipped[0], other)


@contextmanager
def _fitting(code: str, **facts: Detail) -> Iterator[None]:
    """Turn any error into a difference: the rules trust their own events and states, but these come from outside."""
    try:
        yield
    except _Differs:
        raise
    except Exception as error:
        raise _Differs(code, error=repr(error), **facts) from error


def _recompute(export: Export, game: AnyGame, material: Any, shipped: list[bool]) -> None:
    seed = _seed(export)
    recorded = list(_events(export, game, material))
    if not export.decisions or not recorded:
        raise _Differs("empty")
    played_with = getattr(recorded[0], "material", material)
    shipped[0] = played_with == _as_recorded(material, export.events[0])
    first = export.decisions[0]
    if (first.number, first.seat, first.action) != (0, None, None):
        raise _Differs("no-setup")
    events = _set_up(export, game, recorded[0], played_with, first.at, Chance(seed, str(export.table), 0))
    count = _compare(recorded, 0, events)
    state = game.fold(events)
    for decision in export.decisions[1:]:
        if decision.number != count:
            raise _Differs("decisions", number=count)
        events = _decided(game, state, decision, Chance(seed, str(export.table), count))
        count = _compare(recorded, count, events)
        state = game.fold(events, state)
    if count != len(recorded):
        raise _Differs("undecided", to_json(recorded[count]), number=count + 1)
    if game.outcome(state) is None:
        raise _Differs("unfinished")


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
        raise _Differs("disordered")
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
        with _fitting("misfit-from", number=start + 1):
            state = game.fold(happened, state)
    if game.outcome(state) is None:
        raise _Differs("unfinished")
    return OtherRules(draws, proved)


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
        raise _Differs("seed", export.seed, bytes=SEED_BYTES)
    if commitment(seed) != export.commitment:
        raise _Differs("commitment", export.commitment, commitment(seed))
    return seed


def _events(export: Export, game: AnyGame, material: Any) -> Iterator[Event]:
    """Read the events strictly, before any of them is folded."""
    for number, body in enumerate(export.events, start=1):
        with _fitting("unreadable-event", number=number):
            try:
                event = game.read_event(msgspec.json.encode(body))
            except BrokenRecord as error:
                text = msgspec.json.encode(body).decode()
                raise _Differs("unreadable-event", text, number=number, error=str(error)) from error
        kind: type[Event] = type(event)
        for name in _seat_fields(kind):
            value = getattr(event, name)
            seats = value if isinstance(value, tuple) else (value,)
            if any(seat is not None and not 0 <= seat < len(export.names) for seat in seats):
                raise _Differs("no-such-seat", to_json(event), number=number)
        material = getattr(event, "material", material)
        if not game.could_happen(event, material):
            raise _Differs("impossible", to_json(event), number=number)
        yield event


@cache
def _seat_fields(kind: type[Event]) -> tuple[str, ...]:
    """Return the names of an event's fields that are seats, or may be one."""
    return tuple(name for name, hint in get_type_hints(kind).items() if hint is Seat or Seat in get_args(hint))


def _set_up(export: Export, game: AnyGame, begun: Event, material: Any, at: Moment, chance: Chance) -> list[Event]:
    """Set the game up again. A game that supports older rules begins under those that it began under."""
    try:
        options = game.read_options(msgspec.json.encode(export.options))
    except msgspec.DecodeError as error:
        raise _Differs("options", error=str(error)) from error
    if len(export.names) not in game.player_counts:
        raise _Differs("players", game=game.title, number=len(export.names))
    events: list[Event] = game.setup(len(export.names), options, material, at, chance)
    rules = getattr(begun, "rules", None)
    if rules is not None and rules <= export.rules < game.rules_version:
        events[0] = msgspec.structs.replace(events[0], rules=rules)
    return events


def _decided(game: AnyGame, state: Any, decision: ExportedDecision, chance: Chance) -> list[Event]:
    at, body = decision.number + 1, msgspec.json.encode(decision.action)
    try:
        action = game.read_action(body)
        seat = None if decision.seat is None else Seat(decision.seat)
        decided: list[Event] = game.decide(state, seat, action, decision.at, chance)
    except BrokenRecord as error:
        raise _Differs("unreadable-decision", body.decode(), number=at, error=str(error)) from error
    except Refusal as refusal:
        raise _Differs("refused", body.decode(), number=at, refusal=refusal.code) from refusal
    return decided


def _compare(recorded: Sequence[Event], count: int, events: Sequence[Event]) -> int:
    """Compare recomputed events with those recorded from `count` on; return how many have been compared now."""
    for event in events:
        if count >= len(recorded):
            raise _Differs("missing", "", to_json(event), number=count + 1)
        if recorded[count] != event:
            raise _Differs("differs", to_json(recorded[count]), to_json(event), number=count + 1)
        count += 1
    return count
