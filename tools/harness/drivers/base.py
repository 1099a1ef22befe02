"""How to play a game through the bot: by buttons and selects, and by slash commands."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tools.harness.bot_harness import BotHarness
from tools.harness.moves import command

Turn = Callable[[BotHarness, random.Random], Awaitable[object]]


@dataclass(frozen=True)
class GameDriver:
    """Two ways to take a turn, and the number of people and options of the table.

    `seed` seeds random choices; it is chosen so that no game gets too long.
    """

    by_controls: Turn
    by_commands: Turn
    people: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 3


async def act_by_command(harness: BotHarness, dice: random.Random) -> None:
    """Make a random move as the person to move, by its slash command."""
    who, live = harness.awaited(), harness.snapshot()
    seat = live.seat_of(int(who.id))
    assert seat is not None
    name, options = command(live.game, dice.choice(live.legal(seat)))
    await who.command(harness.yard, name, **options)
