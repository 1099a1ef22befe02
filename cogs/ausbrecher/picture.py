"""Ausbrecher AG as a picture: cells, the way through the prison with its stacks, the dice on the table, the boats.

Prisoners are told apart by letter and colour. Where an open result would lead somebody, a faint token waits there.
Views in, bytes and words out. May import `cogs.core.drawing`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from cogs.ausbrecher.words import LETTERS, count, whither
from cogs.core.drawing import (
    ASH,
    CHALK,
    INK,
    LAMP,
    NIGHT,
    SEAT_MARKS,
    STONE,
    WIDTH,
    Canvas,
    Scene,
    encode,
    mix,
    told,
)
from cogs.core.drawing import Colour as Paint
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Colour, OpenResult

PAINTS: dict[Colour, Paint] = {
    "red": (232, 72, 72),
    "orange": (252, 152, 48),
    "yellow": (252, 224, 72),
    "green": (72, 192, 96),
    "blue": (88, 152, 252),
    "violet": (168, 112, 236),
    "pink": (252, 168, 208),
}

HEIGHT = 800
_ROW = 6  # spaces in a section
_BOX = 124  # a space's width
_SPACE = 112  # and height
_LEFT = (WIDTH - _ROW * _BOX) // 2
_TRACK = 268  # the top of the first section
_BOATS = 640
_RADIUS = 25
_FLOOR: Paint = (60, 60, 76)
_PATH: Paint = (84, 84, 100)
_WATER: Paint = (24, 56, 84)
_CARD = 200  # the height of a forecast's picture
_RIGHT: Paint = (96, 212, 120)
_WRONG: Paint = (252, 92, 84)


@dataclass(frozen=True)
class _Sprite:
    """A drawn piece and where its upper left corner belongs."""

    image: Image.Image
    left: int
    top: int

    def paste(self, sheet: Image.Image) -> None:
        sheet.paste(self.image, (self.left, self.top))


# ----------------------------------------------------------------------------------------------------- where things are


def _cell(colour: Colour) -> tuple[int, int]:
    """The middle of a prisoner's cell."""
    return 62 + 113 * COLOURS.index(colour), 196


def _space(number: int) -> tuple[int, int]:
    """The upper left corner of a space. The way turns at the end of each section."""
    section, place = divmod(number - 1, _ROW)
    column = place if section % 2 == 0 else _ROW - 1 - place
    return _LEFT + _BOX * column, _TRACK + (_SPACE + 8) * section


def _boat(number: int) -> tuple[int, int]:
    """The upper left corner of a boat."""
    return 14 + 196 * (number - 1), _BOATS + 34


# -------------------------------------------------------------------------------------------------------- what is fixed


def _ground(length: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, NIGHT)
    canvas.box(0, 0, WIDTH, 118, mix(INK, NIGHT, 0.5))
    canvas.box(0, 118, WIDTH, _BOATS - 8, mix(_FLOOR, INK, 0.55))
    for colour in COLOURS:
        x, y = _cell(colour)
        canvas.box(x - 50, y - 62, x + 50, y + 46, INK, 10)
        canvas.box(x - 47, y - 59, x + 47, y + 43, mix(_FLOOR, INK, 0.2), 8)
        for bar in range(-2, 3):
            canvas.line([(x + 18 * bar, y - 58), (x + 18 * bar, y + 42)], 4, mix(STONE, INK, 0.25))
        canvas.text(x, y - 44, LETTERS[colour], 24, PAINTS[colour], halo=INK)
    for number in range(1, length):
        _passage(canvas, number)
    for number in range(1, length + 1):
        x, y = _space(number)
        canvas.box(x + 4, y + 2, x + _BOX - 4, y + _SPACE - 2, INK, 12)
        canvas.box(x + 7, y + 5, x + _BOX - 7, y + _SPACE - 5, _PATH if number % 2 else mix(_PATH, INK, 0.14), 10)
        canvas.text(x + 26, y + 24, str(number), 25, mix(CHALK, _PATH, 0.25))
    _landing_stage(canvas, length)
    return canvas


