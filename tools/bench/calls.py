"""How many calls a move cost that count in Discord's 50 a second, at a human pace: people play each game at one table.

One of them plays from the table message, the next from their panel, the third from their direct message, and they take
5 to 20 seconds for a move. Answers to interactions and edits by their tokens are not counted.
"""

import asyncio
import contextlib
import random
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.core.app import rate_limit
from cogs.core.ops.config import point_at
from sandbox import Sandbox, UserClient
from sandbox.world.settings import Call
from tools.bench.budgets import judged
from tools.harness.bot_harness import AT_ONCE, BotHarness
from tools.harness.drivers import WAYS

MOVES = 40
WANTED = 1.2
PRESSES = 10
"""So many presses by chance may lead to a move, before it is made by a command."""

HOUSE_VERBS = {"hand", "more", "leave", "resign", "what", "text", "fair", "notify", "rules", "log", "rematch", "replay"}


@contextlib.asynccontextmanager
async def harness() -> AsyncIterator[BotHarness]:
    """Run the bot in this process, on a sandbox whose clock is turned by hand."""
    gateway = discord.gateway.DiscordWebSocket
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as kept:
        kept.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
        kept.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
        kept.setattr(rate_limit, "AT_ONCE", AT_ONCE)
        async with Sandbox(answer_within_ms=20_000, reaction_ms=0) as sandbox:
            sandbox.limits_on = False
            point_at(sandbox.api, sandbox.gateway)
            at = BotHarness(sandbox, Path(folder) / "bench.db")
            try:
                await at.start()
                yield at
                await at.settle()
            finally:
                await at.stop()


def _counted(calls: list[Call], harness: BotHarness) -> Counter[str]:
    """Count the calls by the bot's own token, by what they are for."""
    found: Counter[str] = Counter()
    for call in calls:
        place = re.match(r"/channels/(\d+)/messages", call.path)
        if call.path.startswith(("/interactions/", "/webhooks/")):
            continue
        where = "" if place is None else "table" if place[1] == harness.yard.id else "direct message"
        found[f"{call.method} {where}" if where else f"{call.method} {re.sub(r'[0-9]+', 'n', call.path)}"] += 1
    return found


async def _page(harness: BotHarness, who: UserClient) -> Any:
    """Where somebody plays: each in another place."""
    if who is harness.ann:
        return harness.board()
    letters = who.dms()
    if who is harness.cleo and letters:
        return letters[-1]
    return await harness.press(who, "Play")


async def _move(harness: BotHarness, key: str, dice: random.Random) -> None:
    """Let whoever is awaited press what there is until something has happened."""
    who, before = harness.awaited(), harness.session().table.snapshot.version
    page = await _page(harness, who)
    for _ in range(PRESSES):
        answer = await harness.press_anything(who, page, dice, but=HOUSE_VERBS)
        if answer is None:
            page = await harness.press(who, "Play")
        elif harness.session().table.snapshot.version != before or answer.message is None:
            break
        else:
            page = answer
    if harness.session().table.snapshot.version == before:
        await WAYS[key].commands(harness, dice)


async def measured(
    key: str, watching: contextlib.AbstractContextManager[object] | None = None
) -> tuple[int, Counter[str]]:
    """Play at one table, `watching` while the game goes on. Return how many moves were made, and the counted calls
    since the game began.
    """
    async with harness() as at:
        dice, way = random.Random(1), WAYS[key]
        package = next(package for package in at.games if package.game.key == key)
        guests = (at.ben, at.cleo)[: min(package.game.player_counts[-1], 3) - 1]
        await at.begin(package.screen().command, *guests, clock=180, **way.options)
        begun, moves = len(at.sandbox.calls), 0
        with watching or contextlib.nullcontext():
            for _ in range(3 * MOVES):
                live = at.session().table
                if moves == MOVES or not live.snapshot.playing:
                    break
                await at.advance(dice.randrange(5_000, 20_000))
                if live.snapshot.view(None).to_act:
                    await _move(at, key, dice)
                    await at.settle()
                    moves += 1
        return moves, _counted(at.sandbox.calls[begun:], at)


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each game."""
    for key in WAYS:
        if key == "nim":
            continue
        moves, counted = asyncio.run(measured(key))
        each = counted.total() / moves
        kinds = ", ".join(f"{number} {kind}" for kind, number in counted.most_common())
        yield key, f"{each:.2f} a move{judged(each <= WANTED, str(WANTED))} ({moves} moves: {kinds})"
