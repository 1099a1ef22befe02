"""Decisions about players who leave, stay away and return during a game, and about empty tables."""

import logging
from dataclasses import replace

from msgspec.structs import replace as replace_fields

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import duration
from cogs.core.tables import endings, moves, seat_rules
from cogs.core.tables.agreements import Agreements
from cogs.core.tables.changes import SLEEPS_FOR_MS, Change, RowChanged, Seated, closed
from cogs.core.tables.snapshot import BLOCKED_CLOSES_MS, TableSnapshot
from cogs.core.tables.table import Table
from data.store import SeatChange, StoreError, TableChange
from engine.contract import Moment, Seat

log = logging.getLogger(__name__)

EVERYBODY_LEFT = N_("Everyone left, and the places were already decided.")
"""Why a game ended with certain places."""


async def forgive(table: Table, user: int) -> None:
    """Note that a user did something at the table: their missed turns are reset, in memory if the database refuses it,
    and the host stays the host.
    """
    try:
        await table.act(_forgiven, user)
    except StoreError as error:
        seat = table.snapshot.seat_of(user)
        log.warning("table %s: that seat %s is there could not be stored: %s", table.id, seat, error)
        if seat is not None:
            table.assume(seats=seat_rules.changed(table.snapshot.seats, {seat: SeatChange(lapses=0)}))


def _forgiven(table: TableSnapshot, user: int) -> Seated | RowChanged | None:
    if table.in_lobby and user == table.row.opener and table.row.heir is not None:
        return RowChanged(TableChange(heir=None, heir_due=None))
    seat = table.seat_of(user)
    if seat is None or user not in table.lapsed:
        return None
    return Seated(seat_rules.take_back(table.seats, seat), silent=True)


def back(table: TableSnapshot, seat: Seat, at: Moment) -> Change:
    """Give a person their seat back from the caretaker, and wake a table that sleeps. Raises `UserError`."""
    moves.check_playing(table)
    if table.seats[seat].user is None:
        raise UserError(_("You no longer have a seat at this table."))
    if not table.seats[seat].caretaker:
        raise UserError(_("You're already back: no computer is playing for you."))
    seats = seat_rules.take_back(table.seats, seat)
    if (woken := moves.clock_shift(table, at)) is not None:
        return moves.Played((replace(woken, seats=seats),), used_at=at)
    return _settled(table, seats, at)


def leave(table: TableSnapshot, seat: Seat, at: Moment) -> Seated:
    """Give a seat to the caretaker. If every place is certain then, and no person is left to play, the game ends as it
    is. Raises `UserError`.
    """
    moves.check_playing(table)
    seats = table.with_forfeits(seat_rules.leave(table.seats, seat))
    if table.ranked and seat_rules.decided(seats) and seat_rules.deserted(seats):
        return closed(table, lambda: _(EVERYBODY_LEFT), at, seats)
    settled = _settled(table, seats, at, table.agreements.after_leave(seat))
    return endings.conclude(table, at, settled.seats) or settled


async def forget(table: Table, user: int, at: Moment) -> None:
    """Delete a user's data from the table; if no person could return, it ends. Raises `StoreError`."""

    def left(present: TableSnapshot) -> Change | None:
        seat = present.seat_of(user)
        return leave(present, seat, at) if present.playing and seat is not None else None

    await table.erase(user, left, lambda present: closed(present, lambda: _("Everyone left."), at))


def fall_asleep(table: TableSnapshot, at: Moment) -> Seated | None:
    """Put a table to sleep that was deserted when tables did not sleep yet."""
    return _settled(table, table.seats, at) if table.asleep else None


def give_up(table: TableSnapshot, at: Moment) -> Change | None:
    """End a game that has waited for people for too long. None if it is too early."""
    waits = table.asleep or (table.playing and table.alone and table.earliest is None)
    if not waits or table.paused or table.row.due is None or table.row.due > at:
        return None
    if table.asleep and table.ranked and seat_rules.decided(table.seats):
        return closed(table, lambda: _(EVERYBODY_LEFT), at)
    return closed(table, lambda: _("No one came back for {duration}.", duration=duration(SLEEPS_FOR_MS)), at)


def close_blocked(table: TableSnapshot, at: Moment) -> Change | None:
    """End a table in whose channel the bot may not write for too long. None if it is too early."""
    since = table.row.blocked_at
    if table.ended or since is None or at - since < BLOCKED_CLOSES_MS:
        return None
    return closed(table, lambda: _("I couldn't post here for {duration}.", duration=duration(BLOCKED_CLOSES_MS)), at)


def _settled(table: TableSnapshot, seats: seat_rules.Seats, at: Moment, agreements: Agreements | None = None) -> Seated:
    """Return the change to these seats, and what follows: the table falls asleep or wakes up, and a player is pardoned
    if all opponents who are still there have agreed.
    """
    change = TableChange()
    seats = table.with_forfeits(seats)
    if seat_rules.deserted(seats) and table.row.slept_at is None:
        change = TableChange(slept_at=at, due=Moment(at + SLEEPS_FOR_MS))
    elif table.row.slept_at is not None and not seat_rules.deserted(seats):
        without = Moment(at + SLEEPS_FOR_MS) if table.alone else None
        due = min((deadline.due for deadline in table.position.clocks), default=without)
        change = TableChange(slept_at=None, due=due)
    agreements = (agreements or table.agreements).after_absence(table.seats, seats)
    if agreements != table.agreements:
        change = replace_fields(change, agreements=agreements.stored())
    return endings.granted(table, agreements, seats, change) or Seated(seats, change)
