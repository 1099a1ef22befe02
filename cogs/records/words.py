"""Texts for records: ranks, ratings, trends, places."""

from collections import Counter

import msgspec

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import figure
from cogs.core.pages import display_names, game_ui
from engine.results import Board, FinishedGame, PlayerResult, Score
from engine.standings import PLACEMENT_GAMES, TREND_GAMES, Listing, Place, Standing

BOARD_WORDS: dict[Board, str] = {"ranked": N_("Without computers"), "casual": N_("With computers")}

UPDATING = N_("-# Updating: not every finished game is included yet.")
"""For corrected results, or while many new ones are added."""

UNSURE = N_("± shows how uncertain a rating still is. Ratings are cautious: three times the ± below the best guess.")
"""Why a rating rises while its player becomes better known: see `engine.standings.SURE`."""

NAME_BESIDE_NUMBER = 22
"""The most characters of a name on a leaderboard with the end of its person's number behind it."""

STEADY = 10
"""The change in points below which a rating is called steady."""


def placement() -> str:
    """Return what the first games mean for a rating."""
    return ngettext(
        "The first game moves a rating most. After it, you get a place here.",
        "The first {n} games move a rating most. After them, you get a place here.",
        PLACEMENT_GAMES,
    )


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
    if number % 100 not in (11, 12, 13):
        match number % 10:
            case 1:
                return _("{n}st", n=number) if number > 1 else _("1st")
            case 2:
                return _("{n}nd", n=number)
            case 3:
                return _("{n}rd", n=number)
    # Translators: a place, as in "4th of 6". "{n}st", "{n}nd" and "{n}rd" are for English numbers that end in 1 to 3.
    return _("{n}th", n=number)


def rank(number: int, ranked: int) -> str:
    """Return a rank among this many people: 2nd of 12."""
    return _("{place} of {total}", place=ordinal(number), total=ranked)


def place(game: FinishedGame, side: PlayerResult) -> str:
    """Return a player's place in a game: 2nd of 4, or shared 2nd of 4."""
    found = rank(side.place, len(game.sides))
    return _("shared {place}", place=found) if game.shared(side) else found


def rating(standing: Standing) -> str:
    """Return the rating with its uncertainty, or how many of the required first games are played."""
    if standing.placing:
        return _("{games} of {total} placement games", games=standing.games, total=PLACEMENT_GAMES)
    return f"**{standing.rating}** ± {standing.margin}"


def trend(standing: Standing) -> str:
    """Return the trend of the rating: a sign, a word and the points; nothing in the first games."""
    change = standing.change
    if standing.placing:
        return ""
    if abs(change) < STEADY:
        return _("▬ steady")
    if change > 0:
        return ngettext("▲ up {points} in {n} game", "▲ up {points} in {n} games", TREND_GAMES, points=change)
    return ngettext("▼ down {points} in {n} game", "▼ down {points} in {n} games", TREND_GAMES, points=-change)


def record_words(standing: Standing, *, scored: bool) -> str:
    """Return games, wins and streak in a line, and the best score in a game that is `scored`."""
    parts = [ngettext("{n} game", "{n} games", standing.games), ngettext("{n} win", "{n} wins", standing.wins)]
    if standing.streak > 1:
        # Translators: games won in a row.
        parts.append(_("{n} in a row", n=standing.streak))
    if standing.best is not None and scored:
        parts.append(_("best score {score}", score=figure(standing.best)))
    return " · ".join(parts)


def score(result: Score) -> str:
    """Return the score of two people's games in words."""
    if result.drawn:
        return _("{won} won, {drawn} drawn, {lost} lost", won=result.won, drawn=result.drawn, lost=result.lost)
    return _("{won} won, {lost} lost", won=result.won, lost=result.lost)
