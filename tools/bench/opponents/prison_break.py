"""Prison Break's opponents: a runner, a hunter of runners, an honest player, and a flat Monte Carlo search.

They know the rules from the rule book, and the table from their view.
"""

from collections.abc import Callable, Sequence
from random import Random

from engine.contract import Action, Seat
from engine.games.prison_break import (
    Declares,
    Decline,
    Guard,
    LightsThrown,
    Offer,
    Pass,
    PrisonBreakView,
    RoundStarts,
    Sneak,
    Vote,
    VotesShown,
    effects_of,
    terms_of,
)
from engine.players import Budget, Intent, Player, ready


def runner(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Always run as far as allowed, declare anything, reject every offer, and check pawns seen far along."""
    return _intent(view, legal, rng, _longest, lambda: _seen(view, legal, 5), accepts=False, offers=0.0)


def hunter(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Assume that everyone has run as far as possible in each turn, and check there from half-way on."""

    def check() -> Action:
        guesses = [_guess(view, seat) for seat in range(len(view.prisoners)) if seat != view.seat]
        return _at(view, legal, max(guesses), 5)

    return _intent(view, legal, rng, _any_step, check, accepts=False, offers=0.0)


def honest(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Declare the truth and move 1 or 2, accept every offer, make one every other time, and believe declarations."""

    def sneak(sneaks: Sequence[Sneak], draws: Random) -> Sneak:
        true = [one for one in sneaks if one.declare == one.move]
        return draws.choice([one for one in true if one.move > 0] or true)

    def check() -> Action:
        told = [one.seen + one.declared + one.printed for seat, one in enumerate(view.prisoners) if seat != view.seat]
        return _at(view, legal, max((space for space in told if space <= view.spaces), default=0), 6)

    return _intent(view, legal, rng, sneak, check, accepts=True, offers=0.5)


def sampler(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play out each choice at random from possible positions, and take the one that wins most often."""
    if not legal or view.seat is None:
        return None
    if (waits := ready(legal)) is not None:
        return waits
    choices = [one for one in legal if not isinstance(one, Sneak) or one.declare == legal[-1].declare]  # type: ignore[attr-defined]  # of sneaks
    if isinstance(legal[0], Sneak):
        word = rng.randrange(view.longest_sneak + 1)
        choices = [one for one in legal if isinstance(one, Sneak) and one.declare == word]
    won = [0.0] * len(choices)
    for _ in range(PLAYOUTS):
        start = _Track(view, rng)
        luck = rng.random()
        for number, choice in enumerate(choices):
            won[number] += start.copy().after(choice, Random(luck))
        if budget.spent():
            break
    best = max(range(len(choices)), key=lambda number: won[number])
    return Intent(choices[best], 1_000)


OPPONENTS: dict[str, Player] = {"runner": runner, "hunter": hunter, "honest": honest, "sampler": sampler}

PLAYOUTS = 24
"""Guesses at all positions, each played out once for every choice."""


# --------------------------------------------------------------------------------------------------- fixed habits


def _intent(
    view: PrisonBreakView,
    legal: Sequence[Action],
    rng: Random,
    sneak: Callable[[Sequence[Sneak], Random], Sneak],
    check: Callable[[], Action],
    *,
    accepts: bool,
    offers: float,
) -> Intent | None:
    if not legal:
        return None
    if (waits := ready(legal)) is not None:
        return waits
    action: Action
    match legal[0]:
        case Sneak():
            action = sneak([one for one in legal if isinstance(one, Sneak)], rng)
        case Vote():
            action = Vote(accepts)
        case Guard() | Pass():
            action = check()
        case _:
            own = [one for one in legal if isinstance(one, Offer) and view.seat in (one.first, one.second)]
            action = rng.choice(own) if own and rng.random() < offers else Decline()
    return Intent(action, 1_000)


def _longest(sneaks: Sequence[Sneak], rng: Random) -> Sneak:
    most = max(one.move for one in sneaks)
    return rng.choice([one for one in sneaks if one.move == most])


def _any_step(sneaks: Sequence[Sneak], rng: Random) -> Sneak:
    return rng.choice([one for one in sneaks if one.move > 0] or sneaks)


def _at(view: PrisonBreakView, legal: Sequence[Action], space: int, least: int) -> Action:
    """Check this space, if it is far enough along and not the player's own."""
    mine = None if view.seat is None else view.positions[view.seat]
    return Guard(space) if space >= least and space != mine and Guard(space) in legal else Pass()


def _seen(view: PrisonBreakView, legal: Sequence[Action], least: int) -> Action:
    seen = [
        one.seen + one.printed
        for seat, one in enumerate(view.prisoners)
        if seat != view.seat and one.seen_round == view.round
    ]
    return _at(view, legal, max(seen, default=0), least)


def _guess(view: PrisonBreakView, seat: int) -> int:
    """Return the position of a pawn that has run as far as possible since it was seen, or 0 if that is too far."""
    space = _walked(view, seat, lambda: view.longest_sneak)
    return space if space <= view.spaces else 0


def _walked(view: PrisonBreakView, seat: int, sneaks: Callable[[], int]) -> int:
    """Return the position of a pawn that has moved `sneaks` in each turn since it was seen."""
    space, top = 0, view.spaces + 1
    for entry in view.log:
        match entry:
            case Declares(seat=mover) if mover == seat:
                space = min(space + sneaks(), top)
            case LightsThrown(positions=tuple(positions)):
                space = positions[seat]
            case VotesShown():
                space = min(max(space + entry.effects.steps[seat], 0), top)
                shown = entry.positions[seat]
                space = space if shown is None else shown
            case RoundStarts() if space == top:
                space = view.spaces  # on EXIT they would have won
            case _ if seat in getattr(entry, "caught", ()):
                space = 0
    return space


# ------------------------------------------------------------------------------------------------ flat Monte Carlo


class _Track:
    """A guess at the whole table: random possible positions, and the actual tokens."""

    def __init__(self, view: PrisonBreakView, rng: Random) -> None:
        self.view = view
        self.top = view.spaces + 1
        self.me = int(view.seat or 0)
        self.at = [self._drawn(seat, rng) for seat in range(len(view.prisoners))]
        self.tokens = [one.tokens for one in view.prisoners]
        self.still = {seat for seat, one in enumerate(view.prisoners) if one.skips}
        self.held = {seat for seat, one in enumerate(view.prisoners) if one.held_round > view.round}

    def _drawn(self, seat: int, rng: Random) -> int:
        own = self.view.positions[seat]
        if own is not None:
            return own
        return min(_walked(self.view, seat, lambda: rng.randrange(self.view.longest_sneak + 1)), self.view.spaces)

    def copy(self) -> "_Track":
        """Return a copy of the guess to play out."""
        other = object.__new__(_Track)
        other.view, other.top, other.me = self.view, self.top, self.me
        other.at, other.tokens = list(self.at), list(self.tokens)
        other.still, other.held = set(self.still), set(self.held)
        return other

    def after(self, choice: Action, rng: Random) -> float:
        """Make the choice and play on at random; return this seat's share of the win."""
        lit = False
        match choice:
            case Sneak(move=move):
                self._step(self.me, move)
                lit = rng.random() < len(self.view.lights) / 6
            case Vote(accept=accept):
                proposal = self.view.proposal
                assert proposal is not None
                other = rng.random() < 0.5
                mine_first = proposal.first == self.me
                self._settle(
                    proposal.kind, proposal.first, proposal.second, (accept, other) if mine_first else (other, accept)
                )
            case Offer(card=card, first=first, second=second):
                votes = (rng.random() < 0.5, rng.random() < 0.5)
                self._settle(self.view.row[card].kind, Seat(first), Seat(second), votes)
            case Guard(space=space):
                self._check(self.me, space)
            case _:
                pass
        if not isinstance(choice, Guard | Pass):
            self._guards(lit, rng)
        for number in range(self.view.round, (self.view.round_limit or self.view.round + 60) + 1):
            if number > self.view.round:
                self._round(number, rng)
            escaped = [seat for seat, space in enumerate(self.at) if space == self.top]
            if escaped:
                return float(self.me in escaped) / len(escaped)
        best = [seat for seat, space in enumerate(self.at) if space == max(self.at)]
        return float(self.me in best) / len(best)

    def _round(self, number: int, rng: Random) -> None:
        if number > self.view.round + 1 or self.view.no_sneak_round != number:
            for seat in range(len(self.at)):
                if seat not in self.still and seat not in self.held:
                    self._step(seat, rng.randrange(self.view.longest_sneak + 1))
            self.still = set()
        self.held = set()
        self._guards(rng.random() < len(self.view.lights) / 6, rng)

    def _step(self, seat: int, steps: int) -> None:
        self.at[seat] = min(max(self.at[seat] + steps, 0), self.top)

    def _settle(self, kind: str, first: Seat, second: Seat, votes: tuple[bool, bool]) -> None:
        terms = terms_of(kind, self.view.terms)  # type: ignore[arg-type]  # a word that the view had
        effects = effects_of(terms, len(self.at), first, second, votes)
        for seat, steps in enumerate(effects.steps):
            self._step(seat, steps)
            self.tokens[seat] = max(0, self.tokens[seat] + effects.tokens[seat])
        self.held |= set(effects.held)

    def _check(self, seat: int, space: int) -> None:
        self.tokens[seat] -= 1
        for other, at in enumerate(self.at):
            if at == space:
                self.at[other] = 0
                self.still.add(other)

    def _guards(self, lit: bool, rng: Random) -> None:
        for seat in range(len(self.at)):
            others = [space for other, space in enumerate(self.at) if other != seat and 0 < space < self.top]
            if self.tokens[seat] and others:
                if lit and max(others) >= self.top / 2:
                    self._check(seat, max(others))
                elif rng.random() < 0.15:
                    self._check(seat, rng.randint(1, self.view.spaces))
