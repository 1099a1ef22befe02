"""Discord's limits on messages, components, modals and commands: bodies that break each, and the path they break at."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.limits import MessageRules, Problems, check_command, check_command_list, check_message, check_modal
from sandbox.limits.validation import Path

from .conftest import Scene

V2 = 1 << 15


def button(number: int = 0, **more: Any) -> dict[str, Any]:
    """Return a valid button."""
    return {"type": 2, "style": 1, "label": "Go", "custom_id": f"b{number}", **more}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    """Return a row of components."""
    return {"type": 1, "components": list(children)}


def text(content: str = "text") -> dict[str, Any]:
    """Return a text display."""
    return {"type": 10, "content": content}


def menu(**more: Any) -> dict[str, Any]:
    """Return a valid select menu."""
    return {"type": 3, "custom_id": "menu", "options": [option("a"), option("b")], **more}


def option(value: str, **more: Any) -> dict[str, Any]:
    """Return a valid option."""
    return {"label": value or "label", "value": value, **more}


def gallery(*items: dict[str, Any]) -> dict[str, Any]:
    """Return a media gallery."""
    return {"type": 12, "items": list(items)}


def picture(url: str = "attachment://board.png", **more: Any) -> dict[str, Any]:
    """Return an item of a gallery."""
    return {"media": {"url": url}, **more}


def section(*texts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a section with a button beside it."""
    return {"type": 9, "components": list(texts), "accessory": button(), **more}


def message_problems(body: dict[str, Any], **rules: Any) -> list[tuple[Path, str]]:
    """Return paths and codes of the problems of a message with the file board.png."""
    problems = Problems()
    check_message(problems, body, MessageRules(lambda emoji: emoji == "1", ["board.png"], file_ids=["0"], **rules))
    return [(path, code) for path, code, _ in problems.found]


