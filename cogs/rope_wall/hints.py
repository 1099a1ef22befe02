"""Hints in words: which push or exit, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import TableContext
from cogs.rope_wall.words import code
from engine.contract import Action, Seat
from engine.games.rope_wall import ChooseExits, Opening, Push, RopeWallView
from engine.players import Reason


def hint(view: RopeWallView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Push(floor=floor, side=side):
            opening = code(Opening(floor, side))
            if side == "left":
                yield _("Push **{opening}** (floor {floor}, from the left).", opening=opening, floor=floor)
            else:
                yield _("Push **{opening}** (floor {floor}, from the right).", opening=opening, floor=floor)
        case ChooseExits(columns=(column,)):
            yield _("Leave through exit **{column}**.", column=column)
        case ChooseExits(columns=columns):
            yield _("Leave through exits **{columns}**.", columns=listed(map(str, columns)))
    other = info.name(Seat(1 - view.seat)) if view.seat is not None else _("the other player")
    for reason in reasons:
        yield from _why(reason, other)


def _why(reason: Reason, other: str) -> Iterator[str]:
    match reason.code:
        case "finishes":
            if reason.number("freed") > 1:
                yield _("It finishes two ropes and frees two prisoners.")
            else:
                yield _("It finishes your rope and frees a prisoner.")
            if not reason.number("left"):
                yield _("That wins you the game.")
        case "forces":
            yield ngettext(
                "You finish a rope within {n} push (including this one), no matter how {name} replies.",
                "You finish a rope within {n} pushes (including this one), no matter how {name} replies.",
                reason.number("pushes"),
                name=other,
            )
        case "guards":
            yield ngettext(
                "{n} of your {all} possible pushes lets {name} finish a rope at once. This one doesn't.",
                "{n} of your {all} possible pushes let {name} finish a rope at once. This one doesn't.",
                reason.number("bad"),
                all=reason.number("of"),
                name=other,
            )
        case "ways":
            yield from _ways(reason, other)
        case "leaves":
            if reason.number("edge"):
                yield _("Most ropes end in the middle, so close an exit at the edge.")
            else:
                yield _("Most ropes end in the middle, and of your exits this one is farthest from it.")


def _ways(reason: Reason, other: str) -> Iterator[str]:
    mine, was, theirs, theirs_was = map(reason.number, ("mine", "was", "theirs", "theirs-was"))
    if min(mine, was) > 0:
        yield ngettext(
            "If no one interferes, your shortest rope then needs {n} push (now {now}).",
            "If no one interferes, your shortest rope then needs {n} pushes (now {now}).",
            mine,
            now=was,
        )
    if min(theirs, theirs_was) > 0:
        yield ngettext(
            "{name}'s shortest rope then needs {n} push (now {now}).",
            "{name}'s shortest rope then needs {n} pushes (now {now}).",
            theirs,
            now=theirs_was,
            name=other,
        )
