"""Whatever was committed is shown in the end, without a click, whenever the bot was killed or a call was lost."""

import asyncio
import contextlib
import itertools
import random
import sqlite3

import pytest

from cogs.core.publishing.shown_revisions import Shown
from cogs.core.tables import moves
from data.store import DiskFull
from engine.contract import Refusal, Seat
from engine.games import GAMES
from tools.harness.bot_harness import House

EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
CALLBACK = ("POST", "/interactions/*/callback")

STARTS = {
    "ausbrecher": "ausbrecher start",
    "break_out": "break-out start",
    "match_five": "match-five start",
    "prison_break": "prison-break start",
    "rope_wall": "rope-wall start",
}


def edits(house: House) -> int:
    """How many edits of messages the bot has made."""
    return sum(call.method == "PATCH" and call.status == 200 for call in house.sandbox.calls)


async def begin(house: House, game: str, clock: int) -> None:
    """Let Ann and Ben begin a game."""
    await house.ann.command(house.yard, STARTS[game], clock=clock)
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()


async def act(house: House, number: int = 0) -> None:
    """Commit what has fallen due, or else one of the sound actions of whoever is to move, and tell nobody."""
    table, now = house.session().table, house.hands.now()
    table.listeners = ()
    for deadline in table.snapshot.deadlines:
        if deadline.due <= now:
            await table.act(moves.expire, deadline.id, now)
            return
    for seat in (*table.snapshot.view(None).to_act, Seat(0), Seat(1)):
        legal = table.snapshot.legal(seat)
        if legal:
            with contextlib.suppress(Refusal):
                await table.act(moves.move, seat, random.Random(number).choice(legal), now)
                return


async def came_back(house: House, away_ms: int = 5_000) -> None:
    """Start the killed bot again, and let it read the tables that it has to."""
    house.hands.turn(away_ms)
    await house.start()
    await house.sandbox.until(lambda: 1 in house.client.tables.registry.present)
    await house.settle()


@pytest.mark.parametrize("clock", [0, 300])
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_move_that_was_committed_and_not_shown_is_shown_by_the_next_start(house: House, game: str, clock: int):
    await begin(house, game, clock)
    for number in range(3):
        while await house.shows():  # some moves are nobody else's business
            await act(house, number)
        version = house.session().table.snapshot.version
        await house.kill()
        await came_back(house)
        assert house.session().table.snapshot.version >= version
        assert await house.shows()


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_the_end_of_a_game_that_was_committed_and_not_shown_is_shown_by_the_next_start(house: House, game: str):
    await begin(house, game, 0)
    for number in range(3_000):
        if not house.session().table.snapshot.playing:
            break
        await act(house, number)
        house.sandbox.state.clock.offset_ms += 20_000  # windows are over before the next move
    assert house.session().table.snapshot.row.status == "over"
    await house.kill()
    await came_back(house)
    assert await house.shows()
    assert "Rematch" in {part.get("label") for part in house.ann.buttons(house.board())}


@pytest.mark.parametrize("handled", [True, False])
@pytest.mark.parametrize("clock", [0, 300])
async def test_wherever_the_bot_is_killed_while_people_gather_play_and_end_a_game(
    house: House, clock: int, handled: bool
):
    """From the n-th call on nothing gets through (or only its answer is lost), for every n until all goes well."""
    for calls in range(40):
        done = await story(house, clock, calls, handled)
        await house.kill()
        house.hands.turn(5_000)
        await house.start()
        await house.settle()
        for row in await rows(house):
            if row[1] != "closed":
                assert await house.shows(row[0]), f"after {calls} calls table {row[0]} ({row[1]}) is not shown"
        await end_all(house)
        if done:
            return
    raise AssertionError("the story never ends")


async def story(house: House, clock: int, calls: int, handled: bool) -> bool:
    """Open a table, join, start, move twice and resign, until the connection is cut; say whether all went well."""
    house.sandbox.fault("*", "*", 0, times=1_000_000, after=calls, drop=handled)
    steps = [
        lambda: house.ann.start_command(house.yard, "rope-wall start", {"clock": clock}),
        lambda: house.ben.start_press(house.board(), label="Join"),
        lambda: house.ann.start_press(house.board(), label="Start"),
        lambda: mover(house).start_press(house.board(), house.controls("push")[0]),
        lambda: mover(house).start_press(house.board(), house.controls("push")[1]),
        lambda: house.ann.start_command(house.yard, "rope-wall resign", {}),
    ]
    for step in steps:
        asked = step()
        if asyncio.iscoroutine(asked):
            asked = await asked
        answered = asyncio.create_task(asked.answered.wait())
        while not answered.done() and not cut(house):
            await asyncio.wait({answered}, timeout=0.02)
        answered.cancel()
        await house.settle()
        if cut(house):
            return False
    return True


def cut(house: House) -> bool:
    return bool(house.sandbox.calls) and house.sandbox.calls[-1].status == 0


def mover(house: House):
    return house.awaited(max(house.client.tables.registry.present))


async def rows(house: House) -> list[tuple[int, str]]:
    with contextlib.closing(sqlite3.connect(house.database)) as db:
        return db.execute("SELECT id, status FROM tables ORDER BY id").fetchall()


