"""Texts outside the games: lobbies, help, settings, records, replays, privacy.

The bot runs on the sandbox, its people use everything, and all visible text is collected.
"""

import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from cogs.core.tables import moves
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import overridden, patient_sandbox
from tools.words import sentences

Json = dict[str, Any]

A_STEP_MS = 1_000
"""Time that passes before each step, so that background calls get their turn."""


def of_commands(commands: Iterable[Json]) -> Iterator[str]:
    """Yield the commands with their descriptions, options and choices."""
    for command in commands:
        yield from _of_command(command, f"/{command['name']}")


def _of_command(command: Json, name: str) -> Iterator[str]:
    yield f"{name} – {command.get('description', '')}"
    for option in command.get("options", ()):
        if option["type"] in (1, 2):
            yield from _of_command(option, f"{name} {option['name']}")
        else:
            yield f"{name} {option['name']}: {option['description']}"
            for choice in option.get("choices", ()):
                yield f"{name} {option['name']} = {choice['name']}"


class Visit:
    """A visit to the server, and the texts found there."""

    def __init__(self, harness: BotHarness) -> None:
        self.harness = harness
        self.found = set[str]()

    def note(self, text: str) -> None:
        """Collect a text."""
        lines = [line for line in text.splitlines() if not line.endswith((".png", ".webp", ".json"))]
        self.found.update(sentences("\n".join(lines)))

    def sweep(self) -> None:
        """Collect the texts of the channel and of direct messages."""
        harness = self.harness
        for channel in (harness.yard, *(person.dm for person in (harness.ann, harness.ben, harness.cleo))):
            for message in harness.sandbox.messages(channel):
                self.note(UserClient.visible_text(message))

    async def says(self, who: UserClient, command: str, /, **options: Any) -> ActionResult:
        """Run a command, and collect what follows."""
        self.harness.clock.advance(A_STEP_MS)
        answer = await who.command(self.harness.yard, command, **options)
        await self.harness.settle()
        self.note(answer.text)
        self.sweep()
        return answer

    async def presses(self, who: UserClient, label: str, message: Any = None) -> ActionResult:
        """Press a button, and collect what follows."""
        self.harness.clock.advance(A_STEP_MS)
        answer = await self.harness.press(who, label, message)
        await self.harness.settle()
        self.note(answer.text)
        self.sweep()
        return answer

    async def leaf(self, who: UserClient, answer: ActionResult, besides: Iterable[str] = ()) -> None:
        """Press every button of an answer that leads to another page."""
        for part in UserClient.buttons(answer.message or {}):
            label = part.get("label")
            if label and not part.get("disabled") and part["type"] == 2 and part.get("style") != 5:
                if label in besides:
                    continue
                self.harness.clock.advance(A_STEP_MS)
                self.note((await who.forge(answer.message or {}, part["custom_id"])).text)
                await self.harness.settle()


async def _lobby(visit: Visit) -> None:
    harness = visit.harness
    ann, ben, cleo = harness.ann, harness.ben, harness.cleo
    await visit.leaf(ann, await visit.says(ann, "help"))
    await visit.leaf(ann, await visit.says(ann, "play"))
    await visit.says(ann, "tables")
    await visit.says(ann, "notify", how="message")
    await visit.says(ann, "rope-wall start", clock=0, invite=ben)
    for label in ("Manage", "Options", "Rules"):
        await visit.presses(ann, label)
    await visit.presses(cleo, "Join")
    await visit.presses(cleo, "Manage")
    await visit.presses(ben, "Decline the invite")
    await visit.presses(cleo, "Join")
    await visit.presses(cleo, "Manage")
    await visit.says(cleo, "play")
    await visit.presses(cleo, "Leave")
    await visit.presses(ann, "Add Trainee")
    await visit.presses(ann, "Remove computer", await visit.presses(ann, "Manage"))
    await visit.presses(ann, "Close the table")


async def _game(visit: Visit) -> None:
    harness = visit.harness
    ann, ben = harness.ann, harness.ben
    await visit.says(ann, "rope-wall start", clock=300)
    await visit.presses(ben, "Join")
    await visit.presses(ann, "Start")
    await visit.presses(harness.cleo, "Play")
    for number in range(4):
        await harness.awaited(2).press(harness.board(), harness.controls("push")[number])
    panel = await visit.presses(ann, "Play")
    await visit.leaf(ann, await visit.presses(ann, "More …", panel), ("Leave",))
    await visit.presses(ann, "Notify me …", await visit.presses(ann, "More …"))
    await visit.says(ann, "tables")
    await visit.says(ann, "doctor")
    await visit.says(ann, "verify", table=2)
    await visit.presses(ben, "Leave", await visit.presses(ben, "More …"))
    await harness.advance(60_000)
    await visit.presses(ann, "Resign the game", await visit.says(ann, "rope-wall resign"))
    await harness.settle()
    visit.sweep()
    await visit.presses(ann, "Rematch")
    await visit.presses(ann, "Replay")
    await visit.presses(ann, "Review")
    await harness.settle()
    await visit.presses(ann, "Leaderboard")


async def _records(visit: Visit) -> None:
    harness = visit.harness
    ann, ben = harness.ann, harness.ben
    for command, options in (
        ("leaderboard", {"game": "rope_wall"}),
        ("stats", {}),
        ("stats", {"against": ben}),
        ("history", {}),
        ("replay", {"table": 2}),
        ("verify", {"table": 2}),
    ):
        await visit.leaf(ann, await visit.says(ann, command, **options), ("Animation", "Export"))
    await visit.says(ann, "admin export", table=2)


async def _office(visit: Visit) -> None:
    harness = visit.harness
    ann, ben = harness.ann, harness.ben
    for command, options in (
        ("settings show", {}),
        ("settings channel add", {"channel": harness.yard}),
        ("settings channel all", {}),
        ("settings enders", {"who": "openers"}),
        ("settings season", {"months": 6}),
        ("settings mentions", {"style": "quiet"}),
        ("settings clock", {"game": "rope_wall", "time": 60}),
        ("settings clock", {"game": "chess", "time": 60}),
        ("admin end", {"table": 77}),
        ("doctor", {}),
        ("privacy hide", {"hidden": "on"}),
        ("privacy hide", {"hidden": "off"}),
        ("privacy export", {}),
    ):
        await visit.says(ann, command, **options)
    await visit.says(ann, "match-five start")
    await visit.says(ann, "admin repair", table=4)
    await visit.presses(ann, "End table 4", await visit.says(ann, "admin end", table=4))
    asked = await visit.says(ben, "privacy delete")
    await visit.presses(ben, "Keep it", asked)
    await visit.presses(ben, "Delete it all", await visit.says(ben, "privacy delete"))


@asynccontextmanager
async def _started() -> AsyncIterator[BotHarness]:
    same_seeds = SimpleNamespace(token_bytes=bytes)  # every run shows the same games
    with tempfile.TemporaryDirectory() as folder, overridden(), patch.object(moves, "secrets", same_seeds):
        async with patient_sandbox() as sandbox:
            harness = BotHarness(sandbox, Path(folder) / "cellblock.db")
            await harness.start()
            try:
                yield harness
                await harness.settle()
            finally:
                await harness.stop()


async def on_server() -> tuple[set[str], set[str]]:
    """Return the commands, and the texts found on a server outside the games."""
    async with _started() as harness:
        visit = Visit(harness)
        for part in (_lobby, _game, _records, _office):
            await part(visit)
        return set(of_commands(harness.sandbox.commands())), visit.found
