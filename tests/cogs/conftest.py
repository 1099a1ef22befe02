"""Fixtures with the whole bot on a sandbox."""

import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from cogs.core.drawing import sprites
from cogs.core.tables import moves
from sandbox import Sandbox
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import open_sandbox, overrides
from tools.harness.raw_database import empty_database


@pytest.fixture(autouse=True)
def seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed tables and the global generator from the test's id, so that every run is the same."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(moves, "secrets", SimpleNamespace(token_bytes=drawn.randbytes))
    random.seed(request.node.nodeid)


@pytest.fixture
def nothing_drawn() -> Iterator[None]:
    """Forget the bitmaps that earlier tests have drawn. At the end they are there again, for later tests."""
    kept = dict(sprites.bitmaps)
    sprites.bitmaps.clear()
    yield
    sprites.bitmaps.clear()
    sprites.bitmaps.update(kept)


@pytest.fixture
def database_address(tmp_path: Path) -> Path | str:
    """Return the address of the bot's database."""
    return empty_database(tmp_path / "cellblock.db")


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """A sandbox that tolerates slow bots. Fails if the bot breaks a rule of Discord."""
    for target, name, value in overrides():
        monkeypatch.setattr(target, name, value)
    async with open_sandbox() as sandbox:
        yield sandbox


@pytest.fixture
async def harness(sandbox: Sandbox, database_address: Path | str) -> AsyncIterator[BotHarness]:
    """The bot on a sandbox."""
    opened = BotHarness(sandbox, database_address)
    await opened.start()
    yield opened
    await opened.settle()
    assert not opened.client.answers.unanswered  # every click was answered, or its user is gone
    await opened.stop()
