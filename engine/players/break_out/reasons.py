"""Why a play, a call or a gift is good: what the master counts and what it saw of the others, as facts."""

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
    PlayDraw,
    Point,
    melds_of,
    points,
)
from engine.players import Budget, Reason
from engine.players.break_out.evaluation import choose, useful, value
from engine.players.break_out.turns import after, laying, way_out
from engine.players.break_out.watch import faults

TURN = 10
"""The search for a way out is limited to this many plays."""


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
            return (Reason("gift", {"points": _points(view, [face]), "useful": int(face in useful(view))}),)
        case Lay() | Extend() | BreakOut() | PlayDraw() | Move() | Extract():
            return tuple(_play(view, action, legal, budget))
        case Draw():
            return (Reason("draws", {"plays": _plays(legal)}),)
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


def _play(view: BreakOutView, play: Action, legal: Sequence[Action], budget: Budget) -> Iterator[Reason]:
    cards = _of_hand(play)
    steps = _steps_out(view, play, budget)
    if steps:
        yield Reason("goes-out", {"plays": steps})
        return
    if isinstance(play, PlayDraw):
        yield Reason("others-draw", {"players": len(view.counts) - 1, "soon": int(play.face != DRAW)})
        return
    if isinstance(play, BreakOut):
        yield Reason("breaks-out", {"moves": len(play.moves)})
    if isinstance(play, Extract) and value(view, play) > 0:
        yield Reason("frees-wild", {})
    if not cards:
        yield Reason("spares", {})
        return
    left = list(view.hand)
    for face in cards:
        left.remove(face)
    shed: dict[str, Fact] = {"points": _points(view, cards), "cards": len(cards), "left": len(left)}
    yield Reason("sheds", shed)
    later = max((points(meld) for meld in melds_of([face for face in left if face in NATURAL])), default=0)
    if later:
        yield Reason("keeps", {"points": later})
    if not isinstance(play, BreakOut):
        yield from _instead(view, play, legal)


def _instead(view: BreakOutView, play: Action, legal: Sequence[Action]) -> Iterator[Reason]:
    """Yield how many points the best other play sheds, among those with other cards."""
    own = sorted(_of_hand(play))
    others = [one for one in legal if (cards := _of_hand(one)) and sorted(cards) != own]
    if others and choose(view, legal) == play:
        second = max(others, key=lambda one: value(view, one))
        yield Reason("instead", {"points": _points(view, _of_hand(second)), "cards": len(_of_hand(second))})


def _steps_out(view: BreakOutView, play: Action, budget: Budget) -> int:
    """Return in how many plays the whole hand is laid down, including this first one; 0 if no way is found."""
    seat = view.seat
    if seat is None or way_out(view, budget) != play:
        return 0
    step: Action | None = play
    for number in range(1, TURN + 1):
        cards = next((cards for one, cards in laying(view, seat) if one == step), None)
        if step is None or cards is None:
            return 0
        view = after(view, seat, step, cards)
        if not view.hand:
            return number
        step = way_out(view, budget)
    return 0


def _of_hand(play: Action) -> list[Face]:
    match play:
        case Lay(cards=cards) | BreakOut(cards=cards) | Extend(cards=cards):
            return [card.face for card in cards]
        case PlayDraw(face=face):
            return [face]
        case _:
            return []


def _points(view: BreakOutView, cards: Sequence[Face]) -> int:
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))
    return sum(special.get(face) or int(face[-1]) for face in cards)


def _plays(legal: Sequence[Action]) -> int:
    return sum(bool(_of_hand(action)) for action in legal)
