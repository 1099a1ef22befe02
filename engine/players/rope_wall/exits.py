"""Which exits are good to leave through."""

from engine.contract import Seat


def merit(exits: tuple[Seat | None, ...], columns: tuple[int, ...]) -> tuple[int, int]:
    """Return the merit of freeing prisoners through these columns, counted from 0; higher is better.

    The number of prisoners counts first. Then an exit at the edge is better to close than one in the middle: most ropes
    end in the middle, and the loser of this round begins the next.
    """
    middle = len(exits) - 1
    return len(columns), sum(abs(2 * column - middle) for column in columns)
