"""Completing the components and embeds of a message as Discord does: components get ids, media get addresses
and sizes.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.world.models import Attachment, Json, Message
from sandbox.world.serializers import media_json
from sandbox.world.state import State

from .message_json import walk

_Attached = dict[str, Attachment]


def finish_components(state: State, message: Message, body: Json) -> None:
    """Set a message's embeds and components, with the names of attached files replaced by their addresses."""
    named = {file.filename: file for file in message.attachments}
    if "embeds" in body:
        message.embeds = [_embed(embed, named) for embed in body["embeds"] or ()]
    if "components" in body:
        layout = _ComponentFinisher(state, named, body["components"] or ())
        message.components = [layout.finish(component) for component in body["components"] or ()]


def _embed(embed: Json, named: _Attached) -> Json:
    done: Json = {"type": "rich", **embed}
    for key in ("image", "thumbnail"):
        picture = embed.get(key)
        if picture:
            file = _file(picture.get("url", ""), named)
            done[key] = picture if file is None else media_json(file)
    for key in ("footer", "author"):
        holder = embed.get(key)
        if holder and holder.get("icon_url"):
            file = _file(holder["icon_url"], named)
            if file is not None:
                done[key] = {**holder, "icon_url": file.url, "proxy_icon_url": file.url}
    return done


def _file(url: str, named: _Attached) -> Attachment | None:
    return named.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None


def _emoji(emoji: Json) -> Json:
    """Return an emoji with its id as a string: discord.py sends a number, which is too large for JavaScript."""
    return emoji if emoji.get("id") is None else {**emoji, "id": str(emoji["id"])}


def _option(option: Json) -> Json:
    return {**option, "emoji": _emoji(option["emoji"])} if option.get("emoji") else option


class _ComponentFinisher:
    """Completes the components of one message: each gets an id, and media get their address and size."""

    def __init__(self, state: State, named: _Attached, components: Iterable[Json]) -> None:
        self._state = state
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
        if done.get("emoji"):
            done["emoji"] = _emoji(done["emoji"])
        if "options" in done:
            done["options"] = [_option(option) for option in done["options"]]
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
            attached = self._state.files.get(done["file"].get("attachment_id", ""))
            if attached is not None:
                done |= {"name": attached.filename, "size": len(attached.data)}
        return done

    def _media(self, media: Json) -> Json:
        url = media["url"]
        attached = _file(url, self._named)
        if attached is not None:
            return media_json(attached)
        body = {"url": url, "proxy_url": url, "loading_state": 2, "flags": 0}
        linked = self._state.files.get(url.split("/")[-2]) if "/attachments/" in url else None
        if linked is not None and linked.size is not None:
            body["width"], body["height"] = linked.size
        return body  # a link does not keep a file: when the file is deleted, so is the picture


def finish_modal(data: Json) -> Json:
    """Return a modal with an id for every component, as Discord does."""
    number = 0

    def finish(component: Json) -> Json:
        nonlocal number
        number += 1
        done = {"id": number, **{key: value for key, value in component.items() if value is not None}}
        if "components" in done:
            done["components"] = [finish(child) for child in done["components"]]
        if "component" in done:
            done["component"] = finish(done["component"])
        return done

    return {**data, "components": [finish(component) for component in data["components"]]}
