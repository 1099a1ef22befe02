"""Finished games are kept packed: what is read of them stays as it was written, over every database."""

import pytest

from data.store import CorruptDatabase, Store
from data.store.packing import pack, unpack
from tests.data.both import Raw, database, raw, store
from tests.data.conftest import NOON, begun, new, two
from tests.data.finished import played

__all__ = ["database", "raw", "store"]  # fixtures

ODD = ["", "a", '{"text":"Zoë \\"\\n\\u0000 🐟"}', "[1, 2]", "no JSON"]


def test_whatever_is_packed_comes_out_as_it_was():
    assert unpack(pack(ODD)) == ODD and unpack(pack([])) == []


@pytest.mark.parametrize("body", [b"", b"{}", pack(ODD)[:-5]])
def test_what_is_damaged_says_so(body: bytes):
    with pytest.raises(CorruptDatabase, match="restore a copy"):
        unpack(body)


async def test_the_events_of_a_finished_game_lie_packed_and_those_of_others_in_rows(store: Store, raw: Raw):
    over = await played(store)
    running = await begun(store)
    assert await store.games.events(over) == ["begun", "x", "x", "over"]
    assert await store.games.events(running.id) == ["a", "b"]
    assert raw("SELECT table_id FROM packed_events") == [(over,)]
    assert raw("SELECT DISTINCT table_id FROM events") == [(running.id,)]


async def test_a_game_that_ends_without_results_is_packed_too(store: Store, raw: Raw):
    await begun(store)
    await store.games.append(1, number=2, seat=0, at=NOON, action="x", events=["c"], due=None, status="over")
    assert await store.games.events(1) == ["a", "b", "c"] and raw("SELECT number FROM events") == []


async def test_a_game_that_ended_before_there_was_packing_is_read_from_its_rows(store: Store, raw: Raw):
    over = await played(store)
    raw("DELETE FROM packed_events")
    for number, body in enumerate(("begun", "over")):
        raw(f"INSERT INTO events (table_id, number, body) VALUES ({over}, {number}, '{body}')")
    assert await store.games.events(over) == ["begun", "over"]


async def test_a_long_game_takes_a_tenth_of_its_events(store: Store, raw: Raw):
    row = await store.tables.create(new(), two())
    body = '{{"event":"next","seat":2,"moment":{0},"at":{0}}}'
    events = [body.format(NOON + number * 1_717) for number in range(1_000)]
    await store.games.append(
        row.id, number=0, seat=None, at=NOON, action=None, events=events, due=None, status="playing"
    )
    await store.games.append(row.id, number=1_000, seat=0, at=NOON, action="x", events=["z"], due=None, status="over")
    assert await store.games.events(row.id) == [*events, "z"]
    ((size,),) = raw("SELECT length(body) FROM packed_events")
    assert size < sum(map(len, events)) / 10
