"""Counts what went wrong with calls to Discord lately, and sets the clock by the dates of its answers."""

import contextlib
import logging
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Literal, get_args

import aiohttp

from cogs.core.i18n.translation import ENGLISH, ngettext, speaking
from cogs.core.ops import discord_errors
from cogs.core.ops.api_status import ApiStatus
from cogs.core.ops.timers import Clock
from engine.contract import Moment

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger(__name__)

WINDOW_MS = 10 * 60_000
"""Discord counts invalid requests over ten minutes."""

BANNED_AT = 10_000
"""This many invalid requests within the window block an address for a while."""

Trouble = Literal["forbidden", "limited", "failed", "closed", "answered", "unknown"]
"""403, 429, 5xx; a direct message that its reader does not accept (also a 403); an interaction that another process has
answered; a control on one of the bot's messages whose table the database does not know.
"""

DUPLICATE_BOT_AT = 3
"""With this many of the last two kinds, a second bot probably runs with the same token."""

WARN_EVERY_MS = 60_000
"""How often the log warns of a second bot."""


async def _blocked_on_the_way(answer: aiohttp.ClientResponse) -> bool:
    """Return True if a call has not reached Discord: nobody can play while answers to presses share that fate."""
    if discord_errors.never_reached_discord(answer):
        return True
    # aiohttp keeps the body, so discord.py reads the same again.
    return answer.status == 403 and str(discord_errors.BLOCKED_ON_THE_WAY).encode() in await answer.read()


_perhaps_answered: ContextVar[bool] = ContextVar("perhaps_answered", default=False)
"""Whether another process of this bot may have answered what this task answers."""


@contextlib.contextmanager
def perhaps_answered() -> Iterator[None]:
    """Do not count it as another bot's doing if what is answered here has been answered already."""
    token = _perhaps_answered.set(True)
    try:
        yield
    finally:
        _perhaps_answered.reset(token)


class RestErrors:
    """Counts troubles of the last ten minutes, and knows how many sessions may be started."""

    def __init__(self, clock: Clock, metrics: "Metrics | None", api: ApiStatus) -> None:
        self._clock = clock
        self._api = api
        self._metrics = metrics
        self._moments: dict[Trouble, deque[Moment]] = {kind: deque(maxlen=BANNED_AT) for kind in get_args(Trouble)}
        self._strangers: dict[int, Moment] = {}  # who pressed a control of an unknown table last when
        self._warned: Moment | None = None
        self._date: str | None = None  # of the last answer
        self._starts: tuple[int, Moment] | None = None

    async def count_answer(
        self, messages: aiohttp.ClientSession, context: object, call: aiohttp.TraceRequestEndParams
    ) -> None:
        """Count the answer to one of our calls, for `aiohttp.TraceConfig.on_request_end`."""
        answer = call.response
        date = answer.headers.get("Date")
        if date is not None and date != self._date:  # it changes once a second
            self._date = date
            with contextlib.suppress(ValueError):  # a proxy may send any date
                self._clock.received(Moment(int(parsedate_to_datetime(date).timestamp()) * 1_000))
        status = answer.status
        if status < 500 and not (status in (403, 429) and await _blocked_on_the_way(answer)):
            self._api.answered_at = self._clock.now()
            if self._api.in_doubt:
                self._api.answered()
        else:
            self._api.failed()
        if self._metrics is not None:
            self._metrics.count_call(answer.method, answer.url.path, status, answer.headers.get("X-RateLimit-Scope"))
        if status == 403:
            self.count("forbidden")
        elif status == 429:
            self.count("limited")
        elif status == 400 and answer.url.path.endswith("/callback") and not _perhaps_answered.get():
            if str(discord_errors.ALREADY_ACKNOWLEDGED).encode() in await answer.read():
                self.count("answered")
        elif status >= 500:
            self.count("failed")

    def count_lost_call(self, method: str, path: str) -> None:
        """Count a call without a response."""
        self._api.failed()
        if self._metrics is not None:
            self._metrics.count_call(method, path, None, None)

    def count(self, kind: Trouble) -> None:
        """Count a trouble."""
        now = self._clock.now()
        self._moments[kind].append(now)
        if kind in ("answered", "unknown") and (self._warned is None or now - self._warned >= WARN_EVERY_MS):
            with speaking(ENGLISH):
                warning = self.duplicate_bot_warning()
            if warning is not None:
                self._warned = now
                log.warning("%s", warning)

    def count_unknown(self, user: int) -> None:
        """Count a control of a table that the database does not know. Anybody can forge those: a person counts once."""
        now = self._clock.now()
        recent = {person: at for person, at in self._strangers.items() if at >= now - WINDOW_MS}
        known = user in recent
        self._strangers = recent | {user: now}
        if not known:
            self.count("unknown")

    def note_session_starts(self, left: int | None, until: Moment) -> None:
        """Note how few session starts are left until a moment, too few to use one; None if there are enough."""
        before, self._starts = self._starts, None if left is None else (left, until)
        if self._starts is not None and before is None:
            until_words = datetime.fromtimestamp(until / 1_000, UTC)
            log.error(
                "Discord lets this bot begin %s more sessions until %s UTC, and one too many resets its token: shards "
                "that have lost theirs wait until then",
                left,
                f"{until_words:%H:%M}",
            )
        elif before is not None and self._starts is None:
            log.info("Discord lets this bot begin sessions again")

    @property
    def waits_until(self) -> Moment | None:
        """Until when no session may be started; None if one may."""
        return None if self._starts is None or self._starts[1] <= self._clock.now() else self._starts[1]

    def session_start_warning(self) -> str | None:
        """Return a warning if too few session starts are left to use one."""
        if self._starts is None or self.waits_until is None:
            return None
        left, until = self._starts
        return ngettext(
            "Discord lets this bot start only {n} more session until {when}, and one too many resets its token. "
            "Lost connections stay lost until then. Find out why so many connections were started.",
            "Discord lets this bot start only {n} more sessions until {when}, and one too many resets its token. "
            "Lost connections stay lost until then. Find out why so many connections were started.",
            left,
            when=f"<t:{until // 1_000}:t>",
        )

    def duplicate_bot_warning(self) -> str | None:
        """Return a warning if it seems that another bot runs with the same token on another database."""
        # A call is repeated if its response was lost, so Discord's own failures explain some of the refusals.
        answered = max(0, self.recent("answered") - self.recent("failed"))
        unknown = self.recent("unknown")
        if answered + unknown < DUPLICATE_BOT_AT:
            return None
        return ngettext(
            "Another bot seems to run with the same token on another database: in the last ten minutes, {answered} "
            "interactions had already been answered, and {n} person pressed buttons of tables that this database "
            "doesn't know. Stop the other bot or reset the token, or set DATABASE to the right file.",
            "Another bot seems to run with the same token on another database: in the last ten minutes, {answered} "
            "interactions had already been answered, and {n} people pressed buttons of tables that this database "
            "doesn't know. Stop the other bot or reset the token, or set DATABASE to the right file.",
            unknown,
            answered=answered,
        )

    def recent(self, kind: Trouble) -> int:
        """Return how often this happened in the last ten minutes."""
        seen, since = self._moments[kind], self._clock.now() - WINDOW_MS
        while seen and seen[0] < since:
            seen.popleft()
        return len(seen)
