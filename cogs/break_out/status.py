"""The line that says whose move it is and until when, who can be called, and how a round or the game ended."""

from cogs.break_out.notes import catch_reason
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import figure, labelled, listed, signed
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from engine.contract import Seat
from engine.games.break_out import BreakOutView, FinishedRound


def status(view: BreakOutView, info: TableContext) -> str:
    """Return the state of the game in words for the reader of this view."""
    if view.phase == "over":
        return _ending(view, info)
    if view.interlude is not None and view.finished is not None:
        waits = interludes.waits(view.interlude, info, _("The next round begins"))
        return f"▶ {round_words(view.finished, info)}\n{waits}"
    called = _callable(view, info)
    return f"▶ {_now(view, info)}" + (f"\n-# {called}" if called else "")


def round_words(finished: FinishedRound, info: TableContext) -> str:
    """Return how a round ended, and the points of every player."""
    number = finished.number
    match finished.reason:
        case "out":
            assert finished.winner is not None
            how = _("Round {number} is over: {player} went out", number=number, player=info.name(finished.winner))
        case "idle":
            how = _("Round {number} is over: no one played or took a card for a full circuit", number=number)
        case "blocked":
            how = _("Round {number} is over: the pile is empty, and no one could play", number=number)
    got = " · ".join(f"{info.name(Seat(seat))} {signed(points)}" for seat, points in enumerate(finished.points))
    return f"{how}\n-# {got}"


def _now(view: BreakOutView, info: TableContext) -> str:
    assert view.turn is not None
    match view.phase:
        case "gift":
            return _gift(view, info)
        case "last":
            return _last(view, info)
        case "next":
            soon = _clock_runs(view, info)
            if view.turn == view.seat:
                return _("You said NEXT. It takes effect in a few seconds") if soon else _("You said NEXT")
            player = info.name(view.turn)
            if soon:
                return _("{player} said NEXT. It takes effect in a few seconds", player=player)
            return _("{player} said NEXT", player=player)
        case _:
            return info.to_move([view.turn], view.seat)


def _gift(view: BreakOutView, info: TableContext) -> str:
    assert view.catcher is not None and view.caught is not None
    catcher, caught = info.name(view.catcher), info.name(view.caught)
    if view.catch is not None:  # the headline says who caught whom
        what = f"**{view.catch.kind.upper()}!** – {catch_reason(view.catch)}"
    else:
        what = _("{player} caught {other}", player=catcher, other=caught)
    if view.catcher == view.seat:
        now = _("You choose a card for {player}", player=caught)
    elif view.caught == view.seat:
        now = _("{player} chooses a card for you", player=catcher)
    else:
        now = _("{player} chooses a card for {other}", player=catcher, other=caught)
    clock = _clock(view, info)
    now = " · ".join([now, _("time runs out {when}", when=clock)]) if clock else now
    return f"{what}\n{now}"


def _last(view: BreakOutView, info: TableContext) -> str:
    window = view.window
    if window is None:
        return _("The round ends")
    soon = _("The round ends in a few seconds") if _clock_runs(view, info) else _("The round ends")
    if view.counts[window.seat]:
        what = _("No one has played a card for a full circuit.")
    elif window.seat == view.seat:
        what = _("You played your last card!")
    else:
        what = _("{player} played their last card!", player=info.name(window.seat))
    return f"{what} {soon}"


def _callable(view: BreakOutView, info: TableContext) -> str:
    """Return whose turn can be called, and until when."""
    window = view.window
    if window is None or view.referee == "strict" or view.phase == "gift":
        return ""
    mine, player = window.seat == view.seat, info.name(window.seat)
    if window.closes is None and (view.phase != "next" or window.seat == view.turn):
        if mine:
            return _("You can be challenged until the next NEXT")
        return _("{player} can be challenged until the next NEXT", player=player)
    if _clock_runs(view, info):
        if mine:
            return _("You can be challenged until then")
        return _("{player} can be challenged until then", player=player)
    return _("You can be challenged") if mine else _("{player} can be challenged", player=player)


def _clock_runs(view: BreakOutView, info: TableContext) -> bool:
    """Return whether a window's clock runs, which it does not in a replay.

    Windows last seconds, so a relative timestamp would soon refer to the past.
    """
    return bool(_clock(view, info))


def _clock(view: BreakOutView, info: TableContext) -> str:
    """Return when a window closes, as a timestamp; empty where no clock runs, as in a replay."""
    return "" if view.due is None else info.until(view.due)


def _ending(view: BreakOutView, info: TableContext) -> str:
    winners = [info.name(seat) for seat in info.best(view.scores, fewest=True)]
    order = sorted(enumerate(view.scores), key=lambda one: one[1])
    points = " · ".join(labelled(info.name(Seat(seat)), f"**{figure(score)}**") for seat, score in order)
    if info.places:
        how = ngettext("{players} **wins**!", "{players} **share the win**!", len(winners), players=listed(winners))
    else:
        how = ngettext(
            "{players} **wins** with the fewest points!",
            "{players} **share the win** with the fewest points!",
            len(winners),
            players=listed(winners),
        )
    return f"★ {how}\n-# {points}"
