"""The life of interactions: sent to the bot, answered once and in time, followed up while their token lives.

Imports the world and messages. The REST routes call `Interactions.acknowledge`, `follow_up` and `by_token`; persons
call `send` and wait for ``Interaction.answered``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import permissions
from .contents import EPHEMERAL, LOADING, Delivery, Message
from .errors import ApiError, unknown_interaction, unknown_message, unknown_webhook
from .events import Dismissed
from .limits import Problems, check_modal
from .limits.commands import check_choice_value
from .messages import Draft, Upload, blank, create, revise
from .records import Channel, Json, User
from .rendering import render
from .world import World

PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 1, 2, 3, 4, 5
"""Types of interactions."""

PONG, REPLY, THINKING, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9
"""Types of answers."""

_ANSWERS = {
    COMMAND: (REPLY, THINKING, MODAL),
    COMPONENT: (REPLY, THINKING, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    MODAL_SUBMIT: (REPLY, THINKING, DEFER_UPDATE, UPDATE),
}

NO_ANSWER = "This interaction failed"
OFFLINE = "The application did not respond: the bot is offline or not in this server"


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of one user that the bot must answer.

    ``created`` is of the event loop's clock and starts the three seconds; ``created_ms`` is of the world's and starts
    the token's life. ``name`` is the full name of the command, ``source`` the message whose component was used and
    ``seen`` the version of it that the user had before them, ``parent`` the interaction whose modal was submitted,
    ``forged`` marks what no honest client sends. ``sent`` and ``lost_answer`` serve to judge fairly: an act that never
    reached the bot, or whose answer an ordered fault swallowed, is no breach. ``token_lost`` is an ordered fault.
    """

    id: str
    token: str
    kind: int
    user: User
    channel: Channel
    created: float
    created_ms: int
    name: str = ""
    focused_kind: int = 3
    source: Message | None = None
    seen: Json | None = None
    parent: Interaction | None = None
    forged: bool = False
    sent: bool = False
    lost_answer: bool = False
    token_lost: bool = False
    answer: int | None = None
    failed: str | None = None
    original: Message | None = None
    messages: list[Message] = field(default_factory=list)
    modal: Json | None = None
    modal_used: bool = False
    choices: list[Json] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    timer: asyncio.TimerHandle | None = None
    delivery: Delivery = field(default_factory=Delivery)

    @property
    def where(self) -> str:
        """How breaches name it."""
        match self.kind:
            case 2:
                return f"/{self.name} by {self.user.name}"
            case 4:
                return f"autocomplete of /{self.name} by {self.user.name}"
            case 5:
                return f"modal submitted by {self.user.name}"
            case _:
                return f"component {self.name} used by {self.user.name}"


