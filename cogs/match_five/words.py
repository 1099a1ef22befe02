"""The words for Match Five: tiles, places, plays, refusals; and the notation that people type.

A letter is always a colour. A place is written in numbers, as on the edges of the picture: its column, a slash, its
row; (0, 0) is 12/12. The level need not be written: a tile goes on top of its place. Controls carry a place in the
older and shorter notation, with a letter for its column, M12, so old ones keep their meaning; both are understood
everywhere.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from cogs.core.ops.text_format import count, listed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence, whose
from engine.contract import Refusal
from engine.games.match_five import (
    TILES,
    WILD,
    Laying,
    Line,
    Stone,
    Tile,
    Turn,
    colour_of,
    number_of,
)

ORIGIN = 12
"""Column 12, which is M in letters, and row 12 are the middle."""

_PLACE = r"(?:(?P<column>-?[0-9]{1,7})/|(?P<letters>-?[A-Za-z]{1,5}))(?P<row>-?[0-9]{1,7})"
_NAMED = re.compile(_PLACE)
_WRITTEN = re.compile(rf"(?P<tile>[rbygo][1-5]|w(?:=(?P<as>[rbygo][1-5]))?)@{_PLACE}")


class Place(NamedTuple):
    """The place of a tile, without its level."""

    x: int
    y: int


def column_name(x: int) -> str:
    """Return a column's name. Columns count to the right."""
    return str(x + ORIGIN)


def column_letters(x: int) -> str:
    """Return a column in letters: A to Z, then AA and so on; left of A with a minus."""
    number = x + ORIGIN
    sign, number = ("-", -1 - number) if number < 0 else ("", number)
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return sign + letters


def column_number(name: str) -> int:
    """Return the column of these letters."""
    letters = name.upper().removeprefix("-")
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return (-number if name.startswith("-") else number - 1) - ORIGIN


def row_name(y: int) -> str:
    """Return a row's name. Rows count upward."""
    return str(y + ORIGIN)


def place_name(x: int, y: int) -> str:
    """Return a place's name: its column and its row."""
    return f"{column_name(x)}/{row_name(y)}"


def read_place(name: str) -> Place | None:
    """Return the place of this name, or None."""
    found = _NAMED.fullmatch(name.strip())
    return None if found is None else _place(found)


def _place(found: re.Match[str]) -> Place:
    x = column_number(found["letters"]) if found["column"] is None else int(found["column"]) - ORIGIN
    return Place(x, int(found["row"]) - ORIGIN)


def written(laying: Laying) -> str:
    """Return a tile and its place as people write them: r3@12/12, w=b2@13/12."""
    return f"{_tile(laying)}@{place_name(laying.x, laying.y)}"


def dump_laying(laying: Laying) -> str:
    """Return a tile and its place as a control carries them: r3@M12, w=b2@N12."""
    return f"{_tile(laying)}@{column_letters(laying.x)}{row_name(laying.y)}"


def _tile(laying: Laying) -> str:
    return laying.tile if laying.wild_as is None else f"{WILD}={laying.wild_as}"


def read_play(words: str, stones: Iterable[Stone]) -> tuple[Laying, ...] | None:
    """Return the tiles that this text lays, each on top of its place; None for other text."""
    heights: dict[tuple[int, int], int] = {}
    for stone in stones:
        heights[stone.x, stone.y] = max(heights.get((stone.x, stone.y), 0), stone.level)
    layings = []
    for word in words.lower().replace(",", " ").split():
        found = _WRITTEN.fullmatch(word)
        if found is None:
            return None
        x, y = _place(found)
        heights[x, y] = heights.get((x, y), 0) + 1
        tile = WILD if found["tile"].startswith(WILD) else found["tile"]
        layings.append(Laying(tile, x, y, heights[x, y], found["as"]))
    return tuple(layings)


def tile_words(tile: Tile) -> str:
    """Return a tile in words."""
    return "a Wild" if tile == WILD else f"{colour_of(tile)} {number_of(tile)}"


def stone_words(stone: Stone) -> str:
    """Return a stone in words."""
    return f"a Wild as {tile_words(stone.tile)}" if stone.wild else tile_words(stone.tile)


SQUARES = {"r": "🟥", "b": "🟦", "y": "🟨", "g": "🟩", "o": "🟧", WILD: "⬜"}


def square(tile: Tile) -> str:
    """Return the colour of a tile as an emoji."""
    return SQUARES[tile[0]]


def face_name(tile: Tile) -> str:
    """Return the name of a tile's emoji."""
    return "tile_wild" if tile == WILD else f"tile_{colour_of(tile)}_{number_of(tile)}"


def ring(number: int) -> str:
    """Return the number by which a place is chosen, in a ring, which nothing else has."""
    return chr(ord("①") + number - 1)


def tile_label(tile: Tile) -> str:
    """Return the label of a tile on its button, beside its colour, as short as possible."""
    return tile.upper()


