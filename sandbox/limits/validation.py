"""Collecting the problems of a body in the shape of Discord's error 50035."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

Path = tuple[str | int, ...]

_SNOWFLAKE = re.compile(r"[0-9]{1,20}")


class Invalid(Exception):
    """A body that Discord answers with 400 and code 50035. ``problems`` has the tree of errors."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems.summary())
        self.problems = problems


class Problems:
    """The problems found so far, each with the path to the field, Discord's code and its message."""

    def __init__(self) -> None:
        self.found: list[tuple[Path, str, str]] = []

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, path: Path, code: str, message: str) -> None:
        """Add a problem."""
        self.found.append((path, code, message))

    def tree(self) -> dict[str, Any]:
        """Return the ``errors`` object of the response: nested by path, the problems in ``_errors``."""
        root: dict[str, Any] = {}
        for path, code, message in self.found:
            node = root
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return root

    def summary(self) -> str:
        """Return all problems in one line for people."""
        return "; ".join(
            f"{'.'.join(map(str, path)) or 'body'}: {message} ({code})" for path, code, message in self.found
        )

    def raise_if_any(self) -> None:
        """Raise `Invalid` if a problem was found."""
        if self.found:
            raise Invalid(self)

    # Each check below returns what its caller needs to look further into the value.

    def required(self, path: Path) -> None:
        """Add the problem that a field is missing."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def text(self, path: Path, value: object, low: int, high: int, *, needed: bool = False) -> bool:
        """Check a string of ``low`` to ``high`` characters; absent and null are fine unless ``needed``. Return True if
        it is one.
        """
        if value is None:
            if needed:
                self.required(path)
            return False
        if not isinstance(value, str):
            self.add(path, "BASE_TYPE_STRING", "Must be a string.")
            return False
        if low <= len(value) <= high:
            return True
        if low == 1 and not value:
            self.required(path)
        elif low:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        else:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        return False

    def number(self, path: Path, value: object, low: float, high: float) -> bool:
        """Check a whole number from ``low`` to ``high``; absent and null are fine. Return True if it is one."""
        if value is None:
            return False
        if not isinstance(value, int) or isinstance(value, bool):
            self.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return False
        if value < low:
            self.add(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low:g}.")
            return False
        if value > high:
            self.add(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high:g}.")
            return False
        return True

    def flag(self, path: Path, value: object) -> None:
        """Check for true or false; absent and null are fine."""
        if value is not None and not isinstance(value, bool):
            self.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def choice(self, path: Path, value: object, choices: Collection[object]) -> bool:
        """Check for one of a few values. Return True if it is one."""
        if value in choices and not isinstance(value, bool):
            return True
        listed = ", ".join(str(choice) for choice in choices)
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of ({listed}).")
        return False

    def items(self, path: Path, value: object, low: int, high: int, *, needed: bool = False) -> list[Any]:
        """Check a list of ``low`` to ``high`` entries. Return the entries to check further (none of an
        invalid list).
        """
        if value is None:
            if needed:
                self.required(path)
            return []
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
            return []
        if not low <= len(value) <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return value[:high]

    def record(self, path: Path, value: object) -> dict[str, Any] | None:
        """Return an object, or None after adding a problem."""
        if isinstance(value, dict):
            return value
        self.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType.")
        return None

    def snowflake(self, path: Path, value: object) -> str | None:
        """Return an id given as a string or (as discord.py sends some) a number, or None after adding a problem."""
        text = str(value)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or not _SNOWFLAKE.fullmatch(text):
            self.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
            return None
        if int(text) >= 1 << 63:
            self.add(path, "NUMBER_TYPE_MAX", "snowflake value should be less than or equal to 9223372036854775807.")
            return None
        return text

    def url(self, path: Path, value: object, schemes: Collection[str], longest: int = 2048) -> bool:
        """Check an address with one of a few schemes. Return True if it is one."""
        if not self.text(path, value, 1, longest, needed=True):
            return False
        scheme, separator, rest = str(value).partition("://")
        if separator and rest and scheme.lower() in schemes and not any(letter.isspace() for letter in rest):
            return True
        listed = ", ".join(schemes)
        self.add(
            path, "URL_TYPE_INVALID_SCHEME", f'Scheme "{scheme}" is not supported. Scheme must be one of ({listed}).'
        )
        return False
