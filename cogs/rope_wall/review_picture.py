"""The wall in a review: the push that was made and the better one, each marked at its opening."""

from cogs.core.drawing import verdicts
from cogs.core.drawing.canvas import Canvas
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Picture
from cogs.rope_wall import picture, sprites
from cogs.rope_wall.scenery import Grid
from cogs.rope_wall.words import alt
from engine.contract import Action
from engine.games.rope_wall import Opening, Push, RopeWallView


def drawn(view: RopeWallView, played: Action, better: Action | None, info: TableContext) -> Picture | None:
    """Return the wall with both pushes."""
    names = info.distinct_names
    canvas = verdicts.opened(picture.draw(view, names))
    grid = sprites.background((view.floors, view.columns))[1]
    for push, good in ((played, better is None), (better, True)):
        if isinstance(push, Push):
            _marked(canvas, grid, Opening(push.floor, push.side), good=good)
    return Picture(verdicts.finished(canvas), f"review-{info.id}-{view.ui_version}.png", alt(view, names))


def _marked(canvas: Canvas, grid: Grid, opening: Opening, *, good: bool) -> None:
    """Draw a frame around an opening's sign, an arrow into the wall, and whether that was good."""
    x, y = grid.opening(opening)
    inward = 1 if opening.side == "left" else -1
    edge = grid.left if inward > 0 else grid.left + grid.cell * grid.columns
    colour = verdicts.GOOD if good else verdicts.BAD
    tip = edge + inward * grid.cell * 0.42
    verdicts.frame(canvas, (x - 56, y - 26, x + 56, y + 26), good=good)
    canvas.line([(x + 56 * inward, y), (tip - 14 * inward, y)], 16, colour)
    canvas.area([(tip - 22 * inward, y - 24), (tip + 8 * inward, y), (tip - 22 * inward, y + 24)], colour)
    verdicts.mark(canvas, x + 76 * inward, y, 22, good=good)
