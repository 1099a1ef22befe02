"""A table without anybody sleeps: nothing moves, nothing is redrawn, nothing is booked, until somebody is back."""

import gc
import weakref

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.inbound import leaving
from cogs.core.tables.snapshot import ENDED_UNLOADS_AFTER_MS, UNLOADS_AFTER_MS
from cogs.core.tables.table import SLEEPS_FOR_MS
from cogs.registry import GAMES
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import House

HOUR_MS = 3_600_000


async def leave(house: House, person: UserClient) -> str:
    """Let somebody leave; return what they are told."""
    told = await house.leave(person)
    await house.settle()
    return UserClient.visible_text(house.sandbox.message((told.message or {})["id"]))


async def alone(house: House, clock: int = 60) -> None:
    """Let Ann play against a computer until it is her turn."""
    await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=clock)
    await house.settle()
    while house.view().turn != 0:
        await house.turn(3_000)


async def test_nothing_happens_at_a_table_that_its_last_person_has_left(house: House):
    await alone(house)
    asked = await house.press(house.ann, "Leave")
    assert "sleeps until somebody is back" in asked.text and "without a result" in asked.text
    told = await house.press(house.ann, "Leave the game", asked)
    await house.settle()
    assert "sleeps now" in UserClient.visible_text(house.sandbox.message((told.message or {})["id"]))
    assert "this table sleeps" in house.public()
    assert "as soon as ● **Ann** presses *I am back*, or moves" in house.public()
    assert "sleeps, since nobody is here to play" in (await house.ann.command(house.yard, "tables")).text
    shown, pushes = house.board(), house.pushes()
    for _ in range(5):
        await house.turn(HOUR_MS)
    assert (await house.client.tables.find(1)).table.snapshot.asleep
    assert house.pushes() == pushes and house.board() == shown


async def test_who_plays_alone_can_end_the_game_at_once(house: House):
    await alone(house)
    asked = await house.press(house.ann, "Leave")
    told = await house.press(house.ann, "End the game", asked)
    await house.settle()
    assert "played alone, and has ended it" in house.public() and not UserClient.buttons(house.board())
    assert "closed" in told.text and house.session().table.snapshot.ended
    again = await house.ann.forge(house.board(), "cb:1:0:leave-sure:end")
    assert "closed" in again.text


@pytest.mark.parametrize("computer", [False, True])
async def test_a_game_in_which_others_have_a_part_can_be_left_alone(house: House, computer: bool):
    await house.ann.command(house.yard, "match-five start", clock=0)
    await house.press(house.ben, "Join")
    if computer:  # the game is not ranked then
        await house.press(house.ann, "Add Trainee")
    await house.press(house.ann, "Start")
    await house.settle()
    asked = await house.press(house.ann, "Leave")
    assert not any(part.get("label") == "End the game" for part in UserClient.buttons(asked.message or {}))
    refused = await house.ann.forge(house.board(), "cb:1:0:leave-sure:end")
    assert "Others play here" in refused.text and house.session().table.snapshot.playing
    await house.leave(house.ben)  # who may come back
    refused = await house.ann.forge(house.board(), "cb:1:0:leave-sure:end")
    assert "Others play here" in refused.text and house.session().table.snapshot.playing


async def test_a_ranked_game_is_not_ended_by_whoever_is_left_where_the_others_were_forgotten(house: House):
    await house.two_at_the_wall()
    await leaving.forget(house.client.tables, int(house.ben.id))
    await house.settle()
    refused = await house.ann.forge(house.board(), "cb:1:0:leave-sure:end")
    await house.settle()
    assert "Others play here" in refused.text and house.session().table.snapshot.playing


async def test_a_table_still_sleeps_after_a_restart_and_is_not_even_read(house: House):
    await alone(house)
    await leave(house, house.ann)
    pushes = house.pushes()
    await house.restart(away_ms=HOUR_MS)
    for ms in (1_000, HOUR_MS):
        await house.turn(ms)
        assert not house.client.tables.registry.awake()
    session = await house.client.tables.find(1)
    assert session.table.snapshot.asleep and house.pushes() == pushes
    assert session.table.snapshot.notice is None


async def test_who_comes_back_finds_the_clock_extended_by_the_time_slept(house: House):
    await alone(house)
    before = house.session().table.snapshot.info().due
    await leave(house, house.ann)
    await house.turn(2 * HOUR_MS)
    await house.restart(away_ms=HOUR_MS)
    await house.press(house.ben, "Text view")  # wakes nobody but reads the table
    await house.turn(2 * HOUR_MS)
    await house.press(house.ann, "I am back")
    await house.settle()
    extended = house.session().table.snapshot.info().due - before
    assert 5 * HOUR_MS <= extended < 5 * HOUR_MS + 60_000
    assert "sleeps" not in house.public()
    pushes = house.pushes()
    await house.turn(30_000)
    assert house.pushes() == pushes
    await house.turn(40_000)
    assert house.pushes() > pushes


