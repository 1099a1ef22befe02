"""The services that the messages of all tables need."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import discord

from cogs.core.ops.api_status import ApiStatus
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.ops.timers import Clock, Timer
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Page, RenderedPage
from cogs.core.pages.player_page import PageKind, PlayerPage
from cogs.core.publishing.forms import Form, Refusals
from cogs.core.publishing.responder import PendingAnswers
from cogs.core.publishing.shown_revisions import ShownRevisions
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.settings import Preferences, ServerSettings
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import Store
from engine.contract import Moment


@dataclass(frozen=True)
class MessageTimers:
    """When to look at a table's messages again, to post the picture of a round's end again, to mention the players to
    move, and to remind them before the clock runs out.
    """

    messages: Timer
    interlude: Timer
    mention: Timer
    nudge: Timer


class ComposePlayerPage(Protocol):
    """Composes a player's page: see `PageBuilder.player_page`."""

    def __call__(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        form: Form = Form.FULL,
        kind: PageKind = PageKind.ANSWER,
    ) -> Awaitable[PlayerPage]: ...


@dataclass(frozen=True)
class PublishingServices:
    """Given to everything that sends messages.

    `table_page` composes the public page, and `player_page` a private one. `place_gone` is called with a channel that
    no longer exists, and `schedule` looks at a table's messages again at a moment, or before.
    """

    client: discord.Client
    store: Store
    clock: Clock
    game_uis: Mapping[str, GameUI]
    settings: ServerSettings
    preferences: Preferences
    language_choice: LanguageChoice
    rest_errors: RestErrors
    database_status: DatabaseStatus
    api: ApiStatus
    shown_revisions: ShownRevisions
    tasks: BackgroundTasks
    answers: PendingAnswers
    refusals: Refusals
    table_page: Callable[[TableSnapshot, Form], Awaitable[RenderedPage]]
    player_page: ComposePlayerPage
    place_gone: Callable[[int], None]
    schedule: Callable[[Table, Moment], None]

    async def server_language(self, table: Table) -> AbstractContextManager[None]:
        """Return a context in which everything is composed in the language of a table's server. Raises `StoreError`."""
        return await self.language_choice.for_all(table.snapshot.row.guild)

    def channel(self, table: Table) -> discord.PartialMessageable:
        """Return the channel of a table."""
        row = table.snapshot.row
        return self.client.get_partial_messageable(row.channel, guild_id=row.guild)
