"""Checks an exported game offline, for `python bot.py verify FILE`."""

from collections.abc import Iterable
from pathlib import Path

from data.material import FOLDER, load_material
from engine.contract import AnyGame
from engine.export import BrokenExport, read_export
from engine.verify import Report, verify

MOST_BYTES = 64 * 1024 * 1024


class Unreadable(Exception):
    """A file that cannot be checked: one sentence with what to do."""


def check(path: Path, games: Iterable[AnyGame], folder: Path = FOLDER) -> Report:
    """Verify that the exported game in a file follows from its seed. Raises `Unreadable` or `MaterialError`."""
    try:
        with path.open("rb") as file:
            body = file.read(MOST_BYTES + 1)  # a device, say, has no size and no end
        if len(body) > MOST_BYTES:
            raise Unreadable(f"{path} is too large to be an exported game: name a file that /replay has exported.")
        export = read_export(body)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read ({error.strerror}): name a file that /replay has exported.") from error
    except BrokenExport as error:
        raise Unreadable(f"{path}: {error} Name a file that /replay has exported.") from error
    game = next((known for known in games if known.key == export.game), None)
    if game is None:
        raise Unreadable(f"{path} is a game of {export.game!r}, which this version does not know.")
    return verify(export, game, load_material(game, folder))
