"""Plays Match Five through the bot."""

import random
from typing import Any

from cogs.match_five.words import written
from engine.games import match_five
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import GameDriver

Json = dict[str, Any]


def parts(shown: ActionResult | Json, verb: str, label: str = "") -> list[Json]:
    """Return the enabled controls of a verb whose label starts with this text."""
    return [
        part
        for part in UserClient.buttons(shown)
        if part["custom_id"].split(":")[3] == verb
        and not part.get("disabled")
        and str(part.get("label", "")).startswith(label)
    ]


def slots(shown: ActionResult | Json) -> list[Json]:
    """Return the tiles in hand that fit somewhere and are not placed yet."""
    return [part for part in parts(shown, "draft") if ".t" in part["custom_id"] and part["style"] != 1]


class Taps:
    """Plays on one private page and counts presses."""

    def __init__(self, who: UserClient, panel: ActionResult | Json) -> None:
        self.who = who
        self.panel = panel
        self.taps = 0

    async def press(self, part: Json) -> None:
        """Press a control of the page."""
        self.panel = await self.who.press(self.panel, part["custom_id"])
        self.taps += 1

    async def lay_one(self, tile: Json) -> None:
        """Place a tile where it scores most."""
        await self.press(tile)

    async def turn(self, most: int = 5) -> int:
        """Place as many tiles as fit, or swap, or pass. Return how many tiles were placed."""
        laid = 0
        while laid < most and (fitting := slots(self.panel)):
            await self.lay_one(fitting[0])
            laid += 1
        if laid:
            await self.press(parts(self.panel, "lay")[0])
        elif parts(self.panel, "pass"):
            await self.press(parts(self.panel, "pass")[0])
        else:
            if not parts(self.panel, "swap", "Pick"):
                await self.press(parts(self.panel, "swap", "Swap tiles")[0])
            await self.press(parts(self.panel, "swap")[0])
            await self.press(parts(self.panel, "swap-do")[0])
        return laid


async def private_page(harness: BotHarness) -> Taps:
    """Open the private page of the player to move."""
    who = harness.awaited()
    return Taps(who, await harness.press(who, "Play"))


async def take_turn(harness: BotHarness, dice: random.Random) -> None:
    await (await private_page(harness)).turn()


async def take_turn_by_command(harness: BotHarness, dice: random.Random) -> None:
    live = harness.snapshot()
    who, legal = harness.awaited(), live.legal(live.view(None).to_act[0])
    plays = [action for action in legal if isinstance(action, match_five.Play)]
    if plays:
        longest = max(plays, key=lambda play: len(play.layings))
        await who.command(harness.yard, "match-five play", tiles=" ".join(map(written, longest.layings)))
    elif swaps := [action for action in legal if isinstance(action, match_five.Swap)]:
        await who.command(harness.yard, "match-five swap", tiles=" ".join(dice.choice(swaps).tiles))
    else:
        await who.command(harness.yard, "match-five pass")


DRIVER = GameDriver(take_turn, take_turn_by_command, options={"copies": 3})
