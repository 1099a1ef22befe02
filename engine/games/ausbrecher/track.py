"""The race to the boats: where everyone is, and where a die leads.

Everything here is public and pure, so that rules, pictures and bots use the same functions. Marks in comments (R4, D1)
refer to docs/rules/ausbrecher.md.
"""

from collections.abc import Collection

import msgspec

from engine.games.ausbrecher.types import (
    CELL,
    COLOURS,
    Assignment,
    Boat,
    Colour,
    Crew,
    Landing,
    Prisoner,
    Race,
    Space,
)


def in_their_cells(length: int, holds: tuple[int, ...]) -> Race:
    """R4: return a race with one prisoner in each cell, and `length` empty spaces before the boats."""
    return Race(cells=COLOURS, spaces=((),) * length, boats=((),) * len(holds), holds=holds)


def prisoner(race: Race, colour: Colour) -> Prisoner:
    """Return where this prisoner is."""
    if colour in race.cells:
        return Prisoner(colour, CELL)
    for space, stack in enumerate(race.spaces, start=1):
        if colour in stack:
            return Prisoner(colour, space, stack.index(colour), covered=stack[-1] != colour)
    boat = next(boat for boat, crew in enumerate(race.boats, start=1) if colour in crew)
    return Prisoner(colour, None, boat=boat)


def on_the_way(race: Race) -> Crew:
    """Return those not aboard, in the order of `COLOURS`."""
    left = list(COLOURS)
    for crew in race.boats:
        for colour in crew:
            left.remove(colour)
    return tuple(left)


def full(race: Race, boat: Boat) -> bool:
    """Return True if this boat takes nobody else."""
    return len(race.boats[boat - 1]) == race.holds[boat - 1]


def next_boat(race: Race) -> Boat:
    """R19: arrivals fill boat 1, then 2, then 3. Return the boat that the next one boards."""
    return next(boat for boat in range(1, len(race.boats) + 1) if not full(race, boat))


def landing(race: Race, colour: Colour, pips: int, back: bool) -> Landing:
    """Return where a result leads this prisoner, who is not aboard.

    R13: only empty spaces count, others are jumped; R14: but the last pip leads to the very next space, on top of
    anyone there. So n pips are n − 1 times to the next empty space, then to the very next. R16: backward the same,
    mirrored. Raises ValueError for a prisoner aboard.
    """
    at = prisoner(race, colour)
    if at.space is None:
        raise ValueError(f"{colour} is aboard and moves no more")
    if at.covered:
        return Landing("covered", at.space)  # R15: only the top one of a stack can move
    if back and at.space == CELL:
        return Landing("in-cell", CELL)  # D12: a prisoner in a cell does not move backward
    step = -1 if back else 1
    length = len(race.spaces)
    space = at.space
    trail: list[Space] = []
    for pip in range(1, pips + 1):
        space += step
        while pip < pips and 1 <= space <= length and race.spaces[space - 1]:
            space += step
        if space > length:  # R18, D13: the pip that would go beyond the last space boards, the rest is void
            return Landing("boat", None, boat=next_boat(race), trail=tuple(trail))
        trail.append(space)
        if space == CELL:  # R17, D12: never further back than a free cell, where nobody is covered; the rest is void
            return Landing("cell", CELL, trail=tuple(trail))
    stack = race.spaces[space - 1]
    return Landing("space", space, onto=stack[-1] if stack else None, trail=tuple(trail))


def held(race: Race, rolled: Collection[Colour]) -> Crew:
    """Return those who cannot move in this turn, given the prisoners with open results, in any order of resolving.

    R15 keeps them covered as long as a prisoner without such a result is on top of them.
    """
    found: list[Colour] = []
    for stack in race.spaces:
        if len(stack) > 1:
            stays = [height for height, colour in enumerate(stack) if colour not in rolled]
            found += stack[: stays[-1]] if stays else ()
    return tuple(found)


def moved(race: Race, colour: Colour, there: Landing) -> Race:
    """Return the race after this prisoner went there."""
    match there.fate:
        case "covered" | "in-cell":
            return race
        case "boat":
            return boarded(race, (colour,))
        case "cell":
            race = _lifted(race, colour)
            return msgspec.structs.replace(race, cells=_listed(*race.cells, colour))
        case "space":
            assert there.space is not None, "a prisoner on a space is not aboard"
            race = _lifted(race, colour)
            return _stacked(race, there.space, (*race.spaces[there.space - 1], colour))


def boarded(race: Race, order: Crew) -> Race:
    """Return the race after these boarded one after the other."""
    for colour in order:
        race = _lifted(race, colour)
        boat = next_boat(race)
        boats = tuple((*crew, colour) if number == boat else crew for number, crew in enumerate(race.boats, start=1))
        race = msgspec.structs.replace(race, boats=boats)
    return race


def order_of_position(race: Race) -> Crew:
    """D15: return those on the track, the furthest first, in a stack from the top; those in cells do not count."""
    return tuple(colour for stack in reversed(race.spaces) for colour in reversed(stack))


def points(race: Race, forecast: Assignment) -> tuple[int | None, ...]:
    """R21: a correct boat scores its number. Return the points for each prisoner; None for those not aboard yet."""
    boats = (prisoner(race, colour).boat for colour in COLOURS)
    return tuple(None if boat is None else boat * (boat == bet) for boat, bet in zip(boats, forecast, strict=True))


def _lifted(race: Race, colour: Colour) -> Race:
    space = prisoner(race, colour).space
    if not space:  # CELL, or aboard
        return msgspec.structs.replace(race, cells=_without(race.cells, colour))
    return _stacked(race, space, _without(race.spaces[space - 1], colour))


def _stacked(race: Race, space: Space, stack: Crew) -> Race:
    """Return the race with this stack on this space."""
    spaces = list(race.spaces)
    spaces[space - 1] = stack
    return msgspec.structs.replace(race, spaces=tuple(spaces))


def _without(crew: Crew, colour: Colour) -> Crew:
    return tuple([one for one in crew if one != colour])


def _listed(*colours: Colour) -> Crew:
    return tuple(sorted(colours, key=COLOURS.index))
