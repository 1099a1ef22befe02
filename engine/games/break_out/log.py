"""Break-Out's public record: notes about what happened, catches, bluffs, and finished rounds.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from engine.contract import Seat
from engine.games.break_out.types import Face, Fault, Kind, LaidMeld, Play


class RoundScore(msgspec.Struct, frozen=True):
    """A line of the score sheet."""

    winner: Seat | None
    points: tuple[int, ...]


class Catch(msgspec.Struct, frozen=True):
    """A catch that was settled. `margin` is by how many milliseconds the call beat the pending NEXT, if there was one.

    With MELD, `fault` is what was wrong with the bad meld, and `laid` the play with its context on the table.
    """

    catcher: Seat
    caught: Seat
    kind: Kind
    during: int  # the turn in which it was settled
    margin: int | None = None
    fault: Fault | None = None
    laid: LaidMeld | None = None


class Bluff(msgspec.Struct, frozen=True):
    """Something that could have been called in a turn, and was not.

    With `draw`, a seat neither played nor drew; with `meld`, it laid a bad meld. `found` is who pointed at it later.
    """

    seat: Seat
    kind: Kind
    turn: int
    fault: Fault | None = None
    laid: LaidMeld | None = None
    meld: int | None = None
    found: Seat | None = None


class FinishedRound(msgspec.Struct, frozen=True):
    """What is shown of a finished round: D53. `totals` are the scores including its `points`.

    It ended because a player went `out`; because all were `idle` for a circuit, neither playing nor drawing; or because
    it was `blocked`: the pile was empty, and nobody played a card for a circuit.
    """

    number: int
    reason: Literal["out", "idle", "blocked"]
    winner: Seat | None
    hands: tuple[tuple[Face, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    catches: tuple[Catch, ...]
    bluffs: tuple[Bluff, ...]


NoteKind = Literal[
    "round",
    "drew",
    "played",
    "next",
    "wrong",
    "late",
    "caught",
    "nearer",
    "undone",
    "forced",
    "given",
    "pointed",
    "lapsed",
    "out",
]


class Note(msgspec.Struct, frozen=True):
    """Something that happened, shown to those who were not looking.

    `face` is known to `knows` only. `lapsed` says that the clock made the choice. `dealt` are cards that came to hands
    by a DRAW card or an undo; each seat knows its own. `after` is how many milliseconds after the NEXT of the turn in
    question a call was received. A call that was `nearer` than that of `seat` is of `other`, on `whom`. Only `seat`
    sees a `private` note.
    """

    kind: NoteKind
    seat: Seat
    other: Seat | None = None
    play: Play | None = None
    call: Kind | None = None
    ms: int | None = None
    count: int = 0
    right: bool = False
    face: Face | None = None
    knows: tuple[Seat, ...] = ()
    lapsed: bool = False
    dealt: tuple[tuple[Seat, Face], ...] = ()
    after: int | None = None
    whom: Seat | None = None
    private: bool = False


NOTES, MOST_NOTES = 30, 90
"""How many notes are kept, and how many at most where a circuit of turns has more."""


def kept_notes(notes: tuple[Note, ...], seats: int) -> tuple[Note, ...]:
    """Return the notes that are kept of these, at a table with this many seats."""
    if len(notes) <= NOTES:
        return notes
    # Private ones do not count, or their number would show in what everybody sees.
    public = [place for place, note in enumerate(notes) if not note.private]
    if len(public) <= NOTES:
        return notes
    return notes[max(public[-min(MOST_NOTES, len(public))], min(public[-NOTES], _circuit(notes, seats))) :]


def _circuit(notes: Sequence[Note], seats: int) -> int:
    """Return the place of the first note since each player's last NEXT, which may tell what they did before."""
    said = [place for place, note in enumerate(notes) if note.kind == "next"]
    return said[-seats - 1] + 1 if len(said) > seats else 0
