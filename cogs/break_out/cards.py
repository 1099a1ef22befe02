"""The playing cards of Break-Out's pictures: six suits with prison emblems, Wilds, DRAW cards, backs.

No emblem has the shape of a seat's mark, and every card has its number, so that nothing depends on seeing colours. A
Wild in a meld shows its declared number and suit on a plate above its name.
"""

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.theme import CHALK, INK, LAMP, NIGHT, STONE, ink_on, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.i18n.translation import N_, _
from engine.games.break_out import DRAW, LETTERS, NATURAL, SUPER, WILD, Card, Face

PAINTS: dict[str, Paint] = {
    "r": (184, 48, 72),
    "b": (40, 108, 160),
    "y": (252, 252, 76),
    "g": (64, 216, 164),
    "o": (220, 132, 36),
    "v": (196, 144, 252),
}
PAPER: Paint = (248, 240, 220)
BACK: Paint = (136, 52, 64)
DRAW_RED: Paint = (172, 40, 52)
DARK: Paint = (40, 40, 60)  # the ground of a Wild

CARD = (66, 92)
"""The size of a card on the table."""

LARGE = (92, 128)
"""The size of a card in a hand."""

SMALL = (46, 64)
"""The size of a card where many are shown at once."""

NARROW = (36, 60)
"""The size of a card on a full table: its number and its emblem."""

LEAST = 18.5
"""The size of the smallest lettering: nine pixels on a phone of 390 pixels."""

Size = tuple[int, int]


# ------------------------------------------------------------------------------------------------------------- emblems


