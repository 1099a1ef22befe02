"""Completions for Break-Out's commands, from the player's own hand, with legal plays only.

Each function returns pairs of a label and a value.
"""

from collections.abc import Iterable, Sequence

from cogs.break_out.play_labels import points_of
from cogs.break_out.words import cards_words, face_words, meld_title, spoken
from cogs.core.ops.text_format import labelled
from engine.games.break_out import BreakOut, BreakOutView, Cards, Extend, Extract, Face, Lay

Completions = list[tuple[str, str]]


def melds(view: BreakOutView, legal: Sequence[Lay]) -> Completions:
    """Return the melds that can be laid, those with the most hand points first."""
    return _labelled(view, sorted(legal, key=lambda one: _weight(one.cards), reverse=True))


def ways_out(view: BreakOutView, legal: Sequence[BreakOut], route: int | None, meld: int | None) -> Completions:
    """Return the hand cards that allow breaking out, on this route and with this cell meld if given."""
    ways = [one for one in legal if one.route in ((route,) if route else (1, 2))]
    return _labelled(view, [one for one in ways if one.cards and (one.route == 1 or meld in (None, one.meld))])


def additions(view: BreakOutView, legal: Sequence[Extend], meld: int | None) -> Completions:
    """Return the cards that fit a meld, or any meld."""
    return _labelled(view, [one for one in legal if meld in (None, one.meld) and one.cards])


def meld_names(view: BreakOutView) -> list[tuple[str, int]]:
    """Return the melds on the table."""
    return [(labelled(meld_title(meld.id), spoken(meld.played)), meld.id) for meld in view.melds]


def exchanges(legal: Sequence[Extract]) -> Completions:
    """Return the cards that can be swapped for a Wild."""
    return _faces(one.card.face for one in legal)


def gifts(view: BreakOutView) -> Completions:
    """Return the cards of the hand."""
    return _faces(view.hand)


def _weight(cards: Cards) -> tuple[int, int]:
    return len(cards), sum(card.number for card in cards)


def _labelled(view: BreakOutView, plays: Sequence[Lay | Extend | BreakOut]) -> Completions:
    """Return each choice of cards once, labelled after the first play that lays them."""
    first = {one.cards: one for one in reversed(plays)}
    cards = dict.fromkeys(one.cards for one in plays)
    return [(f"{spoken(one)} – {points_of(view, first[one])}", cards_words(one)) for one in cards]


def _faces(faces: Iterable[Face]) -> Completions:
    return [(f"{face} – {face_words(face)}", face) for face in dict.fromkeys(faces)]
