"""What one person alone receives: one DM a table to play on, the mention of their turn, the nudge, closed DMs."""

import asyncio
import contextlib
import random
import re
from collections.abc import Awaitable
from typing import Any

import pytest

from cogs.core.inbound import leaving
from cogs.core.ops.discord_errors import UNKNOWN_WEBHOOK
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.direct_messages import FOLLOWED_MS, RETRY_MS
from cogs.core.publishing.ephemeral_pages import CALM_MS, LIVELY_MS, OPEN_MS
from cogs.core.publishing.interaction_message import GIVEN_UP_MS, Landed
from cogs.core.publishing.turn_reminder import MENTION_AFTER_MS
from cogs.core.tables import changes, moves
from cogs.core.tables.snapshot import TableSnapshot
from data.store import DiskFull, SeatChange, TableRow
from engine.contract import Seat
from sandbox import ActionResult, Refused, UserClient
from tools.harness.bot_harness import House


async def gathered(house: House) -> None:
    """Ann and Ben sit in the lobby of Prison Break, a game of secrets."""
    await house.ann.command(house.yard, "prison-break start", clock=0)
    await house.press(house.ben, "Join")
    await house.settle()


async def begun(house: House) -> None:
    """Ann and Ben have begun Prison Break."""
    await gathered(house)
    await house.press(house.ann, "Start")
    await house.settle()


def letter_calls(house: House, person: UserClient) -> list[str]:
    """The methods of the calls that have written direct messages to somebody, in order."""
    return [call.method for call in house.sandbox.calls if call.path.startswith(f"/channels/{person.dm.id}/messages")]


async def test_who_plays_a_game_of_secrets_gets_one_dm_when_it_begins_that_names_server_and_table_and_leads_there(
    house: House,
):
    await gathered(house)
    assert house.ben.dms() == []
    await house.press(house.ann, "Start")
    await house.settle()
    (letter,) = house.ben.dms()
    text = UserClient.visible_text(letter)
    assert "Alcatraz" in text and "table 1" in text
    assert f"/channels/{house.guild.id}/{house.yard.id}/{house.board()['id']}" in text


