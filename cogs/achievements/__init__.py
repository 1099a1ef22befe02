"""`/achievements`: what a player has achieved on a server, in private, and shown to others only if they share it."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from cogs.achievements import pages
from cogs.achievements.judge import Judge
from cogs.achievements.pages import GameBadges, Shown
from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import AnyGame
from cogs.core.inbound.command_tree import client_of
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks, Store
from cogs.core.pages import display_names
from cogs.core.pages.achievements import LIST, SHARE, TELL, Achievement
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.publisher import Publisher
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.settings import ServerSettings
from cogs.core.tables.table_registry import TableRegistry

NOWHERE = N_("Achievements belong to a server. Use this on a server.")
OFF = N_("Achievements are turned off on this server.")
UNKNOWN = N_("You haven't earned that achievement here. `/achievements` lists yours.")
HIDDEN = N_("You're hidden from leaderboards, so I don't share what you achieved. `/privacy hide` shows you again.")


@dataclass(eq=False)
class AchievementCommands(commands.Cog):
    """The command `/achievements`, its buttons, and the judge of finished games."""

    games: GameCatalog
    store: Store
    settings: ServerSettings
    registry: TableRegistry
    publisher: Publisher
    tasks: BackgroundTasks
    drawing: DrawingThreads
    router: ComponentRouter

    def __post_init__(self) -> None:
        self._progress = self.store.progress
        self._games = {key: GameBadges(self.games[key], listed) for key, listed in self.games.achievements.items()}
        self.judge = Judge(self.games, self.store, self.settings, self.publisher, self.tasks, self.drawing)
        self.router.add_handler(LIST, self._asked)
        self.router.add_handler(SHARE, self._share)
        self.router.add_handler(TELL, self._switch)

    async def cog_load(self) -> None:
        """Start judging games."""
        self.registry.components.append(self.judge)

    async def cog_unload(self) -> None:
        """Stop judging."""
        self.registry.components.remove(self.judge)

    @app_commands.command(name="achievements", description="What you've achieved on this server, and what is left.")
    @app_commands.describe(game="Which game; leave it out to see all")
    @app_commands.guild_only()
    async def achievements(self, interaction: discord.Interaction, game: AnyGame | None = None) -> None:
        """Show the user's achievements."""
        await self._show(interaction, game or "")

    async def _asked(self, request: Request) -> None:
        await self._show(request.interaction, request.control.argument, new_page=bool(request.control.table))

    async def _show(self, interaction: discord.Interaction, key: str, *, new_page: bool = False) -> None:
        """Show all achievements, or those of one game."""
        guild = await self._guild(interaction)
        if key and key not in self._games:
            raise UserError(_("There are no achievements for that game."))
        shown = await self._shown(interaction.user.id, guild)
        if key:
            page = await self.drawing.run(lambda: pages.game_page(self._games[key], shown, share=True))
        else:
            games = tuple(self._games.values())
            picture = await self.drawing.run(pages.draw, games, shown)
            page = pages.overview(games, shown, picture)
        await responder_for(interaction).show(page, new_message=new_page)

    async def _guild(self, interaction: discord.Interaction) -> int:
        """Return the server. Raises `UserError` outside of one, and where achievements are turned off."""
        if interaction.guild_id is None:
            raise UserError(_(NOWHERE))
        if not (await self.settings.of(interaction.guild_id)).achievements:
            raise UserError(_(OFF))
        return interaction.guild_id

    async def _shown(self, user: int, guild: int) -> Shown:
        more = await self.judge.catch_up(user, guild)
        earned = await self._progress.earned(user, guild)
        return Shown({(one.game, one.name): one for one in earned}, whole=not more)

    async def _switch(self, request: Request) -> None:
        """Show whether the user is told of new achievements, after changing it if they chose."""
        user, chosen = request.user.id, request.control.argument
        if chosen in ("on", "off"):
            await self._progress.tell(user, chosen == "on")
        page = pages.switch_page(told=await self._progress.tells(user))
        await request.responder.show(page, new_message=bool(request.control.table))

    async def _share(self, request: Request) -> None:
        """Post what the user has achieved at a table, or an achievement that they chose."""
        guild = await self._guild(request.interaction)
        user = request.user.id
        if user in await self.store.records.hidden():
            raise UserError(_(HIDDEN))
        earned = await self._progress.earned(user, guild)
        table, chosen = request.control.table, (*request.control.values, "")[0]
        wanted = [one for one in earned if (one.table == table if table else f"{one.game}.{one.name}" == chosen)]
        game = self._games.get(wanted[0].game) if wanted else None
        found = [] if game is None else [game.achievements.find(one.name) for one in wanted]
        known: list[Achievement] = [one for one in found if one is not None]
        if game is None or not known:
            raise UserError(_(UNKNOWN))
        player = display_names.bold(request.user.display_name)
        with await client_of(request.interaction).language_choice.for_all(guild):
            page = await self.drawing.run(pages.shared_page, player, game.ui, known)
        if await request.responder.post(page, 0, 0) is None:
            raise UserError(_("That took too long. Press again."))
