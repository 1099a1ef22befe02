"""The settings page for the puzzles of the day: where they are posted, and when."""

from collections.abc import Collection, Mapping

import discord

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut, listed, on_the_hour
from cogs.core.ops.time_zones import NO_ZONE, next_hour, zone
from cogs.core.pages import permissions
from cogs.core.pages.page import Button, Page, Row, Select, SelectOption, Text
from cogs.core.tables.settings import PUZZLE_GAMES, PUZZLE_HOUR, PuzzlePosts, Settings
from engine.contract import Moment

COLOUR = 0x6E8FA8

VERB = "setting-puzzles"
"""The verbs of the buttons that lead to the page, and of those on it."""

HERE, OFF = "here", "off"

GAMES: Mapping[str, str] = {"all": N_("Puzzles of all games"), "one": N_("One game a day, in turn")}

CHOICES: Mapping[str, tuple[str, Collection[str]]] = {
    PUZZLE_HOUR: (N_("What time?"), [str(hour) for hour in range(24)]),
    PUZZLE_GAMES: (N_("Which games?"), GAMES),
}
"""The selects, by their name in the store: the question, and the values."""


def _value_label(name: str, value: str) -> str:
    return _("At {time}", time=on_the_hour(int(value))) if name == PUZZLE_HOUR else _(GAMES[value])


def posted_line(settings: Settings, now: Moment) -> str:
    """Return the line about it among all settings."""
    posts = settings.puzzles
    if posts.channel is None:
        return _("**Puzzles of the day** aren't posted.")
    facts = {"time": _when(posts, now), "channel": f"<#{posts.channel}>"}
    if posts.games == "all":
        return _("**Puzzles of the day** of all games are posted in {channel} {time}.", **facts)
    return _("**Puzzles of the day** of one game at a time are posted in {channel} {time}.", **facts)


def puzzles_page(settings: Settings, line: str, now: Moment) -> Page:
    """Return the page, with a line at the top that confirms the last change."""
    posts = settings.puzzles
    if posts.channel is None:
        words = _(
            "They aren't posted. To choose a channel, press the button in it or use `/settings puzzles`. Each day I'll "
            "post the boards, with buttons to solve them privately and yesterday's results."
        )
    else:
        words = _posted(posts, now)
    chosen = {PUZZLE_HOUR: str(posts.hour), PUZZLE_GAMES: posts.games}
    selects = (
        Select(
            "setting",
            tuple(SelectOption(_value_label(name, one), one, chosen=one == chosen[name]) for one in values),
            _(asked),
            name,
        )
        for name, (asked, values) in CHOICES.items()
    )
    doors = [Button(_("Post in this channel"), VERB, HERE, "primary")]
    if posts.channel is not None:
        doors.append(Button(_("Stop posting"), VERB, OFF, "danger"))
    head = Text("\n".join(filter(None, (_("### Puzzles of the day"), line, words))))
    return Page((head, *selects, Row(tuple(doors)), Row((Button(_("◀ All settings"), "setting-game"),))), COLOUR)


def check_place(channel: object, number: int | None, allowed: discord.Permissions) -> None:
    """Raise `UserError` if the bot may not post puzzles in the channel with this number."""
    if missing := permissions.missing(allowed, permissions.to_post(channel)):
        raise UserError(
            ngettext(
                "I can't post puzzles in {channel} without the permission {permissions}. Allow it for me in that "
                "channel's settings, then choose the channel again.",
                "I can't post puzzles in {channel} without the permissions {permissions}. Allow them for me in that "
                "channel's settings, then choose the channel again.",
                len(missing),
                channel=f"<#{number}>",
                permissions=listed(missing),
            )
        )


def check_zone(name: str) -> str:
    """Return the name of a time zone. Raises `UserError` if there is none of that name."""
    if zone(name) is None:
        raise UserError(
            _(
                "There's no time zone called {zone}. Choose one from the list, such as Europe/Berlin.",
                zone=repr(cut(name, 40)),
            )
        )
    return name


def _posted(posts: PuzzlePosts, now: Moment) -> str:
    """Return what is set, and when a change takes effect."""
    facts = {"time": _when(posts, now), "channel": f"<#{posts.channel}>"}
    if posts.games == "all":
        posted = _("They are posted in {channel} {time}, for all games.", **facts)
    else:
        posted = _("They are posted in {channel} {time}, for one game at a time.", **facts)
    note = _(
        "If that time has already passed today, today's puzzles are posted right away, but never twice. "
        "`/settings puzzles` sets the time zone; the hour stays the same all year."
    )
    return f"{posted} {note}"


def _when(posts: PuzzlePosts, now: Moment) -> str:
    """Return the hour in the server's time zone, and when it is next by the reader's own clock."""
    time, when = on_the_hour(posts.hour), f"<t:{next_hour(now, posts.hour, posts.zone) // 1_000}:f>"
    if posts.zone == NO_ZONE:
        return _("every day at {time} UTC (next: {when})", time=time, when=when)
    return _("every day at {time} {zone} time (next: {when})", time=time, zone=posts.zone, when=when)
