"""From the body of a call to a message and what its readers get: files, mentions, addresses of pictures, JSON.

Imports the records, the limits and the world. REST handlers and persons call `create` and `revise`; nothing here
knows HTTP.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .clock import iso
from .errors import ApiError
from .limits import MessageRules, Problems, check_message
from .limits.messages import MAX_FILE_BYTES, MAX_FILES
from .media import content_type, picture_size, safe_name
from .permissions import Permission
from .records import (
    EPHEMERAL,
    IS_COMPONENTS_V2,
    LOADING,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Attachment,
    Channel,
    Guild,
    Json,
    Message,
    User,
)
from .world import BOT_ID, World

_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")
_SETTABLE = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | EPHEMERAL | IS_COMPONENTS_V2

_Attached = dict[str, Attachment]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came with a call."""

    filename: str
    data: bytes


@dataclass(slots=True)
class Draft:
    """The body of a new or edited message with its files, numbered as in ``files[n]``, and where it was said.

    ``where`` names the call in breaches, ``path`` leads to the message inside the call's body.
    """

    body: Json
    uploads: dict[str, Upload]
    where: str
    path: tuple[str | int, ...] = ()


def create(world: World, message: Message, draft: Draft) -> Message:
    """Fill a new message of the bot from a draft and render it.

    Raises `limits.Invalid` where a limit is broken and `ApiError` for empty messages and files that are too large.
    """
    body = draft.body
    _check(world, draft, MessageRules(_emoji_known(world), _upload_names(draft), path=draft.path))
    if not (body.get("content") or body.get("embeds") or body.get("components") or draft.uploads):
        raise ApiError(400, 50006, "Cannot send an empty message", breach="an empty message")
    if body.get("poll") or body.get("sticker_ids"):
        raise ApiError(400, 0, "Not part of the sandbox", breach="polls and stickers are no part of the sandbox")
    message.flags |= int(body.get("flags") or 0) & _SETTABLE
    message.tts = bool(body.get("tts"))
    message.nonce = None if body.get("nonce") is None else str(body["nonce"])
    message.content = body.get("content") or ""
    message.attachments = _attach(world, message, [], draft)
    _fill_layout(world, message, body)
    call_people(world, message, body.get("allowed_mentions"), draft.where)
    render(message)
    return message


def revise(world: World, message: Message, draft: Draft) -> Message:
    """Edit a message of the bot: keys that are missing keep what was there.

    Raises as `create`.
    """
    body = draft.body
    fresh = bool(message.flags & LOADING)  # the first edit of "thinking…" is the message itself
    listed = body.get("attachments") is not None
    kept_ids = {str(entry.get("id")) for entry in body["attachments"] if isinstance(entry, dict)} if listed else set()
    kept = [file for file in message.attachments if not listed or file.id in kept_ids]
    if len(kept) + len(draft.uploads) > MAX_FILES:
        raise ApiError(400, 30015, "Maximum number of attachments reached (10)", breach="more than 10 files")
    rules = MessageRules(
        _emoji_known(world),
        _upload_names(draft),
        # A call may show a file of the version it replaces: the address is looked up before the file is let go.
        kept=[file.filename for file in kept],
        editing=not fresh,
        was_v2=bool(message.flags & IS_COMPONENTS_V2),
        has_legacy=bool(message.content or message.embeds),
        path=draft.path,
    )
    _check(world, draft, rules)
    left = (body.get(key, getattr(message, key)) for key in ("content", "embeds", "components"))
    if not (any(left) or kept or draft.uploads):
        raise ApiError(400, 50006, "Cannot send an empty message", breach="an edit that leaves nothing of the message")
    flags = int(body.get("flags") or 0)
    message.flags |= flags & (IS_COMPONENTS_V2 | SUPPRESS_EMBEDS)
    if "flags" in body and not flags & SUPPRESS_EMBEDS:
        message.flags &= ~SUPPRESS_EMBEDS
    if "content" in body:
        message.content = body["content"] or ""
    old = message.attachments
    message.attachments = _attach(world, message, kept, draft)
    for file in old:
        if file not in message.attachments:
            world.retire(file)
    _fill_layout(world, message, body)
    if fresh:
        message.flags &= ~LOADING
    else:
        message.edited_ms = world.clock.now_ms()
    call_people(world, message, body.get("allowed_mentions"), draft.where)
    render(message)
    return message


