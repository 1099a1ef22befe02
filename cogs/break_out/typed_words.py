"""NEXT, DRAW and MELD, typed in a channel, and the table that somebody means who plays at several."""

from cogs.core.inbound.table_finder import Fits
from cogs.core.ops.errors import UserError
from cogs.core.tables import moves
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import Action, Moment, Refusal, Seat
from engine.games.break_out import Call, CallKept, Next

TYPED_ACTIONS: dict[str, tuple[Action, str]] = {
    "NEXT": (Next(), "next"),
    "DRAW": (Call("draw"), "call"),
    "MELD": (Call("meld"), "call"),
}
"""Words that count as a button when typed in the channel, if the bot may read messages, and the command of each."""

ALLOWED, KEPT = 2, 1


def allowed(action: Action, at: Moment) -> Fits:
    """Return how well an action fits a table: whether the rules allow it at that moment, or would only keep the call
    for a NEXT that may still come.
    """

    def fits(table: TableSnapshot, seat: Seat) -> int:
        try:
            played = moves.move(table, seat, action, at)
        except (Refusal, UserError):
            return 0
        return KEPT if any(isinstance(event, CallKept) for step in played.steps for event in step.events) else ALLOWED

    return fits
