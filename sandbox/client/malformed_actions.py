"""Actions that no honest client would send, for testing the bot's own checks.

The bot may leave such an action unanswered without a violation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.limits.commands import STRING, SUB_COMMAND, SUB_COMMAND_GROUP
from sandbox.limits.components import BUTTON, LABEL, TEXT_INPUT
from sandbox.messaging.interaction import AUTOCOMPLETE, COMMAND, MODAL_SUBMIT, Interaction
from sandbox.messaging.interactions import Interactions
from sandbox.messaging.message_json import walk
from sandbox.world.models import Channel, Json, Message, User
from sandbox.world.state import State

from .actions import ClientActions
from .command_input import Refused
from .responses import MessageRef, json_of


class MalformedActions:
    """Forges actions of one user; `Refused` is raised only if Discord itself would not accept the action."""

    def __init__(self, state: State, interactions: Interactions, user: User, actions: ClientActions) -> None:
        self._state = state
        self._interactions = interactions
        self._user = user
        self._actions = actions

    def command(
        self, channel: Channel, name: str, options: Sequence[Json], resolved: Json | None, *, complete: bool
    ) -> Interaction:
        """Send a command by any name with any options in an interaction's own form. Raises `Refused`."""
        self._require_member(channel)
        first, *groups = name.split()
        filled = list(options)
        for depth, group in enumerate(reversed(groups)):
            filled = [{"name": group, "type": SUB_COMMAND if depth == 0 else SUB_COMMAND_GROUP, "options": filled}]
        data: Json = {"id": self._state.clock.snowflake(), "name": first, "type": 1, "options": filled}
        if resolved:
            data["resolved"] = resolved
        kind = AUTOCOMPLETE if complete else COMMAND
        focused = next((int(option["type"]) for option in options if option.get("focused")), STRING)
        interaction = self._interactions.new(kind, self._user, channel, name=name, focused_kind=focused, forged=True)
        self._interactions.send(interaction, data)
        return interaction

    def press(
        self, message: MessageRef, custom_id: str, values: Sequence[str] | None, component_type: int
    ) -> Interaction:
        """Use any custom id with any values, on a message that may be deleted or another person's.

        If the message has no such component, the bot gets a version of it with only that component, since discord.py
        drops clicks on missing components. Raises `Refused`.
        """
        found = self._found(message)
        self._require_member(found.channel)
        data: Json = {"custom_id": custom_id, "component_type": component_type}
        if values is not None:
            data["values"] = list(values)
        seen = json_of(message)
        held = [(part.get("type"), part.get("custom_id")) for part in walk(seen.get("components", ()))]
        if (component_type, custom_id) not in held:
            seen = {**seen, "components": [_forged_row(custom_id, component_type, values or ())]}
        return self._actions.use(found, seen, data, forged=True)

    def _found(self, message: MessageRef) -> Message:
        """Return a message, also a deleted one. Raises `Refused` for one that never existed."""
        identity = json_of(message)["id"]
        found = self._state.messages.get(identity) or self._state.deleted_messages.get(identity)
        if found is None:
            raise Refused(f"there was never a message {identity}")
        return found

    def submit(self, message: MessageRef, custom_id: str, fields: Mapping[str, str]) -> Interaction:
        """Submit a modal that was never opened, on any message, with any fields."""
        found = self._found(message)
        rows = [
            {
                "type": LABEL,
                "id": number,
                "component": {"type": TEXT_INPUT, "id": number, "custom_id": key, "value": text},
            }
            for number, (key, text) in enumerate(fields.items(), 1)
        ]
        interaction = self._interactions.new(
            MODAL_SUBMIT, self._user, found.channel, name=custom_id, source=found, seen=json_of(message), forged=True
        )
        self._interactions.send(interaction, {"custom_id": custom_id, "components": rows})
        return interaction

    def _require_member(self, channel: Channel) -> None:
        if channel.guild is not None and self._user.id not in channel.guild.members:
            raise Refused(f"Discord takes no interactions of {self._user.name} in a server that they are not in")


def _forged_row(custom_id: str, component_type: int, values: Sequence[str]) -> Json:
    """Return a row with only a component that the message does not have."""
    component: Json = {"type": component_type, "custom_id": custom_id, "id": 2}
    if component_type == BUTTON:
        component |= {"style": 1, "label": "forged", "disabled": False}
    else:
        component["options"] = [{"label": value[:100], "value": value} for value in values]
    return {"type": 1, "id": 1, "components": [component]}
