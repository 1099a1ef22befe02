"""What a seat could not know does not affect its evaluation: other secrets yield the same questions."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine.contract import Seat
from engine.games import GAMES
from engine.review import Decision
from engine.review.review_questions import as_questions, questions
from tools.harness.playouts import Playout, play


def other_tiles(state: Any, seat: int) -> Any:
    """Match Five: this seat has other tiles, and the bag has its tiles."""
    if not state.bag:
        return state
    hand, bag = list(state.hands[seat]), list(state.bag)
    place = next((number for number, tile in enumerate(bag) if tile != hand[0]), None) if hand else None
    if place is None:
        return state
    hand[0], bag[place] = bag[place], hand[0]
    hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
    return msgspec.structs.replace(state, hands=hands, bag=type(state.bag)(bag))


def other_bets(state: Any, seat: int) -> Any:
    """Return Ausbrecher with the opposite forecast for this seat."""
    bets = state.forecasts[seat]
    turned = None if bets is None else bets[::-1]
    return msgspec.structs.replace(state, forecasts=(*state.forecasts[:seat], turned, *state.forecasts[seat + 1 :]))


def other_places(state: Any, seat: int) -> Any:
    """Prison Break: this seat is elsewhere."""
    place = (state.positions[seat] + 3) % state.material.spaces
    return msgspec.structs.replace(state, positions=(*state.positions[:seat], place, *state.positions[seat + 1 :]))


def other_cards(state: Any, seat: int) -> Any:
    """Break-Out: this seat has a card of the pile, and the pile has one of its hand."""
    if not state.pile or not state.hands[seat]:
        return state
    hand, pile = list(state.hands[seat]), list(state.pile)
    hand[0], pile[0] = pile[0], hand[0]
    hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
    return msgspec.structs.replace(state, hands=hands, pile=tuple(pile))


SECRETS: dict[str, Callable[[Any, int], Any]] = {
    "match_five": other_tiles,
    "ausbrecher": other_bets,
    "prison_break": other_places,
    "break_out": other_cards,
}


def test_every_game_with_secrets_is_tried():
    assert set(SECRETS) == {key for key, game in GAMES.items() if game.has_hidden_info}


@pytest.mark.parametrize("key", SECRETS)
def test_the_questions_about_a_seat_do_not_depend_on_what_others_hide(key: str):
    game = GAMES[key]
    playout: Playout = play(game, 5, seats=2, lapses=0.0)
    deeds = [Decision(number, step.seat, step.action) for number, step in enumerate(playout.steps, 1)]
    asked = [one for one in questions(game, playout.states, deeds) if one[1] == 0]
    states = playout.states
    twins = [other if game.outcome(other) else SECRETS[key](other, 1) for other in states]
    changed = sum(game.view(one, Seat(1)) != game.view(two, Seat(1)) for one, two in zip(states, twins, strict=True))
    assert changed > len(states) // 3 and len(asked) > 5
    assert as_questions(game, twins, asked) == as_questions(game, states, asked)