async def test_whose_page_cannot_be_drawn_keeps_nobody_else_from_theirs(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    await gathered(house)
    letters = house.session().direct_messages
    compose = letters._compose

    def broken(table: TableSnapshot, user: int, *more: Any) -> Awaitable[PlayerPage]:
        if user == int(house.ann.id):
            raise ValueError("no chalk")
        return compose(table, user, *more)

    monkeypatch.setattr(letters, "_compose", broken)
    monkeypatch.setattr(letters, "_resting", broken)
    await house.press(house.ann, "Start")
    await house.settle()
    assert house.ann.dms() == [] and len(house.ben.dms()) == 1
    assert any("seat 0 could not be drawn" in record.getMessage() for record in caplog.records)


async def test_where_nothing_is_secret_nobody_is_written_to(house: House):
    await house.two_at_the_wall()
    await house.push()
    await house.settle()
    assert house.ann.dms() == house.ben.dms() == []


@pytest.mark.parametrize(("clock", "how", "written"), [(0, None, 0), (3_600, None, 1), (0, "message", 1)])
async def test_who_plays_alone_without_a_clock_is_neither_written_to_nor_mentioned_unless_they_asked_for_it(
    house: House, clock: int, how: str | None, written: int
):
    if how is not None:
        await house.ann.command(house.yard, "notify", how=how)
    await house.begin("prison-break", computer="rookie", clock=clock)
    for _ in range(20):
        if house.session().table.snapshot.may_act(Seat(0)):
            break
        await house.turn(5_500)
    await house.turn(LIVELY_MS + MENTION_AFTER_MS)
    await house.turn(OPEN_MS)
    assert len(house.ann.dms()) == written
    assert len(house.mentions()) == (clock > 0)


async def test_a_move_is_made_on_the_direct_message_itself_which_then_shows_the_table_after_it(house: House):
    await begun(house)
    mover = house.awaited()
    (letter,) = mover.dms()
    answer = await mover.press(letter, label="say 2, go 1")
    await house.settle()
    (after,) = mover.dms()
    assert answer.type == 7 and after["id"] == letter["id"] and mover is not house.awaited()
    assert "said 2" in UserClient.visible_text(after) and mover.ephemerals(house.yard) == []
    assert await house.shows()


async def test_what_is_read_on_a_direct_message_stays_until_there_is_something_to_hear_of(house: House):
    await house.begin("prison-break", house.ben, house.cleo)
    who = house.awaited()
    answer = await who.press(who.dms()[-1], label="More …")
    assert "Rules" in answer.text
    await house.settle()
    shown = UserClient.visible_text(who.dms()[-1])
    assert "Fair chance" in shown or "What can I do?" in shown
    back = await who.press(who.dms()[-1], label="◀ Back to the game")
    await house.settle()
    assert "Your sneak" in UserClient.visible_text(who.dms()[-1]) and back.failed is None
    other = next(one for one in (house.ann, house.ben, house.cleo) if one is not who)
    await other.press(other.dms()[-1], label="More …")
    await house.settle()
    assert "What can I do?" in UserClient.visible_text(other.dms()[-1])
    while house.awaited() is not other:
        await house.awaited().command(house.yard, "prison-break sneak", say=1, go=1)
        await house.settle()
    assert "Your sneak" in UserClient.visible_text(other.dms()[-1])


async def test_an_edit_that_is_composed_while_its_reader_presses_does_not_take_away_what_they_asked_for(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await begun(house)
    mover = house.awaited()
    reader = house.ben if mover is house.ann else house.ann
    letters = house.session().direct_messages
    compose, presses = letters._resting, list[ActionResult]()

    async def slowly(table: TableSnapshot, user: int, *more: Any) -> PlayerPage:
        found = await compose(table, user, *more)
        if user == int(reader.id) and not presses and house.awaited() is reader:
            presses.append(await reader.press(reader.dms()[-1], label="More …"))
            while user in letters._presses:  # noqa: ASYNC110 (it is answered, and not yet taken note of)
                await asyncio.sleep(0)
        return found

    monkeypatch.setattr(letters, "_resting", slowly)
    await mover.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert presses and "What can I do?" in UserClient.visible_text(reader.dms()[-1])


async def test_a_refusal_on_the_direct_message_is_a_line_on_it(house: House):
    await begun(house)
    mover = house.awaited()
    (letter,) = mover.dms()
    await mover.press(letter, label="say 2, go 1")
    await mover.press(letter, label="say 1, go 1")
    await house.settle()
    (after,) = mover.dms()
    said = UserClient.visible_text(after)
    assert said.count("⚠") == 1 and "earlier moment" in said
    assert said.index(".png") < said.index("⚠") < said.index("Write a note"), "it stands where the press was"


async def test_a_direct_message_is_edited_for_its_readers_own_move_and_not_for_every_move_of_others(house: House):
    await house.ann.command(house.yard, "prison-break start", clock=0)
    for person in (house.ben, house.cleo):
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    first, last = house.awaited(), None
    order = []
    while house.view().phase == "sneak" and house.awaited() not in order:
        order.append(house.awaited())
        last = order[-1]
        before = {person: len(letter_calls(house, person)) for person in (house.ann, house.ben, house.cleo)}
        await house.awaited().press(house.awaited().dms()[0], label="say 1, go 1")
        await house.settle()
        after = house.awaited()
        for person in (house.ann, house.ben, house.cleo):
            if person not in (last, after):
                assert len(letter_calls(house, person)) == before[person]
    assert first in order and len(order) >= 2


async def test_whoever_leaves_on_their_turn_has_no_move_on_their_direct_message_from_then_on(house: House):
    await house.begin("match-five", house.ben)
    away = house.awaited()
    assert "Swap tiles" in UserClient.visible_text(away.dms()[0])
    await house.leave(away)
    await house.settle()
    told = UserClient.visible_text(away.dms()[0])
    assert "A computer plays for" in told and "Swap tiles" not in told and "Your move" not in told


async def test_the_moves_that_a_computer_makes_for_somebody_edit_no_direct_message_of_theirs(house: House):
    await house.begin("match-five", house.ben)
    away, stays = (house.ann, house.ben) if house.awaited() is house.ann else (house.ben, house.ann)
    await house.leave(away)
    await house.turn(LIVELY_MS)  # until then they count as looking at the channel
    before, session = len(letter_calls(house, away)), house.session()
    assert "A computer plays for" in UserClient.visible_text(away.dms()[0])
    seat = session.table.snapshot.seat_of(int(stays.id))
    assert seat is not None
    before_version = session.table.snapshot.version
    for _ in range(6):
        if session.table.snapshot.may_act(seat):
            await session.table.act(moves.move, seat, session.table.snapshot.legal(seat)[0], house.hands.now())
        await house.turn(5_000)
    assert session.table.snapshot.version >= before_version + 4 and len(letter_calls(house, away)) == before


async def test_a_stranger_cannot_use_the_controls_of_a_table_from_their_own_direct_messages(house: House):
    await begun(house)
    await house.cleo.command(house.yard, "prison-break start", clock=0)
    await house.press(house.ben, "Join")
    await house.press(house.cleo, "Start")
    await house.settle()
    (letter,) = house.cleo.dms()
    version = house.session().table.snapshot.version
    control = house.controls("sneak", house.awaited().dms()[0])[0]
    answer = await house.cleo.forge(letter, control)
    assert "gone" in answer.text and house.session().table.snapshot.version == version


async def test_a_closed_dm_is_tried_once_and_hurts_nobody(house: House):
    house.ben.dms_open = False
    await begun(house)
    for _ in range(2):
        await house.press(house.awaited(), "Play")
        panel = house.awaited().ephemerals(house.yard)[-1]
        await house.awaited().press(panel, label="say 1, go 1")
        await house.settle()
    refused = [call for call in house.sandbox.calls if call.status == 403]
    assert len(refused) == 1 and "closed" not in house.public()


async def test_a_direct_message_that_would_tell_the_same_is_not_written_again(house: House):
    await begun(house)
    before = letter_calls(house, house.ben)
    house.session().direct_messages.changed()
    await house.settle()
    assert before and letter_calls(house, house.ben) == before


async def test_a_direct_message_that_may_have_been_sent_already_is_made_sure_of_by_an_edit(house: House):
    """Discord answers the second try with the first message: its picture may be an older one."""
    await gathered(house)
    house.sandbox.fault("POST", f"/channels/{house.ben.dm.id}/messages", 0, drop=True)
    await house.press(house.ann, "Start")
    await house.settle()
    house.session().direct_messages.changed()
    await house.settle()
    assert letter_calls(house, house.ben)[-1] == "PATCH" and len(house.ben.dms()) == 1


@pytest.mark.parametrize("status", [503, 0])
async def test_a_direct_message_that_took_effect_and_failed_is_not_sent_twice(house: House, status: int):
    await gathered(house)
    house.sandbox.fault("POST", f"/channels/{house.ben.dm.id}/messages", status, drop=True)
    await house.press(house.ann, "Start")
    await house.settle()
    house.session().direct_messages.changed()
    await house.settle()
    (letter,) = house.ben.dms()
    assert "Prison Break" in UserClient.visible_text(letter)


async def test_in_the_place_of_a_lost_direct_message_another_is_written(house: House):
    await begun(house)
    mover = house.awaited()
    first = mover.dms()[-1]
    gone = {"code": 10008, "message": "Unknown Message"}
    house.sandbox.fault("PATCH", f"/channels/{mover.dm.id}/messages/*", 404, body=gone)
    seat = house.session().table.snapshot.seat_of(int(mover.id))
    assert seat is not None
    await house.session().table.act(changes.change_seat, seat, SeatChange(dm_state=None))
    house.session().direct_messages.changed()
    await house.settle()
    assert mover.dms()[-1]["id"] != first["id"] and UserClient.buttons(mover.dms()[-1])


async def test_a_quick_answer_needs_no_mention_and_a_slow_one_gets_one_that_goes_again(house: House):
    await house.two_at_the_wall()
    await house.turn(70_000)
    who = house.awaited()
    assert len(house.mentions()) == 1 and who.mention in house.mentions()[0]
    assert [n["kind"] for n in who.notices if n["kind"] == "mention"]
    await house.push()
    await house.settle()
    assert house.mentions() == []


async def test_the_mention_pings_nobody_else(house: House):
    await house.two_at_the_wall()
    other = house.idle()
    other.clear_notices()
    await house.turn(70_000)
    assert other.notices == [] and house.cleo.notices == []


async def test_before_the_clock_runs_out_there_is_a_nudge_in_place_of_the_mention(house: House):
    await house.two_at_the_wall(clock=120)
    await house.turn(9_000)
    await house.turn(75_000)
    (line,) = house.mentions()
    assert "runs out" in line
    await house.push()
    await house.settle()
    assert house.mentions() == []


async def test_a_mention_from_before_a_restart_is_deleted_when_the_turn_passes(house: House):
    await house.two_at_the_wall()
    await house.turn(70_000)
    assert len(house.mentions()) == 1
    await house.restart()
    mover = house.ann if house.ann.mention in house.mentions()[0] else house.ben
    await mover.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert house.mentions() == []


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (401, 50027), (404, 10015), (400, 40060)])
async def test_a_command_whose_asker_is_gone_is_no_traceback(house: House, caplog, status: int, code: int):
    house.sandbox.fault("POST", "/interactions/*/callback", status, body={"code": code, "message": "gone"})
    asked = house.ann.start_command(house.yard, "privacy export", {})
    await house.sandbox.until(lambda: any(call.status == status for call in house.sandbox.calls))
    await house.settle()
    assert asked.answer is None
    assert "Traceback" not in caplog.text and not [r for r in caplog.records if r.levelname == "ERROR"]


