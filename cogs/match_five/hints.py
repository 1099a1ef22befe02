"""Hints in words: which tiles go where, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
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
            yield _("Lay {tiles}.", tiles=pictured_play([stone_of(laying) for laying in layings]))
        case Swap(tiles=tiles):
            yield _("Swap {tiles}.", tiles=_tiles(tiles))
        case Pass():
            yield _("Pass.")
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
                yield _("The bag is empty, and this empties your hand, so you lose no points.")
            else:
                yield ngettext(
                    "The bag is empty: the tiles left in your hand would cost {n} point.",
                    "The bag is empty: the tiles left in your hand would cost {n} points.",
                    -reason.number("saves"),
                )
        case "keeps":
            kept = reason.facts["tiles"]
            assert isinstance(kept, tuple)
            stay = [str(tile) for tile in kept]
            if not stay:
                yield _("None of your tiles fit, and no two of them go well together.")
            elif len(stay) == 1:
                yield _("None of your tiles fit, and only {tile} is worth keeping.", tile=_tiles(stay))
            else:
                yield _("None of your tiles fit. The ones you keep go well together: {tiles}.", tiles=_tiles(stay))
        case "stuck":
            yield _("None of your tiles fit anywhere, and the bag is empty.")


def _scores(reason: Reason) -> str:
    points, most, other = map(reason.number, ("points", "most", "next"))
    if not reason.number("best"):
        return ngettext(
            "It scores {n} point; another play scores {most} but leaves more for the next player.",
            "It scores {n} points; another play scores {most} but leaves more for the next player.",
            points,
            most=most,
        )
    if other < 0:
        return ngettext(
            "It scores {n} point and is the only play I can find.",
            "It scores {n} points and is the only play I can find.",
            points,
        )
    if other >= points:
        return ngettext(
            "It scores {n} point: I can't find a play that's worth more.",
            "It scores {n} points: I can't find a play that's worth more.",
            points,
        )
    return ngettext(
        "It scores {n} point; the next best play I can find scores {other}.",
        "It scores {n} points; the next best play I can find scores {other}.",
        points,
        other=other,
    )


def _leaves(reason: Reason, scores: Reason) -> Iterator[str]:
    mine, other = reason.number("mine"), reason.number("other")
    if other < mine + WORTH_MENTIONING:
        return
    if scores.number("best"):
        yield ngettext(
            "It leaves the next player about {n} point; the next best play leaves {other}.",
            "It leaves the next player about {n} points; the next best play leaves {other}.",
            mine,
            other=other,
        )
    else:
        yield ngettext(
            "It leaves the next player about {n} point; the other play leaves {other}.",
            "It leaves the next player about {n} points; the other play leaves {other}.",
            mine,
            other=other,
        )
