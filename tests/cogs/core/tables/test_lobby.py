"""The lobby: who may do what before the game, with the real client on the sandbox."""

import asyncio

import pytest

from data.store import user_list
from sandbox import ActionResult, UserClient
from sandbox.messaging.message_json import walk
from tools.harness.bot_harness import BotHarness

MINUTE_MS = 60_000


def labels(harness: BotHarness) -> dict[str, bool]:
    """Return the buttons of the table message, and whether each is enabled."""
    return {part.get("label", ""): not part.get("disabled", False) for part in UserClient.buttons(harness.board())}


async def manage(harness: BotHarness, who: UserClient, label: str) -> ActionResult:
    """Press a button on a person's private page in the lobby."""
    answer = await harness.press(who, label, await harness.press(who, "Manage"))
    await harness.settle()
    return answer


async def choose(harness: BotHarness, who: UserClient, verb: str, whom: UserClient) -> ActionResult:
    """Choose a person on the host's private page."""
    page = await harness.press(who, "Manage")
    menu = next(part for part in UserClient.buttons(page) if part["custom_id"].split(":")[3] == verb)
    answer = await who.press(page, menu["custom_id"], values=[whom.id])
    await harness.settle()
    return answer


async def set_option(harness: BotHarness, who: UserClient, name: str, value: str) -> None:
    """Set an option on the opener's private page."""
    page = await manage(harness, who, "Options")
    menu = next(part for part in UserClient.buttons(page) if part["custom_id"].endswith(f":option:{name}"))
    await who.press(page, menu["custom_id"], values=[value])
    await harness.settle()


async def test_people_gather_and_the_opener_starts(harness: BotHarness):
    opened = await harness.ann.command(harness.yard, "rope-wall start")
    assert "Ann** – host" in opened.text and "Waiting for 1 more player." in opened.text
    assert labels(harness)["Join"] and not labels(harness)["Start"]
    joined = await harness.press(harness.ben, "Join")
    assert joined.type == 7 and "Ben" in harness.public()
    assert not labels(harness)["Join"] and labels(harness)["Start"]
    started = await harness.press(harness.ann, "Start")
    assert started.type == 7
    assert "to push" in harness.public()
    assert len(harness.sandbox.messages(harness.yard)) == 1  # one table message, edited in place


async def test_a_table_against_the_computer_begins_at_once(harness: BotHarness):
    opened = await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    assert "Trainee" in opened.text and "to push" in opened.text


