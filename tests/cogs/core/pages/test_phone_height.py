"""The estimate of a page's height uses the same measures of a phone as the sandbox's page."""

import re

from cogs.core.pages.page import Block, Button, Page, Row, Select, SelectOption, Text
from cogs.core.pages.phone_height import FITS, WIDTH, height
from sandbox.web_ui.server import FOLDER
from tools.screenshots import PHONE

_PROPERTY = re.compile(r"--phone-([a-z-]+): ([0-9.]+)")

CSS = {name: float(value) for name, value in _PROPERTY.findall((FOLDER / "phone.css").read_text(encoding="utf-8"))}
"""The sandbox's measures of a phone by name, in pixels."""


def page_height(*blocks: Block) -> int:
    return height(Page(blocks))


def test_an_empty_page_is_as_high_as_the_padding_of_a_container():
    assert page_height(Row(())) - CSS["button"] == 2 * CSS["padding"]


def test_controls_have_the_heights_and_the_gap_that_the_sandbox_gives_them():
    buttons, select = Row((Button("Push", "push"),)), Select("pick", (SelectOption("One", "1"),), "Pick one")
    empty = 2 * CSS["padding"]
    assert page_height(buttons) == empty + CSS["button"]
    assert page_height(select) == empty + CSS["select"]
    assert page_height(buttons, select) == empty + CSS["button"] + CSS["gap"] + CSS["select"]


def test_a_line_of_text_is_as_high_as_in_the_sandbox_in_whole_pixels():
    empty = 2 * CSS["padding"]
    assert page_height(Text("One line")) == empty + round(CSS["text"] * CSS["line"])
    assert page_height(Text("-# Small print")) == empty + round(CSS["small"] * CSS["line"])


def test_a_page_that_fits_leaves_a_tenth_of_the_screen_free():
    width, screen = PHONE
    usable = screen - CSS["header"] - CSS["input"]
    assert width > WIDTH and 0.9 * usable >= FITS
