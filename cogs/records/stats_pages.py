"""The pages of one person's statistics, and of two people's against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import labelled
from cogs.core.pages.custom_ids import USER_DIGITS, ComponentPress, is_number
from cogs.core.pages.display_names import sanitize
from cogs.core.pages.game_ui import MARKS
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Select, SelectOption, Text
from cogs.records import words
from cogs.records.leaderboard_pages import game_line
from cogs.records.stats_picture import GameResult, StatsData
from engine.results import Board, FinishedGame, Rival, Score
from engine.standings import Place, Standing


@dataclass(frozen=True)
class StatsQuery:
    """The user whose statistics are requested, the game, and an opponent."""

    user: int
    game: str | None = None
    against: int | None = None

    def argument(self, game: str | None) -> str:
        """Return the argument of a control for the same statistics of another game."""
        return f"{self.user}.{game or ''}.{self.against or ''}"


def read_stats_query(control: ComponentPress) -> StatsQuery:
    """Return the request of a control of a statistics page. It is untrusted: raises `UserError`."""
    user, _dot, rest = control.argument.partition(".")
    game, _dot, against = rest.partition(".")
    game = control.values[0] if control.values else game
    if all(is_number(person, USER_DIGITS) for person in (user, against or "0")):
        return StatsQuery(int(user), game or None, int(against) if against else None)
    raise UserError(_("Those statistics don't exist. Use `/stats`."))


def place_line(title: str, place: Place, ranked: int, *, scored: bool) -> str:
    """Return two lines on a user's results on a game's leaderboard with this many ranked people."""
    standing = place.standing
    rank = "" if place.rank is None else words.rank(place.rank, ranked)
    parts = [part for part in (words.rating(standing), rank, words.trend(standing)) if part]
    achieved = [words.record_words(standing, scored=scored)]
    if standing.longest > 1:
        achieved.append(_("longest winning streak {n}", n=standing.longest))
    return f"**{title}** · {' · '.join(parts)}\n-# {' · '.join(achieved)}"


def results_of(user: int, games: Sequence[FinishedGame]) -> tuple[GameResult, ...]:
    """Return how these games (the last one first) went for a user, the last one last."""
    sides = [(game, side) for game in reversed(games) if (side := game.side_of(user)) is not None and not side.void]
    return tuple(GameResult(side.place, game.won(side), game.drawn, game.shared(side)) for game, side in sides)


def stats_data(
    who: str, board: Board, standings: Sequence[Standing | None], recent: Sequence[GameResult], rivals: Sequence[Rival]
) -> StatsData:
    """Return the data of the picture: the standings are those of the person and, if compared, of the other."""
    traces = tuple(() if standing is None else standing.course for standing in standings)
    names, scores = tuple(sanitize(rival.name) for rival in rivals), tuple(rival.score for rival in rivals)
    return StatsData(_(words.BOARD_WORDS[board]), traces, tuple(recent), scores, who, names)


@dataclass(frozen=True)
class StatsFrame:
    """The data that all of these pages share: the query, the server, the picture, the number of games `played` by game,
    the games' titles by key, and the edge's colour (0xRRGGBB).
    """

    query: StatsQuery
    server: str
    picture: Picture
    played: Mapping[str, int]
    titles: Mapping[str, str]
    colour: int

    def page(self, who: str, blocks: Sequence[Block], below: Sequence[Block]) -> Page:
        """Return the page about them, with these blocks above and below its picture."""
        assert self.query.game is not None
        head = Text(f"### {who} · {self.titles[self.query.game]}\n-# {words.bold(self.server)}")
        return Page((head, *blocks, self.picture, *below), self.colour)

    def games(self) -> list[Block]:
        """Return a select of the games that the user has played, if there is another one to choose."""
        choices = tuple(
            SelectOption(
                self.titles[game], game, ngettext("{n} game", "{n} games", number), chosen=game == self.query.game
            )
            for game, number in self.played.items()
            if game in self.titles
        )
        others = any(not choice.chosen for choice in choices)
        return [Select("stats", choices, _("Another game"), self.query.argument(self.query.game))] if others else []


def person_page(
    frame: StatsFrame,
    name: str,
    boards: Mapping[str, tuple[Place, int]],
    rivals: Sequence[Rival],
    *,
    whole: bool,
    scored: bool,
) -> Page:
    """Return a user's statistics in one game.

    `boards` has their place and the number of ranked people by the name of each leaderboard. They are not `whole` while
    games are still being added. A `scored` game shows the best score.
    """
    lines = [place_line(title, place, ranked, scored=scored) for title, (place, ranked) in boards.items()]
    if not whole:
        lines.append(_(words.UPDATING))
    placing = [place.standing.placing for place, _ranked in boards.values()]
    foot = [words.placement()] * any(placing) + [_(words.UNSURE)] * (not all(placing))
    counted = Text("\n".join(lines) or _("No rated games yet."))
    below: list[Block] = []
    if rivals:
        met = [
            f"{mark} {labelled(words.bold(rival.name), words.score(rival.score))}"
            for mark, rival in zip(MARKS[1:], rivals, strict=False)
        ]
        below.append(Text("\n".join([_("Most frequent opponents"), *met])))
    if foot:
        below.append(Text("\n".join(f"-# {line}" for line in foot)))
    ways = (
        Button(_("◀ All games"), "stats", f"{frame.query.user}.."),
        Button(_("Games played"), "history", f"{frame.query.user}.0.open"),
    )
    below += [*frame.games(), Row(ways)]
    return frame.page(words.bold(name), [counted], below)


def pair_page(
    frame: StatsFrame,
    names: tuple[str, str],
    score: Score,
    meetings: Sequence[FinishedGame],
    links: Mapping[int, str | None],
) -> Page:
    """Return the results of two users' games against each other.

    `meetings` are the last ones, newest first; `links` are the addresses of their tables' messages, by table.
    """
    one, other = words.bold(names[0]), words.bold(names[1])
    text = _("They haven't played each other yet.")
    if score.games:
        result = _(
            "{player}: {score} against {other}",
            player=f"{MARKS[0]} {one}",
            score=words.score(score),
            other=f"{MARKS[1]} {other}",
        )
        text = f"{result}\n{_('-# Who finished ahead of the other, also in games with more players')}"
    below: list[Block] = []
    if meetings:
        lines = [game_line(frame.query.user, game, links.get(game.table), frame.titles) for game in meetings]
        below.append(Text("\n".join([_("Last games together, from {player}'s side", player=one), *lines])))
    below += frame.games()
    return frame.page(_("{player} against {other}", player=one, other=other), [Text(text)], below)