def _passage(canvas: Canvas, number: int) -> None:
    """The way from a space to the next."""
    (x, y), (u, v) = _space(number), _space(number + 1)
    middle = ((x + u) / 2 + _BOX / 2, (y + v) / 2 + _SPACE / 2)
    if y == v:
        canvas.box(middle[0] - 12, middle[1] - 15, middle[0] + 12, middle[1] + 15, _PATH)
    else:
        canvas.box(middle[0] - 15, middle[1] - 16, middle[0] + 15, middle[1] + 16, _PATH)


def _landing_stage(canvas: Canvas, length: int) -> None:
    canvas.box(0, _BOATS - 8, WIDTH, HEIGHT, _WATER)
    for wave in range(26):
        x, y = 20 + (wave * 137) % 760, _BOATS + 12 + (wave * 53) % 140
        canvas.line([(x - 16, y), (x, y - 4), (x + 16, y)], 3, mix(_WATER, CHALK, 0.14))
    x, y = _space(length)
    canvas.area(
        [
            (x + _BOX / 2 - 16, y + _SPACE - 2),
            (x + _BOX / 2 + 16, y + _SPACE - 2),
            (x + _BOX / 2 + 16, _BOATS - 8),
            (x + _BOX / 2 - 16, _BOATS - 8),
        ],
        mix(_PATH, INK, 0.1),
    )
    for number in range(1, 5):
        x, y = _boat(number)
        canvas.area([(x, y + 34), (x + 180, y + 34), (x + 156, y + 104), (x + 24, y + 104)], INK)
        canvas.area([(x + 5, y + 37), (x + 175, y + 37), (x + 152, y + 100), (x + 28, y + 100)], (120, 80, 56))
        canvas.text(x + 90, y + 84, f"BOAT {number}", 25, CHALK)
        seats = 1 if number == 4 else 2
        for seat in range(seats):
            at = _seat_in_boat(number, seat)
            canvas.disc(*at, _RADIUS, mix((120, 80, 56), INK, 0.45))


def _seat_in_boat(number: int, seat: int) -> tuple[int, int]:
    x, y = _boat(number)
    return (x + 90, y + 30) if number == 4 else (x + 58 + 64 * seat, y + 30)


# ------------------------------------------------------------------------------------------------------ what may change


def _token(canvas: Canvas, x: float, y: float, colour: Colour, ghost: bool = False, radius: float = _RADIUS) -> None:
    """A prisoner: a disc in its colour with its letter; a ghost is where it would be."""
    paint = PAINTS[colour]
    if ghost:
        canvas.disc(x, y, radius + 1, CHALK)
        canvas.disc(x, y, radius - 2, mix(paint, _PATH, 0.7))
        canvas.text(x, y, LETTERS[colour], radius * 1.05, mix(paint, CHALK, 0.45), halo=INK)
        return
    canvas.disc(x, y, radius + 2.5, INK)
    canvas.disc(x, y, radius, paint)
    canvas.disc(x, y, radius * 0.74, mix(paint, CHALK, 0.2))
    canvas.text(x, y, LETTERS[colour], radius * 1.15, INK)


