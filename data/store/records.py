"""Finished games, read for leaderboards, statistics and histories. The results were written with the last move of a
game, and triggers of the database noted on which board it counts.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from data.store.database import Database
from data.store.rows import NO_SERVER
from data.store.sql import CHANNEL, GAME_SIDES, MEETINGS, RESULTS_OF_USER
from engine.contract import Moment
from engine.results import DRAWN, VOID, Board, FinishedGame, PlayerResult, Rival, Score
from engine.standings import Leaderboard

# The plus keeps both databases from the index that begins with the server: that one walks through everybody's results.
_MINE = 'mine."user" = :user AND +mine.guild = :guild AND (CAST(:game AS text) IS NULL OR mine.game = :game)'

_OF_USER, _MEETINGS = f"{RESULTS_OF_USER} WHERE {_MINE}", f"{MEETINGS} WHERE {_MINE}"

_BOTH_VOID = f"mine.reason = '{VOID}' AND theirs.reason = '{VOID}'"

_SCORE = ", ".join(
    f"count(*) FILTER (WHERE mine.place {sign} theirs.place AND NOT ({_BOTH_VOID}))" for sign in ("<", "=", ">")
)


_PRACTICE = "guild = :guild AND status = 'over' AND id IN (SELECT table_id FROM seats WHERE \"user\" = :user)"


class Records:
    """Finished games."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def ended(
        self, chart: Leaderboard, *, after: int = 0, upto: int | None = None, most: int
    ) -> list[FinishedGame]:
        """Return up to `most` of the games that count on a leaderboard, the first one first: those whose number is
        greater than `after`, and not greater than `upto`.
        """
        chosen = (
            "SELECT * FROM endings WHERE guild = :guild AND game = :game AND board = :board AND at >= :since"
            " AND at < :until AND id > :after AND (CAST(:upto AS bigint) IS NULL OR id <= :upto)"
            " ORDER BY id LIMIT :most"
        )
        sql = GAME_SIDES.format(chosen=chosen, order="ASC")
        values = {**msgspec.structs.asdict(chart), "after": after, "upto": upto, "most": most}
        return games_in(await self._db.read(sql, **values))

    async def games_of(
        self,
        user: int,
        guild: int,
        game: str | None = None,
        *,
        most: int,
        skip: int = 0,
        without: Collection[int] = (),
    ) -> list[FinishedGame]:
        """Return the games that a user has finished on a server, the last one first, `without` some channels'."""
        chosen = (
            f"SELECT endings.* {_OF_USER} AND {CHANNEL} NOT IN (:without)"
            " ORDER BY endings.id DESC LIMIT :most OFFSET :skip"
        )
        rows = await self._db.read(
            GAME_SIDES.format(chosen=chosen, order="DESC"),
            user=user,
            guild=guild,
            game=game,
            most=most,
            skip=skip,
            without=[*without],
        )
        return games_in(rows)

    async def played(self, user: int, guild: int, *, without: Collection[int] = ()) -> dict[str, int]:
        """Return how often a user has finished each game on a server, the most played first."""
        rows = await self._db.read(
            f"SELECT mine.game, count(*) AS games {_OF_USER} AND {CHANNEL} NOT IN (:without)"
            " GROUP BY mine.game ORDER BY games DESC, mine.game",
            user=user,
            guild=guild,
            game=None,
            without=[*without],
        )
        return dict(rows)

    async def practice_of(self, user: int, *, most: int, skip: int = 0) -> list[tuple[int, str, Moment]]:
        """Return the practice games that a user has finished, the last one first: the table, the game and when."""
        rows = await self._db.read(
            f"SELECT id, game, coalesce(ended_at, created_at) FROM tables WHERE {_PRACTICE}"
            " ORDER BY id DESC LIMIT :most OFFSET :skip",
            user=user,
            guild=NO_SERVER,
            most=most,
            skip=skip,
        )
        return [(table, game, at) for table, game, at in rows]

    async def count_practice(self, user: int) -> int:
        """Return how many practice games a user has finished."""
        sql = f"SELECT count(*) FROM tables WHERE {_PRACTICE}"
        ((count,),) = await self._db.read(sql, user=user, guild=NO_SERVER)
        return int(count)

    async def channels_of(self, user: int, guild: int) -> list[int]:
        """Return the channels in which a user has finished games on a server."""
        rows = await self._db.read(f"SELECT DISTINCT {CHANNEL} {_OF_USER}", user=user, guild=guild, game=None)
        return [channel for (channel,) in rows]

    async def rivals(self, user: int, guild: int, game: str | None = None, *, most: int) -> list[Rival]:
        """Return the opponents that a user has met most often, with the score. Hidden people are left out."""
        rows = await self._db.read(
            'SELECT theirs."user",'
            ' (SELECT name FROM seats WHERE "user" = theirs."user" ORDER BY table_id DESC LIMIT 1),'
            f' {_SCORE} {_MEETINGS} AND theirs."user" IS NOT NULL'
            ' AND theirs."user" NOT IN (SELECT "user" FROM hidden_users)'
            ' GROUP BY theirs."user" ORDER BY count(*) DESC, theirs."user" LIMIT :most',
            user=user,
            guild=guild,
            game=game,
            most=most,
        )
        return [Rival(other, name or "", Score(*score)) for other, name, *score in rows]

    async def score(self, user: int, other: int, guild: int, game: str | None = None) -> Score:
        """Return the score of a user's games against another."""
        sql = f'SELECT {_SCORE} {_MEETINGS} AND theirs."user" = :other'
        (score,) = await self._db.read(sql, user=user, other=other, guild=guild, game=game)
        return Score(*score)

    async def meetings(
        self, user: int, other: int, guild: int, game: str | None = None, *, most: int
    ) -> list[FinishedGame]:
        """Return the last games in which two users met, the last one first."""
        chosen = f'SELECT endings.* {_MEETINGS} AND theirs."user" = :other ORDER BY endings.id DESC LIMIT :most'
        sql = GAME_SIDES.format(chosen=chosen, order="DESC")
        return games_in(await self._db.read(sql, user=user, other=other, guild=guild, game=game, most=most))

    async def agreed_draws(self, user: int, other: int, guild: int, since: Moment) -> int:
        """Return how many games two users have agreed to draw on a server since a moment."""
        sql = (
            f"SELECT count(*) {_MEETINGS} AND theirs.\"user\" = :other AND mine.reason = '{DRAWN}'"
            " AND mine.ended_at >= :since AND endings.board IS NOT NULL"
        )
        ((draws,),) = await self._db.read(sql, user=user, other=other, guild=guild, game=None, since=since)
        return int(draws)

    async def hidden(self) -> frozenset[int]:
        """Return who does not want to be on leaderboards."""
        return frozenset(user for (user,) in await self._db.read('SELECT "user" FROM hidden_users'))

    async def setting(self, guild: int, name: str) -> str | None:
        """Return what a server's managers have set, None if they have not."""
        sql = "SELECT value FROM settings WHERE guild = :guild AND name = :name"
        rows = await self._db.read(sql, guild=guild, name=name)
        return str(rows[0][0]) if rows else None


def games_in(rows: Iterable[Sequence[Any]]) -> list[FinishedGame]:
    """Put the sides of each game together. They are next to each other, each after the five fields of its game."""
    sides: dict[int, list[PlayerResult]] = {}
    heads: dict[int, tuple[int, int, str, Board | None, Moment]] = {}
    for number, table, game, board, at, *rest, void in rows:
        side = [*rest, bool(void)]
        heads.setdefault(number, (number, table, game, board, at))
        sides.setdefault(number, []).append(PlayerResult(*side))
    return [FinishedGame(*head, tuple(sides[number])) for number, head in heads.items()]
