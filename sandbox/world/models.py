"""The people and places of the sandbox's world and their shapes in Discord's JSON. May import `clock`, `contents` and
`permissions`.

Records are plain data with the few questions that need nothing but themselves. Every id is a string.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import permissions
from .clock import iso
from .permissions import Permission

if TYPE_CHECKING:
    from .contents import Message

Json = dict[str, Any]

TEXT, DIRECT, THREAD = 0, 1, 11
"""Channel types: a server's text channel, a direct message, a public thread."""


@dataclass(slots=True, eq=False)
class User:
    """Somebody with an account, human or bot."""

    id: str
    username: str
    global_name: str | None
    bot: bool = False
    dms_open: bool = True
    locale: str = "en-US"
    json: Json = field(init=False)

    def __post_init__(self) -> None:
        self.json = {
            "id": self.id,
            "username": self.username,
            "global_name": self.global_name,
            "discriminator": "0",
            "avatar": None,
            "public_flags": 0,
            "flags": 0,
            "avatar_decoration_data": None,
            "banner": None,
            "accent_color": None,
        }
        if self.bot:
            self.json["bot"] = True

    @property
    def name(self) -> str:
        """The name that others read."""
        return self.global_name or self.username

    @property
    def mention(self) -> str:
        """What to write so that they are called."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A role of a server; the one with the server's own id is @everyone."""

    id: str
    name: str
    permissions: int
    position: int
    managed_by: str | None = None
    mentionable: bool = False

    def json(self) -> Json:
        """Discord's role object."""
        body: Json = {
            "id": self.id,
            "name": self.name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": self.position,
            "permissions": str(self.permissions),
            "managed": self.managed_by is not None,
            "mentionable": self.mentionable,
            "flags": 0,
            "icon": None,
            "unicode_emoji": None,
        }
        if self.managed_by is not None:
            body["tags"] = {"bot_id": self.managed_by}
        return body


@dataclass(slots=True, eq=False)
class Member:
    """Somebody's place in a server."""

    user: User
    joined_ms: int
    roles: list[str] = field(default_factory=list)

    def json(self, *, with_user: bool = True) -> Json:
        """Discord's member object; messages carry it without the user."""
        body: Json = {
            "roles": self.roles,
            "joined_at": iso(self.joined_ms),
            "nick": None,
            "avatar": None,
            "banner": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "premium_since": None,
            "communication_disabled_until": None,
        }
        if with_user:
            body["user"] = self.user.json
        return body


@dataclass(slots=True, eq=False)
class Guild:
    """A server."""

    id: str
    name: str
    owner_id: str
    created_ms: int
    roles: dict[str, Role] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    bot_present: bool = True

    def shard(self, shards: int) -> int:
        """Which shard's sessions hear of this server."""
        return (int(self.id) >> 22) % shards

    def base_permissions(self, user_id: str) -> int:
        """What a member may do before a channel's overwrites; 0 for strangers."""
        member = self.members.get(user_id)
        if member is None:
            return 0
        if user_id == self.owner_id:
            return permissions.ALL
        total = self.roles[self.id].permissions
        for role in member.roles:
            total |= self.roles[role].permissions
        return permissions.ALL if total & Permission.ADMINISTRATOR else total

    def partial(self) -> Json:
        """The server as an interaction carries it."""
        return {"id": self.id, "locale": "en-US", "features": []}

    def json(self) -> Json:
        """The server as GET /guilds/{id} answers it."""
        return {
            "id": self.id,
            "name": self.name,
            "owner_id": self.owner_id,
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "banner": None,
            "description": None,
            "region": "deprecated",
            "afk_channel_id": None,
            "afk_timeout": 300,
            "verification_level": 1,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "roles": [role.json() for role in self.roles.values()],
            "emojis": [],
            "stickers": [],
            "features": [],
            "mfa_level": 0,
            "nsfw_level": 0,
            "application_id": None,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "public_updates_channel_id": None,
            "safety_alerts_channel_id": None,
            "vanity_url_code": None,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "premium_progress_bar_enabled": False,
            "preferred_locale": "en-US",
            "max_members": 500_000,
        }

    def gateway_json(self, members: list[Json]) -> Json:
        """The server as GUILD_CREATE brings it, with the members that the session may see."""
        return {
            **self.json(),
            "joined_at": iso(self.created_ms),
            "large": False,
            "unavailable": False,
            "member_count": len(self.members),
            "members": members,
            "channels": [channel.json() for channel in self.channels.values() if channel.parent is None],
            "threads": [
                channel.json()
                for channel in self.channels.values()
                if channel.parent is not None and not channel.archived
            ],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }


