"""Pages as Discord's Components V2 messages and forms."""

import io
from collections.abc import Iterator, Mapping
from typing import Any, assert_never

import discord
from discord import ui

from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import custom_id
from cogs.core.pages.page import (
    TEXT_LIMIT,
    Block,
    BoardPlaceholder,
    Link,
    Modal,
    Page,
    PersonSelect,
    Picture,
    Row,
    Select,
    SelectOption,
    Separator,
    Text,
)

PARTS_LIMIT = 40
"""Components, nested ones included, that Discord takes in a message."""

ROW_LIMIT = 5
"""Buttons that Discord takes beside each other."""

_STYLES: Mapping[str, discord.ButtonStyle] = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def _row(row: Row, table: int | str, stamp: int) -> ui.ActionRow["Layout"]:
    if len(row.buttons) > ROW_LIMIT:
        raise ValueError(f"{len(row.buttons)} buttons do not fit beside each other")
    made = ui.ActionRow["Layout"]()
    for button in row.buttons:
        if isinstance(button, Link):
            made.add_item(ui.Button(label=button.label, url=button.url))
            continue
        made.add_item(
            ui.Button(
                style=_STYLES[button.style],
                label=button.label or None,
                emoji=button.emoji or None,
                disabled=button.disabled,
                custom_id=custom_id(table, stamp, button.verb, button.argument),
            )
        )
    return made


def _option(choice: SelectOption) -> discord.SelectOption:
    return discord.SelectOption(
        label=choice.label[:100],
        value=choice.value,
        default=choice.chosen,
        description=choice.description[:100] if choice.description else None,
        emoji=choice.emoji or None,
    )


def _select(select: Select, table: int | str, stamp: int) -> ui.Select["Layout"]:
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
            if emoji_markup.BEGIN in block.body:
                block = Text(emoji_markup.plain(block.body))
            if not letters:
                continue
            if len(block.body) > letters:
                block = Text(block.body[: letters - 1] + "…")
            letters -= len(block.body)
        yield block


class Layout(ui.LayoutView):
    """A page as Discord's calls take it, with controls of a table, or of a lesson at one of its steps.

    It is finished from the start: presses are served by `cogs.core.inbound`, also after a restart, so the library keeps
    no record of it. Its `pictures` are those that fit on it, in order.
    """

    def __init__(self, page: Page, table: int | str, stamp: int) -> None:
        """Raise `ValueError` for a page without the table's picture in its place, or with too many buttons in a row."""
        super().__init__(timeout=None)
        self.stop()
        self.pictures: list[Picture] = []
        frame = ui.Container["Layout"](accent_colour=page.colour)
        for block in fitting(page):
            frame.add_item(self._item(block, table, stamp))
        self.add_item(frame)

    def _item(self, block: Block, table: int | str, stamp: int) -> ui.Item["Layout"]:
        match block:
            case Text():
                return ui.TextDisplay(block.body)
            case Separator():
                return ui.Separator()
            case Picture():
                self.pictures.append(block)
                return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{block.name}", description=block.alt))
            case Row():
                return _row(block, table, stamp)
            case Select():
                return ui.ActionRow(_select(block, table, stamp))
            case PersonSelect():
                name = custom_id(table, stamp, block.verb, block.argument)
                return ui.ActionRow(ui.UserSelect(custom_id=name, placeholder=block.placeholder))
            case BoardPlaceholder():
                raise ValueError("the table's picture was not put into its place")
            case _:
                assert_never(block)

    @property
    def files(self) -> list[discord.File]:
        """Return its pictures as files, each of which can be sent once."""
        return [discord.File(io.BytesIO(one.data), one.name, description=one.alt) for one in self.pictures]

    def to_components(self) -> list[dict[str, Any]]:
        """Return it as Discord's JSON."""
        return super().to_components()  # type: ignore[no-untyped-call, no-any-return]


def fingerprint(view: ui.LayoutView) -> list[str]:
    """Return the texts and custom_ids of a layout, in order: these tell two versions of a message apart."""
    found: list[str] = []
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            found.append(item.content)
        elif isinstance(item, ui.Button | ui.Select | ui.UserSelect) and item.custom_id is not None:
            found.append(item.custom_id)
    return found


def modal(form: Modal, table: int | str, stamp: int) -> ui.Modal:
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
