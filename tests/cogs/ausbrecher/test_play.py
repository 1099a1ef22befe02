"""Whole games of Ausbrecher AG, as people play them: by the cockpit, by direct message, by slash commands."""

import pytest

from cogs.ausbrecher.bets import complete, read, written
from cogs.core.publishing.ephemeral_pages import CALM_MS, RESTS_MS
from cogs.core.publishing.interaction_message import GIVEN_UP_MS
from cogs.core.tables.draft_store import KEPT_AFTER_MS
from data.store import SeatChange, TableRow
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, Forecast
from sandbox import ActionResult, UserClient, walk
from tools.harness.bot_harness import House
from tools.harness.drivers.ausbrecher import BETS, Page, bet, decide
from tools.harness.playouts import play

DICE = ("Red", "Orange", "Yellow", "Green", "Blue", "Violet", "Pink")


async def table(house: House, people: int = 2, **options: str | int) -> None:
    """Let people sit down and begin."""
    await house.begin("ausbrecher", *(house.ben, house.cleo)[: people - 1], **options)


async def test_forecasts_are_made_on_a_private_panel_and_nobody_else_sees_them(house: House):
    await table(house)
    given = await bet(house, house.ann)
    assert "Your forecast is in" in given.text
    await house.settle()
    public = house.public()
    assert "1 of 2 forecasts are in" in public and "waiting for ◆ **Ben**" in public
    (message,) = house.ben.dms()  # it is not edited for what others do, so it counts nobody
    words = UserClient.visible_text(message)
    assert "The race begins when both forecasts are in" in words and " of 2 forecasts" not in words
    for person in (house.ben, house.cleo):
        seen = " ".join(UserClient.visible_text(message) for message in person.messages(house.yard)) + " ".join(
            UserClient.visible_text(message) for message in person.dms()
        )
        assert "forecast is in" not in seen
    assert house.session().table.snapshot.state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_the_panel_survives_a_restart_and_a_forecast_can_be_changed_until_the_last_is_in(house: House):
    await table(house)
    panel = await house.press(house.ann, "Make my forecast")
    panel = await house.press(house.ann, "Pink", panel)
    await house.restart()
    panel = await house.press(house.ann, "Violet", panel)
    assert {"Pink 1", "Violet 1"} < {part.get("label") for part in UserClient.buttons(panel)}
    await bet(house, house.ann, await house.press(house.ann, "Start over", panel))
    changed = await house.ann.command(
        house.yard, "ausbrecher forecast", boat1="pink violet", boat2="red blue", boat3="green yellow"
    )
    assert "Your forecast is in" in changed.text
    assert house.session().table.snapshot.state.forecasts[0] == (2, 4, 3, 3, 2, 1, 1)
    await bet(house, house.ben)
    late = await house.ann.command(house.yard, "ausbrecher forecast", boat1="rb", boat2="gp", boat3="yv")
    assert "closed" in late.text


async def test_forecasts_that_do_not_fit_are_told_with_the_rule(house: House):
    await table(house)
    for boats, words in (
        (("red", "blue green", "pink violet"), "exactly 2"),
        (("red blue", "blue green", "pink violet"), "twice"),
        (("red mauve", "blue green", "pink violet"), "no prisoner called"),
    ):
        answer = await house.ann.command(
            house.yard, "ausbrecher forecast", boat1=boats[0], boat2=boats[1], boat3=boats[2]
        )
        assert words in answer.text
    assert house.session().table.snapshot.state.forecasts == (None, None)


@pytest.mark.parametrize("options", [{}, {"route": "rope", "late_white": "second"}])
async def test_a_whole_game_by_the_cockpit_ends_and_shows_everybodys_bets_in_one_picture(
    house: House, options: dict[str, str]
):
    await table(house, 3, **options)
    for person in (house.ann, house.ben, house.cleo):
        await bet(house, person)
    number = 0
    while house.session().table.snapshot.playing and number < 600:
        await decide(house, number, await house.press(house.awaited(), "Play"))
        number += 1
    await house.settle()
    live = house.session().table
    assert live.snapshot.row.status == "over"
    assert GAME.fold(await house.events()) == live.snapshot.state
    assert "win" in house.public()
    shown = [part["items"][0] for part in walk(house.board()["components"]) if part.get("items")]
    (end,) = shown
    assert end["description"].count("right:") == 3


