"""The life cycle of interactions: sent to the bot, answered once and in time, followed up while their token is valid.

REST routes call `Interactions.acknowledge`, `follow_up` and `by_token`; clients call `send` and wait for
``Interaction.answered``.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any

from sandbox.limits import check_callback
from sandbox.world.events import Dismissed
from sandbox.world.models import EPHEMERAL, LOADING, Channel, Json, Message, User
from sandbox.world.state import State

from .component_ids import finish_modal
from .errors import ApiError, unknown_interaction, unknown_message, unknown_webhook
from .interaction import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFER_UPDATE,
    MODAL,
    MODAL_SUBMIT,
    REPLY,
    THINKING,
    UPDATE,
    Interaction,
)
from .interaction_payloads import metadata, payload
from .message_json import render
from .messages import Draft, Upload, create, new_message, revise

_ANSWERS = {
    COMMAND: (REPLY, THINKING, MODAL),
    COMPONENT: (REPLY, THINKING, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    MODAL_SUBMIT: (REPLY, THINKING, DEFER_UPDATE, UPDATE),
}

NO_ANSWER = "This interaction failed"
OFFLINE = "The application did not respond: the bot is offline or not in this server"


class Interactions:
    """All interactions whose token is valid.

    ``dispatch`` sends one to the bot. It returns True if a connected session got it, or None if the bot has no session.
    """

    def __init__(self, state: State, dispatch: Callable[[Interaction, Json], bool | None]) -> None:
        self._state = state
        self._dispatch = dispatch
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[str, Interaction] = {}
        self._old: deque[Interaction] = deque()

    # ---------------------------------------------------------------- to the bot

    def send(self, interaction: Interaction, data: Json) -> None:
        """Send an action to the bot and start its three seconds."""
        loop = asyncio.get_running_loop()
        self._forget_old()
        self._by_token[interaction.token] = interaction
        self._by_id[interaction.id] = interaction
        self._old.append(interaction)
        wait = self._state.settings.answer_within_ms / 1000
        interaction.timer = loop.call_later(wait, self._fail, interaction)
        guild = interaction.channel.guild
        if guild is None or guild.bot_present or interaction.user.id in self._state.installed:
            reached = self._dispatch(interaction, payload(self._state, interaction, data))
        else:
            reached = None
        if reached is None:
            interaction.timer.cancel()
            interaction.failed = OFFLINE
            interaction.answered.set()

    def new(self, kind: int, user: User, channel: Channel, **more: Any) -> Interaction:
        """Create an interaction at the current time."""
        now = asyncio.get_running_loop().time()
        clock = self._state.clock
        identity = clock.snowflake()
        # As on Discord, the token contains the interaction's id, so tokens differ even if a test has fixed randomness.
        token = base64.urlsafe_b64encode(f"interaction:{identity}:{secrets.token_urlsafe(32)}".encode()).decode()
        return Interaction(identity, token.rstrip("="), kind, user, channel, now, clock.now_ms(), **more)

    def get(self, interaction_id: str) -> Interaction | None:
        """Return an interaction with a valid token by its id."""
        return self._by_id.get(interaction_id)

    def close(self) -> None:
        """Stop all timers."""
        for interaction in self._by_id.values():
            if interaction.timer is not None:
                interaction.timer.cancel()

    def _fail(self, interaction: Interaction) -> None:
        interaction.failed = NO_ANSWER
        interaction.answered.set()
        if interaction.answerable and not interaction.forged and not interaction.lost_answer:
            wait = self._state.settings.answer_within_ms / 1000
            self._state.record_violation(interaction.where, f"interaction not acknowledged within {wait:g} s")
        self._state.changed()

    def _forget_old(self) -> None:
        """Drop interactions whose token has expired by the sandbox's clock; an unanswered one keeps its three
        seconds.
        """
        while self._old and self._old[0].answered.is_set() and self._too_old(self._old[0]):
            interaction = self._old.popleft()
            del self._by_token[interaction.token]
            del self._by_id[interaction.id]
            original = interaction.original
            if original is not None and original.flags & LOADING and not original.deleted:
                by = f" by {interaction.answered_by}" if interaction.answered_by else ""
                self._state.record_violation(interaction.where, f"left thinking{by} until its token was too old")

    def _too_old(self, interaction: Interaction) -> bool:
        return self._state.clock.now_ms() - interaction.created_ms >= self._state.settings.token_life_ms

    # ---------------------------------------------------------------- from the bot

    def acknowledge(
        self, interaction_id: str, token: str, body: Json, uploads: dict[str, Upload], where: str
    ) -> Interaction:
        """Handle the bot's first response.

        Raises `ApiError` 10062 (unknown, or too late), 40060 (answered before) and `limits.Invalid`.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise unknown_interaction("an answer to an interaction that does not exist")
        if interaction.answer is not None:
            fair = interaction.lost_answer or len(interaction.receivers) > 1
            violation = None if fair else f"{interaction.where} was answered a second time"
            raise ApiError(400, 40060, "Interaction has already been acknowledged.", violation=violation)
        if interaction.failed is not None:
            late = asyncio.get_running_loop().time() - interaction.created
            blamed = interaction.receivers and not interaction.lost_answer
            violation = f"{interaction.where} was answered after {late:.3f} s" if blamed else None
            raise unknown_interaction(violation)
        allowed = _ANSWERS[interaction.kind]
        if interaction.kind == MODAL_SUBMIT and interaction.source is None:
            allowed = (REPLY, THINKING)
        kind = check_callback(body, allowed, interaction.focused_kind)
        self._apply(interaction, kind, body.get("data") or {}, uploads, where)
        interaction.answer = kind
        interaction.answered_by = self._state.caller or ""
        if interaction.timer is not None:
            interaction.timer.cancel()
            interaction.timer = None
        self._state.touch(interaction.delivery)
        interaction.answered.set()
        self._state.changed()
        return interaction

    def _apply(self, interaction: Interaction, kind: int, data: Json, uploads: dict[str, Upload], where: str) -> None:
        state = self._state
        draft = Draft(data, uploads, where, ("data",))
        match kind:
            case 4:
                message = self._reply(interaction, wants_ephemeral(data))
                create(state, message, draft)
                self._put(interaction, message)
            case 5:
                message = self._reply(interaction, wants_ephemeral(data))
                message.flags |= LOADING
                render(message)
                self._put(interaction, message)
            case 6:
                interaction.original = interaction.source
            case 7:
                if interaction.source is None or interaction.source.deleted:
                    raise unknown_message()
                revise(state, interaction.source, draft)
                interaction.original = interaction.source
                state.edited(interaction.source)
            case 8:
                interaction.choices = data["choices"]
            case 9:
                interaction.modal = finish_modal(data)

    def _put(self, interaction: Interaction, message: Message) -> None:
        interaction.original = message
        interaction.messages.append(message)
        self._state.post(message)

    def _reply(self, interaction: Interaction, ephemeral: bool) -> Message:
        """Return an empty message in response to an interaction: type 20 after a command, else a reply."""
        reader = interaction.user if ephemeral else None
        source = interaction.source
        kind = 20 if interaction.kind == COMMAND and interaction.original is None else 19
        reply_to = interaction.original if interaction.original is not None else source
        if reply_to is None and kind == 19:
            kind = 0
        message = new_message(
            self._state, interaction.channel, self._state.bot, kind=kind, reader=reader, reply_to=reply_to
        )
        message.webhook = True
        message.metadata = metadata(self._state, interaction)
        if interaction.original is not None:
            message.metadata["original_response_message_id"] = interaction.original.id
        return message

    # ---------------------------------------------------------------- afterwards

    def by_token(self, application_id: str, token: str) -> Interaction:
        """Return the interaction that a token belongs to.

        Raises `ApiError` 10015 before the first response or if a test invalidated the token, 50027 if the token is
        unknown or expired.
        """
        self._forget_old()
        interaction = self._by_token.get(token)
        if interaction is None or self._too_old(interaction) or application_id != self._state.bot.id:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        if interaction.answer is None or interaction.token_lost:
            raise unknown_webhook()
        return interaction

    def follow_up(self, interaction: Interaction, draft: Draft) -> Message:
        """Send another message in response; the first one after "thinking…" replaces it."""
        original = interaction.original
        if original is not None and original.flags & LOADING and not original.deleted:
            body = {key: value for key, value in draft.body.items() if value is not None}
            revise(self._state, original, Draft(body, draft.uploads, draft.where))
            self._state.edited(original)
            return original
        message = self._reply(interaction, wants_ephemeral(draft.body))
        create(self._state, message, draft)
        interaction.messages.append(message)
        self._state.post(message)
        return message

    def message(self, interaction: Interaction, message_id: str) -> Message:
        """Return a message that a token may read, edit and delete: ``@original`` or one of its own.

        As on Discord, the token still reaches an ephemeral message that its reader no longer sees, unless the settings
        say otherwise. Raises `ApiError` 10008.
        """
        if message_id == "@original":
            message = interaction.original
        else:
            message = self._state.messages.get(message_id)
            if message not in (*interaction.messages, interaction.original):
                message = None
        vanished = message is not None and message.dismissed and self._state.settings.vanished_is_unknown
        if message is None or message.deleted or vanished:
            raise unknown_message()
        return message

    def dismiss(self, message: Message) -> None:
        """Remove an ephemeral message from its reader's view. The bot gets no event."""
        message.channel.messages.pop(message.id, None)
        message.dismissed = True
        self._state.publish(Dismissed(message))


def wants_ephemeral(body: Json) -> bool:
    """Return True if a response is for one reader; a flags field of another type is left to the limits."""
    flags = body.get("flags")
    return isinstance(flags, int) and bool(flags & EPHEMERAL)
