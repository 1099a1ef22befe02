"""Break-Out as a picture: the inmates, the Jail Yard with its melds, the cells; a hand; the score sheet.

Every colour has a shape of its own and every card its number, so that nothing depends on seeing colours. Views in,
bytes and words out. May import `cogs.core.drawing`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from cogs.break_out.words import card_words, count, face_words, hand_words, meld_name, written
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
    Scene,
    Shape,
    Sprite,
    encode,
    mix,
    outline,
    told,
)
from cogs.core.drawing import Colour as Paint
from engine.games.break_out import (
    DRAW,
    LETTERS,
    NATURAL,
    START,
    SUPER,
    WILD,
    BreakOutView,
    Card,
    Face,
    MeldView,
    RoundScore,
    in_order,
)

PAINTS: dict[str, Paint] = {
    "r": (236, 96, 88),
    "b": (104, 168, 252),
    "y": (252, 228, 96),
    "g": (92, 204, 124),
    "o": (252, 164, 68),
    "v": (196, 148, 252),
}
SHAPES: dict[str, Shape] = {
    "r": "disc",
    "b": "diamond",
    "y": "triangle",
    "g": "square",
    "o": "hexagon",
    "v": "star",
}
_FLOOR: Paint = (36, 40, 52)
_BACK: Paint = (120, 60, 72)
_CARD = (46, 64)
_LARGE = (84, 116)
_GAP = 3
_TAB = 40  # for a meld's number
_ROW = 78
_SEAT = 84
_HEAD = 46
_SIDE = 14


# --------------------------------------------------------------------------------------------------------------- pieces


def _card(canvas: Canvas, left: float, top: float, size: tuple[int, int], card: Card, dim: bool = False) -> None:
    """A card: its number and its colour's shape; a Wild also says what it stands for."""
    width, height = size
    middle, unit = left + width / 2, width / 46
    ground = _ground(card.face)
    if dim:
        ground = mix(ground, _FLOOR, 0.6)
    canvas.box(left, top, left + width, top + height, INK, 7 * unit)
    canvas.box(left + 1.5, top + 1.5, left + width - 1.5, top + height - 1.5, ground, 6 * unit)
    if card.face in NATURAL:
        canvas.text(middle, top + 22 * unit, card.face[1], 32 * unit, INK)
        canvas.area(outline(SHAPES[card.face[0]], middle, top + 50 * unit, 9 * unit), INK)
        return
    if card.face == DRAW:
        canvas.text(middle, top + 19 * unit, "+1", 26 * unit, CHALK)
        canvas.text(middle, top + 47 * unit, "DRAW", 13.5 * unit, CHALK)
        return
    words = "W" if card.face == WILD else "SW"
    canvas.text(middle, top + (19 if card.stands else 25) * unit, words, (26 if card.face == WILD else 22) * unit, INK)
    if card.stands is None:
        canvas.text(middle, top + 48 * unit, "SUPER" if card.face == SUPER else "WILD", 13.5 * unit, INK)
        return
    colour = card.colour
    tint = STONE if colour is None else PAINTS[colour]
    canvas.box(left + 5 * unit, top + 35 * unit, left + width - 5 * unit, top + height - 5 * unit, tint, 5 * unit)
    ink = CHALK if colour is None else INK
    canvas.text(middle - (9 * unit if colour else 0), top + 47 * unit, card.stands[-1], 20 * unit, ink)
    if colour is not None:
        canvas.area(outline(SHAPES[colour], middle + 9 * unit, top + 47 * unit, 6.5 * unit), INK)


def _ground(face: Face) -> Paint:
    if face in NATURAL:
        return PAINTS[face[0]]
    return (156, 44, 52) if face == DRAW else CHALK if face == WILD else LAMP


def _back(canvas: Canvas, left: float, top: float, size: tuple[int, int]) -> None:
    width, height = size
    canvas.box(left, top, left + width, top + height, INK, 7)
    canvas.box(left + 1.5, top + 1.5, left + width - 1.5, top + height - 1.5, _BACK, 6)
    for bar in range(3):
        x = left + width * (0.28 + 0.22 * bar)
        canvas.box(x - 2, top + 8, x + 2, top + height - 8, mix(_BACK, CHALK, 0.5))


