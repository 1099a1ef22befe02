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
from tools.harness.bot_harness import BotHarness, patience

STARTED = itertools.count(1)

COLLECT_AFTER = 50
"""Each start takes all that is there out of the collector's sight, what former houses have left too: after so many, it
is looked through after all.
"""


@pytest.fixture(autouse=True)
def lot(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tables of a test draw the same seeds at every run, others than those of the next test."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(moves, "secrets", SimpleNamespace(token_bytes=drawn.randbytes))
    random.seed(request.node.nodeid)


@pytest.fixture
def place(tmp_path: Path) -> Path | str:
    """Where the house keeps what lasts."""
    return tmp_path / "house.db"


@pytest.fixture
async def patient(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """A sandbox for bots on a busy machine."""
    async with patience(monkeypatch) as sandbox:
        yield sandbox


@pytest.fixture
async def harness(patient: Sandbox, place: Path | str) -> AsyncIterator[BotHarness]:
    """The bot on a sandbox."""
    opened = BotHarness(patient, place)
    await opened.start()
    yield opened
    await opened.settle()
    assert not opened.client.answers.awaited  # whoever pressed was answered, or is gone
    await opened.stop()
    if next(STARTED) % COLLECT_AFTER == 0:
        gc.unfreeze()
        gc.collect()
