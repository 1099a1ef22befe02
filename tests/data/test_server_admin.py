"""Settings, the inventory for managers, and what is stored about a person."""

import asyncio
from pathlib import Path

import pytest

from data.store import NewTable, PendingDeletion, ResultRow, SeatChange, SeatRow, Store, TableChange, user_list
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.user_data import NOBODY, SOMEBODY
from engine.contract import Moment
from engine.free_text import free_text_fields
from engine.games import GAMES
from engine.players import Level
from engine.puzzles import Attempt
from engine.standings import Leaderboard, Standing
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, Time, new
from tests.data.finished import played
from tests.data.leftovers import leftovers
from tools.harness.raw_database import Raw

__all__ = ["database", "raw", "store"]  # fixtures

ZOE, YAN = 918_273_645_546_372_819, 555_000_111_222_333_444
ZOE_DM = 777_123_999_456_000_321
NAME = "Zoë Quickfinger"


def seats() -> list[SeatRow]:
    return [SeatRow(0, ZOE, NAME), SeatRow(1, YAN, "Yan"), SeatRow(2, None, "Rookie", Level.TRAINEE)]


async def test_practice_that_was_played_to_its_end_is_found_by_who_played_it(store: Store):
    for user, guild in ((ZOE, 0), (ZOE, 1), (YAN, 0)):
        await played(store, user, None, game="prison_break", guild=guild)
    await store.tables.create(new(guild=0), seats())
    for user, table in ((ZOE, 1), (YAN, 3)):
        found = await store.records.practice_of(user, most=5)
        assert [(number, game) for number, game, _at in found] == [(table, "prison_break")]


async def noted(store: Store, status: str = "over", **changes: object) -> int:
    """Return a table of Prison Break at which Zoë and Yan wrote their notepads."""
    options: dict[str, object] = {"game": "prison_break", "opener": ZOE, "invited": user_list([ZOE])}
    fresh: NewTable = new(**{**options, "kicked": user_list([ZOE]), **changes})
    row = await store.tables.create(fresh, seats())
    await store.tables.update(row.id, TableChange(heir=ZOE, heir_due=NOON))
    await store.games.append(
        row.id, NewDecision(number=0, seat=None, at=NOON, action=None, events=["{}"], due=None, status="playing")
    )
    for number, (seat, words) in enumerate([(0, f"I am {NAME}"), (1, "Yan was here")], 1):
        action = f'{{"do":"note","text":"{words}"}}'
        event = f'{{"event":"noted","seat":{seat},"text":"{words}"}}'
        await store.games.append(
            row.id, NewDecision(number=number, seat=seat, at=NOON, action=action, events=[event], due=None)
        )
    letter = SeatChange(
        dm_channel=ZOE_DM,
        dm_message=ZOE_DM + 1,
        dm_state="abc",
        dm_look=f'"I am {NAME}"',
        dm_closed=True,
        begun=f'"I am {NAME}"',
    )
    await store.seats.update(row.id, 0, letter)
    if status == "over":
        results = [
            ResultRow(0, ZOE, 1, 9, "exit", NOON, row.guild, row.game),
            ResultRow(1, YAN, 2, 3, "exit", NOON, row.guild, row.game),
            ResultRow(2, None, 3, 1, "exit", NOON, row.guild, row.game),
        ]
        await store.games.append(
            row.id,
            NewDecision(
                number=3,
                seat=0,
                at=NOON,
                action='{"do":"pass"}',
                events=["{}"],
                due=None,
                status="over",
                ended_at=NOON,
                results=results,
            ),
        )
    return row.id


async def test_settings_are_kept_by_server_and_taken_back(store: Store):
    await store.server_admin.set(1, "mentions", "quiet")
    await store.server_admin.set(1, "clock.rope_wall", "60")
    await store.server_admin.set(2, "mentions", "mention")
    await store.server_admin.set(1, "clock.rope_wall", "30")
    assert await store.server_admin.settings(1) == {"clock.rope_wall": "30", "mentions": "quiet"}
    await store.server_admin.set(1, "mentions", None)
    assert await store.server_admin.settings(1) == {"clock.rope_wall": "30"}
    assert await store.server_admin.settings(3) == {}


