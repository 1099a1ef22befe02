"""The limits on application commands.

Source: "Application commands" in Discord's API documentation.
"""

from __future__ import annotations

from typing import Any

from .validation import Path, Problems

MAX_COMMANDS = {1: 100, 2: 15, 3: 15}
"""The number of commands of each type that an application may have globally, and again in each server."""

MAX_SIZE = 8_000

SUB_COMMAND, SUB_COMMAND_GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)

_VALUES = range(3, 12)
_SAFE_INTEGER = 1 << 53


def check_command_list(problems: Problems, commands: list[Any]) -> None:
    """Check all commands of one scope: each one, unique names, and their number."""
    names: set[tuple[int, str]] = set()
    counts: dict[int, int] = {}
    for index, value in enumerate(commands):
        body = problems.record((index,), value)
        if body is None:
            continue
        check_command(problems, body, (index,))
        kind = body.get("type") or 1
        counts[kind] = counts.get(kind, 0) + 1
        key = (kind, str(body.get("name")))
        if key in names:
            problems.add(
                (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        names.add(key)
    for kind, count in counts.items():
        if count > MAX_COMMANDS.get(kind, 0):
            problems.add((), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_COMMANDS.get(kind, 0)} or fewer in length.")


def check_command(problems: Problems, body: dict[str, Any], path: Path = ()) -> None:
    """Check one command with all its options."""
    kind = body.get("type") or 1
    if not problems.choice((*path, "type"), kind, (1, 2, 3)):
        return
    if kind == 1:
        _name(problems, (*path, "name"), body.get("name"))
        problems.text((*path, "description"), body.get("description"), 1, 100, needed=True)
        _options(problems, (*path, "options"), body.get("options"), depth=0)
        size = _size(body)
        if size > MAX_SIZE:
            problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({size} of {MAX_SIZE})")
    else:
        problems.text((*path, "name"), body.get("name"), 1, 32, needed=True)
        if body.get("description"):
            problems.add(
                (*path, "description"), "APPLICATION_COMMAND_INVALID_DESCRIPTION", "Only chat commands are described."
            )
    _localizations(problems, path, body)
    wanted = body.get("default_member_permissions")
    if wanted is not None and not str(wanted).isdigit():
        problems.add((*path, "default_member_permissions"), "PERMISSIONS_TYPE_CONVERT", "Must be a number in a string.")
    for key, allowed in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        for index, value in enumerate(problems.items((*path, key), body.get(key), 0, len(allowed))):
            problems.choice((*path, key, index), value, allowed)
    problems.flag((*path, "nsfw"), body.get("nsfw"))
    problems.flag((*path, "dm_permission"), body.get("dm_permission"))


def _name(problems: Problems, path: Path, value: object) -> None:
    if not problems.text(path, value, 1, 32, needed=True):
        return
    name = str(value)
    if name != name.lower() or not all(letter.isalnum() or letter in "-_'" for letter in name):
        problems.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _localizations(problems: Problems, path: Path, body: dict[str, Any]) -> None:
    for key, high in (("name_localizations", 32), ("description_localizations", 100)):
        value = body.get(key)
        if value is None:
            continue
        texts = problems.record((*path, key), value)
        for locale, text in (texts or {}).items():
            problems.text((*path, key, locale), text, 1, high)


def _options(problems: Problems, path: Path, value: object, depth: int) -> None:
    names: set[str] = set()
    optional_seen = False
    kinds: set[bool] = set()
    for index, item in enumerate(problems.items(path, value, 0, 25)):
        option = problems.record((*path, index), item)
        if option is None:
            continue
        here = (*path, index)
        _name(problems, (*here, "name"), option.get("name"))
        problems.text((*here, "description"), option.get("description"), 1, 100, needed=True)
        _localizations(problems, here, option)
        if option.get("name") in names:
            problems.add((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique")
        names.add(str(option.get("name")))
        kind = option.get("type")
        if not problems.choice((*here, "type"), kind, (1, 2, *_VALUES)):
            continue
        kinds.add(kind in (SUB_COMMAND, SUB_COMMAND_GROUP))
        if kind in (SUB_COMMAND, SUB_COMMAND_GROUP):
            if depth == 2 or (depth == 1 and kind == SUB_COMMAND_GROUP):
                problems.add(
                    (*here, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command is nested too deep"
                )
            elif kind == SUB_COMMAND_GROUP and not option.get("options"):
                problems.required((*here, "options"))
            else:
                _options(problems, (*here, "options"), option.get("options"), 1 if kind == SUB_COMMAND_GROUP else 2)
            continue
        if depth == 1:
            problems.add((*here, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "A group holds sub-commands only")
        _value_option(problems, here, option, int(option["type"]))
        if option.get("required"):
            if optional_seen:
                problems.add(
                    here,
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
        else:
            optional_seen = True
    if len(kinds) > 1:
        problems.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )


def _value_option(problems: Problems, path: Path, option: dict[str, Any], kind: int) -> None:
    problems.flag((*path, "required"), option.get("required"))
    choices = option.get("choices")
    if choices and option.get("autocomplete"):
        problems.add(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
            "An option with choices cannot have autocomplete",
        )
    if (choices or option.get("autocomplete")) and kind not in (STRING, INTEGER, NUMBER):
        problems.add((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type has no choices")
    _choices(problems, (*path, "choices"), choices, kind)
    if kind == STRING:
        problems.number((*path, "min_length"), option.get("min_length"), 0, 6000)
        problems.number((*path, "max_length"), option.get("max_length"), 1, 6000)
    low, high = option.get("min_value"), option.get("max_value")
    if kind == INTEGER:
        problems.number((*path, "min_value"), low, -_SAFE_INTEGER, _SAFE_INTEGER)
        problems.number((*path, "max_value"), high, -_SAFE_INTEGER, _SAFE_INTEGER)
    elif kind != NUMBER and (low is not None or high is not None):
        problems.add((*path, "min_value"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type has no bounds")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
        problems.add(
            (*path, "min_value"), "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_INVALID", "min_value exceeds max_value"
        )


def _choices(problems: Problems, path: Path, value: object, kind: int) -> None:
    names: set[str] = set()
    for index, item in enumerate(problems.items(path, value, 0, 25)):
        choice = problems.record((*path, index), item)
        if choice is None:
            continue
        problems.text((*path, index, "name"), choice.get("name"), 1, 100, needed=True)
        if choice.get("name") in names:
            problems.add(
                (*path, index, "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAMES_DUPLICATE", "Name used twice"
            )
        names.add(str(choice.get("name")))
        check_choice_value(problems, (*path, index, "value"), choice.get("value"), kind)


def check_choice_value(problems: Problems, path: Path, value: object, kind: int) -> None:
    """Check that the value of a choice is of its option's type; a string has up to 100 characters."""
    if kind == STRING:
        problems.text(path, value, 0, 100, needed=True)
    elif kind == INTEGER:
        if value is None:
            problems.required(path)
        problems.number(path, value, -_SAFE_INTEGER, _SAFE_INTEGER)
    elif not isinstance(value, (int, float)) or isinstance(value, bool):
        problems.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')


def _size(body: dict[str, Any]) -> int:
    """Return the characters of names, descriptions and choice values (the longest translation), at most 8,000
    together.
    """
    total = _longest(body, "name") + _longest(body, "description")
    for choice in body.get("choices") or ():
        if isinstance(choice, dict):
            total += _longest(choice, "name") + len(str(choice.get("value", "")))
    for option in body.get("options") or ():
        if isinstance(option, dict):
            total += _size(option)
    return total


def _longest(body: dict[str, Any], key: str) -> int:
    texts = [body.get(key), *(body.get(f"{key}_localizations") or {}).values()]
    return max((len(text) for text in texts if isinstance(text, str)), default=0)
