"""The Rope Wall as a picture, as words, and as text: the prison wall at night between two watchtowers.

Each player has a tower; its lamp burns while they are to move. Knots lie in niches; between neighbours of one colour
hangs a strand, so that ropes are seen as they grow. A finished rope shines. Views in, bytes and words out. May import
`cogs.core.drawing`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal, get_args

from PIL import Image

from cogs.core.drawing import (
    ALARM,
    ASH,
    CHALK,
    INK,
    LAMP,
    NIGHT,
    SEAT_MARKS,
    SLATE,
    STONE,
    WIDTH,
    Canvas,
    Colour,
    Scene,
    encode,
    mix,
    outline,
    told,
)
from engine.contract import Seat
from engine.games.rope_wall import Opening, RopeWallView, Side, Wall

Sign = Literal["plain", "last", "barred", "fell"]
"""How an opening's sign is drawn: as it is, just pushed into, not allowed now, or just fallen out of."""

Look = Literal["plain", "new", "lit", "ghost"]
"""How a knot is drawn: as it lies, just pushed in, in a finished rope, or gone with the round that has ended."""

HEIGHT = 716
_TOP = 176  # of the wall; above it sit the freed prisoners
_FOOT = 656
_WALL = 480  # the wall's longer side
_TOWER = 150  # width
_MIDDLE = WIDTH // 2

_SKY = NIGHT
_BRICK: Colour = (84, 76, 84)
_JOINT: Colour = (52, 48, 60)
_NICHE: Colour = (32, 32, 44)
_EARTH: Colour = (28, 32, 36)


@dataclass(frozen=True)
class _Grid:
    """Where the cells of a wall of this size lie."""

    floors: int
    columns: int

    @property
    def cell(self) -> int:
        return _WALL // max(self.floors, self.columns)

    @property
    def left(self) -> int:
        return _MIDDLE - self.cell * self.columns // 2

    @property
    def top(self) -> int:
        return _FOOT - self.cell * self.floors

    @property
    def radius(self) -> float:
        """A knot's radius."""
        return self.cell * 0.31

    def centre(self, floor: int, column: int) -> tuple[int, int]:
        """The middle of a niche; floor and column from 1."""
        return (
            self.left + self.cell * (column - 1) + self.cell // 2,
            _FOOT - self.cell * (floor - 1) - self.cell // 2,
        )

    def opening(self, opening: Opening) -> tuple[int, int]:
        """The middle of an opening's sign on its tower."""
        x = _TOWER // 2 if opening.side == "left" else WIDTH - _TOWER // 2
        return x, self.centre(opening.floor, 1)[1]


# -------------------------------------------------------------------------------------------------------- what is fixed


def _bricks(canvas: Canvas, left: int, top: int, right: int, bottom: int, brick: Colour, course: int = 24) -> None:
    """Lay bricks, each a little lighter or darker, the same ones in every run."""
    dice = Random(left * 7 + top)
    canvas.box(left, top, right, bottom, _JOINT)
    for number, y in enumerate(range(top, bottom, course)):
        x = left - (course if number % 2 else 0)
        while x < right:
            shade = mix(brick, INK, dice.choice((0.0, 0.08, 0.16, 0.24)))
            box = max(x + 1, left), y + 1, min(x + 2 * course - 1, right), min(y + course - 1, bottom)
            if box[0] < box[2]:
                canvas.box(*box, shade, 2)
            x += 2 * course


def _sky(canvas: Canvas) -> None:
    for step in range(24):
        canvas.box(0, step * 8, WIDTH, step * 8 + 8, mix(INK, (40, 48, 84), step / 26))
    dice = Random(1962)
    for _ in range(46):
        canvas.disc(dice.randrange(WIDTH), dice.randrange(110), dice.choice((0.8, 1.1, 1.6)), ASH)
    canvas.disc(_MIDDLE + 128, 44, 25, (240, 236, 212))
    canvas.disc(_MIDDLE + 138, 37, 22, mix(INK, (40, 48, 84), 0.18))


