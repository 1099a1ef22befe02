"""Speed of the rules: random moves per second beside a baseline of the same run, and the time to list legal actions.

A random game asks for the legal actions, picks one and applies it, and lets a clock run out when it is due, as the
random players of other libraries do. `tools.harness.playouts` is slower than the rules: it asks every seat at every
moment and counts all pieces after every event.
"""

import random
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from engine.chance import Chance
from engine.contract import AnyGame, Event, Expire, Moment, Options, Seat
from engine.games import GAMES
from tools.bench import judged
from tools.harness.playouts import BEGIN, TABLE, earliest, material, play, seed_bytes, some_options

SECONDS = 2.0
"""Seconds of random play per game."""

GAMES_LOOKED_AT = 6
"""Number of random games in which legal actions are listed at every moment."""


MOVES = {"rope_wall": 50_000, "match_five": 1_000}
MOVES_ELSE = 20_000
ENUMERATING_MS = {"match_five": 2.0, "break_out": 0.1}
"""Budgets: random moves per second at least, and the mean time to list legal actions."""


class _Point(msgspec.Struct, frozen=True):
    x: int
    y: tuple[int, ...]


def baseline() -> float:
    """Return how many small frozen structs this machine copies with a change per second; the rules do mostly this."""
    point, count, begin = _Point(0, (1, 2, 3)), 0, time.process_time()
    while time.process_time() - begin < 0.5:
        for _ in range(1_000):
            point = msgspec.structs.replace(point, x=point.x + 1)
        count += 1_000
    return count / (time.process_time() - begin)


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per registered game."""
    copies = baseline()
    yield "baseline: struct copies", f"{copies:,.0f} a second"
    for key, game in GAMES.items():
        box = material(game)
        moves, strikes, games, begin = 0, 0, 0, time.process_time()
        while time.process_time() - begin < SECONDS:
            played = at_random(game, box, games)
            moves, strikes, games = moves + played.moves, strikes + played.strikes, games + 1
        spent = time.process_time() - begin
        wanted = MOVES.get(key, MOVES_ELSE)
        kept = judged(moves / spent >= wanted, f"{wanted:,}")
        yield (
            key,
            (
                f"{moves / spent:,.0f} random moves a second{kept} ({copies / (moves / spent):.0f} copies each), "
                f"{strikes / spent:,.0f} strikes of the clock beside them, {games / spent:,.1f} games a second; "
                f"{enumerating(game)}"
            ),
        )


class AtRandom(NamedTuple):
    """A random game: moves of the seats, clocks that ran out, and the events of each decision."""

    moves: int
    strikes: int
    decided: list[list[Event]]


def at_random(
    game: AnyGame, box: msgspec.Struct, seed: int, seats: int | None = None, options: Options | None = None
) -> AtRandom:
    """Play a random game. `box` is the game's material; without `seats` or `options` the seed decides them. The first
    seat with a legal action moves, starting from a random one.
    """
    rng, secret = random.Random(seed), seed_bytes(seed)
    seats = seats or rng.choice(game.player_counts)
    events = game.setup(seats, options or some_options(game, rng), box, BEGIN, Chance(secret, TABLE, 0))
    state, count, at = game.fold(events), len(events), BEGIN
    moves, strikes, decided = 0, 0, [events]
    while game.outcome(state) is None:
        at = Moment(at + 100 + int(rng.random() * 8_900))
        deadline = earliest(game, state)
        mover, possible = None, ()
        if deadline is None or at < deadline.due:
            first = int(rng.random() * seats)
            for seat in (*range(first, seats), *range(first)):
                possible = tuple(game.legal(state, Seat(seat)))
                if possible:
                    mover = Seat(seat)
                    break
        if possible:
            action = possible[int(rng.random() * len(possible))]
            moves += 1
        else:
            assert deadline is not None, f"{game.key}: nobody can move and no clock runs"
            action, at = Expire(deadline.id), max(at, deadline.due)
            strikes += 1
        events = game.decide(state, mover, action, at, Chance(secret, TABLE, count))
        state = game.fold(events, state)
        count += len(events)
        decided.append(events)
    return AtRandom(moves, strikes, decided)


def enumerating(game: AnyGame) -> str:
    """Describe the processor time to list legal actions in random games."""
    spent: list[float] = []
    for seed in range(GAMES_LOOKED_AT):
        for state in play(game, seed).running:
            for seat in game.view(state, None).to_act:
                begin = time.process_time()
                list(game.legal(state, seat))
                spent.append((time.process_time() - begin) * 1_000)
    mean, most = statistics.mean(spent), ENUMERATING_MS.get(game.key)
    missed = "" if most is None else judged(mean <= most, f"{most} ms")
    return f"legal actions in {mean:.2f} ms{missed}, p99 {statistics.quantiles(spent, n=100)[98]:.2f} ms"
