"""The interface that each game's cog implements: it turns views into pages, controls, pictures and sentences.

It gets views, never states, so it cannot show what its reader may not know. It draws outside the event loop.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cogs.core.ops.errors import StaleControl
from cogs.core.ops.text_format import listed
from cogs.core.pages import display_names
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Block, Button, Modal, Page, Picture, Row, Select
from engine.contract import Action, AnyGame, Moment, Options, Refusal, Seat
from engine.players import Level, Reason
from engine.puzzles import Answer, AnyKind, Proof, Puzzle
from engine.review import JudgedDecision, Note, Reviewer

MARKS = "●◆▲■⬢★"
"""The seats' shapes in text, as `cogs.core.drawing` has them in pictures."""

PRIVATE_PICTURES = 256
"""How many private pictures of 5 to 10 KB each a game caches: what one seat sees is shown again after every move of the
others.
"""


def marked(seat: int, name: str) -> str:
    """Return somebody's name in bold after the shape of their seat, from which no end of a line parts it."""
    return f"{MARKS[seat]}\u00a0{display_names.bold(name)}"


@dataclass(frozen=True)
class SeatedPlayer:
    """A person or computer player on a seat. A computer player has a `level`; `caretaker` means that one plays for a
    person.

    `name` is made harmless here, and `bold` is the name for Discord's markup after the seat's shape, which pictures
    show too. `user` is None for a computer player, and for a person whose data was deleted.
    """

    seat: Seat
    name: str
    user: int | None
    level: Level | None = None
    caretaker: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", display_names.sanitize(self.name))

    @property
    def bold(self) -> str:
        """The name in bold after the seat's shape."""
        return marked(self.seat, self.name)


@dataclass(frozen=True)
class TableContext:
    """What a game's UI may know of the table besides the game; all of it is public.

    `due`: when the present turn's clock runs out. `notice`: a sentence about the table itself. `commitment`: the hash
    of the secret seed. `seed`: the seed in hexadecimal, once the game is over. `ranked`: no advice is given. `places`:
    the places of a finished game that some players had left; they have the last ones, whatever the board says, and
    every text about the end follows them. `still`: no clock runs, since the table is empty, its game is over, or it is
    a replay.
    """

    id: int
    seated_players: tuple[SeatedPlayer, ...]
    options: Options
    due: Moment | None = None
    notice: str | None = None
    commitment: str | None = None
    seed: str | None = None
    ranked: bool = False
    still: bool = False
    places: tuple[int, ...] = ()

    def first(self, ahead: Iterable[Seat]) -> list[Seat]:
        """Return who has won: those who are `ahead` on the board, unless some had left the game."""
        return [Seat(seat) for seat, place in enumerate(self.places) if place == 1] or list(ahead)

    def name(self, seat: Seat) -> str:
        """Return the player's name in bold after the seat's shape."""
        return self.seated_players[seat].bold

    def countdown(self) -> str:
        """Return when the turn's clock runs out, as a timestamp that counts down for the reader; empty without a
        clock.
        """
        return "" if self.due is None else f"<t:{self.due // 1_000}:R>"

    def until(self, moment: Moment) -> str:
        """Return a moment that the rules wait for as a stamp that counts down; empty where no clock runs."""
        return "" if self.still else f"<t:{-(-moment // 1_000)}:R>"

    def to_move(self, seats: Sequence[Seat], reader: Seat | None) -> str:
        """Return the beginning of a status line for `reader` (None: everybody): whose move it is, and when time runs
        out.

        `seats` are those that the game waits for.
        """
        others = listed([self.name(seat) for seat in seats if seat != reader])
        who = f"{others}'s move" if others else "**Your move**"
        if others and reader in seats:
            who = f"**Your move**, and {others}'s"
        return who + self.runs_out(seats)

    def not_yours(self, seats: Sequence[Seat]) -> str:
        """Return the sentence for somebody who would move, while the game waits for these seats."""
        others = listed([self.name(seat) for seat in seats])
        return f"It is {others}'s turn, not yours." if others else "It is nobody's turn now."

    def runs_out(self, seats: Sequence[Seat]) -> str:
        """Return the end of a status line: when time runs out for these seats. Empty without a clock, and if only
        computer players are to move.
        """
        people = any(
            player.level is None and not player.caretaker for player in map(self.seated_players.__getitem__, seats)
        )
        return f" · time runs out {self.countdown()}" if self.due is not None and people else ""


@runtime_checkable
class HasEmoji(Protocol):
    """A UI that has emoji for the game's pieces."""

    def faces(self) -> Mapping[str, bytes]:
        """Return the emoji by name (letters, digits, underscores) as PNG pictures of 128 × 128 pixels. Takes a
        while.
        """
        ...


