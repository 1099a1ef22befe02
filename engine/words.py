"""Words that a person wrote freely, such as a notepad: which actions and events hold some.

Everything else in a record is a choice among what the rules offer. Such words are for their writer alone: they are left
out of whatever others read of a game, also when it is over, and whoever asks to be forgotten takes them with them. May
import msgspec and the standard library.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

_MARK = "written by a person"

Written = Annotated[str, msgspec.Meta(extra={"words": _MARK})]
"""A field of an action or event that holds a person's own words. It may be blanked later, so rules decide nothing by
it.
"""


@cache
def written(kinds: Any) -> Mapping[str, tuple[str, ...]]:
    """Return for a union of tagged structs, by tag, the fields that hold a person's own words, where there are any."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in get_args(kinds) or (kinds,):
        hints = get_type_hints(kind, include_extras=True)
        fields = tuple(name for name, hint in hints.items() if hint == Written)
        if fields:
            found[str(kind.__struct_config__.tag)] = fields
    return found


@cache
def _tag_field(kinds: Any) -> str:
    """Return the field by which these structs are told apart."""
    return str((get_args(kinds) or (kinds,))[0].__struct_config__.tag_field)


def without_words(kinds: Any, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action or event, as plain JSON, with a person's own words left empty. `kinds` is the game's union."""
    own = written(kinds).get(str(body.get(_tag_field(kinds))), ())
    return {**body, **dict.fromkeys(own, "")}
