"""What can be achieved in Ausbrecher AG."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from engine.achievements import Earned
from engine.contract import Event, Outcome, Seat
from engine.games.ausbrecher import (
    COLOURS,
    Assignment,
    Colour,
    ForecastGiven,
    GameBegun,
    LastBoarded,
    Resolved,
    TurnBegun,
    TurnsRanOut,
)

INSIDER, WHOLE_CREW, DOUBLE_LAUNCH, BACK_IN_THE_CELL = "insider", "whole-crew", "double-launch", "back-in-the-cell"
NAMES = (INSIDER, WHOLE_CREW, DOUBLE_LAUNCH, BACK_IN_THE_CELL)

RIGHT = 5
"""How many prisoners an insider has in the right boat."""


def earned(events: Sequence[Event], outcome: Outcome) -> Earned:
    """Return who had five prisoners in the right boat, who had everybody right who fled in a boat of two or more, who
    brought two prisoners aboard in one turn, and who sent one back into their cell.
    """
    found: dict[str, set[Seat]] = {name: set() for name in NAMES}
    forecasts: dict[Seat, Assignment] = {}
    holds: tuple[int, ...] = ()
    turn, boarded = Seat(0), 0
    for event in events:
        match event:
            case GameBegun(material=material):
                holds = material.boats
            case ForecastGiven(seat=seat, boats=boats):
                forecasts[seat] = boats
            case TurnBegun(seat=turn):
                boarded = 0
            case Resolved(landing=landing):
                boarded += landing.fate == "boat"
                if boarded == 2:
                    found[DOUBLE_LAUNCH].add(turn)
                if landing.fate == "cell":
                    found[BACK_IN_THE_CELL].add(turn)
            case _:
                pass
    fled = _boats(events, holds)
    for seat, forecast in forecasts.items():
        right = {colour for colour, boat in zip(COLOURS, forecast, strict=True) if fled.get(colour) == boat}
        if len(right) >= RIGHT:
            found[INSIDER].add(seat)
        crews = ({colour for colour, boat in fled.items() if boat == number} for number in range(1, len(holds) + 1))
        if any(len(crew) > 1 and crew <= right for crew in crews):
            found[WHOLE_CREW].add(seat)
    return {name: frozenset(seats) for name, seats in found.items()}


def _boats(events: Sequence[Event], holds: Sequence[int]) -> dict[Colour, int]:
    """Return the boat of each prisoner: they fill the boats in the order in which they come aboard."""
    full = [*accumulate(holds)]
    return {colour: 1 + bisect_left(full, place) for place, colour in enumerate(_boarding(events), 1)}


def _boarding(events: Sequence[Event]) -> Iterator[Colour]:
    """Yield the prisoners in the order in which they came aboard."""
    for event in events:
        match event:
            case Resolved(colour=colour, landing=landing) if landing.fate == "boat":
                yield colour
            case LastBoarded(colour=colour):
                yield colour
            case TurnsRanOut(order=order):
                yield from order
            case _:
                pass
