"""Catalogues are read when the bot starts, and a broken one does not stop it."""

from pathlib import Path

import pytest

from cogs.core.i18n.languages import FOLDER, Languages, own_name
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import ENGLISH, Language, _, ngettext, speaking
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

GERMAN = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Your turn, {name}"
msgstr "{name} ist dran"

msgid "{n} card"
msgid_plural "{n} cards"
msgstr[0] "{n} Karte"
msgstr[1] "{n} Karten"

msgid "Not translated yet"
msgstr ""

#, fuzzy
msgid "Only guessed"
msgstr "Nur geraten"
"""


def write(folder: Path, code: str, catalogue: str | bytes) -> None:
    path = folder / code / "LC_MESSAGES" / "cellblock.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(catalogue if isinstance(catalogue, bytes) else catalogue.encode())


def test_sentences_come_from_the_catalogue_and_those_that_it_lacks_stay_english(tmp_path: Path):
    write(tmp_path, "de", GERMAN)
    with speaking(Languages.load(tmp_path).of("de")):
        assert _("Your turn, {name}", name="Ann") == "Ann ist dran"
        assert [ngettext("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["0 Karten", "1 Karte", "2 Karten"]
        assert _("Not translated yet") == "Not translated yet" and _("Only guessed") == "Only guessed"
        assert _("Unknown") == "Unknown" and _("") == ""


@pytest.mark.parametrize("broken", [b"\xff\xfe\x00", b"nonsense", GERMAN.replace("(n != 1)", "n ??").encode()])
def test_a_broken_catalogue_is_left_out_and_logged(tmp_path: Path, broken: bytes, caplog: pytest.LogCaptureFixture):
    write(tmp_path, "fr", broken)
    write(tmp_path, "de", GERMAN)
    assert Languages.load(tmp_path).codes == ("en", "de")
    assert [record.levelname for record in caplog.records] == ["ERROR"] and "fr" in caplog.text


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ("de", "de"),
        ("pt-BR", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("en-US", "en"),
        ("en-XA", "en-XA"),
        ("ja", "en"),
        (None, "en"),
    ],
)
def test_each_locale_of_discord_has_the_nearest_language(locale: str | None, code: str):
    known = Languages([Language("de"), Language("pt-BR"), PSEUDO])
    assert known.of(locale).code == code


def test_a_language_calls_itself_by_its_own_name():
    names = [own_name(one) for one in (ENGLISH, Language("de"), Language("pt-BR"))]
    assert names == ["English", "Deutsch", "Português (Brasil)"]
    assert own_name(PSEUDO) == "en-XA"


def test_the_pseudo_language_keeps_what_a_translator_would_keep():
    with speaking(PSEUDO):
        assert _("### Pass {name} a card with `/pass` <#1>", name="Eve") == "### ⟦Pàšš Eve à çàrd wîth `/pass` <#1>⟧"
        assert ngettext("{n} card", "{n} cards", 2) == "⟦2 çàrdš⟧"


PORTUGUESE = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

msgid "Play"
msgstr "Jogar"
"""


async def test_a_fourth_language_is_one_file_and_what_it_lacks_stays_english(harness: BotHarness, tmp_path: Path):
    for catalogue in FOLDER.glob("*/LC_MESSAGES/cellblock.po"):
        write(tmp_path, catalogue.parents[1].name, catalogue.read_bytes())
    write(tmp_path, "pt_BR", PORTUGUESE)
    harness.languages = Languages.load(tmp_path)
    assert harness.languages.codes == (*Languages.load().codes, "pt-BR")
    await harness.restart()
    harness.ann.locale = "pt-BR"
    await harness.begin("rope-wall", harness.ben)
    answer = await harness.ann.command(harness.yard, "language", language="pt-BR")
    assert answer.text == "I'll speak Português (Brasil) to you."
    await harness.ann.command(harness.yard, "settings language", language="pt-BR")
    await harness.settle()
    labels = {part.get("label") for part in UserClient.buttons(harness.board())}
    assert {"Jogar", "More …"} <= labels
