"""The table of Break-Out in a review: the cards of both plays below it, and the meld that each goes to in a frame."""

from collections.abc import Sequence

from PIL import Image

from cogs.break_out import board_layout, picture, sprites
from cogs.break_out.words import face_name
from cogs.core.drawing import verdicts
from cogs.core.drawing.verdicts import VerdictRow
from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Picture
from engine.contract import Action
from engine.games.break_out import BreakOut, BreakOutView, Draw, Extend, Face, Give, Lay, Next, PlayDraw, in_order


def drawn(view: BreakOutView, played: Action, better: Action | None, info: TableContext) -> Picture | None:
    """Return the table with both plays."""
    names = info.distinct_names
    canvas, layout = verdicts.opened(picture.draw(view, names)), board_layout.lay_out(view)
    rows_of_melds = [layout.yard, *(cell.melds for cell in layout.cells)]
    boxes = {number: box for rows in rows_of_melds for number, box in rows.boxes()}
    targets = _target(played), _target(better)
    for meld, good in zip(targets, (better is None, True), strict=True):
        if meld is not None and meld in boxes:
            left, top, right, bottom = boxes[meld]
            inset = 8 if targets[0] == targets[1] and not good else 0
            box = (left + inset - 3, top + inset - 3, right - inset + 3, bottom - inset + 3)
            verdicts.frame(canvas, box, good=good, width=6)
            verdicts.mark(canvas, left + 4 if good else right - 4, top, 17, good=good)
    rows = verdicts.compared(_row, played, better)
    hand = VerdictRow(_cards(view.hand), label=_("Hand"))
    data = verdicts.finished(canvas, (hand, *rows), (layout.sky, canvas.height))
    return Picture(data, f"review-{info.id}-{view.ui_version}.png", picture.alt(view, names))


def _target(action: Action | None) -> int | None:
    """Return the meld on the table to which cards are added."""
    return action.meld if isinstance(action, Extend | BreakOut) else None


def _row(action: Action) -> VerdictRow:
    """Return a play as cards, with what is done with them."""
    cards: tuple[Face, ...] = ()
    match action:
        case Draw():
            words = _("take a card")
        case Next():
            words = _("say NEXT")
        case Give(face=face):
            cards, words = (face,), _("give away")
        case PlayDraw(face=face):
            cards, words = (face,), _("others draw")
        case Lay(cards=laid):
            cards, words = tuple(card.face for card in laid), _("new meld")
        case Extend(cards=laid, meld=meld):
            cards, words = (
                tuple(card.face for card in laid),
                _("add to {meld}", meld=" ".join(sprites.label_words(meld))),
            )
        case BreakOut(cards=laid):
            cards, words = tuple(card.face for card in laid), _("break out")
        case _:
            words = ""
    return VerdictRow(_cards(cards), words)


def _cards(cards: Sequence[Face]) -> tuple[Image.Image, ...]:
    return tuple(verdicts.piece(sprites.faces()[face_name(face)]) for face in in_order(cards))
