"""What a move costs in calls to Discord, at a human pace and by kind: people play each game at one table.

Ann plays from the table message, Ben from his ephemeral page, Cleo from her direct message. Nothing here depends on how
fast the machine is: the sandbox's clock moves only between two calls, and each table draws the same.
"""

import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.tables import moves
from cogs.registry import GAMES
from sandbox import UserClient
from sandbox.world.settings import Call
from tools.harness.bot_harness import BotHarness, patience
from tools.harness.drivers import WAYS

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "goldens" / "calls"

MOVES = 12

PRESSES = 10
"""How many presses at random may lead to a move, before it is made by a command."""

PAUSES_MS = (500, 2_500, 2_000, 4_000)
"""The parts of the time that somebody takes for a move; every fourth one takes longer, so that they are called."""

LONG_MS = 60_000

LEAVE_ALONE = {"hand", "more", "leave", "resign", "what", "text", "fair", "notify", "rules", "log", "rematch", "replay"}
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
"""The kinds of calls: one, several, and which they are. The first four are not counted in the bot's 50 a second."""


def golden_file(key: str) -> Path:
    """Where the golden of a game is."""
    return FOLDER / f"{key}.txt"


async def golden(key: str) -> str:
    """Play at one table, and return what every move has cost, a line each."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(moves, "secrets", SimpleNamespace(token_bytes=random.Random(key).randbytes))
        random.seed(key)
        async with patience(patched) as sandbox:
            sandbox.limits_on = False
            harness = BotHarness(sandbox, Path(folder) / "house.db")
            try:
                await harness.start()
                return await _played(harness, key)
            finally:
                await harness.stop()


async def _played(harness: BotHarness, key: str) -> str:
    dice, way = random.Random(1), WAYS[key]
    package = next(package for package in GAMES if package.game.key == key)
    guests = (harness.ben, harness.cleo)[: min(package.game.player_counts[-1], 3) - 1]
    begun = len(harness.sandbox.calls)
    await harness.begin(package.screen().command, *guests, clock=180, **way.options)
    total, lines = Counter[str](), [f"{package.game.title}", f"opened and begun: {_told(_kinds(harness, begun))}"]
    for number in range(1, MOVES + 1):
        before = len(harness.sandbox.calls)
        await _pause(harness, number)
        while harness.session().table.snapshot.playing and not harness.view().to_act:
            await harness.advance(5_000)
        if not harness.session().table.snapshot.playing:
            break
        who = harness.awaited()
        await _move(harness, key, who, dice)
        counted = _kinds(harness, before)
        total += counted
        lines.append(f"{number}. {who.name}: {_told(counted)}")
    return "\n".join([*lines, f"in all: {_told(total)}", ""])


async def _pause(harness: BotHarness, number: int) -> None:
    for ms in (*PAUSES_MS, *((LONG_MS,) if number % 4 == 0 else ())):
        await harness.advance(ms)


async def _move(harness: BotHarness, key: str, who: UserClient, dice: random.Random) -> None:
    """Press what there is, as the person who is awaited, until something has happened."""
    before, page = harness.session().table.snapshot.version, await _page(harness, who)
    for _ in range(PRESSES):
        answer = await harness.press_anything(who, page, dice, but=LEAVE_ALONE)
        await harness.settle()
        if harness.session().table.snapshot.version != before:
            return
        page = answer if answer is not None and answer.message is not None else await harness.press(who, "Play")
    await WAYS[key].commands(harness, dice)
    await harness.settle()


async def _page(harness: BotHarness, who: UserClient) -> Any:
    """Where somebody plays: each in another place."""
    if who is harness.ann:
        return harness.board()
    pages = who.dms() if who is harness.cleo else who.ephemerals(harness.yard)
    return pages[-1] if pages else await harness.press(who, "Play")


def _kinds(harness: BotHarness, since: int) -> Counter[str]:
    """Count the calls since then, by what they are for."""
    return Counter(_kind(harness, call) for call in harness.sandbox.calls[since:])


def _kind(harness: BotHarness, call: Call) -> str:
    path = call.path.replace(harness.yard.id, "yard")
    for person in (harness.ann, harness.ben, harness.cleo):
        path = path.replace(person.dm.id, "dm")
    return next(kind for kind, _, pattern in KINDS if re.fullmatch(pattern, f"{call.method} {path}"))


def _told(counted: Counter[str]) -> str:
    parts = ((counted[one], one, several) for one, several, _ in KINDS)
    return ", ".join(f"{number} {one if number == 1 else several}" for number, one, several in parts if number) or "–"
