"""The Warden's page of Prison Break: the two players to whom a face-up offer goes, a press each.

An offer is two presses, of which the first stands in the cockpit: which offer, and for whom; of two players there is
one pair only, so there it is one press. What is chosen travels in the controls' arguments, so nothing is remembered
anywhere else and the page works on after a restart. Controls are untrusted.
"""

from collections.abc import Iterator
from itertools import combinations

from cogs.core.ops.errors import UserError
from cogs.core.pages.game_ui import MARKS, TableContext
from cogs.core.pages.page import BoardPlaceholder, Button, Page, Row, Text, rows
from cogs.prison_break.words import ACCEPT, OFFER_NAMES, REJECT, terms_words
from engine.contract import Seat
from engine.games.prison_break import Kind, PrisonBreakView, terms_of

NAME = 12
"""Characters of a name on the button of a pair: a phone has room for two of them."""


SIGNS = (
    f"-# {ACCEPT}{ACCEPT}: if both accept. {REJECT}{REJECT}: if both reject. Split: one accepts ({ACCEPT}), the other "
    f"rejects ({REJECT})."
)
"""What an offer's terms are written with, wherever one is chosen."""


def is_number(word: str) -> bool:
    """Say whether a control's word is a small number."""
    return word.isascii() and word.isdecimal() and len(word) <= 3


def seat_pair(view: PrisonBreakView, code: str) -> tuple[Seat, ...]:
    """Read two different seats of this table, written as two digits; empty for anything else."""
    if len(code) != 2 or not is_number(code):
        return ()
    first, second = (Seat(int(digit)) for digit in code)
    return (first, second) if first != second and max(first, second) < len(view.prisoners) else ()


def face_up(view: PrisonBreakView) -> dict[Kind, int]:
    """Return the offers that lie face up, each kind once, by their place in the row."""
    return {card.kind: place for place, card in reversed(list(enumerate(view.row))) if card.up}


def offers(view: PrisonBreakView) -> Iterator[Row | Text]:
    """Yield a button for each offer that lies face up; before a press that makes it, also what it would do."""
    found = dict(sorted(face_up(view).items(), key=lambda one: one[1]))
    alone = len(view.prisoners) == 2
    if alone:
        terms = (f"-# **{OFFER_NAMES[kind]}** {terms_words(terms_of(kind, view.terms))}" for kind in found)
        yield Text("\n".join((*terms, SIGNS)))
    buttons = [
        Button(OFFER_NAMES[kind], *(("offer-make", f"{place}.01") if alone else ("offer", str(place))), style="success")
        for kind, place in found.items()
    ]
    yield from rows([*buttons, Button("No offer", "decline")])


def offer_page(view: PrisonBreakView, info: TableContext, argument: str, colour: int) -> Page:
    """Return the page on which an offer's two players are chosen. Raises `UserError` for one that is not face up."""
    place = int(argument) if is_number(argument) else -1
    if place not in face_up(view).values():
        raise UserError("That offer does not lie face up. Press *Play* to choose again.")
    kind = view.row[place].kind
    pairs = [
        Button(f"{_short(info, first)} + {_short(info, second)}", "offer-make", f"{place}.{first}{second}")
        for first, second in combinations(range(len(view.prisoners)), 2)
    ]
    words = f"### {OFFER_NAMES[kind]}, for whom?\n{terms_words(terms_of(kind, view.terms))}\n{SIGNS}"
    return Page((BoardPlaceholder(), Text(words), *rows(list(pairs), 2)), colour)


def _short(info: TableContext, seat: int) -> str:
    name = info.sitters[seat].name
    return f"{MARKS[seat]} {name if len(name) <= NAME else f'{name[: NAME - 1]}…'}"
