"""The picture of Ausbrecher AG: cells, the corridor with its stacks and the last steps, the dice, the boats.

Prisoners differ by letter and colour; a ring with the letter shows where an open result would lead. `scenery` and
`boat_scenery` draw things; `strip_sprites`, `space_sprites` and `boat_sprites` have the sprites.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cogs.ausbrecher import scenery, space_sprites
from cogs.ausbrecher.boat_scenery import BOAT, SEA
from cogs.ausbrecher.boat_sprites import boat
from cogs.ausbrecher.end_picture import boat_sentences, draw_end, end_alt
from cogs.ausbrecher.ghost_path import ghost_paths, path_sentences, path_sprites
from cogs.ausbrecher.scenery import HEAD, Die, harbour, space_at, way
from cogs.ausbrecher.space_sprites import Step
from cogs.ausbrecher.strip_sprites import strip_sprites
from cogs.ausbrecher.words import LETTERS, loss_reason, moves_words, prisoner_name, result_words
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import WIDTH
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import clauses
from cogs.core.pages.page import join_within
from engine.games.ausbrecher import COLOURS, AusbrecherView, Colour, Move, OpenResult

_ROW = 6  # spaces per line of the text
_COLOURS = 144  # in the palette


# -------------------------------------------------------------------------------------------------------------- sprites


@lru_cache(maxsize=4)
def _palette(length: int) -> Palette:
    ground = Canvas(WIDTH, harbour(length) + BOAT, scenery.FLOOR)
    scenery.draw_ground(ground, length)
    sample = Canvas(WIDTH, 420, SEA)
    scenery.draw_sample(sample)
    rows = {space_at(number)[1] for number in range(1, length + 1)}
    bands = (HEAD, *rows, harbour(length))
    return Palette(ground.picture(), [sample.picture()], scenery.flat_colours(), _COLOURS, bands)


@drawn
def _plaque_sprite(length: int, number: int, lit: bool) -> PlacedBitmap:
    palette = _palette(length)
    x, y = space_at(number)
    canvas = palette.canvas(x + 7, y + 8, 36, 26)
    scenery.draw_space(canvas, number, lit)
    return PlacedBitmap(palette.bitmap(canvas), x + 7, y + 8)


@drawn
def _cell_sprite(length: int, colour: Colour, ghost: bool) -> PlacedBitmap:
    palette = _palette(length)
    x, y = scenery.cell_at(colour)
    canvas = palette.canvas(x, y, 102, 128)
    scenery.draw_cell(canvas, colour, "ghost" if ghost else "in")
    return PlacedBitmap(palette.bitmap(canvas), x, y)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: AusbrecherView, names: Sequence[str] = (), final: Sequence[int] = ()) -> bytes:
    """Return the race as a PNG `WIDTH` wide, or its end once it is over, with these names beside the seats' marks, and
    the `final` places if some players had left.

    The same arguments give the same bytes. Thread-safe.
    """
    if view.phase == "over":
        return draw_end(view, names, final)
    palette = _palette(view.length)
    sheet = palette.composition()
    sheet.placed += _race_sprites(view)
    sheet.placed += strip_sprites(palette, *_strip_sprites(view, names))
    return encode(sheet)


def _race_sprites(view: AusbrecherView) -> Iterator[PlacedBitmap]:
    """Yield everything below the strip: the cells, the spaces, the boats."""
    length, race = view.length, view.race
    palette, top = _palette(length), harbour(length)
    back, coming, boarding = _ghosts(view.results)
    yield from _cell_sprites(length, race.cells, back)
    paths = ghost_paths(view)
    # Beside the ways that may be gone now, those of the turn before would confuse.
    moves = view.turns[-1].moves if paths and view.turns else _last_moves(view)
    steps = _steps(moves)
    lit = {move.landing.space for move in moves if move.landing.fate == "space"}
    touched = lit | steps.keys() | coming.keys()
    for number, crew in enumerate(race.spaces, start=1):
        if crew or number in touched:
            content = SpaceContent(crew, tuple(coming.get(number, ())), tuple(steps.get(number, ())))
            yield from _space_sprites(length, number, content, number in lit)
    yield from path_sprites(palette, paths)
    for number, (crew, hold) in enumerate(zip(race.boats, race.holds, strict=True), start=1):
        yield from boat(palette, number, top, hold, crew, tuple(boarding.get(number, ())))


_Arrivals = dict[int, list[Colour]]
"""The prisoners who would come to each space or boat."""


def _ghosts(results: Sequence[OpenResult]) -> tuple[tuple[Colour, ...], _Arrivals, _Arrivals]:
    """Return where open results would lead: into cells, to spaces, into boats."""
    back: list[Colour] = []
    coming: _Arrivals = {}
    boarding: _Arrivals = {}
    for result in results:
        if result.resolved:
            continue
        there = result.landing
        match there.fate:
            case "space":
                coming.setdefault(there.space or 0, []).append(result.colour)
            case "boat":
                boarding.setdefault(there.boat or 0, []).append(result.colour)
            case "cell":
                back.append(result.colour)
    return tuple(back), coming, boarding


@lru_cache(maxsize=4_096)
def _cell_sprites(length: int, inside: tuple[Colour, ...], back: tuple[Colour, ...]) -> tuple[PlacedBitmap, ...]:
    """Yield the cells that hold a prisoner, or that one would return to."""
    ghosts = (colour for colour in COLOURS if colour in back and colour not in inside)
    return *(_cell_sprite(length, colour, False) for colour in inside), *(
        _cell_sprite(length, colour, True) for colour in ghosts
    )


class SpaceContent(NamedTuple):
    """The content of a space: a stack, the lowest first; those who would come; steps that have just left it."""

    crew: tuple[Colour, ...] = ()
    ghosts: tuple[Colour, ...] = ()
    steps: tuple[Step, ...] = ()


def _space_sprites(length: int, number: int, content: SpaceContent, lit: bool) -> Iterator[PlacedBitmap]:
    """Yield the content of a space, from below; `lit` if a prisoner has just come there."""
    palette = _palette(length)
    if content.steps:
        yield from space_sprites.step_sprites(palette, number, content.steps[: space_sprites.MOST_STEPS])
    if content.crew:
        yield from space_sprites.stack_sprites(palette, number, content.crew)
    for place, colour in enumerate(content.ghosts):
        yield space_sprites.arrival_sprite(palette, number, place, colour)
    yield _plaque_sprite(length, number, lit)


def _last_moves(view: AusbrecherView) -> tuple[Move, ...]:
    """Return the moves of the last turn that had any."""
    return next((turn.moves for turn in reversed(view.turns) if turn.moves), ())


def _steps(moves: Sequence[Move]) -> dict[int, list[Step]]:
    """Return the steps of these moves, by the space they left: down to the boats, up into a cell."""
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


def _strip_sprites(view: AusbrecherView, names: Sequence[str]) -> tuple[int | None, str, str, tuple[Die, ...]]:
    """Yield whose turn it is, their name, what they do, and the dice."""
    seat = view.turn
    name = names[seat] if names and seat is not None else ""
    shown: tuple[Die, ...] = tuple(
        (one.colour, one.pips, one.resolved, one.back, bool(loss_reason(one.landing))) for one in view.results
    )
    turn = view.turn_number
    match view.phase:
        case "forecast":
            given, total = len(view.given), len(view.forecasts)
            return None, "", _("MAKE YOUR FORECASTS · {given} OF {total} IN", given=given, total=total), ()
        case "roll":
            dice = 0 if view.choice is None else view.choice.plain
            words = ngettext("TURN {turn} · CHOOSES {n} DIE", "TURN {turn} · CHOOSES {n} DICE", dice, turn=turn)
            return seat, name, words, ()
        case "replace":
            white: Die = (None, view.white or 0, False, False, False)
            return seat, name, _("TURN {turn} · WHITE REPLACES …", turn=turn), (*shown, white)
        case "resolve" | "over":
            return seat, name, _("TURN {turn} · MOVES", turn=turn), shown


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: AusbrecherView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the picture in words, the most important first, as long as an alt text may be."""
    if view.phase == "over":
        return end_alt(view, names, final)
    return join_within(_sentences(view, names))


