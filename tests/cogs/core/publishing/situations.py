"""Situations in which a person has a private page, and what happens to it.

A row has a situation, how it comes about, and steps: an act, or how many milliseconds pass, and what then happens to
the reader's page as Discord and the reader see it:

- "answered": it answers a press or command of its reader, or is changed by that answer
- "edited by token": it is edited by the token of an interaction, which Discord does not count
- "edited": it is edited by the bot's token, which Discord counts
- "rests": such an edit leaves only how to go on, or says since when the page is not updated
- "posted", "deleted": there is a new one, and one is gone
- "refused": Discord refused a call about it
- "": it is left alone
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.tables import moves
from sandbox import ActionResult, UserClient
from sandbox.world.events import Edited, Event, MessageDeleted, Posted
from sandbox.world.models import Message
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS

Json = dict[str, Any]

MINUTE = 60_000

SEED = 1


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed every row alike, whatever its text is."""
    monkeypatch.setattr(moves, "secrets", SimpleNamespace(token_bytes=random.Random(SEED).randbytes))
    random.seed(SEED)


@dataclass
class Scene:
    """A reader, and what has happened to their private pages since the last check."""

    harness: BotHarness
    reader: UserClient
    direct: bool = False
    """True if the reader's direct message is meant instead of their ephemeral page."""
    seen: list[str] = field(default_factory=list)
    calls: int = 0
    resting: bool = False

    def __post_init__(self) -> None:
        self.harness.sandbox.state.listeners.append(self._hear)
        self.calls = len(self.harness.sandbox.calls)
        self.resting = self._rests(self.page())

    def pages(self) -> list[Json]:
        """Return the private pages that the reader has, oldest first."""
        return self.reader.dms() if self.direct else self.reader.ephemerals(self.harness.yard)

    def page(self) -> Json:
        """Return the newest of them."""
        return self.pages()[-1] if self.pages() else {}

    @property
    def text(self) -> str:
        """All text on it."""
        return UserClient.visible_text(self.page())

    async def press(self, label: str) -> ActionResult:
        """Press a button on it as the reader."""
        return await self.harness.press(self.reader, label, self.page())

    def happened(self) -> str:
        """Return what has happened to it since the last call."""
        place = f"/channels/{self.reader.dm.id}/messages" if self.direct else "/webhooks/"
        places = (place, "/webhooks/")
        new = self.harness.sandbox.calls[self.calls :]
        refused = [call for call in new if call.path.startswith(places) and not 200 <= call.status < 300]
        found = ", ".join([*self.seen, *("refused" for _ in refused)])
        self.seen.clear()
        self.calls = len(self.harness.sandbox.calls)
        return found

    def _hear(self, event: Event) -> None:
        if isinstance(event, (Posted, Edited, MessageDeleted)) and self._is_theirs(event.message):
            self.seen.append(self._named(event))

    def _is_theirs(self, message: Message) -> bool:
        if self.direct:
            return message.channel is self.reader.dm
        return message.reader is not None and message.reader.id == self.reader.id

    def _named(self, event: Posted | Edited | MessageDeleted) -> str:
        route = self.harness.sandbox.state.route
        if isinstance(event, MessageDeleted):
            return "deleted"
        before, self.resting = self.resting, self._rests(event.message.json)
        if route.startswith("/interactions/"):
            return "answered"
        if isinstance(event, Posted):
            return "posted"
        how = "edited by token" if route.startswith("/webhooks/") else "edited"
        return f"{how}, rests" if self.resting and not before else how

    def _rests(self, page: Json) -> bool:
        text = UserClient.visible_text(page)
        return "last updated " in text or "This page stopped updating" in text


Act = Callable[[Scene], Awaitable[Any]]
Begin = Callable[[BotHarness], Awaitable[Scene]]


@dataclass(frozen=True)
class Situation:
    """A row of the table. A step is an act, or how many milliseconds pass, and what then happens to the page."""

    words: str
    begin: Begin
    steps: tuple[tuple[Act | int, str], ...]


def row(words: str, begin: Begin, *steps: tuple[Act | int, str]) -> Any:
    """Return a row; its id is its text."""
    return pytest.param(Situation(words, begin, steps), id=words.replace(" ", "_"))


def wanted(situation: Situation) -> list[str]:
    """Return the expected steps as text, one per line."""
    return [_line(number, act, what) for number, (act, what) in enumerate(situation.steps, 1)]


