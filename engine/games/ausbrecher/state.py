"""Ausbrecher AG's state: its phases, and what can be derived from a state.

Marks in comments (R4, D1) refer to docs/rules/ausbrecher.md.
"""

from collections import Counter
from typing import assert_never

import msgspec

from engine.contract import Moment, Seat
from engine.games.ausbrecher.types import (
    Assignment,
    AusbrecherOptions,
    Colour,
    Landing,
    Material,
    PastTurn,
    PhaseName,
    Race,
    Reason,
    Turn,
)


class Result(msgspec.Struct, frozen=True):
    """A die that counts for a prisoner this turn. `landing` is where it led, None until it is resolved."""

    colour: Colour
    pips: int
    back: bool = False
    landing: Landing | None = None


class Forecasting(msgspec.Struct, frozen=True, tag="forecast"):
    """Everyone bets, at the same time."""


class Rolling(msgspec.Struct, frozen=True, tag="roll"):
    """This seat has to choose dice and roll."""

    seat: Seat


class Replacing(msgspec.Struct, frozen=True, tag="replace"):
    """This seat has to choose which of these results the white die replaces."""

    seat: Seat
    results: tuple[Result, ...]
    white: int


class Resolving(msgspec.Struct, frozen=True, tag="resolve"):
    """This seat has to resolve those of its results that are still open."""

    seat: Seat
    results: tuple[Result, ...]

    @property
    def open(self) -> tuple[Result, ...]:
        """The results still to resolve."""
        return tuple([result for result in self.results if result.landing is None])


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over."""

    reason: Reason


class State(msgspec.Struct, frozen=True):
    """The state of a game. Tuples of players have one entry per seat."""

    material: Material
    options: AusbrecherOptions
    phase: Forecasting | Rolling | Replacing | Resolving | Over
    began: Moment  # when the running decision began, for its clock
    race: Race
    forecasts: tuple[Assignment | None, ...]
    drawn: tuple[Seat, ...] = ()  # whose forecast chance drew because the clock ran out
    throws: tuple[tuple[int | None, ...], ...] = ()  # the throws that decided who begins; see `StarterThrown`
    turns: tuple[Turn, ...] = ()  # the present one, and those before it since the same seat's last
    history: tuple[PastTurn, ...] = ()  # all turns before the present one
    carried: tuple[Colour, ...] = ()  # prisoners that boarded at the end without a die
    ui_version: int = 0

    @property
    def turn(self) -> int:
        """The number of the game's turn, 0 before the first."""
        return self.turns[-1].number if self.turns else 0


def seats(state: State) -> tuple[Seat, ...]:
    """Return all seats."""
    return tuple(Seat(seat) for seat in range(len(state.forecasts)))


def turn_limit(state: State) -> int:
    """D15: return how many turns the game has at most."""
    material, seats = state.material, len(state.forecasts)
    each = material.turns_each_of_two if seats == 2 else None
    return min((each or material.turns_each) * seats, material.turns_in_all)


def phase_name(state: State) -> PhaseName:
    """Return the name of the phase, as used in the view and in refusals."""
    match state.phase:
        case Forecasting():
            return "forecast"
        case Rolling():
            return "roll"
        case Replacing():
            return "replace"
        case Resolving():
            return "resolve"
        case Over():
            return "over"
        case _:
            assert_never(state.phase)


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that must act before the game continues."""
    match state.phase:
        case Forecasting():
            return tuple(seat for seat in seats(state) if state.forecasts[seat] is None)
        case Rolling(seat=seat) | Replacing(seat=seat) | Resolving(seat=seat):
            return (seat,)
        case Over():
            return ()
        case _:
            assert_never(state.phase)


def result_of(results: tuple[Result, ...], colour: str) -> Result | None:
    """Return this colour's result, None if its die was not rolled."""
    for result in results:
        if result.colour == colour:
            return result
    return None


def piece_counts(state: State) -> Counter[str]:
    """Count the prisoners: in their cells, on the way, and aboard."""
    race = state.race
    return Counter[str](colour for crew in (race.cells, *race.spaces, *race.boats) for colour in crew)
