"""Measure what random play, Trainees and Masters lose: `python -m tools.accuracy [GAME …] --keep FILE`.

This calibrates accuracy (`engine.review.calibration`). It takes hours; measured games are kept in the file, one per
line, and not measured again.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

from engine.contract import AnyGame, Seat
from engine.games import GAMES
from engine.players import Level, Player, Steps
from engine.players.registry import BOTS
from engine.review import (
    Decision,
    Evaluation,
    JudgedDecision,
    Reviewer,
    ausbrecher,
    break_out,
    match_five,
    prison_break,
    rope_wall,
    share_lost,
)
from engine.review.calibration import MEASURED, percent
from engine.review.review_questions import answer, as_questions
from tools.harness.matches import Bout
from tools.harness.playouts import deeds, play

GAMES_EACH = 200

PLAYERS = ("random", "trainees", "masters")

LEVELS = {"trainees": Level.TRAINEE, "masters": Level.MASTER}

THINKING = 400
"""The steps that a bot may think about a move."""

SEATS = {"rope_wall": (2,), "break_out": (2, 3, 4)}
OTHER_SEATS = (2, 3)
"""The numbers of seats, used in turn."""

SAMPLED = {"rope_wall": 3}
"""Games of which only every second or third decision is judged, since their review is slow."""

REVIEWERS: dict[str, Reviewer] = {
    "ausbrecher": ausbrecher.REVIEWER,
    "break_out": break_out.REVIEWER,
    "match_five": match_five.REVIEWER,
    "prison_break": prison_break.REVIEWER,
    "rope_wall": rope_wall.REVIEWER,
}


def shares(key: str, players: str, number: int) -> list[float | None]:
    """Return what each seat of a game between equals lost, as a share of the loss of random choices."""
    seats = SEATS.get(key, OTHER_SEATS)
    many = seats[number % len(seats)]
    states, decisions = played(GAMES[key], players, number, many)
    judged: list[JudgedDecision] = []
    asked = [(one.step, one.seat, one) for one in decisions if one.decides and one.seat is not None]
    every = SAMPLED.get(key, 1)
    for one in as_questions(GAMES[key], states, asked[number % every :: every]):
        found = answer(REVIEWERS[key], one)
        if isinstance(found, Evaluation):
            judged.append(JudgedDecision(one.step, one.seat, "", found.played, found.best, lot=found.lot))
    return [share_lost([one for one in judged if one.seat == seat]) for seat in range(many)]


def played(game: AnyGame, players: str, number: int, seats: int) -> tuple[Sequence[Any], Sequence[Decision]]:
    """Return the states and decisions of a game with the default options."""
    if players == "random":
        playout = play(game, number, seats=seats, options=game.options(clock=0), lapses=0.0)
        return playout.states, deeds(playout)
    bot: Player = BOTS[game.key].levels[LEVELS[players]]
    rngs = [Random(f"{game.key}/{number}/{seat}") for seat in range(seats)]
    bout, decisions = Bout(game, seats, number), list[Decision]()
    states = [bout.state]
    while bout.outcome is None:
        intents = []
        for seat in map(Seat, range(seats)):
            if legal := list(game.legal(bout.state, seat)):
                intent = bot(game.view(bout.state, seat), legal, Steps(THINKING), rngs[seat])
                intents += [] if intent is None else [(seat, intent)]
        decisions.append(Decision(len(states), *bout.go_on(intents)))
        states.append(bout.state)
    return states, decisions


def described(key: str, players: str, found: Sequence[float]) -> Iterator[str]:
    """Yield the quartiles of shares, and of the accuracies that they have now."""
    yield f"{key}, {players}: {len(found)} seats, shares {' · '.join(f'{one:.3f}' for one in quantiles(found))}"
    measured = MEASURED.get(key)
    if measured is not None:
        yield f"  accuracy {' · '.join(f'{percent(one, measured):.0f} %' for one in reversed(quantiles(found)))}"


def main() -> None:
    """Measure the named games, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[[], *GAMES], help="the games; all if none is named")
    parser.add_argument("--each", type=int, default=GAMES_EACH, help="how many games for each kind of player")
    parser.add_argument("--keep", type=Path, default=Path("accuracy.jsonl"), help="the file of measured games")
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    lines = chosen.keep.read_text().splitlines() if chosen.keep.exists() else []
    known = {tuple(key): found for key, found in map(json.loads, lines)}
    wanted = [
        (key, players, number)
        for key in chosen.games or GAMES
        for number in range(chosen.each)
        for players in PLAYERS
        if (key, players, number) not in known
    ]
    with ProcessPoolExecutor(chosen.processes) as pool, chosen.keep.open("a") as kept:
        for one, found in zip(wanted, pool.map(shares, *zip(*wanted, strict=True)) if wanted else (), strict=True):
            known[one] = found
            kept.write(json.dumps([one, found]) + "\n")
            kept.flush()
    for key in chosen.games or GAMES:
        for players in PLAYERS:
            of = [
                share for at, found in known.items() if at[:2] == (key, players) for share in found if share is not None
            ]
            if len(of) > 1:
                print(*described(key, players, of), sep="\n", flush=True)


if __name__ == "__main__":
    main()
