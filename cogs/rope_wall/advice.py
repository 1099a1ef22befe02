"""Advice for a seat of the Rope Wall: the openings with the immediate effect of each push, best first; unsorted
and without effects at a ranked table.
"""

from collections.abc import Iterator, Sequence

from cogs.core.ops.text_format import count
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.rope_wall.words import code
from engine.contract import Action, Seat
from engine.games.rope_wall import ChooseExits, Opening, Push, RopeWallView, judge

_EFFECTS = {
    2: "wins the round",
    1: "drops a knot of the other player",
    -1: "drops a knot of yours",
    -2: "finishes the rope of the other player",
}


def advice(view: RopeWallView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    pushes = [action for action in legal if isinstance(action, Push)]
    exits = [" and ".join(map(str, action.columns)) for action in legal if isinstance(action, ChooseExits)]
    if pushes:
        yield from _pushes(view, info, pushes)
    elif exits:
        yield f"You won the round. Choose the exit: {'; '.join(exits)}."
    elif view.interlude is not None:
        yield interludes.advice(view.interlude, view.seat)
    elif view.turn is not None:
        yield f"Wait: it is {info.name(view.turn)}'s turn."
    if view.seat is not None:
        yield from _constraints(view, view.seat)


def _pushes(view: RopeWallView, info: TableContext, pushes: Sequence[Push]) -> Iterator[str]:
    ratings = {push: 0 if info.ranked else _rating(view, push) for push in pushes}
    best_first = sorted(pushes, key=lambda push: -ratings[push])
    codes = ", ".join(map(_code, best_first))
    yield f"Push a knot into one of the openings {codes} – with the buttons, or `/rope-wall push`."
    for level, words in _EFFECTS.items():
        found = [_code(push) for push in best_first if ratings[push] == level]
        if found:
            yield f"- {', '.join(found)}: {words}"


def _code(push: Push) -> str:
    return code(Opening(push.floor, push.side))


def _rating(view: RopeWallView, push: Push) -> int:
    """Rate a push of the reader at first sight.

    2 wins the round, -2 gives it away, 1 drops a knot of the other player, -1 one of the reader's own.
    """
    assert view.seat is not None
    verdict = judge(view, view.seat, push)
    if verdict.won is not None:
        return 2 if verdict.won.seat == view.seat else -2
    return -1 if verdict.fell == view.seat else 1 if verdict.fell is not None else 0


def _constraints(view: RopeWallView, seat: Seat) -> Iterator[str]:
    """Yield the reader's constraints, and what is always possible."""
    if view.barred[seat]:
        barred = ", ".join(map(code, view.barred[seat]))
        when = "this" if view.turn == seat else "on your next"
        yield (
            f"Not allowed {when} turn: {barred}. A knot of yours has just fallen out there, and it may not go "
            "straight back in."
        )
    yield f"You have {count(view.hands[seat], 'knot')} left. You can always resign: `/rope-wall resign`."
