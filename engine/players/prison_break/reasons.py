"""Why a sneak, a vote, an offer or a guard check is good, as facts. Shares and chances are in percent.

The facts are where the master believes everybody to be, and its share of the win after the action.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action, Seat
from engine.games.prison_break import JAIL, Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Budget, Reason
from engine.players.prison_break import offering, sneaking
from engine.players.prison_break.table import Table
from engine.players.prison_break.weighing import guard_worths


def explain(
    view: PrisonBreakView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for an action, the main reason first."""
    if view.seat is None:
        return ()
    table = Table(view, view.seat, rng)
    match action:
        case Sneak():
            return _sneak(table, action, [one for one in legal if isinstance(one, Sneak)])
        case Vote() if view.proposal is not None:
            return _vote(table, action)
        case Guard() | Pass():
            return _guard(table, action, [one for one in legal if isinstance(one, Guard)])
        case Offer() | Decline():
            return _offer(table, action, [one for one in legal if isinstance(one, Offer)])
        case _:
            return ()


def _sneak(table: Table, sneak: Sneak, sneaks: Sequence[Sneak]) -> tuple[Reason, ...]:
    place = min(table.own + sneak.move, table.exit)
    honest = next((one for one in sneaks if one.move == sneak.move and one.declare == sneak.move), None)
    asked = [sneak] if honest is None or honest == sneak else [sneak, honest]
    odds = [_percent(one) for one in sneaking.found(table, asked)]
    place_facts = {"place": place, "exit": int(place == table.exit)}
    if place in (JAIL, table.exit):
        return (Reason("safe", place_facts),)
    straight = odds[1] if len(odds) > 1 else -1
    return (Reason("hides", {**place_facts, "found": odds[0], "honest": straight, "moves": sneak.move}),)


def _vote(table: Table, vote: Vote) -> tuple[Reason, ...]:
    assert table.view.proposal is not None
    proposal = table.view.proposal
    other = proposal.second if proposal.first == table.me else proposal.first
    square, accepts = offering.weighed(table, proposal)
    accept, reject = (accepts * row[0] + (1 - accepts) * row[1] for row in square)
    mine, instead = (accept, reject) if vote.accept else (reject, accept)
    facts = {"seat": other, "accepts": _percent(accepts), "mine": _percent(mine), "instead": _percent(instead)}
    return (Reason("votes", {**facts, "own": int(table.view.warden == table.me)}),)


def _guard(table: Table, action: Guard | Pass, guards: Sequence[Guard]) -> tuple[Reason, ...]:
    space, seat, odds = _likeliest(table, [one.space for one in ([action] if isinstance(action, Guard) else guards)])
    facts = {"space": space, "seat": seat, "odds": _percent(odds)}
    worth = guard_worths(table, guards)
    best = max(worth[guard] for guard in guards) if guards else worth[Pass()]
    shares = {
        "mine": _percent(worth[action]),
        "instead": _percent(worth[Pass()] if isinstance(action, Guard) else best),
    }
    return (Reason("checks" if isinstance(action, Guard) else "waits", {**facts, **shares}),)


def _likeliest(table: Table, spaces: Sequence[int]) -> tuple[int, Seat, float]:
    """Return the space, among these, on which a rival is found most likely, with the rival and the probability."""
    beliefs = {seat: table.record.beliefs[seat].odds() for seat in table.rivals}
    found = [(odds[space], space, seat) for seat, odds in beliefs.items() for space in spaces]
    odds, space, seat = max(found, default=(0.0, JAIL, table.rivals[0]))
    return space, seat, odds


def _offer(table: Table, action: Offer | Decline, offers: Sequence[Offer]) -> tuple[Reason, ...]:
    worth = offering.worths(table, offers)
    best = max((worth[offer] for offer in offers), default=worth[Decline()])
    instead = worth[Decline()] if isinstance(action, Offer) else best
    code = "offers" if isinstance(action, Offer) else "declines"
    return (Reason(code, {"mine": _percent(worth[action]), "instead": _percent(instead)}),)


def _percent(share: float) -> int:
    """Return a share or a chance in percent, at most 100: a bonus for reputation can push a share above one."""
    return min(100, round(100 * share))
