"""Hints in words: which tiles go where, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.ops.text_format import count, listed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from cogs.match_five.draft import stone_of
from cogs.match_five.words import face_name, pictured_play, tile_words
from engine.contract import Action
from engine.games.match_five import MatchFiveView, Pass, Play, Swap, Tile
from engine.players import Reason

WORTH_MENTIONING = 3
"""The difference of points between two plays from which it is mentioned."""


def hint(view: MatchFiveView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Play(layings=layings):
            yield f"Lay {pictured_play([stone_of(laying) for laying in layings])}."
        case Swap(tiles=tiles):
            yield f"Swap {_tiles(tiles)}."
        case Pass():
            yield "Pass."
    scores = next((reason for reason in reasons if reason.code == "scores"), None)
    for reason in reasons:
        yield from _why(reason, scores)


def _tiles(tiles: Sequence[Tile]) -> str:
    return faced(map(face_name, tiles), listed([tile_words(tile) for tile in tiles]))


def _why(reason: Reason, scores: Reason | None) -> Iterator[str]:
    match reason.code:
        case "scores":
            yield _scores(reason)
        case "leaves" if scores is not None:
            yield from _leaves(reason, scores)
        case "last":
            if not reason.number("left"):
                yield "The bag is empty, and it empties your hand: nothing is subtracted from your points."
            else:
                yield f"The bag is empty: what stays in your hand would cost {count(-reason.number('saves'), 'point')}."
        case "keeps":
            kept = reason.facts["tiles"]
            assert isinstance(kept, tuple)
            stay = [str(tile) for tile in kept]
            if not stay:
                yield "None of your tiles fits, and no two of them go well together."
            elif len(stay) == 1:
                yield f"None of your tiles fits, and only {_tiles(stay)} is worth keeping."
            else:
                yield f"None of your tiles fits. What stays goes well together: {_tiles(stay)}."
        case "stuck":
            yield "None of your tiles fits anywhere, and the bag is empty."


def _scores(reason: Reason) -> str:
    points, most, other = map(reason.number, ("points", "most", "next"))
    if not reason.number("best"):
        return f"It scores {count(points, 'point')}; another would score {most}, but leave more to the next player."
    if other < 0:
        return f"It scores {count(points, 'point')}, and is the only play that I find."
    if other >= points:
        return f"It scores {count(points, 'point')}: no play that I find is worth more."
    return f"It scores {count(points, 'point')}, the next best that I find {other}."


def _leaves(reason: Reason, scores: Reason) -> Iterator[str]:
    mine, other = reason.number("mine"), reason.number("other")
    another = "the next best play" if scores.number("best") else "the other"
    if other >= mine + WORTH_MENTIONING:
        yield f"It leaves the next player about {count(mine, 'point')}; {another} leaves {other}."