class Interactions:
    """All interactions whose token still lives.

    ``dispatch`` sends one to the bot: whether a connected session got it, or None when the bot has no session.
    """

    def __init__(self, world: World, dispatch: Callable[[Interaction, Json], bool | None]) -> None:
        self._world = world
        self._dispatch = dispatch
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[str, Interaction] = {}
        self._old: deque[Interaction] = deque()

    # ---------------------------------------------------------------- to the bot

    def send(self, interaction: Interaction, data: Json) -> None:
        """Send an act to the bot and start its three seconds."""
        loop = asyncio.get_running_loop()
        self._forget_old()
        self._by_token[interaction.token] = interaction
        self._by_id[interaction.id] = interaction
        self._old.append(interaction)
        wait = self._world.settings.answer_within_ms / 1000
        interaction.timer = loop.call_later(wait, self._fail, interaction)
        guild = interaction.channel.guild
        if guild is None or guild.bot_present:
            reached = self._dispatch(interaction, self._payload(interaction, data))
        else:
            reached = None
        if reached is None:
            interaction.timer.cancel()
            interaction.failed = OFFLINE
            interaction.answered.set()
        interaction.sent = bool(reached)

    def new(self, kind: int, user: User, channel: Channel, **more: Any) -> Interaction:
        """An interaction of this moment."""
        now = asyncio.get_running_loop().time()
        clock = self._world.clock
        token = secrets.token_urlsafe(48)
        return Interaction(clock.snowflake(), token, kind, user, channel, now, clock.now_ms(), **more)

    def get(self, interaction_id: str) -> Interaction | None:
        """A living interaction by its id."""
        return self._by_id.get(interaction_id)

    def close(self) -> None:
        """Stop all timers."""
        for interaction in self._by_id.values():
            if interaction.timer is not None:
                interaction.timer.cancel()

    def _fail(self, interaction: Interaction) -> None:
        interaction.failed = NO_ANSWER
        interaction.answered.set()
        if interaction.sent and not interaction.forged and not interaction.lost_answer:
            wait = self._world.settings.answer_within_ms / 1000
            self._world.breach(interaction.where, f"interaction not acknowledged within {wait:g} s")
        self._world.changed()

    def _forget_old(self) -> None:
        """Drop interactions whose token's life is over by the world's clock; an unanswered one waits its seconds."""
        while self._old and self._old[0].answered.is_set() and self._too_old(self._old[0]):
            interaction = self._old.popleft()
            del self._by_token[interaction.token]
            del self._by_id[interaction.id]
            original = interaction.original
            if original is not None and original.flags & LOADING and not original.deleted:
                self._world.breach(interaction.where, "left thinking until its token was too old")

    def _too_old(self, interaction: Interaction) -> bool:
        return self._world.clock.now_ms() - interaction.created_ms >= self._world.settings.token_life_ms

    def _payload(self, interaction: Interaction, data: Json) -> Json:
        """The interaction as INTERACTION_CREATE brings it."""
        world, user, channel = self._world, interaction.user, interaction.channel
        guild = channel.guild
        own = channel.permissions(world.bot.id)
        body: Json = {
            "id": interaction.id,
            "application_id": world.bot.id,
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": channel.id,
            "locale": user.locale,
            "app_permissions": str(own),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": {"0": guild.id if guild is not None else "0"},
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if guild is not None:
            bits = channel.permissions(user.id)
            body |= {
                "guild_id": guild.id,
                "guild": guild.partial(),
                "guild_locale": "en-US",
                "context": 0,
                "channel": channel.partial(bits),
                "member": {**guild.members[user.id].json(), "permissions": str(bits)},
            }
        else:
            body |= {"context": 1, "channel": channel.partial(permissions.DIRECT), "user": user.json}
        if interaction.source is not None:
            body["message"] = interaction.seen or interaction.source.json
            interaction.seen = None  # old versions are not kept
        return body

    # ---------------------------------------------------------------- from the bot

    def acknowledge(
        self, interaction_id: str, token: str, body: Json, uploads: dict[str, Upload], where: str
    ) -> Interaction:
        """Take the bot's first answer.

        Raises `ApiError` 10062 (unknown, or too late), 40060 (answered before) and `limits.Invalid`.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise unknown_interaction("an answer to an interaction that does not exist")
        if interaction.answer is not None:
            breach = None if interaction.lost_answer else f"{interaction.where} was answered a second time"
            raise ApiError(400, 40060, "Interaction has already been acknowledged.", breach=breach)
        if interaction.failed is not None:
            late = asyncio.get_running_loop().time() - interaction.created
            fair = interaction.sent and not interaction.lost_answer
            breach = f"{interaction.where} was answered after {late:.3f} s" if fair else None
            raise unknown_interaction(breach)
        kind = self._check_answer(interaction, body)
        self._apply(interaction, kind, body.get("data") or {}, uploads, where)
        interaction.answer = kind
        if interaction.timer is not None:
            interaction.timer.cancel()
            interaction.timer = None
        self._world.touch(interaction.delivery)
        interaction.answered.set()
        self._world.changed()
        return interaction

    def _check_answer(self, interaction: Interaction, body: Json) -> int:
        problems = Problems()
        allowed = _ANSWERS[interaction.kind]
        if interaction.kind == MODAL_SUBMIT and interaction.source is None:
            allowed = (REPLY, THINKING)
        if not problems.choice(("type",), body.get("type"), allowed):
            problems.raise_if_any()
        kind = int(body["type"])
        if body.get("data") is not None:
            problems.record(("data",), body["data"])
            problems.raise_if_any()
        if kind == MODAL:
            check_modal(problems, body.get("data"))
        elif kind == CHOICES:
            self._check_choices(problems, interaction, body.get("data"))
        problems.raise_if_any()
        return kind

    @staticmethod
    def _check_choices(problems: Problems, interaction: Interaction, data: object) -> None:
        path = ("data", "choices")
        choices = data.get("choices") if isinstance(data, dict) else None
        for index, value in enumerate(problems.items(path, choices, 0, 25, needed=True)):
            choice = problems.record((*path, index), value)
            if choice is not None:
                problems.text((*path, index, "name"), choice.get("name"), 1, 100, needed=True)
                check_choice_value(problems, (*path, index, "value"), choice.get("value"), interaction.focused_kind)

    def _apply(self, interaction: Interaction, kind: int, data: Json, uploads: dict[str, Upload], where: str) -> None:
        world = self._world
        draft = Draft(data, uploads, where, ("data",))
        match kind:
            case 4:
                message = self._reply(interaction, wants_ephemeral(data))
                create(world, message, draft)
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
                revise(world, interaction.source, draft)
                interaction.original = interaction.source
                world.edited(interaction.source)
            case 8:
                interaction.choices = data["choices"]
            case 9:
                interaction.modal = self._finish_modal(data)

    @staticmethod
    def _finish_modal(data: Json) -> Json:
        """Give every component of a modal its id, as Discord does."""
        number = 0

        def finish(component: Json) -> Json:
            nonlocal number
            number += 1
            done = {"id": number, **{key: value for key, value in component.items() if value is not None}}
            if "components" in done:
                done["components"] = [finish(child) for child in done["components"]]
            if "component" in done:
                done["component"] = finish(done["component"])
            return done

        return {**data, "components": [finish(component) for component in data["components"]]}

    def _put(self, interaction: Interaction, message: Message) -> None:
        interaction.original = message
        interaction.messages.append(message)
        self._world.post(message)

    def _reply(self, interaction: Interaction, ephemeral: bool) -> Message:
        """A blank message in answer to an interaction: type 20 after a command, else a reply."""
        reader = interaction.user if ephemeral else None
        source = interaction.source
        kind = 20 if interaction.kind == COMMAND and interaction.original is None else 19
        reply_to = interaction.original if interaction.original is not None else source
        if reply_to is None and kind == 19:
            kind = 0
        message = blank(self._world, interaction.channel, self._world.bot, kind=kind, reader=reader, reply_to=reply_to)
        message.webhook = True
        message.metadata = self._metadata(interaction)
        if interaction.original is not None:
            message.metadata["original_response_message_id"] = interaction.original.id
        return message

    def _metadata(self, interaction: Interaction) -> Json:
        """Who used what: ``interaction_metadata`` of the messages that answer an interaction."""
        guild = interaction.channel.guild
        body: Json = {
            "id": interaction.id,
            "type": interaction.kind,
            "user": interaction.user.json,
            "authorizing_integration_owners": {"0": guild.id if guild is not None else "0"},
        }
        if interaction.kind == COMMAND:
            body |= {"name": interaction.name, "command_type": 1}
        elif interaction.kind == COMPONENT and interaction.source is not None:
            body["interacted_message_id"] = interaction.source.id
        elif interaction.parent is not None:
            body["triggering_interaction_metadata"] = self._metadata(interaction.parent)
        return body

    # ---------------------------------------------------------------- afterwards

    def by_token(self, application_id: str, token: str) -> Interaction:
        """The interaction behind a follow-up's address.

        Raises `ApiError` 10015 before the first answer and where a test had the token lost, 50027 when the token is
        unknown or too old.
        """
        self._forget_old()
        interaction = self._by_token.get(token)
        if interaction is None or self._too_old(interaction) or application_id != self._world.bot.id:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        if interaction.answer is None or interaction.token_lost:
            raise unknown_webhook()
        return interaction

    def follow_up(self, interaction: Interaction, draft: Draft) -> Message:
        """Another message in answer; the first after "thinking…" takes its place."""
        original = interaction.original
        if original is not None and original.flags & LOADING and not original.deleted:
            body = {key: value for key, value in draft.body.items() if value is not None}
            revise(self._world, original, Draft(body, draft.uploads, draft.where))
            self._world.edited(original)
            return original
        message = self._reply(interaction, wants_ephemeral(draft.body))
        create(self._world, message, draft)
        interaction.messages.append(message)
        self._world.post(message)
        return message

    def message(self, interaction: Interaction, message_id: str) -> Message:
        """The message that a token may read, edit and delete: ``@original`` or one of its own.

        An ephemeral message that its reader's client has dropped is still there for the token, as on Discord, unless
        the world's settings say otherwise. Raises `ApiError` 10008.
        """
        if message_id == "@original":
            message = interaction.original
        else:
            message = self._world.messages.get(message_id)
            if message not in (*interaction.messages, interaction.original):
                message = None
        vanished = message is not None and message.dismissed and self._world.settings.vanished_is_unknown
        if message is None or message.deleted or vanished:
            raise unknown_message()
        return message

    def dismiss(self, message: Message) -> None:
        """An ephemeral message is put away, or dropped by its reader's client: they see it no more, the bot never
        learns of it.
        """
        message.channel.messages.pop(message.id, None)
        message.dismissed = True
        self._world.publish(Dismissed(message))


def wants_ephemeral(body: Json) -> bool:
    """Whether an answer is for one reader; a flag field that is no number is left to the limits."""
    flags = body.get("flags")
    return isinstance(flags, int) and bool(flags & EPHEMERAL)
