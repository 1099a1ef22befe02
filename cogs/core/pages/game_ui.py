"""What a game shows: the interface that each game's cog fills in for the live tables.

A screen is given views, never states, so it cannot show what its reader may not know. It runs outside the event loop
where it draws.
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

MARKS = "●◆▲■⬢★"
"""The seats' shapes in text, as `cogs.core.drawing` has them in pictures."""

PRIVATE_PICTURES = 256
"""What one seat alone sees is shown again with every move of the others: a game keeps so many such pictures, of 5 to
10 KB each.
"""


def marked(seat: int, name: str) -> str:
    """Return somebody's name in bold after the shape of their seat, from which no end of a line parts it."""
    return f"{MARKS[seat]}\u00a0{display_names.bold(name)}"


@dataclass(frozen=True)
class SeatedPlayer:
    """Who sits on a seat. A computer player has a `level`; `caretaker` says that a computer plays for a person.

    `name` is made harmless here, whatever they call themselves, and `bold` is it for text that Discord reads as markup,
    after the seat's shape, as pictures have it: wherever people read of somebody, they see which seat is meant.
    `user` is None for a computer player, and for a person whose data was deleted.
    """

    seat: Seat
    name: str
    user: int | None
    level: Level | None = None
    caretaker: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", display_names.plain(self.name))

    @property
    def bold(self) -> str:
        """The name in bold after the seat's shape."""
        return marked(self.seat, self.name)


@dataclass(frozen=True)
class TableContext:
    """What a screen may know of the table besides the game: all of it is public.

    `due` is when the present turn's clock runs out; `notice` is a sentence about the table itself; `commitment` pins
    the secret seed, and `seed` (hexadecimal) is there once the game is over. At a `ranked` table nobody is advised.
    `places` are there once a game is over that some had left: they have the last ones, whatever the board says, and
    whatever tells of the end tells of these. Where it stands `still` no clock runs: nobody is there to play, it is
    over, or only looked at again.
    """

    id: int
    sitters: tuple[SeatedPlayer, ...]
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
        """Return the sitter's name in bold after the seat's shape."""
        return self.sitters[seat].bold

    def countdown(self) -> str:
        """Return when the turn's clock runs out, as a stamp that counts down on the reader's screen; empty without
        a clock.
        """
        return "" if self.due is None else f"<t:{self.due // 1_000}:R>"

    def until(self, moment: Moment) -> str:
        """Return a moment that the rules wait for as a stamp that counts down; empty where no clock runs."""
        return "" if self.still else f"<t:{-(-moment // 1_000)}:R>"

    def to_move(self, seats: Sequence[Seat], reader: Seat | None) -> str:
        """Return the beginning of a status line: whose move it is, as `reader` is told, and when time runs out.

        `seats` are those whom the game waits for; None reads what everybody reads.
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
        """Return the end of a status line: when time runs out for these seats; empty without a clock, and where only
        computers are to move.
        """
        people = any(sitter.level is None and not sitter.caretaker for sitter in map(self.sitters.__getitem__, seats))
        return f" · time runs out {self.countdown()}" if self.due is not None and people else ""


@runtime_checkable
class HasEmoji(Protocol):
    """A screen whose pieces have faces that stand as emoji on its controls."""

    def faces(self) -> Mapping[str, bytes]:
        """Return the faces by name (letters, digits, underscores): PNG pictures of 128 × 128 pixels. Takes a while."""
        ...


class GameUI(Protocol):
    """One game's screen.

    - `status`: whose move it is and until when, in words; at the end who has won.
    - `picture`: the table as everybody sees it, from the public view, drawn once a state; None if it has no picture.
    - `news`: what happened last, in words; empty if nothing has.
    - `controls`: what stands below the picture in the channel: at most two rows of quick controls, always in the same
      place.
    - `player_blocks`: what stands below the status in a seat's cockpit: the table's picture (a `BoardPlaceholder`),
      what only this seat may see, and every control that it needs now.
    - `press`: what a control of this screen asks for: an action, another page of the presser's cockpit, or a form to
      fill in. Raises `UserError` for what makes no sense. The host has checked the table, the seat and the stamp. It
      asks again with the same control whenever that page is to be brought up to date.
    - `fresh`: whether a control that was drawn for an earlier view still means the same.
    - `advice`: what the seat can do now, in words, and why it cannot do the rest; line by line.
    - `text`: the board for those who cannot see the picture, for a code block.
    - `refusal`: the sentence for an action that the rules refused, with the rule.
    - `rules`: the game's rules in short, page by page.
    - `minutes`: about how long a game lasts among people who do not think for long, by options and number of seats.
    - `receipt`: a sentence that tells only whoever pressed that the action was taken, where their view `after`
      it does not show that at once; None where it does.
    - `public_actions`: controls that only show what the reader may know, such as a log. Anybody in the channel may
      press them, also when the game is over; `press` then gets the view of their seat or the public one, and returns a
      page.
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
    """A screen of a game whose seats have secrets.

    - `secret_summary`: what the reader of a seat's view alone knows, in words on one line; empty if that is nothing.
      All who look at a finished game may read it of everybody.
    """

    def secret_summary(self, view: Any) -> str: ...


