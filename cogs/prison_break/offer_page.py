"""The Warden's page of Prison Break: the two players to whom a face-up offer goes, a press each.

An offer takes two presses: the offer on the player page, then its players here. With two players there is only one
pair, so it takes one press. The choice travels in the controls' arguments, so nothing is stored and the page works
after a restart. Controls are untrusted.
"""

from collections.abc import Iterator
from itertools import combinations

from cogs.core.i18n.translation import _, public_label
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import is_number
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Page, Picture, Row, Text, rows
from cogs.prison_break import alt_text, picture
from cogs.prison_break.words import joint_words, offer_name, split_words
from engine.contract import Seat
from engine.games.prison_break import Kind, PrisonBreakView, Terms, terms_of

NAME_LENGTH = 12
"""The characters of a name on the button of a pair: a phone fits two of them."""


def seat_pair(view: PrisonBreakView, code: str) -> tuple[Seat, ...]:
    """Return two different seats of this table, written as two digits; empty for anything else."""
    if len(code) != 2 or not is_number(code):
        return ()
    first, second = (Seat(int(digit)) for digit in code)
    return (first, second) if first != second and max(first, second) < len(view.prisoners) else ()


def face_up(view: PrisonBreakView) -> dict[Kind, int]:
    """Return the face-up offers, each kind once, by their place in the row."""
    return {card.kind: place for place, card in reversed(list(enumerate(view.row))) if card.up}


def offers(view: PrisonBreakView) -> Iterator[Row | Text]:
    """Yield a button for each face-up offer, preceded by its terms if one press makes it."""
    found = dict(sorted(face_up(view).items(), key=lambda one: one[1]))
    alone = len(view.prisoners) == 2
    if alone:
        terms = (f"-# **{offer_name(kind)}** {_spelt_out(terms_of(kind, view.terms))}" for kind in found)
        yield Text("\n".join(terms))
    buttons = [
        Button(offer_name(kind), *(("offer-make", f"{place}.01") if alone else ("offer", str(place))), style="success")
        for kind, place in found.items()
    ]
    yield from rows([*buttons, Button(_("No offer"), "decline")])


def offer_page(view: PrisonBreakView, info: TableContext, argument: str) -> Page:
    """Return the page on which an offer's two players are chosen. Raises `UserError` if it is not face up."""
    place = int(argument) if is_number(argument) else -1
    if place not in face_up(view).values():
        raise UserError(_("That offer isn't face up. Press *{play}* to choose again.", play=public_label("Play")))
    kind = view.row[place].kind
    pairs = [
        Button(f"{_short(info, first)} + {_short(info, second)}", "offer-make", f"{place}.{first}{second}")
        for first, second in combinations(range(len(view.prisoners)), 2)
    ]
    title = _("### Who gets {offer}?", offer=offer_name(kind))
    words = f"{title}\n-# {_spelt_out(terms_of(kind, view.terms))}"
    return Page((own_table(view, info), Text(words), *rows(list(pairs), 2)))


def own_table(view: PrisonBreakView, info: TableContext) -> Picture:
    """Return the table with the face-up offers, and the Warden's own position and markers on it."""
    names = info.distinct_names
    return Picture(picture.draw_own(view, names), f"offers-{info.id}.png", alt_text.alt_own(view, names))


def _spelt_out(terms: Terms) -> str:
    """Return an offer's terms with what their signs mean."""
    accept, reject = split_words(terms)
    # Translators: what an offer does for each outcome of the vote of two players.
    return _(
        "✓✓ both accept: {both_accept} · one rejects: ✓ {accept}, ⊘ {reject} · ⊘⊘ both reject: {both_reject}",
        both_accept=joint_words(terms.both_accept),
        accept=accept,
        reject=reject,
        both_reject=joint_words(terms.both_reject),
    )


def _short(info: TableContext, seat: int) -> str:
    return info.label(Seat(seat), 2 + NAME_LENGTH)  # the shape of the seat comes first
