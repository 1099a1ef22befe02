"""The limits on modals.

Source: "Component reference" and "Modals" in Discord's API documentation.
"""

from __future__ import annotations

from typing import Any

from .components import (
    ACTION_ROW,
    CHECKBOX,
    CHECKBOX_GROUP,
    FILE_UPLOAD,
    LABEL,
    RADIO_GROUP,
    SELECTS,
    TEXT_DISPLAY,
    TEXT_INPUT,
    ComponentCounter,
    options,
    select,
    text_display,
)
from .validation import Path, Problems

_TOP = (ACTION_ROW, TEXT_DISPLAY, LABEL)
_IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)


def check_modal(problems: Problems, value: object) -> None:
    """Check a modal: custom id, title of at most 45 characters, one to five components."""
    path: Path = ("data",)
    body = problems.record(path, value)
    if body is None:
        return
    problems.text((*path, "custom_id"), body.get("custom_id"), 1, 100, needed=True)
    problems.text((*path, "title"), body.get("title"), 1, 45, needed=True)
    counter = ComponentCounter(problems, lambda _: True)
    path = (*path, "components")
    for index, item in enumerate(problems.items(path, body.get("components"), 1, 5, needed=True)):
        component = counter.component((*path, index), item, _TOP)
        if component is None:
            continue
        match component["type"]:
            case 1:
                _row(counter, (*path, index), component)
            case 10:
                text_display(counter, (*path, index), component)
            case 18:
                _label(counter, (*path, index), component)


def _row(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    path = (*path, "components")
    for index, item in enumerate(counter.problems.items(path, body.get("components"), 1, 1, needed=True)):
        component = counter.component((*path, index), item, (TEXT_INPUT,))
        if component is not None:
            counter.problems.text((*path, index, "label"), component.get("label"), 1, 45, needed=True)
            _text_input(counter, (*path, index), component)


def _label(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    problems.text((*path, "label"), body.get("label"), 1, 45, needed=True)
    problems.text((*path, "description"), body.get("description"), 0, 100)
    path = (*path, "component")
    if body.get("component") is None:
        problems.required(path)
        return
    component = counter.component(path, body["component"], _IN_LABEL)
    if component is None:
        return
    match component["type"]:
        case 4:
            if component.get("label") is not None:
                problems.add(
                    (*path, "label"),
                    "TEXT_INPUT_LABEL_IN_LABEL",
                    "A text input inside a label has no label of its own.",
                )
            _text_input(counter, path, component)
        case 19:
            counter.custom_id(path, component.get("custom_id"))
            _bounds(problems, path, component, 10)
        case 21:
            counter.custom_id(path, component.get("custom_id"))
            if options(counter, path, component.get("options"), 2, 10) > 1:
                problems.add(
                    (*path, "options"),
                    "RADIO_GROUP_TOO_MANY_DEFAULTS",
                    "At most one option may be chosen from the start.",
                )
        case 22:
            counter.custom_id(path, component.get("custom_id"))
            chosen = options(counter, path, component.get("options"), 1, 10)
            count = len(component["options"]) if isinstance(component.get("options"), list) else 10
            _bounds(problems, path, component, min(10, count))
            _required_some(problems, path, component)
            most = component.get("max_values") or count
            if chosen > most:
                problems.add(
                    (*path, "options"),
                    "CHECKBOX_GROUP_TOO_MANY_DEFAULTS",
                    f"{chosen} boxes are ticked from the start, at most {most} may be.",
                )
        case 23:
            counter.custom_id(path, component.get("custom_id"))
            problems.flag((*path, "default"), component.get("default"))
        case _:
            select(counter, path, component, in_modal=True)
    problems.flag((*path, "required"), component.get("required"))


def _bounds(problems: Problems, path: Path, body: dict[str, Any], highest: int) -> None:
    least, most = body.get("min_values"), body.get("max_values")
    low_ok = problems.number((*path, "min_values"), least, 0, highest)
    high_ok = problems.number((*path, "max_values"), most, 1, highest)
    if low_ok and high_ok and isinstance(least, int) and isinstance(most, int) and least > most:
        problems.add((*path, "min_values"), "MIN_VALUES_GREATER_THAN_MAX", "min_values is greater than max_values.")


def _required_some(problems: Problems, path: Path, body: dict[str, Any]) -> None:
    if body.get("required", True) and body.get("min_values") == 0:
        text = "What is required needs min_values of 1 or more."
        problems.add((*path, "min_values"), "SELECT_COMPONENT_REQUIRED_MIN_VALUES", text)


def _text_input(counter: ComponentCounter, path: Path, body: dict[str, Any]) -> None:
    problems = counter.problems
    counter.custom_id(path, body.get("custom_id"))
    problems.choice((*path, "style"), body.get("style"), (1, 2))
    problems.number((*path, "min_length"), body.get("min_length"), 0, 4000)
    problems.number((*path, "max_length"), body.get("max_length"), 1, 4000)
    least, most = body.get("min_length") or 0, body.get("max_length") or 4000
    if isinstance(least, int) and isinstance(most, int):
        if least > most:
            problems.add(
                (*path, "min_length"), "TEXT_INPUT_MIN_GREATER_THAN_MAX", "min_length is greater than max_length."
            )
        elif body.get("value"):
            problems.text((*path, "value"), body["value"], least, most)
    problems.text((*path, "placeholder"), body.get("placeholder"), 0, 100)
    problems.flag((*path, "required"), body.get("required"))
