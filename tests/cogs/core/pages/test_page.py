"""Pages: equal ones have the same digest, and controls can be removed."""

import copy

import pytest

from cogs.core.pages import emoji_markup
from cogs.core.pages.page import (
    ALT_LIMIT,
    Button,
    Link,
    Page,
    Picture,
    Row,
    Select,
    SelectOption,
    Separator,
    Text,
    join_within,
    page_buttons,
    page_within,
    pages_of,
    rows,
)

PAGE = Page(
    (
        Text("words"),
        Picture(b"bytes", "a.png", "alt"),
        Separator(),
        Row((Button("Go", "go", "1"), Link("There", "https://example.org"))),
        Row((Button("Stop", "stop"),)),
        Select("pick", (SelectOption("one", "1"),), "Which?"),
    ),
    0xABCDEF,
)


def test_equal_pages_have_equal_digests():
    again = Page(tuple(map(copy.copy, PAGE.blocks)), PAGE.colour)
    assert again == PAGE and again.digest() == PAGE.digest()


@pytest.mark.parametrize(
    "other",
    [
        Page(PAGE.blocks, 0xABCDEE),
        Page((Text("other words"), *PAGE.blocks[1:]), PAGE.colour),
        Page((PAGE.blocks[0], Picture(b"other bytes", "a.png", "alt"), *PAGE.blocks[2:]), PAGE.colour),
        Page((PAGE.blocks[0], Picture(b"bytes", "a.png", "other alt"), *PAGE.blocks[2:]), PAGE.colour),
        Page(PAGE.blocks[:-1], PAGE.colour),
        Page((*PAGE.blocks[:-1], Select("pick", (SelectOption("one", "1", chosen=True),), "Which?")), PAGE.colour),
        Page((*PAGE.blocks[:4], Row((Button("Stop", "stop", disabled=True),)), *PAGE.blocks[5:]), PAGE.colour),
    ],
)
def test_every_visible_difference_changes_the_digest(other: Page):
    assert other.digest() != PAGE.digest()


def test_without_controls_only_words_pictures_and_links_are_left():
    bare = PAGE.without_controls()
    assert bare == Page(
        (*PAGE.blocks[:3], Row((Link("There", "https://example.org"),))),
        PAGE.colour,
    )
    assert bare.without_controls() == bare


def test_only_a_page_with_faces_is_changed_for_them():
    known = {"tile": "<:tile:1>"}.get
    assert PAGE.with_emoji(known) is PAGE
    for faced, shown in (
        (Row((Button("Go", "go", face="tile"),)), Row((Button("Go", "go", face="tile", emoji="<:tile:1>"),))),
        (
            Select("pick", (SelectOption("one", "1", face="tile"),), "Which?"),
            Select("pick", (SelectOption("one", "1", face="tile", emoji="<:tile:1>"),), "Which?"),
        ),
        (Text(emoji_markup.faced(["tile"], "a tile")), Text("<:tile:1> a tile")),
    ):
        assert Page((*PAGE.blocks, faced)).with_emoji(known) == Page((*PAGE.blocks, shown))


def test_the_pictures_of_a_page_are_found_in_their_order():
    two = Page((Picture(b"1", "a.png", "x"), Text("t"), Picture(b"2", "b.png", "y")))
    assert [picture.name for picture in two.pictures()] == ["a.png", "b.png"]


@pytest.mark.parametrize("alt", ["", "x" * (ALT_LIMIT + 1)])
def test_a_picture_has_words_and_no_more_than_discord_takes(alt: str):
    with pytest.raises(ValueError, match="alt text"):
        Picture(b"", "a.png", alt)


def test_a_pictures_bytes_are_kept_out_of_logs():
    assert "bytes" not in repr(Picture(b"bytes", "a.png", "alt"))


def test_buttons_are_laid_out_in_rows():
    buttons = [Button(str(number), "push", str(number)) for number in range(7)]
    assert [len(row.buttons) for row in rows(buttons)] == [5, 2]
    assert [len(row.buttons) for row in rows(buttons, 3)] == [3, 3, 1]
    assert rows([]) == ()


def test_a_text_ends_with_the_last_sentence_that_fits():
    assert join_within(["One.", "Two.", "Three."], 9) == "One. Two."
    assert join_within(["One.", "Two.", "Three."], 8) == "One."
    assert join_within(["One.", "This is too long.", "Two."], 12) == "One."
    assert join_within(["One.", "Two."]) == "One. Two."


def buttons(number: int, pages: int) -> dict[str, str | None]:
    """Return the target of each button by its label; None if it is disabled."""
    shown = page_buttons("verb", number, pages, lambda page, slot: f"{page}.{slot}")
    assert len({button.argument for button in shown}) == len(shown)
    return {button.label: None if button.disabled else button.argument for button in shown}


def test_one_page_needs_no_buttons():
    assert page_buttons("verb", 0, 1, lambda page, slot: f"{page}.{slot}") == ()


def test_one_leafs_on_and_back_and_stops_at_both_ends():
    assert buttons(0, 3) == {"◀ Previous": None, "1 of 3": None, "Next ▶": "1.next"}
    assert buttons(1, 3) == {"◀ Previous": "0.back", "2 of 3": None, "Next ▶": "2.next"}
    assert buttons(2, 3) == {"◀ Previous": "1.back", "3 of 3": None, "Next ▶": None}


def test_entries_fill_pages_and_nothing_is_one_empty_page():
    assert [pages_of(entries, 10) for entries in (0, 1, 10, 11, 20, 21)] == [1, 1, 1, 2, 2, 3]


def test_a_page_that_there_is_not_is_the_nearest_that_there_is():
    assert [page_within(number, 3) for number in (-5, 0, 2, 3, 10**9)] == [0, 0, 2, 2, 2]
