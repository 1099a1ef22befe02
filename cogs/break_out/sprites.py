"""The parts of Break-Out's pictures: the palette, grounds, cached sprites, and melds laid out in rows.

All images have one byte per pixel and are read-only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image

from cogs.break_out import scenery
from cogs.break_out.cards import CARD, NARROW, Size, card_mask, draw_back, draw_card, lettering
from cogs.break_out.scenery import CELL, LOW_SKY, PORTRAIT, SKY, YARD, Inmate
from cogs.break_out.words import face_name
from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size, text_width
from cogs.core.drawing.composition import Bitmap, Composition
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import Side, centred, drawn, set_words
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, SEAT_MARKS, STONE, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import count, figure
from engine.contract import Seat
from engine.games.break_out import FACES, START, Card, Face, MeldView

FENCE = 58
"""The height of the Yard's upper edge."""

COLOURS = 88
"""The number of colours in the palette."""

_TILE = 240  # the period of the wall in pixels
_GAP = 8  # between two rows of melds
_IRON: Paint = mix(CELL, STONE, 0.45)


@lru_cache(maxsize=1)
def palette() -> Palette:
    """Return the palette of all pictures of the game; its ground is a strip of the Yard."""
    sample = Canvas(WIDTH, 600, YARD)
    scenery.draw_sample(sample)
    sky, wall = Canvas(WIDTH, SKY, INK), Canvas(WIDTH, _TILE, INK)
    scenery.draw_sky(sky)
    scenery.draw_wall(wall, _TILE)
    fence = Canvas(WIDTH, FENCE, YARD)
    scenery.draw_fence(fence, "JAIL YARD")
    samples = [drawn.picture() for drawn in (sample, sky, wall, fence)]
    return Palette(Canvas(WIDTH, 40, YARD).picture(), samples, (*scenery.flat_colours(), _IRON), COLOURS)


def blank(height: int, colour: Paint) -> Composition:
    """Return an empty sheet of this height in one colour."""
    return palette().blank(height, colour)


def fill(sheet: Composition, left: float, top: float, right: float, bottom: float, colour: Paint) -> None:
    """Fill a rectangle of a sheet."""
    sheet.fill(palette().index(colour), (round(left), round(top), round(right), round(bottom)))


def lay_wall(sheet: Composition, top: int, bottom: int) -> None:
    """Paste the wall on a sheet, from the sky down to `bottom`."""
    for y in range(top, bottom, _TILE):
        sheet.paste(_wall(min(_TILE, bottom - y)), (0, y))


@drawn
def _wall(height: int) -> Bitmap:
    """Return the wall's upper part of this height."""
    if height < _TILE:
        return Bitmap(_wall(_TILE).image.crop((0, 0, WIDTH, height)))
    canvas = Canvas(WIDTH, _TILE, INK)
    scenery.draw_wall(canvas, _TILE)
    return palette().bitmap(canvas)


# -------------------------------------------------------------------------------------------------------------- sprites


def card_sprite(card: Card, size: Size) -> Bitmap:
    """Return a card."""
    return _card(card, size, lettering(card.face))


@drawn
def _card(card: Card, size: Size, words: str) -> Bitmap:
    canvas = Canvas(*size, INK)
    draw_card(canvas, 0, 0, size, card, words)
    return palette().bitmap(canvas, card_mask(size))


@drawn
def label_sprite(words: tuple[str, ...], lit: bool, ground: Paint) -> Bitmap:
    """Return a meld's label."""
    canvas = Canvas(scenery.label_width(words), 60, ground, top=(CARD[1] - 60) / 2)
    scenery.draw_label(canvas, 0, 0, words, lit)
    return palette().bitmap(canvas)


def set_text(
    sheet: Composition, x: float, y: float, words: str, size: float, ink: Paint, ground: Paint, side: Side = "m"
) -> None:
    """Set text on a flat ground of a sheet; see `cogs.core.drawing.sprites`.

    Raises ValueError for a character that the font lacks.
    """
    set_words(sheet, palette(), x, y, words, size, ink, ground, side)


