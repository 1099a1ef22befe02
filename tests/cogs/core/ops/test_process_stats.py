"""The statistics that a process reports of itself, and their wording."""

from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.ops.process_stats import (
    LATE_MS,
    MAX_LISTED,
    WINDOW_S,
    LoopLag,
    ProcessStats,
    process_report,
    read_process_stats,
)
from data.store.shards import Lease, Process
from engine.contract import Moment


def shards(*figures: str, held: dict[int, int] | None = None, count: int = 4) -> Any:
    """Return processes numbered from 1 (the first is this one) with their shards."""
    there = {
        number: Process(number, "host", 7, "1.0", Moment(1_000), Moment(2_000), Moment(9_000), None, count, False, told)
        for number, told in enumerate(figures, 1)
    }
    leases = {shard: Lease(shard, count, who, 1, Moment(0), None) for shard, who in (held or {}).items()}
    return SimpleNamespace(process=1, processes=there, leases=leases, count=count)


@pytest.mark.parametrize("figures", ["", "?", "{}", '{"servers":"many"}', "[]"])
def test_figures_that_cannot_be_read_count_as_none(figures: str):
    assert read_process_stats(figures) == ProcessStats()


def test_figures_of_another_version_are_read_as_far_as_they_are_known():
    assert read_process_stats('{"servers":3,"ready":[1],"weather":"fine"}') == ProcessStats(servers=3)


def test_the_worst_recent_delay_is_reported():
    now = [0.0]
    lag = LoopLag(lambda: now[0])
    assert lag.worst_ms() == 0
    for second, late in enumerate((0.001, 0.2, 0.05)):
        now[0] = float(second)
        lag.add(late)
    assert lag.worst_ms() == 200
    now[0] = 1.0 + WINDOW_S
    assert lag.worst_ms() == 200
    now[0] += 0.001
    assert lag.worst_ms() == 50
    now[0] += WINDOW_S
    assert lag.worst_ms() == 0


def test_shards_are_named_as_ranges_and_those_of_nobody_ail():
    words, ailing = process_report(shards("{}", "{}", held={0: 1, 1: 1, 2: 1, 3: 2}), False, None)
    assert not ailing and "Serves shards 0–2 · " in words and "Serves shard 3 · " in words
    words, ailing = process_report(shards("{}", held={0: 1, 2: 2}), False, None)
    assert ailing and "Serves shard 0 · " in words and "✗ No process serves shards 1–3 at the moment." in words
    words, ailing = process_report(shards("{}", "{}", held=dict.fromkeys(range(4), 1)), False, None)
    assert not ailing and "On standby · " in words


def test_a_long_list_of_processes_shows_the_first_ones_with_this_one_on_top():
    found = shards(*["{}"] * (MAX_LISTED + 3), held=dict.fromkeys(range(4), 2))
    found.process = 5
    words, _ = process_report(found, False, None)
    assert words.startswith("**Process 5** (this one)") and words.count("**Process ") == MAX_LISTED
    assert "and 3 more" in words


def test_a_process_that_has_too_much_to_do_is_marked():
    late, well = (f'{{"lag_ms":{lag}}}' for lag in (LATE_MS + 1, LATE_MS))
    words, _ = process_report(shards(late, well, held=dict.fromkeys(range(4), 1)), False, None)
    assert f"✗ event loop up to {LATE_MS + 1} ms" in words and f"· event loop up to {LATE_MS} ms" in words
