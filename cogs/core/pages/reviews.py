"""A game's review as people read it: how the engine rates decisions, and the texts about them. A game's UI may have
one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.review import JudgedDecision, Note, Reviewer


@dataclass(frozen=True)
class GameReview:
    """The texts about one game's decisions, in Discord's markdown. Views are those of the seats.

    - `action_text`: an action in a few words, such as "push into **L3**", at the view at which it was done or possible.
    - `because`: why the better action was better, in a sentence; empty if the game cannot say.
    - `noted`: a line about anything else worth saying.
    """

    reviewer: Reviewer
    action_text: Callable[[Any, Action, TableContext], str]
    because: Callable[[Any, JudgedDecision, TableContext], str]
    noted: Callable[[Note, TableContext], str] | None = None


@runtime_checkable
class HasReview(Protocol):
    """The UI of a game that can be reviewed when it is over."""

    @property
    def review(self) -> GameReview: ...
