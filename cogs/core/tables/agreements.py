"""What the players of a game agree on: to pardon somebody who missed turns, and how to end the game before its end.
It is stored with the table and names seats only.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from cogs.core.tables.seat_rules import LAPSES_BEFORE_CARETAKER
from data.store import SeatRow
from engine.contract import Action

Kind = Literal["none", "count", "draw"]
"""How a game ends: without a result, by the totals of its finished rounds, or drawn."""

PARDON_MOVES = 2
"""Nobody is pardoned any more once the caretaker has begun this many moves."""

TURNS_BETWEEN_PROPOSALS = 5
"""How many turns of their own a player must take before they propose something again; until then the first is open."""


class Pardon(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that forfeited by missing turns: how many moves the caretaker has begun since, and which opponents would
    pardon it. It is not stored who would not.
    """

    seat: int
    moves: int = 0
    agreed: tuple[int, ...] = ()
    refused: bool = False
    granted: bool = False

    @property
    def open(self) -> bool:
        """Whether it can still be granted."""
        return not (self.refused or self.granted) and self.moves < PARDON_MOVES


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposal of a seat to end the game, and which seats agree. `totals` are those that would count."""

    number: int
    kind: Kind
    by: int
    agreed: tuple[int, ...]
    totals: tuple[int, ...] | None = None


class Agreements(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a table's players were asked. `waits`: how many turns each seat must take before it proposes again, as
    far as it has proposed anything. `last`: the seat that moved last. `proposals`: how many there were.
    """

    pardons: tuple[Pardon, ...] = ()
    proposal: Proposal | None = None
    waits: tuple[int, ...] = ()
    last: int | None = None
    proposals: int = 0

    def pardon_of(self, seat: int) -> Pardon | None:
        """Return the pardon of a seat; None if it never forfeited by missing turns."""
        return next((one for one in self.pardons if one.seat == seat), None)

    def with_pardon(self, pardon: Pardon) -> "Agreements":
        """Return this with a pardon in place of that of its seat."""
        others = tuple(one for one in self.pardons if one.seat != pardon.seat)
        return replace(self, pardons=(*others, pardon))

    def wait_of(self, seat: int) -> int:
        """Return how many turns a seat must take before it proposes again."""
        return self.waits[seat] if seat < len(self.waits) else 0

    def with_proposal(self, kind: Kind, by: int, seats: int, totals: tuple[int, ...] | None) -> "Agreements":
        """Return this with a new proposal, to which its own seat agrees."""
        waits = [self.wait_of(seat) for seat in range(seats)]
        waits[by] = TURNS_BETWEEN_PROPOSALS
        number = self.proposals + 1
        return replace(self, proposal=Proposal(number, kind, by, (by,), totals), waits=tuple(waits), proposals=number)

    def after_absence(self, before: Sequence[SeatRow], after: Sequence[SeatRow]) -> "Agreements":
        """Return this after players went away: the proposal of one of them is gone, and those who forfeited by missing
        turns can be pardoned, once in a game.
        """
        away = self.proposal is not None and after[self.proposal.by].caretaker
        now = replace(self, proposal=None) if away else self
        for old, new in zip(before, after, strict=True):
            by_clock = old.forfeit is None and new.forfeit is not None and new.lapses >= LAPSES_BEFORE_CARETAKER
            if by_clock and now.pardon_of(new.seat) is None:
                now = now.with_pardon(Pardon(new.seat))
        return now

    def after_leave(self, seat: int) -> "Agreements":
        """Return this after a player has left by themselves, who is not pardoned any more."""
        pardon = self.pardon_of(seat)
        return self if pardon is None else self.with_pardon(replace(pardon, refused=True))

    def after_move(self, seat: int, action: Action, seats: Sequence[SeatRow]) -> "Agreements":
        """Return this after a move of a seat. Actions of one seat without another's between are one move."""
        if not action.counts_as_move or seat == self.last:
            return self
        now = replace(self, last=seat)
        pardon = self.pardon_of(seat)
        if pardon is not None and pardon.open and seats[seat].caretaker:
            now = now.with_pardon(replace(pardon, moves=pardon.moves + 1))
        if now.wait_of(seat):
            waits = tuple(wait - (one == seat) for one, wait in enumerate(now.waits))
            lapses = now.proposal is not None and now.proposal.by == seat and not waits[seat]
            now = replace(now, waits=waits, proposal=None if lapses else now.proposal)
        return now

    def after_clock(self) -> "Agreements":
        """Return this after a turn ran out: what a seat does next is another move."""
        return self if self.last is None else replace(self, last=None)

    def stored(self) -> str:
        """Return this as JSON."""
        return msgspec.json.encode(self).decode()


NO_AGREEMENTS = Agreements()


def read_agreements(stored: str | None) -> Agreements:
    """Return what is stored with a table; what cannot be read counts as nothing."""
    if stored is None:
        return NO_AGREEMENTS
    try:
        return msgspec.json.decode(stored, type=Agreements)
    except msgspec.DecodeError:
        return NO_AGREEMENTS
