"""Sending events to the bot's sessions.

Source: "Gateway events" and "Gateway intents" in Discord's API documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.messaging.message_json import for_gateway, reaction_emoji, without_content
from sandbox.world.events import (
    BotJoined,
    BotLeft,
    ChannelChanged,
    ChannelGone,
    ChannelMade,
    Edited,
    Event,
    GuildChanged,
    Joined,
    Left,
    MemberChanged,
    MessageDeleted,
    Posted,
    Purged,
    Reacted,
    RoleGone,
    RoleMade,
    ThreadEntered,
    ThreadLeft,
    ThreadsSeen,
)
from sandbox.world.models import Channel, Guild, Json, Message, User
from sandbox.world.serializers import (
    channel_json,
    gateway_guild_json,
    guild_json,
    member_json,
    role_json,
    thread_json_for,
    thread_member_json,
)
from sandbox.world.state import State

from .connection import Closed, Session, compact

GUILDS, MEMBERS = 1 << 0, 1 << 1
_GUILD_MESSAGES, _GUILD_REACTIONS = 1 << 9, 1 << 10
_DIRECT_MESSAGES, _DIRECT_REACTIONS = 1 << 12, 1 << 13
CONTENT = 1 << 15

_ENDINGS: Mapping[type, str] = {ChannelMade: "_CREATE", ChannelChanged: "_UPDATE", ChannelGone: "_DELETE"}


class Dispatcher:
    """Turns events into dispatches to the sessions that may receive them. ``sessions`` is the gateway's own mapping."""

    def __init__(self, state: State, sessions: Mapping[str, Session]) -> None:
        self._state = state
        self._sessions = sessions

    def send_ready(self, session: Session, guilds: Sequence[Guild], resume_at: str) -> None:
        """Send READY and the servers of a new session. ``resume_at`` is the address for a resume."""
        ready = {
            "v": 10,
            "user": {**self._state.bot.json, "verified": True, "mfa_enabled": True, "email": None},
            "user_settings": {},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": resume_at,
            "session_type": "normal",
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "shard": [*session.shard],
            "application": {"id": self._state.bot.id, "flags": self._state.application_flags()},
        }
        session.dispatch("READY", compact(ready))
        if session.intents & GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", compact(self._guild(session, guild)))

    def _guild(self, session: Session, guild: Guild) -> Json:
        """Return a server for GUILD_CREATE: without the members intent only the bot itself is listed."""
        members = guild.members.values()
        listed = [member for member in members if session.intents & MEMBERS or member.user is self._state.bot]
        return gateway_guild_json(guild, [member_json(member) for member in listed])

    def members(self, session: Session, data: Json) -> None:
        """Answer a request for members by name or id. Raises `Closed` for a request for all without the
        members intent.
        """
        guild = self._state.guilds.get(str(data.get("guild_id")))
        if guild is None:
            return
        wanted = data.get("user_ids")
        query = str(data.get("query") or "").lower()
        if wanted is None and not query and not session.intents & MEMBERS:
            self._state.record_violation("the gateway", "asked for all members without the members intent")
            raise Closed(4014, "Disallowed intent(s).")
        ids = [str(user) for user in (wanted if isinstance(wanted, list) else [wanted])] if wanted is not None else []
        if wanted is not None:
            found = [guild.members[user] for user in ids if user in guild.members]
        else:
            found = [member for member in guild.members.values() if member.user.name.lower().startswith(query)]
            found = found[: int(data.get("limit") or 0) or None]
        body: Json = {
            "guild_id": guild.id,
            "members": [member_json(member) for member in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [user for user in ids if user not in guild.members],
        }
        if data.get("nonce") is not None:
            body["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", compact(body))

    def _sessions_for(self, guild: Guild | None, intent: int) -> Iterator[Session]:
        for session in self._sessions.values():
            if session.intents & intent and session.serves(guild):
                yield session

    def _send(self, guild: Guild | None, intent: int, name: str, body: Json) -> None:
        data = compact(body)
        for session in self._sessions_for(guild, intent):
            session.dispatch(name, data)

    def message_again(self, message: Message) -> None:
        """Send that a message was posted once more, as Discord may after a session was resumed."""
        self._message("MESSAGE_CREATE", message)

    def on_event(self, event: Event) -> None:
        if not self._sessions:
            return
        match event:
            case Posted(message):
                self._message("MESSAGE_CREATE", message)
            case Edited(message):
                self._message("MESSAGE_UPDATE", message)
            case MessageDeleted(message):
                if message.reader is None and self._sees(message.channel):
                    body = _placed(message.channel, id=message.id, channel_id=message.channel.id)
                    self._send(message.channel.guild, _message_intent(message.channel), "MESSAGE_DELETE", body)
            case Purged(channel, messages) if self._sees(channel):
                body = _placed(channel, ids=[message.id for message in messages], channel_id=channel.id)
                self._send(channel.guild, _message_intent(channel), "MESSAGE_DELETE_BULK", body)
            case RoleMade(guild, role):
                self._send(guild, GUILDS, "GUILD_ROLE_CREATE", {"guild_id": guild.id, "role": role_json(role)})
            case RoleGone(guild, role):
                self._send(guild, GUILDS, "GUILD_ROLE_DELETE", {"guild_id": guild.id, "role_id": role.id})
            case GuildChanged(guild):
                self._send(guild, GUILDS, "GUILD_UPDATE", guild_json(guild))
            case ThreadLeft(thread, user):
                self._left_thread(thread, user)
            case Reacted(message, user, emoji, added):
                self._reaction(message, user.id, emoji, added)
            case Joined(guild, member):
                self._send(guild, MEMBERS, "GUILD_MEMBER_ADD", {**member_json(member), "guild_id": guild.id})
            case Left(guild, user):
                self._send(guild, MEMBERS, "GUILD_MEMBER_REMOVE", {"guild_id": guild.id, "user": user.json})
            case MemberChanged(guild, member):
                intent = GUILDS if member.user is self._state.bot else MEMBERS
                self._send(guild, intent, "GUILD_MEMBER_UPDATE", {**member_json(member), "guild_id": guild.id})
            case BotJoined(guild):
                for session in self._sessions_for(guild, GUILDS):
                    body = self._guild(session, guild)
                    del body["unavailable"]  # discord.py treats a server without this key as a new one
                    session.dispatch("GUILD_CREATE", compact(body))
            case BotLeft(guild):
                self._send(guild, GUILDS, "GUILD_DELETE", {"id": guild.id})
            case ChannelMade(channel) | ChannelChanged(channel) | ChannelGone(channel) if channel.thread is None:
                self._send(channel.guild, GUILDS, "CHANNEL" + _ENDINGS[type(event)], channel_json(channel))
            case ChannelMade(channel) | ChannelChanged(channel) | ChannelGone(channel):
                self._thread(channel, event)
            case ThreadEntered(thread, user):
                self._entered(thread, user)
            case ThreadsSeen(channel):
                self._threads(channel)
            case _:
                pass

    def _thread(self, thread: Channel, event: Event) -> None:
        """Send that a thread was created, changed or deleted."""
        if not self._sees(thread):
            return
        body = channel_json(thread)
        if isinstance(event, ChannelGone):
            body = {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
        elif isinstance(event, ChannelMade):
            body = {**thread_json_for(thread, self._state.bot.id), "newly_created": True}
        self._send(thread.guild, GUILDS, "THREAD" + _ENDINGS[type(event)], body)

    def _entered(self, thread: Channel, user: User) -> None:
        """Send that a user joined a thread; without the members intent a bot gets this only for itself."""
        if thread.guild is None or thread.thread is None or not self._sees(thread):
            return
        added = thread_member_json(thread, user.id)
        body = {
            "id": thread.id,
            "guild_id": thread.guild.id,
            "member_count": len(thread.thread.joined),
            "added_members": [{**added, "member": member_json(thread.guild.members[user.id]), "presence": None}],
        }
        self._send(thread.guild, GUILDS if user is self._state.bot else MEMBERS, "THREAD_MEMBERS_UPDATE", body)

    def _left_thread(self, thread: Channel, user: User) -> None:
        """Send that a user was removed from a thread; of itself the bot is told although it may not see it any more."""
        if thread.guild is None or thread.thread is None or not (user is self._state.bot or self._sees(thread)):
            return
        count = len(thread.thread.joined)
        body = {"id": thread.id, "guild_id": thread.guild.id, "member_count": count, "removed_member_ids": [user.id]}
        self._send(thread.guild, GUILDS if user is self._state.bot else MEMBERS, "THREAD_MEMBERS_UPDATE", body)

    def _threads(self, channel: Channel) -> None:
        """Send all active threads of a channel that has become visible to the bot."""
        if channel.guild is None:
            return
        bot = self._state.bot.id
        found = [each for each in channel.guild.channels.values() if each.parent is channel and not each.archived]
        members = [thread_member_json(each, bot) for each in found if each.thread and bot in each.thread.joined]
        body = {
            "guild_id": channel.guild.id,
            "channel_ids": [channel.id],
            "threads": [channel_json(each) for each in found],
            "members": members,
        }
        self._send(channel.guild, GUILDS, "THREAD_LIST_SYNC", body)

    def _sees(self, channel: Channel) -> bool:
        return channel.guild is None or bool(channel.permissions(self._state.bot.id))

    def _message(self, name: str, message: Message) -> None:
        """Send a new or edited message, with its content only if the bot may read it."""
        channel = message.channel
        if message.reader is not None or not self._sees(channel):
            return
        open_to_bot = channel.guild is None or message.author is self._state.bot or self._state.bot in message.mentions
        full = hidden = ""
        for session in self._sessions_for(channel.guild, _message_intent(channel)):
            if open_to_bot or session.intents & CONTENT:
                full = full or compact(for_gateway(message, channel.guild))
                session.dispatch(name, full)
            else:
                hidden = hidden or compact(without_content(for_gateway(message, channel.guild)))
                session.dispatch(name, hidden)

    def _reaction(self, message: Message, user_id: str, emoji: str, added: bool) -> None:
        channel = message.channel
        body = _placed(
            channel,
            user_id=user_id,
            channel_id=channel.id,
            message_id=message.id,
            emoji=reaction_emoji(emoji),
            burst=False,
            type=0,
        )
        if added:
            body["message_author_id"] = message.author.id
            if channel.guild is not None and user_id in channel.guild.members:
                body["member"] = member_json(channel.guild.members[user_id])
        intent = _DIRECT_REACTIONS if channel.guild is None else _GUILD_REACTIONS
        self._send(channel.guild, intent, "MESSAGE_REACTION_ADD" if added else "MESSAGE_REACTION_REMOVE", body)


def _message_intent(channel: Channel) -> int:
    return _DIRECT_MESSAGES if channel.guild is None else _GUILD_MESSAGES


def _placed(channel: Channel, **body: Any) -> Json:
    """Return a body with the server's id, if there is a server."""
    return body if channel.guild is None else {**body, "guild_id": channel.guild.id}
