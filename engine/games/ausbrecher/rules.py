"""Ausbrecher AG's referee: what may be forecast and rolled.

All other code asks these functions. `track` knows where a result leads. Marks in comments (R4, D1) refer to
docs/rules/ausbrecher.md.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from engine.contract import Event, Refusal
from engine.games.ausbrecher.track import full, on_the_way, prisoner
from engine.games.ausbrecher.types import (
    COLOURS,
    Assignment,
    AusbrecherOptions,
    Colour,
    Crew,
    DiceChoice,
    Forecast,
    ForecastGiven,
    Material,
    Race,
    Roll,
)


def could_happen(event: Event, material: Material) -> bool:
    """Return whether a forecast from outside fills the boats; all other events are judged by what follows from them."""
    return not isinstance(event, ForecastGiven) or sorted(event.boats) == sorted(places_in(material.boats))


def places_in(holds: tuple[int, ...]) -> Assignment:
    """Return the boat of each place in the boats: 1, 1, 2, 2, 3, 3, 4."""
    return tuple(boat for boat, hold in enumerate(holds, start=1) for _ in range(hold))


def judge_forecast(holds: Sequence[int], boats: Assignment) -> None:
    """R5: two prisoners in each of the boats 1 to 3, one in boat 4.

    Raises `Refusal`: `bets` (facts `given`, `needed`), `no-boat` (facts `boat`, `boats`), `boat-load` (facts `boat`,
    `given`, `holds`).
    """
    if len(boats) != len(COLOURS):
        raise Refusal("bets", given=len(boats), needed=len(COLOURS))
    for boat in boats:
        if not 1 <= boat <= len(holds):
            raise Refusal("no-boat", boat=boat, boats=len(holds))
    for boat, hold in enumerate(holds, start=1):
        if (given := boats.count(boat)) != hold:
            raise Refusal("boat-load", boat=boat, given=given, holds=hold)


def dice_choice(race: Race, turn: int, material: Material, options: AusbrecherOptions) -> DiceChoice:
    """Return what may be rolled in the turn that begins now."""
    # R8: three dice, two once boat 1 is full; D6: counted at the start of the turn, fewer if fewer colours are left.
    left = len(COLOURS) - sum(map(len, race.boats))
    plain = min(material.dice[1 if full(race, 1) else 0], left)
    if turn < material.white_turn:  # D7: only from the game's second turn on
        return DiceChoice(plain, None)
    if not full(race, 2):
        return DiceChoice(plain, plain)  # R10: in addition to the coloured dice
    # R8: once boat 2 is full the white die takes the place of a coloured one. O2: it then moves a second prisoner.
    # There is one, since the game continues with at least two and one of the coloured dice is left out.
    return DiceChoice(plain, plain - 1, second=options.late_white == "second")


def judge_roll(race: Race, turn: int, from_turn: int, choice: DiceChoice, roll: Roll) -> tuple[Colour, ...]:
    """R8: return the colours of the dice that are rolled, in the order in which they were named.

    Raises `Refusal`: `no-colour` (fact `colours`), `aboard` (facts `colour`, `boat`), `twice` (fact `colour`),
    `too-early` (facts `turn`, `from_turn`), `dice` (facts `given`, `needed`, `white`: 0 or 1), `no-second`,
    `needs-second`, `same-second` (fact `colour`).
    """
    colours = tuple(_on_the_way(race, word) for word in roll.colours)
    for colour in colours:
        if colours.count(colour) > 1:
            raise Refusal("twice", colour=colour)
    if roll.white and choice.with_white is None:
        raise Refusal("too-early", turn=turn, from_turn=from_turn)
    needed = _needed(choice, roll.white)
    if len(colours) != needed:
        raise Refusal("dice", given=len(colours), needed=needed, white=int(roll.white))
    _judge_second(race, choice, roll, colours)
    return colours


def _judge_second(race: Race, choice: DiceChoice, roll: Roll, colours: tuple[Colour, ...]) -> None:
    """O2 `second`: named together with the dice; D9: another colour, not aboard; it may be covered."""
    if not (choice.second and roll.white):
        if roll.second is not None:
            raise Refusal("no-second")
        return
    if roll.second is None:
        raise Refusal("needs-second")
    second = _on_the_way(race, roll.second)
    if second in colours:
        raise Refusal("same-second", colour=second)


def known(word: str) -> Colour:
    """Return the prisoner of this name. Raises `Refusal` `no-colour` (fact `colours`)."""
    for colour in COLOURS:
        if colour == word:
            return colour
    raise Refusal("no-colour", colours=COLOURS)


def _on_the_way(race: Race, word: str) -> Colour:
    """R9: a boarded prisoner's die can no longer be chosen."""
    colour = known(word)
    boat = prisoner(race, colour).boat
    if boat is not None:
        raise Refusal("aboard", colour=colour, boat=boat)
    return colour


def _needed(choice: DiceChoice, white: bool) -> int:
    return choice.with_white if white and choice.with_white is not None else choice.plain


@cache
def forecasts(holds: tuple[int, ...]) -> tuple[Forecast, ...]:
    """Return every forecast: there are 630 for boats of 2, 2, 2 and 1."""

    def fill(places: tuple[int, ...], bets: Assignment) -> Iterator[Forecast]:
        if len(bets) == len(COLOURS):
            yield Forecast(bets)
            return
        for boat, free in enumerate(places, start=1):
            if free:
                yield from fill((*places[: boat - 1], free - 1, *places[boat:]), (*bets, boat))

    return tuple(fill(holds, ()))


def rolls(race: Race, choice: DiceChoice) -> Iterator[Roll]:
    """Return every roll that is allowed."""
    return iter(_rolls(on_the_way(race), choice))


@cache
def _rolls(left: Crew, choice: DiceChoice) -> tuple[Roll, ...]:
    """Return every roll while these are on the way. There are only 128 such sets, so results are cached."""
    plain = tuple(Roll(colours) for colours in combinations(left, choice.plain))
    if choice.with_white is None:
        return plain
    named = tuple(combinations(left, choice.with_white))
    if not choice.second:
        return (*plain, *(Roll(colours, True) for colours in named))
    return (*plain, *(Roll(colours, True, second) for colours in named for second in left if second not in colours))