async def test_a_whole_game_by_direct_message_alone(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person, person.dms()[-1])
    number = 0
    while house.session().table.snapshot.playing and number < 600:
        await decide(house, number, house.awaited().dms()[-1])
        number += 1
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


@pytest.mark.parametrize(("at_table", "presses"), [(False, 5), (True, 6)])
async def test_a_turn_of_three_dice_takes_five_presses_one_more_from_the_table_on_and_a_forecast_seven(
    house: House, at_table: bool, presses: int
):
    await table(house)
    for person in (house.ann, house.ben):
        panel, taps = await house.press(person, "Play"), 0
        for label in (*BETS, "Give this forecast"):
            panel = await house.press(person, label, panel)
            taps += 1
        assert taps == 7
    await house.settle()
    assert house.view().phase == "roll"
    page: Page = house.board() if at_table else await house.press(house.awaited(), "Play")
    taps, turn = 0, house.view().turn_number
    while house.view().turn_number == turn:
        page, more = await decide(house, 1, page)
        taps += more
        if isinstance(page, ActionResult) and page.message is None:
            page = house.board()
    assert taps == presses


async def test_the_way_from_the_table_leads_to_the_private_page_itself(house: House):
    await table(house)

    def labels(page: ActionResult) -> list[str]:
        return [part["label"] for part in UserClient.buttons(page.message or {})]

    for label in ("Make my forecast", "Choose dice"):
        who = house.ann if label == "Make my forecast" else house.awaited()
        by_play = labels(await house.press(who, "Play"))
        assert labels(await house.press(who, label)) == by_play
        assert "More …" in by_play and "◀ Back to the game" not in by_play
        for person in (house.ann, house.ben) if label == "Make my forecast" else ():
            await bet(house, person)


async def test_dice_are_chosen_by_whose_turn_it_is_and_can_be_given_back(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person)
    who, other = house.awaited(), house.idle()
    assert "Press 3 dice" not in (await house.press(other, "Choose dice")).text
    page = await house.press(who, "Choose dice")
    assert "Press 3 dice" in page.text
    page = await house.press(who, "Red", page)
    assert "Chosen: **red**" in page.text
    for label in ("Red", "Start over"):  # back to the page as it was
        page = await house.press(who, label, page)
        assert "Press 3 dice" in page.text
        page = await house.press(who, "Red", page)
    page = await house.press(who, "Blue", page)
    page = await house.press(who, "Red", page)
    assert "Chosen: **blue**" in page.text
    await house.restart()
    for label in ("Pink", "Yellow"):
        page = await house.press(who, label, page)
    await house.settle()
    rolled = {one.colour for one in house.view().results}
    assert rolled == {"blue", "pink", "yellow"}
    for prisoner in rolled:
        assert prisoner.capitalize() in {part.get("label", "").split()[0] for part in UserClient.buttons(page)}


