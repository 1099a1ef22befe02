"""Where somebody who looks at a game again may want to be: rounds, catches, every tenth turn, the end.

A game need not know of it: what its public view has of these is read. May import `cogs.core` and `engine`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.core.screen import TableInfo
from engine.contract import AnyGame, Seat

MOST = 25
"""So many places a drop-down holds."""

TURNS = 10
"""Of a game without rounds every so many turns are a place."""


@dataclass(frozen=True)
class Chapter:
    """A place in a game: which of its moments, and what is there. `catch`: who caught whom."""

    step: int
    words: str
    catch: tuple[Seat, Seat] | None = None

    def label(self, info: TableInfo) -> str:
        """Return what is there, with names."""
        if self.catch is None:
            return self.words
        by, whom = (info.sitters[seat].name[:30] for seat in self.catch)
        return f"{by} catches {whom}"


def chapters(game: AnyGame, states: Sequence[Any]) -> tuple[Chapter, ...]:
    """Return the places of a finished game in order, the beginning and the end among them. Takes a while."""
    found = list(_found(game, states))
    if len(found) > MOST - 2:
        found = [one for one in found if one.catch is None]
    every = -(-len(found) // (MOST - 2)) if found else 1
    return (Chapter(0, "The beginning"), *found[::every], Chapter(len(states) - 1, "The end"))


def _found(game: AnyGame, states: Sequence[Any]) -> Iterator[Chapter]:
    before: Any = None
    for step, state in enumerate(states[:-1]):
        view: Any = game.view(state, None)
        if before is not None:
            words = _begun(before, view)
            if words:
                yield Chapter(step, words)
            catch = getattr(view, "catch", None)
            if catch is not None and catch != getattr(before, "catch", None):
                yield Chapter(step, "A catch", (catch.catcher, catch.caught))
        before = view


def _begun(before: Any, view: Any) -> str:
    """Return what has begun between two views; mostly nothing."""
    if hasattr(view, "round"):
        return f"Round {view.round}" if view.round > before.round else ""
    tens = _turns(view) // TURNS
    return f"Turn {tens * TURNS}" if tens > _turns(before) // TURNS else ""


def _turns(view: Any) -> int:
    return int(getattr(view, "turn_number", 0)) or len(getattr(view, "turns", ()))
