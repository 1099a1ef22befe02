"""Leaderboards in the store: each game counts once, corrections are built in the background, pages are in order."""

import random

import msgspec

from data.store import Store
from data.store.leaderboards import CLEARED
from data.store.open_store import open_store
from engine.contract import Moment
from engine.games import GAMES
from engine.standings import Leaderboard, Listing, Standing, UpdateJob
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, Time
from tests.data.finished import played
from tools.harness.raw_database import Database, Raw

__all__ = ["database", "raw", "store"]  # fixtures

ALL = Leaderboard(1, "rope_wall", "ranked")
LATER = Moment(NOON + 3_600_000)


def person(player: int, rating: int = 1_500, games: int = 9, **more: object) -> Standing:
    return msgspec.structs.replace(
        Standing(player, f"User {player}", 25.0, 8.0, rating, games, trace=(rating,)), **more
    )


async def task(store: Store, chart: Leaderboard = ALL) -> UpdateJob:
    """Return the first task on a leaderboard."""
    return next(found for found in await store.leaderboards.due() if found.chart == chart)


async def kept(store: Store, *standings: Standing) -> None:
    """Save these standings of the leaderboard."""
    await store.leaderboards.ensure([ALL])
    found = await task(store)
    assert await store.leaderboards.save(found, found.top, standings)


async def listing(store: Store, reader: int = 1, first: int | None = 0, most: int = 10) -> Listing:
    return await store.leaderboards.listing(ALL, reader, first, most)


async def test_the_first_game_on_a_board_begins_its_leaderboard_and_every_other_makes_it_due(store: Store):
    assert await store.leaderboards.due() == [] and await store.leaderboards.is_complete([ALL])
    await played(store)
    found = await task(store)
    assert (found.state, found.last, found.top) == ("shown", 0, 1)
    assert not await store.leaderboards.is_complete([ALL])
    step = await store.leaderboards.next_batch(found, 10)
    assert [game.number for game in step.games] == [1] and step.standings == {} and step.last == 1
    assert await store.leaderboards.save(found, step.last, [person(10), person(11)])
    assert await store.leaderboards.due() == [] and await store.leaderboards.is_complete([ALL])
    await played(store)
    step = await store.leaderboards.next_batch(await task(store), 10)
    assert [game.number for game in step.games] == [2] and set(step.standings) == {10, 11}


async def test_games_are_added_once_and_in_portions(store: Store):
    for _ in range(5):
        await played(store)
    found = await task(store)
    step = await store.leaderboards.next_batch(found, 2)
    assert [game.number for game in step.games] == [1, 2] and step.last == 2
    assert await store.leaderboards.save(found, step.last, [])
    assert not await store.leaderboards.save(found, step.last, [person(10)])  # the same games again
    assert (await listing(store)).places == ()
    assert [game.number for game in (await store.leaderboards.next_batch(await task(store), 10)).games] == [3, 4, 5]


async def test_a_season_has_its_own_games_and_is_whole_though_others_end_outside_of_it(store: Store):
    season = Leaderboard(1, "rope_wall", "ranked", LATER, Moment(LATER + 3_600_000))
    await played(store)
    await store.leaderboards.ensure([season])
    found = await task(store, season)
    step = await store.leaderboards.next_batch(found, 10)
    assert step.games == [] and step.last == found.top
    assert await store.leaderboards.save(found, step.last, [])
    assert await store.leaderboards.is_complete([season])
    await played(store, minutes=61)
    assert [game.number for game in (await store.leaderboards.next_batch(await task(store, season), 10)).games] == [2]


async def test_seasons_before_the_last_one_are_cleared_away(store: Store):
    hour = 3_600_000
    seasons = [
        Leaderboard(1, "rope_wall", "ranked", Moment(NOON + n * hour), Moment(NOON + (n + 1) * hour)) for n in range(3)
    ]
    await store.leaderboards.ensure([ALL, *seasons])
    gone = [found for found in await store.leaderboards.due() if found.state == "gone"]
    assert [found.chart for found in gone] == seasons[:1]
    for found in gone:
        await store.leaderboards.clear(found)
    left = {found.chart for found in await store.leaderboards.due()}
    assert left == {ALL, *seasons[1:]}


async def test_a_correction_is_built_beside_what_is_shown_and_takes_its_place(store: Store, raw: Raw):
    await played(store)
    await kept(store, person(10), person(11))
    raw("UPDATE results SET place = 2")
    stale = await task(store)
    assert stale.corrected != stale.corrections and not await store.leaderboards.is_complete([ALL])
    assert not await store.leaderboards.save(stale, stale.top, [person(12)])  # the value read before is outdated
    await store.leaderboards.rebuild(stale)
    assert [place.standing.player for place in (await listing(store)).places] == [10, 11]
    building = next(found for found in await store.leaderboards.due() if found.state == "building")
    step = await store.leaderboards.next_batch(building, 10)
    assert [game.number for game in step.games] == [1] and step.standings == {}
    assert await store.leaderboards.save(building, step.last, [person(20)])
    assert [place.standing.player for place in (await listing(store)).places] == [10, 11]
    await store.leaderboards.show(building)
    assert [place.standing.player for place in (await listing(store)).places] == [20]
    assert await store.leaderboards.is_complete([ALL])
    for found in await store.leaderboards.due():
        if found.state == "gone":
            await store.leaderboards.clear(found)
    assert raw("SELECT CAST(player AS text) FROM standings") == [("20",)]