def _towers(canvas: Canvas) -> None:
    for left in (0, WIDTH - _TOWER):
        middle = left + _TOWER / 2
        _bricks(canvas, left + 10, 150, left + _TOWER - 10, HEIGHT, mix(_BRICK, SLATE, 0.55), 20)
        canvas.area([(left + 2, 62), (middle, 4), (left + _TOWER - 2, 62)], mix(INK, SLATE, 0.5))
        canvas.box(left + 12, 60, left + _TOWER - 12, 160, mix(INK, SLATE, 0.8))
        canvas.box(left + 2, 148, left + _TOWER - 2, 162, mix(_BRICK, SLATE, 0.2), 4)


def _wall(canvas: Canvas, grid: _Grid) -> None:
    right = grid.left + grid.cell * grid.columns
    _bricks(canvas, grid.left - 8, grid.top - 6, right + 8, _FOOT + 8, _BRICK)
    niche = grid.cell * 0.43
    for floor in range(1, grid.floors + 1):
        for column in range(1, grid.columns + 1):
            x, y = grid.centre(floor, column)
            canvas.box(x - niche, y - niche, x + niche, y + niche, _JOINT, 12)
            canvas.box(x - niche + 2, y - niche + 4, x + niche - 2, y + niche - 2, _NICHE, 10)
    canvas.box(0, _FOOT + 8, WIDTH, HEIGHT, _EARTH)
    for floor in range(1, grid.floors + 1):
        for side in ("left", "right"):
            _sign(canvas, grid, Opening(floor, side), "plain")
    for column in range(1, grid.columns + 1):
        _exit(canvas, grid, column, STONE)


def _sign(canvas: Canvas, grid: _Grid, opening: Opening, look: Sign, owner: int = 0) -> None:
    """An opening's sign: its name, and the arrow of the push, or the knot of `owner` that fell out."""
    x, y = grid.opening(opening)
    inward = 1 if opening.side == "left" else -1
    ground, ink = {
        "plain": (SLATE, CHALK),
        "fell": (SLATE, CHALK),
        "last": (LAMP, INK),
        "barred": (mix(INK, ALARM, 0.25), ASH),
    }[look]
    canvas.box(x - 56, y - 25, x + 56, y + 25, INK, 10)
    canvas.box(x - 54, y - 23, x + 54, y + 23, ground, 9)
    canvas.text(x - 16 * inward, y, f"{opening.side[0].upper()}{opening.floor}", 31, ink)
    tip = x + 47 * inward
    if look == "barred":
        canvas.line([(tip - 24 * inward, y - 12), (tip, y + 12)], 7, ALARM)
        canvas.line([(tip - 24 * inward, y + 12), (tip, y - 12)], 7, ALARM)
    elif look == "fell":
        canvas.mark(SEAT_MARKS[owner], tip - 12 * inward, y, 16)
    else:
        canvas.area([(tip - 22 * inward, y - 14), (tip, y), (tip - 22 * inward, y + 14)], ink)


def _exit(canvas: Canvas, grid: _Grid, column: int, colour: Colour) -> None:
    """An exit on top of a column: a hatch with its number."""
    x = grid.centre(1, column)[0]
    top = grid.top - 6
    canvas.area([(x - 30, top), (x - 24, top - 44), (x + 24, top - 44), (x + 30, top)], INK)
    canvas.area([(x - 26, top), (x - 21, top - 40), (x + 21, top - 40), (x + 26, top)], colour)
    canvas.text(x, top - 20, str(column), 26, CHALK if colour == STONE else INK)


# ------------------------------------------------------------------------------------------------------ what may change


