"""The sprites of the rows in Prison Break's pictures: plates, names, speech bubbles, and the content of cells.

All tables share them: each part that changes independently, or is private, is a sprite of its own. Everything in them
is public except cells with the look "true", and markers.
"""

from functools import lru_cache

from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas, fitted_name, outline
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, INK, LAMP, SEAT_MARKS, SLATE, WIDTH
from cogs.core.i18n.translation import _
from cogs.prison_break.corridor import (
    BUBBLE,
    NAME_HEIGHT,
    NAME_MIDDLE,
    NAME_SIZE,
    NAME_WIDTH,
    PLATE,
    ROW,
    WARM,
    Look,
    Stage,
    cell_edges,
    draw_look,
    draw_plaque,
    draw_plate,
    draw_since,
    draw_speech,
    name_size,
)
from cogs.prison_break.stamps import FULL, NONE, covered, stamp_of, words_stamp
from cogs.prison_break.words import claim, is_held
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView

_SPEECH = 57  # how far the bubble with the number reaches down a row; the round last seen is below it
_NOT_ALL = [255] * 255 + [0]  # of the coverage values


@drawn
def cell_sprite(stage: Stage, top: int, seat: int, position: Position, look: Look, cell: int) -> PlacedBitmap:
    """Return the content of a cell of a row at `top`, `cell` high."""
    left, right = cell_edges(position, stage.spaces)
    canvas = stage.palette.canvas(left, top, right - left, cell)
    draw_look(canvas, position, top, stage.spaces, seat, look, cell)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


def true_sprite(stage: Stage, top: int, seat: Seat, position: Position, cell: int) -> PlacedBitmap:
    """Return a pawn at its real position, in a row at `top`."""
    return cell_sprite(stage, top, seat, position, "true", cell)


@drawn
def own_sprite(stage: Stage, seat: int, position: Position) -> PlacedBitmap:
    """Return the reader's pawn at its real position on its row in the table's picture, in a bright frame."""
    left, right = cell_edges(position, stage.spaces)
    top = stage.tops[seat]
    canvas = stage.palette.canvas(left, top, right - left, ROW)
    draw_look(canvas, position, top, stage.spaces, seat, "true", ROW)
    corners = [(left + 4, top + 7), (right - 4, top + 7), (right - 4, top + ROW - 35), (left + 4, top + ROW - 35)]
    canvas.line([*corners, corners[0]], 5, LAMP)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


@drawn
def marker_sprite(stage: Stage, seat: int, position: Position) -> PlacedBitmap:
    """Return a private marker on a seat's row: the name of the cell with its colours exchanged."""
    left, right = cell_edges(position, stage.spaces)
    top = stage.tops[seat]
    canvas = stage.palette.canvas(left, top + ROW - 30, right - left, 26)
    draw_plaque(canvas, position, top, stage.spaces, ROW, marked=True)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top + ROW - 30)


# ----------------------------------------------------------------------------------------------------------- the plates


def plate_sprites(
    stage: Stage, seat: int, tokens: int, status: str, active: bool, name: str
) -> tuple[PlacedBitmap, ...]:
    """Return the plate of a seat's row; that without its name serves all tables."""
    if not name:
        return (_plate_sprite(stage, seat, tokens, status, active, False),)
    return (
        _plate_sprite(stage, seat, tokens, status, active, True),
        _name_sprite(stage, seat, name, active, bool(status)),
    )


@drawn
def _plate_sprite(stage: Stage, seat: int, tokens: int, status: str, active: bool, named: bool) -> PlacedBitmap:
    """A plate, with space for a name if it is `named`."""
    top = stage.tops[seat]
    canvas = stage.palette.canvas(8, top, PLATE, ROW)
    draw_plate(canvas, top, seat, tokens, status, active, " " if named else "")
    return PlacedBitmap(stage.palette.bitmap(canvas), 8, top)


