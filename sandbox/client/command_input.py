"""Building the options of a command from "rope-wall push" and values by name, as an honest client does.

A client offers only commands that the user may use, refuses values outside an option's bounds and does not send a
command before every required option is filled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox.limits.commands import (
    BOOLEAN,
    CHANNEL,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    SUB_COMMAND,
    SUB_COMMAND_GROUP,
    USER,
)
from sandbox.world import permissions
from sandbox.world.models import Channel, Guild, Json, Role, User
from sandbox.world.serializers import member_json, partial_channel_json, role_json
from sandbox.world.state import State

_SAFE_INTEGER = 1 << 53

Value = str | int | float | bool | User | Channel | Role | None


class Refused(Exception):
    """An honest client does not allow this; the text says why."""


@dataclass(slots=True)
class Resolved:
    """The users, roles and channels that an action refers to, as interactions carry them."""

    channel: Channel
    users: dict[str, Json] = field(default_factory=dict)
    members: dict[str, Json] = field(default_factory=dict)
    roles: dict[str, Json] = field(default_factory=dict)
    channels: dict[str, Json] = field(default_factory=dict)

    def name(self, target: User | Channel | Role) -> str:
        """Add a user, role or channel and return its id."""
        guild = self.channel.guild
        if isinstance(target, User):
            self.users[target.id] = target.json
            if guild is not None and target.id in guild.members:
                member = member_json(guild.members[target.id], with_user=False)
                del member["deaf"], member["mute"]
                self.members[target.id] = {**member, "permissions": str(self.channel.permissions(target.id))}
        elif isinstance(target, Role):
            self.roles[target.id] = role_json(target)
        else:
            self.channels[target.id] = partial_channel_json(target, permissions.EVERYONE)
        return target.id

    def json(self) -> Json:
        """Return the kinds that are not empty."""
        kinds = {"users": self.users, "members": self.members, "roles": self.roles, "channels": self.channels}
        return {key: value for key, value in kinds.items() if value}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command ready to send: its full name and the interaction's data; ``focused_kind`` is for autocomplete."""

    name: str
    data: Json
    focused_kind: int = STRING


def available(state: State, user: User, channel: Channel) -> list[Json]:
    """Return the slash commands that a client offers a user in a channel, a server's own before global ones.

    A command is available to users who share a server with the bot or have installed it for themselves, if it was
    declared for that.
    """
    guild = channel.guild
    if guild is None:
        ways = {0} if state.shares_server(user) else set()
        ways |= {1} if user.id in state.installed else set()
        return [one for one in state.commands[None].values() if _in_direct(one) and ways & {*one["integration_types"]}]
    if not guild.bot_present:
        brought = (one for one in state.commands[None].values() if 1 in one["integration_types"])
        usable = user.id in state.installed and guild.members.get(user.id) is not None
        return [one for one in brought if usable and 0 in (one["contexts"] or (0,))]
    if not channel.permissions(user.id) & permissions.Permission.USE_APPLICATION_COMMANDS:
        return []
    own = state.commands.get(guild.id, {}).values()
    everywhere = (command for command in state.commands[None].values() if 0 in (command["contexts"] or (0,)))
    return [command for command in (*own, *everywhere) if _permitted(command, guild, channel, user)]


def _in_direct(command: Json) -> bool:
    contexts = command["contexts"]
    return bool(command["dm_permission"]) if contexts is None else 1 in contexts


def _permitted(command: Json, guild: Guild, channel: Channel, user: User) -> bool:
    if command["type"] != 1:
        return False
    needed = command["default_member_permissions"]
    if needed is None:
        return True
    bits = int(needed)
    held = channel.permissions(user.id)
    if held == permissions.ALL:
        return True
    return bits != 0 and held & bits == bits and user.id in guild.members


def prepare(
    state: State,
    user: User,
    channel: Channel,
    path: str,
    values: Mapping[str, Value],
    *,
    focus: str | None = None,
    command_id: str | None = None,
) -> Prepared:
    """Turn a path and values into an interaction's data.

    With ``focus`` the named option is being typed: nothing is required and its text is not converted. Raises `Refused`
    for unknown commands and options, missing options and values out of bounds.
    """
    words = path.removeprefix("/").split()
    offered = available(state, user, channel)
    command = (
        next((each for each in offered if each["name"] == words[0] and command_id in (None, each["id"])), None)
        if words
        else None
    )
    if command is None:
        known = ", ".join(sorted(f"/{each['name']}" for each in offered)) or "none"
        raise Refused(f"{user.name} is offered no /{path} in #{channel.name}; offered are: {known}")
    leaf, groups = _leaf(command, words)
    resolved = Resolved(channel)
    filled, focused_kind = _fill(state, resolved, leaf.get("options", ()), values, " ".join(words), focus)
    options = filled
    for group in reversed(groups):
        options = [{"name": group["name"], "type": group["type"], "options": options}]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1}
    if options:
        data["options"] = options
    if resolved.json():
        data["resolved"] = resolved.json()
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    return Prepared(" ".join(words), data, focused_kind)


