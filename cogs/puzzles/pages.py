"""The pages of puzzles: a puzzle on the player page of its game, the result of an answer, and the solution step by
step.

They are built in a worker thread and never wait.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import RIVALS, GamePuzzle, GameUI, SeatedPlayer, TableContext, interpret
from cogs.core.pages.page import Block, Button, Modal, Page, Picture, Row, Select, Text
from cogs.core.pages.player_page import seat_page, with_line, with_more
from cogs.puzzles import words
from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Refusal, Seat
from engine.players import LEVELS
from engine.puzzles import SOLVER, Answer, AnyKind, Puzzle

LOG = "log"
"""The verb of the button appended to puzzles of games whose UI has a log, which contains the facts."""

EARLIER = N_("⚠ That button belongs to another step of the puzzle. Here's where you are.")

NOT_ASKED = N_("⚠ That isn't an answer to this puzzle, so it doesn't count.")

PACE = Moment(6_000)
"""The time between the moves of a puzzle, whose clocks never run out."""


@dataclass(frozen=True)
class ShownPage:
    """A page, and the stamp of its controls."""

    page: Page
    stamp: int


@dataclass(frozen=True)
class CountedAnswer:
    """An answer that counts: the action, and its result."""

    action: Action
    answer: Answer


@dataclass(frozen=True)
class PuzzlePages:
    """A puzzle as one user solves it; `played` are their answers so far. `until`: until when a first answer counts for
    the puzzle's day, None if it is too late.
    """

    screen: GameUI
    game: GamePuzzle
    material: Any
    puzzle: Puzzle
    name: str
    played: tuple[Action, ...] = ()
    until: Moment | None = None
    _answers: dict[tuple[Action, ...], Answer] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def _kind(self) -> AnyKind:
        return self.game.kind

    @property
    def place(self) -> str:
        """The value in a control that replaces a table's id."""
        return f"{self._kind.key}.{self.puzzle.number}"

    @property
    def _day(self) -> Button:
        """The button back to all puzzles of the same day."""
        return Button(_("◀ All puzzles"), "puzzle", f"day.{self.puzzle.number}")

    # What is pressed

    def pressed(self, control: ComponentPress) -> ShownPage | Modal | CountedAnswer:
        """Return the result of a press: another page, a form, or an answer, which the caller stores before
        showing it.
        """
        if control.verb == "hand":
            return self.page()
        state = self._state(self.played)
        try:
            wanted = interpret(self.screen, self._view(state), self._info(state), control)
        except StaleControl:
            return self.page(_(EARLIER))
        except UserError as error:
            return self.page(f"⚠ {error.sentence}")
        if isinstance(wanted, Page):
            return self.page(look=wanted)
        if isinstance(wanted, Modal):
            return wanted
        if not isinstance(wanted, self._kind.answers):
            return self.page(_(NOT_ASKED))
        try:
            self._apply(state, SOLVER, wanted)
        except Refusal as refusal:
            return self.page(f"⚠ {self.screen.refusal(refusal, self._info(state))}")
        return CountedAnswer(wanted, self._judged((*self.played, wanted)))

    def verdict(self) -> Answer | None:
        """Return the result of the answers so far, None before the first."""
        return self._judged(self.played) if self.played else None

    # Pages

    def page(self, line: str = "", look: Page | None = None) -> ShownPage:
        """Return the puzzle in its current position, with a line about the last action."""
        state, answer = self._state(self.played), self.verdict()
        over = answer is not None and answer.verdict != "go-on"
        line = line or ("" if answer is None else self.game.came_of(answer, self.puzzle.proof))
        one_try = _("-# You have one try.") if self.played else words.one_try(self.until)
        asked = () if over else (self.game.asked(self.puzzle.position), one_try)
        page = self._player_page(state, asked, look)
        if over and answer is not None:
            ways_on = Row(self._next_buttons(solved=answer.verdict == "right"))
            blocks: tuple[Block, ...] = (*_without_controls(page), ways_on)
        elif LOG in self.screen.public_actions:
            blocks = (*page.blocks, Row((Button(_("All that happened"), LOG), self._day)))
        else:
            blocks = with_more(page, self._day).blocks
        return self._shown(with_line(blocks, line), state)

    def _next_buttons(self, *, solved: bool) -> tuple[Button, Button]:
        """Return the buttons below a finished puzzle, the solution first if the user has not found it."""
        solution, day = Button(_("Show the solution"), "puzzle", f"{self.place}.1"), self._day
        chief = replace(day if solved else solution, style="primary")
        return (solution, chief) if solved else (chief, day)

    def solution(self, step: int) -> ShownPage:
        """Return the position after this many steps of the solution."""
        line = self.puzzle.proof.line
        step = max(1, min(step, len(line)))
        if not self._kind.carried_out:
            state, verdict = self._state(()), self.game.came_of(self._judged(line), self.puzzle.proof)
        else:
            state, verdict = self._state(line[:step]), ""
        doors = [Button(_("◀ Back"), "puzzle", self.place), self._day]
        if step < len(line):
            doors.insert(0, Button(_("Next step ▶"), "puzzle", f"{self.place}.{step + 1}", "primary"))
        steps = _("**The solution**")
        if len(line) > 1:
            steps = _("**The solution**, step {step} of {total}", step=step, total=len(line))
        why = self.game.because(self.puzzle, self._kind.game.view(state, None))
        page = _without_controls(self._player_page(state, (steps, verdict, why)))
        return self._shown((*page, Row(tuple(doors))), state)

    def board(self) -> Picture | None:
        """Return the public board of the puzzle before the first move."""
        state = self._state(())
        return self.screen.picture(self._kind.game.view(state, None), self._info(state))

    # Of what they are made

    def _state(self, played: Sequence[Action]) -> Any:
        state = self._kind.state(self.puzzle.position, self.material)
        if not self._kind.carried_out:
            return state
        for number, action in enumerate(played, start=1):
            state = self._apply(state, SOLVER, action)
            for seat, reply in self._judged(tuple(played[:number])).replies:
                state = self._apply(state, seat, reply)
        return state

    def _apply(self, state: Any, seat: Seat, action: Action) -> Any:
        """Return the state after an action. Raises `Refusal`."""
        game = self._kind.game
        chance = Chance(bytes(SEED_BYTES), "puzzle", game.view(state, None).ui_version + 1)
        return game.fold(game.decide(state, seat, action, PACE, chance), state)

    def _judged(self, played: tuple[Action, ...]) -> Answer:
        """Return the result of these answers, computed once for the position and the text."""
        answer = self._answers.get(played)
        if answer is None:
            found = self._kind.judge(self.puzzle.position, self.puzzle.proof, self.material, played)
            answer = self._answers[played] = found
        return answer

    def _view(self, state: Any) -> Any:
        return self._kind.game.view(state, SOLVER)

    def _info(self, state: Any) -> TableContext:
        rivals = RIVALS[: self._kind.seats - 1]
        others = (SeatedPlayer(Seat(seat), name, None, LEVELS[0]) for seat, name in enumerate(rivals, start=1))
        return TableContext(0, (SeatedPlayer(SOLVER, self.name, 0), *others), state.options, still=True)

    def _player_page(self, state: Any, lines: Sequence[str], look: Page | None = None) -> Page:
        """Return the player page at a state, with these lines under the puzzle's title."""
        info = self._info(state)
        board = self.screen.picture(self._kind.game.view(state, None), info)
        page = seat_page(self.screen, self._view(state), info, board, look, head=self._head(lines))
        return page.with_buttons(lambda button: self._is_useful(button, state))

    def _is_useful(self, button: Button, state: Any) -> bool:
        """Return whether a button is useful here: no action that answers nothing, no form whose text is not stored."""
        if button.verb == "hand":
            return True
        control = ComponentPress(0, self._view(state).ui_version, button.verb, button.argument)
        try:
            wanted = interpret(self.screen, self._view(state), self._info(state), control)
        except (StaleControl, UserError):
            return True
        return isinstance(wanted, (Page, *self._kind.answers))

    def _head(self, lines: Sequence[str]) -> Text:
        """Return what is above the picture: which puzzle it is, and what it asks."""
        title = _("### {puzzle} · puzzle {number}", puzzle=_(self.game.title), number=self.puzzle.number)
        game = f"-# {self._kind.game.title} · {words.difficulty(self.puzzle.proof.difficulty)}"
        return Text("\n".join(filter(None, (title, game, *lines))))

    def _shown(self, blocks: tuple[Block, ...], state: Any) -> ShownPage:
        return ShownPage(Page(blocks, self.screen.colour), self._view(state).ui_version)


def _without_controls(page: Page) -> tuple[Block, ...]:
    """Return a player page without controls and without prompts right above them, since the puzzle is over."""
    prompts = {
        number
        for number, (block, following) in enumerate(pairwise(page.blocks))
        if isinstance(block, Text) and isinstance(following, Row | Select) and not block.body.startswith("-#")
    }
    kept = tuple(block for number, block in enumerate(page.blocks) if number not in prompts)
    return Page(kept, page.colour).without_controls().blocks
