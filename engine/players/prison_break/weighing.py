"""What each action of Prison Break is worth to a seat, as its share of the win, given what everybody can infer.

The master does not simply take the best action: it mixes sneaks and votes, since a predictable player is caught. Advice
uses the plain order.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players.prison_break import offering, sneaking
from engine.players.prison_break.table import Table


def ordered(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> list[Action]:
    """Return the legal actions of an awaited seat, the best first."""
    worth = _worths(view, legal, rng) if legal else {}
    return sorted(legal, key=lambda action: -worth[action])


def guard_worths(table: Table, guards: Sequence[Guard]) -> dict[Action, float]:
    """Return what each guard check is worth, and what keeping the token is worth."""
    race, worlds, me = table.race, table.worlds(), table.me
    spent = [tokens - (seat == me) for seat, tokens in enumerate(table.tokens)]
    keep = table.mean(worlds, lambda places: race.shares(places, table.tokens))[me]
    missed = [race.shares(places, spent)[me] for _, places in worlds]

    def worth(guard: Guard) -> float:
        return sum(
            odds * (race.shares(race.caught(places, guard.space), spent)[me] if guard.space in places else miss)
            for (odds, places), miss in zip(worlds, missed, strict=True)
        )

    return {**{guard: worth(guard) for guard in guards}, Pass(): keep}


def _worths(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> dict[Action, float]:
    assert view.seat is not None
    table = Table(view, view.seat, rng)
    match legal[0]:
        case Sneak():
            sneaks = [action for action in legal if isinstance(action, Sneak)]
            return dict(zip(sneaks, sneaking.worths(table, sneaks), strict=True))
        case Vote():
            assert view.proposal is not None
            gain = offering.gain(table, view.proposal)
            return {Vote(True): gain, Vote(False): 0.0}
        case Offer() | Decline():
            offers = [action for action in legal if isinstance(action, Offer)]
            return offering.worths(table, offers)
        case _:
            return guard_worths(table, [action for action in legal if isinstance(action, Guard)])
