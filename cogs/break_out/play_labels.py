"""The names of plays: in full, and on buttons, of which a phone shows few characters.

There are two kinds of points, each with its own word. A meld's `worth` decides whether it breaks out and may lie in a
cell; the reduction of points `in hand` counts at the end of the round.
"""

from collections.abc import Callable, Iterator, Sequence

from cogs.break_out.plays import cards_at, meld_with, with_meld
from cogs.break_out.words import colour_name, meld_name, pictured, spoken, worth
from cogs.core.ops.text_format import count, cut, figure
from engine.games.break_out import (
    NATURAL,
    START,
    SUPER,
    BreakOut,
    BreakOutView,
    Card,
    Extend,
    Extract,
    Lay,
    MeldView,
    Move,
    Play,
    PlayDraw,
)

LABEL_LENGTH = 34
"""The characters of a button that a phone shows in full."""
MOST_CHARACTERS = 80
"""The most characters that Discord allows on a button."""

Naming = Callable[[Sequence[Card]], str]
"""How a play's name writes its cards."""


# ------------------------------------------------------------------------------------------------------------- in full


def name_of(view: BreakOutView, play: Play) -> str:
    """Return the full name of a play, every card with its colour."""
    return _named(view, play, spoken)


def pictured_name(view: BreakOutView, play: Play) -> str:
    """Return the name of a play for a text, with the emoji of its cards."""
    return _named(view, play, pictured)


def points_of(view: BreakOutView, play: Play) -> str | None:
    """Return the points of a play, or None if none count.

    These are the worth of a break-out's meld, the reduction of points in hand for other plays, and both for a meld in a
    cell, whose worth is limited there.
    """
    laid = with_meld(view, play)
    limited = [worth(laid.cards)] if laid.held is not None else []
    return " · ".join([*limited, *_points_words(view, play)]) or None


def _points_words(view: BreakOutView, play: Play) -> list[str]:
    """Return a break-out's worth or the reduction of points in hand; empty if no card is laid."""
    match play:
        case BreakOut(route=1 | 2):
            return [worth(with_meld(view, play).cards)]
        case Lay(cards=cards) | Extend(cards=cards) if cards:
            return [f"{figure(-hand_points(view, cards))} in hand"]
        case _:
            return []


def hand_points(view: BreakOutView, cards: Sequence[Card]) -> int:
    """Return the points of cards in a hand at the end of the round."""
    values = dict(zip("wds", view.values, strict=True))
    return sum(values[card.face] if card.face in values else int(card.face[1]) for card in cards)


# ---------------------------------------------------------------------------------------------------------- on a button


def labels_of(view: BreakOutView, plays: Sequence[Play]) -> list[str]:
    """Return the labels of plays whose buttons are shown together. Labels that would be equal are written in full."""
    labels = [label_of(view, play) for play in plays]
    if len(set(labels)) == len(labels):
        return labels
    pairs = zip(labels, plays, strict=True)
    return [cut(name_of(view, play), MOST_CHARACTERS) if labels.count(label) > 1 else label for label, play in pairs]


def label_of(view: BreakOutView, play: Play) -> str:
    """Return the fullest name of a play that fits on a button, at most `LABEL_LENGTH` characters."""
    return next(name for name in _fuller(view, play) if len(name) <= LABEL_LENGTH)


def _fuller(view: BreakOutView, play: Play) -> Iterator[str]:
    """Yield the names of a play lazily, the fullest first.

    The cards say more than the points, so those come second: a break-out's worth, or the reduction in hand.
    """
    points = _points_words(view, play)
    for cards_as in (_declared, _grouped, _counted, _short, _numbers):
        name = _named(view, play, cards_as)
        yield " · ".join([name, *points])
        yield name
        if isinstance(play, Extract):
            yield name.replace("Super Wild", "Super")
            break
    yield cut(_brief(view, play), LABEL_LENGTH)


def _brief(view: BreakOutView, play: Play) -> str:
    """Return the name of a play without its cards."""
    match play:
        case Lay(cards=cards):
            return f"Meld {len(cards)} cards"
        case Extend(meld=meld, cards=cards, cell=cell):
            return f"Add {count(len(cards) + len(cell), 'card')} to {meld_name(meld)}"
        case BreakOut(route=2, meld=meld):
            return f"Break out: {meld_name(meld or START)}{_remaining_melds(view, play)}"
        case BreakOut(cards=cards):
            return f"Break out: {count(len(cards), 'card')}"
        case Extract(slot=slot, card=card):
            return f"Swap {spoken([card])} for {_wild(meld_with(view, slot), slot)}"
        case PlayDraw():
            return "DRAW card: all others take"
        case Move(melds=melds):
            return f"Move {count(len(melds), 'meld')} to the Yard"
    raise AssertionError(play)


# ---------------------------------------------------------------------------------------------------- cards on a button


def _as_run(cards: Sequence[Card]) -> list[Card]:
    """Return cards in the order of a run if they all have, or are declared as, one colour; otherwise none."""
    colours = {card.colour for card in cards}
    return sorted(cards, key=lambda card: card.number) if len(colours) == 1 and None not in colours else []


