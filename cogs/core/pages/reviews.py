"""A game's review as people read it: how the engine weighs its decisions, and what is said about them.

Each game's cog may bring one, on its screen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.review import JudgedDecision, Note, Reviewer


@dataclass(frozen=True)
class GameReview:
    """What is said about one game's decisions. All of it is Discord's markdown, and views are those of the seats.

    - `action_text`: an action in a few words, such as "push into **L3**", at the view at which it was done or could be.
    - `because`: why the better action was better, in a sentence; empty where the game cannot say.
    - `noted`: a line about what else is worth telling.
    """

    reviewer: Reviewer
    action_text: Callable[[Any, Action, TableContext], str]
    because: Callable[[Any, JudgedDecision, TableContext], str]
    noted: Callable[[Note, TableContext], str] | None = None


@runtime_checkable
class HasReview(Protocol):
    """A screen whose game can be reviewed when it is over."""

    @property
    def review(self) -> GameReview: ...
