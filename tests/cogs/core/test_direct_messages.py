"""What one person alone receives: one DM a table, the mention when it is their turn, the nudge, closed DMs."""

import asyncio

import pytest

from cogs.core import lobby
from data.store import SeatChange
from sandbox import Person
from tests.cogs.conftest import House


def mentions(house: House) -> list[str]:
    return [m["content"] for m in house.sandbox.messages(house.yard) if m["content"].startswith("<@")]


async def test_who_sits_down_gets_one_dm_that_names_server_table_seat_and_the_way_back(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    await house.press(house.ben, "Join")
    await house.settle()
    (letter,) = house.ben.dms()
    text = Person.visible_text(letter)
    assert "Alcatraz" in text and "table 1" in text and "seat B" in text
    assert f"/channels/{house.guild.id}/{house.yard.id}/{house.board()['id']}" in text


async def test_the_letter_is_edited_in_place_and_has_no_controls(house: House):
    await house.two_at_the_wall()
    for _ in range(3):
        await house.push()
        await house.settle()
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    (letter,) = house.ben.dms()
    assert "over" in Person.visible_text(letter)
    assert not [part for part in Person.buttons(letter) if part.get("style") != 5]


async def test_a_closed_dm_is_told_once_in_private_and_never_tried_again(house: House):
    house.ben.dms_open = False
    await house.ann.command(house.yard, "rope-wall start")
    joined = await house.press(house.ben, "Join")
    await house.settle()
    assert "direct messages are closed" in joined.text
    await house.press(house.ann, "Start")
    for _ in range(4):
        await house.push()
        await house.settle()
    refused = [call for call in house.sandbox.calls if call.status == 403]
    assert len(refused) == 1
    assert "closed" not in house.public()


async def test_a_quick_answer_needs_no_mention_and_a_slow_one_gets_one_that_goes_again(house: House):
    await house.two_at_the_wall()
    await house.turn(9_000)
    who = house.awaited()
    assert len(mentions(house)) == 1 and who.mention in mentions(house)[0]
    assert [n["kind"] for n in who.notices if n["kind"] == "mention"]
    await house.push()
    await house.settle()
    assert mentions(house) == []


async def test_the_mention_pings_nobody_else(house: House):
    await house.two_at_the_wall()
    other = house.idle()
    other.clear_notices()
    await house.turn(9_000)
    assert other.notices == [] and house.cleo.notices == []


async def test_before_the_clock_runs_out_there_is_a_nudge_in_place_of_the_mention(house: House):
    await house.two_at_the_wall(clock=120)
    await house.turn(9_000)
    await house.turn(75_000)
    (line,) = mentions(house)
    assert "runs out" in line
    await house.push()
    await house.settle()
    assert mentions(house) == []


async def test_a_mention_from_before_a_restart_is_deleted_when_the_turn_passes(house: House):
    await house.two_at_the_wall()
    await house.turn(9_000)
    assert len(mentions(house)) == 1
    await house.restart()
    mover = house.ann if house.ann.mention in mentions(house)[0] else house.ben
    await mover.press(house.board(), house.controls("push")[0])
    await house.settle()
    assert mentions(house) == []


async def test_letters_wanted_twice_at_once_are_sent_once(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    session = house.session()
    for _ in range(3):
        session.direct_messages.changed()
        await asyncio.gather(*(session.direct_messages.introduce(int(house.ben.id)) for _ in range(3)))
    await house.settle()
    assert len(house.ben.dms()) == 1 and len(house.ann.dms()) == 1


def letter_calls(house: House, person: Person) -> list[str]:
    """The methods of the calls that have written letters to somebody, in order."""
    return [call.method for call in house.sandbox.calls if call.path.startswith(f"/channels/{person.dm.id}/messages")]


async def test_a_letter_that_would_say_the_same_is_not_written_again(house: House):
    await house.two_at_the_wall()
    before = letter_calls(house, house.ben)
    house.session().direct_messages.changed()
    await house.settle()
    assert before and letter_calls(house, house.ben) == before


async def test_a_closed_dm_is_tried_once_however_many_letters_are_wanted_at_once(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    house.ben.dms_open = False
    await lobby.join(house.session().table, int(house.ben.id), "Ben", house.hands.now())
    letters = house.session().direct_messages
    told = await asyncio.gather(*(letters.introduce(int(house.ben.id)) for _ in range(3)))
    assert told == [False, False, False]
    assert len([call for call in house.sandbox.calls if call.status == 403]) == 1


async def test_a_letter_that_may_have_been_sent_already_is_made_sure_of_by_an_edit(house: House):
    """Discord answers the second try with the first message: its picture may be an older one."""
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    house.sandbox.fault("POST", f"/channels/{house.ben.dm.id}/messages", 0, drop=True)
    await house.press(house.ben, "Join")
    await house.settle()
    house.session().direct_messages.changed()
    await house.settle()
    assert letter_calls(house, house.ben)[-1] == "PATCH" and len(house.ben.dms()) == 1


async def test_a_letter_has_no_controls_though_the_private_page_has_and_neither_has_one_sent_in_place_of_a_lost_one(
    house: House,
):
    await house.ann.command(house.yard, "break-out start")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    mover = house.awaited()
    panel = await house.press(mover, "Play")
    assert [part for part in Person.buttons(panel) if part.get("style") != 5]
    first = mover.dms()[-1]
    gone = {"code": 10008, "message": "Unknown Message"}
    house.sandbox.fault("PATCH", f"/channels/{mover.dm.id}/messages/*", 404, body=gone)
    seat = house.session().table.seat_of(int(mover.id))
    assert seat is not None
    await house.session().table.change_seat(seat, SeatChange(dm_state=None))
    house.session().direct_messages.changed()
    await house.settle()
    second = mover.dms()[-1]
    assert second["id"] != first["id"]
    assert not [part for letter in (first, second) for part in Person.buttons(letter) if part.get("style") != 5]


@pytest.mark.parametrize("status", [503, 0])
async def test_a_letter_that_took_effect_and_failed_is_not_sent_twice(house: House, status: int):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    house.sandbox.fault("POST", f"/channels/{house.ben.dm.id}/messages", status, drop=True)
    await house.press(house.ben, "Join")
    await house.settle()
    await house.press(house.ann, "Start")
    await house.settle()
    (letter,) = house.ben.dms()
    assert "The game is on" in Person.visible_text(letter)


async def test_a_letter_sent_while_the_seats_are_numbered_anew_stays_its_readers_own(house: House):
    await house.ann.command(house.yard, "prison-break start")
    for person in (house.ben, house.cleo):
        await house.press(person, "Join")
    await house.settle()
    session = house.session()
    compose, numbered = session.direct_messages._compose, asyncio.Event()

    async def slow(table: object, seat: int) -> object:
        page = await compose(table, seat)
        if seat == 1 and not numbered.is_set():
            await lobby.leave(session.table, int(house.ann.id), house.hands.now())  # Cleo gets Ben's number
            numbered.set()
        return page

    session.direct_messages._compose = slow
    await session.table.change_seat(1, SeatChange(dm_state=None))
    session.direct_messages.changed()
    await house.settle()
    assert numbered.is_set()
    ben, cleo = session.table.seats
    assert (str(ben.dm_message), str(cleo.dm_message)) == (house.ben.dms()[0]["id"], house.cleo.dms()[0]["id"])
    session.direct_messages.changed()
    await house.settle()
    assert "seat A" in Person.visible_text(house.ben.dms()[0]) and "seat B" in Person.visible_text(house.cleo.dms()[0])


async def test_a_letter_to_somebody_who_leaves_meanwhile_is_booked_to_nobody_else(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    await house.settle()
    session = house.session()
    compose = session.direct_messages._compose

    async def slow(table: object, seat: int) -> object:
        page = await compose(table, seat)
        if seat == 1:
            await lobby.leave(session.table, int(house.ben.id), house.hands.now())
        return page

    session.direct_messages._compose = slow
    await session.table.change_seat(1, SeatChange(dm_state=None))
    session.direct_messages.changed()
    await house.settle()
    (ann,) = session.table.seats
    assert str(ann.dm_message) == house.ann.dms()[0]["id"] and str(ann.dm_channel) == house.ann.dm.id


async def test_the_hint_about_closed_messages_to_somebody_who_is_gone_is_no_traceback(house: House, caplog):
    house.ben.dms_open = False
    await house.ann.command(house.yard, "rope-wall start")
    body = {"code": 50027, "message": "Invalid Webhook Token"}
    house.sandbox.fault("POST", "/webhooks/{application_id}/{webhook_token}", 401, body=body)
    await house.press(house.ben, "Join")
    await house.settle()
    assert house.session().table.seat_of(int(house.ben.id)) == 1
    assert "Traceback" not in caplog.text and not [r for r in caplog.records if r.levelname == "ERROR"]


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (401, 50027), (404, 10015), (400, 40060)])
async def test_a_command_whose_asker_is_gone_is_no_traceback(house: House, caplog, status: int, code: int):
    house.sandbox.fault("POST", "/interactions/*/callback", status, body={"code": code, "message": "gone"})
    asked = house.ann.start_command(house.yard, "privacy export", {})
    await house.sandbox.until(lambda: any(call.status == status for call in house.sandbox.calls))
    await house.settle()
    assert asked.answer is None
    assert "Traceback" not in caplog.text and not [r for r in caplog.records if r.levelname == "ERROR"]
