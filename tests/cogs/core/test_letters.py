"""What one person alone receives: one DM a table, the mention when it is their turn, the nudge, closed DMs."""

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
