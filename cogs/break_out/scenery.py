"""Drawing functions of Break-Out: a night sky, a wall with the players' cells, the Jail Yard below it.

Each function draws one thing on a canvas. Nothing here knows a view: `cogs.break_out.picture` and `.score_sheet` decide
what is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from cogs.break_out.cards import BACK, CARD, DARK, DRAW_RED, NARROW, PAINTS, PAPER, SMALL, draw_back, draw_card
from cogs.core.drawing.canvas import Canvas, fitted_size, outline, text_width
from cogs.core.drawing.people import SKIN, draw_arms_up, draw_body, draw_head
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from engine.games.break_out import DRAW, LETTERS, SUPER, WILD, Card

YARD: Paint = (48, 56, 52)
"""The ground of the Yard, under the cards."""

CELL: Paint = (28, 28, 40)
"""The ground of a cell."""

WARM: Paint = (88, 68, 40)
"""The ground behind the player to move."""

GREEN: Paint = (92, 204, 124)
GOLD: Paint = (244, 196, 88)

SKY = 116
"""The height of the sky at the top."""

LOW_SKY = 64
"""The height of the sky above a full table."""

TITLE: Paint = (20, 24, 36)
"""The ground of the title of the end."""

PORTRAIT = 92
"""The height of a cell without melds, and the width of its window."""

WORDS = PORTRAIT + 14
"""The x of a cell's text, from its left edge."""

NARROW_CELL = 300
"""The width below which a cell has three lines beside its window."""

_BRICK: Paint = (84, 76, 84)
_JOINT: Paint = (40, 40, 52)
_HORIZON: Paint = (44, 52, 92)
_MOON: Paint = (240, 236, 212)

Light = Literal["", "turn", "call"]
"""The light of a cell: off, it is its owner's turn, or its owner can be challenged."""


# --------------------------------------------------------------------------------------------------------- static parts


def draw_sky(canvas: Canvas, height: int = SKY) -> None:
    """Draw the night sky with a moon, and the Warden's tower at the left."""
    for top in range(0, height, 8):
        canvas.box(0, top, WIDTH, min(top + 8, height), mix(INK, _HORIZON, top / height))
    dice = Random(1973)
    for _ in range(12):
        x, y, size = dice.randrange(150, WIDTH), dice.randrange(height - 16), dice.choice((0.8, 1.1, 1.6))
        canvas.disc(x, y, size, mix(ASH, NIGHT, 0.3))
    canvas.area([(112, 50), (470, 0), (640, 0), (112, 72)], LAMP, 22)
    canvas.area([(112, 54), (500, 6), (600, 6), (112, 68)], LAMP, 22)
    canvas.area([(14, 42), (66, 4), (118, 42)], mix(INK, SLATE, 0.6))
    canvas.box(22, 42, 110, 84, INK, 3)
    canvas.box(26, 46, 106, 80, GOLD, 2)
    for x in (46, 66, 86):
        canvas.box(x - 2, 46, x + 2, 80, INK)
    canvas.box(12, 82, 120, 92, mix(_BRICK, SLATE, 0.4), 3)
    canvas.box(28, 92, 104, height, mix(_BRICK, INK, 0.35))


def draw_wall(canvas: Canvas, height: int) -> None:
    """Draw bricks in slightly varying shades, the same in every run."""
    dice = Random(1974)
    canvas.box(0, 0, WIDTH, height, _JOINT)
    for number, y in enumerate(range(0, height, 40)):
        x = -50 * (number % 2)
        while x < WIDTH:
            shade = mix(_BRICK, INK, dice.choice((0.16, 0.24, 0.32)))
            canvas.box(x + 1, y + 1, x + 99, min(y + 39, height), shade)
            x += 100


