"""Texts for records: ranks, ratings, trends, places."""

from collections import Counter

import msgspec

from cogs.core.ops.text_format import count, figure
from cogs.core.pages import display_names, game_ui
from engine.results import Board, FinishedGame, PlayerResult, Score
from engine.standings import PLACEMENT_GAMES, TREND_GAMES, Listing, Place, Standing

BOARD_WORDS: dict[Board, str] = {"ranked": "ranked tables", "casual": "tables with computer players"}

UPDATING = "-# This is being brought up to date: not every finished game is counted here yet."
"""For corrected results, or while many new ones are added."""

PLACEMENT = f"The first {PLACEMENT_GAMES} games move a rating most; whoever has played them has a place here."

UNSURE = "± is how unsure a rating still is. The number is a careful one, three times the ± below the best guess."
"""Why a rating rises while its player becomes better known: see `engine.standings.SURE`."""

NAME_BESIDE_NUMBER = 22
"""The most characters of a name on a leaderboard with the end of its person's number behind it."""

STEADY = 10
"""The change in points below which a rating is called steady."""


def bold(name: str) -> str:
    """Return a name in bold, with Discord's markup escaped."""
    return display_names.bold(name)


def marked(side: PlayerResult) -> str:
    """Return the name of a player in a game after the shape of their seat."""
    return game_ui.marked(side.seat, side.name, computer=side.level is not None)


def told_apart(listing: Listing) -> Listing:
    """Return a leaderboard on which people of one name have the end of their Discord number behind it."""
    times = Counter(display_names.sanitize(place.standing.name).casefold() for place in listing.places)

    def named(place: Place) -> Place:
        standing = place.standing
        if times[display_names.sanitize(standing.name).casefold()] < 2:
            return place
        name = f"{display_names.sanitize(standing.name, NAME_BESIDE_NUMBER)} (…{str(standing.player)[-4:]})"
        return msgspec.structs.replace(place, standing=msgspec.structs.replace(standing, name=name))

    return msgspec.structs.replace(listing, places=tuple(map(named, listing.places)))


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, …"""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def place(game: FinishedGame, side: PlayerResult) -> str:
    """Return a player's place in a game: 2nd, or shared 2nd."""
    return f"{'shared ' * game.shared(side)}{ordinal(side.place)}"


def rating(standing: Standing) -> str:
    """Return the rating with its uncertainty, or how many of the required first games are played."""
    if standing.placing:
        return f"{standing.games} of {PLACEMENT_GAMES} placement games"
    return f"**{standing.rating}** ± {standing.margin}"


def trend(standing: Standing) -> str:
    """Return the trend of the rating: a sign, a word and the points; nothing in the first games."""
    change = standing.change
    if standing.placing:
        return ""
    if abs(change) < STEADY:
        return "▬ steady"
    way = "▲ up" if change > 0 else "▼ down"
    return f"{way} {abs(change)} in {TREND_GAMES} games"


def record_words(standing: Standing, *, scored: bool) -> str:
    """Return games, wins and streak in a line, and the best score in a game that is `scored`."""
    parts = [count(standing.games, "game"), f"{standing.wins} won"]
    if standing.streak > 1:
        parts.append(f"{standing.streak} in a row")
    if standing.best is not None and scored:
        parts.append(f"best score {figure(standing.best)}")
    return " · ".join(parts)


def score(result: Score) -> str:
    """Return the score of two people's games in words."""
    parts = [f"{result.won} won"]
    if result.drawn:
        parts.append(f"{result.drawn} drawn")
    return ", ".join([*parts, f"{result.lost} lost"])
