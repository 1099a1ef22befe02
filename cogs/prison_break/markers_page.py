"""The private markers of Prison Break: the page on which a player sets them, with a select for each opponent.

Made from the seat's own view, for that seat alone.
"""

import re
from collections.abc import Sequence

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import labelled, listed
from cogs.core.pages.custom_ids import is_number
from cogs.core.pages.game_ui import MARKS, TableContext
from cogs.core.pages.page import Page, Select, SelectOption, Text
from cogs.prison_break.words import place
from engine.contract import Seat
from engine.games.prison_break import JAIL, Mark, Position, PrisonBreakView, markers_text

_INTRO = N_("### Your markers\nMark where you think each player is. Only you see your markers, and only you move them.")


def markers_page(view: PrisonBreakView, info: TableContext) -> Page:
    """Return the page of a seat's markers."""
    others = [one for one in info.seated_players if one.seat != view.seat]
    selects = (_select(view, one.seat, f"{MARKS[one.seat]} {one.name}") for one in others)
    return Page((Text(_(_INTRO)), *selects))


def _select(view: PrisonBreakView, seat: Seat, name: str) -> Select:
    own = view.markers[seat] if view.markers else ()
    choices = tuple(
        SelectOption(labelled(name, place(space, view.spaces)), str(space), chosen=space in own)
        for space in range(JAIL, view.spaces + 2)
    )
    return Select("marker-set", choices, _("{name}: no markers", name=name), str(seat), least=0, most=len(choices))


def set_markers(view: PrisonBreakView, argument: str, values: Sequence[str]) -> Mark | None:
    """Return the action of a choice on the page, which the rules check again; None if the page has no such choice."""
    if not is_number(argument) or not all(map(is_number, values)):
        return None
    return Mark(markers_text(Seat(int(argument)), map(int, values)))


def read_spaces(words: str, spaces: int) -> tuple[Position, ...]:
    """Return the spaces that a player has typed, such as "3, 4 exit". Raises `UserError`."""
    named = {
        "jail": JAIL,
        "exit": spaces + 1,
        place(JAIL, spaces).lower(): JAIL,
        place(spaces + 1, spaces).lower(): spaces + 1,
    }
    found = re.findall(r"[^\s,;+]+", words.lower())
    if not all(word in named or is_number(word) for word in found):
        raise UserError(_("Name spaces from JAIL to EXIT, for example `3 4 exit`."))
    return tuple(named[word] if word in named else int(word) for word in found)


def markers_words(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return a reader's own markers in words; empty if there are none."""
    found = [
        f"{names[seat]} {listed([place(space, view.spaces) for space in spaces])}"
        for seat, spaces in enumerate(view.markers)
        if spaces
    ]
    return _("Your markers: {markers}", markers=" · ".join(found)) if found else ""
