"""A game that nobody sees: dealt and played on a little at random, the same every time, to have something to draw."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, AnyGame, Expire, Moment

LONGEST = 3_000
"""So many moves such a game is followed at the most: by then most have ended."""


def moments(game: AnyGame, material: Any, seats: int, most: int) -> Iterator[Any]:
    """Yield the first states of that game: the one that begins it, and up to `most` more, none of which is its end."""
    for state, _ in itertools.islice(_played(game, material, seats), most + 1):
        if game.outcome(state) is None:
            yield state


def kinds(game: AnyGame, material: Any, seats: int) -> Iterator[Any]:
    """Yield of that game, played to its end, the first state of each kind: those in which something else is done first,
    and the end.
    """
    seen = set()
    for state, legal in itertools.islice(_played(game, material, seats), LONGEST):
        kind = type(legal[0]) if legal else game.outcome(state) is None
        if kind not in seen:
            seen.add(kind)
            yield state


def _played(game: AnyGame, material: Any, seats: int) -> Iterator[tuple[Any, list[Action]]]:
    """Yield every state of the game, and what whoever is waited for may do there."""
    at, dice = Moment(0), random.Random(7)
    state = game.fold(game.setup(seats, game.options(clock=0), material, at, _chance(0)))
    for number in itertools.count(1):
        seat = next(iter(game.view(state, None).waiting), None)
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
