"""Break-Out's opponents: one greedy for points, one for cards who calls everybody, a cheat, one who holds everything
back, a bluffer who calls all that can be seen and cheats where it pays most, and a Master who bluffs.

They know the rules from the rule book, and the table from their view.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from engine.contract import Action, Moment
from engine.games.break_out import (
    NATURAL,
    BreakOut,
    BreakOutView,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    fault_of,
    melds_of,
    points,
)
from engine.players import Budget, Intent, Player
from engine.players.break_out import play_as_master

Worth = Callable[[BreakOutView, Action], float]


def greedy(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Get rid of the most points in every play; call players who have done nothing at all."""
    return _call(view, legal, ("draw",)) or _turn(view, legal, rng, _points)


def caller(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Get rid of the most cards in every play, and call everybody for everything, since it costs nothing."""
    return _call(view, legal, ("draw", "meld")) or _turn(view, legal, rng, _cards)


def cheat(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Lay an invalid meld every third turn, and otherwise play like the greedy one."""
    if view.phase == "turn" and view.turn == view.seat and not view.acted and view.serial % 3 == 0:
        bad = _no_meld(view)
        if bad is not None and view.referee == "honour":
            return Intent(bad, 1_500)
    return _call(view, legal, ("draw",)) or _turn(view, legal, rng, _points)


def patient(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Break out as soon as possible, and lay nothing into the cell except to avoid drawing."""

    def worth(at_table: BreakOutView, action: Action) -> float:
        late = isinstance(action, Lay) and at_table.seat is not None and not at_table.out[at_table.seat]
        return _points(at_table, action) * (0.1 if late else 1.0) + 20 * isinstance(action, BreakOut)

    return _call(view, legal, ("draw",)) or _turn(view, legal, rng, worth)


def bluffer(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Call what can be seen; break out with less than needed, and go out with any three cards."""
    window = view.window
    if window is not None:
        bad = any(fault_of(laid, view.limits) is not None for laid in window.plays)
        kinds = (*(("draw",) if window.idle else ()), *(("meld",) if bad else ()))
        if kinds and (call := _call(view, legal, kinds)) is not None:
            return call
    bluff = _bluff(view, legal)
    return Intent(bluff, 1_500) if bluff is not None else _turn(view, legal, rng, _points)


def bluffing(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play as the Master does, but break out with less than is needed if nothing else breaks out."""
    bluff = _poor_break_out(view, legal)
    return Intent(bluff, 1_500) if bluff is not None else play_as_master(view, legal, budget, rng)


def _may_bluff(view: BreakOutView) -> bool:
    return view.referee == "honour" and view.phase == "turn" and view.turn == view.seat and not view.acted


def _poor_break_out(view: BreakOutView, legal: Sequence[Action]) -> BreakOut | None:
    """Return a break-out with a meld that is worth too little, if there is no sound one."""
    if not _may_bluff(view) or view.seat is None or view.out[view.seat]:
        return None
    if any(isinstance(one, BreakOut) for one in legal):
        return None
    melds = list(melds_of([face for face in view.hand if face in NATURAL]))
    best = max(melds, key=lambda meld: (points(meld), len(meld)), default=None)
    return None if best is None or points(best) < 6 else BreakOut(1, tuple(best))


def _bluff(view: BreakOutView, legal: Sequence[Action]) -> Action | None:
    """Return a break-out that is worth too little, or the last three cards as an invalid meld."""
    if not _may_bluff(view) or view.seat is None:
        return None
    if not view.out[view.seat]:
        return _poor_break_out(view, legal)
    if len(view.hand) == 3 and all(face in NATURAL for face in view.hand):
        return Lay(tuple(map(Card, view.hand)))
    return None


def _value(view: BreakOutView, face: str) -> int:
    return int(face[1]) if face in NATURAL else dict(zip("wds", view.values, strict=True))[face]


def _played(action: Action) -> tuple[str, ...]:
    """Return the cards that leave the hand."""
    match action:
        case Lay(cards=cards) | Extend(cards=cards) | BreakOut(cards=cards):
            return tuple(card.face for card in cards)
        case PlayDraw(face=face):
            return (face,)
        case _:
            return ()


def _points(view: BreakOutView, action: Action) -> float:
    return sum(_value(view, face) for face in _played(action))


def _cards(view: BreakOutView, action: Action) -> float:
    return len(_played(action)) + 0.01 * _points(view, action)


def _turn(view: BreakOutView, legal: Sequence[Action], rng: Random, worth: Worth) -> Intent | None:
    """Play while any play is possible, otherwise draw, and say NEXT."""
    if not legal or view.seat not in view.to_act:
        return None
    gifts = [one for one in legal if isinstance(one, Give)]
    if gifts:
        return Intent(max(gifts, key=lambda gift: _value(view, gift.face)), 2_000)
    plays = [one for one in legal if isinstance(one, Lay | Extend | BreakOut | PlayDraw)]
    best = max(plays, key=lambda play: worth(view, play), default=None)
    if best is not None and worth(view, best) > 0:
        return Intent(best, 1_500)
    draws = [one for one in legal if isinstance(one, Draw)]
    if draws:
        return Intent(draws[0], 1_500)
    moves = [one for one in legal if isinstance(one, Move | Extract)]
    return Intent(rng.choice(moves) if moves and not view.acted and not view.drew else Next(), 1_500)


def _call(view: BreakOutView, legal: Sequence[Action], kinds: Sequence[str]) -> Intent | None:
    window = view.window
    if window is None:
        return None
    for one in legal:
        if isinstance(one, Call) and one.kind in kinds:
            return Intent(one, 0, Moment(window.opened + 2_500))
    return None


def _no_meld(view: BreakOutView) -> Lay | None:
    """Return the three highest numbers of the hand that are no meld and fit into the cell."""
    hand = [face for face in view.hand if face in NATURAL]
    most = 99 if view.seat is not None and view.out[view.seat] else view.limits[0] - 1
    found = [
        three
        for three in combinations(hand, 3)
        if len({face[1] for face in three}) > 1
        and len({face[0] for face in three}) > 1
        and sum(int(face[1]) for face in three) <= most
    ]
    if not found:
        return None
    return Lay(tuple(map(Card, max(found, key=lambda three: sum(int(face[1]) for face in three)))))


OPPONENTS: dict[str, Player] = {
    "greedy": greedy,
    "caller": caller,
    "cheat": cheat,
    "patient": patient,
    "bluffer": bluffer,
    "bluffing": bluffing,
}