async def test_who_asks_for_a_direct_message_gets_a_new_one_for_each_move_where_the_old_one_goes(house: House):
    await house.two_at_the_wall()
    for person in (house.ann, house.ben):
        await person.command(house.yard, "notify", how="message")
    for _ in range(3):
        await house.turn(70_000)
        who = house.awaited()
        (letter,) = who.dms()
        assert house.controls("push", letter) and house.mentions() == []
        await who.press(letter, house.controls("push", letter)[0])
        await house.settle()
    assert house.pushes() == 3


async def test_who_wants_to_hear_nothing_is_neither_mentioned_nor_written_to(house: House):
    await house.two_at_the_wall()
    for person in (house.ann, house.ben):
        more = await house.press(person, "More …")
        ways = await person.press(more, label="Notify me …")
        chosen = await person.press(ways, label="Nothing")
        assert "nothing" in chosen.text
    await house.turn(100_000)
    assert house.mentions() == [] and house.ann.dms() == house.ben.dms() == []


async def test_how_somebody_wants_to_be_notified_outlives_a_restart_and_goes_with_their_data(house: House):
    await house.ann.command(house.yard, "notify", how="nothing")
    await house.restart()
    notify = house.client.tables.notify
    assert await notify.of(int(house.ann.id)) == "nothing"
    kept = await house.client.tables.store.user_data.export(int(house.ann.id))
    assert kept["notified_by"] == [{"user": int(house.ann.id), "how": "nothing"}]
    await leaving.forget(house.client.tables, int(house.ann.id))
    assert await notify.of(int(house.ann.id)) == "mention"


