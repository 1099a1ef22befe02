"""The parts of the bot, layer by layer: each is built once, from those before it, and passed to those that use it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.languages import Languages
from cogs.core.inbound.agreement_handlers import AgreementHandlers
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.error_handler import ErrorHandler
from cogs.core.inbound.lobby_handlers import LobbyHandlers
from cogs.core.inbound.player_page_handlers import PlayerPageHandlers
from cogs.core.inbound.practice import Practice
from cogs.core.inbound.rematches import Rematches
from cogs.core.inbound.spectators import Spectators
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.inbound.table_opening import TableOpener
from cogs.core.ops.api_status import ApiStatus
from cogs.core.ops.config import Config
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.heartbeat import Heartbeat
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.forms import Refusals
from cogs.core.publishing.page_builder import PageBuilder
from cogs.core.publishing.publisher import Publisher
from cogs.core.publishing.responder import PendingAnswers
from cogs.core.publishing.services import PublishingServices
from cogs.core.publishing.shown_revisions import ShownRevisions
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.publishing.table_pictures import TablePictures
from cogs.core.tables.bot_workers import BotWorkers
from cogs.core.tables.bots import Bots
from cogs.core.tables.clocks import Clocks
from cogs.core.tables.component import PerTable
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.leaving import Leaving
from cogs.core.tables.settings import Preferences, ServerSettings
from cogs.core.tables.table_registry import TableRegistry
from data.background import BackgroundTasks
from data.store import Store
from engine.players import Bots as GameBots

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics


@dataclass(frozen=True)
class Resources:
    """What the parts are built from. `players`: computer players, by game. `steady`: a clock in seconds, for leases."""

    config: Config
    games: GameCatalog
    players: Mapping[str, GameBots]
    store: Store
    clock: Clock
    bot_workers: BotWorkers
    languages: Languages
    steady: Callable[[], float]
    metrics: "Metrics | None" = None


class TableParts:
    """What keeps the tables, drives their clocks and computer players, and knows nothing of messages. `probe_api` makes
    a harmless call to Discord, and `guild_locale` returns the locale of a server.
    """

    def __init__(
        self,
        resources: Resources,
        ownership: Ownership,
        probe_api: Callable[[], Awaitable[object]],
        guild_locale: Callable[[int], str | None],
    ) -> None:
        games, store, clock, players = resources.games, resources.store, resources.clock, resources.players
        self.database_status = DatabaseStatus(clock)
        self.tasks = BackgroundTasks(self.database_status.report)
        self.settings = ServerSettings(store, ownership, games)
        self.preferences = Preferences(store, ownership)
        self.language_choice = LanguageChoice(
            resources.languages, store, ownership, self.settings, self.tasks, guild_locale
        )
        self.scheduler = Scheduler(clock, self.database_status.report)
        self.heartbeat = Heartbeat(store, clock, self.scheduler, self.database_status)
        self.api = ApiStatus(clock, self.scheduler, probe_api)
        self.registry = TableRegistry(store, ownership, clock, self.scheduler, games)
        self.drafts = DraftStore(games, self.registry, self.database_status)
        levels = {key: bots.levels for key, bots in players.items()}
        reasons = {key: bots.explain for key, bots in players.items() if bots.explain is not None}
        self.bots = Bots(levels, reasons, resources.bot_workers, clock, self.registry)
        self.clocks = Clocks(clock, self.registry, self.drafts)
        self.leaving = Leaving(games, store, ownership, clock, self.registry, self.preferences, self.language_choice)

    async def renew_proof(self) -> None:
        """Check that Discord answers, if there was no call for a while and clocks of games run."""
        if any(table.snapshot.deadlines for table in self.registry.awake()):
            await self.api.renew_proof()


class PublishingParts:
    """What shows the tables. `place_gone` is called with a channel that no longer exists."""

    def __init__(
        self, client: discord.Client, resources: Resources, tables: TableParts, place_gone: Callable[[int], None]
    ) -> None:
        games, store, clock = resources.games, resources.store, resources.clock
        self.markup, self.answers = EmojiMarkup(), PendingAnswers()
        self.rest_errors = RestErrors(clock, resources.metrics, tables.api)
        self.shown_revisions = ShownRevisions(store)
        self.refusals = Refusals(client, clock, tables.tasks, tables.language_choice, self.markup)
        self.covers = Covers(games, games.materials)
        self.drawing, self.leisure = DrawingThreads(2), DrawingThreads(1, "leisure")
        self.messages = PerTable[TableMessages]()
        self.page_builder = PageBuilder(
            client,
            games,
            self.messages.find,
            tables.bots.known_hint,
            self.covers,
            clock,
            self.markup,
            self.drawing,
            TablePictures(games, self.leisure, tables.tasks),
            tables.language_choice,
        )
        services = PublishingServices(
            client,
            store,
            clock,
            games,
            tables.settings,
            tables.preferences,
            tables.language_choice,
            self.rest_errors,
            tables.database_status,
            tables.api,
            self.shown_revisions,
            tables.tasks,
            self.answers,
            self.refusals,
            self.page_builder.table_page,
            self.page_builder.player_page,
            place_gone,
            lambda table, due: self.publisher.schedule(table, due),
        )
        self.publisher = Publisher(services, tables.registry, tables.drafts, self.messages)
        tables.clocks.lobby_closed = self.publisher.lobby_closed
        tables.language_choice.changed = self.publisher.reader_language_changed
        tables.preferences.changed = self.publisher.notifications_chosen
        tables.heartbeat.jobs += [self.shown_revisions.write, tables.renew_proof]
        tables.api.listeners.append(self.publisher.look_at_all)
        tables.registry.components = [tables.clocks, tables.bots, tables.drafts, self.publisher]


class InboundParts:
    """What serves people."""

    def __init__(
        self, client: discord.Client, resources: Resources, tables: TableParts, publishing: PublishingParts
    ) -> None:
        games, store = resources.games, resources.store
        self.errors = ErrorHandler(tables.database_status)
        self.finder = TableFinder(games, store, tables.registry, publishing.messages)
        self.opener = TableOpener(
            games, store, tables.settings, tables.registry, self.finder, tables.tasks, tables.language_choice
        )
        self.spectators = Spectators(
            client,
            store,
            publishing.publisher,
            tables.tasks,
            tables.language_choice,
            publishing.page_builder.table_page,
        )
        tables.registry.components.append(self.spectators)
        publishing.publisher.game_ended = self.spectators.game_ended
        self.rematches = Rematches(
            games, store, publishing.publisher, self.finder, self.opener, tables.tasks, self.spectators
        )
        self.practice = Practice(games, store, self.finder, self.opener)
        self.lobby = LobbyHandlers(games, self.rematches, tables.tasks, self.spectators)
        self.player_pages = PlayerPageHandlers(
            self.finder, tables.preferences, tables.bots, publishing.drawing, self.spectators
        )
        self.agreements = AgreementHandlers(store)
        self.router = ComponentRouter(store, self.finder, self.errors, publishing.rest_errors)
        for part in (self.player_pages, self.spectators, self.lobby, self.rematches, self.agreements):
            self.router.add(*part.handlers())
