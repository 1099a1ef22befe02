"""Advice for a seat of Prison Break: its plays, best first, where advice is allowed; only the kinds of plays at a
rated table.

Plays are rated from the seat's own view.
"""

from collections.abc import Iterator, Sequence
from random import Random

from cogs.core.i18n.translation import N_, _, ngettext, public_label
from cogs.core.ops.text_format import listed
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.prison_break.controls import space_hint
from cogs.prison_break.player_page import stakes
from cogs.prison_break.words import at, claim, is_held, offer_name, vote_words
from engine.contract import Action, Seat
from engine.games.prison_break import JAIL, Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players.prison_break.evaluation import ordered

MOST_PLAYS = 5
"""The most plays listed."""
BEST_FIRST = N_("Best first, as far as I can tell from what you know:")


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
        yield _("Wait for {names}.", names=listed([info.name(seat) for seat in view.to_act]))
    if view.phase == "vote" and view.my_vote is not None:
        yield _("You've voted, and a vote is final.")
    elif view.phase == "sneak" and view.seat in view.sits_out:
        yield _("You sit out this Sneak phase: the guards caught you.")


def _kinds(view: PrisonBreakView, seat: Seat, info: TableContext, plays: Sequence[Action]) -> str:
    """Yield the kinds of plays."""
    match plays[0]:
        case Sneak():
            most = max(play.declare for play in plays if isinstance(play, Sneak))
            far = max(play.move for play in plays if isinstance(play, Sneak))
            if far:
                return _(
                    "Sneak: say a number from 0 to {most}, and secretly go 0 to {far}; they needn't match. Press "
                    "*{sneak}*, or use `/prison-break sneak`.",
                    most=most,
                    far=far,
                    sneak=public_label("Sneak"),
                )
            return _(
                "Sneak: say a number from 0 to {most}, and stay where you are (Lock Down). Press *{sneak}*, or use "
                "`/prison-break sneak`.",
                most=most,
                sneak=public_label("Sneak"),
            )
        case Offer() | Decline():
            up = listed([offer_name(offer.kind) for offer in view.row if offer.up])
            return _(
                "You are the Warden. Make an offer ({offers}) to any two players: press *{play}*, or use "
                "`/prison-break offer`. Or make none: *{none}* or `/prison-break decline`.",
                offers=up,
                play=public_label("Play"),
                none=public_label("No offer"),
            )
        case Vote():
            how = _("Press *{vote}*, or use `/prison-break vote`.", vote=public_label("Vote"))
            return "\n".join([stakes(view, seat, info), how])
        case _:
            return _(
                "Spend a token to send the guards to a space from 1 to {spaces}: everyone there goes to JAIL, you too. "
                "Choose it below the picture, or use `/prison-break guard`. Or *{none}* or `/prison-break pass`.",
                spaces=view.spaces,
                none=public_label("No check"),
            )


def _best(view: PrisonBreakView, seat: Seat, info: TableContext, plays: Sequence[Action]) -> Iterator[str]:
    """Yield the best plays, always the same ones for the same view."""
    found = ordered(view, plays, Random(view.ui_version))
    yield _(BEST_FIRST)
    for play in found[:MOST_PLAYS]:
        yield f"- {play_words(view, seat, info, play)}"
    if len(found) > MOST_PLAYS:
        yield ngettext("- and {n} more", "- and {n} more", len(found) - MOST_PLAYS)
    if isinstance(found[0], Sneak | Vote):
        yield _("If you always do what looks best, you're predictable: surprise them now and then.")


def play_words(view: PrisonBreakView, seat: Seat, info: TableContext, play: Action) -> str:
    """Return a play in words."""
    match play:
        case Sneak():
            exit_ = view.spaces + 1
            here = min((view.positions[seat] or JAIL) + play.move, exit_)
            declared = min(claim(view, seat) + play.declare, exit_)
            facts = {"said": play.declare, "gone": play.move, "where": at(here, view.spaces)}
            if declared == here:
                return _("**say {said}, go {gone}**: you're then {where}, just as you claim", **facts)
            claimed = at(declared, view.spaces)
            return _(
                "**say {said}, go {gone}**: you're then {where}, and claim to be {claimed}", **facts, claimed=claimed
            )
        case Offer():
            first, second = info.name(Seat(play.first)), info.name(Seat(play.second))
            kind = offer_name(view.row[play.card].kind)
            return _("**{offer}** for {first} and {second}", offer=kind, first=first, second=second)
        case Decline():
            return _("**no offer**")
        case Vote():
            return f"**{vote_words(accept=play.accept)}**"
        case Guard():
            hint = space_hint(view, play.space, [player.bold for player in info.seated_players])
            if not hint:
                return _("**space {space}**", space=play.space)
            # Translators: hint is "last seen here: Ann".
            return _("**space {space}** ({hint})", space=play.space, hint=hint)
        case _:
            return _("**no check**: keep your tokens")


def _constraints(view: PrisonBreakView, seat: Seat) -> Iterator[str]:
    """Yield the reader's constraints, and what is always possible."""
    prisoner = view.prisoners[seat]
    if prisoner.skips:
        yield _("The guards caught you: you skip the next Sneak phase that takes place.")
    if prisoner.held_round > view.round:
        yield _("Lock Down: next round you say what you like, but you may not move forward.")
    elif is_held(view, seat):
        yield _("Lock Down: this round you may not move forward; an offer can still move you back.")
    if not prisoner.tokens:
        yield _("You have no tokens left, so you make no guard checks; a Bribe can bring one.")
    yield _(
        "At any time: write in your notepad or set markers (*{play}*, `/prison-break note` and `mark`).",
        play=public_label("Play"),
    )
