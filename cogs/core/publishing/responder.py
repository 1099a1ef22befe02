"""The answer to one interaction: given once, in time, and within what Discord takes.

Whoever serves an interaction answers through its `Reply` and nothing else. What is not answered after a second and a
half is deferred, and the answer follows by the interaction's token; a token that has died means that nobody is left to
tell.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

import discord
from discord import app_commands

from cogs.core.ops import discord_errors
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.custom_ids import parse_press
from cogs.core.pages.page import Modal, Page
from cogs.core.publishing import components_v2, wire
from cogs.core.publishing.answers_first import Answering
from cogs.core.publishing.app_emoji import markup_of
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.wire import Sent

log = logging.getLogger(__name__)

T = TypeVar("T")

HOLD_AFTER_S = 1.5
"""What is not answered by then is deferred; Discord itself waits 3 s for the first answer."""

MESSAGE_LIMIT = 2_000
"""Characters that Discord takes in a plain message."""

TOO_LATE_FOR_A_FORM = "That took a moment too long, and the form cannot open any more. Please try once more."

SORRY = (
    "Something went wrong on my side, and nothing of the game is lost. Try "
    "again; if it stays so, tell whoever runs the bot."
)

_REPLY = "cellblock.reply"

Stage = Literal["open", "held", "answered", "gone"]
"""How far an answer is: none was given, it is deferred, it was given, or its token is dead."""


@dataclass(frozen=True)
class Given(Generic[T]):
    """A call that took effect, with what it returned; None where its own answer was lost on the way."""

    value: T | None


def reply_to(interaction: discord.Interaction) -> "Reply":
    """Return the reply of an interaction; its clock runs from the first call on."""
    present = interaction.extras.get(_REPLY)
    if isinstance(present, Reply):
        return present
    reply = interaction.extras[_REPLY] = Reply(interaction)
    return reply


def called(interaction: discord.Interaction) -> str:
    """Return what somebody used, for the log."""
    try:
        control = parse_press(interaction.data or {})
    except UserError:
        return str(getattr(interaction.command, "qualified_name", "?"))
    return f"table {control.table}, {control.verb}"


def shortened(text: str) -> str:
    """Return a text that fits; one that is too long ends in "…", with its code block closed."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    tail = "…\n```" if text.count("```", 0, MESSAGE_LIMIT) % 2 else "…"
    return text[: MESSAGE_LIMIT - len(tail)] + tail