def draw_fence(canvas: Canvas, name: str) -> None:
    """Draw the upper edge of the Yard: barbed wire between posts, and a sign with its name."""
    canvas.box(0, 0, WIDTH, 8, mix(_BRICK, SLATE, 0.3))
    canvas.box(0, 8, WIDTH, 58, mix(YARD, INK, 0.25))
    steel = mix(YARD, ASH, 0.45)
    for y in (22, 40):
        canvas.line([(0, y), (WIDTH, y)], 2, steel, caps=False)
        for x in range(12, WIDTH, 40):
            canvas.line([(x - 4, y - 4), (x + 4, y + 4)], 2, steel, caps=False)
            canvas.line([(x - 4, y + 4), (x + 4, y - 4)], 2, steel, caps=False)
    for x in range(250, WIDTH, 130):
        canvas.box(x - 4, 10, x + 4, 58, INK)
        canvas.box(x - 2.5, 11, x + 2.5, 58, STONE)
    width = text_width(name, 28) + 36
    canvas.box(12, 12, 12 + width, 50, INK, 8)
    canvas.box(14, 14, 10 + width, 48, PAPER, 7)
    canvas.text(12 + width / 2, 31, name, 28, INK)


# -------------------------------------------------------------------------------------------------------- dynamic parts


@dataclass(frozen=True)
class Inmate:
    """The top of a player's cell, without their name, points and cards."""

    seat: int
    out: bool
    light: Light

    @property
    def ground(self) -> Paint:
        """The flat ground of the cell, beside the window."""
        return {"": CELL, "turn": mix(CELL, WARM, 0.5), "call": mix(CELL, ALARM, 0.18)}[self.light]


def name_height(width: float) -> int:
    """Return the y of the name in a cell of this width."""
    return 23 if width < NARROW_CELL else 29


def draw_cell(
    canvas: Canvas, left: float, top: float, right: float, bottom: float, inmate: Inmate, out: str = "OUT"
) -> None:
    """Draw a cell: the window with its prisoner and the owner's mark. Text is set on its ground. `out` is the lettering
    of an open door.
    """
    edge = {"": mix(STONE, INK, 0.3), "turn": LAMP, "call": ALARM}[inmate.light]
    canvas.box(left, top, right, bottom, INK)
    canvas.box(left + 2, top + 2, right - 2, bottom - 2, edge)
    canvas.box(left + 6, top + 6, right - 6, bottom - 6, inmate.ground)
    _window(canvas, left + 6, top + 6, left + PORTRAIT - 6, top + PORTRAIT - 6, inmate, out)
    canvas.mark(SEAT_MARKS[inmate.seat], left + WORDS + 4, top + name_height(right - left), 14, letter=False)


def _window(canvas: Canvas, left: float, top: float, right: float, bottom: float, inmate: Inmate, out: str) -> None:
    """The prisoner behind bars, or the open door if they have broken out."""
    middle, mark = (left + right) / 2, SEAT_MARKS[inmate.seat]
    canvas.box(left, top, right, bottom, INK)
    if inmate.out:
        canvas.box(left + 2, top + 2, right - 2, bottom - 2, mix(_HORIZON, INK, 0.2))
        canvas.disc(right - 18, top + 17, 8, _MOON)
        canvas.area(
            [(left + 2, bottom - 16), (right - 2, bottom - 24), (right - 2, bottom - 2), (left + 2, bottom - 2)], YARD
        )
        canvas.area([(left + 2, top + 2), (left + 26, top + 10), (left + 26, bottom - 8), (left + 2, bottom - 2)], INK)
        canvas.area(
            [(left + 4, top + 5), (left + 24, top + 12), (left + 24, bottom - 11), (left + 4, bottom - 5)], STONE
        )
        for bar in (9, 14, 19):
            canvas.box(left + bar - 1, top + 14, left + bar + 1, bottom - 16, INK)
        canvas.text(middle + 12, bottom - 27, out, fitted_size(out, 23, right - left - 26), GREEN, halo=INK)
        return
    lit = inmate.light == "turn"
    canvas.box(left + 2, top + 2, right - 2, bottom - 2, GOLD if lit else mix(CELL, STONE, 0.25))
    draw_body(canvas, middle, top + 52, 44, bottom - 2)
    mood = {"turn": "glad", "call": "shocked", "": "calm"}
    draw_head(canvas, middle, top + 32, 18, mark.colour, mood[inmate.light])  # type: ignore[arg-type]
    for x in (middle - 32, middle - 17, middle + 17, middle + 32):  # none in front of the eyes
        canvas.box(x - 3, top + 2, x + 3, bottom - 2, INK)
        canvas.box(x - 2, top + 2, x + 1.5, bottom - 2, mix(STONE, ASH, 0.5))


