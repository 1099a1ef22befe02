"""How many tables may be open, judged alike over every database. May import the standard library and its neighbours."""

from collections.abc import Sequence

from data.store.errors import LimitReached
from data.store.rows import Limits, NewTable, SeatRow

PLACE = "coalesce(parent, channel)"
"""The channel with which a table is counted: that of its thread, if it stands in one. Both databases understand it."""


def check_open(
    awake: Sequence[tuple[int, int, int, bool | int]], new: NewTable, seats: Sequence[SeatRow], limits: Limits
) -> None:
    """Raise `LimitReached` if one table more would be too many beside those that are `awake` on its server: number,
    opener and `PLACE` of each, and whether its opener sits there with computers only; oldest first.
    """
    alone = new.invited is None and any(row.level is not None for row in seats)
    alone = alone and all(row.level is not None or row.user == new.opener for row in seats)
    own = tuple(number for number, opener, _, like in awake if opener == new.opener and bool(like) == alone)
    place = new.channel if new.parent is None else new.parent
    here = tuple(number for number, _, where, _ in awake if where == place)
    if len(own) >= limits.person:
        raise LimitReached("alone" if alone else "person", limits.person, own)
    if len(here) >= limits.channel:
        raise LimitReached("channel", limits.channel, here)
    if len(awake) >= limits.server:
        raise LimitReached("server", limits.server, tuple(number for number, *_ in awake))
