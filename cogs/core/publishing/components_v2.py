"""Pages as Discord's Components V2 messages and forms.

A page is written down as Discord's own JSON: the library would make an object of every part of it, only to ask each of
them for just that.
"""

import io
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, assert_never

import discord
import msgspec
from discord import ui

from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import custom_id
from cogs.core.pages.page import (
    TEXT_LIMIT,
    Block,
    Board,
    Choice,
    Form,
    Line,
    Link,
    Page,
    PersonSelect,
    Picture,
    Row,
    Select,
    Text,
)

PARTS_LIMIT = 40
"""Components, nested ones included, that Discord takes in a message."""

ROW_LIMIT = 5
"""Buttons that Discord takes beside each other."""

Json = dict[str, Any]

_STYLES = {
    "primary": discord.ButtonStyle.primary.value,
    "secondary": discord.ButtonStyle.secondary.value,
    "success": discord.ButtonStyle.success.value,
    "danger": discord.ButtonStyle.danger.value,
}
_LINK = discord.ButtonStyle.link.value

_FRAME = discord.ComponentType.container.value
_TEXT = discord.ComponentType.text_display.value
_LINE = discord.ComponentType.separator.value
_GALLERY = discord.ComponentType.media_gallery.value
_ROW = discord.ComponentType.action_row.value
_BUTTON = discord.ComponentType.button.value
_SELECT = discord.ComponentType.select.value
_PERSON_SELECT = discord.ComponentType.user_select.value


@lru_cache(maxsize=1_024)
def _emoji(emoji: str) -> Json:
    """Return an emoji as Discord wants it. Never change it."""
    return {**discord.PartialEmoji.from_str(emoji).to_dict()}


def _buttons(row: Row, table: int | str, stamp: int) -> list[Json]:
    if len(row.buttons) > ROW_LIMIT:
        raise ValueError(f"{len(row.buttons)} buttons do not fit beside each other")
    made: list[Json] = []
    for button in row.buttons:
        if isinstance(button, Link):
            made.append({"type": _BUTTON, "style": _LINK, "disabled": False, "label": button.label, "url": button.url})
            continue
        name = custom_id(table, stamp, button.verb, button.argument)
        part: Json = {"type": _BUTTON, "style": _STYLES[button.style], "disabled": button.disabled, "custom_id": name}
        if button.label:
            part["label"] = button.label
        if button.emoji:
            part["emoji"] = _emoji(button.emoji)
        made.append(part)
    return made


def _option(choice: Choice) -> Json:
    made: Json = {"label": choice.label[:100], "value": choice.value, "default": choice.chosen}
    if choice.description:
        made["description"] = choice.description[:100]
    if choice.emoji:
        made["emoji"] = _emoji(choice.emoji)
    return made


def _select(select: Select, table: int | str, stamp: int) -> Json:
    return {
        "type": _SELECT,
        "custom_id": custom_id(table, stamp, select.verb, select.argument),
        "placeholder": select.placeholder[:150],
        "min_values": select.least,
        "max_values": min(select.most, len(select.choices)),
        "disabled": select.disabled,
        "options": [_option(choice) for choice in select.choices],
    }


def fitting(page: Page) -> Iterator[Block]:
    """Yield the blocks of a page as far as Discord takes them: texts are cut where they grow too long together, and
    what comes after the last part that fits is left out.
    """
    letters, parts = TEXT_LIMIT, PARTS_LIMIT - 1  # the frame is a part too
    for block in page.blocks:
        parts -= 1 + (len(block.buttons) if isinstance(block, Row) else isinstance(block, Select | PersonSelect))
        if parts < 0:
            return
        if isinstance(block, Text):
            if emoji_markup.BEGIN in block.body:
                block = Text(emoji_markup.plain(block.body))
            if not letters:
                continue
            if len(block.body) > letters:
                block = Text(block.body[: letters - 1] + "…")
            letters -= len(block.body)
        yield block