def _knot(canvas: Canvas, x: float, y: float, radius: float, seat: int, look: Look) -> None:
    """A knot: the seat's shape as a coil of rope, with the seat's letter."""
    mark = SEAT_MARKS[seat]
    colour = mix(mark.colour, _NICHE, 0.72) if look == "ghost" else mark.colour
    edge = {"plain": INK, "ghost": _NICHE, "new": CHALK, "lit": LAMP}[look]
    rim = 5 if look in ("new", "lit") else 3
    canvas.area(outline(mark.shape, x, y, radius + rim), edge)
    if look in ("new", "lit"):
        canvas.area(outline(mark.shape, x, y, radius + 1), INK)
    canvas.area(outline(mark.shape, x, y, radius - 1), colour)
    canvas.area(outline(mark.shape, x, y, radius * 0.8), mix(colour, INK, 0.42))
    canvas.area(outline(mark.shape, x, y, radius * 0.69), colour)
    canvas.text(x, y, mark.letter, radius * 0.95, _NICHE if look == "ghost" else INK)


def _strand(canvas: Canvas, x: float, y: float, upright: bool, length: float, colour: Colour) -> None:
    """A piece of twisted rope around (x, y) between two knots."""
    dx, dy = (0.0, length / 2) if upright else (length / 2, 0.0)
    canvas.line([(x - dx, y - dy), (x + dx, y + dy)], 17, INK, caps=False)
    canvas.line([(x - dx, y - dy), (x + dx, y + dy)], 11, colour, caps=False)
    turns = max(2, round(length / 9))
    for turn in range(turns):
        along = (turn + 0.5) / turns * 2 - 1
        a, b = x + dx * along, y + dy * along
        canvas.line([(a - 4, b - 4), (a + 4, b + 4)], 2.5, mix(colour, INK, 0.5), caps=False)


def _prisoner(canvas: Canvas, x: float, foot: float, seat: int) -> None:
    """Somebody who got out: sitting on the wall, arms up, in stripes, with the seat's mark."""
    mark = SEAT_MARKS[seat]
    canvas.line([(x - 33, foot - 66), (x - 14, foot - 34)], 9, mark.colour)
    canvas.line([(x + 33, foot - 66), (x + 14, foot - 34)], 9, mark.colour)
    canvas.box(x - 22, foot - 44, x + 22, foot, INK, 9)
    canvas.box(x - 20, foot - 42, x + 20, foot, CHALK, 8)
    for stripe in range(3):
        canvas.box(x - 20, foot - 36 + 14 * stripe, x + 20, foot - 30 + 14 * stripe, mix(NIGHT, SLATE, 0.5))
    canvas.disc(x, foot - 58, 14, INK)
    canvas.disc(x, foot - 58, 12.5, (236, 196, 160))
    canvas.box(x - 12.5, foot - 71, x + 12.5, foot - 62, mark.colour, 4)
    canvas.mark(mark, x, foot - 19, 17)


def _lamp_room(canvas: Canvas, left: int, seat: int, lit: bool, hand: int, freed: int, goal: int) -> None:
    """The top of a tower: whose it is, how many knots they have in hand, how many prisoners are out."""
    middle = left + _TOWER / 2
    if lit:
        canvas.box(left + 16, 62, left + _TOWER - 16, 148, LAMP, 4)
        canvas.box(left + 20, 66, left + _TOWER - 20, 144, mix(LAMP, (120, 84, 32), 0.62), 3)
    else:
        canvas.box(left + 16, 62, left + _TOWER - 16, 148, INK, 4)
    canvas.mark(SEAT_MARKS[seat], middle - 28, 96, 22)
    canvas.text(middle + 25, 96, str(hand), 34, CHALK)
    for number in range(goal):
        x = middle + (number - (goal - 1) / 2) * 28
        canvas.disc(x, 133, 9.5, INK)
        if number < freed:
            canvas.disc(x, 133, 8, LAMP)
            canvas.area(outline("star", x, 133, 7), INK)
        else:
            canvas.disc(x, 133, 8, mix(INK, ASH, 0.35))


