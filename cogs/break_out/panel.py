"""The private panel of whose turn it is: pick cards, then say what to do with them.

What is picked travels in the controls' argument, so the panel survives a restart and keeps nothing: the cards as people
write them, a semicolon, how the hand is sorted, the page of a long hand. Under an `honour` referee nothing is vetoed;
the panel says privately what a play is worth and whether it is sound. May import `cogs.core`, `engine` and its own
package.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from cogs.break_out import picture
from cogs.break_out.words import (
    FAULTS,
    card_words,
    cards_words,
    colour_name,
    face_words,
    meld_name,
    meld_words,
    read_cards,
    worth,
)
from cogs.core.messages.page import Block, Button, Choice, Page, Picture, Row, Select, Text
from cogs.core.screen import TableInfo
from engine.contract import Seat
from engine.games.break_out import (
    DRAW,
    LETTERS,
    NATURAL,
    NUMBERS,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    CardView,
    Extend,
    Extract,
    Face,
    Fault,
    Lay,
    MeldView,
    Move,
    Play,
    PlayDraw,
    fault,
    fits,
    points,
    shape,
)

PAGE = 25
"""Cards on one page of the panel: a select takes no more."""
MOST = 25
"""Things to do on one panel."""
MOST_PICKED = 12
"""Cards that can be picked at once: twice a meld."""


@dataclass(frozen=True)
class Draft:
    """Cards that are picked, how the hand is sorted ("c" colour, "n" number), and the page of it."""

    cards: Cards = ()
    order: str = "c"
    page: int = 0

    def argument(self) -> str:
        """Return it as an argument."""
        return f"{cards_words(self.cards).replace(' ', '')};{self.order}{self.page}"


def read_draft(argument: str) -> Draft | None:
    """Return the draft that an argument holds, None if it is none."""
    words, _, rest = argument.partition(";")
    cards = read_cards(words)
    if cards is None or len(rest) != 2 or rest[0] not in "cn" or rest[1] not in "0123456789":
        return None
    return Draft(cards, rest[0], int(rest[1]))


def held(view: BreakOutView, cards: Sequence[Card]) -> Cards:
    """Return those of the cards that the reader still holds: others may have changed the hand meanwhile."""
    left = list(view.hand)
    kept = []
    for card in cards:
        if card.face in left:
            left.remove(card.face)
            kept.append(card)
    return tuple(kept)


# ------------------------------------------------------------------------------------------------- what Wilds stand for


def readings(cards: Sequence[Card], base: Sequence[Card] = ()) -> list[Cards]:
    """Return these cards with their Wilds declared, in every way that makes a sound meld with `base`.

    A Wild that is declared already keeps its declaration. If no way is sound, the Wilds are declared as the number of
    the first card, so that a bluff can be laid too.
    """
    open_wilds = [place for place, card in enumerate(cards) if card.face in (WILD, SUPER) and card.stands is None]
    if not open_wilds:
        return [tuple(cards)]
    found: dict[tuple[str, ...], Cards] = {}
    for stands in _candidates([*base, *cards], len(open_wilds)):
        declared = list(cards)
        for place, stand in zip(open_wilds, stands, strict=True):
            declared[place] = Card(cards[place].face, stand)
        if fault([*base, *declared]) is None:
            found.setdefault(tuple(sorted(stands)), tuple(declared))
    if found:
        return list(found.values())
    number = next((card.number for card in [*base, *cards] if card.number), 1)
    return [tuple(Card(card.face, str(number)) if i in open_wilds else card for i, card in enumerate(cards))]


def _candidates(cards: Sequence[Card], wilds: int) -> Iterator[tuple[str, ...]]:
    """Yield what so many Wilds might stand for: the number of a set, or the gaps and ends of a run."""
    known = [card for card in cards if card.number]
    if not known:
        return
    if len({card.number for card in known}) == 1:
        yield (str(known[0].number),) * wilds
    colours = {card.colour for card in known}
    letter = next(iter(colours))
    if len(colours) == 1 and letter is not None:
        have = {card.number for card in known}
        missing = [f"{letter}{number}" for number in range(1, NUMBERS + 1) if number not in have]
        for stands in product(missing, repeat=min(wilds, 3)):
            if list(stands) == sorted(set(stands)):
                yield (*stands, *stands[-1:] * (wilds - len(stands)))


# ----------------------------------------------------------------------------------------------------- what can be done


@dataclass(frozen=True)
class Offer:
    """Something that can be done with the picked cards. `code` names it in a select; `wrong` is why it is bad."""

    code: str
    label: str
    play: Play
    wrong: str | None = None

    @property
    def description(self) -> str:
        """What the player is told about it, and nobody else."""
        return "sound" if self.wrong is None else f"BAD: {self.wrong}"[:100]


def offers(view: BreakOutView, info: TableInfo, cards: Sequence[Card]) -> list[Offer]:
    """Return what the reader may do with these cards: the sound things first; bad melds under `honour` only."""
    seat = view.seat
    assert seat is not None
    found = list(_out(view, info, seat, cards) if view.out[seat] else _inside(view, seat, cards))
    if view.referee == "strict":
        found = [offer for offer in found if offer.wrong is None]
    return sorted(found, key=lambda offer: offer.wrong is not None)[:MOST]


def _inside(view: BreakOutView, seat: Seat, cards: Sequence[Card]) -> Iterator[Offer]:
    need, most = view.limits
    own = [meld for meld in view.melds if meld.cell == seat]
    size = sum(len(meld.cards) for meld in own)
    names = tuple(meld.id for meld in own)
    if cards:
        for number, read in enumerate(readings(cards)):
            total, wrong = points(read), _wrong(fault(read))
            told = f"{meld_words(read)}, {worth(read)}"
            crammed: Fault | None = "rich" if total >= need else "crammed" if size + len(read) > most else None
            yield Offer(f"lay.{number}", f"New meld in your cell: {told}", Lay(read), wrong or _wrong(crammed))
            poor: Fault | None = None if total >= need else "poor"
            yield Offer(f"out1.{number}", f"Break out with {told}", BreakOut(1, read), wrong or _wrong(poor))
        for meld in own:
            yield from _on_own(view, meld, cards, names, size)
    if view.full and names and not cards:
        yield Offer("out3.all", "Break out: your cell is full", BreakOut(3, moves=names))
        if len(names) > 1:
            for name in names:
                yield Offer(f"out3.{name}", f"Break out, moving only {meld_name(name)}", BreakOut(3, moves=(name,)))
    if [one.face for one in cards] == [SUPER]:
        alone = (Card(SUPER),)
        yield Offer("out4.all", "Break out with the Super Wild alone", BreakOut(4, alone, moves=names))
        if names:
            yield Offer("out4.none", "Break out with it, cell melds stay", BreakOut(4, alone))


def _on_own(
    view: BreakOutView, meld: MeldView, cards: Sequence[Card], names: tuple[int, ...], size: int
) -> Iterator[Offer]:
    need, most = view.limits
    others = tuple(name for name in names if name != meld.id)
    for number, read in enumerate(readings(cards, meld.played)):
        whole = (*meld.played, *read)
        total, wrong = points(whole), _wrong(fault(whole))
        crammed: Fault | None = "rich" if total >= need else "crammed" if size + len(read) > most else None
        told = f"{cards_words(read)}: {worth(whole)}"
        label = f"Add to {meld_name(meld.id)}, {told}"
        yield Offer(f"add.{meld.id}.{number}", label, Extend(meld.id, read), wrong or _wrong(crammed))
        poor: Fault | None = None if total >= need else "poor"
        label = f"Break out with {meld_name(meld.id)} and {told}"
        yield Offer(f"out2.{meld.id}.{number}.a", label, BreakOut(2, read, meld.id, others), wrong or _wrong(poor))
        if others:
            label = f"The same, the other cell melds stay: {told}"
            yield Offer(f"out2.{meld.id}.{number}.n", label, BreakOut(2, read, meld.id), wrong or _wrong(poor))


def _out(view: BreakOutView, info: TableInfo, seat: Seat, cards: Sequence[Card]) -> Iterator[Offer]:
    own = [meld for meld in view.melds if meld.cell == seat]
    if len(cards) == 1 and cards[0].face in (DRAW, SUPER) and not view.acted:
        face = cards[0].face
        old = view.hand.count(face) > (view.fresh == face)
        if old:
            yield Offer(f"draw.{face}", f"Play it as a DRAW card: {_everybody(view)} a card", PlayDraw(face))
    if cards:
        for number, read in enumerate(readings(cards)):
            told = f"{meld_words(read)}, {worth(read)}"
            yield Offer(f"lay.{number}", f"New meld in the Yard: {told}", Lay(read), _wrong(fault(read)))
        for meld in view.melds:
            if meld.cell is not None:
                continue
            for number, read in enumerate(readings(cards, meld.played)):
                whole = (*meld.played, *read)
                label = f"Add {cards_words(read)} to {meld_name(meld.id)}: {meld_words(whole)}"
                yield Offer(f"add.{meld.id}.{number}", label, Extend(meld.id, read), _wrong(fault(whole)))
        if len(cards) == 1:
            yield from _exchanges(view, cards[0])
    elif own:
        names = tuple(meld.id for meld in own)
        yield Offer("move.all", "Move all your cell melds to the Yard", Move(names))
        if len(names) > 1:
            for name in names:
                yield Offer(f"move.{name}", f"Move {meld_name(name)} to the Yard", Move((name,)))
        yield from _from_cell(view, own)


def _everybody(view: BreakOutView) -> str:
    return "the other draws" if len(view.counts) == 2 else "all others draw"


def _exchanges(view: BreakOutView, one: Card) -> Iterator[Offer]:
    for meld in view.melds:
        if meld.cell is not None:
            continue
        kind = shape(meld.played)
        for place in meld.cards:
            if place.face not in (WILD, SUPER):
                continue
            face = Card(one.face, place.stands) if one.face in (WILD, SUPER) else one
            good = fits(face, place.card, kind)
            label = f"Exchange for the {card_words(place.card)} in {meld_name(meld.id)}"
            yield Offer(f"swap.{place.slot}", label, Extract(place.slot, face), None if good else FAULTS["swap"])


def _from_cell(view: BreakOutView, own: Sequence[MeldView]) -> Iterator[Offer]:
    """Single cards that a cell meld can spare: to Yard melds that they fit, or for the Wild that stands for them."""
    yard = [meld for meld in view.melds if meld.cell is None]
    for one in _spare(own):
        for meld in yard:
            if fault((*meld.played, one.card)) is None:
                label = f"Put {card_words(one.card)} from your cell on {meld_name(meld.id)}"
                yield Offer(f"spare.{meld.id}.{one.slot}", label, Extend(meld.id, (), (one.slot,)))
            for place in meld.cards:
                if place.face in (WILD, SUPER) and fits(one.card, place.card, shape(meld.played)):
                    label = f"Exchange {card_words(one.card)} of your cell for the Wild in {meld_name(meld.id)}"
                    yield Offer(f"swap.{place.slot}.{one.slot}", label, Extract(place.slot, one.card, one.slot))


def _spare(own: Sequence[MeldView]) -> Iterator[CardView]:
    for source in own:
        for one in source.cards:
            rest = tuple(other.card for other in source.cards if other.slot != one.slot)
            if not rest or fault(rest) is None:
                yield one


def _wrong(found: Fault | None) -> str | None:
    return None if found is None else FAULTS[found]


# ---------------------------------------------------------------------------------------------------------------- panel


def panel(view: BreakOutView, info: TableInfo, draft: Draft, colour: int) -> Page:
    """Return the panel."""
    return Page(tuple(_blocks(view, info, draft)), colour)


def _blocks(view: BreakOutView, info: TableInfo, draft: Draft) -> Iterator[Block]:
    seat = view.seat
    assert seat is not None
    picked = held(view, draft.cards)
    draft = Draft(picked, draft.order, draft.page)
    hand = picture.sorted_hand(view.hand, draft.order)
    yield Text("\n".join(_head(view, seat, picked)))
    yield Picture(picture.draw_hand(hand, [one.face for one in picked]), "hand.png", picture.hand_alt(view.hand))
    if hand:
        yield _picker(hand, draft)
    if len(hand) > PAGE:
        turned = Draft(draft.cards, draft.order, 0 if draft.page else 1)
        yield Row((Button("Other cards of your hand", "page", turned.argument()),))
    found = offers(view, info, picked)
    if found:
        choices = tuple(Choice(offer.label[:100], offer.code, offer.description) for offer in found)
        yield Select("do", choices, "What to do with them?" if picked else "What else?", draft.argument())
    elif picked:
        yield Text("-# Nothing can be done with these cards now.")
    other = "n" if draft.order == "c" else "c"
    yield Row(
        (
            Button("Draw a card", "draw", disabled=view.acted or view.drew or not view.place),
            Button("NEXT", "next", style="success"),
            Button("Pick none", "page", Draft((), draft.order).argument() + "x", disabled=not picked),
            Button(
                "Sort by number" if other == "n" else "Sort by colour", "page", Draft(picked, other).argument() + "s"
            ),
        )
    )


def _head(view: BreakOutView, seat: Seat, picked: Cards) -> Iterator[str]:
    yield "### Your turn"
    if view.fresh is not None:
        yield f"You drew **{face_words(view.fresh)}**."
    need, most = view.limits
    if view.out[seat]:
        yield "You are out: lay melds in the Yard, add to any meld there, exchange Wilds, move your cell melds."
    else:
        held_cards = sum(len(meld.cards) for meld in view.melds if meld.cell == seat)
        yield (
            f"You are in your cell ({held_cards} of {most} cards): lay melds below {need} points there, or break out "
            f"with {need} or more."
        )
    if picked:
        yield f"Picked: {', '.join(card_words(one) for one in picked)}"


def _picker(hand: Sequence[Face], draft: Draft) -> Select:
    """The cards of a page of the hand; equal cards are told apart by a count."""
    page = min(draft.page, (len(hand) - 1) // PAGE)
    shown = hand[page * PAGE : (page + 1) * PAGE]
    left = [one.face for one in draft.cards]
    choices = []
    for number, face in enumerate(shown):
        chosen = face in left
        if chosen:
            left.remove(face)
        choices.append(Choice(face_words(face), f"{face}.{number}", chosen=chosen))
    elsewhere = Draft(tuple(_without_page(draft.cards, shown)), draft.order, page)
    return Select(
        "pick",
        tuple(choices),
        "Pick cards to see what can be done",
        elsewhere.argument(),
        0,
        min(len(choices), MOST_PICKED),
    )


def _without_page(cards: Sequence[Card], shown: Sequence[Face]) -> list[Card]:
    left = list(shown)
    kept = []
    for card in cards:
        if card.face in left:
            left.remove(card.face)
        else:
            kept.append(card)
    return kept


def picked(argument: str, values: Sequence[str]) -> Draft | None:
    """Return the draft after cards of a page were picked, None for values that are none."""
    draft = read_draft(argument)
    if draft is None:
        return None
    faces = [value.partition(".")[0] for value in values]
    if any(face not in (*NATURAL, WILD, DRAW, SUPER) for face in faces):
        return None
    return Draft((*draft.cards, *map(Card, faces))[:MOST_PICKED], draft.order, draft.page)


def letters_legend() -> str:
    """Return how colours are written."""
    return ", ".join(f"`{letter}` {colour_name(letter)}" for letter in LETTERS)
