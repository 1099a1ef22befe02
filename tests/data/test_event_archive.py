"""Finished games are packed, and read back exactly as they were written; on both databases."""

import zlib

import pytest

from data.store import CorruptDatabase, DecisionRow, Store
from data.store.event_archive import (
    blank_packed,
    blank_words,
    pack,
    pack_decisions,
    read_events,
    unpack,
    unpack_decisions,
)
from data.store.games import NewDecision
from engine.contract import Moment
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, new, start_table, two
from tests.data.finished import PUSH, played
from tools.harness.raw_database import Raw

__all__ = ["database", "raw", "store"]  # fixtures

ODD = ["", "a", '{"text":"Zoë \\"\\n\\u0000 🐟"}', "[1, 2]", "no JSON"]


def test_any_packed_data_unpacks_unchanged():
    assert unpack(pack(ODD)) == ODD and unpack(pack([])) == []


def test_any_decision_unpacks_unchanged():
    decisions = [
        DecisionRow(0, None, NOON, None),
        *(DecisionRow(3 + at, at, NOON, text) for at, text in enumerate(ODD)),
    ]
    assert unpack_decisions(pack_decisions(decisions)) == decisions and unpack_decisions(pack_decisions([])) == []


@pytest.mark.parametrize("body", [b"", b"{}", pack(ODD)[:-5], pack_decisions([])[:-5]])
def test_what_is_damaged_says_so(body: bytes):
    for read in (unpack, unpack_decisions):
        with pytest.raises(CorruptDatabase, match="restore a copy"):
            read(body)


WORDS = {"note": ("text",)}
EVENT_WORDS = {"noted": ("text",)}


def test_events_are_read_from_a_number_on_whether_they_are_packed_or_in_rows():
    rows = [(number, body, None) for number, body in enumerate(ODD)]
    for first in range(len(ODD) + 1):
        assert read_events([(-1, None, pack(ODD))], first) == ODD[first:]
        assert read_events(rows[first:], first) == ODD[first:]


@pytest.mark.parametrize("body", [b'["a", 1]', b'[[0], ["x"], [0], [null]]', b"[]]", b"\xff"])
def test_what_was_packed_as_something_else_says_so(body: bytes):
    for read in (unpack, unpack_decisions):
        with pytest.raises(CorruptDatabase, match="restore a copy"):
            read(zlib.compress(body))


def test_only_the_words_of_actions_that_have_some_are_blanked():
    assert blank_words('{"do":"note","text":"Zoë"}', "do", WORDS) == '{"do":"note","text":""}'
    for other in ('{"do":"vote","text":"note"}', '{"do":"pass"}', '{"event":"note","text":"x"}'):
        assert blank_words(other, "do", WORDS) is None


def test_blanking_one_seats_words_in_a_packed_game_changes_nothing_else():
    actions = [None, *(f'{{"do":"note","text":"{who}"}}' for who in ("ann", "ben", "ann again"))]
    decisions = [
        DecisionRow(number, seat, NOON, action)
        for (number, seat), action in zip([(0, None), (1, 0), (3, 1), (4, 0)], actions, strict=True)
    ]
    events = ['{"event":"begun"}', *(f'{{"event":"noted","text":"{who}"}}' for who in ("ann", "ann", "ben", "ann"))]
    clean = blank_packed(pack_decisions(decisions), pack(events), 0, WORDS, EVENT_WORDS)
    assert clean is not None
    after, left = unpack_decisions(clean[0]), unpack(clean[1])
    blank = '{"do":"note","text":""}'
    assert [one.action for one in after] == [None, blank, actions[2], blank]
    gone = '{"event":"noted","text":""}'
    assert left == [events[0], gone, gone, events[3], gone]
    assert blank_packed(pack_decisions(decisions[:1]), pack(events[:1]), 0, WORDS, EVENT_WORDS) is None


async def test_what_happened_in_a_finished_game_lies_packed_and_of_others_in_rows(store: Store, raw: Raw):
    over = await played(store)
    running = await start_table(store)
    assert await store.games.events(over) == ["begun", "x", "x", "over"]
    assert await store.games.events(running.id) == ["a", "b"]
    decisions = await store.games.decisions(over)
    assert [(one.number, one.seat, one.action) for one in decisions] == [
        (0, None, None),
        (1, 0, PUSH),
        (2, 1, PUSH),
        (3, 1, PUSH),
    ]
    assert [one.number for one in await store.games.decisions(running.id)] == [0]
    for rows in ("events", "decisions"):
        assert raw(f"SELECT table_id FROM packed_{rows}") == [(over,)]
        assert raw(f"SELECT DISTINCT table_id FROM {rows}") == [(running.id,)]


async def test_a_game_that_ends_without_results_is_packed_too(store: Store, raw: Raw):
    await start_table(store)
    await store.games.append(
        1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None, status="over")
    )
    assert await store.games.events(1) == ["a", "b", "c"] and raw("SELECT number FROM events") == []


async def test_a_game_that_ended_before_there_was_packing_is_read_from_its_rows(store: Store, raw: Raw):
    over = await played(store)
    raw("DELETE FROM packed_events")
    raw("DELETE FROM packed_decisions")
    for number, body in enumerate(("begun", "over")):
        raw(f"INSERT INTO events (table_id, number, body) VALUES ({over}, {number}, '{body}')")
        raw(f"INSERT INTO decisions VALUES ({over}, {number}, {number}, {NOON}, '{body}')")
    assert await store.games.events(over) == ["begun", "over"]
    assert await store.games.decisions(over) == [DecisionRow(0, 0, NOON, "begun"), DecisionRow(1, 1, NOON, "over")]


async def test_a_long_game_takes_a_tenth_of_its_events(store: Store, raw: Raw):
    row = await store.tables.create(new(), two())
    body = '{{"event":"next","seat":2,"moment":{0},"at":{0}}}'
    events = [body.format(NOON + number * 1_717) for number in range(1_000)]
    await store.games.append(
        row.id, NewDecision(number=0, seat=None, at=NOON, action=None, events=events, due=None, status="playing")
    )
    await store.games.append(
        row.id, NewDecision(number=1_000, seat=0, at=NOON, action="x", events=["z"], due=None, status="over")
    )
    assert await store.games.events(row.id) == [*events, "z"]
    ((size,),) = raw("SELECT length(body) FROM packed_events")
    assert size < sum(map(len, events)) / 10


async def test_a_decision_like_the_others_of_its_game_takes_ten_bytes_at_most(store: Store, raw: Raw):
    row = await store.tables.create(new(), two())
    action = '{{"do":"extend","meld":{0},"cards":[{{"face":"r{0}"}}]}}'
    for number in range(200):
        await store.games.append(
            row.id,
            NewDecision(
                number=number,
                seat=number % 2,
                at=Moment(NOON + number * 1_717),
                action=action.format(number % 7),
                events=["x"],
                due=None,
                status="over" if number == 199 else "playing",
            ),
        )
    assert len(await store.games.decisions(row.id)) == 200
    ((size,),) = raw("SELECT length(body) FROM packed_decisions")
    assert size < 200 * 10
