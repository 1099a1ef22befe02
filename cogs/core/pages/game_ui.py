"""The interface that each game's cog implements: it turns views into pages, controls, pictures and sentences."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.text_format import listed
from cogs.core.pages import display_names
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Block, Button, Modal, Page, Picture, Row, Select, Text
from engine.contract import Action, AnyGame, Moment, Options, Refusal, Seat
from engine.players import Explain, Level, Reason
from engine.puzzles import Answer, AnyKind, Proof, Puzzle
from engine.review import JudgedDecision, Note, Reviewer
from engine.turns import Ready

MARKS = "●◆▲■⬢★"
"""The seats' shapes in text, as `cogs.core.drawing` has them in pictures."""

LABEL_LIMIT = 100
"""Characters that Discord allows in the label of an entry."""

PRIVATE_PICTURES = 256
"""How many private pictures (5 to 10 KB each) a game caches, since they are shown again after moves of the others."""


def marked(seat: int, name: str, *, computer: bool = False) -> str:
    """Return a player's name in bold after the shape of their seat; no line break comes between."""
    return f"{MARKS[seat]}\u00a0{display_names.bold(name, computer=computer)}"


@dataclass(frozen=True)
class SeatedPlayer:
    """A person or computer player on a seat. `user` is None for a computer player, which has a `level`, and for a
    person whose data was deleted. `caretaker`: a computer plays for a person. `stored_name` may hold any characters.
    """

    seat: Seat
    stored_name: str
    user: int | None
    level: Level | None = None
    caretaker: bool = False

    @property
    def name(self) -> str:
        """The name made harmless, in the present language; that of a computer begins with a sign."""
        if self.level is None:
            return display_names.sanitize(self.stored_name)
        return f"{display_names.COMPUTER} {display_names.computer_name(self.stored_name)}"

    @property
    def bold(self) -> str:
        """The name in bold after the seat's shape."""
        return marked(self.seat, self.stored_name, computer=self.level is not None)

    def label(self, most: int = LABEL_LIMIT, *, short: bool = False) -> str:
        """Return the name after the seat's shape, in at most this many characters, where markup is not read; `short`:
        without the sign of a computer player.
        """
        name = self.name.removeprefix(f"{display_names.COMPUTER} ") if short and self.level is not None else self.name
        return f"{MARKS[self.seat]} {display_names.shortened(name, most - 2)}"