async def test_a_move_wakes_a_sleeping_table(house: House):
    await alone(house)
    await leave(house, house.ann)
    pushes = house.pushes()
    await house.turn(HOUR_MS)
    await house.press(house.ann, "Text view")
    assert house.session().table.snapshot.asleep
    moved = await house.ann.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert moved.failed is None and house.pushes() == pushes + 1
    assert "sleeps" not in house.public()
    await house.turn(4_000)
    assert house.pushes() == pushes + 2


async def fallen_asleep(house: House) -> None:
    """Let Ann's clock run out until the table sleeps."""
    await alone(house)
    await house.turn(61_000)
    while house.view().turn != 0:
        await house.turn(3_000)
    await house.turn(61_000)
    assert house.session().table.snapshot.asleep


async def test_a_table_at_which_all_clocks_ran_out_sleeps_and_counts_for_nobody_who_was_gone_at_once(house: House):
    await fallen_asleep(house)
    assert "this table sleeps" in house.public()


async def test_a_table_that_its_clocks_put_to_sleep_gives_back_the_time_that_it_slept(house: House):
    await fallen_asleep(house)
    before, left = house.session().table.snapshot.version, house.hands.now()
    await house.turn(HOUR_MS)
    await house.press(house.ann, "I am back")
    await house.settle()
    table = house.session().table
    assert table.snapshot.version == before + 1, "its clocks were moved back, and none of them ran out"
    assert table.snapshot.row.slept_at is None and table.snapshot.earliest >= left + HOUR_MS


async def test_a_table_that_its_clocks_put_to_sleep_closes_after_seven_days_and_no_sooner(house: House):
    await fallen_asleep(house)
    await house.turn(SLEEPS_FOR_MS - 60_000)
    assert (await house.client.tables.store.tables.get(1)).status == "playing"
    await house.turn(120_000)
    assert (await house.client.tables.store.tables.get(1)).status == "closed"


async def test_a_table_to_which_nobody_comes_back_closes_without_a_result_also_across_a_restart(house: House):
    await alone(house)
    await leave(house, house.ann)
    await house.restart()
    await house.turn(SLEEPS_FOR_MS - 60_000)
    assert (await house.client.tables.store.tables.get(1)).status == "playing"
    await house.turn(120_000)
    assert "Nobody came back for 7 days" in house.public()
    assert (await house.client.tables.store.tables.get(1)).status == "closed"
    assert await house.client.tables.store.games.results(1) == []


async def test_a_table_whose_last_person_was_forgotten_closes(house: House):
    await alone(house)
    asked = await house.ann.command(house.yard, "privacy delete")
    await house.press(house.ann, "Delete it all", asked)
    await house.settle()
    assert "is closed" in house.public()
    assert await house.client.tables.store.games.results(1) == []


async def test_a_table_that_has_ended_leaves_the_memory_and_its_open_panels_still_answer(house: House):
    await house.two_at_the_wall()
    panel = await house.ann.press(house.board(), label="Play")
    await house.ben.command(house.yard, "rope-wall resign")
    await house.settle()
    assert house.session().panels.open
    await house.turn(ENDED_UNLOADS_AFTER_MS)
    assert house.client.tables.registry.awake() == ()
    await house.turn(UNLOADS_AFTER_MS)  # when panels that are not used any more would be seen to
    assert house.client.tables.registry.awake() == ()
    shown = next(one for one in house.ann.ephemerals(house.yard) if one["id"] == panel.message["id"])
    answer = await house.ann.press(shown, label="More …")
    assert "Back to the game" in answer.text
    assert house.client.tables.registry.awake() != ()


async def test_a_table_at_which_a_game_is_under_way_stays_in_memory_for_longer_than_one_that_has_ended(house: House):
    await house.two_at_the_wall()
    await house.push()
    await house.settle()
    await house.turn(2 * ENDED_UNLOADS_AFTER_MS)
    assert house.client.tables.registry.awake() != ()


