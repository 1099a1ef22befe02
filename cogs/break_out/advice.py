"""Advice for a seat of Break-Out: its legal plays, best first, at a table with hints; otherwise only the kinds
of plays.
"""

from collections.abc import Iterator, Sequence

from cogs.break_out.play_labels import name_of, points_of
from cogs.break_out.player_page import shows_hints
from cogs.break_out.plays import best_sound_plays
from cogs.core.i18n.translation import _, ngettext, public_label
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action, Seat
from engine.games.break_out import KINDS, BreakOutView, pointable

MOST_PLAYS = 12
"""The most plays listed."""


def advice(view: BreakOutView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    seat = view.seat
    assert seat is not None
    if view.interlude is not None:
        yield interludes.advice(view.interlude, seat)
        return
    if view.phase == "over" or view.turn is None:
        yield _("The game is over.")
        return
    if view.phase == "gift" and view.catcher == seat:
        yield _(
            "You caught someone: choose the card to give away, with *{play}* or `/break-out give`.",
            play=public_label("Play"),
        )
    elif view.turn == seat and view.phase == "turn":
        yield from _turn(view, info, seat)
    elif view.turn == seat and view.phase == "next":
        yield _("You said NEXT: your turn is over as soon as it takes effect.")
    else:
        yield _("It's {player}'s turn.", player=info.name(view.turn))
    if view.referee == "strict":
        yield _("I'm the referee at this table: there's nothing to call or point at.")
        return
    yield from _watching(view, info, seat)


def _turn(view: BreakOutView, info: TableContext, seat: Seat) -> Iterator[str]:
    if view.acted or view.drew or not view.place:
        yield _("You can say NEXT.")
    else:
        yield _("Take a card or play; then say NEXT. You can take a card before you play, but you don't have to.")
    if shows_hints(info):
        found = best_sound_plays(view)
        for play in found[:MOST_PLAYS]:
            points = points_of(view, play)
            yield f"- {name_of(view, play)}" + (f" ({points})" if points else "")
        if len(found) > MOST_PLAYS:
            left = len(found) - MOST_PLAYS
            yield ngettext("- and {n} more: *Pick cards*", "- and {n} more: *Pick cards*", left)
        if not found:
            yield _("You have no legal play now.")
        return
    need, most = view.limits
    if view.out[seat]:
        yield _("You're out. You can:")
        yield _("- lay melds of any worth in the Yard, or add to any meld there")
        yield _("- swap a card for the Wild that represents it in a Yard meld")
        yield _("- move melds from your cell to the Yard")
        yield _("- play a DRAW card as the first card of your turn: everyone else takes a card")
    else:
        yield _("You're in your cell. You can:")
        yield _("- lay melds worth less than {need} there; it holds up to {most} cards", need=need, most=most)
        yield _(
            "- break out: with a meld worth {need} or more, with a cell meld and hand cards worth {need} or more "
            "together, with a cell that held {most} cards when your turn began, or with a Super Wild alone",
            need=need,
            most=most,
        )


def _watching(view: BreakOutView, info: TableContext, seat: Seat) -> Iterator[str]:
    window = view.window
    if window is not None and window.seat != seat:
        left = [f"{kind.upper()}!" for kind in KINDS if kind not in window.mine]
        player = info.name(window.seat)
        if left:
            yield _(
                "You can challenge {player}'s last turn: **DRAW!** if they neither played nor took a card, **MELD!** "
                "if they laid a bad meld. Calls left: {calls}",
                player=player,
                calls=", ".join(left),
            )
        else:
            yield _("You've made both calls on {player}'s last turn.", player=player)
    if pointable(view):
        yield _("You can point at a meld that no one called in time: if it's bad, its cards leave the game.")
