"""Names are harmless wherever they are shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.pages.display_names import MAX_LENGTH, NAMELESS, bold, escape, sanitize
from cogs.core.pages.game_ui import SeatedPlayer
from engine.contract import Seat
from tools.harness.bot_harness import BotHarness


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Ann", "Ann"),
        ("Zoë Müller-Ø", "Zoë Müller-Ø"),
        ("李 雷 🎲", "李 雷 🎲"),
        ("\u202egnA", "gnA"),
        ("A\u200bn\u2066n\u2069\ufeff", "Ann"),
        ("  A \n\t n  n ", "A n n"),
        ("", NAMELESS),
        ("\u200b\u202e", NAMELESS),
        ("\u3164\u2800", NAMELESS),
        ("Z" + "\u0301" * 40, "Ź" + "\u0301" * 2),
        ("x" * 40, "x" * 31 + "…"),
        ("``` `x`", "ˋˋˋ ˋxˋ"),
    ],
)
def test_a_name_is_shown_without_what_turns_or_hides_text(name: str, words: str):
    assert sanitize(name) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("<@&1>", "‹＠&1›"),
        ("<#1>", "‹\\#1›"),
        ("<t:0:R>", "‹t∶0∶R›"),
        ("</help:1>", "‹/help∶1›"),
        (":joy:", "∶joy∶"),
        ("@everyone", "＠everyone"),
        ("https://x.y", "https∶//x.y"),
        ("a_b*c~d|e\\f", "a\\_b\\*c\\~d\\|e\\\\f"),
        ("[x](y)", "\\[x\\](y)"),
    ],
)
def test_a_name_in_text_is_neither_mention_nor_markup(name: str, words: str):
    assert escape(name) == words and bold(name) == f"**{words}**"


@given(st.text(max_size=60))
def test_whatever_somebody_calls_themselves_is_a_short_visible_line(name: str):
    words = sanitize(name)
    assert 1 <= len(words) <= MAX_LENGTH and words.strip() == words
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") for sign in words)
    assert sanitize(words) == words
    assert not set(words) & set("<>@:`")


def test_a_sitter_has_a_harmless_name_from_the_start():
    sitter = SeatedPlayer(Seat(0), "\u202e<@&1>", 7)
    assert sitter.name == "‹＠&1›" and sitter.bold == "●\u00a0**‹＠&1›**"


async def test_a_hostile_name_reaches_no_message(harness: BotHarness):
    evil = harness.sandbox.add_person("\u202e<@&1> :joy:", harness.guild)
    await evil.command(harness.yard, "rope-wall start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.press(evil, "Start")
    await harness.settle()
    for who in (harness.ann, harness.ben, evil):
        for channel in (harness.yard, who.dm):
            for message in who.messages(channel):
                text = harness.ann.visible_text(message)
                assert "<@&1>" not in text and "\u202e" not in text and ":joy:" not in text
    assert "‹＠&1› ∶joy∶" in harness.public()