@lru_cache(maxsize=1)
def _scene() -> Scene:
    ground = Canvas(WIDTH, 40, _FLOOR)
    sample = Canvas(WIDTH, 420, _FLOOR)
    for number, letter in enumerate(LETTERS):
        _card(sample, 60 * number, 0, _CARD, Card(f"{letter}{number + 1}"))
        _card(sample, 60 * number, 80, _CARD, Card(WILD, f"{letter}3"))
        _card(sample, 60 * number, 160, _CARD, Card(f"{letter}7"), True)
    for number, face in enumerate((WILD, DRAW, SUPER)):
        _card(sample, 400 + 60 * number, 0, _CARD, Card(face))
        _card(sample, 400 + 100 * number, 80, _LARGE, Card(face))
    _back(sample, 700, 80, _CARD)
    for seat, mark in enumerate(SEAT_MARKS):
        sample.mark(mark, 40 + 100 * seat, 330, 24)
    sample.box(620, 300, 780, 400, NIGHT)
    sample.text(700, 350, "123", 40, LAMP)
    return Scene(ground.picture(), [sample.picture()], (*PAINTS.values(), _FLOOR, LAMP, ASH, ALARM, STONE, _BACK))


def _piece(width: int, height: int) -> Canvas:
    """A canvas for a sprite that may lie anywhere: the ground is one colour."""
    return Canvas(width, height, _FLOOR)


@lru_cache(maxsize=512)
def _card_image(card: Card, size: tuple[int, int] = _CARD, raised: bool = False, dim: bool = False) -> Image.Image:
    width, height = size
    lift = 12 if size == _LARGE else 0
    canvas = _piece(width + 6, height + 6 + lift)
    top = 3 if raised or not lift else 3 + lift
    if raised:
        canvas.box(0, 0, width + 6, height + 6, LAMP, 12)
    _card(canvas, 3, top, size, card, dim)
    return _scene().sprite(canvas)


@lru_cache(maxsize=1024)
def _seat_image(seat: int, score: int, cards: int, out: bool, turn: bool, window: bool, width: int) -> Image.Image:
    """An inmate in the strip on top: mark, points, cards in hand, coin or open door."""
    canvas = _piece(width, _SEAT)
    if turn or window:
        canvas.box(4, 3, width - 4, _SEAT - 4, LAMP if turn else ASH, 12)
        canvas.box(8, 7, width - 8, _SEAT - 8, mix(NIGHT, LAMP, 0.2) if turn else mix(NIGHT, ASH, 0.15), 9)
    else:
        canvas.box(4, 3, width - 4, _SEAT - 4, NIGHT, 12)
    canvas.mark(SEAT_MARKS[seat], 40, _SEAT / 2, 22)
    canvas.text(76, 28, f"{score}", 32, CHALK, anchor="lm")
    canvas.text(76, 59, count(cards, "card"), 23, ASH, anchor="lm")
    x = width - 42
    if out:
        canvas.box(x - 18, 14, x + 18, _SEAT - 16, INK, 4)
        canvas.box(x - 14, 18, x + 14, _SEAT - 16, (92, 204, 124), 2)
        canvas.area([(x - 14, 18), (x + 2, 26), (x + 2, _SEAT - 10), (x - 14, _SEAT - 16)], STONE)
    else:
        canvas.disc(x, _SEAT / 2, 20, INK)
        canvas.disc(x, _SEAT / 2, 17, (220, 172, 72))
        canvas.disc(x, _SEAT / 2, 11, (244, 208, 112))
    return _scene().sprite(canvas)


