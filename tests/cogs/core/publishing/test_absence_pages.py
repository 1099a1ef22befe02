"""What pages say of players who are away, and the way back for each of them."""

from typing import Any

from sandbox import ActionResult, UserClient
from tests.cogs.core.tables.test_ranked import mark
from tools.harness.bot_harness import BotHarness


def labels(page: ActionResult | dict[str, Any]) -> list[str]:
    return [part.get("label", "") for part in UserClient.buttons(page)]


async def test_only_players_who_are_away_have_the_way_back_on_their_page(harness: BotHarness):
    await harness.two_at_the_wall()
    gone, here = harness.awaited(), harness.idle()
    await harness.leave(gone)
    await harness.settle()
    assert "I'm back" in labels(harness.board())
    assert "I'm back" in labels(gone.ephemerals(harness.yard)[-1])
    assert "I'm back" not in labels(await harness.press(here, "Play"))


async def test_where_several_players_left_each_reads_who_can_wake_the_table(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", computer="rookie", computers=1)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    await harness.leave(harness.ann)
    await harness.leave(harness.ben)
    await harness.settle()
    assert harness.snapshot().asleep
    own = UserClient.visible_text(harness.ben.ephemerals(harness.yard)[-1])
    assert f"when {mark(harness, harness.ann)} or {mark(harness, harness.ben)} presses *I'm back* or moves" in own