async def test_open_tables_are_listed_from_the_stillest_on(store: Store):
    first = await noted(store, "playing")
    second = await store.tables.create(new(created_at=Moment(NOON - 5)), seats())
    await store.tables.create(new(guild=9), seats())
    await store.tables.update((await store.tables.create(new(), seats())).id, TableChange(status="closed"))
    listed = await store.server_admin.open_tables(1)
    assert [(row.id, row.status, row.moved_at) for row in listed] == [
        (second.id, "lobby", NOON - 5),
        (first, "playing", NOON),
    ]
    assert await store.server_admin.numbers(1, ("lobby", "playing"), most=9) == [
        (second.id, "rope_wall"),
        (first, "prison_break"),
    ]
    assert await store.server_admin.numbers(1, ("closed",), most=9) == [(4, "rope_wall")]
    assert await store.server_admin.open_games() == {"rope_wall": 2, "prison_break": 1}


async def test_the_size_is_that_of_the_database(store: Store):
    assert await store.server_admin.size() > 20_000


async def ranked(store: Store) -> None:
    """Put Zoe on a leaderboard."""
    await store.leaderboards.ensure([Leaderboard(1, "prison_break", "casual")])
    for task in await store.leaderboards.due():
        assert await store.leaderboards.save(task, task.top, [Standing(ZOE, NAME, 25.0, 8.0)])


async def advanced(store: Store) -> None:
    """Finish a lesson and earn an achievement as Zoe."""
    await store.progress.finish_lesson(ZOE, "rope_wall", NOON)
    table = await played(store, ZOE, YAN)
    assert await store.progress.judge(table, {0: ["two-exits"]})
    await store.progress.tell(ZOE, False)


async def test_an_export_has_every_place_in_which_a_user_is_kept(store: Store, raw: Raw):
    await noted(store)
    await ranked(store)
    await noted(store, "playing")
    await store.user_data.hide(ZOE, True)
    await store.user_data.notify(ZOE, "nothing")
    await store.user_data.choose_language(ZOE, "de")
    await store.user_data.see_language(ZOE, "fr")
    assert await store.puzzle_attempts.save(Attempt(ZOE, "rope_wall", 6, "[]", None, 1, True, NOON), None)
    await store.puzzle_attempts.open(ZOE, "rope_wall", 6)
    await store.watchers.add(1, ZOE, NOON)
    await advanced(store)
    kept = await store.user_data.export(ZOE)
    everywhere = {place.split(".")[0] for place in raw.leftovers(ZOE, NAME, ZOE_DM)}
    assert everywhere == {"tables", "seats", "results", "standings", "hidden_users"} | {
        "notified_users",
        "languages",
        "attempts",
        "openings",
        "watchers",
        "lessons",
        "achievements",
        "achievements_off",
        "decisions",
        "events",
        "packed_events",
        "packed_decisions",
    }
    assert {kind for kind, rows in kept.items() if rows} == set(kept)
    assert [row["name"] for row in kept["seats"]] == [NAME, NAME, f"User {ZOE}"]
    assert NAME in kept["moves"][0]["action"]
    assert [row["place"] for row in kept["results"]] == [1, 1]


async def test_an_export_lists_moves_in_order_for_finished_and_running_games(store: Store, raw: Raw):
    tables = [await noted(store), await noted(store, "playing"), await noted(store)]
    unpacked = [await noted(store), await noted(store)]
    for table in unpacked:
        await as_before_decisions_were_packed(store, raw, table)
    moves = (await store.user_data.export(ZOE))["moves"]
    done = [(1, f'{{"do":"note","text":"I am {NAME}"}}'), (3, '{"do":"pass"}')]
    assert [(row["table_id"], row["number"], row["at"], row["action"]) for row in moves] == [
        (table, number, NOON, action)
        for table in (*tables, *unpacked)
        for number, action in (done[:1] if table == tables[1] else done)
    ]


async def as_before_decisions_were_packed(store: Store, raw: Raw, table: int) -> None:
    """Change a finished game into one that ended while only its events were packed."""
    for one in await store.games.decisions(table):
        seat, action = ("NULL" if value is None else f"'{value}'" for value in (one.seat, one.action))
        raw(f"INSERT INTO decisions VALUES ({table}, {one.number}, {seat}, {one.at}, {action})")
    raw(f"DELETE FROM packed_decisions WHERE table_id = {table}")


