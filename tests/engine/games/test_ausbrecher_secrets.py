"""Other players' forecasts stay secret: if they are swapped, nothing that a seat learns changes."""

from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Refusal, Seat, to_json
from engine.games.ausbrecher import GAME, Assignment, Forecast, Replace, Resolve, Roll, State
from tools.harness.playouts import played

BETS: Assignment = (1, 1, 2, 2, 3, 3, 4)
AT = Moment(1_900_000_000_000)


def attempts(state: State) -> Iterator[Any]:
    """Yield allowed and refused actions of every kind."""
    colours = tuple(result.colour for result in GAME.view(state, None).prisoners)
    yield Forecast(BETS)
    yield Forecast((1,) * 7)
    yield Roll(colours[:3])
    yield Roll(colours[:2], True)
    yield Roll(colours[:1], True, colours[1])
    yield from (Replace(colour) for colour in colours)
    yield from (Resolve(colour) for colour in colours)


def answers(state: State, seat: Seat) -> list[str]:
    """Return the answers that a seat gets to various actions: refused, or accepted."""
    received = []
    for action in attempts(state):
        try:
            GAME.decide(state, seat, action, AT, Chance(bytes(SEED_BYTES), "t", 0))
        except Refusal as refusal:
            received.append(f"{refusal.code} {sorted(refusal.facts.items())}")
        else:
            received.append("accepted")
    return received


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_exchanging_the_forecasts_of_others_changes_nothing_for_a_seat(data: st.DataObject):
    playout = played("ausbrecher", data.draw(st.integers(0, 20)))
    state = data.draw(st.sampled_from(playout.running))
    me = Seat(data.draw(st.integers(0, playout.seats - 1)))
    others = tuple(
        bet if seat == me or bet is None else tuple(data.draw(st.permutations(BETS)))
        for seat, bet in enumerate(state.forecasts)
    )
    twin = msgspec.structs.replace(state, forecasts=others)
    assert to_json(GAME.view(state, me)) == to_json(GAME.view(twin, me))
    assert to_json(GAME.view(state, None)) == to_json(GAME.view(twin, None))
    assert list(GAME.legal(state, me)) == list(GAME.legal(twin, me))
    assert answers(state, me) == answers(twin, me)
    assert GAME.deadlines(state) == GAME.deadlines(twin)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 20))
def test_a_forecast_shows_to_its_owner_alone_until_the_end(seed: int):
    playout = played("ausbrecher", seed)
    for state in playout.running:
        assert set(GAME.view(state, None).forecasts) == {None}
        for seat in map(Seat, range(playout.seats)):
            shown = GAME.view(state, seat).forecasts
            assert [bet for owner, bet in enumerate(shown) if owner != seat] == [None] * (playout.seats - 1)
    end = playout.states[-1]
    assert GAME.view(end, None).forecasts == end.forecasts
