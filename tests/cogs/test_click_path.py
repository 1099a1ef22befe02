"""Test that the path of a click is short: how many functions of the core and the store it passes, in how many files.

Code of a single game, its rules and its UI, is not counted. If the path exceeds the limits, a function that only passes
a call on was probably added between two stages; docs/architecture.md shows them.
"""

from collections.abc import Awaitable, Callable

import pytest

from sandbox import UserClient
from tests.cogs.break_out.test_play import give
from tests.cogs.click_path import ClickPath, trace_click
from tests.cogs.core.publishing.test_fast_discord import only_fast
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import break_out, match_five

STAGES = (
    "Cellblock.on_interaction",
    "CommandTree.receive",
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
"""The stages of every click that makes a move. Each is passed once, in this order."""


async def push(harness: BotHarness) -> ClickPath:
    """Trace a push at the Rope Wall from the table message, after both players have moved."""
    await harness.two_at_the_wall()
    while not harness.controls("push"):
        await harness.awaited().press(harness.board(), harness.controls("exit")[0])
    for _ in range(2):
        await harness.push()
        await harness.settle()
    with trace_click() as path:
        await harness.push()
        await harness.settle()
    return path


async def lay(harness: BotHarness) -> ClickPath:
    """Trace laying a meld in Break-Out from a private page."""
    await harness.begin("break-out", harness.ben)
    who = harness.person_at(break_out.view(harness).turn)
    give(harness, *["r3 b3 g3 o7 w d v1"] * 2)
    panel = await harness.press(who, "Play")
    await harness.settle()
    control = next(part["custom_id"] for part in UserClient.buttons(panel) if ":lay:" in part.get("custom_id", ""))
    with trace_click() as path:
        await who.press(panel, control)
        await harness.settle()
    return path


async def lay_tile(harness: BotHarness) -> ClickPath:
    """Trace laying tiles in Match Five from a private page."""
    await harness.begin("match-five", harness.ben)
    taps = await match_five.private_page(harness)
    await taps.lay_one(match_five.slots(taps.panel)[0])
    await harness.settle()
    with trace_click() as path:
        await taps.press(match_five.parts(taps.panel, "lay")[0])
        await harness.settle()
    return path


@only_fast
@pytest.mark.parametrize(
    ("click", "functions", "files", "switches"), [(push, 100, 43, 117), (lay, 124, 48, 123), (lay_tile, 124, 48, 122)]
)
async def test_a_click_passes_each_stage_once_and_little_else(
    harness: BotHarness, click: Callable[[BotHarness], Awaitable[ClickPath]], functions: int, files: int, switches: int
):
    """The limits for laying leave some margin, since private pages vary."""
    path = await click(harness)
    passed = [code.co_qualname for code in path.calls if code.co_qualname in STAGES]
    assert passed == list(STAGES)
    within = (path.functions <= functions, path.files <= files, path.switches <= switches)
    assert within == (True, True, True), str(path)
