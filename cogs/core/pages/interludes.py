"""The texts and the button that every game shows in an interlude."""

from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button
from engine.contract import Seat
from engine.turns import Interlude

DONE = "You are ready."
"""The answer to the command."""


def waits(pause: Interlude, info: TableContext, then: str) -> str:
    """Return a line that says how long the game pauses before `then`, and who is ready."""
    latest = info.until(pause.until)
    ready = ", ".join(info.name(Seat(seat)) for seat in pause.ready)
    words = f"-# {then} when all are ready" + (f", at the latest {latest}" if latest else "")
    return words + (f" · ready: {ready}" if ready else "")


def button(pause: Interlude | None, reader: Seat | None) -> Button:
    """Return the button for readers who are ready: disabled once they have pressed it."""
    return Button("Ready", "ready", style="success", disabled=pause is not None and reader in pause.ready)


def advice(pause: Interlude, seat: Seat | None) -> str:
    """Return what a seat can do in an interlude."""
    if seat in pause.ready:
        return "You are ready. The game goes on when everybody is, or when the time is over."
    return "The game pauses so that everybody sees what was decided. Press *Ready* to go on."
