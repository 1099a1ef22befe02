"""The way of a click is short: how many of the house's functions, in how many files, it passes until it is served.

What serves one game alone, its rules and its screen, does not count: a game may think as long as its rules are. What
makes the way longer than this is most likely something between two of its stages that only hands on;
docs/architecture.md draws them.
"""

from collections.abc import Awaitable, Callable

import pytest

from sandbox import UserClient
from tests.cogs.break_out.test_play import give
from tests.cogs.core.publishing.test_fast_discord import only_fast
from tests.cogs.steps import Way, steps
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import break_out, match_five

STAGES = (
    "Cellblock.on_interaction",
    "ComponentRouter.dispatch",
    "parse_press",
    "ComponentRouter._at_table",
    "TableFinder.visit",
    "ComponentRouter._play",
    "TableRequest.move",
    "Table.act",
    "Table._commit",
    "Games.append",
    "Table._take",
    "Table.announce",
    "TableRequest.answer",
    "Responder.finish",
)
"""The stages of every click that moves, each of which is passed in this order and only once."""


async def push(harness: BotHarness) -> Way:
    """Follow a push of the Rope Wall, made on the table message once both have moved."""
    await harness.two_at_the_wall()
    while not harness.controls("push"):
        await harness.awaited().press(harness.board(), harness.controls("exit")[0])
    for _ in range(2):
        await harness.push()
        await harness.settle()
    with steps() as way:
        await harness.push()
        await harness.settle()
    return way


async def lay(harness: BotHarness) -> Way:
    """Follow a lay of Break-Out, made on a panel."""
    await harness.begin("break-out", harness.ben)
    who = harness.person_at(break_out.view(harness).turn)
    give(harness, *["r3 b3 g3 o7 w d v1"] * 2)
    panel = await harness.press(who, "Play")
    await harness.settle()
    control = next(part["custom_id"] for part in UserClient.buttons(panel) if ":lay:" in part.get("custom_id", ""))
    with steps() as way:
        await who.press(panel, control)
        await harness.settle()
    return way


async def lay_tile(harness: BotHarness) -> Way:
    """Follow a lay of Match Five, made on a panel."""
    await harness.begin("match-five", harness.ben)
    taps = await match_five.cockpit(harness)
    await taps.lay_one(match_five.slots(taps.panel)[0])
    await harness.settle()
    with steps() as way:
        await taps.press(match_five.parts(taps.panel, "lay")[0])
        await harness.settle()
    return way


@only_fast
@pytest.mark.parametrize(
    ("click", "functions", "files", "switches"), [(push, 102, 42, 116), (lay, 128, 48, 129), (lay_tile, 126, 47, 116)]
)
async def test_a_click_passes_each_stage_once_and_little_else(
    harness: BotHarness, click: Callable[[BotHarness], Awaitable[Way]], functions: int, files: int, switches: int
):
    """The figures of the lays leave a little room for what is on a panel."""
    way = await click(harness)
    passed = [code.co_qualname for code in way.calls if code.co_qualname in STAGES]
    assert passed == list(STAGES)
    assert (way.functions <= functions, way.files <= files, way.switches <= switches) == (True, True, True), str(way)