def _check(world: World, draft: Draft, rules: MessageRules) -> None:
    for upload in draft.uploads.values():
        if len(upload.data) > MAX_FILE_BYTES:
            text = f"{upload.filename} has {len(upload.data)} bytes, {MAX_FILE_BYTES} are allowed"
            raise ApiError(413, 40005, "Request entity too large", breach=text)
    problems = Problems()
    if len(draft.uploads) > MAX_FILES:
        problems.add((*rules.path, "attachments"), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_FILES} or fewer in length.")
    check_message(problems, draft.body, rules)
    problems.raise_if_any()


def _emoji_known(world: World) -> Any:
    return world.emojis.__contains__


def _upload_names(draft: Draft) -> list[str]:
    return [safe_name(upload.filename) for upload in draft.uploads.values()]


# -------------------------------------------------------------------- files


def _attach(world: World, message: Message, kept: Sequence[Attachment], draft: Draft) -> list[Attachment]:
    """The files of a message after a call: those kept (with new alt texts), then the uploads."""
    entries = {str(entry["id"]): entry for entry in draft.body.get("attachments") or ()}
    files = list(kept)
    for file in files:
        if "description" in entries.get(file.id, {}):
            file.description = entries[file.id]["description"]
    for number, upload in draft.uploads.items():
        entry = entries.get(number, {})
        identity = world.clock.snowflake()
        name = safe_name(entry.get("filename") or upload.filename)
        file = Attachment(
            identity,
            name,
            content_type(name, upload.data),
            upload.data,
            world.attachment_url(message.channel, identity, name),
            picture_size(upload.data),
            entry.get("description"),
            ephemeral=message.reader is not None,
        )
        world.keep(file)
        files.append(file)
    return files


def _fill_layout(world: World, message: Message, body: Json) -> None:
    """Take over embeds and components, the names of attached files replaced by their addresses."""
    named = {file.filename: file for file in message.attachments}
    if "embeds" in body:
        message.embeds = [_embed(embed, named) for embed in body["embeds"] or ()]
    if "components" in body:
        layout = _Layout(world, named, body["components"] or ())
        message.components = [layout.finish(component) for component in body["components"] or ()]


def _embed(embed: Json, named: _Attached) -> Json:
    done: Json = {"type": "rich", **embed}
    for key in ("image", "thumbnail"):
        picture = embed.get(key)
        if picture:
            file = _file(picture.get("url", ""), named)
            done[key] = picture if file is None else file.media()
    for key in ("footer", "author"):
        holder = embed.get(key)
        if holder and holder.get("icon_url"):
            file = _file(holder["icon_url"], named)
            if file is not None:
                done[key] = {**holder, "icon_url": file.url, "proxy_icon_url": file.url}
    return done


def _file(url: str, named: _Attached) -> Attachment | None:
    return named.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None