@dataclass(frozen=True)
class TableContext:
    """What a game's UI may know of the table besides the game; all of it is public."""

    id: int
    seated_players: tuple[SeatedPlayer, ...]
    options: Options
    due: Moment | None = None  # when the present turn's clock runs out
    notice: str | None = None  # a sentence about the table itself
    commitment: str | None = None  # the hash of the secret seed
    seed: str | None = None  # in hexadecimal, once the game is over
    ranked: bool = False  # no advice is given
    still: bool = False  # no clock runs: the table is empty, its game is over, or it is a replay
    places: tuple[int, ...] = ()
    """The places of a finished game that some players had left: they have the last ones, even if they were ahead."""

    def winners(self, ahead: Iterable[Seat]) -> list[Seat]:
        """Return who has won: those `ahead` on the board, unless some players had left the game."""
        return [Seat(seat) for seat, place in enumerate(self.places) if place == 1] or list(ahead)

    def best(self, scores: Sequence[int], *, fewest: bool = False) -> list[Seat]:
        """Return who has won with the most points, or with the fewest."""
        best = min(scores) if fewest else max(scores)
        return self.winners(Seat(seat) for seat, score in enumerate(scores) if score == best)

    def name(self, seat: Seat) -> str:
        """Return the player's name in bold after the seat's shape."""
        return self.seated_players[seat].bold

    @property
    def distinct_names(self) -> tuple[str, ...]:
        """The players' names, equal ones after the shapes of their seats, which pictures show anyway."""
        times = Counter(player.name.casefold() for player in self.seated_players)
        return tuple(
            player.label() if times[player.name.casefold()] > 1 else player.name for player in self.seated_players
        )

    def label(self, seat: Seat, most: int) -> str:
        """Return the player's name after the shape of their seat, in at most this many characters."""
        return self.seated_players[seat].label(most)

    def countdown(self) -> str:
        """Return when the turn's clock runs out, as a timestamp that counts down; empty without a clock."""
        return "" if self.due is None else f"<t:{self.due // 1_000}:R>"

    def until(self, moment: Moment) -> str:
        """Return a moment that the rules wait for, as a timestamp that counts down; empty if no clock runs."""
        return "" if self.still else f"<t:{-(-moment // 1_000)}:R>"

    def to_move(self, seats: Sequence[Seat], reader: Seat | None) -> str:
        """Return the beginning of a status line for `reader` (None: everybody): that it is the move of these seats, and
        when time runs out.
        """
        others = listed([self.name(seat) for seat in seats if seat != reader])
        if not others:
            who = _("**Your move**")
        elif reader in seats:
            who = _("**Your move**, and {names}'s", names=others)
        else:
            who = _("{names}'s move", names=others)
        return who + self.runs_out(seats)

    def not_yours(self, seats: Sequence[Seat]) -> str:
        """Return the sentence for a player who wants to move, while the game waits for these seats."""
        others = listed([self.name(seat) for seat in seats])
        return _("It's {names}'s turn, not yours.", names=others) if others else _("It's no one's turn right now.")

    def runs_out(self, seats: Sequence[Seat]) -> str:
        """Return the end of a status line: when time runs out; empty without a clock or for computer players."""
        people = any(
            player.level is None and not player.caretaker for player in map(self.seated_players.__getitem__, seats)
        )
        running = self.due is not None and people
        return f" · {_('time runs out {when}', when=self.countdown())}" if running else ""


@dataclass(frozen=True)
class Highlight:
    """A great moment of a game: a headline of a few words, without markup of its own, and a small square picture."""

    headline: str
    picture: Picture | None = None

    def above(self, words: str, title: str = "") -> Text:
        """Return words under the headline, below a page's title if it has one, beside the picture."""
        return Text("\n".join(filter(None, (title, f"## {self.headline}", words))), self.picture)


