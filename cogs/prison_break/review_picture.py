"""Prison Break in a review: where a player went or looked, or what they offered, beside the better choice."""

from functools import partial

from PIL import Image

from cogs.core.drawing import verdicts
from cogs.core.drawing.canvas import Canvas, scaled_size
from cogs.core.drawing.theme import CHALK, SEAT_MARKS, SLATE, WIDTH
from cogs.core.drawing.verdicts import VerdictRow
from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Picture
from cogs.prison_break import alt_text, picture, track_picture
from cogs.prison_break.corridor import BUBBLE, PLATE, ROW, cell_edges
from cogs.prison_break.offer_cards import draw_vote
from cogs.prison_break.tower import SKY
from cogs.prison_break.words import claim, offer_name, place
from engine.contract import Action
from engine.games.prison_break import JAIL, Guard, Offer, Position, PrisonBreakView, Sneak, Vote

Box = tuple[float, float, float, float]


def drawn(view: PrisonBreakView, played: Action, better: Action | None, info: TableContext) -> Picture | None:
    """Return the player's own track, or the table with its offers, with both choices."""
    names = info.distinct_names
    tracks = any(isinstance(one, Sneak | Guard) for one in (played, better))
    if tracks:
        canvas, alt = verdicts.opened(track_picture.draw(view, names)), track_picture.alt(view, names)
    else:
        canvas, alt = verdicts.opened(picture.draw(view, names)), alt_text.alt(view, names)
    marks = [(box, good) for one, good in ((played, better is None), (better, True)) for box in _boxes(view, one)[:1]]
    for one, good in ((played, better is None), (better, True)):
        for box in _boxes(view, one):
            verdicts.frame(canvas, box, good=good, width=6)
    for (left, top, right, _bottom), good in marks:
        verdicts.mark(canvas, left + 4 if good else right - 4, top + 6, 17, good=good)
    if tracks:
        _without_you(canvas, view)
    rows = verdicts.compared(partial(_row, view), played, better)
    data = verdicts.finished(canvas, rows, (track_picture.HEAD if tracks else SKY, canvas.height))
    return Picture(data, f"review-{info.id}-{view.ui_version}.png", alt)


def _without_you(canvas: Canvas, view: PrisonBreakView) -> None:
    """Draw the seat's mark over what addresses the player: others may read the review too."""
    assert view.seat is not None
    top = track_picture.row_tops(view)[0]
    bottom = top + track_picture.OWN - 8
    canvas.box(8, top, 8 + PLATE, bottom, SLATE, 10)
    canvas.mark(SEAT_MARKS[view.seat], 8 + PLATE / 2, (top + bottom) / 2, 32, letter=False)
    canvas.box(WIDTH - 6 - BUBBLE, top, WIDTH - 8, bottom, SLATE, 10)
    words = place(view.positions[view.seat] or JAIL, view.spaces)
    canvas.text(WIDTH - 7 - BUBBLE / 2, (top + bottom) / 2, words, scaled_size(words, 40, BUBBLE - 12), CHALK)


def _boxes(view: PrisonBreakView, action: Action | None) -> list[Box]:
    """Return the areas that an action concerns."""
    assert view.seat is not None
    end = view.spaces + 1
    own_top, tops = track_picture.row_tops(view)
    match action:
        case Sneak(declare=said, move=gone):
            real = min((view.positions[view.seat] or JAIL) + gone, end)
            led = min(claim(view, view.seat) + said, end)
            return [_cell(view, real, own_top, track_picture.OWN), _cell(view, led, tops[view.seat], ROW)]
        case Guard(space=space):
            return [_cell(view, space, top, ROW) for seat, top in enumerate(tops) if seat != view.seat]
        case Offer(card=card):
            return [picture.card_box(view, card)]
        case _:
            return []


def _cell(view: PrisonBreakView, position: Position, top: int, height: int) -> Box:
    left, right = cell_edges(position, view.spaces)
    return left + 3, top + 5, right - 3, top + height - 32


def _row(view: PrisonBreakView, action: Action) -> VerdictRow:
    """Return an action in words, with the players or the vote that it concerns."""
    match action:
        case Sneak(declare=said, move=gone):
            return VerdictRow((), _("say {said}, go {gone}", said=said, gone=gone))
        case Guard(space=space):
            return VerdictRow((), _("guards to {space}", space=space))
        case Offer(card=card, first=first, second=second):
            return VerdictRow((_seat(first), _seat(second)), offer_name(view.row[card].kind))
        case Vote(accept=accept):
            return VerdictRow((_vote(accept=accept),), _("accept") if accept else _("reject"))
        case _ if view.phase == "offer":
            return VerdictRow((), _("make no offer"))
        case _:
            return VerdictRow((), _("keep the token"))


def _seat(seat: int) -> Image.Image:
    canvas = Canvas(64, 64, SLATE)
    canvas.mark(SEAT_MARKS[seat], 32, 32, 26, letter=False)
    return canvas.picture()


def _vote(*, accept: bool) -> Image.Image:
    canvas = Canvas(64, 64, SLATE)
    draw_vote(canvas, 32, 32, accept, 26)
    return canvas.picture()
