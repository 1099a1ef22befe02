"""The pages of a lesson: a step on the player page, the result of a move, and the end.

They are built in a worker thread and never wait.
"""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext, interpret
from cogs.core.pages.page import Block, Button, Modal, Page, Row, Text, rows
from cogs.core.pages.player_page import seat_page, with_line, with_more
from cogs.core.tables.lobby import LEVEL_NAMES
from engine.contract import Action, Refusal, Seat
from engine.lessons import LEARNER, Course, Position
from engine.players import LEVELS

WRONG, WELL = "⚠", "✓"
"""The start of a line about a wrong move, and of one about the right move."""

SHOW, CONTINUE, HINTED = "lesson-show", "lesson-on", "lesson-hint"
"""The verbs of a lesson in addition to the game's own: show the move, continue, give a hint."""

NOT_KEPT = N_("That works in a game, but a lesson doesn't save it.")

EARLIER = N_("That button belongs to another step of the lesson. Here's where you are.")


@dataclass(frozen=True)
class ShownPage:
    """A page, the step of its controls, and their stamp. `finished`: it ends the lesson."""

    page: Page
    step: int
    stamp: int
    finished: bool = False


@dataclass(frozen=True)
class LessonPages:
    """The pages of one game's lesson for one learner."""

    screen: GameUI
    course: Course
    name: str

    # What is pressed

    def step(self, number: int, line: str = "", look: Page | None = None, done: str = "") -> ShownPage:
        """Return a step, with a line about what was pressed; or another page at this step. `done` is about the step
        before it.
        """
        step, position = self.course.lesson.steps[number], self.course.position(number)
        page = self._player_page(position, self._head(number, done, _(step.say)), look)
        if step.right:
            if self.course.lesson.lit:
                page = page.with_each_button(lambda button: self._highlighted(number, button))
            page = with_more(with_more(page, Button(_("Hint"), HINTED)), Button(_("Show me"), SHOW))
        else:
            page = with_more(page.without_controls(), _go_on())
        return self._shown(with_line(page.blocks, line), number, position)

    def pressed(self, number: int, control: ComponentPress) -> ShownPage | Modal:
        """Return the result of a press at a step."""
        match control.verb:
            case "hand":
                return self.step(number)
            case "lesson-on":
                return self.step(number + 1) if number + 1 < len(self.course) else self._end_page(number, "")
            case "lesson-hint" if self.course.lesson.steps[number].right:
                view, move = self._view(self.course.position(number)), self.course.shown(number)
                hint = self.screen.hint(view, self._info(), move, ())
                return self.step(number, _("**Hint:** {hint}", hint=hint))
            case "lesson-show" if self.course.lesson.steps[number].right:
                return self._after_move(number, self.course.shown(number))
        view, info = self._view(self.course.position(number)), self._info()
        try:
            wanted = interpret(self.screen, view, info, control)
        except StaleControl:
            return self.step(number, f"{WRONG} {_(EARLIER)}")
        except UserError as error:
            return self.step(number, f"{WRONG} {error.sentence}")
        if isinstance(wanted, Page):
            return self.step(number, look=wanted)
        return wanted if isinstance(wanted, Modal) else self._after_move(number, wanted)

    def _after_move(self, number: int, action: Action) -> ShownPage:
        try:
            self.course.tried(number, action)
            if not action.counts_as_move:
                return self.step(number, f"{WRONG} {_(NOT_KEPT)}")
            if not self.course.asked(number, action):
                return self.step(number, f"{WRONG} {_(self.course.remark(number, action))}")
            after = self.course.outcome(number, action)
        except Refusal as refusal:
            return self.step(number, f"{WRONG} {self.screen.refusal(refusal, self._info())}")
        line = f"{WELL} {_(self.course.lesson.steps[number].well)}"
        if self.course.goes_on(number, after):
            return self.step(number + 1, done=line)
        if number + 1 == len(self.course):
            return self._end_page(number, line, after)
        page = self._player_page(after, self._head(number, line)).without_controls()
        return self._shown(with_more(page, _go_on()).blocks, number, after)

    def _end_page(self, number: int, line: str, after: Position | None = None) -> ShownPage:
        key, position = self.course.game.key, after or self.course.position(number)
        title = _("### You know how to play {game}", game=self.course.game.title)
        level = _(LEVEL_NAMES[LEVELS[0]])
        doors = (
            Button(_("Practise vs the {level}", level=level), "practise", f"{key}.{LEVELS[0]}", "success"),
            Button(_("Rules"), "rules", key),
            Button(_("Learn another game"), "learn"),
        )
        head = _joined(title, line, _(self.course.lesson.ending))
        body = self._player_page(position, head).without_controls().blocks
        return dataclasses.replace(self._shown((*body, Row(doors)), number, position), finished=True)

    # Of what pages are made

    def _highlighted(self, number: int, button: Button) -> Button:
        """Return a button, highlighted only if it makes the move that the step asks for."""
        view = self.course.game.view(self.course.position(number).state, LEARNER)
        try:
            action = interpret(
                self.screen, view, self._info(), ComponentPress(0, view.ui_version, button.verb, button.argument)
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
        title = _(
            "### Learn {game} · {number} of {last}",
            game=self.course.game.title,
            number=number + 1,
            last=len(self.course),
        )
        return _joined(title, *words)

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
        board = self.screen.picture(public, info)
        page = seat_page(self.screen, self._view(position), info, board, look, head=head)
        if look is not None:
            return page
        return Page((head, *(block for block in page.blocks if not isinstance(block, Text))), page.colour)

    def _shown(self, blocks: Sequence[Block], number: int, position: Position) -> ShownPage:
        stamp = self.course.game.view(position.state, LEARNER).ui_version
        return ShownPage(Page(tuple(blocks), self.screen.colour), number, stamp)


def _go_on() -> Button:
    return Button(_("Go on ▶"), CONTINUE, style="primary")


def _joined(title: str, *words: str) -> Text:
    """Return a title with paragraphs below it."""
    return Text("\n".join((title, "\n\n".join(filter(None, words)))))


def menu(screens: Collection[GameUI], finished: Collection[str], colour: int) -> Page:
    """Return the page with all lessons; those that the reader has `finished` are ticked."""
    words = _(
        "### Learn by playing\nA guided game that only you can see. It takes a few minutes, introduces one idea at a "
        "time, and you make every move."
    )
    listed = "\n".join(_entry(screen, finished=screen.game.key in finished) for screen in screens)
    done = sum(screen.game.key in finished for screen in screens)
    blocks: list[Block] = [Text(words), Text(listed)]
    if done:
        blocks.append(
            Text(
                ngettext(
                    "-# You've finished {done} of {n} lesson.",
                    "-# You've finished {done} of {n} lessons.",
                    len(screens),
                    done=done,
                )
            )
        )
    buttons = [
        Button(f"{WELL} {screen.game.title}", "learn", screen.game.key, "success")
        if screen.game.key in finished
        else Button(screen.game.title, "learn", screen.game.key, "primary")
        for screen in screens
    ]
    return Page((*blocks, *rows([*buttons])), colour)


def _entry(screen: GameUI, *, finished: bool) -> str:
    title = f"**{screen.game.title}**"
    if finished:
        title = f"{title} · {_('✓ finished')}"
    return f"{title}\n-# {_(screen.tagline)}"
