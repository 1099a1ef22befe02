"""The chapters of a finished game: rounds, catches, every tenth turn, the end.

A game needs no support for it: chapters are read from its public view.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import TableContext
from engine.contract import AnyGame, Seat

MOST = 25
"""The most options of a select."""

TURNS = 10
"""The turns per chapter in a game without rounds."""

ROUND, TURN = "Round", "Turn"
"""The kinds of parts."""


@dataclass(frozen=True)
class Chapter:
    """A chapter of a game: its move, and its title if it has one.

    `catch`: who caught whom. `part`: the kind and number of what begins there and lasts until the next one, such as a
    round; `last` is the last number of that kind in it.
    """

    step: int
    title: str = ""
    catch: tuple[Seat, Seat] | None = None
    part: tuple[str, int] | None = None
    last: int = 0

    @property
    def words(self) -> str:
        """The text without names."""
        if self.part is None:
            return _(self.title)
        unit, first = self.part
        if unit == ROUND:
            if self.last > first:
                return _("Rounds {first} to {last}", first=first, last=self.last)
            return _("Round {number}", number=first)
        if self.last > first:
            return _("Turns {first} to {last}", first=first, last=self.last)
        return _("Turn {number}", number=first)

    def label(self, info: TableContext) -> str:
        """Return the text with names."""
        if self.catch is None:
            return self.words
        by, whom = (info.label(seat, 34) for seat in self.catch)
        return _("{catcher} catches {caught}", catcher=by, caught=whom)


def chapters(game: AnyGame, states: Sequence[Any]) -> tuple[Chapter, ...]:
    """Return the chapters of a finished game in order, including the beginning and the end. Slow."""
    found = list(_found(game, states))
    if len(found) > MOST - 2:
        found = [one for one in found if one.catch is None]
    every = -(-len(found) // (MOST - 2)) if found else 1
    last = len(states) - 1
    return (
        Chapter(0, N_("Beginning")),
        *_named(found[::every], game.view(states[last], None)),
        Chapter(last, N_("End")),
    )


def chapter_at(places: Sequence[Chapter], step: int) -> Chapter:
    """Return the chapter of a move: its own, or the part of the game that contains it."""
    there = [place for place in places if place.step == step]
    return (there or [place for place in places if place.step < step and place.catch is None])[-1]


def _found(game: AnyGame, states: Sequence[Any]) -> Iterator[Chapter]:
    before: Any = None
    for step, state in enumerate(states[:-1]):
        view: Any = game.view(state, None)
        if before is not None:
            part = _begun(before, view) or (_first(before) if step == 1 else None)
            if part is not None:
                yield Chapter(step, part=part)
            catch = getattr(view, "catch", None)
            if catch is not None and catch != getattr(before, "catch", None):
                yield Chapter(step, N_("A catch"), (catch.catcher, catch.caught))
        before = view


def _named(found: Sequence[Chapter], end: Any) -> Iterator[Chapter]:
    """Yield the chapters, those that begin a part with the number at which it ends. `end`: the last view."""
    numbers = [one.part[1] for one in found if one.part is not None]
    ends = iter([*(number - 1 for number in numbers[1:]), getattr(end, "round", None) or _turns(end)])
    for one in found:
        yield one if one.part is None else replace(one, last=next(ends))


def _first(view: Any) -> tuple[str, int] | None:
    """Return what begins with the game; nothing if it has neither rounds nor turns."""
    if hasattr(view, "round"):
        return ROUND, view.round
    return (TURN, 1) if hasattr(view, "turn_number") or hasattr(view, "turns") else None


def _begun(before: Any, view: Any) -> tuple[str, int] | None:
    """Return what has begun between two views; usually nothing."""
    if hasattr(view, "round"):
        return (ROUND, view.round) if view.round > before.round else None
    tens = _turns(view) // TURNS
    return (TURN, tens * TURNS) if tens > _turns(before) // TURNS else None


def _turns(view: Any) -> int:
    return int(getattr(view, "turn_number", 0)) or len(getattr(view, "turns", ()))
