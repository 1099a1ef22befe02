"""How the master of Prison Break offers and votes: by everyone's share of the win after each pair of votes.

There are two kinds of own offers. Usually the master accepts its offer itself: of two players the one who rejects comes
out ahead, so it takes a small risk, and a larger one with players who usually accept. Otherwise it is a threat, which
it rejects, from a position with little to lose: if both reject, the other loses far more. In games for two against a
player who always runs and rejects, it wins 72 of 100 without threats and 90 with them.
"""

from collections.abc import Sequence
from math import exp

from engine.contract import Action, Seat
from engine.games.prison_break import Decline, Effects, Kind, Offer, Proposal, Vote, effects_of, terms_of
from engine.players import Budget
from engine.players.prison_break.bargaining import Bargain, Square, Voters, agreed
from engine.players.prison_break.race import Places
from engine.players.prison_break.situation import Situation, World

EAGERNESS = 0.004
"""How much more than none an offer must be worth, in shares of a win."""
RISKED = 0.06
"""With two players, how much less than none an own offer may be worth if the other accepts everything; otherwise far
less.
"""
EITHER = 0.5
"""The prior of a player's habit of accepting."""
THREAT = 0.12
"""How much more than none a threat must be worth."""
SHY = 0.01
"""How much better a vote must be than the other to be cast more certainly."""

Results = dict[tuple[bool, bool], list[float]]
"""Everyone's share after each pair of votes."""


def offer(situation: Situation, offers: Sequence[Offer], budget: Budget) -> Action:
    """Return the best offer, or `Decline` if none is worth making."""
    worlds, voters = situation.worlds(), Voters(situation.view)
    best: tuple[float, Action] = (_no_offer(situation, worlds) + EAGERNESS, Decline())
    for one in sorted(offers, key=lambda _: situation.rng.random()):
        if budget.spent():
            break
        worth = _worth(situation, worlds, voters, one)
        if worth > best[0]:
            best = (worth, one)
    return best[1]


def worths(situation: Situation, offers: Sequence[Offer]) -> dict[Action, float]:
    """Return what each offer is worth, and what making none is worth."""
    worlds, voters = situation.worlds(), Voters(situation.view)
    return {**{one: _worth(situation, worlds, voters, one) for one in offers}, Decline(): _no_offer(situation, worlds)}


def _no_offer(situation: Situation, worlds: Sequence[World]) -> float:
    return situation.mean(worlds, lambda places: situation.race.guarded(places, situation.tokens, situation.seen))[
        situation.me
    ]


def _worth(situation: Situation, worlds: Sequence[World], voters: Voters, one: Offer) -> float:
    kind, first, second = situation.view.row[one.card].kind, Seat(one.first), Seat(one.second)
    results = _results(situation, worlds, kind, first, second)
    if situation.me in (first, second):
        mine = first == situation.me
        return max(_own_offer(situation, results, voters, kind, second if mine else first, mine))
    wise = agreed(_square(results, first, True), _square(results, second, False))
    votes = Bargain(voters.accepts(first, kind, wise.mine), voters.accepts(second, kind, wise.theirs))
    return _expected(situation, results, votes, True)


def _own_offer(
    situation: Situation, results: Results, voters: Voters, kind: Kind, other: Seat, first: bool
) -> tuple[float, float]:
    """Return what an offer to this seat and another is worth if this seat accepts it, and as a threat."""
    theirs = _planned(situation, results, voters, kind, other, first).theirs
    kept = _expected(situation, results, Bargain(1.0, theirs), first)
    if len(situation.rivals) == 1:
        kept += RISKED * voters.accepts(other, kind, EITHER) ** 2
    return kept, results[False, False][situation.me] - THREAT


