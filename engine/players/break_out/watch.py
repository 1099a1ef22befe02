"""What a bot notices of the others' cheating: calls and late pointers, at the pace of a person.

It uses what everybody can see and hear at the table.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action, Moment
from engine.games.break_out import BreakOutView, Call, Fault, Point, WindowView, fault_of
from engine.players import Intent


def mood(view: BreakOutView) -> float:
    """Return a number from 0 to 1 that stays the same for a turn, however often the bot is asked."""
    return Random(f"{view.seat}/{view.serial}/{view.scores}/{view.round_card}").random()


def reaction(
    view: BreakOutView, legal: Sequence[Action], *, attention: float, quickest: int, slowest: int
) -> Intent | None:
    """Return a call or a pointer, if there is a reason for one and the bot notices it.

    `attention` is the probability of noticing it; `quickest` and `slowest` are the limits of the reaction time in
    milliseconds. Both are drawn from what stays the same while the window is open.
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
    return window.idle if call.kind == "draw" else any(faults(view, window))


def faults(view: BreakOutView, window: WindowView) -> Iterator[Fault]:
    """Yield what everybody could see to be wrong in the turn whose window is open, play by play."""
    for laid in window.plays:
        if (found := fault_of(laid, view.limits)) is not None:
            yield found
