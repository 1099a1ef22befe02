"""`/settings`: how games are played on a server, set by its managers.

Discord offers the commands to members with Manage Server, or as the server's integrations say; every command is checked
here again, as are completions that reveal something. Each change is answered with all settings, on a page whose selects
change them too.
"""

import asyncio
from collections.abc import Callable
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.admin import puzzle_settings
from cogs.admin.channel_settings import ChannelCommands, check_manager
from cogs.admin.language_setting import language_command
from cogs.admin.settings_pages import GAME_DEFAULT, SEASON, SELECTS, game_page, settings_page
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import CLOCK_CHOICES, AnyGame, completion, suggestions
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.ops.text_format import cut
from cogs.core.ops.time_zones import zone_names
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.options import value_words
from cogs.core.tables.settings import (
    MAX_SEASON,
    MAX_TABLES,
    PUZZLE_CHANNEL,
    PUZZLE_GAMES,
    PUZZLE_HOUR,
    PUZZLE_ZONE,
    REFEREE,
    ServerSettings,
    Settings,
    referees_of,
)

ENDERS_CHOICES = [app_commands.Choice(name=words, value=who) for who, words in SELECTS["enders"][1].items()]
GONE = N_("That option isn't on the page any more. `/settings show` opens the settings again.")
Open = app_commands.Range[int, 1, MAX_TABLES]
Hour = app_commands.Range[int, 0, 23]
Months = app_commands.Range[int, 1, MAX_SEASON]


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class SettingsCommands(
    commands.GroupCog, group_name="settings", group_description="Change how Cellblock works on this server."
):
    """The commands that show and change a server's settings. `language_changed` is called with the server."""

    def __init__(
        self,
        client: discord.Client,
        games: GameCatalog,
        store: Store,
        settings: ServerSettings,
        clock: Clock,
        router: ComponentRouter,
        languages: Languages,
        language_changed: Callable[[int], None],
    ) -> None:
        self._games = games
        self._store = store
        self._settings = settings
        self._client = client
        self._clock = clock
        router.add_handler("setting", self._set)
        router.add_handler("setting-game", self._turn_to)
        router.add_handler(puzzle_settings.VERB, self._post_puzzles)
        super().__init__()
        assert isinstance(self.app_command, app_commands.Group)
        self.app_command.add_command(ChannelCommands(settings, self._show))
        self._languages = languages if languages.several else None
        if self._languages is not None:
            self.app_command.add_command(language_command(languages, self._change, language_changed))

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Check that the member manages the server. Raises `MissingPermissions`, which the command tree reports."""
        return check_manager(interaction)

    @app_commands.command(description="Show all settings of this server.")
    async def show(self, interaction: discord.Interaction) -> None:
        """Show all settings."""
        assert interaction.guild_id is not None
        await self._show(interaction, await self._settings.of(interaction.guild_id), _("Settings"))

    @app_commands.command(description="Set the default turn clock for new tables of a game.")
    @app_commands.describe(game="The game", time="The turn clock; leave it out for the game's default")
    @app_commands.choices(time=CLOCK_CHOICES)
    async def clock(self, interaction: discord.Interaction, game: AnyGame, time: int | None = None) -> None:
        """Set a game's default turn clock."""
        await self._change(interaction, f"clock.{game}", None if time is None else str(time))

    @app_commands.command(description="Set who enforces the rules at new tables of a game: the bot or the players.")
    @app_commands.describe(game="The game", kind="The referee; leave it out for the game's default")
    async def referee(self, interaction: discord.Interaction, game: str, kind: str | None = None) -> None:
        """Set a game's default referee."""
        ui = self._games.named(game)
        known = referees_of(ui.game)
        if not known:
            raise UserError(_("{game} has only one referee, so there's nothing to set.", game=ui.title))
        if kind is not None and kind not in known:
            raise UserError(
                _(
                    "{game} has no referee called {name}. Choose one of: {names}.",
                    game=ui.title,
                    name=repr(cut(kind, 40)),
                    names=", ".join(value_words(REFEREE, one) for one in known),
                )
            )
        await self._change(interaction, f"{REFEREE}.{ui.game.key}", kind)

    @app_commands.command(description="Choose whether players are notified when it's their turn.")
    @app_commands.describe(style="mention: notify players; quiet: name them without a notification")
    async def mentions(self, interaction: discord.Interaction, style: Literal["mention", "quiet"]) -> None:
        """Set the style of mentions."""
        await self._change(interaction, "mentions", style)

    @app_commands.command(description="Give each table its own thread; the channel keeps one line about it.")
    @app_commands.describe(use="on: I need Create Public Threads and Send Messages in Threads")
    async def threads(self, interaction: discord.Interaction, use: Literal["on", "off"]) -> None:
        """Set whether tables get threads."""
        await self._change(interaction, "threads", use)

    @app_commands.command(description="Turn achievements on or off for this server.")
    @app_commands.describe(use="on: players are told in private what they achieved; off: no one is")
    async def achievements(self, interaction: discord.Interaction, use: Literal["on", "off"]) -> None:
        """Set whether there are achievements."""
        await self._change(interaction, "achievements", use)

    @app_commands.command(description="Post the puzzles of the day in a channel, at the hour you choose.")
    @app_commands.describe(
        channel="Where to post them; leave it out to keep the channel",
        hour="The hour in your time zone: 0 to 23",
        zone="Your time zone, such as Europe/Berlin; UTC if never set",
        games="All games each day, or one game a day in turn",
    )
    async def puzzles(
        self,
        interaction: discord.Interaction,
        channel: discord.TextChannel | discord.Thread | None = None,
        hour: Hour | None = None,
        zone: str | None = None,
        games: Literal["all", "one"] | None = None,
    ) -> None:
        """Set where and when the puzzles of the day are posted, or show it."""
        assert interaction.guild_id is not None
        if channel is not None and interaction.guild is not None:
            puzzle_settings.check_place(channel, channel.id, channel.permissions_for(interaction.guild.me))
        if zone is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_ZONE, puzzle_settings.check_zone(zone))
        if hour is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_HOUR, str(hour))
        if games is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_GAMES, games)
        if channel is not None:
            await self._post_in(interaction.guild_id, str(channel.id))
        await self._show_puzzles(interaction, any(one is not None for one in (channel, hour, zone, games)))

    @app_commands.command(description="Set how long a leaderboard season lasts.")
    @app_commands.describe(months="Months; seasons of 2, 3, 4, 6 and 12 months start with the year")
    async def season(self, interaction: discord.Interaction, months: Months) -> None:
        """Set the length of seasons."""
        await self._change(interaction, SEASON, str(months))

    @app_commands.command(description="Limit how many tables can be open at once: per person, per channel or in all.")
    @app_commands.describe(
        of="What to limit; tables on hold don't count",
        tables="How many; leave it out for the default",
    )
    async def limit(
        self, interaction: discord.Interaction, of: Literal["person", "channel", "server"], tables: Open | None = None
    ) -> None:
        """Set the limit of open tables."""
        await self._change(interaction, f"limit.{of}", None if tables is None else str(tables))

    @app_commands.command(description="Choose who can end a table with /admin end.")
    @app_commands.describe(who="Moderators are members with Manage Messages")
    @app_commands.choices(who=ENDERS_CHOICES)
    async def enders(self, interaction: discord.Interaction, who: app_commands.Choice[str]) -> None:
        """Set who may end tables."""
        await self._change(interaction, "enders", who.value)

    @puzzles.autocomplete("zone")
    @completion
    async def _zones(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        names = await asyncio.to_thread(zone_names)
        return suggestions([(name.replace("_", " "), name) for name in names], typed)

    @referee.autocomplete("game")
    @completion
    async def _refereed(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        uis = self._games.items()
        return suggestions([(s.title, key) for key, s in uis if referees_of(s.game)], typed)

    @referee.autocomplete("kind")
    @completion
    async def _kinds(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        ui = self._games.get(str(getattr(interaction.namespace, "game", "")))
        kinds = referees_of(ui.game) if ui is not None else ()
        return suggestions([(value_words(REFEREE, kind), kind) for kind in kinds], typed)

    async def _change(self, interaction: discord.Interaction, name: str, value: str | None) -> None:
        assert interaction.guild_id is not None
        settings = await self._settings.change(interaction.guild_id, name, value)
        await self._show(interaction, settings, _("Settings changed"))

    # The panel

    async def _set(self, request: Request) -> None:
        """Apply the choice of a select on the page."""
        control = request.control
        guild = _managed_guild(request.interaction)
        value = control.values[0] if control.values else ""
        if control.argument in SELECTS:
            if value not in SELECTS[control.argument][1]:
                raise UserError(_(GONE))
            await self._change(request.interaction, control.argument, value)
            return
        if control.argument in puzzle_settings.CHOICES:
            if value not in puzzle_settings.CHOICES[control.argument][1]:
                raise UserError(_(GONE))
            await self._settings.change(guild, control.argument, value)
            await self._show_puzzles(request.interaction, True)
            return
        kind, _dot, key = control.argument.partition(".")
        ui = self._games.named(key)
        known = [str(choice.value) for choice in CLOCK_CHOICES] if kind == "clock" else []
        known = [*referees_of(ui.game)] if kind == REFEREE else known
        if not known or value not in (GAME_DEFAULT, *known):
            raise UserError(_(GONE))
        chosen = None if value == GAME_DEFAULT else value
        settings = await self._settings.change(guild, f"{kind}.{ui.game.key}", chosen)
        await request.responder.show(game_page(settings, ui))

    async def _post_puzzles(self, request: Request) -> None:
        """Show how the puzzles of the day are posted; start posting here, or stop."""
        control = request.control
        guild = _managed_guild(request.interaction)
        if control.argument == puzzle_settings.HERE:
            asked = request.interaction
            puzzle_settings.check_place(asked.channel, asked.channel_id, asked.app_permissions)
            await self._post_in(guild, str(asked.channel_id))
        elif control.argument == puzzle_settings.OFF:
            await self._settings.change(guild, PUZZLE_CHANNEL, None)
        await self._show_puzzles(request.interaction, bool(control.argument))

    async def _post_in(self, guild: int, channel: str) -> None:
        """Post the puzzles of the day in a channel, including today's if they could not be posted elsewhere."""
        await self._settings.change(guild, PUZZLE_CHANNEL, channel)
        post = await self._store.server_admin.puzzle_post(guild)
        if post is not None and post.message is None:
            await self._store.server_admin.end_puzzle_post(guild, post.number, None, None)

    async def _show_puzzles(self, interaction: discord.Interaction, changed: bool) -> None:
        """Show how the puzzles of the day are posted, and post what is due after a change."""
        if changed:
            self._client.dispatch("puzzle_settings")
        settings = await self._settings.of(_managed_guild(interaction))
        page = puzzle_settings.puzzles_page(settings, _("✓ Changed.") if changed else "", self._clock.now())
        await responder_for(interaction).show(page)

    async def _turn_to(self, request: Request) -> None:
        """Show a game's defaults for new tables, or all settings again."""
        settings = await self._settings.of(_managed_guild(request.interaction))
        if request.control.values:
            await request.responder.show(game_page(settings, self._games.named(request.control.values[0])))
        else:
            await self._show(request.interaction, settings, _("Settings"))

    async def _show(self, interaction: discord.Interaction, settings: Settings, title: str) -> None:
        page = settings_page(settings, self._games.values(), title, self._clock.now(), self._languages)
        await responder_for(interaction).show(page)


def _managed_guild(interaction: discord.Interaction) -> int:
    """Return the server of a member who manages it. Raises `UserError`."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise UserError(_("You need the Manage Server permission on this server for that."))
    return interaction.guild_id
