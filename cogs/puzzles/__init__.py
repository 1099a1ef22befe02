"""`/puzzle`: a puzzle a day for each game, the same everywhere, solved on a page that only the solver sees.

An answer is stored before its result is shown, so nobody gets a second try by asking again.
"""

from dataclasses import dataclass
from typing import Any

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import AnyGame, anywhere
from cogs.core.inbound.command_tree import client_of
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks, Store
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Modal
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.responder import responder_for
from cogs.puzzles.daily_post import DailyPuzzlePoster
from cogs.puzzles.day_page import Day
from cogs.puzzles.pages import CountedAnswer, DaySoFar, PuzzlePages, ShownPage
from cogs.puzzles.results import Tally, result_line, solvers
from engine.contract import Action, Moment
from engine.puzzles import Attempt, day_start, puzzle_number

GONE = N_("There's no such puzzle. `/puzzle` shows today's.")

GRACE_MS = Moment(30 * 60_000)
"""How long after midnight a puzzle that was opened on its day may be answered so that it counts for that day."""

ELSEWHERE = N_("⚠ You've already answered on another device. Here's where you are.")


@dataclass(eq=False)
class DailyPuzzles(commands.Cog):
    """The command `/puzzle`, and the buttons of the puzzles."""

    games: GameCatalog
    store: Store
    clock: Clock
    tasks: BackgroundTasks
    drawing: DrawingThreads
    router: ComponentRouter
    poster: DailyPuzzlePoster

    def __post_init__(self) -> None:
        self._puzzles = self.poster.puzzles
        self.poster.check_soon()
        self.router.add_handler("puzzle", self._asked)
        self.router.add_lesson_handler(self._pressed, self._puzzles)

    @app_commands.command(name="puzzle", description="The puzzles of the day: one per game, the same for everyone.")
    @app_commands.describe(game="Which game; leave it out to see all of today's")
    @anywhere
    async def puzzle(self, interaction: discord.Interaction, game: AnyGame | None = None) -> None:
        """Show today's puzzles, or one of them."""
        if game is None:
            await self._show_day(interaction, self._today())
            return
        kinds = (puzzle.kind for puzzle, _puzzles in self._puzzles.values())
        key = next((kind.key for kind in kinds if kind.game.key == game), None)
        if key is None:
            raise UserError(_("That game has no puzzles. `/puzzle` shows today's."))
        await self._show(interaction, f"{key}.{self._today()}")

    def _today(self) -> int:
        return puzzle_number(self.clock.now())

    def _nearest(self, number: int) -> int:
        """Return the nearest day that has puzzles: the number may be forged."""
        return max(1, min(number, self._today()))

    # What is posted each morning

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Post what became due while the bot was offline, on the servers known now."""
        self.poster.check_soon()

    @commands.Cog.listener()
    async def on_puzzle_settings(self) -> None:
        """Post what is due after a server's managers have set how the puzzles of the day are posted."""
        self.poster.check_soon()

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Post what is due on a server that has become available."""
        self.poster.check_soon()

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Stop posting in a deleted channel."""
        self.tasks.spawn(
            self.poster.forget_channel(channel.guild.id, channel.id), "forgetting where puzzles were posted"
        )

    # Which puzzles there are

    async def _asked(self, request: Request) -> None:
        """Handle the buttons of the puzzles' own pages: a day, a puzzle, a step of its solution, or sharing a day."""
        control = request.control
        name, _dot, rest = control.argument.partition(".")
        number, _dot, step = rest.partition(".")
        match name:
            case "":
                await self._show_day(request.interaction, self._today())
            case "day" if number.isdecimal():
                await self._show_day(request.interaction, self._nearest(int(number)))
            case "share" if number.isdecimal():
                await self._share(request.interaction, self._nearest(int(number)))
            case _ if step.isdecimal():
                await self._solution(request.interaction, f"{name}.{number}", int(step))
            case _:
                await self._show(request.interaction, control.argument, new_page=bool(control.table))

    async def _day(self, interaction: discord.Interaction, number: int) -> Day:
        """Return the puzzles of a day with how far the user has come."""
        today = self._today()
        tally = Tally(await self.store.puzzle_attempts.of(interaction.user.id), today)
        return Day(number, self._puzzles, tally, number == today)

    async def _show_day(self, interaction: discord.Interaction, number: int) -> None:
        """Show the puzzles of a day, with the user's results and their server's."""
        day, results = await self._day(interaction, number), await self._server(interaction, number)
        await responder_for(interaction).show(await self.drawing.run(day.page, results))

    async def _server(self, interaction: discord.Interaction, number: int) -> str:
        """Return the results of this server's members on a day, those who solved most first."""
        if interaction.guild_id is None:
            return ""
        found = await solvers(self.store, interaction.guild_id, number)
        return (
            "\n".join([_("**On this server**"), *(result_line(one, len(self._puzzles)) for one in found)])
            if found
            else ""
        )

    async def _share(self, interaction: discord.Interaction, number: int) -> None:
        """Post the user's results in the channel, without the answers."""
        day = await self._day(interaction, number)
        with await client_of(interaction).language_choice.for_all(interaction.guild_id or 0):
            line = day.score(interaction.user.id)
        if not await responder_for(interaction).send_public(line):
            raise UserError(_("That took too long. Press again."))

    async def _day_so_far(self, interaction: discord.Interaction, number: int) -> DaySoFar:
        """Return the user's results on a day, and the first puzzle of it that they have not finished."""
        day = await self._day(interaction, number)
        return DaySoFar(day.score(interaction.user.id), day.following(), interaction.guild_id is not None, day.whole())

    # One puzzle

    async def _pages_of(self, interaction: discord.Interaction, place: str) -> tuple[PuzzlePages, Attempt | None]:
        """Return a puzzle with the user's answers so far, and the stored attempt. Raises `UserError` if there
        is none.
        """
        key, _dot, number = place.partition(".")
        found = self._puzzles.get(key)
        if found is None or not number.isdecimal() or not 1 <= int(number) <= self._today():
            raise UserError(_(GONE))
        puzzle, puzzles = found
        game = puzzle.kind.game
        kept = await self.store.puzzle_attempts.get(interaction.user.id, game.key, int(number))
        played = () if kept is None else _read(game, kept.played)
        pages = PuzzlePages(
            self.games[game.key],
            puzzle,
            self.games.materials[game.key],
            puzzles.numbered(int(number)),
            interaction.user.display_name,
            played,
            await self._until(interaction.user.id, game.key, int(number)) if kept is None else None,
        )
        return pages, kept

    async def _until(self, user: int, game: str, number: int) -> Moment | None:
        """Return until when a first answer counts for the day of a puzzle; None if it is too late. Note that the user
        has opened it, if it is today's.
        """
        until, opened = Moment(day_start(number + 1) + GRACE_MS), await self.store.puzzle_attempts.opened(user, game)
        if number == self._today():
            if opened != number:
                await self.store.puzzle_attempts.open(user, game, number)
            return until
        return until if self.clock.now() < until and opened == number else None

    async def _show(
        self, interaction: discord.Interaction, place: str, line: str = "", *, new_page: bool = False
    ) -> None:
        pages, kept = await self._pages_of(interaction, place)
        over = kept is not None and kept.solved is not None
        day = await self._day_so_far(interaction, pages.puzzle.number) if over else None
        shown = await self.drawing.run(pages.page, line, None, day)
        await responder_for(interaction).show(shown.page, pages.place, shown.stamp, new_message=new_page)

    async def _solution(self, interaction: discord.Interaction, place: str, step: int) -> None:
        """Show the solution of a puzzle to a user whose own attempt is over."""
        pages, kept = await self._pages_of(interaction, place)
        if kept is None or kept.solved is None:
            await self._show(interaction, place, _("⚠ Answer it yourself first."))
            return
        shown = await self.drawing.run(pages.solution, step)
        await responder_for(interaction).show(shown.page, pages.place, shown.stamp)

    async def _pressed(self, request: Request) -> None:
        control = request.control
        pages, kept = await self._pages_of(request.interaction, control.lesson)
        if kept is not None and kept.solved is not None:
            await self._show(request.interaction, pages.place)  # it is over: an old page was pressed
            return
        found = await self.drawing.run(pages.pressed, control)
        if isinstance(found, ShownPage):
            await request.responder.show(found.page, pages.place, found.stamp)
        elif isinstance(found, Modal):
            await request.responder.open_modal(found, pages.place, control.stamp)
        else:
            await self._answered(request.interaction, pages, None if kept is None else kept.played, found)

    async def _answered(
        self, interaction: discord.Interaction, pages: PuzzlePages, before: str | None, by: CountedAnswer
    ) -> None:
        """Store an answer, then show its result."""
        solved = {"right": True, "wrong": False, "go-on": None}[by.answer.verdict]
        done = [*pages.played, by.action]
        attempt = Attempt(
            interaction.user.id,
            pages.game.kind.game.key,
            pages.puzzle.number,
            msgspec.json.encode(done).decode(),
            solved,
            interaction.guild_id,
            pages.until is not None,
            self.clock.now(),
        )
        kept = await self.store.puzzle_attempts.save(attempt, before)
        await self._show(interaction, pages.place, "" if kept else _(ELSEWHERE))


def _read(game: Any, played: str) -> tuple[Action, ...]:
    return tuple(game.read_action(bytes(one)) for one in msgspec.json.decode(played, type=list[msgspec.Raw]))
