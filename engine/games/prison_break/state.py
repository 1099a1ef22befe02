"""Prison Break's state: its phases, and what can be derived from a state.

Marks in comments (R4, D1) refer to docs/rules/prison_break.md.
"""

from collections import Counter
from typing import Literal, assert_never

import msgspec

from engine.contract import Moment, Seat
from engine.games.prison_break.log import LogEntry
from engine.games.prison_break.markers import Markers
from engine.games.prison_break.types import JAIL, Kind, Material, Position, PrisonBreakOptions, Reason
from engine.turns import Interlude

PhaseName = Literal["sneak", "offer", "vote", "guard", "interlude", "over"]


class Card(msgspec.Struct, frozen=True):
    """An offer in the row. A used one lies face down until all are used; everybody knows what it was."""

    kind: Kind
    up: bool = True


class Prisoner(msgspec.Struct, frozen=True):
    """What everybody knows of one player."""

    tokens: int
    seen: Position = JAIL  # the last public position
    seen_round: int = 0  # when that was; 0 is before the first round
    declared: int = 0  # the sum of their declarations since
    printed: int = 0  # the sum of the steps that offers printed for them since, without void ones
    stopped: int = 0  # what JAIL and EXIT have taken from those sums since, if all declarations were true
    skips: bool = False  # sent back by guards: sits out the next Sneak phase that takes place
    held_round: int = 0  # the round in which they may not move; past and 0 are none

    @property
    def led(self) -> Position:
        """Where they would be if every declaration since they were last seen were true."""
        return self.seen + self.declared + self.printed + self.stopped


class Step(msgspec.Struct, frozen=True, gc=False):
    """What moved a pawn, as its owner knows it: the spaces asked for or printed, and where it was afterwards."""

    round: int
    cause: Literal["sneak", "offer", "guards"]
    declared: int | None  # of a sneak
    steps: int  # 0 for guards, who lead straight to JAIL
    position: Position


class Sneaking(msgspec.Struct, frozen=True, tag="sneak"):
    """These seats have yet to sneak, the first of them now; `sits_out` skip this phase."""

    seats: tuple[Seat, ...]
    sits_out: tuple[Seat, ...] = ()


class Offering(msgspec.Struct, frozen=True, tag="offer"):
    """The Warden may make an offer."""


class Voting(msgspec.Struct, frozen=True, tag="vote"):
    """The two vote on this card of the row; a missing vote is None."""

    card: int
    first: Seat
    second: Seat
    votes: tuple[bool | None, bool | None] = (None, None)

    @property
    def voters(self) -> tuple[Seat, Seat]:
        """The two voters, in the order of `votes`."""
        return self.first, self.second

    def of(self, seat: Seat | None) -> bool | None:
        """Return this seat's vote, or None if it has none or has not voted yet."""
        return dict(zip(self.voters, self.votes, strict=True)).get(seat) if seat is not None else None


class Guarding(msgspec.Struct, frozen=True, tag="guard"):
    """These seats, all with tokens, may still make a check, the first of them now."""

    seats: tuple[Seat, ...]


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over."""

    reason: Reason
    winners: tuple[Seat, ...]


class State(msgspec.Struct, frozen=True):
    """The state of a game. Tuples of players have one entry per seat."""

    material: Material
    options: PrisonBreakOptions
    phase: Sneaking | Offering | Voting | Guarding | Over
    began: Moment  # when the running turn began, for its clock
    warden: Seat
    row: tuple[Card, ...]
    prisoners: tuple[Prisoner, ...]
    positions: tuple[Position, ...]
    arrivals: tuple[int | None, ...]  # for pawns on EXIT: the effect that brought them there
    paths: tuple[tuple[Step, ...], ...]
    notes: tuple[str, ...]
    markers: tuple[Markers, ...]
    log: tuple[LogEntry, ...]
    round: int = 1
    effects: int = 0  # so far; every sneak and every offer is one
    no_sneak_round: int = 0  # the round without a Sneak phase; past and 0 are none
    ui_version: int = 0
    interlude_ms: int = 0
    believed: tuple[Prisoner, ...] = ()  # D23: what was known of all before the lights, until the interlude ends
    balance: tuple[int, ...] | None = None  # tokens by seat, counted from the events; None before one came or went
    interlude: Interlude | None = None  # the pause in which the lights' result stays visible


def order(warden: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats clockwise from the Warden."""
    return tuple(Seat((warden + place) % seats) for place in range(seats))


def guards(state: State) -> tuple[Seat, ...]:
    """Return who may make a check, in turn order. D18: seats without tokens are skipped; those in JAIL may check."""
    return tuple(seat for seat in order(state.warden, len(state.prisoners)) if state.prisoners[seat].tokens)


def held(state: State, seat: Seat) -> bool:
    """Return True if this seat may not move in this round."""
    return state.prisoners[seat].held_round == state.round


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that must act before the game continues."""
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
    """Return the name of the phase, as used in the view and in refusals."""
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


def piece_counts(state: State) -> Counter[str]:
    """Count the pawns on the track, the offers in the row, and each player's tokens but those that came and went."""
    track = range(JAIL, state.material.spaces + 2)
    found = Counter(pawn=sum(position in track for position in state.positions), offer=len(state.row))
    for seat, prisoner in enumerate(state.prisoners):
        due = prisoner.tokens if state.balance is None else state.balance[seat]
        found[f"token of {seat}"] = state.material.tokens + prisoner.tokens - due
    return found


def balance(state: State) -> tuple[int, ...]:
    """Return the tokens that each player has by what came and went so far."""
    return state.balance or tuple(prisoner.tokens for prisoner in state.prisoners)
