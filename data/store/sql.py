"""SQL that several modules share: columns in the order of our structs' fields, conditions and joins."""

from collections.abc import Iterable

from data.store.rows import ResultRow, SeatRow, TableRow
from engine.puzzles import Attempt
from engine.results import VOID
from engine.standings import RATINGS_VERSION, Leaderboard, Standing


def columns(names: Iterable[str]) -> str:
    """Return the columns of these names, as a list in SQL."""
    return ", ".join(f'"{name}"' for name in names)


TABLE = columns(TableRow.__struct_fields__)
SEAT = columns(SeatRow.__struct_fields__)
RESULT = columns(ResultRow.__struct_fields__)
ATTEMPT = columns(Attempt.__struct_fields__)
CHART = columns(Leaderboard.__struct_fields__)
STANDING = columns(Standing.__struct_fields__)
"""The columns of each struct, in the order of its fields."""

OPEN = "status IN ('lobby', 'playing')"
ENDED = "status IN ('over', 'closed')"
"""The tables that are open, and those that no longer are."""

UNSHOWN = (
    "SELECT id, guild FROM tables WHERE shown < revision UNION SELECT id, guild FROM tables"
    f" WHERE id IN (SELECT table_id FROM mentions WHERE showed_table)"
    f" OR (id IN (SELECT table_id FROM mentions) AND NOT {OPEN}) ORDER BY id"
)
"""The tables whose message is not known to be up to date, those with an old one that was not deleted, and those that
ended and left messages.
"""

# Finished games

GAME_SIDES = (
    'SELECT e.id, e.table_id, e.game, e.board, e.at, r.seat, r."user", s.level,'
    f" coalesce(s.name, ''), r.place, r.score, r.reason = '{VOID}'"
    " FROM ({chosen}) AS e JOIN results AS r ON r.table_id = e.table_id"
    " LEFT JOIN seats AS s ON s.table_id = r.table_id AND s.seat = r.seat ORDER BY e.id {order}, r.seat"
)
"""The endings that are `chosen`, in an order, with all who played: what `games_in` reads."""

RESULTS_OF_USER = "FROM results AS mine JOIN endings ON endings.table_id = mine.table_id"
"""The endings of a user's games. A condition on their results follows."""

MEETINGS = (
    "FROM results AS mine JOIN results AS theirs ON theirs.table_id = mine.table_id AND theirs.seat <> mine.seat"
    " JOIN endings ON endings.table_id = mine.table_id"
)
"""The same with everybody who was in them."""

CHANNEL = "(SELECT channel FROM tables WHERE id = mine.table_id)"
"""The channel in which such a game was played."""

# Leaderboards

TOP = (
    "coalesce((SELECT max(id) FROM endings AS e WHERE e.guild = l.guild AND e.game = l.game AND e.board = l.board), 0)"
)
CORRECTED = "coalesce((SELECT count FROM corrections AS c WHERE c.guild = l.guild AND c.game = l.game), 0)"
"""The last ending of a leaderboard `l`, and how often results of its game were corrected."""

DUE = (
    f"SELECT id, {CHART}, state, last, corrected, {TOP}, {CORRECTED}, version FROM leaderboards AS l"
    " WHERE due ORDER BY id"
)
"""The leaderboards with something to do."""

OLD_RATINGS = f"board = 'casual' AND last > 0 AND version < {RATINGS_VERSION}"
"""Which leaderboards were added up with older ratings of the computers."""