class Written(msgspec.Struct, frozen=True):
    """A page written down: its `parts`, and those of its pictures that fit on it, in order."""

    parts: list[Json]
    pictures: tuple[Picture, ...]


def written(page: Page, table: int | str, stamp: int) -> Written:
    """Return the page as Components V2, with controls of a table, or of a lesson at one of its steps.

    Raises `ValueError` for a page in which the table's picture was left out, or with too many buttons in a row.
    """
    parts: list[Json] = []
    pictures: list[Picture] = []
    for block in fitting(page):
        match block:
            case Text():
                parts.append({"type": _TEXT, "content": block.body})
            case Line():
                parts.append({"type": _LINE, "divider": True, "spacing": discord.SeparatorSpacing.small.value})
            case Picture():
                item = {"media": {"url": f"attachment://{block.name}"}, "spoiler": False, "description": block.alt}
                parts.append({"type": _GALLERY, "items": [item]})
                pictures.append(block)
            case Row():
                parts.append({"type": _ROW, "components": _buttons(block, table, stamp)})
            case Select():
                parts.append({"type": _ROW, "components": [_select(block, table, stamp)]})
            case PersonSelect():
                name = custom_id(table, stamp, block.verb, block.argument)
                picked = {"type": _PERSON_SELECT, "custom_id": name, "placeholder": block.placeholder}
                parts.append({"type": _ROW, "components": [picked]})
            case Board():
                raise ValueError("the table's picture was not put into its place")
            case _:
                assert_never(block)
    frame = {"type": _FRAME, "accent_color": page.colour, "spoiler": False, "components": parts}
    return Written([frame], tuple(pictures))


class Layout(ui.LayoutView):
    """A page that is written down already, as the library's calls take it: its `parts`, and its pictures as `files`,
    each of which can be sent once. It is finished from the start: presses are served by `cogs.core.inbound`, also after
    a restart, so the library keeps no record of it.
    """

    parts: list[Json]
    files: list[discord.File]

    def to_components(self) -> list[Json]:
        """Return the parts of it."""
        return self.parts

    def has_components_v2(self) -> bool:
        """Say that it is one of Components V2."""
        return True


def layout(page: Page, table: int | str, stamp: int) -> Layout:
    """Return the page as the library's own calls take it. Raises what `written` does."""
    found = written(page, table, stamp)
    made = Layout(timeout=None)
    made.stop()
    made.parts = found.parts
    made.files = [discord.File(io.BytesIO(one.data), one.name, description=one.alt) for one in found.pictures]
    return made


def words(view: ui.LayoutView) -> list[str]:
    """Return the texts and custom_ids of a layout, in order: by these two versions of a message are told apart."""
    parts: list[Json] = view.to_components()  # type: ignore[no-untyped-call]  # the library says nothing of it
    return list(_words(parts))


def _words(parts: Iterable[Json]) -> Iterator[str]:
    for part in parts:
        if part["type"] == _TEXT:
            yield part["content"]
        elif "custom_id" in part:
            yield part["custom_id"]
        yield from _words(part.get("components", ()))


def modal(form: Form, table: int | str, stamp: int) -> ui.Modal:
    """Return the form as a modal. Its submission is read from the interaction itself, so it survives a restart."""
    box = ui.Modal(title=form.title[:45], custom_id=custom_id(table, stamp, form.verb, form.argument), timeout=None)
    for entry in form.fields:
        style = discord.TextStyle.paragraph if entry.long else discord.TextStyle.short
        entry_box: ui.TextInput[ui.Modal] = ui.TextInput(
            custom_id=entry.name,
            style=style,
            default=entry.value or None,
            placeholder=entry.placeholder or None,
            required=entry.required,
            max_length=entry.limit,
        )
        box.add_item(ui.Label(text=entry.label, component=entry_box))
    box.stop()
    return box
