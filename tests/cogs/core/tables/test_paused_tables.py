"""Empty tables pause: no moves, no drawing, no writes, until a player is back."""

import gc
import weakref

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.tables.changes import SLEEPS_FOR_MS
from cogs.core.tables.snapshot import ENDED_UNLOADS_AFTER_MS, UNLOADS_AFTER_MS
from cogs.registry import GAMES
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

HOUR_MS = 3_600_000


async def leave(harness: BotHarness, person: UserClient) -> str:
    """Leave as a person. Return the answer."""
    told = await harness.leave(person)
    await harness.settle()
    return UserClient.visible_text(harness.sandbox.message((told.message or {})["id"]))


async def alone(harness: BotHarness, clock: int = 60) -> None:
    """Play as Ann against a computer until it is her turn."""
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=clock)
    await harness.settle()
    while harness.view().turn != 0:
        await harness.advance(3_000)


async def test_nothing_happens_at_an_empty_table(harness: BotHarness):
    await alone(harness)
    asked = await harness.press(harness.ann, "Leave")
    assert "if you leave, the table is on hold until someone is back" in asked.text and "without a result" in asked.text
    told = await harness.press(harness.ann, "Leave the game", asked)
    await harness.settle()
    own = UserClient.visible_text(harness.sandbox.message((told.message or {})["id"]))
    assert "✓ You left." in own and own.count("on hold") == 1
    assert "It goes on when you press *I'm back* or move." in own
    assert "this table is on hold" in harness.public()
    assert "when ● **Ann** presses *I'm back* or moves" in harness.public()
    assert "on hold, because no one is here" in (await harness.ann.command(harness.yard, "tables")).text
    shown, pushes = harness.board(), harness.pushes()
    for _ in range(5):
        await harness.advance(HOUR_MS)
    assert (await harness.client.inbound.finder.find(1)).table.snapshot.asleep
    assert harness.pushes() == pushes and harness.board() == shown


async def test_a_lone_player_can_end_the_game_at_once(harness: BotHarness):
    await alone(harness)
    asked = await harness.press(harness.ann, "Leave")
    told = await harness.press(harness.ann, "End the game", asked)
    await harness.settle()
    assert "played alone and ended it" in harness.public() and not UserClient.buttons(harness.board())
    assert "closed" in told.text and harness.snapshot().ended
    again = await harness.ann.forge(harness.board(), "cb:1:0:leave-sure:end")
    assert "closed" in again.text


@pytest.mark.parametrize("computer", [False, True])
async def test_a_game_in_which_others_have_a_part_can_be_left_alone(harness: BotHarness, computer: bool):
    await harness.ann.command(harness.yard, "match-five start", clock=0)
    await harness.press(harness.ben, "Join")
    if computer:  # the game is not ranked then
        await harness.press(harness.ann, "Add Trainee")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    asked = await harness.press(harness.ann, "Leave")
    assert not any(part.get("label") == "End the game" for part in UserClient.buttons(asked.message or {}))
    refused = await harness.ann.forge(harness.board(), "cb:1:0:leave-sure:end")
    assert "Others are playing too" in refused.text and harness.snapshot().playing
    await harness.leave(harness.ben)  # who may come back
    refused = await harness.ann.forge(harness.board(), "cb:1:0:leave-sure:end")
    assert "Others are playing too" in refused.text and harness.snapshot().playing


