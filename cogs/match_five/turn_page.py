"""The page of a turn. A pressed tile is laid where it scores most, or held until its place is chosen; then it may be
moved, another pressed, or all laid.

The *Lay* button always describes what the picture shows. Pages are built outside the event loop.
"""

from collections.abc import Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
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
    rows,
)
from cogs.core.pages.player_page import DISCARD_DRAFT
from cogs.match_five import picture
from cogs.match_five.alt_text import Candidate, places_alt
from cogs.match_five.board_page import look_button
from cogs.match_five.draft import (
    BEST_PLACES,
    Draft,
    TurnInProgress,
    declarations_of,
    judge_layings,
    lines_at,
    pages_of_places,
    stone_of,
    without,
)
from cogs.match_five.layout import Where
from cogs.match_five.swap_page import no_fit_blocks
from cogs.match_five.words import face_name, ring, series_words, square, stone_face, tile_label, tile_words
from engine.games.match_five import WILD, Laying, Line, MatchFiveView

BUTTONS_PER_ROW = 4
"""The most buttons of places side by side that a phone fits."""


def turn_blocks(view: MatchFiveView, info: TableContext, turn: TurnInProgress) -> list[Block]:
    """Return a page of a turn: the board with the draft, the hand, and what can be done now."""
    if turn.stuck and not turn.begun:
        return no_fit_blocks(view)
    pages = pages_of_places(view, turn.places)
    shown = pages[page_within(turn.draft.page, len(pages))]
    if turn.here is not None and len(turn.places) == 1:
        shown = ()  # it lies there
    return [
        _board(view, info, turn, shown),
        Text("\n-# ".join([_draft_text(turn), *_place_lines(view, turn, shown), *_hand_lines(turn)])),
        Row(tuple(_tile_button(view, turn, slot) for slot in range(len(turn.hand)))),
        *_place_buttons(turn, shown),
        *_declaration_select(turn),
        _other_controls(view, turn, len(pages), still=info.still),
    ]


# ------------------------------------------------------------------------------------------------------------ the text


def _draft_text(turn: TurnInProgress) -> str:
    """Return the points of the draft, and what can be done next."""
    if not turn.begun:
        if turn.by_hand:
            return _("Press a tile, then its place.")
        return _("Press a tile: it goes where it scores most.")
    if not turn.laid:
        return _("Choose a place for {tile}.", tile=tile_words(turn.tile))
    stones = [stone_of(laying) for laying in turn.draft.layings]
    points = ngettext("**{n} point** so far.", "**{n} points** so far.", turn.points)
    head = faced(map(stone_face, stones), points)
    return head if len(stones) > 1 and turn.here is not None else f"{head}\n-# {_next_text(turn)}"


def _next_text(turn: TurnInProgress) -> str:
    """Return what can be done next with the draft."""
    tile = _("the Wild") if turn.tile == WILD else tile_words(turn.tile)
    if turn.here is None:
        return _("Choose a place for {tile}.", tile=tile)
    more = any(turn.best(slot) for slot in range(len(turn.hand)))
    if len(turn.places) <= 1:
        return _("Add a tile, or lay.") if more else _("Lay.")
    return _("Move {tile}, add a tile, or lay.", tile=tile) if more else _("Move {tile}, or lay.", tile=tile)


def _place_lines(view: MatchFiveView, turn: TurnInProgress, shown: Sequence[int]) -> list[str]:
    """Return why the tile may go to each of the places, and what that adds; of many places, to that where it is."""
    lines = []
    for number, place in enumerate(shown, 1):
        offer, here = turn.places[place], place == turn.here
        if here or len(shown) <= BEST_PLACES:
            laying = turn.draft.layings[-1] if here else offer.laying
            head = f"{ring(number)} +{offer.gain}"
            lines.append(" · ".join([f"**{head}**" if here else head, *_reasons(view, turn, laying)]))
    if turn.here is not None and turn.here not in shown:
        head = f"**{tile_words(turn.tile)} +{turn.places[turn.here].gain}**"
        lines.append(" · ".join([head, *_reasons(view, turn, turn.draft.layings[-1])]))
    return lines


def _reasons(view: MatchFiveView, turn: TurnInProgress, laying: Laying) -> list[str]:
    """Return the lines that a tile makes at a place, with what makes each a series."""
    found = lines_at(view, (*turn.before, laying))
    return [series_words(line, stones) for line, stones in found] or [_("the first tile")]


