"""A finished game as a file: everything that it takes to look at it again and to recompute it.

It is JSON: who sat where by name, the options, the seed and its commitment, what was asked for, and what happened. May
import msgspec and `engine.contract`.
"""

from typing import Any, Literal

import msgspec

from engine.contract import GameError, Moment


class BrokenExport(GameError):
    """A file that is no exported game: one sentence saying what is wrong with it."""


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What led to the events from `number` on: an action of a seat, or of the clock where `seat` is None.

    Number 0 is the setup, which has neither. `at` is in milliseconds since the Unix epoch.
    """

    number: int
    seat: int | None
    at: Moment
    action: dict[str, Any] | None


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game. `seed` is in hexadecimal, `commitment` its SHA-256; `table` names the draws of chance.

    `rules` is the version of the rules under which it began; files that were written before there was one are of the
    first. `places` are those that everybody took in the end, and `forfeits` says in which order some had left a ranked
    game, which puts them last; files that were written before that was kept have neither.
    """

    game: str
    table: int
    names: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    commitment: str
    decisions: tuple[Decision, ...]
    events: tuple[dict[str, Any], ...]
    format: Literal[1] = 1
    rules: int = 1
    places: tuple[int, ...] = ()
    forfeits: tuple[int | None, ...] = ()


def write_export(export: Export) -> bytes:
    """Return an export as a file."""
    return msgspec.json.format(msgspec.json.encode(export), indent=1)


def read_export(body: bytes) -> Export:
    """Return the export in a file. Raises `BrokenExport`."""
    try:
        return msgspec.json.decode(body, type=Export)
    except msgspec.DecodeError as error:
        raise BrokenExport(f"This is no exported game: {error}.") from error
    except RecursionError as error:
        raise BrokenExport("This is no exported game: its brackets are nested too deeply.") from error
