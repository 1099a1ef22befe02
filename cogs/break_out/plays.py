"""Plays as controls: how one is written in a control, what it is called, and which come first.

Which plays are sound, and what a play is worth, the engine says. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Callable, Iterator, Sequence

from cogs.break_out.words import meld_name, pictured, place_of, read_cards, spoken, worth, written
from cogs.core.phrases import count
from engine.contract import Seat
from engine.games.break_out import (
    FACES,
    NATURAL,
    START,
    SUPER,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    Extend,
    Extract,
    Laid,
    Lay,
    MeldView,
    Move,
    Play,
    PlayDraw,
    points,
    sound_plays,
)
from engine.players.break_out.judgement import value

LABEL = 34
"""Characters of a button that a phone shows in full."""
MOST = 80
"""Characters that Discord takes on a button."""


# ------------------------------------------------------------------------------------------------------ what is sound


def sound(view: BreakOutView) -> list[Play]:
    """Return the sound plays of the reader, whose turn it is, the best first."""
    assert view.seat is not None
    found = [play for play in sound_plays(view, view.seat) if isinstance(play, Play)]
    return sorted(found, key=lambda play: -value(view, play))


def any_sound(view: BreakOutView) -> bool:
    """Say whether the reader, whose turn it is, has a sound play."""
    assert view.seat is not None
    return any(isinstance(play, Play) for play in sound_plays(view, view.seat))


def any_way_out(view: BreakOutView) -> bool:
    """Say whether the reader, whose turn it is, can break out by a sound play."""
    assert view.seat is not None
    if view.out[view.seat]:
        return False
    return any(isinstance(play, BreakOut) for play in sound_plays(view, view.seat))


def alike(play: Play) -> tuple[object, ...]:
    """Return what plays have in common that lay the same cards in the same way, whatever Wilds stand for and wherever
    they lie then: of these one button offers the best.
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


def laid_by(view: BreakOutView, play: Play) -> Laid:
    """Return a play of the reader with what it meets on the table."""
    seat = view.seat
    assert seat is not None
    match play:
        case Lay(cards=cards, cell=cell):
            return Laid(play, (*cards, *_from_cell(view, cell)), None if view.out[seat] else held_in(view, seat))
        case Extend(meld=name, cards=cards, cell=cell):
            meld = place_of(view, name)
            whole = (*(() if meld is None else meld.played), *cards, *_from_cell(view, cell))
            return Laid(play, whole, None if meld is None or meld.cell is None else held_in(view, meld.cell))
        case BreakOut(route=1 | 2, cards=cards, meld=base):
            meld = None if base is None else place_of(view, base)
            return Laid(play, (*(() if meld is None else meld.played), *cards))
        case Extract(slot=slot):
            meld = _with(view, slot)
            wild = None if meld is None else next(card.card for card in meld.cards if card.slot == slot)
            return Laid(play, () if meld is None else meld.played, wild=wild)
        case _:
            return Laid(play)


def held_in(view: BreakOutView, seat: Seat) -> int:
    """Return how many cards lie in a cell."""
    return sum(len(meld.cards) for meld in view.melds if meld.cell == seat)


def _from_cell(view: BreakOutView, slots: Sequence[int]) -> Cards:
    return tuple(card.card for meld in view.melds for card in meld.cards if card.slot in slots)


def _with(view: BreakOutView, slot: int) -> MeldView | None:
    return next((meld for meld in view.melds if any(card.slot == slot for card in meld.cards)), None)


# ------------------------------------------------------------------------------------------------------- in a control


def code(play: Play) -> str:
    """Return a play as a control writes it."""
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
    """Return the play that a control names, None for words that name none."""
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
    if not (words.isascii() and words.isdecimal() and len(words) < 8):
        raise ValueError(words)
    return int(words)


def _numbers(words: str) -> tuple[int, ...]:
    return tuple(map(_number, words.split("-"))) if words else ()


# ---------------------------------------------------------------------------------------------------------- in words


def name_of(view: BreakOutView, play: Play) -> str:
    """Return what a play is called where there is room, every card with its colour."""
    return _named(view, play, spoken)


def pictured_name(view: BreakOutView, play: Play) -> str:
    """Return what a play is called in a text, with the faces of its cards."""
    return _named(view, play, pictured)


def labels_of(view: BreakOutView, plays: Sequence[Play]) -> list[str]:
    """Return what plays are called on buttons that stand together. Those that would be called the same tell the colours
    of their cards too, and if that is not enough, what their Wilds stand for: in short, and else card by card.
    """
    labels = [label_of(view, play) for play in plays]
    fuller: tuple[Callable[[Play], str], ...] = (
        lambda play: _fitted(view, play, _coloured),
        lambda play: _fitted(view, play, _counted),
        lambda play: name_of(view, play)[:MOST],
    )
    for named in fuller:
        if len(set(labels)) == len(labels):
            break
        pairs = zip(labels, plays, strict=True)
        labels = [named(play) if labels.count(label) > 1 else label for label, play in pairs]
    return labels


def label_of(view: BreakOutView, play: Play) -> str:
    """Return what a play is called on a button, with what it is worth where that counts; `LABEL` characters at most."""
    return _fitted(view, play, _short)


def _fitted(view: BreakOutView, play: Play, cards_as: Callable[[Sequence[Card]], str]) -> str:
    """Return the fullest name that fits on a button."""
    return next(name for name in _fuller(view, play, cards_as) if len(name) <= LABEL)


