"""Matches between two computer players of any registered game.

Games come in pairs with exchanged seats and the same chance, so that neither side has the better draw.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.chance import Chance
from engine.contract import Action, AnyGame, Expire, Moment, Outcome, Refusal, Seat
from engine.players import Budget, Intent, Player
from tools.harness.playouts import BEGIN, STEPS, earliest, material, seed_bytes


@dataclass(frozen=True)
class MatchResult:
    """The result of a match for the first side.

    The side with the better best place wins a game; equal best places share it. `moves` counts each side's answers.
    """

    won: int
    lost: int
    shared: int
    moves: tuple[int, int]

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.won + self.lost + self.shared


def play_match(
    game: AnyGame,
    a: Player,
    b: Player,
    games: int,
    budget_factory: Callable[[], Budget],
    seed: int,
    *,
    seats: int | None = None,
    alone: bool = False,
) -> MatchResult:
    """Play games between two players, with a new budget for each answer.

    With more than two seats, half of them belong to each player, drawn again for each pair of games; with `alone`, the
    first player has one seat and the second all others. `seats` defaults to the game's minimum. If budgets do not
    depend on the machine, the same arguments give the same result.
    """
    at_table = game.player_counts.start if seats is None else seats
    won = lost = shared = 0
    moves = [0, 0]
    for number in range(games):
        pair = random.Random(f"{game.key}/{seed}/{number // 2}")
        secret, theirs = pair.randrange(1 << 64), set(pair.sample(range(at_table), at_table // 2))
        sides = [(seat in theirs) != bool(number % 2) for seat in range(at_table)]
        if alone:
            sides = [seat != number % at_table for seat in range(at_table)]
        players = [(a, b)[side] for side in sides]
        outcome, answers = _play(game, players, budget_factory, secret)
        best = [min(place for place, side in zip(outcome.places, sides, strict=True) if side == own) for own in (0, 1)]
        won += best[0] < best[1]
        lost += best[0] > best[1]
        shared += best[0] == best[1]
        for side, count in zip(sides, answers, strict=True):
            moves[side] += count
    return MatchResult(won, lost, shared, (moves[0], moves[1]))


class Bout:
    """A running game between computer players. Turns have no clock; windows of the rules do."""

    def __init__(self, game: AnyGame, seats: int, secret: int) -> None:
        self.game = game
        self.at = BEGIN
        self._seed = seed_bytes(secret)
        events = game.setup(seats, game.options(clock=0), material(game), self.at, Chance(self._seed, "match", 0))
        self.state, self._count = game.fold(events), len(events)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the game runs."""
        return self.game.outcome(self.state)

    def go_on(self, intents: Sequence[tuple[Seat, Intent]]) -> tuple[Seat | None, Action]:
        """Apply the earliest intent, or a clock that runs out before. Return which seat acted with which action; None
        is the clock.
        """
        game, deadline = self.game, earliest(self.game, self.state)
        asked: Seat | None
        action: Action
        dues = [(max(self.at + one.after_ms, one.earliest or self.at), seat, one.action) for seat, one in intents]
        if dues:
            due, asked, action = min(dues, key=lambda one: one[:2])
        if deadline is not None and (not dues or deadline.due <= due):
            due, asked, action = deadline.due, None, Expire(deadline.id)
        assert dues or deadline, f"{game.key}: nobody acts and no clock runs"
        self.at = Moment(max(self.at, due))
        try:
            events = game.decide(self.state, asked, action, self.at, Chance(self._seed, "match", self._count))
        except Refusal as refusal:
            # A window closes at its deadline, and its clock runs a little later; an action in between is too late.
            assert deadline is not None and refusal.code.startswith("late"), (action, refusal)
            self.at = deadline.due
            asked, action = None, Expire(deadline.id)
            events = game.decide(self.state, None, action, self.at, Chance(self._seed, "match", self._count))
        self.state, self._count = game.fold(events, self.state), self._count + len(events)
        return asked, action


def _play(
    game: AnyGame, players: Sequence[Player], budget_factory: Callable[[], Budget], secret: int
) -> tuple[Outcome, list[int]]:
    """Play one game, asking every seat that may act. Return its outcome and how often each seat answered."""
    rngs = [random.Random(f"{secret}/{seat}") for seat in range(len(players))]
    answers = [0] * len(players)
    bout = Bout(game, len(players), secret)
    for _ in range(STEPS):
        if (outcome := bout.outcome) is not None:
            return outcome, answers
        intents: list[tuple[Seat, Intent]] = []
        for seat in map(Seat, range(len(players))):
            if legal := list(game.legal(bout.state, seat)):
                intent = players[seat](game.view(bout.state, seat), legal, budget_factory(), rngs[seat])
                if intent is not None:
                    intents.append((seat, intent))
                    answers[seat] += 1
        bout.go_on(intents)
    raise AssertionError(f"{game.key}: a game between these players does not end within {STEPS} steps")
