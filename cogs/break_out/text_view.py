"""The table as text, for players who cannot see the picture."""

from collections.abc import Iterator

from cogs.break_out.words import face_words, hand_words, meld_name, spoken
from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import TableContext
from engine.games.break_out import START, BreakOutView

MOST_CHARACTERS = 1_900
"""The most characters in a code block of a message."""


def table_text(view: BreakOutView, info: TableContext) -> str:
    """Return the table in words, with the reader's own hand."""
    words = "\n".join(_lines(view, info))
    return words if len(words) <= MOST_CHARACTERS else words[: MOST_CHARACTERS - 2] + "\n…"


def _lines(view: BreakOutView, info: TableContext) -> Iterator[str]:
    if view.seat is not None:
        yield f"Your hand: {hand_words(view.hand) or 'no cards'}"
    yield f"Round {view.round} of {view.rounds}"
    for sitter in info.seated_players:
        seat = sitter.seat
        here = ">" if view.turn == seat else " "
        where = "out" if view.out[seat] else "in the cell"
        held = f"{count(view.counts[seat], 'card')} in hand"
        yield f"{here} {sitter.name}: {where}, {held}, {count(view.scores[seat], 'point')}"
    top = face_words(view.open_place) if view.open_place else "face down" if view.place else "none"
    yield f"To take: {top}; {view.pile} in the pile"
    for meld in view.melds:
        where = "in the Yard" if meld.cell is None else f"in the cell of {info.distinct_names[meld.cell]}"
        name = "The round card" if meld.id == START else meld_name(meld.id).capitalize()
        yield f"{name} {where}: {spoken(meld.played)}"
