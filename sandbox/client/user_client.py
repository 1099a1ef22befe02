"""A person's client: write, run commands, press, select, fill in modals and read. Tests and the web page act through
it.

A `UserClient` does nothing that an honest client would not allow (`Refused` says why), except for ``forge…``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sandbox.limits.components import BUTTON, SELECTS
from sandbox.messaging.interaction import Interaction
from sandbox.messaging.interactions import Interactions
from sandbox.messaging.message_json import render, visible_text, walk
from sandbox.messaging.messages import new_message, resolve_mentions
from sandbox.world.events import LayoutChanged
from sandbox.world.models import EPHEMERAL, Channel, Json, User
from sandbox.world.permissions import Permission
from sandbox.world.state import PATIENCE_S, State

from .actions import ClientActions
from .command_input import Refused, Value, available
from .component_input import Pick
from .malformed_actions import MalformedActions
from .responses import ActionResult, MessageRef, json_of

T = TypeVar("T")


class UserClient:
    """A human and their client."""

    def __init__(self, state: State, interactions: Interactions, user: User) -> None:
        self._state = state
        self._interactions = interactions
        self.user = user
        self.actions = ClientActions(state, interactions, user)
        self._malformed = MalformedActions(state, interactions, user, self.actions)

    def __repr__(self) -> str:
        return f"<UserClient {self.name} {self.id}>"

    @property
    def id(self) -> str:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The displayed name."""
        return self.user.name

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    @property
    def dm(self) -> Channel:
        """The channel of their direct messages with the bot."""
        return self._state.directs[self.id]

    @property
    def dms_open(self) -> bool:
        """False if the person accepts no direct messages from the bot, which then gets 50007."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value
        self._state.publish(LayoutChanged())

    @property
    def locale(self) -> str:
        """The language of the person's Discord, which every interaction of theirs names."""
        return self.user.locale

    @locale.setter
    def locale(self, value: str) -> None:
        self.user.locale = value
        self._state.publish(LayoutChanged())

    def install(self) -> None:
        """Install the bot for this person."""
        self._state.install(self.user)

    # ---------------------------------------------------------------- reading

    def messages(self, channel: Channel) -> list[Json]:
        """Return what this person sees in a channel now, oldest first, their ephemeral messages included."""
        if not self.actions.sees(channel):
            return []
        return [message.json for message in channel.messages.values() if message.seen_by(self.id)]

    def dms(self) -> list[Json]:
        """Return their direct messages with the bot, oldest first."""
        return self.messages(self.dm)

    def ephemerals(self, channel: Channel) -> list[Json]:
        """Return the ephemeral messages that this person sees in a channel, oldest first."""
        return [message for message in self.messages(channel) if message["flags"] & EPHEMERAL]

    def private(self) -> list[Json]:
        """Return every message that nobody else sees (direct and ephemeral ones, in any channel), oldest first."""
        found = [message for channel in self._state.channels.values() for message in self.ephemerals(channel)]
        direct = [message for message in self.dms() if not message["flags"] & EPHEMERAL]
        return sorted([*found, *direct], key=lambda message: int(message["id"]))

    @property
    def notices(self) -> list[Json]:
        """Unread notifications: channel, message and kind ("dm" or "mention")."""
        return list(self._state.notices[self.id])

    def clear_notices(self) -> None:
        """Mark all notifications as read."""
        self._state.clear_notices(self.user)

    def commands(self, channel: Channel) -> list[str]:
        """Return the names of the slash commands that are offered to them in a channel."""
        return (
            [command["name"] for command in available(self._state, self.user, channel)]
            if self.actions.sees(channel)
            else []
        )

    @staticmethod
    def visible_text(message: MessageRef | None) -> str:
        """Return all text visible in a message: content, embeds, text displays, labels, alt texts and file names."""
        if isinstance(message, ActionResult):
            return message.text
        return visible_text(message or {})

    @staticmethod
    def buttons(message: MessageRef) -> list[Json]:
        """Return the buttons and select menus of a message, in reading order."""
        return [part for part in walk(json_of(message).get("components", ())) if part["type"] in (BUTTON, *SELECTS)]

    async def until(self, question: Callable[[], T], timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109 (the error says what was seen last)
        """Return the first true value of a question, asked again after every change of the state.

        Raises TimeoutError after ``timeout`` seconds, with what this person last saw.
        """
        return await self._state.until(question, timeout, lambda: _last_seen(self._state, self))

    # ---------------------------------------------------------------- writing

    async def say(self, channel: Channel, content: str, *, reply_to: Json | None = None) -> Json:
        """Post a message and return its JSON. Raises `Refused` if they may not write here, or for a text of wrong
        length.
        """
        self.actions.require_visible(channel)
        locked = channel.thread is not None and channel.thread.locked
        if not channel.may(self.id, Permission.MANAGE_THREADS if locked else Permission.SEND_MESSAGES):
            raise Refused(f"{self.name} may not write in #{channel.name}")
        if not 1 <= len(content.strip()) <= 2000:
            raise Refused("a message has 1 to 2000 characters")
        answered = None if reply_to is None else self._state.messages.get(reply_to["id"])
        message = new_message(self._state, channel, self.user, kind=19 if answered else 0, reply_to=answered)
        message.content = content.strip()
        resolve_mentions(self._state, message, None, "say")
        render(message)
        self._state.post(message)
        return message.json

    async def delete(self, message: Json) -> None:
        """Delete their own message, or any message if they may manage messages; else raises `Refused`."""
        found = self.actions.find(message)
        channel = found.channel
        if found.author is not self.user and (
            channel.guild is None or not channel.may(self.id, Permission.MANAGE_MESSAGES)
        ):
            raise Refused(f"{self.name} may not delete this")
        self._state.delete(found)

    async def dismiss(self, message: Json) -> None:
        """Dismiss an ephemeral message of theirs; raises `Refused` for any other."""
        found = self.actions.find(message)
        if found.reader is not self.user:
            raise Refused("only ephemeral messages of one's own are dismissed")
        self._interactions.dismiss(found)

    async def reload(self) -> None:
        """Restart the client: every ephemeral message disappears."""
        for channel in self._state.channels.values():
            self._drop_ephemerals(channel)

    async def jump_to_present(self, channel: Channel) -> None:
        """Jump from older messages to the present: the client reloads the channel without ephemeral messages.

        Raises `Refused` for a channel that they cannot see.
        """
        self.actions.require_visible(channel)
        self._drop_ephemerals(channel)

    def _drop_ephemerals(self, channel: Channel) -> None:
        for message in list(channel.messages.values()):
            if message.reader is self.user:
                self._interactions.dismiss(message)

    # ---------------------------------------------------------------- actions that the bot must respond to

    async def command(self, channel: Channel, name: str, /, **options: Value | UserClient) -> ActionResult:
        """Run a slash command, "rope-wall push" for a sub-command, and wait for the first response.

        Raises `Refused` for what an honest client does not allow, as all actions below do.
        """
        return await _answer(self.start_command(channel, name, options))

    def start_command(self, channel: Channel, name: str, options: Mapping[str, Value | UserClient]) -> Interaction:
        """Do the same without waiting for the response."""
        return self.actions.command(channel, name, {key: _plain(value) for key, value in options.items()})

    async def choices(self, channel: Channel, name: str, /, *, focus: str, **options: Value | UserClient) -> list[Json]:
        """Return what autocomplete offers for the option ``focus``, whose text so far is among the options.

        Raises `Refused` if the bot did not respond.
        """
        values = {key: _plain(value) for key, value in options.items()}
        answer = await _answer(self.actions.command(channel, name, values, focus=focus))
        if answer.failed is not None:
            raise Refused(f"loading the options of /{name} failed: {answer.failed}")
        return answer.choices

    async def press(
        self,
        message: MessageRef | str,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Pick | UserClient] | None = None,
    ) -> ActionResult:
        """Press a button, or select ``values`` in a menu, and wait for the first response.

        The component is looked up in the message as given, and the bot gets that version: pressing an older one is a
        click that was in progress when the message was edited. If given an id, the current version is used.
        """
        return await _answer(await self.start_press(message, custom_id, label=label, values=values))

    async def start_press(
        self,
        message: MessageRef | str,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Pick | UserClient] | None = None,
    ) -> Interaction:
        """Do the same without waiting for the response."""
        picks = None if values is None else [_plain(each) for each in values]
        return await self.actions.press(message, custom_id, label=label, values=picks)

    async def submit(self, used: ActionResult, answers: Mapping[str, Any]) -> ActionResult:
        """Submit the modal that an action opened, with answers by custom id or label, and wait for the first
        response.
        """
        return await _answer(await self.start_submit(used.interaction, answers))

    async def start_submit(self, parent: Interaction, answers: Mapping[str, Any]) -> Interaction:
        """Do the same without waiting for the response."""
        return await self.actions.submit(parent, {key: _plain(value) for key, value in answers.items()})

    # ---------------------------------------------------------------- actions that no honest client would send

    async def forge_command(
        self,
        channel: Channel,
        name: str,
        options: Sequence[Json] = (),
        resolved: Json | None = None,
        *,
        complete: bool = False,
    ) -> ActionResult:
        """Send a command by any name with any options in an interaction's own form (``name``, ``type``, ``value``),
        whether or not they match its declaration; with ``complete`` ask for choices instead.
        """
        return await _answer(self._malformed.command(channel, name, options, resolved, complete=complete))

    async def forge(
        self,
        message: MessageRef,
        custom_id: str,
        values: Sequence[str] | None = None,
        component_type: int = 2,
    ) -> ActionResult:
        """Use any custom id with any values, on a message that may be deleted or another person's."""
        return await _answer(self._malformed.press(message, custom_id, values, component_type))

    async def forge_submit(self, message: MessageRef, custom_id: str, fields: Mapping[str, str]) -> ActionResult:
        """Submit a modal that was never opened, on any message, with any fields."""
        return await _answer(self._malformed.submit(message, custom_id, fields))


def _last_seen(state: State, person: UserClient) -> str:
    lines = [f"{person.name} last saw:"]
    for channel in (*state.channels.values(),):
        for message in person.messages(channel)[-3:]:
            text = visible_text(message).replace("\n", " | ")
            lines.append(f"  #{channel.name} {message['author']['username']}: {text[:300]}")
    lines += [f"  violation: {violation}" for violation in state.violations[-3:]]
    lines += [f"  call: {call.method} {call.path} {call.status}" for call in state.calls[-5:] if call.status >= 400]
    return "\n".join(lines)


async def _answer(interaction: Interaction) -> ActionResult:
    await interaction.answered.wait()  # its own timer ends it
    return ActionResult(interaction)


def _plain(value: Any) -> Any:
    if isinstance(value, UserClient):
        return value.user
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
