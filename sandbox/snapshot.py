"""A sandbox's people, places, commands and messages as JSON, to be loaded into a fresh sandbox later.

Of files the names and sizes are kept and not the bytes; tokens of interactions and emoji are left out.
"""

from __future__ import annotations

import json

from .messaging.message_json import render
from .world.models import Attachment, Channel, Guild, Json, Member, Message, Role, ThreadState, User
from .world.state import State

_FILES = "cdn://"
"""Replaces the address of the sandbox, which is another one each time."""

_PLAIN = ("type", "content", "flags", "embeds", "components", "mention_roles", "mention_everyone", "nonce", "reference")
_OF_ANSWERS = ("metadata", "webhook", "edited_ms", "aged_ms", "reactions")
_OF_GUILDS = ("id", "name", "owner_id", "created_ms", "bot_present", "locale")
_OF_THREADS = ("owner_id", "created_ms", "archive_after", "archived", "archived_ms", "locked", "private", "joined")


def dump(state: State) -> Json:
    """Return the world as it is now. Ephemeral messages that their readers have dismissed are left out."""
    kept = {
        "now": state.clock.now_ms(),
        "users": [_user(state, user) for user in state.users.values() if not user.bot],
        "guilds": [_guild(guild) for guild in state.guilds.values()],
        "commands": [[guild, list(commands.values())] for guild, commands in state.commands.items()],
        "messages": [_message(message) for message in state.messages.values() if not message.dismissed],
    }
    found: Json = json.loads(json.dumps(kept).replace(_address(state), _FILES))
    return found


def load(state: State, kept: Json) -> None:
    """Fill an empty state, to which no bot is connected; its clock continues a millisecond after what was kept."""
    kept = json.loads(json.dumps(kept).replace(_FILES, _address(state)))
    state.clock.offset_ms += kept["now"] + 1 - state.clock.now_ms()
    for body in kept["users"]:
        _load_user(state, body)
    for body in kept["guilds"]:
        _load_guild(state, body)
    for guild, commands in kept["commands"]:
        state.commands[guild] = {command["id"]: command for command in commands}
    for body in kept["messages"]:
        _load_message(state, body)


def _address(state: State) -> str:
    place = Channel("0", "")
    return state.attachment_url(place, "0", "").removesuffix("/attachments/0/0/")


def _user(state: State, user: User) -> Json:
    body = {name: getattr(user, name) for name in ("id", "username", "global_name", "dms_open", "locale")}
    return {**body, "installed": user.id in state.installed, "dm": state.directs[user.id].id}


def _load_user(state: State, body: Json) -> None:
    user = User(body["id"], body["username"], body["global_name"], dms_open=body["dms_open"], locale=body["locale"])
    channel = Channel(body["dm"], user.username, recipient=user)
    state.users[user.id], state.unread[user.id], state.notices[user.id] = user, {}, []
    state.directs[user.id] = state.channels[channel.id] = channel
    if body["installed"]:
        state.installed.add(user.id)


def _guild(guild: Guild) -> Json:
    body: Json = {name: getattr(guild, name) for name in _OF_GUILDS}
    roles = ("id", "name", "permissions", "position", "managed_by", "mentionable")
    body["roles"] = [{name: getattr(role, name) for name in roles} for role in guild.roles.values()]
    body["members"] = [[id_, member.joined_ms, member.roles] for id_, member in guild.members.items()]
    body["channels"] = [_channel(channel) for channel in guild.channels.values()]
    return body


def _load_guild(state: State, body: Json) -> None:
    parts = {name: body[name] for name in _OF_GUILDS if name in body}  # older snapshots lack the last ones
    guild = state.guilds[body["id"]] = Guild(**parts)
    guild.roles = {role["id"]: Role(**role) for role in body["roles"]}
    guild.members = {id_: Member(state.users[id_], joined, roles) for id_, joined, roles in body["members"]}
    for channel in body["channels"]:
        _load_channel(state, guild, channel)


def _channel(channel: Channel) -> Json:
    body: Json = {name: getattr(channel, name) for name in ("id", "name", "position", "overwrites")}
    if channel.parent is not None and channel.thread is not None:
        body["parent"] = channel.parent.id
        body["thread"] = {name: getattr(channel.thread, name) for name in _OF_THREADS}
    return body


def _load_channel(state: State, guild: Guild, body: Json) -> None:
    channel = Channel(body["id"], body["name"], guild, position=body["position"])
    channel.overwrites = {target: (allow, deny) for target, (allow, deny) in body["overwrites"].items()}
    if "parent" in body:
        channel.parent, channel.thread = state.channels[body["parent"]], ThreadState(**body["thread"])
    guild.channels[channel.id] = state.channels[channel.id] = channel


def _message(message: Message) -> Json:
    body: Json = {name: getattr(message, name) for name in (*_PLAIN, *_OF_ANSWERS)}
    body |= {"id": message.id, "channel": message.channel.id, "author": message.author.id}
    body |= {"created_ms": message.created_ms, "mentions": [user.id for user in message.mentions]}
    body["reader"] = None if message.reader is None else message.reader.id
    body["thread"] = None if message.thread is None else message.thread.id
    body["files"] = [
        {name: getattr(file, name) for name in ("id", "filename", "content_type", "url", "size", "description")}
        for file in message.attachments
    ]
    return body


def _load_message(state: State, body: Json) -> None:
    channel = state.channels[body["channel"]]
    message = Message(body["id"], channel, state.users[body["author"]], body["created_ms"])
    for name in (*_PLAIN, *_OF_ANSWERS):
        setattr(message, name, body[name])
    message.mentions = [state.users[user] for user in body["mentions"]]
    message.reader = None if body["reader"] is None else state.users[body["reader"]]
    message.thread = None if body["thread"] is None else state.channels.get(body["thread"])
    message.referenced = state.messages.get((message.reference or {}).get("message_id", ""))
    for file in body["files"]:
        size = None if file["size"] is None else tuple(file["size"])
        attachment = Attachment(**{**file, "size": size}, data=b"", ephemeral=message.reader is not None)
        message.attachments.append(attachment)
        state.keep(attachment)
    render(message)
    channel.messages[message.id] = state.messages[message.id] = message
