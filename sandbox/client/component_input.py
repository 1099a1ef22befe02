"""Filling in modals and select menus as an honest client does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.limits.components import (
    CHANNEL_SELECT,
    CHECKBOX,
    CHECKBOX_GROUP,
    FILE_UPLOAD,
    LABEL,
    RADIO_GROUP,
    ROLE_SELECT,
    SELECTS,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
    USER_SELECT,
)
from sandbox.world.models import Channel, Json, Role, User
from sandbox.world.state import State

from .command_input import Refused, Resolved

Pick = str | User | Channel | Role


def fill_modal(state: State, resolved: Resolved, modal: Json, answers: Mapping[str, Any]) -> list[Json]:
    """Return the components of a submit: the answers, and the initial values of other fields.

    ``answers`` are by custom id or by label. Raises `Refused` for unknown fields and for answers that a field does not
    accept (length, options, required).
    """
    left = dict(answers)
    filled = [_top(state, resolved, component, left) for component in modal["components"]]
    if left:
        known = ", ".join(_names(modal))
        raise Refused(f"the modal {modal['title']!r} has no {', '.join(map(repr, left))}; it has: {known}")
    return filled


def _names(modal: Json) -> list[str]:
    fields = [
        component.get("component") or (component.get("components") or [{}])[0] for component in modal["components"]
    ]
    return [field["custom_id"] for field in fields if "custom_id" in field]


def _top(state: State, resolved: Resolved, component: Json, left: dict[str, Any]) -> Json:
    kind, identity = component["type"], component["id"]
    if kind == TEXT_DISPLAY:
        return {"type": kind, "id": identity}
    if kind == LABEL:
        inner = component["component"]
        answer = _take(left, inner["custom_id"], component["label"])
        return {"type": kind, "id": identity, "component": _field(state, resolved, inner, answer)}
    fields = [
        _field(state, resolved, inner, _take(left, inner["custom_id"], inner.get("label")))
        for inner in component["components"]
    ]
    return {"type": kind, "id": identity, "components": fields}


def _take(left: dict[str, Any], custom_id: str, label: str | None) -> Any:
    for key in (custom_id, label):
        if key in left:
            return left.pop(key)
    return None


def _field(state: State, resolved: Resolved, field: Json, answer: Any) -> Json:
    kind, name = field["type"], field["custom_id"]
    done: Json = {"type": kind, "id": field["id"], "custom_id": name}
    required = field.get("required", True)
    if kind == TEXT_INPUT:
        return {**done, "value": _text(field, answer, required)}
    if kind == CHECKBOX:
        return {**done, "value": bool(field.get("default", False) if answer is None else answer)}
    if kind == RADIO_GROUP:
        chosen = _options(field, [answer] if answer is not None else None)
        if required and not chosen:
            raise Refused(f"nothing is chosen in {name!r}")
        return {**done, "value": chosen[0] if chosen else None}
    if kind == CHECKBOX_GROUP:
        chosen = _options(field, answer)
        low = field.get("min_values", 1 if required else 0)
        _count(name, chosen, low, field.get("max_values") or len(field["options"]), required)
        return {**done, "values": chosen}
    if kind in SELECTS:
        chosen = pick(state, resolved, field, answer)
        _count(name, chosen, field.get("min_values", 1), field.get("max_values", 1), required)
        return {**done, "values": chosen}
    if kind == FILE_UPLOAD and not required and not answer:
        return {**done, "values": []}
    raise Refused(f"the sandbox's people upload no files ({name!r})")


def _text(field: Json, answer: Any, required: bool) -> str:
    text = field.get("value") or "" if answer is None else str(answer)
    name = field["custom_id"]
    if not text:
        if required:
            raise Refused(f"{name!r} is empty and required")
        return text
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if not low <= len(text) <= high:
        raise Refused(f"{name!r} must have {low} to {high} characters, not {len(text)}")
    return text


def _options(field: Json, answer: Any) -> list[str]:
    """Return chosen options by value or label; without an answer the default ones."""
    if answer is None:
        return [option["value"] for option in field["options"] if option.get("default")]
    chosen = []
    for each in [answer] if isinstance(answer, str) else answer:
        found = next((option for option in field["options"] if each in (option["value"], option["label"])), None)
        if found is None:
            offered = ", ".join(option["value"] for option in field["options"])
            raise Refused(f"{field['custom_id']!r} has no option {each!r}; it has: {offered}")
        if found["value"] in chosen:
            raise Refused(f"{each!r} is chosen twice in {field['custom_id']!r}")
        chosen.append(found["value"])
    return chosen


def _count(name: str, chosen: Sequence[str], low: int, high: int, required: bool) -> None:
    if not chosen and not required:
        return
    if not low <= len(chosen) <= high:
        raise Refused(f"{name!r} takes {low} to {high} choices, not {len(chosen)}")


def pick(state: State, resolved: Resolved, field: Json, answer: Sequence[Pick] | None) -> list[str]:
    """Return the choice in a select menu of any kind. Raises `Refused` for what it does not offer."""
    kind = field["type"]
    if kind == STRING_SELECT:
        return _options(field, answer)
    if answer is None:
        return [str(default["id"]) for default in field.get("default_values", ())]
    chosen = []
    guild = resolved.channel.guild
    roles = guild.roles if guild is not None else {}
    for each in [answer] if isinstance(answer, (str, User, Channel, Role)) else answer:
        found = each
        if isinstance(each, str):
            found = state.users.get(each) or roles.get(each) or state.channels.get(each) or each
        allowed: tuple[type, ...] = {USER_SELECT: (User,), ROLE_SELECT: (Role,), CHANNEL_SELECT: (Channel,)}.get(
            kind, (User, Role)
        )
        if isinstance(found, str) or not isinstance(found, allowed):
            raise Refused(f"{field['custom_id']!r} offers no {each!r}")
        chosen.append(resolved.name(found))
    return chosen


def pick_on_message(state: State, resolved: Resolved, field: Json, answer: Sequence[Pick] | None) -> list[str]:
    """Return the choice in a select menu of a message; raises `Refused` for too few or too many values."""
    if answer is None:
        raise Refused(f"{field['custom_id']!r} is a select menu: say which values")
    chosen = pick(state, resolved, field, answer)
    _count(field["custom_id"], chosen, field.get("min_values", 1), field.get("max_values", 1), True)
    return chosen


def answers_of(components: Sequence[Json]) -> dict[str, Any]:
    """Return the answers by custom id of components in the form of a submit."""
    answers: dict[str, Any] = {}
    for component in components:
        inner = [component["component"]] if "component" in component else component.get("components", ())
        for field in inner:
            if "custom_id" in field:
                answers[field["custom_id"]] = field["values"] if "values" in field else field.get("value")
    return answers
