"""The limits on messages: content, embeds, flags, mentions and files.

Source: "Message resource" and "Uploading files" in Discord's API documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .components import MISSING_FILE, check_message_components
from .validation import Path, Problems

MAX_CONTENT = 2_000
MAX_FILES = 10
MAX_FILE_BYTES = 10 * 1024 * 1024

_V2 = 1 << 15
_ALLOWED_ON_CREATE = 1 << 2 | 1 << 6 | 1 << 12 | 1 << 13 | _V2
_LEGACY = ("content", "embeds", "poll", "sticker_ids")
_LEGACY_CODE = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"


@dataclass(frozen=True)
class MessageRules:
    """The context that the check depends on.

    ``uploads`` and ``kept`` are the names of the files sent with the call and of those that an edit lists as kept.
    ``file_ids`` are the numbers and ids that ``attachments`` may list, ``shown`` the ids of files that the edited
    message shows and that would be deleted. ``was_v2`` and ``has_legacy`` describe the message before an edit. ``path``
    leads to the message inside the body.
    """

    emoji_known: Callable[[str], bool]
    uploads: Collection[str] = ()
    kept: Collection[str] = ()
    file_ids: Collection[str] = ()
    shown: Collection[str] = ()
    editing: bool = False
    was_v2: bool = False
    has_legacy: bool = False
    path: Path = ()


def check_message(problems: Problems, body: dict[str, Any], rules: MessageRules) -> None:
    """Check the body of a new or edited message, in a channel or in response to an interaction."""
    path = rules.path
    problems.text((*path, "content"), body.get("content"), 0, MAX_CONTENT)
    problems.flag((*path, "tts"), body.get("tts"))
    _nonce(problems, path, body)
    _embeds(problems, (*path, "embeds"), body.get("embeds"))
    _allowed_mentions(problems, (*path, "allowed_mentions"), body.get("allowed_mentions"))
    _attachments(problems, (*path, "attachments"), body.get("attachments"), rules.file_ids)
    v2 = _flags(problems, body, rules)
    if v2:
        _no_legacy(problems, body, rules)
    if body.get("components") is not None:
        check_message_components(
            problems,
            body["components"],
            v2=v2,
            emoji_known=rules.emoji_known,
            attachments={*rules.uploads, *rules.kept},
            path=(*path, "components"),
        )
    elif v2 and not rules.was_v2:
        problems.required((*path, "components"))
    elif v2 and rules.shown:
        lost = ", ".join(sorted(rules.shown))
        problems.add((*path, "attachments"), MISSING_FILE, f"The components still show {lost}, which is not kept.")


def _nonce(problems: Problems, path: Path, body: dict[str, Any]) -> None:
    nonce = body.get("nonce")
    if nonce is not None and not isinstance(nonce, int):
        problems.text((*path, "nonce"), nonce, 1, 25)


def _flags(problems: Problems, body: dict[str, Any], rules: MessageRules) -> bool:
    """Check the flags and return True if the message uses Components V2."""
    path = (*rules.path, "flags")
    flags = body.get("flags")
    if flags is None:
        return rules.was_v2
    if not problems.number(path, flags, 0, (1 << 31) - 1):
        return rules.was_v2
    if not rules.editing and flags & ~_ALLOWED_ON_CREATE:
        problems.add(path, "BITWISE_FLAG_INVALID", f"The flags {flags & ~_ALLOWED_ON_CREATE} cannot be set by a bot.")
    if rules.was_v2 and not flags & _V2:
        problems.add(
            path, "MESSAGE_COMPONENTS_V2_FLAG_REMOVED", "IS_COMPONENTS_V2 cannot be taken off a message that has it."
        )
        return True
    return bool(flags & _V2)


def _no_legacy(problems: Problems, body: dict[str, Any], rules: MessageRules) -> None:
    for field in _LEGACY:
        if body.get(field):
            problems.add(
                (*rules.path, field),
                _LEGACY_CODE,
                f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
    left = [field for field in ("content", "embeds") if field not in body]
    if rules.has_legacy and not rules.was_v2 and left:
        problems.add(
            (*rules.path, left[0]),
            _LEGACY_CODE,
            f"The message has '{left[0]}' from before; it must be set to null when IS_COMPONENTS_V2 is set.",
        )


def _embeds(problems: Problems, path: Path, value: object) -> None:
    total = 0
    for index, item in enumerate(problems.items(path, value, 0, 10)):
        embed = problems.record((*path, index), item)
        if embed is not None:
            total += _embed(problems, (*path, index), embed)
    if total > 6_000:
        problems.add(path, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _embed(problems: Problems, path: Path, embed: dict[str, Any]) -> int:
    """Check one embed and return its length in characters, which counts towards the 6,000 of the message."""
    size = 0
    for key, high in (("title", 256), ("description", 4096)):
        problems.text((*path, key), embed.get(key), 0, high)
        size += len(embed[key]) if isinstance(embed.get(key), str) else 0
    for holder, key, high in (("footer", "text", 2048), ("author", "name", 256)):
        if embed.get(holder) is None:
            continue
        inner = problems.record((*path, holder), embed[holder])
        if inner is not None:
            problems.text((*path, holder, key), inner.get(key), 1, high, needed=True)
            size += len(inner[key]) if isinstance(inner.get(key), str) else 0
            if inner.get("icon_url") is not None:
                problems.url((*path, holder, "icon_url"), inner["icon_url"], ("http", "https", "attachment"))
    for key in ("image", "thumbnail"):
        if embed.get(key) is not None:
            inner = problems.record((*path, key), embed[key])
            if inner is not None:
                problems.url((*path, key, "url"), inner.get("url"), ("http", "https", "attachment"))
    if embed.get("url") is not None:
        problems.url((*path, "url"), embed["url"], ("http", "https"))
    problems.number((*path, "color"), embed.get("color"), 0, 0xFFFFFF)
    if embed.get("timestamp") is not None and not _is_moment(embed["timestamp"]):
        problems.add(
            (*path, "timestamp"), "DATE_TIME_TYPE_PARSE", f"Could not parse {embed['timestamp']}. Should be ISO8601."
        )
    for index, item in enumerate(problems.items((*path, "fields"), embed.get("fields"), 0, 25)):
        field = problems.record((*path, "fields", index), item)
        if field is not None:
            for key, high in (("name", 256), ("value", 1024)):
                problems.text((*path, "fields", index, key), field.get(key), 1, high, needed=True)
                size += len(field[key]) if isinstance(field.get(key), str) else 0
    return size


def _is_moment(value: object) -> bool:
    try:
        datetime.fromisoformat(str(value))
    except ValueError:
        return False
    return True


def _allowed_mentions(problems: Problems, path: Path, value: object) -> None:
    if value is None:
        return
    body = problems.record(path, value)
    if body is None:
        return
    parse = problems.items((*path, "parse"), body.get("parse"), 0, 3)
    for index, kind in enumerate(parse):
        problems.choice((*path, "parse", index), kind, ("roles", "users", "everyone"))
    for kind in ("users", "roles"):
        named = problems.items((*path, kind), body.get(kind), 0, 100)
        for index, identity in enumerate(named):
            problems.snowflake((*path, kind, index), identity)
        if named and kind in parse:
            problems.add(
                path,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
            )
    problems.flag((*path, "replied_user"), body.get("replied_user"))


def _attachments(problems: Problems, path: Path, value: object, known: Collection[str]) -> None:
    seen: set[str] = set()
    for index, item in enumerate(problems.items(path, value, 0, MAX_FILES)):
        body = problems.record((*path, index), item)
        if body is None:
            continue
        identity = problems.snowflake((*path, index, "id"), body.get("id"))
        if identity is not None and identity in seen:
            problems.add((*path, index, "id"), "ATTACHMENT_ID_DUPLICATED", "The same attachment is listed twice.")
        if identity is not None and identity not in known:
            text = f"No file of this message has the id {identity}."
            problems.add((*path, index, "id"), "ATTACHMENT_NOT_FOUND", text)
        if identity is not None:
            seen.add(identity)
        problems.text((*path, index, "description"), body.get("description"), 0, 1024)
        problems.text((*path, index, "filename"), body.get("filename"), 1, 260)
