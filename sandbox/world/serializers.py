"""Discord's JSON objects for the models: roles, members, servers, channels, threads, files and emoji."""

from __future__ import annotations

from .clock import iso
from .models import DIRECT, PRIVATE_THREAD, TEXT, THREAD, VOICE, Attachment, Channel, Emoji, Guild, Json, Member, Role


def role_json(role: Role) -> Json:
    """Return Discord's role object."""
    body: Json = {
        "id": role.id,
        "name": role.name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": role.position,
        "permissions": str(role.permissions),
        "managed": role.managed_by is not None,
        "mentionable": role.mentionable,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }
    if role.managed_by is not None:
        body["tags"] = {"bot_id": role.managed_by}
    return body


def member_json(member: Member, *, with_user: bool = True) -> Json:
    """Return Discord's member object; messages carry it without the user."""
    body: Json = {
        "roles": member.roles,
        "joined_at": iso(member.joined_ms),
        "nick": None,
        "avatar": None,
        "banner": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "premium_since": None,
        "communication_disabled_until": iso(member.disabled_until_ms) if member.disabled_until_ms else None,
    }
    if with_user:
        body["user"] = member.user.json
    return body


def partial_guild_json(guild: Guild) -> Json:
    """Return the server as interactions carry it."""
    return {"id": guild.id, "locale": guild.locale, "features": []}


def guild_json(guild: Guild) -> Json:
    """Return the server as GET /guilds/{id} does."""
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.owner_id,
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
        "roles": [role_json(role) for role in guild.roles.values()],
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
        "preferred_locale": guild.locale,
        "max_members": 500_000,
    }


def gateway_guild_json(guild: Guild, members: list[Json]) -> Json:
    """Return the server as GUILD_CREATE does, with the members that the session may see."""
    channels = guild.channels.values()
    return {
        **guild_json(guild),
        "joined_at": iso(guild.created_ms),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members),
        "members": members,
        "channels": [channel_json(channel) for channel in channels if channel.parent is None],
        "threads": [
            channel_json(channel) for channel in channels if channel.parent is not None and not channel.archived
        ],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel_json(channel: Channel) -> Json:
    """Return Discord's channel object."""
    if channel.guild is None:
        recipients = [channel.recipient.json] if channel.recipient is not None else []
        return {
            "id": channel.id,
            "type": DIRECT,
            "flags": 0,
            "last_message_id": channel.last_message_id,
            "recipients": recipients,
        }
    if channel.parent is not None:
        return _thread_json(channel)
    return {
        **_text_json(channel),
        "permission_overwrites": [
            {
                "id": target,
                "type": 0 if target in channel.guild.roles else 1,
                "allow": str(allow),
                "deny": str(deny),
            }
            for target, (allow, deny) in channel.overwrites.items()
        ],
    }


def _text_json(channel: Channel) -> Json:
    assert channel.guild is not None
    voice = {"bitrate": 64_000, "user_limit": 0} if channel.voice else {}
    return {
        **voice,
        "id": channel.id,
        "type": VOICE if channel.voice else TEXT,
        "guild_id": channel.guild.id,
        "name": channel.name,
        "position": channel.position,
        "topic": None,
        "nsfw": False,
        "parent_id": None,
        "flags": 0,
        "last_message_id": channel.last_message_id,
        "rate_limit_per_user": 0,
    }


def _thread_json(channel: Channel) -> Json:
    parent, thread, guild = channel.parent, channel.thread, channel.guild
    assert parent is not None and thread is not None and guild is not None
    said = sum(message.reader is None for message in channel.messages.values())
    return {
        "id": channel.id,
        "type": PRIVATE_THREAD if thread.private else THREAD,
        "guild_id": guild.id,
        "parent_id": parent.id,
        "owner_id": thread.owner_id,
        "name": channel.name,
        "flags": 0,
        "last_message_id": channel.last_message_id,
        "rate_limit_per_user": 0,
        "member_count": len(thread.joined),
        "message_count": said,
        "total_message_sent": said,
        "thread_metadata": {
            "archived": thread.archived,
            "auto_archive_duration": thread.archive_after,
            "archive_timestamp": iso(thread.archived_ms or thread.created_ms),
            "create_timestamp": iso(thread.created_ms),
            "locked": thread.locked,
        },
    }


def partial_channel_json(channel: Channel, permission_bits: int) -> Json:
    """Return the channel as interactions carry it."""
    if channel.parent is not None:
        return {**_thread_json(channel), "permissions": str(permission_bits)}
    if channel.guild is not None:
        return {**_text_json(channel), "permissions": str(permission_bits)}
    body: Json = {"id": channel.id, "type": DIRECT, "flags": 0, "last_message_id": channel.last_message_id}
    if channel.recipient is not None:
        body["recipients"] = [channel.recipient.json]
    return body


def thread_member_json(thread: Channel, user_id: str) -> Json:
    """Return Discord's thread member object; raises KeyError for a user who has not joined."""
    assert thread.thread is not None
    joined = iso(thread.thread.joined[user_id])
    return {"id": thread.id, "user_id": user_id, "join_timestamp": joined, "flags": 1}


def thread_json_for(thread: Channel, user_id: str) -> Json:
    """Return Discord's channel object for a thread, with the membership of a user who has joined it."""
    if thread.thread is None or user_id not in thread.thread.joined:
        return channel_json(thread)
    return {**channel_json(thread), "member": thread_member_json(thread, user_id)}


def attachment_json(file: Attachment) -> Json:
    """Return Discord's attachment object."""
    body: Json = {
        "id": file.id,
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
        "content_type": file.content_type,
    }
    if file.size is not None:
        body["width"], body["height"] = file.size
    if file.description is not None:
        body["description"] = file.description
    if file.ephemeral:
        body["ephemeral"] = True
    return body


def media_json(file: Attachment) -> Json:
    """Return the file as components show it: Discord's unfurled media item."""
    body: Json = {
        "id": file.id,
        "url": file.url,
        "proxy_url": file.url,
        "content_type": file.content_type,
        "loading_state": 2,
        "attachment_id": file.id,
        "flags": 0,
    }
    if file.size is not None:
        body["width"], body["height"] = file.size
    return body


def emoji_json(emoji: Emoji) -> Json:
    """Return Discord's emoji object."""
    return {
        "id": emoji.id,
        "name": emoji.name,
        "roles": [],
        "user": emoji.user.json,
        "require_colons": True,
        "managed": False,
        "animated": emoji.content_type == "image/gif",
        "available": True,
    }
