"""Decisions about a game: how it begins, moves of people and computers, and clocks that run out or are put back."""

import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.text_format import duration, span
from cogs.core.tables import seat_rules
from cogs.core.tables.changes import Played, RowChanged, Step
from cogs.core.tables.snapshot import TableSnapshot
from data.store import TableChange
from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import Action, ClockShift, Expire, Moment, Seat, View


def begin(table: TableSnapshot, material: Any, at: Moment) -> Played:
    """Begin the game with a new secret seed, whose hash is public from now on. Raises `UserError`."""
    game, people = table.game, len(table.seats)
    if not table.in_lobby:
        raise UserError("This game has already begun.")
    if people not in game.player_counts:
        raise UserError(f"{game.title} takes {span(game.player_counts)} players; {people} sit here.")
    seed = secrets.token_bytes(SEED_BYTES)
    events = game.setup(people, table.options, material, at, Chance(seed, str(table.id), 0))
    # One call of the store stores all of it: two processes never begin a game with two seeds.
    options = msgspec.json.encode(table.options).decode()
    row = TableChange(seed=seed, commitment=commitment(seed), started_at=at, rules=game.rules_version, options=options)
    if game.unranked(table.options):
        row = msgspec.structs.replace(row, casual=True)
    step = Step(None, None, at, events, game.fold(events), table.seats)
    return Played((step,), row, used_at=at, notice=None)


def move(
    table: TableSnapshot, seat: Seat, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None
) -> Played:
    """Make a person's move, unless their control is no longer `fresh` for the seat's present view. They get their seat
    back from a caretaker, and a table that sleeps wakes up. Raises `Refusal`, `StaleControl` or `UserError`.
    """
    _check_playing(table)
    if table.seats[seat].user is None:
        raise UserError("You do not sit at this table any more.")
    if fresh is not None and not fresh(table.view(seat)):
        raise StaleControl
    woken = clock_shift(table, at)
    if woken is None:
        steps: tuple[Step, ...] = (_step(table, table.state, table.version, seat, action, at),)
    else:
        steps = woken, _step(table, woken.state, table.version + len(woken.events), seat, action, at)
    return Played(steps, used_at=at, notice=None)


def play(table: TableSnapshot, seat: Seat, action: Action, version: int, at: Moment) -> Played:
    """Make the move that a computer planned at event `version`. Raises `Refusal`, or `StaleControl` if the game has
    moved on, the table sleeps, or the seat is a person's again.
    """
    _check_playing(table)
    if table.version != version or table.asleep or not seat_rules.played_by_bot(table.seats[seat]):
        raise StaleControl
    return Played((_step(table, table.state, version, seat, action, at, person=False),), by_person=False, used_at=at)


def expire(table: TableSnapshot, deadline: str, at: Moment) -> Played:
    """Let a deadline expire. Raises `StaleControl` if it is not due, and `Refusal`."""
    _check_playing(table)
    if not any(one.id == deadline and one.due <= at for one in table.deadlines):
        raise StaleControl
    return Played((_step(table, table.state, table.version, None, Expire(deadline), at),), by_person=False, used_at=at)


def make_up_for(table: TableSnapshot, away_ms: int, since: tuple[int, Moment | None], at: Moment) -> Played | None:
    """Extend the running clocks by the time that the bot was away, and say so on the table message.

    Also done if no clock runs, since a game may count time otherwise, such as how long a window has been open. None if
    no time was lost, no game is in progress, the table sleeps (its clocks are put back when it wakes), or another
    process has done it: then the table's run and pause differ from `since`.
    """
    if not table.playing or table.asleep or away_ms <= 0 or (table.row.run, table.row.paused_at) != since:
        return None
    step = _step(table, table.state, table.version, None, ClockShift(away_ms), at)
    told = f"The bot was away for {duration(away_ms)}; running clocks were extended by as much."
    return Played((step,), by_person=False, used_at=at, notice=told if table.deadlines else msgspec.UNSET)


def unpause(table: TableSnapshot, away_ms: int) -> RowChanged | None:
    """Restart the clocks of a paused table, extended by the time that they were stopped."""
    if not table.paused:
        return None
    due = table.row.due if table.row.due is None else Moment(table.row.due + away_ms)
    return RowChanged(TableChange(due=due, paused_at=None))


def clock_shift(table: TableSnapshot, at: Moment) -> Step | None:
    """Return the step that extends the clocks of a sleeping table by the time that it slept; None if it is awake."""
    slept_at = table.row.slept_at
    delay = ClockShift(0 if slept_at is None else at - slept_at)
    if not table.asleep or delay.by_ms <= 0:
        return None
    return _step(table, table.state, table.version, None, delay, at, counts=False)


def _check_playing(table: TableSnapshot) -> None:
    if not table.playing:
        raise UserError("This game is over.")


def _step(
    table: TableSnapshot,
    state: Any,
    number: int,
    seat: Seat | None,
    action: Action,
    at: Moment,
    *,
    person: bool = True,
    counts: bool = True,
) -> Step:
    """Decide an action at a state whose next event has this number. `counts`: it counts timeouts. Raises `Refusal`."""
    assert table.row.seed is not None
    events = table.game.decide(state, seat, action, at, Chance(table.row.seed, str(table.id), number))
    seats = table.seats
    if seat is not None:
        seats = seat_rules.record_move(seats, seat, action, person=person)
    elif counts:
        seats = seat_rules.count_timeouts(seats, events)
    return Step(seat, action, at, events, table.game.fold(events, state), seats)
