"""What a rule page forbids: how those say no who keep a second book of a game, written apart from the rules' code."""


class Forbidden(Exception):
    """The rule page does not allow it."""


def need(allowed: bool, why: str = "") -> None:
    """Raise `Forbidden` unless this is allowed."""
    if not allowed:
        raise Forbidden(why)
