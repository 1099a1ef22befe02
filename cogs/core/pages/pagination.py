"""Leafing: the buttons that turn the pages of whatever is longer than one page, the same everywhere."""

from collections.abc import Callable

from cogs.core.pages.page import Button


def pages_of(entries: int, a_page: int) -> int:
    """Return how many pages so many entries take: one at least."""
    return max(1, -(-entries // a_page))


def page_within(number: int, pages: int) -> int:
    """Return that page, counted from 0, or the nearest that there is."""
    return min(max(number, 0), pages - 1)


def leaf(verb: str, number: int, pages: int, argument: Callable[[int, str], str]) -> tuple[Button, ...]:
    """Return the buttons to leaf through `pages` pages, of which `number` (from 0) is shown; none for a single one.

    `argument` makes a button's argument of the page that it leads to and of its slot, which tells it apart from the
    others.
    """
    if pages == 1:
        return ()
    return (
        Button("◀ Back", verb, argument(page_within(number - 1, pages), "back"), disabled=number == 0),
        Button(f"{number + 1} of {pages}", verb, argument(number, "here"), disabled=True),
        Button("Next ▶", verb, argument(page_within(number + 1, pages), "next"), disabled=number == pages - 1),
    )
