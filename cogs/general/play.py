"""`/play`: the pages that lead from nothing to a first move by buttons alone."""

from collections.abc import Iterator
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import off_server, visible_channels
from cogs.core.inbound.command_options import anywhere, kind_of
from cogs.core.inbound.command_validation import number
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.lobby_handlers import LobbyHandlers
from cogs.core.inbound.practice import Practice
from cogs.core.inbound.request import Request
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.inbound.table_opening import TableOpener
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.ops.text_format import labelled, span
from cogs.core.pages.game_catalog import EDGE, GameCatalog
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Separator, Text, rows
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.lobby_pages import game_length
from cogs.core.publishing.message_links import table_link
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.lobby import LEVEL_NAMES, LEVEL_WORDS, can_join
from engine.players import LEVELS

OUTSIDE_SERVERS = N_("Only you see the game. To play with others, use a server I'm on.")
"""The reply outside servers, including group direct messages."""

MOST_JOINED = 10
"""The most gathering tables listed, oldest first."""


@dataclass(eq=False)
class PlayCommand(commands.Cog):
    """The command `/play` and its pages."""

    games: GameCatalog
    store: Store
    covers: Covers
    finder: TableFinder
    opener: TableOpener
    practice: Practice
    lobby: LobbyHandlers
    router: ComponentRouter

    def __post_init__(self) -> None:
        self.router.add_handler("play", self._open_page)
        self.router.add_handler("play-computer", self._computer)
        self.router.add_handler("play-open", self._open)
        self.router.add_handler("play-join", self._join)
        self.router.add_handler("practise", self._practise)
        self.router.add_handler("practise-on", self._go_on)

    @app_commands.command(name="play", description="Pick a game to play with others or against a computer.")
    @anywhere
    async def play(self, interaction: discord.Interaction) -> None:
        """Show the games."""
        await responder_for(interaction).show(await self._list_page(interaction))

    # Pages

    async def _list_page(self, interaction: discord.Interaction) -> Page:
        uis = self.games.values()
        gathering = await self._gathering(interaction)
        blocks = [
            Text(_("### What shall we play?")),
            *_gallery(await self.covers.sheet()),
            Text("\n".join(f"**{ui.title}**\n{self._facts(interaction, ui)}" for ui in uis)),
            *rows([Button(ui.title, "play", key, "primary") for key, ui in self.games.items()]),
        ]
        if gathering:
            blocks += [Separator(), *self._joining(gathering)]
        if off_server(interaction):
            blocks += self._practice_games(await self.practice.under_way(interaction.user.id))
        return Page(tuple(blocks), EDGE)

    def _practice_games(self, practised: list[TableMessages]) -> Iterator[Block]:
        """Return the reader's unfinished practice games."""
        if not practised:
            return
        yield Separator()
        yield Text(_("**Your practice games**"))
        yield from rows(
            [
                Button(_("Continue: {game}", game=one.ui.title), "practise-on", str(one.table.id), "success")
                for one in practised[:MOST_JOINED]
            ]
        )

    def _facts(self, interaction: discord.Interaction, ui: GameUI) -> str:
        game = ui.game
        kind = kind_of(interaction, ui.command)
        length = game_length(ui, game.options(), game.player_counts[0])
        players = span(game.player_counts)
        return _("-# {players} players · {length} · {kind}", players=players, length=length, kind=kind)

    def _joining(self, gathering: list[TableMessages]) -> Iterator[Block]:
        lines = []
        for messages in gathering:
            table, ui = messages.table, messages.ui
            there = ", ".join(player.bold for player in table.snapshot.seated_players)
            lines.append(f"{table_link(table.id, messages.link())} · {ui.title} · {there}")
        yield Text("\n".join([_("**Waiting for players here**"), *lines]))
        yield from rows(
            [
                Button(_("Join table {table}", table=messages.table.id), "play-join", str(messages.table.id), "success")
                for messages in gathering
            ]
        )

    async def _game(self, interaction: discord.Interaction, ui: GameUI) -> Page:
        key, alone = ui.game.key, off_server(interaction)
        against = _bot_buttons(key, rated=not alone)
        others = () if alone else (Button(_("Open a table for others"), "play-open", key, "success"),)
        private = () if alone else (Button(_("Practise in DMs"), "practise", key),)
        learn = (Button(_("Lesson"), "learn", key),) if key in self.games.courses else ()
        computers = [f"-# {labelled(_(LEVEL_NAMES[level]), _(LEVEL_WORDS[level]))}" for level in LEVELS]
        where = _(OUTSIDE_SERVERS) if alone else _("Rated games start at once, here in the channel.")
        words = [f"### {ui.title}", _(ui.tagline), self._facts(interaction, ui), f"-# {where}"]
        return Page(
            (
                Text("\n".join([*words, *computers])),
                *_gallery(await self.covers.of(key)),
                Row((*against, *others)),
                Row((*private, *learn, Button(_("Rules"), "rules", key), Button(_("◀ All games"), "play"))),
            ),
            ui.colour,
        )

    # What is pressed there

    async def _open_page(self, request: Request) -> None:
        page = await (
            self._game(request.interaction, self._ui_of(request.control.argument))
            if request.control.argument
            else self._list_page(request.interaction)
        )
        await request.responder.show(page)

    async def _computer(self, request: Request) -> None:
        key, _dot, chosen = request.control.argument.partition(".")
        ui = self._ui_of(key)
        levels = [level for level in LEVELS if level == chosen]
        if not levels:
            raise UserError(_("There's no such computer. `/play` shows the games again."))
        await self.opener.open_privately(request, key, levels * (ui.game.player_counts[0] - 1))

    async def _practise(self, request: Request) -> None:
        key, _dot, level = request.control.argument.partition(".")
        ui = self._ui_of(key)
        if level:
            await self.practice.open(request, key, level)
            return
        heading = _("### Practise {game}", game=ui.title)
        words = _("Play a computer in our DMs, without a clock. No one else sees it, and it's never rated.")
        back = Row((Button(_("◀ Back"), "play", key),))
        await request.responder.show(
            Page((Text(f"{heading}\n{words}"), Row(_bot_buttons(key, rated=False)), back), ui.colour)
        )

    async def _go_on(self, request: Request) -> None:
        await self.practice.go_on(request, number(request.control.argument))

    async def _open(self, request: Request) -> None:
        ui = self._ui_of(request.control.argument)
        await self.opener.open_privately(request, ui.game.key, [])

    async def _join(self, request: Request) -> None:
        table = number(request.control.argument)
        messages = next((one for one in await self._gathering(request.interaction) if one.table.id == table), None)
        if messages is None:
            raise UserError(_("That table isn't waiting for players any more. `/play` shows those that are."))
        await self.lobby.join(request.at_table(messages))

    def _ui_of(self, key: str) -> GameUI:
        ui = self.games.get(key)
        if ui is None:
            raise UserError(_("There's no such game here. `/play` shows the games again."))
        return ui

    async def _gathering(self, interaction: discord.Interaction) -> list[TableMessages]:
        """Return the tables of this channel and its threads that the user sees and can join."""
        places = [interaction.channel_id or 0]
        if isinstance(interaction.channel, discord.TextChannel):
            threads = visible_channels(interaction, (thread.id for thread in interaction.channel.threads))
            places += sorted(threads.open)
        rows = [row for place in places for row in await self.store.tables.in_channel(place)]
        found, _broken = await self.finder.readable(rows)
        user = interaction.user.id
        return [
            one
            for one in found
            if one.message.number is not None
            and one.table.snapshot.row.guild == interaction.guild_id
            and can_join(one.table.snapshot, user)
        ][:MOST_JOINED]


def _bot_buttons(key: str, *, rated: bool) -> tuple[Button, ...]:
    """Return the buttons that start a game against a computer: a rated one in the channel, or practice."""
    verb, label = ("play-computer", N_("vs {level} · rated")) if rated else ("practise", N_("vs {level} · practice"))
    return tuple(Button(_(label, level=_(LEVEL_NAMES[level])), verb, f"{key}.{level}", "primary") for level in LEVELS)


def _gallery(picture: Picture | None) -> tuple[Block, ...]:
    return () if picture is None else (picture,)
