"""The pages on which a turn is played: a tile, a place for it, and again; or tiles to swap.

Views in, pages out: they are made outside the event loop. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Iterable, Sequence

from cogs.core.messages.faces import faced
from cogs.core.messages.leafing import page_within, pages_of
from cogs.core.messages.page import Block, Board, Button, Choice, Picture, Row, Select, Style, Text, rows
from cogs.core.phrases import count
from cogs.core.screen import TableInfo
from cogs.match_five import picture
from cogs.match_five.drafting import Draft, Offer, Turn, hand_of, other_faces, stone_of
from cogs.match_five.picture import Candidate
from cogs.match_five.words import face_name, play_words, square, stone_face, tile_label, tile_words
from engine.games.match_five import WILD, MatchFiveView

LETTERS = "ABCDEFGH"
"""What the places on one page are called; where there are more, the last button leafs."""

A_ROW = 4
A_ROW_OF_WILDS = 3
"""So many buttons of places stand beside each other: a phone has room for them."""

SHEET = Button("Score sheet", "sheet")


# ------------------------------------------------------------------------------------------------ putting together


def turn_blocks(view: MatchFiveView, info: TableInfo, turn: Turn) -> list[Block]:
    """Return a page of a turn: the board with the draft or the places, the hand, and what can be done now."""
    if turn.stuck:
        return _stuck(view)
    shown = _shown(turn)
    return [
        _board(view, info, turn, shown),
        Text(_line(turn)),
        Row(tuple(_tile(turn, slot) for slot in range(len(turn.hand)))),
        *_places(turn, shown),
        *_faces(view, turn),
        *_doing(view, turn),
    ]


def _line(turn: Turn) -> str:
    """What is laid so far, and what is to be done next."""
    draft = turn.draft
    if draft.slot is not None:
        tile = turn.hand[draft.slot]
        return f"Where does {'the Wild' if tile == WILD else tile_words(tile)} go?"
    if turn.laid:
        stones = [stone_of(laying) for laying in draft.layings]
        laid = play_words(stones)
        return (
            f"{faced(map(stone_face, stones), laid[0].upper() + laid[1:])}: **{count(turn.points, 'point')}** so far."
        )
    return "Choose a tile to see where it fits."


def _to(
    draft: Draft, label: str, style: Style = "secondary", emoji: str | None = None, face: str | None = None
) -> Button:
    """A button that leads to a draft; to the game itself where nothing is put together."""
    if draft == Draft():
        return Button(label, "hand", "back", style, emoji, face=face, beside="")
    return Button(label, "draft", draft.argument(), style, emoji, face=face, beside="")


def _tile(turn: Turn, slot: int) -> Button:
    """A tile of the hand: pressed, it shows its places; pressed again, it is put down."""
    tile, layings = turn.hand[slot], turn.draft.layings
    if slot == turn.draft.slot:
        return _to(Draft(layings), tile_label(tile), "primary", square(tile), face_name(tile))
    laid, argument = slot in turn.laid, Draft(layings, slot).argument()
    return Button(
        "✓" if laid else tile_label(tile),
        "draft",
        argument,
        emoji=square(tile),
        disabled=not turn.fits(slot),
        face=face_name(tile),
        beside=None if laid else "",
    )


def _shown(turn: Turn) -> Sequence[Offer]:
    """The places that are shown: all of them, or a page."""
    most = len(LETTERS)
    if len(turn.places) <= most:
        return turn.places
    page = page_within(turn.draft.page, pages_of(len(turn.places), most - 1))
    return turn.places[page * (most - 1) : (page + 1) * (most - 1)]


def _places(turn: Turn, shown: Sequence[Offer]) -> tuple[Row, ...]:
    """The places of the chosen tile as buttons, the best first."""
    draft = turn.draft
    buttons = [
        Button(
            f"{letter} +{offer.gain}" + (f" · {tile_label(offer.faces[0])}" if offer.faces else ""),
            "draft",
            Draft((*draft.layings, offer.laying)).argument(),
            "success" if offer is turn.places[0] else "secondary",
        )
        for letter, offer in zip(LETTERS, shown, strict=False)
    ]
    if len(shown) < len(turn.places):
        pages = pages_of(len(turn.places), len(LETTERS) - 1)
        after = (page_within(draft.page, pages) + 1) % pages
        buttons.append(Button("More places", "draft", Draft(draft.layings, draft.slot, after).argument()))
    return rows(list(buttons), A_ROW_OF_WILDS if shown and shown[0].faces else A_ROW)


def _faces(view: MatchFiveView, turn: Turn) -> tuple[Select, ...]:
    """What the Wild that was just laid stands for, as long as nothing is laid after it."""
    layings = turn.draft.layings
    if not layings or layings[-1].tile != WILD or turn.draft.slot is not None:
        return ()
    choices = tuple(
        Choice(
            f"The Wild is {tile_words(tile)}",
            tile,
            emoji=square(tile),
            chosen=tile == layings[-1].wild_as,
            face=face_name(tile),
        )
        for tile in other_faces(view, layings)
    )
    return (Select("wild", choices, "What is the Wild?", turn.draft.argument()),) if len(choices) > 1 else ()


def _doing(view: MatchFiveView, turn: Turn) -> tuple[Row, ...]:
    """What else can be done: lay what is put together, or undo it; before that swap or pass."""
    layings = turn.draft.layings
    if layings:
        lay = Button(f"Lay for {count(turn.points, 'point')}", "lay", Draft(layings).argument(), "success")
        over = (_to(Draft(), "Start over"),) if len(layings) > 1 else ()
        return (Row((lay, _to(Draft(layings[:-1]), "Take back"), *over)),)
    if turn.draft.slot is not None:
        return ()
    return (Row((Button("Swap tiles", "swap") if view.bag else Button("Pass", "pass"), SHEET)),)


def _board(view: MatchFiveView, info: TableInfo, turn: Turn, shown: Sequence[Offer]) -> Picture | Board:
    """The board as this page needs it."""
    if turn.draft == Draft():
        return Board()
    names = [sitter.name for sitter in info.sitters]
    drafted = [stone_of(laying) for laying in turn.draft.layings]
    places = [Candidate(offer.laying, letter, offer.gain) for letter, offer in zip(LETTERS, shown, strict=False)]
    alt = picture.places_alt(view, drafted, places, names)
    if turn.draft.slot is None:
        return Picture(picture.draw(view, drafted, names=names), "draft.png", alt)
    return Picture(picture.draw_places(view, drafted, places, names), "places.png", alt)


# -------------------------------------------------------------------------------------------------------- swapping


def _stuck(view: MatchFiveView) -> list[Block]:
    """A turn in which no tile fits."""
    if view.bag:
        return swap_blocks(view, (), "Nothing fits: swap tiles.")
    return [Board(), Text("Nothing fits, and the bag is empty: pass."), Row((Button("Pass", "pass"), SHEET))]


def swap_blocks(view: MatchFiveView, picked: Sequence[int], head: str = "Swap tiles.") -> list[Block]:
    """Return the page on which tiles to give back are picked, by their places in the hand."""
    hand = hand_of(view)
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
    label = f"Swap {count(len(picked), 'tile')}" if picked else "Swap"
    fitting = 0 < len(picked) <= most
    held = "" if most == len(hand) else f" The bag holds only {count(view.bag, 'tile')}."
    return [
        Board(),
        Picture(picture.draw_hand(hand, raised=picked), "hand.png", picture.hand_alt(hand, picked)),
        Text(f"**{head}** Pick what you give back; you draw as many. That takes your whole turn.{held}"),
        Row(tuple(tiles)),
        Row(
            (
                Button(label, "swap-do", _slots(picked), "success", disabled=not fitting),
                Button("Pick all", "swap", _slots(range(most)) + ".all", disabled=len(picked) >= most),
                Button("◀ Back", "hand", "back"),
            )
        ),
    ]


def _slots(slots: Iterable[int]) -> str:
    return "".join(map(str, sorted(slots)))


def read_slots(argument: str, view: MatchFiveView) -> tuple[int, ...]:
    """Return which tiles of the hand an argument names; what is not there is left out."""
    hand = hand_of(view)
    return tuple(slot for slot in range(len(hand)) if str(slot) in argument.partition(".")[0])
