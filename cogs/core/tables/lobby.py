"""Decisions in a lobby: joining and leaving before a game, and its options."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from cogs.core.i18n.translation import N_, Words, _, ngettext, public_label
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import duration, listed
from cogs.core.tables.changes import Change, Reseated, RowChanged, closed
from cogs.core.tables.options import asks_clock, dump_options, option_fields
from cogs.core.tables.snapshot import TableSnapshot
from data.store import SeatRow, TableChange, TableRow, user_list, users_in
from data.store.rows import NO_CHANGE
from engine.contract import Moment, Options
from engine.players import LEVELS, Level

CLOSES_AFTER_MS, SLOW_CLOSES_AFTER_MS = 15 * 60_000, 3 * 86_400_000
"""A lobby in which nothing happens is closed after this long, later if the game will be a slow one."""

TAKES_OVER_MS, SLOW_TAKES_OVER_MS = 2 * 60_000, 12 * 3_600_000
"""A player who asks becomes the host after this long without a sign of the host."""

SLOW_CLOCK_S = 3_600
"""With a turn clock this long, or without one, a game is slow: its players look in now and then."""

LEVEL_NAMES: dict[Level, str] = {Level.TRAINEE: N_("Trainee"), Level.MASTER: N_("Master")}
"""The names that players see."""

LEVEL_WORDS: dict[Level, str] = {
    Level.TRAINEE: N_("plays for fun and makes mistakes"),
    Level.MASTER: N_("thinks ahead and plays to win"),
}
"""How each level plays, after its name."""

JOIN_FIRST = N_("Press *{join}* to take a seat.")
"""What a person without a seat can do."""

WITHDRAW_FIRST = N_("Withdraw an invite first.")
"""What a host can do about a seat that is reserved."""

CHANGES_OPTIONS = N_("Only {host}, the host, can change the options.")
STARTS_GAME = N_("Only {host}, the host, can start the game.")
"""Why others cannot; see `check_opener`."""

NOT_SEATED_ANY_MORE = N_("That player is no longer at this table.")
"""Why nothing can be done about a player of an earlier page."""


def check_open(table: TableSnapshot) -> None:
    """Raise `UserError` unless the table is in its lobby."""
    if table.row.status == "closed":
        raise UserError(_("This table is closed. `/play` opens a new one."))
    if table.row.status == "over":
        raise UserError(_("This game is over. Press *{rematch}* to play again.", rematch=public_label("Rematch")))
    if not table.in_lobby:
        raise UserError(_("This game has already started."))


def check_opener(table: TableSnapshot, user: int, only_host: str) -> None:
    """Raise `UserError` unless the table is in its lobby and this user is the host. `only_host`: the marked sentence
    that says so, with the `host` in braces.
    """
    check_open(table)
    if user != table.row.opener:
        refused = _(only_host, host=f"<@{table.row.opener}>")
        raise UserError(
            refused if table.seat_of(user) is not None else f"{refused} {_(JOIN_FIRST, join=public_label('Join'))}"
        )


def expected(table: TableSnapshot) -> tuple[int, ...]:
    """Return the invited users who do not sit here yet: a seat is reserved for each."""
    return tuple(user for user in users_in(table.row.invited) if table.seat_of(user) is None)


def free_seats(table: TableSnapshot, user: int | None = None) -> int:
    """Return how many seats are neither taken nor reserved; for an invited user, also those that are reserved."""
    free = table.game.player_counts[-1] - len(table.seats)
    return free if user in users_in(table.row.invited) else max(0, free - len(expected(table)))


def is_full(table: TableSnapshot) -> bool:
    """Return True if every seat is taken."""
    return len(table.seats) >= table.game.player_counts[-1]


def can_join(table: TableSnapshot, user: int) -> bool:
    """Return True if a user could join now."""
    shut_out = not table.in_lobby or table.seat_of(user) is not None or user in users_in(table.row.kicked)
    return not shut_out and free_seats(table, user) > 0


def named(users: Iterable[int]) -> str:
    """Return these users as mentions in a list."""
    return listed(f"<@{user}>" for user in users)


def begins_when_full(table: TableSnapshot) -> bool:
    """Return True if the game begins as soon as its last seat is taken: at a table with computer players, and at one
    where a game takes days, since its host looks in now and then.
    """
    return table.begin_options.clock >= SLOW_CLOCK_S or any(row.level is not None for row in table.seats)


def begins_by_itself(table: TableSnapshot, joined: int) -> bool:
    """Return True if the game begins with the user who has just joined, since the last seat was reserved for them or
    the table `begins_when_full`.
    """
    return is_full(table) and (joined in users_in(table.row.invited) or begins_when_full(table))


def _kept_seats(table: TableSnapshot) -> str:
    waited = expected(table)
    return ngettext(
        "The last seat is reserved for {guests}.",
        "The last {n} seats are reserved for {guests}.",
        len(waited),
        guests=named(waited),
    )


def _person(user: int, name: str) -> SeatRow:
    return SeatRow(seat=0, user=user, name=name)


def join(table: TableSnapshot, user: int, name: str, at: Moment) -> Change:
    """Seat a user. Raises `UserError`."""
    check_open(table)
    if table.seat_of(user) is not None:
        raise UserError(_("You already have a seat at this table."))
    if user in users_in(table.row.kicked):
        raise UserError(_("You were kicked. You can join again if the host or a moderator invites you."))
    if is_full(table):
        raise UserError(_("This table is full. Open your own, or wait for a rematch."))
    if not free_seats(table, user):
        raise UserError(_kept_seats(table))
    return _reseated(table, at, [*table.seats, _person(user, name)])


def sit_as_before(table: TableSnapshot, before: Iterable[SeatRow]) -> Reseated | None:
    """Seat the players of a rematch as they sat `before`, with the same marks and colours. Raises `UserError`."""
    check_open(table)
    order = {_sitting(row): row.seat for row in before}
    seats = sorted(table.seats, key=lambda row: order.get(_sitting(row), len(order)))
    return None if seats == list(table.seats) else Reseated(seats)


def _sitting(row: SeatRow) -> tuple[int | None, str]:
    """Return what identifies a player: a person's user id, or a computer player's name."""
    return row.user, row.name if row.user is None else ""


def decline(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Decline an invitation. Raises `UserError`."""
    check_open(table)
    if user not in expected(table):
        raise UserError(_("You have no invite here. Press *{join}* to take a free seat.", join=public_label("Join")))
    change = TableChange(invited=_without(table.row.invited, user))
    return _changed(table, at, change, notice=lambda: _("{player} declined the invite.", player=f"<@{user}>"))


