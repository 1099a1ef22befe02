"""What a human does: say, use commands, press, choose, fill in, look. Tests and the page's socket act through it.

Imports the world, interactions and what an honest client checks. A `Person` does nothing that such a client would not
let them do (`Refused` says why), `Person.forge` apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from .events import Reshaped
from .forms import Pick, answers_of, fill_modal, pick_on_message
from .interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, MODAL_SUBMIT, Interaction, Interactions
from .limits.commands import STRING, SUB_COMMAND, SUB_COMMAND_GROUP
from .limits.components import BUTTON, LABEL, SELECTS, TEXT_INPUT
from .messages import blank, call_people, render, visible_text, walk
from .options import Refused, Resolved, Value, available, from_nested, prepare
from .permissions import Permission
from .records import Channel, Delivery, Json, Message, User
from .world import PATIENCE_S, World

T = TypeVar("T")

_LINK_STYLES = (5, 6)


class Answer:
    """What came back to an act: the bot's first answer, and what it sent after it.

    ``type`` is the callback's type (4 message, 5 thinking, 6 deferred update, 7 update, 8 choices, 9 modal) or None;
    ``failed`` says why there was none.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    @property
    def id(self) -> str:
        """The interaction's id."""
        return self.interaction.id

    @property
    def type(self) -> int | None:
        """How the bot answered."""
        return self.interaction.answer

    @property
    def failed(self) -> str | None:
        """Why the act failed, or None."""
        return self.interaction.failed

    @property
    def message(self) -> Json | None:
        """The message that answers, or that the component is on, as it is now; None without one."""
        message = self.interaction.original
        return None if message is None or message.deleted else message.json

    @property
    def messages(self) -> list[Json]:
        """The answer and all follow-ups that are left, oldest first."""
        return [message.json for message in self.interaction.messages if not message.deleted]

    @property
    def modal(self) -> Json | None:
        """The modal that opened, or None."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        """What autocomplete offered."""
        return self.interaction.choices

    @property
    def text(self) -> str:
        """All text that is visible in the answer and its follow-ups."""
        shown = self.messages or ([self.message] if self.message is not None else [])
        return "\n".join(visible_text(message) for message in shown)

    def __repr__(self) -> str:
        return f"<Answer type={self.type} failed={self.failed!r} text={self.text[:120]!r}>"


Shown = Json | Answer
"""A message as a person has it before them: Discord's JSON, or the answer that it came with."""