@pytest.mark.parametrize(("label", "later_ms"), [("More …", LIVELY_MS), ("Play", OPEN_MS)])
async def test_who_has_pressed_something_lately_is_mentioned_later_and_with_a_panel_open_later_still(
    house: House, label: str, later_ms: int
):
    await house.two_at_the_wall()
    await house.turn(20_000)
    await house.press(house.awaited(), label)
    await house.turn(later_ms - 10_000)
    assert house.mentions() == []
    await house.turn(20_000)
    assert len(house.mentions()) == 1


def counted_edits(house: House, person: UserClient) -> int:
    """How often a direct message of somebody was edited by the bot's own token, which Discord counts."""
    return letter_calls(house, person).count("PATCH")


@pytest.mark.parametrize(("ms", "refused", "counted"), [(0, False, 0), (GIVEN_UP_MS, False, 1), (0, True, 1)])
async def test_a_direct_message_that_was_pressed_is_edited_by_that_press_as_long_as_its_token_lives(
    house: House, ms: int, refused: bool, counted: int
):
    await begun(house)
    reader = house.awaited()
    await reader.press(reader.dms()[0], label="say 2, go 1")
    await house.turn(ms)
    before = counted_edits(house, reader)
    if refused:
        body = {"code": UNKNOWN_WEBHOOK, "message": "Unknown Webhook"}
        house.sandbox.fault("PATCH", "/webhooks/*", 404, times=9, body=body)  # the table message's token too
    await house.client.tables.end(1, "Closed.")
    await house.settle()
    assert "is closed" in UserClient.visible_text(reader.dms()[0])
    assert counted_edits(house, reader) == before + counted


