"""The line that says whose move it is and until when; at the end who has won, and what really happened."""

from typing import assert_never

import msgspec

from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.prison_break import lights
from cogs.prison_break.end_picture import lies_words
from cogs.prison_break.finish_order import position_words, ranked, win_reason
from cogs.prison_break.words import Who, offer_name, over_words, round_words
from engine.contract import Seat
from engine.games.prison_break import PrisonBreakView


def seat_namer(info: TableContext) -> Who:
    """Return how this table's messages name a seat."""
    return [player.bold for player in info.seated_players].__getitem__


def computer_seats(info: TableContext) -> frozenset[Seat]:
    """Return the seats of computer players."""
    return frozenset(player.seat for player in info.seated_players if player.level is not None and player.user is None)


def with_winners(view: PrisonBreakView, info: TableContext) -> PrisonBreakView:
    """Return the view with the winners, which the track does not show if some players had left the game."""
    first = tuple(info.winners(view.winners))
    if view.phase != "over" or first == tuple(view.winners):
        return view
    return msgspec.structs.replace(view, winners=first, reason=None)


def status(view: PrisonBreakView, info: TableContext) -> str:
    """Return the state of the game in words for this reader, including whose move it is."""
    if view.phase == "over":
        final_view = with_winners(view, info)
        # Translators: result is "Ann escapes".
        won = _("★ {result}!", result=over_words(final_view, seat_namer(info)))
        return f"{won}\n-# {win_reason(final_view, seat_namer(info))}"
    if view.interlude is not None:
        return lights.status(view, info)
    small = _phase_words(view, info)
    if view.no_sneak_round > view.round:
        small = _("{phase} · no Sneak phase next round", phase=small)
    return f"▶ {info.to_move(view.to_act, view.seat)}\n-# {small}"


def _phase_words(view: PrisonBreakView, info: TableContext) -> str:
    """Return the round, its Warden and its phase."""
    round_, warden = round_words(view), info.name(view.warden)
    match view.phase:
        case "sneak":
            return _("{round} · {warden} is the Warden · Sneak phase", round=round_, warden=warden)
        case "offer":
            return _("{round} · {warden} is the Warden and may make an offer", round=round_, warden=warden)
        case "vote":
            what = _proposal(view, info)
            return _("{round} · {warden} is the Warden · {vote}", round=round_, warden=warden, vote=what)
        case "guard":
            return _("{round} · {warden} is the Warden · guard checks", round=round_, warden=warden)
        case "interlude" | "over":
            raise AssertionError("an interlude and the end have lines of their own")
        case _:
            assert_never(view.phase)


def _proposal(view: PrisonBreakView, info: TableContext) -> str:
    """Return who votes on what, and whose vote is in, but never the vote."""
    assert view.proposal is not None
    first, second = (
        _("{name} (voted)", name=info.name(seat))
        if seat in view.proposal.voted
        else _("{name} (still to vote)", name=info.name(seat))
        for seat in (view.proposal.first, view.proposal.second)
    )
    return _("**{offer}** for {first} and {second}", offer=offer_name(view.proposal.kind), first=first, second=second)


def true_positions(view: PrisonBreakView, info: TableContext) -> str:
    """Return at the end, from the best place to the last, everyone's position and the gap between declarations
    and steps.
    """
    # Translators: where is "on 7", lies is "lied in 2 of 5 sneaks".
    lines = (
        _(
            "-# {name} ended {where}, {lies}",
            name=info.name(seat),
            where=position_words(view, seat),
            lies=lies_words(view.paths[seat]),
        )
        for seat in ranked(view, info.places)
    )
    return "\n".join([_("**What really happened**"), *lines])
