"""Ausbrecher AG's types: material, options, actions, events, and what can be seen.

A prisoner is named by its colour. Spaces are numbers: 0 is a cell, 1 is the space next to the cells, `length` the last
one before the boats. Boats are numbered from 1; boat n scores n points.
"""

from typing import Annotated, Literal, get_args

import msgspec

from engine.contract import Action, ClockEvent, Event, Moment, Options, Seat

Colour = Literal["red", "orange", "yellow", "green", "blue", "violet", "pink"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""The seven prisoners, and their dice, in the order in which they are always listed."""

CELL = 0
Space = int
Boat = int
Assignment = tuple[Boat, ...]
"""A boat for each prisoner, in the order of `COLOURS`."""

Reason = Literal["boats", "turns"]
"""Why a game ended: six were aboard, or the last turn was played."""


# ------------------------------------------------------------------------------------------------- material and options


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The track, the boats and the dice. The bounds keep a game winnable and its pages small."""

    path: Annotated[int, msgspec.Meta(ge=3, le=36)]
    rope: Annotated[int, msgspec.Meta(ge=3, le=36)]
    faces: Annotated[int, msgspec.Meta(ge=2, le=9)]
    boats: tuple[
        Annotated[int, msgspec.Meta(ge=1)],
        Annotated[int, msgspec.Meta(ge=1)],
        Annotated[int, msgspec.Meta(ge=1)],
        Annotated[int, msgspec.Meta(ge=1)],
    ]
    dice: tuple[Annotated[int, msgspec.Meta(ge=2, le=4)], Annotated[int, msgspec.Meta(ge=2, le=4)]]
    white_turn: Annotated[int, msgspec.Meta(ge=1, le=100)]
    turns_each: Annotated[int, msgspec.Meta(ge=1, le=100)]
    turns_in_all: Annotated[int, msgspec.Meta(ge=1, le=400)]
    turns_each_of_two: Annotated[int, msgspec.Meta(ge=1, le=200)] | None = None  # None: as many as anybody else

    def __post_init__(self) -> None:
        if sum(self.boats) != len(COLOURS):
            raise ValueError(f"the boats take the {len(COLOURS)} prisoners, no more and no fewer")
        if self.boats[-1] != 1:
            raise ValueError("the last boat takes one: the prisoner who is left when all others are aboard")


class AusbrecherOptions(Options, frozen=True):
    """Which way leads to the boats, and what the white die does late in the game."""

    route: Annotated[
        Literal["path", "rope"],
        msgspec.Meta(
            title="Route",
            description="path: the full way through the prison. "
            "rope: the short cut down the rope, where the race is hard to steer (for experts).",
            extra={"asks": "Which way the prisoners take to the boats"},
        ),
    ] = "path"
    late_white: Annotated[
        Literal["replace", "second"],
        msgspec.Meta(
            title="White die once boat 2 is full",
            description="replace: the white die replaces the coloured one, and that prisoner goes back. "
            "second: the coloured one goes forward and a second prisoner, named before the roll, goes back.",
            extra={"asks": "What the white die does once boat 2 is full"},
        ),
    ] = "replace"


# ------------------------------------------------------------------------------------------------------ actions, events


class Forecast(Action, frozen=True, tag="forecast"):
    """Bet in secret in which boat each prisoner flees, in the order of `COLOURS`. Replaces an earlier forecast."""

    boats: Assignment


class Roll(Action, frozen=True, tag="roll"):
    """Roll the dice of these colours, and the white one.

    `second` is the prisoner whom the white die moves back, if the rules allow naming one before the roll.
    """

    colours: tuple[str, ...]
    white: bool = False
    second: str | None = None


class Replace(Action, frozen=True, tag="replace"):
    """Replace this colour's result by the white die's: that prisoner goes back."""

    colour: str


class Resolve(Action, frozen=True, tag="resolve"):
    """Carry out this colour's result."""

    colour: str


AusbrecherAction = Forecast | Roll | Replace | Resolve


class Die(msgspec.Struct, frozen=True):
    """What a coloured die shows."""

    colour: Colour
    pips: int


Fate = Literal["space", "boat", "cell", "covered", "in-cell"]
"""What becomes of a result: the prisoner ends on a space, boards, or is back in a cell; or the result is lost because
the prisoner is covered by another, or is in its cell and cannot go further back.
"""


class Landing(msgspec.Struct, frozen=True):
    """Where a result leads a prisoner.

    `trail` are the spaces it touches, one per pip that counts, ending with the one where it stops (0 is its cell). It
    is empty for a lost result. A prisoner who boards touches no space with the last pip.
    """

    fate: Fate
    space: Space | None  # None is aboard
    boat: Boat | None = None
    onto: Colour | None = None  # on whom it stops, covering them
    trail: tuple[Space, ...] = ()


class GameBegun(Event, frozen=True, tag="begun"):
    """All prisoners are in their cells, and everyone has to bet."""

    material: Material
    options: AusbrecherOptions
    seats: int
    at: Moment


class ForecastGiven(Event, frozen=True, tag="forecast"):
    """A seat gave a forecast, or another one."""

    seat: Seat
    boats: Assignment


class StarterThrown(Event, frozen=True, tag="starter"):
    """All forecasts were in and the dice decided who begins.

    `throws` are the rounds of dice by seat; None if a seat did not throw again.
    """

    throws: tuple[tuple[int | None, ...], ...]
    starter: Seat


class TurnBegun(Event, frozen=True, tag="turn"):
    """The turn with this number, from 1, began for a seat."""

    number: int
    seat: Seat
    at: Moment


class Rolled(Event, frozen=True, tag="rolled"):
    """The seat to move rolled these dice; `white` is None if the white one was not rolled."""

    dice: tuple[Die, ...]
    white: int | None
    second: Colour | None
    at: Moment


class Replaced(Event, frozen=True, tag="replaced"):
    """The white die took the place of this colour's result."""

    colour: Colour
    at: Moment


class Resolved(Event, frozen=True, tag="resolved"):
    """This colour's result was carried out and led to `landing`."""

    colour: Colour
    landing: Landing
    at: Moment


class LastBoarded(Event, frozen=True, tag="last"):
    """Six were aboard: the seventh went to the last boat."""

    colour: Colour


class TurnsRanOut(Event, frozen=True, tag="limit"):
    """The last turn was played: prisoners still on the way boarded, in this order."""

    order: tuple[Colour, ...]


class GameEnded(Event, frozen=True, tag="ended"):
    """All are aboard, and the forecasts are shown."""

    reason: Reason


AusbrecherEvent = (
    ForecastGiven
    | StarterThrown
    | TurnBegun
    | Rolled
    | Replaced
    | Resolved
    | LastBoarded
    | TurnsRanOut
    | GameEnded
    | ClockEvent
)


# ----------------------------------------------------------------------------------------------------- what can be seen


PhaseName = Literal["forecast", "roll", "replace", "resolve", "over"]

Crew = tuple[Colour, ...]


class Race(msgspec.Struct, frozen=True):
    """Where all seven are.

    `cells` has those in cells, in the order of `COLOURS`; `spaces[n - 1]` is the stack on space n, from the lowest;
    `boats[n - 1]` is who is aboard boat n, in order of arrival, and `holds[n - 1]` its capacity.
    """

    cells: Crew
    spaces: tuple[Crew, ...]
    boats: tuple[Crew, ...]
    holds: tuple[int, ...]


class Prisoner(msgspec.Struct, frozen=True):
    """Where one prisoner is: in a cell (space 0), on a space, or aboard a boat (`space` is None)."""

    colour: Colour
    space: Space | None
    height: int = 0  # how many are under it
    covered: bool = False  # another one is on top of it, so it cannot move
    boat: Boat | None = None


class Move(msgspec.Struct, frozen=True):
    """A result that was carried out: from where, and where it led. A lost one led nowhere; see `Landing.fate`."""

    colour: Colour
    pips: int
    back: bool
    start: Space
    landing: Landing


class Turn(msgspec.Struct, frozen=True):
    """What happened in one turn: what was rolled, what the white die replaced, and the moves in order."""

    number: int
    seat: Seat
    dice: tuple[Die, ...] = ()
    white: int | None = None
    second: Colour | None = None  # the prisoner named to go back by the white die
    replaced: Colour | None = None  # the prisoner whose result the white die replaced
    moves: tuple[Move, ...] = ()
    lapses: int = 0  # how often the clock ran out


class PastTurn(msgspec.Struct, frozen=True, array_like=True):
    """A past turn in short: the seat, and for which prisoners how many pips were carried out, in order.

    Pips are negative for a move back. `lapsed` says that the clock made a choice in it.
    """

    seat: Seat
    moves: tuple[tuple[Colour, int], ...]
    lapsed: bool = False


class DiceChoice(msgspec.Struct, frozen=True):
    """What the player to move may roll: exactly `plain` coloured dice.

    With the white die as well it is `with_white` of them, or None if it may not be rolled. With `second`, a further
    prisoner is named then, who goes back by it.
    """

    plain: int
    with_white: int | None
    second: bool = False
