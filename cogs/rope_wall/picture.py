"""The Rope Wall as a picture: which sprites a view asks for, and where. The module's words come from `words`.

Each player has a tower; it is lit and sends its beam while they are to move. Between neighbouring knots of one colour
hangs a strand, so that ropes are seen as they grow; a finished rope shines up to its exit. Views in, bytes and words
out. May import `cogs.core.drawing`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from cogs.core.drawing.caching import drawn, joined
from cogs.core.drawing.canvas import Canvas, fitted_name
from cogs.core.drawing.encoding import encode, encode_image
from cogs.core.drawing.sheets import Piece, Sprite
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import WIDTH
from cogs.rope_wall import scenery
from cogs.rope_wall.ending import draw_end, won_rounds
from cogs.rope_wall.lessons import LESSONS, A, Lesson
from cogs.rope_wall.scenery import (
    FOOT,
    FOOT_SIZE,
    FOOT_TOP,
    HEIGHT,
    NAME_ROOM,
    NAME_SIZE,
    TOWER,
    Grid,
    Hatch,
    Look,
    Sign,
)
from cogs.rope_wall.words import alt, as_text, last_push, way_out
from engine.contract import Seat
from engine.games.rope_wall import Opening, Pushed, RopeWallView, Side, Wall

__all__ = ["alt", "as_text", "draw", "draw_rules"]

Cell = tuple[int, int]
"""A floor and a column, both from 1."""
Rope = tuple[Cell, ...]
Size = tuple[int, int]
"""Floors and columns: the key of every cache."""


# ---------------------------------------------------------------------------------------------------- scene and sprites


@lru_cache(maxsize=4)
def _scene(size: Size) -> tuple[Scene, Grid]:
    grid = Grid(*size)
    canvas = Canvas(WIDTH, HEIGHT, scenery.NICHE)
    scenery.draw_ground(canvas, grid)
    ground = canvas.picture()
    sample = Canvas(WIDTH, 400, ground.crop((0, 0, WIDTH, 400)))
    scenery.draw_sample(sample, grid)
    floors = range(grid.top, FOOT, grid.cell)
    return Scene(ground, [sample.picture()], scenery.flat_colours(), bands=(54, *floors, FOOT + 8)), grid


class _Knot(NamedTuple):
    """A knot as it is shown, with the strands to its neighbours: to the left, the right, above and below."""

    seat: Seat
    look: Look
    strands: tuple[Look | None, Look | None, Look | None, Look | None]
    letter: bool = False


@drawn
def _knot(size: Size, knot: _Knot) -> Piece:
    """A cell with this knot; all cells of a wall look alike, so that it fits everywhere."""
    scene, grid = _scene(size)
    x, y = grid.centre(1, 1)
    half = grid.cell // 2
    canvas = scene.canvas(x - half, y - half, grid.cell, grid.cell)
    for (dx, dy), look in zip(((-half, 0), (half, 0), (0, -half), (0, half)), knot.strands, strict=True):
        if look is not None:
            scenery.draw_strand(canvas, (x, y), (x + dx, y + dy), knot.seat, look)
    scenery.draw_knot(canvas, x, y, grid.radius, knot.seat, knot.look, letter=knot.letter)
    return scene.sprite(canvas)


@drawn
def _chevron(size: Size, column: int, side: Side, strand: Seat | None, look: Look) -> Piece:
    """The chevron on the border right of a column (0: the wall's left edge), and the strand that it lies on."""
    scene, grid = _scene(size)
    x, y = grid.left + grid.cell * column, grid.centre(1, 1)[1]
    canvas = scene.canvas(x - 10, y - 20, 20, 40)
    if strand is not None:
        scenery.draw_strand(canvas, (x - 10, y), (x + 10, y), strand, look)
    scenery.draw_chevron(canvas, x, y, side)
    return scene.sprite(canvas)


@drawn
def _sign(size: Size, opening: Opening, look: Sign, fell: Seat | None, letter: bool) -> Sprite:
    scene, grid = _scene(size)
    x, y = grid.opening(opening)
    left = x - (58 if opening.side == "left" else 86)
    canvas = scene.canvas(left, y - 27, 144, 54)
    scenery.draw_sign(canvas, grid, opening, look, fell, letter=letter)
    return Sprite(scene.sprite(canvas), left, y - 27)


@drawn
def _exit(size: Size, column: int, look: Hatch | Seat, rope: Seat | None, letter: bool) -> Sprite:
    """An exit's hatch, or the prisoner on it, and the end of a rope of this seat."""
    scene, grid = _scene(size)
    x = grid.centre(1, column)[0]
    left, top = x - 40, grid.top - 82
    canvas = scene.canvas(left, top, 80, 82)
    if rope is not None:
        scenery.draw_strand(canvas, (x, grid.top - 12), (x, grid.top), rope, "lit")
    if isinstance(look, int):
        scenery.draw_prisoner(canvas, grid, column, look, letter=letter)
    else:
        scenery.draw_hatch(canvas, grid, column, look)
    return Sprite(scene.sprite(canvas), left, top)


@drawn
def _room(size: Size, seat: int, lit: bool, hand: int, freed: int, goal: int, letter: bool) -> Sprite:
    scene, _ = _scene(size)
    left = 14 if seat == 0 else WIDTH - TOWER + 14
    canvas = scene.canvas(left, 54, TOWER - 28, 114)
    scenery.draw_room(canvas, seat, lit, hand, freed, goal, letter=letter)
    return Sprite(scene.sprite(canvas), left, 54)


@drawn
def _name(size: Size, seat: int, name: str) -> Sprite:
    scene, _ = _scene(size)
    left = 20 if seat == 0 else WIDTH - TOWER + 20
    canvas = scene.canvas(left, 20, TOWER - 40, 32)
    scenery.draw_name(canvas, seat, name)
    return Sprite(scene.sprite(canvas), left, 20)


@drawn
def _beam(size: Size, seat: int) -> Sprite:
    scene, _ = _scene(size)
    left = TOWER - 16 if seat == 0 else TOWER
    canvas = scene.canvas(left, 0, WIDTH - 2 * TOWER + 16, 88)
    scenery.draw_beam(canvas, seat)
    return Sprite(scene.sprite(canvas), left, 0)


@drawn
def _foot(size: Size, words: str, alarm: bool) -> Piece:
    canvas = scenery.foot_canvas(scenery.foot_width(words))
    scenery.draw_foot(canvas, words, alarm)
    return _scene(size)[0].sprite(canvas)


@drawn
def _whose(size: Size, seat: Seat, name: str) -> Piece:
    canvas = scenery.foot_canvas(scenery.whose_width(name))
    scenery.draw_whose(canvas, seat, name)
    return _scene(size)[0].sprite(canvas)


# ------------------------------------------------------------------------------------------------------------- the wall


@dataclass(frozen=True)
class _Display:
    """What is shown on the wall itself, in a table's picture and in one of the rules."""

    wall: Wall
    ropes: tuple[Rope, ...] = ()
    over: bool = False  # the wall belongs to the round before: its knots have gone back
    push: Pushed | None = None
    new: Cell | None = None  # where its knot lies
    moved: int = 0  # knots that the push moved on, as far as it is known
    barred: tuple[Opening, ...] = ()
    exits: dict[int, Hatch | Seat] = field(default_factory=dict)  # columns whose exits are not simply shut
    letters: bool = False  # in the rules, where nobody has a name

    @cached_property
    def size(self) -> Size:
        return len(self.wall), len(self.wall[0])

    @cached_property
    def within(self) -> Wall:
        """The wall with nothing around it, so that floors and columns count from 1 and have neighbours everywhere."""
        nothing = (None,) * (self.size[1] + 2)
        return nothing, *((None, *row, None) for row in self.wall), nothing

    @cached_property
    def lit(self) -> frozenset[Cell]:
        return frozenset(cell for rope in self.ropes for cell in rope)

    @cached_property
    def links(self) -> frozenset[frozenset[Cell]]:
        """The pairs of neighbours along the finished ropes."""
        return frozenset(frozenset(pair) for rope in self.ropes for pair in pairwise(rope))


def _entered(push: Pushed | None, columns: int) -> Cell | None:
    """Where the knot of a push lies."""
    return None if push is None else (push.floor, 1 if push.side == "left" else columns)


def _display(view: RopeWallView) -> _Display:
    push = last_push(view)
    exits: dict[int, Hatch | Seat] = {column: "open" for choice in view.choices for column in choice}
    exits |= {column: guest for column, guest in enumerate(view.exits, start=1) if guest is not None}
    return _Display(
        wall=view.wall if view.last_wall is None else view.last_wall,
        ropes=view.ropes,
        over=view.last_wall is not None,
        push=push,
        new=_entered(push if view.last_wall is None else None, view.columns),
        # A floor with a gap does not tell afterwards how far the push went; a knot that fell does.
        moved=view.columns - 1 if push is not None and push.fell is not None else 0,
        barred=view.barred[view.turn] if view.turn is not None and view.phase == "push" else (),
        exits=exits,
    )


def _wall_sprites(shown: _Display) -> Iterator[Sprite]:
    """The signs and exits that differ from the ground, the knots, and over them the way of the last push."""
    ends = {rope[-1][1]: _at(shown, rope[-1]) for rope in shown.ropes}
    for column, look in sorted(shown.exits.items()):
        yield _exit(shown.size, column, look, ends.get(column), shown.letters)
    for floor in range(1, shown.size[0] + 1):
        if shown.ropes or shown.letters:
            yield from _knot_sprites(shown, floor)
        else:  # most floors are as they were
            around = shown.wall[max(0, floor - 2) : floor + 1]
            new = shown.new if shown.new is not None and shown.new[0] == floor else None
            yield from _floor(shown.size, floor, around, new, shown.over)
    yield from _sign_sprites(shown)
    yield from _chevron_sprites(shown)


@joined
def _floor(size: Size, floor: int, around: Wall, new: Cell | None, over: bool) -> tuple[Sprite, ...]:
    """The knots of a floor along which no rope runs, from what lies `around`: the floor below it, itself and the one
    above, as far as there are. `new`: where the knot of the last push lies, if it lies on this floor.
    """
    empty = ((None,) * size[1],)
    below = max(0, floor - 2)
    wall = empty * below + around + empty * (size[0] - below - len(around))
    return tuple(_knot_sprites(_Display(wall, over=over, new=new), floor))


def _knot_sprites(shown: _Display, floor: int) -> Iterator[Sprite]:
    """The knots of a floor, with the strands to their neighbours."""
    _, grid = _scene(shown.size)
    half = grid.cell // 2
    for column in range(1, grid.columns + 1):
        knot = _shown_knot(shown, (floor, column))
        if knot is not None:
            x, y = grid.centre(floor, column)
            yield Sprite(_knot(shown.size, knot), x - half, y - half)


def _at(shown: _Display, cell: Cell) -> Seat | None:
    return shown.within[cell[0]][cell[1]]


def _shown_knot(shown: _Display, cell: Cell) -> _Knot | None:
    seat = _at(shown, cell)
    if seat is None:
        return None
    look: Look = "faint" if shown.over else "plain"
    if cell in shown.lit:
        look = "lit"
    elif cell == shown.new:
        look = "new"
    floor, column = cell
    beside = (floor, column - 1), (floor, column + 1), (floor + 1, column), (floor - 1, column)
    left, right, above, below = (_strand(shown, cell, other) for other in beside)
    if floor == shown.size[0] and any(rope[-1] == cell for rope in shown.ropes):
        above = "lit"
    return _Knot(seat, look, (left, right, above, below), shown.letters)


def _strand(shown: _Display, one: Cell, other: Cell) -> Look | None:
    """The look of the strand between two neighbours, None if there is none."""
    seat = _at(shown, one)
    if seat is None or _at(shown, other) != seat:
        return None
    if shown.ropes and frozenset((one, other)) in shown.links:
        return "lit"
    return "faint" if shown.over else "plain"


def _sign_sprites(shown: _Display) -> Iterator[Sprite]:
    """The signs that differ from the ground. Where an opening is both barred and just pushed into, the bar counts."""
    signs: dict[Opening, tuple[Sign, Seat | None]] = {}
    if shown.push is not None:
        signs[Opening(shown.push.floor, shown.push.side)] = "last", None
        if shown.push.fell is not None:
            signs[way_out(shown.push)] = "plain", shown.push.fell
    for opening in shown.barred:
        signs[opening] = "barred", signs.get(opening, ("plain", None))[1]
    for opening, (look, fell) in signs.items():
        yield _sign(shown.size, opening, look, fell, shown.letters)


def _chevron_sprites(shown: _Display) -> Iterator[Sprite]:
    """From the opening of the last push inward, one for each knot that it moved."""
    if shown.push is None:
        return
    _, grid = _scene(shown.size)
    floor, side = shown.push.floor, shown.push.side
    for step in range(shown.moved + 1):
        column = step if side == "left" else grid.columns - step
        strand = _strand(shown, (floor, column), (floor, column + 1))
        seat = None if strand is None else _at(shown, (floor, column))
        edge = min(column, 1) if column < grid.columns else column  # the inner borders look alike
        piece = _chevron(shown.size, edge, side, seat, strand or "plain")
        yield Sprite(piece, grid.left + grid.cell * column - 10, grid.centre(floor, 1)[1] - 20)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: RopeWallView, names: Sequence[str] = ("", "")) -> bytes:
    """Return the table as a PNG 800 pixels wide, with these names on the towers; at the end the ropes of the game.

    The same view gives the same bytes. Safe in several threads.
    """
    scene, _ = _scene((view.floors, view.columns))
    if view.phase == "over" and won_rounds(view):
        return draw_end(view, names, scene)
    shown = _display(view)
    sheet = scene.sheet()
    for sprite in (*_frame(view, shown.size, names), *_wall_sprites(shown)):
        sprite.paste(sheet)
    return encode(sheet)


