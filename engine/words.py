"""Words that a person wrote freely, such as a notepad: which actions and events hold some.

Everything else in a record is a choice among what the rules offer. Whoever asks to be forgotten takes their words with
them, so hosts must be able to find these. May import msgspec and the standard library.
"""

from typing import Annotated, Any, get_args, get_type_hints

import msgspec

_MARK = "written by a person"

Written = Annotated[str, msgspec.Meta(extra={"words": _MARK})]
"""A field of an action or event that holds a person's own words. It may be blanked later, so rules decide nothing by
it.
"""


def written(kinds: Any) -> dict[str, tuple[str, ...]]:
    """Return for a union of tagged structs, by tag, the fields that hold a person's own words, where there are any."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in get_args(kinds) or (kinds,):
        hints = get_type_hints(kind, include_extras=True)
        fields = tuple(name for name, hint in hints.items() if hint == Written)
        if fields:
            found[str(kind.__struct_config__.tag)] = fields
    return found
