"""The page on which cards are picked by hand, and the choice of what to do with them.

The picked cards travel in the controls' argument, so the page survives a restart and stores nothing: the cards as
people write them, a semicolon, the sort order of the hand, the page of a long hand. Under an `honour` referee nothing
is vetoed, but at a table with hints the page says what is legal. A `strict` referee refuses other plays, so they are
not offered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from cogs.break_out import picture
from cogs.break_out.controls import call_row
from cogs.break_out.log import new_cards
from cogs.break_out.play_labels import labels_of, name_of, points_of
from cogs.break_out.plays import best_sound_plays, code, with_meld
from cogs.break_out.words import cards_words, face_name, face_words, pictured, read_cards
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import cut
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, SelectOption, Text, rows
from cogs.core.pages.player_page import DISCARD_DRAFT
from engine.contract import Seat
from engine.games.break_out import (
    DRAW,
    NATURAL,
    NUMBERS,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    Extend,
    Extract,
    Fault,
    Lay,
    MeldView,
    Move,
    Play,
    PlayDraw,
    fault,
    fault_of,
    sound_plays,
)

PAGE_SIZE = 10
"""The cards on one page: two rows of buttons."""
MOST_PLAYS = 25
"""The most plays in a list: as many options as a select takes."""
MOST_PLAY_BUTTONS = 2
"""The most plays with their own button; more are in a select."""
MOST_IN_PICTURE, IN_A_ROW = 8, 5
"""The most cards of a hand that are also drawn, and the most beside calls: the buttons of more leave no space."""
MOST_PICKED = 12
"""The most cards that can be picked at once: twice a meld."""

NOTHING = N_("-# You can't do anything with these cards now: pick other cards, or more.")


@dataclass(frozen=True)
class Draft:
    """Picked cards, the sort order of the hand ("c" colour, "n" number), and its page."""

    cards: Cards = ()
    order: str = "c"
    page: int = 0

    def argument(self) -> str:
        """Return the draft as an argument."""
        return f"{cards_words(self.cards).replace(' ', '')};{self.order}{self.page}"


def read_draft(argument: str) -> Draft | None:
    """Return the draft of an argument, or None if it is invalid."""
    words, __, rest = argument.partition(";")
    cards = read_cards(words)
    if cards is None or len(rest) != 2 or rest[0] not in "cn" or rest[1] not in "0123456789":
        return None
    return Draft(cards, rest[0], int(rest[1]))


def still_held(view: BreakOutView, cards: Sequence[Card]) -> Cards:
    """Return those of the cards that the reader still holds: others may have changed the hand meanwhile."""
    left = list(view.hand)
    kept = []
    for card in cards:
        if card.face in left:
            left.remove(card.face)
            kept.append(card)
    return tuple(kept)


# ------------------------------------------------------------------------------------------------ declarations of Wilds


def declarations(cards: Sequence[Card], base: Sequence[Card] = ()) -> list[Cards]:
    """Return these cards with their Wilds declared in every way that makes a legal meld with `base`.

    A Wild that is already declared keeps its declaration. If no way is legal, the Wilds are declared as the number of
    the first card, so that a bluff can be laid too.
    """
    open_wilds = [place for place, card in enumerate(cards) if card.face in (WILD, SUPER) and card.stands is None]
    if not open_wilds:
        return [tuple(cards)]
    found: dict[tuple[str, ...], Cards] = {}
    for values in _declarations([*base, *cards], len(open_wilds)):
        declared = list(cards)
        for place, value in zip(open_wilds, values, strict=True):
            declared[place] = Card(cards[place].face, value)
        if fault([*base, *declared]) is None:
            found.setdefault(tuple(sorted(values)), tuple(declared))
    if found:
        return list(found.values())
    number = next((card.number for card in [*base, *cards] if card.number), 1)
    return [tuple(Card(card.face, str(number)) if i in open_wilds else card for i, card in enumerate(cards))]


def _declarations(cards: Sequence[Card], wilds: int) -> Iterator[tuple[str, ...]]:
    """Yield declarations for this many Wilds: the number of a set, or the gaps and ends of a run."""
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
        for values in product(missing, repeat=min(wilds, 3)):
            if list(values) == sorted(set(values)):
                yield (*values, *values[-1:] * (wilds - len(values)))


# -------------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class PlayOption:
    """A play that the picked cards allow, and its fault if it is unsound."""

    play: Play
    wrong: Fault | None = None


def play_options(view: BreakOutView, cards: Sequence[Card], hints: bool = True) -> list[PlayOption]:
    """Return what the reader may do with these cards.

    With a strict referee only legal plays are listed, since the rest is refused; otherwise those come first if there
    are hints.
    """
    seat = view.seat
    assert seat is not None
    found = [
        PlayOption(play, fault_of(with_meld(view, play), view.limits)) for play in _possible_plays(view, seat, cards)
    ]
    if view.referee == "strict":
        found = [offer for offer in found if offer.wrong is None]
    elif hints:
        found.sort(key=lambda offer: offer.wrong is not None)
    return found[:MOST_PLAYS]


def _possible_plays(view: BreakOutView, seat: Seat, cards: Sequence[Card]) -> Iterator[Play]:
    """Yield the plays that these cards may be laid as; without cards, the plays that need none from the hand."""
    faces = [card.face for card in cards]
    for play in sound_plays(view, seat):
        match play:
            case Move() | BreakOut(route=3) | Extend(cards=()) if not cards:
                yield play
            case Extract(cell=int()) if not cards:
                yield play
            case PlayDraw(face=face) if faces == [face]:
                yield play
    if not cards:
        return
    own = [meld for meld in view.melds if meld.cell == seat]
    if view.out[seat]:
        yield from map(Lay, declarations(cards))
        for meld in view.melds:
            if meld.cell is None:
                yield from (Extend(meld.id, read) for read in declarations(cards, meld.played))
                yield from _exchanges(meld, cards)
        return
    for read in declarations(cards):
        yield Lay(read)
        yield BreakOut(1, read)
    for meld in own:
        others = tuple(other.id for other in own if other.id != meld.id)
        for read in declarations(cards, meld.played):
            yield Extend(meld.id, read)
            yield BreakOut(2, read, meld.id, others)
            if others:
                yield BreakOut(2, read, meld.id)
    if faces == [SUPER]:
        yield BreakOut(4, (Card(SUPER),), moves=tuple(meld.id for meld in own))
        if own:
            yield BreakOut(4, (Card(SUPER),))


def _exchanges(meld: MeldView, cards: Sequence[Card]) -> Iterator[Play]:
    """Yield the exchanges of one card for each kind of Wild in a Yard meld and each of its declarations."""
    if len(cards) == 1:
        wilds = {place.card: place.slot for place in meld.cards if place.face in (WILD, SUPER)}
        yield from (Extract(slot, cards[0]) for slot in wilds.values())


# ---------------------------------------------------------------------------------------------------------------- panel


def picker_page(view: BreakOutView, info: TableContext, draft: Draft, hints: bool) -> Page:
    """Return the page on which cards are picked by hand, with the plays that they allow."""
    return Page(tuple(_blocks(view, info, draft, hints)))


def _blocks(view: BreakOutView, info: TableContext, draft: Draft, hints: bool) -> Iterator[Block]:
    picked = still_held(view, draft.cards)
    draft = Draft(picked, draft.order, draft.page)
    hand = picture.sorted_hand(view.hand, draft.order)
    yield BoardPlaceholder()
    calls = call_row(view, info)
    if calls is not None:
        yield calls
    if picked:
        yield Text(_("**Picked:** {cards}", cards=pictured(picked)))
    else:
        yield Text(_("**Pick cards**, then what to do with them."))
    if len(hand) <= MOST_IN_PICTURE and (calls is None or len(hand) <= IN_A_ROW):
        chosen = [one.face for one in picked]
        yield Picture(picture.draw_hand(hand, chosen, new_cards(view)), "hand.png", picture.hand_alt(view.hand))
    yield from rows(_toggles(view, draft))
    if not picked and hints:
        yield from legal_plays(view)
    else:
        yield from _options(view, play_options(view, picked, hints), hints, bool(picked))
    yield Row((*_turning(draft, len(hand)), Button(_("◀ Back"), "hand", DISCARD_DRAFT)))


def _toggles(view: BreakOutView, draft: Draft) -> list[Button]:
    """Return a button for each card on one page of the hand: pressed, it picks the card or puts it back."""
    hand = picture.sorted_hand(view.hand, draft.order)
    page = min(draft.page, (len(hand) - 1) // PAGE_SIZE)
    left = list(draft.cards)
    found: list[Button] = []
    for place, face in enumerate(hand):
        chosen = next((card for card in left if card.face == face), None)
        if chosen is not None:
            left.remove(chosen)
        if place // PAGE_SIZE != page:
            continue
        after = [*draft.cards, Card(face)] if chosen is None else _without(draft.cards, chosen)
        found.append(
            Button(
                face_words(face),
                "page",
                f"{Draft(tuple(after), draft.order, page).argument()}.{place}",
                style="secondary" if chosen is None else "primary",
                disabled=chosen is None and len(draft.cards) >= MOST_PICKED,
                face=face_name(face),
                beside="",
            )
        )
    return found


def _without(cards: Sequence[Card], card: Card) -> list[Card]:
    left = list(cards)
    left.remove(card)
    return left


def _turning(draft: Draft, cards: int) -> Iterator[Button]:
    """Yield the buttons that show the hand in another way: in the other order, or its other page."""
    order, words = ("n", _("Sort by number")) if draft.order == "c" else ("c", _("Sort by colour"))
    yield Button(words, "page", f"{Draft(draft.cards, order).argument()}.s")
    if cards > PAGE_SIZE:
        page = (draft.page + 1) % -(-cards // PAGE_SIZE)
        yield Button(_("More cards"), "page", f"{Draft(draft.cards, draft.order, page).argument()}.p")


def legal_plays(view: BreakOutView) -> Iterator[Block]:
    """Yield the lists of all legal plays."""
    found = best_sound_plays(view)
    for first in range(0, min(len(found), 3 * MOST_PLAYS), MOST_PLAYS):
        part = [PlayOption(play) for play in found[first : first + MOST_PLAYS]]
        words = _("Legal plays {first} to {last} …", first=first + 1, last=first + len(part))
        if len(found) <= MOST_PLAYS:
            words = ngettext("{n} legal play …", "{n} legal plays, best first …", len(found))
        yield Select("do", _choices(view, part), words, str(first))
    if not found:
        yield Text(_("-# You have no legal play now."))


def _options(view: BreakOutView, found: Sequence[PlayOption], hints: bool, some: bool) -> Iterator[Block]:
    """Yield the plays for the picked cards: buttons, as far as they fit. With hints, legal plays come first, apart from
    the bluffs.
    """
    right = [offer for offer in found if not hints or offer.wrong is None]
    bluffs = [offer for offer in found if hints and offer.wrong is not None]
    if len(right) <= MOST_PLAY_BUTTONS:
        yield from rows(play_buttons(view, [offer.play for offer in right], lit=hints), 3)
    else:
        yield Select("do", _choices(view, right), _what(some))
    if bluffs and not right:
        yield Text(_("-# No legal play with these. But who would notice?"))
    if len(bluffs) == 1 or (len(bluffs) <= MOST_PLAY_BUTTONS and not right):
        shown = play_buttons(view, [offer.play for offer in bluffs], lit=False)
        yield from rows([replace(one, label=_("Bluff: {play}", play=one.label)) for one in shown], 3)
    elif bluffs:
        yield Select("do", _choices(view, bluffs), _("Or bluff with them …"), "bluff")
    if some and not found:
        yield Text(_(NOTHING))


def _what(some: bool) -> str:
    return _("What to do with them?") if some else _("Or play without a card …")


def _choices(view: BreakOutView, found: Sequence[PlayOption]) -> tuple[SelectOption, ...]:
    return tuple(
        SelectOption(cut(name_of(view, one.play), 100), code(one.play), points_of(view, one.play)) for one in found
    )


def play_buttons(view: BreakOutView, plays: Sequence[Play], *, lit: bool = True) -> list[Button]:
    """Return the buttons of plays that are shown together: one press each, all with different labels. If `lit`, the
    first way out is highlighted.
    """
    first = next((play for play in plays if lit and isinstance(play, BreakOut)), None)
    return [
        Button(label, "lay", code(play), style="primary" if play is first else "secondary")
        for play, label in zip(plays, labels_of(view, plays), strict=True)
    ]


def picked(argument: str, values: Sequence[str]) -> Draft | None:
    """Return the draft after a page's cards were picked; None for invalid values."""
    draft = read_draft(argument)
    if draft is None:
        return None
    faces = [value.partition(".")[0] for value in values]
    if any(face not in (*NATURAL, WILD, DRAW, SUPER) for face in faces):
        return None
    return Draft((*draft.cards, *map(Card, faces))[:MOST_PICKED], draft.order, draft.page)