def _bell(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    canvas.disc(x, y - 0.78 * r, 0.22 * r, ink)
    dome = [(x + r * 0.62 * math.cos(turn), y - r * 0.1 - r * 0.68 * math.sin(turn)) for turn in _turns(0, math.pi, 16)]
    canvas.area(
        [*dome, (x - 0.72 * r, y + 0.4 * r), (x - r, y + 0.62 * r), (x + r, y + 0.62 * r), (x + 0.72 * r, y + 0.4 * r)],
        ink,
    )
    canvas.disc(x, y + 0.76 * r, 0.24 * r, ink)


def _key(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    canvas.box(x - 0.15 * r, y - 0.2 * r, x + 0.15 * r, y + r, ink)
    canvas.box(x, y + 0.72 * r, x + 0.6 * r, y + r, ink)
    canvas.box(x, y + 0.26 * r, x + 0.5 * r, y + 0.52 * r, ink)
    canvas.disc(x, y - 0.48 * r, 0.54 * r, ink)
    canvas.disc(x, y - 0.48 * r, 0.24 * r, ground)


def _moon(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    outer = [
        (x - 0.05 * r + r * math.cos(turn), y + r * math.sin(turn))
        for turn in _turns(math.radians(50), math.radians(310), 40)
    ]
    inner = [
        (x + 0.5 * r + r * 0.78 * math.cos(turn), y + r * 0.78 * math.sin(turn))
        for turn in _turns(math.radians(278), math.radians(82), 30)
    ]
    canvas.area([*outer, *inner], ink)


def _shovel(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    canvas.box(x - 0.46 * r, y - r, x + 0.46 * r, y - 0.74 * r, ink, 0.1 * r)
    canvas.box(x - 0.13 * r, y - 0.9 * r, x + 0.13 * r, y + 0.1 * r, ink)
    canvas.area(
        [
            (x - 0.56 * r, y - 0.06 * r),
            (x + 0.56 * r, y - 0.06 * r),
            (x + 0.54 * r, y + 0.5 * r),
            (x, y + 1.04 * r),
            (x - 0.54 * r, y + 0.5 * r),
        ],
        ink,
    )


def _padlock(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    canvas.disc(x, y - 0.36 * r, 0.58 * r, ink)
    canvas.disc(x, y - 0.36 * r, 0.32 * r, ground)
    canvas.box(x - 0.32 * r, y - 0.36 * r, x + 0.32 * r, y, ground)
    canvas.box(x - 0.58 * r, y - 0.36 * r, x - 0.32 * r, y, ink)
    canvas.box(x + 0.32 * r, y - 0.36 * r, x + 0.58 * r, y, ink)
    canvas.box(x - 0.8 * r, y - 0.14 * r, x + 0.8 * r, y + 0.94 * r, ink, 0.16 * r)
    canvas.disc(x, y + 0.3 * r, 0.19 * r, ground)
    canvas.box(x - 0.09 * r, y + 0.3 * r, x + 0.09 * r, y + 0.66 * r, ground)


def _cuffs(canvas: Canvas, x: float, y: float, r: float, ink: Paint, ground: Paint) -> None:
    canvas.line(
        [
            (x - 0.5 * r, y - 0.3 * r),
            (x - 0.1 * r, y - 0.72 * r),
            (x + 0.1 * r, y - 0.72 * r),
            (x + 0.5 * r, y - 0.3 * r),
        ],
        0.24 * r,
        ink,
    )
    for aside in (-1, 1):
        canvas.disc(x + 0.54 * r * aside, y + 0.28 * r, 0.52 * r, ink)
        canvas.disc(x + 0.54 * r * aside, y + 0.28 * r, 0.26 * r, ground)


def _turns(first: float, last: float, steps: int) -> list[float]:
    return [first + (last - first) * step / steps for step in range(steps + 1)]


_EMBLEMS: dict[str, Callable[[Canvas, float, float, float, Paint, Paint], None]] = {
    "r": _bell,
    "b": _key,
    "y": _moon,
    "g": _shovel,
    "o": _padlock,
    "v": _cuffs,
}


def draw_emblem(canvas: Canvas, suit: str, x: float, y: float, radius: float, ink: Paint, ground: Paint) -> None:
    """Draw a suit's emblem around (x, y): bell, key, moon, shovel, padlock, cuffs for red to violet."""
    _EMBLEMS[suit](canvas, x, y, radius, ink, ground)


# --------------------------------------------------------------------------------------------------------------- cards


LETTERING: dict[Face, str] = {
    # Translators: printed on the DRAW card.
    DRAW: N_("DRAW"),
    WILD: N_("WILD"),
    # Translators: printed on the Super Wild, in two lines.
    SUPER: N_("SUPER WILD"),
}
"""The words that are printed on cards."""


def lettering(face: Face) -> str:
    """Return the words that are printed on a card, for a reader."""
    return _(LETTERING[face]) if face in LETTERING else ""


def draw_card(canvas: Canvas, left: float, top: float, size: Size, card: Card, words: str | None = None) -> None:
    """Draw a card, face up, with these words printed on it; by default the English ones."""
    words = LETTERING.get(card.face, "") if words is None else words
    width, height = size
    if size == NARROW:
        _narrow(canvas, left, top, card, words)
        return
    unit = width / 66
    canvas.box(left, top, left + width, top + height, INK, 9 * unit)
    edge = LAMP if card.face not in NATURAL and card.wild and card.face != WILD else PAPER
    canvas.box(left + 1.6, top + 1.6, left + width - 1.6, top + height - 1.6, edge, 8 * unit)
    inset = 5 * unit
    field = PAINTS[card.face[0]] if card.face in NATURAL else DRAW_RED if card.face == DRAW else DARK
    canvas.box(left + inset, top + inset, left + width - inset, top + height - inset, field, 5 * unit)
    if card.face in NATURAL:
        _natural(canvas, left, top, unit, card.face)
    elif card.face == DRAW:
        _draw_card(canvas, left + width / 2, top, unit, words)
    else:
        _wild(canvas, left, top, unit, card, words)


def _narrow(canvas: Canvas, left: float, top: float, card: Card, words: str) -> None:
    """Draw a card of the size `NARROW`; a Wild has the number and the emblem that it represents, and its initial."""
    width, height = NARROW
    gold = card.face == SUPER
    canvas.box(left, top, left + width, top + height, INK, 6)
    canvas.box(left + 1.5, top + 1.5, left + width - 1.5, top + height - 1.5, LAMP if gold else PAPER, 5)
    number, suit = (card.stands or card.face)[-1], card.colour
    field = DARK if suit is None else PAINTS[suit]
    if card.face in NATURAL:
        canvas.box(left + 3.5, top + 3.5, left + width - 3.5, top + height - 3.5, field, 3)
        canvas.text(left + 15, top + 19, number, 29, ink_on(field))
        draw_emblem(canvas, suit or "", left + 15, top + 44, 9.5, ink_on(field), field)
        return
    canvas.box(left + 3.5, top + 3.5, left + width - 3.5, top + height - 3.5, DARK, 3)
    plate = STONE if suit is None else field
    canvas.box(left + 3.5, top + 3.5, left + width - 3.5, top + 35, plate, 3)
    canvas.text(left + (15 if suit is None else 11), top + 19, number, 27 if suit is None else 23, ink_on(plate))
    if suit is not None:
        draw_emblem(canvas, suit, left + 25, top + 19, 6.5, ink_on(plate), plate)
    canvas.text(left + 15, top + 47, words[:1], 21, LAMP if gold else CHALK)


def _natural(canvas: Canvas, left: float, top: float, unit: float, face: str) -> None:
    field = PAINTS[face[0]]
    if unit > 1:
        draw_emblem(canvas, face[0], left + 49 * unit, top + 75 * unit, 9.5 * unit, mix(field, INK, 0.2), field)
    canvas.text(left + 21 * unit, top + 25 * unit, face[1], 38 * unit, ink_on(field))
    draw_emblem(canvas, face[0], left + 21 * unit, top + 60 * unit, 12.5 * unit, ink_on(field), field)


def _draw_card(canvas: Canvas, middle: float, top: float, unit: float, words: str) -> None:
    draw_back(canvas, middle - 2 * unit, top + 13 * unit, (round(27 * unit), round(38 * unit)))
    canvas.text(middle - 11 * unit, top + 32 * unit, "+1", max(LEAST, 24 * unit), CHALK, halo=INK)
    _print(canvas, middle, top + 72 * unit, words, 18.5, unit, CHALK)


def _wild(canvas: Canvas, left: float, top: float, unit: float, card: Card, words: str) -> None:
    middle = left + 33 * unit
    gold = card.face != WILD
    if card.stands is None:
        for number, suit in enumerate(LETTERS):
            x, y = middle + 17 * unit * (number % 3 - 1), top + (19 + 20 * (number // 3)) * unit
            draw_emblem(canvas, suit, x, y, 8 * unit, PAINTS[suit], DARK)
    else:
        suit = card.colour or ""
        plate = PAINTS[suit] if suit else STONE
        canvas.box(left + 5 * unit, top + 5 * unit, left + 61 * unit, top + 47 * unit, plate, 5 * unit)
        aside = 13 if suit else 0
        canvas.text(middle - aside * unit, top + 26 * unit, card.stands[-1], 38 * unit, ink_on(plate))
        if suit:
            draw_emblem(canvas, suit, middle + 14 * unit, top + 26 * unit, 12 * unit, ink_on(plate), plate)
    if gold:
        *upper, lower = words.split(" ", 1)
        if upper:
            _print(canvas, middle, top + 57.5 * unit, upper[0], 16.5, unit, LAMP)
        _print(canvas, middle, top + 76 * unit, lower, 19, unit, LAMP)
    else:
        _print(canvas, middle, top + 67 * unit, words, 20, unit, CHALK)


def _print(canvas: Canvas, middle: float, y: float, words: str, size: float, unit: float, ink: Paint) -> None:
    """Print words on a card, smaller if they are too wide for it; only their initial if that cannot be read."""
    size *= unit
    while size > LEAST and text_width(words, size) > 58 * unit:
        size -= 0.5
    size = max(size, LEAST)
    canvas.text(middle, y, words if text_width(words, size) <= 63 * unit else words[:1], size, ink)


def draw_back(canvas: Canvas, left: float, top: float, size: Size) -> None:
    """Draw a face-down card: a barred window."""
    width, height = size
    unit = width / 66
    canvas.box(left, top, left + width, top + height, INK, 9 * unit)
    canvas.box(left + 1.6, top + 1.6, left + width - 1.6, top + height - 1.6, PAPER, 8 * unit)
    canvas.box(left + 5 * unit, top + 5 * unit, left + width - 5 * unit, top + height - 5 * unit, BACK, 5 * unit)
    canvas.box(left + 15 * unit, top + 17 * unit, left + width - 15 * unit, top + height - 17 * unit, NIGHT, 6 * unit)
    iron = mix(PAPER, BACK, 0.25)
    for bar in (-1, 0, 1):
        x = left + width / 2 + bar * 10.5 * unit
        canvas.box(x - 2 * unit, top + 17 * unit, x + 2 * unit, top + height - 17 * unit, iron)


@lru_cache(maxsize=16)
def card_mask(size: Size) -> Image.Image:
    """Return a mask of the card within its rectangle, to paste it with round corners."""
    shape = Canvas(*size, (0, 0, 0))
    shape.box(0, 0, *size, (255, 255, 255), 9 * size[0] / 66)
    mask = (
        shape.picture()
        .convert("L")
        .point(lambda level: 255 if level > 96 else 0)
        .convert("1", dither=Image.Dither.NONE)
    )
    mask.load()
    return mask