class _Layout:
    """Finishes the components of one message: every one gets an id, every picture its address and size."""

    def __init__(self, world: World, named: _Attached, components: Iterable[Json]) -> None:
        self._world = world
        self._named = named
        self._taken = {part["id"] for part in walk(components) if part.get("id")}
        self._next = 1

    def finish(self, component: Json) -> Json:
        done = {key: value for key, value in component.items() if value is not None}
        if not done.get("id"):
            while self._next in self._taken:
                self._next += 1
            done["id"] = self._next
            self._taken.add(self._next)
        if "components" in done:
            done["components"] = [self.finish(child) for child in done["components"]]
        if "accessory" in done:
            done["accessory"] = self.finish(done["accessory"])
        if "items" in done:
            done["items"] = [{**item, "media": self._media(item["media"])} for item in done["items"]]
        if "media" in done:
            done["media"] = self._media(done["media"])
        if "file" in done:
            done["file"] = self._media(done["file"])
            attached = self._world.files.get(done["file"].get("attachment_id", ""))
            if attached is not None:
                done |= {"name": attached.filename, "size": len(attached.data)}
        return done

    def _media(self, media: Json) -> Json:
        url = media["url"]
        attached = _file(url, self._named)
        if attached is None and "/attachments/" in url:
            attached = self._world.files.get(url.split("/")[-2])
        if attached is not None:
            return attached.media()
        return {"url": url, "proxy_url": url, "loading_state": 2, "flags": 0}


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Every component of a message or modal, containers before what they hold."""
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk((component[key],))


def texts(message: Message) -> Iterator[str]:
    """What a message says in prose: content and text displays. Mentions in other places call nobody."""
    if message.content:
        yield message.content
    for component in walk(message.components):
        if component["type"] == 10:
            yield component["content"]


# -------------------------------------------------------------------- mentions


def call_people(world: World, message: Message, allowed: Json | None, where: str) -> None:
    """Work out whom a message calls, under ``allowed_mentions``.

    A bot's message that would call a whole server or role is a breach: a game host never may.
    """
    text = "\n".join(texts(message))
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    named_users = {str(user) for user in (allowed or {}).get("users") or ()}
    named_roles = {str(role) for role in (allowed or {}).get("roles") or ()}
    found = [user for user in dict.fromkeys(_USER.findall(text)) if "users" in parse or user in named_users]
    if message.referenced is not None and (allowed is None or allowed.get("replied_user")):
        found = list(dict.fromkeys([*found, message.referenced.author.id]))
    message.mentions = [world.users[user] for user in found if user in world.users]
    message.mention_roles, message.mention_everyone = [], False
    guild = message.channel.guild
    if guild is None:
        return
    everyone = "everyone" in parse and _EVERYONE.search(text) is not None
    roles = [role for role in _ROLE.findall(text) if role in guild.roles and ("roles" in parse or role in named_roles)]
    message.mention_everyone = everyone and message.channel.may(message.author.id, Permission.MENTION_EVERYONE)
    message.mention_roles = roles
    if message.author is world.bot and (everyone or (roles and "roles" in parse)):
        world.breach(where, "the text calls a whole server or role; allowed_mentions lets it")


# -------------------------------------------------------------------- rendering


def render(message: Message) -> None:
    """Build what readers get. The result is never changed: the next version is another dictionary."""
    shown = {part.get("attachment_id") for part in _pictures(message)}
    plain = [] if message.flags & IS_COMPONENTS_V2 else [file for file in message.attachments if file.id not in shown]
    body: Json = {
        "id": message.id,
        "channel_id": message.channel.id,
        "type": message.type,
        "author": message.author.json,
        "content": message.content,
        "timestamp": iso(message.created_ms),
        "edited_timestamp": None if message.edited_ms is None else iso(message.edited_ms),
        "tts": message.tts,
        "mention_everyone": message.mention_everyone,
        "mentions": [user.json for user in message.mentions],
        "mention_roles": message.mention_roles,
        "attachments": [file.json() for file in plain],
        "embeds": [] if message.flags & SUPPRESS_EMBEDS else message.embeds,
        "components": message.components,
        "flags": message.flags,
        "pinned": False,
    }
    if message.nonce is not None:
        body["nonce"] = message.nonce
    if message.webhook:
        body["webhook_id"] = message.author.id
        body["application_id"] = message.author.id
    if message.metadata is not None:
        body["interaction_metadata"] = message.metadata
    if message.reference is not None:
        body["message_reference"] = message.reference
        replied = message.referenced
        body["referenced_message"] = None if replied is None or replied.deleted else _without_reference(replied.json)
    if message.reactions:
        body["reactions"] = [_reaction(name, users) for name, users in message.reactions.items()]
    message.json = body


def _without_reference(body: Json) -> Json:
    if "referenced_message" not in body:
        return body
    return {key: value for key, value in body.items() if key != "referenced_message"}


def _pictures(message: Message) -> Iterator[Json]:
    for embed in message.embeds:
        for key in ("image", "thumbnail"):
            if embed.get(key):
                yield embed[key]
    for component in walk(message.components):
        for key in ("media", "file"):
            if component.get(key):
                yield component[key]
        for item in component.get("items", ()):
            yield item["media"]


def emoji_json(name: str) -> Json:
    """An emoji in a reaction's address: a character, or ``name:id``."""
    text, separator, identity = name.rpartition(":")
    return {"id": identity, "name": text} if separator else {"id": None, "name": name}


