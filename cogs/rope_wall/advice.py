"""Advice for a seat of the Rope Wall: the openings with the immediate effect of each push, best first; unsorted
and without effects at a rated table.
"""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.rope_wall.words import code, exit_choices
from engine.contract import Action, Seat
from engine.games.rope_wall import ChooseExits, Opening, Push, RopeWallView, judge

_EFFECTS = {
    2: N_("{openings}: win the round"),
    1: N_("{openings}: drop the other player's knot"),
    -1: N_("{openings}: drop your own knot"),
    -2: N_("{openings}: finish the other player's rope"),
}


def advice(view: RopeWallView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
    """Yield what the reader can do now, line by line, and why the rest is not possible."""
    pushes = [action for action in legal if isinstance(action, Push)]
    exits = [action.columns for action in legal if isinstance(action, ChooseExits)]
    if pushes:
        yield from _pushes(view, info, pushes)
    elif exits:
        yield _("You won the round. Choose the exit: {exits}.", exits=exit_choices(exits))
    elif view.interlude is not None:
        yield interludes.advice(view.interlude, view.seat)
    elif view.turn is not None:
        yield _("Wait: it's {name}'s turn.", name=info.name(view.turn))
    if view.seat is not None:
        yield from _constraints(view, view.seat)


def _pushes(view: RopeWallView, info: TableContext, pushes: Sequence[Push]) -> Iterator[str]:
    ratings = {push: 0 if info.ranked else _rating(view, push) for push in pushes}
    best_first = sorted(pushes, key=lambda push: -ratings[push])
    codes = ", ".join(map(_code, best_first))
    yield _("Push a knot into one of the openings {codes} – use the buttons or `/rope-wall push`.", codes=codes)
    for level, words in _EFFECTS.items():
        found = [_code(push) for push in best_first if ratings[push] == level]
        if found:
            yield "- " + _(words, openings=", ".join(found))


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
        if view.turn == seat:
            yield _("Not allowed this turn: {codes}. A knot may not go straight back in.", codes=barred)
        else:
            yield _("Not allowed on your next turn: {codes}. A knot may not go straight back in.", codes=barred)
    yield ngettext(
        "You have {n} knot left. You can always resign: `/rope-wall resign`.",
        "You have {n} knots left. You can always resign: `/rope-wall resign`.",
        view.hands[seat],
    )