async def test_an_old_direct_message_marked_for_deletion_leaves_no_trace_of_its_reader(store: Store, raw: Raw):
    table = await noted(store)
    await store.seats.update(table, 0, SeatChange(dm_channel=ZOE_DM, dm_message=5))
    for one in (PendingDeletion(3, ZOE_DM), PendingDeletion(4, 2)):
        await store.pending_deletions.add(table, one)
    await store.user_data.forget(ZOE, list(GAMES.values()))
    assert raw.leftovers(ZOE, NAME, ZOE_DM) == []
    assert await store.pending_deletions.of(table) == [PendingDeletion(4, 2)]


async def test_words_go_from_games_that_ended_while_their_events_alone_were_packed(store: Store, raw: Raw):
    over = await noted(store)
    await as_before_decisions_were_packed(store, raw, over)
    await store.user_data.forget(ZOE, list(GAMES.values()))
    assert raw.leftovers(ZOE, NAME, ZOE_DM) == []
    assert "Yan was here" in str(await store.games.decisions(over))
    assert "Yan was here" in str(await store.games.events(over))


async def test_an_export_holds_nobody_elses_words_or_moves_and_no_seed(store: Store):
    await noted(store)
    table = await noted(store, "playing")
    await store.tables.update(table, TableChange(seed=b"secret-seed"))
    everything = str(await store.user_data.export(ZOE))
    assert "Yan" not in everything and str(YAN) not in everything and "secret-seed" not in everything


async def test_nothing_of_a_deleted_user_is_left_in_any_table_or_column(store: Store, raw: Raw):
    over, running = await noted(store), await noted(store, "playing")
    await ranked(store)
    await store.user_data.hide(ZOE, True)
    await store.user_data.hide(YAN, True)
    await store.user_data.notify(ZOE, "message")
    await store.user_data.see_language(ZOE, "fr")
    assert await store.puzzle_attempts.save(Attempt(ZOE, "rope_wall", 6, "[]", True, 1, True, NOON), None)
    await store.puzzle_attempts.open(ZOE, "rope_wall", 6)
    await store.watchers.add(1, ZOE, NOON)
    await advanced(store)
    assert raw.leftovers(ZOE, NAME, ZOE_DM)
    await store.user_data.forget(ZOE, list(GAMES.values()))
    assert raw.leftovers(ZOE, NAME, ZOE_DM) == []
    assert not any((await store.user_data.export(ZOE)).values())
    assert await store.tables.of(ZOE) == []
    # The others keep theirs, and their games stay complete.
    assert [seat.name for seat in await store.seats.of(over)] == [SOMEBODY, "Yan", "Rookie"]
    assert [result.user for result in await store.games.results(over)] == [None, YAN, None]
    assert [result.place for result in await store.games.results(over)] == [1, 2, 3]
    for table, number in ((running, 3), (over, 4)):
        events, decisions = await store.games.events(table), await store.games.decisions(table)
        assert "Yan was here" in str(events) and len(events) == number
        assert "Yan was here" in str(decisions) and len(decisions) == number
    assert len((await store.user_data.export(YAN))["moves"]) == 4


