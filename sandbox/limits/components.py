"""The limits on message components, old and V2.

Source: "Component reference" in Discord's API documentation.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from .validation import Path, Problems

MAX_COMPONENTS = 40
MAX_TEXT = 4_000
MAX_ROWS = 5

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23

SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)

_IN_ROW = (BUTTON, *SELECTS)
_IN_CONTAINER = (ACTION_ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR)
_TOP_V2 = (*_IN_CONTAINER, CONTAINER)
_TOP_V1 = (ACTION_ROW,)
_LINK, _PREMIUM = 5, 6

MISSING_FILE = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
"""The error code for media that names a missing file."""


@dataclass
class ComponentCounter:
    """Counts over a whole message or modal: components, text, custom ids and ids."""

    problems: Problems
    emoji_known: Callable[[str], bool]
    attachments: Collection[str] = ()
    count: int = 0
    text: int = 0
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)

    def component(self, path: Path, value: object, allowed: Collection[int]) -> dict[str, Any] | None:
        """Count a component and check that its type is allowed here."""
        body = self.problems.record(path, value)
        if body is None:
            return None
        self.count += 1
        kind = body.get("type")
        if kind not in allowed or isinstance(kind, bool):
            listed = ", ".join(map(str, allowed))
            self.problems.add(
                (*path, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({listed},).'
            )
            return None
        number = body.get("id")
        if number is not None and self.problems.number((*path, "id"), number, 0, (1 << 31) - 1) and number:
            if number in self.ids:
                self.problems.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self.ids.add(number)
        return body

    def custom_id(self, path: Path, value: object) -> None:
        """Check a custom id: 1 to 100 characters, unique in the message."""
        path = (*path, "custom_id")
        if not self.problems.text(path, value, 1, 100, needed=True):
            return
        if str(value) in self.custom_ids:
            self.problems.add(path, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
        self.custom_ids.add(str(value))

    def emoji(self, path: Path, value: object) -> None:
        """Check an emoji: a Unicode emoji, or one that the application may use."""
        if value is None:
            return
        path = (*path, "emoji")
        body = self.problems.record(path, value)
        if body is None:
            return
        identity = body.get("id")
        if identity is not None:
            known = self.problems.snowflake((*path, "id"), identity)
            if known is not None and not self.emoji_known(known):
                self.problems.add((*path, "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        elif not _looks_like_emoji(body.get("name")):
            self.problems.add((*path, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def media(self, path: Path, value: object, *, only_attachment: bool = False) -> None:
        """Check a media item: an address, or ``attachment://`` and the name of a file of this message."""
        body = self.problems.record(path, value)
        if body is None:
            return
        path = (*path, "url")
        schemes = ("attachment",) if only_attachment else ("http", "https", "attachment")
        address = body.get("url")
        if only_attachment and isinstance(address, str) and address.startswith("http"):
            return  # a component copied from a message already has its file's address
        if not self.problems.url(path, address, schemes):
            return
        scheme, _, name = str(address).partition("://")
        if scheme == "attachment" and name not in self.attachments:
            self.problems.add(path, MISSING_FILE, f'No attachment is named "{name}".')


def _looks_like_emoji(name: object) -> bool:
    """Return True if a text is one emoji character: no letters, at least one symbol."""
    if not isinstance(name, str) or not 1 <= len(name) <= 32:
        return False
    if "\u20e3" in name:  # keycaps start with a plain digit
        return True
    kinds = {unicodedata.category(letter) for letter in name}
    return "So" in kinds or "Sm" in kinds or ("Cn" in kinds and min(name) > "\u2000") or name in ("‼", "⁉", "〰", "〽")


