"""The payload of INTERACTION_CREATE, and the interaction metadata of messages.

Source: "Receiving and responding to interactions" in Discord's API documentation.
"""

from __future__ import annotations

from sandbox.world import permissions
from sandbox.world.models import Json
from sandbox.world.serializers import member_json, partial_channel_json, partial_guild_json
from sandbox.world.state import State

from .interaction import COMMAND, COMPONENT, Interaction


def payload(state: State, interaction: Interaction, data: Json) -> Json:
    """Return the interaction as INTERACTION_CREATE sends it."""
    user, channel = interaction.user, interaction.channel
    guild = channel.guild
    own = channel.permissions(state.bot.id)
    body: Json = {
        "id": interaction.id,
        "application_id": state.bot.id,
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "data": data,
        "channel_id": channel.id,
        "locale": user.locale,
        "app_permissions": str(own),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": owners(state, interaction),
        "attachment_size_limit": 10 * 1024 * 1024,
    }
    if guild is not None:
        bits = channel.permissions(user.id)
        body |= {
            "guild_id": guild.id,
            "guild": partial_guild_json(guild),
            "guild_locale": guild.locale,
            "context": 0,
            "channel": partial_channel_json(channel, bits),
            "member": {**member_json(guild.members[user.id]), "permissions": str(bits)},
        }
    else:
        body |= {"context": 1, "channel": partial_channel_json(channel, permissions.DIRECT), "user": user.json}
    if interaction.source is not None:
        body["message"] = interaction.seen or interaction.source.json
        interaction.seen = None  # old versions are not kept
    return body


def owners(state: State, interaction: Interaction) -> Json:
    """Return the installations that allow the interaction: "0" the server, "1" the user."""
    guild = interaction.channel.guild
    found: Json = {} if guild is not None and not guild.bot_present else {"0": "0" if guild is None else guild.id}
    return found | ({"1": interaction.user.id} if interaction.user.id in state.installed else {})


def metadata(state: State, interaction: Interaction) -> Json:
    """Return ``interaction_metadata`` for messages that respond to an interaction."""
    body: Json = {
        "id": interaction.id,
        "type": interaction.kind,
        "user": interaction.user.json,
        "authorizing_integration_owners": owners(state, interaction),
    }
    if interaction.kind == COMMAND:
        body |= {"name": interaction.name, "command_type": 1}
    elif interaction.kind == COMPONENT and interaction.source is not None:
        body["interacted_message_id"] = interaction.source.id
    elif interaction.parent is not None:
        body["triggering_interaction_metadata"] = metadata(state, interaction.parent)
    return body
