"""Handlers of verbs: what a control can ask for besides a game's own moves. The router checks whom a handler is for."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.publishing.table_messages import TableMessages

GlobalCallback = Callable[[discord.Interaction, ComponentPress], Awaitable[None]]
"""Serves a control of no table of this moment. May raise `UserError`."""

TableCallback = Callable[[discord.Interaction, TableMessages, ComponentPress], Awaitable[None]]
"""Serves a control of a table that is there, and of this server. May raise `UserError`."""


@dataclass(frozen=True)
class GlobalHandler:
    """Serves a verb that needs no table."""

    name: str
    serve: GlobalCallback


@dataclass(frozen=True)
class TableHandler:
    """Serves a verb about one table; `seated`: only for its players. While a `slow` one runs, the table message is
    updated as usual.
    """

    name: str
    serve: TableCallback
    seated: bool = False
    slow: bool = False


Handler = GlobalHandler | TableHandler
