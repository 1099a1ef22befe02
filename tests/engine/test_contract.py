"""The contract: reading and writing what a game says, and its errors, shown on the smallest of games."""

from collections.abc import Iterator
from typing import Literal

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    Action,
    BrokenRecord,
    Deadline,
    Delay,
    Delayed,
    Event,
    Expire,
    Game,
    GameError,
    Lapsed,
    Moment,
    Options,
    Outcome,
    Refusal,
    Seat,
    View,
    write,
)


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fence of so many strands."""

    strands: int


class FenceOptions(Options, frozen=True):
    """What a fence can be set to."""

    mood: Literal["calm", "wary"] = "calm"


class Cut(Action, frozen=True, tag="cut"):
    """Cut a strand."""


class Raised(Event, frozen=True, tag="raised"):
    """The fence stands."""

    strands: int


class CutThrough(Event, frozen=True, tag="cut"):
    """A strand is cut."""

    seat: Seat


class Fence(msgspec.Struct, frozen=True):
    """Strands left, and who cut last."""

    strands: int
    last: Seat | None = None


class FenceView(View, frozen=True):
    """Strands left."""

    strands: int


FenceEvent = Raised | CutThrough | Lapsed | Delayed
FenceAction = Cut | Expire | Delay


def setup(seats: int, options: FenceOptions, material: Wire, at: Moment, chance: Chance) -> list[FenceEvent]:
    return [Raised(material.strands)]


def decide(state: Fence, seat: Seat | None, action: FenceAction, at: Moment, chance: Chance) -> list[FenceEvent]:
    if seat is None:
        raise Refusal("late", deadline="none")
    return [CutThrough(seat)]


def evolve(state: Fence | None, event: FenceEvent) -> Fence:
    match event:
        case Raised(strands):
            return Fence(strands)
        case CutThrough(seat) if state is not None:
            return Fence(state.strands - 1, seat)
        case _:
            raise BrokenRecord("nothing else happens here")


def legal(state: Fence, seat: Seat) -> Iterator[FenceAction]:
    yield Cut()


def view(state: Fence, seat: Seat | None) -> FenceView:
    return FenceView(seat, (Seat(0),), 0, state.strands)


def deadlines(state: Fence) -> tuple[Deadline, ...]:
    return ()


def outcome(state: Fence) -> Outcome | None:
    return None if state.strands else Outcome((1,), (1,), "through")


GAME = Game[Fence, FenceAction, FenceEvent, FenceView, FenceOptions, Wire](
    key="fence",
    title="Fence",
    seats=range(1, 2),
    options=FenceOptions,
    material=Wire,
    actions=FenceAction,
    events=FenceEvent,
    views=FenceView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
)
CHANCE = Chance(bytes(SEED_BYTES), "fence", 0)


@pytest.mark.parametrize("event", [Raised(2), CutThrough(Seat(0)), Lapsed(Seat(0), "turn-1"), Delayed(1500)])
def test_an_event_is_read_back_as_it_was_written(event: FenceEvent):
    assert GAME.read_event(write(event)) == event
    assert GAME.read_event(write(event).encode()) == event


@pytest.mark.parametrize("action", [Cut(), Expire("turn-1"), Delay(1500)])
def test_an_action_is_read_back_as_it_was_written(action: FenceAction):
    assert GAME.read_action(write(action)) == action


def test_stored_values_carry_their_tag_and_nothing_of_the_classes():
    assert write(CutThrough(Seat(0))) == '{"event":"cut","seat":0}'
    assert write(Expire("turn-1")) == '{"do":"expire","deadline":"turn-1"}'
    assert write(Delayed(5)) == '{"event":"delayed","by_ms":5}'
    assert write(FenceView(None, (Seat(0),), 3, 2)) == '{"seat":null,"waiting":[0],"stamp":3,"strands":2}'
    assert write(FenceOptions(mood="wary")) == '{"clock":180,"pace":"calm","mood":"wary"}'


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "not JSON",
        '{"event":"flown"}',
        '{"event":"raised"}',
        '{"event":"raised","strands":"two"}',
        '{"event":"raised","strands":2,"colour":"red"}',
        '{"strands":2}',
    ],
)
def test_what_is_no_event_is_a_broken_record(body: str):
    with pytest.raises(BrokenRecord, match="fence: this is no event"):
        GAME.read_event(body)


@pytest.mark.parametrize("body", ["", '{"do":"fly"}', '{"do":"cut","twice":true}', '{"do":"delay","by_ms":"long"}'])
def test_what_is_no_action_is_a_broken_record(body: str):
    with pytest.raises(BrokenRecord, match="fence: this is no action"):
        GAME.read_action(body)


def test_folding_goes_event_by_event_from_nothing_or_from_a_state():
    events: list[FenceEvent] = [Raised(3), CutThrough(Seat(0)), CutThrough(Seat(0))]
    assert GAME.fold(events) == Fence(1, Seat(0))
    assert GAME.fold(events[2:], GAME.fold(events[:2])) == GAME.fold(events)
    assert GAME.fold([], Fence(7)) == Fence(7)


def test_no_events_make_no_game():
    with pytest.raises(BrokenRecord, match="at least one event"):
        GAME.fold([])


def test_a_refusal_is_a_code_and_facts():
    with pytest.raises(Refusal) as refused:
        GAME.decide(Fence(1), None, Expire("turn-1"), Moment(0), CHANCE)
    assert (refused.value.code, refused.value.facts) == ("late", {"deadline": "none"})


def test_both_errors_are_game_errors_and_neither_is_the_other():
    assert issubclass(Refusal, GameError)
    assert issubclass(BrokenRecord, GameError)
    assert not issubclass(Refusal, BrokenRecord)
    assert not issubclass(BrokenRecord, Refusal)


@pytest.mark.parametrize("clock", [-1, 86_401])
def test_a_turn_clock_out_of_bounds_does_not_validate(clock: int):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"clock": clock}, FenceOptions)


def test_unknown_options_do_not_validate():
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"colour": "red"}, FenceOptions)


def test_actions_events_and_views_do_not_change():
    with pytest.raises(AttributeError):
        Raised(3).strands = 2  # type: ignore[misc]  # that it is refused is the point
