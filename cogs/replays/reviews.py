"""Reviews on request: made once per game in another process, while the requesters see the progress.

A review is the same each time it is made, so only the youngest are kept in memory.
"""

import asyncio
import logging
from dataclasses import dataclass, field

import discord
from cachetools import LRUCache

from cogs.core.i18n.translation import Language, _, ngettext, present, speaking
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.discord_errors import API_ERRORS
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks
from cogs.core.ops.timers import Clock, backoff
from cogs.core.pages.game_ui import GameReview, GameUI
from cogs.core.pages.page import Page, Text
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.finished_games import Replay
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.bot_workers import BotWorkers
from cogs.replays.replay_cache import ReplayCache
from cogs.replays.review_page import moment_page, review_page, working_page
from cogs.replays.review_worker import answer_in_time
from engine.review import Review
from engine.review.review_questions import Answer, Question, noted, put_together, questions, written

log = logging.getLogger(__name__)

MOST_CACHED = 50
"""The number of reviews kept in memory; one takes some ten kilobytes."""

SLICE_S = 0.5
"""How long the other process works between two reports of its progress."""

BATCH = 60
"""The number of questions handed over at once."""

PACE_S = 2.5
"""Seconds between two edits of the progress."""

RETRY_FROM_MS, RETRY_AT_MOST_MS = 2_000, 60_000
"""The first and the longest delay before a requester whose page could not be updated is tried again."""

MOST_PER_USER = 2
"""The most reviews that one user may have running or waiting."""

MOST = 20
"""The same for everybody together: a requester who waits half a minute for each still has a page that can be edited."""


@dataclass
class PendingReview:
    """A review that is being made, for the user who asked for it first.

    It has the game's number of `moves`, how many are `done`, and the `waiting` pages with the
    languages of their readers. If it is `over` without a `review`, it has failed.
    """

    replay: Replay
    screen: GameUI
    user: int
    moves: int
    done: int = 0
    waiting: list[tuple[InteractionMessage, Language]] = field(default_factory=list)
    updating: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    over: bool = False
    review: Review | None = field(default=None, repr=False)


