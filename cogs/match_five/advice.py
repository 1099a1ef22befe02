"""Advice for a seat of Match Five: its best plays where advice is allowed; only the kinds of plays at a ranked
table.
"""

from collections.abc import Iterator, Sequence

from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import TableContext
from cogs.match_five.draft import hand_of, points_of, stone_of
from cogs.match_five.words import pictured_play
from engine.contract import Action
from engine.games.match_five import WILD, Laying, MatchFiveView, Play


def advice(view: MatchFiveView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    if view.turn is None:
        yield "The game is over."
    elif view.turn != view.seat:
        yield f"Wait: it is {info.name(view.turn)}'s turn."
    else:
        yield from _plays(view, info, legal)
        if view.bag:
            yield "You may also swap tiles, which takes your whole turn. You cannot pass yet."
        else:
            yield "The bag is empty: you may also pass, but no longer swap."
        if WILD in hand_of(view):
            yield f"A Wild left in hand at the end costs {view.wild_left} points; one a turn may be laid."


def _plays(view: MatchFiveView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield the plays with the most points, or only the kinds of plays."""
    best: dict[int, tuple[int, Sequence[Laying]]] = {}  # by number of tiles: plays of equally many differ little
    for one in legal:
        if isinstance(one, Play) and len(one.layings) not in best:
            best[len(one.layings)] = (points_of(view, one.layings) or 0, one.layings)
    if not best:
        yield "None of your tiles fits anywhere."
        return
    yield "Lay one to five tiles: press a tile, move it if you like; then the next one, or *Lay*."
    if view.placement == "one_line":
        yield "At this table all tiles of a turn must end up in one common line."
    if not info.ranked:
        yield "The plays with the most points that I find:"
        for points, layings in sorted(best.values(), key=lambda one: -one[0]):
            stones = [stone_of(laying) for laying in layings]
            yield f"- {pictured_play(stones)} for **{count(points, 'point')}**"