async def test_a_ranked_game_is_not_ended_by_anyone_who_is_left_where_the_others_were_forgotten(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.client.tables.leaving.forget(int(harness.ben.id))
    await harness.settle()
    refused = await harness.ann.forge(harness.board(), "cb:1:0:leave-sure:end")
    await harness.settle()
    assert "Others are playing too" in refused.text and harness.snapshot().playing


async def test_a_table_is_still_paused_after_a_restart_and_not_even_read(harness: BotHarness):
    await alone(harness)
    await leave(harness, harness.ann)
    pushes = harness.pushes()
    await harness.restart(away_ms=HOUR_MS)
    for ms in (1_000, HOUR_MS):
        await harness.advance(ms)
        assert not harness.client.tables.registry.awake()
    session = await harness.client.inbound.finder.find(1)
    assert session.table.snapshot.asleep and harness.pushes() == pushes
    assert session.table.snapshot.notice is None


async def test_a_returning_player_finds_the_clock_extended_by_the_pause(harness: BotHarness):
    await alone(harness)
    before = harness.snapshot().info().due
    await leave(harness, harness.ann)
    await harness.advance(2 * HOUR_MS)
    await harness.restart(away_ms=HOUR_MS)
    await harness.press(harness.ben, "Text view")  # wakes nobody, but reads the table
    await harness.advance(2 * HOUR_MS)
    await harness.press(harness.ann, "I'm back")
    await harness.settle()
    extended = harness.snapshot().info().due - before
    assert 5 * HOUR_MS <= extended < 5 * HOUR_MS + 60_000
    assert "this table is on hold" not in harness.public()
    pushes = harness.pushes()
    await harness.advance(30_000)
    assert harness.pushes() == pushes
    await harness.advance(40_000)
    assert harness.pushes() > pushes


async def test_a_move_resumes_a_paused_table(harness: BotHarness):
    await alone(harness)
    await leave(harness, harness.ann)
    pushes = harness.pushes()
    await harness.advance(HOUR_MS)
    await harness.press(harness.ann, "Text view")
    assert harness.snapshot().asleep
    moved = await harness.ann.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert moved.failed is None and harness.pushes() == pushes + 1
    assert "this table is on hold" not in harness.public()
    await harness.advance(4_000)
    assert harness.pushes() == pushes + 2


async def paused_table(harness: BotHarness) -> None:
    """Let Ann's clock run out until the table pauses."""
    await alone(harness)
    await harness.advance(61_000)
    while harness.view().turn != 0:
        await harness.advance(3_000)
    await harness.advance(61_000)
    assert harness.snapshot().asleep


async def test_a_table_at_which_all_clocks_ran_out_pauses_and_counts_for_nobody_who_was_gone_at_once(
    harness: BotHarness,
):
    await paused_table(harness)
    assert "this table is on hold" in harness.public()


async def test_a_table_that_paused_when_its_clocks_ran_out_gives_back_that_time(harness: BotHarness):
    await paused_table(harness)
    before, left = harness.snapshot().version, harness.clock.now()
    await harness.advance(HOUR_MS)
    await harness.press(harness.ann, "I'm back")
    await harness.settle()
    table = harness.messages().table
    assert table.snapshot.version == before + 1, "its clocks were moved back, and none of them ran out"
    assert table.snapshot.row.slept_at is None and table.snapshot.earliest >= left + HOUR_MS


async def test_a_table_that_paused_when_its_clocks_ran_out_closes_after_seven_days_and_no_sooner(harness: BotHarness):
    await paused_table(harness)
    await harness.advance(SLEEPS_FOR_MS - 60_000)
    assert (await harness.client.store.tables.get(1)).status == "playing"
    await harness.advance(120_000)
    assert (await harness.client.store.tables.get(1)).status == "closed"


async def test_a_table_to_which_nobody_comes_back_closes_without_a_result_also_across_a_restart(harness: BotHarness):
    await alone(harness)
    await leave(harness, harness.ann)
    await harness.restart()
    await harness.advance(SLEEPS_FOR_MS - 60_000)
    assert (await harness.client.store.tables.get(1)).status == "playing"
    await harness.advance(120_000)
    assert "No one came back for 7 days" in harness.public()
    assert (await harness.client.store.tables.get(1)).status == "closed"
    assert await harness.client.store.games.results(1) == []


async def test_a_table_whose_last_person_was_forgotten_closes(harness: BotHarness):
    await alone(harness)
    asked = await harness.ann.command(harness.yard, "privacy delete")
    await harness.press(harness.ann, "Delete it all", asked)
    await harness.settle()
    assert "is closed" in harness.public()
    assert await harness.client.store.games.results(1) == []


async def test_a_table_that_has_ended_leaves_the_memory_and_its_open_panels_still_answer(harness: BotHarness):
    await harness.two_at_the_wall()
    panel = await harness.ann.press(harness.board(), label="Play")
    await harness.resign(harness.ben)
    await harness.settle()
    assert harness.messages().pages.open
    await harness.advance(ENDED_UNLOADS_AFTER_MS)
    assert harness.client.tables.registry.awake() == ()
    await harness.advance(UNLOADS_AFTER_MS)  # when unused pages would be cleaned up
    assert harness.client.tables.registry.awake() == ()
    shown = next(one for one in harness.ann.ephemerals(harness.yard) if one["id"] == panel.message["id"])
    answer = await harness.ann.press(shown, label="More …")
    assert "Back to the game" in answer.text
    assert harness.client.tables.registry.awake() != ()


async def test_a_table_at_which_a_game_is_under_way_stays_in_memory_for_longer_than_one_that_has_ended(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    await harness.advance(2 * ENDED_UNLOADS_AFTER_MS)
    assert harness.client.tables.registry.awake() != ()


async def test_a_table_stays_in_memory_while_a_computer_thinks_or_is_about_to_move(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await leave(harness, harness.awaited())
    assert harness.computers().busy  # the caretaker has thought, and will move
    live = harness.messages().table
    live.used = Moment(live.used - 2 * UNLOADS_AFTER_MS)
    await harness.client.tables.registry.unload_timer.run(1)
    assert harness.computers().busy
    await harness.advance(5_000)
    assert harness.pushes() == 2 and not harness.computers().busy
    await harness.advance(UNLOADS_AFTER_MS)  # a panel can still be edited
    assert harness.client.tables.registry.awake() != ()
    await harness.advance(UNLOADS_AFTER_MS)
    assert harness.client.tables.registry.awake() == ()


async def test_a_table_stays_in_memory_while_a_direct_message_is_written(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("prison-break", harness.ben)
    tables, messages, live = harness.client.tables, harness.messages().direct_messages, harness.messages().table
    shown_revisions = harness.client.publishing.shown_revisions
    really = shown_revisions.write

    async def write() -> None:
        await really()
        messages.changed()  # somebody has just pressed theirs

    live.used = Moment(live.used - 2 * UNLOADS_AFTER_MS)
    with monkeypatch.context() as patch:
        patch.setattr(shown_revisions, "write", write)
        await tables.registry.unload_timer.run(1)
    assert tables.registry.awake() != ()
    await harness.settle()
    await tables.registry.unload_timer.run(1)
    assert tables.registry.awake() == ()


def parts_of(harness: BotHarness) -> list[object]:
    """Return a table's session, messages, drafts and computer players."""
    messages, client = harness.messages(), harness.client
    everybody = (value for owner in (client, client.tables, client.publishing) for value in vars(owner).values())
    shared = {id(value) for value in (*everybody, messages.ui, messages._services, client.publishing.publisher.timers)}
    own = (part for part in vars(messages).values() if type(part).__module__.startswith("cogs.core"))
    return [messages, harness.drafts(), harness.computers(), *(part for part in own if id(part) not in shared)]


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_nothing_of_a_table_that_has_left_the_memory_stays_there(harness: BotHarness, package: GamePackage):
    harness.games = (package,)
    await harness.begin(package.ui().command, harness.ben)
    for who in (harness.ann, harness.ben):
        await harness.press(who, "Play")
    await leave(harness, harness.ben)  # a computer plays for him
    assert await harness.client.tables.registry.end(1, lambda: "That was enough.")
    await harness.settle()
    kept = [weakref.ref(part) for part in parts_of(harness)]
    gc.collect()
    gc.disable()  # the garbage collector would find it eventually, after a full search
    try:
        await harness.advance(ENDED_UNLOADS_AFTER_MS)
        await harness.settle()
        assert harness.client.tables.registry.awake() == ()
        assert [type(part) for one in kept if (part := one()) is not None] == []
    finally:
        gc.enable()


@pytest.mark.parametrize("by", ["command", "door"])
async def test_a_person_who_plays_alone_is_hurried_by_no_clock_and_has_a_week_for_a_move(harness: BotHarness, by: str):
    if by == "command":
        await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
    else:
        game = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label="Breakout: the Rope Wall")
        await harness.ann.press(game, label="vs Trainee · rated")
    await harness.settle()
    table = harness.messages().table
    assert table.snapshot.alone and table.snapshot.options.clock == 0 and table.snapshot.earliest is None
    assert "time runs out" not in harness.public()
    await harness.advance(10_000)  # the computer has moved, if it is first
    await harness.settle()
    await harness.advance(SLEEPS_FOR_MS - 60_000)
    assert (await harness.client.store.tables.get(1)).status == "playing"
    await harness.restart()
    await harness.advance(120_000)
    assert "No one came back for 7 days" in harness.public()
    assert (await harness.client.store.tables.get(1)).status == "closed"


async def test_a_person_who_plays_alone_without_a_clock_leaves_and_comes_back(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
    await leave(harness, harness.ann)
    await harness.press(harness.ann, "I'm back")
    await harness.settle()
    row = await harness.client.store.tables.get(1)
    assert row.slept_at is None and row.due is not None, "it closes by itself all the same"


async def test_a_clock_that_was_asked_for_runs_against_computers_too_and_one_among_people_always(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=60)
    await harness.settle()
    assert harness.snapshot().options.clock == 60
    await harness.ben.command(harness.yard, "break-out start", computer="rookie", computers=1)
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ben, "Start")
    await harness.settle()
    assert harness.snapshot(2).options.clock == 180, "two people play there"
    await harness.ann.command(harness.yard, "settings clock", game="rope_wall", time=120)
    await harness.cleo.command(harness.yard, "rope-wall start", computer="rookie")
    await harness.settle()
    assert harness.snapshot(3).options.clock == 120, "the server has its own"
