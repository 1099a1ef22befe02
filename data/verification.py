"""Checking an exported game offline, for `python bot.py verify FILE`.

May import `engine`, `data` and the standard library.
"""

from pathlib import Path

from data.material import load_material
from engine.export import BrokenExport, read_export
from engine.games import GAMES
from engine.verify import Report, verify

MOST_BYTES = 64 * 1024 * 1024


class Unreadable(Exception):
    """A file that cannot be checked: one sentence with what to do."""


def check(path: Path) -> Report:
    """Return whether the exported game in a file follows from its seed. Raises `Unreadable` or `MaterialError`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable(f"{path} is too large to be an exported game.")
        export = read_export(path.read_bytes())
    except OSError as error:
        raise Unreadable(f"{path} cannot be read ({error.strerror}): name a file that /replay has exported.") from error
    except BrokenExport as error:
        raise Unreadable(f"{path}: {error} Name a file that /replay has exported.") from error
    game = GAMES.get(export.game)
    if game is None:
        raise Unreadable(f"{path} is a game of {export.game!r}, which this version does not know.")
    return verify(export, game, load_material(game))
