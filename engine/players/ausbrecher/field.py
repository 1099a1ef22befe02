"""A compact model of the race, for bots that try many moves.

Prisoners are numbers, their indexes in `COLOURS`. Movement follows `engine.games.ausbrecher.track`; a test compares the
two.
"""

from engine.games.ausbrecher import COLOURS, Race

Runner = int
NOBODY = -1
NUMBER: dict[str, Runner] = {colour: number for number, colour in enumerate(COLOURS)}

Key = tuple[int, ...]
"""What distinguishes two fields of one game, as far as it matters to the race."""


class Field:
    """Where everyone is. `at` is a runner's space: 0 is its cell, `length` + 1 is aboard. Mutable."""

    __slots__ = ("_free", "_top", "_under", "aboard", "at", "length")

    def __init__(self, length: int) -> None:
        self.length = length
        self.at = [0] * len(COLOURS)
        self.aboard: list[Runner] = []  # in order of arrival
        self._under = [NOBODY] * len(COLOURS)  # the runner below each runner
        self._top = [NOBODY] * (length + 2)  # the top of the stack on each space
        self._free = (1 << length + 1) - 2  # bit n: nobody is on space n

    @staticmethod
    def of(race: Race) -> "Field":
        """Return the field of a race."""
        field = Field(len(race.spaces))
        for space, stack in enumerate(race.spaces, start=1):
            for colour in stack:
                field._put(NUMBER[colour], space)
        for crew in race.boats:
            for colour in crew:
                field._put(NUMBER[colour], field.length + 1)
        return field

    @staticmethod
    def like(key: Key, length: int) -> "Field":
        """Return the field that has this key. The order in a stack follows from which prisoner covers which."""
        runners = len(COLOURS)
        field = Field(length)
        at, under = key[:runners], key[runners : 2 * runners]
        waiting = [one for one in range(runners) if 0 < at[one] <= length]
        while waiting:
            lowest = next(one for one in waiting if under[one] not in waiting)
            field._put(lowest, at[lowest])
            waiting.remove(lowest)
        for one in key[2 * runners :]:
            field._put(one, length + 1)
        return field

    def copy(self) -> "Field":
        """Return an independent copy."""
        twin = Field.__new__(Field)
        twin.length = self.length
        twin.at = self.at[:]
        twin.aboard = self.aboard[:]
        twin._under = self._under[:]
        twin._top = self._top[:]
        twin._free = self._free
        return twin

    def key(self) -> Key:
        """Return what distinguishes this field from others of the same game."""
        return (*self.at, *self._under, *self.aboard)

    def move(self, one: Runner, pips: int, back: bool) -> None:
        """Resolve a result for a runner not aboard; with six aboard the seventh follows."""
        here = at = self.at[one]
        if here and self._top[here] != one:
            return
        if back:
            for _ in range(pips - 1):
                at = (self._free & (1 << at) - 1 | 1).bit_length() - 1
            if not here:
                return
            at = max(at - 1, 0)
        else:
            for _ in range(pips - 1):
                beyond = self._free >> at + 1
                if not beyond:
                    at = self.length
                    break
                at += (beyond & -beyond).bit_length()
            at += 1
        if here:
            self._lift(one, here)
        self._put(one, at)
        if len(self.aboard) == len(COLOURS) - 1:
            last = next(other for other in range(len(COLOURS)) if self.at[other] <= self.length)
            self._put(last, self.length + 1)

    def above(self) -> list[int]:
        """Return for each runner how many are on top of it."""
        count = [0] * len(COLOURS)
        for space in range(1, self.length + 1):
            one, over = self._top[space], 0
            while one != NOBODY:
                count[one] = over
                one, over = self._under[one], over + 1
        return count

    def _lift(self, one: Runner, here: int) -> None:
        below = self._under[one]
        self._top[here] = below
        self._under[one] = NOBODY
        if below == NOBODY:
            self._free |= 1 << here

    def _put(self, one: Runner, at: int) -> None:
        self.at[one] = at
        if at > self.length:
            self.aboard.append(one)
        elif at:
            self._under[one] = self._top[at]
            self._top[at] = one
            self._free &= ~(1 << at)
