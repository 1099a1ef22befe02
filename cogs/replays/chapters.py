"""The chapters of a finished game: rounds, catches, every tenth turn, the end.

A game needs no support for it: chapters are read from its public view.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogs.core.pages.game_ui import TableContext
from engine.contract import AnyGame, Seat

MOST = 25
"""The most options of a select."""

TURNS = 10
"""The turns per chapter in a game without rounds."""


@dataclass(frozen=True)
class Chapter:
    """A chapter of a game: its moment, and its text.

    `catch`: who caught whom. `part`: the kind and number of what begins there and lasts until the next one, such as a
    round.
    """

    step: int
    words: str
    catch: tuple[Seat, Seat] | None = None
    part: tuple[str, int] | None = None

    def label(self, info: TableContext) -> str:
        """Return the text with names."""
        if self.catch is None:
            return self.words
        by, whom = (info.label(seat, 34) for seat in self.catch)
        return f"{by} catches {whom}"


def chapters(game: AnyGame, states: Sequence[Any]) -> tuple[Chapter, ...]:
    """Return the chapters of a finished game in order, including the beginning and the end. Slow."""
    found = list(_found(game, states))
    if len(found) > MOST - 2:
        found = [one for one in found if one.catch is None]
    every = -(-len(found) // (MOST - 2)) if found else 1
    last = len(states) - 1
    return (
        Chapter(0, "The beginning"),
        *_named(found[::every], game.view(states[last], None)),
        Chapter(last, "The end"),
    )


def chapter_at(places: Sequence[Chapter], step: int) -> Chapter:
    """Return the chapter of a moment: its own, or the part of the game that contains it."""
    there = [place for place in places if place.step == step]
    return (there or [place for place in places if place.step < step and place.catch is None])[-1]


def _found(game: AnyGame, states: Sequence[Any]) -> Iterator[Chapter]:
    before: Any = None
    for step, state in enumerate(states[:-1]):
        view: Any = game.view(state, None)
        if before is not None:
            part = _begun(before, view) or (_first(before) if step == 1 else None)
            if part is not None:
                yield Chapter(step, "", part=part)
            catch = getattr(view, "catch", None)
            if catch is not None and catch != getattr(before, "catch", None):
                yield Chapter(step, "A catch", (catch.catcher, catch.caught))
        before = view


def _named(found: Sequence[Chapter], end: Any) -> Iterator[Chapter]:
    """Yield the chapters, those that begin a part with a text that says where it ends. `end`: the last view."""
    numbers = [one.part[1] for one in found if one.part is not None]
    ends = iter([*(number - 1 for number in numbers[1:]), getattr(end, "round", None) or _turns(end)])
    for one in found:
        if one.part is None:
            yield one
            continue
        (unit, first), last = one.part, next(ends)
        yield replace(one, words=f"{unit}s {first} to {last}" if last > first else f"{unit} {first}")


def _first(view: Any) -> tuple[str, int] | None:
    """Return what begins with the game; nothing if it has neither rounds nor turns."""
    if hasattr(view, "round"):
        return "Round", view.round
    return ("Turn", 1) if hasattr(view, "turn_number") or hasattr(view, "turns") else None


def _begun(before: Any, view: Any) -> tuple[str, int] | None:
    """Return what has begun between two views; usually nothing."""
    if hasattr(view, "round"):
        return ("Round", view.round) if view.round > before.round else None
    tens = _turns(view) // TURNS
    return ("Turn", tens * TURNS) if tens > _turns(before) // TURNS else None


def _turns(view: Any) -> int:
    return int(getattr(view, "turn_number", 0)) or len(getattr(view, "turns", ()))