@runtime_checkable
class RevealsAtEnd(Protocol):
    """A screen whose picture of a finished game shows at every moment what was hidden then.

    - `unveiled`: that picture, from the public view of the moment and those of all `seats`, in their order. For games
      that are over, and no others.
    """

    def unveiled(self, view: Any, seats: Sequence[Any], info: TableContext) -> Picture | None: ...


@runtime_checkable
class CanResign(Protocol):
    """A screen of a game that can be given up.

    - `resign`: the button that asks for it. `press` answers it with the question whether they mean it.
    """

    resign: Button


@runtime_checkable
class MultiStep(Protocol):
    """A screen on whose cockpit an action is put together step by step.

    - `draft_actions`: the verbs of the controls that lead to a page on which something is put together. Such a page is
      shown again where its reader opens theirs anew, until they give up what they have begun.
    """

    draft_actions: frozenset[str]


@runtime_checkable
class SubmitsDraftOnTimeout(MultiStep, Protocol):
    """A screen on which what is put together may be whole before it is done.

    - `draft`: what is put together on the page to which a control led, from the seat's own view; None where nothing is,
      or nothing that may be done. When the turn's clock runs out it is done, before the game does what it does for
      those who did nothing.
    """

    def draft(self, view: Any, look: ComponentPress) -> Action | None: ...


@runtime_checkable
class ExplainsLostDraft(MultiStep, Protocol):
    """A screen that says what became of something that was begun and is past.

    - `lost_draft_text`: the sentence for the reader of a view whose page, to which a control had led, is gone; empty
      where they miss nothing.
    """

    def lost_draft_text(self, view: Any, look: ComponentPress) -> str: ...


@runtime_checkable
class ExplainsHints(Protocol):
    """A screen that says in words what a strong player would do.

    - `hint`: the action and why it is good, from the seat's own view; without reasons the action alone.
    """

    def hint(self, view: Any, info: TableContext, action: Action, reasons: Sequence[Reason]) -> str: ...


@runtime_checkable
class DrawsHints(ExplainsHints, Protocol):
    """A screen whose hints are seen, too.

    - `sketch`: the picture of the table with the action laid out on it, from the seat's own view, which stands on the
      hint's page in the place of the table's; None for an action of which there is nothing to see. It is drawn outside
      the event loop.
    """

    def sketch(self, view: Any, info: TableContext, action: Action) -> Picture | None: ...


def is_draft(screen: GameUI, look: ComponentPress | None) -> bool:
    """Say whether a control led to a page on which something is put together."""
    return look is not None and isinstance(screen, MultiStep) and look.verb in screen.draft_actions


def available_moves_text(screen: GameUI, view: Any, info: TableContext, legal: Sequence[Action]) -> str:
    """Return what the reader of a view can do now, under a heading: the answer to *What can I do?*."""
    return "\n".join(["### What can I do?", *screen.advice(view, info, legal)])


def interpret(screen: GameUI, view: Any, info: TableContext, control: ComponentPress) -> Action | Page | Modal:
    """Return what a control asks for, as of this view: the one way to `press`. Raises `StaleControl` for a control that
    means something else by now, and what `press` raises.
    """
    if control.verb not in screen.public_actions and not screen.fresh(view, control):
        raise StaleControl
    return screen.press(view, info, control)
