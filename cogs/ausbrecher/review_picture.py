"""The race in a review: whom the dice or the move concerned, and whom the better choice concerns."""

from cogs.ausbrecher import emoji, picture
from cogs.ausbrecher.scenery import BOX, HEAD, SPACE, boat_at, cell_at, harbour, space_at
from cogs.ausbrecher.words import face_name
from cogs.core.drawing import verdicts
from cogs.core.drawing.canvas import Canvas, Point
from cogs.core.drawing.verdicts import VerdictRow
from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Picture
from engine.contract import Action
from engine.games.ausbrecher import AusbrecherView, Replace, Resolve, Roll


def drawn(view: AusbrecherView, played: Action, better: Action | None, info: TableContext) -> Picture | None:
    """Return the race with both choices."""
    names = info.distinct_names
    canvas = verdicts.opened(picture.draw(view, names))
    own, best = _prisoners(played), () if better is None else _prisoners(better)
    for colours, good in ((own, better is None), (best, True)):
        for colour in colours:
            _marked(canvas, view, colour, good=good)
    rows = verdicts.compared(_row, played, better)
    data = verdicts.finished(canvas, rows, (HEAD - 4, canvas.height))
    return Picture(data, f"review-{info.id}-{view.ui_version}.png", picture.alt(view, names))


def _prisoners(action: Action) -> tuple[str, ...]:
    """Return whom a choice concerns."""
    match action:
        case Roll(colours=colours, second=second):
            return (*colours, *((second,) if second is not None else ()))
        case Replace(colour=colour) | Resolve(colour=colour):
            return (colour,)
        case _:
            return ()


def _marked(canvas: Canvas, view: AusbrecherView, colour: str, *, good: bool) -> None:
    """Draw the sign of a choice beside a prisoner: of a good one on the left, of another on the right."""
    aside = -1 if good else 1
    x, y = _middle(view, colour)
    verdicts.mark(canvas, x + 36 * aside, y, 17, good=good)


def _middle(view: AusbrecherView, colour: str) -> Point:
    """Return where a prisoner is."""
    for one in view.race.cells:
        if one == colour:
            x, y = cell_at(one)
            return x + 51, y + 84
    for number, crew in enumerate(view.race.spaces, start=1):
        if colour in crew:
            x, y = space_at(number)
            return x + BOX / 2 + 8, y + SPACE / 2
    boat = next(number for number, crew in enumerate(view.race.boats, start=1) if colour in crew)
    x, y = boat_at(boat, harbour(view.length))
    return x + 94, y + 60


def _row(action: Action) -> VerdictRow:
    """Return a choice as dice, with what is done with them."""
    match action:
        case Roll(colours=colours, white=white):
            dice = [*map(_die, colours), *([emoji.faces()[face_name(None)]] if white else [])]
            words = _("roll") if dice else _("roll nothing")
        case Replace(colour=colour):
            dice, words = [emoji.faces()[face_name(None)], _die(colour)], _("replaced by white")
        case Resolve(colour=colour):
            dice, words = [_die(colour)], _("moves first")
        case _:
            dice, words = [], ""
    return VerdictRow(tuple(map(verdicts.piece, dice)), words)


def _die(colour: str) -> bytes:
    return emoji.faces()[f"die_{colour}"]
