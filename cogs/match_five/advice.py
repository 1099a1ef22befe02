"""Advice for a seat of Match Five: its best plays where advice is allowed; only the kinds of plays at a rated
table.
"""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.game_ui import TableContext
from cogs.match_five.draft import hand_of, points_of, stone_of
from cogs.match_five.words import pictured_play
from engine.contract import Action
from engine.games.match_five import WILD, Laying, MatchFiveView, Play


def advice(view: MatchFiveView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    if view.turn is None:
        yield _("The game is over.")
    elif view.turn != view.seat:
        yield _("Wait: it's {name}'s turn.", name=info.name(view.turn))
    else:
        yield from _plays(view, info, legal)
        if view.bag:
            yield _("You can also swap tiles, which takes your whole turn. You can't pass yet.")
        else:
            yield _("The bag is empty: you can also pass, but no longer swap.")
        if WILD in hand_of(view):
            yield ngettext(
                "A Wild left in your hand at the end costs {n} point. You can lay one a turn.",
                "A Wild left in your hand at the end costs {n} points. You can lay one a turn.",
                view.wild_left,
            )


def _plays(view: MatchFiveView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield the plays with the most points, or only the kinds of plays."""
    best: dict[int, tuple[int, Sequence[Laying]]] = {}  # by number of tiles: plays of equally many differ little
    for one in legal:
        if isinstance(one, Play) and len(one.layings) not in best:
            best[len(one.layings)] = (points_of(view, one.layings) or 0, one.layings)
    if not best:
        yield _("None of your tiles fit anywhere.")
        return
    yield _("Lay one to five tiles: press a tile and move it if you like, then press the next one or *Lay*.")
    if view.placement == "one_line":
        yield _("At this table, all tiles of a turn must end up in one line.")
    if not info.ranked:
        yield _("The best-scoring plays I can find:")
        for points, layings in sorted(best.values(), key=lambda one: -one[0]):
            stones = [stone_of(laying) for laying in layings]
            tiles = pictured_play(stones)
            yield ngettext("- {tiles} for **{n} point**", "- {tiles} for **{n} points**", points, tiles=tiles)
