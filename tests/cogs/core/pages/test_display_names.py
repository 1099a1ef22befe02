"""Names are harmless wherever they are shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.drawing.canvas import Canvas, fitted_name, text_width
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import speaking
from cogs.core.pages.display_names import COMPUTER_NAMES, MAX_LENGTH, NAMELESS, bold, escape, sanitize
from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.tables.lobby import LEVEL_NAMES
from engine.contract import Options, Seat
from engine.players import Level
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
        ("", "someone"),
        ("\u200b\u202e", "someone"),
        ("\u3164\u2800", "someone"),
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
        ("discord.gg/escape", "discord.gg∕escape"),
        ("Discord.com/invite/x", "Discord.com∕invite/x"),
        ("Kim (she/her) 1/2", "Kim (she/her) 1/2"),
        ("a_b*c~d|e\\f", "a\\_b\\*c\\~d\\|e\\\\f"),
        ("[x](y)", "\\[x\\](y)"),
    ],
)
def test_a_name_in_text_is_neither_mention_nor_markup(name: str, words: str):
    assert escape(name) == words and bold(name) == f"**{words}**"


@given(st.text(max_size=60))
def test_any_display_name_becomes_a_short_visible_line(name: str):
    words = sanitize(name)
    assert sanitize(words) == words
    if any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in words):
        assert (words[0], words[-1]) == ("\u2068", "\u2069")
        words = words[1:-1]
    assert 1 <= len(words) <= MAX_LENGTH and words.strip() == words
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") for sign in words)
    assert not set(words) & set("<>@:`🤖")
    assert any(unicodedata.category(sign) not in ("Mn", "Me", "Mc", "Zs") for sign in words)


@pytest.mark.parametrize(
    "sign",
    [
        *"\u034f\u17b4\u17b5\u180b\u2065\ufe0f\uffef\ufffc\u0301\u2800\u200d\u3164",
        *map(chr, (0x1D159, 0xE01EF, 0x16FE4, 0x13441)),
    ],
)
def test_a_name_that_draws_nothing_counts_as_empty(sign: str):
    assert sanitize(sign) == sanitize(sign * 3) == sanitize(f" {sign} \u0302 ") == "someone"
    assert sanitize(f"A{sign}b").replace(" ", "").startswith(("Ab", "Áb"))


@pytest.mark.parametrize("name", ["شادي", "ליאור", "ליאור Ann", "Ann ١٢"])
def test_a_name_from_right_to_left_does_not_reverse_what_is_beside_it(name: str):
    for words in (
        bold(name),
        sanitize(name),
        SeatedPlayer(Seat(0), name, 7).label(),
        SeatedPlayer(Seat(0), name, 7).label(8),
    ):
        inner = words[words.index("\u2068") : words.index("\u2069")]
        assert not [sign for sign in words.replace(inner, "") if unicodedata.bidirectional(sign) in ("R", "AL", "AN")]
    assert fitted_name(sanitize("Ann ١٢"), 20, 500) == "" and fitted_name(sanitize("Ann"), 20, 500) == "Ann"


@pytest.mark.parametrize("level", [Level.TRAINEE, Level.MASTER])
def test_a_computer_has_a_sign_that_no_person_can_have(level: Level):
    computer = SeatedPlayer(Seat(1), "Master", None, level)
    for name in ("Master", "🤖 Master", "🤖Master"):
        person = SeatedPlayer(Seat(1), name, 7)
        assert person.name == "Master" and person.name != computer.name == "🤖 Master"
        assert person.bold == "◆\u00a0**Master**" and computer.bold == "◆\u00a0🤖\u00a0**Master**"
        assert person.label() != computer.label() == "◆ 🤖 Master"
        assert fitted_name(person.name, 24, 400) != fitted_name(computer.name, 24, 400) == computer.name
    assert drawn("Master") != drawn("🤖 Master")
    assert text_width("🤖 Master", 24) > text_width("Master", 24) + 12


def drawn(name: str) -> bytes:
    canvas = Canvas(300, 60, (0, 0, 0))
    canvas.text(10, 30, name, 24, (255, 255, 255), anchor="lm")
    return canvas.picture().tobytes()


def test_equal_names_at_a_table_are_distinguished_by_their_marks_in_every_list():
    sitters = tuple(SeatedPlayer(Seat(seat), name, seat) for seat, name in enumerate(("Alex", "Ben", "alex")))
    assert TableContext(1, sitters, Options()).distinct_names == ("● Alex", "Ben", "▲ alex")
    assert [fitted_name(one, 20, 300) for one in ("● Alex", "Ben")] == ["Alex", "Ben"], "pictures have the shapes"


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


def test_the_names_of_computers_and_of_forgotten_people_are_in_the_language_of_the_page():
    second = SeatedPlayer(Seat(1), "Master 2", None, Level.MASTER)
    forgotten, person = SeatedPlayer(Seat(0), NAMELESS, None), SeatedPlayer(Seat(0), "Master 2", 7)
    with speaking(PSEUDO):
        assert (second.name, person.name) == ("🤖 ⟦Màštér⟧ 2", "Master 2")
        assert (forgotten.name, escape("")) == ("⟦šöméöñé⟧",) * 2
        assert "**⟦Màštér⟧ 2**" in second.bold
    assert (second.name, forgotten.name) == ("🤖 Master 2", "someone")
    assert set(LEVEL_NAMES.values()) == COMPUTER_NAMES
