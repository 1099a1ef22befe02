"""The settings page for the puzzles of the day: where they are posted, and when."""

from collections.abc import Mapping

import discord

from cogs.core.inbound.table_opening import NEEDED
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.ops.time_zones import NO_ZONE, next_hour, zone
from cogs.core.pages.page import Button, Page, Row, Select, SelectOption, Text
from cogs.core.tables.settings import PUZZLE_GAMES, PUZZLE_HOUR, PuzzlePosts, Settings
from engine.contract import Moment

COLOUR = 0x6E8FA8

VERB = "setting-puzzles"
"""The verbs of the buttons that lead to the page, and of those on it."""

HERE, OFF = "here", "off"

HOURS: Mapping[str, str] = {str(hour): f"At {hour:02}:00" for hour in range(24)}
GAMES: Mapping[str, str] = {"all": "The puzzles of all games", "one": "One game a day, by turns"}

CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    PUZZLE_HOUR: ("At which hour?", HOURS),
    PUZZLE_GAMES: ("Of which games?", GAMES),
}
"""The selects, by their name in the store: the question, and each value in words."""


def posted_line(settings: Settings, now: Moment) -> str:
    """Return the line about it among all settings."""
    posts = settings.puzzles
    if posts.channel is None:
        return "**Puzzles of the day** are not posted."
    return f"**Puzzles of the day**: {_when(posts, now)} in <#{posts.channel}>, {_which(posts)}."


def puzzles_page(settings: Settings, line: str, now: Moment) -> Page:
    """Return the page, with a line at the top that confirms the last change."""
    posts = settings.puzzles
    if posts.channel is None:
        words = (
            "They are not posted. Choose a channel: press the button in it, or use `/settings puzzles`. Once a day a "
            "message stands there with the boards, buttons to solve privately, and how people did the day before."
        )
    else:
        words = (
            f"They are posted {_when(posts, now)} in <#{posts.channel}>, {_which(posts)}. "
            "If the hour has passed already, today's come at once. A day is posted once. "
            "`/settings puzzles` sets the time zone; the hour stays the same all year."
        )
    chosen = {PUZZLE_HOUR: str(posts.hour), PUZZLE_GAMES: posts.games}
    selects = (
        Select(
            "setting",
            tuple(SelectOption(words, value, chosen=value == chosen[name]) for value, words in values.items()),
            asked,
            name,
        )
        for name, (asked, values) in CHOICES.items()
    )
    doors = [Button("Post them in this channel", VERB, HERE, "primary")]
    if posts.channel is not None:
        doors.append(Button("Post them no more", VERB, OFF, "danger"))
    head = Text("\n".join(filter(None, ("### Puzzles of the day", line, words))))
    return Page((head, *selects, Row(tuple(doors)), Row((Button("◀ All settings", "setting-game"),))), COLOUR)


def check_place(place: str, allowed: discord.Permissions) -> None:
    """Raise `UserError` if the bot may not post puzzles in a channel."""
    missing = [name for permission, name in NEEDED.items() if not getattr(allowed, permission)]
    if missing:
        raise UserError(
            f"I cannot post puzzles in {place}: there I lack the permission{'s' if len(missing) > 1 else ''} "
            f"{', '.join(missing)}. Allow it to me in that channel's settings, then choose it again."
        )


def check_zone(name: str) -> str:
    """Return the name of a time zone. Raises `UserError` if there is none of that name."""
    if zone(name) is None:
        called = cut(name, 40)
        raise UserError(f"There is no time zone called {called!r}. Choose one from the list, such as Europe/Berlin.")
    return name


def _when(posts: PuzzlePosts, now: Moment) -> str:
    """Return the hour in the server's time zone, and when it is next by the reader's own clock."""
    place = "UTC" if posts.zone == NO_ZONE else f"in the time zone {posts.zone}"
    return f"each day at {posts.hour:02}:00 {place} (next <t:{next_hour(now, posts.hour, posts.zone) // 1_000}:f>)"


def _which(posts: PuzzlePosts) -> str:
    return "all games" if posts.games == "all" else "one game by turns"
