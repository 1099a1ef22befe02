"""Plays Prison Break through the bot."""

import random
from typing import Any

from engine.games.prison_break import PrisonBreakView
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import GameDriver

EPHEMERAL = 64


def view(harness: BotHarness) -> PrisonBreakView:
    """Return the public view."""
    public = harness.snapshot().view(None)
    assert isinstance(public, PrisonBreakView)
    return public


def select(message: Any, verb: str) -> str:
    """Return the custom_id of the control with this verb."""
    found = (str(part.get("custom_id", "")) for part in UserClient.buttons(message))
    return next(custom_id for custom_id in found if f":{verb}:" in custom_id)


async def take_turn(harness: BotHarness, dice: random.Random) -> ActionResult:
    """Act by buttons and selects as the first player to move. Return the last answer."""
    await harness.settle()  # the table message shows what was done on a private page
    who = harness.awaited()
    match view(harness).phase:
        case "sneak":
            panel = await harness.press(who, "Sneak")
            held = not any(part.get("label") == "say 0, go 1" for part in UserClient.buttons(panel))
            label = f"say {dice.randrange(3)}, go {0 if held else dice.choice((1, 2, 2))}"
            return await harness.press(who, label, panel)
        case "offer" if dice.random() < 0.8:
            return await make_offer(harness, who, dice)
        case "offer":
            return await harness.press(who, "No offer")
        case "vote":
            panel = await harness.press(who, "Vote")
            return await harness.press(who, dice.choice(("✓ Accept", "⊘ Reject")), panel)
        case "interlude":
            return await harness.press(who, "Ready")
        case "guard" if dice.random() < 0.3:
            return await who.press(harness.board(), select(harness.board(), "guard"), values=[str(dice.randint(1, 10))])
        case _:
            return await harness.press(who, "No check")


async def make_offer(harness: BotHarness, who: UserClient, dice: random.Random, page: Any = None) -> ActionResult:
    """Make an offer as the Warden, on the private page that the table message opens."""
    panel = page or await harness.press(who, "Make an offer")
    up = [part for part in UserClient.buttons(panel) if part["custom_id"].split(":")[3] in ("offer", "offer-make")]
    panel = await who.press(panel, dice.choice(up)["custom_id"])
    if len(view(harness).prisoners) > 2:
        pairs = [part for part in UserClient.buttons(panel) if ":offer-make:" in part["custom_id"]]
        panel = await who.press(panel, dice.choice(pairs)["custom_id"])
    return panel


async def offered(harness: BotHarness, who: UserClient, name: str, focus: str, **given: Any) -> list[Any]:
    """Return the values that completion offers."""
    choices = await who.choices(harness.yard, f"prison-break {name}", focus=focus, **given, **{focus: ""})
    return [choice["value"] for choice in choices]


async def take_turn_by_command(harness: BotHarness, dice: random.Random) -> None:
    """Act by a slash command as the first player to move; every answer is private."""
    who = harness.awaited()
    match view(harness).phase:
        case "sneak":
            say = dice.choice(await offered(harness, who, "sneak", "say"))
            go = dice.choice(await offered(harness, who, "sneak", "go"))
            answer = await who.command(harness.yard, "prison-break sneak", say=say, go=go)
            assert f"You said {say} and went {go}" in answer.text
        case "offer":
            card = dice.choice(await offered(harness, who, "offer", "offer"))
            first = dice.choice(await offered(harness, who, "offer", "first"))
            rest = await offered(harness, who, "offer", "second", first=first)
            assert first not in rest and len(rest) == 2
            answer = await who.command(
                harness.yard, "prison-break offer", offer=card, first=first, second=dice.choice(rest)
            )
            assert "You made the offer" in answer.text
        case "vote":
            vote = dice.choice(("accept", "reject"))
            answer = await who.command(harness.yard, "prison-break vote", vote=vote)
            assert f"{vote.capitalize()}**" in answer.text
        case "interlude":
            answer = await who.command(harness.yard, "prison-break ready")
            assert "You're ready." in answer.text
        case _ if dice.random() < 0.5:
            spaces = await offered(harness, who, "guard", "space")
            assert spaces == list(range(1, 11))
            answer = await who.command(harness.yard, "prison-break guard", space=dice.choice(spaces))
        case _:
            answer = await who.command(harness.yard, "prison-break pass")
    assert answer.message is not None and answer.message["flags"] & EPHEMERAL


DRIVER = GameDriver(take_turn, take_turn_by_command, people=3, options={"round_limit": 5})
