"""Discord's permission bits, and how roles and overwrites combine into a member's permissions in a channel.

Source: "Permissions" in Discord's API documentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag


class Permission(IntFlag):
    """The bits that the sandbox knows by name; others pass through as numbers."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40


ALL = (1 << 53) - 1
"""The permissions reported for an administrator."""

EVERYONE = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CHANGE_NICKNAME
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""The permissions of @everyone on a new server. The bot's own role adds none."""

DIRECT = EVERYONE & ~int(
    Permission.CONNECT
    | Permission.CHANGE_NICKNAME
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""The permissions of both sides in a direct message."""

_SENDING = int(
    Permission.SEND_TTS_MESSAGES | Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE
)


def bits(names: Iterable[str]) -> int:
    """Return the sum of permissions given by name; raises KeyError for an unknown name."""
    total = 0
    for name in names:
        total |= int(Permission[name.upper()])
    return total


def in_channel(
    base: int, everyone: tuple[int, int] | None, roles: Iterable[tuple[int, int]], member: tuple[int, int] | None
) -> int:
    """Return what remains of ``base`` under a channel's overwrites, each an (allow, deny) pair.

    Without VIEW_CHANNEL nothing remains, and without SEND_MESSAGES nothing that depends on it.
    """
    if base & Permission.ADMINISTRATOR:
        return ALL
    if everyone is not None:
        base = base & ~everyone[1] | everyone[0]
    allowed = denied = 0
    for allow, deny in roles:
        allowed |= allow
        denied |= deny
    base = base & ~denied | allowed
    if member is not None:
        base = base & ~member[1] | member[0]
    if not base & Permission.VIEW_CHANNEL:
        return 0
    if not base & Permission.SEND_MESSAGES:
        base &= ~_SENDING
    return base


def in_timeout(base: int) -> int:
    """Return what remains of a member's permissions while a moderator has timed them out; administrators never are."""
    if base == ALL:
        return base
    return base & int(Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY)


def in_thread(parent: int) -> int:
    """Return the permissions in a thread whose channel grants ``parent``: threads have their own permission to send."""
    if parent & Permission.SEND_MESSAGES_IN_THREADS:
        return parent | Permission.SEND_MESSAGES
    return parent & ~(_SENDING | Permission.SEND_MESSAGES)
