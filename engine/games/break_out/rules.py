"""Break-Out's rules of plays: which are refused, which are bad, and why. Their effects are in `effects`.

D21: under an `honour` referee a bad meld is accepted and its fault recorded; under `strict` it is refused. Everything
else that is wrong is refused in both modes. `fault_of` judges by what everybody at the table can see, so bots that
watch the others ask it too. Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections.abc import Sequence
from typing import assert_never

from engine.contract import Refusal, Seat
from engine.games.break_out.melds import fault, fits, lacking, points, shape
from engine.games.break_out.state import State, cell_cards
from engine.games.break_out.types import (
    DECLARABLE,
    DRAW,
    RANK,
    START,
    SUPER,
    WILD,
    BreakOut,
    Card,
    Extend,
    Extract,
    Fault,
    Ids,
    LaidMeld,
    Lay,
    Meld,
    Move,
    Play,
    PlayDraw,
    Slot,
)


def fault_of(laid: LaidMeld, limits: tuple[int, int]) -> Fault | None:
    """Return the first fault of a play, None if it is sound. `limits` are a break-out's points and a cell's cards."""
    need, most = limits
    match laid.play:
        case Extend(cards=added) | Lay(cards=added):
            found = fault(laid.cards)
            if found is not None or laid.held is None:
                return found
            if points(laid.cards) >= need:
                return "rich"  # R11: less than 15 points
            return "crammed" if laid.held + len(added) > most else None  # R12: at most 9 cards
        case BreakOut(route=1 | 2, start=start):
            found = fault(laid.cards)
            if found is None and start:
                return "start"  # R2: not in a break-out
            return "poor" if found is None and points(laid.cards) < need else found  # R15, R16: 15 or more
        case Extract(card=card):
            right = laid.wild is not None and fits(card, laid.wild, shape(laid.cards))
            return None if right else "swap"
        case _:
            return None


def check_play(state: State, seat: Seat, play: Play) -> Fault | None:
    """Return the fault of a play, None if it is sound.

    Raises `Refusal`: `nothing`; `no-card` (fact `face`); `not-in-hand` (fact `face`); `undeclared`, `no-stand`,
    `not-a-wild` (fact `face`); `fresh-draw` (a DRAW card that was just drawn); `no-meld`, `no-slot` (fact `name`);
    `not-out`, `out-already`, `cell-closed`; `not-your-cell`; `breaks-meld` (what stays in the cell is no meld);
    `round-start` (the round card, before having broken out); `no-hand-card` (route 2); `not-full` (route 3; fact
    `cell`); `no-moves`; `no-super` (route 4); `no-wild`; `in-cell` (an extraction there); `draw-first`, `draw-once`,
    `fresh-super`, `not-a-draw`; `other-card` (the cell card of an extraction is another one; fact `face`); and under a
    strict referee `bad` (facts `fault`, `points`, `need`, `cell`).
    """
    match play:
        case Extend():
            _check_extend(state, seat, play)
        case Lay():
            _check_cards(state, seat, play.cards, play.cell)
        case BreakOut():
            _check_break_out(state, seat, play)
        case Extract():
            _check_extract(state, seat, play)
        case PlayDraw():
            _check_play_draw(state, seat, play)
        case Move():
            _check_move(state, seat, play)
        case _:
            assert_never(play)
    laid = laid_by(state, seat, play)
    found = fault_of(laid, (state.material.break_out, state.material.cell))
    if found is not None and state.options.referee == "strict":
        raise Refusal("bad", fault=found, points=_worth(laid), need=state.material.break_out, cell=state.material.cell)
    return found


def _worth(laid: LaidMeld) -> int:
    return 0 if isinstance(laid.play, Extract) else points(laid.cards)


def laid_by(state: State, seat: Seat, play: Play) -> LaidMeld:
    """Return a play with its context on the table. The play must not be one that is refused."""
    match play:
        case Extend():
            meld = _meld(state, play.meld)
            cards = (*meld.cards, *play.cards, *_from_cell(state, play.cell))
            return LaidMeld(play, cards, None if meld.cell is None else cell_cards(state, seat))
        case Lay():
            cards = (*play.cards, *_from_cell(state, play.cell))
            return LaidMeld(play, cards, None if state.out[seat] else cell_cards(state, seat))
        case BreakOut(route=1 | 2):
            name = START if play.start else play.meld
            return LaidMeld(play, (*(() if name is None else _meld(state, name).cards), *play.cards))
        case Extract():
            meld, slot = _find(state, play.slot)
            return LaidMeld(play, meld.cards, wild=slot.card)
        case _:
            return LaidMeld(play)


def _from_cell(state: State, names: Ids) -> list[Card]:
    return [_find(state, name)[1].card for name in names]


def _meld(state: State, name: int) -> Meld:
    meld = state.meld(name)
    if meld is None:
        raise Refusal("no-meld", name=name)
    return meld


def _check_extend(state: State, seat: Seat, play: Extend) -> None:
    meld = _meld(state, play.meld)
    if meld.cell is not None:
        if meld.cell != seat:
            raise Refusal("not-your-cell")
        if state.out[seat]:
            raise Refusal("cell-closed")  # R19, D13: the rest stay yours, nothing can be added to them
    elif not state.out[seat]:
        raise Refusal("round-start" if meld.start else "not-out")  # R21: playing in the Yard before breaking out
    _check_cards(state, seat, play.cards, play.cell)


def _check_break_out(state: State, seat: Seat, play: BreakOut) -> None:
    if state.out[seat]:
        raise Refusal("out-already")
    own = {meld.id: meld for meld in state.cell(seat)}
    for name in play.moves:
        if name not in own or name == play.meld or play.moves.count(name) > 1:
            raise Refusal("no-meld", name=name)
    match play.route:
        case 1:
            if play.meld is not None:
                raise Refusal("no-meld", name=play.meld)
            _check_cards(state, seat, play.cards, ())
        case 2:
            if play.meld is None or play.meld not in own:
                raise Refusal("no-meld", name=-1 if play.meld is None else play.meld)
            if not play.cards:
                raise Refusal("no-hand-card")  # R16: one of your cell melds plus at least one hand card
            _check_cards(state, seat, play.cards, ())
        case 3:
            if not state.full:
                raise Refusal("not-full", cell=state.material.cell)  # R17: nine cards when the turn began
            if play.cards or play.meld is not None or play.start or not play.moves:
                raise Refusal("no-moves")
        case 4:
            if play.meld is not None or play.start or [card.face for card in play.cards] != [SUPER]:
                raise Refusal("no-super")
            if SUPER not in state.hands[seat]:
                raise Refusal("not-in-hand", face=SUPER)
        case _:
            assert_never(play.route)
    if play.start and (play.route != 1 or state.meld(START) is None):
        raise Refusal("no-meld", name=START)


def _check_extract(state: State, seat: Seat, play: Extract) -> None:
    if not state.out[seat]:
        raise Refusal("not-out")
    meld, slot = _find(state, play.slot)
    if meld.cell is not None:
        raise Refusal("in-cell")  # R14: no extraction inside a cell
    if not slot.card.wild:
        raise Refusal("no-wild")
    card = play.card
    if card.wild and card.stands is None:
        card = Card(card.face, slot.card.stands)  # D20: another Wild is never the actual card, but trying it is allowed
    if play.cell is None:
        _check_cards(state, seat, (card,), ())
    else:  # R22
        _check_names((card,))
        (given,) = _check_cell_cards(state, seat, (play.cell,))
        if given.card.face != card.face:
            raise Refusal("other-card", face=card.face)


def _check_play_draw(state: State, seat: Seat, play: PlayDraw) -> None:
    if play.face not in (DRAW, SUPER):
        raise Refusal("not-a-draw", face=play.face[:8])
    if not state.out[seat]:
        raise Refusal("not-out")
    if any(isinstance(act.play, PlayDraw) for act in state.acts):
        raise Refusal("draw-once")  # R23: one a turn
    if state.acts:
        raise Refusal("draw-first")  # R23: only as the first card of the turn
    if play.face not in state.hands[seat]:
        raise Refusal("not-in-hand", face=play.face)
    if state.drew == play.face and state.hands[seat].count(play.face) == 1:
        raise Refusal("fresh-draw" if play.face == DRAW else "fresh-super")  # R9; D8


def _check_move(state: State, seat: Seat, play: Move) -> None:
    if not state.out[seat]:
        raise Refusal("not-out")
    if not play.melds:
        raise Refusal("no-moves")
    own = {meld.id for meld in state.cell(seat)}
    for name in play.melds:
        if name not in own or play.melds.count(name) > 1:
            raise Refusal("no-meld", name=name)


def _check_cards(state: State, seat: Seat, cards: Sequence[Card], cell: Ids) -> None:
    """Check cards from the hand and from the cell."""
    if not cards and not cell:
        raise Refusal("nothing")
    _check_names(cards)
    faces = [card.face for card in cards]
    missing = lacking(state.hands[seat], faces)
    if missing is not None:
        raise Refusal("not-in-hand", face=missing)
    if state.drew == DRAW and faces.count(DRAW) == state.hands[seat].count(DRAW) > 0:
        raise Refusal("fresh-draw")  # R9: it cannot be played this turn
    _check_cell_cards(state, seat, cell)


def _check_names(cards: Sequence[Card]) -> None:
    """Check that there are such cards, and that Wilds, and only they, are declared as something."""
    for card in cards:
        if card.face not in RANK:
            raise Refusal("no-card", face=card.face[:8])
        if card.face in (WILD, SUPER):
            if card.stands is None:
                raise Refusal("undeclared", face=card.face)  # D19: declared when laid
            if card.stands not in DECLARABLE:
                raise Refusal("no-stand", face=card.stands[:8])
        elif card.stands is not None:
            raise Refusal("not-a-wild", face=card.face)


def _check_cell_cards(state: State, seat: Seat, cell: Ids) -> list[Slot]:
    """D17: single cards may leave a cell meld only if what stays is still a valid meld or nothing."""
    if not cell:
        return []
    if not state.out[seat]:
        raise Refusal("not-out")
    slots = []
    for name in cell:
        meld, slot = _find(state, name)
        if meld.cell != seat or cell.count(name) > 1:
            raise Refusal("not-your-cell")
        slots.append(slot)
    for meld in state.cell(seat):
        rest = [slot.card for slot in meld.slots if slot.id not in cell]
        if rest and len(rest) < len(meld.slots) and fault(rest) is not None:
            raise Refusal("breaks-meld")
    return slots


def _find(state: State, name: int) -> tuple[Meld, Slot]:
    for meld in state.melds:
        for slot in meld.slots:
            if slot.id == name and slot.by is not None:
                return meld, slot
    raise Refusal("no-slot", name=name)
