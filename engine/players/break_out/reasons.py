"""Why a play, a call or a gift is good: what the master plans and what it saw of the others, as facts."""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action, Fact
from engine.games.break_out import (
    DRAW,
    NATURAL,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Call,
    Draw,
    Extend,
    Extract,
    Face,
    Give,
    Lay,
    Move,
    Next,
    Play,
    PlayDraw,
    Point,
    melds_of,
    points,
)
from engine.players import Budget, Reason
from engine.players.break_out.planning import turns_of
from engine.players.break_out.turns import from_hand
from engine.players.break_out.watch import faults
from engine.players.break_out.worth import uses


def explain(
    view: BreakOutView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for an action, the main reason first."""
    match action:
        case Call():
            return tuple(_call(view, action))
        case Point(meld=meld):
            return (Reason("bad", {"meld": meld}),)
        case Give(face=face):
            return (Reason("gift", {"points": _points(view, [face]), "useful": int(_useful(view, face))}),)
        case Lay() | Extend() | BreakOut() | PlayDraw() | Move() | Extract():
            return tuple(_play(view, action, budget))
        case Draw():
            return (Reason("draws", {"plays": _plays(legal)}),)
        case Next() if not view.hand:
            return (Reason("goes-out", {"plays": 0}),)
        case Next():
            return (Reason("done", {"plays": _plays(legal), "drew": int(view.drew)}),)
        case _:
            return ()


def _call(view: BreakOutView, call: Call) -> Iterator[Reason]:
    window = view.window
    if window is None:
        return
    if call.kind == "draw":
        yield Reason("idle", {"seat": window.seat})
    elif (fault := next(faults(view, window), None)) is not None:
        yield Reason("fault", {"seat": window.seat, "fault": fault})


def _play(view: BreakOutView, play: Action, budget: Budget) -> Iterator[Reason]:
    turn = turns_of(view, budget).get(play)
    if turn is not None and not turn.end.hand:
        yield Reason("goes-out", {"plays": len(turn.plays)})
        return
    match play:
        case PlayDraw():
            yield Reason("others-draw", {"players": len(view.counts) - 1})
            return
        case Extract():
            yield Reason("frees-wild", {})
        case BreakOut(moves=moves):
            yield Reason("breaks-out", {"moves": len(moves)})
        case Move() | Extend(cards=()):
            yield Reason("spares", {})
        case _:
            pass
    if turn is None:
        return
    left = turn.end.hand
    if len(left) < len(view.hand):
        cards = from_hand(play)
        shed: dict[str, Fact] = {"points": _points(view, cards), "cards": len(cards), "left": len(left)}
        yield Reason("sheds", {**shed, "plays": len(turn.plays)})
    later = max((points(meld) for meld in melds_of([face for face in left if face in NATURAL])), default=0)
    if later:
        yield Reason("keeps", {"points": later})


def _useful(view: BreakOutView, face: Face) -> bool:
    """Return whether a card of the reader makes or could make a meld with others, or is a Wild."""
    return view.seat is not None and (face not in NATURAL or any(face in some for some in uses(view, view.seat)))


def _points(view: BreakOutView, cards: Sequence[Face]) -> int:
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))
    return sum(special.get(face) or int(face[-1]) for face in cards)


def _plays(legal: Sequence[Action]) -> int:
    return sum(isinstance(action, Play) for action in legal)
