"""Plays the Rope Wall through the bot."""

import random

from engine.games import rope_wall
from engine.turns import Ready
from tools.harness.bot_harness import House
from tools.harness.drivers.base import chosen


async def choose_or_push(house: House, number: int) -> None:
    if house.controls("ready"):
        await house.awaited().press(house.board(), house.controls("ready")[0])
        return
    exits = house.controls("exit")
    if exits:
        await house.awaited().press(house.board(), exits[number % len(exits)])
        return
    pushes = house.controls("push")
    await house.awaited().press(house.board(), pushes[(number * 7 + number // 3) % len(pushes)])


async def rope_by_controls(house: House, dice: random.Random) -> None:
    await choose_or_push(house, dice.randrange(1_000))


async def rope_by_command(house: House, dice: random.Random) -> None:
    match chosen(house, dice):
        case who, rope_wall.Push(floor, side):
            await who.command(house.yard, "rope-wall push", floor=floor, side=side)
        case who, rope_wall.ChooseExits(columns):
            await who.command(house.yard, "rope-wall exit", exits=" ".join(map(str, columns)))
        case who, Ready():
            await who.command(house.yard, "rope-wall ready")
