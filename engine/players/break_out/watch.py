"""What a computer player sees of the others' cheating: calls and late pointers, at the pace of a person.

It looks at the table and at what was said there, as everybody can. May import `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action, Moment, Seat
from engine.games.break_out import (
    START,
    BreakOut,
    BreakOutView,
    Call,
    Cards,
    CardView,
    Extend,
    Lay,
    MeldView,
    Point,
    WindowView,
    fault,
    points,
)
from engine.players import Intent


def mood(view: BreakOutView) -> float:
    """Return a number from 0 to 1 that stays the same for a turn, however often the player is asked."""
    return Random(f"{view.seat}/{view.serial}/{view.scores}/{view.round_card}").random()


def reaction(
    view: BreakOutView, legal: Sequence[Action], *, attention: float, quickest: int, slowest: int
) -> Intent | None:
    """Return a call or a pointer, if there is a reason for one and the player notices it.

    `attention` is how likely that is; `quickest` and `slowest` bound the milliseconds it takes. Both are drawn from
    what stays the same while the window is open.
    """
    assert view.seat is not None
    window = view.window
    if window is not None:
        dice = Random(f"{view.seat}/{window.turn}/{window.opened}")
        notices, pause = dice.random() < attention, dice.randint(quickest, slowest)
        for action in legal:
            if isinstance(action, Call) and notices and _justified(view, window, action):
                return Intent(action, 0, Moment(window.opened + pause))
    pointers = [action for action in legal if isinstance(action, Point)]
    if pointers and Random(f"{view.seat}/{view.serial}/point").random() < attention * 0.7:
        return Intent(pointers[0], slowest)
    return None


def _justified(view: BreakOutView, window: WindowView, call: Call) -> bool:
    return window.idle if call.kind == "draw" else any(True for _ in bad_melds(view, window))


def bad_melds(view: BreakOutView, window: WindowView) -> Iterator[MeldView]:
    """Yield what can be seen to be wrong in the turn whose window is open.

    The next inmate may have added cards since: those are the ones laid last, and are left out of account.
    """
    later = _laid_since(view, window.seat)
    slots = sorted((card.slot for meld in view.melds for card in meld.cards), reverse=True)
    newest = set(slots[:later])
    need, most = view.limits
    for meld in view.melds:
        cards = tuple(card for card in meld.cards if card.slot not in newest)
        if not meld.lit or not cards or (meld.id == START and len(cards) == 1):
            continue
        if fault(_played(cards)) is not None or (meld.cell == window.seat and points(_played(cards)) >= need):
            yield meld
    held = [meld for meld in view.melds if meld.cell == window.seat]
    if sum(len(meld.cards) for meld in held) > most and held[-1].lit:
        yield held[-1]


def _played(cards: Sequence[CardView]) -> Cards:
    return tuple(card.card for card in cards)


def _laid_since(view: BreakOutView, seat: Seat) -> int:
    """How many cards others have laid since this seat said NEXT."""
    count = 0
    for note in reversed(view.notes):
        if note.kind == "next" and note.seat == seat:
            return count
        match note.play:
            case Lay(cards=cards, cell=cell) | Extend(cards=cards, cell=cell):
                count += len(cards) + len(cell)
            case BreakOut(route=1 | 2, cards=cards):
                count += len(cards)
    return count
