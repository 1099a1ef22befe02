"""Computer players: they see a view and the legal actions, never a state. May import `engine` and msgspec.

A player of a game is two functions, one a level, in the module of the same name as the game's, and a third one says
why an action is good. They are plain functions of what they are given, so that they can think in another process.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import msgspec

from engine.contract import Action, AnyGame, Fact, Moment, number
from engine.turns import Ready

Level = Literal["rookie", "warden"]
LEVELS: tuple[Level, ...] = ("rookie", "warden")


class Budget(Protocol):
    """How long a player may think. It is asked often, so the answer is cheap."""

    def spent(self) -> bool:
        """Say whether it is time to answer."""
        ...


class Steps:
    """A budget of so many questions: the same answer on every machine, for tests and playouts."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spent(self) -> bool:
        self._left -= 1
        return self._left < 0


class Intent(msgspec.Struct, frozen=True):
    """What a player means to do, and when a person would have done it: so many milliseconds after being asked, but not
    before the moment `earliest`.

    A player that is asked again, because somebody else has moved meanwhile, answers with the same `earliest`, so that
    being asked often makes nobody slower.
    """

    action: Any  # one of the game's actions; the reader knows the game and decodes it
    after_ms: int = 0
    earliest: Moment | None = None


def ready(legal: Sequence[Action]) -> Intent | None:
    """Return that a player is ready, in an interlude: computers have nothing to look at, and do not keep others."""
    return next((Intent(action) for action in legal if isinstance(action, Ready)), None)


class Player(Protocol):
    """Choose one of the legal actions, or None to let others go first: only where nobody waits for this seat."""

    def __call__(self, view: Any, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Intent | None: ...


class Reason(msgspec.Struct, frozen=True):
    """Something that speaks for an action, or that it will come to, by a player's own evaluation: a code and facts, no
    prose, as in a `Refusal`.
    """

    code: str
    facts: Mapping[str, Fact] = {}

    def number(self, name: str) -> int:
        """Return a fact that is a whole number."""
        return number(self.facts, name)

    def text(self, name: str) -> str:
        """Return a fact that is a word."""
        return str(self.facts[name])


class Explain(Protocol):
    """Say why one of the legal actions is what a strong player would do, the chief reason first; nothing where there is
    nothing to say. It sees what a player sees.
    """

    def __call__(
        self, view: Any, action: Any, legal: Sequence[Action], budget: Budget, rng: random.Random
    ) -> tuple[Reason, ...]: ...


@dataclass(frozen=True)
class Bots:
    """The computer players of a game, one per level, and what says why an action is good, if anything does."""

    game: AnyGame
    levels: Mapping[Level, Player]
    explain: Explain | None = None
