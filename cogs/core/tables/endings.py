"""Decisions by agreement: pardons for missed turns, and ends of games before their end."""

from collections.abc import Sequence

import msgspec

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import UserError
from cogs.core.tables import seat_rules
from cogs.core.tables.agreements import Agreements, Kind, Pardon, Proposal
from cogs.core.tables.changes import Change, RowChanged, Seated, closed
from cogs.core.tables.moves import check_playing
from cogs.core.tables.snapshot import TableSnapshot
from data.store import TableChange
from data.store.rows import NO_CHANGE
from engine import turns
from engine.contract import Moment, Seat
from engine.results import COUNTED, DRAWN

MOVES_BEFORE_DRAW = 10
"""How many moves each of two players must have made before they may agree on a draw."""

NOT_ACCEPTED = N_("The proposal to end the game was declined.")
DRAW_DECLINED = N_("The draw offer was declined.")
NO_PROPOSAL = N_("That proposal is no longer open.")


def voters(seats: seat_rules.Seats) -> list[Seat]:
    """Return the seats that must agree: of people who are there and still in."""
    return [Seat(row.seat) for row in seats if seat_rules.is_present(row) and row.forfeit is None]


# Pardons


def judges(table: TableSnapshot, seat: Seat) -> list[Seat]:
    """Return the seats that must agree to pardon a seat."""
    return _judges(table.seats, seat)


def _judges(seats: seat_rules.Seats, seat: int) -> list[Seat]:
    return [one for one in voters(seats) if one != seat]


def pardonable(table: TableSnapshot) -> list[Pardon]:
    """Return the pardons that can still be granted."""
    return _pardonable(table.agreements, table.seats) if table.playing else []


def _pardonable(agreements: Agreements, seats: seat_rules.Seats) -> list[Pardon]:
    return [
        one
        for one in agreements.pardons
        if one.open and seats[one.seat].forfeit is not None and seats[one.seat].user is not None
    ]


def pardon(table: TableSnapshot, judge: Seat, seat: int, at: Moment) -> Change:
    """Pardon a seat that missed turns, as one of its opponents; with the last of them it is in the game again. Raises
    `UserError`.
    """
    found = _judged(table, judge, seat)
    agreed = msgspec.structs.replace(found, agreed=tuple({*found.agreed, judge}))
    agreements = table.agreements.with_pardon(agreed)
    return granted(table, agreements, table.seats) or RowChanged(_change(agreements), used_at=at)


def granted(
    table: TableSnapshot, agreements: Agreements, seats: seat_rules.Seats, row: TableChange = NO_CHANGE
) -> Seated | None:
    """Grant the pardons to which all opponents agreed who are there and still in, with these agreements and seats; the
    `row` is changed with them. None if there are none.
    """
    pardons = [
        one
        for one in _pardonable(agreements, seats)
        if (asked := _judges(seats, one.seat)) and set(asked) <= set(one.agreed)
    ]
    for one in pardons:
        agreements = agreements.with_pardon(msgspec.structs.replace(one, granted=True))
        seats = seat_rules.pardon(seats, Seat(one.seat))
    names = [table.seated_players[one.seat].bold for one in pardons]
    if not names:
        return None
    change = msgspec.structs.replace(row, agreements=agreements.stored())
    return Seated(seats, change, notice=lambda: " ".join(_("{name} was pardoned.", name=name) for name in names))


def do_not_pardon(table: TableSnapshot, judge: Seat, seat: int, at: Moment) -> Change:
    """Refuse to pardon a seat, as one of its opponents; it is not told who. Raises `UserError`."""
    found = msgspec.structs.replace(_judged(table, judge, seat), refused=True, agreed=())
    return RowChanged(_change(table.agreements.with_pardon(found)), used_at=at)


def _judged(table: TableSnapshot, judge: Seat, seat: int) -> Pardon:
    found = next((one for one in pardonable(table) if one.seat == seat), None)
    if found is None:
        raise UserError(_("It's too late for a pardon."))
    if judge not in judges(table, Seat(seat)):
        raise UserError(_("Only opponents who are still playing can pardon."))
    return found


# Proposals to end the game


def public_totals(table: TableSnapshot) -> tuple[int, ...] | None:
    """Return the totals of the finished rounds that the players may count, if only people sat down; None if there are
    none.
    """
    totals = table.game.public_totals
    if totals is None or not table.playing or not seat_rules.only_people(table.seats):
        return None
    return totals(table.view(None))


def can_draw(table: TableSnapshot) -> bool:
    """Return True if a game may end in a draw by agreement, apart from how many moves were made."""
    return seat_rules.only_people(table.seats) and len(table.seats) == 2 == len(voters(table.seats))


def open_proposal(table: TableSnapshot, seats: seat_rules.Seats | None = None) -> Proposal | None:
    """Return the proposal that can be answered, with these seats; None if there is none, or it no longer applies."""
    seats, proposal = table.seats if seats is None else seats, table.agreements.proposal
    if proposal is None or not table.playing or proposal.by not in voters(seats):
        return None
    if proposal.kind == "draw" and len(voters(seats)) != 2:
        return None
    if proposal.kind == "count" and proposal.totals != public_totals(table):
        return None
    return proposal


