"""`/settings`: how games are played on a server, set by its managers.

Discord offers the commands to members with Manage Server, or as the server's integrations say; every command is checked
here again, as are completions that reveal something. Each change is answered with all settings, on a page whose selects
change them too.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.admin import puzzle_settings
from cogs.admin.channel_settings import ChannelCommands, allowed_line, check_manager
from cogs.admin.language_setting import language_command
from cogs.core.i18n.languages import Languages
from cogs.core.inbound.command_options import CLOCK_CHOICES, AnyGame, completion, suggestions
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.ops.text_format import count, cut
from cogs.core.ops.time_zones import zone_names
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Row, Select, SelectOption, Separator, Text
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
from engine.contract import Moment

COLOUR = 0x6E8FA8

MENTION_WORDS = {
    "mention": "who is to move is mentioned, and their phone tells them",
    "quiet": "who is to move is named in the channel, and no phone tells",
}
THREAD_WORDS = {True: "each table gets a thread of its own", False: "tables stand in the channel itself"}
GONE = "That is not on the panel any more. `/settings show` has it anew."
GAME_DEFAULT = "own"
"""The value that resets a game to its own default."""

SELECTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "threads": ("Threads", {"on": "Threads on: each table gets one of its own", "off": "Threads off"}),
    "mentions": ("Mentions", {"mention": "Mentions on: phones tell", "quiet": "Mentions quiet: no phone tells"}),
    "enders": (
        "Who may end tables",
        {
            "moderators": "Tables are ended by moderators",
            "openers": "Tables are ended by moderators and their opener",
        },
    ),
    "season_months": (
        "Season",
        {str(months): f"A season lasts {count(months, 'month')}" for months in range(1, MAX_SEASON + 1)},
    ),
}
"""The selects, by their name in the store: the title, and each value in words."""

ENDER_WORDS = {
    "moderators": "moderators (Manage Messages)",
    "openers": "moderators (Manage Messages), and the host of the table if Server Settings › Integrations offers them "
    "`/admin`",
}

Open = app_commands.Range[int, 1, MAX_TABLES]
Hour = app_commands.Range[int, 0, 23]
Months = app_commands.Range[int, 1, MAX_SEASON]


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class SettingsCommands(
    commands.GroupCog, group_name="settings", group_description="How Cellblock plays on this server."
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
        if len(languages.codes) > 1:
            self.app_command.add_command(language_command(languages, self._change, language_changed))

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Check that the member manages the server. Raises `MissingPermissions`, which the command tree reports."""
        return check_manager(interaction)

    @app_commands.command(description="How Cellblock plays on this server now.")
    async def show(self, interaction: discord.Interaction) -> None:
        """Show all settings."""
        assert interaction.guild_id is not None
        await self._show(interaction, await self._settings.of(interaction.guild_id), "Settings")

    @app_commands.command(description="How long a turn takes at new tables of a game, unless their opener chooses.")
    @app_commands.describe(game="Which game", time="The turn clock; leave it out for the game's own")
    @app_commands.choices(time=CLOCK_CHOICES)
    async def clock(self, interaction: discord.Interaction, game: AnyGame, time: int | None = None) -> None:
        """Set a game's default turn clock."""
        screen = self._screen(game)
        await self._change(interaction, f"clock.{screen.game.key}", None if time is None else str(time))

    @app_commands.command(description="Who sees to the rules at new tables of a game: the bot, or the players' honour.")
    @app_commands.describe(game="Which game", kind="How it is refereed; leave it out for the game's own")
    async def referee(self, interaction: discord.Interaction, game: str, kind: str | None = None) -> None:
        """Set a game's default referee."""
        screen = self._screen(game)
        known = referees_of(screen.game)
        if not known:
            raise UserError(f"{screen.game.title} is refereed in one way only; there is nothing to set.")
        if kind is not None and kind not in known:
            raise UserError(f"{screen.game.title} cannot be refereed {cut(kind, 40)!r}. There is: {', '.join(known)}.")
        await self._change(interaction, f"{REFEREE}.{screen.game.key}", kind)

    @app_commands.command(description="Whether phones tell whose turn it is.")
    @app_commands.describe(style="Mention people, or name them quietly")
    async def mentions(self, interaction: discord.Interaction, style: Literal["mention", "quiet"]) -> None:
        """Set the style of mentions."""
        await self._change(interaction, "mentions", style)

    @app_commands.command(description="Whether each table gets a thread of its own; the channel keeps one line of it.")
    @app_commands.describe(use="Needs Create Public Threads and Send Messages in Threads")
    async def threads(self, interaction: discord.Interaction, use: Literal["on", "off"]) -> None:
        """Set whether tables get threads."""
        await self._change(interaction, "threads", use)

    @app_commands.command(description="Post the puzzles of the day in a channel, at an hour of your choice.")
    @app_commands.describe(
        channel="Where they are to stand; leave it out to change the rest",
        hour="At which full hour of your time zone: 0 to 23",
        zone="Your time zone, such as Europe/Berlin; without one the hour is in UTC",
        games="All games each day, or one by turns",
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
            puzzle_settings.check_place(channel.mention, channel.permissions_for(interaction.guild.me))
        if zone is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_ZONE, puzzle_settings.check_zone(zone))
        if hour is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_HOUR, str(hour))
        if games is not None:
            await self._settings.change(interaction.guild_id, PUZZLE_GAMES, games)
        if channel is not None:
            await self._post_in(interaction.guild_id, str(channel.id))
        await self._show_puzzles(interaction, any(one is not None for one in (channel, hour, zone, games)))

    @app_commands.command(description="How long a season of the leaderboards lasts.")
    @app_commands.describe(months="Months; seasons of 2, 3, 4, 6 and 12 begin with the year")
    async def season(self, interaction: discord.Interaction, months: Months) -> None:
        """Set the length of seasons."""
        await self._change(interaction, "season_months", str(months))

    @app_commands.command(description="How many tables may be open at once: of one person, in one channel, in all.")
    @app_commands.describe(
        of="Whose tables are counted; those where everybody is away are not",
        tables="How many; leave it out for the usual number",
    )
    async def limit(
        self, interaction: discord.Interaction, of: Literal["person", "channel", "server"], tables: Open | None = None
    ) -> None:
        """Set the limit of open tables."""
        await self._change(interaction, f"limit.{of}", None if tables is None else str(tables))

    @app_commands.command(description="Who may end a table under way with /admin end.")
    @app_commands.describe(who="Moderators are members with Manage Messages")
    async def enders(self, interaction: discord.Interaction, who: Literal["moderators", "openers"]) -> None:
        """Set who may end tables."""
        await self._change(interaction, "enders", who)

    @puzzles.autocomplete("zone")
    @completion
    async def _zones(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        names = await asyncio.to_thread(zone_names)
        return suggestions([(name.replace("_", " "), name) for name in names], typed)

    @referee.autocomplete("game")
    @completion
    async def _refereed(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        screens = self._games.items()
        return suggestions([(s.game.title, key) for key, s in screens if referees_of(s.game)], typed)

    @referee.autocomplete("kind")
    @completion
    async def _kinds(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        screen = self._games.get(str(getattr(interaction.namespace, "game", "")))
        kinds = referees_of(screen.game) if screen is not None else ()
        return suggestions([(value_words(REFEREE, kind), kind) for kind in kinds], typed)

    def _screen(self, game: str) -> GameUI:
        screen = self._games.get(game)
        if screen is None:
            names = ", ".join(known.game.title for known in self._games.values())
            raise UserError(f"There is no game called {cut(game, 40)!r} here. There are: {names}.")
        return screen

    async def _change(self, interaction: discord.Interaction, name: str, value: str | None) -> None:
        assert interaction.guild_id is not None
        settings = await self._settings.change(interaction.guild_id, name, value)
        await self._show(interaction, settings, "Changed. The settings are now")

    # The panel

    async def _set(self, request: Request) -> None:
        """Apply the choice of a select on the page."""
        control = request.control
        guild = _managed_guild(request.interaction)
        value = control.values[0] if control.values else ""
        if control.argument in SELECTS:
            if value not in SELECTS[control.argument][1]:
                raise UserError(GONE)
            await self._change(request.interaction, control.argument, value)
            return
        if control.argument in puzzle_settings.CHOICES:
            if value not in puzzle_settings.CHOICES[control.argument][1]:
                raise UserError(GONE)
            await self._settings.change(guild, control.argument, value)
            await self._show_puzzles(request.interaction, True)
            return
        kind, _, key = control.argument.partition(".")
        screen = self._screen(key)
        known = [str(choice.value) for choice in CLOCK_CHOICES] if kind == "clock" else []
        known = [*referees_of(screen.game)] if kind == REFEREE else known
        if not known or value not in (GAME_DEFAULT, *known):
            raise UserError(GONE)
        settings = await self._settings.change(guild, f"{kind}.{key}", None if value == GAME_DEFAULT else value)
        await request.responder.show(game_page(settings, screen))

    async def _post_puzzles(self, request: Request) -> None:
        """Show how the puzzles of the day are posted; start posting here, or stop."""
        control = request.control
        guild = _managed_guild(request.interaction)
        if control.argument == puzzle_settings.HERE:
            puzzle_settings.check_place(f"<#{request.interaction.channel_id}>", request.interaction.app_permissions)
            await self._post_in(guild, str(request.interaction.channel_id))
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
        page = puzzle_settings.puzzles_page(settings, "✓ Changed." if changed else "", self._clock.now())
        await responder_for(interaction).show(page)

    async def _turn_to(self, request: Request) -> None:
        """Show a game's defaults for new tables, or all settings again."""
        settings = await self._settings.of(_managed_guild(request.interaction))
        if request.control.values:
            await request.responder.show(game_page(settings, self._screen(request.control.values[0])))
        else:
            await self._show(request.interaction, settings, "Settings")

    async def _show(self, interaction: discord.Interaction, settings: Settings, title: str) -> None:
        page = settings_page(settings, self._games.values(), title, self._clock.now())
        await responder_for(interaction).show(page)


def _managed_guild(interaction: discord.Interaction) -> int:
    """Return the server of a member who manages it. Raises `UserError`."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise UserError("For that you need the permission Manage Server on this server.")
    return interaction.guild_id


def settings_page(settings: Settings, screens: Collection[GameUI], title: str, now: Moment) -> Page:
    """Return all settings of a server, with the selects that change them."""
    games = [line for screen in screens if (line := _overrides(settings, screen))]
    games.append("-# The others: as each game has them." if games else "-# All as the games have them.")
    months, limits = settings.season_months, settings.limits
    house = [
        allowed_line(settings),
        f"**Threads: {'on' if settings.threads else 'off'}** – {THREAD_WORDS[settings.threads]}.",
        f"**Mentions: {'quiet' if settings.mentions == 'quiet' else 'on'}** – {MENTION_WORDS[settings.mentions]}.",
        puzzle_settings.posted_line(settings, now),
        f"**A season lasts** {count(months, 'month')}.",
        f"**Tables under way are ended by** {ENDER_WORDS[settings.enders]}.",
        f"**Open tables**: at most {limits.person} of one person, {limits.channel} in a channel, "
        f"{limits.server} in all.",
        "-# By command: `/settings channel add`, `/settings channel except`, `/settings limit`.",
    ]
    defaults = ["### Clocks and referees of new tables", *games, "-# Whoever opens a table may choose otherwise."]
    head = Text("\n".join([f"### {title}", *house]))
    ways = tuple(SelectOption(screen.game.title, screen.game.key) for screen in screens)
    way = Select("setting-game", ways, "Change what is usual in a game …")
    puzzles = Row((Button("Puzzles of the day …", puzzle_settings.VERB),))
    return Page((head, *_selects(settings), puzzles, Separator(), Text("\n".join(defaults)), way), COLOUR)


def _overrides(settings: Settings, screen: GameUI) -> str:
    """Return a game's settings for new tables; empty if they are the game's own defaults."""
    game, words = screen.game, []
    if (clock := settings.clocks.get(game.key)) is not None:
        words.append(f"clock {value_words('clock', clock)}")
    if (chosen := settings.referees.get(game.key)) is not None:
        words.append(f"referee {value_words(REFEREE, chosen)}")
    return f"**{game.title}** · {' · '.join(words)}" if words else ""


def _selects(settings: Settings) -> Iterator[Select]:
    """Yield a select for each of the server's settings that has a few values."""
    now = {
        "threads": "on" if settings.threads else "off",
        "mentions": settings.mentions,
        "enders": settings.enders,
        "season_months": str(settings.season_months),
    }
    for name, (title, values) in SELECTS.items():
        choices = tuple(SelectOption(words, value, chosen=value == now[name]) for value, words in values.items())
        yield Select("setting", choices, title, name)


def game_page(settings: Settings, screen: GameUI) -> Page:
    """Return the page on which a game's defaults for new tables are set."""
    game = screen.game
    clock = settings.clocks.get(game.key)
    own = f"{value_words('clock', game.options().clock)} (the game's own)"
    clocks = [SelectOption(f"Turn clock: {own}", GAME_DEFAULT, chosen=clock is None)]
    clocks += [
        SelectOption(f"Turn clock: {choice.name}", str(choice.value), chosen=clock == choice.value)
        for choice in CLOCK_CHOICES
    ]
    blocks: list[Block] = [
        Text(f"### New tables of {game.title}"),
        Select("setting", tuple(clocks), "Turn clock", f"clock.{game.key}"),
    ]
    kinds = referees_of(game)
    if kinds:
        chosen = settings.referees.get(game.key)
        usual = value_words(REFEREE, getattr(game.options(), REFEREE))
        referees = [SelectOption(f"Referee: {usual} (the game's own)", GAME_DEFAULT, chosen=chosen is None)]
        referees += [SelectOption(f"Referee: {value_words(REFEREE, k)}", k, chosen=chosen == k) for k in kinds]
        blocks.append(Select("setting", tuple(referees), "Referee", f"{REFEREE}.{game.key}"))
    blocks.append(Row((Button("◀ All settings", "setting-game"),)))
    return Page(tuple(blocks), COLOUR)
