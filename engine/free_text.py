"""Free text written by a person, such as a notepad: which actions and events contain some.

Everything else in a record is a choice among what the rules offer. Such text is private to its author: it is left out
of everything that others read, even after the game, and is deleted when the author asks to be forgotten.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

_MARK = "written by a person"

FreeText = Annotated[str, msgspec.Meta(extra={"words": _MARK})]
"""A field of an action or event that holds free text. It may be blanked later, so no rule depends on it."""


@cache
def free_text_fields(kinds: Any) -> Mapping[str, tuple[str, ...]]:
    """Return the fields of a union of tagged structs that hold free text, by tag. Tags without such fields are left
    out.
    """
    found: dict[str, tuple[str, ...]] = {}
    for kind in get_args(kinds) or (kinds,):
        hints = get_type_hints(kind, include_extras=True)
        fields = tuple(name for name, hint in hints.items() if hint == FreeText)
        if fields:
            found[str(kind.__struct_config__.tag)] = fields
    return found


@cache
def _tag_field(kinds: Any) -> str:
    """Return the name of the field that holds the tag of these structs."""
    return str((get_args(kinds) or (kinds,))[0].__struct_config__.tag_field)


def without_free_text(kinds: Any, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action or event, as plain JSON, with all free text blanked. `kinds` is the game's union of types."""
    own = free_text_fields(kinds).get(str(body.get(_tag_field(kinds))), ())
    return {**body, **dict.fromkeys(own, "")}