async def test_a_table_stays_in_memory_while_a_computer_thinks_or_is_about_to_move(house: House):
    await house.two_at_the_wall()
    await house.push()
    await leave(house, house.awaited())
    assert house.computers().busy  # the caretaker has thought, and will move
    live = house.session().table
    live.used = Moment(live.used - 2 * UNLOADS_AFTER_MS)
    await house.client.tables.registry.unload(1)
    assert house.computers().busy
    await house.turn(5_000)
    assert house.pushes() == 2 and not house.computers().busy
    await house.turn(UNLOADS_AFTER_MS)  # a panel can still be edited
    assert house.client.tables.registry.awake() != ()
    await house.turn(UNLOADS_AFTER_MS)
    assert house.client.tables.registry.awake() == ()


async def test_a_table_stays_in_memory_while_a_direct_message_is_written(house: House, monkeypatch: pytest.MonkeyPatch):
    await house.begin("prison-break", house.ben)
    tables, letters, live = house.client.tables, house.session().direct_messages, house.session().table
    really = tables.shown.write

    async def write() -> None:
        await really()
        letters.changed()  # somebody has just pressed theirs

    live.used = Moment(live.used - 2 * UNLOADS_AFTER_MS)
    with monkeypatch.context() as patch:
        patch.setattr(tables.shown, "write", write)
        await tables.registry.unload(1)
    assert tables.registry.awake() != ()
    await house.settle()
    await tables.registry.unload(1)
    assert tables.registry.awake() == ()


def parts_of(house: House) -> list[object]:
    """A table, and what serves it alone: its messages, drafts and computer players."""
    messages = house.session()
    shared = {id(value) for value in vars(house.client.tables).values()} | {id(messages.screen)}
    own = (part for part in vars(messages).values() if type(part).__module__.startswith("cogs.core"))
    return [messages, house.drafts(), house.computers(), *(part for part in own if id(part) not in shared)]


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_nothing_of_a_table_that_has_left_the_memory_stays_there(house: House, package: GamePackage):
    house.games = (package,)
    await house.begin(package.screen().command, house.ben)
    for who in (house.ann, house.ben):
        await house.press(who, "Play")
    await leave(house, house.ben)  # a computer plays for him
    assert await house.client.tables.end(1, "That was enough.")
    await house.settle()
    kept = [weakref.ref(part) for part in parts_of(house)]
    gc.collect()
    gc.disable()  # it would come by in the end, and look through all that we have
    try:
        await house.turn(ENDED_UNLOADS_AFTER_MS)
        await house.settle()
        assert house.client.tables.registry.awake() == ()
        assert [type(part) for one in kept if (part := one()) is not None] == []
    finally:
        gc.enable()


@pytest.mark.parametrize("by", ["command", "door"])
async def test_whoever_plays_alone_is_hurried_by_no_clock_and_has_a_week_for_a_move(house: House, by: str):
    if by == "command":
        await house.ann.command(house.yard, "rope-wall start", computer="rookie")
    else:
        game = await house.ann.press(await house.ann.command(house.yard, "play"), label="Breakout: the Rope Wall")
        await house.ann.press(game, label="Play the Trainee")
    await house.settle()
    table = house.session().table
    assert table.snapshot.alone and table.snapshot.options.clock == 0 and table.snapshot.earliest is None
    assert "time runs out" not in house.public()
    await house.turn(10_000)  # the computer has moved, if it begins
    await house.settle()
    await house.turn(SLEEPS_FOR_MS - 60_000)
    assert (await house.client.tables.store.tables.get(1)).status == "playing"
    await house.restart()
    await house.turn(120_000)
    assert "Nobody came back for 7 days" in house.public()
    assert (await house.client.tables.store.tables.get(1)).status == "closed"


async def test_whoever_plays_alone_without_a_clock_leaves_and_comes_back(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="rookie")
    await leave(house, house.ann)
    await house.press(house.ann, "I am back")
    await house.settle()
    row = await house.client.tables.store.tables.get(1)
    assert row.slept_at is None and row.due is not None, "it closes by itself all the same"


async def test_a_clock_that_was_asked_for_runs_against_computers_too_and_one_among_people_always(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=60)
    await house.settle()
    assert house.session().table.snapshot.options.clock == 60
    await house.ben.command(house.yard, "break-out start", computer="rookie", computers=1)
    await house.press(house.cleo, "Join")
    await house.press(house.ben, "Start")
    await house.settle()
    assert house.session(2).table.snapshot.options.clock == 180, "two people play there"
    await house.ann.command(house.yard, "settings clock", game="rope_wall", time=120)
    await house.cleo.command(house.yard, "rope-wall start", computer="rookie")
    await house.settle()
    assert house.session(3).table.snapshot.options.clock == 120, "the server has its own"
