"""The pages of puzzles: a puzzle on the player page of its game, the result of an answer, and the solution step by
step.

They are built in a worker thread and never wait.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from cogs.core.drawing.emblems import Emblem, emblem
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import RIVALS, SOLVED, GamePuzzle, GameUI, Highlight, SeatedPlayer, TableContext, interpret
from cogs.core.pages.page import Block, Button, Modal, Page, Picture, Row, Select, Style, Text, rows
from cogs.core.pages.phone_height import FITS, height
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

_END: Mapping[bool, tuple[str, Emblem, str]] = {
    True: (N_("✓ Solved!"), "solved", N_("The bars of a window are bent, and a rope hangs out: solved.")),
    False: (N_("✗ Not solved"), "failed", N_("The bars of a window hold: not solved.")),
}
"""The headline of the end of a puzzle, its small picture, and that in words."""

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
class DaySoFar:
    """A user's results on the day of a puzzle, as a line to share, and the place of the next puzzle they have not
    finished; empty if there is none. `shared`: whether there is a channel to share them in; `solved`: how many puzzles
    the day has, if all are solved, or else 0.
    """

    score: str
    following: str = ""
    shared: bool = False
    solved: int = 0


def whole_day(puzzles: int) -> Highlight:
    """Return the headline of a day of which all puzzles are solved."""
    picture = Picture(emblem("day"), "day.png", _("The bars of a window are bent, and a star shines: all solved."))
    return Highlight(_("✓ All {number} puzzles solved!", number=puzzles), picture)


@dataclass(frozen=True)
class PuzzlePages:
    """A puzzle as one user solves it; `played` are their answers so far. `until`: until when a first answer counts for
    the puzzle's day, None if it is too late.
    """

    ui: GameUI
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
            wanted = interpret(self.ui, self._view(state), self._info(state), control)
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
            return self.page(f"⚠ {self.ui.refusal(refusal, self._info(state))}")
        return CountedAnswer(wanted, self._judged((*self.played, wanted)))

    def verdict(self) -> Answer | None:
        """Return the result of the answers so far, None before the first."""
        return self._judged(self.played) if self.played else None

    # Pages

    def page(self, line: str = "", look: Page | None = None, day: DaySoFar | None = None) -> ShownPage:
        """Return the puzzle in its current position, with a line about the last action; its end with the user's `day`
        so far.
        """
        state, answer = self._state(self.played), self.verdict()
        if answer is not None:
            line = line or self.game.came_of(answer, self.puzzle.proof)
            if answer.verdict != "go-on":
                return self._end(line, state, day, solved=answer.verdict == "right")
        level = words.difficulty(self.puzzle.proof.difficulty)
        tries = words.one_try(self.until, begun=bool(self.played))
        title, asked = self._title("### "), self.game.asked(self.puzzle.position)
        if look is None:
            page = self._player_page(state, Text("\n".join((title, f"-# {level} · {tries}", asked))))
        else:
            head = Text(f"{title}\n{asked}")
            page = self._player_page(state, head, look)
            if height(page) > FITS:
                page = Page(tuple(Text(asked) if block == head else block for block in page.blocks), page.colour)
        if look is not None:
            body = page.blocks  # which has a way back already
        elif LOG in self.ui.public_actions:
            body = (*page.blocks, Row((Button(_("Log"), LOG), self._day)))
        else:
            body = with_more(page, self._day).blocks
        return self._shown(with_line(body, line), state)

    def _title(self, mark: str) -> str:
        title = _("{puzzle} · puzzle {number}", puzzle=_(self.game.title), number=self.puzzle.number)
        return f"{mark}{title}"

    def _end(self, line: str, state: Any, day: DaySoFar | None, *, solved: bool) -> ShownPage:
        """Return the end of a puzzle: a headline, the board, the score, and where to go next."""
        headline, kind, alt = _END[solved]
        highlight = Highlight(_(headline), Picture(emblem(kind), f"{kind}.png", _(alt)))
        if solved and day is not None and day.solved:
            highlight = whole_day(day.solved)
        said = "" if line == _(SOLVED) else line.removeprefix("✓ ").removeprefix("✗ ")
        title = self._title("-# ")
        solution = Button(_("Show the solution"), "puzzle", f"{self.place}.1", "secondary" if solved else "primary")
        ways: list[Button] = []
        back = self._day if not solved or (day is not None and day.following) else replace(self._day, style="primary")
        after = self._board_of(state) if self._kind.carried_out else ()  # else it is as it was before
        blocks: list[Block] = [highlight.above(said, title), *after]
        if day is not None:
            blocks.append(Text(f"-# {day.score}"))
            if day.following:
                style: Style = "primary" if solved else "secondary"
                ways.append(Button(_("Next puzzle ▶"), "puzzle", day.following, style))
            if day.shared:
                ways.append(Button(_("Share in channel"), "puzzle", f"share.{self.puzzle.number}", "success"))
        return self._shown((*blocks, *rows([*ways, solution, back], 2)), state)

    def solution(self, step: int) -> ShownPage:
        """Return the position after this many steps of the solution."""
        line = self.puzzle.proof.line
        step = max(1, min(step, len(line)))
        if not self._kind.carried_out:
            state, verdict = self._state(()), self.game.came_of(self._judged(line), self.puzzle.proof)
        else:
            state, verdict = self._state(line[:step]), ""
        ways = [Button(_("◀ Back"), "puzzle", self.place)]
        if step < len(line):
            ways.append(Button(_("Next step ▶"), "puzzle", f"{self.place}.{step + 1}", "primary"))
        heading = _("### The solution")
        if len(line) > 1:
            heading = _("### The solution, step {step} of {total}", step=step, total=len(line))
        why = self.game.because(self.puzzle, self._kind.game.view(state, None))
        said = "\n".join(filter(None, (heading, verdict, why)))
        return self._shown((Text(said), *self._board_of(state), Row(tuple(ways))), state)

    def board(self) -> Picture | None:
        """Return the public board of the puzzle before the first move."""
        return next(iter(self._board_of(self._state(()))), None)

    def _board_of(self, state: Any) -> tuple[Picture, ...]:
        """Return the public board, without anything that belongs to a move."""
        board = self.ui.picture(self._kind.game.view(state, None), self._info(state))
        return () if board is None else (board,)

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

    def _player_page(self, state: Any, head: Text, look: Page | None = None) -> Page:
        """Return the player page at a state under a `head`."""
        info = self._info(state)
        board = self.ui.picture(self._kind.game.view(state, None), info)
        page = seat_page(self.ui, self._view(state), info, board, look, head=head)
        if self.game.bare:
            first, told = next(page.pictures(), None), () if look is None else look.blocks
            kept = (
                one
                for one in page.blocks
                if one in (head, first) or isinstance(one, Row | Select) or (isinstance(one, Text) and one in told)
            )
            page = Page(tuple(kept), page.colour)
        return page.with_buttons(lambda button: self._is_useful(button, state))

    def _is_useful(self, button: Button, state: Any) -> bool:
        """Return whether a button is useful here: no action that answers nothing, no form whose text is not stored."""
        if button.verb == "hand":
            return True
        control = ComponentPress(0, self._view(state).ui_version, button.verb, button.argument)
        try:
            wanted = interpret(self.ui, self._view(state), self._info(state), control)
        except (StaleControl, UserError):
            return True
        return isinstance(wanted, (Page, *self._kind.answers))

    def _shown(self, blocks: Sequence[Block], state: Any) -> ShownPage:
        return ShownPage(Page(tuple(blocks), self.ui.colour), self._view(state).ui_version)