def draw_fan(canvas: Canvas, left: float, top: float, cards: int) -> None:
    """Draw at most three face-down cards of a hand; each shows nine pixels of the one below it."""
    for number in range(min(cards, 3)):
        x = left + 9 * number
        canvas.box(x, top + 1, x + 24, top + 35, INK, 4)
        canvas.box(x + 2, top + 3, x + 22, top + 33, PAPER, 3)
        canvas.box(x + 4, top + 5, x + 20, top + 31, BACK)


def draw_status(canvas: Canvas, words: str, light: Light, size: int = 22) -> None:
    """Fill a canvas with a lit sign: what a player does, or what can be done to them."""
    canvas.box(0, 0, canvas.width, canvas.height, LAMP if light == "turn" else ALARM, 7)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, INK)


def draw_runaway(canvas: Canvas, x: float, foot: float, seat: int) -> None:
    """Draw a player in the Yard, arms up."""
    draw_arms_up(canvas, x, foot - 16, 26, SEAT_MARKS[seat].colour)
    draw_body(canvas, x, foot - 18, 26, foot)
    draw_head(canvas, x, foot - 31, 11, SEAT_MARKS[seat].colour, "glad")


def draw_escape(
    canvas: Canvas, height: int, winners: Sequence[int], losers: Sequence[int], *, leaving: bool = False
) -> None:
    """Draw the end: the winners run free under the moon, or are only just `leaving` through the hole in the wall; the
    others look on through the prison's bars.
    """
    foot = height - 34
    canvas.box(0, 0, WIDTH, 84, TITLE)
    for top in range(84, height, 10):
        canvas.box(0, top, WIDTH, min(top + 10, height), mix(TITLE, _HORIZON, min(1.0, (top - 74) / (foot - 84))))
    dice = Random(1975)
    for _ in range(40):
        canvas.disc(dice.randrange(WIDTH), dice.randrange(80, foot - 60), dice.choice((0.8, 1.1, 1.6)), ASH)
    canvas.disc(706, 44, 34, _MOON)
    canvas.disc(720, 34, 29, TITLE)
    canvas.area([(0, foot + 6), (WIDTH, foot - 16), (WIDTH, height), (0, height)], YARD)
    _prison(canvas, foot, losers)
    if leaving:
        for place, seat in enumerate(winners):
            _winner(canvas, 386 + 46 * place, foot, 27, seat, alone=False)
        return
    across = 320 / max(1, len(winners))
    size = min(58.0, across * 0.42)
    for place, seat in enumerate(winners):
        _winner(canvas, 450 + across * (place + 0.5), foot - 2, size, seat, len(winners) == 1)


