"""Reviews as they are asked for: made once a game, outside the event loop, while whoever waits sees how far it is.

A review is the same each time it is made, so the youngest are kept in memory and no more.
"""

import asyncio
import logging
from dataclasses import dataclass, field

import discord
from cachetools import LRUCache

from cogs.core.inbound.service import Service
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.discord_errors import API_ERRORS
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import backoff
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Page, Text
from cogs.core.pages.reviews import GameReview, HasReview
from cogs.core.publishing.finished_games import Replay
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.responder import reply_to
from cogs.replays.reels import Reels
from cogs.replays.review_page import moment_page, review_page, working_page
from cogs.replays.weighing import answered
from engine.review import Review
from engine.review.review_questions import Answer, Question, noted, put_together, questions, written

log = logging.getLogger(__name__)

KEPT = 50
"""So many reviews are kept in memory; one takes some ten kilobytes."""

SLICE_S = 0.5
"""So long the other process works before it tells how far it is."""

BATCH = 60
"""So many questions are handed over at once."""

PACE_S = 2.5
"""Seconds between two edits that tell how far it is."""

AGAIN_FROM_MS, AGAIN_AT_MOST_MS = 2_000, 60_000
"""So long after somebody could not be told how it ended they are told again."""

MOST_OF_ONE = 2
"""So many reviews that one person has asked for may be made or wait at a time."""

MOST = 20
"""The same for everybody together: whoever waits for half a minute each still has a page that can be edited."""


@dataclass
class Making:
    """A review that is being made for the user who asked for it first: how many of the game's `moves` it has looked at,
    and the pages that wait for it. Where it is `over` and there is no `review`, there will be none.
    """

    reel: Replay
    screen: GameUI
    user: int
    moves: int
    done: int = 0
    waiting: list[InteractionMessage] = field(default_factory=list)
    telling: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    over: bool = False
    review: Review | None = field(default=None, repr=False)


