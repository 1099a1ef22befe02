"""The contract: encoding and decoding of games' values, and its errors, shown with a minimal game."""

from collections.abc import Iterator
from typing import Literal

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    Action,
    BrokenRecord,
    ClockAction,
    ClockEvent,
    ClockShift,
    ClockShifted,
    Deadline,
    Event,
    Expire,
    Fact,
    Game,
    GameError,
    Moment,
    Options,
    Outcome,
    Refusal,
    Seat,
    TimedOut,
    View,
    to_json,
)


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fence with a number of strands."""

    strands: int


class FenceOptions(Options, frozen=True):
    """The options of a fence."""

    mood: Literal["calm", "wary"] = "calm"


class Cut(Action, frozen=True, tag="cut"):
    """Cut a strand."""


class Raised(Event, frozen=True, tag="raised"):
    """The fence is up."""

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


FenceEvent = CutThrough | ClockEvent


def begin(seats: int, options: FenceOptions, material: Wire, at: Moment, chance: Chance) -> list[Raised]:
    return [Raised(material.strands)]


def first_state(raised: Raised) -> Fence:
    return Fence(raised.strands)


def apply_event(state: Fence, event: FenceEvent) -> Fence:
    return Fence(state.strands - 1, event.seat) if isinstance(event, CutThrough) else state


def act(state: Fence, seat: Seat, action: Cut, at: Moment, chance: Chance) -> list[CutThrough]:
    return [CutThrough(seat)]


def expire(state: Fence, deadline: Deadline, at: Moment, chance: Chance) -> list[CutThrough]:
    return [CutThrough(Seat(1))] * state.strands


def legal(state: Fence, seat: Seat) -> Iterator[Cut]:
    yield Cut()


def view(state: Fence, seat: Seat | None) -> FenceView:
    return FenceView(seat, (Seat(0),), 0, state.strands)


def deadlines(state: Fence) -> tuple[Deadline, ...]:
    turn = Deadline("turn", (Seat(0), Seat(1)), Moment(100), Cut())
    return turn, Deadline("rust", (), Moment(200), None, "window")


def outcome(state: Fence) -> Outcome | None:
    return None if state.strands else Outcome((1,), (1,), "through")


GAME = Game[Fence, Cut, Raised, FenceEvent, FenceView, FenceOptions, Wire](
    key="fence",
    title="Fence",
    player_counts=range(2, 4),
    options=FenceOptions,
    material=Wire,
    actions=Cut | ClockAction,
    begun=Raised,
    events=Raised | FenceEvent,
    views=FenceView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: 2,
    act=act,
    legal=legal,
    view=view,
    deadlines=deadlines,
    default_action=lambda state, seat: Cut(),
    expire=expire,
    outcome=outcome,
)
CHANCE = Chance(bytes(SEED_BYTES), "fence", 0)


@pytest.mark.parametrize("event", [Raised(2), CutThrough(Seat(0)), TimedOut(Seat(0), "turn-1"), ClockShifted(1500)])
def test_an_event_is_read_back_as_it_was_written(event: Raised | FenceEvent):
    assert GAME.read_event(to_json(event)) == event
    assert GAME.read_event(to_json(event).encode()) == event


@pytest.mark.parametrize("action", [Cut(), Expire("turn-1"), ClockShift(1500)])
def test_an_action_is_read_back_as_it_was_written(action: Cut | ClockAction):
    assert GAME.read_action(to_json(action)) == action


def test_stored_values_carry_their_tag_and_nothing_of_the_classes():
    assert to_json(CutThrough(Seat(0))) == '{"event":"cut","seat":0}'
    assert to_json(Expire("turn-1")) == '{"do":"expire","deadline":"turn-1"}'
    assert to_json(ClockShifted(5)) == '{"event":"delayed","by_ms":5}'
    assert to_json(FenceView(None, (Seat(0),), 3, 2)) == '{"seat":null,"waiting":[0],"stamp":3,"strands":2}'
    assert to_json(FenceOptions(mood="wary")) == '{"clock":180,"pace":"calm","mood":"wary"}'


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
    events: list[Raised | FenceEvent] = [Raised(3), CutThrough(Seat(0)), CutThrough(Seat(0))]
    assert GAME.fold(events) == Fence(1, Seat(0))
    assert GAME.fold(events[2:], GAME.fold(events[:2])) == GAME.fold(events)
    assert GAME.fold([], Fence(7)) == Fence(7)


def test_no_events_make_no_game():
    with pytest.raises(BrokenRecord, match="at least one event"):
        GAME.fold([])


def test_a_game_begins_once_and_with_its_first_event():
    with pytest.raises(BrokenRecord, match="fence: a game begins once"):
        GAME.fold([Raised(3), Raised(3)])
    with pytest.raises(BrokenRecord, match="fence: a game begins with raised"):
        GAME.fold([CutThrough(Seat(0))])


@pytest.mark.parametrize("seats", [1, 4])
def test_a_game_is_not_set_up_for_fewer_or_more_than_it_takes(seats: int):
    with pytest.raises(ValueError, match=f"fence is for 2 to 3 players, not {seats}"):
        GAME.setup(seats, FenceOptions(), Wire(3), Moment(0), CHANCE)


@pytest.mark.parametrize(
    ("state", "seat", "action", "at", "code", "facts"),
    [
        (Fence(0), Seat(0), Cut(), 0, "over", {"reason": "through"}),
        (Fence(0), None, Expire("turn"), 100, "over", {"reason": "through"}),
        (Fence(3), None, Cut(), 0, "not-seated", {}),
        (Fence(3), Seat(2), Cut(), 0, "not-seated", {}),
        (Fence(3), Seat(-1), Cut(), 0, "not-seated", {}),
        (Fence(3), Seat(0), Expire("turn"), 100, "clock-only", {}),
        (Fence(3), Seat(0), ClockShift(1), 0, "clock-only", {}),
        (Fence(3), None, ClockShift(0), 0, "no-delay", {"by_ms": 0}),
        (Fence(3), None, Expire("turn"), 99, "early", {"deadline": "turn", "due": 100}),
        (Fence(3), None, Expire("turn-1"), 100, "late", {"deadline": "turn-1"}),
    ],
)
def test_what_no_game_takes_is_refused_with_a_code_and_facts(
    state: Fence, seat: Seat | None, action: Cut | ClockAction, at: int, code: str, facts: dict[str, Fact]
):
    with pytest.raises(Refusal) as refused:
        GAME.decide(state, seat, action, Moment(at), CHANCE)
    assert (refused.value.code, refused.value.facts) == (code, facts)


def test_a_clock_that_runs_out_plays_the_default_for_each_that_it_waits_for():
    first, second = Seat(0), Seat(1)
    lapsed = [TimedOut(first, "turn"), CutThrough(first), TimedOut(second, "turn"), CutThrough(second)]
    assert GAME.decide(Fence(3), None, Expire("turn"), Moment(100), CHANCE) == lapsed


def test_what_follows_from_a_window_is_up_to_the_game():
    assert GAME.decide(Fence(2), None, Expire("rust"), Moment(200), CHANCE) == [CutThrough(Seat(1))] * 2


def test_a_delay_moves_the_clocks_and_nothing_else():
    assert GAME.decide(Fence(2), None, ClockShift(5), Moment(0), CHANCE) == [ClockShifted(5)]


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