def _fuller(view: BreakOutView, play: Play, cards_as: Callable[[Sequence[Card]], str]) -> Iterator[str]:
    """Yield the names of a play, the fullest first, each made when it is asked for: mostly the first one fits. What it
    is worth says more than the colours.
    """
    if _counts(play):
        worth = points(laid_by(view, play).cards)
        yield f"{_named(view, play, cards_as)} · {worth}"
        yield f"{_named(view, play, _bare)} · {worth}"
    yield _named(view, play, cards_as)
    yield _named(view, play, _bare)
    yield _brief(view, play)[:LABEL]


def _brief(view: BreakOutView, play: Play) -> str:
    """Return what a play is called where there is no room for its cards."""
    match play:
        case Lay(cards=cards):
            return f"Meld {len(cards)} cards"
        case Extend(meld=meld, cards=cards, cell=cell):
            return f"Add {count(len(cards) + len(cell), 'card')} to {meld_name(meld)}"
        case BreakOut(route=2, meld=meld):
            return f"Break out: {meld_name(meld or START)}{_stays(view, play)}"
        case BreakOut(cards=cards):
            return f"Break out: {count(len(cards), 'card')}"
        case Extract(slot=slot, card=card):
            return f"Swap {spoken([card])} for {_wild(_with(view, slot), slot)}"
        case PlayDraw():
            return "DRAW card: all others take"
        case Move(melds=melds):
            return f"Move {count(len(melds), 'meld')} to the Yard"
    raise AssertionError(play)


def worth_of(view: BreakOutView, play: Play) -> str | None:
    """Return what the meld is worth that a play makes, None where that counts for nothing."""
    return worth(laid_by(view, play).cards) if _counts(play) else None


def _counts(play: Play) -> bool:
    return isinstance(play, Lay | Extend) or (isinstance(play, BreakOut) and play.route in (1, 2))


def _short(cards: Sequence[Card]) -> str:
    """Cards on a button: of a set the numbers alone, of others the colour once."""
    numbers = {card.number for card in cards}
    if len(cards) > 1 and len(numbers) == 1 and any(card.face in NATURAL for card in cards):
        return " ".join(_plain(card) for card in cards)
    parts: list[str] = []
    letter = None
    for card in sorted(cards, key=lambda card: (card.colour or "", card.number)):
        same = card.colour is not None and card.colour == letter
        parts.append(_plain(card) if same or card.face not in NATURAL else spoken([card]))
        letter = card.colour if same or card.face in NATURAL else letter
    return " ".join(parts)


def _coloured(cards: Sequence[Card]) -> str:
    """Cards on a button, each with its colour."""
    return " ".join(spoken([card]) if card.face in NATURAL else _plain(card) for card in cards)


def _counted(cards: Sequence[Card]) -> str:
    """Cards on a button, each Wild as the card it stands for."""
    return _short([Card(card.stands) if card.stands in NATURAL else card for card in cards])


def _bare(cards: Sequence[Card]) -> str:
    """Cards on a button by their numbers alone."""
    return " ".join(_plain(card) for card in cards)


def _plain(card: Card) -> str:
    if card.face in NATURAL:
        return card.face[1]
    return "Super" if card.face == SUPER else "Wild"


def _named(view: BreakOutView, play: Play, cards_as: Callable[[Sequence[Card]], str]) -> str:
    match play:
        case Lay(cards=cards):
            return f"Meld {cards_as(cards)}"
        case Extend(meld=meld, cards=cards, cell=cell):
            from_cell = _from_cell(view, cell)
            added = [*([cards_as(cards)] if cards else []), *([f"{cards_as(from_cell)} of your cell"] if cell else [])]
            return f"Add {' and '.join(added)} to {meld_name(meld)}"
        case BreakOut(route=1, cards=cards):
            return f"Break out: {cards_as(cards)}"
        case BreakOut(route=2, cards=cards, meld=meld):
            return f"Break out: {meld_name(meld or START)} + {cards_as(cards)}{_stays(view, play)}"
        case BreakOut(route=3, moves=moves):
            only = f", only {meld_name(moves[0])}" if len(moves) == 1 and _stays(view, play) else ""
            return f"Break out: full cell{only}"
        case BreakOut():
            return f"Break out: Super Wild{_stays(view, play)}"
        case Extract(slot=slot, card=card, cell=cell):
            meld_view = _with(view, slot)
            where = "" if meld_view is None else f" in {meld_name(meld_view.id)}"
            source = "" if cell is None else " of cell"
            return f"Swap {cards_as([card])}{source} for {_wild(meld_view, slot)}{where}"
        case PlayDraw(face=face):
            return "Super Wild as DRAW card: all take" if face == SUPER else "DRAW card: all others take"
        case Move(melds=melds):
            own = [meld for meld in view.melds if meld.cell == view.seat]
            return "Move your cell to the Yard" if len(melds) == len(own) else f"Move {meld_name(melds[0])} to the Yard"
    raise AssertionError(play)


def _wild(meld: MeldView | None, slot: int) -> str:
    """What is freed by a swap."""
    supers = () if meld is None else (card.slot for card in meld.cards if card.face == SUPER)
    return "Super Wild" if slot in supers else "Wild"


def _stays(view: BreakOutView, play: BreakOut) -> str:
    """Words for a break-out by which other melds of the cell stay there."""
    own = {meld.id for meld in view.melds if meld.cell == view.seat} - {play.meld}
    return ", others stay" if own - set(play.moves) else ""