def line_words(line: Line) -> str:
    """Return a line with its points, and its level if it is not the lowest."""
    what = {"x": "row", "y": "column", "stack": "stack"}[line.axis]
    size = f"full {what}" if line.bonus else f"{what} of {len(line.spots)}"
    level = line.spots[0].level
    return f"+{line.points} {size}" if line.axis == "stack" or level == 1 else f"+{line.points} {size} on level {level}"


def play_words(stones: Iterable[Stone]) -> str:
    """Return the tiles of a play in words, grouped by place."""
    places: dict[str, list[str]] = {}
    for stone in stones:
        places.setdefault(place_name(stone.x, stone.y), []).append(stone_words(stone))
    return listed([f"{listed(tiles)} at {place}" for place, tiles in places.items()])


def pictured_play(stones: Sequence[Stone]) -> str:
    """Return the tiles of a play in words, after their emoji."""
    return faced(map(stone_face, stones), play_words(stones))


def stone_face(stone: Stone) -> str:
    """Return the name of the emoji of a tile on the board: a Wild has its own."""
    return face_name(WILD if stone.wild else stone.tile)


def turn_words(turn: Turn, info: TableContext) -> str:
    """Return what somebody did in a turn."""
    late = " (the clock ran out)" if turn.lapsed else ""
    return f"{info.name(turn.seat)} {_action_words(turn)}{late}"


@lru_cache(maxsize=256)
def _action_words(turn: Turn) -> str:
    """Return the action of a turn, which every page of a table shows for the last few."""
    match turn.kind:
        case "swap":
            return f"swapped {count(turn.swapped, 'tile')}"
        case "pass":
            return "passed"
        case "play":
            return f"laid {pictured_play(turn.stones)} for **{count(turn.points, 'point')}**"


def sheet_words(turn: Turn, info: TableContext) -> str:
    """Return a turn's entry on the score sheet: the player, the points, and their lines."""
    if turn.kind != "play":
        return f"{info.name(turn.seat)} {_action_words(turn)}"
    lines = ", ".join(map(line_words, turn.lines)) or "a tile alone"
    return f"{info.name(turn.seat)} **+{turn.points}** · {faced(map(stone_face, turn.stones), lines)}"


_REFUSALS = {
    "not-your-turn": "It is {whose}'s turn, not yours.",
    "nothing": "Name at least one tile.",
    "not-a-tile": "There is no tile {named!r}: a tile is a colour's letter (r b y g o) and a number (1 to 5), or w.",
    "not-in-hand": "You do not hold {named}, or not as many as you named.",
    "wild-undeclared": "Say which tile the Wild stands for, for example `w=b2@12/12`.",
    "not-a-wild": "Only a Wild stands for another tile; {named} is what it is.",
    "one-wild": "One Wild a turn is allowed, no more.",
    "too-far": "That is too far away: every tile is laid beside or on top of the others.",
    "taken": "At {there} there is a tile on level {level} already.",
    "support": "At {there} nothing lies below level {level}: a tile needs one directly under it.",
    "too-high": "The stack at {there} is full: five tiles lock it on top.",
    "unattached": "{there} touches nothing: every tile is laid beside another one or on top of one.",
    "locked": "{there} is beside a locked tile: next to the ends of a full row nothing is laid at their level.",
    "too-long": "At {there} the {axis} would have more than five tiles.",
    "series": "At {there} {named} does not fit the {axis}: a line has one colour with different numbers, or one "
    "number with different colours.",
    "wilds": "At {there} the {axis} would have two Wilds: a line may have one.",
    "one-line": "At this table all tiles of a turn must end up in one common line.",
    "empty-bag": "The bag is empty: nothing can be swapped any more. You may play or pass.",
    "bag-holds": "The bag holds {bag} tiles: you cannot swap {asked}.",
    "bag-left": "There are {bag} tiles in the bag: play or swap. You may pass only when the bag is empty.",
}


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    tile, x, y = str(facts.get("tile", "?")), facts.get("x"), facts.get("y")
    return sentence(
        refusal,
        _REFUSALS,
        there=place_name(x, y) if isinstance(x, int) and isinstance(y, int) else "there",
        named=tile_words(tile) if tile == WILD or tile in TILES else tile[:20],
        axis={"x": "row", "y": "column", "stack": "stack"}.get(str(facts.get("axis")), "line"),
        whose=whose(info, facts.get("turn")),
    )


def pictured_hand(hand: Sequence[Tile]) -> str:
    """Return a hand in words, after the emoji of its tiles."""
    return faced(map(face_name, sorted(hand)), hand_words(hand))


def hand_words(hand: Sequence[Tile]) -> str:
    """Return a hand in words, equal tiles next to each other."""
    return ", ".join(tile_words(tile) for tile in sorted(hand)) or "no tiles"
