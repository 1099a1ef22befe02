"""Whole games of Ausbrecher AG: on private pages, by direct message, by slash commands."""

import pytest

from cogs.ausbrecher.forecast_page import dump_forecast, is_complete, load_forecast
from cogs.core.publishing.ephemeral_pages import CALM_MS, RESTS_MS
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS
from cogs.core.tables.draft_store import SAVED_AFTER_MS
from data.store import SeatChange, TableRow
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, Forecast
from sandbox import ActionResult, UserClient, walk
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.ausbrecher import BETS, Page, bet, decide
from tools.harness.playouts import begin

DICE = ("Red", "Orange", "Yellow", "Green", "Blue", "Violet", "Pink")


async def table(harness: BotHarness, people: int = 2, **options: str | int) -> None:
    """Seat people and start the game."""
    await harness.begin("ausbrecher", *(harness.ben, harness.cleo)[: people - 1], **options)


async def test_forecasts_are_made_on_a_private_panel_and_nobody_else_sees_them(harness: BotHarness):
    await table(harness)
    given = await bet(harness, harness.ann)
    assert "Your forecast is in" in given.text
    await harness.settle()
    public = harness.public()
    assert "1 of 2 forecasts are in" in public and " · waiting for ◆ **Ben**" in public
    (message,) = harness.ben.dms()  # a page is not edited for the others' choices, so it counts none of them
    words = UserClient.visible_text(message)
    assert "The race starts once both forecasts are in" in words and " of 2 forecasts" not in words
    for person in (harness.ben, harness.cleo):
        seen = " ".join(UserClient.visible_text(message) for message in person.messages(harness.yard)) + " ".join(
            UserClient.visible_text(message) for message in person.dms()
        )
        assert "forecast is in" not in seen
    assert harness.snapshot().state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_the_panel_survives_a_restart_and_a_forecast_can_be_changed_until_the_last_is_in(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Make my forecast")
    panel = await harness.press(harness.ann, "Pink", panel)
    await harness.restart()
    panel = await harness.press(harness.ann, "Violet", panel)
    assert {"Pink 1", "Violet 1"} < {part.get("label") for part in UserClient.buttons(panel)}
    await bet(harness, harness.ann, await harness.press(harness.ann, "Start over", panel))
    changed = await harness.ann.command(
        harness.yard, "ausbrecher forecast", boat1="pink violet", boat2="red blue", boat3="green yellow"
    )
    assert "Your forecast is in" in changed.text
    assert harness.snapshot().state.forecasts[0] == (2, 4, 3, 3, 2, 1, 1)
    await bet(harness, harness.ben)
    late = await harness.ann.command(harness.yard, "ausbrecher forecast", boat1="rb", boat2="gp", boat3="yv")
    assert "closed" in late.text


async def test_an_invalid_forecast_is_refused_with_the_rule(harness: BotHarness):
    await table(harness)
    for boats, words in (
        (("red", "blue green", "pink violet"), "exactly 2"),
        (("red blue", "blue green", "pink violet"), "Blue is in your forecast twice"),
        (("red mauve", "blue green", "pink violet"), "no prisoner called “mauve”"),
    ):
        answer = await harness.ann.command(
            harness.yard, "ausbrecher forecast", boat1=boats[0], boat2=boats[1], boat3=boats[2]
        )
        assert words in answer.text
    assert harness.snapshot().state.forecasts == (None, None)


@pytest.mark.parametrize("options", [{}, {"route": "rope", "late_white": "second"}])
async def test_a_whole_game_on_the_private_page_ends_and_shows_everybodys_bets_in_one_picture(
    harness: BotHarness, options: dict[str, str]
):
    await table(harness, 3, **options)
    for person in (harness.ann, harness.ben, harness.cleo):
        await bet(harness, person)
    number = 0
    while harness.snapshot().playing and number < 600:
        await decide(harness, number, await harness.press(harness.awaited(), "Play"))
        number += 1
    await harness.settle()
    live = harness.messages().table
    assert live.snapshot.row.status == "over"
    assert GAME.fold(await harness.events()) == live.snapshot.state
    assert "win" in harness.public()
    shown = [part["items"][0] for part in walk(harness.board()["components"]) if part.get("items")]
    (end,) = shown
    assert end["description"].count("right:") == 3


async def test_a_whole_game_by_direct_message_alone(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person, person.dms()[-1])
    number = 0
    while harness.snapshot().playing and number < 600:
        await decide(harness, number, harness.awaited().dms()[-1])
        number += 1
    await harness.settle()
    assert harness.snapshot().row.status == "over"


@pytest.mark.parametrize(("at_table", "presses"), [(False, 5), (True, 6)])
async def test_a_turn_of_three_dice_takes_five_presses_one_more_from_the_table_on_and_a_forecast_seven(
    harness: BotHarness, at_table: bool, presses: int
):
    await table(harness)
    for person in (harness.ann, harness.ben):
        panel, taps = await harness.press(person, "Play"), 0
        for label in (*BETS, "Submit this forecast"):
            panel = await harness.press(person, label, panel)
            taps += 1
        assert taps == 7
    await harness.settle()
    assert harness.view().phase == "roll"
    page: Page = harness.board() if at_table else await harness.press(harness.awaited(), "Play")
    taps, turn = 0, harness.view().turn_number
    while harness.view().turn_number == turn:
        page, more = await decide(harness, 1, page)
        taps += more
        if isinstance(page, ActionResult) and page.message is None:
            page = harness.board()
    assert taps == presses


async def test_the_way_from_the_table_leads_to_the_private_page_itself(harness: BotHarness):
    await table(harness)

    def labels(page: ActionResult) -> list[str]:
        return [part["label"] for part in UserClient.buttons(page.message or {})]

    for label in ("Make my forecast", "Choose dice"):
        who = harness.ann if label == "Make my forecast" else harness.awaited()
        by_play = labels(await harness.press(who, "Play"))
        assert labels(await harness.press(who, label)) == by_play
        assert "More …" in by_play and "◀ Back to the game" not in by_play
        for person in (harness.ann, harness.ben) if label == "Make my forecast" else ():
            await bet(harness, person)


async def test_dice_are_chosen_by_whose_turn_it_is_and_can_be_given_back(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person)
    who, other = harness.awaited(), harness.idle()
    assert "Press 3 dice" not in (await harness.press(other, "Choose dice")).text
    page = await harness.press(who, "Choose dice")
    assert "Press 3 dice" in page.text
    page = await harness.press(who, "Red", page)
    assert "Chosen: **red**" in page.text
    for label in ("Red", "Start over"):  # back to the page as it was
        page = await harness.press(who, label, page)
        assert "Press 3 dice" in page.text
        page = await harness.press(who, "Red", page)
    page = await harness.press(who, "Blue", page)
    page = await harness.press(who, "Red", page)
    assert "Chosen: **blue**" in page.text
    await harness.restart()
    for label in ("Pink", "Yellow"):
        page = await harness.press(who, label, page)
    await harness.settle()
    rolled = {one.colour for one in harness.view().results}
    assert rolled == {"blue", "pink", "yellow"}
    for prisoner in rolled:
        assert prisoner.capitalize() in {part.get("label", "").split()[0] for part in UserClient.buttons(page)}


async def test_a_whole_turn_by_slash_commands_with_what_completion_offers(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        offered = await person.choices(
            harness.yard, "ausbrecher forecast", focus="boat2", boat1="red blue", boat2="", boat3="green pink"
        )
        assert [choice["value"] for choice in offered] == ["orange yellow", "orange violet", "yellow violet"]
        answer = await person.command(
            harness.yard, "ausbrecher forecast", boat1="red blue", boat2="orange yellow", boat3="gp"
        )
        assert "Your forecast is in" in answer.text
    for _ in range(24):
        if not harness.snapshot().playing:
            break
        who, phase = harness.awaited(), harness.view().phase
        if phase == "roll":
            offered = await who.choices(harness.yard, "ausbrecher roll", focus="dice", dice="")
            assert 0 < len(offered) <= 25
            answer = await who.command(harness.yard, "ausbrecher roll", dice=offered[-1]["value"])
            assert "You rolled" in answer.text
        else:
            offered = await who.choices(harness.yard, "ausbrecher move", focus="prisoner", prisoner="")
            answer = await who.command(harness.yard, "ausbrecher move", prisoner=offered[0]["value"])
            assert "You moved" in answer.text
    assert harness.view().turn_number > 4


async def test_wrong_moves_are_refused_with_the_rule(harness: BotHarness):
    await table(harness)
    early = await harness.ann.command(harness.yard, "ausbrecher roll", dice="red blue green")
    assert "First everyone makes a forecast" in early.text
    await bet(harness, harness.ann)
    await bet(harness, harness.ben)
    who, other = harness.awaited(), harness.idle()
    for command, options, words in (
        ("roll", {"dice": "red blue"}, "exactly 3"),
        ("roll", {"dice": "red red blue"}, "can't roll it twice"),
        ("roll", {"dice": "mauve red blue"}, "no such prisoner"),
        ("roll", {"dice": "rby", "white": True}, "turn 2 on"),
        ("move", {"prisoner": "red"}, "Roll first"),
        ("back", {"prisoner": "red"}, "white die"),
    ):
        answer = await who.command(harness.yard, f"ausbrecher {command}", **options)
        assert words in answer.text, (command, answer.text)
    assert f"{who.name}" in (await other.command(harness.yard, "ausbrecher roll", dice="rby")).text


async def test_with_a_closed_dm_everything_is_on_my_hand(harness: BotHarness):
    harness.ben.dms_open = False
    await table(harness)
    await bet(harness, harness.ann)
    hand = await harness.press(harness.ben, "Play")
    assert "Your forecast" in hand.text
    await bet(harness, harness.ben)
    hand = await harness.press(harness.ben, "Play")
    assert "0 points so far" in hand.text
    shown = await harness.ben.command(harness.yard, "ausbrecher forecast-show")
    assert shown.message is not None
    words = [part["items"][0]["description"] for part in walk(shown.message["components"]) if part.get("items")]
    assert "Boat 4: orange" in words[-1] and "Boat 1: red, blue" in words[-1]
    assert harness.ben.dms() == []


async def test_a_restart_in_each_phase_goes_on(harness: BotHarness):
    await table(harness)
    await harness.restart()
    await bet(harness, harness.ann)
    await harness.restart()
    await bet(harness, harness.ben)
    for number in range(20):
        await harness.restart()
        await harness.press(harness.ann, "Text view")
        if not harness.snapshot().playing:
            break
        await decide(harness, number)
    live = harness.messages().table
    assert GAME.fold(await harness.events()) == live.snapshot.state


async def test_the_clock_bets_for_who_does_not(harness: BotHarness):
    await table(harness)
    await harness.press(harness.ann, "Text view")
    await harness.begin("ausbrecher", harness.ben, clock=60)
    await harness.ann.command(
        harness.yard, "ausbrecher forecast", boat1="red blue", boat2="green pink", boat3="yellow violet", table=2
    )
    await harness.advance(61_000)
    assert "Random forecast for ◆ **Ben**: time ran out" in harness.public()
    assert harness.snapshot(2).state.forecasts[1] is not None


# ------------------------------------------------------------------------------------------ changed, and not given yet

GIVEN = "Boat 1: red, blue · Boat 2: green, pink · Boat 3: yellow, violet · Boat 4: orange"
"""The forecast that `bet` makes, as a page shows it."""


async def changing(harness: BotHarness, where: str, **options: int) -> ActionResult:
    """Let Ann make a forecast and swap red and orange, on her page in the channel or in her direct messages."""
    await table(harness, **options)
    panel = await bet(harness, harness.ann, None if where == "panel" else harness.ann.dms()[-1])
    for prisoner in ("Red 1", "Orange 4"):
        panel = await harness.press(harness.ann, prisoner, panel)
    return panel


@pytest.mark.parametrize("where", ["panel", "direct message"])
@pytest.mark.parametrize(
    ("clock", "ends"),
    [(60, "If time runs out or the last forecast comes in first"), (0, "If the last forecast comes in first")],
)
async def test_a_changed_forecast_that_was_not_given_says_which_one_counts(
    harness: BotHarness, where: str, clock: int, ends: str
):
    panel = await changing(harness, where, clock=clock)
    assert "**Your forecast has changed (not submitted).** All seven have a boat" in panel.text
    assert f"-# {ends}, your old one counts: {GIVEN}." in panel.text
    labels = [part["label"] for part in UserClient.buttons(panel)]
    assert labels[-2:] == ["Submit this instead", "Keep my old forecast"]
    kept = await harness.press(harness.ann, "Keep my old forecast", panel)
    assert "**Your forecast is in.**" in kept.text and "not submitted" not in kept.text
    panel = await harness.press(harness.ann, "Start over", kept)
    assert "has changed (not submitted)" in panel.text and GIVEN in panel.text
    assert harness.snapshot().state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_the_changed_forecast_counts_once_it_is_given_and_what_was_given_before_says_nothing_more(
    harness: BotHarness,
):
    panel = await changing(harness, "panel")
    panel = await harness.press(harness.ann, "Submit this instead", panel)
    assert "**Your forecast is in.**" in panel.text and "old" not in panel.text
    assert harness.snapshot().state.forecasts[0] == (4, 1, 3, 2, 1, 3, 2)


async def test_when_time_runs_out_the_given_forecast_counts_and_not_later_changes(harness: BotHarness):
    await changing(harness, "panel", clock=60)
    await harness.advance(61_000)
    assert harness.view().phase == "roll" and harness.snapshot().state.forecasts[0] == (
        1,
        4,
        3,
        2,
        1,
        3,
        2,
    )


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_player_who_was_changing_their_forecast_reads_which_one_counts(harness: BotHarness, where: str):
    await changing(harness, where)
    await bet(harness, harness.ben)
    await harness.advance(CALM_MS)
    pages = harness.ann.ephemerals(harness.yard) if where == "panel" else harness.ann.dms()
    told = "The race has started with the forecast you submitted. Your later changes weren't submitted."
    assert told in UserClient.visible_text(pages[-1])
    await harness.press(harness.ann, "Play")  # who may not have seen it gets it once more
    await harness.settle()
    assert told not in (await harness.press(harness.ann, "Play")).text


async def test_a_player_who_submits_a_change_too_late_reads_which_forecast_counts(
    harness: BotHarness,
):
    await table(harness)
    panel = await bet(harness, harness.ben)
    for prisoner in ("Red 1", "Orange 4"):
        panel = await harness.press(harness.ben, prisoner, panel)
    await bet(harness, harness.ann)
    page = await harness.press(harness.ben, "Submit this instead", panel)
    assert "⚠ The game has moved on" in page.text
    assert "The race has started with the forecast you submitted." in page.text


async def test_a_player_with_an_unfinished_forecast_reads_that_chance_drew_it(harness: BotHarness):
    await table(harness, clock=60)
    await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    await harness.advance(61_000)
    await harness.advance(CALM_MS)
    assert "You hadn't submitted a forecast, so yours was picked at random." in UserClient.visible_text(
        harness.ann.ephemerals(harness.yard)[-1]
    )


async def test_a_player_whose_forecast_was_given_gets_no_notice_as_the_race_begins(harness: BotHarness):
    await table(harness, clock=60)
    panel = await harness.press(harness.ann, "Play")
    for prisoner in BETS:
        panel = await harness.press(harness.ann, prisoner, panel)
    await harness.press(harness.ben, "Play")
    await harness.settle()
    await harness.advance(61_000)
    await harness.advance(CALM_MS)
    for person in (harness.ann, harness.ben):
        assert "The race has started" not in UserClient.visible_text(person.ephemerals(harness.yard)[-1])


async def test_two_presses_that_undo_each_other_lead_back_to_the_forecast_that_is_in(harness: BotHarness):
    panel = await changing(harness, "panel")
    for prisoner in ("Red 4", "Orange 1"):
        panel = await harness.press(harness.ann, prisoner, panel)
    assert "**Your forecast is in.**" in panel.text
    assert "More …" in {part["label"] for part in UserClient.buttons(panel)}


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_whole_forecast_that_was_not_given_is_given_when_time_runs_out(harness: BotHarness, where: str):
    await table(harness, clock=60)
    panel: Page = await harness.press(harness.ann, "Play") if where == "panel" else harness.ann.dms()[-1]
    assert "If time runs out before it's complete, you get a random one." in UserClient.visible_text(
        harness.ann.dms()[-1]
    )
    for prisoner in BETS:
        panel = await harness.press(harness.ann, prisoner, panel)
    assert isinstance(panel, ActionResult)
    assert "(not submitted).** All seven have a boat" in panel.text and "random" not in panel.text
    await harness.settle()
    await harness.advance(61_000)
    assert harness.snapshot().state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)
    assert harness.snapshot().seats[0].lapses == 0 and harness.snapshot().seats[1].lapses == 1
    assert "Random forecast for ◆ **Ben**: time ran out" in harness.public()


@pytest.mark.parametrize("last", ["panel", "direct message"])
async def test_the_later_of_two_drafts_of_a_forecast_is_given_when_time_runs_out(harness: BotHarness, last: str):
    await table(harness, clock=60)
    first, *others = BETS

    async def bet_on(where: str, prisoners: tuple[str, ...]) -> None:
        page: Page = await harness.press(harness.ann, "Play") if where == "panel" else harness.ann.dms()[-1]
        if last == where == "panel":
            page = await harness.press(harness.ann, "Start over", page)
        for prisoner in prisoners:
            page = await harness.press(harness.ann, prisoner, page)
        await harness.settle()
        await harness.advance(1_000)

    await bet_on("direct message" if last == "panel" else "panel", (first, *others))
    await bet_on(last, (others[-1], *others[:-1], first))
    await harness.advance(60_000)
    assert harness.snapshot().state.forecasts[0] == (3, 4, 3, 2, 1, 1, 2)


async def test_a_forecast_that_is_not_whole_when_time_runs_out_is_drawn_by_chance(harness: BotHarness):
    await table(harness, clock=60)
    panel = await harness.press(harness.ann, "Play")
    for prisoner in BETS[:4]:
        panel = await harness.press(harness.ann, prisoner, panel)
    await harness.settle()
    await harness.advance(61_000)
    assert "Random forecast for ● **Ann** and ◆ **Ben**: time ran out" in harness.public()


# ------------------------------------------------------------------------------------------------ what is begun stays


async def test_what_is_chosen_is_still_there_on_a_page_that_is_opened_again(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Play")
    for label in ("Red", "Blue"):
        panel = await harness.press(harness.ann, label, panel)
    for way in ("Play", "Make my forecast"):
        await harness.settle()
        panel = await harness.press(harness.ann, way)
        assert {"Red 1", "Blue 1"} < {part.get("label") for part in UserClient.buttons(panel)}
    await harness.settle()
    shown = await harness.ann.command(harness.yard, "ausbrecher forecast-show")
    assert {"Red 1", "Blue 1"} < {part.get("label") for part in UserClient.buttons(shown)}
    for person in (harness.ann, harness.ben):
        await harness.press(person, "Start over", shown) if person is harness.ann else None
        await bet(harness, person)
    who = harness.awaited()
    page = await harness.press(who, "Red", await harness.press(who, "Choose dice"))
    for way in ("Play", "Choose dice"):
        await harness.settle()
        assert "Chosen: **red**" in (await harness.press(who, way)).text
    await harness.settle()
    page = await harness.press(who, "Start over", await harness.press(who, "Play"))
    assert "Press 3 dice" in page.text
    await harness.settle()
    assert "Press 3 dice" in (await harness.press(who, "Play")).text


async def test_what_is_chosen_is_still_there_after_the_rules_were_read(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person)
    who = harness.awaited()
    await harness.press(who, "Red", await harness.press(who, "Play"))
    await harness.settle()
    page = await harness.press(who, "Rules", await harness.press(who, "More …"))
    await harness.settle()
    page = await harness.press(who, "◀ Back to the game", page)
    assert "Chosen: **red**" in page.text
    await harness.settle()
    page = await harness.press(who, "Red", page)  # withdrawn
    await harness.settle()
    assert "Press 3 dice" in page.text and "Press 3 dice" in (await harness.press(who, "Play")).text


async def test_what_is_chosen_is_still_there_when_something_is_refused_on_the_page_that_hides_it(harness: BotHarness):
    await table(harness)
    await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    more = await harness.press(harness.ann, "More …")
    told = await harness.ann.forge(more, "cb:1:0:hint:")  # like one that has been switched off since
    await harness.settle()
    assert "⚠" in told.text
    for page in (told, await harness.press(harness.ann, "Play")):
        assert "Red 1" in {part.get("label") for part in UserClient.buttons(page)}


async def test_what_is_chosen_is_still_there_when_a_page_that_rested_goes_on(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    await harness.advance(RESTS_MS)
    (resting,) = harness.ann.ephemerals(harness.yard)
    panel = await harness.press(harness.ann, "Go on", resting)
    assert "Red 1" in {part.get("label") for part in UserClient.buttons(panel)}


def bets_of(page: Page) -> set[str]:
    """Return the prisoners on a page for whom a boat is chosen."""
    labels = {
        part.get("label", "")
        for part in UserClient.buttons(page.message or {} if isinstance(page, ActionResult) else page)
    }
    return {label for label in labels if label[-1:].isdigit()}


async def test_what_is_chosen_in_the_channel_is_there_on_the_direct_message_and_the_other_way_round(
    harness: BotHarness,
):
    await table(harness)
    await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    message = await harness.press(harness.ann, "More …", harness.ann.dms()[-1])
    message = await harness.press(harness.ann, "◀ Back to the game", message)
    assert bets_of(message) == {"Red 1"}
    await harness.press(harness.ann, "Blue", message)
    await harness.settle()
    panel = await harness.press(harness.ann, "Play")
    assert bets_of(panel) == {"Red 1", "Blue 1"}
    await harness.settle()
    assert bets_of(await harness.press(harness.ann, "Start over", panel)) == set()


@pytest.mark.parametrize("end", ["stop", "crash", "sleep"])
async def test_what_is_chosen_is_still_there_after_a_restart_and_when_the_table_has_left_the_memory(
    harness: BotHarness, end: str
):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person)
    who = harness.awaited()
    await harness.press(who, "Red", await harness.press(who, "Play"))
    await harness.settle()
    if end == "stop":
        await harness.restart()
    elif end == "crash":
        await harness.advance(SAVED_AFTER_MS)
        await harness.settle()
        await harness.kill()
        await harness.start()
    else:
        await harness.advance(TOKEN_LIFETIME_MS)
        assert 1 not in harness.client.tables.registry.present
    assert "Chosen: **red**" in (await harness.press(who, "Play")).text


async def test_what_is_given_up_is_not_there_after_a_restart_either(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    await harness.advance(SAVED_AFTER_MS)
    await harness.press(harness.ann, "Start over", panel)
    await harness.settle()
    await harness.restart()
    assert bets_of(await harness.press(harness.ann, "Play")) == set()


async def test_a_person_who_picks_one_after_the_other_writes_once(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await table(harness)
    panel, started = await harness.press(harness.ann, "Play"), harness.drafts()
    before, dump_forecast = harness.snapshot().seats[0], list[str | None]()
    seats = harness.messages().table.store.seats
    update = seats.update

    async def noted(number: int, seat: int, what: SeatChange) -> TableRow:
        dump_forecast.append(str(what.begun))
        return await update(number, seat, what)

    monkeypatch.setattr(seats, "update", noted)
    for prisoner in BETS[:3]:
        panel = await harness.press(harness.ann, prisoner, panel)
    await harness.settle()
    assert harness.snapshot().seats[0] == before
    await harness.advance(SAVED_AFTER_MS)
    assert len(dump_forecast) == 1
    look = started.of(int(harness.ann.id))
    assert look is not None and load_forecast(look.argument) == (1, 0, 0, 2, 1, 0, 0)


async def test_a_whole_forecast_is_given_when_time_runs_out_after_a_restart(harness: BotHarness):
    await table(harness, clock=60)
    panel = await harness.press(harness.ann, "Play")
    for prisoner in BETS:
        panel = await harness.press(harness.ann, prisoner, panel)
    await harness.restart()
    await harness.press(harness.ben, "Text view")
    await harness.advance(61_000)
    assert harness.snapshot().state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_a_page_without_a_clock_says_nothing_of_time_that_runs_out(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    assert "(not submitted)" in panel.text and "time runs out" not in panel.text


async def test_starting_over_on_a_page_that_was_given_up_leaves_nothing_chosen(harness: BotHarness):
    await table(harness)
    panel = await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Play"))
    await harness.settle()
    pages = harness.messages().pages
    pages.let_go(pages.message_of(int(harness.ann.id)))  # an edit of it found nothing
    panel = await harness.press(harness.ann, "Start over", panel)
    assert "Red 1" not in {part.get("label") for part in UserClient.buttons(panel)}


async def test_a_person_who_gave_theirs_may_open_it_from_the_table_to_change_it(harness: BotHarness):
    await table(harness)
    await bet(harness, harness.ann)
    page = await harness.press(harness.ann, "Make my forecast")
    assert "**Your forecast is in.** You can change it" in page.text


async def test_what_was_chosen_for_an_earlier_turn_is_not_there_any_more(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person)
    who = harness.awaited()
    await harness.press(who, "Red", await harness.press(who, "Play"))
    await who.command(harness.yard, "ausbrecher roll", dice="red blue green")
    assert "Chosen" not in (await harness.press(who, "Play")).text


async def test_choosing_dice_out_of_turn_is_refused_with_whose_turn_it_is(harness: BotHarness):
    await table(harness)
    for person in (harness.ann, harness.ben):
        await bet(harness, person)
    said = await harness.press_and_read(harness.idle(), "Choose dice")
    assert "⚠ It's" in said and f"**{harness.awaited().name}**'s turn, not yours." in said
    assert "⚠" not in (await harness.press(harness.awaited(), "Choose dice")).text


def test_every_forecast_that_the_rules_take_can_be_read_from_its_argument():
    for action in GAME.legal(begin(GAME, 1), Seat(0)):
        assert isinstance(action, Forecast)
        assert load_forecast(dump_forecast(action.boats)) == action.boats
        assert is_complete(action.boats, (2, 2, 2, 1))
    assert load_forecast("11223") is None and load_forecast("11223x4") is None and len(COLOURS) == 7
