"""Gathering at a table: who may do what before the game, shown by the real client on the sandbox."""

import asyncio

from sandbox import Person
from tests.cogs.conftest import House

MINUTE_MS = 60_000


def labels(house: House) -> dict[str, bool]:
    """The table message's buttons, and whether each can be pressed."""
    return {part.get("label", ""): not part.get("disabled", False) for part in Person.buttons(house.board())}


async def test_people_gather_and_the_opener_starts(house: House):
    opened = await house.ann.command(house.yard, "rope-wall start")
    assert "opened the table" in opened.text and "Table 1" in opened.text
    assert labels(house)["Join"] and not labels(house)["Start"]
    joined = await house.press(house.ben, "Join")
    assert joined.type == 7 and "Ben" in house.public()
    assert not labels(house)["Join"] and labels(house)["Start"]
    begun = await house.press(house.ann, "Start")
    assert begun.type == 7
    assert "to push" in house.public()
    assert len(house.sandbox.messages(house.yard)) == 1  # one table message, edited in place


async def test_a_table_against_the_computer_begins_at_once(house: House):
    opened = await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    assert "Rookie" in opened.text and "to push" in opened.text


async def test_only_the_opener_starts_sets_options_and_adds_computers(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    for label in ("Start", "Options", "Hand over", "Close"):
        answer = await house.press(house.ben, label)
        assert f"Only <@{house.ann.id}>" in answer.text and answer.message["flags"] & 64, label
    await house.press(house.ben, "Leave")
    assert "Only" in (await house.press(house.cleo, "Add Warden")).text


async def test_the_opener_may_add_and_remove_computer_players(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ann, "Add Warden")
    assert "thinks ahead" in house.public() and labels(house)["Start"]
    await house.press(house.ann, "Remove computer")
    assert "thinks ahead" not in house.public() and not labels(house)["Start"]


async def test_joining_twice_or_leaving_unseated_is_told_in_words(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    assert "already sit" in (await house.press(house.ann, "Join")).text
    assert "do not sit" in (await house.press(house.ben, "Leave")).text


async def test_of_two_who_take_the_last_seat_at_once_one_is_told(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    answers = await asyncio.gather(house.press(house.ben, "Join"), house.press(house.cleo, "Join"))
    assert sorted(answer.type for answer in answers) == [4, 7]
    assert any("full" in answer.text for answer in answers)


async def test_options_are_set_on_a_private_panel_and_seen_by_all(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    panel = await house.press(house.ann, "Options")
    assert panel.message["flags"] & 64
    menu = next(part for part in Person.buttons(panel) if part["type"] == 3 and "clock" in part["custom_id"])
    await house.ann.press(panel, menu["custom_id"], values=["300"])
    await house.settle()
    assert "5 min" in house.public()


async def test_a_forged_option_changes_nothing(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.settle()
    before = house.public()
    for values in (["7"], ["nonsense"], []):
        answer = await house.ann.forge(house.board(), "cb:1:0:option:clock", values=values, component_type=3)
        assert "does not exist" in answer.text
    assert "does not exist" in (await house.ann.forge(house.board(), "cb:1:0:option:no", ["1"], 3)).text
    await house.settle()
    assert house.public() == before


async def test_who_opened_the_table_can_hand_it_over(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    assert "nobody else" in (await house.press(house.ann, "Hand over")).text
    await house.press(house.ben, "Join")
    panel = await house.press(house.ann, "Hand over")
    menu = next(part for part in Person.buttons(panel) if part["type"] == 3)
    await house.ann.press(panel, menu["custom_id"], values=[house.ben.id])
    await house.settle()
    assert "Ben** – opened the table" in house.public()
    assert (await house.press(house.ben, "Start")).type == 7


async def test_when_the_opener_leaves_the_next_runs_the_table_and_the_last_closes_it(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Leave")
    assert "Ben** – opened the table" in house.public()
    await house.press(house.ben, "Leave")
    assert "closed" in house.public() and "Everybody has left" in house.public()
    assert not Person.buttons(house.board())


async def test_a_lobby_closes_by_itself_after_fifteen_minutes_without_a_game(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.turn(14 * MINUTE_MS)
    await house.press(house.ben, "Join")  # life at the table keeps it open
    await house.turn(14 * MINUTE_MS)
    assert "closed" not in house.public()
    await house.turn(2 * MINUTE_MS)
    assert "closed" in house.public() and "15 minutes" in house.public()


async def test_a_closed_table_answers_late_clicks(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    before = house.board()
    await house.press(house.ann, "Close")
    assert "closed it" in house.public()
    answer = await house.press(house.ben, "Join", before)
    assert "closed" in answer.text and "start" in answer.text


async def test_an_invited_opponent_is_called_once_and_the_game_begins_when_they_come(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    assert "kept for" in house.public()
    assert [notice["kind"] for notice in house.ben.notices] == ["mention"]
    refused = await house.press(house.cleo, "Join")
    assert "kept for" in refused.text
    await house.press(house.ben, "Join")
    assert "to push" in house.public()
    await house.settle()
    assert not any("invites you" in message["content"] for message in house.sandbox.messages(house.yard))


async def test_bots_and_oneself_cannot_be_invited(house: House):
    answer = await house.ann.command(house.yard, "rope-wall start", invite=house.ann)
    assert "yourself" in answer.text
    assert not [message for message in house.sandbox.messages(house.yard) if not message["flags"] & 64]


async def test_one_person_sits_at_several_tables_of_one_channel(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    listed = await house.ann.command(house.yard, "tables")
    assert "table 1" in listed.text and "table 2" in listed.text
    refused = await house.ann.command(house.yard, "rope-wall resign")
    assert "several tables" in refused.text
    resigned = await house.ann.command(house.yard, "rope-wall resign", table=2)
    assert "resigned" in resigned.text


async def test_without_the_needed_permissions_no_table_opens_and_the_missing_ones_are_named(house: House):
    house.sandbox.deny(house.yard, "ATTACH_FILES")
    answer = await house.ann.command(house.yard, "rope-wall start")
    assert "Attach Files" in answer.text and "Send Messages" not in answer.text
    house.sandbox.allow(house.yard, "ATTACH_FILES")
    assert "Table 1" in (await house.ann.command(house.yard, "rope-wall start")).text


async def test_a_rematch_needs_one_press_from_each(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.ben.command(house.yard, "rope-wall resign")
    await house.settle()
    over = house.board()
    assert "wins" in house.public()
    assert "do not sit" in (await house.press(house.cleo, "Rematch", over)).text
    await house.press(house.ann, "Rematch", over)
    await house.settle()
    assert "Table 2" in house.public() and "Ann" in house.public()
    await house.press(house.ben, "Rematch", house.sandbox.message(over))
    await house.settle()
    assert "to push" in house.public()
    assert "already begun" in (await house.press(house.ann, "Rematch", house.sandbox.message(over))).text


async def test_a_rematch_against_the_computer_begins_at_once(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    await house.press(house.ann, "Rematch")
    await house.settle()
    assert "to push" in house.public()


async def test_a_computer_does_not_take_the_seat_that_is_kept_for_somebody(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    lobby = house.board()
    assert not house.controls("add", lobby) and house.controls("uninvite", lobby)
    refused = await house.ann.forge(lobby, "cb:1:0:add:rookie", component_type=2)
    assert "kept for" in refused.text and "Withdraw the invitation" in refused.text
    await house.press(house.ben, "Join")
    assert "to push" in house.public()


async def test_a_kept_seat_counts_beside_computers_at_larger_tables(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben, computer="rookie", computers=1)
    await house.settle()
    await house.press(house.ann, "Add Rookie")
    await house.settle()
    refused = await house.ann.forge(house.board(), "cb:1:0:add:rookie", component_type=2)
    assert "kept for" in refused.text
    assert len(house.session().table.seats) == 3
    await house.press(house.ben, "Join")
    assert len(house.session().table.seats) == 4


async def test_a_withdrawn_invitation_frees_the_seat_and_takes_its_line_away(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    lobby = house.board()
    assert "Only" in (await house.press(house.cleo, "Withdraw invitation", lobby)).text
    await house.press(house.ann, "Withdraw invitation", lobby)
    await house.settle()
    assert "kept for" not in house.public()
    assert not any("invites you" in message["content"] for message in house.sandbox.messages(house.yard))
    assert "No seat is kept" in (await house.ann.forge(house.board(), "cb:1:0:uninvite:", component_type=2)).text
    await house.press(house.cleo, "Join")
    assert "Cleo" in house.public()


async def test_who_was_invited_and_got_up_again_finds_the_seat_still_kept(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben)
    await house.press(house.ben, "Join")
    assert "kept for" not in house.public()
    await house.press(house.ben, "Leave")
    for _ in range(2):
        await house.press(house.ann, "Add Rookie")
    assert "kept for" in house.public() and not house.controls("add")
    assert "kept for" in (await house.press(house.cleo, "Join")).text
    await house.press(house.ben, "Join")
    assert "kept for" not in house.public()
