"""The pages of a lesson: a step on the player page, the result of a move, and the end.

They are built in a worker thread and never wait.
"""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from cogs.core.drawing.emblems import emblem
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.game_ui import GameUI, Highlight, SeatedPlayer, TableContext, interpret
from cogs.core.pages.page import Block, Button, Modal, Page, Picture, Row, Text, rows
from cogs.core.pages.phone_height import FITS, height
from cogs.core.pages.player_page import seat_page, with_line, with_more
from engine.contract import Action, Refusal, Seat
from engine.lessons import LEARNER, Course, Position
from engine.players import LEVELS

WRONG, WELL = "⚠", "✓"
"""The start of a line about a wrong move, and of one about the right move."""

SHOW, CONTINUE, DO, HINTED = "lesson-show", "lesson-on", "lesson-do", "lesson-hint"
"""The verbs of a lesson in addition to the game's own: show the move, continue, go from what was read to the controls,
give a hint.
"""

SHORT = 16
"""The letters of a row of buttons beside which those that help fit on a phone."""

NOT_KEPT = N_("That works in a game, but a lesson doesn't save it.")

EARLIER = N_("That button belongs to another step of the lesson. Here's where you are.")


@dataclass(frozen=True)
class ShownPage:
    """A page, the step of its controls, and their stamp. `finished`: the last step is done."""

    page: Page
    step: int
    stamp: int
    finished: bool = False


@dataclass(frozen=True)
class LessonPages:
    """The pages of one game's lesson for one learner. `on_server`: whether games with others can be played there."""

    ui: GameUI
    course: Course
    name: str
    on_server: bool = False

    # What is pressed

    def step(self, number: int, line: str = "", *, read: bool = False) -> ShownPage:
        """Return a step, with a line about the previous move. What it explains comes on a page before the controls,
        unless it has been `read` or a phone shows all of it with them.
        """
        step, position = self.course.lesson.steps[number], self.course.position(number)
        *said, task = _(step.say).split("\n")
        if not step.right:
            return self._told(number, position, (line, *said, task))
        small = f"-# {line}" if line and said else line  # it makes way for what comes next
        whole = self._asked(number, (task,) if read else (small, *said, task))
        if not read and said and height(whole) > FITS:
            return self._told(number, position, (small, *said), DO)
        return self._shown(Page(with_line(whole.blocks, line if read else "")), number, position)

    def _again(self, number: int, line: str) -> ShownPage:
        """Return the task of a step, with a line about a move that did not do it."""
        return self.step(number, line, read=True)

    def _look(self, number: int, look: Page) -> ShownPage:
        """Return another page at a step, with the task if a phone shows it too."""
        position = self.course.position(number)
        task = _(self.course.lesson.steps[number].say).split("\n")[-1]
        page = self._player_page(position, self._head(number, task), look)
        if height(page) > FITS:
            page = self._player_page(position, self._head(number), look)
        return self._shown(page, number, position)

    def _asked(self, number: int, words: Sequence[str]) -> Page:
        """Return these words above the board and the controls of a step."""
        step = self.course.lesson.steps[number]
        page = self._player_page(self.course.position(number), self._head(number, *words))
        if step.controls:
            page = page.with_controls(lambda verb: verb in step.controls)
        if self.course.lesson.lit:
            page = page.with_each_button(lambda button: self._highlighted(number, button))
        return _with_help(page)

    def _told(self, number: int, position: Position, words: Sequence[str], verb: str = CONTINUE) -> ShownPage:
        """Return what is only read at a step, with the button that leads on; if it would not fit a phone, without what
        only the learner sees.
        """
        page = self._player_page(position, self._head(number, *words)).without_controls()
        if height(with_more(page, _go_on(verb))) > FITS:
            head, board, *_others = page.blocks
            page = Page((head, board), page.colour)
        return self._shown(with_more(page, _go_on(verb)), number, position)

    def pressed(self, number: int, control: ComponentPress) -> ShownPage | Modal:
        """Return the result of a press at a step."""
        match control.verb:
            case "hand":
                return self.step(number, read=True)
            case "lesson-on":
                return self.step(number + 1) if number + 1 < len(self.course) else self._end_page(number)
            case "lesson-do":
                return self.step(number, read=True)
            case "lesson-hint" if self.course.lesson.steps[number].right:
                view, move = self._view(self.course.position(number)), self.course.shown(number)
                hint = "\n".join(self.ui.hint(view, self._info(), move, ()))
                return self._again(number, _("**Hint:** {hint}", hint=hint))
            case "lesson-show" if self.course.lesson.steps[number].right:
                return self._after_move(number, self.course.shown(number))
        view, info = self._view(self.course.position(number)), self._info()
        try:
            wanted = interpret(self.ui, view, info, control)
        except StaleControl:
            return self._again(number, f"{WRONG} {_(EARLIER)}")
        except UserError as error:
            return self._again(number, f"{WRONG} {error.sentence}")
        if isinstance(wanted, Page):
            return self._look(number, wanted)
        return wanted if isinstance(wanted, Modal) else self._after_move(number, wanted)

    def _after_move(self, number: int, action: Action) -> ShownPage:
        try:
            self.course.tried(number, action)
            if not action.counts_as_move:
                return self._again(number, f"{WRONG} {_(NOT_KEPT)}")
            if not self.course.asked(number, action):
                return self._again(number, f"{WRONG} {_(self.course.remark(number, action))}")
            after = self.course.outcome(number, action)
        except Refusal as refusal:
            return self._again(number, f"{WRONG} {self.ui.refusal(refusal, self._info())}")
        line = f"{WELL} {_(self.course.lesson.steps[number].well)}"
        if self.course.goes_on(number, after):
            return self.step(number + 1, line)
        told = self._told(number, after, (line,))
        return dataclasses.replace(told, finished=number + 1 == len(self.course))

    def _end_page(self, number: int) -> ShownPage:
        key, position = self.course.game.key, self.course.position(number)
        picture = Picture(
            emblem("learned"), "learned.png", _("A rope hangs out of a window with bent bars, in the moonlight.")
        )
        known = _("You know how to play {game}.", game=f"**{game_title(self.course.game)}**")
        head = Highlight(_("✓ Lesson finished!"), picture).above(known)
        practice = _("Practise in DMs") if self.on_server else _("Practice game")
        ways = [Button(practice, "practise", f"{key}.{LEVELS[0]}", "primary")]
        if self.on_server:
            ways.append(Button(_("Rated game here"), "play-computer", f"{key}.{LEVELS[0]}", "success"))
        more = Button(_("Rules"), "rules", key), Button(_("Solve a puzzle"), "puzzle"), Button(_("Lessons"), "learn")
        ending = Text(_(self.course.lesson.ending))
        return self._shown(Page((head, ending, Row(tuple(ways)), Row(more))), number, position)

    # Of what pages are made

    def _highlighted(self, number: int, button: Button) -> Button:
        """Return a button, highlighted only if it makes the move that the step asks for."""
        view = self.course.game.view(self.course.position(number).state, LEARNER)
        try:
            action = interpret(
                self.ui, view, self._info(), ComponentPress(0, view.ui_version, button.verb, button.argument)
            )
            if isinstance(action, Page | Modal):
                return button
            asked = self.course.asked(number, action)
        except (StaleControl, UserError, Refusal):
            return button
        if not asked:
            return replace(button, style="secondary")
        return replace(button, style="primary") if button.style == "secondary" else button

    def _head(self, number: int, *words: str) -> Text:
        """Return what is above the picture: which step it is, and what it says."""
        title = _("### Lesson · {number} of {last}", number=number + 1, last=len(self.course))
        return Text("\n".join(filter(None, (title, *words))))

    def _view(self, position: Position, seat: Seat = LEARNER) -> object:
        return self.course.game.view(position.state, seat)

    def _info(self) -> TableContext:
        others = (
            SeatedPlayer(Seat(seat), name, None, LEVELS[0]) for seat, name in enumerate(self.course.lesson.others, 1)
        )
        return TableContext(0, (SeatedPlayer(LEARNER, self.name, 0), *others), self.course.options, still=True)

    def _player_page(self, position: Position, head: Text, look: Page | None = None) -> Page:
        """Return the game's page without its own texts, for which a phone has no space beside those of a lesson."""
        info, public = self._info(), self.course.game.view(position.state, None)
        board = self.ui.picture(public, info)
        page = seat_page(self.ui, self._view(position), info, board, look, head=head)
        if look is not None:
            return page
        return Page((head, *(block for block in page.blocks if not isinstance(block, Text))), page.colour)

    def _shown(self, page: Page, number: int, position: Position) -> ShownPage:
        stamp = self.course.game.view(position.state, LEARNER).ui_version
        return ShownPage(Page(page.blocks, self.ui.colour), number, stamp)


