"""The alt texts of Match Five's pictures, and parts of the board as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import count, labelled
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from cogs.match_five import text_view
from cogs.match_five.layout import Where, last_turn, part_around, piles, range_of
from cogs.match_five.tile_scenery import Pile
from cogs.match_five.words import column_name, place_name, row_name, stone_words, tile_words
from engine.games.match_five import Laying, Line, MatchFiveView, Stone, Tile


class Candidate(NamedTuple):
    """A place for the last tile: the number of its button, and the points that it adds to the play."""

    laying: Laying
    number: int
    points: int


def alt(view: MatchFiveView, names: Sequence[str], shown: Mapping[Where, Pile] | None = None) -> str:
    """Return the board's picture in words, the most important first, as long as an alt text may be; `shown` are
    its `piles`, if they are known already.
    """
    return join_within(_sentences(view, names, piles(view, lit=False) if shown is None else shown))


def _sentences(view: MatchFiveView, names: Sequence[str], shown: Mapping[Where, Pile]) -> Iterator[str]:
    if view.turn is None:
        yield _("The game is over.")
    else:
        yield _("It's {name}'s turn.", name=names[view.turn])
    scores = ", ".join([f"{shortened(name, 24)} {score}" for name, score in zip(names, view.scores, strict=True)])
    yield _("Scores: {scores}.", scores=scores)
    yield ngettext("{n} tile in the bag.", "{n} tiles in the bag.", view.bag)
    last = last_turn(view)
    if last is not None:
        yield ngettext(
            "Last play, by {name} for {n} point: {tiles}.",
            "Last play, by {name} for {n} points: {tiles}.",
            last.points,
            name=shortened(names[last.seat], 24),
            tiles=", ".join([_level_words(one) for one in last.stones]),
        )
        lines = last.lines
        if lines:
            yield _("It scored {lines}.", lines=", ".join(map(_line_words, lines)))
    if not shown:
        yield _("The board is empty.")
        return
    yield _("A place is its column, a slash and its row. Top tiles, row by row from the top:")
    rows: dict[int, list[tuple[int, Pile]]] = {}
    for down, x in sorted([(-y, x) for x, y in shown]):
        rows.setdefault(-down, []).append((x, shown[x, -down]))
    for y, stacks in rows.items():
        tops = ", ".join([_top_words(x, pile) for x, pile in stacks])
        yield _("row {row}: {tiles};", row=row_name(y), tiles=tops)
    covered = {y: [(x, pile.tiles[-2::-1]) for x, pile in stacks if len(pile.tiles) > 1] for y, stacks in rows.items()}
    if any(covered.values()):
        yield _("Below them:")
    for y, below in covered.items():
        if below:
            words = [_("at {column} {tiles}", column=column_name(x), tiles=" ".join(tiles)) for x, tiles in below]
            yield _("row {row}: {tiles};", row=row_name(y), tiles=", ".join(words))


def _level_words(stone: Stone) -> str:
    place = place_name(stone.x, stone.y)
    return _("{tile} at {place} level {level}", tile=stone_words(stone), place=place, level=stone.level)


def _top_words(x: int, pile: Pile) -> str:
    many = len(pile.tiles)
    tiles = f"{pile.tiles[-1]} ×{many}" if many > 1 else pile.tiles[-1]
    if pile.locked:
        return _("at {column} {tiles} locked", column=column_name(x), tiles=tiles)
    # Translators: the tiles "r3" at column 12 of a row.
    return _("at {column} {tiles}", column=column_name(x), tiles=tiles)


def _line_words(line: Line) -> str:
    points, place = line.points, place_name(line.spots[0].x, line.spots[0].y)
    match line.axis:
        case "x":
            return _("{points} for a row at {place}", points=points, place=place)
        case "y":
            return _("{points} for a column at {place}", points=points, place=place)
        case "stack":
            return _("{points} for a stack at {place}", points=points, place=place)


def places_alt(view: MatchFiveView, drafted: Sequence[Stone], places: Sequence[Candidate], names: Sequence[str]) -> str:
    """Return the picture of a draft in words: the draft, other places for its last tile, then the board."""
    return join_within(_place_sentences(view, drafted, places, names))


def _place_sentences(
    view: MatchFiveView, drafted: Sequence[Stone], places: Sequence[Candidate], names: Sequence[str]
) -> Iterator[str]:
    if drafted:
        tiles = [_("{tiles} at {place}", tiles=stone_words(one), place=place_name(one.x, one.y)) for one in drafted]
        yield _("The play: {tiles}.", tiles=", ".join(tiles))
    if places:
        tile = tile_words(places[0].laying.tile)
        yield ngettext("{n} place for {tile}:", "{n} places for {tile}:", len(places), tile=tile)
    for laying, number, points in places:
        about = [place_name(laying.x, laying.y)]
        if laying.level > 1:
            about.append(ngettext("on top of {n} tile", "on top of {n} tiles", laying.level - 1))
        if laying.wild_as is not None:
            # Translators: a Wild that is declared to be this tile.
            about.append(_("as {tile}", tile=tile_words(laying.wild_as)))
        yield f"{labelled(str(number), ', '.join([*about, count(points, 'point')]))};"
    yield from _sentences(view, names, piles(view, lit=False))


def hand_alt(hand: Sequence[Tile]) -> str:
    """Return a hand in words, as an alt text."""
    return _("Your hand: {tiles}.", tiles=", ".join(map(tile_words, sorted(hand))) or _("no tiles"))


def board_part_text(view: MatchFiveView, around: tuple[int, int]) -> str:
    """Return the part of the board around a place as monospaced text; see `text_view.grid`."""
    stacks = piles(view, lit=False)
    columns = part_around(range_of([x for x, _ in stacks]), [around[0]], 7)
    rows = part_around(range_of([y for _, y in stacks]), [around[1]], 12)
    lines = text_view.grid(view, _range(*columns), _range(*rows))
    return "\n".join([*lines, _(text_view.LEGEND), _("bag {number}", number=view.bag)])


def _range(first: int, many: int) -> range:
    return range(first, first + many)


def stack_text(view: MatchFiveView, x: int, y: int) -> str:
    """Return one stack from the side, the top first."""
    stack = sorted((one for one in view.stones if (one.x, one.y) == (x, y)), key=lambda one: -one.level)
    locked = {(spot.x, spot.y, spot.level) for spot in view.locked}
    lines = []
    for one in stack:
        tile = f"w={one.tile}" if one.wild else one.tile
        lines.append(f"{one.level}  " + (_("{tile}  locked", tile=tile) if one.spot in locked else tile))
    return "\n".join([_("{place} from the side", place=place_name(x, y)), *(lines or [_("no tiles there")])])
