"""What Break-Out's commands offer while somebody types: from the asker's own hand, sound things only.

Each function returns what is shown and what it stands for.
"""

from collections.abc import Iterable, Sequence

from cogs.break_out.labels import worth_of
from cogs.break_out.words import cards_words, face_words, meld_name, spoken
from engine.contract import Action
from engine.games.break_out import BreakOut, BreakOutView, Cards, Extend, Extract, Face, Lay

Offers = list[tuple[str, str]]


def melds(view: BreakOutView, legal: Sequence[Action]) -> Offers:
    """Return the melds that can be laid, those first that get rid of most."""
    found = sorted((one for one in legal if isinstance(one, Lay)), key=lambda one: _weight(one.cards), reverse=True)
    return _offered(view, found)


def ways_out(view: BreakOutView, legal: Sequence[Action], route: int | None, meld: int | None) -> Offers:
    """Return the hand cards with which one can break out, on a route and with a cell meld where they are named."""
    ways = [one for one in legal if isinstance(one, BreakOut) and one.route in ((route,) if route else (1, 2))]
    return _offered(view, [one for one in ways if one.cards and (one.route == 1 or meld in (None, one.meld))])


def additions(view: BreakOutView, legal: Sequence[Action], meld: int | None) -> Offers:
    """Return the cards that fit a meld, or any."""
    return _offered(view, [one for one in legal if isinstance(one, Extend) and meld in (None, one.meld) and one.cards])


def meld_names(view: BreakOutView) -> list[tuple[str, int]]:
    """Return the melds that lie on the table."""
    return [(f"{meld_name(meld.id).capitalize()}: {spoken(meld.played)}"[:100], meld.id) for meld in view.melds]


def exchanges(legal: Sequence[Action]) -> Offers:
    """Return the cards for which a Wild can be taken."""
    return _faces(one.card.face for one in legal if isinstance(one, Extract))


def gifts(view: BreakOutView) -> Offers:
    """Return the cards of the hand."""
    return _faces(view.hand)


def _weight(cards: Cards) -> tuple[int, int]:
    return len(cards), sum(card.number for card in cards)


def _offered(view: BreakOutView, plays: Sequence[Lay | Extend | BreakOut]) -> Offers:
    """Each choice of cards once, with what counts of the first play that lays them."""
    first = {one.cards: one for one in reversed(plays)}
    cards = dict.fromkeys(one.cards for one in plays)
    return [(f"{spoken(one)} – {worth_of(view, first[one])}", cards_words(one)) for one in cards]


def _faces(faces: Iterable[Face]) -> Offers:
    return [(f"{face} – {face_words(face)}", face) for face in dict.fromkeys(faces)]
