"""The answer to one interaction: given once, in time, and within Discord's limits.

Handlers answer through the interaction's `Responder` only. An answer that takes longer than a second and a half is
deferred, and follows by the interaction's token; once that has expired, the interaction can no longer be answered.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import discord
from discord import app_commands

from cogs.core.i18n.translation import N_, _
from cogs.core.ops import discord_errors
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.custom_ids import FRESH, next_fresh, parse_press
from cogs.core.pages.page import Modal, Page
from cogs.core.publishing import components_v2
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.fast_discord import TOKEN_CALLS
from cogs.core.publishing.forms import Form, private_sentence, simpler_form, without_pictures
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.token_calls import ORIGINAL, SentMessage

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFER_AFTER_S = 1.5
"""An answer is deferred after this long; Discord itself waits 3 s for the first one."""

MAX_WAIT_S = 1.0
"""The longest that an edit waits for answers."""

MAX_COMPOSING = 2
"""How many edits are composed at the same time."""

MESSAGE_LIMIT = 2_000
"""Characters that Discord takes in a plain message."""

TOO_LATE_FOR_MODAL = N_("That took a moment too long, so the form can't open. Please try again.")

SORRY = N_(
    "Something went wrong on my side, but nothing in the game is lost. Try again; if it keeps happening, tell the "
    "bot's owner."
)

REFUSED_SENTENCE = N_("Discord won't let me say more about this. If you made a move, it went through.")

_RESPONDER = "cellblock.responder"

Stage = Literal["open", "held", "answered", "gone"]
"""How far an answer is: none was given, it is deferred, it was given, or its token is dead."""


@dataclass(frozen=True)
class Delivered(Generic[T]):
    """A call that took effect, with what it returned; None where its own answer was lost on the way."""

    value: T | None


def responder_for(interaction: discord.Interaction) -> "Responder":
    """Return the responder of an interaction that has come in."""
    responder = interaction.extras[_RESPONDER]
    assert isinstance(responder, Responder)
    return responder


def describe_interaction(interaction: discord.Interaction) -> str:
    """Return what somebody used, for the log."""
    try:
        control = parse_press(interaction.data or {})
    except UserError:
        return str(getattr(interaction.command, "qualified_name", "?"))
    return f"table {control.table}, {control.verb}"


def truncate(text: str) -> str:
    """Return a text that fits; one that is too long ends in "…", with its code block closed."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    tail = "…\n```" if text.count("```", 0, MESSAGE_LIMIT) % 2 else "…"
    return text[: MESSAGE_LIMIT - len(tail)] + tail


