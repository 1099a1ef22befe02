"""Parsers for what people type into Break-Out's commands: cards, cell cards, numbers of melds, as seen in their view,
and the actions that consist of several of them.

Each function raises `UserError` for text that it cannot read.
"""

from cogs.break_out.card_picker import declarations
from cogs.break_out.words import cards_words, face_words, place_of, read_cards
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.pages.custom_ids import is_number
from engine.contract import Seat
from engine.games.break_out import (
    FACES,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    Extract,
    Face,
    fault,
    fits,
    shape,
)

NOTATION = "For example r5 b5 w=y5 (colours r b y g o v; w is a Wild, s a Super Wild)"
"""How cards are written, in the descriptions of commands."""

CANNOT_READ = N_(
    "I can't read {typed}. Write for example r5 b5 w=y5 (colours r b y g o v; w is a Wild, s a Super Wild)."
)


def read_declared(words: str, base: Cards) -> Cards:
    """Return the typed cards, with Wilds declared where that is unambiguous. Raises `UserError`."""
    read = read_cards(words)
    if read is None:
        raise UserError(_(CANNOT_READ, typed=repr(cut(words, 60))))
    found = declarations(read, base)
    if len(found) > 1:
        ways = ", ".join(f"`{cards_words(one)}`" for one in found[:4])
        raise UserError(_("Say which card the Wild represents: {ways}", ways=ways))
    return found[0]


def read_cell_slots(view: BreakOutView, seat: Seat, words: str) -> tuple[int, ...]:
    """Return the typed cards of the player's cell. Raises `UserError`."""
    read = read_cards(words)
    if read is None:
        raise UserError(_(CANNOT_READ, typed=repr(cut(words, 60))))
    own = [one for meld in view.melds if meld.cell == seat for one in meld.cards]
    slots: list[int] = []
    for card in read:
        place = next((one for one in own if one.face == card.face and one.slot not in slots), None)
        if place is None:
            missing = face_words(card.face)
            raise UserError(_("There's no {card} in your cell, or not as many as you named.", card=missing))
        slots.append(place.slot)
    return tuple(slots)


def slot_of(view: BreakOutView, seat: Seat, face: Face) -> int | None:
    """Return a card of this face in the player's cell, preferably one that may leave it."""
    own = [meld for meld in view.melds if meld.cell == seat]
    found = {one.slot: meld for meld in own for one in meld.cards if one.face == face}

    def stays(slot: int) -> bool:
        rest = [one.card for one in found[slot].cards if one.slot != slot]
        return not rest or fault(rest) is None

    return next((slot for slot in found if stays(slot)), next(iter(found), None))


def read_added(view: BreakOutView, meld: int, words: str) -> Cards:
    """Return the typed cards that are added to a meld. Raises `UserError`."""
    base = place_of(view, meld)
    return read_declared(words, () if base is None else base.played)


def read_melds(view: BreakOutView, seat: Seat, words: str, without: int | None = None) -> tuple[int, ...]:
    """Return the typed numbers of melds, or "all" for those of the player's cell `without` one. Raises `UserError`."""
    match words.strip().lower():
        case "all":
            return tuple(one.id for one in view.melds if one.cell == seat and one.id != without)
        case "none":
            return ()
    parts = words.replace(",", " ").split()
    if not all(map(is_number, parts)):
        typed = repr(cut(words, 40))
        raise UserError(_("{typed} isn't a list of melds: write their numbers (3 5), all or none.", typed=typed))
    return tuple(map(int, parts))


def read_break_out(
    view: BreakOutView, seat: Seat, route: int, cards: str, meld: int | None, moves: str | None
) -> BreakOut:
    """Return how a player breaks out by a route, with typed cards, a cell meld, and the cell melds that move too, which
    are all by default. Raises `UserError`.
    """
    if route == 1:
        return BreakOut(1, read_declared(cards, ()))
    moved = read_melds(view, seat, "all" if moves is None else moves, without=meld)
    match route:
        case 2:
            if meld is None:
                raise UserError(_("By route 2 you add cards to a meld in your cell: say which with the option `meld`."))
            return BreakOut(2, read_added(view, meld, cards), meld, moved)
        case 3:
            return BreakOut(3, moves=moved)
        case _:
            return BreakOut(4, (Card(SUPER),), moves=moved)


def read_swap(view: BreakOutView, seat: Seat, meld: int, words: str) -> tuple[Extract, Face]:
    """Return how a player swaps a typed card for a Wild in a meld, and that Wild: the one that represents the card if
    there is one. Raises `UserError`.
    """
    base, read = place_of(view, meld), read_cards(words)
    if base is None:
        raise UserError(_("There's no meld {number} on the table.", number=meld))
    if read is None or len(read) != 1:
        typed = repr(cut(words, 20))
        raise UserError(_("{typed} isn't one card: write a colour's letter and a number, like r5.", typed=typed))
    wilds = [one for one in base.cards if one.face in (WILD, SUPER)]
    if not wilds:
        raise UserError(_("There's no Wild in meld {number}.", number=meld))
    (card,), kind = read, shape(base.played)
    place = next((one for one in wilds if fits(card, one.card, kind)), wilds[0])
    slot = None if card.face in view.hand else slot_of(view, seat, card.face)
    return Extract(place.slot, card, slot), place.face


def read_face(words: str) -> Face:
    """Return a typed card of a hand. Raises `UserError`."""
    face = words.strip().lower()
    if face not in FACES:
        typed = repr(cut(words, 20))
        raise UserError(
            _("{typed} isn't a card: write a colour's letter and a number like r5, or w, s or d.", typed=typed)
        )
    return face
