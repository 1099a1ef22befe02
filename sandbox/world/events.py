"""What happens in the sandbox's world, as facts that the gateway and the page turn into their own frames.

May import `contents` and `records`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .models import Channel, Guild, Member, Message, User


@dataclass(frozen=True, slots=True)
class Posted:
    """A new message, and whose phones it makes buzz: (user, "dm" or "mention")."""

    message: Message
    notified: tuple[tuple[User, str], ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """A message has another rendering."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message was deleted."""

    message: Message


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A reader put an ephemeral message away. The bot does not hear of it."""

    message: Message


@dataclass(frozen=True, slots=True)
class Reacted:
    """Somebody put a reaction under a message, or took it away."""

    message: Message
    user: User
    emoji: str
    added: bool


@dataclass(frozen=True, slots=True)
class Typing:
    """The bot is typing."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class Joined:
    """A human entered a server."""

    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class Left:
    """A human left a server."""

    guild: Guild
    user: User


@dataclass(frozen=True, slots=True)
class BotJoined:
    """The bot was invited to a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class BotLeft:
    """The bot was removed from a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class ChannelMade:
    """A channel was created."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    """A channel's permissions changed."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelGone:
    """A channel was deleted."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ThreadEntered:
    """Somebody joined a thread."""

    thread: Channel
    user: User


@dataclass(frozen=True, slots=True)
class ThreadsSeen:
    """The bot sees a channel that was hidden from it, and with it the channel's threads."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot registered other commands."""


@dataclass(frozen=True, slots=True)
class Presence:
    """The bot connected or went away."""

    online: bool


@dataclass(frozen=True, slots=True)
class RuleViolated:
    """The bot broke a rule."""

    text: str


@dataclass(frozen=True, slots=True)
class LayoutChanged:
    """Something about people, places or commands changed; who shows them should look again."""


Event = (
    Posted
    | Edited
    | MessageDeleted
    | Dismissed
    | Reacted
    | Typing
    | Joined
    | Left
    | BotJoined
    | BotLeft
    | ChannelMade
    | ChannelChanged
    | ChannelGone
    | ThreadEntered
    | ThreadsSeen
    | CommandsChanged
    | Presence
    | RuleViolated
    | LayoutChanged
)