SOUND_LAYOUTS: list[list[dict[str, Any]]] = [
    [text("x" * 4000)],
    [row(*(button(number) for number in range(5)))],
    [row(menu(min_values=0, max_values=2, placeholder="p"))],
    [section(text(), text(), text())],
    [section(text(), accessory={"type": 11, **picture(description="x" * 1024)})],
    [gallery(*(picture() for _ in range(10))), {"type": 14, "divider": True, "spacing": 2}],
    [{"type": 13, "file": {"url": "attachment://board.png"}}],
    [{"type": 17, "accent_color": 0xFFFFFF, "components": [text(), row(button())]}],
    [{"type": 17, "accent_color": None, "spoiler": False, "components": [text() for _ in range(39)]}],
    [row(button(label=None, emoji={"name": "🔪", "id": None}))],
    [row(button(label="x" * 80, emoji={"name": "card", "id": "1"}))],
    [row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org/rules"})],
    [row({"type": 5, "custom_id": "who", "default_values": [{"id": "1", "type": "user"}]})],
]


@pytest.mark.parametrize("components", SOUND_LAYOUTS)
def test_a_layout_at_its_limits_is_accepted(components: list[dict[str, Any]]) -> None:
    assert message_problems({"flags": V2, "components": components}) == []


C = "components"
BROKEN_LAYOUTS: list[tuple[list[Any], Path, str]] = [
    ([text() for _ in range(41)], (C,), "BASE_TYPE_BAD_LENGTH"),
    ([{"type": 17, C: [text() for _ in range(40)]}], (C,), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    ([text("x" * 2001), text("x" * 2000)], (C,), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    ([text("")], (C, 0, "content"), "BASE_TYPE_REQUIRED"),
    ([], (C,), "BASE_TYPE_BAD_LENGTH"),
    ([button()], (C, 0, "type"), "UNION_TYPE_CHOICES"),
    ([{"type": 99}], (C, 0, "type"), "UNION_TYPE_CHOICES"),
    (["text"], (C, 0), "DICT_TYPE_CONVERT"),
    ([{"type": 17, C: [{"type": 17, C: [text()]}]}], (C, 0, C, 0, "type"), "UNION_TYPE_CHOICES"),
    ([{"type": 17, C: []}], (C, 0, C), "BASE_TYPE_BAD_LENGTH"),
    ([{"type": 17, "accent_color": 1 << 24, C: [text()]}], (C, 0, "accent_color"), "NUMBER_TYPE_MAX"),
    ([{**text(), "id": 5}, {**text(), "id": 5}], (C, 1, "id"), "COMPONENT_ID_DUPLICATED"),
    ([row()], (C, 0, C), "BASE_TYPE_BAD_LENGTH"),
    ([row(*(button(n) for n in range(6)))], (C, 0, C), "BASE_TYPE_BAD_LENGTH"),
    ([row(menu(), button())], (C, 0, C), "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ([row(button(), button())], (C, 0, C, 1, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ([row(button(custom_id=""))], (C, 0, C, 0, "custom_id"), "BASE_TYPE_REQUIRED"),
    ([row(button(custom_id="x" * 101))], (C, 0, C, 0, "custom_id"), "BASE_TYPE_BAD_LENGTH"),
    ([row(button(label="x" * 81))], (C, 0, C, 0, "label"), "BASE_TYPE_MAX_LENGTH"),
    ([row(button(label=None))], (C, 0, C, 0, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED"),
    ([row(button(style=7))], (C, 0, C, 0, "style"), "BASE_TYPE_CHOICES"),
    ([row(button(disabled="yes"))], (C, 0, C, 0, "disabled"), "BOOLEAN_TYPE_CONVERT"),
    ([row(button(url="https://x.y"))], (C, 0, C, 0, "url"), "BUTTON_COMPONENT_CUSTOM_ID_AND_URL"),
    ([row(button(emoji={"name": "knife"}))], (C, 0, C, 0, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI"),
    ([row(button(emoji={"id": "2"}))], (C, 0, C, 0, "emoji", "id"), "BUTTON_COMPONENT_INVALID_EMOJI"),
    ([row(button(style=5, url="https://x.y"))], (C, 0, C, 0, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_AND_URL"),
    ([row({"type": 2, "style": 5, "label": "x"})], (C, 0, C, 0, "url"), "BASE_TYPE_REQUIRED"),
    ([row({"type": 2, "style": 5, "label": "x", "url": "ftp://x"})], (C, 0, C, 0, "url"), "URL_TYPE_INVALID_SCHEME"),
    ([row({"type": 2, "style": 6})], (C, 0, C, 0, "sku_id"), "BASE_TYPE_REQUIRED"),
    ([row(menu(options=[]))], (C, 0, C, 0, "options"), "BASE_TYPE_BAD_LENGTH"),
    ([row(menu(options=[option(str(n)) for n in range(26)]))], (C, 0, C, 0, "options"), "BASE_TYPE_BAD_LENGTH"),
    (
        [row(menu(options=[option("a"), option("a")]))],
        (C, 0, C, 0, "options", 1, "value"),
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    ([row(menu(options=[option("x" * 101)]))], (C, 0, C, 0, "options", 0, "label"), "BASE_TYPE_BAD_LENGTH"),
    ([row(menu(options=[option("")]))], (C, 0, C, 0, "options", 0, "value"), "BASE_TYPE_REQUIRED"),
    (
        [row(menu(options=[option("a", description="x" * 101)]))],
        (C, 0, C, 0, "options", 0, "description"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    ([row(menu(max_values=26))], (C, 0, C, 0, "max_values"), "NUMBER_TYPE_MAX"),
    ([row(menu(max_values=3))], (C, 0, C, 0, "max_values"), "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE"),
    ([row(menu(min_values=2, max_values=1))], (C, 0, C, 0, "min_values"), "SELECT_COMPONENT_MIN_GREATER_THAN_MAX"),
    (
        [row(menu(options=[option("a", default=True), option("b", default=True)]))],
        (C, 0, C, 0, "options"),
        "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
    ),
    ([row(menu(placeholder="x" * 151))], (C, 0, C, 0, "placeholder"), "BASE_TYPE_MAX_LENGTH"),
    ([section()], (C, 0, C), "BASE_TYPE_BAD_LENGTH"),
    ([section(text(), text(), text(), text())], (C, 0, C), "BASE_TYPE_BAD_LENGTH"),
    ([section(text(), accessory=None)], (C, 0, "accessory"), "BASE_TYPE_REQUIRED"),
    ([section(text(), accessory=text())], (C, 0, "accessory", "type"), "UNION_TYPE_CHOICES"),
    ([gallery()], (C, 0, "items"), "BASE_TYPE_BAD_LENGTH"),
    ([gallery(*(picture() for _ in range(11)))], (C, 0, "items"), "BASE_TYPE_BAD_LENGTH"),
    ([gallery(picture(description="x" * 1025))], (C, 0, "items", 0, "description"), "BASE_TYPE_MAX_LENGTH"),
    (
        [gallery(picture("attachment://other.png"))],
        (C, 0, "items", 0, "media", "url"),
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    ([gallery(picture("file:///etc"))], (C, 0, "items", 0, "media", "url"), "URL_TYPE_INVALID_SCHEME"),
    ([{"type": 13, "file": {"url": "ftp://x.y/z"}}], (C, 0, "file", "url"), "URL_TYPE_INVALID_SCHEME"),
    ([{"type": 14, "spacing": 3}], (C, 0, "spacing"), "BASE_TYPE_CHOICES"),
]


@pytest.mark.parametrize(("components", "path", "code"), BROKEN_LAYOUTS)
def test_a_layout_beyond_a_limit_is_refused_at_its_path(components: list[Any], path: Path, code: str) -> None:
    assert (path, code) in message_problems({"flags": V2, "components": components})


BROKEN_MESSAGES: list[tuple[dict[str, Any], Path, str]] = [
    ({"content": "x" * 2001}, ("content",), "BASE_TYPE_MAX_LENGTH"),
    ({"content": 5}, ("content",), "BASE_TYPE_STRING"),
    ({"nonce": "x" * 26}, ("nonce",), "BASE_TYPE_BAD_LENGTH"),
    ({"flags": 1 << 4}, ("flags",), "BITWISE_FLAG_INVALID"),
    ({"flags": "64"}, ("flags",), "NUMBER_TYPE_COERCE"),
    ({"flags": V2}, ("components",), "BASE_TYPE_REQUIRED"),
    (
        {"flags": V2, "components": [text()], "content": "x"},
        ("content",),
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    ({"components": [text()]}, ("components", 0, "type"), "UNION_TYPE_CHOICES"),
    ({"components": [row(button(n)) for n in range(6)]}, ("components",), "BASE_TYPE_BAD_LENGTH"),
    ({"embeds": [{"title": "x"}] * 11}, ("embeds",), "BASE_TYPE_BAD_LENGTH"),
    ({"embeds": [{"title": "x" * 257}]}, ("embeds", 0, "title"), "BASE_TYPE_MAX_LENGTH"),
    ({"embeds": [{"description": "x" * 4097}]}, ("embeds", 0, "description"), "BASE_TYPE_MAX_LENGTH"),
    ({"embeds": [{"description": "x" * 3001}] * 2}, ("embeds",), "MAX_EMBED_SIZE_EXCEEDED"),
    ({"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]}, ("embeds", 0, "fields"), "BASE_TYPE_BAD_LENGTH"),
    ({"embeds": [{"fields": [{"name": "", "value": "v"}]}]}, ("embeds", 0, "fields", 0, "name"), "BASE_TYPE_REQUIRED"),
    (
        {"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]},
        ("embeds", 0, "fields", 0, "value"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    ({"embeds": [{"footer": {"text": "x" * 2049}}]}, ("embeds", 0, "footer", "text"), "BASE_TYPE_BAD_LENGTH"),
    ({"embeds": [{"author": {"name": "x" * 257}}]}, ("embeds", 0, "author", "name"), "BASE_TYPE_BAD_LENGTH"),
    ({"embeds": [{"color": 1 << 24}]}, ("embeds", 0, "color"), "NUMBER_TYPE_MAX"),
    ({"embeds": [{"timestamp": "soon"}]}, ("embeds", 0, "timestamp"), "DATE_TIME_TYPE_PARSE"),
    ({"embeds": [{"image": {"url": "x"}}]}, ("embeds", 0, "image", "url"), "URL_TYPE_INVALID_SCHEME"),
    ({"allowed_mentions": {"parse": ["all"]}}, ("allowed_mentions", "parse", 0), "BASE_TYPE_CHOICES"),
    ({"allowed_mentions": {"users": ["x"]}}, ("allowed_mentions", "users", 0), "NUMBER_TYPE_COERCE"),
    (
        {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        ("allowed_mentions",),
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    (
        {"attachments": [{"id": 0, "description": "x" * 1025}]},
        ("attachments", 0, "description"),
        "BASE_TYPE_MAX_LENGTH",
    ),
    ({"attachments": [{"id": 0}, {"id": "0"}]}, ("attachments", 1, "id"), "ATTACHMENT_ID_DUPLICATED"),
    ({"attachments": [{"id": str(1 << 63)}]}, ("attachments", 0, "id"), "NUMBER_TYPE_MAX"),
    ({"attachments": [{"id": "1"}]}, ("attachments", 0, "id"), "ATTACHMENT_NOT_FOUND"),
]


@pytest.mark.parametrize(("body", "path", "code"), BROKEN_MESSAGES)
def test_a_message_beyond_a_limit_is_refused_at_its_path(body: dict[str, Any], path: Path, code: str) -> None:
    assert (path, code) in message_problems(body)


def test_a_message_at_its_limits_is_accepted() -> None:
    embed = {
        "title": "x" * 256,
        "fields": [{"name": "x" * 20, "value": "x" * 100}] * 25,
        "timestamp": "2026-01-01T00:00:00+00:00",
        "image": {"url": "attachment://board.png"},
        "footer": {"text": "x", "icon_url": "https://x.y/z.png"},
    }
    body = {
        "content": "x" * 2000,
        "embeds": [embed],
        "components": [row(button(number)) for number in range(5)],
        "flags": 1 << 2 | 1 << 6 | 1 << 12,
        "allowed_mentions": {"parse": [], "users": [1 << 60], "replied_user": False},
        "nonce": 1 << 60,
        "attachments": [{"id": 0, "filename": "board.png", "description": "x" * 1024}],
    }
    assert message_problems(body) == []


LABEL_PATH: Path = ("data", "components", 0, "component")


def modal(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a modal."""
    return {"custom_id": "modal", "title": "Title", "components": list(components), **more}


def label(component: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a labelled field."""
    return {"type": 18, "label": "Label", "component": component, **more}


def typed(**more: Any) -> dict[str, Any]:
    """Return a text input."""
    return {"type": 4, "custom_id": "typed", "style": 1, "label": None, **more}


def group(kind: int, count: int, **more: Any) -> dict[str, Any]:
    """Return a radio or checkbox group."""
    return {"type": kind, "custom_id": "group", "options": [option(str(number)) for number in range(count)], **more}


BROKEN_MODALS: list[tuple[dict[str, Any], Path, str]] = [
    (modal(text(), title="x" * 46), ("data", "title"), "BASE_TYPE_BAD_LENGTH"),
    (modal(text(), custom_id=""), ("data", "custom_id"), "BASE_TYPE_REQUIRED"),
    (modal(), ("data", C), "BASE_TYPE_BAD_LENGTH"),
    (modal(*(text() for _ in range(6))), ("data", C), "BASE_TYPE_BAD_LENGTH"),
    (modal(button()), ("data", C, 0, "type"), "UNION_TYPE_CHOICES"),
    (modal(row(button())), ("data", C, 0, C, 0, "type"), "UNION_TYPE_CHOICES"),
    (modal(row(typed())), ("data", C, 0, C, 0, "label"), "BASE_TYPE_REQUIRED"),
    (modal(label(typed(), label="x" * 46)), ("data", C, 0, "label"), "BASE_TYPE_BAD_LENGTH"),
    (modal(label(typed(), description="x" * 101)), ("data", C, 0, "description"), "BASE_TYPE_MAX_LENGTH"),
    (modal(label(typed(label="Own"))), (*LABEL_PATH, "label"), "TEXT_INPUT_LABEL_IN_LABEL"),
    (modal(label(typed(style=3))), (*LABEL_PATH, "style"), "BASE_TYPE_CHOICES"),
    (modal(label(typed(max_length=4001))), (*LABEL_PATH, "max_length"), "NUMBER_TYPE_MAX"),
    (modal(label(typed(min_length=3, max_length=2))), (*LABEL_PATH, "min_length"), "TEXT_INPUT_MIN_GREATER_THAN_MAX"),
    (modal(label(typed(value="xxx", max_length=2))), (*LABEL_PATH, "value"), "BASE_TYPE_MAX_LENGTH"),
    (modal(label(typed(placeholder="x" * 101))), (*LABEL_PATH, "placeholder"), "BASE_TYPE_MAX_LENGTH"),
    (modal(label(typed()), label(typed())), ("data", C, 1, "component", "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED"),
    (modal(label(menu(disabled=True))), (*LABEL_PATH, "disabled"), "SELECT_COMPONENT_DISABLED_IN_MODAL"),
    (modal(label(menu(min_values=0))), (*LABEL_PATH, "min_values"), "SELECT_COMPONENT_REQUIRED_MIN_VALUES"),
    (modal(label(group(21, 1))), (*LABEL_PATH, "options"), "BASE_TYPE_BAD_LENGTH"),
    (modal(label(group(21, 11))), (*LABEL_PATH, "options"), "BASE_TYPE_BAD_LENGTH"),
    (modal(label(group(22, 0))), (*LABEL_PATH, "options"), "BASE_TYPE_BAD_LENGTH"),
    (
        modal(label(group(22, 3, min_values=3, max_values=2))),
        (*LABEL_PATH, "min_values"),
        "MIN_VALUES_GREATER_THAN_MAX",
    ),
    (modal(label(group(22, 3, max_values=4))), (*LABEL_PATH, "max_values"), "NUMBER_TYPE_MAX"),
    (modal(label(group(22, 3, min_values=0))), (*LABEL_PATH, "min_values"), "SELECT_COMPONENT_REQUIRED_MIN_VALUES"),
    (modal(label({"type": 23, "custom_id": "c", "default": "x"})), (*LABEL_PATH, "default"), "BOOLEAN_TYPE_CONVERT"),
    (modal({"type": 18, "label": "x"}), LABEL_PATH, "BASE_TYPE_REQUIRED"),
]


@pytest.mark.parametrize(("body", "path", "code"), BROKEN_MODALS)
def test_a_modal_beyond_a_limit_is_refused_at_its_path(body: dict[str, Any], path: Path, code: str) -> None:
    problems = Problems()
    check_modal(problems, body)
    assert (path, code) in [(where, what) for where, what, _ in problems.found]


def test_a_modal_with_every_kind_of_field_is_accepted() -> None:
    problems = Problems()
    fields = [
        label(typed(value="v", min_length=1, max_length=4000)),
        label(menu(required=False, min_values=0)),
        label(group(21, 10)),
        label(group(22, 10, min_values=0, max_values=10, required=False) | {"custom_id": "boxes"}),
        label({"type": 23, "custom_id": "agreed", "default": True}),
    ]
    check_modal(problems, modal(*fields))
    check_modal(
        problems, modal(text(), row(typed(label="Old", custom_id="old")), label({"type": 19, "custom_id": "f"}))
    )
    assert problems.found == []


def command(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a valid command."""
    return {"name": "rope-wall", "description": "a game", "options": list(options), **more}


def opt(kind: int = 3, name: str = "side", **more: Any) -> dict[str, Any]:
    """Return a valid option of a command."""
    return {"type": kind, "name": name, "description": "what", **more}


O = "options"  # noqa: E741 (a path of one letter, as C above)
BROKEN_COMMANDS: list[tuple[dict[str, Any], Path, str]] = [
    (command(name="Rope"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
    (command(name="rope wall"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
    (command(name="x" * 33), ("name",), "BASE_TYPE_BAD_LENGTH"),
    (command(description=""), ("description",), "BASE_TYPE_REQUIRED"),
    (command(description="x" * 101), ("description",), "BASE_TYPE_BAD_LENGTH"),
    (command(*(opt(name=f"o{n}") for n in range(26))), (O,), "BASE_TYPE_BAD_LENGTH"),
    (command(opt(), opt()), (O, 1, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"),
    (command(opt(), opt(name="b", required=True)), (O, 1), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),
    (
        command(opt(choices=[option("a") | {"name": str(n)} for n in range(26)])),
        (O, 0, "choices"),
        "BASE_TYPE_BAD_LENGTH",
    ),
    (command(opt(choices=[{"name": "n", "value": 1}])), (O, 0, "choices", 0, "value"), "BASE_TYPE_STRING"),
    (command(opt(4, choices=[{"name": "n", "value": "1"}])), (O, 0, "choices", 0, "value"), "NUMBER_TYPE_COERCE"),
    (
        command(opt(choices=[{"name": "n", "value": "1"}], autocomplete=True)),
        (O, 0, "autocomplete"),
        "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
    ),
    (command(opt(5, autocomplete=True)), (O, 0, "choices"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    (command(opt(max_length=6001)), (O, 0, "max_length"), "NUMBER_TYPE_MAX"),
    (command(opt(4, min_value=3, max_value=2)), (O, 0, "min_value"), "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_INVALID"),
    (command(opt(99)), (O, 0, "type"), "BASE_TYPE_CHOICES"),
    (command(opt(1, "sub"), opt()), (O,), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    (command(opt(2, "group", options=[])), (O, 0, O), "BASE_TYPE_REQUIRED"),
    (
        command(opt(1, "sub", options=[opt(1, "deeper")])),
        (O, 0, O, 0, "type"),
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (command(opt(2, "group", options=[opt()])), (O, 0, O, 0, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    (
        command(
            *(opt(1, f"s{n}", options=[opt(name=f"o{m}", description="x" * 100) for m in range(4)]) for n in range(20))
        ),
        (),
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
    (
        command(
            *(
                opt(
                    name=f"o{n}",
                    choices=[
                        {"name": f"{m}", "value": f"{m}", "name_localizations": {"de": "x" * 90}} for m in range(10)
                    ],
                )
                for n in range(10)
            )
        ),
        (),
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
    (command(default_member_permissions="all"), ("default_member_permissions",), "PERMISSIONS_TYPE_CONVERT"),
    (command(contexts=[3]), ("contexts", 0), "BASE_TYPE_CHOICES"),
    (command(type=9), ("type",), "BASE_TYPE_CHOICES"),
    (command(type=2), ("description",), "APPLICATION_COMMAND_INVALID_DESCRIPTION"),
]


@pytest.mark.parametrize(("body", "path", "code"), BROKEN_COMMANDS)
def test_a_command_beyond_a_limit_is_refused_at_its_path(body: dict[str, Any], path: Path, code: str) -> None:
    problems = Problems()
    check_command(problems, body)
    assert (path, code) in [(where, what) for where, what, _ in problems.found]


def test_a_hundred_commands_with_different_names_are_the_limit() -> None:
    problems = Problems()
    check_command_list(problems, [command(opt(required=True), name=f"c{number}") for number in range(100)])
    assert problems.found == []
    check_command_list(problems, [command(name=f"c{number}") for number in range(101)])
    check_command_list(problems, [command(), command()])
    assert [code for _, code, _ in problems.found] == ["BASE_TYPE_MAX_LENGTH", "APPLICATION_COMMANDS_DUPLICATE_NAME"]


async def test_a_broken_limit_is_answered_as_discord_does_and_remembered(scene: Scene) -> None:
    path = f"/channels/{scene.yard.id}/messages"
    body = {"content": "x" * 2001, "components": [row(button(label="x" * 81))]}
    status, answer = await scene.raw.call("POST", path, body)
    assert status == 400
    assert (answer["code"], answer["message"]) == (50035, "Invalid Form Body")
    assert answer["errors"]["content"]["_errors"] == [
        {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}
    ]
    assert "_errors" in answer["errors"]["components"]["0"]["components"]["0"]["label"]
    violation = scene.sandbox.violations[0]
    assert violation.where == f"POST {path}"
    assert "components.0.components.0.label" in str(violation)
    assert scene.ann.messages(scene.yard) == []


async def test_too_many_choices_and_a_wrong_kind_of_answer_are_violations(scene: Scene) -> None:
    base = f"/applications/{scene.sandbox.bot_id}/commands"
    await scene.raw.call("PUT", base, [command(opt(autocomplete=True))])
    wire = await scene.wire(1)
    asked = scene.ann.actions.command(scene.yard, "rope-wall", {}, focus="side")
    interaction = await wire.next("INTERACTION_CREATE")
    callback = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
    many = {"type": 8, "data": {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]}}
    status, answer = await scene.raw.call("POST", callback, many)
    assert (status, list(answer["errors"]["data"])) == (400, ["choices"])
    assert (await scene.raw.call("POST", callback, {"type": 4, "data": {"content": "x"}}))[0] == 400
    many["data"]["choices"] = many["data"]["choices"][:25]
    assert (await scene.raw.call("POST", callback, many))[0] == 204
    assert len(asked.choices) == 25
    assert len(scene.sandbox.violations) == 2
