"""Advice for a seat of Break-Out: its sound plays, best first, at a table with hints; otherwise only the kinds
of plays.
"""

from collections.abc import Iterator

from cogs.break_out.play_labels import name_of, points_of
from cogs.break_out.player_page import shows_hints
from cogs.break_out.plays import best_sound_plays
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from engine.contract import Seat
from engine.games.break_out import KINDS, BreakOutView, pointable

MOST_PLAYS = 12
"""The most plays listed."""


def advice(view: BreakOutView, info: TableContext) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    seat = view.seat
    assert seat is not None
    if view.interlude is not None:
        yield interludes.advice(view.interlude, seat)
        return
    if view.phase == "over" or view.turn is None:
        yield "The game is over."
        return
    if view.phase == "gift" and view.catcher == seat:
        yield "You caught somebody: choose the card that you give away, with *Play* or `/break-out give`."
    elif view.turn == seat and view.phase == "turn":
        yield from _turn(view, info, seat)
    elif view.turn == seat and view.phase == "next":
        yield "You said NEXT: your turn is over as soon as it takes effect."
    else:
        yield f"It is {info.name(view.turn)}'s turn."
    if view.referee == "strict":
        yield "At this table the bot is the referee: there is nothing to call or point at."
        return
    yield from _watching(view, info, seat)


def _turn(view: BreakOutView, info: TableContext, seat: Seat) -> Iterator[str]:
    if view.acted or view.drew or not view.place:
        yield "You may say NEXT."
    else:
        yield "Play a card, or take one; then say NEXT. If you play, you need not take one, and taking comes first."
    if shows_hints(info):
        found = best_sound_plays(view)
        for play in found[:MOST_PLAYS]:
            points = points_of(view, play)
            yield f"- {name_of(view, play)}" + (f" ({points})" if points else "")
        if len(found) > MOST_PLAYS:
            yield f"- and {len(found) - MOST_PLAYS} more: *All plays*"
        if not found:
            yield "Nothing in your hand makes a sound play now."
        return
    need, most = view.limits
    if view.out[seat]:
        yield "You are out, and may:"
        yield "- lay melds of any value in the Yard, or add to any meld there"
        yield "- swap a card for the Wild that stands for it in a Yard meld"
        yield "- move melds of your cell to the Yard"
        yield "- play a DRAW card, as the first card of your turn: all others take a card"
    else:
        yield "You are in your cell, and may:"
        yield f"- lay melds below {need} points there; it holds at most {most} cards"
        yield (
            f"- break out: with a meld of {need} or more, with a cell meld and cards of your hand that make {need} "
            f"or more, with a cell that held {most} cards when your turn began, or with a Super Wild alone"
        )


def _watching(view: BreakOutView, info: TableContext, seat: Seat) -> Iterator[str]:
    window = view.window
    if window is not None and window.seat != seat:
        left = [f"{kind.upper()}!" for kind in KINDS if kind not in window.mine]
        yield (
            f"{info.name(window.seat)}'s last turn can be called: **DRAW!** if they neither played nor took a card, "
            f"**MELD!** if they laid a bad meld. You have {' and '.join(left) or 'no call'} left."
        )
    if pointable(view):
        yield "You may point at a meld that nobody called in time: if it is bad, its cards leave the game."