class PendingAnswers:
    """The presses that have not been answered yet.

    While there are any, edits that nobody waits for are not composed: on a busy bot answers come sooner, and one edit
    shows several moves.
    """

    def __init__(self) -> None:
        self._presses: set[object] = set()
        self._composing = asyncio.Semaphore(MAX_COMPOSING)
        self._none = asyncio.Event()
        self._none.set()

    @property
    def unanswered(self) -> int:
        """How many presses have not been answered yet."""
        return len(self._presses)

    def add(self, press: object) -> None:
        """Note a press that must be answered."""
        self._presses.add(press)
        self._none.clear()

    def remove(self, press: object) -> None:
        """Note that the answer to a press is on its way, or that none will come. May be called repeatedly."""
        self._presses.discard(press)
        if not self._presses:
            self._none.set()

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until an edit may be composed: when every press is answered, or after a second. Few are composed at the
        same time, so a new press finds few before it.
        """
        until = asyncio.get_running_loop().time() + MAX_WAIT_S
        async with self._composing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._none.wait()
            yield


class Responder:
    """The answer to one interaction; its timer runs from the beginning.

    Every method may be called at any time and any number of times: the first answers, what comes later follows up. None
    raises because Discord fails or has stopped listening; a call that Discord finds wrong is a bug, and raises.

    - `user`: the id of the person who is answered. `at`: when Discord received the interaction.
    - `in_direct_messages`: whether it is in somebody's direct messages with the bot.
    - `pressed_message`: the message that was pressed. `on_table`: everybody in the channel sees it. `on_private_page`:
      one person alone does, in the channel or in their direct messages, where it stays.
    - `fresh`: what changes the custom_ids of selects after one was used.
    """

    def __init__(self, interaction: discord.Interaction, markup: EmojiMarkup, answers: PendingAnswers) -> None:
        interaction.extras[_RESPONDER] = self
        self.interaction = interaction
        self.markup = markup
        self._answers = answers
        self.user, self.at = interaction.user.id, snowflake_time(interaction.id)
        self._lock = asyncio.Lock()
        self._stage: Stage = "open"
        self._failed = False
        self._refused = False  # whether Discord has refused an answer
        self._deferring: asyncio.Task[None] | None = None
        message, on_server = interaction.message, interaction.guild_id is not None
        self.in_direct_messages = not on_server and not interaction.context.private_channel
        self.on_table = message is not None and on_server and not message.flags.ephemeral
        self.pressed_message = None if message is None else message.id
        data: Mapping[str, Any] = interaction.data or {}
        self.fresh = next_fresh(data) if "values" in data else 0
        self.on_private_page = message is not None and not self.on_table
        self._timer: asyncio.TimerHandle | None = None
        if interaction.type is not discord.InteractionType.autocomplete:
            answers.add(self)
            self._timer = asyncio.get_running_loop().call_later(DEFER_AFTER_S, self._defer_soon)

    # Answers

    async def send_private(self, sentence: str, file: discord.File | None = None) -> None:
        """Send the asker a private sentence."""
        words = truncate(self.markup.commands.text(sentence))
        files = [] if file is None else [file]

        def call() -> Awaitable[Any]:
            for each in files:
                each.reset()
            if self._stage == "open":
                return self.interaction.response.send_message(words, files=files, ephemeral=True)
            if self._stage == "held" and self.pressed_message is None:
                return self.interaction.edit_original_response(content=words, attachments=files)
            return self.interaction.followup.send(words, files=files, ephemeral=True)

        async with self._lock:
            try:
                await self._call(call)
            except discord.HTTPException as error:
                log.warning("interaction %s: Discord refused a sentence: %s", self.interaction.id, error)
                words, files = _(REFUSED_SENTENCE), []
                await self._call(call)

    async def send_public(self, sentence: str) -> bool:
        """Answer so that the whole channel reads it. Return False where that is no longer possible: say it there by
        another message.
        """
        async with self._lock:
            if self._stage != "open":
                return False
            words = truncate(sentence)
            return await self._call(lambda: self.interaction.response.send_message(words)) is not None

    async def show(
        self, page: Page, table: int | str = 0, stamp: int = 0, *, new_message: bool = False
    ) -> InteractionMessage | None:
        """Show the asker a page, without pictures or as one sentence if Discord refuses it: on the private page that
        they pressed, or in a new message. Table 0 is none, and a name is that of a lesson. Return the message, as far
        as it is known.
        """
        plain, form = page, Form.FULL
        page = self.markup.page(plain)
        while True:
            try:
                return await self.show_marked_up(page, table, stamp, new_message=new_message)
            except discord.HTTPException as error:
                if form is Form.FULL and self.markup.emoji.refused(error):
                    page = self.markup.page(plain)
                    continue
                simpler = simpler_form(form, error)
                if simpler is None:
                    raise
                log.warning("interaction %s: Discord refused a page: %s", self.interaction.id, error)
                form, page = simpler, without_pictures(page) if simpler is Form.TEXT else private_sentence()

    async def show_marked_up(
        self, page: Page, table: int | str, stamp: int, *, new_message: bool = False
    ) -> InteractionMessage | None:
        """Show the asker a page that has its mentions and emoji, as `show` does; raises what Discord refuses."""
        written = components_v2.Layout(page, table, stamp if stamp >= FRESH else stamp + self.fresh)
        on_panel, ephemeral, original = self.on_private_page and not new_message, not self.in_direct_messages, True

        def call() -> Awaitable[SentMessage | None]:
            nonlocal original
            original = self._stage == "open" or (self._stage == "held" and (on_panel or self.pressed_message is None))
            if self._stage == "open":
                hidden = ephemeral and not on_panel
                return TOKEN_CALLS.answer(self.interaction, written, new_message=not on_panel, ephemeral=hidden)
            if original:
                return self._edit_original(written)
            return TOKEN_CALLS.follow_up(self.interaction, written, ephemeral=ephemeral)

        async with self._lock:
            given = await self._call(call)
        if given is None:
            return None
        pressed = self.pressed_message if original and self.on_private_page else None
        number = pressed if given.value is None else given.value.number
        if number is None:
            return None
        answer = self._message(number, original=original)
        answer.note_pictures(written.pictures, given.value)
        return answer

    def _edit_original(self, page: components_v2.Layout) -> Awaitable[SentMessage]:
        interaction = self.interaction
        client, application = interaction.client, interaction.application_id
        return TOKEN_CALLS.edit(client, application, interaction.token, ORIGINAL, page, page.pictures)

    def _message(self, message: int, *, original: bool = True) -> InteractionMessage:
        """Return a message that has answered, or on which the press was, as one to be changed by this token."""
        interaction = self.interaction
        return InteractionMessage(interaction.application_id, interaction.token, message, original, self.at)

    async def post(self, page: Page, table: int, stamp: int) -> InteractionMessage | None:
        """Post a public message as the answer to a command, and return it. None: it must be posted by another call, and
        the asker still needs an answer.
        """
        async with self._lock:
            if self._stage != "open":
                return None
            written = components_v2.Layout(page, table, stamp)
            given = await self._call(lambda: TOKEN_CALLS.answer(self.interaction, written, new_message=True))
            if given is not None and given.value is not None:
                return self._message(given.value.number)
            return await self._find_answer() if given is not None or self._failed else None

    async def _find_answer(self) -> InteractionMessage | None:
        """Return the message by which a call has answered that took effect, though its own answer was lost."""
        found = await self._original()
        if found is None:
            return None
        self._stage = "answered"
        return self._message(found.id)

    async def _original(self) -> discord.InteractionMessage | None:
        """Return the interaction's own message as Discord has it; None if there is none, or Discord does not say."""
        try:
            return await self.interaction.original_response()
        except (*discord_errors.API_ERRORS, discord.ClientException) as error:
            log.info("interaction %s has no answer that is known: %s", self.interaction.id, error)
            return None

    async def update(self, page: Page, table: int, stamp: int) -> InteractionMessage | None:
        """Show this page on the message that was pressed. Return the message if it certainly shows the page now."""
        async with self._lock:
            if self._stage not in ("open", "held") or self.pressed_message is None:
                return None
            written = components_v2.Layout(page, table, stamp + self.fresh)
            given = await self._call(
                lambda: (
                    TOKEN_CALLS.answer(self.interaction, written, new_message=False, files=False)
                    if self._stage == "open"
                    else self._edit_original(written)
                )
            )
            return None if given is None or given.value is None else self._message(self.pressed_message)

    async def open_modal(self, form: Modal, table: int | str, stamp: int) -> None:
        """Open a modal. It must be the first answer: if it is too late for that, the asker is told to try again."""
        async with self._lock:
            if self._stage == "open":
                modal = components_v2.modal(form, table, stamp)
                if await self._call(lambda: self.interaction.response.send_modal(modal)) is not None:
                    return
        await self.send_private(_(TOO_LATE_FOR_MODAL))

    async def autocomplete(self, choices: Sequence[app_commands.Choice[Any]]) -> None:
        """Answer a completion."""
        async with self._lock:
            if self._stage == "open":
                await self._call(lambda: self.interaction.response.autocomplete(list(choices)))

    # Time

    async def defer(self) -> None:
        """Defer the answer, unless it was given."""
        async with self._lock:
            if self._stage != "open":
                return
            given = await self._call(self._deferred)
            if given is not None and given.value is not None:
                self._stage = "held"

    async def _deferred(self) -> Literal[True]:
        """Defer the answer, unless that was done by another call. Raises `API_ERRORS`."""
        if self._stage == "open":
            if self.pressed_message is not None:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=not self.in_direct_messages, thinking=True)
        return True

    async def finish(self) -> None:
        """Stop the timer, and make sure that the interaction has an answer: a handler that gave none is a bug, and the
        asker gets an apology, unless they pressed on a message, which stays as it was.
        """
        self._answers.remove(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await asyncio.gather(self._deferring, return_exceptions=True)
        if self._failed or self._stage in ("answered", "gone"):
            return
        if not (self.pressed_message is not None or self._refused):
            log.error(
                "interaction %s (%s) was left unanswered", self.interaction.id, describe_interaction(self.interaction)
            )
        try:
            if self.pressed_message is not None:
                await self.defer()
            else:
                await self.send_private(_(REFUSED_SENTENCE if self._refused else SORRY))
        except discord.HTTPException as error:
            log.warning("interaction %s: Discord takes no answer: %s", self.interaction.id, error)

    def _defer_soon(self) -> None:
        if self._stage == "open" and not self._lock.locked():
            self._deferring = asyncio.create_task(self.defer(), name=f"hold-{self.interaction.id}")

    async def _call(self, call: Callable[[], Awaitable[T]]) -> "Delivered[T] | None":
        """Make the call that fits how far the answer is. Return None where it reached nobody, or not provably."""
        self._answers.remove(self)
        if self._stage == "gone":
            return None
        try:
            value = await call()
        except discord_errors.API_ERRORS as error:
            if not isinstance(error, discord.HTTPException) or discord_errors.is_transient(error):
                log.warning("interaction %s could not be answered: %s", self.interaction.id, error)
                self._failed = True
                return None
            if error.code == discord_errors.ALREADY_ACKNOWLEDGED:
                return await self._after_unknown_answer(call)
            if error.code in discord_errors.EXPIRED_TOKEN:
                log.info("interaction %s: nobody is left to tell: %s", self.interaction.id, error)
                self._stage = "gone"
                return None
            self._refused = True
            if error.code != discord_errors.UNKNOWN_MESSAGE:
                raise
            log.info("interaction %s: its message is gone", self.interaction.id)
            return None
        self._stage = "answered"
        return Delivered(value)

    async def _after_unknown_answer(self, call: Callable[[], Awaitable[T]]) -> "Delivered[T] | None":
        """Go on where the interaction has an answer that we know nothing of: by a call whose response was lost, or by
        the process that served this server before. One that was only deferred still needs the answer.
        """
        if self._stage == "held":
            return None  # this call can only be the first answer
        if await self._only_deferred():
            self._stage = "held"
            return await self._call(call)
        self._stage = "answered"
        return Delivered(None)

    async def _only_deferred(self) -> bool:
        """Return True if the interaction was deferred, or answered by a change of the message that was pressed."""
        if self.interaction.type is discord.InteractionType.autocomplete:
            return False
        found = await self._original()
        return found is not None and (found.flags.loading or found.id == self.pressed_message)
