"""Hand-built states of Ausbrecher AG for its tests, and short functions to play on from them."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Moment, Refusal, Seat
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    Assignment,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    Colour,
    Forecast,
    Forecasting,
    Material,
    Over,
    Race,
    Replacing,
    Resolving,
    Roll,
    Rolling,
    State,
    Turn,
    landing,
    moved,
)
from tools.harness.playouts import folded, material

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
MATERIAL: Material = msgspec.convert(material(GAME), Material)
BEGAN = Moment(1_000_000)
NOW = Moment(1_007_000)
PLAIN: Assignment = (1, 1, 2, 2, 3, 3, 4)
"""The forecast red and orange, yellow and green, blue and violet, pink."""

Phase = Forecasting | Rolling | Replacing | Resolving | Over


def colours(words: str) -> tuple[Colour, ...]:
    """Return the colours that start with these words: "red pi" is red and pink."""
    return tuple(next(colour for colour in COLOURS if colour.startswith(word)) for word in words.split())


def race(
    stacks: dict[int, str] | None = None, *, aboard: str = "", length: int = 18, holds: tuple[int, ...] = (2, 2, 2, 1)
) -> Race:
    """Return a race with these stacks, the lowest first, and these aboard, in order of arrival; all others are in
    cells.
    """
    standing = {space: colours(words) for space, words in (stacks or {}).items()}
    fled = list(colours(aboard))
    gone = {*fled, *(colour for stack in standing.values() for colour in stack)}
    boats = []
    for room in holds:
        boats.append(tuple(fled[:room]))
        fled = fled[room:]
    return Race(
        cells=tuple(colour for colour in COLOURS if colour not in gone),
        spaces=tuple(standing.get(space, ()) for space in range(1, length + 1)),
        boats=tuple(boats),
        holds=holds,
    )


def moment(
    race: Race,
    phase: Phase | None = None,
    *,
    turn: int = 2,
    seats: int = 2,
    forecasts: Sequence[Assignment | None] | None = None,
    material: Material = MATERIAL,
    **options: Any,
) -> State:
    """Return a state of this race. By default A rolls, in the game's second turn."""
    phase = phase if phase is not None else Rolling(A)
    seat = A if isinstance(phase, Forecasting | Over) else phase.seat
    return State(
        material=material,
        options=AusbrecherOptions(**options),
        phase=phase,
        began=BEGAN,
        race=race,
        forecasts=tuple(forecasts) if forecasts else (PLAIN,) * seats,
        turns=(Turn(turn, seat),) if turn else (),
    )


def new_game(seats: int = 2, **options: Any) -> State:
    """Return the first moment of a game."""
    return GAME.fold(GAME.setup(seats, AusbrecherOptions(**options), MATERIAL, BEGAN, throwing()))


@cache
def _seed(faces: tuple[int, ...]) -> bytes:
    return next(
        seed
        for seed in (number.to_bytes(SEED_BYTES, "big") for number in count())
        if all(map(int.__eq__, faces, _rolls(Chance(seed, "races", 0))))
    )


def _rolls(chance: Chance) -> Iterator[int]:
    while True:
        yield chance.roll()


def throwing(*faces: int) -> Chance:
    """Return chance whose first throws of a die show these faces."""
    return Chance(_seed(faces), "races", 0)


def decide(
    before: State, seat: Seat | None, action: AusbrecherAction | ClockAction, *faces: int
) -> list[AusbrecherEvent]:
    """Return the state after an action, with dice that show these faces."""
    return GAME.decide(before, seat, action, NOW, throwing(*faces))


def after(before: State, seat: Seat | None, action: AusbrecherAction | ClockAction, *faces: int) -> State:
    """Return the state after an action, the dice showing these faces."""
    return folded(GAME, decide(before, seat, action, *faces), before)


def refused(before: State, seat: Seat | None, action: AusbrecherAction | ClockAction, at: Moment = NOW) -> Refusal:
    """Return the refusal of an action, and check that the state is unchanged."""
    was = repr(before)
    with pytest.raises(Refusal) as refusal:
        GAME.decide(before, seat, action, at, throwing())
    assert repr(before) == was
    return refusal.value


def told(refusal: Refusal) -> tuple[str, dict[str, Any]]:
    """Return the code and the facts of a refusal."""
    return refusal.code, refusal.facts


def gone(before: Race, word: str, pips: int, back: bool = False) -> Race:
    """Return the race after this result."""
    (colour,) = colours(word)
    return moved(before, colour, landing(before, colour, pips, back))


def bets(*seats: Assignment) -> State:
    """Return the state after these forecasts, A's first."""
    state = new_game(len(seats))
    for seat, boats in enumerate(seats):
        state = after(state, Seat(seat), Forecast(boats))
    return state


OTHER = (4, 3, 3, 2, 2, 1, 1)
"""Another forecast than `PLAIN`."""


def rolled(state: State, words: str, *faces: int, white: bool = False, second: str | None = None) -> State:
    """Return the state after A rolled the dice of these colours, which show these faces."""
    return after(state, A, Roll(colours(words), white, second), *faces)


def stacks(state: State) -> dict[int, str]:
    """Return the stacks by space, each from the bottom. Empty spaces are left out."""
    return {space: " ".join(stack) for space, stack in enumerate(state.race.spaces, start=1) if stack}


def open_colours(state: State) -> list[str]:
    assert isinstance(state.phase, Resolving)
    return [result.colour for result in state.phase.open]
