"""The verbs: one table of everything that a control can ask for, besides a game's own moves.

A verb says what it is about and who may use it; the router checks both before it is served. May import discord and its
neighbours in `cogs.core`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from cogs.core.tables import Desk
from cogs.core.wire import Control

ServesHall = Callable[[discord.Interaction, Control], Awaitable[None]]
"""Serves a control of no table of this moment. May raise `Told`."""

ServesTable = Callable[[discord.Interaction, Desk, Control], Awaitable[None]]
"""Serves a control of a table that is there, and of this server. May raise `Told`."""


@dataclass(frozen=True)
class HallVerb:
    """A verb for which no table is needed."""

    name: str
    serve: ServesHall


@dataclass(frozen=True)
class TableVerb:
    """A verb about one table; `seated`: only for those who sit there."""

    name: str
    serve: ServesTable
    seated: bool = False


Verb = HallVerb | TableVerb
