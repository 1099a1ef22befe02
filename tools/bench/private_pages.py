"""Cost of a public move of Break-Out at tables of four, with all private pages open and with none.

The sandbox and the people are in this process, the bot is in another one.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox import Channel, Guild, Sandbox, UserClient
from tools.bench import judged
from tools.bench.processes import bot_process, processor_ms, table_message, unlimited_sandbox, until_idle, who_moves

TABLES = 8
TURNS = 10
"""Turns per table; a turn is two moves: a card is drawn, and NEXT is said."""

PACE_S = 2.0
"""Time for one turn at every table, so that each move is shown before the next one."""

UPDATE = 7
"""Type of the answer that edits the pressed message; it opens no private page."""

TIMES = 2.2
"""Budget: the cost of a move with all private pages open, as a multiple of its cost with none."""


class Tables:
    """Tables of Break-Out with the same four people, each in its own channel."""

    def __init__(self, sandbox: Sandbox, guild: Guild) -> None:
        self._sandbox = sandbox
        self._people = [sandbox.add_person(name, guild, administrator=name == "Ann") for name in ("Ann", "Ben")]
        self._people += [sandbox.add_person(name, guild) for name in ("Cleo", "Dora")]
        for person in self._people:
            person.dms_open = False  # no private page opens automatically
        self._yards = [sandbox.add_channel(guild, f"yard-{number}") for number in range(TABLES)]

    async def begin(self) -> None:
        """Start all games. The strict referee opens no catch windows, so moves follow each other at once."""
        for of in ("person", "channel", "server"):
            await self._people[0].command(self._yards[0], "settings limit", of=of, tables=2 * TABLES)
        for yard in self._yards:
            await self._start(yard)

    async def _start(self, yard: Channel) -> None:
        ann, *others = self._people
        await ann.command(yard, "break-out start", clock=0, referee="strict", rounds=1)
        for person in others:
            await person.press(self._board(yard), label="Join")
        await self._sandbox.until(lambda: "Dora" in UserClient.visible_text(self._board(yard)), 60)
        await ann.press(self._board(yard), label="Start")

    def _board(self, yard: Channel) -> dict[str, Any]:
        return table_message(self._sandbox, yard)

    async def look(self) -> None:
        """Open every player's private page at every table."""
        for yard in self._yards:
            for person in self._people:
                await person.press(self._board(yard), label="Play")

    async def _awaited(self, yard: Channel) -> UserClient:
        person = await self._sandbox.until(lambda: who_moves(self._board(yard), self._people), 60)
        assert person is not None
        return person

    async def play(self) -> int:
        """Take all players' turns on the table message. Return the number of moves."""
        for _ in range(TURNS):
            pause = asyncio.create_task(asyncio.sleep(PACE_S))
            for yard in self._yards:
                who = await self._awaited(yard)
                for move in ("Take a card", "NEXT"):
                    answer = await who.press(self._board(yard), label=move)
                    assert answer.type == UPDATE, answer
            await pause
        return 2 * TURNS * TABLES


async def move_ms(alive: bool) -> float:
    """Return the bot's processor time for a move."""
    sandbox, guild = unlimited_sandbox()
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox, bot_process(sandbox, "bot.py", database=Path(folder) / "bench.db") as process:
            riot = Tables(sandbox, guild)
            await riot.begin()
            if alive:
                await riot.look()
            before = await until_idle(process)
            moves = await riot.play()
            assert processor_ms(process.pid) > before, "this system does not report processor time"
            return (await until_idle(process) - before) / moves


def rows() -> Iterator[tuple[str, str]]:
    """Yield the line."""
    none, everybodys = asyncio.run(move_ms(alive=False)), asyncio.run(move_ms(alive=True))
    times = everybodys / none
    yield (
        "a public move, four private pages open",
        f"{everybodys:.1f} ms of processor, {none:.1f} ms with none: {times:.1f} times"
        f"{judged(times <= TIMES, f'{TIMES} times')}",
    )
