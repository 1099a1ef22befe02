"""The application, its commands, and the address of the gateway."""

from __future__ import annotations

import json
from functools import lru_cache

from sandbox.limits import Problems, check_command, check_command_list
from sandbox.messaging.errors import ApiError, missing_access
from sandbox.world.models import Json

from .call import Call, Reply, Route, own_application


def gateway(call: Call) -> Reply:
    """GET /gateway."""
    return Reply(200, {"url": call.server.gateway_address(call.by)})


def gateway_bot(call: Call) -> Reply:
    """GET /gateway/bot."""
    return Reply(
        200,
        {
            "url": call.server.gateway_address(call.by),
            "shards": call.state.settings.shards,
            "session_start_limit": call.server.gateway.start_limit(),
        },
    )


def application(call: Call) -> Reply:
    """GET and PATCH of the application; changes of its texts are accepted and ignored."""
    state = call.state
    owner = {"id": "1", "username": "owner", "discriminator": "0", "global_name": None, "avatar": None}
    return Reply(
        200,
        {
            "id": state.bot.id,
            "name": state.bot.username,
            "icon": None,
            "description": "",
            "summary": "",
            "bot": state.bot.json,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "owner": owner,
            "team": None,
            "flags": state.application_flags(),
            "tags": [],
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "approximate_guild_count": sum(guild.bot_present for guild in state.guilds.values()),
            "approximate_user_install_count": len(state.installed),
            "integration_types_config": {"0": {}, "1": {}},
        },
    )


# -------------------------------------------------------------------- commands


def _scope(call: Call) -> dict[str, Json]:
    """Return the commands that a call is about: the global ones or a server's."""
    own_application(call)
    guild_id = call.params.get("guild_id")
    if guild_id is not None:
        guild = call.state.guilds.get(guild_id)
        if guild is None or not guild.bot_present:
            raise missing_access()
    return call.state.commands[guild_id]


def _complete(call: Call, body: Json, command_id: str) -> Json:
    """Return a command as Discord stores it."""
    guild_id = call.params.get("guild_id")
    kind = body.get("type") or 1
    done: Json = {
        "id": command_id,
        "application_id": call.state.bot.id,
        "version": call.state.clock.snowflake(),
        "type": kind,
        "name": body["name"],
        "name_localizations": body.get("name_localizations"),
        "description": body.get("description") or "",
        "description_localizations": body.get("description_localizations"),
        "default_member_permissions": body.get("default_member_permissions"),
        "nsfw": bool(body.get("nsfw")),
        "integration_types": body.get("integration_types") or [0, 1],  # as the application is configured
    }
    if done["default_member_permissions"] is not None:
        done["default_member_permissions"] = str(done["default_member_permissions"])
    if body.get("options"):
        done["options"] = body["options"]
    if guild_id is not None:
        done["guild_id"] = guild_id
        done["contexts"] = None
    else:
        in_direct = body.get("dm_permission") in (None, True)
        done["contexts"] = body.get("contexts")
        done["dm_permission"] = in_direct if done["contexts"] is None else 1 in done["contexts"]
    return done


def list_commands(call: Call) -> Reply:
    """GET all commands of a scope."""
    return Reply(200, list(_scope(call).values()))


def put_commands(call: Call) -> Reply:
    """PUT all commands of a scope; those that keep their type and name keep their id."""
    scope = _scope(call)
    bodies = call.body if isinstance(call.body, list) else []
    _problems(json.dumps(call.body)).raise_if_any()
    ids = {(command["type"], command["name"]): command["id"] for command in scope.values()}
    commands = [
        _complete(call, body, ids.get((body.get("type") or 1, body["name"])) or call.state.clock.snowflake())
        for body in bodies
    ]
    scope.clear()
    scope.update({command["id"]: command for command in commands})
    call.state.commands_changed()
    return Reply(200, commands)


@lru_cache(maxsize=4)
def _problems(body: str) -> Problems:
    """Return what is wrong with a list of commands, as JSON. Bots upload the same list at each start."""
    problems, commands = Problems(), json.loads(body)
    if isinstance(commands, list):
        check_command_list(problems, commands)
    else:
        problems.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
    return problems


def create_command(call: Call) -> Reply:
    """POST a command, replacing the one with its type and name."""
    scope, body = _scope(call), call.record()
    key = (body.get("type") or 1, body.get("name"))
    others = [command for command in scope.values() if (command["type"], command["name"]) != key]
    problems = Problems()
    check_command(problems, body)
    problems.raise_if_any()
    check_command_list(problems, [*others, body])
    problems.raise_if_any()
    earlier = next((name for name, command in scope.items() if (command["type"], command["name"]) == key), None)
    command = _complete(call, body, earlier or call.state.clock.snowflake())
    scope[command["id"]] = command
    call.state.commands_changed()
    return Reply(200 if earlier else 201, command)


def _command(call: Call) -> Json:
    command = _scope(call).get(call.params["command_id"])
    if command is None:
        raise ApiError(404, 10063, "Unknown application command")
    return command


def get_command(call: Call) -> Reply:
    """GET one command."""
    return Reply(200, _command(call))


def edit_command(call: Call) -> Reply:
    """PATCH one command."""
    command = _command(call)
    body = {**command, **call.record()}
    problems = Problems()
    check_command(problems, body)
    problems.raise_if_any()
    edited = _complete(call, body, command["id"])
    _scope(call)[command["id"]] = edited
    call.state.commands_changed()
    return Reply(200, edited)


def delete_command(call: Call) -> Reply:
    """DELETE one command."""
    command = _command(call)
    del _scope(call)[command["id"]]
    call.state.commands_changed()
    return Reply()


_COMMANDS = "/applications/{application_id}/commands"
_GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"

ROUTES: tuple[Route, ...] = (
    ("GET", "/gateway", gateway),
    ("GET", "/gateway/bot", gateway_bot),
    ("GET", "/oauth2/applications/@me", application),
    ("GET", "/applications/@me", application),
    ("PATCH", "/applications/@me", application),
    *(
        route
        for base in (_COMMANDS, _GUILD_COMMANDS)
        for route in (
            ("GET", base, list_commands),
            ("PUT", base, put_commands),
            ("POST", base, create_command),
            ("GET", base + "/{command_id}", get_command),
            ("PATCH", base + "/{command_id}", edit_command),
            ("DELETE", base + "/{command_id}", delete_command),
        )
    ),
)
