"""What was committed is shown in the end without a click, whenever the bot was killed or a call was lost."""

import asyncio
import contextlib
import itertools
import random
import sqlite3

import pytest

from cogs.core.publishing.shown_revisions import ShownRevisions
from cogs.core.tables import moves
from data.store import DiskFull
from engine.contract import Refusal, Seat
from engine.games import GAMES
from tools.harness.bot_harness import BotHarness

EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
CALLBACK = ("POST", "/interactions/*/callback")

STARTS = {
    "ausbrecher": "ausbrecher start",
    "break_out": "break-out start",
    "match_five": "match-five start",
    "prison_break": "prison-break start",
    "rope_wall": "rope-wall start",
}


def edits(harness: BotHarness) -> int:
    """Return how many edits of messages the bot has made."""
    return sum(call.method == "PATCH" and call.status == 200 for call in harness.sandbox.calls)


async def begin(harness: BotHarness, game: str, clock: int) -> None:
    """Start a game of Ann and Ben."""
    await harness.ann.command(harness.yard, STARTS[game], clock=clock)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()


async def act(harness: BotHarness, number: int = 0) -> None:
    """Commit what is due, or a legal action of the player to act, without announcing it."""
    table, now = harness.messages().table, harness.clock.now()
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


async def came_back(harness: BotHarness, away_ms: int = 5_000) -> None:
    """Start the killed bot again, and let it read the tables it must read."""
    harness.clock.advance(away_ms)
    await harness.start()
    await harness.sandbox.until(lambda: 1 in harness.client.tables.registry.present)
    await harness.settle()


@pytest.mark.parametrize("clock", [0, 300])
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_move_that_was_committed_and_not_shown_is_shown_by_the_next_start(
    harness: BotHarness, game: str, clock: int
):
    await begin(harness, game, clock)
    for number in range(3):
        while await harness.shows_latest():  # some moves are secret
            await act(harness, number)
        version = harness.snapshot().version
        await harness.kill()
        await came_back(harness)
        assert harness.snapshot().version >= version
        assert await harness.shows_latest()


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_the_end_of_a_game_that_was_committed_and_not_shown_is_shown_by_the_next_start(
    harness: BotHarness, game: str
):
    await begin(harness, game, 0)
    for number in range(3_000):
        if not harness.snapshot().playing:
            break
        await act(harness, number)
        harness.sandbox.state.clock.offset_ms += 20_000  # windows are over before the next move
    assert harness.snapshot().row.status == "over"
    await harness.kill()
    await came_back(harness)
    assert await harness.shows_latest()
    assert "Rematch" in {part.get("label") for part in harness.ann.buttons(harness.board())}


@pytest.mark.parametrize("handled", [True, False])
@pytest.mark.parametrize("clock", [0, 300])
async def test_a_kill_at_any_point_from_lobby_to_end_loses_nothing(harness: BotHarness, clock: int, handled: bool):
    """From the n-th call on nothing gets through (or only its answer is lost), for every n until all goes well."""
    for calls in range(40):
        done = await story(harness, clock, calls, handled)
        await harness.kill()
        harness.clock.advance(5_000)
        await harness.start()
        await harness.settle()
        await harness.advance(1_000)  # a start loads unshown tables one after the other
        for row in await rows(harness):
            if row[1] != "closed":
                assert await harness.shows_latest(row[0]), f"after {calls} calls table {row[0]} ({row[1]}) is not shown"
        await end_all(harness)
        if done:
            return
    raise AssertionError("the story never ends")


async def story(harness: BotHarness, clock: int, calls: int, handled: bool) -> bool:
    """Open a table, join, start, move twice and resign, until the connection is cut. Return True if all succeeded."""
    harness.sandbox.fault("*", "*", 0, times=1_000_000, after=calls, drop=handled)
    steps = [
        lambda: harness.ann.start_command(harness.yard, "rope-wall start", {"clock": clock}),
        lambda: harness.ben.start_press(harness.board(), label="Join"),
        lambda: harness.ann.start_press(harness.board(), label="Start"),
        lambda: mover(harness).start_press(harness.board(), harness.controls("push")[0]),
        lambda: mover(harness).start_press(harness.board(), harness.controls("push")[1]),
        lambda: harness.ann.start_command(harness.yard, "rope-wall resign", {}),
        lambda: harness.ann.start_press(harness.ann.ephemerals(harness.yard)[-1], label="Resign the game"),
    ]
    for step in steps:
        asked = step()
        if asyncio.iscoroutine(asked):
            asked = await asked
        answered = asyncio.create_task(asked.answered.wait())
        while not answered.done() and not cut(harness):
            await asyncio.wait({answered}, timeout=0.02)
        answered.cancel()
        await harness.settle()
        if cut(harness):
            return False
    return True


def cut(harness: BotHarness) -> bool:
    return bool(harness.sandbox.calls) and harness.sandbox.calls[-1].status == 0


def mover(harness: BotHarness):
    return harness.awaited(max(harness.client.tables.registry.present))


async def rows(harness: BotHarness) -> list[tuple[int, str]]:
    with contextlib.closing(sqlite3.connect(harness.database)) as db:
        return db.execute("SELECT id, status FROM tables ORDER BY id").fetchall()


async def end_all(harness: BotHarness) -> None:
    for number, _ in await rows(harness):
        await harness.client.tables.registry.end(number, lambda: "The test goes on.")
    await harness.settle()


