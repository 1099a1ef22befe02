"""How good it is to leave through these exits. May import `engine` only."""

from engine.contract import Seat


def merit(exits: tuple[Seat | None, ...], columns: tuple[int, ...]) -> tuple[int, int]:
    """Return the merit of freeing prisoners through these columns, counted from 0: the greater the better.

    What is freed counts first. Then an exit at the flank is better to close than one in the middle: most ropes end in
    the middle, and the loser of this round begins the next.
    """
    middle = len(exits) - 1
    return len(columns), sum(abs(2 * column - middle) for column in columns)
