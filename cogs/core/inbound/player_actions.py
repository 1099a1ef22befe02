"""What every way of acting at a table has in common: whose seat it is, and how a refusal of the rules is told."""

from collections.abc import Callable

from cogs.core.ops.errors import UserError
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import moves
from engine.contract import Action, Moment, Refusal, Seat, View


def seat_at(messages: TableMessages, user: int) -> Seat:
    """Return the seat of a user at a table. Raises `UserError` if they have none."""
    seat = messages.table.snapshot.seat_of(user)
    if seat is None:
        raise not_seated_error(messages)
    return seat


def not_seated_error(messages: TableMessages) -> UserError:
    """Return what somebody is told who has no seat at a table."""
    return UserError(
        f"You do not sit at table {messages.table.id}, so its buttons are not yours. "
        f"Open a table of your own with `/{messages.ui.command} start`."
    )


async def make_move(
    messages: TableMessages, seat: Seat, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None
) -> None:
    """Make a person's move. Raises `UserError` with the rule that refuses it, and `StaleControl` for a control that is
    no longer `fresh`.
    """
    try:
        await messages.table.act(moves.move, seat, action, at, fresh)
    except Refusal as refusal:
        raise UserError(messages.ui.refusal(refusal, messages.table.snapshot.info())) from refusal
