"""Pages: equal ones are known by their digest, and controls can be taken off."""

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
def test_whatever_is_shown_otherwise_changes_the_digest(other: Page):
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
