"""Decisions about a game, and the change that they make: how it begins, moves of people and computers, and clocks that
run out or are put back.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.text_format import duration, span
from cogs.core.pages.display_names import game_title
from cogs.core.tables import seat_rules
from cogs.core.tables.changes import SLEEPS_FOR_MS, Change, RowChanged, Take
from cogs.core.tables.snapshot import BLOCKED_FOR_MS, CHANNEL_CAUSES, Position, TableSnapshot
from data.store import ResultRow, Store, TableChange
from data.store.games import NewDecision
from data.store.rows import NO_CHANGE, Cause
from engine.chance import SEED_BYTES, Chance, commitment
from engine.contract import Action, ClockShift, Event, Expire, Moment, Seat, View, to_json

_AWAY: Mapping[Cause | None, str] = {
    None: N_("I was offline for {duration}. Running clocks got that time back."),
    "server": N_("I was offline for {duration}. Running clocks got that time back."),
    "connection": N_("I lost my connection to Discord for {duration}. Running clocks got that time back."),
    "api": N_("Discord didn't answer me for {duration}. Running clocks got that time back."),
    "timeout": N_("I was timed out on this server for {duration}. Running clocks got that time back."),
    "locked": N_("This thread was locked for {duration}. Running clocks got that time back."),
    "permissions": N_("I couldn't post here for {duration}. Running clocks got that time back."),
}
"""Why a table could not be played, after it."""

BLOCKED: Mapping[Cause | None, str] = {
    "timeout": N_("A moderator timed me out on this server, so no one can move. Nothing was done."),
    "locked": N_("This thread is locked, so no one can move. Nothing was done."),
    "permissions": N_("I can no longer post in this channel, so no one can move. Nothing was done."),
}
"""Why a move is refused while the bot may not write in the channel."""

OVER = N_("This game is over.")


@dataclass(frozen=True)
class Step:
    """One action by a `seat` (None: the clock), with what follows from it. The setup has no `action`."""

    seat: Seat | None
    action: Action | None
    at: Moment
    events: Sequence[Event]
    state: Any
    seats: seat_rules.Seats
    view: View | None = None  # what the public sees after it, if that is known


@dataclass(frozen=True)
class Played(Change):
    """The game goes on by one or more steps; the `row` is changed with the first. Clocks that are paused stay so from
    the last step on, unless it `resumes`.
    """

    steps: tuple[Step, ...]
    row: TableChange = NO_CHANGE
    resumes: bool = False

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store each step with its events, and what follows from it: results, clocks, and who has forfeited."""
        game, change = table.game, self.row
        for step in self.steps:
            at, seats = step.at, step.seats
            outcome, clocks = game.outcome(step.state), game.deadlines(step.state)
            over = outcome is not None
            paused_at = None if self.resumes or over else table.row.paused_at
            if not self.private and (any(row.caretaker for row in seats) or table.row.agreements is not None):
                seats = table.with_forfeits(seats)
                change = _with_agreements(table, step, seats, change)
            asleep = seat_rules.deserted(seats)
            due = min((clock.due for clock in clocks), default=None)
            if asleep or (due is None and table.alone):
                due = Moment(at + SLEEPS_FOR_MS)  # no clock ends the game, so it is ended after a while
            results: tuple[ResultRow, ...] = ()
            if outcome is not None:
                results = table.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
            row = await store.games.append(
                table.id,
                NewDecision(
                    number=table.version,
                    seat=step.seat,
                    at=at,
                    action=None if step.action is None else to_json(step.action),
                    events=[to_json(event) for event in step.events],
                    due=None if over else due,
                    status="over" if over else "playing",
                    ended_at=at if over else None,
                    results=results,
                    seats={} if seats is table.seats else seat_rules.changes(table.seats, seats),
                    slept_at=at if asleep and not over else None,
                    paused_at=None if paused_at is None else max(paused_at, at),
                    change=change,
                    revision=table.row.revision,
                    private=self.private,
                ),
            )
            views: dict[Seat | None, View] = {} if step.view is None else {None: step.view}
            position = Position(step.state, table.version + len(step.events), clocks, views, at=at)
            table = table.after(row, seats, position, results, self.notice)
            take(table)
            change = NO_CHANGE


def _with_agreements(table: TableSnapshot, step: Step, seats: seat_rules.Seats, change: TableChange) -> TableChange:
    """Return the change of a table's row, with what a step changes of its agreements."""
    before = table.agreements
    after = before.after_absence(table.seats, seats)
    if step.seat is not None and step.action is not None:
        after = after.after_move(step.seat, step.action, seats)
    elif isinstance(step.action, Expire):
        after = after.after_clock()
    return change if after == before else msgspec.structs.replace(change, agreements=after.stored())


