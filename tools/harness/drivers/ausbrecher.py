"""Plays Ausbrecher AG through the bot."""

import random
from typing import Any

from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import GameDriver, act_by_command

Page = dict[str, Any] | ActionResult
"""A message, or the answer it came with."""

BETS = ("Red", "Blue", "Green", "Pink", "Yellow", "Violet")
"""Two per boat; orange is left for boat 4."""


async def bet(harness: BotHarness, who: UserClient, panel: Page | None = None) -> ActionResult:
    """Submit a forecast on the private page: red and blue, green and pink, yellow and violet; orange is left."""
    panel = panel or await harness.press(who, "Make my forecast")
    for prisoner in BETS:
        panel = await harness.press(who, prisoner, panel)
    given = await harness.press(who, "Submit this forecast", panel)
    await harness.settle()
    return given


def open_dice(message: Page) -> list[str]:
    """Return the labels of the dice that can be pressed, the white one last."""
    found = UserClient.buttons(message.message or {} if isinstance(message, ActionResult) else message)
    dice = [part for part in found if part.get("custom_id", "").split(":")[3:4] == ["dice"]]
    return [part["label"] for part in dice if not part.get("disabled")]


async def decide(harness: BotHarness, number: int, page: Page | None = None) -> tuple[ActionResult, int]:
    """Make all choices of the player to move on a page (default: the table message). Return the last answer and the
    number of presses.
    """
    page = page or harness.board()
    view, who = harness.view(), harness.awaited()
    if view.phase == "roll":
        if at_table := not open_dice(page):
            page = await harness.press(who, "Choose dice", page)
        wanted = open_dice(page)
        coloured = [label for label in wanted if label != "White"]
        order = [coloured[(number + one) % len(coloured)] for one in range(len(coloured))]
        if "White" in wanted and number % 3 == 0:
            order.insert(0, "White")
        answer = page
        for taps, label in enumerate(order, start=1 + at_table):
            answer = await harness.press(who, label, answer)
            await harness.settle()
            if harness.view().phase != "roll" or harness.snapshot().view(None) != view:
                return answer, taps
        raise AssertionError("no roll")
    buttons = [*harness.controls("replace", page), *harness.controls("move", page)]
    answer = await who.press(page, buttons[number % len(buttons)])
    await harness.settle()
    return answer, 1


async def take_turn(harness: BotHarness, dice: random.Random) -> None:
    if harness.view().phase == "forecast":
        await bet(harness, harness.awaited())
    else:
        await decide(harness, dice.randrange(1_000))


DRIVER = GameDriver(take_turn, act_by_command, seed=5)
