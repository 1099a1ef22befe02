"""NEXT, DRAW and MELD, typed in a channel, and which table is meant if their writer plays at several."""

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


def allowed(action: Action, at: Moment) -> Fits:
    """Fit tables at which the rules allow an action at that moment, and do not only keep a call for a NEXT that may
    still come.
    """

    def fits(table: TableSnapshot, seat: Seat) -> bool:
        try:
            played = moves.move(table, seat, action, at)
        except (Refusal, UserError):
            return False
        return not any(isinstance(event, CallKept) for step in played.steps for event in step.events)

    return fits
