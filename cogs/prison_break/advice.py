"""Advice for a seat of Prison Break: its plays, best first, where advice is allowed; only the kinds of plays at a
ranked table.

Plays are rated from the seat's own view.
"""

from collections.abc import Iterator, Sequence
from random import Random

from cogs.core.ops.text_format import listed
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.prison_break.controls import space_hint
from cogs.prison_break.player_page import stakes
from cogs.prison_break.words import ACCEPT, OFFER_NAMES, REJECT, at, claim, is_held
from engine.contract import Action, Seat
from engine.games.prison_break import JAIL, Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players.prison_break.weighing import ordered

MOST_PLAYS = 5
"""The most plays listed."""
BEST_FIRST = "The best first, as far as I can tell from what you may know:"


def advice(view: PrisonBreakView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    plays = [action for action in legal if isinstance(action, Sneak | Offer | Decline | Vote | Guard | Pass)]
    if not plays or view.seat is None or view.seat not in view.to_act:
        yield from _waiting(view, info)
    else:
        yield _kinds(view, view.seat, info, plays)
        if not info.ranked:
            yield from _best(view, view.seat, info, plays)
    if view.seat is not None:
        yield from _constraints(view, view.seat)


def _waiting(view: PrisonBreakView, info: TableContext) -> Iterator[str]:
    if view.interlude is not None:
        yield interludes.advice(view.interlude, view.seat)
    if view.to_act:
        yield f"Wait for {listed([info.name(seat) for seat in view.to_act])}."
    if view.phase == "vote" and view.my_vote is not None:
        yield "Your vote is in, and final."
    elif view.phase == "sneak" and view.seat in view.sits_out:
        yield "You sit out this Sneak phase, because the guards caught you."


def _kinds(view: PrisonBreakView, seat: Seat, info: TableContext, plays: Sequence[Action]) -> str:
    """Yield the kinds of plays."""
    match plays[0]:
        case Sneak():
            most = max(play.declare for play in plays if isinstance(play, Sneak))
            far = max(play.move for play in plays if isinstance(play, Sneak))
            move = f"go 0 to {far} in secret – it need not be the same" if far else "stay where you are (Lock Down)"
            return f"Sneak: say a number from 0 to {most}, and {move}. *Sneak*, or `/prison-break sneak`."
        case Offer() | Decline():
            up = listed([OFFER_NAMES[offer.kind] for offer in view.row if offer.up])
            return (
                f"You are the Warden. Make an offer ({up}) to any two players: *Play*, or "
                "`/prison-break offer`. Or make none: *No offer*, `/prison-break decline`."
            )
        case Vote():
            return f"{stakes(view, seat, info)}\nPress *Vote*, or use `/prison-break vote`."
        case _:
            return (
                f"Spend a token and send the guards to a space from 1 to {view.spaces}: everyone there goes to JAIL, "
                "you too. Choose it below the picture, or `/prison-break guard`. Or *No check*, `/prison-break pass`."
            )


def _best(view: PrisonBreakView, seat: Seat, info: TableContext, plays: Sequence[Action]) -> Iterator[str]:
    """Yield the best plays, always the same ones for the same view."""
    found = ordered(view, plays, Random(view.ui_version))
    yield BEST_FIRST
    for play in found[:MOST_PLAYS]:
        yield f"- {play_words(view, seat, info, play)}"
    if len(found) > MOST_PLAYS:
        yield f"- and {len(found) - MOST_PLAYS} more"
    if isinstance(found[0], Sneak | Vote):
        yield "Whoever always does what looks best can be foreseen: surprise them now and then."


def play_words(view: PrisonBreakView, seat: Seat, info: TableContext, play: Action) -> str:
    """Return a play in words."""
    match play:
        case Sneak():
            exit_ = view.spaces + 1
            here = min((view.positions[seat] or JAIL) + play.move, exit_)
            declared = min(claim(view, seat) + play.declare, exit_)
            believed = f"by your words {at(declared, view.spaces)}" if declared != here else "as your words say"
            return f"**say {play.declare}, go {play.move}**: you are then {at(here, view.spaces)}, {believed}"
        case Offer():
            kind = OFFER_NAMES[view.row[play.card].kind]
            return f"**{kind}** for {info.name(Seat(play.first))} and {info.name(Seat(play.second))}"
        case Decline():
            return "**no offer**"
        case Vote():
            return f"**{ACCEPT} Accept**" if play.accept else f"**{REJECT} Reject**"
        case Guard():
            hint = space_hint(view, play.space, [sitter.bold for sitter in info.seated_players])
            return f"**space {play.space}**" + (f": {hint}" if hint else "")
        case _:
            return "**no check**: keep your tokens"


def _constraints(view: PrisonBreakView, seat: Seat) -> Iterator[str]:
    """Yield the reader's constraints, and what is always possible."""
    prisoner = view.prisoners[seat]
    if prisoner.skips:
        yield "The guards caught you: you skip the next Sneak phase that takes place."
    if prisoner.held_round > view.round:
        yield "Lock Down: next round you say what you like, but you may not move forward."
    elif is_held(view, seat):
        yield "Lock Down: this round you may not move forward; an offer's steps back still count."
    if not prisoner.tokens:
        yield "You have no token left, so you make no guard checks; a Bribe can bring one."
    yield "At any time: write your notepad or set your markers (*Play*, `/prison-break note` and `mark`)."
