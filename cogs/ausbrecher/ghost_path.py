"""The path of a die before it is used: the spaces that it counts and those that it jumps, in words and as sprites."""

from collections.abc import Iterator
from dataclasses import dataclass

from cogs.ausbrecher.boat_scenery import PAINTS
from cogs.ausbrecher.scenery import BOX, Way, space_at
from cogs.ausbrecher.words import LETTERS, capitalised, loss_reason
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, INK, ink_on
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import listed
from engine.games.ausbrecher import COLOURS, AusbrecherView, Colour, OpenResult

_ROW = 6  # spaces in a section of the corridor
_PILL = (50, 26)
_BOW = (72, 30)


@dataclass(frozen=True)
class GhostPath:
    """Where an open result would lead its prisoner, space by space."""

    colour: Colour
    counted: tuple[int, ...]
    """The spaces that take a pip each, in order, without the one on which the prisoner stops."""
    jumped: tuple[int, ...]
    """The taken spaces between them."""
    back: bool


def ghost_path(view: AusbrecherView, result: OpenResult) -> GhostPath:
    """Return the path of a result that is not resolved."""
    there = result.landing
    start = view.prisoners[COLOURS.index(result.colour)].space or 0
    step = -1 if result.back else 1
    last = view.length if there.fate == "boat" else there.space or 0
    passed = range(start + step, last + (step if there.fate == "boat" else 0), step)
    counted = there.trail if there.fate == "boat" else there.trail[:-1]
    jumped = tuple(space for space in passed if space not in there.trail)
    return GhostPath(result.colour, counted, jumped, result.back)


def ghost_paths(view: AusbrecherView) -> tuple[GhostPath, ...]:
    """Return the paths of the results among which a player chooses now; none before the white die is placed."""
    if view.phase != "resolve":
        return ()
    return tuple(
        ghost_path(view, result) for result in view.results if not (result.resolved or loss_reason(result.landing))
    )


# ---------------------------------------------------------------------------------------------------------------- words


def jumping_words(view: AusbrecherView) -> str:
    """Return why a prisoner jumps others, if one of the results in question does; empty if none does."""
    if not any(path.jumped for path in ghost_paths(view)):
        return ""
    return _("-# Taken spaces are jumped and don't count. Only the last step goes to the very next space.")


def path_sentences(view: AusbrecherView) -> Iterator[str]:
    """Yield for each result in question that jumps somebody the spaces that it counts and jumps."""
    for path in ghost_paths(view):
        if path.jumped:
            prisoner = capitalised(path.colour)
            counted, jumped = (listed(map(str, spaces)) for spaces in (path.counted, path.jumped))
            if counted:
                yield _(
                    "{prisoner} counts {counted}, jumps {jumped}.", prisoner=prisoner, counted=counted, jumped=jumped
                )
            else:
                yield _("{prisoner} jumps {jumped}.", prisoner=prisoner, jumped=jumped)


# -------------------------------------------------------------------------------------------------------------- sprites


def path_sprites(palette: Palette, paths: tuple[GhostPath, ...]) -> Iterator[PlacedBitmap]:
    """Yield the pips on the spaces that count and the bows over those that are jumped, a lane for each path."""
    for lane, path in enumerate(paths):
        for pip, space in enumerate(path.counted, start=1):
            yield _pill_sprite(palette, space, lane, path.colour, pip)
        for space in path.jumped:
            yield _bow_sprite(palette, space, lane, path.colour, _heading(space, path.back))


def _heading(space: int, back: bool) -> Way:
    """Return the direction of the corridor's section on this space."""
    return "right" if ((space - 1) // _ROW % 2 == 0) is not back else "left"


def _pill_sprite(palette: Palette, space: int, lane: int, colour: Colour, pip: int) -> PlacedBitmap:
    x, y = space_at(space)
    return PlacedBitmap(_pill(palette, colour, pip), x + BOX // 2 - _PILL[0] // 2 + 6, y + 7 + 27 * lane)


@drawn
def _pill(palette: Palette, colour: Colour, pip: int) -> Bitmap:
    """A prisoner's letter and the pip that a space takes."""
    x, y = space_at(1)
    width, height = _PILL
    canvas = palette.canvas(x + 40, y + 40, width, height)
    draw_pill(canvas, x + 40, y + 40, colour, pip)
    return palette.cut(canvas)


def draw_pill(canvas: Canvas, left: float, top: float, colour: Colour, pip: int) -> None:
    """Draw a prisoner's letter and the pip that a space takes."""
    width, height = _PILL
    canvas.box(left, top, left + width, top + height, INK, 13)
    canvas.box(left + 2, top + 2, left + width - 2, top + height - 2, PAINTS[colour], 11)
    canvas.disc(left + width - 13, top + height / 2, 11, CHALK)
    canvas.text(left + 13.5, top + height / 2, LETTERS[colour], 20, ink_on(PAINTS[colour]))
    canvas.text(left + width - 13, top + height / 2, str(pip), 20, INK)


def _bow_sprite(palette: Palette, space: int, lane: int, colour: Colour, heading: Way) -> PlacedBitmap:
    x, y = space_at(space)
    return PlacedBitmap(_bow(palette, colour, heading), x + 46, y - 4 + 12 * lane)


@drawn
def _bow(palette: Palette, colour: Colour, heading: Way) -> Bitmap:
    """A bow over a taken space, which does not count."""
    x, y = space_at(1)
    canvas = palette.canvas(x + 40, y + 40, *_BOW)
    draw_bow(canvas, x + 40, y + 40, colour, heading)
    return palette.cut(canvas)


def draw_bow(canvas: Canvas, left: float, top: float, colour: Colour, heading: Way) -> None:
    """Draw the bow of a jump with the point of its arrow."""
    width, height = _BOW
    foot, rise = top + height - 8, height - 14
    steps = [number / 12 for number in range(13)]
    arc = [(left + 6 + (width - 12) * part, foot - 4 * rise * part * (1 - part)) for part in steps]
    if heading == "left":
        arc.reverse()
    x, y = arc[-1]
    side = -1 if heading == "left" else 1
    point = [(x - 11 * side, y - 1), (x + 2 * side, y + 4), (x + 1 * side, y - 11)]
    for stroke, paint in ((9.0, INK), (5.0, PAINTS[colour])):
        canvas.line(arc, stroke, paint)
        canvas.line(point, stroke, paint)
