"""The controls of the Rope Wall: the ten openings, or the exits to choose from."""

from collections.abc import Sequence
from typing import assert_never

from cogs.core.pages import interludes
from cogs.core.pages.page import Button, Row, rows
from cogs.rope_wall.words import code, exit_label
from engine.games.rope_wall import SIDES, Opening, RopeWallView


def controls(view: RopeWallView) -> Sequence[Row]:
    """Return the buttons of the ten openings, or of the exits to choose from.

    On the table message everyone can press them; on a player page they are disabled unless it is the player's turn.
    """
    match view.phase:
        case "push":
            return _openings(view)
        case "choose":
            return _exits(view)
        case "interlude":
            return (Row((interludes.button(view.interlude, view.seat),)),)
        case "over":
            return ()
        case _:
            assert_never(view.phase)


def _must_wait(view: RopeWallView) -> bool:
    """Return whether the reader has a seat and it is the other player's move."""
    return view.seat is not None and view.seat not in view.to_act


def _openings(view: RopeWallView) -> tuple[Row, ...]:
    assert view.turn is not None
    barred, waits = view.barred[view.turn], _must_wait(view)
    arrows = {"left": "▶", "right": "◀"}
    return tuple(
        Row(
            tuple(
                Button(
                    f"{code(Opening(floor, side))} {arrows[side]}",
                    "push",
                    code(Opening(floor, side)),
                    disabled=waits or Opening(floor, side) in barred,
                )
                for floor in range(1, view.floors + 1)
            )
        )
        for side in SIDES
    )


def _exits(view: RopeWallView) -> tuple[Row, ...]:
    buttons = tuple(
        Button(
            exit_label(columns),
            "exit",
            "-".join(map(str, columns)),
            style="success",
            disabled=_must_wait(view),
        )
        for columns in view.choices
    )
    return rows(buttons)
