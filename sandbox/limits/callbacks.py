"""The limits on the first response to an interaction.

Source: "Responding to an interaction" in Discord's API documentation.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .commands import check_choice_value
from .modals import check_modal
from .validation import Path, Problems

_CHOICES, _MODAL = 8, 9
_MOST_CHOICES = 25


def check_callback(body: dict[str, Any], allowed: Collection[int], focused_kind: int) -> int:
    """Return the type of a valid response, one of ``allowed``. ``focused_kind`` is the type of the option that choices
    are for. Raises `Invalid`.
    """
    problems = Problems()
    if not problems.choice(("type",), body.get("type"), allowed):
        problems.raise_if_any()
    kind = int(body["type"])
    if body.get("data") is not None:
        problems.record(("data",), body["data"])
        problems.raise_if_any()
    if kind == _MODAL:
        check_modal(problems, body.get("data"))
    elif kind == _CHOICES:
        _choices(problems, body.get("data"), focused_kind)
    problems.raise_if_any()
    return kind


def _choices(problems: Problems, data: object, focused_kind: int) -> None:
    path: Path = ("data", "choices")
    choices = data.get("choices") if isinstance(data, dict) else None
    for index, value in enumerate(problems.items(path, choices, 0, _MOST_CHOICES, needed=True)):
        choice = problems.record((*path, index), value)
        if choice is not None:
            problems.text((*path, index, "name"), choice.get("name"), 1, 100, needed=True)
            check_choice_value(problems, (*path, index, "value"), choice.get("value"), focused_kind)
