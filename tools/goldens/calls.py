"""The golden of calls to Discord: the cost of each move by kind of call, while people play each game at a human pace.

Ann plays on the table message, Ben on his ephemeral page, Cleo by direct message. The result does not depend on the
machine: the sandbox's clock moves only between two calls, and seeds are fixed.
"""

import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from cogs.registry import GAMES
from sandbox import UserClient
from sandbox.world.settings import Call
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS
from tools.harness.environment import patient_sandbox, seeded

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "goldens" / "calls"

MOVES = 12

PRESSES = 10
"""Random presses to try before the move is made by a command."""

PAUSES_MS = (500, 2_500, 2_000, 4_000)
"""The parts of the time for a move; every fourth move takes longer, so that its player is mentioned."""

LONG_STEPS_MS = (5_000,) * 12
"""A long pause passes in steps, so that timers that are due within it run in order."""

LEAVE_ALONE = {
    "hand",
    "more",
    "leave",
    "resign",
    "what",
    "text",
    "fair",
    "notify",
    "rules",
    "log",
    "rematch",
    "replay",
} | {
    "markers",
    "marker-set",
}
"""Verbs that lead to no move."""

KINDS = (
    ("answer", "answers", r"POST /interactions/.*"),
    ("edit by token", "edits by token", r"PATCH /webhooks/.*"),
    ("message by token", "messages by token", r"POST /webhooks/.*"),
    ("deletion by token", "deletions by token", r"DELETE /webhooks/.*"),
    ("edit", "edits", r"PATCH /channels/yard/messages/.*"),
    ("message", "messages", r"POST /channels/yard/messages"),
    ("deletion", "deletions", r"DELETE /channels/yard/messages/.*"),
    ("edit of a direct message", "edits of direct messages", r"PATCH /channels/dm/messages/.*"),
    ("direct message", "direct messages", r"POST /channels/dm/messages"),
    ("deletion of a direct message", "deletions of direct messages", r"DELETE /channels/dm/messages/.*"),
    ("opening of direct messages", "openings of direct messages", r"POST /users/@me/channels"),
    ("other call", "other calls", r".*"),
)
"""Kinds of calls: singular, plural, and pattern."""


UNCOUNTED = 4
"""The number of first kinds that do not count towards the bot's 50 per second."""


def golden_file(key: str) -> Path:
    """Return the path of a game's golden."""
    return FOLDER / f"{key}.txt"


async def golden(key: str) -> str:
    """Play at one table, and return a line per move with its calls."""
    with tempfile.TemporaryDirectory() as folder, seeded(key):
        async with patient_sandbox() as sandbox:
            sandbox.limits_on = False
            harness = BotHarness(sandbox, Path(folder) / "cellblock.db")
            try:
                await harness.start()
                return await _played(harness, key)
            finally:
                await harness.stop()


async def _played(harness: BotHarness, key: str) -> str:
    dice, driver = random.Random(1), DRIVERS[key]
    package = next(package for package in GAMES if package.game.key == key)
    guests = (harness.ben, harness.cleo)[: min(package.game.player_counts[-1], 3) - 1]
    started = len(harness.sandbox.calls)
    await harness.begin(package.ui().command, *guests, clock=180, **driver.options)
    total, lines = Counter[str](), [f"{package.game.title}", f"opened and begun: {_describe(kinds(harness, started))}"]
    for number in range(1, MOVES + 1):
        before = len(harness.sandbox.calls)
        await _pause(harness, number)
        while harness.snapshot().playing and not harness.view().to_act:
            await harness.advance(5_000)
        if not harness.snapshot().playing:
            break
        who = harness.awaited()
        await move(harness, key, who, dice)
        counted = kinds(harness, before)
        total += counted
        lines.append(f"{number}. {who.name}: {_describe(counted)}")
    return "\n".join([*lines, f"in all: {_describe(total)}", ""])


async def _pause(harness: BotHarness, number: int) -> None:
    for ms in (*PAUSES_MS, *(LONG_STEPS_MS if number % 4 == 0 else ())):
        await harness.advance(ms)


async def move(harness: BotHarness, key: str, who: UserClient, dice: random.Random) -> None:
    """Press random controls as the player to act until an event is stored."""
    before, page = harness.snapshot().version, await _page(harness, who)
    for _ in range(PRESSES):
        answer = await harness.press_anything(who, page, dice, but=LEAVE_ALONE)
        await harness.settle()
        if harness.snapshot().version != before:
            return
        page = answer if answer is not None and answer.message is not None else await harness.press(who, "Play")
    await DRIVERS[key].by_commands(harness, dice)
    await harness.settle()


async def _page(harness: BotHarness, who: UserClient) -> Any:
    """Return the message a person plays on: a different kind for each of the three."""
    if who is harness.ann:
        return harness.board()
    pages = who.dms() if who is harness.cleo else who.ephemerals(harness.yard)
    return pages[-1] if pages else await harness.press(who, "Play")


def kinds(harness: BotHarness, since: int) -> Counter[str]:
    """Count the calls after the first ones, by kind."""
    return Counter(_kind(harness, call) for call in harness.sandbox.calls[since:])


def _kind(harness: BotHarness, call: Call) -> str:
    path = call.path.replace(harness.yard.id, "yard")
    for person in (harness.ann, harness.ben, harness.cleo):
        path = path.replace(person.dm.id, "dm")
    return next(kind for kind, _, pattern in KINDS if re.fullmatch(pattern, f"{call.method} {path}"))


def _describe(counted: Counter[str]) -> str:
    parts = ((counted[one], one, several) for one, several, _ in KINDS)
    return ", ".join(f"{number} {one if number == 1 else several}" for number, one, several in parts if number) or "–"
