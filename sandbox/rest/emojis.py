"""The application's emoji: up to 2,000 images of 256 KiB for texts, buttons and menus."""

from __future__ import annotations

import base64
import binascii
import re

from sandbox.limits import Problems
from sandbox.messaging.errors import ApiError
from sandbox.messaging.image_size import picture_type
from sandbox.world.models import Emoji
from sandbox.world.serializers import emoji_json

from .call import Call, Reply, Route, own_application

_EMOJI_BYTES = 256 * 1024
_EMOJI_COUNT = 2_000
_EMOJI_NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
_DATA_URI = re.compile(r"data:image/(?:png|gif|jpeg|webp);base64,(.+)", re.DOTALL)


def list_emojis(call: Call) -> Reply:
    """GET the application's emoji."""
    own_application(call)
    return Reply(200, {"items": [emoji_json(emoji) for emoji in call.state.emojis.values()]})


def _emoji(call: Call) -> Emoji:
    own_application(call)
    emoji = call.state.emojis.get(call.params["emoji_id"])
    if emoji is None:
        raise ApiError(404, 10014, "Unknown Emoji")
    return emoji


def get_emoji(call: Call) -> Reply:
    """GET one emoji."""
    return Reply(200, emoji_json(_emoji(call)))


def _check_emoji_name(call: Call, problems: Problems, name: object, own: Emoji | None = None) -> None:
    if not problems.text(("name",), name, 2, 32, needed=True):
        return
    if not _EMOJI_NAME.fullmatch(str(name)):
        problems.add(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(emoji.name == name and emoji is not own for emoji in call.state.emojis.values()):
        problems.add(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "Emoji name is already taken")


def create_emoji(call: Call) -> Reply:
    """POST an emoji as a data URI."""
    own_application(call)
    body = call.record()
    problems = Problems()
    _check_emoji_name(call, problems, body.get("name"))
    match = _DATA_URI.fullmatch(str(body.get("image")))
    data = b""
    try:
        data = base64.b64decode(match[1], validate=True) if match else b""
    except binascii.Error:
        match = None
    kind = picture_type(data)
    if match is None or kind is None:
        problems.add(("image",), "IMAGE_INVALID", "Invalid image data")
    elif len(data) > _EMOJI_BYTES:
        problems.add(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    problems.raise_if_any()
    if len(call.state.emojis) >= _EMOJI_COUNT:
        text = f"Maximum number of emojis reached ({_EMOJI_COUNT})"
        raise ApiError(400, 30008, text, violation=f"more than {_EMOJI_COUNT} emoji")
    emoji = Emoji(call.state.clock.snowflake(), body["name"], data, kind or "", call.state.bot)
    call.state.emojis[emoji.id] = emoji
    return Reply(201, emoji_json(emoji))


def edit_emoji(call: Call) -> Reply:
    """PATCH the name of an emoji."""
    emoji = _emoji(call)
    problems = Problems()
    _check_emoji_name(call, problems, call.record().get("name"), emoji)
    problems.raise_if_any()
    emoji.name = call.record()["name"]
    return Reply(200, emoji_json(emoji))


def delete_emoji(call: Call) -> Reply:
    """DELETE one emoji."""
    del call.state.emojis[_emoji(call).id]
    return Reply()


_EMOJIS = "/applications/{application_id}/emojis"

ROUTES: tuple[Route, ...] = (
    ("GET", _EMOJIS, list_emojis),
    ("POST", _EMOJIS, create_emoji),
    ("GET", _EMOJIS + "/{emoji_id}", get_emoji),
    ("PATCH", _EMOJIS + "/{emoji_id}", edit_emoji),
    ("DELETE", _EMOJIS + "/{emoji_id}", delete_emoji),
)
