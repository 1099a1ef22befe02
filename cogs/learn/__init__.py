"""`/learn`: interactive lessons for each game, on a page that only the learner sees.

Every control names the lesson and its step, from which the position follows. Only finished lessons are stored.
"""

import asyncio
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _, public_label
from cogs.core.inbound.access import off_server
from cogs.core.inbound.command_options import AnyGame, anywhere
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Modal, Page, Text
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.learn.pages import LessonPages, menu

WAY_BACK = N_("-# To go back to your table, press *{play}* there.")

GONE = N_("That lesson has changed or no longer exists. `/learn` starts it again.")


@dataclass(eq=False)
class Learn(commands.Cog):
    """The command `/learn`, and the buttons of a lesson."""

    games: GameCatalog
    store: Store
    clock: Clock
    finder: TableFinder
    drawing: DrawingThreads
    router: ComponentRouter

    def __post_init__(self) -> None:
        self._progress = self.store.progress
        self.router.add_handler("learn", self._asked)
        self.router.add_lesson_handler(self._pressed)

    @app_commands.command(name="learn", description="Learn a game in a few minutes by playing it, on your own.")
    @app_commands.describe(game="The game; leave it out to choose from a list")
    @anywhere
    async def learn(self, interaction: discord.Interaction, game: AnyGame | None = None) -> None:
        """Begin a lesson, or list the lessons."""
        await self._begin(interaction, game or "")

    async def _asked(self, request: Request) -> None:
        control = request.control
        messages = await self.finder.find(control.table) if control.table else None
        in_channel = request.interaction.guild_id is not None
        seated = messages is not None and messages.table.snapshot.seat_of(request.user.id) is not None
        if messages is not None and seated and in_channel and control.argument in self.games.courses:
            await self._begin_at(request, messages, control.argument)
        else:
            await self._begin(request.interaction, control.argument, new_page=bool(control.table))

    async def _begin_at(self, request: Request, messages: TableMessages, game: str) -> None:
        """Begin a lesson in place of the player page of somebody at a table, so that they have only one private page;
        the next player page replaces the lesson.
        """
        shown = await self.drawing.run(self._lesson_pages(request.interaction, game).step, 0)
        page = Page((*shown.page.blocks, Text(_(WAY_BACK, play=public_label("Play")))), shown.page.colour)
        await messages.pages.show(request.responder, PlayerPage(page, shown.stamp, still=True, lesson=f"{game}.0"))

    async def _begin(self, interaction: discord.Interaction, game: str, *, new_page: bool = False) -> None:
        """Begin a lesson, as a new page if `new_page`, because the pressed one belongs to a table."""
        if not game:
            uis = [self.games[key] for key in self.games.courses]
            finished = await self._progress.lessons(interaction.user.id)
            await responder_for(interaction).show(menu(uis, finished), new_message=new_page)
            return
        pages = self._lesson_pages(interaction, game)
        shown = await self.drawing.run(pages.step, 0)
        await responder_for(interaction).show(shown.page, f"{game}.0", shown.stamp, new_message=new_page)

    async def _pressed(self, request: Request) -> None:
        control = request.control
        game, _dot, step = control.lesson.partition(".")
        pages = self._lesson_pages(request.interaction, game)
        number = int(step)
        if number >= len(pages.course):
            raise UserError(_(GONE))
        found = await asyncio.to_thread(pages.pressed, number, control)
        if isinstance(found, Modal):
            position = pages.course.position(number)
            stamp = pages.course.game.view(position.state, None).ui_version
            await request.responder.open_modal(found, control.lesson, stamp)
            return
        if found.finished:
            await self._progress.finish_lesson(request.user.id, game, self.clock.now())
        await request.responder.show(found.page, f"{game}.{found.step}", found.stamp)

    def _lesson_pages(self, interaction: discord.Interaction, game: str) -> LessonPages:
        course = self.games.courses.get(game)
        if course is None:
            raise UserError(_(GONE))
        name, on_server = interaction.user.display_name, not off_server(interaction)
        return LessonPages(self.games[game], course, name, on_server)
