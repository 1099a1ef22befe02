"""Plays the Rope Wall through the bot."""

import random

from engine.games import rope_wall
from engine.turns import Ready
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import chosen


async def choose_or_push(harness: BotHarness, number: int) -> None:
    if harness.controls("ready"):
        await harness.awaited().press(harness.board(), harness.controls("ready")[0])
        return
    exits = harness.controls("exit")
    if exits:
        await harness.awaited().press(harness.board(), exits[number % len(exits)])
        return
    pushes = harness.controls("push")
    await harness.awaited().press(harness.board(), pushes[(number * 7 + number // 3) % len(pushes)])


async def rope_by_controls(harness: BotHarness, dice: random.Random) -> None:
    await choose_or_push(harness, dice.randrange(1_000))


async def rope_by_command(harness: BotHarness, dice: random.Random) -> None:
    match chosen(harness, dice):
        case who, rope_wall.Push(floor, side):
            await who.command(harness.yard, "rope-wall push", floor=floor, side=side)
        case who, rope_wall.ChooseExits(columns):
            await who.command(harness.yard, "rope-wall exit", exits=" ".join(map(str, columns)))
        case who, Ready():
            await who.command(harness.yard, "rope-wall ready")
