"""Texts at tables: random games, seen through their UIs, with every control pressed and hints requested."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from cogs.core.drawing.canvas import Canvas
from cogs.core.ops.errors import UserError
from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext, available_moves_text, interpret
from cogs.core.pages.page import (
    Block,
    BoardPlaceholder,
    Button,
    Link,
    Modal,
    Page,
    PersonSelect,
    Picture,
    Row,
    Select,
    Text,
)
from cogs.core.pages.player_page import seat_page, table_page, with_more
from cogs.core.tables.options import option_fields
from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Refusal, Seat
from engine.games import GAMES
from engine.players import Level, Steps
from engine.players.registry import BOTS
from engine.turns import Ready
from tools.harness.pages import seated
from tools.harness.playouts import Playout, play
from tools.words import NAMES, sentences

SEEDS = range(7)
"""Seeds of the games for the list."""

SHORT = range(1)
"""Seeds of the games that a test plays."""

STATES = 9
"""States per game, including the first and the last."""

DEEP = 3
"""The depth to which presses on a private page are followed."""

THOUGHTS = 40
"""Questions a player may ask its budget for a hint."""

PRESSES = 40
"""Most controls that are pressed per private page."""


def about(playout: Playout, over: bool) -> TableContext:
    """Return the context of this game's table."""
    due = None if over else Moment(1_900_000_000_000)
    return seated(playout.options, playout.seats, NAMES, due=due, seed="c" * 64 if over else None)


@contextmanager
def drawn(found: set[str]) -> Iterator[None]:
    """Collect every text drawn in pictures in this context."""
    text = Canvas.text

    def noting(self: Canvas, x: float, y: float, words: str, *rest: Any, **more: Any) -> None:
        found.update(sentences(words))
        text(self, x, y, words, *rest, **more)

    Canvas.text = noting  # type: ignore[method-assign]  # put back below
    try:
        yield
    finally:
        Canvas.text = text  # type: ignore[method-assign]


def of_block(block: Block) -> Iterator[str]:
    """Yield every text of a block."""
    match block:
        case Text(body, thumbnail):
            yield emoji_markup.strip(body)
            if thumbnail is not None:
                yield thumbnail.alt
        case Picture(alt=alt):
            yield alt
        case Row(buttons):
            yield from (button.label for button in buttons if isinstance(button, Button | Link))
        case Select(choices=choices, placeholder=placeholder):
            yield placeholder
            for choice in choices:
                yield choice.label
                yield choice.description or ""
        case PersonSelect(placeholder=placeholder):
            yield placeholder


def of_page(page: Page | Modal) -> Iterator[str]:
    """Yield every text of a page or a form."""
    if isinstance(page, Modal):
        yield page.title
        for entry in page.fields:
            yield from (entry.label, entry.placeholder)
        return
    for block in page.blocks:
        yield from of_block(block)


