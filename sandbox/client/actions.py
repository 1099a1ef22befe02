"""What a person's client sends to the bot: commands, button presses, selections and submitted modals."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.limits.components import BUTTON, SELECTS
from sandbox.messaging.interaction import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, MODAL_SUBMIT, Interaction
from sandbox.messaging.interactions import Interactions
from sandbox.messaging.message_json import walk
from sandbox.world.models import Channel, Delivery, Json, Message, User
from sandbox.world.permissions import Permission
from sandbox.world.state import State

from .command_input import Refused, Resolved, Value, available, from_nested, prepare
from .component_input import Pick, answers_of, fill_modal, pick_on_message
from .responses import MessageRef, json_of

_LINK_STYLES = (5, 6)


class ClientActions:
    """The actions of one user. Nothing here waits for the bot's response; what a client does not allow raises
    `Refused`.
    """

    def __init__(self, state: State, interactions: Interactions, user: User) -> None:
        self._state = state
        self._interactions = interactions
        self._user = user

    def sees(self, channel: Channel) -> bool:
        """Return True if the user can see a channel."""
        if channel.guild is None:
            return channel.recipient is self._user
        return channel.id in channel.guild.channels and channel.may(self._user.id, Permission.VIEW_CHANNEL)

    def require_visible(self, channel: Channel) -> None:
        """Raise `Refused` if the user cannot see a channel."""
        if not self.sees(channel):
            raise Refused(f"{self._user.name} does not see #{channel.name}")

    def find(self, message: MessageRef | str) -> Message:
        """Return a message by its JSON, its action result or its id; raises `Refused` if the user cannot see it."""
        identity = message if isinstance(message, str) else json_of(message)["id"]
        found = self._state.messages.get(identity)
        if found is None or found.dismissed:
            raise Refused(f"the message {identity} is gone")
        if not found.seen_by(self._user.id) or not self.sees(found.channel):
            raise Refused(f"{self._user.name} does not see the message {identity}")
        return found

    # ---------------------------------------------------------------- commands

    def command(
        self,
        channel: Channel,
        name: str,
        options: Mapping[str, Value],
        *,
        focus: str | None = None,
        command_id: str | None = None,
    ) -> Interaction:
        """Send a command, or with ``focus`` ask for choices. Raises `Refused`."""
        self.require_visible(channel)
        ready = prepare(self._state, self._user, channel, name, options, focus=focus, command_id=command_id)
        kind = COMMAND if focus is None else AUTOCOMPLETE
        interaction = self._interactions.new(
            kind, self._user, channel, name=ready.name, focused_kind=ready.focused_kind
        )
        self._interactions.send(interaction, ready.data)
        return interaction

    def command_by_id(self, channel: Channel, command_id: str, options: list[Json], *, complete: bool) -> Interaction:
        """Do the same with options in an interaction's own nested form, as the page sends them. Raises `Refused`."""
        self.require_visible(channel)
        offered = available(self._state, self._user, channel)
        command = next((each for each in offered if each["id"] == command_id), None)
        if command is None:
            raise Refused("this command is not offered here")
        name, values, focus = from_nested(command, options)
        if complete and focus is None:
            raise Refused("no option is being typed")
        return self.command(channel, name, values, focus=focus if complete else None, command_id=command_id)

    # ---------------------------------------------------------------- components

    async def press(
        self,
        message: MessageRef | str,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Pick] | None = None,
    ) -> Interaction:
        """Press a button or select values in the given version of a message, or in the current one if given an id.

        Raises `Refused`.
        """
        found = self.find(message)
        seen = found.json if isinstance(message, str) else json_of(message)
        component = _component(seen, custom_id, label)
        if component.get("disabled"):
            raise Refused(f"{_called(component)} is disabled")
        data: Json = {"custom_id": component["custom_id"], "component_type": component["type"], "id": component["id"]}
        if component["type"] in SELECTS:
            resolved = Resolved(found.channel)
            data["values"] = pick_on_message(self._state, resolved, component, values)
            if component["type"] != SELECTS[0]:
                data["resolved"] = resolved.json()
        elif values is not None:
            raise Refused(f"{_called(component)} is a button and takes no values")
        await self._settle(found.delivery)
        return self.use(found, seen, data, forged=False)

    def use(self, message: Message, seen: Json, data: Json, *, forged: bool) -> Interaction:
        """Send the use of a component; ``seen`` is the version of its message that the user has."""
        name = repr(data["custom_id"])
        interaction = self._interactions.new(
            COMPONENT, self._user, message.channel, name=name, source=message, seen=seen, forged=forged
        )
        self._interactions.send(interaction, data)
        return interaction

    # ---------------------------------------------------------------- modals

    async def submit(self, parent: Interaction, answers: Mapping[str, Any]) -> Interaction:
        """Submit the modal that an action opened, with answers by custom id or label. Raises `Refused`."""
        modal = parent.modal
        if modal is None or parent.answer != MODAL or parent.user is not self._user:
            raise Refused("no modal is open")
        if parent.modal_used:
            raise Refused(f"the modal {modal['title']!r} was submitted and is closed")
        resolved = Resolved(parent.channel)
        data: Json = {
            "custom_id": modal["custom_id"],
            "components": fill_modal(self._state, resolved, modal, answers),
        }
        if resolved.json():
            data["resolved"] = resolved.json()
        await self._settle(parent.delivery)
        parent.modal_used = True
        interaction = self._interactions.new(
            MODAL_SUBMIT, self._user, parent.channel, name=modal["custom_id"], source=parent.source, parent=parent
        )
        self._interactions.send(interaction, data)
        return interaction

    async def submit_raw(self, interaction_id: str, components: Sequence[Json]) -> Interaction:
        """Submit a modal with components in the form of a submit, as the page sends them. Raises `Refused`."""
        parent = self._interactions.get(interaction_id)
        if parent is None:
            raise Refused("no modal is open")
        return await self.submit(parent, answers_of(components))

    async def _settle(self, delivery: Delivery) -> None:
        """Wait until the bot has received the response to its call, and a little longer, as a human would."""
        if delivery.in_flight:
            await self._state.until(lambda: not delivery.in_flight, 5, lambda: "a call of the bot never ended")
        wait = delivery.settled + self._state.settings.reaction_ms / 1000 - asyncio.get_running_loop().time()
        if wait > 0:
            await asyncio.sleep(wait)


def _called(component: Json) -> str:
    return repr(component.get("label") or component.get("placeholder") or component.get("custom_id"))


def _component(message: Json, custom_id: str | None, label: str | None) -> Json:
    """Return the one button or select menu with a custom id or label (a menu's label is its placeholder)."""
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
