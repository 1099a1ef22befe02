"""Gathering at a table: who may do what before the game, shown by the real client on the sandbox."""

import asyncio

import pytest

from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import House

MINUTE_MS = 60_000


def labels(house: House) -> dict[str, bool]:
    """The table message's buttons, and whether each can be pressed."""
    return {part.get("label", ""): not part.get("disabled", False) for part in UserClient.buttons(house.board())}


async def manage(house: House, who: UserClient, label: str) -> ActionResult:
    """Press a button of somebody's private page in the lobby."""
    answer = await house.press(who, label, await house.press(who, "Manage"))
    await house.settle()
    return answer


async def choose(house: House, who: UserClient, verb: str, whom: UserClient) -> ActionResult:
    """Choose somebody on the opener's private page."""
    page = await house.press(who, "Manage")
    menu = next(part for part in UserClient.buttons(page) if part["custom_id"].split(":")[3] == verb)
    answer = await who.press(page, menu["custom_id"], values=[whom.id])
    await house.settle()
    return answer


async def set_option(house: House, who: UserClient, name: str, value: str) -> None:
    """Set an option on the opener's private page."""
    page = await manage(house, who, "Options")
    menu = next(part for part in UserClient.buttons(page) if part["custom_id"].endswith(f":option:{name}"))
    await who.press(page, menu["custom_id"], values=[value])
    await house.settle()


async def test_people_gather_and_the_opener_starts(house: House):
    opened = await house.ann.command(house.yard, "rope-wall start")
    assert "Ann** – host" in opened.text and "Waiting for 1 more player." in opened.text
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
    assert "Trainee" in opened.text and "to push" in opened.text


