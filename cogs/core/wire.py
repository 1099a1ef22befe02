"""Between pages and Discord: custom_ids, and pages as Components V2 messages.

A custom_id names the table, the stamp of the view for which it was drawn, a verb and an argument; it holds no seat
and no secret, so the same control serves everyone who may press it. It is untrusted: whoever reads one checks
everything. May import discord and `cogs.core.page`.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

import discord
from discord import ui

from cogs.core.page import Block, Button, Choice, Form, Line, Link, Page, Picture, Row, Select, Text

CUSTOM_ID_LIMIT = 100
TEXT_LIMIT = 4_000
PARTS_LIMIT = 40
"""Characters of all texts together, and components, nested ones included, that Discord takes in a message."""

TEMPLATE = r"cb:(?P<table>[0-9]{1,18}):(?P<stamp>[0-9]{1,9}):(?P<verb>[a-z][a-z-]{0,23}):(?P<argument>.{0,60})"
"""What our custom_ids look like; the same for buttons, selects and modals."""

_PATTERN = re.compile(TEMPLATE)

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


@dataclass(frozen=True)
class Control:
    """What somebody pressed: a control of a table, drawn at a stamp, with the values of a select or form."""

    table: int
    stamp: int
    verb: str
    argument: str = ""
    values: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()


def custom_id(table: int, stamp: int, verb: str, argument: str = "") -> str:
    """Return the custom_id of a control. Raises ValueError for one that could not be read back."""
    name = f"cb:{table}:{stamp}:{verb}:{argument}"
    if len(name) > CUSTOM_ID_LIMIT or not _PATTERN.fullmatch(name):
        raise ValueError(f"{name!r} is no custom_id of ours")
    return name


def read_custom_id(name: str) -> Control | None:
    """Return the control that a custom_id names, or None if it is not one of ours."""
    match = _PATTERN.fullmatch(name)
    if match is None:
        return None
    return Control(int(match["table"]), int(match["stamp"]), match["verb"], match["argument"])


def _button(button: Button | Link, table: int, stamp: int) -> ui.Button[ui.LayoutView]:
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


def _select(select: Select, table: int, stamp: int) -> ui.Select[ui.LayoutView]:
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
        parts -= 1 + (len(block.buttons) if isinstance(block, Row) else isinstance(block, Select))
        if parts < 0:
            return
        if isinstance(block, Text):
            if not letters:
                continue
            if len(block.body) > letters:
                block = Text(block.body[: letters - 1] + "…")
            letters -= len(block.body)
        yield block


def layout(page: Page, table: int, stamp: int) -> ui.LayoutView:
    """Return the page as a layout of Components V2.

    The layout is finished from the start: presses are served by `cogs.core.router`, also after a restart, so the
    library keeps no record of it.
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
        elif isinstance(item, (ui.Button, ui.Select)):
            found.append(item.custom_id or "")
    return found


def files(page: Page) -> list[discord.File]:
    """Return the page's pictures as uploads."""
    return [
        discord.File(io.BytesIO(picture.data), picture.name, description=picture.alt) for picture in page.pictures()
    ]


def modal(form: Form, table: int, stamp: int) -> ui.Modal:
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
