"""Changes of the sandbox's state, which the gateway and the web page turn into their own frames."""

from __future__ import annotations

from dataclasses import dataclass

from .models import Channel, Guild, Member, Message, Role, User


@dataclass(frozen=True, slots=True)
class Posted:
    """A new message, and the users who are notified of it: (user, "dm" or "mention")."""

    message: Message
    notified: tuple[tuple[User, str], ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """A message was edited."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message was deleted."""

    message: Message


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A reader dismissed an ephemeral message. The bot gets no event."""

    message: Message


@dataclass(frozen=True, slots=True)
class Reacted:
    """A reaction was added to a message or removed from it."""

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
class MemberChanged:
    """A member was timed out, or their timeout was ended by a moderator."""

    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class RoleMade:
    """A role was created."""

    guild: Guild
    role: Role


@dataclass(frozen=True, slots=True)
class RoleGone:
    """A role was deleted. The bot is not told who had it."""

    guild: Guild
    role: Role


@dataclass(frozen=True, slots=True)
class GuildChanged:
    """A server's own settings changed, such as its language."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class Purged:
    """Many messages of a channel were deleted at once."""

    channel: Channel
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ThreadLeft:
    """Somebody was removed from a thread."""

    thread: Channel
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
    """A person or the bot joined a thread."""

    thread: Channel
    user: User


@dataclass(frozen=True, slots=True)
class ThreadsSeen:
    """A channel that was hidden from the bot became visible, and with it the channel's threads."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot's registered commands changed."""


@dataclass(frozen=True, slots=True)
class Presence:
    """The bot connected or disconnected."""

    online: bool


@dataclass(frozen=True, slots=True)
class RuleViolated:
    """The bot broke a rule."""

    text: str


@dataclass(frozen=True, slots=True)
class LayoutChanged:
    """People, places or commands changed; views of them should be refreshed."""


Event = (
    Posted
    | Edited
    | MessageDeleted
    | Dismissed
    | Reacted
    | Typing
    | Joined
    | Left
    | MemberChanged
    | RoleMade
    | RoleGone
    | GuildChanged
    | Purged
    | ThreadLeft
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
