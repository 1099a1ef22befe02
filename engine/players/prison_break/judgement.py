"""How the warden of Prison Break chooses: it weighs each action by what it would make of the race.

All values are shares of a win: about how likely a pawn on a position is to be the first on EXIT and stay there. What is
good for another is bad for this seat. May import `engine` only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random

from engine.contract import Action, Seat
from engine.games.prison_break import (
    JAIL,
    Decline,
    Guard,
    Kind,
    Offer,
    Pass,
    Position,
    PrisonBreakView,
    Sneak,
    Vote,
    VotesShown,
    effects_of,
    terms_of,
)
from engine.players import Budget
from engine.players.prison_break.belief import Odds, beliefs


@dataclass(frozen=True)
class Temper:
    """The numbers that the warden's judgement rests on, found by letting tempers play each other."""

    patience: float = 0.74  # what a pawn is still worth when it needs one round more
    token: float = 0.2  # what a guard token in hand is worth
    caught_when_seen: float = 0.8  # how surely guards come for a pawn that everyone sees
    guessing: float = 0.9  # how well guards guess: their odds of a position, times this
    coolness: float = 0.006  # the lower, the more surely the best sneak is made, and the better it can be foreseen
    accept: float = 0.4  # how often others accept before one has seen them vote
    out: float = 1.3  # what a pawn on EXIT is worth: above 1, for the others have then lost, too
    rivalry: float = 0.7  # how much of another's gain is this seat's loss: all for 0, its share for 1
    eagerness: float = 0.01  # an offer must be worth more than that


TEMPER = Temper()


def choose(
    view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random, temper: Temper = TEMPER
) -> Action:
    """Return one of the legal actions, the best one found before the budget is spent."""
    if len(legal) == 1:
        return legal[0]
    if budget.spent() or view.seat is None:
        return _at_once(legal)
    mind = Mind(view, view.seat, temper)
    match legal[0]:
        case Sneak():
            return mind.sneak([action for action in legal if isinstance(action, Sneak)], rng)
        case Vote():
            return mind.vote(legal)
        case Guard() | Pass():
            return mind.guard([action for action in legal if isinstance(action, Guard)])
        case _:
            return mind.offer([action for action in legal if isinstance(action, Offer)], budget, rng)


def _at_once(legal: Sequence[Action]) -> Action:
    """Return what is seldom wrong: run and say nothing, reject, make no offer, keep the token."""
    for action in (Vote(False), Decline(), Pass()):
        if action in legal:
            return action
    return max(legal, key=lambda action: action.move if isinstance(action, Sneak) else 0)


