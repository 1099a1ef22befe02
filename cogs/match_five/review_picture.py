"""The board in a review: the better play lies on it in frames, and what was played is shown where it went."""

from collections.abc import Collection
from functools import partial

from cogs.core.drawing import verdicts
from cogs.core.drawing.verdicts import VerdictRow
from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Picture
from cogs.match_five import picture, sprites
from cogs.match_five.alt_text import places_alt
from cogs.match_five.draft import judge_layings, stone_of
from cogs.match_five.layout import HEIGHT, Where, Window
from cogs.match_five.scenery import STRIP
from cogs.match_five.words import face_name
from engine.contract import Action
from engine.games.match_five import MatchFiveView, Play

LEAST_PART = 440
"""The least height of the part of the board that is shown."""


def drawn(view: MatchFiveView, played: Action, better: Action | None, info: TableContext) -> Picture | None:
    """Return the part of the board with both plays."""
    best = played if better is None else better
    verdict = judge_layings(view, best.layings) if isinstance(best, Play) else None
    if not isinstance(best, Play) or verdict is None:
        return None
    other = played.layings if better is not None and isinstance(played, Play) else ()
    stones, names = [stone_of(one) for one in best.layings], info.distinct_names
    good, bad = ({(one.x, one.y): None for one in layings} for layings in (best.layings, other))
    data, window = picture.draw_with_others(view, stones, verdict.lines, bad, names)
    canvas = verdicts.opened(data)
    for spots, fine in ((good, True), (bad, False)):
        for at in spots:
            left, top = window.corner(*at)
            inset = 8 if at in good and not fine else 0
            right, bottom = left + window.cell - inset, top + window.cell - inset
            verdicts.frame(canvas, (left + inset, top + inset, right, bottom), good=fine, width=5)
    for spots, fine in ((good, True), (bad, False)):
        for at in list(spots)[:1]:
            left, top = window.corner(*at)
            verdicts.mark(canvas, left if fine else left + window.cell, top, 18, good=fine)
    rows = verdicts.compared(partial(_row, view), played, better)
    image = verdicts.finished(canvas, rows, _part(window, {*good, *bad}))
    return Picture(image, f"review-{info.id}-{view.ui_version}.png", places_alt(view, stones, (), names))


def _part(window: Window, spots: Collection[Where]) -> tuple[int, int]:
    """Return the lines between which these places are, with two cells around them."""
    tops = [window.corner(*at)[1] for at in spots]
    top, bottom = min(tops) - 2 * window.cell, max(tops) + 3 * window.cell
    spare = max(0, LEAST_PART - (bottom - top)) // 2
    top = max(STRIP, min(top - spare, HEIGHT - LEAST_PART))
    return top, min(HEIGHT, max(bottom + spare, top + LEAST_PART))


def _row(view: MatchFiveView, action: Action) -> VerdictRow:
    """Return the tiles of a play and its points."""
    if not isinstance(action, Play):
        return VerdictRow((), _("no tile laid"))
    verdict = judge_layings(view, action.layings)
    tiles = tuple(verdicts.piece(sprites.faces()[face_name(one.wild_as or one.tile)]) for one in action.layings)
    return VerdictRow(tiles, "" if verdict is None else f"+{verdict.points}")
