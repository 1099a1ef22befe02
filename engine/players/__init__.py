"""Bots: the computer players, which see a view and the legal actions, never a state.

The bots of a game are in the package of the same name: `trainee` and `evaluation`, or `planning`, choose for the two
levels, `reasons` explains why an action is good, and other modules serve these. They are pure functions of their
arguments, so they can run in another process.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from engine.contract import Action, AnyGame, Fact, Moment, number
from engine.turns import Ready


class Level(StrEnum):
    """The strength of a bot. The values are stored words and never change; as strings they equal what is read back."""

    TRAINEE = "rookie"
    MASTER = "warden"


LEVELS = tuple(Level)


class Budget(Protocol):
    """How long a bot may think. It is asked often, so the answer must be cheap."""

    def spent(self) -> bool:
        """Return True if it is time to answer."""
        ...


class Steps:
    """A budget of this many questions. The same on every machine, for tests and playouts."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spent(self) -> bool:
        self._left -= 1
        return self._left < 0


class Intent(msgspec.Struct, frozen=True):
    """What a bot means to do and when: `after_ms` milliseconds after being asked, but not before the moment `earliest`.

    If a bot is asked again because another player has moved meanwhile, it answers with the same `earliest`, so being
    asked often does not slow it down.
    """

    action: Any  # one of the game's actions; the caller knows the game and decodes it
    after_ms: int = 0
    earliest: Moment | None = None


def ready(legal: Sequence[Action]) -> Intent | None:
    """Return `Ready` as an intent if it is legal. Bots have nothing to look at in an interlude, and do not delay
    others.
    """
    return next((Intent(action) for action in legal if isinstance(action, Ready)), None)


class Player(Protocol):
    """Choose one of the legal actions, or None to let others go first if the game does not wait for this seat."""

    def __call__(self, view: Any, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Intent | None: ...


class Reason(msgspec.Struct, frozen=True):
    """A reason for an action, by a bot's own evaluation: a code and facts, no prose, as in a `Refusal`."""

    code: str
    facts: Mapping[str, Fact] = {}

    def number(self, name: str) -> int:
        """Return a fact that is a whole number."""
        return number(self.facts, name)

    def text(self, name: str) -> str:
        """Return a fact that is a word."""
        return str(self.facts[name])


class Explain(Protocol):
    """Explain why a strong player would choose one of the legal actions, the main reason first.

    Returns nothing if there is nothing to say. It sees what a player sees.
    """

    def __call__(
        self, view: Any, action: Any, legal: Sequence[Action], budget: Budget, rng: random.Random
    ) -> tuple[Reason, ...]: ...


@dataclass(frozen=True)
class Bots:
    """The bots of a game, one per level, and optionally the function that explains why an action is good.

    `strengths`: what each level is rated as, measured as `docs/computer_players.md` says. A level without one is rated
    by its games like a person. If they change, `engine.standings.RATINGS_VERSION` grows.
    """

    game: AnyGame
    levels: Mapping[Level, Player]
    explain: Explain | None = None
    strengths: Mapping[Level, float] = field(default_factory=dict)
