"""The overview of `/stats`: a person's games, ratings and last results in all games, on one page."""

from collections.abc import Sequence
from dataclasses import dataclass

from cogs.core.i18n.translation import _, ngettext
from cogs.core.pages.achievements import LIST
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.page import Block, Button, Link, Page, Picture, Row, Text, join_within, rows
from cogs.records import words
from cogs.records.stats_picture import GameResult, place_words
from engine.standings import PLACEMENT_GAMES, Standing

RESULTS = 6
"""How many of the last results of each game are shown."""

STREAK_GAMES = 20
"""How many of the last games of all are read, to count those won in a row."""


@dataclass(frozen=True)
class GameSummary:
    """One game in the overview: its title and colour (0xRRGGBB), the counted games and wins on both boards, the last
    results, the last one last, and the standing that is shown; `casual`: that of games with computers.
    """

    key: str
    title: str
    colour: int
    games: int = 0
    wins: int = 0
    recent: tuple[GameResult, ...] = ()
    standing: Standing | None = None
    casual: bool = False

    @property
    def counts(self) -> str:
        """The counted games and the wins in words."""
        if not self.games:
            return _("not played yet")
        played = ngettext("{n} game", "{n} games", self.games)
        return f"{played} · {ngettext('{n} win', '{n} wins', self.wins)}"


@dataclass(frozen=True)
class OwnProgress:
    """What only the person themselves sees: lessons finished of all, puzzles solved, on how many days in a row, and
    achievements of all; None where they are turned off.
    """

    lessons: tuple[int, int]
    puzzles: int
    days: int
    achievements: tuple[int, int] | None = None


@dataclass(frozen=True)
class Overview:
    """The data of the page. `streak` is the number of games won in a row, of any; `own` is None for other readers."""

    who: str
    games: tuple[GameSummary, ...]
    streak: int
    own: OwnProgress | None = None
    whole: bool = True

    @property
    def played(self) -> int:
        """The number of counted games."""
        return sum(game.games for game in self.games)

    @property
    def won(self) -> int:
        """The number of games won."""
        return sum(game.wins for game in self.games)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """The figures at the top, each a number and what it counts."""
        found = [
            (str(self.played), ngettext("game", "games", self.played)),
            # Translators: follows a number of games won.
            (str(self.won), ngettext("win", "wins", self.won)),
            # Translators: follows a number of games won in a row.
            (str(self.streak), _("in a row")),
        ]
        if self.own is not None:
            done, total = self.own.lessons
            found += [
                (f"{done}/{total}", ngettext("lesson", "lessons", total)),
                # Translators: follows a number of solved puzzles.
                (str(self.own.puzzles), ngettext("puzzle", "puzzles", self.own.puzzles)),
            ]
            if self.own.achievements is not None:
                earned, total = self.own.achievements
                found.append((f"{earned}/{total}", ngettext("badge", "badges", total)))
            else:
                # Translators: follows a number of days in a row with a solved puzzle.
                found.append((str(self.own.days), ngettext("puzzle day", "puzzle days", self.own.days)))
        return tuple(found)


def streak_of(results: Sequence[GameResult]) -> int:
    """Return how many of these results (the last one last) were won in a row up to the last."""
    return next((number for number, result in enumerate(reversed(results)) if not result.won), len(results))


def rating_words(game: GameSummary) -> tuple[str, str]:
    """Return the rating of a game in two short lines: the figure, and a remark on it."""
    standing = game.standing
    if standing is None:
        # Translators: of a person, who has not played a rated game; above it stands "-".
        return "-", _("no rating")
    if standing.placing:
        return f"{standing.games}/{PLACEMENT_GAMES}", _("placement")
    return str(standing.rating), f"± {standing.margin}"


def alt(data: Overview) -> str:
    """Return the picture in words."""
    figures = ", ".join(f"{number} {what}" for number, what in data.figures)
    sentences = [_("Overview of {player}: {figures}.", player=data.who, figures=figures)]
    for game in data.games:
        rating, about = rating_words(game)
        if game.casual:
            about = _("{rating}, with computers", rating=about)
        places = ", ".join(map(place_words, game.recent)) or "-"
        sentences.append(
            _(
                "{game}: {played} played, {won} won, rating {rating} ({about}), last places {places}.",
                game=game.title,
                played=game.games,
                won=game.wins,
                rating=rating,
                about=about,
                places=places,
            )
        )
    return join_within(sentences)


def page(user: int, data: Overview, server: str, picture: Picture) -> Page:
    """Return the page: one button leads to each game."""
    head = _("### {player} · all games", player=words.bold(data.who))
    blocks: list[Block] = [Text(f"{head}\n-# {words.bold(server)}"), picture]
    if not data.whole:
        blocks.append(Text(_(words.UPDATING)))
    buttons: list[Button | Link] = [
        Button(game.title, "stats", f"{user}.{game.key}.", "primary" if game.games else "secondary")
        for game in data.games
    ]
    ways = [Button(_("Games played"), "history", f"{user}.0.open")]
    if data.own is not None and data.own.achievements is not None:
        ways.append(Button(_("Achievements"), LIST))
    return Page((*blocks, *rows(buttons, 3), Row(tuple(ways))), EDGE)
