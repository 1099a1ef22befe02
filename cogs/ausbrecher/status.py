"""What Ausbrecher AG says above the race: whose turn it is and what they do, what happened last, and who has won."""

from cogs.ausbrecher.words import (
    boarded_words,
    capitalised,
    coverers,
    points_so_far,
    prisoner_name,
    same_by_white,
    standings,
    turn_words,
)
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import TableContext
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, AusbrecherView

LAST_TURNS = 2
"""The most turns on the table message; a player page has space for one."""

LIMIT_WARNING_TURNS = 10
"""The number of turns before the limit from which it is announced."""


def status(view: AusbrecherView, info: TableContext) -> str:
    """Return whose turn it is and what they do; at the end who has won."""
    if view.phase == "forecast":
        head = _("**Everyone makes a secret forecast**")
        return f"▶ {head}{info.runs_out(view.to_act)}\n-# {_given(view, info)}"
    if view.phase == "over":
        return _ending(view, info)
    assert view.turn is not None
    turn = _("Turn {turn}", turn=view.turn_number)
    small = [turn, *_task(view), _turns_left(view), _starter(view), _next(view, info)]
    return f"▶ {info.to_move(view.to_act, view.seat)}\n-# {' · '.join(filter(None, small))}"


def _given(view: AusbrecherView, info: TableContext) -> str:
    """Return how many forecasts are in.

    A seat that has yet to submit its own reads what counts until then instead, since its direct message is not
    updated when others submit theirs.
    """
    if view.seat in view.to_act:
        if len(view.forecasts) == 2:
            return _("The race starts once both forecasts are in")
        return ngettext(
            "The race starts once {n} forecast is in",
            "The race starts once all {n} forecasts are in",
            len(view.forecasts),
        )
    return _(
        "{given} of {total} forecasts are in · waiting for {players}",
        given=len(view.given),
        total=len(view.forecasts),
        players=listed([info.name(seat) for seat in view.to_act]),
    )


def _ending(view: AusbrecherView, info: TableContext) -> str:
    totals = [points_so_far(points) for points in view.points]
    winners = [info.name(seat) for seat in info.best(totals)]
    head = ngettext("{players} **wins!**", "{players} **share the win!**", len(winners), players=listed(winners))
    why = "" if view.reason == "boats" else _("turn limit reached: the rest boarded in order of position")
    return f"★ {head}\n-# {' · '.join(filter(None, (standings(view, info), why)))}"


def _task(view: AusbrecherView) -> list[str]:
    """Return what the player to move has to do, in short."""
    match view.phase:
        case "roll":
            return [_("choose and roll dice")]
        case "replace":
            asked = _("the white die shows {pips}: which die does it replace?", pips=view.white)
            if same := same_by_white(view):
                covered = _(
                    "{prisoners} are covered, so it makes no difference which of them",
                    prisoners=listed(map(capitalised, same)),
                )
                return [asked, covered]
            return [asked]
        case "resolve":
            left = sum(not one.resolved for one in view.results)
            below = [
                _("{prisoner} is covered by {other}", prisoner=prisoner_name(one), other=prisoner_name(other))
                for one, other in coverers(view)
            ]
            return [ngettext("{n} move to make", "{n} moves to make", left), *below]
        case _:
            return []


def _turns_left(view: AusbrecherView) -> str:
    if view.turns_left > LIMIT_WARNING_TURNS:
        return ""
    if view.turns_left == 1:
        return _("last turn")
    return ngettext("at most {n} turn after this", "at most {n} turns after this", view.turns_left - 1)


def _starter(view: AusbrecherView) -> str:
    if view.turn_number != 1 or not view.throws or view.turn is None or view.phase != "roll":
        return ""
    best = max(pips for pips in view.throws[-1] if pips is not None)
    return _("highest roll starts: {pips}", pips=best)


def _next(view: AusbrecherView, info: TableContext) -> str:
    """Return whose turn comes after this one, where there are several others."""
    seats = len(view.forecasts)
    if view.turn is None or seats < 3 or view.turns_left == 1:
        return ""
    follows = Seat((view.turn + 1) % seats)
    return _("then you") if follows == view.seat else _("then {player}", player=info.name(follows))


def news(view: AusbrecherView, info: TableContext) -> str:
    """Return what happened last; during the race a player's page has it above the picture instead."""
    if view.seat is not None and view.turn is not None:
        return ""
    return told(view, info, LAST_TURNS)


def told(view: AusbrecherView, info: TableContext, most: int) -> str:
    """Return what happened in the last turns, in at `most` that many lines."""
    lines = [line for turn in view.turns[-LAST_TURNS:] if (line := turn_words(turn, info))][-most:]
    if view.carried:
        moves = [boarded_words(colour, view.prisoners[COLOURS.index(colour)].boat) for colour in view.carried]
        lines.append(_("At the end: {moves}", moves=listed(moves)))
    if view.drawn and view.turn_number == 1:
        late = listed([info.name(seat) for seat in view.drawn])
        lines.append(_("Random forecast for {players}: time ran out.", players=late))
    return "\n".join(f"-# {line}" for line in lines)
