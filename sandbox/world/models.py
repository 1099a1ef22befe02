"""The people, places, messages, files and emoji of the sandbox.

Models are plain data with the few questions that need nothing else. Every id is a string. `serializers` turns models
into Discord's JSON; the ``json`` of a user and of a message is built once and never changed afterwards, so it may be
handed out without copying.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import permissions
from .permissions import Permission

Json = dict[str, Any]

TEXT, DIRECT, VOICE, THREAD, PRIVATE_THREAD = 0, 1, 2, 11, 12
"""Channel types: a server's text channel, a direct message, a public thread."""

SUPPRESS_EMBEDS = 1 << 2
HAS_THREAD = 1 << 5
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
IS_COMPONENTS_V2 = 1 << 15


@dataclass(slots=True, eq=False)
class User:
    """An account, human or bot. ``json`` is Discord's user object."""

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
        """The displayed name."""
        return self.global_name or self.username

    @property
    def mention(self) -> str:
        """The text that mentions this user."""
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


@dataclass(slots=True, eq=False)
class Member:
    """A user's membership of a server; ``roles`` are ids. A moderator's timeout lasts until ``disabled_until_ms``."""

    user: User
    joined_ms: int
    roles: list[str] = field(default_factory=list)
    disabled_until_ms: int = 0
    now_ms: Callable[[], int] = lambda: 0

    @property
    def timed_out(self) -> bool:
        """True while a moderator has timed them out."""
        return self.disabled_until_ms > self.now_ms()


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
    locale: str = "en-US"

    def shard(self, shards: int) -> int:
        """Return which of ``shards`` shards gets the events of this server."""
        return (int(self.id) >> 22) % shards

    def base_permissions(self, user_id: str) -> int:
        """Return what a member may do before a channel's overwrites; 0 for non-members."""
        member = self.members.get(user_id)
        if member is None:
            return 0
        if user_id == self.owner_id:
            return permissions.ALL
        total = self.roles[self.id].permissions
        for role in member.roles:
            total |= self.roles[role].permissions
        return permissions.ALL if total & Permission.ADMINISTRATOR else total


@dataclass(slots=True, eq=False)
class ThreadState:
    """The part of a channel that only threads have: owner, age, members (with the time they joined) and archive.

    ``archive_after`` is the number of minutes without a message after which Discord archives a thread. Only members and
    those who manage threads see a ``private`` one.
    """

    owner_id: str
    created_ms: int
    archive_after: int = 1440
    archived: bool = False
    archived_ms: int = 0
    locked: bool = False
    private: bool = False
    joined: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Channel:
    """A server's text channel, a thread of one (its ``parent``), or the direct messages of one human with the bot."""

    id: str
    name: str
    guild: Guild | None = None
    recipient: User | None = None
    position: int = 0
    parent: Channel | None = None
    thread: ThreadState | None = None
    overwrites: dict[str, tuple[int, int]] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    voice: bool = False

    def permissions(self, user_id: str) -> int:
        """Return a user's permissions in this channel."""
        guild = self.guild
        if guild is None:
            return permissions.DIRECT
        if self.parent is not None and self.thread is not None:
            granted = permissions.in_thread(self.parent.permissions(user_id))
            shut = self.thread.private and user_id not in self.thread.joined
            return 0 if shut and not granted & Permission.MANAGE_THREADS else granted
        member = guild.members.get(user_id)
        if member is None:
            return 0
        everyone = self.overwrites.get(guild.id)
        roles = [self.overwrites[role] for role in member.roles if role in self.overwrites]
        own = self.overwrites.get(user_id)
        found = permissions.in_channel(guild.base_permissions(user_id), everyone, roles, own)
        return permissions.in_timeout(found) if member.timed_out else found

    def may(self, user_id: str, permission: Permission) -> bool:
        """Return True if a user has a permission in this channel."""
        return bool(self.permissions(user_id) & permission)

    @property
    def archived(self) -> bool:
        """True for an archived thread."""
        return self.thread is not None and self.thread.archived

    @property
    def last_message_id(self) -> str | None:
        """The id of the newest message that is not ephemeral."""
        for message in reversed(self.messages.values()):
            if message.reader is None:
                return message.id
        return None


@dataclass(slots=True)
class Delivery:
    """Whether the bot has received the response to the call that created or changed something.

    discord.py stores a view or modal only after that, and a human never presses a button sooner. ``settled`` is a time
    of the event loop's clock, in seconds.
    """

    in_flight: int = 0
    settled: float = -math.inf


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message; ``size`` is the width and height of an image."""

    id: str
    filename: str
    content_type: str
    data: bytes
    url: str
    size: tuple[int, int] | None
    description: str | None
    ephemeral: bool


@dataclass(slots=True, eq=False)
class Emoji:
    """An emoji that belongs to the application."""

    id: str
    name: str
    data: bytes
    content_type: str
    user: User


@dataclass(slots=True, eq=False)
class Message:
    """A message as the server keeps it; ``json`` is what its readers get.

    ``reader`` is the only user who sees an ephemeral message. ``webhook`` marks responses to interactions, which carry
    the application's webhook id. ``aged_ms`` makes the message older than its id says. ``thread`` is the thread that
    was started from it. ``dropped`` maps the ids of files that edits removed to the event loop's time of the removal.
    """

    id: str
    channel: Channel
    author: User
    created_ms: int
    type: int = 0
    content: str = ""
    flags: int = 0
    tts: bool = False
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[str] = field(default_factory=list)
    mention_everyone: bool = False
    nonce: str | None = None
    reference: Json | None = None
    referenced: Message | None = None
    metadata: Json | None = None
    webhook: bool = False
    reader: User | None = None
    edited_ms: int | None = None
    aged_ms: int = 0
    deleted: bool = False
    dismissed: bool = False
    thread: Channel | None = None
    dropped: dict[str, float] = field(default_factory=dict)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    delivery: Delivery = field(default_factory=Delivery)
    json: Json = field(default_factory=dict)

    def seen_by(self, user_id: str) -> bool:
        """Return True if a user may see this message, apart from the channel's permissions."""
        return self.reader is None or self.reader.id == user_id