# ---------------------------------------------------------------------------------------------------- scene and sprites


@lru_cache(maxsize=4)
def _scene(floors: int, columns: int) -> tuple[Scene, _Grid]:
    grid = _Grid(floors, columns)
    ground = Canvas(WIDTH, HEIGHT, _SKY)
    _sky(ground)
    _towers(ground)
    _wall(ground, grid)
    sample = Canvas(WIDTH, 360, _NICHE)
    for seat in (0, 1):
        for number, look in enumerate(get_args(Look)):
            _knot(sample, 60 + 90 * number, 60 + 90 * seat, grid.radius, seat, look)
            _strand(sample, 440, 60 + 90 * seat, False, 60, SEAT_MARKS[seat].colour)
        _prisoner(sample, 560 + 90 * seat, 120, seat)
        _lamp_room(sample, 200 * seat, seat, True, 9, 1, 3)
    _sign(sample, grid, Opening(1, "left"), "plain")
    sample.box(0, 220, 400, 300, LAMP)
    sample.box(400, 220, 800, 300, ALARM)
    flat = (LAMP, ALARM, _NICHE, _JOINT, SEAT_MARKS[0].colour, SEAT_MARKS[1].colour)
    return Scene(ground.picture(), [sample.picture()], flat), grid


@dataclass(frozen=True)
class _Sprite:
    """A drawn piece and where its upper left corner belongs."""

    image: Image.Image
    left: int
    top: int

    def paste(self, sheet: Image.Image) -> None:
        sheet.paste(self.image, (self.left, self.top))


@lru_cache(maxsize=512)
def _knot_sprite(floors: int, columns: int, floor: int, column: int, seat: int, look: Look) -> _Sprite:
    scene, grid = _scene(floors, columns)
    x, y = grid.centre(floor, column)
    half = round(grid.cell * 0.43)
    canvas = scene.canvas(x - half, y - half, 2 * half, 2 * half)
    _knot(canvas, x, y, grid.radius, seat, look)
    return _Sprite(scene.sprite(canvas), x - half, y - half)


@lru_cache(maxsize=512)
def _strand_sprite(floors: int, columns: int, floor: int, column: int, upright: bool, seat: int, look: Look) -> _Sprite:
    """The strand from this knot to the one on its right, or above."""
    scene, grid = _scene(floors, columns)
    x, y = grid.centre(floor, column)
    x, y = (x, y - grid.cell // 2) if upright else (x + grid.cell // 2, y)
    gap = 2 * round(grid.cell / 2 - grid.radius + 4)
    width, height = (20, gap) if upright else (gap, 20)
    left, top = x - width // 2, y - height // 2
    canvas = scene.canvas(left, top, width, height)
    colour = SEAT_MARKS[seat].colour
    shade = {"lit": LAMP, "ghost": mix(colour, _NICHE, 0.72)}.get(look, colour)
    _strand(canvas, x, y, upright, gap, shade)
    return _Sprite(scene.sprite(canvas), left, top)


@lru_cache(maxsize=64)
def _sign_sprite(floors: int, columns: int, opening: Opening, look: Sign, owner: int = 0) -> _Sprite:
    scene, grid = _scene(floors, columns)
    x, y = grid.opening(opening)
    canvas = scene.canvas(x - 58, y - 27, 116, 54)
    _sign(canvas, grid, opening, look, owner)
    return _Sprite(scene.sprite(canvas), x - 58, y - 27)


@lru_cache(maxsize=32)
def _exit_sprite(floors: int, columns: int, column: int, guest: int | None) -> _Sprite:
    """A closed exit with its guest, or (guest None) an open one that may be chosen now."""
    scene, grid = _scene(floors, columns)
    x, top = grid.centre(1, column)[0], grid.top - 6
    canvas = scene.canvas(x - 42, top - 80, 84, 80)
    if guest is None:
        _exit(canvas, grid, column, LAMP)
    else:
        _prisoner(canvas, x, top, guest)
    return _Sprite(scene.sprite(canvas), x - 42, top - 80)


@lru_cache(maxsize=256)
def _tower_sprite(floors: int, columns: int, seat: int, lit: bool, hand: int, freed: int, goal: int) -> _Sprite:
    scene, _ = _scene(floors, columns)
    left = 0 if seat == 0 else WIDTH - _TOWER
    canvas = scene.canvas(left, 60, _TOWER, 90)
    _lamp_room(canvas, left, seat, lit, hand, freed, goal)
    return _Sprite(scene.sprite(canvas), left, 60)


@lru_cache(maxsize=128)
def _foot_sprite(floors: int, columns: int, words: str, alarm: bool) -> _Sprite:
    """The line below the wall."""
    scene, _ = _scene(floors, columns)
    top = _FOOT + 10
    canvas = scene.canvas(0, top, WIDTH, HEIGHT - top)
    canvas.text(_MIDDLE, (top + HEIGHT) / 2, words, 29, ALARM if alarm else CHALK)
    return _Sprite(scene.sprite(canvas), 0, top)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: RopeWallView) -> bytes:
    """Return the wall as a PNG, `WIDTH` by `HEIGHT`. The same view gives the same bytes. Safe in several threads."""
    scene, _ = _scene(view.floors, view.columns)
    sheet = scene.sheet()
    for sprite in _sprites(view):
        sprite.paste(sheet)
    return encode(sheet)


