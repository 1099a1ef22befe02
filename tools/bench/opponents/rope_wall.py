"""The Rope Wall's opponents: a greedy climber, one that also blocks, and a flat Monte Carlo search.

They know the rules from the rule book, and use the game's own wall. None looks further ahead than the opponent's next
push, except in random playouts.
"""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from engine.contract import Action, Seat
from engine.games.rope_wall import ChooseExits, Push, RopeWallView, Wall
from engine.games.rope_wall.wall import round_won, shoved
from engine.players import Budget, Intent, Player

AHEAD = 30
"""Pushes of a random playout; a round without a winner by then counts as even."""

FEWEST = 2
"""Playouts of each push, even without time."""


Worth = Callable[[Wall, Seat], float]
"""Return the value of a wall for the seat that has just pushed."""


def climber(view: RopeWallView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take a link; otherwise push so that the player's own rope lacks the fewest knots."""
    return _best(view, legal, rng, lambda wall, seat: -_missing(view, wall, seat))


def blocker(view: RopeWallView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take a link, and leave none to the opponent; otherwise advance the own rope and set back the opponent's."""

    def worth(wall: Wall, seat: Seat) -> float:
        other = Seat(1 - seat)
        lost = any(_winner(view, wall, other, push) == other for push in _openings(view))
        return _missing(view, wall, other) - _missing(view, wall, seat) - 100 * lost

    return _best(view, legal, rng, worth)


def sampler(view: RopeWallView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play out the round at random after each push as often as time allows, and take the best push."""
    pushes = [action for action in legal if isinstance(action, Push)]
    if len(pushes) < 2 or view.turn is None:
        return _choice(view, legal)
    sums = dict.fromkeys(pushes, 0.0)
    rounds = 0
    while rounds < FEWEST or not budget.spent():
        for push in pushes:
            sums[push] += _played_out(view, push, view.turn, rng)
        rounds += 1
    return Intent(max(pushes, key=sums.__getitem__), 1_000)


def _best(view: RopeWallView, legal: Sequence[Action], rng: Random, worth: Worth) -> Intent | None:
    pushes = [action for action in legal if isinstance(action, Push)]
    seat = view.turn
    if not pushes or seat is None:
        return _choice(view, legal)

    def merit(push: Push) -> float:
        winner = _winner(view, view.wall, seat, push)
        if winner is not None:
            return 1_000.0 if winner == seat else -1_000.0
        return worth(shoved(view.wall, push, seat)[0], seat) + rng.random() / 2

    return Intent(max(pushes, key=merit), 1_000)


def _choice(view: RopeWallView, legal: Sequence[Action]) -> Intent | None:
    """Free as many prisoners as possible if there is a choice of exits."""
    return Intent(max(legal, key=_freed), 1_000) if legal else None


def _freed(action: Action) -> int:
    return len(action.columns) if isinstance(action, ChooseExits) else 0


def _openings(view: RopeWallView) -> list[Push]:
    return [Push(floor, side) for floor in range(1, view.floors + 1) for side in ("left", "right")]


def _winner(view: RopeWallView, wall: Wall, seat: Seat, push: Push) -> Seat | None:
    won = round_won(shoved(wall, push, seat)[0], view.exits, seat, view.goal, view.doubles)
    return None if won is None else won.seat


def _played_out(view: RopeWallView, first: Push, seat: Seat, rng: Random) -> int:
    wall, turn, push, openings = view.wall, seat, first, _openings(view)
    for _ in range(AHEAD):
        wall, _fell = shoved(wall, push, turn)
        if (won := round_won(wall, view.exits, turn, view.goal, view.doubles)) is not None:
            return 1 if won.seat == seat else -1
        turn, push = Seat(1 - turn), rng.choice(openings)
    return 0


def _missing(view: RopeWallView, wall: Wall, seat: Seat) -> int:
    """Return how many cells of the best way from the lowest floor to an open exit have no knot of this seat."""
    cost = {(0, column): int(wall[0][column] != seat) for column in range(view.columns)}
    reached = deque(sorted(cost, key=cost.__getitem__))
    while reached:
        floor, column = reached.popleft()
        for to in ((floor + 1, column), (floor, column - 1), (floor, column + 1), (floor - 1, column)):
            if 0 <= to[0] < view.floors and 0 <= to[1] < view.columns:
                missing = cost[floor, column] + (wall[to[0]][to[1]] != seat)
                if missing < cost.get(to, 1_000):
                    cost[to] = missing
                    reached.append(to)
    return min(cost[view.floors - 1, column] for column in range(view.columns) if view.exits[column] is None)


OPPONENTS: dict[str, Player] = {"climber": climber, "blocker": blocker, "sampler": sampler}