class GameUI(Protocol):
    """One game's user interface.

    - `status`: whose move it is and until when, in words; at the end who has won.
    - `picture`: the table as everybody sees it, from the public view, drawn once for each state; None if there is none.
    - `news`: what happened last, in words; empty if nothing has.
    - `controls`: what follows the picture in the channel: at most two rows of quick controls, always in the same place.
    - `player_blocks`: what follows the status on a player's page: the table's picture (a `BoardPlaceholder`), what only
      this seat may see, and every control that it needs now.
    - `press`: what a control of this UI asks for: an action, another page for the player, or a modal. Raises
      `UserError` for what makes no sense. The caller has checked the table, the seat and the stamp. It calls `press`
      again with the same control whenever that page must be updated.
    - `fresh`: whether a control that was drawn for an earlier view still means the same.
    - `advice`: what the seat can do now, in words, and why it cannot do the rest; line by line.
    - `text`: the board as text, for a code block.
    - `refusal`: the sentence for an action that the rules refused, with the rule.
    - `rules`: the game's rules in short, page by page.
    - `minutes`: about how long a game lasts among people who play quickly, by options and number of seats.
    - `receipt`: a private sentence that the action was taken, for a player whose view `after` it does not show that at
      once; else None.
    - `public_actions`: controls that only show what the reader may know, such as a log. Anybody in the channel may
      press them, also after the game; `press` then gets the view of their seat or the public one, and returns a page.
    """

    game: AnyGame
    command: str
    colour: int
    tagline: str
    public_actions: frozenset[str]

    def status(self, view: Any, info: TableContext) -> str: ...

    def picture(self, view: Any, info: TableContext) -> Picture | None: ...

    def news(self, view: Any, info: TableContext) -> str: ...

    def controls(self, view: Any, info: TableContext) -> Sequence[Row | Select]: ...

    def player_blocks(self, view: Any, info: TableContext) -> Sequence[Block]: ...

    def press(self, view: Any, info: TableContext, control: ComponentPress) -> Action | Page | Modal: ...

    def fresh(self, view: Any, control: ComponentPress) -> bool: ...

    def advice(self, view: Any, info: TableContext, legal: Sequence[Action]) -> Iterable[str]: ...

    def text(self, view: Any, info: TableContext) -> str: ...

    def refusal(self, refusal: Refusal, info: TableContext) -> str: ...

    def rules(self) -> tuple[Page, ...]: ...

    def minutes(self, options: Any, seats: int) -> int: ...

    def receipt(self, action: Any, after: Callable[[], Any]) -> str | None: ...


@runtime_checkable
class HasSecrets(Protocol):
    """The UI of a game whose seats have secrets.

    - `secret_summary`: what only the player of this seat knows, on one line; empty if that is nothing. Everybody may
      read it once the game is over.
    """

    def secret_summary(self, view: Any) -> str: ...


@runtime_checkable
class RevealsAtEnd(Protocol):
    """A UI that draws a finished game with everything that was hidden.

    - `unveiled`: that picture, from the public view of a moment and those of all `seats`, in their order. Only for
      games that are over.
    """

    def unveiled(self, view: Any, seats: Sequence[Any], info: TableContext) -> Picture | None: ...


@runtime_checkable
class CanResign(Protocol):
    """The UI of a game that can be resigned.

    - `resign`: the button for it. `press` answers with the question whether they mean it.
    """

    resign: Button


@runtime_checkable
class MultiStep(Protocol):
    """A UI on which an action is put together step by step.

    - `draft_actions`: the verbs of controls that lead to a page on which something is put together. Such a page is
      shown again when its player opens their page, until they discard the draft.
    """

    draft_actions: frozenset[str]


@runtime_checkable
class SubmitsDraftOnTimeout(MultiStep, Protocol):
    """A UI whose drafts may be complete before they are submitted.

    - `draft`: the action on the page that a control opened, from the seat's own view; None if it is not complete or not
      legal. It is submitted when the turn's clock runs out, before the game acts for players who did nothing.
    """

    def draft(self, view: Any, look: ComponentPress) -> Action | None: ...


@runtime_checkable
class ExplainsLostDraft(MultiStep, Protocol):
    """A UI that says what became of a draft that no longer applies.

    - `lost_draft_text`: the sentence for the player whose draft page is gone; empty if nothing of value was lost.
    """

    def lost_draft_text(self, view: Any, look: ComponentPress) -> str: ...


@runtime_checkable
class ExplainsHints(Protocol):
    """A UI that explains what a strong player would do.

    - `hint`: the action and why it is good, from the seat's own view; without reasons the action alone.
    """

    def hint(self, view: Any, info: TableContext, action: Action, reasons: Sequence[Reason]) -> str: ...


@runtime_checkable
class DrawsHints(ExplainsHints, Protocol):
    """A UI that also draws its hints.

    - `sketch`: the table's picture with the action on it, from the seat's own view, for the hint's page; None if there
      is nothing to see. Called outside the event loop.
    """

    def sketch(self, view: Any, info: TableContext, action: Action) -> Picture | None: ...


def is_draft(ui: GameUI, look: ComponentPress | None) -> bool:
    """Return True if a control opened a page on which something is put together."""
    return look is not None and isinstance(ui, MultiStep) and look.verb in ui.draft_actions


def available_moves_text(ui: GameUI, view: Any, info: TableContext, legal: Sequence[Action]) -> str:
    """Return what the reader of a view can do now, under a heading: the answer to *What can I do?*."""
    return "\n".join(["### What can I do?", *ui.advice(view, info, legal)])


def interpret(ui: GameUI, view: Any, info: TableContext, control: ComponentPress) -> Action | Page | Modal:
    """Return what a control asks for, as of this view: the one way to `press`. Raises `StaleControl` for a control that
    means something else by now, and what `press` raises.
    """
    if control.verb not in ui.public_actions and not ui.fresh(view, control):
        raise StaleControl
    return ui.press(view, info, control)


# Puzzles and reviews


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


RIVALS = ("Cora", "Dan")
"""The players beside the solver."""

SOLVED = "✓ Solved."


@dataclass(frozen=True)
class GamePuzzle:
    """One game's puzzle.

    - `asked`: what a position asks for.
    - `came_of`: what came of an answer, without giving away more than the answer itself has.
    - `because`: what a solution's picture does not say by itself, from the public view after it; empty if nothing.
    """

    kind: AnyKind
    title: str
    asked: Callable[[Any], str]
    came_of: Callable[[Answer, Proof], str]
    because: Callable[[Puzzle, Any], str]


def nothing_more(puzzle: Puzzle, view: Any) -> str:
    """Return that the picture says it all."""
    return ""
