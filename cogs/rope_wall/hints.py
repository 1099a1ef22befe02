"""Hints in words: which push or exit, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import TableContext
from cogs.rope_wall.words import code, opening_name
from engine.contract import Action, Seat
from engine.games.rope_wall import ChooseExits, Opening, Push, RopeWallView
from engine.players import Reason


def hint(view: RopeWallView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Push(floor=floor, side=side):
            yield f"Push **{code(Opening(floor, side))}**{opening_name(floor, side)[2:]}."
        case ChooseExits(columns=columns):
            yield f"Leave through exit **{' and '.join(map(str, columns))}**."
    other = info.name(Seat(1 - view.seat)) if view.seat is not None else "the other player"
    for reason in reasons:
        yield from _why(reason, other)


def _why(reason: Reason, other: str) -> Iterator[str]:
    match reason.code:
        case "finishes":
            ropes = "two ropes, and two prisoners are" if reason.number("freed") > 1 else "your rope, and a prisoner is"
            yield f"It finishes {ropes} free{': you win the game' if not reason.number('left') else ''}."
        case "forces":
            yield (
                f"You finish a rope within {reason.number('pushes')} pushes of yours, this one counted, whatever "
                f"{other} answers."
            )
        case "guards":
            yield (
                f"After {reason.number('bad')} of the {reason.number('of')} pushes that you could make, {other} "
                "finishes a rope at once; not after this one."
            )
        case "ways":
            yield from _ways(reason, other)
        case "leaves":
            if reason.number("edge"):
                yield "Most ropes end in the middle, so an exit at the edge is the one to close."
            else:
                yield "Most ropes end in the middle: of your exits this is farthest from it."


def _ways(reason: Reason, other: str) -> Iterator[str]:
    mine, was, theirs, theirs_was = map(reason.number, ("mine", "was", "theirs", "theirs-was"))
    if min(mine, was) > 0:
        yield f"Left alone, your shortest rope then needs {_pushes(mine, was)}."
    if min(theirs, theirs_was) > 0:
        yield f"The shortest one of {other} needs {_pushes(theirs, theirs_was)}."


def _pushes(then: int, now: int) -> str:
    return f"{count(then, 'push', 'pushes')} ({'as now' if then == now else f'now {now}'})"