async def test_a_rebuilt_leaderboard_is_due_until_it_is_shown_and_is_shown_once(store: Store, raw: Raw):
    await played(store)
    await kept(store, person(10))
    raw("UPDATE results SET place = 2")
    await store.leaderboards.rebuild(await task(store))
    first = next(found for found in await store.leaderboards.due() if found.state == "building")
    assert await store.leaderboards.save(first, first.top, [person(20)])
    assert first.id in {found.id for found in await store.leaderboards.due()}  # also if the bot stops right now
    await store.leaderboards.rebuild(first)
    second = next(found for found in await store.leaderboards.due() if found.state == "building")
    assert await store.leaderboards.save(second, second.top, [person(30)])
    await store.leaderboards.show(second)
    await store.leaderboards.show(first)  # it has been abandoned
    assert [place.standing.player for place in (await listing(store)).places] == [30]


async def test_a_deleted_person_is_gone_at_once_and_no_late_write_brings_them_back(store: Store, raw: Raw):
    await played(store)
    await kept(store, person(10), person(11))
    await played(store)
    found = await task(store)
    await store.user_data.forget(10, list(GAMES.values()))
    assert [place.standing.player for place in (await listing(store)).places] == [11]
    assert not await store.leaderboards.save(found, found.top, [person(10), person(11)])
    assert raw("SELECT 1 FROM standings WHERE CAST(player AS text) = '10'") == []


async def test_a_large_leaderboard_is_cleared_away_in_parts(store: Store, raw: Raw):
    await kept(store, *(person(user) for user in range(1, CLEARED + 3)))
    raw("UPDATE leaderboards SET state = 'gone', due = true")
    await store.leaderboards.clear(await task(store))
    assert raw("SELECT count(*) FROM standings") == [(2,)]
    await store.leaderboards.clear(await task(store))
    assert await store.leaderboards.due() == []


async def test_ranks_are_shared_and_unranked_people_are_below_with_the_most_games_first(store: Store):
    await kept(store, person(1, 1_600), person(2, 1_700), person(3, 1_600), person(4, 1_900, 4), person(5, 1_000, 3))
    shown = await listing(store, reader=3)
    assert [(place.standing.player, place.rank) for place in shown.places] == [
        (2, 1),
        (1, 2),
        (3, 2),
        (4, None),
        (5, None),
    ]
    assert (shown.ranked, shown.placing, shown.number) == (3, 2, 2)
    assert shown.mine is not None and shown.mine.rank == 2
    assert (await store.leaderboards.place(ALL, 4))[0] == msgspec.structs.replace(shown.places[3])
    assert await store.leaderboards.place(ALL, 99) == (None, 3)


async def test_every_page_shows_its_part_and_a_users_page_is_the_one_with_their_rank(store: Store):
    rng = random.Random(4)
    people = [
        person(n, rng.choice((1_400, 1_500, 1_600)), rng.choice((1, 4, 9)), wins=rng.randint(0, 2))
        for n in range(1, 48)
    ]
    await kept(store, *people, person(100, 2_000), msgspec.structs.replace(person(1), player="rookie"))
    await store.user_data.hide(100, True)
    pages = [await listing(store, first=first, most=7) for first in range(0, 49, 7)]
    order = [place.standing.player for page in pages for place in page.places]
    assert sorted(order) == list(range(1, 48))  # neither the hidden nor a computer
    ranked = [one for one in people if one.games >= 5]
    assert [page.ranked + page.placing for page in pages] == [47] * 7 and pages[0].ranked == len(ranked)
    for number, player in enumerate(order):
        assert isinstance(player, int)
        page = await listing(store, reader=player, first=None, most=7)
        assert (page.number, page.first) == (number, number // 7 * 7)
        assert player in [place.standing.player for place in page.places]
    past = await listing(store, first=10**6, most=7)
    assert past.places == pages[-1].places
    hidden = await listing(store, reader=100)
    assert hidden.mine is not None and hidden.mine.rank is None and hidden.number is None


async def test_the_leaderboards_outlast_a_restart(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        await played(store)
        await kept(store, person(10, 1_612, trace=(1_500, 1_612), best=7))
    async with open_store(database, now=time.now) as store:
        (place,) = (await listing(store)).places
        assert place.standing == person(10, 1_612, trace=(1_500, 1_612), best=7)
        assert await store.leaderboards.due() == []
