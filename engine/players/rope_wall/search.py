"""The master's search through the pushes of a round: iterative alpha-beta, one push deeper at a time, within a budget.

Values are points for the seat to push.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.rope_wall import ChooseExits, Push, RopeWallView
from engine.players import Budget
from engine.players.rope_wall.board import Finish, Knots, Place, Position, Round, place_of, push_into
from engine.players.rope_wall.evaluation import TEMPO, Heuristic, exit_merit

WON = 1_000_000
"""The value of a won round; values from here on are certain. Each push left adds a point: winning sooner is better."""

TWICE = 10_000
"""The bonus for the second of two prisoners freed at once."""

CONTEMPT = 50
"""The penalty for the searching side if a position repeats or the round is cancelled, in points. Two equal players who
both avoid it take more risks, so that most of their rounds are decided.
"""

PROGRESS = 10
"""The value for the searching side of one more knot on the wall, in points, for either owner. Most rounds that fill the
wall are decided, unlike those that shift the same full floor back and forth.
"""

OPENING = 4
"""The choice is varied until this many knots are on the wall."""

VARIETY = 80
"""In the opening, any push may be chosen that is at most this many points worse than the best. Always taking the best
leads equal players into the same locked wall; this early, variety hardly costs strength.
"""

DEEPEST = 60

EXACT, AT_LEAST, AT_MOST = range(3)


def choose(view: RopeWallView, legal: Sequence[Action], budget: Budget, rng: Random) -> Action:
    """Return one of the legal actions: a link if there is one, else the best push found within the budget.

    Of several links, and of several exits after one, it takes the one that frees most and is best for later rounds.
    """
    pushes = [action for action in legal if isinstance(action, Push)]
    if not pushes:
        return max(legal, key=lambda action: exit_merit(view.exits, _columns(action)))
    game = Round(view)
    position = game.position(view)
    links = {push: ends for push in pushes if (ends := _own_link(game.play(position, place_of(push)), position[1]))}
    if links:
        return max(links, key=lambda push: max(exit_merit(view.exits, columns) for columns in links[push]))
    best = Search(game, budget).best(position, [place_of(push) for push in pushes], rng)
    return push_into(best)


def _columns(action: Action) -> tuple[int, ...]:
    return tuple(column - 1 for column in action.columns) if isinstance(action, ChooseExits) else ()


def _own_link(after: Position | Finish, seat: int) -> tuple[tuple[int, ...], ...]:
    """Return the choices of columns through which this seat may free prisoners after its push."""
    return after.choices if isinstance(after, Finish) and after.winner == seat else ()


class OutOfBudget(Exception):
    """The budget is spent; the result so far has to do."""


class Search:
    """A search in one round. Afterwards, `depth` and `positions` say how far it got, and `value` is the value of the
    best push at the last completed depth.
    """

    def __init__(self, game: Round, budget: Budget) -> None:
        self._round = game
        self._budget = budget
        self._heuristic = Heuristic(game.shape, game.open)
        self._table: dict[Position, tuple[int, int, int, Place]] = {}
        self._path: set[tuple[Knots, int]] = set()
        self._searcher = 0
        self.depth = 1
        self.positions = 0
        self.value = 0

    def best(self, position: Position, places: Sequence[Place], rng: Random) -> Place:
        """Return the best of these places to push into, as far as the budget allows.

        If some push does not let the other side complete a link, neither does the result: this is checked before the
        budget.
        """
        self._searcher = position[1]
        order = rng.sample(places, len(places))
        values = {place: self._at_first_sight(position, place) for place in order}
        order.sort(key=values.__getitem__, reverse=True)
        best = order[0]
        self._path = {position[:2]}
        if values[best] >= WON:
            return best
        order = [place for place in order if values[place] > -WON] or order
        slack = VARIETY if position[0].bit_count() < OPENING else 0
        good = [best]
        try:
            while len(order) > 1 and self.depth < min(DEEPEST, position[4]):
                top = -2 * WON
                found: dict[Place, int] = {}
                for place in list(order):
                    found[place] = value = self._tried(position, place, self.depth, max(top - slack, -2 * WON))
                    if value > top:
                        best, top = place, value
                        order.remove(place)
                        order.insert(0, place)
                good = [place for place, value in found.items() if value > top - slack]
                self.depth += 1
                self.value = top
                if abs(top) >= WON:
                    break
        except OutOfBudget:
            pass
        return rng.choice(good) if slack else best

    def compared(self, position: Position, places: Sequence[Place], played: Place) -> tuple[Place, int, int]:
        """Return the best of these places, its value, and that of the place that was `played`.

        Both values come from the same depth, as far as the budget allows, and nothing is random.
        """
        self._searcher = position[1]
        self._path = {position[:2]}
        values = {place: self._at_first_sight(position, place) for place in places}
        order = sorted(places, key=values.__getitem__, reverse=True)
        found = order[0], values[order[0]], values[played]
        try:
            while self.depth < min(DEEPEST, position[4]) and min(map(abs, found[1:])) < WON:
                best, top = order[0], -2 * WON
                for place in list(order):
                    value = self._tried(position, place, self.depth, top)
                    if value > top:
                        best, top = place, value
                        order.remove(place)
                        order.insert(0, place)
                own = top if played == best else self._tried(position, played, self.depth, -2 * WON)
                found = best, top, own
                self.depth += 1
        except OutOfBudget:
            pass
        return found

    def _at_first_sight(self, position: Position, place: Place) -> int:
        after = self._round.play(position, place)
        if isinstance(after, Finish):
            return self._finished(after, position)
        return self._glance(after) if after[1] == position[1] else -self._glance(after)

    def _tried(self, position: Position, place: Place, depth: int, least: int) -> int:
        """Return the value of a push for the pusher, exact if it is more than `least`."""
        after = self._round.play(position, place)
        if isinstance(after, Finish):
            return self._finished(after, position)
        again = after[1] == position[1]
        if least > -2 * WON:  # most others are no better, which is faster to show than by how much
            value = (
                self._value(after, depth, least, least + 1) if again else -self._value(after, depth, -least - 1, -least)
            )
            if value <= least:
                return value
        return self._value(after, depth, least, 2 * WON) if again else -self._value(after, depth, -2 * WON, -least)

    def _finished(self, finish: Finish, position: Position) -> int:
        """Return the value of a round's end for the seat that pushed in this position."""
        if finish.winner is None:
            return self._cancelled(position[1])
        value = WON + TWICE * (finish.freed - 1) + position[4]
        return value if finish.winner == position[1] else -value

    def _cancelled(self, seat: int) -> int:
        """Return what a cancelled round is worth to a seat: the game if that decides it, else a draw."""
        return WON * self._round.cancelled_for(seat) or self._draw(seat)

    def _draw(self, seat: int) -> int:
        return -CONTEMPT if seat == self._searcher else CONTEMPT

    def _glance(self, position: Position) -> int:
        """Return the value of a position without searching further, except for a link that can be completed now."""
        points, *near = self._heuristic.judge(position[0])
        if near[position[1]] and self._links(position):
            return WON + position[4]
        filled = PROGRESS * position[0].bit_count()
        return TEMPO + (-points if position[1] else points) + (filled if position[1] == self._searcher else -filled)

    def _links(self, position: Position) -> bool:
        """Return whether a push completes a link for the pusher."""
        wall, seat = position[:2]
        game = self._round
        return any(game.ends(game.shoved(wall, seat, place)[0], seat) for place in game.places(position))

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a position, exact if within the bounds, searching at least `depth` pushes ahead.

        If the side that has just pushed threatens to complete a link, the answers are searched even at the full depth;
        at depth 0 nothing else is.
        """
        if self._budget.spent():
            raise OutOfBudget
        self.positions += 1
        known = self._table.get(position)
        first = -1
        if known is not None:
            known_depth, bound, value, first = known
            if known_depth >= depth and (
                bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
            ):
                return value
        game, judge = self._round, self._heuristic.judge
        wall, seat = position[:2]
        if (wall, seat) in self._path:
            return self._draw(seat)
        self._path.add((wall, seat))
        best, best_place, floor = -2 * WON, first, alpha
        ahead: list[tuple[int, Place, Position]] = []
        for place in game.places(position):
            shoved, fell = game.shoved(wall, seat, place)
            if game.ends(shoved, seat) or game.ends(shoved, 1 - seat):
                finish = game.finish(shoved, seat)
                assert finish is not None
                value = self._finished(finish, position)
                if value >= WON:
                    self._path.remove((wall, seat))
                    return value
            elif (after := game.after(position, place, shoved, fell)) is None:
                value = self._cancelled(seat)
            else:
                points = judge(shoved)[0]
                ahead.append((2 * WON if place == first else -points if seat else points, place, after))
                continue
            if value > best:
                best, best_place = value, place
        ahead.sort(reverse=True)
        for _, place, after in ahead:
            alpha = max(alpha, best)
            if alpha >= beta:
                break
            again = after[1] == seat
            if depth > 1 or (depth == 1 and judge(after[0])[2 - after[1]]):
                low, high = (alpha, beta) if again else (-beta, -alpha)
                value = self._value(after, depth - 1, low, high)
            else:
                value = self._glance(after)
            if not again:
                value = -value
            if value > best:
                best, best_place = value, place
        bound = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
        self._table[position] = depth, bound, best, best_place
        self._path.remove((wall, seat))
        return best
