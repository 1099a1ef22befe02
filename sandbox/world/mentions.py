"""Finds the users who are notified of a message."""

from __future__ import annotations

from collections.abc import Iterator

from .models import SUPPRESS_NOTIFICATIONS, Channel, Message, User
from .permissions import Permission


def users_to_notify(message: Message) -> Iterator[tuple[User, str]]:
    """Yield everybody whom a new message notifies, with "dm" or "mention"; nobody for silent and ephemeral messages."""
    if message.reader is not None or message.flags & SUPPRESS_NOTIFICATIONS:
        return
    channel = message.channel
    found: list[User] = []
    kind = "mention"
    if channel.recipient is not None:
        kind = "dm"
        found = [channel.recipient]
    elif message.mention_everyone and channel.guild is not None:
        found = [member.user for member in channel.guild.members.values()]
    elif message.mentions or message.mention_roles:
        found = _mentioned(message, channel)
    for user in found:
        if user is not message.author and not user.bot and channel.may(user.id, Permission.VIEW_CHANNEL):
            yield user, kind


def _mentioned(message: Message, channel: Channel) -> list[User]:
    found = {user.id: user for user in message.mentions}
    if channel.guild is not None:
        for member in channel.guild.members.values():
            if not set(member.roles).isdisjoint(message.mention_roles):
                found[member.user.id] = member.user
    return list(found.values())
