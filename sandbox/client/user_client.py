"""What a human does: say, use commands, press, choose, fill in, look. Tests and the page's socket act through it.

May import its neighbours. A `UserClient` does nothing that an honest client would not let them do (`Refused` says why),
what begins with ``forge`` apart.
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
    """A human at a client of theirs."""

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
        """The name that others read."""
        return self.user.name

    @property
    def mention(self) -> str:
        """What to write so that they are called."""
        return self.user.mention

    @property
    def dm(self) -> Channel:
        """Their direct messages with the bot."""
        return self._state.directs[self.id]

    @property
    def dms_open(self) -> bool:
        """Whether the bot's direct messages are let in; otherwise it gets 50007."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value
        self._state.publish(LayoutChanged())

    def install(self) -> None:
        """Install the bot for oneself."""
        self._state.install(self.user)

    # ---------------------------------------------------------------- looking

    def messages(self, channel: Channel) -> list[Json]:
        """What this person sees in a channel now, oldest first, ephemeral messages for them included."""
        if not self.actions.sees(channel):
            return []
        return [message.json for message in channel.messages.values() if message.seen_by(self.id)]

    def dms(self) -> list[Json]:
        """Their direct messages with the bot, oldest first."""
        return self.messages(self.dm)

    def ephemerals(self, channel: Channel) -> list[Json]:
        """The ephemeral messages in a channel that this person has in sight, oldest first."""
        return [message for message in self.messages(channel) if message["flags"] & EPHEMERAL]

    def private(self) -> list[Json]:
        """Every message that nobody else sees: direct messages and what is ephemeral anywhere, oldest first."""
        found = [message for channel in self._state.channels.values() for message in self.ephemerals(channel)]
        direct = [message for message in self.dms() if not message["flags"] & EPHEMERAL]
        return sorted([*found, *direct], key=lambda message: int(message["id"]))

    @property
    def notices(self) -> list[Json]:
        """What made their phone buzz since they last looked: channel, message and kind ("dm" or "mention")."""
        return list(self._state.notices[self.id])

    def clear_notices(self) -> None:
        """They looked."""
        self._state.clear_notices(self.user)

    def commands(self, channel: Channel) -> list[str]:
        """The names of the slash commands that are offered to them in a channel."""
        return (
            [command["name"] for command in available(self._state, self.user, channel)]
            if self.actions.sees(channel)
            else []
        )

    @staticmethod
    def visible_text(message: MessageRef | None) -> str:
        """All text visible in a message: content, embeds, text displays, labels, alt texts, names of files."""
        if isinstance(message, ActionResult):
            return message.text
        return visible_text(message or {})

    @staticmethod
    def buttons(message: MessageRef) -> list[Json]:
        """The buttons and select menus of a message, in reading order."""
        return [part for part in walk(json_of(message).get("components", ())) if part["type"] in (BUTTON, *SELECTS)]

    async def until(self, question: Callable[[], T], timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109 (it tells what was seen)
        """The first true answer to a question that is asked again after every change of the world.

        Raises TimeoutError after ``timeout`` seconds, with what this person last saw.
        """
        return await self._state.until(question, timeout, lambda: _last_seen(self._state, self))

    # ---------------------------------------------------------------- speaking

    async def say(self, channel: Channel, content: str, *, reply_to: Json | None = None) -> Json:
        """Post a message; its JSON. Raises `Refused` where they may not write, or for a text of a wrong length."""
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
        """Delete a message of theirs, or anybody's where they may manage messages; else raises `Refused`."""
        found = self.actions.find(message)
        channel = found.channel
        if found.author is not self.user and (
            channel.guild is None or not channel.may(self.id, Permission.MANAGE_MESSAGES)
        ):
            raise Refused(f"{self.name} may not delete this")
        self._state.delete(found)

    async def dismiss(self, message: Json) -> None:
        """Put an ephemeral message of theirs away; raises `Refused` for any other."""
        found = self.actions.find(message)
        if found.reader is not self.user:
            raise Refused("only ephemeral messages of one's own are dismissed")
        self._interactions.dismiss(found)

    async def reload(self) -> None:
        """Start the client anew: every ephemeral message is gone from sight."""
        for channel in self._state.channels.values():
            self._drop_ephemerals(channel)

    async def jump_to_present(self, channel: Channel) -> None:
        """Come back from far up in a channel: the client loads it anew, without what was ephemeral.

        Raises `Refused` for a channel that they do not see.
        """
        self.actions.require_visible(channel)
        self._drop_ephemerals(channel)

    def _drop_ephemerals(self, channel: Channel) -> None:
        for message in list(channel.messages.values()):
            if message.reader is self.user:
                self._interactions.dismiss(message)

    # ---------------------------------------------------------------- acts that the bot must answer

    async def command(self, channel: Channel, name: str, /, **options: Value | UserClient) -> ActionResult:
        """Run a slash command, "rope-wall push" for a sub-command, and wait for the first answer.

        Raises `Refused` for what no honest client lets them send, as all acts below do.
        """
        return await _answer(self.start_command(channel, name, options))

    def start_command(self, channel: Channel, name: str, options: Mapping[str, Value | UserClient]) -> Interaction:
        """The same without waiting for the answer."""
        return self.actions.command(channel, name, {key: _plain(value) for key, value in options.items()})

    async def choices(self, channel: Channel, name: str, /, *, focus: str, **options: Value | UserClient) -> list[Json]:
        """What autocomplete offers for the option ``focus``, whose text so far is among the options.

        Raises `Refused` when the bot did not answer.
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
        """Press a button, or choose ``values`` in a select menu, and wait for the first answer.

        What is pressed is looked up in the message as given, and the bot gets that version: a click on an older one
        is a click that was under way when the message was edited. By its id the message is taken as it is now.
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
        """The same without waiting for the answer."""
        picks = None if values is None else [_plain(each) for each in values]
        return await self.actions.press(message, custom_id, label=label, values=picks)

    async def submit(self, used: ActionResult, answers: Mapping[str, Any]) -> ActionResult:
        """Submit the modal that answered an act; the answers by custom id or label. Waits for the first answer."""
        return await _answer(await self.start_submit(used.interaction, answers))

    async def start_submit(self, parent: Interaction, answers: Mapping[str, Any]) -> Interaction:
        """The same without waiting for the answer."""
        return await self.actions.submit(parent, {key: _plain(value) for key, value in answers.items()})

    # ---------------------------------------------------------------- acts that no honest client would send

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
        whether or not they fit what was declared; with ``complete`` ask for choices instead.
        """
        return await _answer(self._malformed.command(channel, name, options, resolved, complete=complete))

    async def forge(
        self,
        message: MessageRef,
        custom_id: str,
        values: Sequence[str] | None = None,
        component_type: int = 2,
    ) -> ActionResult:
        """Use any custom id with any values, on a message that may be gone or somebody else's."""
        return await _answer(self._malformed.press(message, custom_id, values, component_type))

    async def forge_submit(self, message: MessageRef, custom_id: str, fields: Mapping[str, str]) -> ActionResult:
        """Submit a form that was never opened, on any message, with any fields."""
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
