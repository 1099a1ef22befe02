"""Parsers for what people type into Break-Out's commands: cards, cell cards, numbers of melds, as seen in their view.

Each function raises `UserError` for text that it cannot read.
"""

from cogs.break_out.card_picker import declarations
from cogs.break_out.words import cards_words, face_words, read_cards
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.pages.custom_ids import is_number
from engine.contract import Seat
from engine.games.break_out import BreakOutView, Cards, Face, fault

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


def read_numbers(words: str) -> tuple[int, ...]:
    """Return the typed numbers. Raises `UserError`."""
    parts = words.replace(",", " ").split()
    if words.strip().lower() == "none":
        return ()
    if not all(map(is_number, parts)):
        typed = repr(cut(words, 40))
        raise UserError(_("{typed} isn't a list of melds: write their numbers (3 5), all or none.", typed=typed))
    return tuple(map(int, parts))
