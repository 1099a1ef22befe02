"""Puzzles: positions of the games with one best answer, which is proved when they are made.

A kind of puzzle is a value, `PuzzleKind`, with pure functions, as a game is. What is kept of a puzzle is its position,
small and readable; the state that people see is made of it by the game's own rules. May import `engine` and msgspec.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from engine.contract import Action, AnyGame, Moment, Seat

SOLVER = Seat(0)
"""Whose move it is in every puzzle."""

EASIEST, HARDEST = 1, 5
"""Difficulties."""

FIRST_DAY = 20_773
"""Puzzle 1 is that of Monday, 16 November 2026, here as days since the Unix epoch; each day in UTC has the next one."""

DAY_MS = 86_400_000

Verdict = Literal["right", "go-on", "wrong"]
"""What an attempt has come to: solved, so far right, failed."""


class Answer(msgspec.Struct, frozen=True):
    """What follows from an attempt. `replies` are what the others do after the solver's last action, in their order.

    `facts` are the numbers and words that a sentence about it needs: see the kind's module.
    """

    verdict: Verdict
    replies: tuple[tuple[Seat, Action], ...] = ()
    facts: dict[str, int | str] = {}


class Proof(msgspec.Struct, frozen=True):
    """Why a position is a puzzle: the solver's own actions of the best line, what else there was, and how hard it is.

    `best` and `second` are what the best and the next best answer reach, in the kind's unit; `legal` is how many
    answers there are.
    """

    line: tuple[Action, ...]
    best: int
    second: int
    legal: int
    difficulty: int


class Puzzle(msgspec.Struct, frozen=True):
    """One game's puzzle of one day, its `number` counted by days from 1."""

    number: int
    position: Any
    proof: Proof


class Puzzles(Protocol):
    """All puzzles of one kind."""

    def numbered(self, number: int) -> Puzzle:
        """Return the puzzle of this number. Raises `LookupError` for one that is below 1."""
        ...


class Attempt(msgspec.Struct, frozen=True):
    """What somebody has done about one puzzle.

    `number` is the puzzle's, counted by days from 1; `played` are the solver's own actions, a JSON list of them;
    `solved` is None while it is open. `guild` is where it was begun, None in direct messages; `timely` says that it was
    begun on its day, so that it counts for a streak.
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

    - `propose(rng, material)` gives a position that may be a puzzle, None if it found none this time.
    - `prove(position, material)` gives the proof, None if there is no clearly best answer, or none that is hard to see.
    - `state(position, material)` gives the game's state; the seat `SOLVER` is to move.
    - `judge(position, proof, material, played)` tells what the solver's actions so far have come to. They are ones that
      the game allows, and of the types `answers`.

    Where an answer is `carried_out`, the game goes on by it; else it is only judged, since chance would come in.
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


def puzzle_number(at_ms: int) -> int:
    """Return the number of the puzzles of the day in which this moment falls; below 1 before there were any."""
    return at_ms // DAY_MS - FIRST_DAY + 1


def make(kind: AnyKind, rng: Random, material: Any) -> tuple[Any, Proof]:
    """Return a new puzzle of this kind with its proof: the same for the same random numbers."""
    while True:
        position = kind.propose(rng, material)
        proof = None if position is None else kind.prove(position, material)
        if position is not None and proof is not None:
            return position, proof
