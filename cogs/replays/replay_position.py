"""A position of a replay: its moment and viewpoint, and its picture."""

from dataclasses import dataclass
from typing import Any

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Picture
from engine.contract import Seat

EVERYTHING = "all"
"""Replaces a seat: what happened in public, and what every seat knew."""


@dataclass(frozen=True)
class ReplayPosition:
    """A moment of a game, from the viewpoint of a seat or with everything revealed."""

    step: int
    seat: Seat | None

    def argument(self, slot: str) -> str:
        """Return the argument of a button for it. `slot` makes two buttons of one message distinct."""
        return f"{self.step}.{EVERYTHING if self.seat is None else self.seat}.{slot}"


def read_replay_position(control: ComponentPress) -> ReplayPosition:
    """Return the position that a button requests. It is untrusted: raises `UserError`."""
    parts = control.argument.split(".")
    if len(parts) == 3:
        step, seat, _slot = parts
        seat = control.values[0] if control.values else seat
        if is_number(step) and (seat == EVERYTHING or is_number(seat, 1)):
            return ReplayPosition(int(step), None if seat == EVERYTHING else Seat(int(seat)))
    raise UserError(_("This button no longer works. `/replay` opens the game again."))


def revealed_picture(ui: GameUI, state: Any, info: TableContext) -> Picture | None:
    """Return the picture of a moment of a finished game, with secrets of that time if the game draws them."""
    view = ui.game.view(state, None)
    return ui.unveiled(view, [ui.game.view(state, player.seat) for player in info.seated_players], info)
