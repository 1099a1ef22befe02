"""The state of a race: what each pawn's place and tokens are worth, as a share of the win.

For two players it is read from the table of the bare race (`odds`). For more, each pair is read, and a player ahead of
all others has the larger share. A place is a position, or one sneak behind it if the pawn will have to wait for one: a
pawn sent to JAIL counts as one sneak behind JAIL.
"""

from collections.abc import Sequence
from math import exp, isqrt, sqrt

from engine.contract import Seat
from engine.games.prison_break import JAIL, PrisonBreakView, order
from engine.players.prison_break.odds import BEHIND, ROWS, TOKENS

Places = tuple[int, ...]

_TABLE = tuple(int(number) / 1000 for number in ROWS.split())
_WIDTH = isqrt(len(_TABLE) // (TOKENS + 1) ** 2)
_OUT = BEHIND + _WIDTH - 1
"""EXIT in the table."""

LAST_ROUNDS = 6
"""With this few rounds left, being ahead begins to count, rather than escaping first."""

FAR = 0.55
"""A pawn beyond this share of the way is far along."""


def foreseen(mine: int, theirs: int, my_tokens: int, their_tokens: int) -> float:
    """Return how likely the Warden of the coming round is to win; places are those of the table."""
    tokens = min(my_tokens, TOKENS) * (TOKENS + 1) + min(their_tokens, TOKENS)
    return _TABLE[(tokens * _WIDTH + mine - BEHIND) * _WIDTH + theirs - BEHIND]


class Race:
    """The race at one table, evaluated at the end of the present round."""

    def __init__(self, view: PrisonBreakView) -> None:
        self.seats = len(view.prisoners)
        self.exit = view.spaces + 1
        self.behind = JAIL - view.longest_sneak
        self.order = order(view.warden, self.seats)
        self._next = Seat((view.warden + 1) % self.seats)
        self._left = view.round_limit - view.round if view.round_limit else LAST_ROUNDS
        scale = _OUT / self.exit
        self._at = {
            place: _OUT if place == self.exit else max(BEHIND, min(round(place * scale), _OUT - 1))
            for place in range(self.behind, self.exit + 1)
        }

    def worth_a_check(self, place: int) -> bool:
        """Return whether guards would go for a pawn shown at this place; with more than two players, only if it is far
        along.
        """
        return JAIL < place < self.exit and (self.seats == 2 or place >= FAR * self.exit)

    def waiting(self, place: int) -> int:
        """Return the place of a pawn that has to wait for a sneak."""
        return place if place == self.exit else max(place - (JAIL - self.behind), self.behind)

    def moved(self, place: int, steps: int) -> int:
        """Return where an offer moves a pawn."""
        return min(place + steps, self.exit) if steps > 0 else max(place + steps, min(place, JAIL))

    def caught(self, places: Places, space: int) -> Places:
        """Return the places after guards went to this space."""
        return tuple(self.behind if place == space else place for place in places)

    def shares(self, places: Places, tokens: Sequence[int]) -> list[float]:
        """Return each seat's share of the win if the round ends like this."""
        escaped = [seat for seat in self.order if places[seat] == self.exit]
        if escaped:
            return [float(seat == escaped[0]) for seat in range(self.seats)]
        if self._left <= 0:
            best = [seat for seat, place in enumerate(places) if place == max(places)]
            return [float(seat in best) / len(best) for seat in range(self.seats)]
        if self.seats == 2:
            first = self._next
            share = self._pair(places, tokens, first, 1 - first)
            return [share, 1 - share] if first == 0 else [1 - share, share]
        threat = self._threats(tokens)
        chances = [1.0] * self.seats
        for one in range(self.seats):
            for other in range(one):
                share = self._pair(places, threat, one, other) + 1 - self._pair(places, threat, other, one)
                chances[one] *= share
                chances[other] *= 2 - share
        total = sum(chances) or 1.0
        return [chance / total for chance in chances]

    def _threats(self, tokens: Sequence[int]) -> list[int]:
        """Return each seat's own tokens and half of the others': with more than two, everyone's tokens hold back
        everyone else.
        """
        total = sum(tokens)
        return [min(TOKENS, round(own + 0.5 * (total - own) / (self.seats - 1))) for own in tokens]

    def _pair(self, places: Places, tokens: Sequence[int], first: int, other: int) -> float:
        share = foreseen(self._at[places[first]], self._at[places[other]], tokens[first], tokens[other])
        if self._left < LAST_ROUNDS:
            ahead = 1 / (1 + exp(-0.8 * (places[first] - places[other]) / sqrt(self._left)))
            part = self._left / LAST_ROUNDS
            return part * share + (1 - part) * ahead
        return share

    def guarded(self, places: Places, tokens: Sequence[int], shown: Sequence[Seat]) -> list[float]:
        """Return each seat's share before the guard checks, if the seats `shown` can be found for certain.

        With two players, each checks if that helps them. With more, a pawn that is far along is sent back by the next
        one.
        """
        held = list(tokens)
        now = places
        for hunter in self.order:
            if not held[hunter]:
                continue
            prey = [seat for seat in shown if seat != hunter and JAIL < now[seat] < self.exit]
            if not prey:
                continue
            target = max(prey, key=lambda seat: now[seat])
            after, spent = self.caught(now, now[target]), held.copy()
            spent[hunter] -= 1
            if self.seats > 2:
                if not self.worth_a_check(now[target]):
                    continue
            elif self.shares(after, spent)[hunter] <= self.shares(now, held)[hunter]:
                continue
            now, held = after, spent
        return self.shares(now, held)
