"""Pages as Discord's Components V2 messages and forms."""

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

import discord
from discord import ui
from msgspec.structs import replace

from cogs.core.ops.text_format import cut
from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import FRESH, custom_id
from cogs.core.pages.page import (
    TEXT_LIMIT,
    Block,
    BoardPlaceholder,
    Button,
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

OPTION_LIMIT = 100
"""Characters that Discord allows in the label and the description of an entry."""

ROW_LIMIT = 5
"""Buttons that Discord takes beside each other."""

_STYLES: Mapping[str, int] = {
    "primary": discord.ButtonStyle.primary.value,
    "secondary": discord.ButtonStyle.secondary.value,
    "success": discord.ButtonStyle.success.value,
    "danger": discord.ButtonStyle.danger.value,
    "link": discord.ButtonStyle.link.value,
}

_TYPES = {name: kind.value for name, kind in discord.ComponentType.__members__.items()}
"""Discord's number of each type of component, by name."""

Component = dict[str, Any]
"""A component in Discord's JSON."""


def _emoji(text: str) -> Component:
    return discord.PartialEmoji.from_str(text).to_dict()  # type: ignore[return-value]


def _button(button: Button | Link, table: int | str, stamp: int) -> Component:
    made: Component = {"type": _TYPES["button"], "disabled": False}
    if button.label:
        made["label"] = button.label
    if isinstance(button, Link):
        return made | {"style": _STYLES["link"], "url": button.url}
    made |= {
        "style": _STYLES[button.style],
        "disabled": button.disabled,
        "custom_id": custom_id(table, stamp, button.verb, button.argument),
    }
    if button.emoji:
        made["emoji"] = _emoji(button.emoji)
    return made


def _option(choice: SelectOption) -> Component:
    made: Component = {
        "label": cut(choice.label, OPTION_LIMIT),
        "value": choice.value,
        "default": choice.chosen,
    }
    if choice.description:
        made["description"] = cut(choice.description, OPTION_LIMIT)
    if choice.emoji:
        made["emoji"] = _emoji(choice.emoji)
    return made


def _select(select: Select, table: int | str, stamp: int) -> Component:
    return {
        "type": _TYPES["string_select"],
        "custom_id": custom_id(table, stamp, select.verb, select.argument),
        "placeholder": cut(select.placeholder, 150),
        "min_values": select.least,
        "max_values": min(select.most, len(select.choices)),
        "disabled": select.disabled,
        "options": [_option(choice) for choice in select.choices],
    }


def _row(*components: Component) -> Component:
    if len(components) > ROW_LIMIT:
        raise ValueError(f"{len(components)} buttons do not fit beside each other")
    return {"type": _TYPES["action_row"], "components": list(components)}


def truncate(page: Page) -> Iterator[Block]:
    """Yield the blocks of a page as far as Discord takes them: texts are cut where they grow too long together, and
    what comes after the last part that fits is left out.
    """
    letters, parts = TEXT_LIMIT, PARTS_LIMIT - 1  # the frame is a part too
    for block in page.blocks:
        match block:
            case Row(buttons=buttons):
                parts -= 1 + len(buttons)
            case Select() | PersonSelect():
                parts -= 2
            case Text(thumbnail=Picture()):
                parts -= 3
            case _:
                parts -= 1
        if parts < 0:
            return
        if isinstance(block, Text):
            if emoji_markup.BEGIN in block.body:
                block = replace(block, body=emoji_markup.strip(block.body))
            if not letters:
                continue
            if len(block.body) > letters:
                block = replace(block, body=block.body[: letters - 1] + "…")
            letters -= len(block.body)
        yield block


class Layout(ui.LayoutView):
    """A page as Discord's calls take it, with controls of a table, or of a lesson at one of its steps.

    Its `pictures` are those that fit on it, in order, and its `frame` contains everything. It holds Discord's JSON
    instead of the library's components, which cost a sixth of a move, and is never dispatched: `cogs.core.inbound`
    serves presses, also after a restart.
    """

    def __init__(self, page: Page, table: int | str, stamp: int) -> None:
        """Raise `ValueError` for a page without the table's picture in its place, or with too many buttons in a row."""
        super().__init__(timeout=None)
        self.pictures: list[Picture] = []
        parts = [self._component(block, table, stamp) for block in truncate(page)]
        self.frame: Component = {"type": _TYPES["container"], "accent_color": page.colour, "components": parts}

    def _component(self, block: Block, table: int | str, stamp: int) -> Component:
        match block:
            case Text():
                words = {"type": _TYPES["text_display"], "content": block.body}
                if block.thumbnail is None:
                    return words
                beside = {"type": _TYPES["thumbnail"], **self._media(block.thumbnail)}
                return {"type": _TYPES["section"], "components": [words], "accessory": beside}
            case Separator():
                return {"type": _TYPES["separator"]}
            case Picture():
                return {"type": _TYPES["media_gallery"], "items": [self._media(block)]}
            case Row():
                return _row(*(_button(button, table, stamp % FRESH) for button in block.buttons))
            case Select():
                return _row(_select(block, table, stamp))
            case PersonSelect():
                name = custom_id(table, stamp, block.verb, block.argument)
                select = {"type": _TYPES["user_select"], "custom_id": name, "placeholder": block.placeholder}
                return _row(select)
            case BoardPlaceholder():
                raise ValueError("the table's picture was not put into its place")
            case _:
                assert_never(block)

    def _media(self, picture: Picture) -> Component:
        """Return how a component shows a picture, which becomes one of the message's files."""
        self.pictures.append(picture)
        return {"media": {"url": f"attachment://{picture.name}"}, "description": picture.alt}

    @property
    def files(self) -> list[discord.File]:
        """Return its pictures as files, each of which can be sent once."""
        return [discord.File(io.BytesIO(one.data), one.name, description=one.alt) for one in self.pictures]

    def to_components(self) -> list[Component]:
        """Return it as Discord's JSON."""
        return [self.frame]

    def has_components_v2(self) -> bool:
        """Return True: a page is nothing else."""
        return True

    def is_dispatchable(self) -> bool:
        """Return False: the library keeps no record of it."""
        return False


def fingerprint(components: Iterable[Component]) -> list[str]:
    """Return the texts and custom_ids of components, in order, which distinguish two versions of a message."""
    found: list[str] = []
    for component in components:
        found += [component[name] for name in ("content", "custom_id") if component.get(name)]
        found += fingerprint(component.get("components", ()))
    return found


def fingerprint_of(message: discord.Message) -> list[str]:
    """Return the same of a message."""
    return fingerprint(component.to_dict() for component in message.components)  # type: ignore[misc]


def modal(form: Modal, table: int | str, stamp: int) -> ui.Modal:
    """Return the form as a modal. Its submission is read from the interaction itself, so it survives a restart."""
    box = ui.Modal(title=cut(form.title, 45), custom_id=custom_id(table, stamp, form.verb, form.argument), timeout=None)
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
