"""The pages on which tiles to swap are picked, and passing is confirmed."""

from collections.abc import Iterable, Sequence

from cogs.core.i18n.translation import _, cached_by_language, ngettext
from cogs.core.pages.game_ui import PRIVATE_PICTURES
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Picture, Row, Text
from cogs.core.pages.player_page import DISCARD_DRAFT
from cogs.match_five import picture
from cogs.match_five.alt_text import hand_alt
from cogs.match_five.board_page import sheet_button
from cogs.match_five.draft import hand_of
from cogs.match_five.words import face_name, square, tile_label
from engine.games.match_five import MatchFiveView, Tile


def no_fit_blocks(view: MatchFiveView) -> list[Block]:
    """Return the page of a turn in which no tile fits."""
    if view.bag:
        return swap_blocks(view, (), forced=True)
    words = _("Nothing fits, and the bag is empty: pass.")
    return [BoardPlaceholder(), Text(words), Row((Button(_("Pass"), "pass"), sheet_button()))]


def pass_blocks() -> list[Block]:
    """Return the question for a player who would pass although a tile fits: once the bag is empty, *Pass* is
    where *Swap …* was.
    """
    return [
        BoardPlaceholder(),
        Text(_("**Pass your turn?** You can still lay a tile.")),
        Row((Button(_("◀ Back"), "hand", "back"), Button(_("Pass my turn"), "pass", style="danger"))),
    ]


def swap_blocks(view: MatchFiveView, picked: Sequence[int], *, forced: bool = False) -> list[Block]:
    """Return the page on which tiles to swap are picked, by their places in the hand. `forced`: no tile fits, so there
    is nothing to go back to.
    """
    hand, head = hand_of(view), _("Nothing fits: swap tiles.") if forced else _("Swap tiles.")
    most = min(len(hand), view.bag)
    tiles = [
        Button(
            tile_label(tile),
            "swap",
            _slots(slot for slot in range(len(hand)) if (slot in picked) != (slot == number)),
            "primary" if number in picked else "secondary",
            square(tile),
            face=face_name(tile),
            beside="",
        )
        for number, tile in enumerate(hand)
    ]
    label = ngettext("Swap {n} tile", "Swap {n} tiles", len(picked)) if picked else _("Swap")
    fitting = 0 < len(picked) <= most
    words = f"**{head}** " + _("Pick what to give back; you draw as many. This takes your whole turn.")
    if most < len(hand):
        words += " " + ngettext("The bag has only {n} tile.", "The bag has only {n} tiles.", view.bag)
    return [
        BoardPlaceholder(),
        Text(words),
        Row(tuple(tiles)),
        Row(
            (
                Button(label, "swap-do", _slots(picked), "success", disabled=not fitting),
                Button(_("Pick all"), "swap", _slots(range(most)) + ".all", disabled=len(picked) >= most),
                *(() if forced else (Button(_("◀ Back"), "hand", DISCARD_DRAFT),)),
            )
        ),
    ]


@cached_by_language(PRIVATE_PICTURES)
def pictured(hand: tuple[Tile, ...]) -> Picture:
    """Return the picture of a hand in order, which several pages share."""
    return Picture(picture.draw_hand(hand), "hand.png", hand_alt(hand))


def _slots(slots: Iterable[int]) -> str:
    return "".join(map(str, sorted(slots)))


def read_slots(argument: str, view: MatchFiveView) -> tuple[int, ...]:
    """Return the tiles of the hand that an argument names; unknown places are left out."""
    hand = hand_of(view)
    return tuple(slot for slot in range(len(hand)) if str(slot) in argument.partition(".")[0])
