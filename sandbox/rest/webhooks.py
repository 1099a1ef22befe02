"""Responses to interactions and their follow-ups. The token in the path is the authorization."""

from __future__ import annotations

from sandbox.messaging.interaction import REPLY, THINKING, UPDATE
from sandbox.messaging.messages import revise
from sandbox.world.models import EPHEMERAL, Json

from .call import Call, Reply, Route, TooMany

_YES = ("1", "true", "True")


def callback(call: Call) -> Reply:
    """POST /interactions/{interaction_id}/{webhook_token}/callback."""
    interaction = call.server.interactions.acknowledge(
        call.params["interaction_id"], call.params["webhook_token"], call.record(), call.uploads, call.where
    )
    if call.query.get("with_response") not in _YES:
        return Reply()
    info: Json = {"id": interaction.id, "type": interaction.kind}
    resource: Json = {"type": interaction.answer}
    message = interaction.original
    if message is not None and interaction.answer in (REPLY, THINKING, UPDATE):
        info["response_message_id"] = message.id
        info["response_message_loading"] = interaction.answer == THINKING
        info["response_message_ephemeral"] = bool(message.flags & EPHEMERAL)
        resource["message"] = message.json
    return Reply(200, {"interaction": info, "resource": resource})


def follow_up(call: Call) -> Reply:
    """POST /webhooks/{application_id}/{webhook_token}."""
    interactions = call.server.interactions
    interaction = interactions.by_token(call.params["application_id"], call.params["webhook_token"])
    limited = call.server.rate_limits.follow_up(interaction.channel.id)
    if limited is not None:
        raise TooMany(limited)
    return Reply(200, interactions.follow_up(interaction, call.draft()).json)


def get_reply(call: Call) -> Reply:
    """GET …/messages/@original, or one by its id."""
    interactions = call.server.interactions
    interaction = interactions.by_token(call.params["application_id"], call.params["webhook_token"])
    return Reply(200, interactions.message(interaction, call.params.get("message_id", "@original")).json)


def edit_reply(call: Call) -> Reply:
    """PATCH …/messages/@original, or one by its id."""
    interactions = call.server.interactions
    interaction = interactions.by_token(call.params["application_id"], call.params["webhook_token"])
    message = interactions.message(interaction, call.params.get("message_id", "@original"))
    revise(call.state, message, call.draft())
    call.state.edited(message)
    return Reply(200, message.json)


def delete_reply(call: Call) -> Reply:
    """DELETE …/messages/@original, or one by its id."""
    interactions = call.server.interactions
    interaction = interactions.by_token(call.params["application_id"], call.params["webhook_token"])
    call.state.delete(interactions.message(interaction, call.params.get("message_id", "@original")))
    return Reply()


_HOOK = "/webhooks/{application_id}/{webhook_token}"

ROUTES: tuple[Route, ...] = (
    ("POST", "/interactions/{interaction_id}/{webhook_token}/callback", callback),
    ("POST", _HOOK, follow_up),
    ("GET", _HOOK + "/messages/@original", get_reply),
    ("PATCH", _HOOK + "/messages/@original", edit_reply),
    ("DELETE", _HOOK + "/messages/@original", delete_reply),
    ("GET", _HOOK + "/messages/{message_id}", get_reply),
    ("PATCH", _HOOK + "/messages/{message_id}", edit_reply),
    ("DELETE", _HOOK + "/messages/{message_id}", delete_reply),
)
