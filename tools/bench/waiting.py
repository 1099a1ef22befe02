"""How long a table waits for a computer player while Masters play at many tables."""

import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence

from cogs.core.ops.config import cores
from cogs.core.tables.bot_workers import BotWorkers
from engine.contract import Action, AnyGame, Seat, View
from engine.games import GAMES
from engine.players import Intent, Level
from engine.players.registry import BOTS
from tools.bench import judged
from tools.harness.matches import Bout

TABLES = 20
SECONDS = 12.0
WANTED_S = 3.0
"""Time by which nearly every question should be answered."""


def rows(games: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield a line per game (or named game)."""
    for key in games or GAMES:
        waited = sorted(asyncio.run(_measured(GAMES[key])))
        cuts = statistics.quantiles(waited, n=20)
        slow = judged(cuts[18] <= WANTED_S, f"{WANTED_S:.0f} s")
        yield (
            f"{key}: {TABLES} tables",
            (
                f"{len(waited)} questions answered after {cuts[9]:.2f} s (median), {cuts[18]:.2f} s (p95){slow}, "
                f"{waited[-1]:.2f} s at most"
            ),
        )


async def _measured(game: AnyGame) -> list[float]:
    """Run masters at many tables, without the pauses that they make for people. Return each wait."""
    thinkers = BotWorkers(cores())
    waited: list[float] = []
    try:
        await thinkers.ask(
            0, game, BOTS[game.key].levels[Level.MASTER], lambda: _seen(Bout(game, game.player_counts[0], 0))
        )  # the workers start
        end = time.perf_counter() + SECONDS
        await asyncio.gather(*(_table(game, thinkers, number, end, waited) for number in range(TABLES)))
    finally:
        await thinkers.close()
    return waited


async def _table(game: AnyGame, thinkers: BotWorkers, number: int, end: float, waited: list[float]) -> None:
    bout = Bout(game, game.player_counts[0], number)

    async def asked(seat: Seat) -> tuple[Seat, Intent | None]:
        begin = time.perf_counter()
        intent = await thinkers.ask(number, game, BOTS[game.key].levels[Level.MASTER], lambda: _seen(bout, seat))
        waited.append(time.perf_counter() - begin)
        return seat, intent

    while time.perf_counter() < end:
        if bout.outcome is not None:
            bout = Bout(game, game.player_counts[0], number + TABLES)
        may = [
            Seat(seat)
            for seat in range(game.player_counts[0])
            if next(game.legal(bout.state, Seat(seat)), None) is not None
        ]
        intents = await asyncio.gather(*map(asked, may))
        bout.go_on([(seat, intent) for seat, intent in intents if intent is not None])


def _seen(bout: Bout, seat: Seat | None = None) -> tuple[View, list[Action] | None]:
    """Return the view and legal actions of a seat; by default the first seat to act."""
    if seat is None:
        seat = bout.game.view(bout.state, None).to_act[0]
    legal = list(bout.game.legal(bout.state, seat)) if bout.game.legal_from_view is None else None
    return bout.game.view(bout.state, seat), legal
