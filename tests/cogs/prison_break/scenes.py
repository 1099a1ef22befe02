"""Random moments of Prison Break as its UI gets them, and everything that a reader would see of one."""

import random
from collections.abc import Iterator, Sequence

from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress, custom_id
from cogs.core.pages.game_ui import TableContext, available_moves_text
from cogs.core.pages.page import Button, Modal, Page, Picture, Row, Select, Text
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing import components_v2
from cogs.prison_break.ui import PrisonBreakUI
from engine.contract import Moment, Refusal, Seat
from engine.games.prison_break import GAME, PrisonBreakView, State
from tools.harness.pages import seated
from tools.harness.playouts import play

UI = PrisonBreakUI()
NAMES = ("Ann", "_Ben_*", "Cleo", "x" * 32)
"""Names with markup, and of the greatest length that Discord allows."""


def info(seats: int, names: Sequence[str] = NAMES) -> TableContext:
    """Return what the UI knows of the table."""
    return seated(GAME.options(), seats, names, due=Moment(1_700_000_000_000))


def moments(seed: int, most: int) -> list[State]:
    """Return some states of a random game, its first and last among them."""
    playout = play(GAME, seed)
    picked = random.Random(seed).sample(playout.running, min(most, len(playout.running)))
    return [playout.start, *picked, playout.states[-1]]


def readers(state: State) -> list[Seat | None]:
    """Return the public and every seat."""
    return [None, *map(Seat, range(len(state.prisoners)))]


def controls(view: PrisonBreakView) -> list[ComponentPress]:
    """Everything that a reader can press or send, sound or not."""
    stamp = view.ui_version
    asked = [
        ("sneak", "1.2", ()),
        ("offer", "", ()),
        ("offer", "0", ()),
        ("offer", "1", ()),
        ("offer-make", "0.01", ()),
        ("decline", "", ()),
        ("vote", "accept", ()),
        ("guard", "", ("5",)),
        ("pass", "", ()),
        ("note", "", ()),
        ("markers", "", ()),
        ("marker-set", "1", ("3", "4")),
        ("marker-set", "x", ("3",)),
        ("log", "", ()),
        ("log", "0", ()),
        ("no-such-thing", "", ()),
    ]
    return [ComponentPress(7, stamp, verb, argument, values) for verb, argument, values in asked]


def pressed(view: PrisonBreakView, about: TableContext) -> Iterator[object]:
    """Return the result of each control: an action, a page, a form, or a sentence."""
    for control in controls(view):
        try:
            yield UI.press(view, about, control)
        except UserError as told:
            yield told.sentence


def pages(state: State, reader: Seat | None) -> Iterator[Page]:
    """Yield every page that this reader may be shown at this moment."""
    view, about = GAME.view(state, reader), info(len(state.prisoners))
    if reader is None:
        yield table_page(UI, view, about)
        return
    private = seat_page(UI, view, about)
    assert private is not None
    yield private
    yield Page((Text(available_moves_text(UI, view, about, list(GAME.legal(state, reader)))),))
    for outcome in pressed(view, about):
        if isinstance(outcome, Page):
            yield outcome.with_board(UI.picture(view, about))


def everything(state: State, reader: Seat | None) -> bytes:
    """Return everything that this reader would see: pages with pictures and texts, and the results of their presses."""
    view, about = GAME.view(state, reader), info(len(state.prisoners))
    shown: list[object] = [UI.text(view, about)]
    for page in pages(state, reader):
        shown += [page, *(picture.data for picture in page.pictures())]
    if reader is not None:
        shown += list(pressed(view, about))
    return repr(shown).encode()


def sizes(page: Page) -> tuple[int, int]:
    """Return a page's number of components, and of characters."""
    components, letters = 1, 0
    for block in page.blocks:
        components += 1 + (len(block.buttons) if isinstance(block, Row) else 1 if isinstance(block, Select) else 0)
        if isinstance(block, Text):
            letters += len(block.body)
    return components, letters


def check_sendable(page: Page, spare: int) -> None:
    """Check Discord's limits, with space for the `spare` components that the core adds."""
    components, letters = sizes(page)
    assert components + spare <= 40
    assert letters <= 3_700
    names = []
    for block in page.blocks:
        match block:
            case Row():
                assert 1 <= len(block.buttons) <= 5
                for button in block.buttons:
                    assert isinstance(button, Button)
                    assert len(button.label) <= 34  # what a phone shows
                    names.append(custom_id(10**9, 10**6, button.verb, button.argument))
            case Select():
                assert (block.verb != "marker-set") <= block.least <= block.most <= len(block.choices) <= 25
                assert len({choice.value for choice in block.choices}) == len(block.choices)
                names.append(custom_id(10**9, 10**6, block.verb, block.argument))
            case Picture():
                assert 0 < len(block.alt) <= 1_024
            case _:
                pass
    assert len(set(names)) == len(names)
    components_v2.Layout(page, 10**9, 10**6)


def check_form(form: Modal) -> None:
    """Check Discord's limits of a form."""
    assert len(form.title) <= 45
    for field in form.fields:
        assert len(field.value) <= field.limit <= 4_000 and len(field.label) <= 45
    components_v2.modal(form, 10**9, 10**6)


def refusal(code: str, **facts: int | str) -> str:
    """Return the sentence for a refusal at a table of three."""
    return UI.refusal(Refusal(code, **facts), info(3))