def _stack(canvas: Canvas, left: float, top: float, crew: Sequence[Colour], ghosts: Sequence[Colour]) -> None:
    """A stack in a space: those who are covered as slabs, the one on top, who alone can move, as a token.

    Ghosts wait in the corner.
    """
    x, foot = left + _BOX * 0.46, top + _SPACE - 12
    slab = min(24.0, 46 / max(1, len(crew) - 1))
    for number, colour in enumerate(crew[:-1]):
        low = foot - slab * number
        canvas.box(x - 41, low - slab, x + 41, low, INK, 6)
        canvas.box(x - 39, low - slab + 1.5, x + 39, low - 1.5, mix(PAINTS[colour], INK, 0.12), 5)
        canvas.text(x, low - slab / 2, LETTERS[colour], min(24, slab), INK)
    if crew:
        _token(canvas, x, foot - slab * (len(crew) - 1) - _RADIUS - 1, crew[-1])
    for number, colour in enumerate(ghosts):
        _token(canvas, left + _BOX - 29 - 30 * (number // 2), top + 27 + 36 * (number % 2), colour, True, 17)


def _die(canvas: Canvas, x: float, y: float, paint: Paint, letter: str, pips: int, done: bool, back: bool) -> None:
    """A die with its number, and the letter of its prisoner below."""
    face = mix(paint, INK, 0.65) if done else paint
    canvas.box(x - 27, y - 27, x + 27, y + 27, INK, 11)
    canvas.box(x - 24, y - 24, x + 24, y + 24, face, 9)
    canvas.text(x, y, f"{'-' if back else ''}{pips}", 34, mix(INK, ASH, 0.4) if done else INK)
    canvas.text(x, y + 42, letter, 23, ASH if done else CHALK)


@lru_cache(maxsize=4)
def _scene(length: int) -> Scene:
    ground = _ground(length)
    sample = Canvas(WIDTH, 300, _PATH)
    for number, colour in enumerate(COLOURS):
        _token(sample, 50 + 100 * number, 50, colour)
        _token(sample, 50 + 100 * number, 120, colour, True)
        _die(sample, 50 + 100 * number, 190, PAINTS[colour], "R", 3, False, False)
        _die(sample, 100 + 100 * number, 190, PAINTS[colour], "R", 3, True, False)
    for seat, mark in enumerate(SEAT_MARKS):
        sample.mark(mark, 40 + 100 * seat, 270, 24)
    return Scene(ground.picture(), [sample.picture()], (*PAINTS.values(), _PATH, _WATER, LAMP))


@lru_cache(maxsize=512)
def _space_sprite(length: int, number: int, crew: tuple[Colour, ...], ghosts: tuple[Colour, ...]) -> _Sprite:
    scene = _scene(length)
    x, y = _space(number)
    canvas = scene.canvas(x + 7, y + 5, _BOX - 14, _SPACE - 10)
    _stack(canvas, x, y, crew, ghosts)
    return _Sprite(scene.sprite(canvas), x + 7, y + 5)


@lru_cache(maxsize=64)
def _cell_sprite(length: int, colour: Colour, ghost: bool) -> _Sprite:
    scene = _scene(length)
    x, y = _cell(colour)
    canvas = scene.canvas(x - 30, y - 22, 60, 62)
    _token(canvas, x, y + 8, colour, ghost)
    return _Sprite(scene.sprite(canvas), x - 30, y - 22)


@lru_cache(maxsize=256)
def _boat_sprite(length: int, number: int, crew: tuple[Colour, ...], ghosts: tuple[Colour, ...]) -> _Sprite:
    scene = _scene(length)
    x, y = _boat(number)
    canvas = scene.canvas(x, y - 6, 182, 76)
    waiting = [(colour, False) for colour in crew] + [(colour, True) for colour in ghosts]
    for place, (colour, ghost) in enumerate(waiting):
        seats = 1 if number == 4 else 2
        at = _seat_in_boat(number, min(place, seats - 1))
        _token(canvas, at[0] + 10 * max(0, place - seats + 1), at[1], colour, ghost)
    return _Sprite(scene.sprite(canvas), x, y - 6)


@dataclass(frozen=True)
class _Head:
    """What the strip on top shows."""

    seat: int | None
    words: str
    dice: tuple[tuple[Colour | None, int, bool, bool], ...] = ()  # colour (None: white), pips, done, back


@lru_cache(maxsize=256)
def _head_sprite(length: int, head: _Head) -> _Sprite:
    scene = _scene(length)
    canvas = scene.canvas(0, 0, WIDTH, 118)
    x = 34.0
    if head.seat is not None:
        canvas.disc(56, 59, 42, LAMP)
        canvas.disc(56, 59, 38, mix(INK, LAMP, 0.25))
        canvas.mark(SEAT_MARKS[head.seat], 56, 59, 25)
        x = 116.0
    canvas.text(x, 59, head.words, 34, CHALK, anchor="lm")
    for place, (colour, pips, done, back) in enumerate(reversed(head.dice)):
        paint, letter = ((244, 244, 248), "white") if colour is None else (PAINTS[colour], LETTERS[colour])
        _die(canvas, WIDTH - 48 - 76 * place, 46, paint, letter, pips, done, back)
    return _Sprite(scene.sprite(canvas), 0, 0)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: AusbrecherView) -> bytes:
    """Return the race as a PNG, `WIDTH` by `HEIGHT`. The same view gives the same bytes. Safe in several threads."""
    sheet = _scene(view.length).sheet()
    for sprite in _sprites(view):
        sprite.paste(sheet)
    return encode(sheet)


def _sprites(view: AusbrecherView) -> Iterator[_Sprite]:
    length, race = view.length, view.race
    open_results = [result for result in view.results if not result.resolved]
    ghosts = [(result.colour, _there(view, result)) for result in open_results]
    for colour in COLOURS:
        if colour in race.cells:
            yield _cell_sprite(length, colour, False)
        elif (colour, ("cell", 0)) in ghosts:
            yield _cell_sprite(length, colour, True)
    for number, crew in enumerate(race.spaces, start=1):
        there = tuple(colour for colour, place in ghosts if place == ("space", number))
        if crew or there:
            yield _space_sprite(length, number, crew, there)
    for number, crew in enumerate(race.boats, start=1):
        there = tuple(colour for colour, place in ghosts if place == ("boat", number))
        if crew or there:
            yield _boat_sprite(length, number, crew, there)
    yield _head_sprite(length, _head(view))


def _there(view: AusbrecherView, result: OpenResult) -> tuple[str, int]:
    """Where an open result would lead: the place and its number."""
    landing = result.landing
    match landing.fate:
        case "space":
            return "space", landing.space or 0
        case "boat":
            return "boat", landing.boat or 0
        case "cell":
            return "cell", 0
        case "covered" | "in-cell":
            return "nowhere", 0


def _head(view: AusbrecherView) -> _Head:
    turn = view.turns[-1] if view.turns else None
    match view.phase:
        case "forecast":
            return _Head(None, f"PLACE YOUR BETS · {len(view.given)} IN")
        case "over":
            return _Head(None, "THE RACE IS OVER")
        case "roll":
            dice = 0 if view.choice is None else view.choice.plain
            return _Head(view.turn, f"CHOOSES {dice} DICE")
        case "replace":
            shown = tuple((result.colour, result.pips, False, False) for result in view.results)
            return _Head(view.turn, "WHITE GOES …", (*shown, (None, view.white or 0, False, False)))
        case "resolve":
            shown = tuple((result.colour, result.pips, result.resolved, result.back) for result in view.results)
            number = "" if turn is None else f"TURN {turn.number}"
            return _Head(view.turn, number, shown)


@lru_cache(maxsize=1)
def _card_scene() -> Scene:
    ground = Canvas(WIDTH, _CARD, _WATER)
    for wave in range(18):
        x, y = 20 + (wave * 137) % 760, 14 + (wave * 53) % (_CARD - 30)
        ground.line([(x - 16, y), (x, y - 4), (x + 16, y)], 3, mix(_WATER, CHALK, 0.14))
    for number in range(1, 5):
        x = 14 + 196 * (number - 1)
        ground.area([(x, 104), (x + 180, 104), (x + 156, 186), (x + 24, 186)], INK)
        ground.area([(x + 5, 107), (x + 175, 107), (x + 152, 182), (x + 28, 182)], (120, 80, 56))
        ground.text(x + 90, 154, f"BOAT {number}", 27, CHALK)
    sample = Canvas(WIDTH, 120, _WATER)
    for number, colour in enumerate(COLOURS):
        _token(sample, 60 + 100 * number, 60, colour, radius=34)
    return Scene(ground.picture(), [sample.picture()], (*PAINTS.values(), _WATER, LAMP, _RIGHT, _WRONG))


@lru_cache(maxsize=256)
def _bet_sprite(boat: int, place: int, colour: Colour, verdict: bool | None) -> _Sprite:
    """A prisoner on a forecast: whether the bet has come true is known once it is aboard."""
    scene = _card_scene()
    x = 14 + 196 * (boat - 1) + (90 if boat == 4 else 50 + 80 * place)
    canvas = scene.canvas(x - 40, 18, 80, 88)
    _token(canvas, x, 66, colour, radius=34)
    if verdict is not None:
        canvas.disc(x + 25, 36, 15, INK)
        canvas.disc(x + 25, 36, 13, _RIGHT if verdict else _WRONG)
        ticks = [(18, 36), (23, 42), (32, 30)] if verdict else [(19, 30), (31, 42)]
        canvas.line([(x + dx, dy) for dx, dy in ticks], 4, INK)
        if not verdict:
            canvas.line([(x + 31, 30), (x + 19, 42)], 4, INK)
    return _Sprite(scene.sprite(canvas), x - 40, 18)


def draw_forecast(bets: Assignment, gained: Sequence[int | None]) -> bytes:
    """Return a forecast as a PNG: the four boats with who is bet on them, ticked or crossed once that is known."""
    sheet = _card_scene().sheet()
    places = [0] * 5
    for colour, boat, points in zip(COLOURS, bets, gained, strict=True):
        if boat:
            verdict = None if points is None else points > 0
            _bet_sprite(boat, min(places[boat], 1), colour, verdict).paste(sheet)
            places[boat] += 1
    return encode(sheet)


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: AusbrecherView, names: Sequence[str]) -> str:
    """Return the picture in words, the chief first, as many as an alt text holds."""
    return told(_sentences(view, names))


