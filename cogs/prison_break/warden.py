"""The Warden's panel of Prison Break: an offer and two players, chosen by selects.

What is chosen so far is carried by the panel's own controls, so that nothing is remembered anywhere else and the panel
works on after a restart. Controls are untrusted. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence

from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Button, Choice, Page, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from cogs.prison_break.words import MARKS, OFFER_NAMES, listed, terms_words
from engine.contract import Seat
from engine.games.prison_break import PrisonBreakView, terms_of


def is_number(word: str) -> bool:
    """Say whether a control's word is a small number."""
    return word.isascii() and word.isdecimal() and len(word) <= 3


def seat_pair(view: PrisonBreakView, code: str) -> tuple[Seat, ...]:
    """Read two different seats of this table, written as two digits; empty for anything else."""
    if len(code) != 2 or not is_number(code):
        return ()
    first, second = (Seat(int(digit)) for digit in code)
    return (first, second) if first != second and max(first, second) < len(view.prisoners) else ()


def offer_panel(view: PrisonBreakView, info: TableInfo, control: Control, colour: int) -> Page:
    """Return the panel after a control of it, or the fresh panel. Raises `UserError` for an offer that is not face up.

    Verbs: `offer-card` with the pair as its argument, `offer-players` with the offer as its argument, and `offer-make`
    with both, which the screen reads. Of two players there is one pair only, and it is chosen already.
    """
    chosen: int | None
    both = (Seat(0), Seat(1)) if len(view.prisoners) == 2 else ()
    match control.verb:
        case "offer-card":
            chosen = _face_up(view, control.values[0] if control.values else "")
            return _panel(view, info, chosen, both or seat_pair(view, control.argument), colour)
        case "offer-players":
            chosen = _face_up(view, control.argument) if control.argument else None
            return _panel(view, info, chosen, seat_pair(view, "".join(sorted(control.values))), colour)
        case _:
            return _panel(view, info, None, both, colour)


def _panel(view: PrisonBreakView, info: TableInfo, chosen: int | None, pair: Sequence[Seat], colour: int) -> Page:
    code = "".join(map(str, pair))
    blocks: list[Block] = [
        Text("### Make an offer\nA face-up offer for two different players; you may be one of them."),
        _offers(view, chosen, code),
    ]
    if len(view.prisoners) > 2:
        blocks.append(_players(view, info, "" if chosen is None else str(chosen), pair))
    if chosen is not None:
        kind = view.row[chosen].kind
        whom = f" for {listed([info.name(seat) for seat in pair])}" if pair else ""
        blocks.append(Text(f"**{OFFER_NAMES[kind]}**{whom}\n{terms_words(terms_of(kind, view.terms))}"))
    ready = chosen is not None and len(pair) == 2
    make = Button("Make this offer", "offer-make", f"{chosen}.{code}" if ready else "", "success", disabled=not ready)
    blocks.append(Row((make, Button("No offer", "decline"))))
    return Page(tuple(blocks), colour)


def _offers(view: PrisonBreakView, chosen: int | None, pair: str) -> Select:
    choices = tuple(
        Choice(
            f"{place + 1}. {OFFER_NAMES[offer.kind]}",
            str(place),
            terms_words(terms_of(offer.kind, view.terms)),
            chosen=place == chosen,
        )
        for place, offer in enumerate(view.row)
        if offer.up
    )
    return Select("offer-card", choices, "Which offer?", pair)


def _players(view: PrisonBreakView, info: TableInfo, chosen: str, pair: Sequence[Seat]) -> Select:
    choices = tuple(
        Choice(f"{MARKS[seat]} {info.sitters[seat].name}", str(seat), chosen=seat in pair)
        for seat in range(len(view.prisoners))
    )
    return Select("offer-players", choices, "Which two players?", chosen, least=2, most=2)


def _face_up(view: PrisonBreakView, word: str) -> int:
    if is_number(word) and int(word) < len(view.row) and view.row[int(word)].up:
        return int(word)
    raise UserError("That offer does not lie face up. Press *Make an offer* again.")
