"""`/help`: what a person can do here, a button each; the list of commands and how they are notified are behind it."""

from collections.abc import Iterator, Sequence
from typing import get_args

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import off_server
from cogs.core.inbound.command_options import anywhere
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.player_page_handlers import notify_page
from cogs.core.inbound.request import Request
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Text, rows
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.settings import Notify, Preferences

HELP, NOTIFY = "help", "notify-me"
"""The verbs of the pages of help, and of the choice of how a person is notified."""

COMMANDS: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        N_("**Play**"),
        (
            N_("`/play` starts or joins a game · `/tables` finds your tables"),
            N_("`/table` joins, leaves, starts or ends a table without buttons"),
            N_("`/notify` sets how I tell you it's your turn"),
        ),
    ),
    (
        N_("**Get better**"),
        (
            N_("`/learn` is a guided game · `/rules` explains one · `/puzzle` has today's puzzles"),
            N_("`/review` shows a game's turning points · `/replay` replays it"),
        ),
    ),
    (
        N_("**Results and fairness**"),
        (
            N_("`/leaderboard`, `/stats`, `/history` and `/achievements` show results"),
            N_("`/verify` proves that a game was fair"),
            N_("`/privacy export` sends you your data · `/privacy delete` deletes it"),
        ),
    ),
)
"""The commands by what they are for."""

MODERATOR_COMMANDS = N_("`/admin end` ends a table")
MANAGER_COMMANDS = N_("`/settings show` has all settings · `/doctor` finds what is wrong")
"""The commands of members who may use them."""

CLOCKS = N_(
    "-# Clocks stop while Discord is down, and while I'm offline or can't post in the channel. They keep running for "
    "a player who was timed out by a moderator."
)
"""When clocks stop, and when they do not."""


class HelpCommand(commands.Cog):
    """The command `/help` and its pages."""

    def __init__(self, covers: Covers, preferences: Preferences, router: ComponentRouter) -> None:
        self._covers = covers
        self._preferences = preferences
        router.add_handler(HELP, self._turn_to)
        router.add_handler(NOTIFY, self._notify)

    @app_commands.command(name="help", description="What you can play here, and how.")
    @anywhere
    async def help(self, interaction: discord.Interaction) -> None:
        """Show what one can do."""
        await responder_for(interaction).show(help_page(interaction, await self._covers.sheet()))

    async def _turn_to(self, request: Request) -> None:
        if request.control.argument == "commands":
            await request.responder.show(commands_page(request.interaction.permissions))
        else:
            await request.responder.show(help_page(request.interaction, await self._covers.sheet()))

    async def _notify(self, request: Request) -> None:
        """Show how a person is notified of their turns, after changing it if they chose another way."""
        user = request.user.id
        chosen = next((how for how in get_args(Notify) if how == request.control.argument), None)
        if chosen is not None:
            await self._preferences.change(user, chosen)
        page = notify_page(await self._preferences.of(user), EDGE, NOTIFY)
        await request.responder.show(Page((*page.blocks, Row((_back(),))), EDGE))


def help_page(interaction: discord.Interaction, games: Picture | None) -> Page:
    """Return what a person can do where they are, a button each, below a picture of the games."""
    words = (
        _("### What do you want to do?"),
        _("Play prison-break games with others or against a computer."),
        _("-# New here? *Learn a game* takes a few minutes, and only you see it."),
    )
    drawn = () if games is None else (games,)
    return Page((Text("\n".join(words)), *drawn, *rows(list(_ways(interaction)), 2)), EDGE)


def _ways(interaction: discord.Interaction) -> Iterator[Button]:
    on_server = not off_server(interaction)
    yield Button(_("Play a game"), "play", style="primary")
    yield Button(_("Learn a game"), "learn", style="primary")
    yield Button(_("Solve a puzzle"), "puzzle")
    yield Button(_("Read the rules"), "rules")
    if on_server:
        yield Button(_("My stats"), "stats", str(interaction.user.id))
    yield Button(_("Notifications"), NOTIFY)
    if on_server and interaction.permissions.manage_guild:
        yield Button(_("Server settings"), "setting-game")
    yield Button(_("All commands"), HELP, "commands")


def commands_page(permissions: discord.Permissions) -> Page:
    """Return the list of the commands that a member may use."""
    parts = [(_(heading), [_(line) for line in lines]) for heading, lines in COMMANDS]
    managing = list(_managing_commands(permissions))
    if managing:
        parts.append((_("**Run this server**"), managing))
    words = "\n".join(f"{heading}\n" + "\n".join(f"-# {line}" for line in lines) for heading, lines in parts)
    blocks: tuple[Block, ...] = (Text(_("### All commands")), Text(words), Text(_(CLOCKS)), Row((_back(),)))
    return Page(blocks, EDGE)


def _managing_commands(permissions: discord.Permissions) -> Iterator[str]:
    if permissions.manage_messages or permissions.manage_guild:
        yield _(MODERATOR_COMMANDS)
    if permissions.manage_guild:
        yield _(MANAGER_COMMANDS)


def _back() -> Button:
    return Button(_("◀ Help"), HELP)
