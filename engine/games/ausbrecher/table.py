"""Ausbrecher AG's table: the public record, the state, the view, and what the player to move may roll.

Marks in comments (R, D, O) are those of the rule page `ausbrecher`. May import `engine` and msgspec only.
"""

from typing import Literal, assert_never

import msgspec

from engine.contract import Moment, Seat, View
from engine.games.ausbrecher.pieces import (
    Assignment,
    AusbrecherOptions,
    Colour,
    Die,
    Landing,
    Material,
    Reason,
    Space,
)
from engine.games.ausbrecher.track import Prisoner, Race, full, on_the_way

PhaseName = Literal["forecast", "roll", "replace", "resolve", "over"]


# ---------------------------------------------------------------------------------------------------- the public record


class Move(msgspec.Struct, frozen=True):
    """A result that was carried out: from where, and where it led. A lost one led nowhere; see `Landing.fate`."""

    colour: Colour
    pips: int
    back: bool
    start: Space
    landing: Landing


class Turn(msgspec.Struct, frozen=True):
    """What happened in one turn: what was rolled, what the white die replaced, and the moves in their order."""

    number: int
    seat: Seat
    dice: tuple[Die, ...] = ()
    white: int | None = None
    second: Colour | None = None  # who was named to go back by the white die
    replaced: Colour | None = None  # whose result the white die replaced
    moves: tuple[Move, ...] = ()
    lapses: int = 0  # how often the clock ran out


# ------------------------------------------------------------------------------------------------------- state and view


class Result(msgspec.Struct, frozen=True):
    """A die that counts for a prisoner this turn. `landing` is where it led, None until it is resolved."""

    colour: Colour
    pips: int
    back: bool = False
    landing: Landing | None = None


class Forecasting(msgspec.Struct, frozen=True, tag="forecast"):
    """Everyone bets, at the same time."""


class Rolling(msgspec.Struct, frozen=True, tag="roll"):
    """This seat is to choose dice and roll."""

    seat: Seat


class Replacing(msgspec.Struct, frozen=True, tag="replace"):
    """This seat is to say which of these results the white die replaces."""

    seat: Seat
    results: tuple[Result, ...]
    white: int


class Resolving(msgspec.Struct, frozen=True, tag="resolve"):
    """This seat is to resolve those of its results that are still open."""

    seat: Seat
    results: tuple[Result, ...]

    @property
    def open(self) -> tuple[Result, ...]:
        """The results still to resolve."""
        return tuple(result for result in self.results if result.landing is None)


class Over(msgspec.Struct, frozen=True, tag="over"):
    """Nothing is left to do."""

    reason: Reason


class State(msgspec.Struct, frozen=True):
    """A game between two events. Tuples of players have one entry a seat."""

    material: Material
    options: AusbrecherOptions
    phase: Forecasting | Rolling | Replacing | Resolving | Over
    began: Moment  # when the running decision began, for its clock
    race: Race
    forecasts: tuple[Assignment | None, ...]
    drawn: tuple[Seat, ...] = ()  # whose forecast chance drew, for the clock ran out
    throws: tuple[tuple[int | None, ...], ...] = ()  # for the start; see `StarterThrown`
    turns: tuple[Turn, ...] = ()  # the present one, and those before it since the same seat's last
    carried: tuple[Colour, ...] = ()  # who boarded at the end, by no die
    stamp: int = 0

    @property
    def turn(self) -> int:
        """The number of the game's turn, 0 before the first."""
        return self.turns[-1].number if self.turns else 0


class DiceChoice(msgspec.Struct, frozen=True):
    """What the player to move may roll: exactly so many coloured dice.

    `with_white` is their number if the white die is rolled, too, and None where it may not be; with `second` a further
    prisoner is named then, who goes back by it.
    """

    plain: int
    with_white: int | None
    second: bool = False


class OpenResult(msgspec.Struct, frozen=True):
    """A die of this turn, as it lies on the table.

    `landing` is where it leads, if it were resolved now, or where it led (`resolved`). `replaced`, in the phase
    replace, is where the prisoner would go back to if the white die replaced this result.
    """

    colour: Colour
    pips: int
    back: bool
    resolved: bool
    landing: Landing
    replaced: Landing | None = None


class AusbrecherView(View, frozen=True):
    """The race, and what its reader has bet.

    `forecasts` and `points` have one entry a seat: the reader's own only, and everyone's once the game is over. Both
    list the prisoners in the order of `COLOURS`; points are None for those not aboard yet, and without a forecast.
    """

    route: Literal["path", "rope"]
    late_white: Literal["replace", "second"]
    faces: int  # of every die
    length: int  # spaces between the cells and the boats
    phase: PhaseName
    race: Race
    prisoners: tuple[Prisoner, ...]  # in the order of `COLOURS`; the same as `race`, prisoner by prisoner
    given: tuple[Seat, ...]  # who has given a forecast
    drawn: tuple[Seat, ...]  # for whom chance drew it when the clock had run out
    throws: tuple[tuple[int | None, ...], ...]  # for the start, a round of dice each; None: did not throw again
    turn: Seat | None  # who rolls, replaces or resolves
    turn_number: int  # the game's turn, from 1; 0 before the first
    turns_left: int  # until the limit, the present one included
    choice: DiceChoice | None  # phase roll
    white: int | None  # phase replace: what the white die shows
    results: tuple[OpenResult, ...]  # phases replace and resolve: the dice of this turn
    turns: tuple[Turn, ...]  # the present one, last, and those before it since the same seat's last
    carried: tuple[Colour, ...]  # who boarded at the end, by no die: the seventh, or all at the turn limit
    reason: Reason | None
    forecasts: tuple[Assignment | None, ...]
    points: tuple[tuple[int | None, ...], ...]


# ----------------------------------------------------------------------------------------------- who does what and when


def seats(state: State) -> tuple[Seat, ...]:
    """Return all seats."""
    return tuple(Seat(seat) for seat in range(len(state.forecasts)))


def turn_limit(state: State) -> int:
    """D: return how many turns the game has at most."""
    return min(state.material.turns_each * len(state.forecasts), state.material.turns_in_all)


def dice_choice(state: State) -> DiceChoice:
    """Return what may be rolled in the turn that begins now."""
    race, material = state.race, state.material
    # R: three dice, two once boat 1 is full; D: counted at the start of the turn, fewer if fewer colours are left.
    plain = min(material.dice[1 if full(race, 1) else 0], len(on_the_way(race)))
    if state.turn < material.white_turn:  # R: only from the game's second turn on
        return DiceChoice(plain, None)
    if not full(race, 2):
        return DiceChoice(plain, plain)  # R: in addition to the coloured dice
    # R: once boat 2 is full the white die takes the place of a coloured one. O: it then moves a second prisoner, who is
    # there, for the game goes on with at least two and one of the coloured dice is left out.
    return DiceChoice(plain, plain - 1, second=state.options.late_white == "second")


def phase_name(state: State) -> PhaseName:
    """Return the word for the phase, as the view and refusals have it."""
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


def waiting(state: State) -> tuple[Seat, ...]:
    """Return the seats without whose move the game does not go on."""
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
    return next((result for result in results if result.colour == colour), None)
