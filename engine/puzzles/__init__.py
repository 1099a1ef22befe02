"""Puzzles: positions of the games with one best answer, which is proved when they are made.

Like a game, a kind of puzzle is a value, `PuzzleKind`, made of pure functions. A stored puzzle is a position, small and
readable; the game's own rules turn it into the state that people see.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from engine.contract import Action, AnyGame, Moment, Seat

SOLVER = Seat(0)
"""The seat to move in every puzzle."""

EASIEST, HARDEST = 1, 5
"""The range of difficulties."""

FIRST_DAY = 20_773
"""The day of puzzle 1, Monday, 16 November 2026, in days since the Unix epoch. There is one puzzle per day (UTC)."""

DAY_MS = 86_400_000

Verdict = Literal["right", "go-on", "wrong"]
"""The state of an attempt: solved, right so far, or failed."""


class Answer(msgspec.Struct, frozen=True):
    """What follows from an attempt. `replies` are what the other seats do after the solver's last action, in order.

    `facts` are the numbers and words that a sentence about it needs; see the module of the kind.
    """

    verdict: Verdict
    replies: tuple[tuple[Seat, Action], ...] = ()
    facts: dict[str, int | str] = {}


class Proof(msgspec.Struct, frozen=True):
    """Why a position is a puzzle: the solver's actions in the best line, how good the alternatives are, and the
    difficulty.

    `best` and `second` are what the best and the second best answer reach, in the unit of the kind; `legal` is the
    number of answers.
    """

    line: tuple[Action, ...]
    best: int
    second: int
    legal: int
    difficulty: int


class Puzzle(msgspec.Struct, frozen=True):
    """One game's puzzle of one day. `number` counts days from 1."""

    number: int
    position: Any
    proof: Proof


class Puzzles(Protocol):
    """All puzzles of one kind."""

    def numbered(self, number: int) -> Puzzle:
        """Return the puzzle of this number. Raises `LookupError` for a number below 1."""
        ...


class Attempt(msgspec.Struct, frozen=True):
    """A user's attempt at one puzzle.

    `number` is the puzzle's number; `played` are the solver's actions, as a JSON list; `solved` is None while the
    attempt is open. `guild` is the server where it was begun, None in direct messages. `timely` says whether it was
    begun on the puzzle's day, so that it counts for a streak.
    """

    user: int
    game: str
    number: int
    played: str
    solved: bool | None
    guild: int | None
    timely: bool
    at: Moment


P = TypeVar("P", bound=msgspec.Struct)


@dataclass(frozen=True)
class PuzzleKind(Generic[P]):
    """One kind of puzzle of one game.

    - `propose(rng, material)` returns a position that may be a puzzle, or None if it found none this time.
    - `prove(position, material)` returns the proof, or None if there is no clearly best answer or it is too easy to
      see.
    - `state(position, material)` returns the game's state, with the seat `SOLVER` to move.
    - `judge(position, proof, material, played)` evaluates the solver's actions so far. These are accepted by the game,
      and their types are among `answers`.

    If answers are `carried_out`, the game goes on with them. Otherwise they are only evaluated, since chance would be
    involved.
    """

    key: str
    game: AnyGame
    position: type[P]
    propose: Callable[[Random, Any], P | None]
    prove: Callable[[P, Any], Proof | None]
    state: Callable[[P, Any], Any]
    judge: Callable[[P, Proof, Any, tuple[Action, ...]], Answer]
    answers: tuple[type[Action], ...]
    carried_out: bool = True
    seats: int = 2


AnyKind = PuzzleKind[Any]


def day_start(number: int) -> Moment:
    """Return when the day of the puzzles with this number begins, in UTC."""
    return Moment((FIRST_DAY + number - 1) * DAY_MS)


def puzzle_number(at_ms: int) -> int:
    """Return the number of the puzzles on the day of this moment; below 1 before the first day."""
    return at_ms // DAY_MS - FIRST_DAY + 1


def days_in_a_row(solved: Collection[int], today: int) -> int:
    """Return on how many days in a row up to today a puzzle was solved, from the numbers of those `solved`.

    Today counts once it is solved and breaks nothing until it is over.
    """
    number = today if today in solved else today - 1
    count = 0
    while number - count in solved:
        count += 1
    return count


def make(kind: AnyKind, rng: Random, material: Any) -> tuple[Any, Proof]:
    """Return a new puzzle of this kind with its proof; the same random numbers give the same puzzle."""
    while True:
        position = kind.propose(rng, material)
        proof = None if position is None else kind.prove(position, material)
        if position is not None and proof is not None:
            return position, proof