def _sprites(view: RopeWallView) -> Iterator[_Sprite]:
    size = view.floors, view.columns
    for seat in (0, 1):
        lit = view.winner == seat if view.phase == "over" else view.turn == seat
        yield _tower_sprite(*size, seat, lit, view.hands[seat], view.freed[seat], view.goal)
    for opening, look, owner in _signs(view):
        yield _sign_sprite(*size, opening, look, owner)
    for column, guest in enumerate(view.exits, start=1):
        if guest is not None:
            yield _exit_sprite(*size, column, guest)
        elif any(column in choice for choice in view.choices):
            yield _exit_sprite(*size, column, None)
    yield from _knots(view, size)
    words, alarm = _foot(view)
    yield _foot_sprite(*size, words, alarm)


def _signs(view: RopeWallView) -> Iterator[tuple[Opening, Sign, int]]:
    """The signs that differ from the ground; what is barred now goes before what just happened."""
    barred = view.barred[view.turn] if view.turn is not None and view.phase == "push" else ()
    for opening in barred:
        yield opening, "barred", 0
    if view.last_push is not None and view.last_push not in barred:
        yield view.last_push, "last", 0
    if view.ejected is not None and view.ejected not in barred and view.recent:
        yield view.ejected, "fell", view.recent[-1].fell or 0


def _knots(view: RopeWallView, size: tuple[int, int]) -> Iterator[_Sprite]:
    ended = view.last_wall is not None  # the round is over: what it left is shown faintly, until the next push
    wall: Wall = view.last_wall if view.last_wall is not None else view.wall
    lit = {cell for rope in view.ropes for cell in rope}
    links = {frozenset(pair) for rope in view.ropes for pair in pairwise(rope)}
    new = _newest(view)
    for floor, row in enumerate(wall, start=1):
        for column, seat in enumerate(row, start=1):
            if seat is None:
                continue
            here = (floor, column)
            look: Look = "lit" if here in lit else "ghost" if ended else "new" if here == new else "plain"
            yield _knot_sprite(*size, *here, seat, look)
    for floor, row in enumerate(wall, start=1):
        for column, seat in enumerate(row, start=1):
            for upright, there in ((False, (floor, column + 1)), (True, (floor + 1, column))):
                if seat is None or there[0] > view.floors or there[1] > view.columns:
                    continue
                if wall[there[0] - 1][there[1] - 1] == seat:
                    shines = frozenset(((floor, column), there)) in links
                    yield _strand_sprite(
                        *size, floor, column, upright, seat, "lit" if shines else "ghost" if ended else "plain"
                    )


