"""The public log of Prison Break: its last lines on the table message, and all of it as pages of whole rounds."""

from collections.abc import Sequence

import msgspec

from cogs.core.i18n.translation import _
from cogs.core.pages.custom_ids import is_number
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Page, Row, Text, page_buttons, page_within
from cogs.prison_break.log_words import news_lines, rounds
from cogs.prison_break.status import computer_seats, seat_namer, with_winners
from engine.games.prison_break import PrisonBreakView

LEAST_LINES, RECENT_LENGTH = 2, 900
"""The part of the log on the table message: the minimum of lines and the maximum of characters."""

LOG_LINES, LOG_LENGTH = 16, 3_300
"""The maximum of lines and characters on a log page."""


def recent(view: PrisonBreakView, info: TableContext) -> str:
    """Return what happened last while the game goes on, the same for everyone."""
    public = msgspec.structs.replace(view, seat=None, positions=(), paths=(), my_vote=None, note="")
    lines = _last_that_fit(news_lines(public, seat_namer(info), LEAST_LINES, computer_seats(info)), RECENT_LENGTH)
    return "\n".join(f"-# {line}" for line in lines)


def page(view: PrisonBreakView, info: TableContext, argument: str) -> Page:
    """Return a page of the log, with buttons to turn pages.

    The default is the last page, or the first once the game is over and everything is revealed.
    """
    over = view.phase == "over"
    pages = _pages(rounds(with_winners(view, info), seat_namer(info), computer_seats(info)))
    asked = argument.partition(".")[0]
    number = page_within(int(asked), len(pages)) if is_number(asked) else 0 if over else len(pages) - 1
    turning = page_buttons("log", number, len(pages), lambda to, slot: f"{to}.{slot}")
    title = _("### What really happened") if over else _("### What has happened so far")
    body = "\n".join([title, *pages[number]])
    return Page((Text(body), Row(turning)) if turning else (Text(body),))


def _last_that_fit(lines: Sequence[str], length: int) -> list[str]:
    """Return the last lines that fit this many characters."""
    kept: list[str] = []
    for line in reversed(lines):
        length -= len(line)
        if length < 0:
            break
        kept.insert(0, line)
    return kept


def _pages(rounds: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the log split into pages, between rounds unless one fills a page by itself; at least one page."""
    pages: list[list[str]] = [[]]
    for lines in rounds:
        if pages[-1] and not _fits([*pages[-1], *lines]):
            pages.append([])
        for line in lines:
            if not _fits([*pages[-1], line]):
                pages.append([])
            pages[-1].append(line)
    return pages


def _fits(lines: Sequence[str]) -> bool:
    """Return whether these lines fit a page."""
    return len(lines) <= LOG_LINES and sum(map(len, lines)) <= LOG_LENGTH
