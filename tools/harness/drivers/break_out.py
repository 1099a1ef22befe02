"""Plays Break-Out through the bot."""

import random
from typing import Any

from engine.contract import Seat
from engine.games.break_out import BreakOutView
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness


def view(harness: BotHarness, seat: int | None = None) -> BreakOutView:
    """What a seat sees, or everybody."""
    shown = harness.session().table.snapshot.view(None if seat is None else Seat(seat))
    assert isinstance(shown, BreakOutView)
    return shown


def person(harness: BotHarness, seat: int | None) -> UserClient:
    """Who sits there."""
    assert seat is not None
    user = harness.session().table.snapshot.seats[seat].user
    return next(one for one in (harness.ann, harness.ben, harness.cleo) if int(one.id) == user)


def menu(panel: ActionResult, placeholder: str) -> dict[str, Any]:
    """The select of a panel whose placeholder begins like this."""
    return next(part for part in UserClient.buttons(panel) if part.get("placeholder", "").startswith(placeholder))


async def pick(harness: BotHarness, who: UserClient, panel: ActionResult, *faces: str) -> ActionResult:
    """Pick cards on the panel."""
    cards = menu(panel, "Pick cards")
    left, values = list(faces), []
    for option in cards["options"]:
        face = option["value"].partition(".")[0]
        if face in left:
            left.remove(face)
            values.append(option["value"])
    assert not left
    return await who.press(panel, cards["custom_id"], values=values)


async def do(who: UserClient, panel: ActionResult, label: str) -> ActionResult:
    """Play something by the beginning of its label: by its button, or from a menu."""
    found = next((part for part in UserClient.buttons(panel) if part.get("label", "").startswith(label)), None)
    if found is not None:
        return await who.press(panel, found["custom_id"])
    menus = [part for part in UserClient.buttons(panel) if ":do:" in part.get("custom_id", "")]
    things, value = next(
        (one, option["value"]) for one in menus for option in one["options"] if option["label"].startswith(label)
    )
    return await who.press(panel, things["custom_id"], values=[value])


def plays(panel: ActionResult | dict[str, Any]) -> list[str]:
    """What one tap plays."""
    return [part["label"] for part in UserClient.buttons(panel) if ":lay:" in part.get("custom_id", "")]


async def say_next(harness: BotHarness, ms: int = 5_500) -> None:
    """Let whose turn it is press NEXT, and the clock go on until it has taken effect: a round's first at once."""
    await harness.press(person(harness, view(harness).turn), "NEXT")
    await harness.advance(ms)


async def play_on(harness: BotHarness, turns: int) -> None:
    """Let everybody play by the panel as one finds it: draw, lay the first sound thing, say NEXT."""
    for _ in range(turns):
        live = harness.session().table
        if not live.snapshot.playing:
            return
        seat = view(harness).turn
        if view(harness).phase != "turn" or seat is None:
            await harness.advance(11_000)
            continue
        who = person(harness, seat)
        legal = live.snapshot.legal(Seat(seat))
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


async def riot_by_controls(harness: BotHarness, dice: random.Random) -> None:
    await play_on(harness, 1)


async def riot_by_command(harness: BotHarness, dice: random.Random) -> None:
    who = harness.awaited()
    await who.command(harness.yard, "break-out draw")
    await who.command(harness.yard, "break-out next")