def _newest(view: RopeWallView) -> tuple[int, int] | None:
    """The cell of the knot that was pushed in last: (floor, column) from 1."""
    if view.last_push is None:
        return None
    return view.last_push.floor, 1 if view.last_push.side == "left" else view.columns


def _foot(view: RopeWallView) -> tuple[str, bool]:
    """The line below the wall, and whether it is a warning."""
    if view.phase == "over":
        return ("NOBODY GOT AWAY" if view.winner is None else f"{SEAT_MARKS[view.winner].letter} ESCAPES"), False
    if view.phase == "choose":
        return "WHICH WAY OUT?", False
    if view.last_wall is not None:
        return f"ROUND {view.round} · THE WALL IS EMPTY NOW", False
    if view.full_turns_left is not None:
        return f"WALL FULL · {view.full_turns_left} MORE", True
    if view.pushes_left <= 10:
        return f"{view.pushes_left} PUSHES LEFT", True
    return f"ROUND {view.round}", False


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: RopeWallView, names: Sequence[str]) -> str:
    """Return the picture in words, the chief first, as many as an alt text holds."""
    return told(_sentences(view, [f"{name[:40]} ({SEAT_MARKS[seat].letter})" for seat, name in enumerate(names)]))


def _sentences(view: RopeWallView, names: Sequence[str]) -> Iterator[str]:
    if view.phase == "over":
        yield "The game is shared." if view.winner is None else f"{names[view.winner]} has won."
    elif view.turn is not None:
        yield f"{names[view.turn]} is to {'push' if view.phase == 'push' else 'choose an exit'}."
    yield f"Prisoners out: {names[0]} {view.freed[0]}, {names[1]} {view.freed[1]}, of {view.goal}."
    yield f"Round {view.round}."
    for rope in view.ropes:
        yield f"A rope shines: {', '.join(f'{floor}-{column}' for floor, column in rope)} (floor-column)."
    if any(seat is not None for row in view.wall for seat in row):
        yield "The wall from the top floor down, left to right, a dot for a gap:"
        for floor in range(view.floors, 0, -1):
            yield f"floor {floor}: {_row(view.wall, floor)};"
    else:
        yield "The wall is empty."
    if view.last_push is not None:
        yield f"Last push: {_code(view.last_push)}."
    if view.ejected is not None:
        yield f"A knot fell out at {_code(view.ejected)}."
    for seat in (0, 1):
        if view.barred[seat]:
            yield f"Barred for {names[seat]}: {', '.join(_code(opening) for opening in view.barred[seat])}."
    yield f"Knots in hand: {names[0]} {view.hands[0]}, {names[1]} {view.hands[1]}."
    closed = [
        f"{column} ({SEAT_MARKS[guest].letter})" for column, guest in enumerate(view.exits, 1) if guest is not None
    ]
    if closed:
        yield f"Exits closed by a prisoner: {', '.join(closed)}."


def _code(opening: Opening) -> str:
    return f"{opening.side[0].upper()}{opening.floor}"


def _row(wall: Wall, floor: int) -> str:
    return " ".join("." if seat is None else SEAT_MARKS[seat].letter for seat in wall[floor - 1])