@lru_cache(maxsize=1)
def sky_ground() -> Image.Image:
    """Return the sky in full colour, to draw on."""
    canvas = Canvas(WIDTH, SKY, INK)
    scenery.draw_sky(canvas)
    return canvas.picture()


def lay_sky(sheet: Composition, pile: int, place: Face | None, shut: bool) -> None:
    """Paste the sky on a sheet, with the pile and the draw card's place at its right end."""
    sheet.paste(_sky(_supply_words()), (0, 0))
    if pile:
        sheet.paste(_pile(pile), (_PILE - 3, _SUPPLY_TOP - 3))
    if place is not None:
        sheet.paste(card_sprite(Card(place), CARD), (_PLACE, _SUPPLY_TOP))
    elif shut:
        sheet.paste(_back(CARD), (_PLACE, _SUPPLY_TOP))


def lay_low_sky(sheet: Composition, pile: int, place: Face | None, shut: bool) -> None:
    """Paste a low sky on a sheet, with the pile and the draw card's place at its right end."""
    sheet.paste(_low_sky(_supply_words(), pile), (0, 0))
    if place is not None:
        sheet.paste(card_sprite(Card(place), NARROW), (_LOW_PLACE, 2))
    elif shut:
        sheet.paste(_back(NARROW), (_LOW_PLACE, 2))


def _supply_words() -> scenery.SupplyWords:
    # Translators: lettering of the pictures, beside the card that can be taken next; at most two words.
    to_take = _("TO TAKE")
    return scenery.SupplyWords(_("PILE"), _("NONE"), to_take)


_LOW_PILE = WIDTH - 14 - NARROW[0]
_LOW_PLACE = _LOW_PILE - NARROW[0] - 14


@drawn
def _low_sky(words: scenery.SupplyWords, pile: int) -> Bitmap:
    canvas = Canvas(WIDTH, LOW_SKY, sky_ground().crop((0, 0, WIDTH, LOW_SKY)))
    scenery.draw_low_supply(canvas, _LOW_PILE, _LOW_PLACE, 2, words, pile)
    return palette().bitmap(canvas)


_SUPPLY_TOP = 12
_PILE = WIDTH - 14 - CARD[0]
_PLACE = _PILE - CARD[0] - 16

SUPPLY = 250
"""The width of the pile and the draw card's place, with their names."""


@drawn
def _sky(words: scenery.SupplyWords) -> Bitmap:
    canvas = Canvas(WIDTH, SKY, sky_ground())
    scenery.draw_supply(canvas, _PILE, _PLACE, _SUPPLY_TOP, words)
    return palette().bitmap(canvas)


@drawn
def _pile(cards: int) -> Bitmap:
    left, top, width, height = _PILE - 3, _SUPPLY_TOP - 3, CARD[0] + 3, CARD[1] + 3
    ground = sky_ground().crop((left, top, left + width, top + height))
    canvas = Canvas(width, height, ground, left=left, top=top)
    scenery.draw_pile(canvas, _PILE, _SUPPLY_TOP, cards)
    return palette().bitmap(canvas)


@drawn
def _back(size: Size) -> Bitmap:
    canvas = Canvas(*size, INK)
    draw_back(canvas, 0, 0, size)
    return palette().bitmap(canvas, card_mask(size))


@drawn
def sky_text(words: str, size: int, ink: Paint, y: int, left: int, seat: Seat | None) -> Bitmap:
    """Return a strip of the sky with text centred on the height `y`, after a seat's mark if one is given."""
    height = round(size * 1.4)
    top, first = y - height // 2, left + (36 if seat is not None else 0)
    right = min(WIDTH - SUPPLY, round(first + text_width(words, size)) + 6)
    ground = sky_ground().crop((left - 4, top, right, top + height))
    canvas = Canvas(right - left + 4, height, ground, left=left - 4, top=top)
    if seat is not None:
        canvas.mark(SEAT_MARKS[seat], left + 12, y, 13, letter=False)
    canvas.text(first, y, words, size, ink, anchor="lm")
    return palette().bitmap(canvas)


def fence_sprite(out: tuple[int, ...]) -> Bitmap:
    """Return the Yard's upper edge with the players who have broken out."""
    return _fence(out, _("JAIL YARD"))


