"""Refusals of the second implementations, which are written from the rule books alone."""


class Forbidden(Exception):
    """The rule book does not allow it."""


def need(allowed: bool, why: str = "") -> None:
    """Raise `Forbidden` unless this is allowed."""
    if not allowed:
        raise Forbidden(why)
