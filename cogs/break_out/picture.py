"""The pictures of Break-Out: the table with the cells and the Jail Yard, a hand, and examples for the rules.

`scenery` and `cards` draw things, `sprites` has the cached sprites.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cogs.break_out import board_layout, sprites
from cogs.break_out.board_layout import PlacedCell
from cogs.break_out.cards import CARD, LARGE, card_mask, draw_card, lettering
from cogs.break_out.end_picture import draw_end, end_alt
from cogs.break_out.scenery import CELL, GREEN, PORTRAIT, SKY, YARD, Inmate, Light
from cogs.break_out.score_sheet import draw_interlude, interlude_alt, round_result
from cogs.break_out.words import card_words, face_words, hand_sentence, meld_name, meld_title
from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size
from cogs.core.drawing.composition import Bitmap, Composition
from cogs.core.drawing.png import encode, encode_image
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ALARM, ASH, CHALK, LAMP, WIDTH
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import clauses, count
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from engine.contract import Seat
from engine.games.break_out import NATURAL, BreakOutView, Card, Face, in_order

# ------------------------------------------------------------------------------------------------------------ the table


def draw(view: BreakOutView, names: Sequence[str] = (), final: Sequence[int] = ()) -> bytes:
    """Return the table as a PNG, with these names beside the seats' marks; at the end with the `final` places if some
    players had left.

    The same arguments give the same bytes. Thread-safe.
    """
    seats = len(view.counts)
    names = tuple(names) or ("",) * seats
    if view.phase == "over":
        return draw_end(view.sheet, view.scores, view.rounds, names, final)
    if view.finished is not None:
        return draw_interlude(round_result(view.finished, view.rounds), names)
    layout = board_layout.lay_out(view)
    sheet = sprites.blank(layout.height, YARD)
    sprites.lay_wall(sheet, layout.sky, layout.fence)
    if layout.sky == SKY:
        sprites.lay_sky(sheet, view.pile, view.open_place, view.place)
        _banner(sheet, view, names, (40, 40, 25, 87))
    else:
        sprites.lay_low_sky(sheet, view.pile, view.open_place, view.place)
        _banner(sheet, view, names, (25, 18, 22, 46))
    for cell in layout.cells:
        _paste_cell(sheet, view, names, cell)
    sheet.paste(sprites.fence_sprite(tuple(seat for seat in range(seats) if view.out[seat])), (0, layout.fence))
    layout.yard.paste(sheet, YARD)
    return encode(sheet)


def _paste_cell(sheet: Composition, view: BreakOutView, names: Sequence[str], cell: PlacedCell) -> None:
    seat, left, top, right = cell.seat, cell.left, cell.top, cell.left + cell.width
    light, status = _cell_status(view, seat)
    inmate = Inmate(seat, view.out[seat], light)
    if cell.height > PORTRAIT:
        sprites.lay_cell(sheet, left, top + PORTRAIT - 6, right, top + cell.height, bars=not view.out[seat])
    sprites.paste_cell(sheet, left, top, cell.width, inmate, names[seat], view.scores[seat], view.counts[seat], status)
    cell.melds.paste(sheet, CELL)


def _cell_status(view: BreakOutView, seat: Seat) -> tuple[Light, str]:
    """Return the light of a cell and its sign."""
    if view.phase == "gift" and seat == view.catcher:
        return "turn", _("GIVES A CARD")
    if view.phase == "gift" and seat == view.caught:
        return "call", _("CAUGHT")
    if view.window is not None and view.window.seat == seat and view.referee == "honour" and view.phase != "gift":
        return "call", _("OPEN TO CALLS")
    if view.turn == seat and view.phase in ("turn", "next"):
        return "turn", _("TO PLAY") if view.phase == "turn" else _("SAID NEXT")
    held = sum(len(meld.cards) for meld in sprites.melds_in(view.melds, seat))
    return "", _("cell {held}/{most}", held=held, most=view.limits[1]) if held else ""


def _banner(sheet: Composition, view: BreakOutView, names: Sequence[str], lines: tuple[int, int, int, int]) -> None:
    """The sky left of the pile: the round, and what happens now; `lines` are the size and the height of each."""
    size, y, small, below = lines
    words = _("ROUND {number} OF {rounds}", number=view.round, rounds=view.rounds)
    title = sprites.sky_text(words, size, CHALK, y, 140, None)
    sheet.paste(title, (136, y - title.height // 2))
    seat = _acting_seat(view)
    words = _current_event(view, "" if seat is None else fitted_name(names[seat], small, 190))
    if not words:
        return
    line = sprites.sky_text(words, small, CHALK if seat is None else LAMP, below, 142, seat)
    sheet.paste(line, (138, below - line.height // 2))


def _acting_seat(view: BreakOutView) -> Seat | None:
    """Return who acts now."""
    if view.turn is None or view.phase == "last":
        return None
    return view.catcher if view.phase == "gift" and view.catcher is not None else view.turn


def _current_event(view: BreakOutView, player: str) -> str:
    """Return what happens now, after the name of the player who acts as far as it can be drawn."""
    if view.turn is None:
        return ""
    match view.phase:
        case "next":
            return _("{player} said NEXT", player=player).strip()
        case "gift" if view.catcher is not None:
            return _("{player} gives a card", player=player).strip()
        case "last":
            return _("The round ends")
    return _("{player} plays", player=player).strip()


# ------------------------------------------------------------------------------------------ hand, score sheet, examples


def draw_hand(hand: Sequence[Face], chosen: Sequence[Face] = (), new: Sequence[Face] = ()) -> bytes:
    """Return a hand as a PNG in the given order; chosen cards are raised and new ones are named."""
    if not hand:
        return _no_cards(_("NO CARDS"))
    rows = -(-len(hand) // _ACROSS)
    across = -(-len(hand) // rows)
    step = min(LARGE[0] + 6, (WIDTH - 24 - LARGE[0]) // max(1, across - 1))
    sheet = sprites.blank(rows * _HAND_ROW + 12, CELL)
    sprites.lay_cell(sheet, 0, -6, WIDTH, sheet.height)
    left = list(chosen)
    named = _last_indices(hand, new)
    for number, face in enumerate(hand):
        row, place = divmod(number, across)
        raised = face in left
        if raised:
            left.remove(face)
        x = (WIDTH - step * (min(across, len(hand) - row * across) - 1) - LARGE[0]) // 2 + place * step
        y = 26 + row * _HAND_ROW - (16 if raised else 0)
        if raised:
            sheet.paste(_halo(), (x - 5, y - 5))
        sheet.paste(sprites.card_sprite(Card(face), LARGE), (x, y))
        if number in named:
            sheet.paste(_new(_("NEW")), (x + 12, y + LARGE[1] - 12))
    return encode(sheet)


def _last_indices(hand: Sequence[Face], faces: Sequence[Face]) -> set[int]:
    """Return the last indices of these faces in a hand, as many of each as given."""
    left, found = list(faces), set[int]()
    for number in range(len(hand) - 1, -1, -1):
        if hand[number] in left:
            left.remove(hand[number])
            found.add(number)
    return found


_ACROSS = 14  # the most cards beside each other in a hand, where they overlap
_HAND_ROW = LARGE[1] + 26


@lru_cache(maxsize=1)
def _halo() -> Bitmap:
    size = LARGE[0] + 10, LARGE[1] + 10
    return sprites.palette().bitmap(Canvas(*size, LAMP), card_mask(size))


@drawn
def _new(words: str) -> Bitmap:
    canvas = Canvas(LARGE[0] - 24, 26, LAMP)
    canvas.text(canvas.width / 2, 13, words, fitted_size(words, 22, canvas.width - 6), (16, 18, 28))
    return sprites.palette().bitmap(canvas)


@lru_cache(maxsize=8)
def _no_cards(words: str) -> bytes:
    canvas = Canvas(WIDTH, 130, CELL)
    canvas.text(WIDTH / 2, 65, words, 34, ASH)
    return encode_image(sprites.palette().fitted(canvas.picture()))


@dataclass(frozen=True)
class RuleExample:
    """A line of a rules picture: cards, whether they are a sound meld, and a caption."""

    cards: tuple[Card, ...]
    right: bool
    caption: str


def draw_examples(examples: Sequence[RuleExample]) -> bytes:
    """Return examples of melds as a PNG, one below the other."""
    line = CARD[1] + 14
    canvas = Canvas(WIDTH, line * len(examples) + 16, YARD)
    for number, example in enumerate(examples):
        top = 12 + line * number
        left = 16
        for card in example.cards:
            draw_card(canvas, left, top, CARD, card, lettering(card.face))
            left += 64 if card.wild else 50
        x = 300
        _draw_verdict(canvas, x + 22, top + CARD[1] / 2, example.right)
        size = fitted_size(example.caption, 25, WIDTH - x - 72)
        canvas.text(x + 60, top + CARD[1] / 2, example.caption, size, CHALK, anchor="lm")
    return encode_image(sprites.palette().fitted(canvas.picture()))


def _draw_verdict(canvas: Canvas, x: float, y: float, right: bool) -> None:
    if right:
        canvas.line([(x - 12, y), (x - 3, y + 10), (x + 13, y - 12)], 6, GREEN)
    else:
        canvas.line([(x - 11, y - 11), (x + 11, y + 11)], 6, ALARM)
        canvas.line([(x - 11, y + 11), (x + 11, y - 11)], 6, ALARM)


# ---------------------------------------------------------------------------------------------------------------- words


def alt(view: BreakOutView, names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the picture in words, the most important first, as long as an alt text may be."""
    if view.phase == "over":
        return end_alt(view.sheet, view.scores, names, final)
    if view.finished is not None:
        return interlude_alt(round_result(view.finished, view.rounds), names)
    return join_within(_sentences(view, names))