def vote(situation: Situation, proposal: Proposal) -> Vote:
    """Accept as often as is wise, and more often the better it is given how the other usually votes.

    An own offer is always accepted, unless it was a threat.
    """
    first = proposal.first == situation.me
    other = proposal.second if first else proposal.first
    results = _results(situation, situation.worlds(), proposal.kind, proposal.first, proposal.second)
    voters = Voters(situation.view)
    if situation.view.warden == situation.me:
        kept, threat = _own_offer(situation, results, voters, proposal.kind, other, first)
        return Vote(kept >= threat)
    plan = _planned(situation, results, voters, proposal.kind, other, first)
    return Vote(situation.rng.random() < plan.mine)


def gain(situation: Situation, proposal: Proposal) -> float:
    """Return how much better accepting is than rejecting, given how the other is expected to vote."""
    square, accepts = vote_values(situation, proposal)
    return _gain(square, accepts)


def vote_values(situation: Situation, proposal: Proposal) -> tuple[Square, float]:
    """Return what the votes on a proposal are worth to this seat, own vote first, and how likely the other accepts."""
    first = proposal.first == situation.me
    other = proposal.second if first else proposal.first
    results = _results(situation, situation.worlds(), proposal.kind, proposal.first, proposal.second)
    accepts = _planned(situation, results, Voters(situation.view), proposal.kind, other, first).theirs
    return _square(results, situation.me, first), accepts


def _gain(mine: Square, accepts: float) -> float:
    return accepts * (mine[0][0] - mine[1][0]) + (1 - accepts) * (mine[0][1] - mine[1][1])


def _results(situation: Situation, worlds: Sequence[World], kind: Kind, first: Seat, second: Seat) -> Results:
    terms = terms_of(kind, situation.view.terms)
    results: Results = {}
    for votes in ((True, True), (True, False), (False, True), (False, False)):
        effects = effects_of(terms, len(situation.seats), first, second, votes)
        results[votes] = _after(situation, worlds, effects)
    return results


def _after(situation: Situation, worlds: Sequence[World], effects: Effects) -> list[float]:
    """Return everyone's share after an offer took effect, and the guard checks that follow."""
    race = situation.race
    steps = [
        0 if step > 0 and situation.held(seat) else step
        for seat, step in zip(situation.seats, effects.steps, strict=True)
    ]
    tokens = [max(0, held + change) for held, change in zip(situation.tokens, effects.tokens, strict=True)]
    waiting = situation.seats if effects.no_sneak else effects.held
    shown = sorted({*situation.seen, *effects.shown})

    def shares(places: Places) -> list[float]:
        moved = [race.moved(place, step) for place, step in zip(places, steps, strict=True)]
        after = tuple(race.waiting(place) if seat in waiting else place for seat, place in enumerate(moved))
        return race.shares(after, tokens) if effects.no_guards else race.guarded(after, tokens, shown)

    return situation.mean(worlds, shares)


def _planned(situation: Situation, results: Results, voters: Voters, kind: Kind, other: Seat, first: bool) -> Bargain:
    """Return how this seat will vote, and how the other is expected to."""
    mine, theirs = _square(results, situation.me, first), _square(results, other, not first)
    wise = agreed(mine, theirs)
    accepts = voters.accepts(other, kind, wise.theirs)
    better = _gain(mine, accepts)
    sure = 1 / (1 + exp(-max(-50.0, min(50.0, better / SHY))))
    weight = max(voters.weight(other, kind), min(1.0, abs(better) / (4 * SHY)))
    return Bargain((1 - weight) * wise.mine + weight * sure, accepts)


def _expected(situation: Situation, results: Results, votes: Bargain, first: bool) -> float:
    one, other = (votes.mine, votes.theirs) if first else (votes.theirs, votes.mine)
    return sum(
        (one if accepts[0] else 1 - one) * (other if accepts[1] else 1 - other) * shares[situation.me]
        for accepts, shares in results.items()
    )


def _square(results: Results, seat: Seat, first: bool) -> Square:
    """Return what the votes are worth to this seat: its own vote first, accept before reject."""

    def share(mine: bool, theirs: bool) -> float:
        return results[(mine, theirs) if first else (theirs, mine)][seat]

    return (share(True, True), share(True, False)), (share(False, True), share(False, False))