@lru_cache(maxsize=256)
def _heading(words: str, seat: int | None) -> Image.Image:
    canvas = _piece(WIDTH, _HEAD)
    canvas.box(0, 2, WIDTH, 4, INK)
    left = _SIDE
    if seat is not None:
        canvas.mark(SEAT_MARKS[seat], left + 16, _HEAD / 2 + 3, 14)
        left += 44
    canvas.text(left, _HEAD / 2 + 3, words, 23, ASH, anchor="lm")
    return _scene().sprite(canvas)


@lru_cache(maxsize=256)
def _piles(pile: int, place: Face | None, shut: bool) -> Image.Image:
    """The draw card and the pile, at the right of the Yard's heading."""
    canvas = _piece(250, 78)
    canvas.text(78, 30, "DRAW", 20, ASH)
    canvas.text(78, 54, "CARD", 20, ASH)
    if place is not None:
        _card(canvas, 116, 7, _CARD, Card(place))
    elif shut:
        _back(canvas, 116, 7, _CARD)
    else:
        canvas.box(116, 7, 162, 71, mix(_FLOOR, INK, 0.4), 7)
    if pile:
        _back(canvas, 190, 3, _CARD)
        _back(canvas, 194, 7, _CARD)
    else:
        canvas.box(194, 7, 240, 71, mix(_FLOOR, INK, 0.4), 7)
    canvas.disc(217, 44, 19, INK)
    canvas.text(217, 44, str(pile), 22, CHALK)
    return _scene().sprite(canvas)


@lru_cache(maxsize=512)
def _tab(name: int, lit: bool) -> Image.Image:
    """A meld's number."""
    canvas = _piece(_TAB, _CARD[1] + 6)
    words = "R" if name == START else str(name)
    canvas.box(0, 14, _TAB - 4, _CARD[1] - 8, LAMP if lit else SLATE, 8)
    canvas.text((_TAB - 4) / 2, (_CARD[1] + 6) / 2, words, 23, INK if lit else CHALK)
    return _scene().sprite(canvas)


# ------------------------------------------------------------------------------------------------------------ the table


@dataclass(frozen=True)
class _Flow:
    """Melds laid out in rows from `top` on."""

    sprites: tuple[Sprite, ...]
    bottom: int


def _meld_width(cards: int) -> int:
    return _TAB + cards * (_CARD[0] + _GAP)


def _flow(melds: Sequence[MeldView], top: int) -> _Flow:
    sprites: list[Sprite] = []
    x, y = _SIDE, top
    for meld in melds:
        width = _meld_width(len(meld.cards))
        if x > _SIDE and x + width > WIDTH - _SIDE:
            x, y = _SIDE, y + _ROW
        sprites.append(Sprite(_tab(meld.id, meld.lit), x, y))
        for number, card in enumerate(meld.cards):
            sprites.append(Sprite(_card_image(card.card), x + _TAB + number * (_CARD[0] + _GAP) - 3, y))
        x += width + 18
    return _Flow(tuple(sprites), y + _ROW if melds else top)


def _blank(height: int) -> Image.Image:
    """An empty sheet of this height, in the scene's colours."""
    ground = _scene().sheet()
    index = ground.getpixel((0, 0))
    assert isinstance(index, int)
    sheet = Image.new("P", (WIDTH, height), index)
    sheet.putpalette(ground.getpalette() or [])
    return sheet


def draw(view: BreakOutView) -> bytes:
    """Return the table as a PNG. The same view gives the same bytes. Safe in several threads."""
    sprites = list(_sprites(view))
    bottom = max(sprite.top + sprite.image.height for sprite in sprites) + 6
    sheet = _blank(bottom)
    for sprite in sprites:
        sprite.paste(sheet)
    return encode(sheet)