def _sentences(view: BreakOutView, names: Sequence[str]) -> Iterator[str]:
    short = [shortened(name, 30) for name in names]
    if view.turn is not None:
        yield _("Round {number} of {rounds}.", number=view.round, rounds=view.rounds)
        yield _("{player}'s turn.", player=short[view.turn])
    if view.phase == "gift" and view.catcher is not None and view.caught is not None:
        yield _("{player} caught {other} and gives a card.", player=short[view.catcher], other=short[view.caught])
    elif view.window is not None and view.referee == "honour":
        yield _("{player} can be challenged.", player=short[view.window.seat])
    yield clauses(_inmate(view, Seat(seat), name) for seat, name in enumerate(names)) + "."
    card = _("none") if not view.place else face_words(view.open_place) if view.open_place else _("face down")
    yield _("To take: {card}; {n} in the pile.", card=card, n=view.pile)
    lit = [meld_name(meld.id) for meld in view.melds if meld.lit]
    if lit:
        yield _("Just changed: {melds}.", melds=", ".join(lit))
    for meld in view.melds:
        cards = ", ".join(card_words(c.card) for c in meld.cards)
        if meld.cell is None:
            yield _("{meld} (Yard): {cards}.", meld=meld_title(meld.id), cards=cards)
        else:
            player = shortened(names[meld.cell], 20)
            yield _("{meld} ({player}'s cell): {cards}.", meld=meld_title(meld.id), player=player, cards=cards)


def _inmate(view: BreakOutView, seat: Seat, name: str) -> str:
    """Return a player's points and cards."""
    name, points = shortened(name, 20), count(view.scores[seat], "point")
    cards = count(view.counts[seat], "card")
    if view.out[seat]:
        return _("{player} {points}, {cards}, out", player=name, points=points, cards=cards)
    return _("{player} {points}, {cards}, in the cell", player=name, points=points, cards=cards)


def hand_alt(hand: Sequence[Face]) -> str:
    """Return a hand in words."""
    return join_within([hand_sentence(hand)])


def sorted_hand(hand: Sequence[Face], by: str) -> tuple[Face, ...]:
    """Return a hand sorted by colour ("c") or by number ("n")."""
    if by == "c":
        return in_order(hand)
    return tuple(sorted(hand, key=lambda face: (face not in NATURAL, face[-1], face)))
