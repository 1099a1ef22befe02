"""Prison Break between two events: its phases, and what can be read off a state.

Marks in comments (R4, D1) are those of docs/rules/prison_break.md. May import `engine`, msgspec and its own package.
"""

from collections import Counter
from typing import Literal, assert_never

import msgspec

from engine.contract import Moment, Seat
from engine.games.prison_break.log import LogEntry
from engine.games.prison_break.pieces import JAIL, Kind, Material, Position, PrisonBreakOptions, Reason
from engine.turns import Interlude

PhaseName = Literal["sneak", "offer", "vote", "guard", "interlude", "over"]


class Card(msgspec.Struct, frozen=True):
    """An offer in the row. A used one lies face down until all are used; what it was is known to all."""

    kind: Kind
    up: bool = True


class Prisoner(msgspec.Struct, frozen=True):
    """What the table knows of one player."""

    tokens: int
    seen: Position = JAIL  # the last public position
    seen_round: int = 0  # when that was; 0 is before the first round
    declared: int = 0  # the sum of their declarations since
    printed: int = 0  # the sum of the steps that offers printed for them since, void ones left out
    stopped: int = 0  # what JAIL and EXIT have taken of those sums since, were every word true
    skips: bool = False  # sent back by guards: sits out the next Sneak phase that takes place
    held_round: int = 0  # the round in which they may not move; past and 0 are none

    @property
    def led(self) -> Position:
        """Where they would be if every word since they were last seen were true."""
        return self.seen + self.declared + self.printed + self.stopped


class Step(msgspec.Struct, frozen=True, gc=False):
    """What moved a pawn, as its owner knows it: the spaces asked for or printed, and where it stood afterwards."""

    round: int
    cause: Literal["sneak", "offer", "guards"]
    declared: int | None  # of a sneak
    steps: int  # 0 for guards, who lead straight to JAIL
    position: Position


class Sneaking(msgspec.Struct, frozen=True, tag="sneak"):
    """These seats are still to sneak, the first of them now; `sits_out` do not in this phase."""

    seats: tuple[Seat, ...]
    sits_out: tuple[Seat, ...] = ()


class Offering(msgspec.Struct, frozen=True, tag="offer"):
    """The Warden may make an offer."""


class Voting(msgspec.Struct, frozen=True, tag="vote"):
    """The two vote on this card of the row; None is a vote not yet in."""

    card: int
    first: Seat
    second: Seat
    votes: tuple[bool | None, bool | None] = (None, None)

    @property
    def voters(self) -> tuple[Seat, Seat]:
        """The two, in the order of `votes`."""
        return self.first, self.second

    def of(self, seat: Seat | None) -> bool | None:
        """Return this seat's vote, None if it has none or it is not in."""
        return dict(zip(self.voters, self.votes, strict=True)).get(seat) if seat is not None else None


class Guarding(msgspec.Struct, frozen=True, tag="guard"):
    """These seats, all with tokens, may still make a check, the first of them now."""

    seats: tuple[Seat, ...]


class Over(msgspec.Struct, frozen=True, tag="over"):
    """Nothing is left to do."""

    reason: Reason
    winners: tuple[Seat, ...]


class State(msgspec.Struct, frozen=True):
    """A game between two events. Tuples of players have one entry a seat."""

    material: Material
    options: PrisonBreakOptions
    phase: Sneaking | Offering | Voting | Guarding | Over
    began: Moment  # when the running turn began, for its clock
    warden: Seat
    row: tuple[Card, ...]
    prisoners: tuple[Prisoner, ...]
    positions: tuple[Position, ...]
    arrivals: tuple[int | None, ...]  # which effect brought them to EXIT, where they stand on it
    paths: tuple[tuple[Step, ...], ...]
    notes: tuple[str, ...]
    log: tuple[LogEntry, ...]
    round: int = 1
    effects: int = 0  # so far: every sneak is one, and every offer
    no_sneak_round: int = 0  # the round without a Sneak phase; past and 0 are none
    stamp: int = 0
    interlude_ms: int = 0
    believed: tuple[Prisoner, ...] = ()  # D23: what was known of all until the lights that they are still to look at
    interlude: Interlude | None = None  # the pause in which they do


def order(warden: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats clockwise from the Warden."""
    return tuple(Seat((warden + place) % seats) for place in range(seats))


def guards(state: State) -> tuple[Seat, ...]:
    """Return who may make a check, in turn order. D18: without tokens one is passed over; those in JAIL may check."""
    return tuple(seat for seat in order(state.warden, len(state.prisoners)) if state.prisoners[seat].tokens)


def held(state: State, seat: Seat) -> bool:
    """Say whether this seat may not move in this round."""
    return state.prisoners[seat].held_round == state.round


def waiting(state: State) -> tuple[Seat, ...]:
    """Return the seats without whose move the game does not go on."""
    if state.interlude is not None:
        return ()
    match state.phase:
        case Sneaking(seats=seats) | Guarding(seats=seats):
            return seats[:1]
        case Offering():
            return (state.warden,)
        case Voting() as voting:
            return tuple(voter for voter in voting.voters if voting.of(voter) is None)
        case Over():
            return ()
        case _:
            assert_never(state.phase)


def phase_name(state: State) -> PhaseName:
    """Return the word for the phase, as the view and refusals have it."""
    if state.interlude is not None:
        return "interlude"
    match state.phase:
        case Sneaking():
            return "sneak"
        case Offering():
            return "offer"
        case Voting():
            return "vote"
        case Guarding():
            return "guard"
        case Over():
            return "over"
        case _:
            assert_never(state.phase)


def census(state: State) -> Counter[str]:
    """Count the pawns that stand on the track, and the offers in the row. Tokens come and go by the rules."""
    track = range(JAIL, state.material.spaces + 2)
    return Counter(pawn=sum(position in track for position in state.positions), offer=len(state.row))