class Mind:
    """One decision: what the reader of this view knows and what it makes of it."""

    def __init__(self, view: PrisonBreakView, me: Seat, temper: Temper) -> None:
        self._view = view
        self._me = me
        self._temper = temper
        self._exit = view.spaces + 1
        self._rounds_left = view.round_limit - view.round
        self._seats = [Seat(seat) for seat in range(len(view.prisoners))]
        self._others = [seat for seat in self._seats if seat != me]
        own = view.positions[me]
        self._own: Position = JAIL if own is None else own
        self._told = beliefs(view)
        self._me_as_seen = self._told[me].odds()
        self._odds: list[Odds] = [belief.odds() for belief in self._told]
        self._odds[me] = [float(position == self._own) for position in range(self._exit + 1)]
        self._worth = [self._worth_at(position) for position in range(self._exit + 1)]
        self._jailed = self._worth[JAIL] * temper.patience

    # ------------------------------------------------------------------------------------------------------ the race

    def _worth_at(self, position: Position) -> float:
        """What a pawn there is worth when this round has ended: less for every round that it still needs."""
        if position == self._exit:
            return self._temper.out
        longest = self._view.longest_sneak
        way = self._exit - position
        rounds = -(-way // longest)
        if rounds > self._rounds_left:  # only who is furthest counts any more
            return 0.5 * position / self._exit
        steady = way / longest
        patience = self._temper.patience
        # Whole rounds count, but so does every space on the way to the next one.
        return float(0.6 * patience**rounds + 0.4 * patience ** max(1.0, steady))

    def _share(self, seat: Seat) -> float:
        """How a change of this seat's worth counts for this one."""
        return 1.0 if seat == self._me else -1.0 / len(self._others) ** self._temper.rivalry

    def _mean(self, odds: Odds, steps: int = 0) -> float:
        return sum(
            odd * self._worth[min(max(position + steps, JAIL), self._exit)] for position, odd in enumerate(odds) if odd
        )

    def _loss(self, position: Position) -> float:
        """What guards take from a pawn there."""
        return self._worth[position] - self._jailed if JAIL < position < self._exit else 0.0

    def _token(self) -> float:
        return self._temper.token if self._rounds_left else 0.0

    def _hunters(self, prey: Seat) -> int:
        return sum(self._view.prisoners[seat].tokens > 0 for seat in self._seats if seat != prey)

    # ----------------------------------------------------------------------------------------------------- sneaking

    def sneak(self, sneaks: Sequence[Sneak], rng: Random) -> Sneak:
        """Run where guards are least awaited; say anything, so that words tell nothing."""
        declare = rng.randrange(self._view.longest_sneak + 1)
        self._told[self._me].sneaked(declare)
        told = self._told[self._me].odds()  # where others will think this pawn is
        values = {sneak.move: self._after_sneak(sneak.move, told) for sneak in sneaks}
        best = max(values.values())
        moves = list(values)
        heat = self._temper.coolness
        move = rng.choices(moves, [exp((values[move] - best) / heat) for move in moves])[0]
        return next((sneak for sneak in sneaks if sneak == Sneak(declare, move)), sneaks[-1])

    def _after_sneak(self, move: int, told: Odds) -> float:
        position = min(self._own + move, self._exit)
        hunters = self._hunters(self._me)
        if not hunters:
            return self._worth[position]
        lit = len(self._view.lights) / 6
        fear = self._loss(position) / max(self._loss(self._view.spaces), 1e-9)
        seen = self._temper.caught_when_seen * min(1.0, 2 * fear)
        guessed = min(0.9, self._temper.guessing * told[position] * fear * sqrt(hunters))
        return self._worth[position] - (lit * seen + (1 - lit) * guessed) * self._loss(position)

    # -------------------------------------------------------------------------------------------------------- guards

    def guard(self, guards: Sequence[Guard]) -> Action:
        """Check where it hurts the others most, if that is worth a token."""
        best = max(guards, key=lambda guard: self._catch(guard.space))
        return best if self._catch(best.space) > self._token() else Pass()

    def _catch(self, space: Position) -> float:
        return -self._loss(space) * sum(self._share(seat) * self._odds[seat][space] for seat in self._seats)

    # -------------------------------------------------------------------------------------------------------- offers

    def offer(self, offers: Sequence[Offer], budget: Budget, rng: Random) -> Action:
        """Make the offer from which most is to be had, if it is anything."""
        best: tuple[float, Action] = (self._temper.eagerness, Decline())
        for offer in sorted(offers, key=lambda _: rng.random()):
            if budget.spent():
                break
            kind = self._view.row[offer.card].kind
            best = max(
                best, (self._prospect(kind, Seat(offer.first), Seat(offer.second)), offer), key=lambda found: found[0]
            )
        return best[1]

    def vote(self, legal: Sequence[Action]) -> Action:
        """Accept if that is better against what the other may do."""
        proposal = self._view.proposal
        if proposal is None:
            return _at_once(legal)
        first = proposal.first == self._me
        other = self._accepts(proposal.second if first else proposal.first)

        def prospect(accept: bool) -> float:
            mine = float(accept)
            return self._expected(
                proposal.kind, proposal.first, proposal.second, *((mine, other) if first else (other, mine))
            )

        return Vote(prospect(True) > prospect(False))

    def _prospect(self, kind: Kind, first: Seat, second: Seat) -> float:
        """What an offer promises: this seat's vote is its best one, others vote as they are used to."""
        mine = {self._me: (0.0, 1.0)}
        return max(
            self._expected(kind, first, second, one, two)
            for one in mine.get(first, (self._accepts(first),))
            for two in mine.get(second, (self._accepts(second),))
        )

    def _accepts(self, seat: Seat) -> float:
        """How likely this seat is to accept, from all its votes so far."""
        votes = [
            accept
            for entry in self._view.log
            if isinstance(entry, VotesShown)
            for voter, accept in zip((entry.first, entry.second), entry.accepts, strict=True)
            if voter == seat
        ]
        return (3 * self._temper.accept + sum(votes)) / (3 + len(votes))

    def _expected(self, kind: Kind, first: Seat, second: Seat, one: float, two: float) -> float:
        """The change of this seat's prospects if the two accept with these odds."""
        return sum(
            odds * self._change(kind, first, second, accepts)
            for accepts, odds in (
                ((True, True), one * two),
                ((True, False), one * (1 - two)),
                ((False, True), (1 - one) * two),
                ((False, False), (1 - one) * (1 - two)),
            )
            if odds
        )

    def _change(self, kind: Kind, first: Seat, second: Seat, accepts: tuple[bool, bool]) -> float:
        view = self._view
        effects = effects_of(terms_of(kind, view.terms), len(self._seats), first, second, accepts)
        total = 0.0
        for seat in self._seats:
            odds, prisoner = self._odds[seat], view.prisoners[seat]
            now = self._mean(odds)
            steps = effects.steps[seat]
            if steps > 0 and prisoner.held_round == view.round:
                steps = 0
            gain = self._mean(odds, steps) - now if steps else 0.0
            gain += (max(0, prisoner.tokens + effects.tokens[seat]) - prisoner.tokens) * self._token()
            if seat in effects.held or effects.no_sneak:
                gain -= (now - odds[self._exit] * self._worth[self._exit]) * (1 - self._temper.patience)
            if seat in effects.shown and self._hunters(seat):
                gain -= self._temper.caught_when_seen * (self._danger(odds) - self._guessed(seat))
            if effects.no_guards and self._hunters(seat):
                gain += self._guessed(seat)
            total += self._share(seat) * gain
        return total

    def _danger(self, odds: Odds) -> float:
        """What a pawn loses if everyone sees it and guards come."""
        return sum(odd * self._loss(position) for position, odd in enumerate(odds))

    def _guessed(self, seat: Seat) -> float:
        """What a pawn loses to guards who have to guess as the table can."""
        odds = self._me_as_seen if seat == self._me else self._odds[seat]
        best = max(range(self._exit + 1), key=lambda position: odds[position] * self._loss(position))
        worth = odds[best] * self._loss(best)
        if seat == self._me:
            return self._loss(best) if best == self._own and worth > self._token() else 0.0
        return worth if worth > self._token() else 0.0