class Reviews:
    """Makes and shows reviews."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        leisure: DrawingThreads,
        bot_workers: BotWorkers,
        tasks: BackgroundTasks,
        router: ComponentRouter,
        cache: ReplayCache,
    ) -> None:
        self._client = client
        self._clock = clock
        self._leisure = leisure
        self._bot_workers = bot_workers
        self._tasks = tasks
        self._cache = cache
        self._kept = LRUCache[int, Review](MOST_CACHED)
        self._pending: dict[int, PendingReview] = {}
        router.add_handler("review", self._asked)

    async def _asked(self, request: Request) -> None:
        control = request.control
        verb, _dot, number = control.argument.partition(".")
        see = int(number) if verb == "see" and number.isascii() and number.isdecimal() and len(number) < 3 else 0
        await self.show(request.interaction, control.table, new_page=control.argument == "end", see=see)

    async def show(self, interaction: discord.Interaction, table: int, *, new_page: bool = False, see: int = 0) -> None:
        """Show the review of a finished game to a user who may see its replay.

        It is a new page if `new_page`. With `see`, show the turning point of this number. If the review is not made
        yet, show the progress. Raises `UserError`, also if too many are being made.
        """
        replay, _chapters = await self._cache.get(interaction, table)
        screen = self._cache.screen(replay.row.game)
        if screen.review is None:
            raise UserError(_("{game} has no reviews. Use `/replay` to step through the game.", game=screen.game.title))
        if screen.game.outcome(replay.states[-1]) is None:
            raise UserError(_("This game wasn't played to the end, so it has no review. `/replay` still shows it."))
        review = self._kept.get(table)
        if review is not None:
            page = await self._moment_page(screen, replay, review, see) if see else None
            page = page or await self._review_page(screen, replay, review)
            await responder_for(interaction).show(page, table, new_message=new_page)
            return
        pending = self._pending.get(table)
        if pending is None:
            self._check_limits(interaction.user.id)
            moves = sum(deed.decides for deed in replay.decisions)
            pending = self._pending[table] = PendingReview(replay, screen, interaction.user.id, moves)
            self._tasks.spawn(self._run(pending, screen.review), f"review-{table}")
        message = await responder_for(interaction).show(self._progress_page(pending), table, new_message=new_page)
        if message is None:
            return
        pending.waiting.append((message, present()))
        if pending.over:  # it was made while its page was being sent
            await self._show_end(pending)

    def _check_limits(self, user: int) -> None:
        """Raise `UserError` if too many reviews are being made."""
        if sum(pending.user == user for pending in self._pending.values()) >= MOST_PER_USER:
            raise UserError(
                ngettext(
                    "You're already waiting for {n} review. Ask again when it's done.",
                    "You're already waiting for {n} reviews. Ask again when one is done.",
                    MOST_PER_USER,
                )
            )
        if len(self._pending) >= MOST:
            raise UserError(
                ngettext(
                    "{n} review is already waiting. Try again in a few minutes.",
                    "{n} reviews are already waiting. Try again in a few minutes.",
                    MOST,
                )
            )

    async def _review_page(self, screen: GameUI, replay: Replay, review: Review) -> Page:
        assert screen.review is not None
        card = await self._cache.table_context(replay)
        return await self._leisure.run(review_page, screen, screen.review, review, replay.states, card)

    async def _moment_page(self, screen: GameUI, replay: Replay, review: Review, number: int) -> Page | None:
        assert screen.review is not None
        card = await self._cache.table_context(replay)
        return await self._leisure.run(moment_page, screen, screen.review, review, replay.states, card, number)

    def _progress_page(self, pending: PendingReview) -> Page:
        return working_page(pending.screen, pending.replay.row.id, pending.done, pending.moves)

    async def _current_page(self, pending: PendingReview) -> Page:
        """Return the page for those who wait: the progress, the review, or the failure."""
        if not pending.over:
            return self._progress_page(pending)
        if pending.review is None:
            words = _("⚠ This game couldn't be reviewed. `/replay` still shows it.")
            return Page((Text(words),), pending.screen.colour)
        return await self._review_page(pending.screen, pending.replay, pending.review)

    async def _run(self, pending: PendingReview, words: GameReview) -> None:
        """Make a review while updating the waiting pages, at last with the review."""
        table = pending.replay.row.id
        try:
            pending.review = await self._compute(pending, words)
            self._kept[table] = pending.review
        finally:
            pending.over = True
            del self._pending[table]
            await self._show_end(pending)

    async def _compute(self, pending: PendingReview, words: GameReview) -> Review:
        game, replay, reviewer = pending.screen.game, pending.replay, words.reviewer
        loop = asyncio.get_running_loop()
        asked = await self._leisure.run(questions, game, replay.states, replay.decisions)
        put: list[Question] = []
        answers: list[Answer] = []
        updated_at = loop.time()
        async with self._bot_workers.background_worker() as pool:
            while len(answers) < len(asked):
                start = len(answers)
                batch = await self._leisure.run(written, game, replay.states, asked[start : start + BATCH])
                found = await loop.run_in_executor(pool, answer_in_time, reviewer, batch, SLICE_S)
                put += batch[: len(found)]
                answers += found
                pending.done = sum(one.action is not None for one in put)
                if loop.time() >= updated_at + PACE_S:
                    updated_at = loop.time()
                    await self._update_pages(pending)
        notes = await self._leisure.run(lambda: tuple(noted(reviewer, replay.states, replay.decisions)))
        return put_together(game, replay.states, put, answers, notes)

    async def _update_pages(self, pending: PendingReview) -> None:
        """Update the waiting pages. Those that show the result, or that are gone, wait no longer."""
        client, table = self._client, pending.replay.row.id
        async with pending.updating:
            over, pages = pending.over, dict[Language, Page]()
            for message, language in list(pending.waiting):
                if language not in pages:
                    with speaking(language):
                        pages[language] = await self._current_page(pending)
                page = pages[language]
                try:
                    editable = await message.try_edit(client, self._clock.now(), page, table, 0)
                except API_ERRORS as error:
                    log.info("table %s: a page that waits for a review was not brought up to date: %s", table, error)
                    continue
                if over or not editable:
                    pending.waiting.remove((message, language))

    async def _show_end(self, pending: PendingReview) -> None:
        """Show the result on the waiting pages; failed updates are retried later."""
        await self._update_pages(pending)
        if pending.waiting:
            self._tasks.spawn(self._retry_updates(pending), f"review-{pending.replay.row.id}")

    async def _retry_updates(self, pending: PendingReview) -> None:
        """Retry updating the waiting pages at growing intervals, as long as they can be edited."""
        times = 0
        while pending.waiting:
            times += 1
            await asyncio.sleep(backoff(times, RETRY_FROM_MS, RETRY_AT_MOST_MS) / 1_000)
            await self._update_pages(pending)