async def found(harness: BotHarness, situation: Situation) -> list[str]:
    """Play a situation, and return what happens in the same form."""
    scene, lines = await situation.begin(harness), list[str]()
    for number, (act, _) in enumerate(situation.steps, 1):
        if isinstance(act, int):
            await harness.advance(act)
        else:
            await act(scene)
            await harness.settle()
        lines.append(_line(number, act, scene.happened()))
    return lines


def _line(number: int, act: Act | int, what: str) -> str:
    name = f"{act:_} ms pass" if isinstance(act, int) else act.__name__.replace("_", " ")
    return f"{number}. {name}: {what or 'left alone'}"


# What people do


async def others_move(scene: Scene) -> None:
    """Make a move by a command as the player to act, who is not the reader."""
    harness = scene.harness
    assert harness.awaited() is not scene.reader
    await _by_command(harness)


async def reader_moves(scene: Scene) -> None:
    """Make a move by a command as the reader, who is to act."""
    assert scene.harness.awaited() is scene.reader
    await _by_command(scene.harness)


async def moves_come_round(scene: Scene) -> None:
    """Make moves of the others until the reader is to act, three seconds apart."""
    while scene.harness.awaited() is not scene.reader:
        await _by_command(scene.harness)
        await scene.harness.settle()


async def _by_command(harness: BotHarness) -> None:
    key, before = harness.messages().table.game.key, harness.snapshot().version
    await DRIVERS[key].by_commands(harness, random.Random(before))
    assert harness.snapshot().version > before


def presses(label: str) -> Act:
    """Press a button of the page as the reader."""

    async def press(scene: Scene) -> None:
        await scene.press(label)

    press.__name__ = f"presses {label!r}"
    return press


def presses_at_the_table(label: str) -> Act:
    """Press a button of the table message as the reader."""

    async def press(scene: Scene) -> None:
        await scene.harness.press(scene.reader, label)

    press.__name__ = f"presses {label!r} at the table"
    return press


def shows(words: str, *, not_: str = "") -> Act:
    """Check the text of the page."""

    async def look(scene: Scene) -> None:
        assert words in scene.text and (not not_ or not_ not in scene.text), scene.text

    look.__name__ = f"shows {words!r}"
    return look


def discord_fails(method: str, path: str, status: int, times: int = 1, code: int = 0) -> Act:
    """Order failures of the next calls."""

    async def fail(scene: Scene) -> None:
        body = {"code": code, "message": "refused"} if code else None
        place = path.replace("{dm}", scene.reader.dm.id)
        scene.harness.sandbox.fault(method, place, status, times=times, body=body)

    fail.__name__ = f"Discord answers {status} {code or ''}".strip()
    return fail


def discord_loses_its_answer(method: str, path: str) -> Act:
    """Lose the answer of the next such call, which takes effect."""

    async def lose(scene: Scene) -> None:
        scene.harness.sandbox.fault(method, path.replace("{dm}", scene.reader.dm.id), 503, drop=True)

    lose.__name__ = "Discord loses its answer"
    return lose


async def discord_is_back(scene: Scene) -> None:
    """Let all calls get through again."""
    scene.harness.sandbox.mend()


async def the_bot_restarts(scene: Scene) -> None:
    """Restart the bot; another person looks at the table."""
    await scene.harness.restart()
    assert await scene.harness.client.inbound.finder.find(1) is not None


async def the_table_is_closed(scene: Scene) -> None:
    """End the game as a moderator."""
    await scene.harness.client.tables.registry.end(1, lambda: "Closed.")


async def somebody_looks_at_the_table(scene: Scene) -> None:
    """Load the table into memory again."""
    assert await scene.harness.client.inbound.finder.find(1) is not None


async def the_bot_is_thrown_out(scene: Scene) -> None:
    """Remove the bot from the server."""
    harness = scene.harness
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: harness.client.get_guild(int(harness.guild.id)) is None)


async def the_reader_leaves(scene: Scene) -> None:
    """Leave the game as the reader, by the table message."""
    await scene.harness.leave(scene.reader)


async def everybody_is_told_by_direct_message(harness: BotHarness) -> None:
    """Let every player choose direct messages for their turn."""
    for person in (harness.ann, harness.ben, harness.cleo):
        await person.command(harness.yard, "notify", how="message")
