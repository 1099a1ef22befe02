"""Achievements: what a player has done in one finished game, worked out from its record and nothing else.

Each game has a function `earned(events, outcome)`, which returns the seats that earned each of its achievements. The
names are stored, so none is used again for something else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.contract import AnyGame, Outcome, Seat

Earned = Mapping[str, frozenset[Seat]]
"""The seats that earned each achievement, by its name."""

Rule = Callable[[Sequence[Any], Outcome], Earned]
"""Returns what was achieved in a game with these events, the first one first, and this outcome."""


def winners(outcome: Outcome) -> frozenset[Seat]:
    """Return the seats in the first place; none if everybody shares it."""
    first = [Seat(seat) for seat, place in enumerate(outcome.places) if place == 1]
    return frozenset() if len(first) == len(outcome.places) else frozenset(first)


def by_seat(game: AnyGame, rule: Rule, bodies: Iterable[bytes | str]) -> dict[Seat, tuple[str, ...]]:
    """Return what each seat has achieved in the game with these stored events: nothing before its end.

    Raises `BrokenRecord`.
    """
    events = [game.read_event(body) for body in bodies]
    outcome = game.outcome(game.fold(events))
    found: dict[Seat, tuple[str, ...]] = {}
    if outcome is not None:
        for name, seats in rule(events, outcome).items():
            for seat in sorted(seats):
                found[seat] = (*found.get(seat, ()), name)
    return found
