"""Creating and editing messages from the body of a call: limits, files and mentions.

REST handlers and clients call `create` and `revise`; nothing here depends on HTTP.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.limits import MessageRules, Problems, check_message
from sandbox.limits.messages import MAX_FILE_BYTES, MAX_FILES
from sandbox.world.models import (
    EPHEMERAL,
    IS_COMPONENTS_V2,
    LOADING,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Attachment,
    Channel,
    Json,
    Message,
    User,
)
from sandbox.world.permissions import Permission
from sandbox.world.state import State

from .component_ids import finish_components
from .errors import ApiError
from .image_size import content_type, picture_size, safe_name
from .message_json import render, shown_files, texts

_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")
_OVERTAKEN_S = 1.0
"""Two calls on one message may overlap: for this long after the first, the second is not blamed for not
knowing of it.
"""

_SETTABLE = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | EPHEMERAL | IS_COMPONENTS_V2


@dataclass(frozen=True, slots=True)
class Upload:
    """A file sent with a call."""

    filename: str
    data: bytes


@dataclass(slots=True)
class Draft:
    """The body of a new or edited message with its files, numbered as in ``files[n]``.

    ``where`` names the call in violations; ``path`` leads to the message inside the call's body.
    """

    body: Json
    uploads: dict[str, Upload]
    where: str
    path: tuple[str | int, ...] = ()


def create(state: State, message: Message, draft: Draft) -> Message:
    """Fill a new message of the bot from a draft and render it.

    Raises `limits.Invalid` if a limit is broken, and `ApiError` for empty messages and files that are too large.
    """
    body = draft.body
    rules = MessageRules(_emoji_known(state), _upload_names(draft), file_ids=set(draft.uploads), path=draft.path)
    _check(state, draft, rules)
    if not (body.get("content") or body.get("embeds") or body.get("components") or draft.uploads):
        raise ApiError(400, 50006, "Cannot send an empty message", violation="an empty message")
    if body.get("poll") or body.get("sticker_ids"):
        raise ApiError(400, 0, "Not part of the sandbox", violation="polls and stickers are no part of the sandbox")
    message.flags |= int(body.get("flags") or 0) & _SETTABLE
    message.tts = bool(body.get("tts"))
    message.nonce = None if body.get("nonce") is None else str(body["nonce"])
    message.content = body.get("content") or ""
    message.attachments = _attach(state, message, [], draft)
    finish_components(state, message, body)
    resolve_mentions(state, message, body.get("allowed_mentions"), draft.where)
    render(message)
    return message


def revise(state: State, message: Message, draft: Draft) -> Message:
    """Edit a message of the bot; keys that are missing keep their value.

    An edit with ``attachments`` must list every file that it keeps, and may show only new and listed ones by name; the
    others are deleted. Raises `ApiError`, as `create` does.
    """
    body = draft.body
    fresh = bool(message.flags & LOADING)  # the first edit of "thinking…" is the message itself
    listed = _listed(body)
    _refuse_overtaken(message, listed or set())
    kept = [file for file in message.attachments if listed is None or file.id in listed]
    if len(kept) + len(draft.uploads) > MAX_FILES:
        raise ApiError(400, 30015, "Maximum number of attachments reached (10)", violation="more than 10 files")
    rules = MessageRules(
        _emoji_known(state),
        _upload_names(draft),
        kept=[] if listed is None else [file.filename for file in kept],
        file_ids={*draft.uploads, *(file.id for file in message.attachments)},
        shown=frozenset() if listed is None else shown_files(message) - {file.id for file in kept},
        editing=not fresh,
        was_v2=bool(message.flags & IS_COMPONENTS_V2),
        has_legacy=bool(message.content or message.embeds),
        path=draft.path,
    )
    _check(state, draft, rules)
    left = (body.get(key, getattr(message, key)) for key in ("content", "embeds", "components"))
    if not (any(left) or kept or draft.uploads):
        raise ApiError(
            400, 50006, "Cannot send an empty message", violation="an edit that leaves nothing of the message"
        )
    flags = int(body.get("flags") or 0)
    message.flags |= flags & (IS_COMPONENTS_V2 | SUPPRESS_EMBEDS)
    if "flags" in body and not flags & SUPPRESS_EMBEDS:
        message.flags &= ~SUPPRESS_EMBEDS
    if "content" in body:
        message.content = body["content"] or ""
    old = message.attachments
    message.attachments = _attach(state, message, kept, draft)
    for file in old:
        if file not in message.attachments:
            message.dropped[file.id] = asyncio.get_running_loop().time()
            state.lose(file)
    finish_components(state, message, body)
    if fresh:
        message.flags &= ~LOADING
    else:
        message.edited_ms = state.clock.now_ms()
    resolve_mentions(state, message, body.get("allowed_mentions"), draft.where)
    render(message)
    return message


def _check(state: State, draft: Draft, rules: MessageRules) -> None:
    for upload in draft.uploads.values():
        if len(upload.data) > MAX_FILE_BYTES:
            text = f"{upload.filename} has {len(upload.data)} bytes, {MAX_FILE_BYTES} are allowed"
            raise ApiError(413, 40005, "Request entity too large", violation=text)
    problems = Problems()
    if len(draft.uploads) > MAX_FILES:
        problems.add((*rules.path, "attachments"), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_FILES} or fewer in length.")
    check_message(problems, draft.body, rules)
    problems.raise_if_any()


def _listed(body: Json) -> set[str] | None:
    """Return the ids under ``attachments``, or None if an edit leaves the files alone."""
    entries = body.get("attachments")
    if not isinstance(entries, list):
        return None
    return {str(entry.get("id")) for entry in entries if isinstance(entry, dict)}


def _refuse_overtaken(message: Message, listed: set[str]) -> None:
    """Refuse an edit that keeps a file which another call has just removed. This is not a violation."""
    now = asyncio.get_running_loop().time()
    late = [name for name in listed if now - message.dropped.get(name, -math.inf) < _OVERTAKEN_S]
    if late:
        fault = {"code": "ATTACHMENT_NOT_FOUND", "message": f"No file of this message has the id {late[0]}."}
        raise ApiError(400, 50035, "Invalid Form Body", extra={"errors": {"attachments": {"_errors": [fault]}}})


def _emoji_known(state: State) -> Any:
    return state.emojis.__contains__


def _upload_names(draft: Draft) -> list[str]:
    return [safe_name(upload.filename) for upload in draft.uploads.values()]


# -------------------------------------------------------------------- files


def _attach(state: State, message: Message, kept: Sequence[Attachment], draft: Draft) -> list[Attachment]:
    """Return the files of a message after a call: those kept (with new alt texts), then the uploads."""
    entries = {str(entry["id"]): entry for entry in draft.body.get("attachments") or ()}
    files = list(kept)
    for file in files:
        if "description" in entries.get(file.id, {}):
            file.description = entries[file.id]["description"]
    for number, upload in draft.uploads.items():
        entry = entries.get(number, {})
        identity = state.clock.snowflake()
        name = safe_name(entry.get("filename") or upload.filename)
        file = Attachment(
            identity,
            name,
            content_type(name, upload.data),
            upload.data,
            state.attachment_url(message.channel, identity, name),
            picture_size(upload.data),
            entry.get("description"),
            ephemeral=message.reader is not None,
        )
        state.keep(file)
        files.append(file)
    return files


# -------------------------------------------------------------------- mentions


def resolve_mentions(state: State, message: Message, allowed: Json | None, where: str) -> None:
    """Set whom a message mentions, under ``allowed_mentions``.

    It is a violation if a message of the bot would mention a whole server or role: a game host never should.
    """
    text = "\n".join(texts(message))
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    named_users = {str(user) for user in (allowed or {}).get("users") or ()}
    named_roles = {str(role) for role in (allowed or {}).get("roles") or ()}
    found = [user for user in dict.fromkeys(_USER.findall(text)) if "users" in parse or user in named_users]
    if message.referenced is not None and (allowed is None or allowed.get("replied_user")):
        found = list(dict.fromkeys([*found, message.referenced.author.id]))
    message.mentions = [state.users[user] for user in found if user in state.users]
    message.mention_roles, message.mention_everyone = [], False
    guild = message.channel.guild
    if guild is None:
        return
    everyone = "everyone" in parse and _EVERYONE.search(text) is not None
    roles = [role for role in _ROLE.findall(text) if role in guild.roles and ("roles" in parse or role in named_roles)]
    message.mention_everyone = everyone and message.channel.may(message.author.id, Permission.MENTION_EVERYONE)
    message.mention_roles = roles
    if message.author is state.bot and (everyone or (roles and "roles" in parse)):
        state.record_violation(where, "the text calls a whole server or role; allowed_mentions lets it")


def reply_reference(message: Message) -> Json:
    """Return the reference that a reply carries."""
    body: Json = {"type": 0, "channel_id": message.channel.id, "message_id": message.id}
    if message.channel.guild is not None:
        body["guild_id"] = message.channel.guild.id
    return body


def new_message(
    state: State,
    channel: Channel,
    author: User,
    *,
    kind: int = 0,
    reader: User | None = None,
    reply_to: Message | None = None,
) -> Message:
    """Return an empty message."""
    now = state.clock.now_ms()
    message = Message(state.clock.snowflake(), channel, author, now, type=kind, reader=reader)
    if reader is not None:
        message.flags |= EPHEMERAL
    if reply_to is not None:
        message.reference = reply_reference(reply_to)
        message.referenced = reply_to
    return message
