"""Buttons that turn the pages of content that does not fit on one."""

from collections.abc import Callable

from cogs.core.pages.page import Button


def pages_of(entries: int, a_page: int) -> int:
    """Return how many pages this many entries take: at least one."""
    return max(1, -(-entries // a_page))


def page_within(number: int, pages: int) -> int:
    """Return that page, counted from 0, or the nearest that there is."""
    return min(max(number, 0), pages - 1)


def page_buttons(verb: str, number: int, pages: int, argument: Callable[[int, str], str]) -> tuple[Button, ...]:
    """Return the buttons to turn to the pages beside `number` (from 0) out of `pages`; none for a single page.

    `argument` returns a button's argument from its target page and its slot, which keeps custom_ids distinct.
    """
    if pages == 1:
        return ()
    return (
        Button("◀ Back", verb, argument(page_within(number - 1, pages), "back"), disabled=number == 0),
        Button(f"{number + 1} of {pages}", verb, argument(number, "here"), disabled=True),
        Button("Next ▶", verb, argument(page_within(number + 1, pages), "next"), disabled=number == pages - 1),
    )
