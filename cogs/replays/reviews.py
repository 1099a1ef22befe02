"""Reviews on request: made once per game in another process, while the requesters see the progress.

A review is the same each time it is made, so it is made once (`review_archive`).
"""

import asyncio
import logging
from dataclasses import dataclass, field

import discord

from cogs.core.i18n.translation import Language, _, ngettext, present, speaking
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.discord_errors import API_ERRORS
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks
from cogs.core.ops.timers import Clock, backoff
from cogs.core.pages.custom_ids import is_number
from cogs.core.pages.game_ui import GameReview, GameUI
from cogs.core.pages.page import Page, Text
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.finished_games import Replay
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.bot_workers import BotWorkers
from cogs.replays.moment_page import EVERYBODY, MINE, ReviewedGame, moment_page
from cogs.replays.replay_cache import ReplayCache
from cogs.replays.review_archive import ReviewArchive
from cogs.replays.review_page import notes_page, review_page, slips_page, working_page
from cogs.replays.review_worker import answer_in_time
from engine.contract import Seat
from engine.review import Review
from engine.review.review_questions import Answer, Question, as_questions, assemble, noted, questions

log = logging.getLogger(__name__)

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


@dataclass(frozen=True)
class ReviewPart:
    """A part of a review: the page `number` of a way through it, or the page of that name."""

    name: str = MINE
    number: int = 1


BEGINNING = ReviewPart()


def read_part(argument: str) -> ReviewPart:
    """Return the part that a button's argument names: the beginning for everything unknown."""
    name, _dot, rest = argument.partition(".")
    number = rest.partition(".")[0]
    if name in (MINE, EVERYBODY) and is_number(number, 2):
        return ReviewPart(name, int(number))
    return ReviewPart("all" if name == "back" else name if name in ("all", "slips", "notes") else MINE)


@dataclass(frozen=True)
class Waiting:
    """A page that waits for a review, with the language and the seat of its reader."""

    message: InteractionMessage
    language: Language
    seat: Seat | None


@dataclass
class PendingReview:
    """A review that is being made, for the user who asked for it first.

    It has the game's number of `moves`, how many are `done`, and the `waiting` pages. If it is `over` without a
    `review`, it has failed.
    """

    replay: Replay
    ui: GameUI
    user: int
    moves: int
    done: int = 0
    waiting: list[Waiting] = field(default_factory=list)
    updating: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    over: bool = False
    review: Review | None = field(default=None, repr=False)


