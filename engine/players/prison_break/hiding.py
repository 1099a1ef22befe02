"""Sneaking unpredictably: a small game between a pawn that hides and a rival who looks for it.

For some rounds the pawn, at each position where the public log allows it, chooses how far to move, and then the rival
chooses a space to check, or none; the lights end the game, since they reveal everything. Both learn by regret, and
their average play is close to an equilibrium. What is known about the rivals' habits replaces part of the rival's play,
so the pawn also exploits these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from engine.games.prison_break import Position
from engine.players import Budget

ROUNDS = 4
"""How many rounds both look ahead."""
LOOKS = 60
"""How many learning steps are made, if the budget lasts."""
HASTE = 60.0
"""The initial weight of running in the plan; all learning steps together weigh thirty times as much."""
LEAST = 10
"""How many learning steps are made in any case, since fewer would make no plan."""


@dataclass(frozen=True)
class Stakes:
    """What a position is worth to the pawn after the sneak: left alone, after a check elsewhere, caught, and lit."""

    alone: Sequence[float]
    missed: Sequence[float]
    caught: Sequence[float]
    lit: Sequence[float]
    light: float  # how likely the lights are
    share: float  # how much of the others' checking is aimed at this pawn


class HideAndSeek:
    """The game: what both regret so far, and the sums of what the pawn has played in the first round."""

    def __init__(self, stakes: Stakes, odds: Sequence[float], moves: Sequence[int]) -> None:
        self._stakes = stakes
        self._exit = len(odds) - 1
        self._odds = odds
        self._first = list(moves)
        self._most = max(moves)
        self._later = list(range(self._most + 1)) if self._most else [0, 1, 2]
        self._ends = [
            [[min(position + move, self._exit) for move in self._moves(turn)] for position in range(self._exit)]
            for turn in range(ROUNDS)
        ]
        self._pawn = [[[0.0] * len(self._moves(turn)) for _ in range(self._exit)] for turn in range(ROUNDS)]
        self._guard = [[0.0] * self._exit for _ in range(ROUNDS)]  # 0 is no check; EXIT cannot be checked
        total = sum(move**2 for move in moves) or 1
        self._sums = [[1e-9 + HASTE * move**2 / total for move in moves] for _ in range(self._exit)]
        # A check that misses costs the rival a token in any case.
        self._cost = [missed - alone for missed, alone in zip(stakes.missed, stakes.alone, strict=True)]

    def _moves(self, turn: int) -> list[int]:
        return self._later if turn else self._first

    def plan(self) -> list[list[float]]:
        """Return for each position how likely each of the moves should be."""
        return [[share / sum(row) for share in row] for row in self._sums]

    def learn(self, weight: int, known: Sequence[Mapping[Position, float]], trust: float) -> None:
        """Make one learning step: update what both should have done against the other."""
        looks = [_by_regret(regrets) for regrets in self._guard]
        seen = [[(1 - trust) * self._stakes.share * look for look in one] for one in looks]
        for turn, habit in zip(seen, known, strict=True):
            for space, odd in habit.items():
                if 0 < space < self._exit:
                    turn[space] += trust * odd
        plays = [[_by_regret(regrets) for regrets in turn] for turn in self._pawn]
        ahead = self._backward(seen, plays)
        self._forward(looks, seen, plays, ahead, weight)

    def _backward(
        self, seen: Sequence[Sequence[float]], plays: Sequence[Sequence[Sequence[float]]]
    ) -> list[list[float]]:
        """Return for each round what each position is worth if nobody is caught in it; update the pawn's regrets."""
        stakes, exit_ = self._stakes, self._exit
        light, dark = stakes.light, 1 - stakes.light
        after: list[float] = list(stakes.alone)
        ahead = [after] * ROUNDS
        for turn in reversed(range(ROUNDS)):
            ahead[turn] = after
            looks = seen[turn]
            checks = sum(looks[1:])
            worth = []
            for place in range(exit_ + 1):
                here = looks[place] if 0 < place < exit_ else 0.0
                left = after[place] + (checks - here) * self._cost[place]
                left += here * (stakes.caught[place] - after[place])
                worth.append(stakes.alone[exit_] if place == exit_ else light * stakes.lit[place] + dark * left)
            before = []
            for play, regrets, places in zip(plays[turn], self._pawn[turn], self._ends[turn], strict=True):
                mean = 0.0
                for share, place in zip(play, places, strict=True):
                    mean += share * worth[place]
                before.append(mean)
                for number, place in enumerate(places):
                    regret = regrets[number] + worth[place] - mean
                    regrets[number] = regret if regret > 0 else 0.0  # `max` takes most of the time here
            after = [*before, stakes.alone[exit_]]
        return ahead

    def _forward(
        self,
        looks: Sequence[Sequence[float]],
        seen: Sequence[Sequence[float]],
        plays: Sequence[Sequence[Sequence[float]]],
        ahead: Sequence[Sequence[float]],
        weight: int,
    ) -> None:
        """Follow the pawn from where it may be; update the rival's regrets round by round."""
        stakes, exit_ = self._stakes, self._exit
        there = list(self._odds[:exit_])
        for turn in range(ROUNDS):
            reached, worth = [0.0] * (exit_ + 1), ahead[turn]
            for position, odds in enumerate(there):
                if odds:
                    for share, place in zip(plays[turn][position], self._ends[turn][position], strict=True):
                        reached[place] += odds * share
                    if not turn:
                        sums = self._sums[position]
                        for number, share in enumerate(plays[turn][position]):
                            sums[number] += weight * share
            left = sum(map(mul, reached, worth))
            missed = left + sum(map(mul, reached[:exit_], self._cost))
            costs = [left]
            costs += [
                missed + reached[space] * (stakes.caught[space] - worth[space] - self._cost[space])
                for space in range(1, exit_)
            ]
            mean = sum(map(mul, looks[turn], costs))
            regrets = self._guard[turn]
            for number, cost in enumerate(costs):
                regret = regrets[number] + mean - cost
                regrets[number] = regret if regret > 0 else 0.0
            there = [
                odds * (1 - stakes.light) * (1 - (seen[turn][place] if place else 0.0))
                for place, odds in enumerate(reached[:exit_])
            ]


def mixed_moves(
    stakes: Stakes,
    odds: Sequence[float],
    moves: Sequence[int],
    known: Sequence[Mapping[Position, float]],
    trust: float,
    budget: Budget,
) -> list[list[float]]:
    """Return for each position how likely each of the moves should be.

    `odds` is where the public log puts the pawn, `known` how likely rivals are to check each space, round by round, and
    `trust` how much of their play that is.
    """
    game = HideAndSeek(stakes, odds, moves)
    for step in range(1, LOOKS + 1):
        game.learn(step, known, trust)
        if step >= LEAST and budget.spent():
            break
    return game.plan()


def _by_regret(regrets: Sequence[float]) -> list[float]:
    total = sum(regrets)
    if total <= 0:
        return [1 / len(regrets)] * len(regrets)
    return [regret / total for regret in regrets]
