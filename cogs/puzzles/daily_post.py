"""The puzzles of the day as a message in a channel, every day at an hour set by the server's managers.

A day is posted once: the attempt is stored before the message is sent, and its place after that, so nothing is posted
twice or forgotten. A bot that was offline at the hour posts when it is back on the same day.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.translation import _
from cogs.core.inbound.command_tree import CommandClient
from cogs.core.ops import discord_errors
from cogs.core.ops.time_zones import hour_within
from cogs.core.ops.timers import Scheduler
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.game_ui import GamePuzzle
from cogs.core.pages.page import Block, Button, Page, Picture, Text, rows
from cogs.core.publishing import components_v2
from cogs.core.publishing.covers import contact_sheet, cropped
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.tables.settings import PUZZLE_CHANNEL, PuzzlePosts, ServerSettings
from cogs.puzzles import words
from cogs.puzzles.pages import PuzzlePages
from cogs.puzzles.results import result_line, solvers, streak_of
from engine.contract import Moment
from engine.puzzles import DAY_MS, FIRST_DAY, Puzzles, day_start, puzzle_number

log = logging.getLogger(__name__)

HOUR_MS = 3_600_000

LOOKS_EVERY_MS = HOUR_MS // 4
"""In some time zones a full hour is at a quarter of an hour of UTC."""

FORBIDDEN, GONE = "forbidden", "gone"
"""The reasons why a day's puzzles could not be posted."""

PuzzleKinds = Mapping[str, tuple[GamePuzzle, Puzzles]]
"""The puzzles by game."""


@dataclass(eq=False)
class DailyPuzzlePoster:
    """Posts the puzzles of the day on the servers that want them."""

    client: CommandClient
    settings: ServerSettings
    ownership: Ownership
    scheduler: Scheduler
    drawing: DrawingThreads
    puzzles: PuzzleKinds

    def __post_init__(self) -> None:
        self._job = self.scheduler.job("the posting of the day's puzzles", self._post_due)

    def check_soon(self) -> None:
        """Check now whether something is due."""
        self._job.set_in(0)

    async def _post_due(self) -> None:
        """Post what is due on the connected servers, and check again at the next quarter of an hour.

        Raises the error of a call that may succeed later: then it is retried.
        """
        now, failed = self.client.clock.now(), None
        self._job.set((now // LOOKS_EVERY_MS + 1) * LOOKS_EVERY_MS)
        for number in await self.client.store.server_admin.set_on(PUZZLE_CHANNEL):
            if not self.ownership.holds(number):
                continue  # another process serves it
            guild = self.client.get_guild(number)
            wanted = (await self.settings.of(number)).puzzles
            if guild is None or guild.unavailable or wanted.channel is None:
                continue
            if now < hour_within(day_start(puzzle_number(now)), wanted.hour, wanted.zone):
                continue
            try:
                await self._post(number, wanted.channel, wanted, now)
            except discord_errors.API_ERRORS as error:
                failed = error
        if failed is not None:
            raise failed

    async def forget_channel(self, guild: int, channel: int) -> None:
        """Stop posting in a deleted channel."""
        if (await self.settings.of(guild)).puzzles.channel == channel:
            await self.settings.change(guild, PUZZLE_CHANNEL, None)

    async def _post(self, guild: int, where: int, wanted: PuzzlePosts, now: Moment) -> None:
        """Post today's puzzles on a server, unless they have been posted.

        Raises the error of a call that may succeed later.
        """
        number, admin = puzzle_number(now), self.client.store.server_admin
        before = await admin.puzzle_post(guild)
        if before is not None and before.number == number and (before.message or before.trouble):
            return  # the usual case, which writes nothing
        if not await admin.begin_puzzle_post(guild, number, now):
            return
        with await self.client.language_choice.for_all(guild):
            page = self.client.markup.page(await self._page(guild, number, wanted))
        channel = self.client.get_partial_messageable(where, guild_id=guild)
        view = components_v2.Layout(page, 0, 0)
        try:
            async with self.ownership.unasked_call(guild, where):
                message = await channel.send(view=view, files=view.files, silent=True, nonce=f"{guild}.{number}")
        except discord_errors.API_ERRORS as error:
            if discord_errors.is_transient(error):
                await admin.end_puzzle_post(guild, number, None, None)
                raise
            log.warning("the puzzles of the day could not be posted on a server: %s", error)
            gone = discord_errors.code_of(error) in discord_errors.PLACE_GONE
            await admin.end_puzzle_post(guild, number, None, GONE if gone else FORBIDDEN)
            if gone:
                await self.forget_channel(guild, where)
        else:
            await admin.end_puzzle_post(guild, number, message.id, None)

    # The page

    async def _page(self, guild: int, number: int, wanted: PuzzlePosts) -> Page:
        keys = list(self.puzzles)
        shown = keys if wanted.games == "all" else [keys[number % len(keys)]]
        all_pages = [self._pages_of(key, number) for key in shown]
        picture = await self.drawing.run(self._picture, all_pages, number)
        one = len(all_pages) == 1
        titles = "\n".join(
            f"**{_(pages.game.title)}** · {game_title(pages.game.kind.game)}\n"
            f"-# {words.difficulty(pages.puzzle.proof.difficulty)}"
            for pages in all_pages
        )
        buttons = [
            Button(_("Solve it") if one else _(pages.game.title), "puzzle", pages.place, "primary")
            for pages in all_pages
        ]
        blocks: list[Block | None] = [
            Text(f"### {_('Puzzle of the day') if one else _('Puzzles of the day')}\n{numbered(number)}"),
            picture,
            Text(titles),
            *rows([*buttons, *([Button(_("All of today's puzzles"), "puzzle")] if one else [])]),
            await self._yesterday(guild, number),
            Text(_("-# You solve on a page that only you see. Your first answer counts.")),
        ]
        return Page(tuple(block for block in blocks if block is not None), EDGE)

    def _pages_of(self, key: str, number: int) -> PuzzlePages:
        game, puzzles = self.puzzles[key]
        rules, games = game.kind.game.key, self.client.games
        return PuzzlePages(games[rules], game, games.materials[rules], puzzles.numbered(number), _("You"))

    def _picture(self, all_pages: Sequence[PuzzlePages], number: int) -> Picture | None:
        """Return the boards as one picture, from the public views."""
        boards = [(_(pages.game.title), board) for pages in all_pages if (board := pages.board()) is not None]
        if len(boards) < 2:
            return boards[0][1] if boards else None
        parts = [(title, cropped(board, board.name, board.alt)) for title, board in boards]
        alt = _("The puzzles of the day: {puzzles}.", puzzles=", ".join(title for title, _board in boards))
        return Picture(contact_sheet(parts).data, f"puzzles-{number}.png", alt)

    async def _yesterday(self, guild: int, number: int) -> Text | None:
        """Return yesterday's results of the server's members."""
        found = [one for one in await solvers(self.client.store, guild, number - 1) if one.solved]
        streaks = await asyncio.gather(*(streak_of(self.client.store, one.user, number) for one in found))
        lines = [result_line(one, len(self.puzzles), streak) for one, streak in zip(found, streaks, strict=True)]
        return Text("\n".join([_("**Yesterday on this server**"), *lines])) if lines else None


def numbered(number: int) -> str:
    """Return the day of a puzzle with its number."""
    return _("{date} · number {number}", date=date(number), number=number)


def date(number: int) -> str:
    """Return the day of a puzzle in the reader's date format: its noon in UTC is on that day nearly everywhere."""
    return f"<t:{(FIRST_DAY + number - 1) * DAY_MS // 1_000 + 43_200}:D>"
