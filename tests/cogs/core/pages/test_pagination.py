"""Leafing: from the first page to the last and back, and nowhere else."""

from cogs.core.pages.pagination import page_buttons, page_within, pages_of


def buttons(number: int, pages: int) -> dict[str, str | None]:
    """Where each button leads, by its label; None where it cannot be pressed."""
    shown = page_buttons("verb", number, pages, lambda page, slot: f"{page}.{slot}")
    assert len({button.argument for button in shown}) == len(shown)
    return {button.label: None if button.disabled else button.argument for button in shown}


def test_one_page_needs_no_buttons():
    assert page_buttons("verb", 0, 1, lambda page, slot: f"{page}.{slot}") == ()


def test_one_leafs_on_and_back_and_stops_at_both_ends():
    assert buttons(0, 3) == {"◀ Back": None, "1 of 3": None, "Next ▶": "1.next"}
    assert buttons(1, 3) == {"◀ Back": "0.back", "2 of 3": None, "Next ▶": "2.next"}
    assert buttons(2, 3) == {"◀ Back": "1.back", "3 of 3": None, "Next ▶": None}


def test_entries_fill_pages_and_nothing_is_one_empty_page():
    assert [pages_of(entries, 10) for entries in (0, 1, 10, 11, 20, 21)] == [1, 1, 1, 2, 2, 3]


def test_a_page_that_there_is_not_is_the_nearest_that_there_is():
    assert [page_within(number, 3) for number in (-5, 0, 2, 3, 10**9)] == [0, 0, 2, 2, 2]
