"""Messages: how a page becomes Discord's components, uploads and modals."""

from typing import Any

import discord
import pytest

from cogs.core.pages.page import (
    Button,
    Link,
    Modal,
    Page,
    PersonSelect,
    Picture,
    Row,
    Select,
    SelectOption,
    Separator,
    Text,
    TextInput,
)
from cogs.core.publishing import components_v2
from cogs.core.publishing.forms import without_pictures


def test_a_page_becomes_components_in_its_order():
    page = Page(
        (
            Text("### Hello"),
            Separator(),
            Picture(b"png", "a.png", "a picture"),
            Row((Button("Push", "push", "3", style="danger", disabled=True), Link("There", "https://example.org"))),
            Select(
                "pick",
                (SelectOption("one", "1", "the first", chosen=True), SelectOption("two", "2")),
                "Which?",
                "arg",
                0,
                2,
            ),
        ),
        0x123456,
    )
    (frame,) = components_v2.Layout(page, 7, 3).to_components()
    assert frame["type"] == 17 and frame["accent_color"] == 0x123456
    text, line, gallery, row, picked = frame["components"]
    assert (text["type"], text["content"]) == (10, "### Hello")
    assert line["type"] == 14
    (item,) = gallery["items"]
    assert (item["media"]["url"], item["description"]) == ("attachment://a.png", "a picture")
    push, link = row["components"]
    assert (push["custom_id"], push["style"], push["disabled"]) == ("cb:7:3:push:3", 4, True)
    assert link["url"] == "https://example.org" and "custom_id" not in link
    (menu,) = picked["components"]
    assert (menu["custom_id"], menu["min_values"], menu["max_values"]) == ("cb:7:3:pick:arg", 0, 2)
    assert [(option["value"], option["default"]) for option in menu["options"]] == [("1", True), ("2", False)]


def test_controls_bear_emoji_our_own_and_everybodys():
    page = Page(
        (
            Row((Button("Red", "lay", emoji="<:card_red_3:1000000000000000077>"), Button("", "back", emoji="🔒"))),
            Select("pick", (SelectOption("one", "1", emoji="<a:spin:1000000000000000005>"),), "Which?"),
            PersonSelect("invite", "Whom?"),
        )
    )
    (frame,) = components_v2.Layout(page, 7, 3).to_components()
    red, back = frame["components"][0]["components"]
    assert red["emoji"] == {"id": 1000000000000000077, "name": "card_red_3"} and red["label"] == "Red"
    assert back["emoji"] == {"id": None, "name": "🔒"} and "label" not in back
    (option,) = frame["components"][1]["components"][0]["options"]
    assert (
        option["emoji"] == {"id": 1000000000000000005, "name": "spin", "animated": True} and "description" not in option
    )
    (whom,) = frame["components"][2]["components"]
    assert (whom["type"], whom["custom_id"], whom["placeholder"]) == (5, "cb:7:3:invite:", "Whom?")


def test_a_layout_is_what_the_library_would_make_of_the_same_parts():
    """The library's own objects, built from what it reads, serialize to the same values."""
    page = Page(
        (
            Text("one"),
            Separator(),
            Picture(b"png", "a.png", "a picture"),
            Row((Button("Push", "push", "3", emoji="🔒"), Link("There", "https://example.org"))),
            Select("pick", (SelectOption("one", "1", "the first"), SelectOption("two", "2")), "Which?"),
        ),
        0x123456,
    )
    (frame,) = components_v2.Layout(page, 7, 3).to_components()
    read = discord.Container({"id": 1, **frame}, None)  # type: ignore[typeddict-item]
    parts = [part.to_dict() for part in read.children]
    assert [_told(part, said) for part, said in zip(frame["components"], parts, strict=True)] == frame["components"]


def _told(part: Any, said: Any) -> Any:
    """Return what the library serializes for a part, without its defaults."""
    if isinstance(part, dict):
        return {name: _told(value, said[name]) for name, value in part.items()}
    return [_told(*pair) for pair in zip(part, said, strict=True)] if isinstance(part, list) else said


def test_no_more_buttons_are_beside_each_other_than_discord_takes():
    page = Page(
        (Row(tuple(Button(str(number), "push", str(number)) for number in range(components_v2.ROW_LIMIT + 1))),)
    )
    with pytest.raises(ValueError, match="6 buttons"):
        components_v2.Layout(page, 7, 3)


def test_a_select_never_asks_for_more_than_it_offers():
    page = Page((Select("pick", (SelectOption("one", "1"),), "Which?", "", 1, 5),))
    (frame,) = components_v2.Layout(page, 1, 0).to_components()
    assert frame["components"][0]["components"][0]["max_values"] == 1


def test_pictures_become_uploads_with_their_words():
    page = Page((Picture(b"one", "a.png", "first"), Text("x"), Picture(b"two", "b.png", "second")))
    uploads = components_v2.Layout(page, 1, 0).files
    assert [(file.filename, file.description, file.fp.read()) for file in uploads] == [
        ("a.png", "first", b"one"),
        ("b.png", "second", b"two"),
    ]


def test_a_picture_for_which_a_message_has_no_room_is_not_sent_with_it():
    first, last = Picture(b"one", "a.png", "first"), Picture(b"two", "b.png", "second")
    made = components_v2.Layout(Page((first, *[Separator()] * components_v2.PARTS_LIMIT, last)), 1, 0)
    assert [file.filename for file in made.files] == ["a.png"]


def test_a_form_becomes_a_modal():
    form = Modal(
        "A title that is longer than Discord takes one to be", "note", (TextInput("text", "Your note", "so far"),)
    )
    body = components_v2.modal(form, 5, 2).to_dict()
    assert body["custom_id"] == "cb:5:2:note:" and len(body["title"]) <= 45
    (label,) = body["components"]
    assert label["label"] == "Your note"
    assert (label["component"]["custom_id"], label["component"]["value"]) == ("text", "so far")
    assert label["component"]["style"] == discord.TextStyle.short.value


def test_a_text_with_a_thumbnail_becomes_a_section_of_three_components():
    headline = Text("## Ann escapes!", Picture(b"png", "escape.png", "a rope over the wall"))
    page = Page((headline, *(Text("so it goes") for _ in range(40))))
    layout = components_v2.Layout(page, 7, 3)
    (frame,) = layout.to_components()
    section = frame["components"][0]
    assert section["type"] == 9 and section["components"] == [{"type": 10, "content": "## Ann escapes!"}]
    assert section["accessory"] == {
        "type": 11,
        "media": {"url": "attachment://escape.png"},
        "description": "a rope over the wall",
    }
    assert [file.filename for file in layout.files] == ["escape.png"]
    assert len(frame["components"]) == 1 + components_v2.PARTS_LIMIT - 1 - 3


def test_a_page_with_another_thumbnail_is_another_page():
    def page(data: bytes) -> Page:
        return Page((Text("## Caught!", Picture(data, "catch.png", "a guard")),))

    assert page(b"one").digest() == page(b"one").digest() != page(b"two").digest()
    assert [picture.data for picture in page(b"one").with_texts(str.upper).pictures()] == [b"one"]
    assert not list(without_pictures(page(b"one")).pictures())