async def end_all(house: House) -> None:
    for number, _ in await rows(house):
        await house.client.tables.end(number, "The test goes on.")
    await house.settle()


async def test_a_table_that_is_up_to_date_costs_nothing_at_a_start(house: House):
    await house.two_at_the_wall()
    await house.push()
    await house.settle()
    before = edits(house)
    await house.restart(away_ms=5_000)
    await house.settle()
    assert edits(house) == before and 1 not in house.client.tables.registry.present


async def test_what_is_known_to_be_shown_is_on_disk_with_the_next_beat_and_never_ahead_of_the_truth(house: House):
    await house.two_at_the_wall()
    await house.without_tokens()
    await house.turn(11_000)

    async def kept() -> tuple[int, int]:
        row = await house.client.tables.store.tables.get(1)
        return row.shown, row.revision

    shown, revision = await kept()
    assert shown == revision
    house.sandbox.fault(*EDIT, 503, times=100)
    await house.awaited().command(house.yard, "rope-wall push", floor=1, side="left")
    await house.turn(11_000)
    assert (await kept())[0] == shown < (await kept())[1]


async def test_a_table_that_is_let_go_of_while_it_cannot_be_written_is_written_with_the_next_beat(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.two_at_the_wall()
    store = house.client.tables.store
    shown, row = Shown(store), await store.tables.get(1)
    shown.note(row.id, row.revision + 3)

    async def full(_: dict[int, int]) -> None:
        shown.forget(row.id)  # it was put to sleep while its revision was on the way
        raise DiskFull("There is no room.")

    with monkeypatch.context() as patch:
        patch.setattr(store.tables, "set_shown", full)
        with pytest.raises(DiskFull):
            await shown.write()
    await shown.write()
    assert (await store.tables.get(row.id)).shown == row.revision + 3


async def test_a_stale_click_brings_the_table_message_up_to_date(house: House):
    await house.two_at_the_wall()
    shown, push = house.board(), house.controls("push")[0]
    await act(house)
    assert not await house.shows()
    answer = await house.awaited().press(shown, push)
    assert "earlier moment" in answer.text
    assert await house.shows()


async def test_a_double_click_costs_no_edit_of_a_message_that_was_only_just_shown(house: House):
    await house.two_at_the_wall()
    who, shown, push = house.awaited(), house.board(), house.controls("push")[0]
    before = edits(house)
    await asyncio.gather(who.press(shown, push), who.press(shown, push))
    await house.settle()
    assert edits(house) == before


async def refused_the_channel(house: House) -> None:
    """A game whose table message cannot show the last move, for the bot may not see the channel any more."""
    await house.two_at_the_wall()
    await house.without_tokens()
    house.sandbox.deny(house.yard, "VIEW_CHANNEL")
    await act(house)
    house.session().message.changed()
    await house.settle()


async def test_what_was_refused_is_shown_when_the_permission_comes_back_and_not_asked_for_before(house: House):
    await refused_the_channel(house)
    before = len(house.sandbox.calls)
    await house.turn(7_000)
    assert len(house.sandbox.calls) == before
    house.sandbox.allow(house.yard, "VIEW_CHANNEL")
    await house.sandbox.until(lambda: house.client.tables.scheduler.due(1, "wake") is None)
    await house.settle()
    await house.sandbox.until(lambda: house.session().message.trouble is None)
    assert await house.shows()


async def test_what_stays_refused_is_asked_for_ever_more_rarely(house: House):
    await refused_the_channel(house)
    asked = []
    for _ in range(12):
        before = len(house.sandbox.calls)
        for _ in range(12):
            await house.turn(300_000)
        asked.append(sum(call.status == 403 for call in house.sandbox.calls[before:]))
    assert asked[0] <= 8 and sum(asked[4:]) == len(asked[4:]), "once an hour in the end"
    house.sandbox.allow(house.yard, "VIEW_CHANNEL")
    await house.sandbox.until(lambda: house.session().message.trouble is None)
    assert await house.shows()


async def test_a_thread_in_the_archive_is_shown_when_it_is_taken_out(house: House):
    thread = house.sandbox.add_thread(house.yard, "night")
    await house.sandbox.until(lambda: house.client.get_channel(int(thread.id)))
    await house.ann.command(thread, "rope-wall start")
    await house.press(house.ben, "Join", house.board(thread))
    await house.press(house.ann, "Start", house.board(thread))
    await house.settle()
    await house.without_tokens()
    house.sandbox.archive(thread)
    await act(house)
    house.session().message.changed()
    await house.settle()
    assert not await house.shows() and house.session().message.trouble
    house.sandbox.archive(thread, False)
    await house.sandbox.until(lambda: house.session().message.trouble is None)
    assert await house.shows()


async def test_many_tables_are_drawn_one_after_the_other_below_discords_limit_of_calls(house: House):
    scheduler = house.client.tables.scheduler
    house.client.guild_events.wake_soon(range(100, 150))
    due = [scheduler.due(number, "wake") for number in range(101, 150)]
    assert min(after - before for before, after in itertools.pairwise(due)) >= 1_000 / 25
