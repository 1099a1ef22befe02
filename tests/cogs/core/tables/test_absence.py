"""Any use of a table counts as presence; whether a computer plays for someone is decided in that very moment."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cogs.core.publishing import absence_pages
from cogs.core.tables import moves, seat_rules
from data.store import SeatRow
from engine.contract import Moment, Seat
from sandbox import ActionResult, UserClient
from tests.data.leftovers import leftovers
from tools.harness.bot_harness import BotHarness

Look = Callable[[BotHarness, UserClient], Awaitable[object]]

LOOKS: dict[str, Look] = {
    "a button that only shows": lambda harness, who: harness.press(who, "What can I do?"),
    "the question whether to leave": lambda harness, who: harness.press(who, "Leave"),
    "a refused press": lambda harness, who: who.forge(harness.board(), "cb:1:0:back:"),
    "a forged control": lambda harness, who: who.forge(harness.board(), "cb:1:0:no-such-verb:"),
    "asking for the table anew": lambda harness, who: who.forge(harness.board(), "cb:0:0:repost:1"),
    "a command that only shows": lambda harness, who: who.command(harness.yard, "rope-wall board"),
    "a refused command": lambda harness, who: who.command(harness.yard, "rope-wall exit", exits="9"),
    "a completion": lambda harness, who: who.choices(harness.yard, "rope-wall push", focus="floor", floor=1),
}


async def lapsed_once(harness: BotHarness) -> tuple[UserClient, Seat]:
    """Let a player's clock run out once; then it is their turn again."""
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.advance(61_000)
    await harness.push()
    await harness.settle()
    seat = harness.snapshot().seat_of(int(slow.id))
    assert seat is not None and harness.snapshot().seats[seat].lapses == 1
    return slow, seat


@pytest.mark.parametrize("look", LOOKS)
async def test_the_moment_of_any_use_is_kept_in_mind_and_never_goes_back(harness: BotHarness, look: str):
    await harness.two_at_the_wall()
    await harness.advance(60_000)
    await LOOKS[look](harness, harness.ann)
    await harness.settle()
    table = harness.messages().table
    assert table.used == harness.clock.now()
    table.used = later = Moment(table.used + 1)
    await LOOKS[look](harness, harness.ann)
    assert table.used == later


@pytest.mark.parametrize("look", LOOKS)
async def test_nobody_is_replaced_who_uses_the_table_in_any_way(harness: BotHarness, look: str):
    slow, seat = await lapsed_once(harness)
    await LOOKS[look](harness, slow)
    await harness.settle()
    assert harness.snapshot().seats[seat].lapses == 0
    await harness.advance(61_000)
    assert harness.snapshot().seats[seat].lapses == 1
    assert not harness.snapshot().seats[seat].caretaker


async def test_a_refused_word_in_the_channel_is_a_sign_of_life_too(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"message_content"}
    await harness.start(read_messages=True)
    await harness.begin("break-out", harness.ben, clock=60)
    slow, table = harness.awaited(), harness.messages().table
    seat = table.snapshot.seat_of(int(slow.id))
    assert seat is not None
    await harness.advance(61_000)
    assert table.snapshot.seats[seat].lapses == 1
    version = table.snapshot.version
    await slow.say(harness.yard, "NEXT")  # made by the clock for them
    await harness.sandbox.until(lambda: table.snapshot.seats[seat].lapses == 0)
    assert table.snapshot.version == version


async def test_a_player_who_looks_at_nothing_is_replaced_after_two_timeouts_in_a_row(harness: BotHarness):
    slow, seat = await lapsed_once(harness)
    await harness.press(harness.idle(), "What can I do?")  # another player's look does not count as theirs
    await slow.command(harness.yard, "tables")
    await harness.advance(61_000)
    assert harness.snapshot().seats[seat].caretaker


def lines(harness: BotHarness) -> list[str]:
    """Return the lines at the yard that mention a person."""
    return [
        message["content"] for message in harness.sandbox.messages(harness.yard) if "your turn" in message["content"]
    ]