def _hand_lines(turn: TurnInProgress) -> list[str]:
    """Return why some tiles of the hand cannot be pressed, and what a press on laid ones does, on a line of its own."""
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
        reasons.append(_("Press a laid tile to take it back."))
    return [" ".join(reasons)] if reasons else []


# -------------------------------------------------------------------------------------------------------- the controls


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


def _tile_button(view: MatchFiveView, turn: TurnInProgress, slot: int) -> Button:
    """A tile of the hand: a press lays it at its best place, or picks it up; one that is laid is taken back."""
    tile, layings = turn.hand[slot], turn.draft.layings
    if slot in turn.laid:
        after = Draft(without(view, layings, turn.laid.index(slot)))
        return _draft_button(after, tile_label(tile), "primary", square(tile), face_name(tile), f"b{slot}")
    if slot == turn.draft.held:
        return _draft_button(Draft(layings), tile_label(tile), "primary", square(tile), face_name(tile), f"b{slot}")
    best = turn.best(slot)
    if best is not None:
        after = Draft(layings, held=slot) if turn.by_hand else Draft((*layings, best.laying))
        return _draft_button(after, tile_label(tile), "secondary", square(tile), face_name(tile), f"t{slot}")
    return Button(
        tile_label(tile),
        "draft",
        Draft(layings).argument(f"t{slot}"),
        emoji=square(tile),
        disabled=True,
        face=face_name(tile),
        beside="",
    )


def _place_buttons(turn: TurnInProgress, shown: Sequence[int]) -> tuple[Row, ...]:
    """The places of the tile as buttons, best first."""
    buttons = []
    for number, place in enumerate(shown, 1):
        offer, here = turn.places[place], place == turn.here
        laying = turn.draft.layings[-1] if here else offer.laying
        buttons.append(
            Button(
                f"{ring(number)} +{offer.gain}",
                "draft",
                Draft((*turn.before, laying), turn.draft.page).argument("p"),
                "primary" if here else "secondary",
            )
        )
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


def _other_controls(view: MatchFiveView, turn: TurnInProgress, pages: int, *, still: bool) -> Row:
    """The other controls: lay or undo the draft, more places; before that swap or pass. If the table is `still`,
    passing needs confirmation.
    """
    layings, page = turn.draft.layings, page_within(turn.draft.page, pages)
    buttons = []
    if layings:
        label = ngettext("Lay for {n} point", "Lay for {n} points", turn.points)
        buttons.append(Button(label, "lay", Draft(layings).argument(), "success"))
    if turn.begun:
        buttons.append(Button(_("Clear"), "hand", DISCARD_DRAFT))
        if pages > 1:
            last = page == pages - 1
            after = Draft(layings, 0 if last else page + 1, turn.draft.held)
            buttons.append(Button(_("Best places") if last else _("More places"), "draft", after.argument("m")))
        return Row(tuple(buttons))
    if view.bag:
        other = Button(_("Swap …"), "swap")
    else:
        other = Button(_("Pass"), "pass") if still else Button(_("Pass …"), "pass-ask")
    return Row((other, look_button()))


# ---------------------------------------------------------------------------------------------------------- the picture


def _board(
    view: MatchFiveView, info: TableContext, turn: TurnInProgress, shown: Sequence[int]
) -> Picture | BoardPlaceholder:
    """The board for this page: around the tile that can be placed, or around other places that were asked for."""
    if not turn.begun:
        return BoardPlaceholder()
    places = [
        Candidate(turn.places[place].laying, number, turn.places[place].gain) for number, place in enumerate(shown, 1)
    ]
    around = [(one.laying.x, one.laying.y) for one in places]
    lines: Sequence[Line] = [line for line, _stones in lines_at(view, turn.draft.layings)]
    if turn.here is not None and (turn.here in shown or not shown):
        last = turn.draft.layings[-1]
        around = [(last.x, last.y)]
    elif turn.draft.held is not None and turn.draft.page == 0:
        around = around[:1]
    else:
        lines = ()
    return _drafted(view, info, turn.draft.layings, lines, places, around)


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
    around: Sequence[Where] = (),
) -> Picture:
    names = info.distinct_names
    stones = [stone_of(laying) for laying in layings]
    data = picture.draw_places(view, stones, lines, places, names, around=around)
    return Picture(data, "draft.png", places_alt(view, stones, places, names))