def as_text(view: RopeWallView) -> str:
    """Return the wall as text of equal letter widths, at most 30 columns wide: A and B are knots, a dot is a gap,
    x marks an opening barred for whoever is to move, > and < the last push.
    """
    barred = view.barred[view.turn] if view.turn is not None else ()

    def sign(floor: int, side: Side) -> str:
        opening = Opening(floor, side)
        mark = "x" if opening in barred else (">" if side == "left" else "<") if opening == view.last_push else " "
        return f"{_code(opening)} {mark}" if side == "left" else f"{mark} {_code(opening)}"

    guests = " ".join(
        SEAT_MARKS[guest].letter if guest is not None else str(c) for c, guest in enumerate(view.exits, 1)
    )
    lines = [f"exits    {guests}"]
    lines += [
        f"{sign(floor, 'left')} [ {_row(view.wall, floor)} ] {sign(floor, 'right')}"
        for floor in range(view.floors, 0, -1)
    ]
    lines.append(f"out      A {view.freed[0]}  B {view.freed[1]}  of {view.goal}")
    lines.append(f"in hand  A {view.hands[0]}  B {view.hands[1]}")
    if view.turn is not None:
        lines.append(f"to {'move   ' if view.phase == 'push' else 'choose '}{SEAT_MARKS[view.turn].letter}")
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------------------- rules


@dataclass(frozen=True)
class _Lesson:
    """A small picture for the rules: a wall drawn from the top floor down, and what shines on it."""

    name: str
    wall: str
    alt: str
    lit: tuple[tuple[int, int], ...] = ()
    push: Opening | None = None
    fell: Opening | None = None
    barred: Opening | None = None


_LESSONS = (
    _Lesson(
        "push",
        ". . . . . / . . . . . / A A B . . / . . . . . / . B . . .",
        "On floor 3 a knot of A has just been pushed in from the left. It shoved A and B one step to the right.",
        push=Opening(3, "left"),
    ),
    _Lesson(
        "rope",
        ". . A . . / . . A . B / . A A . B / . A . B B / . A B . .",
        "A rope of A from floor 1 to floor 5: up column 2, sideways on floor 3, up column 3. It holds.",
        lit=((1, 2), (2, 2), (3, 2), (3, 3), (4, 3), (5, 3)),
    ),
    _Lesson(
        "straight",
        ". B . . . / . B . A . / . B B A . / . B . . . / . B A . .",
        "B has a straight column with a knot sticking out beside it. The way up never runs sideways: no rope.",
    ),
    _Lesson(
        "eject",
        ". . . . . / . . . . . / . . . . . / A B A B A / . B . A .",
        "Floor 2 was full. A pushed in from the left, and a knot of B fell out at R2: B may not use R2 next turn.",
        push=Opening(2, "left"),
        barred=Opening(2, "right"),
    ),
)


def draw_rules() -> Iterator[tuple[str, bytes, str]]:
    """Yield the pictures of the rules: name, PNG, alt text."""
    for lesson in _LESSONS:
        yield lesson.name, _draw_lesson(lesson), lesson.alt


@lru_cache(maxsize=8)
def _draw_lesson(lesson: _Lesson) -> bytes:
    rows = [[None if letter == "." else "AB".index(letter) for letter in row.split()] for row in lesson.wall.split("/")]
    wall = tuple(tuple(None if seat is None else Seat(seat) for seat in row) for row in reversed(rows))
    floors, columns = len(wall), len(wall[0])
    size = floors, columns
    scene, grid = _scene(*size)
    sheet = scene.sheet()
    view = RopeWallView(
        seat=None,
        waiting=(),
        stamp=0,
        floors=floors,
        columns=columns,
        wall=wall,
        hands=(0, 0),
        freed=(0, 0),
        exits=(None,) * columns,
        goal=3,
        round=1,
        phase="push",
        turn=None,
        barred=((), ()),
        choices=(),
        last_push=lesson.push,
        ejected=None,
        ropes=(lesson.lit,) if lesson.lit else (),
        full_turns_left=None,
        cancelled=0,
        winner=None,
    )
    for sprite in _knots(view, size):
        sprite.paste(sheet)
    if lesson.push is not None:
        _sign_sprite(*size, lesson.push, "last").paste(sheet)
    if lesson.barred is not None:
        _sign_sprite(*size, lesson.barred, "barred").paste(sheet)
    return encode(sheet.crop((0, grid.top - 60, WIDTH, _FOOT + 12)))
