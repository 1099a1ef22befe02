"""The pages of a turn. A pressed tile is laid where it scores most; then it may be moved, another pressed, or all laid.
Another page picks tiles to swap.

A chosen tile always lies on the board, so the *Lay* button describes what the picture shows. Pages are built outside
the event loop.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from cogs.core.i18n.translation import Language, _, ngettext, present
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import PRIVATE_PICTURES, TableContext
from cogs.core.pages.page import (
    Block,
    BoardPlaceholder,
    Button,
    Picture,
    Row,
    Select,
    SelectOption,
    Style,
    Text,
    page_within,
    pages_of,
    rows,
)
from cogs.core.pages.player_page import DISCARD_DRAFT
from cogs.match_five import picture
from cogs.match_five.draft import Draft, TurnInProgress, declarations_of, hand_of, judge_layings, stone_of
from cogs.match_five.picture import Candidate
from cogs.match_five.text_view import stacks_of
from cogs.match_five.words import (
    face_name,
    line_words,
    play_words,
    ring,
    square,
    stone_face,
    stone_words,
    tile_label,
    tile_words,
)
from engine.games.match_five import WILD, Laying, Line, MatchFiveView, Tile

MOST_PLACES = 8
"""The most places of a tile on one page; the last button turns pages."""

BUTTONS_PER_ROW = 4
"""The most buttons of places side by side that a phone fits."""


def sheet_button() -> Button:
    """Return the button of the score sheet."""
    return Button(_("Score sheet"), "sheet")


def stacks_button() -> Button:
    """Return the button of the stacks."""
    return Button(_("Stacks"), "stacks")


# ------------------------------------------------------------------------------------------------------- the draft


def turn_blocks(view: MatchFiveView, info: TableContext, turn: TurnInProgress) -> list[Block]:
    """Return a page of a turn: the board with the draft, the hand, and what can be done now."""
    if turn.stuck:
        return _no_fit_blocks(view)
    shown = _shown(turn)
    return [
        _board(view, info, turn, shown),
        Text("\n-# ".join(filter(None, (_draft_text(turn, shown), _below_text(view, turn, shown))))),
        Row(tuple(_tile_button(turn, slot) for slot in range(len(turn.hand)))),
        *_place_buttons(turn, shown),
        *_declaration_select(turn),
        *_other_controls(view, turn, still=info.still),
    ]


def _draft_text(turn: TurnInProgress, shown: range) -> str:
    """The draft with its points, and what can be done next."""
    if not turn.laid:
        return _("Press a tile: it goes where it scores most, and you can still move it.") + _why_faded(turn)
    stones = [stone_of(laying) for laying in turn.draft.layings]
    laid = play_words(stones)
    head = ngettext(
        "{tiles}: **{n} point** so far",
        "{tiles}: **{n} points** so far",
        turn.points,
        tiles=faced(map(stone_face, stones), laid[0].upper() + laid[1:]),
    )
    lines = ", ".join(map(line_words, turn.lines))
    return f"{head}{lines and f' ({lines})'}.\n-# {_next_text(turn, shown)}{_why_faded(turn)}"


def _next_text(turn: TurnInProgress, shown: range) -> str:
    """Return what can be done next with the draft."""
    last = turn.draft.layings[-1].tile
    tile = _("the Wild") if last == WILD else tile_words(last)
    more = any(turn.best(slot) for slot in range(len(turn.hand)))
    if len(turn.places) <= 1:
        return _("Add a tile, or lay.") if more else _("Lay.")
    if turn.here not in shown:
        return _("Move {tile}, add a tile, or lay.", tile=tile) if more else _("Move {tile}, or lay.", tile=tile)
    place = ring(turn.here - shown.start + 1)
    if more:
        return _("Move {tile} from {place}, add a tile, or lay.", tile=tile, place=place)
    return _("Move {tile} from {place}, or lay.", tile=tile, place=place)


def _why_faded(turn: TurnInProgress) -> str:
    """Return why some tiles of the hand cannot be pressed, on a line of its own; empty if all can."""
    faded = [slot for slot in range(len(turn.hand)) if slot not in turn.laid and turn.best(slot) is None]
    wild_laid = any(laying.tile == WILD for laying in turn.draft.layings)
    second = [slot for slot in faded if wild_laid and turn.hand[slot] == WILD]
    nowhere = len(faded) - len(second)
    reasons = []
    if nowhere:
        reasons.append(ngettext("A faded tile fits nowhere now.", "Faded tiles fit nowhere now.", nowhere))
    if second:
        reasons.append(_("One Wild a turn."))
    if len(turn.laid) > 1:
        reasons.append(_("You can only take back the last tile."))
    return f"\n-# {' '.join(reasons)}" if reasons else ""


def _below_text(view: MatchFiveView, turn: TurnInProgress, shown: range) -> str:
    """The tiles below the places shown, from the bottom: the picture shows the top ones only, and hides the
    tile's own place.
    """
    lying = stacks_of([*view.stones, *map(stone_of, turn.draft.layings[:-1])])
    lines = []
    for number, place in enumerate(shown, 1):
        laying = turn.places[place].laying
        stack = lying.get((laying.x, laying.y), ())
        if len(stack) > (place != turn.here):
            tiles = ", ".join(map(stone_words, stack))
            lines.append(_("{place} on {tiles}", place=ring(number), tiles=tiles))
    return " · ".join(lines)


def _draft_button(
    draft: Draft,
    label: str,
    style: Style = "secondary",
    emoji: str | None = None,
    face: str | None = None,
    apart: str = "",
) -> Button:
    """A button that leads to a draft, or to the game page if the draft is empty."""
    if draft == Draft():
        return Button(label, "hand", f"{DISCARD_DRAFT}{apart and f'.{apart}'}", style, emoji, face=face, beside="")
    return Button(label, "draft", draft.argument(apart), style, emoji, face=face, beside="")


def _tile_button(turn: TurnInProgress, slot: int) -> Button:
    """A tile of the hand: a press lays it at its best place; the last one laid is taken back."""
    tile, layings = turn.hand[slot], turn.draft.layings
    if turn.laid and slot == turn.laid[-1]:
        return _draft_button(
            Draft(layings[:-1]), tile_label(tile), "primary", square(tile), face_name(tile), f"t{slot}"
        )
    best = turn.best(slot)
    if best is not None:
        after = Draft((*layings, best.laying))
        return _draft_button(after, tile_label(tile), "secondary", square(tile), face_name(tile), f"t{slot}")
    laid = slot in turn.laid
    return Button(
        "✓" if laid else tile_label(tile),
        "draft",
        Draft(layings).argument(f"t{slot}"),
        emoji=square(tile),
        disabled=True,
        face=face_name(tile),
        beside=None if laid else "",
    )


def _shown(turn: TurnInProgress) -> range:
    """Return which places of the last tile are shown: all, a page, or none if there is only one."""
    many = len(turn.places)
    if many <= MOST_PLACES:
        return range(many if many > 1 else 0)
    first = page_within(turn.draft.page, pages_of(many, MOST_PLACES - 1)) * (MOST_PLACES - 1)
    return range(first, min(first + MOST_PLACES - 1, many))


def _place_buttons(turn: TurnInProgress, shown: range) -> tuple[Row, ...]:
    """The places of the last tile as buttons, best first."""
    before, page = turn.draft.layings[:-1], turn.draft.page
    buttons = []
    for place in shown:
        offer, here = turn.places[place], place == turn.here
        laying = turn.draft.layings[-1] if here else offer.laying
        buttons.append(
            Button(
                f"{ring(place - shown.start + 1)} +{offer.gain}",
                "draft",
                Draft((*before, laying), page).argument("p"),
                "primary" if here else "secondary",
                emoji=square(offer.faces[0]) if offer.faces else None,
                face=face_name(laying.wild_as) if laying.wild_as is not None else None,
            )
        )
    if 0 < len(shown) < len(turn.places):
        pages = pages_of(len(turn.places), MOST_PLACES - 1)
        after = (page_within(page, pages) + 1) % pages
        label = _("Places {page} of {pages} ▶", page=after + 1, pages=pages)
        buttons.append(Button(label, "draft", Draft(turn.draft.layings, after).argument("m")))
    return rows(buttons, BUTTONS_PER_ROW)


def _declaration_select(turn: TurnInProgress) -> tuple[Select, ...]:
    """The declarations of the Wild that was just laid, until another tile is laid."""
    last = turn.draft.layings[-1] if turn.laid else None
    choices = tuple(
        SelectOption(
            _("The Wild is {tile}", tile=tile_words(tile)),
            tile,
            emoji=square(tile),
            chosen=last is not None and tile == last.wild_as,
            face=face_name(tile),
        )
        for tile in declarations_of(turn)
    )
    return (Select("wild", choices, _("Which tile is the Wild?"), turn.draft.argument()),) if len(choices) > 1 else ()


def _other_controls(view: MatchFiveView, turn: TurnInProgress, *, still: bool) -> tuple[Row, ...]:
    """The other controls: lay or undo the draft; before that swap or pass. If the table is `still`, passing
    needs confirmation.
    """
    layings = turn.draft.layings
    if layings:
        label = ngettext("Lay for {n} point", "Lay for {n} points", turn.points)
        lay = Button(label, "lay", Draft(layings).argument(), "success")
        over = (_draft_button(Draft(), _("Start over"), apart="over"),) if len(layings) > 1 else ()
        return (Row((lay, _draft_button(Draft(layings[:-1]), _("Take back")), *over)),)
    if view.bag:
        other = Button(_("Swap tiles"), "swap")
    else:
        other = Button(_("Pass"), "pass") if still else Button(_("Pass …"), "pass-ask")
    return (Row((other, sheet_button(), stacks_button())),)


def _board(view: MatchFiveView, info: TableContext, turn: TurnInProgress, shown: range) -> Picture | BoardPlaceholder:
    """The board for this page."""
    if not turn.laid:
        return BoardPlaceholder()
    places = [
        Candidate(turn.places[place].laying, number, turn.places[place].gain) for number, place in enumerate(shown, 1)
    ]
    return _drafted(view, info, turn.draft.layings, turn.lines, places)


def preview(view: MatchFiveView, info: TableContext, layings: Sequence[Laying]) -> Picture | None:
    """Return the board with these tiles laid and the points of each line, or None if that is illegal."""
    verdict = judge_layings(view, layings)
    return None if verdict is None else _drafted(view, info, layings, verdict.lines)


def _drafted(
    view: MatchFiveView,
    info: TableContext,
    layings: Sequence[Laying],
    lines: Sequence[Line],
    places: Sequence[Candidate] = (),
) -> Picture:
    names = info.distinct_names
    stones = [stone_of(laying) for laying in layings]
    data = picture.draw_places(view, stones, lines, places, names)
    return Picture(data, "draft.png", picture.places_alt(view, stones, places, names))


# --------------------------------------------------------------------------------------------- swapping and passing


def _no_fit_blocks(view: MatchFiveView) -> list[Block]:
    """A turn in which no tile fits."""
    if view.bag:
        return swap_blocks(view, (), _("Nothing fits: swap tiles."))
    words = _("Nothing fits, and the bag is empty: pass.")
    return [BoardPlaceholder(), Text(words), Row((Button(_("Pass"), "pass"), sheet_button()))]


def pass_blocks() -> list[Block]:
    """Return the question for a player who would pass although a tile fits: once the bag is empty, *Pass* is
    where *Swap tiles* was.
    """
    return [
        BoardPlaceholder(),
        Text(_("**Pass your turn?** You can still lay a tile.")),
        Row((Button(_("◀ Back"), "hand", "back"), Button(_("Pass my turn"), "pass", style="danger"))),
    ]


def swap_blocks(view: MatchFiveView, picked: Sequence[int], head: str = "") -> list[Block]:
    """Return the page on which tiles to swap are picked, by their places in the hand."""
    hand, head = hand_of(view), head or _("Swap tiles.")
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
        pictured(hand, tuple(picked)),
        Text(words),
        Row(tuple(tiles)),
        Row(
            (
                Button(label, "swap-do", _slots(picked), "success", disabled=not fitting),
                Button(_("Pick all"), "swap", _slots(range(most)) + ".all", disabled=len(picked) >= most),
                Button(_("◀ Back"), "hand", DISCARD_DRAFT),
            )
        ),
    ]


def pictured(hand: tuple[Tile, ...], picked: tuple[int, ...] = ()) -> Picture:
    """Return the picture of a hand in order, with the picked tiles raised; all of its pages share it."""
    return _pictured(present(), hand, picked)


@lru_cache(maxsize=PRIVATE_PICTURES)
def _pictured(_language: Language, hand: tuple[Tile, ...], picked: tuple[int, ...]) -> Picture:
    return Picture(picture.draw_hand(hand, picked), "hand.png", picture.hand_alt(hand, picked))


def _slots(slots: Iterable[int]) -> str:
    return "".join(map(str, sorted(slots)))


def read_slots(argument: str, view: MatchFiveView) -> tuple[int, ...]:
    """Return the tiles of the hand that an argument names; unknown places are left out."""
    hand = hand_of(view)
    return tuple(slot for slot in range(len(hand)) if str(slot) in argument.partition(".")[0])