def _sentences(view: AusbrecherView, names: Sequence[str]) -> Iterator[str]:
    facts: dict[str, object] = {"player": names[view.turn or 0], "turn": view.turn_number}
    match view.phase:
        case "forecast":
            given, total = len(view.given), len(view.forecasts)
            yield _("Everyone makes a forecast; {given} of {total} are in.", given=given, total=total)
        case "roll":
            yield _("{player} chooses dice, turn {turn}.", **facts)
        case "replace":
            yield _("{player} chooses what the white die replaces, turn {turn}.", **facts)
        case "resolve" | "over":
            yield _("{player} moves, turn {turn}.", **facts)
    yield from (f"{result_words(one, prisoner_name(one.colour))}." for one in view.results if not one.resolved)
    yield from path_sentences(view)
    if view.white is not None:
        yield _("The white die shows {pips}.", pips=view.white)
    if moves := moves_words(_last_moves(view)):
        yield _("Last moves: {moves}.", moves=clauses(moves))
    yield from boat_sentences(view)
    for number, stack in reversed(list(enumerate(view.race.spaces, start=1))):
        place: dict[str, object] = {"space": number, "length": view.length, "prisoners": _listed(stack)}
        if len(stack) > 1:
            yield _("Space {space} of {length}, from the bottom: {prisoners}.", **place)
        elif stack:
            yield _("Space {space} of {length}: {prisoners}.", **place)
    if view.race.cells:
        yield _("In the cells: {prisoners}.", prisoners=_listed(view.race.cells))


def _listed(prisoners: Sequence[Colour]) -> str:
    return ", ".join(map(prisoner_name, prisoners))


def table_text(view: AusbrecherView) -> str:
    """Return the race as monospaced text, at most 34 columns wide. The uppermost of a stack is last."""
    cells = " ".join(LETTERS[colour] for colour in view.race.cells) or "-"
    lines = [f"{_('cells'):<7} {cells}"]
    for first in range(1, view.length + 1, _ROW):
        numbers = range(first, min(first + _ROW, view.length + 1))
        lines.append(" ".join(f"{number:>4}" for number in numbers))
        stacks = ["".join(LETTERS[colour] for colour in view.race.spaces[number - 1]) or "." for number in numbers]
        lines.append(" ".join(f"{stack:>4}" for stack in stacks))
    for number, crew in enumerate(view.race.boats, start=1):
        free = view.race.holds[number - 1] - len(crew)
        places = " ".join([LETTERS[colour] for colour in crew] + ["_"] * free)
        lines.append(f"{_('boat {boat}', boat=number):<7} {places}")
    lines += [result_words(result, LETTERS[result.colour]) for result in view.results if not result.resolved]
    if view.white is not None:
        lines.append(_("white die {pips}", pips=view.white))
    if view.turns_left > 0:
        lines.append(ngettext("at most {n} turn left", "at most {n} turns left", view.turns_left))
    return "\n".join(lines)