class Person:
    """A human at a client of theirs."""

    def __init__(self, world: World, interactions: Interactions, user: User) -> None:
        self._world = world
        self._interactions = interactions
        self.user = user

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

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
        return self._world.directs[self.id]

    @property
    def dms_open(self) -> bool:
        """Whether the bot's direct messages are let in; otherwise it gets 50007."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value
        self._world.publish(Reshaped())

    # ---------------------------------------------------------------- looking

    def messages(self, channel: Channel) -> list[Json]:
        """What this person sees in a channel now, oldest first, ephemeral messages for them included."""
        if not self._sees(channel):
            return []
        return [message.json for message in channel.messages.values() if message.seen_by(self.id)]

    def dms(self) -> list[Json]:
        """Their direct messages with the bot, oldest first."""
        return self.messages(self.dm)

    @property
    def notices(self) -> list[Json]:
        """What made their phone buzz since they last looked: channel, message and kind ("dm" or "mention")."""
        return list(self._world.notices[self.id])

    def clear_notices(self) -> None:
        """They looked."""
        self._world.clear_notices(self.user)

    def commands(self, channel: Channel) -> list[str]:
        """The names of the slash commands that are offered to them in a channel."""
        return (
            [command["name"] for command in available(self._world, self.user, channel)] if self._sees(channel) else []
        )

    @staticmethod
    def visible_text(message: Shown | None) -> str:
        """All text visible in a message: content, embeds, text displays, labels, alt texts, names of files."""
        if isinstance(message, Answer):
            return message.text
        return visible_text(message or {})

    @staticmethod
    def buttons(message: Shown) -> list[Json]:
        """The buttons and select menus of a message, in reading order."""
        return [part for part in walk(_json(message).get("components", ())) if part["type"] in (BUTTON, *SELECTS)]

    def _sees(self, channel: Channel) -> bool:
        if channel.guild is None:
            return channel.recipient is self.user
        return channel.id in channel.guild.channels and channel.may(self.id, Permission.VIEW_CHANNEL)

    def _must_see(self, channel: Channel) -> None:
        if not self._sees(channel):
            raise Refused(f"{self.name} does not see #{channel.name}")

    async def until(self, question: Callable[[], T], timeout: float = PATIENCE_S) -> T:  # noqa: ASYNC109 (it tells what was seen)
        """The first true answer to a question that is asked again after every change of the world.

        Raises TimeoutError after ``timeout`` seconds, with what this person last saw.
        """
        return await self._world.until(question, timeout, self._last_seen)

    def _last_seen(self) -> str:
        lines = [f"{self.name} last saw:"]
        for channel in (*self._world.channels.values(),):
            for message in self.messages(channel)[-3:]:
                text = visible_text(message).replace("\n", " | ")
                lines.append(f"  #{channel.name} {message['author']['username']}: {text[:300]}")
        lines += [f"  breach: {breach}" for breach in self._world.breaches[-3:]]
        lines += [
            f"  call: {call.method} {call.path} {call.status}" for call in self._world.calls[-5:] if call.status >= 400
        ]
        return "\n".join(lines)

    # ---------------------------------------------------------------- speaking

    async def say(self, channel: Channel, content: str, *, reply_to: Json | None = None) -> Json:
        """Post a message; its JSON."""
        self._must_see(channel)
        if not channel.may(self.id, Permission.SEND_MESSAGES):
            raise Refused(f"{self.name} may not write in #{channel.name}")
        if not 1 <= len(content.strip()) <= 2000:
            raise Refused("a message has 1 to 2000 characters")
        answered = None if reply_to is None else self._world.messages.get(reply_to["id"])
        message = blank(self._world, channel, self.user, kind=19 if answered else 0, reply_to=answered)
        message.content = content.strip()
        call_people(self._world, message, None, "say")
        render(message)
        self._world.post(message)
        return message.json

    async def delete(self, message: Json) -> None:
        """Delete a message of theirs, or anybody's where they may manage messages."""
        found = self._find(message)
        channel = found.channel
        if found.author is not self.user and (
            channel.guild is None or not channel.may(self.id, Permission.MANAGE_MESSAGES)
        ):
            raise Refused(f"{self.name} may not delete this")
        self._world.delete(found)

    async def dismiss(self, message: Json) -> None:
        """Put an ephemeral message away."""
        found = self._find(message)
        if found.reader is not self.user:
            raise Refused("only ephemeral messages of one's own are dismissed")
        self._interactions.dismiss(found)

    def _find(self, message: Shown) -> Message:
        identity = _json(message)["id"]
        found = self._world.messages.get(identity)
        if found is None or found.dismissed:
            raise Refused(f"the message {identity} is gone")
        if not found.seen_by(self.id) or not self._sees(found.channel):
            raise Refused(f"{self.name} does not see the message {identity}")
        return found

    # ---------------------------------------------------------------- commands

    async def command(self, channel: Channel, name: str, /, **options: Value | Person) -> Answer:
        """Run a slash command, "rope-wall push" for a sub-command, and wait for the first answer."""
        return await _answer(self.start_command(channel, name, options))

    async def choices(self, channel: Channel, name: str, /, *, focus: str, **options: Value | Person) -> list[Json]:
        """What autocomplete offers for the option ``focus``, whose text so far is among the options.

        Raises `Refused` when the bot did not answer.
        """
        answer = await _answer(self.start_command(channel, name, options, focus=focus))
        if answer.failed is not None:
            raise Refused(f"loading the options of /{name} failed: {answer.failed}")
        return answer.choices

    def start_command(
        self,
        channel: Channel,
        name: str,
        options: Mapping[str, Value | Person],
        *,
        focus: str | None = None,
        command_id: str | None = None,
    ) -> Interaction:
        """Send a command, or with ``focus`` ask for choices; does not wait."""
        self._must_see(channel)
        values = {key: value.user if isinstance(value, Person) else value for key, value in options.items()}
        ready = prepare(self._world, self.user, channel, name, values, focus=focus, command_id=command_id)
        kind = COMMAND if focus is None else AUTOCOMPLETE
        interaction = self._interactions.new(kind, self.user, channel, name=ready.name, focused_kind=ready.focused_kind)
        self._interactions.send(interaction, ready.data)
        return interaction

    def start_command_by_id(
        self, channel: Channel, command_id: str, options: list[Json], *, complete: bool = False
    ) -> Interaction:
        """The same with options in the interaction's own nested form, as the page sends them."""
        self._must_see(channel)
        offered = available(self._world, self.user, channel)
        command = next((each for each in offered if each["id"] == command_id), None)
        if command is None:
            raise Refused("this command is not offered here")
        name, values, focus = from_nested(command, options)
        if complete and focus is None:
            raise Refused("no option is being typed")
        return self.start_command(channel, name, values, focus=focus if complete else None, command_id=command_id)

    async def forge_command(
        self,
        channel: Channel,
        name: str,
        options: Sequence[Json] = (),
        resolved: Json | None = None,
        *,
        complete: bool = False,
    ) -> Answer:
        """Send a command that no honest client would: any name, any options in an interaction's own form (``name``,
        ``type``, ``value``), whether or not they fit what was declared; with ``complete`` ask for choices instead.

        The bot may leave a forged act unanswered without a breach.
        """
        if channel.guild is not None and self.id not in channel.guild.members:
            raise Refused(f"Discord takes no interactions of {self.name} in a server that they are not in")
        first, *groups = name.split()
        filled = list(options)
        for depth, group in enumerate(reversed(groups)):
            filled = [{"name": group, "type": SUB_COMMAND if depth == 0 else SUB_COMMAND_GROUP, "options": filled}]
        data: Json = {"id": self._world.clock.snowflake(), "name": first, "type": 1, "options": filled}
        if resolved:
            data["resolved"] = resolved
        kind = AUTOCOMPLETE if complete else COMMAND
        focused = next((int(option["type"]) for option in options if option.get("focused")), STRING)
        interaction = self._interactions.new(kind, self.user, channel, name=name, focused_kind=focused, forged=True)
        self._interactions.send(interaction, data)
        return await _answer(interaction)

    # ---------------------------------------------------------------- components

    async def press(
        self,
        message: Shown,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Pick | Person] | None = None,
    ) -> Answer:
        """Press a button, or choose ``values`` in a select menu, and wait for the first answer.

        What is pressed is looked up in the message as given, and the bot gets that version: a click on an older one
        is a click that was under way when the message was edited.
        """
        return await _answer(await self.start_press(message, custom_id, label=label, values=values))

    async def start_press(
        self,
        message: Shown,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Pick | Person] | None = None,
    ) -> Interaction:
        """The same without waiting for the answer."""
        found = self._find(message)
        component = _component(_json(message), custom_id, label)
        if component.get("disabled"):
            raise Refused(f"{_called(component)} is disabled")
        data: Json = {"custom_id": component["custom_id"], "component_type": component["type"], "id": component["id"]}
        if component["type"] in SELECTS:
            resolved = Resolved(found.channel)
            picks = None if values is None else [each.user if isinstance(each, Person) else each for each in values]
            data["values"] = pick_on_message(self._world, resolved, component, picks)
            if component["type"] != SELECTS[0]:
                data["resolved"] = resolved.json()
        elif values is not None:
            raise Refused(f"{_called(component)} is a button and takes no values")
        await self._settle(found.delivery)
        return self._use(found, _json(message), data, forged=False)

    async def forge(
        self,
        message: Shown,
        custom_id: str,
        values: Sequence[str] | None = None,
        component_type: int = 2,
    ) -> Answer:
        """Send an interaction that no honest client would: any custom id and values, on any message.

        The message may be gone or somebody else's. Where it has no such component, the bot gets a version of it that
        has nothing else, since discord.py drops clicks on what a message does not hold. The bot may leave a forged
        act unanswered without a breach.
        """
        identity = _json(message)["id"]
        found = self._world.messages.get(identity) or self._world.buried.get(identity)
        if found is None:
            raise Refused(f"there was never a message {identity}")
        if found.channel.guild is not None and self.id not in found.channel.guild.members:
            raise Refused(f"Discord takes no interactions of {self.name} in a server that they are not in")
        data: Json = {"custom_id": custom_id, "component_type": component_type}
        if values is not None:
            data["values"] = list(values)
        seen = _json(message)
        held = [(part.get("type"), part.get("custom_id")) for part in walk(seen.get("components", ()))]
        if (component_type, custom_id) not in held:
            seen = {**seen, "components": [_forged_row(custom_id, component_type, values or ())]}
        return await _answer(self._use(found, seen, data, forged=True))

    def _use(self, message: Message, seen: Json, data: Json, *, forged: bool) -> Interaction:
        name = repr(data["custom_id"])
        interaction = self._interactions.new(
            COMPONENT, self.user, message.channel, name=name, source=message, seen=seen, forged=forged
        )
        self._interactions.send(interaction, data)
        return interaction

    # ---------------------------------------------------------------- modals

    async def submit(self, used: Answer, answers: Mapping[str, Any]) -> Answer:
        """Submit the modal that answered an act; the answers by custom id or label. Waits for the first answer."""
        return await _answer(await self.start_submit(used.interaction, answers))

    async def start_submit(self, parent: Interaction, answers: Mapping[str, Any]) -> Interaction:
        """The same without waiting for the answer."""
        modal = parent.modal
        if modal is None or parent.answer != MODAL or parent.user is not self.user:
            raise Refused("no modal is open")
        if parent.modal_used:
            raise Refused(f"the modal {modal['title']!r} was submitted and is closed")
        resolved = Resolved(parent.channel)
        plain = {key: _plain(value) for key, value in answers.items()}
        data: Json = {
            "custom_id": modal["custom_id"],
            "components": fill_modal(self._world, resolved, modal, plain),
        }
        if resolved.json():
            data["resolved"] = resolved.json()
        await self._settle(parent.delivery)
        parent.modal_used = True
        interaction = self._interactions.new(
            MODAL_SUBMIT, self.user, parent.channel, name=modal["custom_id"], source=parent.source, parent=parent
        )
        self._interactions.send(interaction, data)
        return interaction

    async def forge_submit(self, message: Shown, custom_id: str, fields: Mapping[str, str]) -> Answer:
        """Submit a form that was never opened, on any message, with any fields."""
        found = self._world.messages[_json(message)["id"]]
        rows = [
            {
                "type": LABEL,
                "id": number,
                "component": {"type": TEXT_INPUT, "id": number, "custom_id": key, "value": text},
            }
            for number, (key, text) in enumerate(fields.items(), 1)
        ]
        interaction = self._interactions.new(
            MODAL_SUBMIT, self.user, found.channel, name=custom_id, source=found, seen=_json(message), forged=True
        )
        self._interactions.send(interaction, {"custom_id": custom_id, "components": rows})
        return await _answer(interaction)

    async def start_submit_raw(self, interaction_id: str, components: Sequence[Json]) -> Interaction:
        """Submit a modal with components in the form of a submit, as the page sends them."""
        parent = self._interactions.get(interaction_id)
        if parent is None:
            raise Refused("no modal is open")
        return await self.start_submit(parent, answers_of(components))

    async def _settle(self, delivery: Delivery) -> None:
        """Wait until the bot has heard the answer to the call behind what is acted upon, and a human moment more."""
        if delivery.in_flight:
            await self._world.until(lambda: not delivery.in_flight, 5, lambda: "a call of the bot never ended")
        wait = delivery.settled + self._world.settings.reaction_ms / 1000 - asyncio.get_running_loop().time()
        if wait > 0:
            await asyncio.sleep(wait)


