"""`/rules` on the sandbox: from the list of games to a game started from its rules."""

from sandbox import UserClient
from tests.cogs.general.test_help import labels
from tools.harness.bot_harness import BotHarness


async def test_rules_without_a_game_list_the_games(harness: BotHarness):
    answer = await harness.ben.command(harness.yard, "rules")
    rules = await harness.ben.press(answer, label="Match Five")
    assert "Match Five" in rules.text and {"Next ▶", "Lesson"} <= set(labels(rules))
    wrong = await harness.ben.forge(answer, "cb:0:0:rules:", ["chess"], 3)
    assert "no rules for that game" in wrong.text


async def test_the_first_page_of_rules_leads_to_the_ways_to_play_and_the_others_to_the_page_before(harness: BotHarness):
    rules = await harness.ben.command(harness.yard, "rules", game="rope_wall")
    assert "◀ Play" in labels(rules) and "◀ Previous" not in labels(rules)
    second = await harness.ben.press(rules, label="Next ▶")
    assert "◀ Previous" in labels(second) and "◀ Play" not in labels(second)
    first = await harness.ben.press(second, label="◀ Previous")
    assert {"Open a table for others", "Rules"} <= set(labels(await harness.ben.press(first, label="◀ Play")))


async def test_a_rated_game_is_started_from_its_rules_in_the_channel(harness: BotHarness):
    rules = await harness.ann.command(harness.yard, "rules", game="rope_wall")
    await harness.ann.press(rules, label="Rated game here")
    await harness.settle()
    assert "to push" in harness.public()


async def test_a_practice_game_is_started_from_its_rules_and_nobody_else_sees_it(harness: BotHarness):
    rules = await harness.ann.command(harness.yard, "rules", game="rope_wall")
    there = await harness.ann.press(rules, label="Practise in DMs")
    assert "Your practice game is in our DMs" in there.text
    alone = await harness.ann.command(harness.ann.dm, "rules", game="rope_wall")
    assert "Practice game" in labels(alone) and "Rated game here" not in labels(alone)


async def test_rules_read_at_a_table_lead_back_to_it_and_start_nothing_else(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
    more = await harness.press(harness.ann, "More …")
    rules = await harness.ann.press(more, label="Rules")
    found = [part.get("label") for part in UserClient.buttons(rules)]
    assert "◀ Back to the game" in found and not {"Rated game here", "Practise in DMs", "◀ Play"} & set(found)