async def test_a_table_that_is_up_to_date_costs_nothing_at_a_start(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    before = edits(harness)
    await harness.restart(away_ms=5_000)
    await harness.settle()
    assert edits(harness) == before and 1 not in harness.client.tables.registry.present


async def test_what_is_known_to_be_shown_is_on_disk_with_the_next_beat_and_never_ahead_of_the_truth(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    await harness.advance(11_000)

    async def kept() -> tuple[int, int]:
        row = await harness.client.store.tables.get(1)
        return row.shown, row.revision

    shown, revision = await kept()
    assert shown == revision
    harness.sandbox.fault(*EDIT, 503, times=100)
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.advance(11_000)
    assert (await kept())[0] == shown < (await kept())[1]


async def test_a_table_released_while_it_cannot_be_written_is_written_with_the_next_heartbeat(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    store = harness.client.store
    shown, row = ShownRevisions(store), await store.tables.get(1)
    shown.note(row.id, row.revision + 3)

    async def full(_: dict[int, int]) -> None:
        shown.forget(row.id)  # it was unloaded while its revision was being stored
        raise DiskFull("There is no room.")

    with monkeypatch.context() as patch:
        patch.setattr(store.tables, "set_shown", full)
        with pytest.raises(DiskFull):
            await shown.write()
    await shown.write()
    assert (await store.tables.get(row.id)).shown == row.revision + 3


async def test_a_stale_click_brings_the_table_message_up_to_date(harness: BotHarness):
    await harness.two_at_the_wall()
    shown, push = harness.board(), harness.controls("push")[0]
    await act(harness)
    assert not await harness.shows_latest()
    answer = await harness.awaited().press(shown, push)
    assert "has moved on" in answer.text
    assert await harness.shows_latest()


async def test_a_double_click_costs_no_edit_of_a_message_that_was_only_just_shown(harness: BotHarness):
    await harness.two_at_the_wall()
    who, shown, push = harness.awaited(), harness.board(), harness.controls("push")[0]
    before = edits(harness)
    await asyncio.gather(who.press(shown, push), who.press(shown, push))
    await harness.settle()
    assert edits(harness) == before


async def refused_the_channel(harness: BotHarness) -> None:
    """A game whose table message cannot show the last move, since the bot may not see the channel any more."""
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.deny(harness.yard, "VIEW_CHANNEL")
    await act(harness)
    harness.messages().message.invalidate()
    await harness.settle()


async def test_what_was_refused_is_shown_when_the_permission_comes_back_and_not_asked_for_before(harness: BotHarness):
    await refused_the_channel(harness)
    before = len(harness.sandbox.calls)
    await harness.advance(7_000)
    assert len(harness.sandbox.calls) == before
    harness.sandbox.allow(harness.yard, "VIEW_CHANNEL")
    await harness.sandbox.until(lambda: harness.client.publishing.publisher.show_timer.due(1) is None)
    await harness.settle()
    await harness.sandbox.until(lambda: harness.messages().message.trouble is None)
    assert await harness.shows_latest()


async def test_what_stays_refused_is_asked_for_ever_more_rarely(harness: BotHarness):
    await refused_the_channel(harness)
    asked = []
    for _ in range(12):
        before = len(harness.sandbox.calls)
        for _ in range(12):
            await harness.advance(300_000)
        asked.append(sum(call.status == 403 for call in harness.sandbox.calls[before:]))
    assert asked[0] <= 8 and max(asked[4:]) <= 1, "at most once an hour in the end"
    harness.sandbox.allow(harness.yard, "VIEW_CHANNEL")
    await harness.sandbox.until(lambda: harness.messages().message.trouble is None)
    assert await harness.shows_latest()


@pytest.mark.parametrize("minutes", [1, 5, 20])
async def test_what_was_refused_is_shown_soon_after_it_is_allowed_again_though_no_event_says_so(
    harness: BotHarness, minutes: int
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.fault(*EDIT, 403, times=1_000)
    await act(harness)
    harness.messages().message.invalidate()
    await harness.settle()
    for _ in range(minutes * 6):
        await harness.advance(10_000)
    harness.sandbox.mend()
    for _ in range(minutes * 6 + 3):
        await harness.advance(10_000)
    assert await harness.shows_latest()


async def test_a_table_in_a_thread_that_is_archived_and_locked_is_shown_when_that_is_taken_out(harness: BotHarness):
    thread = harness.sandbox.add_thread(harness.yard, "night")
    await harness.sandbox.until(lambda: harness.client.get_channel(int(thread.id)))
    await harness.ann.command(thread, "rope-wall start")
    await harness.press(harness.ben, "Join", harness.board(thread))
    await harness.press(harness.ann, "Start", harness.board(thread))
    await harness.settle()
    await harness.without_tokens()
    harness.sandbox.lock(thread)
    harness.sandbox.archive(thread)
    await act(harness)
    harness.messages().message.invalidate()
    await harness.settle()
    assert not await harness.shows_latest() and harness.messages().message.trouble
    harness.sandbox.archive(thread, False)
    harness.sandbox.lock(thread, False)
    await harness.sandbox.until(lambda: harness.messages().message.trouble is None)
    assert await harness.shows_latest()


async def test_many_tables_are_drawn_one_after_the_other_below_discords_limit_of_calls(harness: BotHarness):
    timer = harness.client.publishing.publisher.show_timer
    harness.client.pausing.wake_soon(range(100, 150))
    due = [timer.due(number) for number in range(101, 150)]
    assert min(after - before for before, after in itertools.pairwise(due)) >= 1_000 / 25
