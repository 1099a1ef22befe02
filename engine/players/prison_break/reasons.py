"""Why a sneak, a vote, an offer or a guard check is good, as facts. Shares and chances are in percent.

The facts are where the master believes everybody to be, and its share of the win after the action.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action, Seat
from engine.games.prison_break import JAIL, Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Budget, Reason
from engine.players.prison_break import offering, sneaking
from engine.players.prison_break.evaluation import guard_worths
from engine.players.prison_break.situation import Situation


def explain(
    view: PrisonBreakView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for an action, the main reason first."""
    if view.seat is None:
        return ()
    situation = Situation(view, view.seat, rng)
    match action:
        case Sneak():
            return _sneak(situation, action, [one for one in legal if isinstance(one, Sneak)])
        case Vote() if view.proposal is not None:
            return _vote(situation, action)
        case Guard() | Pass():
            return _guard(situation, action, [one for one in legal if isinstance(one, Guard)])
        case Offer() | Decline():
            return _offer(situation, action, [one for one in legal if isinstance(one, Offer)])
        case _:
            return ()


def _sneak(situation: Situation, sneak: Sneak, sneaks: Sequence[Sneak]) -> tuple[Reason, ...]:
    place = min(situation.own + sneak.move, situation.exit)
    honest = next((one for one in sneaks if one.move == sneak.move and one.declare == sneak.move), None)
    asked = [sneak] if honest is None or honest == sneak else [sneak, honest]
    odds = [_percent(one) for one in sneaking.odds_of_check(situation, asked)]
    place_facts = {"place": place, "exit": int(place == situation.exit)}
    if place in (JAIL, situation.exit):
        return (Reason("safe", place_facts),)
    straight = odds[1] if len(odds) > 1 else -1
    return (Reason("hides", {**place_facts, "found": odds[0], "honest": straight, "moves": sneak.move}),)


def _vote(situation: Situation, vote: Vote) -> tuple[Reason, ...]:
    assert situation.view.proposal is not None
    proposal = situation.view.proposal
    other = proposal.second if proposal.first == situation.me else proposal.first
    square, accepts = offering.vote_values(situation, proposal)
    accept, reject = (accepts * row[0] + (1 - accepts) * row[1] for row in square)
    mine, instead = (accept, reject) if vote.accept else (reject, accept)
    facts = {"seat": other, "accepts": _percent(accepts), "mine": _percent(mine), "instead": _percent(instead)}
    return (Reason("votes", {**facts, "own": int(situation.view.warden == situation.me)}),)


def _guard(situation: Situation, action: Guard | Pass, guards: Sequence[Guard]) -> tuple[Reason, ...]:
    space, seat, odds = _likeliest(
        situation, [one.space for one in ([action] if isinstance(action, Guard) else guards)]
    )
    facts = {"space": space, "seat": seat, "odds": _percent(odds)}
    worth = guard_worths(situation, guards)
    best = max(worth[guard] for guard in guards) if guards else worth[Pass()]
    shares = {
        "mine": _percent(worth[action]),
        "instead": _percent(worth[Pass()] if isinstance(action, Guard) else best),
    }
    return (Reason("checks" if isinstance(action, Guard) else "waits", {**facts, **shares}),)


def _likeliest(situation: Situation, spaces: Sequence[int]) -> tuple[int, Seat, float]:
    """Return the space, among these, on which a rival is found most likely, with the rival and the probability."""
    beliefs = {seat: situation.record.beliefs[seat].odds() for seat in situation.rivals}
    found = [(odds[space], space, seat) for seat, odds in beliefs.items() for space in spaces]
    odds, space, seat = max(found, default=(0.0, JAIL, situation.rivals[0]))
    return space, seat, odds


def _offer(situation: Situation, action: Offer | Decline, offers: Sequence[Offer]) -> tuple[Reason, ...]:
    worth = offering.worths(situation, offers)
    best = max((worth[offer] for offer in offers), default=worth[Decline()])
    instead = worth[Decline()] if isinstance(action, Offer) else best
    code = "offers" if isinstance(action, Offer) else "declines"
    return (Reason(code, {"mine": _percent(worth[action]), "instead": _percent(instead)}),)


def _percent(share: float) -> int:
    """Return a share or a chance in percent, at most 100: a bonus for reputation can push a share above one."""
    return min(100, round(100 * share))
