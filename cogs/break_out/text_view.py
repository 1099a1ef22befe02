"""The table as text, for players who cannot see the picture."""

from collections.abc import Iterator

from cogs.break_out.words import face_words, hand_words, meld_title, spoken
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import count, labelled
from cogs.core.pages.game_ui import TableContext
from engine.games.break_out import BreakOutView

MOST_CHARACTERS = 1_900
"""The most characters in a code block of a message."""


def table_text(view: BreakOutView, info: TableContext) -> str:
    """Return the table in words, with the reader's own hand."""
    words = "\n".join(_lines(view, info))
    return words if len(words) <= MOST_CHARACTERS else words[: MOST_CHARACTERS - 2] + "\n…"


def _lines(view: BreakOutView, info: TableContext) -> Iterator[str]:
    if view.seat is not None:
        cards = hand_words(view.hand)
        yield _("Your hand: {cards}", cards=cards) if cards else _("Your hand: no cards")
    yield _("Round {number} of {rounds}", number=view.round, rounds=view.rounds)
    for seat, name in enumerate(info.distinct_names):
        here = ">" if view.turn == seat else " "
        where = _("out") if view.out[seat] else _("in the cell")
        held = _("{cards} in hand", cards=count(view.counts[seat], "card"))
        yield labelled(f"{here} {name}", f"{where}, {held}, {count(view.scores[seat], 'point')}")
    top = face_words(view.open_place) if view.open_place else _("face down") if view.place else _("none")
    yield _("To take: {card}; {n} in the pile", card=top, n=view.pile)
    for meld in view.melds:
        if meld.cell is None:
            yield _("{meld} in the Yard: {cards}", meld=meld_title(meld.id), cards=spoken(meld.played))
        else:
            yield _(
                "{meld} in {player}'s cell: {cards}",
                meld=meld_title(meld.id),
                player=info.distinct_names[meld.cell],
                cards=spoken(meld.played),
            )