async def test_a_whole_turn_by_slash_commands_with_what_completion_offers(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        offered = await person.choices(
            house.yard, "ausbrecher forecast", focus="boat2", boat1="red blue", boat2="", boat3="green pink"
        )
        assert [choice["value"] for choice in offered] == ["orange yellow", "orange violet", "yellow violet"]
        answer = await person.command(
            house.yard, "ausbrecher forecast", boat1="red blue", boat2="orange yellow", boat3="gp"
        )
        assert "Your forecast is in" in answer.text
    for _ in range(24):
        if not house.session().table.snapshot.playing:
            break
        who, phase = house.awaited(), house.view().phase
        if phase == "roll":
            offered = await who.choices(house.yard, "ausbrecher roll", focus="dice", dice="")
            assert 0 < len(offered) <= 25
            answer = await who.command(house.yard, "ausbrecher roll", dice=offered[-1]["value"])
            assert "You rolled" in answer.text
        else:
            offered = await who.choices(house.yard, "ausbrecher move", focus="prisoner", prisoner="")
            answer = await who.command(house.yard, "ausbrecher move", prisoner=offered[0]["value"])
            assert "You moved" in answer.text
    assert house.view().turn_number > 4


async def test_wrong_moves_are_told_with_the_rule(house: House):
    await table(house)
    early = await house.ann.command(house.yard, "ausbrecher roll", dice="red blue green")
    assert "First everybody makes a forecast" in early.text
    await bet(house, house.ann)
    await bet(house, house.ben)
    who, other = house.awaited(), house.idle()
    for command, options, words in (
        ("roll", {"dice": "red blue"}, "exactly 3"),
        ("roll", {"dice": "red red blue"}, "cannot be rolled twice"),
        ("roll", {"dice": "mauve red blue"}, "no such prisoner"),
        ("roll", {"dice": "rby", "white": True}, "turn 2 on"),
        ("move", {"prisoner": "red"}, "roll first"),
        ("back", {"prisoner": "red"}, "white die"),
    ):
        answer = await who.command(house.yard, f"ausbrecher {command}", **options)
        assert words in answer.text, (command, answer.text)
    assert f"{who.name}" in (await other.command(house.yard, "ausbrecher roll", dice="rby")).text


async def test_with_a_closed_dm_everything_is_on_my_hand(house: House):
    house.ben.dms_open = False
    await table(house)
    await bet(house, house.ann)
    hand = await house.press(house.ben, "Play")
    assert "Your forecast" in hand.text
    await bet(house, house.ben)
    hand = await house.press(house.ben, "Play")
    assert "0 points so far" in hand.text
    shown = await house.ben.command(house.yard, "ausbrecher forecast-show")
    assert shown.message is not None
    words = [part["items"][0]["description"] for part in walk(shown.message["components"]) if part.get("items")]
    assert "Boat 4: orange" in words[-1] and "Boat 1: red, blue" in words[-1]
    assert house.ben.dms() == []


async def test_a_restart_in_each_phase_goes_on(house: House):
    await table(house)
    await house.restart()
    await bet(house, house.ann)
    await house.restart()
    await bet(house, house.ben)
    for number in range(20):
        await house.restart()
        await house.press(house.ann, "Text view")
        if not house.session().table.snapshot.playing:
            break
        await decide(house, number)
    live = house.session().table
    assert GAME.fold(await house.events()) == live.snapshot.state


async def test_the_clock_bets_for_who_does_not(house: House):
    await table(house)
    await house.press(house.ann, "Text view")
    await house.begin("ausbrecher", house.ben, clock=60)
    await house.ann.command(
        house.yard, "ausbrecher forecast", boat1="red blue", boat2="green pink", boat3="yellow violet", table=2
    )
    await house.turn(61_000)
    assert "Forecast by chance for ◆ **Ben**" in house.public()
    assert house.session(2).table.snapshot.state.forecasts[1] is not None


# ------------------------------------------------------------------------------------------ changed, and not given yet

GIVEN = "boat 1 red, blue · boat 2 green, pink · boat 3 yellow, violet · boat 4 orange"
"""What `bet` gives, as a page says it."""


async def changing(house: House, where: str, **options: int) -> ActionResult:
    """Let Ann give a forecast and let red and orange change places, on her page in the channel or in her messages."""
    await table(house, **options)
    panel = await bet(house, house.ann, None if where == "panel" else house.ann.dms()[-1])
    for prisoner in ("Red 1", "Orange 4"):
        panel = await house.press(house.ann, prisoner, panel)
    return panel


@pytest.mark.parametrize("where", ["panel", "direct message"])
@pytest.mark.parametrize(("clock", "ends"), [(60, "time runs out or the last one comes in"), (0, "the last one comes")])
async def test_a_forecast_that_is_changed_and_not_given_says_which_one_stands(
    house: House, where: str, clock: int, ends: str
):
    panel = await changing(house, where, clock=clock)
    assert "**Your forecast is changed, and not given yet.** All seven have a boat" in panel.text
    assert f"what you gave before stands, and counts if {ends}" in panel.text and GIVEN in panel.text
    labels = [part["label"] for part in UserClient.buttons(panel)]
    assert labels[-2:] == ["Give this instead", "Keep what I gave"]
    kept = await house.press(house.ann, "Keep what I gave", panel)
    assert "**Your forecast is in.**" in kept.text and "not given" not in kept.text
    panel = await house.press(house.ann, "Start over", kept)
    assert "changed, and not given yet" in panel.text and GIVEN in panel.text
    assert house.session().table.snapshot.state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_the_changed_forecast_counts_once_it_is_given_and_what_was_given_before_says_nothing_more(house: House):
    panel = await changing(house, "panel")
    panel = await house.press(house.ann, "Give this instead", panel)
    assert "**Your forecast is in.**" in panel.text and "before" not in panel.text
    assert house.session().table.snapshot.state.forecasts[0] == (4, 1, 3, 2, 1, 3, 2)


async def test_what_was_given_holds_when_time_runs_out_whatever_was_changed_since(house: House):
    await changing(house, "panel", clock=60)
    await house.turn(61_000)
    assert house.view().phase == "roll" and house.session().table.snapshot.state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_whoever_had_changed_theirs_is_told_with_which_one_the_race_has_begun(house: House, where: str):
    await changing(house, where)
    await bet(house, house.ben)
    await house.turn(CALM_MS)
    pages = house.ann.ephemerals(house.yard) if where == "panel" else house.ann.dms()
    told = "The race has begun with the forecast that you gave before: what you changed since was not given."
    assert told in UserClient.visible_text(pages[-1])
    await house.press(house.ann, "Play")  # who may not have seen it is told once more
    await house.settle()
    assert told not in (await house.press(house.ann, "Play")).text


async def test_whoever_gives_a_change_a_moment_too_late_is_told_with_which_one_the_race_has_begun(house: House):
    await table(house)
    panel = await bet(house, house.ben)
    for prisoner in ("Red 1", "Orange 4"):
        panel = await house.press(house.ben, prisoner, panel)
    await bet(house, house.ann)
    page = await house.press(house.ben, "Give this instead", panel)
    assert "⚠ That button belongs to an earlier moment" in page.text
    assert "The race has begun with the forecast that you gave before" in page.text


async def test_whoever_had_not_finished_theirs_is_told_that_chance_drew_it(house: House):
    await table(house, clock=60)
    await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    await house.turn(61_000)
    await house.turn(CALM_MS)
    assert "begun with a forecast drawn by chance" in UserClient.visible_text(house.ann.ephemerals(house.yard)[-1])


async def test_whoever_gave_theirs_or_had_it_given_is_told_nothing_as_the_race_begins(house: House):
    await table(house, clock=60)
    panel = await house.press(house.ann, "Play")
    for prisoner in BETS:
        panel = await house.press(house.ann, prisoner, panel)
    await house.press(house.ben, "Play")
    await house.settle()
    await house.turn(61_000)
    await house.turn(CALM_MS)
    for person in (house.ann, house.ben):
        assert "The race has begun" not in UserClient.visible_text(person.ephemerals(house.yard)[-1])


async def test_two_presses_that_undo_each_other_lead_back_to_the_forecast_that_is_in(house: House):
    panel = await changing(house, "panel")
    for prisoner in ("Red 4", "Orange 1"):
        panel = await house.press(house.ann, prisoner, panel)
    assert "**Your forecast is in.**" in panel.text
    assert "More …" in {part["label"] for part in UserClient.buttons(panel)}


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_whole_forecast_that_was_not_given_is_given_when_time_runs_out(house: House, where: str):
    await table(house, clock=60)
    panel: Page = await house.press(house.ann, "Play") if where == "panel" else house.ann.dms()[-1]
    assert "If time runs out without one, it is drawn by chance." in UserClient.visible_text(house.ann.dms()[-1])
    for prisoner in BETS:
        panel = await house.press(house.ann, prisoner, panel)
    assert isinstance(panel, ActionResult)
    assert "not given yet.** All seven have a boat" in panel.text and "chance" not in panel.text
    await house.settle()
    await house.turn(61_000)
    assert house.session().table.snapshot.state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)
    assert house.session().table.snapshot.seats[0].lapses == 0 and house.session().table.snapshot.seats[1].lapses == 1
    assert "Forecast by chance for ◆ **Ben**:" in house.public()