async def test_what_was_deleted_is_not_even_left_in_the_free_pages_of_the_file(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        for _ in range(40):
            await noted(store)
        await store.seats.set(1, [SeatRow(0, ZOE, NAME + " the Second")])
        await store.user_data.forget(ZOE, list(GAMES.values()))
    content = path.read_bytes()
    assert NAME.encode() not in content and ZOE.to_bytes(8, "big") not in content


async def test_deleting_many_games_allows_other_writes_in_between(
    path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("data.store.user_data.AT_A_TIME", 2)
    async with open_store(path, now=time.now) as store:
        for _ in range(9):
            await noted(store)
        deletion = asyncio.create_task(store.user_data.forget(ZOE, list(GAMES.values())))
        for _ in range(4):
            await store.beat(NOON)
        assert not deletion.done()
        await deletion
        assert not any((await store.user_data.export(ZOE)).values())
    assert leftovers(path, ZOE, NAME, ZOE_DM) == []


async def test_a_caretaker_plays_on_for_a_deleted_user_only_where_a_game_is_under_way(store: Store):
    over, running = await noted(store), await noted(store, "playing")
    await store.user_data.forget(ZOE, list(GAMES.values()))
    assert not (await store.seats.of(over))[0].caretaker
    seat = (await store.seats.of(running))[0]
    assert (seat.user, seat.level, seat.caretaker, seat.dm_channel, seat.dm_closed) == (None, None, True, None, False)


async def test_a_deletion_has_no_old_message_drawn_again_but_those_of_games_under_way(store: Store):
    over, running, lagging = await noted(store), await noted(store, "playing"), await noted(store)
    rows = [await store.tables.get(table) for table in (over, running)]
    await store.tables.set_shown({row.id: row.revision for row in rows if row is not None})
    assert [table for table, _ in await store.tables.unshown()] == [lagging]
    await store.user_data.forget(ZOE, list(GAMES.values()))
    assert [table for table, _ in await store.tables.unshown()] == [running, lagging]


async def test_a_user_can_be_deleted_from_one_table_first(store: Store):
    first, second = await noted(store, "playing"), await noted(store, "playing")
    await store.user_data.forget(ZOE, list(GAMES.values()), first)
    assert [row.id for row in await store.tables.of(ZOE)] == [second]
    assert NAME not in str(await store.games.events(first)) and NAME in str(await store.games.events(second))


async def test_a_deletion_from_one_table_leaves_what_came_of_the_others(store: Store, raw: Raw):
    first, second = await played(store, ZOE, 11), await played(store, ZOE, 12)
    await store.user_data.forget(ZOE, list(GAMES.values()), first)
    kept = raw('SELECT table_id, "user" FROM results WHERE place = 1 ORDER BY table_id')
    assert kept == [(first, None), (second, ZOE)]


async def test_a_deletion_from_one_table_leaves_who_opened_others_who_was_invited_and_who_hides(store: Store):
    first, second = await noted(store, "playing"), await noted(store, "playing")
    await noted(store)
    await ranked(store)
    await store.user_data.hide(ZOE, True)
    await store.user_data.forget(ZOE, list(GAMES.values()), first)
    kept = [await store.tables.get(table) for table in (first, second)]
    assert [(row.opener, row.invited) for row in kept if row is not None] == [(NOBODY, ""), (ZOE, user_list([ZOE]))]
    assert await store.records.hidden() == {ZOE}
    assert (await store.user_data.export(ZOE))["standings"]


async def test_leaderboards_learn_that_results_have_changed(store: Store):
    await noted(store)
    await ranked(store)
    assert await store.leaderboards.due() == []
    store.leaderboards.changed.clear()
    await store.user_data.forget(ZOE, list(GAMES.values()))
    (task,) = await store.leaderboards.due()
    assert store.leaderboards.changed.is_set() and task.corrections > task.corrected


def test_every_field_with_a_persons_own_words_is_known_by_its_mark():
    words = {game.key: (free_text_fields(game.actions), free_text_fields(game.events)) for game in GAMES.values()}
    assert words.pop("prison_break") == (
        {"note": ("text",), "mark": ("markers",)},
        {"noted": ("text",), "marked": ("markers",)},
    )
    assert all(found == ({}, {}) for found in words.values())


@pytest.mark.parametrize("times", [1, 2])
async def test_hiding_twice_is_hiding_once(store: Store, times: int):
    for _ in range(times):
        await store.user_data.hide(ZOE, True)
    assert await store.records.hidden() == {ZOE}
    await store.user_data.hide(ZOE, False)
    await store.user_data.hide(ZOE, False)
    assert await store.records.hidden() == frozenset()


async def test_a_language_that_is_seen_leaves_the_chosen_one_and_the_other_way_round(store: Store):
    assert await store.user_data.language(ZOE) == (None, None)
    await store.user_data.choose_language(ZOE, "de")
    await store.user_data.see_language(ZOE, "fr")
    assert await store.user_data.language(ZOE) == ("de", "fr")
    await store.user_data.choose_language(ZOE, None)
    assert await store.user_data.language(ZOE) == (None, "fr")
