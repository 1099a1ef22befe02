"""Discord's permissions by the names under which people find them in its settings."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import discord

from cogs.core.i18n.translation import N_, _

# Translators: permissions are called as in Discord's own settings in this language.
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "attach_files": N_("Attach Files"),
        "create_public_threads": N_("Create Public Threads"),
        "embed_links": N_("Embed Links"),
        "manage_guild": N_("Manage Server"),
        "manage_messages": N_("Manage Messages"),
        "read_message_history": N_("Read Message History"),
        "send_messages": N_("Send Messages"),
        "send_messages_in_threads": N_("Send Messages in Threads"),
        "view_channel": N_("View Channel"),
    }
)


def permission_name(key: str) -> str:
    """Return the name of one of discord.py's permissions in the present language; of a rare one in English."""
    return _(_NAMES[key]) if key in _NAMES else key.replace("guild", "server").replace("_", " ").title()


def missing(allowed: discord.Permissions, needed: Iterable[str]) -> list[str]:
    """Return the names of the needed permissions that are not allowed."""
    return [permission_name(key) for key in needed if not getattr(allowed, key)]


def to_write(channel: object) -> tuple[str, ...]:
    """Return the permissions that are needed to write in a channel."""
    if isinstance(channel, discord.Thread):
        return "view_channel", "send_messages_in_threads"
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        return "view_channel", "send_messages", "connect"  # else nobody can read or write beside the voices
    return "view_channel", "send_messages"


def to_post(channel: object) -> tuple[str, ...]:
    """Return the permissions that are needed to post pages with pictures in a channel."""
    return *to_write(channel), "attach_files"
