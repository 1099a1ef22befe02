"""The picture of the Rope Wall: which sprites a view needs, and where.

Each player has a tower, lit and sending its beam while they are to move. Neighbouring knots of one colour are joined by
a strand; a finished rope is highlighted up to its exit. `words` has the alt text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from cogs.core.drawing.canvas import fitted_name
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.png import encode, encode_image
from cogs.core.drawing.theme import WIDTH
from cogs.core.i18n.translation import _, ngettext
from cogs.rope_wall import sprites
from cogs.rope_wall.end_picture import draw_end, draw_story, won_rounds
from cogs.rope_wall.rule_pictures import RULE_PICTURES, A, RulePicture
from cogs.rope_wall.scenery import FOOT, FOOT_SIZE, FOOT_TOP, NAME_SIZE, NAME_WIDTH, TOWER, Hatch, Look, Sign
from cogs.rope_wall.sprites import Size
from cogs.rope_wall.words import last_push, opposite_opening
from engine.contract import Seat
from engine.games.rope_wall import Opening, Pushed, RopeWallView, Wall

Cell = tuple[int, int]
"""A floor and a column, both from 1."""
Rope = tuple[Cell, ...]


# ------------------------------------------------------------------------------------------------------------- the wall


@dataclass(frozen=True)
class _WallDisplay:
    """What is shown on the wall, in the picture of a table or of the rules."""

    wall: Wall
    ropes: tuple[Rope, ...] = ()
    over: bool = False  # the wall belongs to the previous round: its knots are drawn faded
    push: Pushed | None = None
    new: Cell | None = None  # where the pushed knot lies
    moved: int = 0  # how many other knots the push moved, if known
    barred: tuple[Opening, ...] = ()
    exits: dict[int, Hatch | Seat] = field(default_factory=dict)  # columns whose exits are not simply closed
    letters: bool = False  # draw seat letters, for rules pictures without names

    @cached_property
    def size(self) -> Size:
        return len(self.wall), len(self.wall[0])

    @cached_property
    def within(self) -> Wall:
        """The wall with an empty border, so that floors and columns count from 1 and every cell has neighbours."""
        nothing = (None,) * (self.size[1] + 2)
        return nothing, *((None, *row, None) for row in self.wall), nothing

    @cached_property
    def lit(self) -> frozenset[Cell]:
        return frozenset(cell for rope in self.ropes for cell in rope)

    @cached_property
    def links(self) -> frozenset[frozenset[Cell]]:
        """Pairs of neighbours along the finished ropes."""
        return frozenset(frozenset(pair) for rope in self.ropes for pair in pairwise(rope))


def _pushed_cell(push: Pushed | None, columns: int) -> Cell | None:
    """Return the cell of the pushed knot."""
    return None if push is None else (push.floor, 1 if push.side == "left" else columns)


def _wall_display(view: RopeWallView) -> _WallDisplay:
    push = last_push(view)
    exits: dict[int, Hatch | Seat] = {column: "open" for choice in view.choices for column in choice}
    exits |= {column: guest for column, guest in enumerate(view.exits, start=1) if guest is not None}
    return _WallDisplay(
        wall=view.wall if view.last_wall is None else view.last_wall,
        ropes=view.ropes,
        over=view.last_wall is not None,
        push=push,
        new=_pushed_cell(push if view.last_wall is None else None, view.columns),
        # A floor with a gap does not show how far the push went; a knot that fell does.
        moved=view.columns - 1 if push is not None and push.fell is not None else 0,
        barred=view.barred[view.turn] if view.turn is not None and view.phase == "push" else (),
        exits=exits,
    )


def _wall_sprites(shown: _WallDisplay) -> Iterator[PlacedBitmap]:
    """Yield the signs and exits that differ from the ground, the knots, and on top the path of the last push."""
    ends = {rope[-1][1]: _at(shown, rope[-1]) for rope in shown.ropes}
    for column, look in sorted(shown.exits.items()):
        yield sprites.exit_sprite(shown.size, column, look, ends.get(column), shown.letters)
    for floor in range(1, shown.size[0] + 1):
        yield from _knot_sprites(shown, floor)
    yield from _sign_sprites(shown)
    if shown.push is not None:
        yield from _chevron_sprites(shown, shown.push)


def _in_cell(size: Size, cell: Cell, knot: sprites.Knot) -> PlacedBitmap:
    grid = sprites.background(size)[1]
    x, y = grid.centre(*cell)
    return PlacedBitmap(sprites.knot_sprite(size, knot), x - grid.cell // 2, y - grid.cell // 2)


def _knot_sprites(shown: _WallDisplay, floor: int) -> Iterator[PlacedBitmap]:
    """Yield the knots of a floor with the strands to their neighbours."""
    for column in range(1, shown.size[1] + 1):
        knot = _shown_knot(shown, (floor, column))
        if knot is not None:
            yield _in_cell(shown.size, (floor, column), knot)


def _at(shown: _WallDisplay, cell: Cell) -> Seat | None:
    return shown.within[cell[0]][cell[1]]


def _shown_knot(shown: _WallDisplay, cell: Cell) -> sprites.Knot | None:
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
    return sprites.Knot(seat, look, (left, right, above, below), shown.letters)


def _strand(shown: _WallDisplay, one: Cell, other: Cell) -> Look | None:
    """Return the look of the strand between two neighbours, or None."""
    seat = _at(shown, one)
    if seat is None or _at(shown, other) != seat:
        return None
    if shown.ropes and frozenset((one, other)) in shown.links:
        return "lit"
    return "faint" if shown.over else "plain"


def _sign_sprites(shown: _WallDisplay) -> Iterator[PlacedBitmap]:
    """Yield the signs that differ from the ground. "Barred" takes precedence over "just pushed into"."""
    signs: dict[Opening, tuple[Sign, Seat | None]] = {}
    if shown.push is not None:
        signs[Opening(shown.push.floor, shown.push.side)] = "last", None
        if shown.push.fell is not None:
            signs[opposite_opening(shown.push)] = "plain", shown.push.fell
    for opening in shown.barred:
        signs[opening] = "barred", signs.get(opening, ("plain", None))[1]
    for opening, (look, fell) in signs.items():
        yield sprites.sign_sprite(shown.size, opening, look, fell, shown.letters)


def _chevron_sprites(shown: _WallDisplay, push: Pushed) -> Iterator[PlacedBitmap]:
    """Yield a chevron for each knot that the last push moved, from its opening inward."""
    grid = sprites.background(shown.size)[1]
    floor, side = push.floor, push.side
    for step in range(shown.moved + 1):
        column = step if side == "left" else grid.columns - step
        strand = _strand(shown, (floor, column), (floor, column + 1))
        seat = None if strand is None else _at(shown, (floor, column))
        edge = min(column, 1) if column < grid.columns else column  # all inner borders look the same
        piece = sprites.chevron_sprite(shown.size, edge, side, seat, strand or "plain")
        yield PlacedBitmap(piece, grid.left + grid.cell * column - 10, grid.centre(floor, 1)[1] - 20)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: RopeWallView, names: Sequence[str] = ("", "")) -> bytes:
    """Return the table as a PNG 800 pixels wide, with these names on the towers; at the end the winning ropes.

    The same view gives the same bytes. Thread-safe.
    """
    palette = sprites.background((view.floors, view.columns))[0]
    if view.phase == "over" and won_rounds(view):
        return draw_end(view, names, palette)
    shown = _wall_display(view)
    sheet = palette.composition()
    sheet.placed += (*_frame(view, shown.size, names), *_wall_sprites(shown))
    return encode(sheet)


def draw_finale(view: RopeWallView, names: Sequence[str] = ("", "")) -> bytes | None:
    """Return the end of a game as an animated GIF; None if no round was won.

    The same view gives the same bytes. Thread-safe.
    """
    if view.phase != "over" or not won_rounds(view):
        return None
    return draw_story(view, names, sprites.background((view.floors, view.columns))[0])


def _frame(view: RopeWallView, size: Size, names: Sequence[str]) -> Iterator[PlacedBitmap]:
    """Yield the towers, the beam of the player to move or the winner, and the line below the wall."""
    active = view.winner if view.phase == "over" else view.turn
    if active is not None:
        yield sprites.beam_sprite(size, active)
    for seat in (0, 1):
        name = fitted_name(names[seat], NAME_SIZE, NAME_WIDTH)
        hand, freed = view.hands[seat], view.freed[seat]
        yield sprites.lamp_room_sprite(size, seat, seat == active, hand, freed, view.goal, not name)
        if name:
            yield sprites.name_sprite(size, seat, name)
    about = view.begins if view.phase == "interlude" else active
    yield from _foot_sprites(size, *_foot_words(view), about, "" if about is None else names[about])


FOOT_NAME_WIDTH = 240
"""The width reserved for a name in the line below the wall."""


@lru_cache(maxsize=4_096)
def _foot_sprites(size: Size, words: str, alarm: bool, seat: Seat | None, name: str) -> tuple[PlacedBitmap, ...]:
    """Yield the line below the wall, starting with the mark and name of the player it concerns."""
    piece = sprites.foot_sprite(size, words, alarm)
    if seat is None:
        return (PlacedBitmap(piece, (WIDTH - piece.width) // 2, FOOT_TOP),)
    available = WIDTH - 120 - piece.width
    whose = sprites.foot_player_sprite(size, seat, fitted_name(name, FOOT_SIZE, min(FOOT_NAME_WIDTH, available)))
    left = (WIDTH - whose.width - piece.width) // 2
    return PlacedBitmap(whose, left, FOOT_TOP), PlacedBitmap(piece, left + whose.width, FOOT_TOP)


def _foot_words(view: RopeWallView) -> tuple[str, bool]:
    """Return the text of the line below the wall, and whether it is a warning."""
    match view.phase:
        case "over":
            score = ":".join(str(freed) for freed in view.freed)
            if view.reason == "resigned":
                # Translators: follows the winner's name in the picture.
                return _("WINS BY RESIGNATION"), False
            if view.winner is None:
                return _("SHARED WIN {score}", score=score), False
            # Translators: follows the winner's name in the picture.
            return _("WINS {score}", score=score), False
        case "choose":
            # Translators: follows the player's name in the picture, as do the next ones.
            return _("CHOOSES THE EXIT"), False
        case "interlude":
            if view.cancelled:
                return _("ALSO STARTS ROUND {number}", number=view.round + 1), False
            return _("STARTS ROUND {number} AFTER LOSING", number=view.round + 1), False
        case "push":
            if view.last_wall is not None:
                return _("STARTS ROUND {number} · EMPTY WALL", number=view.round), False
            if view.full_turns_left is not None:
                left = view.full_turns_left
                return ngettext("TO PUSH · WALL FULL, {n} TURN LEFT", "TO PUSH · WALL FULL, {n} TURNS LEFT", left), True
            if view.pushes_left is not None and view.pushes_left <= 10:
                return ngettext("TO PUSH · {n} PUSH LEFT", "TO PUSH · {n} PUSHES LEFT", view.pushes_left), True
            if view.begins is None:
                return _("TO PUSH · ROUND {number}", number=view.round), False
            return _("STARTS ROUND {number}", number=view.round), False


# ---------------------------------------------------------------------------------------------------------------- rules


def draw_rules() -> Iterator[tuple[RulePicture, bytes]]:
    """Yield the pictures of the rules as PNG."""
    for drawing in RULE_PICTURES:
        yield drawing, _draw_rule_picture(drawing)


@lru_cache(maxsize=8)
def _draw_rule_picture(drawing: RulePicture) -> bytes:
    exits: dict[int, Hatch | Seat] = {}
    if drawing.prisoner is not None:
        exits[drawing.prisoner] = A
    if drawing.missed is not None:
        exits[drawing.missed] = "no"
    shown = _WallDisplay(
        drawing.wall,
        ropes=(drawing.rope,) if drawing.rope else (),
        push=drawing.push,
        new=_pushed_cell(drawing.push, len(drawing.wall[0])),
        moved=drawing.moved,
        barred=drawing.barred,
        exits=exits,
        letters=True,
    )
    palette, grid = sprites.background(shown.size)
    sheet = palette.composition()
    sheet.placed += _wall_sprites(shown)
    shown_sheet = sheet.image()
    if drawing.close_up:
        return encode_image(shown_sheet.crop((0, FOOT - 3 * grid.cell - 8, WIDTH, FOOT + 12)))
    margin = TOWER - 12
    return encode_image(shown_sheet.crop((margin, grid.top - 92, WIDTH - margin, FOOT + 12)))