def _frame(view: RopeWallView, size: Size, names: Sequence[str]) -> Iterator[Sprite]:
    """The towers, the beam of whoever is to move or has won, and the line below the wall."""
    active = view.winner if view.phase == "over" else view.turn
    if active is not None:
        yield _beam(size, active)
    for seat in (0, 1):
        name = fitted_name(names[seat], NAME_SIZE, NAME_ROOM)
        yield _room(size, seat, seat == active, view.hands[seat], view.freed[seat], view.goal, not name)
        if name:
            yield _name(size, seat, name)
    yield from _foot_sprites(view, size, names, view.begins if view.phase == "interlude" else active)


NAME_IN_FOOT = 240
"""So much room a name has in the line below the wall, where the words leave it."""


def _foot_sprites(view: RopeWallView, size: Size, names: Sequence[str], seat: Seat | None) -> Iterator[Sprite]:
    """The line below the wall, led by the mark and the name of whom it is about."""
    words, alarm = _foot_words(view)
    piece = _foot(size, words, alarm)
    if seat is None:
        yield Sprite(piece, (WIDTH - piece.width) // 2, FOOT_TOP)
        return
    room = WIDTH - 120 - piece.width
    whose = _whose(size, seat, fitted_name(names[seat], FOOT_SIZE, min(NAME_IN_FOOT, room)))
    left = (WIDTH - whose.width - piece.width) // 2
    yield Sprite(whose, left, FOOT_TOP)
    yield Sprite(piece, left + whose.width, FOOT_TOP)


def _foot_words(view: RopeWallView) -> tuple[str, bool]:
    """The line below the wall without whom it is about, and whether it is a warning."""
    match view.phase:
        case "over":
            score = ":".join(str(freed) for freed in view.freed)
            if view.reason == "resigned":
                return "WINS BY RESIGNATION", False
            return (f"SHARED, {score}" if view.winner is None else f"WINS {score}"), False
        case "choose":
            return "CHOOSES THE WAY OUT", False
        case "interlude":
            why = "AGAIN" if view.cancelled else f"AFTER LOSING ROUND {view.round}"
            return f"BEGINS ROUND {view.round + 1} {why}", False
        case "push":
            if view.last_wall is not None:
                return f"BEGINS ROUND {view.round} ON AN EMPTY WALL", False
            if view.full_turns_left is not None:
                return f"TO PUSH · WALL FULL, {view.full_turns_left} LEFT", True
            if view.pushes_left <= 10:
                return f"TO PUSH · {view.pushes_left} PUSHES LEFT", True
            return f"{'TO PUSH ·' if view.begins is None else 'BEGINS'} ROUND {view.round}", False


# ---------------------------------------------------------------------------------------------------------------- rules


def draw_rules() -> Iterator[tuple[str, bytes, str]]:
    """Yield the pictures of the rules: name, PNG, alt text."""
    for lesson in LESSONS:
        yield lesson.name, _draw_lesson(lesson), lesson.alt


@lru_cache(maxsize=8)
def _draw_lesson(lesson: Lesson) -> bytes:
    exits: dict[int, Hatch | Seat] = {}
    if lesson.prisoner is not None:
        exits[lesson.prisoner] = A
    if lesson.missed is not None:
        exits[lesson.missed] = "no"
    shown = _Display(
        lesson.wall,
        ropes=(lesson.rope,) if lesson.rope else (),
        push=lesson.push,
        new=_entered(lesson.push, len(lesson.wall[0])),
        moved=lesson.moved,
        barred=lesson.barred,
        exits=exits,
        letters=True,
    )
    scene, grid = _scene(shown.size)
    sheet = scene.sheet()
    for sprite in _wall_sprites(shown):
        sprite.paste(sheet)
    shown_sheet = sheet.image()
    if lesson.close_up:
        return encode_image(shown_sheet.crop((0, FOOT - 3 * grid.cell - 8, WIDTH, FOOT + 12)))
    margin = TOWER - 12
    return encode_image(shown_sheet.crop((margin, grid.top - 92, WIDTH - margin, FOOT + 12)))
