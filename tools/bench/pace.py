"""Response times at a human pace: 200 tables of a game, and then also Masters thinking at 20 more.

People press controls of their private page or the table message, for moves and for information, mostly in their own
turn. The sandbox and the people are in this process, the bot is in another one. A bare bot is pressed in parallel,
since a busy machine slows it down too.
"""

import asyncio
import gc
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from cogs.core.app.game_package import GamePackage
from cogs.registry import GAMES
from sandbox import ActionResult, Channel, Sandbox, UserClient
from tools.bench import judged
from tools.bench.processes import AT_ONCE, bot_process, table_message, unlimited_sandbox, until_idle, who_moves
from tools.goldens.calls import LEAVE_ALONE

TABLES, MASTERS = 200, 20
PACE = 16
"""Clicks per second at all tables together: about one per table every 12 seconds."""

SECONDS, LEAST_S = 30.0, 10.0
MOST_MS = 150
"""Budget: 99 of 100 clicks are acknowledged by then, and all are answered."""

PATIENCE_MS = 3_000
"""Discord's time limit for an answer."""

EACH = 8
"""Clicks per press of the bare bot."""

REOPENED = 0.1
"""The share of presses with which a person opens their private page again."""

EVERY_S = 0.5
"""The interval at which people check whether a Master has moved."""


Spent = float | None
"""Milliseconds until a click was acknowledged; None if it never was."""

Click = Callable[[], Coroutine[Any, Any, Spent]]


class Crowd:
    """Two people at many tables of one game, each in its own channel."""

    def __init__(self, sandbox: Sandbox, package: GamePackage, tables: int = TABLES, masters: int = MASTERS) -> None:
        guild = sandbox.add_guild("Alcatraz")
        self._sandbox = sandbox
        self._command = f"{package.ui().command} start"
        self._dice = random.Random(1)
        self._people = [sandbox.add_person("Ann", guild, administrator=True), sandbox.add_person("Ben", guild)]
        self._yards = [sandbox.add_channel(guild, f"yard-{number}") for number in range(tables)]
        self._cells = [sandbox.add_channel(guild, f"cell-{number}") for number in range(masters)]

    async def begin(self) -> None:
        """Start the games."""
        for of in ("person", "channel", "server"):
            await self._people[0].command(
                self._yards[0], "settings limit", of=of, tables=2 * len(self._yards + self._cells)
            )
        starts = [self._start(yard) for yard in self._yards] + [self._start_alone(cell) for cell in self._cells]
        for first in range(0, len(starts), AT_ONCE):
            await asyncio.gather(*starts[first : first + AT_ONCE])

    async def _start(self, yard: Channel) -> None:
        ann, ben = self._people
        await ann.command(yard, self._command, clock=0)
        await ben.press(self._board(yard), label="Join")
        await self._press_start(yard)

    async def _start_alone(self, cell: Channel) -> None:
        await self._people[0].command(cell, self._command, clock=0, computer="warden", pace="quick")
        if "Start" in UserClient.visible_text(self._board(cell)):
            await self._press_start(cell)

    async def _press_start(self, yard: Channel) -> None:
        def ready() -> bool:
            parts = UserClient.buttons(self._board(yard))
            return any(part.get("label") == "Start" and not part.get("disabled") for part in parts)

        await self._sandbox.until(ready, 60)
        await self._people[0].press(self._board(yard), label="Start")

    def _board(self, yard: Channel) -> dict[str, Any]:
        return table_message(self._sandbox, yard)

    def _awaited(self, yard: Channel) -> UserClient | None:
        """Return the player to move, as named by the table message."""
        return who_moves(self._board(yard), self._people)

    async def click(self, yard: Channel) -> Spent:
        """Press a random control at this table."""
        who = self._awaited(yard) or self._dice.choice(self._people)
        private_pages = who.ephemerals(yard)
        message = private_pages[-1] if private_pages and self._dice.random() >= REOPENED else self._board(yard)
        parts = [part for part in UserClient.buttons(message) if part.get("custom_id") and not part.get("disabled")]
        verbs = [part for part in parts if part["custom_id"].split(":")[3] not in LEAVE_ALONE]
        if message in private_pages and not verbs:
            message = self._board(yard)
            parts = [part for part in UserClient.buttons(message) if part.get("custom_id") and not part.get("disabled")]
        hand = [part for part in parts if part["custom_id"].split(":")[3] == "hand"]
        part = self._dice.choice((verbs if message in private_pages else hand) or verbs or parts)
        options = [option["value"] for option in part.get("options", ())]
        chosen = self._dice.sample(options, max(1, part.get("min_values", 1))) if options else None
        return await timed(who.press(message, part["custom_id"], values=chosen))

    async def people_play(self, bare: Click, going_on: Callable[[], bool]) -> tuple[list[Spent], list[Spent]]:
        """Click at a human pace, for at least `LEAST_S` and while `going_on()`. Return when each click was
        acknowledged, and each of the bare bot's.
        """
        begin, ours, theirs = time.perf_counter(), list[asyncio.Task[Spent]](), list[asyncio.Task[Spent]]()
        while (passed := time.perf_counter() - begin) < LEAST_S or going_on():
            if len(ours) > passed * PACE:
                await asyncio.sleep(0.2 / PACE)
                continue
            if len(ours) % EACH == 0:
                theirs.append(asyncio.create_task(bare()))
            ours.append(asyncio.create_task(self.click(self._yards[len(ours) * 7 % len(self._yards)])))
        return await asyncio.gather(*ours), await asyncio.gather(*theirs)

    @asynccontextmanager
    async def masters_thinking(self) -> AsyncIterator[None]:
        """Play against Masters, which then think nearly all the time."""

        async def against(cell: Channel, after_s: float) -> None:
            await asyncio.sleep(after_s)  # people do not all press at once
            while True:
                if self._awaited(cell) is not None or self._dice.random() < 0.1:  # some games name no player to act
                    await self.click(cell)
                await asyncio.sleep(EVERY_S)

        starts = enumerate(self._cells)
        tasks = [asyncio.create_task(against(cell, EVERY_S * number / len(self._cells))) for number, cell in starts]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def for_a_while() -> Callable[[], bool]:
    """Return a function that is true for `SECONDS` from now on."""
    end = time.perf_counter() + SECONDS
    return lambda: time.perf_counter() < end