class GameUI(ABC):
    """One game's user interface: what a game must have, and with a default what it may have.

    Methods get views, never states, so they cannot show what their reader may not know: a seat's own, or the public one
    (of everybody). Pictures are drawn outside the event loop.
    """

    game: AnyGame
    colour: int
    tagline: str
    review: "GameReview | None" = None
    public_actions: frozenset[str] = frozenset()
    """Verbs of controls that only show what the reader may know, such as a log. Anybody in the channel may press them,
    also after the game; `press` then gets the view of their seat or the public one, and returns a page.
    """
    draft_actions: frozenset[str] = frozenset()
    """Verbs of controls that lead to a page on which an action is put together step by step. It is shown again when its
    player opens their page, until they discard the draft.
    """
    lasting_actions: frozenset[str] = frozenset()
    """Verbs of controls that mean the same throughout a game; everything else belongs to the view it was drawn for."""
    has_targets = False
    """Whether buttons have a target (`Button.target`)."""
    reveals_at_end = False
    """Whether `unveiled` shows more than `picture`."""
    harmless_hints = False
    """Whether no hint says anything about another player that a person would rather hide."""

    @property
    def command(self) -> str:
        """The name of the game's slash commands: its key with hyphens."""
        return self.game.key.replace("_", "-")

    @property
    def title(self) -> str:
        """The game's title in the present language."""
        return display_names.game_title(self.game)

    @property
    def resign(self) -> Button | None:
        """The button to resign the game. `press` answers with the question whether they mean it."""
        return None

    @abstractmethod
    def status(self, view: Any, info: TableContext) -> str:
        """Return whose move it is and until when, in words; at the end who has won."""

    def picture(self, view: Any, info: TableContext) -> Picture | None:
        """Return the table as everybody sees it, from the public view; it is drawn once for each state."""
        return None

    def finale(self, view: Any, info: TableContext) -> Picture | None:
        """Return the end of a game as an animated GIF that begins and ends with `picture`
        (`cogs.core.drawing.animation`), from the public view; None if the story would add nothing.
        """
        return None

    def news(self, view: Any, info: TableContext) -> str:
        """Return what happened last, in words; empty if nothing has."""
        return ""

    def highlight(self, view: Any, info: TableContext) -> Highlight | None:
        """Return what has just happened if it deserves a headline above the status: a catch, a round, an escape. It
        is shown until something else happens, also on a player's page, from their own view.
        """
        return None

    @abstractmethod
    def controls(self, view: Any, info: TableContext) -> Sequence[Row | Select]:
        """Return what follows the picture in the channel: at most two rows, always in the same place."""

    @abstractmethod
    def player_blocks(self, view: Any, info: TableContext) -> Iterable[Block]:
        """Return what follows the status on a player's page: the table's picture (a `BoardPlaceholder`), what only this
        seat may see, and every control that it needs now.
        """

    @abstractmethod
    def press(self, view: Any, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return what a control of this UI asks for; None for one that the game does not have. Raises `UserError` for
        what makes no sense.

        Table, seat and stamp were checked, and *Ready* was served. For a page, this is called again whenever the page
        must be updated. It may take more than a millisecond only for `draft_actions` and `public_actions`, which are
        not served on the event loop.
        """

    def fresh(self, view: Any, control: ComponentPress) -> bool:
        """Return True if a control that was drawn for an earlier view still means the same."""
        return control.verb in self.lasting_actions or bool(control.stamp == view.ui_version)

    @abstractmethod
    def advice(self, view: Any, info: TableContext, legal: Sequence[Action]) -> Iterable[str]:
        """Return what the seat can do now, and why it cannot do the rest, line by line."""

    @abstractmethod
    def text(self, view: Any, info: TableContext) -> str:
        """Return the board as text, for a code block."""

    @abstractmethod
    def refusal(self, refusal: Refusal, info: TableContext) -> str:
        """Return the sentence for an action that the rules refused, with the rule."""

    @abstractmethod
    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short, page by page, without a colour."""

    @abstractmethod
    def minutes(self, options: Any, seats: int) -> int:
        """Return about how long a game lasts among people who play quickly."""

    def receipt(self, action: Any, after: Callable[[], Any]) -> str | None:
        """Return a private sentence that an action was taken, if the player's view `after` it does not show that."""
        return None

    def faces(self) -> Mapping[str, bytes]:
        """Return emoji for the game's pieces, by name, as PNG pictures of 128 × 128 pixels. Takes a while."""
        return {}

    def secret_summary(self, view: Any) -> str:
        """Return what only this seat knows, on one line. Everybody may read it once the game is over."""
        return ""

    def known(self, view: Any, info: TableContext) -> Sequence[Block]:
        """Return what the seat of a view knew and others did not, for a replay: by default the pictures of its page
        besides the table's, or its secrets in a line.
        """
        pictures = [block for block in self.player_blocks(view, info) if isinstance(block, Picture)]
        summary = self.secret_summary(view)
        return pictures or ([Text(summary)] if summary else [])

    def unveiled(self, view: Any, seats: Sequence[Any], info: TableContext) -> Picture | None:
        """Return a moment of a finished game with all that was hidden, from the public view and those of all seats."""
        return self.picture(view, info)

    def draft(self, view: Any, look: ComponentPress) -> Action | None:
        """Return the action on the page that a control opened, if it is complete and legal. It is submitted when the
        turn's clock runs out, before the game acts for players who did nothing.
        """
        return None

    def lost_draft_text(self, view: Any, look: ComponentPress) -> str:
        """Return the sentence for a player whose draft no longer applies; empty if nothing of value was lost."""
        return ""

    def hint(self, view: Any, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterable[str]:
        """Return an action that a strong player would choose, and line by line why it is good; without reasons the
        action alone. By default, this is the label of the button that does it.
        """
        for block in self.player_blocks(view, info):
            for button in block.buttons if isinstance(block, Row) else ():
                if isinstance(button, Button) and _does(self, view, info, button, action):
                    return (f"**{button.label}**",)
        return (f"**{action.__struct_config__.tag}**",)

    def hint_at_hand(self, view: Any, info: TableContext) -> bool:
        """Return whether *Hint* is beside the controls of a seat that can act, from its view, besides behind *More …*:
        not where it would name a person's bluff.
        """
        return self.harmless_hints

    def sketch(self, view: Any, info: TableContext, action: Action) -> Picture | None:
        """Return the table's picture with a hint's action on it, if there is anything to see."""
        return None


def _does(ui: GameUI, view: Any, info: TableContext, button: Button, action: Action) -> bool:
    control = ComponentPress(info.id, view.ui_version, button.verb, button.argument)
    try:
        return interpret(ui, view, info, control) == action
    except (StaleControl, UserError):
        return False


def is_draft(ui: GameUI, look: ComponentPress | None) -> bool:
    """Return True if a control opened a page on which something is put together."""
    return look is not None and look.verb in ui.draft_actions


def available_moves_text(ui: GameUI, view: Any, info: TableContext, legal: Sequence[Action]) -> str:
    """Return what the reader of a view can do now, under a heading: the answer to *What can I do?*."""
    return "\n".join([_("### What can I do?"), *ui.advice(view, info, legal)])


def interpret(ui: GameUI, view: Any, info: TableContext, control: ComponentPress) -> Action | Page | Modal:
    """Return what a control asks for, a page in the game's colour: the only way to call `press`, with what that raises.
    Raises `UserError` for a control that the game does not have, and `StaleControl` for one that means something else
    by now.
    """
    if control.verb not in ui.public_actions and not ui.fresh(view, control):
        raise StaleControl
    if control.verb == "ready" and Ready in get_args(ui.game.actions):
        return Ready()
    wanted = ui.press(view, info, control)
    if wanted is None:
        raise UserError(_("That button doesn't exist at this table."))
    return Page(wanted.blocks, ui.colour) if isinstance(wanted, Page) else wanted


# Puzzles and reviews


@dataclass(frozen=True)
class GameReview:
    """How the engine rates one game's decisions, and the texts about them, from the views of the seats."""

    reviewer: Reviewer
    action_text: Callable[[Any, Action, TableContext], str]
    """An action in a few words, such as "push into **L3**", at the view at which it was done or possible."""
    because: Callable[[Any, JudgedDecision, TableContext], str]
    """Why the better action was better, in a sentence; empty if the game cannot say."""
    noted: Callable[[Note, TableContext], str] | None = None
    """A line about anything else worth saying."""
    drawn: Callable[[Any, Action, Action | None, TableContext], Picture | None] | None = None
    """The table as the seat saw it, with what was played and the better action on it, told apart; without a better
    one, what was played is marked as good.
    """
    explain: Explain | None = None
    """Why an action is good, as hints say it: told of a better move where `because` is silent, and of best moves."""


RIVALS = ("Cora", "Dan")
"""The players beside the solver."""

SOLVED = N_("✓ Solved.")


@dataclass(frozen=True)
class GamePuzzle:
    """One game's puzzle: the engine's kind of puzzle, and the texts about it."""

    kind: AnyKind
    title: str
    asked: Callable[[Any], str]
    """What a position asks for."""
    came_of: Callable[[Answer, Proof], str]
    """What came of an answer, without giving away more than the answer itself has."""
    because: Callable[[Puzzle, Any], str]
    """What a solution's picture does not say by itself, from the public view after it; empty if nothing."""
    bare: bool = False
    """Whether the board and the question say it all, so that what else is on a player's page is left out."""


def nothing_more(puzzle: Puzzle, view: Any) -> str:
    """Return that the picture says it all."""
    return ""
