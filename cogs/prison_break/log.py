"""The public log of Prison Break: its last lines on the table message, and all of it whole rounds a page."""

from collections.abc import Sequence

import msgspec

from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.prison_break.once import Once
from cogs.prison_break.status import computers, counted, who
from cogs.prison_break.story import news_lines, rounds
from cogs.prison_break.warden import is_number
from engine.games.prison_break import PrisonBreakView

LEAST_LINES, RECENT_LENGTH = 2, 900
"""How much of the log stands on the table message: so many lines at least, so many characters at most."""

LOG_LINES, LOG_LENGTH = 16, 3_300
"""How much of the log stands on one of its pages."""

_recent: Once[str] = Once()


def recent(view: PrisonBreakView, info: TableContext) -> str:
    """Return what happened last, while the game goes on: to all the same."""
    return _recent.of((view.log,), (info.sitters, view.spaces, view.terms), lambda: _recent_words(view, info))


def _recent_words(view: PrisonBreakView, info: TableContext) -> str:
    # What is kept for all is made of nothing that a seat keeps to itself.
    public = msgspec.structs.replace(view, seat=None, positions=(), paths=(), my_vote=None, note="")
    lines = _last_that_fit(news_lines(public, who(info), LEAST_LINES, computers(info)), RECENT_LENGTH)
    return "\n".join(f"-# {line}" for line in lines)


def page(view: PrisonBreakView, info: TableContext, argument: str, colour: int) -> Page:
    """Return a page of the log, with buttons to leaf: unless another is asked for the last one, and when the game is
    over, and all lies open, the first.
    """
    over = view.phase == "over"
    pages = _pages(rounds(counted(view, info), who(info), computers(info)))
    last = len(pages) - 1
    number = min(int(argument), last) if is_number(argument) else 0 if over else last
    leaf = Row(
        (
            Button("◀ Earlier", "log", str(max(number - 1, 0)), disabled=number == 0),
            Button(f"{number + 1} of {last + 1}", "log", f"{number}.here", disabled=True),
            Button("Later ▶", "log", str(number + 1), disabled=number == last),
        )
    )
    body = "\n".join([f"### {'What really happened' if over else 'What happened so far'}", *pages[number]])
    return Page((Text(body), leaf) if last else (Text(body),), colour)


def _last_that_fit(lines: Sequence[str], length: int) -> list[str]:
    """Return the last of the lines, as many as fit into so many characters."""
    kept: list[str] = []
    for line in reversed(lines):
        length -= len(line)
        if length < 0:
            break
        kept.insert(0, line)
    return kept


def _pages(rounds: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the log cut into pages, between two rounds where one does not fill a page alone; there is always one."""
    pages: list[list[str]] = [[]]
    for lines in rounds:
        if pages[-1] and not _fit([*pages[-1], *lines]):
            pages.append([])
        for line in lines:
            if not _fit([*pages[-1], line]):
                pages.append([])
            pages[-1].append(line)
    return pages


def _fit(lines: Sequence[str]) -> bool:
    """Say whether so many lines may stand on a page."""
    return len(lines) <= LOG_LINES and sum(map(len, lines)) <= LOG_LENGTH