def _sprites(view: BreakOutView) -> Iterator[Sprite]:
    seats = len(view.counts)
    across = min(seats, 3)
    width = WIDTH // across
    for seat in range(seats):
        window = view.window is not None and view.window.seat == seat
        image = _seat_image(
            seat, view.scores[seat], view.counts[seat], view.out[seat], view.turn == seat, window, width
        )
        yield Sprite(image, width * (seat % across), _SEAT * (seat // across))
    top = _SEAT * -(-seats // across)
    yield Sprite(_heading(f"JAIL YARD · ROUND {view.round} OF {view.rounds}", None), 0, top + 16)
    yield Sprite(_piles(view.pile, view.open_place, view.place), WIDTH - 254, top + 4)
    flow = _flow([meld for meld in view.melds if meld.cell is None], top + 86)
    yield from flow.sprites
    top = max(flow.bottom, top + 86)
    for seat in range(seats):
        melds = [meld for meld in view.melds if meld.cell == seat]
        if not melds:
            continue
        held = sum(len(meld.cards) for meld in melds)
        yield Sprite(_heading(f"CELL · {held} OF {view.limits[1]}", seat), 0, top)
        flow = _flow(melds, top + _HEAD)
        yield from flow.sprites
        top = flow.bottom


# ------------------------------------------------------------------------------------------------- hand, sheet, lessons


def draw_hand(hand: Sequence[Face], chosen: Sequence[Face] = (), fresh: Face | None = None) -> bytes:
    """Return a hand as a PNG, in the order given; chosen cards are raised."""
    left = list(chosen)
    cards = []
    for face in hand:
        raised = face in left
        if raised:
            left.remove(face)
        cards.append(_card_image(Card(face), _LARGE, raised))
    return _rows_of(cards, 8)


def _rows_of(images: Sequence[Image.Image], across: int) -> bytes:
    if not images:
        canvas = _piece(WIDTH, 130)
        canvas.text(WIDTH / 2, 65, "NO CARDS", 34, ASH)
        return encode(_scene().sprite(canvas))
    wide, high = images[0].width + 4, images[0].height + 6
    rows = -(-len(images) // across)
    sheet = _blank(rows * high + 10)
    for row in range(rows):
        some = images[row * across : (row + 1) * across]
        left = (WIDTH - wide * len(some)) // 2
        for number, image in enumerate(some):
            sheet.paste(image, (left + number * wide, 6 + row * high))
    return encode(sheet)


@lru_cache(maxsize=64)
def draw_sheet(sheet: tuple[RoundScore, ...], scores: tuple[int, ...], rounds: int) -> bytes:
    """Return the score sheet as a PNG: a line a round, the totals below."""
    seats, line = len(scores), 54
    height = line * (rounds + 2) + 24
    canvas = _piece(WIDTH, height)
    first, width = 190, (WIDTH - 210) / seats
    centres = [first + width * (seat + 0.5) for seat in range(seats)]
    for seat, x in enumerate(centres):
        canvas.mark(SEAT_MARKS[seat], x, line / 2 + 8, 20)
    for number in range(rounds):
        y = line * (number + 1) + 12
        if number % 2 == 0:
            canvas.box(8, y, WIDTH - 8, y + line, mix(_FLOOR, INK, 0.3), 8)
        canvas.text(30, y + line / 2, f"Round {number + 1}", 25, ASH, anchor="lm")
        if number >= len(sheet):
            continue
        for seat, x in enumerate(centres):
            won = sheet[number].winner == seat
            canvas.text(x, y + line / 2, f"{sheet[number].points[seat]}", 29, LAMP if won else CHALK)
            if won:
                canvas.area(outline("star", x - 40, y + line / 2, 9), LAMP)
    y = line * (rounds + 1) + 16
    canvas.box(8, y - 2, WIDTH - 8, y, ASH)
    canvas.text(30, y + line / 2, "Total", 27, CHALK, anchor="lm")
    best = min(scores)
    for seat, x in enumerate(centres):
        canvas.text(x, y + line / 2, f"{scores[seat]}", 32, LAMP if scores[seat] == best and sheet else CHALK)
    return encode(_scene().sprite(canvas))


def sheet_alt(sheet: Sequence[RoundScore], scores: Sequence[int], names: Sequence[str]) -> str:
    """Return the score sheet in words."""
    totals = ", ".join(f"{name[:30]} {score}" for name, score in zip(names, scores, strict=True))
    lines = [f"Score sheet, the fewest points win. Totals: {totals}."]
    for number, row in enumerate(sheet, start=1):
        won = "nobody went out" if row.winner is None else f"{names[row.winner][:30]} went out"
        lines.append(f"Round {number}: {', '.join(map(str, row.points))}; {won}.")
    return told(lines)


@dataclass(frozen=True)
class Lesson:
    """A line of a rules picture: cards, whether they are a sound meld, and what to say beside them."""

    cards: tuple[Card, ...]
    right: bool
    caption: str


def draw_lesson(lessons: Sequence[Lesson]) -> bytes:
    """Return examples of melds as a PNG, one below the other."""
    line = 88
    canvas = _piece(WIDTH, line * len(lessons) + 16)
    for number, lesson in enumerate(lessons):
        top = 12 + line * number
        for place, card in enumerate(lesson.cards):
            _card(canvas, 20 + place * (_CARD[0] + _GAP), top, _CARD, card)
        x = 30 + 6 * (_CARD[0] + _GAP)
        _verdict(canvas, x + 22, top + 32, lesson.right)
        canvas.text(x + 60, top + 32, lesson.caption, 25, CHALK, anchor="lm")
    return encode(_scene().sprite(canvas))


def _verdict(canvas: Canvas, x: float, y: float, right: bool) -> None:
    if right:
        canvas.line([(x - 12, y), (x - 3, y + 10), (x + 13, y - 12)], 6, (92, 204, 124))
    else:
        canvas.line([(x - 11, y - 11), (x + 11, y + 11)], 6, ALARM)
        canvas.line([(x - 11, y + 11), (x + 11, y - 11)], 6, ALARM)


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: BreakOutView, names: Sequence[str]) -> str:
    """Return the picture in words, the chief first, as many as an alt text holds."""
    return told(_sentences(view, names))


def _sentences(view: BreakOutView, names: Sequence[str]) -> Iterator[str]:
    if view.turn is not None:
        yield f"Round {view.round} of {view.rounds}. {names[view.turn][:30]} is to play."
    inmates = (
        f"{name[:20]} {view.scores[seat]} points, {count(view.counts[seat], 'card')}, "
        f"{'out' if view.out[seat] else 'in the cell'}"
        for seat, name in enumerate(names)
    )
    yield "; ".join(inmates) + "."
    card = "none" if not view.place else face_words(view.open_place) if view.open_place else "face down"
    yield f"Draw card: {card}; {view.pile} in the pile."
    for meld in view.melds:
        where = "Yard" if meld.cell is None else f"cell of {names[meld.cell][:20]}"
        yield f"{meld_name(meld.id).capitalize()} ({where}): {', '.join(card_words(c.card) for c in meld.cards)}."


def hand_alt(hand: Sequence[Face]) -> str:
    """Return a hand in words."""
    return told([f"Your hand: {hand_words(hand) or 'no cards'}."])


def as_text(view: BreakOutView) -> str:
    """Return the table in letters, at most 40 columns wide."""
    lines = [f"round {view.round} of {view.rounds}"]
    for seat, score in enumerate(view.scores):
        here = ">" if view.turn == seat else " "
        coin = "out " if view.out[seat] else "cell"
        lines.append(f"{here}{'ABCDEF'[seat]} {coin} {view.counts[seat]:2} cards {score:4} points")
    top = view.open_place or ("face down" if view.place else "none")
    lines.append(f"draw card {top}, pile {view.pile}")
    for meld in view.melds:
        where = "yard" if meld.cell is None else f"cell {'ABCDEF'[meld.cell]}"
        name = "R" if meld.id == START else str(meld.id)
        lines.append(f"{name:>3} {where:6} {' '.join(written(card.card) for card in meld.cards)}")
    return "\n".join(lines)


def sorted_hand(hand: Sequence[Face], by: str) -> tuple[Face, ...]:
    """Return a hand sorted by colour ("c") or by number ("n")."""
    if by == "c":
        return in_order(hand)
    return tuple(sorted(hand, key=lambda face: (face not in NATURAL, face[-1], face)))
