"""The line that says whose move it is and until when, who can be called, and how a round or the game ended."""

from cogs.break_out.words import catch_words, round_words
from cogs.core.ops.text_format import figure
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from engine.contract import Seat
from engine.games.break_out import BreakOutView


def status(view: BreakOutView, info: TableContext) -> str:
    """Return the state of the game in words for the reader of this view."""
    if view.phase == "over":
        return _ending(view, info)
    if view.interlude is not None and view.finished is not None:
        waits = interludes.waits(view.interlude, info, "The next round begins")
        return f"▶ {round_words(view.finished, info)}\n{waits}"
    called = _callable(view, info)
    return f"▶ {_now(view, info)}" + (f"\n-# {called}" if called else "")


def _now(view: BreakOutView, info: TableContext) -> str:
    assert view.turn is not None
    mine = view.turn == view.seat
    who = "You" if mine else info.name(view.turn)
    match view.phase:
        case "gift":
            return _gift(view, info)
        case "last":
            return _last(view, info)
        case "next":
            return f"{who} said NEXT" + (". It takes effect in a few seconds" if _clock_runs(view, info) else "")
        case _:
            return info.to_move([view.turn], view.seat)


def _gift(view: BreakOutView, info: TableContext) -> str:
    assert view.catcher is not None and view.caught is not None
    if view.catch is not None:
        what = catch_words(view.catch, info, view.seat)
    else:
        what = f"{info.name(view.catcher)} caught {info.name(view.caught)}"
    by = "You choose" if view.catcher == view.seat else f"{info.name(view.catcher)} chooses"
    whom = "you" if view.caught == view.seat else info.name(view.caught)
    clock = _clock(view, info)
    return f"{what}\n{by} a card for {whom}" + (f" · time runs out{clock}" if clock else "")


def _last(view: BreakOutView, info: TableContext) -> str:
    window = view.window
    if window is None:
        return "The round ends"
    mine = window.seat == view.seat
    who = "You" if mine else info.name(window.seat)
    has = "have" if mine else "has"
    soon = " in a few seconds" if _clock_runs(view, info) else ""
    if view.counts[window.seat]:
        return f"Nobody has played a card for a full circuit. The round ends{soon}"
    return f"{who} {has} played the last card! The round ends{soon}"


def _callable(view: BreakOutView, info: TableContext) -> str:
    """Return whose turn can be called, and until when."""
    window = view.window
    if window is None or view.referee == "strict" or view.phase == "gift":
        return ""
    who = "You" if window.seat == view.seat else info.name(window.seat)
    if window.closes is not None or (view.phase == "next" and window.seat != view.turn):
        return f"{who} can be called" + (" until then" if _clock_runs(view, info) else "")
    return f"{who} can be called until the next NEXT"


def _clock_runs(view: BreakOutView, info: TableContext) -> bool:
    """Return whether a window's clock runs, which it does not in a replay.

    Windows last seconds, so a relative timestamp would soon refer to the past.
    """
    return bool(_clock(view, info))


def _clock(view: BreakOutView, info: TableContext) -> str:
    """Return when a window closes, as a timestamp; empty where no clock runs, as in a replay."""
    latest = "" if view.due is None else info.until(view.due)
    return f" {latest}" if latest else ""


def _ending(view: BreakOutView, info: TableContext) -> str:
    best = min(view.scores)
    ahead = [Seat(seat) for seat, score in enumerate(view.scores) if score == best]
    winners = [info.name(seat) for seat in info.winners(ahead)]
    verb = "wins" if len(winners) == 1 else "share the win"
    order = sorted(enumerate(view.scores), key=lambda one: one[1])
    points = " · ".join(f"{info.name(Seat(seat))}: **{figure(score)}**" for seat, score in order)
    how = "!" if info.places else " with the fewest points!"
    return f"★ {' and '.join(winners)} **{verb}**{how}\n-# {points}"