async def test_a_direct_message_waits_while_its_reader_plays_on_their_panel(house: House):
    await begun(house)
    reader, other = house.idle(), house.awaited()
    await house.press(reader, "Play")
    before = counted_edits(house, reader)
    await house.press(other, "Play")
    await other.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert house.awaited() is reader and counted_edits(house, reader) == before
    await house.turn(LIVELY_MS)
    assert counted_edits(house, reader) == before + 1
    assert any(part.get("label") == "say 1, go 1" for part in UserClient.buttons(reader.dms()[0]))


def text_of(person: UserClient) -> str:
    return UserClient.visible_text(person.dms()[0])


def stands_as_it_is(house: House, person: UserClient) -> bool:
    """Whether somebody's direct message tells whose move it is as it is now."""
    table, screen = house.session().table, house.session().screen
    status = screen.status(
        table.snapshot.view(table.snapshot.seat_of(int(person.id))), table.snapshot.info()
    ).splitlines()[0]
    return status.replace("\xa0", " ") in text_of(person)


def rests(person: UserClient) -> bool:
    return "as it stood " in text_of(person)


@pytest.mark.parametrize(("clock", "when"), [(300, r"at <t:\d+:t>"), (86_400, r"on <t:\d+:f>"), (0, r"on <t:\d+:f>")])
async def test_when_it_stood_so_is_told_by_the_clock_on_the_wall_and_with_its_day_where_a_game_may_last(
    house: House, clock: int, when: str
):
    await house.begin("prison-break", house.ben, clock=clock)
    assert re.search(f"as it stood {when}", text_of(house.idle()))


async def test_the_message_of_whoever_is_not_awaited_says_when_it_stood_so_and_shows_no_clock(house: House):
    await house.begin("prison-break", house.ben, clock=300)
    reader, other = house.idle(), house.awaited()
    assert rests(reader) and "time runs out" not in UserClient.visible_text(reader.dms()[0])
    assert not rests(other) and "time runs out" in UserClient.visible_text(other.dms()[0])
    await other.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert house.awaited() is reader and not rests(reader)
    assert rests(other) and "time runs out" not in UserClient.visible_text(other.dms()[0])


async def test_whoever_plays_on_their_direct_message_sees_the_game_go_on_there_at_no_counted_call(house: House):
    await house.ann.command(house.yard, "prison-break start", clock=0)
    for person in (house.ben, house.cleo):
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    reader = house.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await house.settle()
    before = counted_edits(house, reader)
    await house.awaited().command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert not rests(reader) and not stands_as_it_is(house, reader)
    await house.turn(CALM_MS - 1)
    assert not stands_as_it_is(house, reader)
    await house.turn(1)
    assert stands_as_it_is(house, reader) and counted_edits(house, reader) == before


async def test_a_press_on_a_direct_message_is_followed_by_no_edit_that_shows_the_same(house: House):
    await house.begin("prison-break", house.ben, house.cleo)
    await house.without_tokens()  # the table message is edited by the bot's own then
    reader = house.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await house.settle()
    await house.turn(CALM_MS)
    assert not [call for call in house.sandbox.calls if call.method == "PATCH" and "/webhooks/" in call.path]