class Reviews:
    """Shows reviews, and lets them be made."""

    def __init__(self, tables: TableService, service: Service, reels: Reels) -> None:
        self._tables = tables
        self._reels = reels
        self._kept = LRUCache[int, Review](KEPT)
        self._making: dict[int, Making] = {}
        service.answer_to("review", self._asked)

    async def _asked(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        verb, _, number = control.argument.partition(".")
        see = int(number) if verb == "see" and number.isascii() and number.isdecimal() and len(number) < 3 else 0
        await self.show(interaction, control.table, anew=control.argument == "end", see=see)

    async def show(self, interaction: discord.Interaction, table: int, *, anew: bool = False, see: int = 0) -> None:
        """Show the review of a finished game to whoever may look at its replay, `anew` on a page of its own, or of its
        turning points the one with the number `see`; where it is not made yet, how far it is. Raises `UserError`, also
        where too many are being made.
        """
        reel, _ = await self._reels.get(interaction, table)
        screen = self._reels.screen(reel.row.game)
        if not isinstance(screen, HasReview):
            raise UserError(f"There are no reviews of {screen.game.title}. `/replay` shows the game again.")
        if screen.game.outcome(reel.states[-1]) is None:
            raise UserError(
                "This game was not played to its end, so there is no review of it. `/replay` shows it again."
            )
        review = self._kept.get(table)
        if review is not None:
            page = await self._moment(screen, reel, review, see) if see else None
            page = page or await self._page(screen, reel, review)
            await reply_to(interaction).show(page, table, anew=anew)
            return
        making = self._making.get(table)
        if making is None:
            self._check_limits(interaction.user.id)
            moves = sum(deed.decides for deed in reel.deeds)
            making = self._making[table] = Making(reel, screen, interaction.user.id, moves)
            self._tables.spawn(self._make(making, screen.review), f"review-{table}")
        landed = await reply_to(interaction).show(self._how_far(making), table, anew=anew)
        if landed is None:
            return
        making.waiting.append(landed)
        if making.over:  # it was made while its page was on the way
            await self._tell_the_end(making)

    def _check_limits(self, user: int) -> None:
        """Raise `UserError` where as many reviews are being made as may be."""
        if sum(making.user == user for making in self._making.values()) >= MOST_OF_ONE:
            raise UserError(
                f"You have asked for {MOST_OF_ONE} reviews that are not made yet. Ask for this one once one of them is "
                "there."
            )
        if len(self._making) >= MOST:
            raise UserError(f"{MOST} reviews are waiting to be made. Ask for this one again in a few minutes.")

    async def _page(self, screen: GameUI, reel: Replay, review: Review) -> Page:
        assert isinstance(screen, HasReview)
        card = await self._reels.card(reel)
        return await self._tables.at_leisure(review_page, screen, screen.review, review, reel.states, card)

    async def _moment(self, screen: GameUI, reel: Replay, review: Review, number: int) -> Page | None:
        assert isinstance(screen, HasReview)
        card = await self._reels.card(reel)
        return await self._tables.at_leisure(moment_page, screen, screen.review, review, reel.states, card, number)

    def _how_far(self, making: Making) -> Page:
        return working_page(making.screen, making.reel.row.id, making.done, making.moves)

    async def _newest(self, making: Making) -> Page:
        """Return what those are to see who wait: how far it is, the review, or that there will be none."""
        if not making.over:
            return self._how_far(making)
        if making.review is None:
            return Page((Text("⚠ This game could not be reviewed. `/replay` shows it again."),), making.screen.colour)
        return await self._page(making.screen, making.reel, making.review)

    async def _make(self, making: Making, words: GameReview) -> None:
        """Make a review, and let whoever waits for it see how far it is, and at last the review."""
        table = making.reel.row.id
        try:
            making.review = await self._made(making, words)
            self._kept[table] = making.review
        finally:
            making.over = True
            del self._making[table]
            await self._tell_the_end(making)

    async def _made(self, making: Making, words: GameReview) -> Review:
        game, reel, reviewer = making.screen.game, making.reel, words.reviewer
        loop = asyncio.get_running_loop()
        asked = await self._tables.at_leisure(questions, game, reel.states, reel.deeds)
        put: list[Question] = []
        answers: list[Answer] = []
        told = loop.time()
        async with self._tables.aside() as pool:
            while len(answers) < len(asked):
                start = len(answers)
                batch = await self._tables.at_leisure(written, game, reel.states, asked[start : start + BATCH])
                found = await loop.run_in_executor(pool, answered, reviewer, batch, SLICE_S)
                put += batch[: len(found)]
                answers += found
                making.done = sum(one.action is not None for one in put)
                if loop.time() >= told + PACE_S:
                    told = loop.time()
                    await self._tell(making)
        notes = await self._tables.at_leisure(lambda: tuple(noted(reviewer, reel.states, reel.deeds)))
        return put_together(game, reel.states, put, answers, notes)

    async def _tell(self, making: Making) -> None:
        """Bring up to date what those see who wait for a review. Nobody waits any more who has seen how it ended, or
        whose page is gone.
        """
        client, table = self._tables.client, making.reel.row.id
        async with making.telling:
            over, page = making.over, await self._newest(making)
            for landed in list(making.waiting):
                try:
                    stands = await landed.try_edit(client, self._tables.clock.now(), page, table, 0)
                except API_ERRORS as error:
                    log.info("table %s: a page that waits for a review was not brought up to date: %s", table, error)
                    continue
                if over or not stands:
                    making.waiting.remove(landed)

    async def _tell_the_end(self, making: Making) -> None:
        """Let those who wait see how it ended; who could not be told is told again by and by."""
        await self._tell(making)
        if making.waiting:
            self._tables.spawn(self._tell_again(making), f"review-{making.reel.row.id}")

    async def _tell_again(self, making: Making) -> None:
        """Tell those who still wait how it ended, ever more rarely, as long as their pages can be edited."""
        times = 0
        while making.waiting:
            times += 1
            await asyncio.sleep(backoff(times, AGAIN_FROM_MS, AGAIN_AT_MOST_MS) / 1_000)
            await self._tell(making)
