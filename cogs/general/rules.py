"""`/rules`: a game's rules, page by page, with buttons that start playing it."""

from collections.abc import Iterable

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import off_server
from cogs.core.inbound.command_options import AnyGame, anywhere
from cogs.core.inbound.command_validation import number
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.pages.game_catalog import EDGE, GameCatalog
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Button, Page, Row, Text, page_buttons, page_within, rows
from cogs.core.pages.player_page import back_row
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.responder import responder_for
from engine.players import LEVELS


class RulesCommand(commands.Cog):
    """The command `/rules`, and the buttons of its pages."""

    def __init__(
        self, games: GameCatalog, finder: TableFinder, drawing: DrawingThreads, router: ComponentRouter
    ) -> None:
        self._games = games
        self._finder = finder
        self._drawing = drawing
        router.add_handler("rules", self._turn_to)

    @app_commands.command(name="rules", description="A game's rules, short and with pictures.")
    @app_commands.describe(game="Which game; leave it out to choose from a list")
    @anywhere
    async def rules(self, interaction: discord.Interaction, game: AnyGame | None = None) -> None:
        """Show the first page of a game's rules, or a list of the games."""
        if game is None:
            await responder_for(interaction).show(self._menu())
            return
        await responder_for(interaction).show(await self._page_with_games(interaction, self._games[game], 0))

    async def _turn_to(self, request: Request) -> None:
        game, _dot, page_number = (request.control.argument or "".join(request.control.values[:1])).partition(".")
        if not game:
            await request.responder.show(self._menu(), request.control.table)
            return
        if game not in self._games:
            raise UserError(_("There are no rules for that game. `/rules` lists the games."))
        ui, place = self._games[game], number(page_number.partition(".")[0]) or 0
        messages = await self._finder.find(request.control.table) if request.control.table else None
        if messages is None:
            page = await self._page_with_games(request.interaction, ui, place)
            await request.responder.show(page, request.control.table)
        elif messages.table.snapshot.seat_of(request.user.id) is None:
            await request.responder.show(await self._page(ui, place, ()), request.control.table)
        else:
            ways = (back_row(),) if messages.table.snapshot.state is not None else ()
            await request.at_table(messages).show(await self._page(ui, place, ways))

    def _menu(self) -> Page:
        """Return the list of the games that have rules."""
        words = _("### Rules\nShort, with pictures: the basics first, special cases last. Which game?")
        listed = "\n".join(f"**{ui.title}**\n-# {_(ui.tagline)}" for ui in self._games.values())
        buttons = [Button(ui.title, "rules", key, "primary") for key, ui in self._games.items()]
        return Page((Text(words), Text(listed), *rows(buttons), Row((Button(_("◀ Help"), "help"),))), EDGE)

    async def _page(self, ui: GameUI, place: int, ways: Iterable[Row], before: Button | None = None) -> Page:
        """Return a page of a game's rules, with buttons to leaf through them, the game's lesson, and the `ways` out of
        them. `before` replaces the way to the page before the first.
        """
        pages = await self._drawing.run(ui.rules)
        place = page_within(place, len(pages))
        page, key = pages[place], ui.game.key
        turning = page_buttons("rules", place, len(pages), lambda page, slot: f"{key}.{page}.{slot}")
        if before is not None and place == 0:
            turning = (before, *turning[1:])
        lesson = (Button(_("Lesson"), "learn", key),) if key in self._games.courses else ()
        return Page((*page.blocks, Row((*turning, *lesson)), *ways), ui.colour)

    async def _page_with_games(self, interaction: discord.Interaction, ui: GameUI, place: int) -> Page:
        """Return a page of a game's rules with the buttons that start a game at once."""
        game = f"{ui.game.key}.{LEVELS[0]}"
        if off_server(interaction):
            ways = Row((Button(_("Practice game"), "practise", game, "primary"),))
        else:
            practice = Button(_("Practise in DMs"), "practise", game, "primary")
            ways = Row((practice, Button(_("Rated game here"), "play-computer", game, "success")))
        return await self._page(ui, place, (ways,), Button(_("◀ Play"), "play", ui.game.key))