class Reply:
    """The answer to one interaction.

    Every method may be called at any time and any number of times: the first answers, what comes later follows up. None
    raises because Discord fails or has stopped listening; a call that Discord finds wrong is a bug, and raises.

    `with_us`: it was asked for in somebody's direct messages with the bot. `pressed`: the message on which a press was;
    `on_table`, whether everybody in the channel sees that one, and `on_panel`, whether one person alone does.
    """

    def __init__(self, interaction: discord.Interaction) -> None:
        self._interaction = interaction
        self._turn = asyncio.Lock()
        self._stage: Stage = "open"
        self._failed = False
        self._unsure = False  # whether a deferral may have taken effect, though nobody heard of it
        self._holding: asyncio.Task[None] | None = None
        message, on_server = interaction.message, interaction.guild_id is not None
        self.with_us = not on_server and not interaction.context.private_channel
        self.on_table = message is not None and on_server and not message.flags.ephemeral
        self.pressed = None if message is None else message.id
        self._on_message = message is not None
        # A message that one person alone sees: in the channel, or in the direct messages with us, where it stays.
        self.on_panel = self._on_message and not self.on_table
        self._answers = cast(Answering, interaction.client).answers
        self._timer: asyncio.TimerHandle | None = None
        if interaction.type is not discord.InteractionType.autocomplete:
            self._answers.asked(self)
            self._timer = asyncio.get_running_loop().call_later(HOLD_AFTER_S, self._hold_soon)

    # What may be answered

    async def say(self, sentence: str, file: discord.File | None = None) -> None:
        """Tell the one who asked something, privately."""
        words = shortened(markup_of(self._interaction.client).commands.text(sentence))
        files = [] if file is None else [file]

        def call() -> Awaitable[Any]:
            for each in files:
                each.reset()
            if self._stage == "open":
                return self._interaction.response.send_message(words, files=files, ephemeral=True)
            if self._stage == "held" and not self._on_message:
                return self._interaction.edit_original_response(content=words, attachments=files)
            return self._interaction.followup.send(words, files=files, ephemeral=True)

        async with self._turn:
            await self._tell(call)

    async def announce(self, sentence: str) -> bool:
        """Answer so that the whole channel reads it. Return False where that is no longer possible: say it there by
        another message.
        """
        async with self._turn:
            if self._stage != "open":
                return False
            return await self._give(self._interaction.response.send_message(shortened(sentence))) is not None

    async def show(
        self, page: Page, table: int | str = 0, stamp: int = 0, *, anew: bool = False, marked: bool = False
    ) -> InteractionMessage | None:
        """Show a page to the one who asked: on the panel that they pressed, or on a fresh one, always with `anew`.
        Table 0 is none, and words name a lesson. `marked`: the page has our mentions and emoji already.

        Return where it stands, as far as that is known.
        """
        original, on_panel = True, self.on_panel and not anew
        if not marked:
            page = markup_of(self._interaction.client).page(page)

        def call() -> Awaitable[Sent | None]:
            nonlocal original
            written = components_v2.Layout(page, table, stamp)
            original = self._stage == "open" or (self._stage == "held" and (on_panel or not self._on_message))
            if self._stage == "open":
                ephemeral = not on_panel and not self.with_us
                return wire.answer(self._interaction, written, anew=not on_panel, ephemeral=ephemeral)
            if original:
                return self._edit_original(written)
            return wire.follow_up(self._interaction, written, ephemeral=not self.with_us)

        async with self._turn:
            given = await self._tell(call)
        if given is None:
            return None
        pressed = self.pressed if original and self.on_panel else None
        number = pressed if given.value is None else given.value.number
        if number is None:
            return None
        landed = self._at(number, original=original)
        landed.shows(page, given.value)
        return landed

    def _edit_original(self, page: components_v2.Layout) -> Awaitable[Sent]:
        interaction = self._interaction
        client, application = interaction.client, interaction.application_id
        return wire.edit(client, application, interaction.token, wire.ORIGINAL, page, page.pictures)

    def _at(self, message: int, *, original: bool = True) -> InteractionMessage:
        """Return a message that has answered, or on which the press was, as one to be changed by this token."""
        interaction = self._interaction
        return InteractionMessage(
            interaction.application_id, interaction.token, message, original, snowflake_time(interaction.id)
        )

    async def post(self, page: Page, table: int, stamp: int) -> InteractionMessage | None:
        """Post a message for all as the answer to a command, and return where it stands. None: it must be posted
        otherwise, and the asker is still to be answered.
        """
        async with self._turn:
            if self._stage != "open":
                return None
            given = await self._give(
                wire.answer(self._interaction, components_v2.Layout(page, table, stamp), anew=True)
            )
            if given is not None and given.value is not None:
                return self._at(given.value.number)
            return await self._find() if given is not None or self._failed else None

    async def _find(self) -> InteractionMessage | None:
        """Return the message by which a call has answered that took effect, though its own answer was lost."""
        try:
            found = await self._interaction.original_response()
        except (*discord_errors.API_ERRORS, discord.ClientException) as error:
            log.info("interaction %s was not answered: %s", self._interaction.id, error)
            return None
        self._stage = "answered"
        return self._at(found.id)

    async def update(self, page: Page, table: int, stamp: int) -> InteractionMessage | None:
        """Let the message that was pressed show this page. Return where it stands if it certainly shows it now."""
        async with self._turn:
            written = components_v2.Layout(page, table, stamp)
            call: Awaitable[Sent | None]
            if self._stage == "open":
                call = wire.answer(self._interaction, written, anew=False, files=False)
            elif self._stage == "held":
                call = self._edit_original(written)
            else:
                return None
            given = await self._give(call)
            if given is None or given.value is None or self.pressed is None:
                return None
            return self._at(self.pressed)

    async def ask(self, form: Modal, table: int | str, stamp: int) -> None:
        """Open a form. That must be the first answer: where it is too late for it, the asker is told to try again."""
        async with self._turn:
            if self._stage == "open":
                await self._give(self._interaction.response.send_modal(components_v2.modal(form, table, stamp)))
                return
        await self.say(TOO_LATE_FOR_A_FORM)

    async def suggest(self, choices: Sequence[app_commands.Choice[Any]]) -> None:
        """Answer a completion."""
        async with self._turn:
            if self._stage == "open":
                await self._give(self._interaction.response.autocomplete(list(choices)))

    # Time

    async def hold(self) -> None:
        """Tell Discord that the answer follows, unless it was given."""
        async with self._turn:
            if self._stage != "open":
                return
            response = self._interaction.response
            if self._on_message:
                given = await self._give(response.defer())
            else:
                given = await self._give(response.defer(ephemeral=not self.with_us, thinking=True))
            if given is not None:
                self._stage = "held"
            else:
                self._unsure = self._failed

    async def end(self) -> None:
        """Stop the clock, and let nobody wait whose interaction has been served: a handler that told them nothing is a
        bug, and says so, unless there is a message that stays as it was.
        """
        self._answers.answered(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._holding is not None:
            await asyncio.gather(self._holding, return_exceptions=True)
        if self._failed or self._stage in ("answered", "gone"):
            return
        if self._on_message:
            await self.hold()
        else:
            log.error("interaction %s (%s) was left unanswered", self._interaction.id, called(self._interaction))
            await self.say(SORRY)

    def _hold_soon(self) -> None:
        if self._stage == "open" and not self._turn.locked():
            self._holding = asyncio.create_task(self.hold(), name=f"hold-{self._interaction.id}")

    async def _tell(self, call: Callable[[], Awaitable[T]]) -> "Given[T] | None":
        """Make the call that fits how far the answer is; once more if it turns out that a deferral took effect after
        all, whose own answer was lost. Return what came of it.
        """
        if self._stage == "gone":
            return None
        given = await self._give(call())
        if self._unsure and given == Given(None):
            self._unsure, self._stage = False, "held"
            given = await self._give(call())
        return given

    async def _give(self, call: Awaitable[T]) -> "Given[T] | None":
        """Make a call that answers. Return None where it reached nobody, or not provably."""
        self._answers.answered(self)
        try:
            value = await call
        except discord_errors.UNREACHABLE as error:
            log.warning("interaction %s could not be answered: %s", self._interaction.id, error)
            self._failed = True
            return None
        except discord.HTTPException as error:
            if error.code in discord_errors.EXPIRED_TOKEN:
                log.info("interaction %s: nobody is left to tell: %s", self._interaction.id, error)
                self._stage = "gone"
            elif error.code == discord_errors.ALREADY_ACKNOWLEDGED:
                self._stage = "answered"
                return Given(None)
            elif error.code == discord_errors.UNKNOWN_MESSAGE:
                log.info("interaction %s: its message is gone", self._interaction.id)
            else:
                raise
            return None
        self._stage = "answered"
        return Given(value)