def begin(table: TableSnapshot, material: Any, at: Moment) -> Played:
    """Begin the game with a new secret seed, whose hash is public from now on. Raises `UserError`."""
    game, people = table.game, len(table.seats)
    if not table.in_lobby:
        raise UserError(_("This game has already started."))
    check_not_blocked(table)
    if people not in game.player_counts:
        wanted = span(game.player_counts)
        raise UserError(
            ngettext(
                "{game} takes {wanted} players. There's {n} here.",
                "{game} takes {wanted} players. There are {n} here.",
                people,
                game=game_title(game),
                wanted=wanted,
            )
        )
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
    back from a caretaker, and a table that sleeps wakes up. Clocks that are paused stay so from now on. Raises
    `Refusal`, `StaleControl` or `UserError`.

    A move that nobody else may notice, such as a right call or a note, changes nothing else: a caretaker keeps the
    seat, the table sleeps on, and the notice stays.
    """
    if not table.playing:
        raise UserError(_(OVER))
    if table.blocked:
        check_not_blocked(table)
    if table.seats[seat].user is None:
        raise UserError(_("You no longer have a seat at this table."))
    if fresh is not None and not fresh(table.view(seat)):
        raise StaleControl
    woken = None if table.stopped_at is None else clock_shift(table, at)
    if woken is None:
        step = _step(table, seat, action, at)
        if step.view == table.view(None):
            return _private(table, step, at)
        steps: tuple[Step, ...] = (step,)
    else:
        step = _step(table, seat, action, at, Position(woken.state, table.version + len(woken.events), ()))
        if step.view == woken.view:
            since = table.row.slept_at or at  # for the game, no time has passed since
            return _private(table, _step(table, seat, action, since), at)
        steps = woken, step
    return Played(steps, used_at=at, notice=None)


def _private(table: TableSnapshot, step: Step, at: Moment) -> Played:
    """Return a move of a person who counts as absent as before."""
    assert step.seat is not None and step.action is not None
    seats = seat_rules.record_move(table.seats, step.seat, step.action)
    return Played((replace(step, seats=seats),), used_at=at, private=True)


def play(table: TableSnapshot, seat: Seat, action: Action, version: int, at: Moment) -> Played:
    """Make the move that a computer planned at event `version`. Raises `Refusal`, `UserError` if the game is over, or
    `StaleControl` if it has moved on, its clocks are stopped, or the seat is a person's again.
    """
    if not table.playing:
        raise UserError(_(OVER))
    if table.version != version or table.asleep or table.paused or seat not in table.bots:
        raise StaleControl
    return Played((_step(table, seat, action, at, person=False),), by_person=False, used_at=at)


def expire(table: TableSnapshot, deadline: str, at: Moment) -> Played:
    """Expire a deadline. Raises `StaleControl` if it is not due, `UserError` if the game is over, and `Refusal`."""
    if not table.playing:
        raise UserError(_(OVER))
    if not any(one.id == deadline and one.due <= at for one in table.deadlines):
        raise StaleControl
    return Played((_step(table, None, Expire(deadline), at),), by_person=False, used_at=at)


def make_up_for(table: TableSnapshot, away_ms: int, since: tuple[int, Moment | None], at: Moment) -> Played | None:
    """Extend the running clocks by the time in which nobody could play, and say so on the table message.

    Also done if no clock runs, since a game may count time otherwise, such as how long a window has been open. None if
    no time was lost, no game is in progress, the table sleeps (its clocks are put back when it wakes), or another
    process has done it: then the table's run and pause differ from `since`.
    """
    if not table.playing or table.asleep or away_ms <= 0 or (table.row.run, table.row.paused_at) != since:
        return None
    step = _shift(table, Moment(at - away_ms), at)

    def told() -> str:
        return _(_AWAY[cause], duration=duration(away_ms))

    cause, notice = table.row.paused_by, told if table.position.clocks else msgspec.UNSET
    change = TableChange(paused_by=None) if table.paused else NO_CHANGE
    return Played((step,), change, resumes=True, by_person=False, used_at=at, notice=notice)


def postpone(table: TableSnapshot, away_ms: int, since: tuple[int, Moment | None]) -> RowChanged | None:
    """Extend the clock of a lobby or an empty table by the time in which nobody could play, unless it was done."""
    if table.row.due is None or away_ms <= 0 or (table.row.run, table.row.paused_at) != since:
        return None
    return RowChanged(_postponed(table, away_ms), by_person=False)


def _postponed(table: TableSnapshot, away_ms: int) -> TableChange:
    """Return the change by which the clocks of a lobby or an empty table run out later."""
    row = table.row
    change = TableChange(due=None if row.due is None else Moment(row.due + away_ms))
    if row.heir_due is not None:
        change = msgspec.structs.replace(change, heir_due=Moment(row.heir_due + away_ms))
    return change


def pause(table: TableSnapshot, since: Moment, cause: Cause, at: Moment) -> RowChanged | None:
    """Stop the clocks of an open table that can no longer be played, or change the reason. `since`: the last moment at
    which it certainly could be; what happened later was in time.
    """
    row = table.row
    if table.ended or (table.paused and row.paused_by == cause):
        return None
    since = max(since, table.position.at)
    change = TableChange(paused_at=since if row.paused_at is None else row.paused_at, paused_by=cause)
    if cause in CHANNEL_CAUSES:
        change = msgspec.structs.replace(change, blocked_at=since if row.blocked_at is None else row.blocked_at)
    elif row.blocked_at is not None:
        change = msgspec.structs.replace(change, blocked_at=None, blocked_ms=blocked_ms(table, at))
    return RowChanged(change, by_person=False)


def blocked_ms(table: TableSnapshot, at: Moment) -> int:
    """Return for how long in all a table has been paused since the bot may not write in its channel."""
    row = table.row
    now = at - row.blocked_at if table.blocked and row.blocked_at is not None else 0
    return min(row.blocked_ms + now, BLOCKED_FOR_MS)


def note_block(table: TableSnapshot, since: Moment | None, at: Moment) -> RowChanged | None:
    """Note for how long the bot may not write in a table's channel, and since when (None: it may) while that does not
    pause the table any more.
    """
    blocked_at = since if since is None or table.row.blocked_at is None else table.row.blocked_at
    used = blocked_ms(table, at)
    if table.ended or (blocked_at, used) == (table.row.blocked_at, table.row.blocked_ms):
        return None
    return RowChanged(TableChange(blocked_at=blocked_at, blocked_ms=used), by_person=False)


def unpause(table: TableSnapshot, away_ms: int) -> RowChanged | None:
    """Restart the clocks of a paused table, extended by the time that they were stopped."""
    if table.row.paused_at is None:
        return None
    change = msgspec.structs.replace(_postponed(table, away_ms), paused_at=None, paused_by=None)
    if table.asleep and table.row.slept_at is not None:  # its clocks have stood still since the earlier of both
        change = msgspec.structs.replace(change, slept_at=min(table.row.slept_at, table.row.paused_at))
    return RowChanged(change, by_person=False)


def clock_shift(table: TableSnapshot, at: Moment) -> Step | None:
    """Return the step that extends the clocks of a table that sleeps or is paused by the time that they have stood
    still; None if they run.
    """
    if not table.playing or table.stopped_at is None or table.stopped_at >= at:
        return None
    return _shift(table, table.stopped_at, at, counts=False)


def _shift(table: TableSnapshot, since: Moment, at: Moment, *, counts: bool = True) -> Step:
    """Return the step that extends the clocks by the time since a moment; a window that was open then opens again."""
    opened = table.game.window_at(table.state, since)
    by_ms = at - since if opened is None else at - opened
    return _step(table, None, ClockShift(by_ms), at, counts=counts)


def check_playing(table: TableSnapshot) -> None:
    """Raise `UserError` unless a game is in progress."""
    if not table.playing:
        raise UserError(_("No game is in progress at this table."))


def check_not_blocked(table: TableSnapshot) -> None:
    """Raise `UserError` if nobody may move, since the bot may not write in the channel."""
    if table.blocked:
        raise UserError(_(BLOCKED[table.row.paused_by]))


def _step(
    table: TableSnapshot,
    seat: Seat | None,
    action: Action,
    at: Moment,
    since: Position | None = None,
    *,
    person: bool = True,
    counts: bool = True,
) -> Step:
    """Decide an action at a position (None: the present one). `counts`: it counts timeouts. Raises `Refusal`."""
    assert table.row.seed is not None
    state, number = (table.state, table.version) if since is None else (since.state, since.version)
    events = table.game.decide(state, seat, action, at, Chance(table.row.seed, str(table.id), number))
    seats = table.seats
    if seat is not None:
        seats = seat_rules.record_move(seats, seat, action, person=person)
    elif counts:
        seats = seat_rules.count_timeouts(seats, events)
    after = table.game.fold(events, state)
    return Step(seat, action, at, events, after, seats, table.game.view(after, None))
