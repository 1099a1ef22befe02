"""Pages as Discord's Components V2 messages and forms. May import discord and its neighbours."""

import io
from collections.abc import Iterator
from typing import assert_never

import discord
from discord import ui

from cogs.core.messages import faces
from cogs.core.messages.controls import custom_id
from cogs.core.messages.page import (
    TEXT_LIMIT,
    Block,
    Board,
    Button,
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

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def _button(button: Button | Link, table: int | str, stamp: int) -> ui.Button[ui.LayoutView]:
    if isinstance(button, Link):
        return ui.Button(label=button.label, url=button.url)
    return ui.Button(
        label=button.label or None,
        emoji=button.emoji,
        style=_STYLES[button.style],
        disabled=button.disabled,
        custom_id=custom_id(table, stamp, button.verb, button.argument),
    )


def _option(choice: Choice) -> discord.SelectOption:
    return discord.SelectOption(
        label=choice.label[:100],
        value=choice.value,
        description=choice.description[:100] if choice.description else None,
        emoji=choice.emoji,
        default=choice.chosen,
    )


def _select(select: Select, table: int | str, stamp: int) -> ui.Select[ui.LayoutView]:
    return ui.Select(
        custom_id=custom_id(table, stamp, select.verb, select.argument),
        placeholder=select.placeholder[:150],
        min_values=select.least,
        max_values=min(select.most, len(select.choices)),
        disabled=select.disabled,
        options=[_option(choice) for choice in select.choices],
    )


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
            block = Text(faces.plain(block.body))
            if not letters:
                continue
            if len(block.body) > letters:
                block = Text(block.body[: letters - 1] + "…")
            letters -= len(block.body)
        yield block


def layout(page: Page, table: int | str, stamp: int) -> ui.LayoutView:
    """Return the page as a layout of Components V2, with controls of a table, or of a lesson at one of its steps.

    The layout is finished from the start: presses are served by `cogs.core.router`, also after a restart, so the
    library keeps no record of it. Raises `ValueError` for a page in which the table's picture was left out.
    """
    frame: ui.Container[ui.LayoutView] = ui.Container(accent_colour=page.colour)
    for block in fitting(page):
        match block:
            case Text():
                frame.add_item(ui.TextDisplay(block.body))
            case Line():
                frame.add_item(ui.Separator())
            case Picture():
                media = discord.MediaGalleryItem(f"attachment://{block.name}", description=block.alt)
                frame.add_item(ui.MediaGallery(media))
            case Row():
                frame.add_item(ui.ActionRow(*(_button(button, table, stamp) for button in block.buttons)))
            case Select():
                frame.add_item(ui.ActionRow(_select(block, table, stamp)))
            case PersonSelect():
                name = custom_id(table, stamp, block.verb, block.argument)
                frame.add_item(ui.ActionRow(ui.UserSelect(custom_id=name, placeholder=block.placeholder)))
            case Board():
                raise ValueError("the table's picture was not put into its place")
            case _:
                assert_never(block)
    view = ui.LayoutView(timeout=None)
    view.add_item(frame)
    view.stop()
    return view


def words(view: ui.LayoutView) -> list[str]:
    """Return the texts and custom_ids of a layout, in order: by these two versions of a message are told apart."""
    found = []
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            found.append(item.content)
        elif isinstance(item, (ui.Button, ui.Select, ui.UserSelect)):
            found.append(item.custom_id or "")
    return found


def files(page: Page) -> list[discord.File]:
    """Return the page's pictures as uploads."""
    return [
        discord.File(io.BytesIO(picture.data), picture.name, description=picture.alt) for picture in page.pictures()
    ]


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
