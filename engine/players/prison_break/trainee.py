"""How the trainee of Prison Break chooses: at random, with a little sense."""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote

HONESTY = 0.5
OFFERS = 0.5
CHECK_IF_SEEN = 0.6
CHECK_IF_CLAIMED = 0.15


def choose(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions: usually forward, often honest, guards where a pawn was seen."""
    match legal[0]:
        case Sneak():
            return _sneak([action for action in legal if isinstance(action, Sneak)], rng)
        case Vote():
            return rng.choice(legal)
        case Guard() | Pass():
            return _guard(view, legal, rng)
        case _:
            mine = [offer for offer in legal if isinstance(offer, Offer) and view.seat in (offer.first, offer.second)]
            return rng.choice(mine) if mine and rng.random() < OFFERS else Decline()


def _sneak(sneaks: Sequence[Sneak], rng: Random) -> Sneak:
    most = max(sneak.move for sneak in sneaks)
    (move,) = rng.choices(range(most + 1), range(1, most + 2))
    if rng.random() < HONESTY:
        return Sneak(move, move)
    return rng.choice([sneak for sneak in sneaks if sneak.move == move])


def _guard(view: PrisonBreakView, legal: Sequence[Action], rng: Random) -> Action:
    """Check where a pawn was seen in this round, or now and then where the declarations put them."""
    others = [one for seat, one in enumerate(view.prisoners) if seat != view.seat]
    sure = [Guard(one.seen) for one in others if one.seen_round == view.round and one.seen > view.spaces // 3]
    claimed = [Guard(one.led) for one in others]
    for guards, chance in ((sure, CHECK_IF_SEEN), (claimed, CHECK_IF_CLAIMED)):
        possible = [guard for guard in guards if guard in legal and guard.space not in view.positions]
        if possible and rng.random() < chance:
            return rng.choice(possible)
    return Pass()
