"""How much time a table has lost while the bot did not run."""

from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.tables.playable import Playable
from data.store.downtime import Run, Runs
from engine.contract import Moment

NOON, DAY_MS = 1_795_608_000_000, 86_400_000


@pytest.mark.parametrize("ahead_ms", [0, DAY_MS, -60_000], ids=["right", "ahead", "stopped meanwhile"])
def test_lost_time_ends_when_presses_arrive_whatever_clock_the_machine_started_with(ahead_ms: int):
    before = Run(1, Moment(NOON - DAY_MS), Moment(NOON))
    began = Moment(NOON + 60_000 + ahead_ms)
    store: Any = SimpleNamespace(runs=Runs([before, Run(2, began, began)]))
    conditions: Any = SimpleNamespace(served_from=lambda guild: Moment(NOON + 62_000))
    clock: Any = SimpleNamespace(now=lambda: Moment(NOON + 90_000))
    playable = Playable(store, clock)
    playable.conditions = conditions
    table: Any = SimpleNamespace(run=1, guild=1)
    assert playable.lost_ms(table) == 62_000
