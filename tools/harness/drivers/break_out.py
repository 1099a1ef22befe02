"""Plays Break-Out through the bot."""

import random
from typing import Any

from cogs.break_out.words import face_words
from engine.contract import Seat
from engine.games.break_out import BreakOutView
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.base import GameDriver

_PRIMARY, _SECONDARY = 1, 2
"""The styles of buttons, as Discord numbers them."""


def view(harness: BotHarness, seat: int | None = None) -> BreakOutView:
    """Return the view of a seat, or the public view."""
    shown = harness.snapshot().view(None if seat is None else Seat(seat))
    assert isinstance(shown, BreakOutView)
    return shown


def menu(panel: ActionResult, placeholder: str) -> dict[str, Any]:
    """Return the select whose placeholder starts with this text."""
    return next(part for part in UserClient.buttons(panel) if part.get("placeholder", "").startswith(placeholder))


async def pick(harness: BotHarness, who: UserClient, panel: ActionResult, *faces: str) -> ActionResult:
    """Pick cards on the private page, one after the other."""
    panel = await who.press(panel, label="Pick cards")
    for face in faces:
        panel = await toggle(who, panel, face)
    return panel


async def toggle(who: UserClient, panel: ActionResult, face: str, *, picked: bool = False) -> ActionResult:
    """Press the button of a card, selected or not, on the page where cards are chosen."""
    style = _PRIMARY if picked else _SECONDARY
    for _ in range(5):
        for part in UserClient.buttons(panel):
            if ":page:" in part["custom_id"] and (part.get("label"), part["style"]) == (face_words(face), style):
                return await who.press(panel, part["custom_id"])
        panel = await who.press(panel, label="More cards")
    raise AssertionError(f"{face} is on no page of cards: {panel.text}")


async def do(who: UserClient, panel: ActionResult, label: str) -> ActionResult:
    """Press the button, or choose the select option, whose label starts with this text."""
    found = next((part for part in UserClient.buttons(panel) if part.get("label", "").startswith(label)), None)
    if found is not None:
        return await who.press(panel, found["custom_id"])
    menus = [part for part in UserClient.buttons(panel) if ":do:" in part.get("custom_id", "")]
    things, value = next(
        (one, option["value"]) for one in menus for option in one["options"] if option["label"].startswith(label)
    )
    return await who.press(panel, things["custom_id"], values=[value])


def plays(panel: ActionResult | dict[str, Any]) -> list[str]:
    """Return the labels of the plays that take one press."""
    return [part["label"] for part in UserClient.buttons(panel) if ":lay:" in part.get("custom_id", "")]


async def say_next(harness: BotHarness, ms: int = 5_500) -> None:
    """Press NEXT as the player to move, and wait until it has taken effect."""
    await harness.press(harness.person_at(view(harness).turn), "NEXT")
    await harness.advance(ms)


async def play_on(harness: BotHarness, turns: int) -> None:
    """Play turns on the private page: draw, lay the first sound meld, say NEXT."""
    for _ in range(turns):
        live = harness.snapshot()
        if not live.playing:
            return
        seat = view(harness).turn
        if view(harness).phase != "turn" or seat is None:
            await harness.advance(11_000)
            continue
        who = harness.person_at(seat)
        legal = live.legal(Seat(seat))
        kinds = {type(action).__name__ for action in legal}
        if "Draw" in kinds:
            await harness.press(who, "Take a card")
        for action in legal:
            cards = getattr(action, "cards", ())
            if type(action).__name__ in ("Lay", "BreakOut", "Extend") and cards:
                panel = await harness.press(who, "Play")
                panel = await pick(harness, who, panel, *(card.face for card in cards))
                if plays(panel):
                    await do(who, panel, plays(panel)[0])
                break
        await say_next(harness)


async def take_turn(harness: BotHarness, dice: random.Random) -> None:
    await play_on(harness, 1)


async def take_turn_by_command(harness: BotHarness, dice: random.Random) -> None:
    who = harness.awaited()
    await who.command(harness.yard, "break-out draw")
    await harness.settle()  # otherwise the machine's speed decides whether one edit shows both
    await who.command(harness.yard, "break-out next")


DRIVER = GameDriver(take_turn, take_turn_by_command, options={"rounds": 1, "referee": "strict"})