async def test_only_the_opener_starts_and_manages(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    assert f"Only <@{harness.ann.id}>" in (await harness.press(harness.ben, "Start")).text
    assert f"Only <@{harness.ann.id}>" in (await harness.press(harness.cleo, "Manage")).text
    before = harness.snapshot().seats, harness.snapshot().row
    for who in (harness.ben, harness.cleo):
        for verb, value in (
            ("options", None),
            ("option:clock", "60"),
            ("add:warden", None),
            ("drop", None),
            ("uninvite", None),
            ("send-out", harness.ben.id),
            ("heir", harness.ben.id),
            ("cancel", None),
            ("cancel-sure", None),
        ):
            name, kind = f"cb:1:0:{verb}{'' if ':' in verb else ':'}", 2 if value is None else 3
            answer = await who.forge(harness.board(), name, None if value is None else [value], kind)
            assert f"Only <@{harness.ann.id}>" in answer.text and answer.message["flags"] & 64, verb
    assert (harness.snapshot().seats, harness.snapshot().row) == before


async def test_the_lobby_shows_everybody_the_ways_in_and_out_a_cover_and_how_long_the_game_lasts(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    assert list(labels(harness)) == ["Join", "Leave", "Start", "Rules", "Manage"]
    assert "about 15 minutes" in harness.public() and "in the middle of a game" in harness.public()
    assert "● Ann" in harness.public().replace("*", "") and "◆ free" in harness.public()


async def test_a_guest_leaves_by_the_table_itself_in_one_call(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    assert not labels(harness)["Leave"]  # the host is alone, so the table closes
    await harness.press(harness.ben, "Join")
    assert labels(harness)["Leave"]
    left = await harness.press(harness.ben, "Leave")
    assert left.type == 7 and "Ben" not in harness.public() and not labels(harness)["Leave"]
    assert not harness.ben.ephemerals(harness.yard)


async def test_a_seated_player_who_presses_join_reads_so_and_can_leave(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    told = await harness.ben.forge(harness.board(), "cb:1:0:join:")
    assert "already have a seat" in told.text and harness.controls("leave", told)


async def test_start_is_primary_only_once_the_game_can_begin_and_the_page_says_who_may_press_it(harness: BotHarness):
    def style() -> int:
        (start,) = (part for part in UserClient.buttons(harness.board()) if part.get("label") == "Start")
        return int(start["style"])

    await harness.ann.command(harness.yard, "prison-break start")
    assert style() == 2 and "Waiting for 1 more player." in harness.public()
    await harness.press(harness.ben, "Join")
    assert style() == 1 and "● **Ann** can start, or wait for more." in harness.public()
    await harness.press(harness.cleo, "Join")
    await manage(harness, harness.ann, "Add Trainee")
    assert "All seats are taken: ● **Ann** can start." in harness.public()


async def test_a_lobby_whose_last_seat_is_kept_says_that_it_begins_by_itself(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    assert f"The game starts when <@{harness.ben.id}> joins." in harness.public()


async def test_a_lobby_whose_last_seat_is_kept_says_that_its_host_need_not_wait(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", invite=harness.ben, computer="rookie", computers=2)
    waits = f"The game starts when <@{harness.ben.id}> joins, or when ● **Ann** starts it without them."
    assert waits in harness.public()
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.snapshot().playing and len(harness.snapshot().seats) == 3


async def test_a_lobby_with_seats_beside_the_kept_one_waits_for_its_host(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", invite=harness.ben)
    assert "Waiting for 1 more player." in harness.public()
    await harness.press(harness.ben, "Join")
    await harness.settle()
    assert harness.snapshot().in_lobby and "● **Ann** can start, or wait for more." in harness.public()


@pytest.mark.parametrize("managed", [False, True])
async def test_a_host_who_starts_alone_gets_the_page_that_they_need_without_another_press(
    harness: BotHarness, managed: bool
):
    await harness.ann.command(harness.yard, "prison-break start", computer="rookie", computers=1)
    if managed:
        await harness.press(harness.ann, "Manage")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    (page,) = harness.ann.ephemerals(harness.yard)
    assert "You are in JAIL." in UserClient.visible_text(page)


@pytest.mark.parametrize(("clock", "days"), [(180, False), (86_400, True)])
async def test_the_last_seat_starts_a_game_of_days_whose_host_looks_in_now_and_then(
    harness: BotHarness, clock: int, days: bool
):
    await harness.ann.command(harness.yard, "rope-wall start", clock=clock)
    assert "Waiting for 1 more player." in harness.public()
    assert ("The game starts once all seats are taken." in harness.public()) is days
    await harness.press(harness.ben, "Join")
    await harness.settle()
    assert harness.snapshot().playing is days
    assert ("All seats are taken: ● **Ann** can start." in harness.public()) is not days


async def test_a_table_is_closed_at_once_where_nobody_else_sits_and_else_after_one_question(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    asked = await manage(harness, harness.ann, "Close the table")
    assert "Close table 1 for everyone?" in asked.text and "◆ **Ben** is here too" in asked.text
    assert harness.snapshot().in_lobby
    kept = await harness.press(harness.ann, "Keep it", asked)
    assert "Manage table 1" in kept.text and harness.snapshot().in_lobby
    asked = await harness.press(harness.ann, "Close the table", kept)
    await harness.press(harness.ann, "Close it", asked)
    await harness.settle()
    assert "closed it" in harness.public()
    await harness.ann.command(harness.yard, "prison-break start")
    await manage(harness, harness.ann, "Close the table")
    assert "closed it" in harness.public()


async def test_the_question_whether_to_close_is_no_way_round_the_host(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    for who in (harness.ben, harness.cleo):
        assert f"Only <@{harness.ann.id}>" in (await who.forge(harness.board(), "cb:1:0:cancel-sure:")).text
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert "already started" in (await harness.ann.forge(harness.board(), "cb:1:0:cancel-sure:")).text
    assert harness.snapshot().playing


async def test_a_guest_finds_the_way_out_on_a_page_of_their_own(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    page = await harness.press(harness.ben, "Manage")
    assert page.message["flags"] & 64 and "You have a seat here" in page.text
    assert [part["label"] for part in UserClient.buttons(page)] == ["Leave", "Ask to be the host"]
    assert "You left table 1." in (await harness.press(harness.ben, "Leave", page)).text
    await harness.settle()
    assert "Ben" not in harness.public()


async def test_the_opener_may_add_and_remove_computer_players(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    page = await manage(harness, harness.ann, "Add Master")
    assert "thinks ahead" in page.text
    assert "thinks ahead" in harness.public() and labels(harness)["Start"]
    await manage(harness, harness.ann, "Remove computer")
    assert "thinks ahead" not in harness.public() and not labels(harness)["Start"]


async def test_a_player_removed_by_the_opener_is_notified_and_can_return_only_by_invitation(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    page = await harness.press(harness.ben, "Manage")
    answer = await choose(harness, harness.ann, "send-out", harness.ben)
    assert "You kicked" in answer.text and "Ben" not in harness.public()
    told = next(message for message in harness.ben.ephemerals(harness.yard) if message["id"] == page.message["id"])
    assert "You have no seat" in UserClient.visible_text(told)
    assert "You were kicked" in (await harness.press(harness.ben, "Join")).text and "Ben" not in harness.public()
    await choose(harness, harness.ann, "invite", harness.ben)
    await harness.press(harness.ben, "Join")
    await harness.settle()
    assert harness.snapshot().playing


async def test_nobody_is_sent_out_who_does_not_sit_there_or_runs_the_table(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    for whom, words in ((harness.cleo, "no longer at this table"), (harness.ann, "can't kick yourself")):
        answer = await harness.ann.forge(harness.board(), "cb:1:0:send-out:", [whom.id], 3)
        assert words in answer.text
    assert len(harness.snapshot().seats) == 2


async def test_a_page_from_before_the_game_changes_nothing_any_more(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ben, "Join")
    page = await harness.press(harness.ann, "Manage")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    before = harness.snapshot().seats, harness.snapshot().options
    for verb, value in (
        ("add:warden", None),
        ("drop:", None),
        ("uninvite:", None),
        ("manage:", None),
        ("options:", None),
        ("option:clock", "60"),
        ("send-out:", harness.ben.id),
        ("heir:", harness.ben.id),
        ("cancel:", None),
        ("cancel-sure:", None),
        ("thread-join:", None),
        ("decline-invite:", None),
    ):
        answer = await harness.ann.forge(page, f"cb:1:0:{verb}", None if value is None else [value], 3 if value else 2)
        assert "already started" in answer.text, verb
    assert (harness.snapshot().seats, harness.snapshot().options) == before


async def test_the_opener_goes_on_managing_after_a_restart(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    page = await harness.press(harness.ann, "Manage")
    await harness.restart()
    answer = await harness.press(harness.ann, "Add Trainee", page)
    await harness.settle()
    assert "Trainee" in answer.text and "Trainee" in harness.public()


async def test_the_pages_of_the_lobby_become_the_private_page_when_the_game_begins(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", clock=0)
    await harness.press(harness.ben, "Join")
    page = await manage(harness, harness.ann, "Options")
    await harness.press(harness.ann, "Start")
    await harness.advance(5_000)  # the page of a player who is not to act may wait
    panel = next(message for message in harness.ann.ephemerals(harness.yard) if message["id"] == page.message["id"])
    assert not harness.controls("option", panel) and "push" in UserClient.visible_text(panel)


async def test_joining_twice_or_leaving_without_a_seat_is_explained(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    assert "already have a seat" in (await harness.press(harness.ann, "Join")).text
    assert "have no seat" in (await harness.ben.forge(harness.board(), "cb:1:0:leave:")).text


async def test_of_two_who_take_the_last_seat_at_once_one_is_refused_with_a_sentence(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    answers = await asyncio.gather(harness.press(harness.ben, "Join"), harness.press(harness.cleo, "Join"))
    assert sorted(answer.type or 0 for answer in answers) == [4, 7]
    assert any("full" in answer.text for answer in answers)


async def test_options_are_set_on_a_private_panel_and_seen_by_all(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    panel = await manage(harness, harness.ann, "Options")
    assert panel.message["flags"] & 64
    menu = next(part for part in UserClient.buttons(panel) if part["type"] == 3 and "clock" in part["custom_id"])
    await harness.ann.press(panel, menu["custom_id"], values=["300"])
    await harness.settle()
    assert "5 minutes" in harness.public()


async def test_the_options_of_a_table_are_in_words_everywhere(harness: BotHarness):
    strict = "Referee: strict – the bot refuses illegal plays"
    await harness.ann.command(harness.yard, "break-out start", clock=86_400, referee="strict")
    assert (
        "Turn clock: 1 day" in harness.public() and strict in harness.public() and "Wrong call" not in harness.public()
    )
    managed = await harness.press(harness.ann, "Manage")
    assert "Turn clock: 1 day" in managed.text and strict in managed.text
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    more = await harness.press(harness.cleo, "More …")
    assert "Turn clock: 1 day" in more.text and strict in more.text


async def test_the_page_of_options_has_a_line_for_each_and_every_choice_says_what_it_means(harness: BotHarness):
    await harness.ann.command(harness.yard, "break-out start", clock=0)
    panel = await manage(harness, harness.ann, "Options")
    menus = {part["custom_id"].split(":")[-1]: part for part in UserClient.buttons(panel) if part["type"] == 3}
    assert panel.message is not None and len(menus) == 8
    assert len([part for part in walk(panel.message["components"]) if part["type"] == 10]) == 1, "no text between them"
    told = {entry["label"]: entry.get("description") for entry in menus["referee"]["options"]}
    assert list(told) == ["Referee: honour", "strict"] and told["strict"] == "the bot refuses illegal plays"
    clocks = {entry["label"]: entry.get("description") for entry in menus["clock"]["options"]}
    assert clocks["Turn clock: no clock"] == "How long a turn can take before the clock makes a safe move for you."
    assert "No turn clock" in harness.public()


async def test_a_person_who_plays_alone_with_computers_has_no_clock_also_where_they_were_added(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", computer="rookie", computers=1)
    assert "No turn clock" in harness.public()
    await harness.press(harness.ben, "Join")
    assert "Turn clock: 3 minutes" in harness.public()
    await harness.press(harness.ben, "Leave")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.snapshot().options.clock == 0 and not harness.snapshot().deadlines
    await harness.restart()
    await harness.press(harness.ann, "Play")
    assert harness.snapshot().options.clock == 0


async def test_a_person_who_plays_with_others_has_the_clock_of_the_game(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", computer="rookie")
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.snapshot().options.clock == 180


@pytest.mark.parametrize("how", ["command", "lobby", "server"])
async def test_a_clock_that_was_asked_for_holds_also_alone_with_computers(harness: BotHarness, how: str):
    if how == "server":
        await harness.client.tables.settings.change(int(harness.guild.id), "clock.match_five", "180")
    await harness.ann.command(harness.yard, "match-five start", **({"clock": 180} if how == "command" else {}))
    if how == "lobby":
        await set_option(harness, harness.ann, "clock", "180")
    await manage(harness, harness.ann, "Add Trainee")
    assert "Turn clock: 3 minutes" in harness.public()
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.snapshot().options.clock == 180


async def test_the_host_can_start_where_the_computers_are_added_and_has_the_game_there(harness: BotHarness):
    await harness.ann.command(harness.yard, "break-out start")
    page = await harness.press(harness.ann, "Manage")
    assert "Start" not in [part.get("label") for part in UserClient.buttons(page)], "one more is needed"
    page = await harness.press(harness.ann, "Add Trainee", page)
    started = await harness.press(harness.ann, "Start", page)
    assert harness.snapshot().playing and "Your hand" in started.text and "Manage" not in started.text


async def test_another_option_asks_for_no_clock(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", computer="rookie")
    await set_option(harness, harness.ann, "pace", "quick")
    assert "No turn clock" in harness.public()


async def test_a_forged_option_changes_nothing(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    before = harness.public()
    for values in (["7"], ["nonsense"], []):
        answer = await harness.ann.forge(harness.board(), "cb:1:0:option:clock", values=values, component_type=3)
        assert "no longer exists" in answer.text
    assert "no longer exists" in (await harness.ann.forge(harness.board(), "cb:1:0:option:no", ["1"], 3)).text
    await harness.settle()
    assert harness.public() == before


async def test_the_opener_of_a_table_can_hand_it_over(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    assert not harness.controls("heir", await harness.press(harness.ann, "Manage"))
    await harness.press(harness.ben, "Join")
    page = await choose(harness, harness.ann, "heir", harness.ben)
    assert "is now the host" in page.text and not harness.controls("heir", page)
    assert "Ben** – host" in harness.public()
    assert (await harness.press(harness.ben, "Start")).type == 7


async def test_when_the_opener_leaves_the_next_runs_the_table_and_the_last_closes_it(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    page = await harness.press(harness.ann, "Manage")
    left = await harness.press(harness.ann, "Leave", page)
    await harness.settle()
    assert left.text == "✓ You left table 1."
    assert "Ben** – host" in harness.public()
    left = await manage(harness, harness.ben, "Leave")
    assert left.text.startswith("✓ You left table 1.\nTable 1 is closed.")
    assert "closed" in harness.public() and "Everyone left" in harness.public()
    assert [part["label"] for part in UserClient.buttons(harness.board())] == ["Open again"]


async def test_a_lobby_closes_by_itself_after_fifteen_minutes_without_a_game(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.advance(14 * MINUTE_MS)
    await harness.press(harness.ben, "Join")  # activity at the table keeps it open
    await harness.advance(14 * MINUTE_MS)
    assert "closed" not in harness.public()
    await harness.advance(2 * MINUTE_MS)
    assert "closed" in harness.public() and "15 minutes" in harness.public()


async def test_a_closed_table_answers_late_clicks(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    before = harness.board()
    await manage(harness, harness.ann, "Close the table")
    assert "closed it" in harness.public()
    answer = await harness.press(harness.ben, "Join", before)
    assert "closed" in answer.text and "</play:" in answer.text


async def test_an_invited_opponent_is_called_once_and_the_game_begins_when_they_come(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    assert "reserved for" in harness.public()
    assert [notice["kind"] for notice in harness.ben.notices] == ["mention"]
    refused = await harness.press(harness.cleo, "Join")
    assert "reserved for" in refused.text
    await harness.press(harness.ben, "Join")
    assert "to push" in harness.public()
    await harness.settle()
    assert not any("invites you" in message["content"] for message in harness.sandbox.messages(harness.yard))


async def test_bots_and_oneself_cannot_be_invited(harness: BotHarness):
    answer = await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ann)
    assert "yourself" in answer.text
    assert not [message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & 64]


async def test_one_person_sits_at_several_tables_of_one_channel(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    listed = await harness.ann.command(harness.yard, "tables")
    assert "table 1" in listed.text and "table 2" in listed.text
    refused = await harness.resign(harness.ann)
    assert "several tables" in refused.text
    resigned = await harness.resign(harness.ann, table=2)
    assert "wins!" in resigned.text


async def test_which_game_is_given_up_is_never_guessed_from_whose_turn_it_is(harness: BotHarness):
    for _ in range(2):
        await harness.two_at_the_wall()
    if harness.awaited(1) is harness.awaited(2):
        await harness.push(table=2)
    refused = await harness.resign(harness.ann)
    assert "several tables: [table 1](" in refused.text and " and [table 2](" in refused.text
    assert all(harness.snapshot(number).playing for number in (1, 2))


async def test_without_the_needed_permissions_no_table_opens_and_the_missing_ones_are_named(harness: BotHarness):
    harness.sandbox.deny(harness.yard, "ATTACH_FILES")
    answer = await harness.ann.command(harness.yard, "rope-wall start")
    assert "Attach Files" in answer.text and "Send Messages" not in answer.text
    harness.sandbox.allow(harness.yard, "ATTACH_FILES")
    assert "Table 1" in (await harness.ann.command(harness.yard, "rope-wall start")).text


async def test_a_computer_does_not_take_a_reserved_seat(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    page = await harness.press(harness.ann, "Manage")
    assert not harness.controls("add", page) and harness.controls("uninvite", page)
    refused = await harness.ann.forge(page, "cb:1:0:add:rookie", component_type=2)
    assert "reserved for" in refused.text and "Withdraw an invite" in refused.text
    await harness.press(harness.ben, "Join")
    assert "to push" in harness.public()


async def test_a_kept_seat_counts_beside_computers_at_larger_tables(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", invite=harness.ben, computer="rookie", computers=1)
    await harness.settle()
    page = await manage(harness, harness.ann, "Add Trainee")
    refused = await harness.ann.forge(page, "cb:1:0:add:rookie", component_type=2)
    assert "reserved for" in refused.text
    assert len(harness.snapshot().seats) == 3
    await harness.press(harness.ben, "Join")
    assert len(harness.snapshot().seats) == 4


def invitations(harness: BotHarness) -> list[str]:
    """Return the lines in the channel that invite a person."""
    said = [message["content"] for message in harness.sandbox.messages(harness.yard)]
    return [words for words in said if "invites you" in words]


async def test_a_withdrawn_invitation_frees_the_seat_and_takes_its_line_away(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    assert invitations(harness)
    page = await manage(harness, harness.ann, "Withdraw the invite")
    assert "reserved for" not in harness.public() and not invitations(harness)
    assert "No seat is reserved" in (await harness.ann.forge(page, "cb:1:0:uninvite:", component_type=2)).text
    await harness.press(harness.cleo, "Join")
    assert "Cleo" in harness.public()


async def test_the_same_person_can_be_chosen_again_since_a_used_select_gets_another_custom_id(harness: BotHarness):
    """A client keeps the choice in a select with the same custom_id, and sends nothing if it is chosen again."""
    await harness.ann.command(harness.yard, "prison-break start")
    page = await harness.press(harness.ann, "Manage")
    seen = []
    for _ in range(3):
        (select,) = harness.controls("invite", page)
        seen.append(select)
        page = await harness.ann.press(page, select, values=[harness.ben.id])
        await harness.settle()
        assert harness.controls("uninvite", page), "the buttons keep their custom_ids"
        page = await harness.press(harness.ann, "Withdraw the invite", page)
        await harness.settle()
    assert len(set(seen)) == 3
    (select,) = harness.controls("invite", page)
    refused = await harness.ann.press(page, select, values=[harness.sandbox.state.bot.id])
    (again,) = harness.controls("invite", refused)
    assert again != select, "a refusal makes it fresh, too"
    await harness.press(harness.ben, "Join")
    await harness.settle()
    assert harness.controls("invite", harness.ann.ephemerals(harness.yard)[-1]) == [again], "what others do does not"


async def test_only_who_is_invited_can_decline_and_then_the_line_goes(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    for who in (harness.ann, harness.cleo):
        assert "You have no invite here" in (await harness.press(who, "Decline the invite")).text
    assert "reserved for" in harness.public() and invitations(harness)
    await harness.press(harness.ben, "Decline the invite")
    await harness.settle()
    assert "reserved for" not in harness.public() and not invitations(harness)
    assert "Decline the invite" not in labels(harness)
    assert f"<@{harness.ben.id}> declined the invite." in harness.public()
    await harness.press(harness.cleo, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert "to push" in harness.public() and "declined" not in harness.public()


async def test_a_declined_invitation_is_shown_in_the_lobby_until_the_next_invitation(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.press(harness.ben, "Decline the invite")
    await harness.settle()
    assert "declined" in harness.public()
    await choose(harness, harness.ann, "invite", harness.cleo)
    await harness.settle()
    assert "reserved for" in harness.public() and "declined" not in harness.public()


async def test_only_a_stranger_who_presses_start_is_asked_to_join(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    for who, told in ((harness.cleo, True), (harness.ben, False)):
        said = (await harness.press(who, "Start")).text
        assert "can start the game" in said and ("*Join* to take a seat" in said) == told


async def test_an_invitation_can_be_declined_after_a_restart(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    await harness.settle()
    await harness.restart()
    await harness.press(harness.ben, "Decline the invite")
    await harness.settle()
    assert "reserved for" not in harness.public() and not invitations(harness)


async def test_the_opener_invites_a_person_from_the_lobby(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    answer = await choose(harness, harness.ann, "invite", harness.ben)
    assert "You invited" in answer.text and "reserved for" in harness.public()
    assert len(invitations(harness)) == 1
    assert [notice["kind"] for notice in harness.ben.notices] == ["mention"]
    await harness.press(harness.ben, "Join")
    assert "to push" in harness.public()


async def test_inviting_a_person_who_cannot_be_invited_is_explained(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.press(harness.ben, "Join")
    assert "already at this table" in (await choose(harness, harness.ann, "invite", harness.ben)).text
    await choose(harness, harness.ann, "invite", harness.cleo)
    again = await harness.ann.forge(harness.board(), "cb:1:0:invite:", [harness.cleo.id], 5)
    assert "don't know who" in again.text
    assert harness.snapshot().row.invited == user_list([int(harness.cleo.id)])


async def test_an_invited_player_who_got_up_still_has_the_seat_reserved(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", invite=harness.ben)
    await harness.press(harness.ben, "Join")
    assert "reserved for" not in harness.public()
    await manage(harness, harness.ben, "Leave")
    for _ in range(2):
        await manage(harness, harness.ann, "Add Trainee")
    assert "reserved for" in harness.public() and not harness.controls(
        "add", await harness.press(harness.ann, "Manage")
    )
    assert "reserved for" in (await harness.press(harness.cleo, "Join")).text
    await harness.press(harness.ben, "Join")
    assert "reserved for" not in harness.public()


async def test_nobody_who_is_not_on_the_server_is_invited(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start")
    outsider = harness.sandbox.add_person("Max")
    told = await choose(harness, harness.ann, "invite", outsider)
    assert "Choose someone on this server" in told.text and harness.snapshot().row.invited == ""