@pytest.mark.parametrize("last", ["panel", "direct message"])
async def test_of_two_forecasts_that_were_begun_the_later_one_is_given_when_time_runs_out(house: House, last: str):
    await table(house, clock=60)
    first, *others = BETS

    async def bet_on(where: str, prisoners: tuple[str, ...]) -> None:
        page: Page = await house.press(house.ann, "Play") if where == "panel" else house.ann.dms()[-1]
        if last == where == "panel":
            page = await house.press(house.ann, "Start over", page)
        for prisoner in prisoners:
            page = await house.press(house.ann, prisoner, page)
        await house.settle()
        await house.turn(1_000)

    await bet_on("direct message" if last == "panel" else "panel", (first, *others))
    await bet_on(last, (others[-1], *others[:-1], first))
    await house.turn(60_000)
    assert house.session().table.snapshot.state.forecasts[0] == (3, 4, 3, 2, 1, 1, 2)


async def test_a_forecast_that_is_not_whole_when_time_runs_out_is_drawn_by_chance(house: House):
    await table(house, clock=60)
    panel = await house.press(house.ann, "Play")
    for prisoner in BETS[:4]:
        panel = await house.press(house.ann, prisoner, panel)
    await house.settle()
    await house.turn(61_000)
    assert "Forecast by chance for ● **Ann** and ◆ **Ben**:" in house.public()