def _prison(canvas: Canvas, foot: int, losers: Sequence[int]) -> None:
    """The wall with a window for each player who stays, and the hole through which the others left."""
    top = 100
    canvas.box(0, top - 12, 420, top + 4, mix(_BRICK, SLATE, 0.35))
    for merlon in range(0, 420, 44):
        canvas.box(merlon, top - 24, merlon + 26, top - 8, mix(_BRICK, SLATE, 0.35))
    dice = Random(1976)
    for number, y in enumerate(range(top + 4, foot + 8, 26)):
        x = -30 * (number % 2)
        while x < 420:
            shade = mix(_BRICK, INK, dice.choice((0.12, 0.2, 0.28)))
            canvas.box(x, y, 420, min(y + 26, foot + 8), _JOINT)
            canvas.box(x + 1, y + 1, min(x + 59, 419), min(y + 25, foot + 8), shade)
            x += 60
    hole = [(352, foot + 8), (344, foot - 50), (358, foot - 92), (388, foot - 104), (420, foot - 96), (420, foot + 8)]
    canvas.area(hole, INK)
    for place, seat in enumerate(losers):
        x, y = 62 + 104 * (place % 3), top + 56 + 94 * (place // 3)
        _onlooker(canvas, x, y, seat)


def _onlooker(canvas: Canvas, x: float, y: float, seat: int) -> None:
    canvas.box(x - 42, y - 40, x + 42, y + 40, INK, 6)
    canvas.box(x - 38, y - 36, x + 38, y + 36, CELL, 4)
    draw_body(canvas, x, y + 18, 46, y + 36)
    draw_head(canvas, x, y - 4, 19, SEAT_MARKS[seat].colour, "grim")
    for aside in (-31, -17, 17, 31):
        canvas.box(x + aside - 3, y - 36, x + aside + 2, y + 36, INK)
        canvas.box(x + aside - 2, y - 36, x + aside + 1, y + 36, mix(STONE, ASH, 0.5))
    canvas.mark(SEAT_MARKS[seat], x + 34, y + 32, 11, letter=False)


def _winner(canvas: Canvas, x: float, foot: float, size: float, seat: int, alone: bool) -> None:
    """A winner, about three `size` high, arms up, with the seat's mark on the chest."""
    mark = SEAT_MARKS[seat]
    for aside in (-1, 1):
        canvas.line([(x + aside * size * 0.3, foot - size * 0.7), (x + aside * size * 0.42, foot)], size * 0.42, INK)
        canvas.line([(x + aside * size * 0.3, foot - size * 0.7), (x + aside * size * 0.42, foot)], size * 0.32, SLATE)
    draw_arms_up(canvas, x, foot - size * 1.62, size * 1.15, mark.colour)
    draw_body(canvas, x, foot - size * 1.85, size * 1.15, foot - size * 0.55)
    draw_head(canvas, x, foot - size * 2.4, size * 0.5, mark.colour, "glad")
    canvas.mark(mark, x, foot - size * 1.2, size * 0.34, letter=False)
    if alone:
        for beside, above in ((-2.3, 2.3), (2.3, 2.1), (-1.9, 0.9), (2.0, 0.7)):
            canvas.area(outline("star", x + beside * size, foot - above * size, 11), LAMP)


def draw_label(canvas: Canvas, left: float, top: float, words: tuple[str, ...], lit: bool) -> None:
    """Draw a meld's label: its number, or its name in one or two lines; `lit` if it has just been touched."""
    width = label_width(words)
    number_only = words[0].isdecimal()
    half = 22 if len(words) == 1 else 28
    middle = top + CARD[1] / 2
    canvas.box(left, middle - half, left + width, middle + half, INK, 8)
    canvas.box(left + 2, middle - half + 2, left + width - 2, middle + half - 2, LAMP if lit else SLATE, 7)
    size = 27 if number_only else 20
    for number, word in enumerate(words):
        y = middle + (number - (len(words) - 1) / 2) * 24
        canvas.text(left + width / 2, y, word, size, INK if lit else CHALK)


def label_width(words: tuple[str, ...]) -> int:
    """Return the width of a label."""
    if not words[0].isdecimal():
        return max(80, round(max(text_width(word, 20) for word in words)) + 10)
    return 30 if len(words[0]) == 1 else 42


@dataclass(frozen=True)
class SupplyWords:
    """The lettering of the places of the pile and of the card to take, the latter's name in one or two lines."""

    pile: str
    none: str
    to_take: str


def draw_supply(canvas: Canvas, pile: float, place: float, top: float, words: SupplyWords) -> None:
    """Draw the places of the pile and of the card to take, with their names, at these left edges."""
    _place(canvas, pile, top, words.pile)
    _place(canvas, place, top, words.none)
    for number, line in enumerate(words.to_take.split(" ", 1)):
        canvas.text(place - 12, top + 32 + 28 * number, line, 23, CHALK, anchor="rm")


def draw_pile(canvas: Canvas, left: float, top: float, pile: int) -> None:
    """Draw the pile and its number of cards."""
    draw_back(canvas, left - 3, top - 3, CARD)
    draw_back(canvas, left, top, CARD)
    canvas.disc(left + CARD[0] / 2, top + CARD[1] / 2, 23, INK)
    canvas.text(left + CARD[0] / 2, top + CARD[1] / 2, str(pile), 26, CHALK)


def draw_low_supply(canvas: Canvas, pile: float, place: float, top: float, words: SupplyWords, cards: int) -> None:
    """Draw the pile with its number of cards, and the place of the card to take, in a low sky."""
    canvas.box(place, top, place + NARROW[0], top + NARROW[1], mix(INK, _HORIZON, 0.6), 5)
    canvas.text(place - 10, top + NARROW[1] / 2, words.to_take, 21, CHALK, anchor="rm")
    if cards:
        draw_back(canvas, pile, top, NARROW)
        canvas.disc(pile + NARROW[0] / 2, top + NARROW[1] / 2, 17, INK)
        canvas.text(pile + NARROW[0] / 2, top + NARROW[1] / 2, str(cards), 21, CHALK)


def _place(canvas: Canvas, left: float, top: float, words: str) -> None:
    """An empty place for cards."""
    canvas.box(left, top, left + CARD[0], top + CARD[1], mix(INK, _HORIZON, 0.3), 9)
    canvas.box(left + 2, top + 2, left + CARD[0] - 2, top + CARD[1] - 2, mix(INK, _HORIZON, 0.6), 8)
    canvas.text(left + CARD[0] / 2, top + CARD[1] / 2, words, fitted_size(words, 20, CARD[0] - 3), ASH)


# ---------------------------------------------------------------------------------------------------------- the palette


def draw_sample(canvas: Canvas) -> None:
    """Draw a sample of everything that these pictures may contain, to choose the palette from."""
    for number, suit in enumerate(LETTERS):
        draw_card(canvas, 10 + 72 * number, 0, CARD, Card(f"{suit}{number + 1}"))
        draw_card(canvas, 10 + 72 * number, 96, CARD, Card(WILD, f"{suit}3"))
        draw_card(canvas, 10 + 50 * number, 192, SMALL, Card(f"{suit}7"))
    for number, face in enumerate((WILD, DRAW, SUPER)):
        draw_card(canvas, 450 + 72 * number, 0, CARD, Card(face))
        draw_card(canvas, 450 + 72 * number, 96, CARD, Card(face, "5" if face != DRAW else None))
    draw_back(canvas, 700, 0, CARD)
    for seat in range(len(SEAT_MARKS)):
        light: Light = ("", "turn", "call")[seat % 3]
        left, top = 400 * (seat % 2), 270 + 96 * (seat // 2)
        draw_cell(canvas, left, top, left + 392, top + PORTRAIT, Inmate(seat, seat == 5, light))
        canvas.text(left + WORDS + 60, top + 29, "Player", 27, CHALK)
        draw_fan(canvas, left + WORDS - 10, top + 50, 3)
        canvas.box(330 + 30 * seat, 200, 360 + 30 * seat, 250, SEAT_MARKS[seat].colour)
    for number, paint in enumerate((GREEN, ALARM, LAMP, SKIN, PAPER, ASH, YARD)):
        canvas.box(520 + 38 * number, 200, 558 + 38 * number, 262, paint)
        canvas.text(539 + 38 * number, 230, "8", 30, INK)


def flat_colours() -> tuple[Paint, ...]:
    """Return the colours that the palette must hold exactly."""
    lights = LAMP, ASH, ALARM, GOLD, GREEN
    grounds = YARD, CELL, WARM, TITLE, STONE
    return (*PAINTS.values(), PAPER, BACK, DARK, DRAW_RED, SKIN, *lights, *grounds, *(m.colour for m in SEAT_MARKS))
