"""The words for Match Five: tiles, places, plays, refusals; and the notation that people type.

A letter is always a colour. A place is written in numbers, as on the edges of the picture: its column, a slash, its
row; (0, 0) is 12/12. The level need not be written: a tile goes on top of its place. Controls carry a place in the
older and shorter notation, with a letter for its column, M12, so old ones keep their meaning; both are understood
everywhere.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence
from engine.contract import Refusal
from engine.games.match_five import TILES, WILD, Laying, Line, Stone, Tile, Turn, colour_of, number_of

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
    return _("a Wild") if tile == WILD else _(_TILES[tile[0]], number=number_of(tile))


_TILES = {
    "r": N_("red {number}"),
    "b": N_("blue {number}"),
    "y": N_("yellow {number}"),
    "g": N_("green {number}"),
    "o": N_("orange {number}"),
}


def stone_words(stone: Stone) -> str:
    """Return a stone in words."""
    return _("a Wild as {tile}", tile=tile_words(stone.tile)) if stone.wild else tile_words(stone.tile)


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
    full, shorter = _LINES[line.axis]
    words, level = _(full) if line.bonus else _(shorter, size=len(line.spots)), line.spots[0].level
    if line.axis != "stack" and level > 1:
        words = _("{line} on level {level}", line=words, level=level)
    return f"+{line.points} {words}"


_LINES = {
    "x": (N_("full row"), N_("row of {size}")),
    "y": (N_("full column"), N_("column of {size}")),
    "stack": (N_("full stack"), N_("stack of {size}")),
}
"""A line of five and a shorter one."""


def series_words(line: Line, stones: Sequence[Stone]) -> str:
    """Return a line with what makes it a series: the colour or the number of all its tiles."""
    words = _(_LINES[line.axis][0] if line.bonus else _AXES[line.axis])
    if len({one.tile[0] for one in stones}) == 1:
        return _(_ALL[stones[0].tile[0]], line=words)
    # Translators: {line} is "row" or "full stack"; its tiles are fives, for example.
    return _("{line}, all {number}s", line=words, number=number_of(stones[0].tile))


_ALL = {
    "r": N_("{line}, all red"),
    "b": N_("{line}, all blue"),
    "y": N_("{line}, all yellow"),
    "g": N_("{line}, all green"),
    "o": N_("{line}, all orange"),
}


def play_words(stones: Iterable[Stone]) -> str:
    """Return the tiles of a play in words, grouped by place."""
    places: dict[str, list[str]] = {}
    for stone in stones:
        places.setdefault(place_name(stone.x, stone.y), []).append(stone_words(stone))
    return listed([_("{tiles} at {place}", tiles=listed(tiles), place=place) for place, tiles in places.items()])


def pictured_play(stones: Sequence[Stone]) -> str:
    """Return the tiles of a play in words, after their emoji."""
    return faced(map(stone_face, stones), play_words(stones))


def stone_face(stone: Stone) -> str:
    """Return the name of the emoji of a tile on the board: a Wild has its own."""
    return face_name(WILD if stone.wild else stone.tile)


def turn_words(turn: Turn, info: TableContext) -> str:
    """Return what a player did in a turn."""
    words = _action_words(turn, info.name(turn.seat))
    return _("{turn} (time ran out)", turn=words) if turn.lapsed else words


def short_turn_words(turn: Turn, info: TableContext) -> str:
    """Return what a player did in a turn, without the places."""
    if turn.kind != "play":
        return turn_words(turn, info)
    tiles = faced(map(stone_face, turn.stones), ngettext("{n} tile", "{n} tiles", len(turn.stones)))
    words = _laid_words(info.name(turn.seat), tiles, turn.points)
    return _("{turn} (time ran out)", turn=words) if turn.lapsed else words


def _laid_words(name: str, tiles: str, points: int) -> str:
    return ngettext(
        "{name} laid {tiles} for **{n} point**",
        "{name} laid {tiles} for **{n} points**",
        points,
        name=name,
        tiles=tiles,
    )


def _action_words(turn: Turn, name: str) -> str:
    """Return the action of a turn."""
    match turn.kind:
        case "swap":
            return ngettext("{name} swapped {n} tile", "{name} swapped {n} tiles", turn.swapped, name=name)
        case "pass":
            return _("{name} passed", name=name)
        case "play":
            return _laid_words(name, pictured_play(turn.stones), turn.points)


def sheet_words(turn: Turn, info: TableContext) -> str:
    """Return a turn's entry on the score sheet: the player, the points, and their lines."""
    if turn.kind != "play":
        return _action_words(turn, info.name(turn.seat))
    lines = ", ".join(map(line_words, turn.lines)) or _("a single tile")
    return f"{info.name(turn.seat)} **+{turn.points}** · {faced(map(stone_face, turn.stones), lines)}"


_REFUSALS = {
    "nothing": N_("Name at least one tile."),
    "not-a-tile": N_("There's no tile “{named}”: a tile is a colour letter (r b y g o) and a number (1 to 5), or w."),
    "not-in-hand": N_("You don't have {named}, or not that many."),
    "wild-undeclared": N_("Say which tile the Wild is, for example `w=b2@12/12`."),
    "not-a-wild": N_("Only a Wild can be another tile; {named} can't."),
    "one-wild": N_("You can lay only one Wild a turn."),
    "too-far": N_("That's too far away: lay each tile beside or on top of another."),
    "taken": N_("There's already a tile on level {level} at {there}."),
    "support": N_("At {there}, there's nothing below level {level}: a tile needs one directly under it."),
    "too-high": N_("The stack at {there} is full: five tiles lock it on top."),
    "unattached": N_("{there} touches nothing: lay each tile beside or on top of another."),
    "locked": N_("{there} is next to the locked end of a full line: you can't lay there at the same level."),
    # Translators: {axis} is "row", "column", "stack" or "line".
    "too-long": N_("At {there}, there would be more than five tiles in a line ({axis})."),
    "series": N_(
        "{named} doesn't fit at {there} ({axis}): a line has one colour with different numbers, or one number with "
        "different colours."
    ),
    "wilds": N_("At {there}, the line ({axis}) would have two Wilds: it may only have one."),
    "one-line": N_("At this table, all tiles of a turn must end up in one line."),
    "empty-bag": N_("The bag is empty, so you can't swap any more. You can play or pass."),
    "bag-holds": N_("You can't swap {asked}: the bag only has {bag} left."),
    "bag-left": N_("You can only pass when the bag is empty; it has {bag} left. You can play or swap."),
}
_AXES = {"x": N_("row"), "y": N_("column"), "stack": N_("stack")}


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    tile, x, y = str(facts.get("tile", "?")), facts.get("x"), facts.get("y")
    return sentence(
        refusal,
        info,
        _REFUSALS,
        there=place_name(x, y) if isinstance(x, int) and isinstance(y, int) else "?",
        named=tile_words(tile) if tile == WILD or tile in TILES else tile[:20],
        axis=_(_AXES.get(str(facts.get("axis")), N_("line"))),
    )


def pictured_hand(hand: Sequence[Tile]) -> str:
    """Return a hand in words, after the emoji of its tiles."""
    return faced(map(face_name, sorted(hand)), hand_words(hand))


def hand_words(hand: Sequence[Tile]) -> str:
    """Return a hand in words, equal tiles next to each other."""
    return ", ".join(tile_words(tile) for tile in sorted(hand)) or _("no tiles")
