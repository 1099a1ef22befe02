"""The JSON of messages for people, bots and the gateway, and the text in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.world.clock import iso
from sandbox.world.models import IS_COMPONENTS_V2, SUPPRESS_EMBEDS, Guild, Json, Message
from sandbox.world.serializers import attachment_json, channel_json, member_json
from sandbox.world.state import BOT_ID


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Yield every component of a message or modal, containers before their content."""
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk((component[key],))


def texts(message: Message) -> Iterator[str]:
    """Yield the texts whose mentions count: content and text displays."""
    if message.content:
        yield message.content
    for component in walk(message.components):
        if component["type"] == 10:
            yield component["content"]


def render(message: Message) -> None:
    """Build ``Message.json``. It is never changed: the next version is another dictionary."""
    shown = shown_files(message)
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
        "attachments": [attachment_json(file) for file in plain],
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
    if message.thread is not None:
        body["thread"] = channel_json(message.thread)
    if message.reactions:
        body["reactions"] = [_reaction(name, users) for name, users in message.reactions.items()]
    message.json = body


def shown_files(message: Message) -> set[str]:
    """Return the ids of the files that a message's components and embeds show."""
    return {part["attachment_id"] for part in _pictures(message) if "attachment_id" in part}


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


def reaction_emoji(name: str) -> Json:
    """Return the emoji of a reaction's address: a character, or ``name:id``."""
    text, separator, identity = name.rpartition(":")
    return {"id": identity, "name": text} if separator else {"id": None, "name": name}


def _reaction(name: str, users: list[str]) -> Json:
    return {
        "count": len(users),
        "count_details": {"burst": 0, "normal": len(users)},
        "me": BOT_ID in users,
        "me_burst": False,
        "burst_colors": [],
        "emoji": reaction_emoji(name),
    }


def for_gateway(message: Message, guild: Guild | None) -> Json:
    """Return the message as MESSAGE_CREATE and MESSAGE_UPDATE send it: with server and member."""
    if guild is None:
        return message.json
    member = guild.members.get(message.author.id)
    if member is None or message.webhook:
        return {**message.json, "guild_id": guild.id}
    return {**message.json, "guild_id": guild.id, "member": member_json(member, with_user=False)}


def without_content(body: Json) -> Json:
    """Return the message for a bot without the message content intent."""
    return {**body, "content": "", "embeds": [], "attachments": [], "components": []}


# -------------------------------------------------------------------- text


def visible_text(message: Json) -> str:
    """Return all text that a reader sees in a message (Discord's JSON), one piece per line.

    This includes content, embeds, text displays, labels of buttons and options, alt texts and file names, so that tests
    can look for a word anywhere. Non-breaking spaces become ordinary ones.
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
    return "\n".join(line for line in lines if line).replace("\u00a0", " ")


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