def _go_on(verb: str) -> Button:
    return Button(_("Go on ▶"), verb, style="primary")


def _with_help(page: Page) -> Page:
    """Return a page with the buttons that help: in its last row, if that is a short one."""
    helps, last = (Button(_("Hint"), HINTED), Button(_("Show me"), SHOW)), page.blocks[-1]
    if isinstance(last, Row) and len(last.buttons) < 3 and sum(len(button.label) for button in last.buttons) <= SHORT:
        return Page((*page.blocks[:-1], Row((*last.buttons, *helps))), page.colour)
    return Page((*page.blocks, Row(helps)), page.colour)


def menu(uis: Collection[GameUI], finished: Collection[str]) -> Page:
    """Return the page with all lessons; those that the reader has `finished` are ticked."""
    words = _(
        "### Learn by playing\nA guided game that only you can see. It takes a few minutes, introduces one idea at a "
        "time, and you make every move."
    )
    listed = "\n".join(_entry(ui, finished=ui.game.key in finished) for ui in uis)
    done = sum(ui.game.key in finished for ui in uis)
    blocks: list[Block] = [Text(words), Text(listed)]
    if done:
        blocks.append(
            Text(
                ngettext(
                    "-# You've finished {done} of {n} lesson.",
                    "-# You've finished {done} of {n} lessons.",
                    len(uis),
                    done=done,
                )
            )
        )
    buttons = [
        Button(f"{WELL} {ui.title}", "learn", ui.game.key, "success")
        if ui.game.key in finished
        else Button(ui.title, "learn", ui.game.key, "primary")
        for ui in uis
    ]
    return Page((*blocks, *rows([*buttons])), EDGE)


def _entry(ui: GameUI, *, finished: bool) -> str:
    title = f"**{ui.title}**"
    if finished:
        title = f"{title} · {_('✓ finished')}"
    return f"{title}\n-# {_(ui.tagline)}"