def _declared(cards: Sequence[Card]) -> str:
    """Return cards for a button, each with its colour (once for a run) and with the declared values of its Wilds."""
    words = ""
    run = _as_run(cards)
    for place, card in enumerate(run):
        declared = str(card.number) if place else f"{colour_name(card.colour or '')} {card.number}"
        natural = card.face in NATURAL
        if place:
            words += " " if natural and run[place - 1].face in NATURAL else ", "
        words += declared if natural else f"{_plain(card)} as {declared}"
    wilds_last = sorted(cards, key=lambda card: card.face not in NATURAL)
    return words or " ".join(spoken([card]) if card.face in NATURAL else _plain(card) for card in wilds_last)


def _grouped(cards: Sequence[Card]) -> str:
    """Return cards as the run or set that they make, naming its Wilds: blue 3–6 with Wild."""
    supers = sum(card.face == SUPER for card in cards)
    wilds = sum(card.wild for card in cards) - supers
    kinds = [*([_many(wilds, "Wild")] if wilds else []), *([_many(supers, "Super")] if supers else [])]
    return _run_or_set(cards, ", ".join(kinds))


def _counted(cards: Sequence[Card]) -> str:
    """Return cards as the run or set that they make, with the number of its Wilds."""
    return _run_or_set(cards, _many(sum(card.wild for card in cards), "Wild"))


def _many(number: int, one: str) -> str:
    return f"{number} {one}s" if number > 1 else one if number else ""


def _run_or_set(cards: Sequence[Card], wilds: str) -> str:
    """Return the run or set that cards make with these Wilds; in short form if they make neither."""
    naturals = [card for card in cards if card.face in NATURAL]
    if run := _as_run(cards):
        numbers = [card.number for card in run]
        whole = len(run) > 2 and numbers == list(range(numbers[0], numbers[0] + len(run)))
        words = f"{numbers[0]}–{numbers[-1]}" if whole else " ".join(map(str, numbers))
        return f"{colour_name(run[0].colour or '')} {words}{f' with {wilds}' if wilds else ''}"
    if naturals and len({card.number for card in cards}) == 1:
        colours = " ".join(colour_name(card.face[0]) for card in naturals)
        return f"{colours} {naturals[0].number}{f' + {wilds}' if wilds else ''}"
    return _short(cards)


def _short(cards: Sequence[Card]) -> str:
    """Return cards in short: a set by its numbers alone, others with the colour once."""
    numbers = {card.number for card in cards}
    if len(cards) > 1 and len(numbers) == 1 and any(card.face in NATURAL for card in cards):
        return " ".join(_plain(card) for card in cards)
    parts: list[str] = []
    letter = None
    for card in sorted(cards, key=lambda card: (card.colour or "", card.number)):
        same = card.colour is not None and card.colour == letter
        parts.append(_plain(card) if same or card.face not in NATURAL else spoken([card]))
        letter = card.colour if same or card.face in NATURAL else letter
    return " ".join(parts)


def _numbers(cards: Sequence[Card]) -> str:
    """Return the numbers of cards alone."""
    return " ".join(_plain(card) for card in cards)


def _plain(card: Card) -> str:
    if card.face in NATURAL:
        return card.face[1]
    return "Super" if card.face == SUPER else "Wild"


# ------------------------------------------------------------------------------------------------------- parts of names


def _named(view: BreakOutView, play: Play, cards_as: Naming) -> str:
    match play:
        case Lay(cards=cards):
            return f"Meld {cards_as(cards)}"
        case Extend(meld=meld, cards=cards, cell=cell):
            single = cards_at(view, cell)
            added = [*([cards_as(cards)] if cards else []), *([f"{cards_as(single)} of your cell"] if cell else [])]
            return f"Add {' and '.join(added)} to {meld_name(meld)}"
        case BreakOut(route=1, cards=cards):
            return f"Break out: {cards_as(cards)}"
        case BreakOut(route=2, cards=cards, meld=meld):
            return f"Break out: {meld_name(meld or START)} + {cards_as(cards)}{_remaining_melds(view, play)}"
        case BreakOut(route=3, moves=moves):
            only = f", only {meld_name(moves[0])}" if len(moves) == 1 and _remaining_melds(view, play) else ""
            return f"Break out: full cell{only}"
        case BreakOut():
            return f"Break out: Super Wild{_remaining_melds(view, play)}"
        case Extract(slot=slot, card=card, cell=cell):
            meld_view = meld_with(view, slot)
            where = "" if meld_view is None else f" in {meld_name(meld_view.id)}"
            source = "" if cell is None else " of cell"
            return f"Swap {cards_as([card])}{source} for {_wild(meld_view, slot)}{where}"
        case PlayDraw(face=face):
            return "Super Wild as DRAW card: all take" if face == SUPER else "DRAW card: all others take"
        case Move(melds=melds):
            own = [meld for meld in view.melds if meld.cell == view.seat]
            return "Move your cell to the Yard" if len(melds) == len(own) else f"Move {meld_name(melds[0])} to the Yard"
    raise AssertionError(play)


def _wild(meld: MeldView | None, slot: int) -> str:
    """Return the Wild that a swap frees."""
    supers = () if meld is None else (card.slot for card in meld.cards if card.face == SUPER)
    return "Super Wild" if slot in supers else "Wild"


def _remaining_melds(view: BreakOutView, play: BreakOut) -> str:
    """Return the remark that a break-out leaves other melds in the cell."""
    own = {meld.id for meld in view.melds if meld.cell == view.seat} - {play.meld}
    return ", others stay" if own - set(play.moves) else ""