# ------------------------------------------------------------------------------------------------ what is begun stays


async def test_what_is_chosen_is_still_there_on_a_page_that_is_opened_anew(house: House):
    await table(house)
    panel = await house.press(house.ann, "Play")
    for label in ("Red", "Blue"):
        panel = await house.press(house.ann, label, panel)
    for way in ("Play", "Make my forecast"):
        await house.settle()
        panel = await house.press(house.ann, way)
        assert {"Red 1", "Blue 1"} < {part.get("label") for part in UserClient.buttons(panel)}
    await house.settle()
    shown = await house.ann.command(house.yard, "ausbrecher forecast-show")
    assert {"Red 1", "Blue 1"} < {part.get("label") for part in UserClient.buttons(shown)}
    for person in (house.ann, house.ben):
        await house.press(person, "Start over", shown) if person is house.ann else None
        await bet(house, person)
    who = house.awaited()
    page = await house.press(who, "Red", await house.press(who, "Choose dice"))
    for way in ("Play", "Choose dice"):
        await house.settle()
        assert "Chosen: **red**" in (await house.press(who, way)).text
    await house.settle()
    page = await house.press(who, "Start over", await house.press(who, "Play"))
    assert "Press 3 dice" in page.text
    await house.settle()
    assert "Press 3 dice" in (await house.press(who, "Play")).text


async def test_what_is_chosen_is_still_there_after_the_rules_were_read(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person)
    who = house.awaited()
    await house.press(who, "Red", await house.press(who, "Play"))
    await house.settle()
    page = await house.press(who, "Rules", await house.press(who, "More …"))
    await house.settle()
    page = await house.press(who, "◀ Back to the game", page)
    assert "Chosen: **red**" in page.text
    await house.settle()
    page = await house.press(who, "Red", page)  # given back
    await house.settle()
    assert "Press 3 dice" in page.text and "Press 3 dice" in (await house.press(who, "Play")).text


async def test_what_is_chosen_is_still_there_when_something_is_refused_on_the_page_that_hides_it(house: House):
    await table(house)
    await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    more = await house.press(house.ann, "More …")
    told = await house.ann.forge(more, "cb:1:0:hint:")  # as one that has been switched off since
    await house.settle()
    assert "⚠" in told.text
    for page in (told, await house.press(house.ann, "Play")):
        assert "Red 1" in {part.get("label") for part in UserClient.buttons(page)}


async def test_what_is_chosen_is_still_there_when_a_page_that_rested_goes_on(house: House):
    await table(house)
    panel = await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    await house.turn(RESTS_MS)
    (resting,) = house.ann.ephemerals(house.yard)
    panel = await house.press(house.ann, "Go on", resting)
    assert "Red 1" in {part.get("label") for part in UserClient.buttons(panel)}


def bets_of(page: Page) -> set[str]:
    """The prisoners on a page for whom a boat is chosen."""
    labels = {
        part.get("label", "")
        for part in UserClient.buttons(page.message or {} if isinstance(page, ActionResult) else page)
    }
    return {label for label in labels if label[-1:].isdigit()}


async def test_what_is_chosen_in_the_channel_is_there_on_the_direct_message_and_the_other_way_round(house: House):
    await table(house)
    await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    message = await house.press(house.ann, "More …", house.ann.dms()[-1])
    message = await house.press(house.ann, "◀ Back to the game", message)
    assert bets_of(message) == {"Red 1"}
    await house.press(house.ann, "Blue", message)
    await house.settle()
    panel = await house.press(house.ann, "Play")
    assert bets_of(panel) == {"Red 1", "Blue 1"}
    await house.settle()
    assert bets_of(await house.press(house.ann, "Start over", panel)) == set()


