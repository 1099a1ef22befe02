"""The great moments of Match Five: a player's first five, several at once, the best turn so far, the end."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from cogs.core.drawing.canvas import Canvas, outline
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import CHALK, INK, LAMP, NIGHT, SEAT_MARKS, mix
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.pages.game_ui import Highlight, TableContext
from cogs.core.pages.page import Picture
from cogs.match_five.tile_scenery import MAT, draw_plate
from cogs.match_five.words import stone_words
from engine.contract import Seat
from engine.games.match_five import WILD, Line, MatchFiveView, Stone, Tile, Turn

RICH = 40
"""The points from which the best turn so far is a great one."""

SIDE = 128
"""The width and height of a moment's picture."""

_COLOURS = 128
_PLATE = 52  # the width and height of a tile with its shadow


def highlight(view: MatchFiveView, info: TableContext) -> Highlight | None:
    """Return what the last turn completed, if that is rare: strong players complete a five in every second turn."""
    if view.turn is None:
        return _ending(view, info)
    turn = view.turns[-1] if view.turns else None
    if turn is None or turn.kind != "play":
        return None
    fives, earlier = _fives(view, turn), view.turns[:-1]
    who = None if turn.seat == view.seat else info.name(turn.seat)
    first = bool(fives) and not any(_fives(view, one) for one in earlier if one.seat == turn.seat)
    if first or len(fives) > 1:
        return Highlight(_five_words(fives, turn, who), _five_picture(view, fives[0]))
    best = turn.points >= RICH and all(one.points < turn.points for one in earlier)
    return Highlight(_best_words(turn, who), _burst(turn.points)) if best else None


def _fives(view: MatchFiveView, turn: Turn) -> list[Line]:
    """Return the lines of five that a turn completed. Its lines are created for each request."""
    return [line for line in turn.lines if line.bonus] if turn.points >= view.bonus else []


def _five_words(fives: Sequence[Line], turn: Turn, who: str | None) -> str:
    if len(fives) > 1:
        if who is None:
            return ngettext(
                "{n} five at once: +{points}!", "{n} fives at once: +{points}!", len(fives), points=turn.points
            )
        return ngettext(
            "{name}: {n} five at once, +{points}",
            "{name}: {n} fives at once, +{points}",
            len(fives),
            name=who,
            points=turn.points,
        )
    if who is None:
        return _(_YOURS[fives[0].axis], points=turn.points)
    return _(_THEIRS[fives[0].axis], name=who, points=turn.points)


_YOURS = {
    "x": N_("You completed a row: +{points}!"),
    "y": N_("You completed a column: +{points}!"),
    "stack": N_("You completed a stack: +{points}!"),
}
_THEIRS = {
    "x": N_("{name} completed a row: +{points}"),
    "y": N_("{name} completed a column: +{points}"),
    "stack": N_("{name} completed a stack: +{points}"),
}


def _best_words(turn: Turn, who: str | None) -> str:
    if who is None:
        return _("Your turn is the best so far: +{points}!", points=turn.points)
    return _("The best turn so far: {name}, +{points}", name=who, points=turn.points)


def _ending(view: MatchFiveView, info: TableContext) -> Highlight | None:
    """By how much the game was won; nothing if the places of those who left decide it."""
    best, *others = sorted(view.scores, reverse=True)
    if any(info.places):
        return None
    winners = tuple(seat for seat, score in enumerate(view.scores) if score == best)
    if len(winners) > 1:
        words = _("A shared win!")
    elif winners[0] == view.seat:
        words = ngettext("You won by {n} point!", "You won by {n} points!", best - others[0])
    else:
        name = info.name(Seat(winners[0]))
        words = ngettext("{name} wins by {n} point!", "{name} wins by {n} points!", best - others[0], name=name)
    names = ", ".join(info.distinct_names[seat] for seat in winners)
    return Highlight(words, Picture(_trophy(winners), "won.png", _("A star for {names}.", names=names)))


# ---------------------------------------------------------------------------------------------------------- pictures


def _five_picture(view: MatchFiveView, line: Line) -> Picture:
    lying = {one.spot: one for one in view.stones}
    stones = [lying[spot] for spot in line.spots]
    tiles = ", ".join(map(stone_words, stones))
    return Picture(_five(tuple(map(_plate_of, stones))), "five.png", _("Five tiles: {tiles}.", tiles=tiles))


