"""The file format of a finished game: everything needed to replay and to recompute it.

It is JSON: the players' names by seat, the options, the seed and its commitment, the decisions and the events.
"""

from typing import Any, Literal

import msgspec

from engine.contract import GameError, Moment


class BrokenExport(GameError):
    """A file that is not an exported game. The message is one sentence that says what is wrong."""


class ExportedDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What led to the events from index `number` on: an action of a seat, or of the clock if `seat` is None.

    Number 0 is the setup, which has neither seat nor action. `at` is in milliseconds since the Unix epoch.
    """

    number: int
    seat: int | None
    at: Moment
    action: dict[str, Any] | None


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game. `seed` is in hexadecimal, `commitment` is its SHA-256, and `table` is part of the input of each
    draw.

    `rules` is the version of the rules under which the game began; older files without it are of version 1. `places`
    are the final places, and `forfeits` the order in which players left a ranked game, which puts them last; older
    files have neither.
    """

    game: str
    table: int
    names: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    commitment: str
    decisions: tuple[ExportedDecision, ...]
    events: tuple[dict[str, Any], ...]
    format: Literal[1] = 1
    rules: int = 1
    places: tuple[int, ...] = ()
    forfeits: tuple[int | None, ...] = ()


def write_export(export: Export) -> bytes:
    """Return the content of an export's file."""
    return msgspec.json.format(msgspec.json.encode(export), indent=1)


def read_export(body: bytes) -> Export:
    """Return the export in a file's content. Raises `BrokenExport`."""
    try:
        return msgspec.json.decode(body, type=Export)
    except msgspec.DecodeError as error:
        raise BrokenExport(f"This is no exported game: {error}.") from error
    except RecursionError as error:
        raise BrokenExport("This is no exported game: its brackets are nested too deeply.") from error
