"""The pages on which a player of a game answers a question: in whole games, in its lesson and in its puzzles."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogs.core.app.game_package import GamePackage
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext, interpret
from cogs.core.pages.page import Button, Modal, Page, Row, Select
from cogs.core.pages.player_page import back_row, seat_page, with_more
from cogs.core.publishing.components_v2 import Component, Layout
from cogs.core.publishing.hint_page import hint_button
from cogs.learn.pages import CONTINUE, DO, HINTED, SHOW, LessonPages
from cogs.puzzles.pages import PuzzlePages
from data.lessons import load_lesson
from data.puzzles import load_puzzles
from engine.contract import Moment, Seat
from tools.harness.pages import seated
from tools.harness.playouts import Playout, material, play

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
DUE = Moment(1_900_000_000_000)
ELSEWHERE = frozenset({"hand", "more"})
"""Verbs of the bot that lead away from the question."""

WALKS, DEEPEST = 3, 8
"""The number of random presses on a page's controls, and how many follow each other."""

PUZZLES = 3


@dataclass(frozen=True)
class State:
    """A message that a player sees, as Discord's components, with its files by address and the name for reports.

    `asks_above`: the question is above the board, so its beginning must be visible.
    """

    name: str
    components: Sequence[Component]
    files: Mapping[str, bytes] = field(repr=False)
    asks_above: bool = False

    @classmethod
    def of(cls, name: str, page: Page, *, asks_above: bool = False) -> "State":
        """Return the state of a page."""
        layout = Layout(page, 1, 1)
        files = {f"attachment://{picture.name}": picture.data for picture in layout.pictures}
        return cls(name, layout.to_components(), files, asks_above)


def player_states(package: GamePackage, seeds: Sequence[int], most: int) -> Iterator[State]:
    """Yield the pages of the seats to act in random games, `most` of each game's moments, and the pages that their
    controls open.
    """
    ui = package.ui()
    for seed in seeds:
        playout = play(ui.game, seed, lapses=0.0)
        states = playout.running
        every = max(1, len(states) // most)
        for number in range(seed % every, len(states), every):
            for seat in map(Seat, range(playout.seats)):
                if ui.game.legal(states[number], seat):
                    walker = random.Random(f"{seed}/{number}/{seat}")
                    yield from _seat_states(ui, playout, states[number], seat, walker, f"game{seed}-{number}-{seat}")


def _seat_states(
    ui: GameUI, playout: Playout, state: Any, seat: Seat, walker: random.Random, name: str
) -> Iterator[State]:
    """Yield a seat's page, and the pages that its controls open."""
    view, info = ui.game.view(state, seat), seated(playout.options, playout.seats, NAMES, due=DUE)
    board = ui.picture(ui.game.view(state, None), info)
    first = seat_page(ui, view, info, board)
    first = with_more(with_more(first, hint_button()) if ui.hint_at_hand(view, info) else first)
    yield State.of(name, first)
    seen = {first.digest()}
    for _ in range(WALKS):
        page, path = first, []
        for _ in range(DEEPEST):
            control = _some_control(ui, view, page, walker)
            if control is None:
                break
            path.append(f"{control.verb}.{control.argument}".strip("."))
            opened = _opened(ui, view, info, control)
            if opened is None:
                break
            page = seat_page(ui, view, info, board, opened, back_row())
            if page.digest() not in seen:
                seen.add(page.digest())
                yield State.of(f"{name}-{'-'.join(path)}", page)


def _some_control(ui: GameUI, view: Any, page: Page, walker: random.Random) -> ComponentPress | None:
    """Return a press on one of the page's controls for the question."""
    found: list[Button | Select] = []
    for block in page.blocks:
        if isinstance(block, Row):
            found += [one for one in block.buttons if isinstance(one, Button) and not one.disabled]
        elif isinstance(block, Select) and not block.disabled:
            found.append(block)
    found = [one for one in found if one.verb not in ELSEWHERE | ui.public_actions]
    if not found:
        return None
    one = walker.choice(found)
    if isinstance(one, Button):
        return ComponentPress(7, view.ui_version, one.verb, one.argument)
    values = [choice.value for choice in one.choices]
    count = walker.randint(max(1, one.least), min(one.most, len(values)))
    return ComponentPress(7, view.ui_version, one.verb, one.argument, tuple(walker.sample(values, count)))


def _opened(ui: GameUI, view: Any, info: TableContext, control: ComponentPress) -> Page | None:
    """Return the page that a control opens; None if it acts or opens a form."""
    try:
        wanted = interpret(ui, view, info, control)
    except (StaleControl, UserError):
        return None
    return wanted if isinstance(wanted, Page) else None


def lesson_states(package: GamePackage) -> Iterator[State]:
    """Yield each step of a game's lesson: its explanation, its question, with a hint, and after the right move."""
    course = load_lesson(package.game, material(package.game))
    if course is None:
        return
    pages = LessonPages(package.ui(), course, "Ann")
    for number, step in enumerate(course.lesson.steps):
        yield State.of(f"lesson-{number + 1}", pages.step(number).page, asks_above=True)
        last = number + 1 == len(course)
        for verb in (*((DO, HINTED, SHOW) if step.right else ()), *((CONTINUE,) if last else ())):
            shown = pages.pressed(number, ComponentPress(0, 0, verb))
            if not isinstance(shown, Modal):
                yield State.of(f"lesson-{number + 1}-{verb}", shown.page, asks_above=True)


def puzzle_states(package: GamePackage) -> Iterator[State]:
    """Yield some of a game's puzzles, before and after their answers, and their solutions."""
    pack = load_puzzles().get(package.game.key)
    if package.puzzle is None or pack is None:
        return
    shipped, ui = material(package.game), package.ui()
    for number in range(1, 1 + PUZZLES):
        puzzle = pack.numbered(number)
        for answers in range(1 + len(puzzle.proof.line)):
            pages = PuzzlePages(ui, package.puzzle, shipped, puzzle, "Ann", puzzle.proof.line[:answers])
            yield State.of(f"puzzle-{number}-{answers}", pages.page().page, asks_above=True)
        for step in range(1, 1 + len(puzzle.proof.line)):
            yield State.of(f"puzzle-{number}-solution-{step}", pages.solution(step).page, asks_above=True)
