"""Servers, members and users."""

from __future__ import annotations

from sandbox.messaging.errors import ApiError, missing_access
from sandbox.world.serializers import channel_json, guild_json, member_json, role_json

from .call import Call, Reply, Route


def get_me(call: Call) -> Reply:
    """GET /users/@me."""
    return Reply(200, {**call.state.bot.json, "verified": True, "mfa_enabled": True, "email": None, "locale": "en-US"})


def get_user(call: Call) -> Reply:
    """GET /users/{user_id}."""
    user = call.state.users.get(call.params["user_id"])
    if user is None:
        raise ApiError(404, 10013, "Unknown User")
    return Reply(200, user.json)


def my_guilds(call: Call) -> Reply:
    """GET /users/@me/guilds."""
    guilds = [guild for guild in call.state.guilds.values() if guild.bot_present]
    bot = call.state.bot.id
    return Reply(
        200,
        [
            {
                "id": guild.id,
                "name": guild.name,
                "icon": None,
                "banner": None,
                "owner": False,
                "permissions": str(guild.base_permissions(bot)),
                "features": [],
            }
            for guild in guilds[: call.number("limit", 200, 1, 200)]
        ],
    )


def leave_guild(call: Call) -> Reply:
    """DELETE /users/@me/guilds/{guild_id}."""
    call.server.guilds.leave(call.state.bot, call.guild())
    return Reply()


def get_guild(call: Call) -> Reply:
    """GET /guilds/{guild_id}."""
    guild = call.guild()
    body = guild_json(guild)
    if call.query.get("with_counts") in ("1", "true", "True"):
        body |= {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
    return Reply(200, body)


def get_channels(call: Call) -> Reply:
    """GET /guilds/{guild_id}/channels."""
    return Reply(200, [channel_json(channel) for channel in call.guild().channels.values() if channel.parent is None])


def get_roles(call: Call) -> Reply:
    """GET /guilds/{guild_id}/roles."""
    return Reply(200, [role_json(role) for role in call.guild().roles.values()])


def get_member(call: Call) -> Reply:
    """GET /guilds/{guild_id}/members/{user_id}."""
    member = call.guild().members.get(call.params["user_id"])
    if member is None:
        raise ApiError(404, 10007, "Unknown Member")
    return Reply(200, member_json(member))


def list_members(call: Call) -> Reply:
    """GET /guilds/{guild_id}/members: only with the members intent."""
    guild = call.guild()
    if "members" not in call.state.settings.privileged_intents:
        raise missing_access()
    after = call.number("after", 0, 0, (1 << 63) - 1)
    limit = call.number("limit", 1, 1, 1000)
    members = sorted(guild.members.values(), key=lambda member: int(member.user.id))
    return Reply(200, [member_json(member) for member in members if int(member.user.id) > after][:limit])


def search_members(call: Call) -> Reply:
    """GET /guilds/{guild_id}/members/search: by the start of a name."""
    query = call.query.get("query", "").lower()
    limit = call.number("limit", 1, 1, 1000)
    found = [
        member_json(member)
        for member in call.guild().members.values()
        if member.user.name.lower().startswith(query) or member.user.username.startswith(query)
    ]
    return Reply(200, found[:limit])


ROUTES: tuple[Route, ...] = (
    ("GET", "/users/@me", get_me),
    ("GET", "/users/{user_id}", get_user),
    ("GET", "/users/@me/guilds", my_guilds),
    ("DELETE", "/users/@me/guilds/{guild_id}", leave_guild),
    ("GET", "/guilds/{guild_id}", get_guild),
    ("GET", "/guilds/{guild_id}/channels", get_channels),
    ("GET", "/guilds/{guild_id}/roles", get_roles),
    ("GET", "/guilds/{guild_id}/members", list_members),
    ("GET", "/guilds/{guild_id}/members/search", search_members),
    ("GET", "/guilds/{guild_id}/members/{user_id}", get_member),
)
