"""Sample games to draw: dealt and played a little at random, the same every time."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, AnyGame, Expire, Moment

MAX_MOVES = 3_000
"""Moves after which a sample game is left: most have ended by then."""


def first_states(game: AnyGame, material: Any, seats: int, most: int) -> Iterator[Any]:
    """Yield the first states of a game: the one that begins it, and up to `most` more, none of which is its end."""
    for state, _ in itertools.islice(_played(game, material, seats), most + 1):
        if game.outcome(state) is None:
            yield state


def states_by_kind(game: AnyGame, material: Any, seats: int) -> Iterator[Any]:
    """Yield the first state of each type of action of a game that is played to its end, and the end."""
    seen = set()
    for state, legal in itertools.islice(_played(game, material, seats), MAX_MOVES):
        kind = type(legal[0]) if legal else game.outcome(state) is None
        if kind not in seen:
            seen.add(kind)
            yield state


def _played(game: AnyGame, material: Any, seats: int) -> Iterator[tuple[Any, list[Action]]]:
    """Yield every state of a game, and the legal actions of the player it waits for."""
    at, dice = Moment(0), random.Random(7)
    state = game.fold(game.setup(seats, game.options(clock=0), material, at, _chance(0)))
    for number in itertools.count(1):
        seat = next(iter(game.view(state, None).to_act), None)
        legal = [] if seat is None else list(game.legal(state, seat))
        yield state, legal
        if game.outcome(state) is not None:
            return
        deadline = min(game.deadlines(state), key=lambda one: one.due, default=None)
        if legal:
            events = game.decide(state, seat, dice.choice(legal), at, _chance(number))
        elif deadline is not None:
            at = Moment(max(at, deadline.due))
            events = game.decide(state, None, Expire(deadline.id), at, _chance(number))
        else:
            return
        state = game.fold(events, state)


def _chance(number: int) -> Chance:
    return Chance(bytes(SEED_BYTES), "cover", number)
