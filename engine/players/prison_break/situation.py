"""What the master of Prison Break knows at a decision: its view, where everyone may be, and what that is worth."""

from collections.abc import Callable, Sequence
from random import Random

from engine.contract import Seat
from engine.games.prison_break import JAIL, Position, PrisonBreakView
from engine.players.prison_break.belief import Odds, Record
from engine.players.prison_break.race import Places, Race

WORLDS = 8
"""How many random samples of everyone's positions are used, where there are too many to enumerate."""
UNLIKELY = 1e-3
"""Positions less likely than this are ignored."""

World = tuple[float, Places]
"""A possible combination of everyone's places in the race, with its probability."""


class Situation:
    """What the seat `me` knows at one decision. Its own position is `own`; `tokens` are by seat.

    `seen` are the seats whose positions everybody has seen in this round.
    """

    def __init__(self, view: PrisonBreakView, me: Seat, rng: Random) -> None:
        self.view = view
        self.me = me
        self.rng = rng
        self.race = Race(view)
        self.exit = view.spaces + 1
        self.seats = [Seat(seat) for seat in range(len(view.prisoners))]
        self.rivals = [seat for seat in self.seats if seat != me]
        own = view.positions[me]
        self.own: Position = JAIL if own is None else own
        self.record = Record(view)
        self.tokens = [prisoner.tokens for prisoner in view.prisoners]
        self.seen = [seat for seat in self.seats if view.prisoners[seat].seen_round == view.round]

    def worlds(self) -> list[World]:
        """Return possible combinations of everyone's places, with this seat's own place; the probabilities add up to
        one.
        """
        odds: list[Odds] = [belief.odds() for belief in self.record.beliefs]
        if len(self.rivals) == 1:
            (rival,) = self.rivals
            likely = [(odd, place) for place, odd in enumerate(odds[rival]) if odd > UNLIKELY]
            total = sum(odd for odd, _ in likely)
            pairs = [(odd / total, (self.own, place)) for odd, place in likely]
            return [(odd, self._at_rest(places if self.me == 0 else places[::-1])) for odd, places in pairs]
        drawn = {seat: self.rng.choices(range(self.exit + 1), odds[seat], k=WORLDS) for seat in self.rivals}
        drawn[self.me] = [self.own] * WORLDS
        return [
            (1 / WORLDS, self._at_rest(places)) for places in zip(*(drawn[seat] for seat in self.seats), strict=True)
        ]

    def _at_rest(self, places: Sequence[Position]) -> Places:
        """Return positions as places: pawns that guards sent to JAIL and that have not skipped a sneak yet count as
        behind it.
        """
        return tuple(
            self.race.behind if one.skips and place == JAIL else place
            for one, place in zip(self.view.prisoners, places, strict=True)
        )

    def put(self, places: Places, place: int) -> Places:
        """Return the places with this seat's pawn elsewhere."""
        return (*places[: self.me], place, *places[self.me + 1 :])

    def held(self, seat: Seat) -> bool:
        """Return True if a seat may not move in this round."""
        return self.view.prisoners[seat].held_round == self.view.round

    def mean(self, worlds: Sequence[World], shares: Callable[[Places], list[float]]) -> list[float]:
        """Return each seat's average share over these worlds."""
        total = [0.0] * len(self.seats)
        for odds, places in worlds:
            for seat, share in enumerate(shares(places)):
                total[seat] += odds * share
        return total
