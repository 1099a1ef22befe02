"""How a game is played through the bot: by buttons and selects, and by slash commands."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from engine.contract import Action
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

Turn = Callable[[BotHarness, random.Random], Awaitable[Any]]


@dataclass(frozen=True)
class Way:
    """How a game is played here: how many sit down, on which terms, and one turn by either way.

    `luck` seeds what people choose at random: where a game can be long, a number that keeps it short.
    """

    controls: Turn
    commands: Turn
    people: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    luck: int = 3


def chosen(harness: BotHarness, dice: random.Random) -> tuple[UserClient, Action]:
    """Whoever is awaited, and one of their legal actions."""
    who = harness.awaited()
    live = harness.session().table
    seat = live.snapshot.seat_of(int(who.id))
    assert seat is not None
    return who, dice.choice(live.snapshot.legal(seat))