@pytest.mark.parametrize("end", ["stop", "crash", "sleep"])
async def test_what_is_chosen_is_still_there_after_a_restart_and_when_the_table_has_left_the_memory(
    house: House, end: str
):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person)
    who = house.awaited()
    await house.press(who, "Red", await house.press(who, "Play"))
    await house.settle()
    if end == "stop":
        await house.restart()
    elif end == "crash":
        await house.turn(KEPT_AFTER_MS)
        await house.settle()
        await house.kill()
        await house.start()
    else:
        await house.turn(GIVEN_UP_MS)
        assert 1 not in house.client.tables.registry.present
    assert "Chosen: **red**" in (await house.press(who, "Play")).text


async def test_what_is_given_up_is_not_there_after_a_restart_either(house: House):
    await table(house)
    panel = await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    await house.turn(KEPT_AFTER_MS)
    await house.press(house.ann, "Start over", panel)
    await house.settle()
    await house.restart()
    assert bets_of(await house.press(house.ann, "Play")) == set()


async def test_whoever_picks_one_after_the_other_writes_once(house: House, monkeypatch: pytest.MonkeyPatch):
    await table(house)
    panel, begun = await house.press(house.ann, "Play"), house.drafts()
    before, written = house.session().table.snapshot.seats[0], list[str | None]()
    seats = house.session().table.store.seats
    update = seats.update

    async def noted(number: int, seat: int, what: SeatChange) -> TableRow:
        written.append(str(what.begun))
        return await update(number, seat, what)

    monkeypatch.setattr(seats, "update", noted)
    for prisoner in BETS[:3]:
        panel = await house.press(house.ann, prisoner, panel)
    await house.settle()
    assert house.session().table.snapshot.seats[0] == before
    await house.turn(KEPT_AFTER_MS)
    assert len(written) == 1
    look = begun.of(int(house.ann.id))
    assert look is not None and read(look.argument) == (1, 0, 0, 2, 1, 0, 0)


async def test_a_whole_forecast_is_given_when_time_runs_out_after_a_restart(house: House):
    await table(house, clock=60)
    panel = await house.press(house.ann, "Play")
    for prisoner in BETS:
        panel = await house.press(house.ann, prisoner, panel)
    await house.restart()
    await house.press(house.ben, "Text view")
    await house.turn(61_000)
    assert house.session().table.snapshot.state.forecasts[0] == (1, 4, 3, 2, 1, 3, 2)


async def test_a_page_without_a_clock_says_nothing_of_time_that_runs_out(house: House):
    await table(house)
    panel = await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    assert "not given yet" in panel.text and "time runs out" not in panel.text


async def test_starting_over_on_a_page_that_was_given_up_leaves_nothing_chosen(house: House):
    await table(house)
    panel = await house.press(house.ann, "Red", await house.press(house.ann, "Play"))
    await house.settle()
    panels = house.session().panels
    panels._let_go(panels._panels[int(house.ann.id)])  # an edit of it found nothing
    panel = await house.press(house.ann, "Start over", panel)
    assert "Red 1" not in {part.get("label") for part in UserClient.buttons(panel)}


async def test_whoever_gave_theirs_may_open_it_from_the_table_to_change_it(house: House):
    await table(house)
    await bet(house, house.ann)
    page = await house.press(house.ann, "Make my forecast")
    assert "**Your forecast is in.** You may change it" in page.text


async def test_what_was_chosen_for_an_earlier_turn_is_not_there_any_more(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person)
    who = house.awaited()
    await house.press(who, "Red", await house.press(who, "Play"))
    await who.command(house.yard, "ausbrecher roll", dice="red blue green")
    assert "Chosen" not in (await house.press(who, "Play")).text


async def test_whoever_would_choose_dice_out_of_turn_is_told_whose_turn_it_is(house: House):
    await table(house)
    for person in (house.ann, house.ben):
        await bet(house, person)
    said = await house.hears(house.idle(), "Choose dice")
    assert "⚠ It is" in said and f"**{house.awaited().name}**'s turn, not yours." in said
    assert "⚠" not in (await house.press(house.awaited(), "Choose dice")).text


def test_every_forecast_that_the_rules_take_can_be_read_from_its_argument():
    for action in GAME.legal(play(GAME, 1).start, Seat(0)):
        assert isinstance(action, Forecast)
        assert read(written(action.boats)) == action.boats
        assert complete(action.boats, (2, 2, 2, 1))
    assert read("11223") is None and read("11223x4") is None and len(COLOURS) == 7
