"""The names of plays: in full, and on buttons, of which a phone shows few characters.

There are two kinds of points, each with its own word. A meld's `worth` decides whether it breaks out and may lie in a
cell; the reduction of points `in hand` counts at the end of the round.
"""

from collections.abc import Callable, Iterator, Sequence

from cogs.break_out.plays import cards_at, meld_with, with_meld
from cogs.break_out.words import colour_name, face_words, meld_name, of_colour, pictured, spoken, suited, worth
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import cut, figure
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
            return [_("{points} in hand", points=figure(-hand_points(view, cards)))]
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
            yield name.replace(_("Super Wild"), _("Super"))
            break
    yield cut(_brief(view, play), LABEL_LENGTH)


def _brief(view: BreakOutView, play: Play) -> str:
    """Return the name of a play without its cards."""
    match play:
        case Lay(cards=cards):
            return ngettext("Meld {n} card", "Meld {n} cards", len(cards))
        case Extend(meld=meld, cards=cards, cell=cell):
            added = len(cards) + len(cell)
            return ngettext("Add {n} card to {meld}", "Add {n} cards to {meld}", added, meld=meld_name(meld))
        case BreakOut(route=2, meld=meld):
            base = meld_name(meld or START)
            if _leaves_melds(view, play):
                return _("Break out: {meld}, others stay", meld=base)
            return _("Break out: {meld}", meld=base)
        case BreakOut(cards=()):
            return _("Break out: full cell")
        case BreakOut(cards=cards):
            return ngettext("Break out: {n} card", "Break out: {n} cards", len(cards))
        case Extract(slot=slot, card=card):
            return _("Swap {card} for {wild}", card=spoken([card]), wild=_wild(meld_with(view, slot), slot))
        case PlayDraw():
            return _("DRAW card: others take a card")
        case Move(melds=melds):
            return ngettext("Move {n} meld to the Yard", "Move {n} melds to the Yard", len(melds))
    raise AssertionError(play)


# ---------------------------------------------------------------------------------------------------- cards on a button


def _as_run(cards: Sequence[Card]) -> list[Card]:
    """Return cards in the order of a run if they all have, or are declared as, one colour; otherwise none."""
    colours = {card.colour for card in cards}
    return sorted(cards, key=lambda card: card.number) if len(colours) == 1 and None not in colours else []


def _declared(cards: Sequence[Card]) -> str:
    """Return cards for a button, each with its colour. A run has its colour once, and then its Wilds with what they
    represent.
    """
    run = _as_run(cards)
    if not run:
        wilds_last = sorted(cards, key=lambda card: card.face not in NATURAL)
        return " ".join(spoken([card]) if card.face in NATURAL else _plain(card) for card in wilds_last)
    colour = run[0].colour or ""
    naturals = [str(card.number) for card in run if card.face in NATURAL]
    words = [suited(colour, " ".join(naturals))] if naturals else []
    for card in run:
        if card.face not in NATURAL:
            represents = card.number if naturals else face_words(f"{colour}{card.number}")
            words.append(_("{wild} as {card}", wild=_plain(card), card=represents))
    return ", ".join(words)


def _grouped(cards: Sequence[Card]) -> str:
    """Return cards as the run or set that they make, naming its Wilds: blue 3–6 with Wild."""
    supers = sum(card.face == SUPER for card in cards)
    wilds = sum(card.wild for card in cards) - supers
    return _run_or_set(cards, ", ".join(filter(None, (_wilds(wilds), _supers(supers)))))


def _counted(cards: Sequence[Card]) -> str:
    """Return cards as the run or set that they make, with the number of its Wilds."""
    return _run_or_set(cards, _wilds(sum(card.wild for card in cards)))


def _wilds(number: int) -> str:
    if number <= 1:
        return _("Wild") if number else ""
    return ngettext("{n} Wild", "{n} Wilds", number)


def _supers(number: int) -> str:
    if number <= 1:
        # Translators: a Super Wild, in short.
        return _("Super") if number else ""
    return ngettext("{n} Super", "{n} Supers", number)


def _run_or_set(cards: Sequence[Card], wilds: str) -> str:
    """Return the run or set that cards make with these Wilds; in short form if they make neither."""
    naturals = [card for card in cards if card.face in NATURAL]
    if run := _as_run(cards):
        numbers = [card.number for card in run]
        whole = len(run) > 2 and numbers == list(range(numbers[0], numbers[0] + len(run)))
        words = f"{numbers[0]}–{numbers[-1]}" if whole else " ".join(map(str, numbers))
        shown = suited(run[0].colour or "", words)
        # Translators: a run of cards and its Wilds, such as "blue 3–6 with Wild".
        return _("{run} with {wilds}", run=shown, wilds=wilds) if wilds else shown
    if naturals and len({card.number for card in cards}) == 1:
        colours = " ".join(colour_name(card.face[0]) for card in naturals)
        # Translators: a set of cards, such as "red blue green 5".
        shown = _("{colours} {number}", colours=colours, number=naturals[0].number)
        return f"{shown} + {wilds}" if wilds else shown
    return _short(cards)


