"""The line that says whose move it is and until when; at the end who has won, and what really happened."""

from typing import assert_never

import msgspec

from cogs.core.pages.game_ui import TableContext
from cogs.prison_break import lights
from cogs.prison_break.arrivals import ranked, stands, why
from cogs.prison_break.ending import lies_words
from cogs.prison_break.words import OFFER_NAMES, Who, over_words
from engine.contract import Seat
from engine.games.prison_break import PrisonBreakView


def who(info: TableContext) -> Who:
    """Return how seats are called in this table's messages."""
    return [sitter.bold for sitter in info.sitters].__getitem__


def computers(info: TableContext) -> frozenset[Seat]:
    """Return the seats of computer players."""
    return frozenset(sitter.seat for sitter in info.sitters if sitter.level is not None and sitter.user is None)


def counted(view: PrisonBreakView, info: TableContext) -> PrisonBreakView:
    """Return the view with those who have won: where some had left the game, the track does not say it."""
    first = tuple(info.first(view.winners))
    if view.phase != "over" or first == tuple(view.winners):
        return view
    return msgspec.structs.replace(view, winners=first, reason=None)


def status(view: PrisonBreakView, info: TableContext) -> str:
    """Return how the game stands, in words; whose move it is, as the reader is told."""
    if view.phase == "over":
        told = counted(view, info)
        return f"★ {over_words(told, who(info))}!\n-# {why(told, who(info))}"
    if view.interlude is not None:
        return lights.status(view, info)
    small = f"Round {view.round} of {view.round_limit} · Warden {info.name(view.warden)}"
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
    """Who votes on what, and whose vote is in: never how."""
    assert view.proposal is not None
    voters = " and ".join(
        f"{info.name(seat)} ({'vote is in' if seat in view.proposal.voted else 'to vote'})"
        for seat in (view.proposal.first, view.proposal.second)
    )
    return f"**{OFFER_NAMES[view.proposal.kind]}** for {voters}"


def truth(view: PrisonBreakView, info: TableContext) -> str:
    """Return at the end, from the best place to the last, where everyone is and how far words and steps were apart."""
    lines = (
        f"-# {info.name(seat)} ends {stands(view, seat)}, {lies_words(view.paths[seat])}"
        for seat in ranked(view, info.places)
    )
    return "\n".join(["**What really happened**", *lines])
