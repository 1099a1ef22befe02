"""Break-Out's score sheet, and the picture of a finished round.

They are composed of cached text, marks and cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cogs.break_out import sprites
from cogs.break_out.cards import SMALL
from cogs.break_out.scenery import CELL, GOLD, GREEN, SKY, WARM, YARD
from cogs.break_out.words import card_words, hand_words
from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size, text_width
from cogs.core.drawing.composition import Bitmap, Composition
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn, mark_bitmap
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, SEAT_MARKS, WIDTH
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import clauses, figure, signed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from engine.contract import Seat
from engine.games.break_out import Bluff, Card, Catch, Face, Fault, FinishedRound, RoundScore, in_order
from engine.turns import places

_ROW = 76
_NAME = 190  # the width of a name
LINE = 54
"""The height of a line of the score sheet."""
_FACT = 84
_MOST_FACTS = 5


@dataclass(frozen=True)
class Fact:
    """A fact revealed at the end of a round: who did it, and who caught it (None: a bluff that succeeded).

    Without a `fault` the player neither played nor took a card. Bad melds can also be `spotted` later.
    """

    seat: Seat
    by: Seat | None
    fault: Fault | None = None
    cards: tuple[Card, ...] = ()
    spotted: bool = False


@dataclass(frozen=True)
class RoundResult:
    """A finished round: the reason, the open hands, the round's points and the totals including them."""

    number: int
    rounds: int
    reason: Literal["out", "idle", "blocked"]
    winner: Seat | None
    hands: tuple[tuple[Face, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    facts: tuple[Fact, ...] = ()


_FAULT_TEXTS: dict[Fault, str] = {
    "size": N_("laid a bad meld: not 3 to 6 cards"),
    "kind": N_("laid a bad meld: no set, no run"),
    "natural": N_("laid a bad meld: nothing but Wilds"),
    "poor": N_("laid a bad meld: worth too little"),
    "start": N_("laid a bad meld: with the round card"),
    "rich": N_("laid a bad meld: worth too much for a cell"),
    "crammed": N_("laid a bad meld: too much for the cell"),
    "swap": N_("laid a bad meld: not the Wild's card"),
}
"""What a player did, to be shown below their name."""

_FAULT_SENTENCES: dict[Fault, str] = {
    "size": N_("{player} laid a bad meld, not 3 to 6 cards: {cards}."),
    "kind": N_("{player} laid a bad meld, no set and no run: {cards}."),
    "natural": N_("{player} laid a bad meld, nothing but Wilds: {cards}."),
    "poor": N_("{player} laid a bad meld, worth too little: {cards}."),
    "start": N_("{player} laid a bad meld, with the round card: {cards}."),
    "rich": N_("{player} laid a bad meld, worth too much for a cell: {cards}."),
    "crammed": N_("{player} laid a bad meld, too much for the cell: {cards}."),
    "swap": N_("{player} laid a bad meld, not the Wild's card: {cards}."),
}


def round_result(finished: FinishedRound, rounds: int) -> RoundResult:
    """Return the facts to show of a finished round: catches first, then what no one called."""
    facts = [Fact(one.caught, one.catcher, *_fault(one)) for one in finished.catches]
    facts += [Fact(one.seat, one.found, *_fault(one), spotted=True) for one in finished.bluffs]
    hands = tuple(in_order(hand) for hand in finished.hands)
    return RoundResult(
        finished.number,
        rounds,
        finished.reason,
        finished.winner,
        hands,
        finished.points,
        finished.totals,
        tuple(facts),
    )


def _fault(one: Catch | Bluff) -> tuple[Fault | None, tuple[Card, ...]]:
    if one.kind == "draw":
        return None, ()
    assert one.fault is not None
    return one.fault, () if one.laid is None else one.laid.cards


def _deed(fact: Fact) -> str:
    """Return what a player did, to be shown below their name."""
    return _("neither played nor took a card") if fact.fault is None else _(_FAULT_TEXTS[fact.fault])


def _deed_sentence(fact: Fact, player: str) -> str:
    if fact.fault is None:
        return _("{player} neither played nor took a card.", player=player)
    return _(_FAULT_SENTENCES[fact.fault], player=player, cards=", ".join(map(card_words, fact.cards)))


def _reason(finish: RoundResult, player: str) -> str:
    """Return why a round ended. `player` went out."""
    match finish.reason:
        case "out":
            return _("{player} went out", player=player).strip()
        case "idle":
            return _("No one played or took a card for a full circuit")
        case "blocked":
            return _("The pile is empty, and no one could play")


# -------------------------------------------------------------------------------------------------------------- a round


def draw_interlude(finish: RoundResult, names: Sequence[str]) -> bytes:
    """Return the end of a round as a PNG: open hands, points, totals, and the facts revealed.

    The same facts give the same bytes. Thread-safe.
    """
    seats = len(finish.hands)
    top = SKY + 44
    foot = top + seats * (_ROW + 6) + 4
    facts, more = finish.facts[:_MOST_FACTS], len(finish.facts) - _MOST_FACTS
    sheet = sprites.blank(foot + 16 + _FACT * len(facts) + (34 if more > 0 else 0), YARD)
    title = _("ROUND {number} OF {rounds} IS OVER", number=finish.number, rounds=finish.rounds)
    reason = _reason(finish, _visible_name(names, finish.winner, 200))
    sheet.paste(_round_title(title, reason, finish.winner), (0, 0))
    sprites.lay_wall(sheet, SKY, foot)
    sprites.fill(sheet, 0, SKY, WIDTH, SKY + 38, INK)
    sprites.set_text(sheet, 232, SKY + 19, _("WHAT THEY HELD"), 21, ASH, INK, "l")
    sprites.set_text(sheet, 660, SKY + 19, _("ROUND"), 21, ASH, INK, "r")
    sprites.set_text(sheet, 776, SKY + 19, _("TOTAL"), 21, ASH, INK, "r")
    best = min(finish.totals)
    for number in range(seats):
        seat, y = Seat(number), top + number * (_ROW + 6)
        ground = _row(sheet, y, won=seat == finish.winner)
        _name(sheet, names, seat, 22, y + _ROW // 2, _NAME - 34, ground)
        _hand(sheet, finish.hands[seat], y, ground)
        points = finish.points[seat]
        sprites.set_text(sheet, 660, y + _ROW // 2, signed(points), 32, CHALK, ground, "r")
        total = finish.totals[seat]
        sprites.set_text(sheet, 776, y + _ROW // 2, figure(total), 34, LAMP if total == best else CHALK, ground, "r")
    for number, fact in enumerate(facts):
        _fact(sheet, names, fact, foot + 10 + number * _FACT)
    if more > 0:
        sprites.set_text(
            sheet, WIDTH / 2, sheet.height - 24, ngettext("and {n} more", "and {n} more", more), 24, CHALK, YARD
        )
    return encode(sheet)


@drawn
def _round_title(title: str, reason: str, winner: Seat | None) -> Bitmap:
    canvas = Canvas(WIDTH, SKY, sprites.sky_ground())
    canvas.text(140, 40, title, 38, CHALK, anchor="lm")
    x = 142.0
    if winner is not None:
        canvas.mark(SEAT_MARKS[winner], x + 12, 87, 13, letter=False)
        x += 36
    canvas.text(x, 87, reason, 25, LAMP, anchor="lm")
    return sprites.palette().bitmap(canvas)


def _visible_name(names: Sequence[str], seat: Seat | None, width: float) -> str:
    return "" if seat is None else fitted_name(names[seat], 25, width)


def _row(sheet: Composition, top: int, won: bool) -> Paint:
    """Paint the ground of a player's row and return its colour."""
    ground = WARM if won else CELL
    sprites.fill(sheet, 8, top, WIDTH - 8, top + _ROW, LAMP if won else INK)
    sprites.fill(sheet, 11, top + 3, WIDTH - 11, top + _ROW - 3, ground)
    return ground


def _name(sheet: Composition, names: Sequence[str], seat: Seat, left: int, y: int, width: float, ground: Paint) -> None:
    mark = mark_bitmap(sprites.palette(), seat, ground)
    sheet.paste(mark, (left, y - mark.height // 2))
    sprites.set_text(sheet, left + 40, y, fitted_name(names[seat], 26, width), 26, CHALK, ground, "l")


def _hand(sheet: Composition, hand: Sequence[Face], top: int, ground: Paint) -> None:
    """Paste an open hand, or a remark that the player went out (a broken cell's open door does not mean that)."""
    left, width = 232, 330
    if not hand:
        sprites.set_text(sheet, left + 4, top + _ROW // 2, _("ALL CARDS PLAYED"), 26, GREEN, ground, "l")
        return
    step = min(SMALL[0] + 4, (width - SMALL[0]) / max(1, len(hand) - 1))
    _cards(sheet, [Card(face) for face in hand], left, top + (_ROW - SMALL[1]) // 2, step)


def _cards(sheet: Composition, cards: Sequence[Card], left: float, top: int, step: float) -> None:
    for card in cards:
        sheet.paste(sprites.card_sprite(card, SMALL), (round(left), top))
        left += step


def _fact(sheet: Composition, names: Sequence[str], fact: Fact, top: int) -> None:
    """A line below the rows: a catch, or a bluff that went unnoticed."""
    sprites.fill(sheet, 8, top, WIDTH - 8, top + _FACT - 8, INK)
    edge = ALARM if fact.by is not None else GOLD
    sprites.fill(sheet, 8, top, 16, top + _FACT - 8, edge)
    step = min(40, 210 // max(1, len(fact.cards) - 1))
    width = SMALL[0] + step * (len(fact.cards) - 1) + 16 if fact.cards else 0
    _cards(sheet, fact.cards, WIDTH - 12 - width, top + 6, step)
    available = WIDTH - 120 - width
    _name(sheet, names, fact.seat, 26, top + 22, min(220, available - 220), INK)
    name_end = 72 + text_width(fitted_name(names[fact.seat], 26, min(220, available - 220)), 26)
    if fact.by is None:
        sprites.set_text(sheet, name_end, top + 22, _("bluffed, and no one saw it"), 23, GOLD, INK, "l")
    else:
        # Translators: between the names of two players.
        how = _("spotted by") if fact.spotted else _("caught by")
        sprites.set_text(sheet, name_end, top + 22, how, 23, ALARM, INK, "l")
        left = round(name_end + text_width(how, 23) + 10)
        _name(sheet, names, fact.by, left, top + 22, WIDTH - 20 - width - left - 40, INK)
    sprites.set_text(sheet, 30, top + 54, _deed(fact), 23, CHALK, INK, "l")


def interlude_alt(finish: RoundResult, names: Sequence[str]) -> str:
    """Return the end of a round in words, the most important first."""
    reason = _reason(finish, "" if finish.winner is None else shortened(names[finish.winner], 30))
    lines = [_("Round {number} of {rounds} is over.", number=finish.number, rounds=finish.rounds), f"{reason}."]
    short = [shortened(name, 20) for name in names]
    rows = (
        _("{player} {points}, total {total}", player=name, points=signed(points), total=figure(total))
        for name, points, total in zip(short, finish.points, finish.totals, strict=True)
    )
    lines.append(clauses(rows) + ".")
    for fact in finish.facts:
        lines.append(_deed_sentence(fact, short[fact.seat]))
        if fact.by is None:
            lines.append(_("No one saw it."))
        elif fact.spotted:
            lines.append(_("{player} spotted it.", player=short[fact.by]))
        else:
            lines.append(_("{player} called it.", player=short[fact.by]))
    for name, hand in zip(short, finish.hands, strict=True):
        cards = hand_words(hand)
        lines.append(
            _("{player} held {cards}.", player=name, cards=cards)
            if cards
            else _("{player} held no cards.", player=name)
        )
    return join_within(lines)


# ------------------------------------------------------------------------------------------------------ the score sheet


def paste_table(
    sheet: Composition,
    top: int,
    rows: Sequence[RoundScore],
    scores: Sequence[int],
    rounds: int,
    names: Sequence[str],
    order: Sequence[int],
    ranks: Sequence[int],
) -> None:
    """Paste the score sheet, a line per player: place, name, the points of each round, the total."""
    first, last = 300, 700
    width = (last - first) / max(rounds, 1)
    sprites.fill(sheet, 0, top, WIDTH, top + LINE, INK)
    caption = _("POINTS, FEWEST WIN")
    sprites.set_text(sheet, 26, top + LINE // 2, caption, fitted_size(caption, 21, first - 36), ASH, INK, "l")
    for number in range(rounds):
        sprites.set_text(sheet, first + width * (number + 0.5), top + LINE // 2, str(number + 1), 23, ASH, INK)
    sprites.set_text(sheet, 778, top + LINE // 2, _("TOTAL"), 21, ASH, INK, "r")
    for line, seat in enumerate(order, start=1):
        y = top + line * LINE
        won = ranks[seat] == 1
        ground = WARM if won else CELL
        sprites.fill(sheet, 8, y, WIDTH - 8, y + LINE - 4, ground)
        middle = y + LINE // 2 - 2
        if ranks[seat]:
            sprites.set_text(sheet, 38, middle, f"{ranks[seat]}.", 28, LAMP if won else ASH, ground)
        _name(sheet, names, Seat(seat), 66, middle, 190, ground)
        for number in range(rounds):
            if number < len(rows):
                points, out = rows[number].points[seat], rows[number].winner == seat
                x = first + width * (number + 0.5)
                size = 24 if rounds < 9 else 20
                sprites.set_text(sheet, x, middle, figure(points), size, GREEN if out else CHALK, ground)
                if out:
                    sprites.fill(sheet, x - 14, middle + 15, x + 14, middle + 18, GREEN)
        sprites.set_text(sheet, 778, middle, figure(scores[seat]), 34, LAMP if won else CHALK, ground, "r")


def draw_sheet(sheet: tuple[RoundScore, ...], scores: tuple[int, ...], rounds: int, names: Sequence[str] = ()) -> bytes:
    """Return the score sheet as a PNG: a line per player, in seat order."""
    shown = sprites.blank(LINE * (len(scores) + 1) + 8, YARD)
    ranks = places(scores) if sheet else (0,) * len(scores)
    paste_table(shown, 0, sheet, scores, rounds, names or ("",) * len(scores), range(len(scores)), ranks)
    return encode(shown)


def sheet_alt(sheet: Sequence[RoundScore], scores: Sequence[int], names: Sequence[str]) -> str:
    """Return the score sheet in words."""
    totals = ", ".join(f"{shortened(name, 30)} {figure(score)}" for name, score in zip(names, scores, strict=True))
    lines = [_("Score sheet, the fewest points win."), _("Totals: {totals}.", totals=totals)]
    for number, row in enumerate(sheet, start=1):
        points = ", ".join(map(figure, row.points))
        if row.winner is None:
            lines.append(_("Round {number}: {points}; no one went out.", number=number, points=points))
        else:
            player = shortened(names[row.winner], 30)
            lines.append(_("Round {number}: {points}; {player} went out.", number=number, points=points, player=player))
    return join_within(lines)
