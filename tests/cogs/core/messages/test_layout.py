"""Messages: what a page becomes in Discord's components, uploads and modals."""

import discord

from cogs.core.messages import layout
from cogs.core.messages.page import Button, Choice, Field, Form, Line, Link, Page, Picture, Row, Select, Text


def test_a_page_becomes_components_in_its_order():
    page = Page(
        (
            Text("### Hello"),
            Line(),
            Picture(b"png", "a.png", "a picture"),
            Row((Button("Push", "push", "3", style="danger", disabled=True), Link("There", "https://example.org"))),
            Select("pick", (Choice("one", "1", "the first", chosen=True), Choice("two", "2")), "Which?", "arg", 0, 2),
        ),
        0x123456,
    )
    (frame,) = layout.layout(page, 7, 3).to_components()
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


def test_a_select_never_asks_for_more_than_it_offers():
    page = Page((Select("pick", (Choice("one", "1"),), "Which?", "", 1, 5),))
    (frame,) = layout.layout(page, 1, 0).to_components()
    assert frame["components"][0]["components"][0]["max_values"] == 1


def test_pictures_become_uploads_with_their_words():
    page = Page((Picture(b"one", "a.png", "first"), Text("x"), Picture(b"two", "b.png", "second")))
    uploads = layout.files(page)
    assert [(file.filename, file.description, file.fp.read()) for file in uploads] == [
        ("a.png", "first", b"one"),
        ("b.png", "second", b"two"),
    ]


def test_a_form_becomes_a_modal():
    form = Form("A title that is longer than Discord takes one to be", "note", (Field("text", "Your note", "so far"),))
    body = layout.modal(form, 5, 2).to_dict()
    assert body["custom_id"] == "cb:5:2:note:" and len(body["title"]) <= 45
    (label,) = body["components"]
    assert label["label"] == "Your note"
    assert (label["component"]["custom_id"], label["component"]["value"]) == ("text", "so far")
    assert label["component"]["style"] == discord.TextStyle.short.value