@drawn
def _name_sprite(stage: Stage, seat: int, name: str, active: bool, status: bool) -> PlacedBitmap:
    """A name, to paste on its plate; a status below it stays in front."""
    stamp = words_stamp(name, name_size(name, status))
    left, upper = NAME_MIDDLE - stamp.width // 2, NAME_HEIGHT - stamp.height // 2
    picture = Image.new("RGB", stamp.image.size, WARM if active else SLATE)
    picture.paste(CHALK, (0, 0), stamp.image)
    mask = covered(stamp)
    if status:
        front = _front(seat).image.crop((left - 8, upper, left - 8 + stamp.width, upper + stamp.height))
        picture.paste(INK, (0, 0), front)
        mask = ImageChops.logical_and(mask, front.point(_NOT_ALL, "1"))
    return PlacedBitmap(Bitmap(stage.palette.fitted(picture), mask), left, stage.tops[seat] + upper)


@drawn
def _front(seat: int) -> Bitmap:
    """The outlines of the marks on a plate with a status, as a stamp: a long name reaches down behind them."""
    canvas = Canvas(PLATE, ROW, NONE, left=8)
    canvas.area(outline(SEAT_MARKS[seat].shape, 39, 46, 17), FULL)
    canvas.area(outline("star", 98, 46, 12), FULL)
    return stamp_of(canvas)


# -------------------------------------------------------------------------------------------------------- declarations


@drawn
def speech_sprite(stage: Stage, seat: int, declared: int) -> PlacedBitmap:
    """Return the bubble with the sum of a player's declarations."""
    top, left = stage.tops[seat], WIDTH - 14 - BUBBLE
    canvas = stage.palette.canvas(left, top, BUBBLE + 14, _SPEECH)
    draw_speech(canvas, top, declared)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


@drawn
def _since_sprite(stage: Stage, seat: int, since: int) -> PlacedBitmap:
    top, left = stage.tops[seat], WIDTH - 14 - BUBBLE
    canvas = stage.palette.canvas(left, top + _SPEECH, BUBBLE + 14, ROW - _SPEECH)
    draw_since(canvas, top, since)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top + _SPEECH)


@lru_cache(maxsize=4_096)
def _declared_sprites(
    stage: Stage, seat: int, declared: int, seen: Position, leads_to: Position, lit: bool
) -> tuple[PlacedBitmap, ...]:
    """A seat's declarations, and the way from where it was last seen."""
    looks: dict[Position, Look] = dict.fromkeys(range(min(seen, leads_to) + 1, max(seen, leads_to)), "trail")
    looks[leads_to] = "claim"
    looks[seen] = "lit" if lit else "seen"
    cells = (cell_sprite(stage, stage.tops[seat], seat, where, look, ROW) for where, look in looks.items())
    return speech_sprite(stage, seat, declared), *cells


# ------------------------------------------------------------------------------------------------------------- the rows


def row_sprites(stage: Stage, view: PrisonBreakView, seat: Seat, name: str, *, truth: bool) -> tuple[PlacedBitmap, ...]:
    """Return the sprites on the row of a seat of this name; `truth` shows its real position instead of its
    declarations.
    """
    prisoner = view.prisoners[seat]
    active = seat in (view.winners if view.phase == "over" else view.to_act)
    plate = plate_sprites(
        stage, seat, prisoner.tokens, _status(view, seat), active, fitted_name(name, NAME_SIZE, NAME_WIDTH)
    )
    position = view.positions[seat]
    if truth and position is not None:  # the game is over: declarations no longer matter
        return *plate, true_sprite(stage, stage.tops[seat], seat, position, ROW)
    since = prisoner.seen_round
    words = _declared_sprites(stage, seat, prisoner.declared, prisoner.seen, claim(view, seat), since == view.round)
    return *plate, _since_sprite(stage, seat, since), *words


def _status(view: PrisonBreakView, seat: Seat) -> str:
    prisoner = view.prisoners[seat]
    if view.phase == "over":
        return ""
    if prisoner.skips or seat in view.sits_out:
        # Translators: on a row: guards caught this player, who sits out the next Sneak phase.
        return _("CAUGHT")
    # Translators: on a row: this player may not move, by Lock Down.
    return _("HELD") if is_held(view, seat) or prisoner.held_round > view.round else ""