def check_message_components(
    problems: Problems,
    components: object,
    *,
    v2: bool,
    emoji_known: Callable[[str], bool],
    attachments: Collection[str],
    path: Path,
) -> None:
    """Check the components of a message. ``attachments`` are the names that ``attachment://`` may use."""
    counter = ComponentCounter(problems, emoji_known, attachments)
    if not v2:
        for index, row in enumerate(problems.items(path, components, 0, MAX_ROWS)):
            body = counter.component((*path, index), row, _TOP_V1)
            if body is not None:
                _row(counter, (*path, index), body)
        return
    for index, value in enumerate(problems.items(path, components, 1, MAX_COMPONENTS)):
        body = counter.component((*path, index), value, _TOP_V2)
        if body is not None:
            _layout(counter, (*path, index), body)
    if counter.count > MAX_COMPONENTS:
        problems.add(
            path,
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components is {counter.count}, at most {MAX_COMPONENTS} are allowed.",
        )
    if counter.text > MAX_TEXT:
        problems.add(
            path,
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size is {counter.text}, it exceeds the maximum size of {MAX_TEXT}.",
        )


def _layout(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    match body["type"]:
        case 1:
            _row(counter, path, body)
        case 9:
            _section(counter, path, body)
        case 10:
            text_display(counter, path, body)
        case 12:
            for index, item in enumerate(problems.items((*path, "items"), body.get("items"), 1, 10, needed=True)):
                _media_item(counter, (*path, "items", index), item)
        case 13:
            counter.media((*path, "file"), body.get("file"), only_attachment=True)
            problems.flag((*path, "spoiler"), body.get("spoiler"))
        case 14:
            problems.flag((*path, "divider"), body.get("divider"))
            if body.get("spacing") is not None:
                problems.choice((*path, "spacing"), body["spacing"], (1, 2))
        case 17:
            problems.number((*path, "accent_color"), body.get("accent_color"), 0, 0xFFFFFF)
            problems.flag((*path, "spoiler"), body.get("spoiler"))
            inner = problems.items((*path, "components"), body.get("components"), 1, MAX_COMPONENTS, needed=True)
            for index, value in enumerate(inner):
                child = counter.component((*path, "components", index), value, _IN_CONTAINER)
                if child is not None:
                    _layout(counter, (*path, "components", index), child)


def text_display(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    """Check a text of 1 to 4,000 characters and count it towards the message's total."""
    content = body.get("content")
    counter.problems.text((*path, "content"), content, 1, MAX_TEXT, needed=True)
    if isinstance(content, str):
        counter.text += len(content)


def _media_item(counter: ComponentCounter, path: Path, item: object) -> None:
    body = counter.problems.record(path, item)
    if body is None:
        return
    counter.media((*path, "media"), body.get("media"))
    counter.problems.text((*path, "description"), body.get("description"), 0, 1024)
    counter.problems.flag((*path, "spoiler"), body.get("spoiler"))


def _section(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    for index, value in enumerate(problems.items((*path, "components"), body.get("components"), 1, 3, needed=True)):
        child = counter.component((*path, "components", index), value, (TEXT_DISPLAY,))
        if child is not None:
            text_display(counter, (*path, "components", index), child)
    path = (*path, "accessory")
    if body.get("accessory") is None:
        problems.required(path)
        return
    accessory = counter.component(path, body["accessory"], (BUTTON, THUMBNAIL))
    if accessory is None:
        return
    if accessory["type"] == BUTTON:
        _button(counter, path, accessory)
    else:
        _media_item(counter, path, accessory)


def _row(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    children = problems.items((*path, "components"), body.get("components"), 1, 5, needed=True)
    width = 0
    for index, value in enumerate(children):
        child = counter.component((*path, "components", index), value, _IN_ROW)
        if child is None:
            continue
        if child["type"] == BUTTON:
            width += 1
            _button(counter, (*path, "components", index), child)
        else:
            width += 5
            select(counter, (*path, "components", index), child)
    if width > 5:
        problems.add(
            (*path, "components"),
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "A row holds at most five buttons or one select menu.",
        )


def _button(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    style = body.get("style")
    if not problems.choice((*path, "style"), style, (1, 2, 3, 4, 5, 6)):
        return
    problems.flag((*path, "disabled"), body.get("disabled"))
    if style == _PREMIUM:
        if body.get("sku_id") is None:
            problems.required((*path, "sku_id"))
        return
    problems.text((*path, "label"), body.get("label"), 0, 80)
    counter.emoji(path, body.get("emoji"))
    if not body.get("label") and body.get("emoji") is None:
        problems.add((*path, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", "A button needs a label or an emoji.")
    if style == _LINK:
        problems.url((*path, "url"), body.get("url"), ("http", "https", "discord"), 512)
        if body.get("custom_id") is not None:
            problems.add(
                (*path, "custom_id"),
                "BUTTON_COMPONENT_CUSTOM_ID_AND_URL",
                "A custom id and url cannot both be specified",
            )
        return
    counter.custom_id(path, body.get("custom_id"))
    if body.get("url") is not None:
        problems.add(
            (*path, "url"), "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", "A custom id and url cannot both be specified"
        )


def options(counter: ComponentCounter, path: Path, value: object, low: int, high: int) -> int:
    """Check the options of a select menu or group: label, value and description up to 100 characters, unique values.

    Return the number of default options.
    """
    problems = counter.problems
    path = (*path, "options")
    seen: set[str] = set()
    chosen = 0
    for index, item in enumerate(problems.items(path, value, low, high, needed=True)):
        option = problems.record((*path, index), item)
        if option is None:
            continue
        problems.text((*path, index, "label"), option.get("label"), 1, 100, needed=True)
        problems.text((*path, index, "description"), option.get("description"), 0, 100)
        problems.flag((*path, index, "default"), option.get("default"))
        counter.emoji((*path, index), option.get("emoji"))
        chosen += bool(option.get("default"))
        if problems.text((*path, index, "value"), option.get("value"), 1, 100, needed=True):
            if option["value"] in seen:
                problems.add(
                    (*path, index, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(option["value"])
    return chosen


def select(counter: ComponentCounter, path: Path, body: dict[str, Any], *, in_modal: bool = False) -> None:
    """Check a select menu of any kind."""
    problems = counter.problems
    counter.custom_id(path, body.get("custom_id"))
    problems.text((*path, "placeholder"), body.get("placeholder"), 0, 150)
    problems.flag((*path, "disabled"), body.get("disabled"))
    if in_modal and body.get("disabled"):
        problems.add((*path, "disabled"), "SELECT_COMPONENT_DISABLED_IN_MODAL", "Nothing in a modal may be disabled.")
    problems.number((*path, "min_values"), body.get("min_values"), 0, 25)
    problems.number((*path, "max_values"), body.get("max_values"), 1, 25)
    least, most = body.get("min_values", 1), body.get("max_values", 1)
    if isinstance(least, int) and isinstance(most, int) and least > most:
        problems.add(
            (*path, "min_values"), "SELECT_COMPONENT_MIN_GREATER_THAN_MAX", "min_values is greater than max_values."
        )
    if in_modal and body.get("required", True) and least == 0:
        problems.add(
            (*path, "min_values"),
            "SELECT_COMPONENT_REQUIRED_MIN_VALUES",
            "A required menu needs min_values of 1 or more.",
        )
    if body["type"] != STRING_SELECT:
        defaults = problems.items((*path, "default_values"), body.get("default_values"), 0, 25)
        for index, value in enumerate(defaults):
            entry = problems.record((*path, "default_values", index), value)
            if entry is not None:
                problems.snowflake((*path, "default_values", index, "id"), entry.get("id"))
                problems.choice(
                    (*path, "default_values", index, "type"), entry.get("type"), ("user", "role", "channel")
                )
        return
    chosen = options(counter, path, body.get("options"), 1, 25)
    count = len(body["options"]) if isinstance(body.get("options"), list) else 0
    if isinstance(most, int) and count and most > count:
        problems.add(
            (*path, "max_values"),
            "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE",
            f"max_values is {most}, but there are {count} options.",
        )
    if isinstance(most, int) and chosen > most:
        problems.add(
            (*path, "options"),
            "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
            f"{chosen} options are chosen from the start, at most {most} may be.",
        )
