"""The records: which finished games count where, and how they are read back."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.store import Conflict, ResultRow, SeatChange, Store, StoreError, TableChange
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite.database_file import connect_writer
from data.store.sqlite.migrate import read_migrations
from data.store.sqlite_store import open_sqlite
from engine.contract import Moment
from engine.results import Board, FinishedGame, PlayerResult, Score, placed
from engine.standings import Leaderboard
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, Time, new
from tests.data.finished import PUSH, RESIGN, played, played_once, seat
from tools.harness.raw_database import Raw

__all__ = ["database", "raw", "store"]  # fixtures


async def tables(store: Store, board: Board, *, after: int = 0, **stretch: Moment) -> list[int]:
    """Return the tables that count on a board of the Rope Wall."""
    games = await store.records.ended(Leaderboard(1, "rope_wall", board, **stretch), after=after, most=100)
    return [game.table for game in games]


async def test_a_game_of_people_who_all_moved_is_ranked(store: Store):
    table = await played(store)
    (game,) = await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=10)
    assert (game.table, game.board, game.at) == (table, "ranked", NOON)
    assert [(side.user, side.name, side.place, side.score) for side in game.sides] == [
        (10, "User 10", 1, 9),
        (11, "User 11", 2, 8),
    ]
    assert await tables(store, "casual") == []


async def test_a_game_with_a_computer_player_is_casual(store: Store):
    table = await played(store, 10, None)
    assert (await tables(store, "casual"), await tables(store, "ranked")) == ([table], [])


async def test_a_caretaker_at_the_end_leaves_a_game_of_people_ranked(store: Store):
    table = await played(store, seats={1: SeatChange(caretaker=True, forfeit=1)})
    assert (await tables(store, "casual"), await tables(store, "ranked")) == ([], [table])


async def test_a_game_counts_although_who_left_had_never_moved(store: Store):
    table = await played(store, movers=(0,), last=RESIGN, seats={1: SeatChange(caretaker=True, forfeit=1)})
    assert await tables(store, "ranked") == [table]


async def test_a_game_ended_by_agreement_counts_and_has_no_scores(store: Store):
    row = await store.tables.create(new(), [seat(0, 10), seat(1, 11)])
    await store.games.append(
        row.id, NewDecision(number=0, seat=None, at=NOON, action=None, events=["a"], due=None, status="playing")
    )
    moved = {0: SeatChange(moved=True)}
    await store.games.append(
        row.id, NewDecision(number=1, seat=0, at=NOON, action=PUSH, events=["b"], due=None, seats=moved)
    )
    results = [ResultRow(s, 10 + s, s + 1, None, "left", NOON, 1, "rope_wall") for s in (0, 1)]
    gone = SeatChange(caretaker=True, forfeit=1)
    closed = await store.seats.update_many(row.id, {1: gone}, TableChange(status="closed", ended_at=NOON), results)
    assert (closed.status, closed.ended_at) == ("closed", NOON)
    (game,) = await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=10)
    assert [(side.place, side.score) for side in game.sides] == [(1, None), (2, None)]
    assert (await store.seats.of(row.id))[1].forfeit == 1


async def test_a_change_of_seats_that_fails_half_way_leaves_nothing(store: Store):
    row = await store.tables.create(new(), [seat(0, 10), seat(1, 11)])
    wrong = ResultRow(0, 10, 0, None, "left", NOON, 1, "rope_wall")  # there is no place 0
    with pytest.raises(StoreError):
        await store.seats.update_many(row.id, {1: SeatChange(caretaker=True)}, TableChange(status="closed"), [wrong])
    assert await store.tables.get(row.id) == row
    assert not (await store.seats.of(row.id))[1].caretaker


async def test_a_game_in_which_a_player_never_moved_counts_on_no_leaderboard(store: Store):
    await played(store, movers=(0,), last=RESIGN)  # giving up is no move
    assert (await tables(store, "casual"), await tables(store, "ranked")) == ([], [])
    (game,) = await store.records.games_of(11, 1, most=10)  # but they did play it
    assert game.board is None


async def test_giving_up_after_a_move_counts(store: Store):
    table = await played(store, last=RESIGN)
    assert await tables(store, "ranked") == [table]


async def test_boards_are_kept_apart_by_server_and_game_and_read_on_from_a_number(store: Store):
    first = await played(store)
    await played(store, guild=2)
    await played(store, game="ausbrecher")
    second = await played(store)
    assert await tables(store, "ranked") == [first, second]
    (game, _) = await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=10)
    assert await tables(store, "ranked", after=game.number) == [second]
    assert [game.table for game in await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=1)] == [first]


async def test_a_stretch_of_time_includes_its_first_moment_and_not_its_last(store: Store):
    for minutes in (0, 1, 2):
        await played(store, minutes=minutes)
    since, until = Moment(NOON + 60_000), Moment(NOON + 120_000)
    assert await tables(store, "ranked", since=since, until=until) == [2]
    assert await tables(store, "ranked", since=since) == [2, 3]
    assert await tables(store, "ranked", until=until) == [1, 2]


async def test_a_refused_last_move_leaves_no_ending(store: Store):
    table = await played(store)
    with pytest.raises(Conflict):
        await store.games.append(
            table,
            NewDecision(
                number=0,
                seat=0,
                at=NOON,
                action=PUSH,
                events=["late"],
                due=None,
                results=[ResultRow(0, 10, 1, 9, "escaped", NOON, 1, "rope_wall")],
            ),
        )
    assert await tables(store, "ranked") == [table]


async def test_a_crash_right_after_the_last_move_loses_no_ending_and_doubles_none(
    path: Path, time: Time, tmp_path: Path
):
    copy = tmp_path / "copy.db"
    async with open_store(path, now=time.now) as store:
        await played(store)
        for name in ("", "-wal"):  # the files on disk at this moment, as a crash would leave them
            copy.with_name(copy.name + name).write_bytes(path.with_name(path.name + name).read_bytes())
    for _ in range(2):
        async with open_store(copy, now=time.now) as again:
            assert await tables(again, "ranked") == [1]


def as_of(last: int, path: Path, time: Time) -> None:
    """Make a database as it was when this migration was the newest, with a run of the bot."""
    steps = [step for step in read_migrations() if step.number <= last]
    with closing(connect_writer(path, steps, time.now(), None)) as db:
        db.execute("INSERT INTO runs (started_at, alive_at) VALUES (?, ?)", (time.now(), time.now()))


async def test_games_that_ended_before_there_were_boards_are_counted_once(path: Path, time: Time):
    as_of(1, path, time)
    with closing(sqlite3.connect(path)) as db:
        for table in (2, 1):
            played_once(db, table)
        played_once(db, 3, computer=True)
        db.commit()
    for _ in range(2):
        async with open_store(path, now=time.now) as store:
            assert await tables(store, "ranked") == [1, 2]  # in the order in which they ended
            assert await tables(store, "casual") == [3]


async def test_earlier_games_keep_their_boards_and_those_under_way_with_a_caretaker_stay_casual(path: Path, time: Time):
    as_of(3, path, time)
    with closing(sqlite3.connect(path)) as db:
        played_once(db, 1, caretaker=True)
        played_once(db, 2)
        played_once(db, 3, "playing", caretaker=True)
        played_once(db, 4, "playing")
        db.commit()
        kept = db.execute("SELECT * FROM results").fetchall()
    async with open_store(path, now=time.now) as store:
        assert (await tables(store, "casual"), await tables(store, "ranked")) == ([1], [2])
        for table, casual in ((3, True), (4, False)):
            row = await store.tables.get(table)
            assert row is not None and row.casual is casual
            results = [ResultRow(s, 10 + s, s + 1, 1, "prisoners", NOON, 1, "rope_wall") for s in (0, 1)]
            await store.seats.update_many(table, {}, TableChange(status="closed"), results)
        assert (await tables(store, "casual"), await tables(store, "ranked")) == ([1, 3], [2, 4])
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT * FROM results WHERE table_id < 3").fetchall() == kept


async def test_resigning_or_being_ready_is_no_move_even_in_a_game_of_an_earlier_version(path: Path, time: Time):
    as_of(8, path, time)
    idle = ['{"do":"ready","round":1}', RESIGN]
    with closing(sqlite3.connect(path)) as db:
        for table, action in enumerate([PUSH, *idle], 1):
            played_once(db, table, "playing")
            db.execute("UPDATE decisions SET action = ? WHERE table_id = ? AND seat = 1", (action, table))
        db.commit()
    async with open_store(path, now=time.now) as store:
        for table in (1, 2, 3):
            assert [row.moved for row in await store.seats.of(table)] == [True, table == 1]
            results = [ResultRow(s, 10 + s, s + 1, 1, "prisoners", NOON, 1, "rope_wall") for s in (0, 1)]
            await store.seats.update_many(table, {}, TableChange(status="over"), results)
        assert await tables(store, "ranked") == [1]


async def test_results_that_are_taken_back_count_no_more(store: Store, raw: Raw):
    await played(store)
    raw('UPDATE results SET "user" = NULL WHERE "user" = 11')
    (game,) = await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=10)
    assert [side.player for side in game.sides] == [10, None]
    raw("DELETE FROM results")
    assert await tables(store, "ranked") == []


async def test_a_history_has_the_last_game_first_page_by_page(store: Store):
    for game in ("rope_wall", "ausbrecher", "rope_wall"):
        await played(store, game=game)
    await played(store, guild=2)
    records = store.records
    assert [game.table for game in await records.games_of(10, 1, most=2)] == [3, 2]
    assert [game.table for game in await records.games_of(10, 1, most=2, skip=2)] == [1]
    assert [game.table for game in await records.games_of(10, 1, "ausbrecher", most=9)] == [2]
    assert await records.played(10, 1) == {"rope_wall": 2, "ausbrecher": 1}
    assert await records.games_of(99, 1, most=9) == []


async def test_a_score_counts_who_came_out_before_the_other(store: Store):
    await played(store, 10, 11, 12, places=(1, 2, 2))
    await played(store, 10, 11, places=(2, 1))
    await played(store, 12, 11, places=(1, 1))
    records = store.records
    assert await records.score(10, 11, 1) == Score(1, 0, 1)
    assert await records.score(11, 12, 1, "rope_wall") == Score(0, 2, 0)
    assert await records.score(10, 11, 1, "ausbrecher") == Score()
    assert [game.table for game in await records.meetings(10, 11, 1, most=5)] == [2, 1]
    rivals = await records.rivals(10, 1, most=5)
    assert [(rival.user, rival.name, rival.score.games) for rival in rivals] == [(11, "User 11", 2), (12, "User 12", 1)]


async def test_hidden_people_are_left_out_of_rivals(store: Store, raw: Raw):
    await played(store)
    raw("INSERT INTO hidden_users VALUES (11)")
    assert await store.records.hidden() == {11}
    assert await store.records.rivals(10, 1, most=5) == []


async def test_a_setting_is_read_by_server_and_name(store: Store, raw: Raw):
    assert await store.records.setting(1, "season_months") is None
    raw("INSERT INTO settings VALUES (1, 'season_months', '3')")
    assert await store.records.setting(1, "season_months") == "3"
    assert await store.records.setting(2, "season_months") is None


def test_a_game_is_drawn_when_all_share_the_first_place_and_won_by_those_who_do_not_share_it_with_all():
    def ended(*places: int) -> FinishedGame:
        sides = tuple(PlayerResult(seat, seat, None, "", place, 0) for seat, place in enumerate(places))
        return FinishedGame(1, 1, "rope_wall", "ranked", NOON, sides)

    assert ended(1, 1).drawn and not ended(1, 1, 3).drawn
    assert [ended(1, 1).won(side) for side in ended(1, 1).sides] == [False, False]
    assert [ended(1, 1, 3).won(side) for side in ended(1, 1, 3).sides] == [True, True, False]


@pytest.mark.parametrize(
    ("places", "forfeits", "expected"),
    [
        ((1, 2), (None, None), (1, 2)),
        ((1, 2), (1, None), (2, 1)),  # the winner of the game had left
        ((2, 1, 3, 4), (None, 1, None, 2), (1, 4, 2, 3)),  # the first to leave is the last
        ((1, 1, 1), (None, None, 1), (1, 1, 3)),
        ((1, 2, 3, 4), (1, 1, None, None), (3, 3, 1, 2)),  # players who left at the same moment share the place
        ((1, 2, 3, 4), (3, 2, 1, None), (2, 3, 4, 1)),
    ],
)
def test_a_leaver_takes_the_last_place_among_those_still_in(
    places: tuple[int, ...], forfeits: tuple[int | None, ...], expected: tuple[int, ...]
):
    assert placed(places, forfeits) == expected


async def test_a_persons_games_are_found_by_their_index_not_among_all_results(
    path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
):
    asked: list[tuple[str, dict[str, object]]] = []
    async with open_sqlite(path, now=time.now) as store:
        await played(store)
        read = store.database.read

        async def noting(sql: str, **values: object) -> list[tuple[object, ...]]:
            asked.append((sql, values))
            return await read(sql, **values)

        monkeypatch.setattr(store.database, "read", noting)
        await store.records.played(10, 1)
        await store.records.channels_of(10, 1)
        await store.records.games_of(10, 1, "rope_wall", most=5)
        await store.records.rivals(10, 1, most=5)
        await store.records.meetings(10, 11, 1, most=5)
        await store.records.score(10, 11, 1)
        assert len(asked) == 6
        for sql, values in asked:
            plan = [row[3] for row in await read(f"EXPLAIN QUERY PLAN {sql}", **values)]
            assert [step for step in plan if step.startswith("SEARCH mine")] == [
                "SEARCH mine USING INDEX results_of_user (user=?)"
            ]


async def test_practice_is_read_by_who_played_it_the_last_game_first(store: Store):
    for user, guild in ((10, 0), (10, 1), (11, 0), (10, 0)):
        await played(store, user, None, guild=guild)
    await store.tables.create(new(guild=0), [seat(0, 10), seat(1, None)])
    assert [(table, game) for table, game, _at in await store.records.practice_of(10, most=5)] == [
        (4, "rope_wall"),
        (1, "rope_wall"),
    ]
    assert [table for table, *_rest in await store.records.practice_of(10, most=5, skip=1)] == [1]
    assert [await store.records.count_practice(user) for user in (10, 11, 12)] == [2, 1, 0]