def pressed(page: Page, rng: random.Random) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the values that the controls of a page send; for a select one choice, and the maximum."""
    for block in page.blocks:
        match block:
            case Row(buttons):
                for button in buttons:
                    if isinstance(button, Button) and not button.disabled:
                        yield button.verb, button.argument, ()
            case Select(disabled=False):
                values = [choice.value for choice in block.choices]
                yield block.verb, block.argument, tuple(values[: max(1, block.least)])
                most = min(block.most, len(values))
                yield block.verb, block.argument, tuple(sorted(rng.sample(values, most), key=values.index))


class Looking:
    """Collects the texts of one game from random games."""

    def __init__(self, ui: GameUI) -> None:
        self.ui = ui
        self.found = set[str]()

    def hear(self, *words: str) -> None:
        """Collect texts."""
        for some in words:
            self.found.update(sentences(some))

    def games(self, seeds: range) -> None:
        """Look at games with these seeds and different numbers of seats."""
        game = GAMES[self.ui.game.key]
        for seed in seeds:
            playout = play(game, seed, seats=game.player_counts[seed % len(game.player_counts)])
            rng = random.Random(seed)
            states = playout.states
            picked = rng.sample(range(1, len(states) - 1), min(STATES - 2, len(states) - 2))
            for place in (0, *sorted(picked), len(states) - 1):
                self.state(playout, states[place], place == len(states) - 1, rng)

    def state(self, playout: Playout, state: Any, over: bool, rng: random.Random) -> None:
        """Look at one state: the table page, every seat's page, advice, text view, and refusals."""
        ui, info = self.ui, about(playout, over)
        public = ui.game.view(state, None)
        board = ui.picture(public, info)
        self.hear(*of_page(table_page(ui, public, info, board)), ui.text(public, info))
        for seat in map(Seat, range(playout.seats)):
            view = ui.game.view(state, seat)
            legal = list(ui.game.legal(state, seat))
            self.hear(ui.text(view, info), available_moves_text(ui, view, info, legal))
            self.hear(*(ui.receipt(action, partial(ui.game.view, state, seat)) or "" for action in legal[:40]))
            self.hint(view, legal, info)
            page = with_more(seat_page(ui, view, info, board))
            self.hear(*of_page(page))
            self.press(view, info, page, board, rng)
            for step in rng.sample(playout.steps, min(6, len(playout.steps))):
                self.ask(state, seat, step.action, info)

    def hint(self, view: Any, legal: Sequence[Action], info: TableContext) -> None:
        """Collect a strong player's hint with its reasons."""
        key, ui = self.ui.game.key, self.ui
        player, explain = BOTS[key].levels[Level.MASTER], BOTS[key].explain
        assert explain is not None
        intent = player(view, legal, Steps(THOUGHTS), random.Random(1)) if legal else None
        if intent is not None and not isinstance(intent.action, Ready):
            reasons = explain(view, intent.action, legal, Steps(THOUGHTS), random.Random(1))
            self.hear(emoji_markup.strip("\n".join(ui.hint(view, info, intent.action, reasons))))

    def ask(self, state: Any, seat: Seat, action: Any, info: TableContext) -> None:
        """Collect the refusal of an action, if it is refused."""
        try:
            self.ui.game.decide(state, seat, action, Moment(1), Chance(bytes(SEED_BYTES), "t", 0))
        except Refusal as refusal:
            self.hear(self.ui.refusal(refusal, info))

    def press(self, view: Any, info: TableContext, page: Page, board: Picture | None, rng: random.Random) -> None:
        """Press every control of a private page, and those of the pages it leads to."""
        known = set[tuple[str, str, tuple[str, ...]]]()
        pages = [page]
        for _ in range(DEEP):
            after = list[Page]()
            for found in pages:
                for control in pressed(found, rng):
                    if control in known or len(known) >= PRESSES:
                        continue
                    known.add(control)
                    after += self.one(view, info, control, board)
            pages = after

    def one(
        self, view: Any, info: TableContext, control: tuple[str, str, tuple[str, ...]], board: Picture | None
    ) -> Iterator[Page]:
        """Press one control, and yield the page it leads to."""
        verb, argument, values = control
        try:
            press = ComponentPress(info.id, view.ui_version, verb, argument, values)
            shown = interpret(self.ui, view, info, press)
        except UserError as told:
            self.hear(told.sentence)
            return
        if isinstance(shown, Page | Modal):
            self.hear(*of_page(shown))
        else:
            self.hear(self.ui.receipt(shown, lambda: view) or "")
        if isinstance(shown, Page):
            yield shown.with_board(board) if BoardPlaceholder() in shown.blocks else shown


def at_tables(ui: GameUI, seeds: range) -> set[str]:
    """Return the texts at tables of a game: rules, options, and what random games show."""
    looking = Looking(ui)
    with drawn(looking.found):
        for page in ui.rules():
            looking.hear(*of_page(page))
        looking.hear(ui.tagline, ui.game.title)
        for entry in option_fields(ui.game.options):
            looking.hear(entry.title, entry.description, *(entry.value_text(value) for value in entry.values))
        looking.games(seeds)
    return looking.found