def _plate_of(stone: Stone) -> tuple[Tile, bool]:
    return stone.tile, stone.wild


@lru_cache(maxsize=256)
def _five(plates: tuple[tuple[Tile, bool], ...]) -> bytes:
    """The tiles of a line, as the spots of a five on a die."""
    picture = _ground().copy()
    near, far, middle = round(SIDE * 0.26), round(SIDE * 0.74), SIDE // 2
    for (x, y), plate in zip(
        ((near, near), (far, near), (near, far), (far, far), (middle, middle)), plates, strict=True
    ):
        picture.paste(_plate(*plate), (x - _PLATE // 2, y - _PLATE // 2), _plate_shape())
    return _encoded(picture)


@lru_cache(maxsize=1)
def _ground() -> Image.Image:
    return _framed().picture()


@lru_cache(maxsize=128)
def _plate(tile: Tile, wild: bool) -> Image.Image:
    """A tile with its shadow, which most fives share with others."""
    canvas = Canvas(_PLATE, _PLATE, INK)
    draw_plate(canvas, _PLATE / 2, _PLATE / 2, 41, tile, wild=wild and tile != WILD)
    return canvas.picture()


@lru_cache(maxsize=1)
def _plate_shape() -> Image.Image:
    """The part of a tile's picture that is not its ground."""
    canvas, middle = Canvas(_PLATE, _PLATE, (0, 0, 0)), _PLATE / 2
    canvas.box(middle - 20, middle - 18, middle + 24, middle + 25, (255, 255, 255), 8)
    canvas.box(middle - 20.5, middle - 20.5, middle + 20.5, middle + 20.5, (255, 255, 255), 6)
    return canvas.picture().convert("L")


def _burst(points: int) -> Picture:
    return Picture(_star(points), "points.png", ngettext("A star: +{n} point.", "A star: +{n} points.", points))


@lru_cache(maxsize=256)
def _star(points: int) -> bytes:
    """The points of a rich turn on a star."""
    canvas, middle = _framed(), SIDE / 2
    canvas.area(outline("star", middle, middle + 4, SIDE * 0.41), INK)
    canvas.area(outline("star", middle, middle + 4, SIDE * 0.38), LAMP)
    canvas.text(middle, middle + 8, f"+{points}", 29 if points < 100 else 24, INK)
    return _encoded(canvas.picture())


@lru_cache(maxsize=64)
def _trophy(winners: tuple[int, ...]) -> bytes:
    """The winners' marks on a star."""
    canvas, middle = _framed(), SIDE / 2
    canvas.area(outline("star", middle, middle + 4, SIDE * 0.41), INK)
    canvas.area(outline("star", middle, middle + 4, SIDE * 0.38), LAMP)
    radius = 19 if len(winners) == 1 else 44 / (len(winners) + 1)
    for number, seat in enumerate(winners):
        x = middle + (number - (len(winners) - 1) / 2) * radius * 2.2
        canvas.mark(SEAT_MARKS[seat], x, middle + 8, radius, letter=False)
    return _encoded(canvas.picture())


def _framed() -> Canvas:
    """A piece of the mat in a frame of light."""
    canvas = Canvas(SIDE, SIDE, INK)
    canvas.box(2, 2, SIDE - 2, SIDE - 2, LAMP, SIDE * 0.11)
    canvas.box(7, 7, SIDE - 7, SIDE - 7, mix(MAT, NIGHT, 0.2), SIDE * 0.085)
    canvas.box(7, 7, SIDE - 7, 10, mix(MAT, CHALK, 0.25), 2)
    return canvas


@lru_cache(maxsize=1)
def _shape() -> Image.Image:
    """Return which part of a moment's picture is not transparent: all but the corners."""
    shape = Canvas(SIDE, SIDE, (0, 0, 0))
    shape.box(0, 0, SIDE, SIDE, (255, 255, 255), SIDE * 0.12)
    return shape.picture().convert("L")


def _encoded(picture: Image.Image) -> bytes:
    """Return what was drawn, with round corners, as PNG: in few colours, since it is encoded for each new moment."""
    picture.putalpha(_shape())
    return encode_image(picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
