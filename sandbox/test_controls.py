"""The tools of tests: what they look at in the sandbox, and the misfortunes that they order.

May import its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .client.responses import ActionResult
from .gateway.connection import Session
from .gateway.gateway import Gateway
from .rest.rate_limits import Fault
from .world.models import Channel, Guild, Json
from .world.settings import Call, Settings, Violation
from .world.state import PATIENCE_S, State

T = TypeVar("T")


class TestControls:
    """What a test may see of a sandbox and do to it, besides what people do."""

    def __init__(self, settings: Settings, state: State, gateway: Gateway, faults: list[Fault]) -> None:
        self.settings = settings
        self.state = state
        self._gateway = gateway
        self._faults = faults

    # ---------------------------------------------------------------- looking

    @property
    def calls(self) -> list[Call]:
        """Every REST call: method, path template, path, status, milliseconds."""
        return self.state.calls

    @property
    def violations(self) -> list[Violation]:
        """Every rule that the bot broke; a test fails when it is not empty."""
        return self.state.violations

    @property
    def online(self) -> bool:
        """Whether the bot is connected."""
        return self._gateway.online

    @property
    def sessions(self) -> list[Session]:
        """The bot's sessions, oldest first: ``shard`` is (number, of how many), ``connection`` None while away."""
        return self._gateway.sessions

    @property
    def starts_left(self) -> int:
        """How many more sessions the bot may begin today."""
        return int(self._gateway.start_limit()["remaining"])

    @property
    def bot_id(self) -> str:
        """The bot's user id, which is also the application's."""
        return self.state.bot.id

    def commands(self, guild: Guild | None = None) -> list[Json]:
        """The commands that the bot registered, globally or in one server."""
        return list(self.state.commands[None if guild is None else guild.id].values())

    def message(self, message: Json | str) -> Json | None:
        """The present version of a message, or None when it is gone."""
        found = self.state.messages.get(message if isinstance(message, str) else message["id"])
        return None if found is None else found.json

    def messages(self, channel: Channel) -> list[Json]:
        """All messages of a channel, everybody's ephemeral ones included, oldest first."""
        return [message.json for message in channel.messages.values()]

    def file(self, url: str) -> bytes:
        """The bytes of an attachment by its address; raises KeyError when it is gone."""
        return self.state.files[url.split("/")[-2]].data

    async def until(self, question: Callable[[], T], timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109 (it tells what was seen)
        """The first true answer to a question that is asked again after every change of the world.

        Raises TimeoutError after ``timeout`` seconds.
        """
        return await self.state.until(question, timeout, lambda: "\n".join(map(str, self.violations[-3:])))

    async def bot_ready(self, timeout: float = PATIENCE_S) -> None:  # noqa: ASYNC109 (as until)
        """Wait until the bot is connected."""
        await self.until(lambda: self.online, timeout)

    # ---------------------------------------------------------------- mischief

    @property
    def limits_on(self) -> bool:
        """Whether rate limits hold; benchmarks turn them off."""
        return self.settings.limits_on

    @limits_on.setter
    def limits_on(self, value: bool) -> None:
        self.settings.limits_on = value

    @property
    def privileged_intents(self) -> set[str]:
        """The privileged intents granted to the application: "members", "presences", "message_content"."""
        return self.settings.privileged_intents

    @privileged_intents.setter
    def privileged_intents(self, value: set[str]) -> None:
        """Grant these and no others. Raises ValueError for one that does not exist."""
        unknown = set(value) - {"members", "presences", "message_content"}
        if unknown:
            raise ValueError(f"no such privileged intents: {unknown}")
        self.settings.privileged_intents = set(value)

    def fault(
        self,
        method: str,
        path_pattern: str,
        status: int,
        times: int = 1,
        body: Json | None = None,
        drop: bool = False,
        after: int = 0,
    ) -> None:
        """Order a misfortune for the next calls that match, once ``after`` such calls have gone well.

        ``path_pattern`` is a template ("/channels/{channel_id}/messages") or a path with ``*``, relative to the API's
        base; ``method`` may be "*". The bot gets ``status``, or for status 0 a cut connection; with ``drop`` the call
        is handled all the same, and only its answer lost. A 429 takes ``retry_after`` from ``body`` (0.05 s without).
        """
        self._faults.append(Fault(method, path_pattern, status, times, body, drop, after))

    def mend(self) -> None:
        """Take back every misfortune that was ordered."""
        self._faults.clear()

    async def disconnect(self, resumable: bool = True, session: Session | None = None, code: int = 4000) -> None:
        """Cut one session off with a close code, or all of them; without ``resumable`` the bot must identify anew."""
        await self._gateway.disconnect(session, code, resumable=resumable)

    def ask_to_reconnect(self, session: Session) -> None:
        """Tell the bot to come back and resume a session, as Discord does before it restarts something (op 7)."""
        self._gateway.ask_to_reconnect(session)

    def invalidate(self, session: Session, resumable: bool = False) -> None:
        """Tell the bot that a session is no longer valid (op 9): to be resumed, or for good."""
        self._gateway.invalidate(session, resumable=resumable)

    def refuse_sessions(self, code: int) -> None:
        """From now on close the gateway with this code on every identify and resume, as Discord does for good."""
        self._gateway.refuse(code)

    def lose_token(self, answer: ActionResult) -> None:
        """From now on calls by the token of this act answer 404, as a token does now and then before its time."""
        answer.interaction.token_lost = True

    def age(self, message: Json, ms: int) -> None:
        """Make a message older, for the limit on edits after an hour; raises KeyError when it is gone."""
        self.state.messages[message["id"]].aged_ms += ms

    def move_clock(self, ms: int) -> None:
        """Move the clock by which ids and timestamps are made, and tokens grow old."""
        self.state.clock.offset_ms += ms

    def stop_clock(self) -> None:
        """Let that clock stand still from now on: then only ``move_clock`` moves it, however busy the machine is."""
        self.state.clock.stop()