async def _answer(interaction: Interaction) -> Answer:
    await interaction.answered.wait()  # its own timer ends it
    return Answer(interaction)


def _json(message: Shown) -> Json:
    if isinstance(message, Answer):
        if message.message is None:
            raise Refused(f"there is no message: {message!r}")
        return message.message
    return message


def _forged_row(custom_id: str, component_type: int, values: Sequence[str]) -> Json:
    """A row with nothing but a component that the message does not have."""
    component: Json = {"type": component_type, "custom_id": custom_id, "id": 2}
    if component_type == BUTTON:
        component |= {"style": 1, "label": "forged", "disabled": False}
    else:
        component["options"] = [{"label": value[:100], "value": value} for value in values]
    return {"type": 1, "id": 1, "components": [component]}


def _plain(value: Any) -> Any:
    if isinstance(value, Person):
        return value.user
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _called(component: Json) -> str:
    return repr(component.get("label") or component.get("placeholder") or component.get("custom_id"))


def _component(message: Json, custom_id: str | None, label: str | None) -> Json:
    """The one button or select menu with a custom id or label (a menu's label is its placeholder)."""
    if (custom_id is None) == (label is None):
        raise Refused("name the component by its custom id or by its label")
    parts = [part for part in walk(message.get("components", ())) if part["type"] in (BUTTON, *SELECTS)]
    if custom_id is not None:
        found = [part for part in parts if part.get("custom_id") == custom_id]
    else:
        found = [part for part in parts if label in (part.get("label"), part.get("placeholder"))]
    if len(found) != 1:
        known = ", ".join(f"{_called(part)} ({part.get('custom_id')})" for part in parts) or "none"
        many = "more than one" if found else "no"
        raise Refused(f"the message has {many} component {custom_id or label!r}; it has: {known}")
    component: Json = found[0]
    if component.get("style") in _LINK_STYLES:
        raise Refused(f"{_called(component)} is a link")
    return component