async def test_only_the_opener_starts_and_manages(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    assert f"Only <@{house.ann.id}>" in (await house.press(house.ben, "Start")).text
    assert f"Only <@{house.ann.id}>" in (await house.press(house.cleo, "Manage")).text
    before = house.session().table.snapshot.seats, house.session().table.snapshot.row
    for who in (house.ben, house.cleo):
        for verb, value in (
            ("options", None),
            ("option:clock", "60"),
            ("add:warden", None),
            ("drop", None),
            ("uninvite", None),
            ("send-out", house.ben.id),
            ("heir", house.ben.id),
            ("cancel", None),
            ("cancel-sure", None),
        ):
            name, kind = f"cb:1:0:{verb}{'' if ':' in verb else ':'}", 2 if value is None else 3
            answer = await who.forge(house.board(), name, None if value is None else [value], kind)
            assert f"Only <@{house.ann.id}>" in answer.text and answer.message["flags"] & 64, verb
    assert (house.session().table.snapshot.seats, house.session().table.snapshot.row) == before


async def test_the_lobby_shows_everybody_the_ways_in_and_out_a_cover_and_how_long_the_game_lasts(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    assert list(labels(house)) == ["Join", "Leave", "Start", "Rules", "Manage"]
    assert "about 15 minutes" in house.public() and "in the middle of a game" in house.public()
    assert "● Ann" in house.public().replace("*", "") and "◆ free" in house.public()


async def test_a_guest_leaves_by_the_table_itself_in_one_call(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    assert not labels(house)["Leave"]  # alone, the host closes the table
    await house.press(house.ben, "Join")
    assert labels(house)["Leave"]
    left = await house.press(house.ben, "Leave")
    assert left.type == 7 and "Ben" not in house.public() and not labels(house)["Leave"]
    assert not house.ben.ephemerals(house.yard)


async def test_whoever_sits_and_presses_join_is_told_so_with_the_way_out_beside_it(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    told = await house.ben.forge(house.board(), "cb:1:0:join:")
    assert "already sit" in told.text and house.controls("leave", told)


async def test_start_stands_out_only_once_the_game_can_begin_and_the_page_says_who_may_press_it(house: House):
    def style() -> int:
        (start,) = (part for part in UserClient.buttons(house.board()) if part.get("label") == "Start")
        return int(start["style"])

    await house.ann.command(house.yard, "prison-break start")
    assert style() == 2 and "Waiting for 1 more player." in house.public()
    await house.press(house.ben, "Join")
    assert style() == 1 and "● **Ann** can start, or wait for more players." in house.public()
    await house.press(house.cleo, "Join")
    await manage(house, house.ann, "Add Trainee")
    assert "All seats are taken: ● **Ann** can start." in house.public()


async def test_a_lobby_whose_last_seat_is_kept_says_that_it_begins_by_itself(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    assert f"The game begins when <@{house.ben.id}> joins." in house.public()


async def test_a_lobby_whose_last_seat_is_kept_says_that_its_host_need_not_wait(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben, computer="rookie", computers=2)
    waits = f"The game begins when <@{house.ben.id}> joins, or when ● **Ann** starts without them."
    assert waits in house.public()
    await house.press(house.ann, "Start")
    await house.settle()
    assert house.session().table.snapshot.playing and len(house.session().table.snapshot.seats) == 3


async def test_a_lobby_with_seats_beside_the_kept_one_waits_for_its_host(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben)
    assert "Waiting for 1 more player." in house.public()
    await house.press(house.ben, "Join")
    await house.settle()
    assert (
        house.session().table.snapshot.in_lobby and "● **Ann** can start, or wait for more players." in house.public()
    )


async def test_a_table_is_closed_at_once_where_nobody_else_sits_and_else_after_one_question(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    asked = await manage(house, house.ann, "Close the table")
    assert "Close table 1 for everybody?" in asked.text and "◆ **Ben** sits here too" in asked.text
    assert house.session().table.snapshot.in_lobby
    kept = await house.press(house.ann, "Keep it", asked)
    assert "Manage table 1" in kept.text and house.session().table.snapshot.in_lobby
    asked = await house.press(house.ann, "Close the table", kept)
    await house.press(house.ann, "Close it", asked)
    await house.settle()
    assert "closed it" in house.public()
    await house.ann.command(house.yard, "prison-break start")
    await manage(house, house.ann, "Close the table")
    assert "closed it" in house.public()


async def test_the_question_whether_to_close_is_no_way_round_the_host(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    for who in (house.ben, house.cleo):
        assert f"Only <@{house.ann.id}>" in (await who.forge(house.board(), "cb:1:0:cancel-sure:")).text
    await house.press(house.ann, "Start")
    await house.settle()
    assert "already begun" in (await house.ann.forge(house.board(), "cb:1:0:cancel-sure:")).text
    assert house.session().table.snapshot.playing


async def test_a_guest_finds_the_way_out_on_a_page_of_their_own(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    page = await house.press(house.ben, "Manage")
    assert page.message["flags"] & 64 and "You have a seat here" in page.text
    assert [part["label"] for part in UserClient.buttons(page)] == ["Leave"]
    assert "You have left table 1." in (await house.press(house.ben, "Leave", page)).text
    await house.settle()
    assert "Ben" not in house.public()


async def test_the_opener_may_add_and_remove_computer_players(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    page = await manage(house, house.ann, "Add Master")
    assert "thinks ahead" in page.text
    assert "thinks ahead" in house.public() and labels(house)["Start"]
    await manage(house, house.ann, "Remove computer")
    assert "thinks ahead" not in house.public() and not labels(house)["Start"]


async def test_the_opener_sends_somebody_out_who_is_told_and_may_join_again(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    page = await house.press(house.ben, "Manage")
    answer = await choose(house, house.ann, "send-out", house.ben)
    assert "has no seat here any more" in answer.text and "Ben" not in house.public()
    told = next(message for message in house.ben.ephemerals(house.yard) if message["id"] == page.message["id"])
    assert "You have no seat" in UserClient.visible_text(told)
    await house.press(house.ben, "Join")
    assert "Ben" in house.public()


async def test_nobody_is_sent_out_who_does_not_sit_there_or_runs_the_table(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    for whom, words in ((house.cleo, "do not sit"), (house.ann, "cannot send yourself")):
        answer = await house.ann.forge(house.board(), "cb:1:0:send-out:", [whom.id], 3)
        assert words in answer.text
    assert len(house.session().table.snapshot.seats) == 2


async def test_a_page_from_before_the_game_changes_nothing_any_more(house: House):
    await house.ann.command(house.yard, "prison-break start", clock=0)
    await house.press(house.ben, "Join")
    page = await house.press(house.ann, "Manage")
    await house.press(house.ann, "Start")
    await house.settle()
    before = house.session().table.snapshot.seats, house.session().table.snapshot.options
    for verb, value in (
        ("add:warden", None),
        ("drop:", None),
        ("uninvite:", None),
        ("manage:", None),
        ("options:", None),
        ("option:clock", "60"),
        ("send-out:", house.ben.id),
        ("heir:", house.ben.id),
        ("cancel:", None),
        ("cancel-sure:", None),
        ("thread-join:", None),
        ("decline-invite:", None),
    ):
        answer = await house.ann.forge(page, f"cb:1:0:{verb}", None if value is None else [value], 3 if value else 2)
        assert "already begun" in answer.text, verb
    assert (house.session().table.snapshot.seats, house.session().table.snapshot.options) == before


async def test_the_opener_goes_on_managing_after_a_restart(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    page = await house.press(house.ann, "Manage")
    await house.restart()
    answer = await house.press(house.ann, "Add Trainee", page)
    await house.settle()
    assert "Trainee" in answer.text and "Trainee" in house.public()


async def test_the_pages_of_the_lobby_become_the_cockpit_when_the_game_begins(house: House):
    await house.ann.command(house.yard, "rope-wall start", clock=0)
    await house.press(house.ben, "Join")
    page = await manage(house, house.ann, "Options")
    await house.press(house.ann, "Start")
    await house.turn(5_000)  # a page whose reader is not to move may wait
    panel = next(message for message in house.ann.ephemerals(house.yard) if message["id"] == page.message["id"])
    assert not house.controls("option", panel) and "push" in UserClient.visible_text(panel)


async def test_joining_twice_or_leaving_unseated_is_told_in_words(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    assert "already sit" in (await house.press(house.ann, "Join")).text
    assert "do not sit" in (await house.ben.forge(house.board(), "cb:1:0:leave:")).text


async def test_of_two_who_take_the_last_seat_at_once_one_is_told(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    answers = await asyncio.gather(house.press(house.ben, "Join"), house.press(house.cleo, "Join"))
    assert sorted(answer.type or 0 for answer in answers) == [4, 7]
    assert any("full" in answer.text for answer in answers)


async def test_options_are_set_on_a_private_panel_and_seen_by_all(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    panel = await manage(house, house.ann, "Options")
    assert panel.message["flags"] & 64
    menu = next(part for part in UserClient.buttons(panel) if part["type"] == 3 and "clock" in part["custom_id"])
    await house.ann.press(panel, menu["custom_id"], values=["300"])
    await house.settle()
    assert "5 minutes" in house.public()


async def test_the_options_of_a_table_stand_in_words_wherever_they_stand(house: House):
    strict = "Referee: strict – the bot refuses what is wrong"
    await house.ann.command(house.yard, "break-out start", clock=86_400, referee="strict")
    assert "Turn clock: 1 day" in house.public() and strict in house.public() and "Wrong call" not in house.public()
    managed = await house.press(house.ann, "Manage")
    assert "Turn clock: 1 day" in managed.text and strict in managed.text
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    more = await house.press(house.cleo, "More …")
    assert "Turn clock: 1 day" in more.text and strict in more.text


async def test_the_page_of_options_asks_what_one_chooses_and_each_entry_says_what_it_means(house: House):
    await house.ann.command(house.yard, "break-out start", clock=0)
    panel = await manage(house, house.ann, "Options")
    assert "Who watches the rules: all of you, or the bot" in panel.text
    menu = next(part for part in UserClient.buttons(panel) if part["custom_id"].endswith("option:referee"))
    told = {entry["label"]: entry.get("description") for entry in menu["options"]}
    assert told["strict"] == "the bot refuses what is wrong"
    assert "No turn clock" in house.public()


async def test_whoever_plays_alone_with_computers_has_no_clock_also_where_they_were_added(house: House):
    await house.ann.command(house.yard, "match-five start", computer="rookie", computers=2)
    assert "No turn clock" in house.public()
    await house.press(house.ben, "Join")
    assert "Turn clock: 3 minutes" in house.public()
    await house.press(house.ben, "Leave")
    await house.press(house.ann, "Start")
    await house.settle()
    assert house.session().table.snapshot.options.clock == 0 and not house.session().table.snapshot.deadlines
    await house.restart()
    assert house.session().table.snapshot.options.clock == 0


async def test_whoever_plays_with_others_has_the_clock_of_the_game(house: House):
    await house.ann.command(house.yard, "match-five start", computer="rookie")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    assert house.session().table.snapshot.options.clock == 180


@pytest.mark.parametrize("how", ["command", "lobby", "server"])
async def test_a_clock_that_was_asked_for_holds_also_alone_with_computers(house: House, how: str):
    if how == "server":
        await house.client.tables.settings.change(int(house.guild.id), "clock.match_five", "180")
    await house.ann.command(house.yard, "match-five start", **({"clock": 180} if how == "command" else {}))
    if how == "lobby":
        await set_option(house, house.ann, "clock", "180")
    await manage(house, house.ann, "Add Trainee")
    assert "Turn clock: 3 minutes" in house.public()
    await house.press(house.ann, "Start")
    await house.settle()
    assert house.session().table.snapshot.options.clock == 180


async def test_the_host_can_start_where_the_computers_are_added_and_has_the_game_there(house: House):
    await house.ann.command(house.yard, "break-out start")
    page = await house.press(house.ann, "Manage")
    assert "Start" not in [part.get("label") for part in UserClient.buttons(page)], "one more is needed"
    page = await house.press(house.ann, "Add Trainee", page)
    begun = await house.press(house.ann, "Start", page)
    assert house.session().table.snapshot.playing and "Your hand" in begun.text and "Manage" not in begun.text


async def test_another_option_asks_for_no_clock(house: House):
    await house.ann.command(house.yard, "match-five start", computer="rookie")
    await set_option(house, house.ann, "pace", "quick")
    assert "No turn clock" in house.public()


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
    assert not house.controls("heir", await house.press(house.ann, "Manage"))
    await house.press(house.ben, "Join")
    page = await choose(house, house.ann, "heir", house.ben)
    assert "is the host now" in page.text and not house.controls("heir", page)
    assert "Ben** – host" in house.public()
    assert (await house.press(house.ben, "Start")).type == 7


async def test_when_the_opener_leaves_the_next_runs_the_table_and_the_last_closes_it(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    page = await house.press(house.ann, "Manage")
    left = await house.press(house.ann, "Leave", page)
    await house.settle()
    assert left.text == "✓ You have left table 1."
    assert "Ben** – host" in house.public()
    left = await manage(house, house.ben, "Leave")
    assert left.text.startswith("✓ You have left table 1.\nTable 1 is closed.")
    assert "closed" in house.public() and "Everybody has left" in house.public()
    assert not UserClient.buttons(house.board())


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
    await manage(house, house.ann, "Close the table")
    assert "closed it" in house.public()
    answer = await house.press(house.ben, "Join", before)
    assert "closed" in answer.text and "</play:" in answer.text


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


async def test_which_game_is_given_up_is_never_guessed_from_whose_turn_it_is(house: House):
    for _ in range(2):
        await house.two_at_the_wall()
    if house.awaited(1) is house.awaited(2):
        await house.push(table=2)
    refused = await house.ann.command(house.yard, "rope-wall resign")
    assert "several tables here (1, 2)" in refused.text or "several tables here (2, 1)" in refused.text
    assert all(house.session(number).table.snapshot.playing for number in (1, 2))


async def test_without_the_needed_permissions_no_table_opens_and_the_missing_ones_are_named(house: House):
    house.sandbox.deny(house.yard, "ATTACH_FILES")
    answer = await house.ann.command(house.yard, "rope-wall start")
    assert "Attach Files" in answer.text and "Send Messages" not in answer.text
    house.sandbox.allow(house.yard, "ATTACH_FILES")
    assert "Table 1" in (await house.ann.command(house.yard, "rope-wall start")).text


async def test_a_computer_does_not_take_the_seat_that_is_kept_for_somebody(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    page = await house.press(house.ann, "Manage")
    assert not house.controls("add", page) and house.controls("uninvite", page)
    refused = await house.ann.forge(page, "cb:1:0:add:rookie", component_type=2)
    assert "kept for" in refused.text and "Withdraw the invitation" in refused.text
    await house.press(house.ben, "Join")
    assert "to push" in house.public()


async def test_a_kept_seat_counts_beside_computers_at_larger_tables(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben, computer="rookie", computers=1)
    await house.settle()
    page = await manage(house, house.ann, "Add Trainee")
    refused = await house.ann.forge(page, "cb:1:0:add:rookie", component_type=2)
    assert "kept for" in refused.text
    assert len(house.session().table.snapshot.seats) == 3
    await house.press(house.ben, "Join")
    assert len(house.session().table.snapshot.seats) == 4


def invitations(house: House) -> list[str]:
    """The lines in the channel that invite somebody."""
    said = [message["content"] for message in house.sandbox.messages(house.yard)]
    return [words for words in said if "invites you" in words]


async def test_a_withdrawn_invitation_frees_the_seat_and_takes_its_line_away(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    assert invitations(house)
    page = await manage(house, house.ann, "Withdraw the invitation")
    assert "kept for" not in house.public() and not invitations(house)
    assert "No seat is kept" in (await house.ann.forge(page, "cb:1:0:uninvite:", component_type=2)).text
    await house.press(house.cleo, "Join")
    assert "Cleo" in house.public()


async def test_only_who_is_invited_can_decline_and_then_the_line_goes(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    for who in (house.ann, house.cleo):
        assert "no invitation for you" in (await house.press(who, "Decline the invitation")).text
    assert "kept for" in house.public() and invitations(house)
    await house.press(house.ben, "Decline the invitation")
    await house.settle()
    assert "kept for" not in house.public() and not invitations(house)
    assert "Decline the invitation" not in labels(house)
    assert f"<@{house.ben.id}> has declined the invitation." in house.public()
    await house.press(house.cleo, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    assert "to push" in house.public() and "declined" not in house.public()


async def test_that_somebody_has_declined_stands_in_the_lobby_until_somebody_else_is_invited(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.press(house.ben, "Decline the invitation")
    await house.settle()
    assert "has declined" in house.public()
    await choose(house, house.ann, "invite", house.cleo)
    await house.settle()
    assert "kept for" in house.public() and "has declined" not in house.public()


async def test_a_stranger_who_presses_start_is_told_to_join_and_who_sits_there_is_not(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    for who, told in ((house.cleo, True), (house.ben, False)):
        said = (await house.press(who, "Start")).text
        assert "can start the game" in said and ("*Join* takes a seat" in said) == told


async def test_an_invitation_can_be_declined_after_a_restart(house: House):
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.settle()
    await house.restart()
    await house.press(house.ben, "Decline the invitation")
    await house.settle()
    assert "kept for" not in house.public() and not invitations(house)


async def test_the_opener_invites_somebody_from_the_lobby(house: House):
    await house.ann.command(house.yard, "rope-wall start")
    answer = await choose(house, house.ann, "invite", house.ben)
    assert "is invited" in answer.text and "kept for" in house.public()
    assert len(invitations(house)) == 1
    assert [notice["kind"] for notice in house.ben.notices] == ["mention"]
    await house.press(house.ben, "Join")
    assert "to push" in house.public()


async def test_whom_the_opener_cannot_invite_is_told(house: House):
    await house.ann.command(house.yard, "prison-break start")
    await house.press(house.ben, "Join")
    assert "sits here already" in (await choose(house, house.ann, "invite", house.ben)).text
    await choose(house, house.ann, "invite", house.cleo)
    again = await house.ann.forge(house.board(), "cb:1:0:invite:", [house.cleo.id], 5)
    assert "do not know whom" in again.text
    assert house.session().table.snapshot.row.invited == int(house.cleo.id)


async def test_who_was_invited_and_got_up_again_finds_the_seat_still_kept(house: House):
    await house.ann.command(house.yard, "prison-break start", invite=house.ben)
    await house.press(house.ben, "Join")
    assert "kept for" not in house.public()
    await manage(house, house.ben, "Leave")
    for _ in range(2):
        await manage(house, house.ann, "Add Trainee")
    assert "kept for" in house.public() and not house.controls("add", await house.press(house.ann, "Manage"))
    assert "kept for" in (await house.press(house.cleo, "Join")).text
    await house.press(house.ben, "Join")
    assert "kept for" not in house.public()
