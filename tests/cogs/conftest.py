"""Fixtures with the whole bot on a sandbox."""

import gc
import itertools
import random
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from cogs.core.tables import moves
from sandbox import Sandbox
from tools.harness.bot_harness import BotHarness, open_sandbox, overrides

STARTED = itertools.count(1)

COLLECT_AFTER = 50
"""Each start of the bot freezes the garbage collector's objects, those of earlier tests too. After this many tests they
are collected.
"""


@pytest.fixture(autouse=True)
def seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the tables of a test the same seeds in every run, and each test its own."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(moves, "secrets", SimpleNamespace(token_bytes=drawn.randbytes))
    random.seed(request.node.nodeid)


@pytest.fixture
def place(tmp_path: Path) -> Path | str:
    """The bot's database."""
    return tmp_path / "cellblock.db"


@pytest.fixture
async def patient(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """A sandbox for bots on a busy machine. In the end no rule of Discord may be broken."""
    for target, name, value in overrides():
        monkeypatch.setattr(target, name, value)
    async with open_sandbox() as sandbox:
        yield sandbox


@pytest.fixture
async def harness(patient: Sandbox, place: Path | str) -> AsyncIterator[BotHarness]:
    """The bot on a sandbox."""
    opened = BotHarness(patient, place)
    await opened.start()
    yield opened
    await opened.settle()
    assert not opened.client.answers.unanswered  # every click was answered, or its sender is gone
    await opened.stop()
    if next(STARTED) % COLLECT_AFTER == 0:
        gc.unfreeze()
        gc.collect()
