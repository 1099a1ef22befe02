"""How the master of Prison Break chooses: by its share of the win after each action, given what everybody can infer.

It infers where everyone is (`belief`) and reads the worth of a position from a table (`race`). It sneaks by a small
game of hide and seek (`sneaking`, `hiding`) that models how its rivals look for it (`hunting`), and bargains by another
(`offering`, `bargaining`). It does not simply take the best action: it mixes sneaks and votes, since a predictable
player is caught. Advice uses the plain order.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Budget
from engine.players.prison_break import offering, sneaking
from engine.players.prison_break.situation import Situation

THRIFT = 0.004
"""How much more than its token a check must be worth, in shares of a win."""


def choose(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Action:
    """Return one of the legal actions, the best one found before the budget is spent."""
    if len(legal) == 1:
        return legal[0]
    if view.seat is None or (budget.spent() and view.proposal is None):
        return _at_once(legal)
    situation = Situation(view, view.seat, rng)
    match legal[0]:
        case Sneak():
            return sneaking.sneak(situation, [action for action in legal if isinstance(action, Sneak)], budget)
        case Vote():
            return _at_once(legal) if view.proposal is None else offering.vote(situation, view.proposal)
        case Guard() | Pass():
            return _guard(situation, [action for action in legal if isinstance(action, Guard)])
        case _:
            return offering.offer(situation, [action for action in legal if isinstance(action, Offer)], budget)


def _at_once(legal: Sequence[Action]) -> Action:
    """Return what is rarely wrong: run and declare 0, reject, make no offer, keep the token."""
    for action in (Vote(False), Decline(), Pass()):
        if action in legal:
            return action
    return max(legal, key=lambda action: action.move if isinstance(action, Sneak) else 0)


def _guard(situation: Situation, guards: Sequence[Guard]) -> Action:
    """Check where it helps this seat most, if that is worth a token."""
    worth = guard_worths(situation, guards)
    best = max(guards, key=worth.__getitem__)
    return best if worth[best] > worth[Pass()] + THRIFT else Pass()


def ordered(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> list[Action]:
    """Return the legal actions of an awaited seat, the best first."""
    worth = _worths(view, legal, rng) if legal else {}
    return sorted(legal, key=lambda action: -worth[action])


def guard_worths(situation: Situation, guards: Sequence[Guard]) -> dict[Action, float]:
    """Return what each guard check is worth, and what keeping the token is worth."""
    race, worlds, me = situation.race, situation.worlds(), situation.me
    spent = [tokens - (seat == me) for seat, tokens in enumerate(situation.tokens)]
    keep = situation.mean(worlds, lambda places: race.shares(places, situation.tokens))[me]
    missed = [race.shares(places, spent)[me] for _, places in worlds]

    def worth(guard: Guard) -> float:
        return sum(
            odds * (race.shares(race.caught(places, guard.space), spent)[me] if guard.space in places else miss)
            for (odds, places), miss in zip(worlds, missed, strict=True)
        )

    return {**{guard: worth(guard) for guard in guards}, Pass(): keep}


def _worths(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> dict[Action, float]:
    assert view.seat is not None
    situation = Situation(view, view.seat, rng)
    match legal[0]:
        case Sneak():
            sneaks = [action for action in legal if isinstance(action, Sneak)]
            return dict(zip(sneaks, sneaking.worths(situation, sneaks), strict=True))
        case Vote():
            assert view.proposal is not None
            gain = offering.gain(situation, view.proposal)
            return {Vote(True): gain, Vote(False): 0.0}
        case Offer() | Decline():
            offers = [action for action in legal if isinstance(action, Offer)]
            return offering.worths(situation, offers)
        case _:
            return guard_worths(situation, [action for action in legal if isinstance(action, Guard)])
