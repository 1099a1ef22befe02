"""Plays Ausbrecher AG through the bot."""

import random
from typing import Any

from engine.games import ausbrecher
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import House
from tools.harness.drivers.base import chosen

Page = dict[str, Any] | ActionResult
"""A message, or the answer that it came with."""


BETS = ("Red", "Blue", "Green", "Pink", "Yellow", "Violet")
"""By boat; orange is left for boat 4."""


async def bet(house: House, who: UserClient, panel: Page | None = None) -> ActionResult:
    """Bet by the panel: red and blue, green and pink, yellow and violet; orange is left."""
    panel = panel or await house.press(who, "Make my forecast")
    for prisoner in BETS:
        panel = await house.press(who, prisoner, panel)
    given = await house.press(who, "Give this forecast", panel)
    await house.settle()
    return given


def open_dice(message: Page) -> list[str]:
    """The labels of the dice that can be pressed, the white one last."""
    found = UserClient.buttons(message.message or {} if isinstance(message, ActionResult) else message)
    dice = [part for part in found if part.get("custom_id", "").split(":")[3:4] == ["dice"]]
    return [part["label"] for part in dice if not part.get("disabled")]


async def decide(house: House, number: int, page: Page | None = None) -> tuple[ActionResult, int]:
    """Let whoever is awaited take their whole decision by the controls of a page, the table message unless told
    otherwise. Return the last answer, and how many presses it took.
    """
    page = page or house.board()
    view, who = house.view(), house.awaited()
    if view.phase == "roll":
        if at_table := not open_dice(page):
            page = await house.press(who, "Choose dice", page)
        wanted = open_dice(page)
        coloured = [label for label in wanted if label != "White"]
        order = [coloured[(number + one) % len(coloured)] for one in range(len(coloured))]
        if "White" in wanted and number % 3 == 0:
            order.insert(0, "White")
        answer = page
        for taps, label in enumerate(order, start=1 + at_table):
            answer = await house.press(who, label, answer)
            await house.settle()
            if house.view().phase != "roll" or house.session().table.snapshot.view(None) != view:
                return answer, taps
        raise AssertionError("no roll")
    buttons = [*house.controls("replace", page), *house.controls("move", page)]
    answer = await who.press(page, buttons[number % len(buttons)])
    await house.settle()
    return answer, 1


async def boats_by_controls(house: House, dice: random.Random) -> None:
    if house.view().phase == "forecast":
        await bet(house, house.awaited())
    else:
        await decide(house, dice.randrange(1_000))


async def boats_by_command(house: House, dice: random.Random) -> None:
    match chosen(house, dice):
        case who, ausbrecher.Forecast(crews):
            named = {
                f"boat{boat}": " ".join(c for c, own in zip(ausbrecher.COLOURS, crews, strict=True) if own == boat)
                for boat in (1, 2, 3)
            }
            await who.command(house.yard, "ausbrecher forecast", **named)
        case who, ausbrecher.Roll(colours, white):
            await who.command(house.yard, "ausbrecher roll", dice=" ".join(colours), white=white)
        case who, ausbrecher.Resolve(colour):
            await who.command(house.yard, "ausbrecher move", prisoner=colour)
        case who, ausbrecher.Replace(colour):
            await who.command(house.yard, "ausbrecher back", prisoner=colour)