def _sentences(view: AusbrecherView, names: Sequence[str]) -> Iterator[str]:
    match view.phase:
        case "forecast":
            yield f"Everybody makes a forecast; {len(view.given)} of {len(view.forecasts)} are in."
        case "over":
            yield "The race is over."
        case "roll" | "replace" | "resolve":
            doing = {"roll": "chooses dice", "replace": "says what the white die replaces", "resolve": "moves"}
            yield f"{names[view.turn or 0][:40]} {doing[view.phase]}, turn {view.turn_number}."
    for result in view.results:
        if not result.resolved:
            sign = "back " if result.back else ""
            yield f"{result.colour} {sign}{result.pips}: {whither(result.landing)}."
    if view.white is not None:
        yield f"The white die shows {view.white}."
    for number, crew in enumerate(view.race.boats, start=1):
        if crew:
            yield f"Boat {number}: {', '.join(crew)}."
    for number, stack in reversed(list(enumerate(view.race.spaces, start=1))):
        if stack:
            yield f"Space {number} of {view.length}: {' under '.join(stack)}."
    if view.race.cells:
        yield f"In the cells: {', '.join(view.race.cells)}."


def as_text(view: AusbrecherView) -> str:
    """Return the race as text of equal letter widths, at most 34 columns wide. In a stack the uppermost is last."""
    lines = [f"cells   {' '.join(LETTERS[colour] for colour in view.race.cells) or '-'}"]
    for first in range(1, view.length + 1, _ROW):
        numbers = range(first, min(first + _ROW, view.length + 1))
        lines.append(" ".join(f"{number:>4}" for number in numbers))
        stacks = ["".join(LETTERS[colour] for colour in view.race.spaces[number - 1]) or "." for number in numbers]
        lines.append(" ".join(f"{stack:>4}" for stack in stacks))
    for number, crew in enumerate(view.race.boats, start=1):
        room = view.race.holds[number - 1] - len(crew)
        lines.append(f"boat {number}  {' '.join([LETTERS[colour] for colour in crew] + ['_'] * room)}")
    for result in view.results:
        if not result.resolved:
            sign = "-" if result.back else "+"
            lines.append(f"{LETTERS[result.colour]} {sign}{result.pips} {whither(result.landing)}")
    if view.white is not None:
        lines.append(f"white die {view.white}")
    lines.append(f"{count(max(view.turns_left, 0), 'turn')} left at most")
    return "\n".join(lines)