def _short(cards: Sequence[Card]) -> str:
    """Return cards in short: a set by its numbers alone, others with the colour once."""
    numbers = {card.number for card in cards}
    if len(cards) > 1 and len(numbers) == 1 and any(card.face in NATURAL for card in cards):
        return " ".join(_plain(card) for card in cards)
    groups: list[tuple[str, list[str]]] = []
    for card in sorted(cards, key=lambda card: (card.colour or "", card.number)):
        letter = card.face[0] if card.face in NATURAL else ""
        if groups and groups[-1][0] and letter in ("", groups[-1][0]):
            groups[-1][1].append(_plain(card))
        else:
            groups.append((letter, [_plain(card)]))
    return " ".join(of_colour(letter, words) if letter else words[0] for letter, words in groups)


def _numbers(cards: Sequence[Card]) -> str:
    """Return the numbers of cards alone."""
    return " ".join(_plain(card) for card in cards)


def _plain(card: Card) -> str:
    if card.face in NATURAL:
        return card.face[1]
    return _("Super") if card.face == SUPER else _("Wild")


# ------------------------------------------------------------------------------------------------------- parts of names


def _named(view: BreakOutView, play: Play, cards_as: Naming) -> str:
    match play:
        case Lay(cards=cards):
            return _("Meld {cards}", cards=cards_as(cards))
        case Extend():
            return _addition(view, play, cards_as)
        case BreakOut():
            return _break_out(view, play, cards_as)
        case Extract():
            return _swap(view, play, cards_as)
        case PlayDraw(face=face):
            return _("Super Wild as DRAW card: all take") if face == SUPER else _("DRAW card: others take a card")
        case Move(melds=melds):
            own = [meld for meld in view.melds if meld.cell == view.seat]
            if len(melds) == len(own):
                return _("Move your cell to the Yard")
            return _("Move {meld} to the Yard", meld=meld_name(melds[0]))
    raise AssertionError(play)


def _addition(view: BreakOutView, play: Extend, cards_as: Naming) -> str:
    meld, single = meld_name(play.meld), cards_at(view, play.cell)
    if not single:
        return _("Add {cards} to {meld}", cards=cards_as(play.cards), meld=meld)
    if not play.cards:
        return _("Add {cards} from cell to {meld}", cards=cards_as(single), meld=meld)
    return _(
        "Add {cards} and {cell_cards} from cell to {meld}",
        cards=cards_as(play.cards),
        cell_cards=cards_as(single),
        meld=meld,
    )


def _break_out(view: BreakOutView, play: BreakOut, cards_as: Naming) -> str:
    leaves = _leaves_melds(view, play)
    match play.route:
        case 1:
            return _("Break out: {cards}", cards=cards_as(play.cards))
        case 2:
            base, cards = meld_name(play.meld or START), cards_as(play.cards)
            if leaves:
                return _("Break out: {meld} + {cards}, others stay", meld=base, cards=cards)
            return _("Break out: {meld} + {cards}", meld=base, cards=cards)
        case 3 if leaves and len(play.moves) == 1:
            return _("Break out: full cell, only {meld}", meld=meld_name(play.moves[0]))
        case 3:
            return _("Break out: full cell")
        case _:
            return _("Break out: Super Wild, others stay") if leaves else _("Break out: Super Wild")


def _swap(view: BreakOutView, play: Extract, cards_as: Naming) -> str:
    meld = meld_with(view, play.slot)
    card, wild = cards_as([play.card]), _wild(meld, play.slot)
    if meld is None:
        return _("Swap {card} for {wild}", card=card, wild=wild)
    if play.cell is None:
        return _("Swap {card} for {wild} in {meld}", card=card, wild=wild, meld=meld_name(meld.id))
    return _("Swap {card} from cell for {wild} in {meld}", card=card, wild=wild, meld=meld_name(meld.id))


def _wild(meld: MeldView | None, slot: int) -> str:
    """Return the Wild that a swap frees."""
    supers = () if meld is None else (card.slot for card in meld.cards if card.face == SUPER)
    return _("Super Wild") if slot in supers else _("Wild")


def _leaves_melds(view: BreakOutView, play: BreakOut) -> bool:
    """Return whether a break-out leaves other melds in the cell."""
    own = {meld.id for meld in view.melds if meld.cell == view.seat} - {play.meld}
    return bool(own - set(play.moves))