def wait_words(turns: int) -> str:
    """Return after how many more turns of their own a player may propose again."""
    return ngettext(
        "You can propose again after your next turn.",
        "You can propose again after {n} more of your turns.",
        turns,
    )


def propose(table: TableSnapshot, seat: Seat, kind: Kind, moves: Sequence[int], at: Moment) -> Change:
    """Propose to end the game, which ends at once if nobody else is still in. `moves`: how many each seat has made.
    Raises `UserError`.
    """
    _check_voter(table, seat)
    if open_proposal(table) is not None:
        raise UserError(_("Answer the open proposal first."))
    if wait := table.agreements.wait_of(seat):
        raise UserError(wait_words(wait))
    totals = None
    if kind == "count":
        totals = _countable(table)
    elif kind == "draw":
        check_draw(table, moves)
    agreements = table.agreements.with_proposal(kind, seat, len(table.seats), totals)
    return _answered(table, agreements, at)


def agree(table: TableSnapshot, seat: Seat, number: int, at: Moment) -> Change:
    """Agree to a proposal; with the last one the game ends. Raises `UserError`."""
    proposal = _answerable(table, seat, number)
    agreed = msgspec.structs.replace(proposal, agreed=tuple({*proposal.agreed, seat}))
    return _answered(table, msgspec.structs.replace(table.agreements, proposal=agreed), at)


def decline(table: TableSnapshot, seat: Seat, number: int, at: Moment) -> Change:
    """Decline a proposal, which tells everybody that it was declined but not by whom, or withdraw one's own. Raises
    `UserError`.
    """
    proposal = _answerable(table, seat, number)
    change = _change(msgspec.structs.replace(table.agreements, proposal=None))
    draw, name = proposal.kind == "draw", table.seated_players[seat].bold

    def notice() -> str:
        if seat != proposal.by:
            return _(DRAW_DECLINED) if draw else _(NOT_ACCEPTED)
        if draw:
            return _("{name} withdrew the draw offer.", name=name)
        return _("{name} withdrew the proposal to end the game.", name=name)

    return RowChanged(change, used_at=at, notice=notice)


def settle(table: TableSnapshot, at: Moment) -> Seated | None:
    """Grant pardons, or else end the game, if all who must agree have agreed by now: others may be away. None if they
    have not.
    """
    return granted(table, table.agreements, table.seats) or conclude(table, at, table.seats)


def conclude(table: TableSnapshot, at: Moment, seats: seat_rules.Seats) -> Seated | None:
    """End the game, with these seats, if all who must have agreed to the open proposal. None if they have not."""
    proposal = open_proposal(table, seats)
    if proposal is None or not set(voters(seats)) <= set(proposal.agreed):
        return None
    return _ended(table, seats, proposal, at)


def _answered(table: TableSnapshot, agreements: Agreements, at: Moment) -> Change:
    proposal = agreements.proposal
    assert proposal is not None
    if set(voters(table.seats)) <= set(proposal.agreed):
        return _ended(table, table.seats, proposal, at)
    return RowChanged(_change(agreements), used_at=at)


def _ended(table: TableSnapshot, seats: seat_rules.Seats, proposal: Proposal, at: Moment) -> Seated:
    ended = closed(table, lambda: _("The players agreed to end the game."), at, seats)
    if proposal.kind == "none":
        return ended
    if proposal.kind == "draw":
        results = table.placed_results(seats, (1,) * len(seats), (None,) * len(seats), DRAWN, at)
    else:
        totals = proposal.totals or ()
        places = turns.places([total if table.game.lowest_wins else -total for total in totals])
        results = table.placed_results(seats, places, totals, COUNTED, at)
    return Seated(seats, ended.row, results, notice=None, used_at=at)


def _check_voter(table: TableSnapshot, seat: Seat) -> None:
    check_playing(table)
    if seat not in voters(table.seats):
        raise UserError(_("Only players who are still in can decide how the game ends."))


def _answerable(table: TableSnapshot, seat: Seat, number: int) -> Proposal:
    _check_voter(table, seat)
    proposal = open_proposal(table)
    if proposal is None or proposal.number != number:
        raise UserError(_(NO_PROPOSAL))
    return proposal


def _countable(table: TableSnapshot) -> tuple[int, ...]:
    """Return the totals that may be counted. Raises `UserError`."""
    totals = public_totals(table)
    if totals is None:
        raise UserError(_("No round is finished yet, so there are no totals to count."))
    if len(totals) == 2 and totals[0] == totals[1]:
        raise UserError(_("The totals are level. Offer a draw instead."))
    return totals


def check_draw(table: TableSnapshot, moves: Sequence[int]) -> None:
    """Raise `UserError` unless a draw can be offered. `moves`: how many each seat has made."""
    if not can_draw(table):
        raise UserError(_("A draw is only possible between two people."))
    if min(moves) < MOVES_BEFORE_DRAW:
        raise UserError(_("You can offer a draw once you've each made {n} moves.", n=MOVES_BEFORE_DRAW))


def _change(agreements: Agreements) -> TableChange:
    return TableChange(agreements=agreements.stored())