async def test_how_a_game_has_ended_is_not_told_as_how_it_stood(house: House):
    await house.two_at_the_wall()
    for person in (house.ann, house.ben):
        await person.command(house.yard, "notify", how="message")
    await house.turn(70_000)
    reader, other = house.awaited(), house.idle()
    assert "Your move" in text_of(reader)
    await other.command(house.yard, "rope-wall resign")
    await house.settle()
    assert "wins" in text_of(reader) and not rests(reader)


async def test_a_direct_message_that_rests_goes_on_at_a_press_although_its_reader_plays_on_their_panel(house: House):
    await house.begin("prison-break", house.ben)
    reader, other = house.idle(), house.awaited()
    await house.press(reader, "Play")
    await other.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert rests(reader) and house.awaited() is reader and "say 1, go 1" not in text_of(reader)
    await reader.press(reader.dms()[0], label="Go on")
    await house.settle()
    assert not rests(reader) and "say 1, go 1" in text_of(reader) and "Go on" not in text_of(reader)


async def test_a_direct_message_that_rests_has_nothing_to_press_that_may_mean_nothing_any_more(house: House):
    await house.begin("break-out", house.ben)
    reader = house.idle()
    await house.press(reader, "Play")
    await house.turn(LIVELY_MS)
    assert rests(reader)
    assert [part["label"] for part in UserClient.buttons(reader.dms()[0])] == ["Go on", "More …"]
    back = await reader.press(await reader.press(reader.dms()[0], label="More …"), label="◀ Back to the game")
    assert any("DRAW" in part.get("label", "") for part in UserClient.buttons(back.message or {}))


async def test_a_direct_message_rests_when_its_reader_has_pressed_nothing_on_it_for_five_minutes(house: House):
    await begun(house)
    reader = house.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await house.settle()
    before = counted_edits(house, reader)
    await house.turn(FOLLOWED_MS - 1)
    assert not rests(reader)
    await house.turn(1)
    assert rests(reader) and counted_edits(house, reader) == before


async def test_an_edit_that_is_on_its_way_comes_before_the_answer_to_a_press(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.begin("prison-break", house.ben, house.cleo)
    reader, edit, pressed = house.awaited(), Landed.edit, list[asyncio.Task[ActionResult]]()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await house.settle()

    async def edited(landed: Landed, *arguments: Any) -> None:
        if str(landed.message) == reader.dms()[0]["id"] and not pressed:
            pressed.append(asyncio.create_task(reader.press(reader.dms()[0], label="More …")))
            for _ in range(2_000):
                await asyncio.sleep(0)
        await edit(landed, *arguments)

    monkeypatch.setattr(Landed, "edit", edited)
    await house.awaited().command(house.yard, "prison-break sneak", say=1, go=1)
    await house.turn(CALM_MS)
    assert "Fair chance" in (await pressed[0]).text
    await house.turn(CALM_MS)
    assert "Fair chance" in text_of(reader)


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_is_read_on_a_direct_message_stays_over_a_restart(house: House, stopped: bool):
    await begun(house)
    reader, mover = house.idle(), house.awaited()
    await reader.press(reader.dms()[0], label="More …")
    await house.settle()
    if stopped:
        await house.restart()
        await house.press(mover, "Play")
        await house.settle()
    assert "Fair chance" in text_of(reader)
    await mover.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert house.awaited() is reader and stands_as_it_is(house, reader)


async def test_a_direct_message_that_did_not_get_through_is_tried_again(house: House):
    await begun(house)
    reader, mover = house.idle(), house.awaited()
    house.sandbox.fault("PATCH", f"/channels/{reader.dm.id}/messages/*", 0, times=9)
    await mover.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert rests(reader)
    house.sandbox.mend()
    await house.turn(RETRY_MS - 1)
    assert rests(reader)
    await house.turn(1)
    assert stands_as_it_is(house, reader)


async def test_rules_read_on_a_direct_message_stay_although_it_would_rest(house: House):
    await begun(house)
    reader = house.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await house.settle()
    more = await reader.press(reader.dms()[0], label="More …")
    assert more.message is not None
    await reader.press(more.message, label="Rules")
    await house.settle()
    rules = UserClient.visible_text(reader.dms()[0])
    await house.turn(FOLLOWED_MS)
    assert UserClient.visible_text(reader.dms()[0]) == rules


async def test_while_its_reader_plays_on_their_panel_a_direct_message_rests_at_the_cost_of_one_edit(house: House):
    await house.ann.command(house.yard, "prison-break start", clock=0)
    for person in (house.ben, house.cleo):
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    reader = house.awaited()
    await house.press(reader, "Play")
    before = counted_edits(house, reader)
    for _ in range(12):
        who = house.awaited()
        if house.view().phase != "sneak":
            break
        await who.command(house.yard, "prison-break sneak", say=1, go=1)
        await house.settle()
        if who is reader:
            assert rests(reader)
    else:
        raise AssertionError("nobody sneaks any more")
    assert counted_edits(house, reader) == before + 1


async def test_a_message_that_could_not_be_brought_to_rest_is_with_the_next_change(house: House):
    await begun(house)
    reader = house.awaited()
    house.sandbox.fault("PATCH", f"/channels/{reader.dm.id}/messages/*", 400)
    await reader.command(house.yard, "prison-break sneak", say=1, go=1)
    await house.settle()
    assert not rests(reader)
    house.session().direct_messages.changed()
    await house.settle()
    assert rests(reader)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["prison-break", "break-out", "ausbrecher", "match-five"])