@dataclass(slots=True, eq=False)
class ThreadState:
    """What a channel is as a thread: who began it and when, who has joined it (and when), whether it is archived.

    ``archive_after`` are minutes without a message after which Discord's own archive takes a thread.
    """

    owner_id: str
    created_ms: int
    archive_after: int = 1440
    archived: bool = False
    archived_ms: int = 0
    locked: bool = False
    joined: dict[str, int] = field(default_factory=dict)

    def metadata(self) -> Json:
        """Discord's thread metadata."""
        return {
            "archived": self.archived,
            "auto_archive_duration": self.archive_after,
            "archive_timestamp": iso(self.archived_ms or self.created_ms),
            "create_timestamp": iso(self.created_ms),
            "locked": self.locked,
        }

    def member(self, thread_id: str, user_id: str) -> Json:
        """Discord's thread member; raises KeyError for somebody who has not joined."""
        return {"id": thread_id, "user_id": user_id, "join_timestamp": iso(self.joined[user_id]), "flags": 1}


@dataclass(slots=True, eq=False)
class Channel:
    """A place for messages: a server's text channel, a thread of one (its ``parent``), or the direct messages of one
    human with the bot.
    """

    id: str
    name: str
    guild: Guild | None = None
    recipient: User | None = None
    position: int = 0
    parent: Channel | None = None
    thread: ThreadState | None = None
    overwrites: dict[str, tuple[int, int]] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)

    def permissions(self, user_id: str) -> int:
        """What somebody may do here."""
        guild = self.guild
        if guild is None:
            return permissions.DIRECT
        if self.parent is not None:
            return permissions.in_thread(self.parent.permissions(user_id))
        member = guild.members.get(user_id)
        if member is None:
            return 0
        everyone = self.overwrites.get(guild.id)
        roles = [self.overwrites[role] for role in member.roles if role in self.overwrites]
        own = self.overwrites.get(user_id)
        return permissions.in_channel(guild.base_permissions(user_id), everyone, roles, own)

    def may(self, user_id: str, permission: Permission) -> bool:
        """Whether somebody has one permission here."""
        return bool(self.permissions(user_id) & permission)

    @property
    def archived(self) -> bool:
        """Whether this is a thread in the archive."""
        return self.thread is not None and self.thread.archived

    @property
    def last_message_id(self) -> str | None:
        """The newest message that is not for one reader alone."""
        for message in reversed(self.messages.values()):
            if message.reader is None:
                return message.id
        return None

    def json(self) -> Json:
        """Discord's channel object."""
        if self.guild is None:
            recipients = [self.recipient.json] if self.recipient is not None else []
            return {
                "id": self.id,
                "type": DIRECT,
                "flags": 0,
                "last_message_id": self.last_message_id,
                "recipients": recipients,
            }
        if self.parent is not None:
            return self._thread_json()
        return {
            **self._text_json(),
            "permission_overwrites": [
                {
                    "id": target,
                    "type": 0 if target in self.guild.roles else 1,
                    "allow": str(allow),
                    "deny": str(deny),
                }
                for target, (allow, deny) in self.overwrites.items()
            ],
        }

    def _text_json(self) -> Json:
        assert self.guild is not None
        return {
            "id": self.id,
            "type": TEXT,
            "guild_id": self.guild.id,
            "name": self.name,
            "position": self.position,
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "flags": 0,
            "last_message_id": self.last_message_id,
            "rate_limit_per_user": 0,
        }

    def _thread_json(self) -> Json:
        assert self.parent is not None and self.thread is not None and self.guild is not None
        said = sum(message.reader is None for message in self.messages.values())
        return {
            "id": self.id,
            "type": THREAD,
            "guild_id": self.guild.id,
            "parent_id": self.parent.id,
            "owner_id": self.thread.owner_id,
            "name": self.name,
            "flags": 0,
            "last_message_id": self.last_message_id,
            "rate_limit_per_user": 0,
            "member_count": len(self.thread.joined),
            "message_count": said,
            "total_message_sent": said,
            "thread_metadata": self.thread.metadata(),
        }

    def partial(self, permission_bits: int) -> Json:
        """The channel as an interaction carries it."""
        if self.parent is not None:
            return {**self._thread_json(), "permissions": str(permission_bits)}
        if self.guild is not None:
            return {**self._text_json(), "permissions": str(permission_bits)}
        body: Json = {"id": self.id, "type": DIRECT, "flags": 0, "last_message_id": self.last_message_id}
        if self.recipient is not None:
            body["recipients"] = [self.recipient.json]
        return body
