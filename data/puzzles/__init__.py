"""The puzzles of the day, a line each in `<kind>.jsonl`, made by `python -m data.puzzles`. After the last one they
start over.
"""

from pathlib import Path

import msgspec

from data.material import MaterialError
from engine.contract import Action, BrokenRecord
from engine.puzzles import AnyKind, Proof, Puzzle
from engine.puzzles.registry import KINDS

FOLDER = Path(__file__).resolve().parent
"""The folder of the shipped puzzles."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle as it is in the file: `answer` has the solver's own actions, as the game writes them."""

    position: msgspec.Raw
    answer: tuple[msgspec.Raw, ...]
    best: int
    second: int
    legal: int
    difficulty: int


class PuzzleFile:
    """The puzzles of one kind, of all days. Raises `MaterialError` for a file that is missing or cannot be read."""

    def __init__(self, kind: AnyKind, folder: Path = FOLDER) -> None:
        self._kind = kind
        path = folder / f"{kind.key}.jsonl"
        name = f"{folder.name}/{path.name}"
        try:
            self._lines = tuple(path.read_bytes().splitlines())
        except OSError as error:
            raise MaterialError(
                f"{name} cannot be read ({error.strerror}): put it back as it was shipped, in {folder}."
            ) from error
        if not self._lines:
            raise MaterialError(f"{name} has no puzzle: put it back as it was shipped.")
        self._name = name

    def numbered(self, number: int) -> Puzzle:
        """Return the puzzle of this number. Raises `LookupError` below 1, and `MaterialError` for a broken line."""
        if number < 1:
            raise LookupError(f"there is no puzzle {number}")
        place = (number - 1) % len(self._lines)
        kind = self._kind
        try:
            line = msgspec.json.decode(self._lines[place], type=Line)
            position = msgspec.json.decode(line.position, type=kind.position)
            answer: tuple[Action, ...] = tuple(kind.game.read_action(bytes(one)) for one in line.answer)
        except (msgspec.DecodeError, BrokenRecord) as error:
            raise MaterialError(
                f"{self._name}, line {place + 1}: {error}; put the file back as it was shipped."
            ) from error
        return Puzzle(number, position, Proof(answer, line.best, line.second, line.legal, line.difficulty))


def load_puzzles(folder: Path = FOLDER) -> dict[str, PuzzleFile]:
    """Return the puzzles of every game that has any, by its key. Raises `MaterialError`."""
    return {key: PuzzleFile(kind, folder) for key, kind in KINDS.items()}