def _reaction(name: str, users: list[str]) -> Json:
    return {
        "count": len(users),
        "count_details": {"burst": 0, "normal": len(users)},
        "me": BOT_ID in users,
        "me_burst": False,
        "burst_colors": [],
        "emoji": emoji_json(name),
    }


def for_gateway(message: Message, guild: Guild | None) -> Json:
    """The message as MESSAGE_CREATE and MESSAGE_UPDATE bring it: with server and member."""
    if guild is None:
        return message.json
    member = guild.members.get(message.author.id)
    if member is None or message.webhook:
        return {**message.json, "guild_id": guild.id}
    return {**message.json, "guild_id": guild.id, "member": member.json(with_user=False)}


def without_content(body: Json) -> Json:
    """The message as a bot without the message content intent gets it."""
    return {**body, "content": "", "embeds": [], "attachments": [], "components": []}


# -------------------------------------------------------------------- what a reader sees


def visible_text(message: Json) -> str:
    """All text that a reader sees in a message (Discord's JSON), a line for each piece.

    Content, embeds, text displays, labels of buttons and options, alt texts and names of files: for tests that look
    for a word wherever it may stand.
    """
    lines: list[str] = [message.get("content") or ""]
    for embed in message.get("embeds", ()):
        lines += [embed.get("author", {}).get("name", ""), embed.get("title", ""), embed.get("description", "")]
        for field in embed.get("fields", ()):
            lines += [field["name"], field["value"]]
        lines.append(embed.get("footer", {}).get("text", ""))
    for component in walk(message.get("components", ())):
        lines += _component_lines(component)
    for file in message.get("attachments", ()):
        lines += [file["filename"], file.get("description") or ""]
    return "\n".join(line for line in lines if line)


def _component_lines(component: Json) -> list[str]:
    lines = [component.get(key) or "" for key in ("content", "label", "placeholder", "description", "name")]
    emoji = component.get("emoji")
    if emoji and not component.get("label"):
        lines.append(emoji.get("name") or "")
    for option in component.get("options", ()):
        lines += [option["label"], option.get("description") or ""]
    for item in component.get("items", ()):
        lines += [item["media"]["url"].rsplit("/", 1)[-1], item.get("description") or ""]
    if "media" in component:
        lines.append(component["media"]["url"].rsplit("/", 1)[-1])
    return lines


def reply_reference(message: Message, *, fail_if_missing: bool | None = None) -> Json:
    """The reference that a reply carries."""
    body: Json = {"type": 0, "channel_id": message.channel.id, "message_id": message.id}
    if message.channel.guild is not None:
        body["guild_id"] = message.channel.guild.id
    if fail_if_missing is not None:
        body["fail_if_not_exists"] = fail_if_missing
    return body


def blank(
    world: World,
    channel: Channel,
    author: User,
    *,
    kind: int = 0,
    reader: User | None = None,
    reply_to: Message | None = None,
) -> Message:
    """A message that says nothing yet."""
    now = world.clock.now_ms()
    message = Message(world.clock.snowflake(), channel, author, now, type=kind, reader=reader)
    if reader is not None:
        message.flags |= EPHEMERAL
    if reply_to is not None:
        message.reference = reply_reference(reply_to)
        message.referenced = reply_to
    return message
