"""Verbs: what a control can ask for, besides a game's own moves.

A verb says what it is about and who may use it; the router checks both before it is served. Whoever serves some names
them, and the router keeps all of them in one table, in which a name stands once.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.publishing.table_messages import TableMessages

ServesGeneral = Callable[[discord.Interaction, ComponentPress], Awaitable[None]]
"""Serves a control of no table of this moment. May raise `UserError`."""

ServesTable = Callable[[discord.Interaction, TableMessages, ComponentPress], Awaitable[None]]
"""Serves a control of a table that is there, and of this server. May raise `UserError`."""


@dataclass(frozen=True)
class GlobalHandler:
    """A verb for which no table is needed."""

    name: str
    serve: ServesGeneral


@dataclass(frozen=True)
class TableHandler:
    """A verb about one table; `seated`: only for those who sit there. While one that is `slow` is served, the table
    message is brought up to date as always.
    """

    name: str
    serve: ServesTable
    seated: bool = False
    slow: bool = False


Handler = GlobalHandler | TableHandler
