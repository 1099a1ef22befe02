"""A game that nobody sees: dealt and played on a little at random, the same every time, to have something to draw.

May import `engine`.
"""

import random
from collections.abc import Iterator
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.contract import AnyGame, Expire, Moment


def moments(game: AnyGame, material: Any, seats: int, most: int) -> Iterator[Any]:
    """Yield the first states of that game: the one that begins it, and up to `most` more, none of which is its end."""
    at, dice = Moment(0), random.Random(7)
    state = game.fold(game.setup(seats, game.options(clock=0), material, at, _chance(0)))
    yield state
    for number in range(1, most + 1):
        seat = next(iter(game.view(state, None).waiting), None)
        legal = [] if seat is None else list(game.legal(state, seat))
        deadline = min(game.deadlines(state), key=lambda one: one.due, default=None)
        if legal:
            events = game.decide(state, seat, dice.choice(legal), at, _chance(number))
        elif deadline is not None:
            at = Moment(max(at, deadline.due))
            events = game.decide(state, None, Expire(deadline.id), at, _chance(number))
        else:
            return
        state = game.fold(events, state)
        if game.outcome(state) is not None:
            return
        yield state


def _chance(number: int) -> Chance:
    return Chance(bytes(SEED_BYTES), "cover", number)