async def timed(press: Coroutine[Any, Any, ActionResult]) -> Spent:
    """Return how soon a press is acknowledged."""
    begin = time.perf_counter()
    answer = await press
    return None if answer.failed else (time.perf_counter() - begin) * 1_000


def describe(found: Sequence[Spent], bare: Sequence[Spent]) -> str:
    """Describe how soon clicks were acknowledged, ours and the bare bot's."""
    spent = [ms for ms in found if ms is not None]
    beside = sorted(ms for ms in bare if ms is not None)
    cuts, left = statistics.quantiles(spent, n=100), len(found) - len(spent)
    kept = judged(cuts[98] < MOST_MS and not left, f"{MOST_MS} ms, none unanswered")
    return (
        f"p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms, at most {max(spent):.0f} ms; {left} of {len(found)} "
        f"unanswered{kept}; the bare bot p50 {statistics.median(beside):.0f} ms, at most {beside[-1]:.0f} ms"
    )


@asynccontextmanager
async def bare_bot() -> AsyncIterator[Click]:
    """Run the bare bot on its own sandbox. Yield a function that presses its button with a picture."""
    sandbox, guild = unlimited_sandbox()
    async with sandbox:
        yard, person = sandbox.add_channel(guild, "yard"), sandbox.add_person("Pat", guild)
        async with bot_process(sandbox, "-m", "tools.bench.echo"):
            shown = (await person.command(yard, "echo")).message
            assert shown is not None
            yield lambda: timed(person.press(shown, "echo:2"))


async def measured(package: GamePackage) -> list[tuple[str, str]]:
    """Measure one game without the Masters, and with them."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sandbox = Sandbox(answer_within_ms=PATIENCE_MS, reaction_ms=0)
        sandbox.limits_on = False
        await stack.enter_async_context(sandbox)
        crowd = Crowd(sandbox, package)
        bare = await stack.enter_async_context(bare_bot())
        process = await stack.enter_async_context(bot_process(sandbox, "bot.py", database=folder / "bench.db"))
        await crowd.begin()
        await until_idle(process)  # it draws the covers in advance
        gc.collect()
        gc.freeze()  # a search through the whole sandbox would hold up presses of both bots by 160 ms
        alone = await crowd.people_play(bare, for_a_while())
        async with crowd.masters_thinking():
            beside = await crowd.people_play(bare, for_a_while())
    key = package.game.key
    return [(f"{key}, {TABLES} tables", describe(*alone)), (f"{key}, {MASTERS} Masters thinking", describe(*beside))]


def rows(games: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield two lines per game (or per named game)."""
    for package in GAMES:
        if not games or package.game.key in games:
            yield from asyncio.run(measured(package))