async def test_a_player_is_warned_before_a_caretaker_replaces_them(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    await harness.advance(45_000)
    assert "runs out" in lines(harness)[0] and "a computer" not in lines(harness)[0]
    await harness.advance(16_000)
    await harness.push()
    await harness.advance(45_000)
    assert "If that happens twice in a row, a computer takes over for you and you finish last" in lines(harness)[0]


async def test_where_a_computer_plays_too_no_place_is_lost_by_being_replaced(harness: BotHarness):
    await harness.against_a_computer(clock=60)
    while harness.snapshot().view(None).to_act != (0,):
        await harness.advance(5_000)
    await harness.advance(61_000)
    while harness.snapshot().view(None).to_act != (0,):
        await harness.advance(5_000)
    await harness.advance(45_000)
    (line,) = lines(harness)
    assert "twice in a row, the table is on hold until you're back" in line and "finish last" not in line


async def test_the_warning_names_which_of_several_awaited_players_is_about_to_be_replaced(harness: BotHarness):
    await harness.begin("ausbrecher", harness.ben, harness.cleo, clock=60)
    table = harness.messages().table
    waiting = [seat for seat in table.snapshot.view(None).to_act if seat_rules.is_present(table.snapshot.seats[seat])]
    assert len(waiting) > 1, "all answer the first turn at once"
    seat = waiting[0]
    brink = tuple(msgspec.structs.replace(row, lapses=int(row.seat == seat)) for row in table.snapshot.seats)
    table.assume(seats=brink)
    name = table.snapshot.seated_players[seat].bold
    assert f"a computer takes over for {name}, who finishes last" in absence_pages.warning(table.snapshot)
    brink = tuple(msgspec.structs.replace(row, lapses=int(row.seat in waiting[:2])) for row in table.snapshot.seats)
    table.assume(seats=brink)
    names = " and ".join(table.snapshot.seated_players[seat].bold for seat in waiting[:2])
    assert f"a computer takes over for {names}, who finish last" in absence_pages.warning(table.snapshot)


async def test_where_all_who_are_left_are_about_to_be_replaced_the_table_waits_for_any_of_them(harness: BotHarness):
    await harness.ann.command(harness.yard, "ausbrecher start", clock=60)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Add Trainee")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    table = harness.messages().table
    assert {0, 1} <= set(table.snapshot.view(None).to_act)
    brink = tuple(msgspec.structs.replace(row, lapses=int(row.user is not None)) for row in table.snapshot.seats)
    table.assume(seats=brink)
    assert absence_pages.warning(table.snapshot).endswith("twice in a row, the table is on hold until someone is back")


async def meant(harness: BotHarness) -> UserClient:
    """Let a player leave on their turn; their computer has decided, and waits before it moves."""
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    await harness.leave(leaver)
    await harness.settle()
    assert harness.computers().busy
    return leaver


async def test_nothing_is_played_any_more_for_who_is_back(harness: BotHarness):
    leaver = await meant(harness)
    await harness.press(leaver, "I'm back")
    await harness.advance(60_000)
    assert harness.pushes() == 0 and harness.awaited() is leaver
    assert not harness.computers().busy


async def test_a_refused_move_does_not_take_the_seat_back_from_the_caretaker(harness: BotHarness):
    leaver = await meant(harness)
    assert "exit" in (await leaver.command(harness.yard, "rope-wall exit", exits="1")).text
    assert re.search(rf"A computer is playing for [●◆] \*\*{leaver.name}\*\*", harness.public())
    await harness.advance(5_000)
    assert harness.pushes() == 1 and harness.awaited() is not leaver


async def test_after_a_player_moves_themselves_no_caretaker_moves_for_them(harness: BotHarness):
    leaver = await meant(harness)
    await harness.push()
    await harness.settle()
    assert "A computer is playing for" not in harness.public()
    await harness.advance(60_000)
    assert harness.pushes() == 1 and harness.awaited() is not leaver


def pressable(page: ActionResult) -> set[str]:
    """Return the enabled controls of a page by label."""
    return {part["label"] for part in UserClient.buttons(page.message or {})}


async def test_while_a_caretaker_plays_the_players_page_has_no_move_to_press_by_mistake(harness: BotHarness):
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    panel = await harness.press(leaver, "Play")
    assert "**Your move**" in panel.text and (before := pressable(panel)) > {"More …"}
    left = await harness.leave(leaver)
    await harness.settle()
    opened = await harness.press(leaver, "Play")
    for page in (left, opened):
        assert pressable(page) == {"More …", "I'm back"} and "Your move" not in page.text
    await harness.settle()
    back = await harness.press(leaver, "I'm back", opened)
    assert "**Your move**" in back.text and pressable(back) == before


async def test_where_nobody_plays_a_move_is_still_one_press_away(harness: BotHarness):
    await harness.against_a_computer(clock=60)
    panel = await harness.press(harness.ann, "Play")
    before = pressable(panel)
    await harness.leave(harness.ann)
    assert harness.snapshot().asleep
    assert pressable(await harness.press(harness.ann, "Play")) == before | {"I'm back"}


async def test_a_player_who_leaves_again_while_the_computer_thinks_is_played_for(harness: BotHarness):
    leaver = await meant(harness)
    for label in ("I'm back", "Leave"):
        asked = await harness.press(leaver, label)
    await harness.press(leaver, "Leave the game", asked)
    await harness.settle()
    await harness.advance(5_000)
    assert harness.pushes() == 1


# Deadlines, and pages being read


class FixedClock:
    """A clock that the test sets, in place of the harness's."""

    def __init__(self, harness: BotHarness, monkeypatch: pytest.MonkeyPatch) -> None:
        self._house = harness
        self._patch = monkeypatch

    async def set_to(self, at: int) -> None:
        """Set the clock to exactly this moment, and check the table's deadlines."""
        with self._patch.context() as patch:
            patch.setattr(self._house.clock, "now", lambda: at)
            await self._house.client.tables.clocks.deadline_timer.run(1)
        await self._house.settle()


async def test_a_turn_is_over_at_the_very_millisecond_of_its_deadline(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall(clock=60)
    due = harness.snapshot().earliest
    assert due is not None
    clock = FixedClock(harness, monkeypatch)
    await clock.set_to(due - 1)
    assert harness.pushes() == 0 and harness.client.tables.clocks.deadline_timer.due(1) == due
    await clock.set_to(due)
    assert harness.pushes() == 1


async def test_a_lobby_closes_at_the_very_millisecond_of_its_deadline(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    due = harness.snapshot().row.due
    assert due is not None
    clock, calls = FixedClock(harness, monkeypatch), len(harness.sandbox.calls)
    await clock.set_to(due - 1)
    assert len(harness.sandbox.calls) == calls  # nothing is edited
    assert harness.snapshot().in_lobby and harness.client.tables.clocks.deadline_timer.due(1) == due
    await clock.set_to(due)
    assert harness.snapshot().row.status == "closed"


async def test_a_table_being_loaded_while_a_user_is_deleted_forgets_them_too(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.restart()
    store = harness.client.store
    reading, go_on = asyncio.Event(), asyncio.Event()
    seats = store.seats.of

    async def slowly(table: int) -> list[SeatRow]:
        found = await seats(table)
        reading.set()
        await go_on.wait()
        return found

    async def none(*_: Any, **__: Any) -> list[Any]:
        return []  # it was opened only just after its tables were asked for

    with monkeypatch.context() as patch:
        patch.setattr(store.seats, "of", slowly)
        patch.setattr(store.tables, "of", none)
        loading = asyncio.create_task(harness.client.inbound.finder.find(1))
        await reading.wait()
        forgetting = asyncio.create_task(harness.client.tables.leaving.forget(int(harness.ben.id)))
        for _ in range(100):
            await asyncio.sleep(0)
        go_on.set()
        await asyncio.wait({loading, forgetting})
    assert forgetting.exception() is None
    assert harness.snapshot().seat_of(int(harness.ben.id)) is None
    await harness.press(harness.ann, "What can I do?")
    await harness.advance(5_000)
    assert leftovers(Path(harness.database), harness.ben.id, harness.ben.name) == []


async def test_a_player_is_warned_once_of_one_missed_turn_whatever_happens_afterwards(harness: BotHarness):
    await harness.begin("match-five", harness.ben, harness.cleo, clock=60)
    slow = harness.awaited()
    written = f"/channels/{slow.dm.id}/messages"
    await harness.advance(61_000)
    await harness.settle()
    warned = [call for call in harness.sandbox.calls if call.method == "POST" and call.path == written]
    assert any("missed" in UserClient.visible_text(message) for message in slow.dms())
    for _ in range(2):
        table = harness.messages().table
        (seat,) = table.snapshot.view(None).to_act
        if harness.person_at(seat) is slow:
            break
        await table.act(moves.move, seat, table.snapshot.legal(seat)[0], harness.clock.now())
        await harness.settle()
    assert warned == [call for call in harness.sandbox.calls if call.method == "POST" and call.path == written]
