"""Who comes, goes and stays away while a game is under way, and what becomes of a table without anybody.

Each of these takes the table's lock, and commits before anyone is told. What follows from who is there is worked out
in `attendance`.
"""

import logging

from cogs.core.ops.errors import UserError
from cogs.core.ops.spans import duration
from cogs.core.tables import seat_rules
from cogs.core.tables.kept import judged
from cogs.core.tables.live import SLEEPS_FOR_MS, LiveTable
from data.store import Conflict, SeatChange, StoreError, TableChange
from engine.contract import Moment, Seat

log = logging.getLogger(__name__)


@judged
async def forgive(table: LiveTable, user: int) -> None:
    """Forgive a person the clocks that ran out, since they do something at the table, be it only to look.

    It does not take a seat back from a caretaker.
    """
    seat = table.seat_of(user)
    if seat is None or user not in table.lapsed:
        return
    try:
        await table.keep(seat_rules.taken_back(table.seats, seat))
    except Conflict:
        await table.reread_alone()  # the next press forgives
    except StoreError as error:
        log.warning("table %s: that seat %s is there could not be kept: %s", table.id, seat, error)
        table.stand(table.row, seat_rules.changed(table.seats, {seat: SeatChange(lapses=0)}))


@judged
async def back(table: LiveTable, seat: Seat, at: Moment) -> None:
    """Let a person take their seat back from the caretaker; a table that slept goes on. Raises `UserError`."""
    _check_playing(table)
    if table.seats[seat].user is None:
        raise UserError("You do not sit at this table any more.")
    if not table.seats[seat].caretaker:
        raise UserError("You are at the table; nobody plays for you.")
    seats = seat_rules.taken_back(table.seats, seat)
    if not await table.wake(seats, at):
        await _settle(table, seats, at)


@judged
async def leave(table: LiveTable, seat: Seat, at: Moment) -> None:
    """Let a computer play on for a person who leaves. Raises `UserError` if there is no game.

    Where every place is certain, and nobody is there to play on, the game ends as it stands.
    """
    _check_playing(table)
    await _leave(table, seat, at)


@judged
async def forget(table: LiveTable, user: int, at: Moment) -> None:
    """Delete who a user is from the table. They leave it for good: where nobody else could come back, it ends."""
    seat = table.seat_of(user)
    if table.playing and seat is not None:
        await _leave(table, seat, at)
    await table.store.user_data.forget(user, [table.game], table.id)
    await table.reread_alone()
    if table.playing and all(row.user is None for row in table.seats):
        await table.close_alone("Everybody has left.", at)


@judged
async def doze(table: LiveTable, at: Moment) -> None:
    """Let a table sleep that was left without anybody while that did not count yet."""
    if table.asleep:
        await _settle(table, table.seats, at)


@judged
async def give_up(table: LiveTable, at: Moment) -> None:
    """End a game in which somebody alone has not moved for too long. Does nothing where it is too early for that."""
    if table.playing and not table.asleep and table.row.due is not None and table.row.due <= at:
        await table.close_alone(f"Nobody came back for {duration(SLEEPS_FOR_MS)}.", at)


@judged
async def wind_up(table: LiveTable, at: Moment) -> None:
    """End a table at which nobody has been for too long: with the places that are certain, or without a result.

    Does nothing where it is too early for that.
    """
    if not table.asleep or table.row.due is None or table.row.due > at:
        return
    if table.ranked and seat_rules.decided(table.seats):
        await _end_as_it_stands(table, table.seats, at)
    else:
        await table.close_alone(f"Nobody came back for {duration(SLEEPS_FOR_MS)}.", at)


def _check_playing(table: LiveTable) -> None:
    if not table.playing:
        raise UserError("There is no game under way at this table.")


async def _leave(table: LiveTable, seat: Seat, at: Moment) -> None:
    seats = table.reckoned(seat_rules.left(table.seats, seat))
    if table.ranked and seat_rules.decided(seats) and seat_rules.deserted(seats):
        await _end_as_it_stands(table, seats, at)
    else:
        await _settle(table, seats, at)


async def _settle(table: LiveTable, seats: seat_rules.Seats, at: Moment) -> None:
    """Keep who is there now; the table falls asleep, or wakes from a moment's sleep, if that follows."""
    change = TableChange()
    seats = table.reckoned(seats)
    if seat_rules.deserted(seats) and table.row.slept_at is None:
        change = TableChange(slept_at=at, due=Moment(at + SLEEPS_FOR_MS))
    elif table.row.slept_at is not None and not seat_rules.deserted(seats):
        without = Moment(at + SLEEPS_FOR_MS) if table.alone else None
        due = min((deadline.due for deadline in table.game.deadlines(table.state)), default=without)
        change = TableChange(slept_at=None, due=due)
    await table.keep(seats, change)


async def _end_as_it_stands(table: LiveTable, seats: seat_rules.Seats, at: Moment) -> None:
    alike, none = (1,) * len(seats), (None,) * len(seats)
    change = TableChange(status="closed", ended_at=at, due=None, slept_at=None)
    await table.keep(seats, change, table.placed_results(seats, alike, none, "left", at))
