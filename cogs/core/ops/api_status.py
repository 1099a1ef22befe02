"""Whether Discord's API answers: a circuit breaker for the whole bot. While it does not, one probe at growing intervals
takes the place of all calls that nobody has asked for.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock, Scheduler, backoff
from engine.contract import Moment

log = logging.getLogger(__name__)

FAILURES = 3
"""After this many failures in a row a probe decides whether the API is down."""

PROBE_MS = (1_000, 60_000)
"""While the API is down it is probed again after this long, doubled each time, and at most after this."""

PROBED_MS = 2_000
"""How long messages wait beyond a probe, so that they need not look again while it is under way."""

PROOF_MS = 120_000
"""A proof that is older than this is renewed at the next heartbeat."""

FRESH_MS = 2_000
"""Before a clock runs out, the API must have answered within this time."""

PROBE_WITHIN_S = 8.0
"""A probe that takes longer has failed."""


class ApiDown(aiohttp.ClientError):
    """A call that nobody has asked for did not go out, since Discord's API does not answer."""

    def __init__(self) -> None:
        super().__init__("Discord's API does not answer.")


class ApiStatus:
    """Records how calls to Discord end. `probe` makes one harmless call, and raises `API_ERRORS` if it fails.

    - `answered_at`: when it answered last.
    - `down_since`: the last answer before the API went down; None while it answers.
    - `in_doubt`: whether the last call has failed.
    - `retry_at`: until when calls wait that nobody has asked for; None if they need not.
    - `listeners` are called whenever it goes down or is back.
    """

    def __init__(self, clock: Clock, scheduler: Scheduler, probe: Callable[[], Awaitable[object]]) -> None:
        self.down_since: Moment | None = None
        self.listeners: list[Callable[[], None]] = []
        self._clock = clock
        self._probe = probe
        self.answered_at = clock.now()
        self.in_doubt = False
        self._failures = 0  # in a row
        self._probes = 0  # that have failed since it went down
        self.retry_at: Moment | None = None
        self._asking: asyncio.Task[None] | None = None
        self._next = scheduler.job("the check whether Discord answers", self.check)

    # What calls have shown

    def answered(self) -> None:
        """Note an answer of any kind but a failure of Discord's own. Does not block."""
        self.answered_at = self._clock.now()
        self.in_doubt, self._failures, self.retry_at = False, 0, None
        if self.down_since is not None:
            log.info("Discord's API answers again")
            self.down_since, self._probes = None, 0
            self._tell()

    def failed(self) -> None:
        """Note that Discord failed to answer a call, or was not reached. Does not block."""
        self.in_doubt = True
        self._failures += 1
        if self._failures >= FAILURES and self.retry_at is None:
            self._wait(0)

    def _wait(self, ms: int) -> None:
        self.retry_at = Moment(self._clock.now() + ms + PROBED_MS)
        self._next.set_in(ms)

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()

    # Probes

    async def check(self) -> None:
        """Make a probe, or wait for the one under way."""
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask(), name="api-probe")
        await asyncio.shield(self._asking)

    async def _ask(self) -> None:
        try:
            async with asyncio.timeout(PROBE_WITHIN_S):
                await self._probe()
        except (*discord_errors.API_ERRORS, TimeoutError) as error:
            if not isinstance(error, TimeoutError) and not discord_errors.is_transient(error):
                self.answered()  # a refusal is an answer
                return
            self.in_doubt = True
            self._probes += 1
            if self.down_since is None:
                log.error("Discord's API does not answer: clocks stop, and calls that nobody has asked for wait")
                self.down_since = self.answered_at
                self._tell()
            self._wait(backoff(self._probes, *PROBE_MS))
        else:
            self.answered()
        finally:
            self._asking = None

    async def prove(self) -> None:
        """Find out whether the API answers, unless it has within the last seconds."""
        if self.down_since is None and (self.in_doubt or self._clock.now() - self.answered_at > FRESH_MS):
            await self.check()

    async def renew_proof(self) -> None:
        """Make a probe if there was no call for a while, so that an outage is not counted from much too early."""
        if self.down_since is None and self._clock.now() - self.answered_at > PROOF_MS:
            await self.check()
