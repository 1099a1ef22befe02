"""Plays the Rope Wall through the bot."""

import random

from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import GameDriver, act_by_command


async def choose_or_push(harness: BotHarness, number: int) -> None:
    """Press what the table message asks for; `number` picks which of the buttons."""
    if harness.controls("ready"):
        await harness.awaited().press(harness.board(), harness.controls("ready")[0])
        return
    exits = harness.controls("exit")
    if exits:
        await harness.awaited().press(harness.board(), exits[number % len(exits)])
        return
    pushes = harness.controls("push")
    await harness.awaited().press(harness.board(), pushes[(number * 7 + number // 3) % len(pushes)])


async def take_turn(harness: BotHarness, dice: random.Random) -> None:
    await choose_or_push(harness, dice.randrange(1_000))


DRIVER = GameDriver(take_turn, act_by_command, seed=0)
