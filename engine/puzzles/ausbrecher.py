"""The best dice: which of them most likely bring one prisoner into one boat, in this turn.

Proved by every throw of every choice of dice, each played as well as possible.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

import msgspec

from engine.contract import Action, Moment
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    Assignment,
    AusbrecherOptions,
    Boat,
    Colour,
    Material,
    Race,
    Roll,
    Rolling,
    State,
    Turn,
)
from engine.games.ausbrecher.rules import dice_choice, rolls
from engine.games.ausbrecher.track import boarded, full, in_their_cells, landing, moved, next_boat, on_the_way
from engine.puzzles import EASIEST, HARDEST, SOLVER, Answer, Proof, PuzzleKind

TURN = 14
"""The number of the game's turn: the white die may be rolled, and the last turns are far away."""

NEAREST = 7
"""Prisoners not aboard are on this many last spaces and the one before, often on top of each other."""

MARGIN = 30
"""How much better than any others the best dice are, in thousandths."""

WORTH = 250
"""The lowest chance of the best dice, in thousandths. The second best have at least half of it: otherwise there is no
choice.
"""

NEAR = 70
"""Dice that reach this percentage of the best chance look as good: each such choice is a trap."""


class BestDice(msgspec.Struct, frozen=True):
    """Where everybody is: for each a colour and a space, "cell" or a boat, stacks from the lowest, boats in order of
    arrival.

    `colour` has to come into `boat`.
    """

    places: str
    colour: Colour
    boat: Boat


class _Die(NamedTuple):
    """A result that has yet to be resolved."""

    colour: Colour
    pips: int
    back: bool


def race(position: BestDice, material: Material) -> Race:
    """Return the race that a position describes."""
    made = in_their_cells(material.path, material.boats)
    for word in position.places.split():
        name, _, place = word.partition(":")
        colour = next(one for one in COLOURS if one == name)
        if place.startswith("boat"):
            made = boarded(made, (colour,))
        elif place != "cell":
            made = _stood(made, colour, int(place))
    return made


def _stood(made: Race, colour: Colour, space: int) -> Race:
    spaces = tuple((*stack, colour) if number == space else stack for number, stack in enumerate(made.spaces, start=1))
    return msgspec.structs.replace(made, cells=tuple(one for one in made.cells if one != colour), spaces=spaces)


def state(position: BestDice, material: Material) -> State:
    """Return the game: the solver has to choose dice, and their forecast has the prisoner in that boat."""
    made = race(position, material)
    bets = _forecast(made, position)
    return State(
        material=material,
        options=AusbrecherOptions(clock=0),
        phase=Rolling(SOLVER),
        began=Moment(0),
        race=made,
        forecasts=(bets, bets),
        turns=(Turn(TURN, SOLVER),),
    )


def _forecast(made: Race, position: BestDice) -> Assignment:
    """Return a forecast that may still come true in full, with the prisoner in the boat."""
    places = [hold - len(crew) for hold, crew in zip(made.holds, made.boats, strict=True)]
    places[position.boat - 1] -= 1
    bets: dict[Colour, Boat] = {one: boat for boat, crew in enumerate(made.boats, start=1) for one in crew}
    bets[position.colour] = position.boat
    free = iter([boat for boat, left in enumerate(places, start=1) for _ in range(left)])
    return tuple(bets[one] if one in bets else next(free) for one in COLOURS)


def propose(rng: Random, material: Material) -> BestDice | None:
    """Return a late race: boat 1 is full, the others are on their last spaces."""
    colours = rng.sample(COLOURS, len(COLOURS))
    aboard = material.boats[0] + rng.randrange(2)
    nearest = material.path - NEAREST
    spaces = {colour: rng.randrange(nearest, material.path + 1) for colour in colours[aboard:]}
    words = [f"{colour}:boat" for colour in colours[:aboard]]
    words += [f"{colour}:{space}" for colour, space in spaces.items()]
    target = rng.choice(colours[aboard:])
    blank = BestDice(" ".join(words), target, 1)
    first = next_boat(race(blank, material))
    return msgspec.structs.replace(blank, boat=first + (aboard > material.boats[0] and rng.random() < 0.5))


def prove(position: BestDice, material: Material) -> Proof | None:
    """Return the proof that one choice of dice is the best; None if another comes close, or none is good."""
    made = race(position, material)
    choice = dice_choice(made, TURN, material, AusbrecherOptions(clock=0))
    found = {roll: chance(made, position, roll, material.faces) for roll in rolls(made, choice)}
    ranked = sorted(found, key=lambda roll: -found[roll])
    best, second = (round(1_000 * found[roll]) for roll in ranked[:2])
    if best - second < MARGIN or best < WORTH or 2 * second < best:
        return None
    near = sum(100 * one >= NEAR * found[ranked[0]] for one in found.values()) - 1
    return Proof((ranked[0],), best, second, len(found), min(HARDEST, EASIEST + near))


def chance(made: Race, position: BestDice, roll: Roll, faces: int) -> Fraction:
    """Return how likely these dice bring the prisoner into the boat, with every throw played as well as possible."""
    if position.colour not in roll.colours:
        return Fraction(0)
    colours = [colour for colour in COLOURS if colour in roll.colours]
    wins = throws = 0
    for pips in product(range(1, faces + 1), repeat=len(colours) + roll.white):
        dice = [_Die(colour, shown, False) for colour, shown in zip(colours, pips, strict=False)]
        ways = _replaced(dice, pips[-1]) if roll.white else iter([dice])
        throws += 1
        wins += any(_reaches(made, position, way) for way in ways)
    return Fraction(wins, throws)


def _replaced(dice: list[_Die], white: int) -> Iterator[list[_Die]]:
    """Yield the possible results after the white die has replaced one of them."""
    for number, die in enumerate(dice):
        yield [*dice[:number], _Die(die.colour, white, True), *dice[number + 1 :]]


def _reaches(made: Race, position: BestDice, dice: list[_Die]) -> bool:
    """Return whether the dice, resolved in some order, bring the prisoner into the boat."""
    if position.colour in made.boats[position.boat - 1]:
        return True
    if full(made, position.boat) or position.colour not in on_the_way(made):
        return False
    return any(
        _reaches(
            moved(made, die.colour, landing(made, die.colour, die.pips, die.back)),
            position,
            [*dice[:number], *dice[number + 1 :]],
        )
        for number, die in enumerate(dice)
    )


def judge(position: BestDice, proof: Proof, material: Material, played: tuple[Action, ...]) -> Answer:
    """Evaluate a choice of dice. Facts: its `chance` and the `best` possible one, in thousandths."""
    (roll,) = played
    assert isinstance(roll, Roll)
    found = round(1_000 * chance(race(position, material), position, roll, material.faces))
    return Answer("right" if found >= proof.best else "wrong", facts={"chance": found, "best": proof.best})


KIND: PuzzleKind[BestDice] = PuzzleKind(
    key="best-dice",
    game=GAME,
    position=BestDice,
    propose=propose,
    prove=prove,
    state=state,
    judge=judge,
    answers=(Roll,),
    carried_out=False,
)
