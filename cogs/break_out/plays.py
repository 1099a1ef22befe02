"""Plays as controls carry them: their codes, the melds that they touch, and their order.

The engine decides which plays are sound and what they are worth.
"""

from collections.abc import Sequence

from cogs.break_out.words import place_of, read_cards, written
from cogs.core.pages.custom_ids import is_number
from engine.contract import Seat
from engine.games.break_out import (
    FACES,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    Extend,
    Extract,
    LaidMeld,
    Lay,
    MeldView,
    Move,
    Play,
    PlayDraw,
    sound_plays,
)
from engine.players.break_out.turns import after
from engine.players.break_out.worth import worth

# -------------------------------------------------------------------------------------------------------- sound plays


def best_sound_plays(view: BreakOutView) -> list[Play]:
    """Return the sound plays of the reader, whose turn it is, best first: by what the position after each is worth."""
    seat = view.seat
    assert seat is not None
    found = [play for play in sound_plays(view, seat) if isinstance(play, Play)]
    return sorted(found, key=lambda play: -worth(after(view, seat, play), seat))


def has_sound_play(view: BreakOutView) -> bool:
    """Return whether the reader, whose turn it is, has a sound play."""
    assert view.seat is not None
    return any(isinstance(play, Play) for play in sound_plays(view, view.seat))


def can_break_out(view: BreakOutView) -> bool:
    """Return whether the reader, whose turn it is, can break out with a sound play."""
    assert view.seat is not None
    if view.out[view.seat]:
        return False
    return any(isinstance(play, BreakOut) for play in sound_plays(view, view.seat))


def equivalence_key(play: Play) -> tuple[object, ...]:
    """Return a key shared by plays that lay the same cards in the same way, regardless of where they lie and how
    Wilds are declared. One button offers the best of them.
    """
    match play:
        case Move():
            return (Move,)
        case Extract(card=card):
            return (Extract, card.face)
        case PlayDraw(face=face):
            return (PlayDraw, face)
        case Lay(cards=cards) | BreakOut(cards=cards):
            return (type(play), *sorted(card.face for card in cards))
        case Extend(cards=cards, cell=cell):
            return (Extend, cell, *sorted(card.face for card in cards))
    raise AssertionError(play)


def with_meld(view: BreakOutView, play: Play) -> LaidMeld:
    """Return a play of the reader together with the meld that it touches."""
    seat = view.seat
    assert seat is not None
    match play:
        case Lay(cards=cards, cell=cell):
            return LaidMeld(
                play, (*cards, *cards_at(view, cell)), None if view.out[seat] else cards_in_cell(view, seat)
            )
        case Extend(meld=name, cards=cards, cell=cell):
            meld = place_of(view, name)
            whole = (*(() if meld is None else meld.played), *cards, *cards_at(view, cell))
            return LaidMeld(play, whole, None if meld is None or meld.cell is None else cards_in_cell(view, meld.cell))
        case BreakOut(route=1 | 2, cards=cards, meld=base):
            meld = None if base is None else place_of(view, base)
            return LaidMeld(play, (*(() if meld is None else meld.played), *cards))
        case Extract(slot=slot):
            meld = meld_with(view, slot)
            wild = None if meld is None else next(card.card for card in meld.cards if card.slot == slot)
            return LaidMeld(play, () if meld is None else meld.played, wild=wild)
        case _:
            return LaidMeld(play)


def cards_in_cell(view: BreakOutView, seat: Seat) -> int:
    """Return the number of cards in a cell."""
    return sum(len(meld.cards) for meld in view.melds if meld.cell == seat)


def cards_at(view: BreakOutView, slots: Sequence[int]) -> Cards:
    """Return cards on the table by their places."""
    return tuple(card.card for meld in view.melds for card in meld.cards if card.slot in slots)


def meld_with(view: BreakOutView, slot: int) -> MeldView | None:
    """Return the meld that contains this place."""
    return next((meld for meld in view.melds if any(card.slot == slot for card in meld.cards)), None)


# -------------------------------------------------------------------------------------------------------------- codes


def code(play: Play) -> str:
    """Return the code of a play in a control."""
    match play:
        case Lay(cards=cards):
            return f"l.{_written(cards)}"
        case Extend(meld=meld, cards=cards, cell=cell):
            return f"e.{meld}.{_written(cards)}.{_listed(cell)}"
        case BreakOut(route=route, cards=cards, meld=meld, moves=moves):
            return f"b.{route}.{_written(cards)}.{'' if meld is None else meld}.{_listed(moves)}"
        case Extract(slot=slot, card=card, cell=cell):
            return f"x.{slot}.{written(card)}.{'' if cell is None else cell}"
        case PlayDraw(face=face):
            return f"d.{face}"
        case Move(melds=melds):
            return f"m.{_listed(melds)}"
    raise AssertionError(play)


def read_play(words: str) -> Play | None:
    """Return the play that a control's code names, or None."""
    kind, *parts = words.split(".")
    try:
        match kind, parts:
            case "l", [cards]:
                return Lay(_cards(cards))
            case "e", [meld, cards, cell]:
                return Extend(_number(meld), _cards(cards), _numbers(cell))
            case "b", ["1" | "2" | "3" | "4" as route, cards, meld, moves]:
                base = _number(meld) if meld else None
                known: dict[str, BreakOut] = {
                    "1": BreakOut(1, _cards(cards)),
                    "2": BreakOut(2, _cards(cards), base, _numbers(moves)),
                    "3": BreakOut(3, moves=_numbers(moves)),
                    "4": BreakOut(4, _cards(cards), moves=_numbers(moves)),
                }
                return known[route]
            case "x", [slot, card, cell]:
                (one,) = _cards(card)
                return Extract(_number(slot), one, _number(cell) if cell else None)
            case "d", [face] if face in FACES:
                return PlayDraw(face)
            case "m", [melds]:
                return Move(_numbers(melds))
    except ValueError:
        pass
    return None


def _written(cards: Sequence[Card]) -> str:
    return "".join(map(written, cards))


def _listed(numbers: Sequence[int]) -> str:
    return "-".join(map(str, numbers))


def _cards(words: str) -> Cards:
    found = read_cards(words)
    if found is None:
        raise ValueError(words)
    return found


def _number(words: str) -> int:
    if not is_number(words):
        raise ValueError(words)
    return int(words)


def _numbers(words: str) -> tuple[int, ...]:
    return tuple(map(_number, words.split("-"))) if words else ()
