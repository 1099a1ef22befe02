"""Refusals of the reference implementations, which are written from the rule books alone."""


class Forbidden(Exception):
    """The rule book does not allow it."""


def require(allowed: bool, why: str = "") -> None:
    """Raise `Forbidden` unless this is allowed."""
    if not allowed:
        raise Forbidden(why)