@dataclass(eq=False)
class Reviews:
    """Makes and shows reviews."""

    client: discord.Client
    clock: Clock
    leisure: DrawingThreads
    bot_workers: BotWorkers
    tasks: BackgroundTasks
    router: ComponentRouter
    cache: ReplayCache
    archive: ReviewArchive

    def __post_init__(self) -> None:
        self._pending: dict[int, PendingReview] = {}
        self.router.add_handler("review", self._asked)

    async def _asked(self, request: Request) -> None:
        control = request.control
        new_page = control.argument == "end"
        await self.show(request.interaction, control.table, new_page=new_page, part=read_part(control.argument))

    async def show(
        self, interaction: discord.Interaction, table: int, *, new_page: bool = False, part: ReviewPart = BEGINNING
    ) -> None:
        """Show a part of the review of a finished game to a user who may see its replay.

        It is a new page if `new_page`. If the review is not made yet, show the progress. Raises `UserError`, also if
        too many are being made.
        """
        replay, _chapters = await self.cache.get(interaction, table)
        ui = self.cache.games.require(replay.row.game)
        if ui.review is None:
            raise UserError(_("{game} has no reviews. Use `/replay` to step through the game.", game=ui.title))
        if ui.game.outcome(replay.states[-1]) is None:
            raise UserError(_("This game wasn't played to the end, so it has no review. `/replay` still shows it."))
        review, seat = await self.archive.get(table), await self._seat(replay, interaction.user.id)
        if review is not None:
            page = await self._page(ui, replay, review, part, seat)
            await responder_for(interaction).show(page, table, new_message=new_page)
            return
        pending = self._pending.get(table)
        if pending is None:
            self._check_limits(interaction.user.id)
            moves = sum(decision.decides for decision in replay.decisions)
            pending = self._pending[table] = PendingReview(replay, ui, interaction.user.id, moves)
            self.tasks.spawn(self._run(pending, ui.review), f"review-{table}")
        message = await responder_for(interaction).show(self._progress_page(pending), table, new_message=new_page)
        if message is None:
            return
        pending.waiting.append(Waiting(message, present(), seat))
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

    async def _seat(self, replay: Replay, user: int) -> Seat | None:
        """Return the seat that a user had in a game, if any."""
        info = await self.cache.table_context(replay)
        return next((player.seat for player in info.seated_players if player.user == user), None)

    async def _page(self, ui: GameUI, replay: Replay, review: Review, part: ReviewPart, reader: Seat | None) -> Page:
        """Return a part of a review, or the whole one if there is no such part."""
        game = ReviewedGame(ui, review, replay.states, await self.cache.table_context(replay))
        if part.name == "slips":
            return await self.leisure.run(slips_page, game)
        if part.name == "notes":
            return await self.leisure.run(notes_page, game)
        page: Page | None = None
        if part.name != "all":
            seat = reader if part.name == MINE else None
            page = await self.leisure.run(moment_page, game, part.number, seat, reader)
        if page is None:
            page = await self.leisure.run(review_page, game, reader)
        return page

    def _progress_page(self, pending: PendingReview) -> Page:
        return working_page(pending.ui, pending.replay.row.id, pending.done, pending.moves)

    async def _current_page(self, pending: PendingReview, seat: Seat | None) -> Page:
        """Return the page for those who wait: the progress, the beginning of the review, or the failure."""
        if not pending.over:
            return self._progress_page(pending)
        if pending.review is None:
            words = _("⚠ This game couldn't be reviewed. `/replay` still shows it.")
            return Page((Text(words),), pending.ui.colour)
        return await self._page(pending.ui, pending.replay, pending.review, BEGINNING, seat)

    async def _run(self, pending: PendingReview, words: GameReview) -> None:
        """Make a review while updating the waiting pages, at last with the review."""
        table = pending.replay.row.id
        try:
            pending.review = await self._compute(pending, words)
            await self.archive.keep(table, pending.review)
        finally:
            pending.over = True
            del self._pending[table]
            await self._show_end(pending)

    async def _compute(self, pending: PendingReview, words: GameReview) -> Review:
        game, replay, reviewer = pending.ui.game, pending.replay, words.reviewer
        loop = asyncio.get_running_loop()
        asked = await self.leisure.run(questions, game, replay.states, replay.decisions)
        put: list[Question] = []
        answers: list[Answer] = []
        updated_at = loop.time()
        async with self.bot_workers.background_worker() as pool:
            while len(answers) < len(asked):
                start = len(answers)
                batch = await self.leisure.run(as_questions, game, replay.states, asked[start : start + BATCH])
                found = await loop.run_in_executor(pool, answer_in_time, reviewer, batch, SLICE_S)
                put += batch[: len(found)]
                answers += found
                pending.done = sum(one.action is not None for one in put)
                if loop.time() >= updated_at + PACE_S:
                    updated_at = loop.time()
                    await self._update_pages(pending)
        notes = await self.leisure.run(lambda: tuple(noted(reviewer, replay.states, replay.decisions)))
        return assemble(game, replay.states, put, answers, notes)

    async def _update_pages(self, pending: PendingReview) -> None:
        """Update the waiting pages. Those that show the result, or that are gone, wait no longer."""
        client, table = self.client, pending.replay.row.id
        async with pending.updating:
            over, pages = pending.over, dict[tuple[Language, Seat | None], Page]()
            for one in list(pending.waiting):
                reader = one.language, one.seat
                if reader not in pages:
                    with speaking(one.language):
                        pages[reader] = await self._current_page(pending, one.seat)
                try:
                    editable = await one.message.try_edit(client, self.clock.now(), pages[reader], table, 0)
                except API_ERRORS as error:
                    log.info("table %s: a page that waits for a review was not brought up to date: %s", table, error)
                    continue
                if over or not editable:
                    pending.waiting.remove(one)

    async def _show_end(self, pending: PendingReview) -> None:
        """Show the result on the waiting pages; failed updates are retried later."""
        await self._update_pages(pending)
        if pending.waiting:
            self.tasks.spawn(self._retry_updates(pending), f"review-{pending.replay.row.id}")

    async def _retry_updates(self, pending: PendingReview) -> None:
        """Retry updating the waiting pages at growing intervals, as long as they can be edited."""
        times = 0
        while pending.waiting:
            times += 1
            await asyncio.sleep(backoff(times, RETRY_FROM_MS, RETRY_AT_MOST_MS) / 1_000)
            await self._update_pages(pending)