@drawn
def _fence(out: tuple[int, ...], name: str) -> Bitmap:
    canvas = Canvas(WIDTH, FENCE, YARD)
    scenery.draw_fence(canvas, name)
    for place, seat in enumerate(reversed(out)):
        scenery.draw_runaway(canvas, WIDTH - 40 - 62 * place, FENCE, seat)
    return palette().bitmap(canvas)


# ---------------------------------------------------------------------------------------------------------------- cells


def paste_cell(
    sheet: Composition, left: int, top: int, width: int, inmate: Inmate, name: str, score: int, cards: int, status: str
) -> None:
    """Paste the upper part of a cell: its prisoner, their name, points and hand cards, and a status sign, which has a
    line of its own in a narrow cell.
    """
    sheet.paste(_cell(inmate, width, _("OUT")), (left, top))
    ground, x, right = inmate.ground, left + scenery.WORDS, left + width - 14
    points, narrow = figure(score), width < scenery.NARROW_CELL
    # Translators: lettering of the pictures, short for points; there is no golden icon, since the fewest points win.
    unit = _("pts")
    line = top + (48 if narrow else 29)
    if narrow and not inmate.light:  # before the line above it, whose ground is the same
        set_text(sheet, left + width - 10, top + 73, status, 19, ASH, ground, "r")
    set_text(sheet, right, line + 2, unit, 20, ASH, ground, "r")
    end = right - round(text_width(unit, 20)) - 6
    set_text(sheet, end, line, points, 24 if narrow else 30, CHALK, ground, "r")
    size = 23 if narrow else 27
    available = right - x - 26 if narrow else end - round(text_width(points, 30)) - 8 - (x + 26)
    if narrow:
        sheet.paste(_fan(min(cards, 2), ground), (x - 10, top + 32))
        set_text(sheet, x + 14 + 9 * min(cards, 2), line, str(cards), 22, CHALK if cards else ASH, ground, "l")
        right, foot = left + width - 10, top + 74
        most = right - x + 12
    else:
        fan, foot = min(cards, 3), top + 68
        sheet.paste(_fan(fan, ground), (x - 10, top + 50))
        words = str(cards) if inmate.light else count(cards, "card")
        set_text(sheet, x + 14 + 9 * fan, foot, words, 24, CHALK if cards else ASH, ground, "l")
        most = right - (x + 20 + 9 * fan + round(text_width(words, 24)))
    # The name comes after the line below it, whose ground reaches into it.
    name_y = top + scenery.name_height(width)
    set_text(sheet, x + 26, name_y, fitted_name(name, size, available), size, CHALK, ground, "l")
    if inmate.light:
        sign = _sign(status, inmate.light, ground, most, (19, 24) if narrow else (22, 31))
        sheet.paste(sign, (right + 2 - sign.width, foot - sign.height // 2))
    elif not narrow:
        set_text(sheet, right, foot, status, 22, ASH, ground, "r")


@drawn
def _cell(inmate: Inmate, width: int, out: str) -> Bitmap:
    canvas = Canvas(width, PORTRAIT, INK)
    scenery.draw_cell(canvas, 0, 0, width, PORTRAIT, inmate, out)
    return palette().bitmap(canvas)


@drawn
def _fan(cards: int, ground: Paint) -> Bitmap:
    canvas = Canvas(44, 36, ground)
    scenery.draw_fan(canvas, 0, 0, cards)
    return palette().bitmap(canvas)


@drawn
def _sign(words: str, light: scenery.Light, ground: Paint, most: int, sizes: tuple[int, int]) -> Bitmap:
    """Return a sign; `sizes` are the largest of its letters, and its height."""
    largest, height = sizes
    size = fitted_size(words, largest, most - 8)
    canvas = Canvas(min(most, round(text_width(words, size)) + 18), height, ground)
    scenery.draw_status(canvas, words, light, size)
    return palette().bitmap(canvas)


# ---------------------------------------------------------------------------------------------------------------- melds


@dataclass(frozen=True)
class _PlacedMeld:
    """A meld and the position of its label."""

    meld: MeldView
    left: int
    top: int
    squeeze: float  # the factor by which the steps between its cards are shortened


def label_words(name: int) -> tuple[str, ...]:
    """Return the text of a meld's label."""
    if name != START:
        return (str(name),)
    # Translators: lettering of the pictures; at most two words.
    return tuple(_("ROUND CARD").split(" ", 1))


def _steps(cards: Sequence[Card], size: Size) -> list[float]:
    """Return the distance from each card but the last to the next: a Wild is shown whole."""
    if size == NARROW:
        return [NARROW[0] - 2] * (len(cards) - 1)
    return [61 if card.wild else 38 for card in cards[:-1]]


def _width(cards: Sequence[Card], size: Size) -> float:
    return sum(_steps(cards, size)) + size[0]


@dataclass(frozen=True)
class MeldRows:
    """Melds laid out in rows, none of them split."""

    placed: tuple[_PlacedMeld, ...]
    size: Size
    bottom: int

    def paste(self, sheet: Composition, ground: Paint) -> None:
        """Paste the melds on a sheet whose ground there has this colour."""
        for one in self.placed:
            words = label_words(one.meld.id)
            label = label_sprite(words, one.meld.lit, ground)
            sheet.paste(label, (one.left, one.top + (self.size[1] - label.height) // 2))
            x: float = one.left + label.width + 6
            cards = one.meld.played
            steps = [step * one.squeeze for step in _steps(cards, self.size)]
            if one.meld.lit:
                right = x + sum(steps) + self.size[0]
                fill(sheet, x - 3, one.top - 3, right + 3, one.top + self.size[1] + 3, LAMP)
                fill(sheet, x, one.top, right, one.top + self.size[1], INK)
            for card, step in zip(cards, [*steps, 0.0], strict=True):
                sheet.paste(card_sprite(card, self.size), (round(x), one.top))
                x += step

    def boxes(self) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
        """Yield each meld's number, and its left, top, right and bottom edge."""
        for one in self.placed:
            lead = scenery.label_width(label_words(one.meld.id)) + 6
            width = sum(_steps(one.meld.played, self.size)) * one.squeeze + self.size[0]
            yield one.meld.id, (one.left, one.top, one.left + lead + width, one.top + self.size[1])


def lay_out_melds(
    melds: Sequence[MeldView], left: int, right: int, top: int, size: Size = CARD, overlap: float = 1.0
) -> MeldRows:
    """Lay out melds between `left` and `right`, from `top` down, with the steps between cards shortened by the factor
    `overlap`; one that is too long for a row is squeezed.
    """
    placed: list[_PlacedMeld] = []
    x, y = left, top
    for meld in melds:
        lead = scenery.label_width(label_words(meld.id)) + 6
        width = (_width(meld.played, size) - size[0]) * overlap + size[0]
        if x > left and x + lead + width > right:
            x, y = left, y + size[1] + _GAP
        available = right - left - lead
        squeeze = overlap if width <= available else overlap * (available - size[0]) / (width - size[0])
        placed.append(_PlacedMeld(meld, x, y, squeeze))
        x += round(lead + min(width, available)) + (8 if size == NARROW else 16)
    return MeldRows(tuple(placed), size, y + size[1] + _GAP if melds else top)


def lay_cell(sheet: Composition, left: int, top: int, right: int, bottom: int, *, bars: bool = True) -> None:
    """Draw the inside of a cell below its upper part: dark, with bars unless it is open."""
    fill(sheet, left, top, right, bottom, INK)
    fill(sheet, left + 2, top, right - 2, bottom - 2, STONE)
    fill(sheet, left + 6, top, right - 6, bottom - 6, CELL)
    for x in range(left + 28, right - 20, 42) if bars else ():
        fill(sheet, x, top, x + 5, bottom - 6, _IRON)


def melds_in(melds: Sequence[MeldView], seat: Seat) -> tuple[MeldView, ...]:
    """Return the melds in a seat's cell."""
    return tuple(meld for meld in melds if meld.cell == seat)


@cache
def faces() -> Mapping[str, bytes]:
    """Return every card as an emoji, by its name."""
    size = (92, 128)
    return {face_name(face): centred(card_sprite(Card(face), size), palette()) for face in FACES}