async def test_whatever_people_press_no_direct_message_tells_a_wrong_turn_or_a_clock_that_is_none_of_its_readers(
    house: House, game: str, seed: int
):
    dice = random.Random(f"{game}.{seed}")
    await house.begin(game, house.ben, house.cleo, clock=300)
    people = (house.ann, house.ben, house.cleo)
    for _ in range(25):
        if not house.session().table.snapshot.playing:
            break
        asked = house.view().to_act and dice.random() < 0.7
        who = house.awaited() if asked else dice.choice(people)
        pages = [house.board(), *who.dms(), *who.ephemerals(house.yard)]
        with contextlib.suppress(Refused):
            await house.press_anything(who, dice.choice(pages), dice, but={"leave", "resign", "repost", "notify"})
        await house.turn(dice.choice((0, 500, CALM_MS, LIVELY_MS)))
        for _ in range(3):  # what happens while an edit waits for its time is shown by the next one
            await house.turn(CALM_MS)
        table = house.session().table
        for person in people if table.snapshot.playing else ():
            seat = table.snapshot.seat_of(int(person.id))
            assert seat is not None
            reads = "◀ Back to the game" in text_of(person)
            assert reads or rests(person) or table.snapshot.awaits(seat) or stands_as_it_is(house, person), text_of(
                person
            )
            assert not (rests(person) and "time runs out" in text_of(person))


async def test_what_the_database_did_not_take_yet_is_kept_together_with_what_comes_after_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await house.begin("prison-break", house.ben, house.cleo)
    table, letters = house.session().table, house.session().direct_messages
    user, seats = int(house.ann.id), table.store.seats
    update = seats.update
    taken, later = list[SeatChange](), list[asyncio.Task[None]]()

    async def full(*_: object) -> None:
        raise DiskFull("There is no room.")

    async def noted(number: int, seat: int, what: SeatChange) -> TableRow:
        taken.append(what)
        if len(taken) == 1:
            later.append(asyncio.create_task(letters._keep(user, SeatChange(dm_look="later"))))
            await asyncio.sleep(0)  # it is asked for while the one before is being written
        return await update(number, seat, what)

    with monkeypatch.context() as patch:
        patch.setattr(seats, "update", full)
        with pytest.raises(DiskFull):
            await letters._keep(user, SeatChange(dm_channel=98, dm_message=99))
    with monkeypatch.context() as patch:
        patch.setattr(seats, "update", noted)
        await letters._keep(user, SeatChange(dm_state="seen"))
        await asyncio.gather(*later)
    row = table.snapshot.seats[table.snapshot.seat_of(user) or 0]
    assert (row.dm_channel, row.dm_message, row.dm_state, row.dm_look) == (98, 99, "seen", "later")
    assert letters._row(Seat(row.seat)) == row and not letters._unkept