def forget_guest(table: TableSnapshot, user: int) -> RowChanged | None:
    """Free the seat that is reserved for a user who is no longer on the server."""
    if not table.in_lobby or user not in users_in(table.row.invited):
        return None
    return RowChanged(TableChange(invited=_without(table.row.invited, user)), by_person=False)


def invite(table: TableSnapshot, user: int, whom: int, bot: bool, at: Moment, moderator: bool = False) -> Change:
    """Reserve a seat for a user, who must not be a `bot`, and who can join again if they were removed. Only the host
    and moderators can. Raises `UserError`.
    """
    if not moderator:
        check_opener(table, user, N_("Only {host}, the host, can invite players."))
    check_open(table)
    if bot:
        raise UserError(_("Bots can't play. Add a computer player with *{manage}*.", manage=public_label("Manage")))
    if table.seat_of(whom) is not None:
        raise UserError(_("{player} is already at this table.", player=f"<@{whom}>"))
    if whom in expected(table):
        raise UserError(_("{player} is already invited.", player=f"<@{whom}>"))
    if is_full(table):
        raise UserError(_("This table is full, so no seat can be reserved."))
    if not free_seats(table):
        raise UserError(f"{_kept_seats(table)} {_(WITHDRAW_FIRST)}")
    invited = user_list((*users_in(table.row.invited), whom))
    return _changed(table, at, TableChange(invited=invited, kicked=_without(table.row.kicked, whom)), notice=None)


def kick(table: TableSnapshot, user: int, whom: int, at: Moment) -> Change:
    """Remove a player, who needs an invitation to join again. Only the host can. Raises `UserError`."""
    check_opener(table, user, N_("Only {host}, the host, can kick players."))
    if whom == user:
        raise UserError(_("You can't kick yourself. Press *Leave* to give up your seat."))
    if table.seat_of(whom) is None:
        raise UserError(_(NOT_SEATED_ANY_MORE))
    row = table.row
    change = TableChange(invited=_without(row.invited, whom), kicked=user_list((*users_in(row.kicked), whom)))
    rest = [seat for seat in table.seats if seat.user != whom]
    return _reseated(table, at, rest, _without_heir(change) if row.heir == whom else change)


def _without(users: str, user: int) -> str:
    return user_list(one for one in users_in(users) if one != user)


def _without_heir(change: TableChange) -> TableChange:
    """Return a change after which nobody asks to become the host."""
    return msgspec.structs.replace(change, heir=None, heir_due=None)


