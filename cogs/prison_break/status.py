"""The line that says whose move it is and until when; at the end who has won, and what really happened."""

from typing import assert_never

import msgspec

from cogs.core.pages.game_ui import TableContext
from cogs.prison_break import lights
from cogs.prison_break.end_picture import lies_words
from cogs.prison_break.finish_order import position_words, ranked, win_reason
from cogs.prison_break.words import OFFER_NAMES, Who, over_words, round_words
from engine.contract import Seat
from engine.games.prison_break import PrisonBreakView


def seat_namer(info: TableContext) -> Who:
    """Return how this table's messages name a seat."""
    return [sitter.bold for sitter in info.seated_players].__getitem__


def computer_seats(info: TableContext) -> frozenset[Seat]:
    """Return the seats of computer players."""
    return frozenset(sitter.seat for sitter in info.seated_players if sitter.level is not None and sitter.user is None)


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
        return f"★ {over_words(final_view, seat_namer(info))}!\n-# {win_reason(final_view, seat_namer(info))}"
    if view.interlude is not None:
        return lights.status(view, info)
    small = f"{round_words(view)} · Warden {info.name(view.warden)}"
    match view.phase:
        case "sneak":
            what = "to sneak"
        case "offer":
            what = "an offer, or none"
        case "vote":
            what = _proposal(view, info)
        case "guard":
            what = "a guard check, or none"
        case "interlude":
            raise AssertionError("an interlude has a line of its own")
        case _:
            assert_never(view.phase)
    if view.no_sneak_round > view.round:
        small += " · no Sneak phase next round"
    return f"▶ {info.to_move(view.to_act, view.seat)}\n-# {small} · {what}"


def _proposal(view: PrisonBreakView, info: TableContext) -> str:
    """Return who votes on what, and whose vote is in, but never the vote."""
    assert view.proposal is not None
    voters = " and ".join(
        f"{info.name(seat)} ({'vote is in' if seat in view.proposal.voted else 'to vote'})"
        for seat in (view.proposal.first, view.proposal.second)
    )
    return f"**{OFFER_NAMES[view.proposal.kind]}** for {voters}"


def true_positions(view: PrisonBreakView, info: TableContext) -> str:
    """Return at the end, from the best place to the last, everybody's position and the gap between declarations
    and steps.
    """
    lines = (
        f"-# {info.name(seat)} ends {position_words(view, seat)}, {lies_words(view.paths[seat])}"
        for seat in ranked(view, info.places)
    )
    return "\n".join(["**What really happened**", *lines])
