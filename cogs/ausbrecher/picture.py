"""Ausbrecher AG as a picture: cells, the corridor with its stacks and the last steps, the dice on the table, the boats.

Prisoners are told apart by letter and colour; where an open result would lead somebody, a ring with the letter waits
there. What things look like is in `scenery` and `crews`. Views in, bytes and words out. May import Pillow, `cogs.core`,
`engine` and its own package.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from cogs.ausbrecher import scenery
from cogs.ausbrecher.crews import BOAT, PAINTS, SEA, draw_boat
from cogs.ausbrecher.ending import draw_end, draw_forecast, end_alt
from cogs.ausbrecher.scenery import BOX, HEAD, SPACE, Die, Stand, Step, die_at, harbour, space_at, way
from cogs.ausbrecher.words import LETTERS, lost, moves_words, steps, whither
from cogs.core.drawing.alt_text import told
from cogs.core.drawing.caching import drawn
from cogs.core.drawing.canvas import Canvas, fitted_name, text_width
from cogs.core.drawing.encoding import encode
from cogs.core.drawing.sheets import Piece, Sprite
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import CHALK, LAMP, WIDTH
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.phrases import count, noun
from engine.games.ausbrecher import COLOURS, AusbrecherView, Colour, Move, OpenResult

__all__ = ["PAINTS", "alt", "as_text", "draw", "draw_end", "draw_forecast", "end_alt"]

_ROW = 6  # spaces on a line of the text
_COLOURS = 144  # in the palette
_EDGE = 2  # around a space


# -------------------------------------------------------------------------------------------------------------- sprites


@lru_cache(maxsize=4)
def _scene(length: int) -> Scene:
    ground = Canvas(WIDTH, harbour(length) + BOAT, scenery.FLOOR)
    scenery.draw_ground(ground, length)
    sample = Canvas(WIDTH, 420, SEA)
    scenery.draw_sample(sample)
    rows = {space_at(number)[1] for number in range(1, length + 1)}
    bands = (HEAD, *rows, harbour(length))
    return Scene(ground.picture(), [sample.picture()], scenery.flat_colours(), _COLOURS, bands)


@lru_cache(maxsize=1)
def _inside() -> Image.Image:
    """What of a space, within its edge, is nothing but the space: its corners are round, and lamps shine on them."""
    shape = Canvas(BOX - 2 * _EDGE, SPACE - 2 * _EDGE, (0, 0, 0))
    shape.box(0, 0, shape.width, shape.height, (255, 255, 255), scenery.ROUND)
    mask = shape.picture().convert("L").point(lambda level: 255 * (level == 255)).convert("1", dither=Image.Dither.NONE)
    mask.load()
    return mask


@drawn
def _steps_piece(length: int, number: int, steps: tuple[Step, ...]) -> Piece:
    return _on_space(length, number, lambda canvas: scenery.draw_steps(canvas, number, steps))


@drawn
def _stack_piece(length: int, number: int, crew: tuple[Colour, ...]) -> Piece:
    return _on_space(length, number, lambda canvas: scenery.draw_stack(canvas, number, crew))


@drawn
def _coming_piece(length: int, number: int, ghosts: tuple[Colour, ...]) -> Piece:
    return _on_space(length, number, lambda canvas: scenery.draw_coming(canvas, number, ghosts))


def _on_space(length: int, number: int, draw: Callable[[Canvas], None]) -> Piece:
    """Return what is drawn on the first or the second space, within its edge: but for their numbers, every other one is
    like it.
    """
    scene = _scene(length)
    x, y = space_at(number)
    canvas = scene.canvas(x + _EDGE, y + _EDGE, BOX - 2 * _EDGE, SPACE - 2 * _EDGE)
    draw(canvas)
    return scene.cut(canvas, _inside())


@drawn
def _plaque_sprite(length: int, number: int, lit: bool) -> Sprite:
    scene = _scene(length)
    x, y = space_at(number)
    canvas = scene.canvas(x + 7, y + 8, 36, 26)
    scenery.draw_space(canvas, number, lit)
    return Sprite(scene.sprite(canvas), x + 7, y + 8)


@drawn
def _cell_sprite(length: int, colour: Colour, ghost: bool) -> Sprite:
    scene = _scene(length)
    x, y = scenery.cell_at(colour)
    canvas = scene.canvas(x, y, 102, 128)
    scenery.draw_cell(canvas, colour, "ghost" if ghost else "in")
    return Sprite(scene.sprite(canvas), x, y)


@drawn
def _boat_sprite(length: int, number: int, hold: int, crew: tuple[Colour, ...], ghosts: tuple[Colour, ...]) -> Sprite:
    scene = _scene(length)
    x, y = scenery.boat_at(number, harbour(length))
    canvas = scene.canvas(x, y + 8, 194, BOAT - 8)
    draw_boat(canvas, x, y, number, hold, crew, ghosts)
    return Sprite(scene.sprite(canvas), x, y + 8)


@drawn
def _emblem_sprite(length: int, seat: int) -> Sprite:
    scene = _scene(length)
    canvas = scene.canvas(14, 8, 94, 98)
    scenery.draw_emblem(canvas, seat)
    return Sprite(scene.sprite(canvas), 14, 8)


@drawn
def _head_words(length: int, x: int, y: int, words: str, size: int, paint: Paint) -> Sprite:
    """Words on the strip, centred on the height `y`."""
    scene = _scene(length)
    left, top, half = x - 4, y - round(size * 0.75), round(size * 0.7)
    canvas = scene.canvas(left, top, round(text_width(words, size)) + 10, y + half - top)
    canvas.text(x, y, words, size, paint, anchor="lm")
    return Sprite(scene.sprite(canvas), left, top)


@drawn
def _die_sprite(length: int, place: int, die: Die) -> Sprite:
    scene = _scene(length)
    x = die_at(place)
    canvas = scene.canvas(x - 36, 10, 72, HEAD - 14)
    scenery.draw_die(canvas, x, 44, die)
    return Sprite(scene.sprite(canvas), x - 36, 10)


@drawn
def _moon_sprite(length: int) -> Sprite:
    scene = _scene(length)
    canvas = scene.canvas(WIDTH - 100, 8, 70, 70)
    scenery.draw_moon(canvas)
    return Sprite(scene.sprite(canvas), WIDTH - 100, 8)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: AusbrecherView, names: Sequence[str] = (), final: Sequence[int] = ()) -> bytes:
    """Return the race as a PNG `WIDTH` wide, and its end once it is over, with these names beside the seats' marks,
    and the `final` places where some had left.

    The same arguments give the same bytes. Safe in several threads.
    """
    if view.phase == "over":
        return draw_end(view, names, final)
    sheet = _scene(view.length).sheet()
    for sprite in _sprites(view, names):
        sprite.paste(sheet)
    return encode(sheet)


def _sprites(view: AusbrecherView, names: Sequence[str]) -> Iterator[Sprite]:
    length, race = view.length, view.race
    ghosts = [(result.colour, _there(result)) for result in view.results if not result.resolved]
    for colour in COLOURS:
        if colour in race.cells:
            yield _cell_sprite(length, colour, False)
        elif (colour, ("cell", 0)) in ghosts:
            yield _cell_sprite(length, colour, True)
    moves = _last_moves(view)
    steps = _steps(moves)
    lit = {move.landing.space for move in moves if move.landing.fate == "space"}
    for number, crew in enumerate(race.spaces, start=1):
        there = tuple(colour for colour, place in ghosts if place == ("space", number))
        stand = Stand(crew, there, tuple(steps.get(number, ())))
        yield from _space_sprites(length, number, stand, lit=number in lit)
    for number, crew in enumerate(race.boats, start=1):
        there = tuple(colour for colour, place in ghosts if place == ("boat", number))
        yield _boat_sprite(length, number, race.holds[number - 1], crew, there)
    yield from _head_sprites(length, *_head(view, names))


def _head_sprites(length: int, seat: int | None, name: str, words: str, dice: tuple[Die, ...]) -> Iterator[Sprite]:
    """The strip on top: whose turn it is, what they do, and the dice."""
    x, room = 30, WIDTH - 60 - 72 * len(dice)
    if seat is not None:
        yield _emblem_sprite(length, seat)
        x, room = 116, room - 90
    shown = fitted_name(name, 34, room)
    if shown:
        yield _head_words(length, x, 40, shown, 34, LAMP)
        yield _head_words(length, x, 82, words, 27, CHALK)
    else:
        yield _head_words(length, x, 56, words, 34, CHALK)
    for place, die in enumerate(reversed(dice)):
        yield _die_sprite(length, place, die)
    if not dice:
        yield _moon_sprite(length)


def _space_sprites(length: int, number: int, stand: Stand, *, lit: bool) -> Iterator[Sprite]:
    """What is on a space; `lit` if somebody has just come there."""
    left, top = (edge + _EDGE for edge in space_at(number))
    for piece in _pieces(length, 2 - number % 2, stand):
        yield Sprite(piece, left, top)
    if stand != Stand() or lit:
        yield _plaque_sprite(length, number, lit)


def _pieces(length: int, number: int, stand: Stand) -> Iterator[Piece]:
    """What is on the first or the second space, from below."""
    if stand.steps:
        yield _steps_piece(length, number, stand.steps)
    if stand.crew:
        yield _stack_piece(length, number, stand.crew)
    if stand.ghosts:
        yield _coming_piece(length, number, stand.ghosts)


def _last_moves(view: AusbrecherView) -> tuple[Move, ...]:
    """The moves of the last turn that had any."""
    return next((turn.moves for turn in reversed(view.turns) if turn.moves), ())


def _steps(moves: Sequence[Move]) -> dict[int, list[Step]]:
    """From which spaces somebody stepped on in these moves, and where to: down to the boats, up into a cell."""
    found: dict[int, list[Step]] = {}
    for move in moves:
        path = (move.start, *move.landing.trail)
        for start, end in pairwise(path):
            if start:
                found.setdefault(start, []).append(
                    (move.colour, way(start, start + (1 if end > start else -1)) if end else "up")
                )
        if move.landing.fate == "boat":
            found.setdefault(path[-1], []).append((move.colour, "down"))
    return found


def _there(result: OpenResult) -> tuple[str, int]:
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


def _head(view: AusbrecherView, names: Sequence[str]) -> tuple[int | None, str, str, tuple[Die, ...]]:
    """Whose turn it is, their name, what they do, and the dice."""
    seat = view.turn
    name = names[seat] if names and seat is not None else ""
    shown: tuple[Die, ...] = tuple(
        (one.colour, one.pips, one.resolved, one.back, bool(lost(one.landing))) for one in view.results
    )
    turn = f"TURN {view.turn_number}"
    match view.phase:
        case "forecast":
            return None, "", f"MAKE YOUR FORECASTS · {len(view.given)} OF {len(view.forecasts)} IN", ()
        case "roll":
            dice = 0 if view.choice is None else view.choice.plain
            return seat, name, f"{turn} · CHOOSES {dice} {noun(dice, 'DIE', 'DICE')}", ()
        case "replace":
            return seat, name, f"{turn} · WHITE REPLACES …", (*shown, (None, view.white or 0, False, False, False))
        case "resolve" | "over":
            return seat, name, f"{turn} · MOVES", shown


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: AusbrecherView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the picture in words, the chief first, as many as an alt text holds."""
    if view.phase == "over":
        return end_alt(view, names, final)
    return told(_sentences(view, names))


def _sentences(view: AusbrecherView, names: Sequence[str]) -> Iterator[str]:
    match view.phase:
        case "forecast":
            yield f"Everybody makes a forecast; {len(view.given)} of {len(view.forecasts)} are in."
        case "roll" | "replace" | "resolve" | "over":
            doing = {"roll": "chooses dice", "replace": "says what the white die replaces"}.get(view.phase, "moves")
            yield f"{names[view.turn or 0][:40]} {doing}, turn {view.turn_number}."
    for result in view.results:
        if not result.resolved:
            sign = "back " if result.back else ""
            yield f"{result.colour} {sign}{result.pips}: {whither(result.landing)}."
    if view.white is not None:
        yield f"The white die shows {view.white}."
    moves = moves_words(_last_moves(view))
    if moves:
        yield f"Last moves: {'; '.join(moves)}."
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
    left = [result for result in view.results if not result.resolved]
    lines += [f"{LETTERS[result.colour]} {steps(result)} {whither(result.landing)}" for result in left]
    if view.white is not None:
        lines.append(f"white die {view.white}")
    lines.append(f"{count(max(view.turns_left, 0), 'turn')} left at most")
    return "\n".join(lines)
