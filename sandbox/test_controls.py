"""What tests can read from a sandbox, and the faults they can order."""

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
    """Controls of a sandbox for tests, beside what people do."""

    def __init__(self, settings: Settings, state: State, gateway: Gateway, faults: list[Fault]) -> None:
        self.settings = settings
        self.state = state
        self._gateway = gateway
        self._faults = faults

    # ---------------------------------------------------------------- reading

    @property
    def calls(self) -> list[Call]:
        """Every REST call: method, path template, path, status, milliseconds."""
        return self.state.calls

    @property
    def violations(self) -> list[Violation]:
        """Every rule that the bot broke; a test fails if there is one."""
        return self.state.violations

    @property
    def online(self) -> bool:
        """True while the bot is connected."""
        return self._gateway.online

    @property
    def sessions(self) -> list[Session]:
        """The bot's sessions, oldest first: ``shard`` is (number, count), ``connection`` is None while disconnected."""
        return self._gateway.sessions

    @property
    def starts_left(self) -> int:
        """The number of sessions that the bot may still start today."""
        return int(self._gateway.start_limit()["remaining"])

    @property
    def bot_id(self) -> str:
        """The bot's user id, which is also the application's id."""
        return self.state.bot.id

    def commands(self, guild: Guild | None = None) -> list[Json]:
        """Return the commands that the bot registered, globally or in one server."""
        return list(self.state.commands[None if guild is None else guild.id].values())

    def message(self, message: Json | str) -> Json | None:
        """Return the current version of a message, or None if it was deleted."""
        found = self.state.messages.get(message if isinstance(message, str) else message["id"])
        return None if found is None else found.json

    def messages(self, channel: Channel) -> list[Json]:
        """Return all messages of a channel, everybody's ephemeral ones included, oldest first."""
        return [message.json for message in channel.messages.values()]

    def file(self, url: str) -> bytes:
        """Return the bytes of an attachment by its address; raises KeyError if it was deleted."""
        return self.state.files[url.split("/")[-2]].data

    async def until(self, question: Callable[[], T], timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109 (the error says what was seen last)
        """Return the first true value of a question, asked again after every change of the state.

        Raises TimeoutError after ``timeout`` seconds.
        """
        return await self.state.until(question, timeout, lambda: "\n".join(map(str, self.violations[-3:])))

    async def bot_ready(self, timeout: float = PATIENCE_S) -> None:  # noqa: ASYNC109 (as until)
        """Wait until the bot is connected."""
        await self.until(lambda: self.online, timeout)

    # ---------------------------------------------------------------- faults and time

    @property
    def limits_on(self) -> bool:
        """True while rate limits apply; benchmarks turn them off."""
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
        """Grant exactly these privileged intents. Raises ValueError for one that does not exist."""
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
        body: Json | str | None = None,
        drop: bool = False,
        after: int = 0,
    ) -> None:
        """Order a fault for the next matching calls, after ``after`` of them have succeeded.

        ``path_pattern`` is a template ("/channels/{channel_id}/messages") or a path with ``*``, relative to the API's
        base URL; ``method`` may be "*". The bot gets ``status``; status 0 cuts the connection. With ``drop`` the call
        is handled and only its response is lost. A 429 takes ``retry_after`` from ``body`` (default 0.05 s). A ``body``
        of text is a page of the network in front of Discord, such as Cloudflare's of a blocked address.
        """
        self._faults.append(Fault(method, path_pattern, status, times, body, drop, after))

    def deliver_again(self, times: int) -> None:
        """Deliver each interaction this many times more from now on, right after the first."""
        self._gateway.redelivers = times

    def redeliver(self) -> None:
        """Deliver the last interaction once more."""
        self._gateway.redeliver()

    def redeliver_message(self, message: Json) -> None:
        """Deliver a message once more; raises KeyError if it was deleted."""
        self._gateway.message_again(self.state.messages[message["id"]])

    def block_word(self, word: str) -> None:
        """Refuse messages and edits that contain a word from now on, as AutoMod does, also in answers."""
        self.settings.blocked_words.add(word)

    def mend(self) -> None:
        """Cancel all ordered faults, and block no word."""
        self._faults.clear()
        self.settings.blocked_words.clear()

    def refuse_gateway(self) -> None:
        """Refuse every identify and resume until `open_gateway`."""
        self._gateway.refuse(4000)

    def open_gateway(self) -> None:
        """Accept identifies and resumes again."""
        self._gateway.refuse(None)

    async def disconnect(self, resumable: bool = True, session: Session | None = None, code: int = 4000) -> None:
        """Close the connection of one session or of all, with a close code; unless ``resumable`` the bot must identify
        again.
        """
        await self._gateway.disconnect(session, code, resumable=resumable)

    def ask_to_reconnect(self, session: Session) -> None:
        """Ask the bot to reconnect and resume a session (op 7), as Discord does before a restart."""
        self._gateway.ask_to_reconnect(session)

    def invalidate(self, session: Session, resumable: bool = False) -> None:
        """Tell the bot that a session is invalid (op 9): to be resumed, or for good."""
        self._gateway.invalidate(session, resumable=resumable)

    def refuse_sessions(self, code: int) -> None:
        """Close the gateway with this code on every identify and resume from now on."""
        self._gateway.refuse(code)

    def lose_token(self, answer: ActionResult) -> None:
        """Answer calls by this action's token with 404 from now on, as happens before a token expires now and then."""
        answer.interaction.token_lost = True

    def age(self, message: Json, ms: int) -> None:
        """Make a message older, for the limit on edits after an hour; raises KeyError if it was deleted."""
        self.state.messages[message["id"]].aged_ms += ms

    def move_clock(self, ms: int) -> None:
        """Move the clock that ids, timestamps and the age of tokens are based on."""
        self.state.clock.offset_ms += ms

    def stop_clock(self) -> None:
        """Stop that clock: from now on only ``move_clock`` moves it, however busy the machine is."""
        self.state.clock.stop()