def leave(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Leave the lobby. The next person becomes host; without people the table closes. Raises `UserError`."""
    check_open(table)
    if table.seat_of(user) is None:
        raise UserError(_("You have no seat at this table."))
    rest = [row for row in table.seats if row.user != user]
    people = [row.user for row in rest if row.user is not None]
    if not people:
        return closed(table, lambda: _("Everyone left."), at)
    if table.row.opener != user:
        return _reseated(table, at, rest, _without_heir(NO_CHANGE) if table.row.heir == user else NO_CHANGE)
    heir = table.row.heir if table.row.heir in people else people[0]
    return _reseated(table, at, rest, _host(heir), notice=None)  # it may name the host who has left


def _host(user: int) -> TableChange:
    """Return the change that makes a user the host."""
    return _without_heir(TableChange(opener=user))


def take_over(table: TableSnapshot, user: int, at: Moment, moderator: bool) -> Change:
    """Make a moderator the host at once; another player becomes it soon, unless the host does anything at the table
    before. Raises `UserError`.
    """
    check_open(table)
    row, seat = table.row, table.seat_of(user)
    if user == row.opener:
        raise UserError(_("You're already the host."))
    if moderator:
        return _changed(table, at, _host(user), notice=lambda: _("{player} is now the host.", player=f"<@{user}>"))
    if seat is None:
        raise UserError(
            _("Only players and moderators can become host. Press *{join}* to take a seat.", join=public_label("Join"))
        )
    if row.heir is not None:
        if row.heir == user:
            raise UserError(_("You've already asked. The table shows when you become host."))
        heir = f"<@{row.heir}>"
        raise UserError(_("{player} has already asked. The table shows when they become host.", player=heir))
    due = Moment(at + (SLOW_TAKES_OVER_MS if is_slow(table.begin_options) else TAKES_OVER_MS))
    return _changed(table, at, TableChange(heir=user, heir_due=due))


def reopen(table: TableSnapshot, user: int, at: Moment, moderator: bool) -> Change:
    """Open a closed lobby again. Only those who had a seat, its host and moderators can. Raises `UserError`."""
    if not can_reopen(table):
        raise UserError(_("This table can't be reopened.") if table.ended else _("This table is already open."))
    seated = table.seat_of(user) is not None
    if not (seated or moderator or user == table.row.opener):
        raise UserError(_("Only players who had a seat can reopen it. `/play` opens a new table."))
    host = user if table.seat_of(table.row.opener) is None else table.row.opener
    change = msgspec.structs.replace(_host(host), status="lobby", ended_at=None)
    return _changed(table, at, change, notice=None)


def can_reopen(table: TableSnapshot) -> bool:
    """Return True if a table was closed before its game began. A rematch is offered again by the game before."""
    row = table.row
    return row.status == "closed" and row.started_at is None and not table.practice and row.rematch_of is None


def add_bot(table: TableSnapshot, user: int, level: str, at: Moment) -> Change:
    """Seat a computer player. Only the host can. Raises `UserError`."""
    check_opener(table, user, N_("Only {host}, the host, can add computers."))
    chosen: Level | None = next((known for known in LEVELS if known == level), None)
    if chosen is None:
        levels = ", ".join(_(LEVEL_NAMES[known]) for known in LEVELS)
        raise UserError(_("There's no computer called `{name}`. Choose one of: {levels}.", name=level, levels=levels))
    if is_full(table):
        raise UserError(_("This table is full."))
    if not free_seats(table):
        raise UserError(f"{_kept_seats(table)} {_(WITHDRAW_FIRST)}")
    name = _bot_name(chosen, table.seats)
    return _reseated(table, at, [*table.seats, SeatRow(seat=0, user=None, name=name, level=chosen)])


def _bot_name(level: Level, seats: Iterable[SeatRow]) -> str:
    taken = {row.name for row in seats}
    base = LEVEL_NAMES[level]
    return next(name for name in (base, *(f"{base} {n}" for n in range(2, 9))) if name not in taken)


def drop_bot(table: TableSnapshot, user: int, at: Moment) -> Change:
    """Remove the last computer player. Only the host can. Raises `UserError`."""
    check_opener(table, user, N_("Only {host}, the host, can remove computers."))
    bots = [row for row in table.seats if row.level is not None]
    if not bots:
        raise UserError(_("There's no computer at this table."))
    return _reseated(table, at, [row for row in table.seats if row is not bots[-1]])


def withdraw(table: TableSnapshot, user: int, whom: int | None, at: Moment) -> Change:
    """Withdraw the invite of one user (None: of all who do not sit here). Only the host can. Raises `UserError`."""
    check_opener(table, user, N_("Only {host}, the host, can withdraw invites."))
    waited = expected(table)
    if not waited:
        raise UserError(_("No seat is reserved."))
    if whom is not None and whom not in waited:
        raise UserError(_("{player} has no open invite.", player=f"<@{whom}>"))
    gone = waited if whom is None else (whom,)
    rest = user_list(one for one in users_in(table.row.invited) if one not in gone)
    return _changed(table, at, TableChange(invited=rest))


def set_option(table: TableSnapshot, user: int, name: str, value: str, at: Moment) -> Change:
    """Set an option to a value, given as text. Only the host can. Raises `UserError`."""
    check_opener(table, user, CHANGES_OPTIONS)
    known = next((entry for entry in option_fields(table.game.options) if entry.name == name), None)
    chosen = next((v for v in (known.values if known else ()) if str(v) == value), None)
    if chosen is None:
        raise UserError(
            _("That option no longer exists. *{manage}* shows the current ones.", manage=public_label("Manage"))
        )
    options = msgspec.structs.replace(table.options, **{name: chosen})
    asked = name == "clock" or asks_clock(table.row)
    change = TableChange(options=dump_options(options, clock=asked), due=closes_at(options, at))
    return RowChanged(change, used_at=at)


def hand_over(table: TableSnapshot, user: int, new_host: int, at: Moment) -> Change:
    """Make another player host. Only the host can. Raises `UserError`."""
    check_opener(table, user, N_("Only {host}, the host, can make someone else host."))
    if table.seat_of(new_host) is None:
        raise UserError(_(NOT_SEATED_ANY_MORE))
    return _changed(table, at, _host(new_host), notice=None)  # it may name the host before


def cancel(table: TableSnapshot, user: int, at: Moment, moderator: bool = False) -> Change:
    """Close the lobby. Only the host and moderators can. Raises `UserError`."""
    check_open(table)
    if not moderator:
        check_opener(table, user, N_("Only {host}, the host, can close this table."))
    return closed(table, lambda: _("{player} closed it.", player=f"<@{user}>"), at)


def expire(table: TableSnapshot, at: Moment) -> Change | None:
    """Make a player the host who asked in vain, or close a lobby in which no game has begun in time."""
    row = table.row
    if not table.in_lobby or table.paused or not any(due is not None and due <= at for due in (row.due, row.heir_due)):
        return None
    if row.heir is not None and row.heir_due is not None and row.heir_due <= at:
        if table.seat_of(row.heir) is None:
            return RowChanged(_without_heir(NO_CHANGE), by_person=False)

        def notice() -> str:
            heir, host = f"<@{row.heir}>", f"<@{row.opener}>"
            return _("{heir} is now the host, because {host} didn't respond.", heir=heir, host=host)

        return RowChanged(_host(row.heir), by_person=False, notice=notice)
    waited_ms = _closes_after_ms(table.begin_options)
    return closed(table, lambda: _("No game started within {duration}.", duration=duration(waited_ms)), at)


def hidden_rematch_of(row: TableRow) -> int | None:
    """Return the table before, if this is a rematch that still waits for those who played there: it has no message of
    its own yet.
    """
    return row.rematch_of if row.status == "lobby" and row.message is None else None


def is_slow(options: Options) -> bool:
    """Return True if players of a game with these options look in now and then."""
    return options.clock == 0 or options.clock >= SLOW_CLOCK_S


def closes_at(options: Options, at: Moment) -> Moment:
    """Return when a lobby closes in which nothing happens from a moment on."""
    return Moment(at + _closes_after_ms(options))


def _closes_after_ms(options: Options) -> int:
    return SLOW_CLOSES_AFTER_MS if is_slow(options) else CLOSES_AFTER_MS


def _reseated(
    table: TableSnapshot,
    at: Moment,
    seats: Sequence[SeatRow],
    change: TableChange = NO_CHANGE,
    notice: Words | UnsetType | None = UNSET,
) -> Reseated:
    """Return the change that seats these people; the lobby stays open for a while longer."""
    return Reseated(seats, _stays_open(table, change, at), used_at=at, notice=notice)


def _changed(
    table: TableSnapshot, at: Moment, change: TableChange, notice: Words | UnsetType | None = UNSET
) -> RowChanged:
    """Return a change of the lobby itself, which stays open for a while longer."""
    return RowChanged(_stays_open(table, change, at), used_at=at, notice=notice)


def _stays_open(table: TableSnapshot, change: TableChange, at: Moment) -> TableChange:
    return msgspec.structs.replace(change, due=closes_at(table.begin_options, at))


def initial_seats(user: int, name: str, bots: Iterable[Level]) -> list[SeatRow]:
    """Return the seats of a new table: its host, and the computer players they asked for."""
    seats = [_person(user, name)]
    for level in bots:
        seats.append(SeatRow(seat=len(seats), user=None, name=_bot_name(level, seats), level=level))
    return seats
