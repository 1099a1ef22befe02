"""The alt texts of Match Five's pictures, and parts of the board as text."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from cogs.core.ops.text_format import count
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
        yield "The game is over."
    else:
        yield f"{names[view.turn]} is to play."
    scores = ", ".join([f"{shortened(name, 24)} {score}" for name, score in zip(names, view.scores, strict=True)])
    yield f"Scores: {scores}."
    yield f"{count(view.bag, 'tile')} in the bag."
    last = last_turn(view)
    if last is not None:
        laid = ", ".join([f"{stone_words(one)} at {place_name(one.x, one.y)} level {one.level}" for one in last.stones])
        yield f"Last laid by {shortened(names[last.seat], 24)}, for {count(last.points, 'point')}: {laid}."
        lines = last.lines
        if lines:
            yield f"It scored {', '.join(map(_line_words, lines))}."
    if not shown:
        yield "The board is empty."
        return
    yield "A place is its column, a slash, its row. On top, row by row from above:"
    rows: dict[int, list[tuple[int, Pile]]] = {}
    for down, x in sorted([(-y, x) for x, y in shown]):
        rows.setdefault(-down, []).append((x, shown[x, -down]))
    for y, stacks in rows.items():
        yield f"row {row_name(y)}: {', '.join([_top_words(x, pile) for x, pile in stacks])};"
    covered = {y: [(x, pile.tiles[-2::-1]) for x, pile in stacks if len(pile.tiles) > 1] for y, stacks in rows.items()}
    if any(covered.values()):
        yield "Below them:"
    for y, below in covered.items():
        if below:
            words = [f"at {column_name(x)} {' '.join(tiles)}" for x, tiles in below]
            yield f"row {row_name(y)}: {', '.join(words)};"


def _top_words(x: int, pile: Pile) -> str:
    many = len(pile.tiles)
    height = f" ×{many}" if many > 1 else ""
    return f"at {column_name(x)} {pile.tiles[-1]}{height}{' locked' if pile.locked else ''}"


def _line_words(line: Line) -> str:
    what = {"x": "a row", "y": "a column", "stack": "a stack"}[line.axis]
    return f"{line.points} with {what} at {place_name(line.spots[0].x, line.spots[0].y)}"


def places_alt(view: MatchFiveView, drafted: Sequence[Stone], places: Sequence[Candidate], names: Sequence[str]) -> str:
    """Return the picture of a draft in words: the draft, other places for its last tile, then the board."""
    return join_within(_place_sentences(view, drafted, places, names))


def _place_sentences(
    view: MatchFiveView, drafted: Sequence[Stone], places: Sequence[Candidate], names: Sequence[str]
) -> Iterator[str]:
    if drafted:
        yield f"Put together: {', '.join(f'{stone_words(one)} at {place_name(one.x, one.y)}' for one in drafted)}."
    if places:
        yield f"{count(len(places), 'place')} for {tile_words(places[0].laying.tile)}:"
    for laying, number, points in places:
        declared = f" as {tile_words(laying.wild_as)}" if laying.wild_as is not None else ""
        on_top = f" on top of {count(laying.level - 1, 'tile')}" if laying.level > 1 else ""
        yield f"{number} is {place_name(laying.x, laying.y)}{on_top}{declared}, {count(points, 'point')};"
    yield from _sentences(view, names, piles(view, lit=False))


def hand_alt(hand: Sequence[Tile], raised: Collection[int] = (), dead: Collection[int] = ()) -> str:
    """Return a hand in words, as an alt text. The places are those of `draw_hand`."""
    tiles = [
        tile_words(tile) + (" (picked)" if place in raised else " (fits nowhere)" if place in dead else "")
        for place, tile in enumerate(sorted(hand))
    ]
    return f"Your hand: {', '.join(tiles) or 'no tiles'}."


def board_part_text(view: MatchFiveView, around: tuple[int, int]) -> str:
    """Return the part of the board around a place as monospaced text; see `text_view.grid`."""
    stacks = piles(view, lit=False)
    columns = part_around(range_of([x for x, _ in stacks]), [around[0]], 7)
    rows = part_around(range_of([y for _, y in stacks]), [around[1]], 12)
    lines = text_view.grid(view, _range(*columns), _range(*rows))
    return "\n".join([*lines, text_view.LEGEND, f"bag {view.bag}"])


def _range(first: int, many: int) -> range:
    return range(first, first + many)


def stack_text(view: MatchFiveView, x: int, y: int) -> str:
    """Return one stack from the side, the top first."""
    stack = sorted((one for one in view.stones if (one.x, one.y) == (x, y)), key=lambda one: -one.level)
    locked = {(spot.x, spot.y, spot.level) for spot in view.locked}
    lines = [
        f"{one.level}  {'w=' if one.wild else ''}{one.tile}{'  locked' if one.spot in locked else ''}" for one in stack
    ]
    return "\n".join([f"{place_name(x, y)} from the side", *(lines or ["nothing lies there"])])
