"""Messages, their files and emoji, and their shapes in Discord's JSON. May import `records`.

What a message looks like to its readers is built once per version by `rendering` and kept in ``Message.json``: those
dictionaries are never changed afterwards, so they may be handed out without copying.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .models import Channel, Json, User

EPHEMERAL = 1 << 6
HAS_THREAD = 1 << 5
LOADING = 1 << 7
SUPPRESS_EMBEDS = 1 << 2
SUPPRESS_NOTIFICATIONS = 1 << 12
IS_COMPONENTS_V2 = 1 << 15


@dataclass(slots=True)
class Delivery:
    """When the bot has heard the answer to the call that made or changed something.

    discord.py stores a view or modal only after that; a human is never so fast as to press a button before.
    ``settled`` is a time of the event loop's clock, in seconds.
    """

    in_flight: int = 0
    settled: float = -math.inf


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message."""

    id: str
    filename: str
    content_type: str
    data: bytes
    url: str
    size: tuple[int, int] | None
    description: str | None
    ephemeral: bool

    def json(self) -> Json:
        """Discord's attachment object."""
        body: Json = {
            "id": self.id,
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
        }
        if self.size is not None:
            body["width"], body["height"] = self.size
        if self.description is not None:
            body["description"] = self.description
        if self.ephemeral:
            body["ephemeral"] = True
        return body

    def media(self) -> Json:
        """The file as a component shows it: Discord's unfurled media item."""
        body: Json = {
            "id": self.id,
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            "loading_state": 2,
            "attachment_id": self.id,
            "flags": 0,
        }
        if self.size is not None:
            body["width"], body["height"] = self.size
        return body


@dataclass(slots=True, eq=False)
class Emoji:
    """An emoji that belongs to the application."""

    id: str
    name: str
    data: bytes
    content_type: str
    user: User

    def json(self) -> Json:
        """Discord's emoji object."""
        return {
            "id": self.id,
            "name": self.name,
            "roles": [],
            "user": self.user.json,
            "require_colons": True,
            "managed": False,
            "animated": self.content_type == "image/gif",
            "available": True,
        }


@dataclass(slots=True, eq=False)
class Message:
    """A message as the server keeps it; ``json`` is what its readers get.

    ``reader`` is the only one who sees an ephemeral message. ``webhook`` marks answers to interactions, which carry
    the application's webhook id. ``aged_ms`` makes the message older than its id says. ``thread`` began with it.
    ``dropped`` are the ids of files that it has lost, with the time of the event loop at which it did.
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
        """Whether this message is for somebody's eyes, channel permissions apart."""
        return self.reader is None or self.reader.id == user_id
