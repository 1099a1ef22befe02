"""Resigning at the Rope Wall without a command: below *More …*, and asked about first."""

from sandbox import ActionResult, UserClient
from tests.cogs.general.test_practice import practised
from tools.harness.bot_harness import House


async def asked(house: House, who: UserClient) -> ActionResult:
    """Let somebody ask to resign, on their page for everything else."""
    more = await house.press(who, "More …")
    return await who.press(more, label="Resign")


def labels(page: ActionResult) -> list[str]:
    """What stands on a page's buttons."""
    return [part["label"] for part in UserClient.buttons(page)]


async def test_who_resigns_is_asked_first_and_then_the_other_has_won(house: House):
    await house.two_at_the_wall()
    question = await asked(house, house.ben)
    assert "The other player wins the game" in question.text and house.session().table.snapshot.playing
    await house.ben.press(question, label="Resign the game")
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"
    assert "Ben resigned" in house.public().replace("\u00a0", " ").replace("**", "")


async def test_who_thinks_better_of_it_goes_back_to_the_game(house: House):
    await house.two_at_the_wall()
    question = await asked(house, house.ben)
    await house.ben.press(question, label="◀ Back to the game")
    await house.settle()
    assert house.session().table.snapshot.playing


async def test_a_push_of_the_other_meanwhile_changes_nothing_of_what_resigning_means(house: House):
    await house.two_at_the_wall()
    waits = house.ben if house.awaited() is house.ann else house.ann
    question = await asked(house, waits)
    await house.push()
    await house.settle()
    await waits.press(question, label="Resign the game")
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


async def test_the_question_is_gone_when_the_other_was_faster(house: House):
    await house.two_at_the_wall()
    question = await asked(house, house.ben)
    await house.ann.command(house.yard, "rope-wall resign")
    await house.settle()
    text = UserClient.visible_text(house.sandbox.message((question.message or {})["id"]))
    assert "Resign?" not in text and "wins" in text


async def test_nobody_resigns_for_others_nor_where_it_does_not_count(house: House):
    await house.two_at_the_wall()
    refused = await house.cleo.forge(house.board(), "cb:1:0:resign:sure")
    assert "no seat" in refused.text.lower() or "do not sit" in refused.text.lower()
    assert house.session().table.snapshot.playing
    page = await practised(house, house.ann, "Breakout: the Rope Wall")
    more = await house.ann.press(page, label="More …")
    assert "End the game" in labels(more) and "Resign" not in labels(more)
