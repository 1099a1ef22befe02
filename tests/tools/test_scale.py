"""The estimates for more servers follow from the measurements, and docs/scale.md is up to date."""

import itertools

import pytest

from tools.scale import figures, growth, queues
from tools.scale.__main__ import BEGIN, END, PAGE, SIZES, written
from tools.scale.growth import CALLS, COMMITS, STARTS, grown, most_servers, used

SECONDS = 200.0


def test_the_page_states_what_the_simulation_gives() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "python -m tools.scale --write"


def test_a_page_without_the_two_marks_is_refused() -> None:
    for page in ("", BEGIN, END, END + BEGIN):
        with pytest.raises(ValueError, match="no marks"):
            written(page)


def test_every_figure_says_from_where_it_is() -> None:
    for name, figure in figures.ALL.items():
        assert figure.value > 0 and figure.unit and figure.source, name
        assert ("https://docs.discord.com/" in figure.source) or figure.kind != "Discord", name


def test_no_second_has_more_calls_than_discord_takes() -> None:
    waits = queues.calls(500.0, 1_000_000, limit=50, seconds=SECONDS)
    assert waits.longest > 500, "ten times too many pile up"
    few = queues.calls(500.0, 20, limit=50, seconds=SECONDS)
    assert few.served <= 50 * SECONDS
    assert few.spared > 0.8


def test_a_call_is_at_once_while_there_are_few_of_them() -> None:
    assert queues.calls(5.0, 1_000, limit=50).longest == 0.0
    assert 0.0 < queues.calls(49.0, 1_000_000, limit=50).p95 < 30.0


def test_no_table_waits_longer_than_all_of_them_take_once_each() -> None:
    """Spared work keeps the queue as long as there are tables, however much is played."""
    waits = queues.calls(1_000.0, 500, limit=50, seconds=SECONDS)
    assert 9.0 < waits.p95 <= waits.longest <= 500 / 50 + 1


@pytest.mark.parametrize("busy", [0.2, 0.5, 0.8])
def test_clicks_wait_as_the_textbook_says(busy: float) -> None:
    """With one time for all, the mean is s + s·ρ / 2(1 - ρ) (Pollaczek and Khinchine)."""
    spent = 0.01
    waits = queues.clicks([(busy / spent, spent)], seconds=2_000.0)
    assert waits.mean == pytest.approx(spent + spent * busy / (2 * (1 - busy)), rel=0.05)
    assert queues.clicks([(busy / spent, spent), (0.0, 9.0)], seconds=2_000.0).p95 == pytest.approx(waits.p95, rel=0.1)


def test_the_same_question_has_the_same_answer() -> None:
    assert queues.calls(60.0, 100) == queues.calls(60.0, 100)
    assert queues.clicks([(50.0, 0.01)]) == queues.clicks([(50.0, 0.01)])


def test_everything_grows_with_the_servers() -> None:
    all_of = [grown(servers) for servers in SIZES]
    for less, more in itertools.pairwise(all_of):
        for name in ("tables", "moves", "answers", "calls", "commits", "shards", "stored_bytes_a_day"):
            assert getattr(less, name) < getattr(more, name), name
        assert less.processes <= more.processes and less.connections <= more.connections
        assert all(less.used[what] < more.used[what] for what in (CALLS, COMMITS))


@pytest.mark.parametrize("servers", [1, 1_000, 36_000, 50_000, 50_001, 1_000_000])
def test_no_process_is_too_busy_and_no_shard_has_more_servers_than_discord_allows(servers: int) -> None:
    one = grown(servers)
    looks = one.moves * (growth.value("presses a move") - 1)
    spent = one.moves * growth.value("processor a move") + looks * growth.value("processor a look")
    assert spent / 1_000 / one.processes <= growth.value("busy")
    assert one.processes == 1 or growth.processes_for(servers, one.moves, looks) * growth.value("busy") >= spent / 1_000
    assert servers / one.processes <= growth.value("servers a process")
    assert servers / one.shards <= growth.value("servers a shard, at most")
    assert one.connections == one.processes * growth.value("connections a process")


@pytest.mark.parametrize(
    ("servers", "starts", "at_once"),
    [(1, 1_000, 1), (149_999, 1_000, 1), (150_000, 2_000, 16), (400_000, 2_000, 16), (400_200, 2_001, 16)],
)
def test_a_large_bot_may_identify_oftener(servers: int, starts: int, at_once: int) -> None:
    assert growth.starts_a_day(servers) == starts
    assert growth.identifies_at_once(servers) == at_once


@pytest.mark.parametrize(
    ("servers", "seconds"),
    [(1_000, 0.0), (1_001, 5.5), (149_000, 814.0), (160_000, 49.5), (160_001, 55.0)],
)
def test_shards_identify_one_after_the_other_and_those_of_a_large_bot_sixteen_at_once(
    servers: int, seconds: float
) -> None:
    assert grown(servers).identified_s == seconds


@pytest.mark.parametrize("what", [CALLS, COMMITS])
def test_one_server_more_than_the_most_is_too_many(what: str) -> None:
    most = most_servers(what)
    assert used(what, most) <= 1 < used(what, most + 1)


def test_what_breaks_first_is_what_is_used_most() -> None:
    one = grown(100_000)
    assert one.used[one.first] == max(one.used.values()) and set(one.used) == {CALLS, COMMITS, STARTS}
    with pytest.raises(ValueError, match="is not limited"):
        used("sleep", 1)