def _leaf(command: Json, words: list[str]) -> tuple[Json, list[Json]]:
    """Return the part of a command that takes values, and the groups that lead to it."""
    leaf, groups = command, []
    for word in words[1:]:
        parts = [option for option in leaf.get("options", ()) if option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP)]
        found = next((part for part in parts if part["name"] == word), None)
        if found is None:
            known = ", ".join(part["name"] for part in parts) or "none"
            raise Refused(f"/{command['name']} has no sub-command {word!r}; it has: {known}")
        leaf = found
        groups.append(found)
    if any(option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP) for option in leaf.get("options", ())):
        known = ", ".join(option["name"] for option in leaf["options"])
        raise Refused(f"/{' '.join(words)} needs a sub-command: {known}")
    return leaf, groups


def _fill(
    state: State,
    resolved: Resolved,
    options: list[Json],
    values: Mapping[str, Value],
    name: str,
    focus: str | None,
) -> tuple[list[Json], int]:
    known = {option["name"] for option in options}
    for given in (*values, *([focus] if focus is not None else ())):
        if given not in known:
            raise Refused(f"/{name} has no option {given!r}; it has: {', '.join(sorted(known)) or 'none'}")
    filled: list[Json] = []
    focused_kind = STRING
    for option in options:
        key = option["name"]
        value = values.get(key)
        entry: Json = {"name": key, "type": option["type"]}
        if key == focus:
            if not option.get("autocomplete"):
                raise Refused(f"the option {key!r} of /{name} completes nothing")
            focused_kind = option["type"]
            filled.append({**entry, "value": "" if value is None else str(value), "focused": True})
        elif value is not None:
            filled.append({**entry, "value": _convert(state, resolved, option, value, name)})
        elif option.get("required") and focus is None:
            raise Refused(f"/{name} needs the option {key!r}")
    return filled, focused_kind


def _convert(state: State, resolved: Resolved, option: Json, value: Value, name: str) -> str | int | float | bool:
    """Convert a value to its option's type, or raise `Refused`."""
    key, kind = option["name"], option["type"]
    wrong = Refused(f"the option {key!r} of /{name} cannot be {value!r}")
    if option.get("choices"):
        for choice in option["choices"]:
            if str(value) in (str(choice["value"]), choice["name"]):
                chosen: str | int | float = choice["value"]
                return chosen
        offered = ", ".join(f"{choice['name']} ({choice['value']})" for choice in option["choices"])
        raise Refused(f"{wrong}; the choices are: {offered}")
    if kind in (USER, ROLE, CHANNEL, MENTIONABLE):
        return resolved.name(_target(state, resolved.channel, kind, value, wrong))
    if isinstance(value, (User, Channel, Role)):
        raise wrong
    if kind == STRING:
        return _string(option, str(value), wrong)
    if kind == BOOLEAN:
        if str(value).lower() not in ("true", "false"):
            raise wrong
        return str(value).lower() == "true"
    if kind in (INTEGER, NUMBER) and not isinstance(value, bool):
        return _number(option, kind, str(value), wrong)
    raise wrong


def _string(option: Json, text: str, wrong: Refused) -> str:
    low, high = option.get("min_length") or 0, option.get("max_length") or 6000
    if not low <= len(text) <= high:
        raise Refused(f"{wrong}: it must have {low} to {high} characters")
    if not text and option.get("required"):
        raise Refused(f"{wrong}: it is empty")
    return text


def _number(option: Json, kind: int, text: str, wrong: Refused) -> int | float:
    try:
        number = int(text) if kind == INTEGER else float(text)
    except ValueError:
        raise Refused(f"{wrong}: it is no number") from None
    low = option.get("min_value", -_SAFE_INTEGER)
    high = option.get("max_value", _SAFE_INTEGER)
    if not low <= number <= high:
        raise Refused(f"{wrong}: it must be from {low} to {high}")
    return number


def _target(state: State, channel: Channel, kind: int, value: Value, wrong: Refused) -> User | Channel | Role:
    guild = channel.guild
    roles = guild.roles if guild is not None else {}
    found: User | Channel | Role | None
    if isinstance(value, (User, Channel, Role)):
        found = value
    else:
        name = str(value).strip("<@&#!>")
        found = state.users.get(name) or roles.get(name) or state.channels.get(name)
    allowed: tuple[type, ...] = {USER: (User,), ROLE: (Role,), CHANNEL: (Channel,)}.get(kind, (User, Role))
    if found is None or not isinstance(found, allowed):
        raise wrong
    return found


def from_nested(command: Json, options: list[Json]) -> tuple[str, dict[str, Value], str | None]:
    """Return the path, values and focused option of options in an interaction's own nested form."""
    words, focus = [command["name"]], None
    while options and options[0].get("type") in (SUB_COMMAND, SUB_COMMAND_GROUP):
        words.append(str(options[0].get("name")))
        options = options[0].get("options") or []
    values: dict[str, Value] = {}
    for option in options:
        values[str(option.get("name"))] = option.get("value")
        if option.get("focused"):
            focus = str(option.get("name"))
    return " ".join(words), values, focus
