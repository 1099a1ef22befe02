"""Test that `make messages` creates and updates catalogues."""

import re
from pathlib import Path

import pytest
from babel.messages import Catalog

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import _, ngettext, speaking
from tools import messages


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    return tmp_path


def english(*sentences: str | tuple[str, str]) -> Catalog:
    catalogue = Catalog(charset="utf-8")
    for sentence in sentences:
        catalogue.add(sentence)
    return catalogue


def test_a_new_catalogue_is_begun_translated_and_kept_up_to_date(folder: Path):
    assert messages.update("de", english("Your turn", ("{n} card", "{n} cards"))) == "de: 0 of 2 sentences (0 %)"
    path = folder / "de" / "LC_MESSAGES" / "cellblock.po"
    text = path.read_text(encoding="utf-8")
    for empty, filled in (
        ('"Your turn"\nmsgstr ""', '"Your turn"\nmsgstr "Du bist dran"'),
        ('[0] ""', '[0] "{n} Karte"'),
    ):
        assert empty in text
        text = text.replace(empty, filled)
    path.write_text(text.replace('[1] ""', '[1] "{n} Karten"'), encoding="utf-8")
    assert messages.update("de", english("Your turn", ("{n} card", "{n} cards"), "New")) == (
        "de: 2 of 3 sentences (66 %)"
    )
    with speaking(Languages.load(folder).of("de")):
        assert (_("Your turn"), _("New"), ngettext("{n} card", "{n} cards", 3)) == ("Du bist dran", "New", "3 Karten")


GLOSSARY = "# Cellblock in German.\n#\n# table – Tisch\n# turn – Zug\n"


def test_a_catalogue_keeps_its_glossary_and_changes_only_with_its_sentences(folder: Path):
    messages.update("de", english("Your turn"))
    path = folder / "de" / "LC_MESSAGES" / "cellblock.po"
    _, message, rest = path.read_text(encoding="utf-8").partition('msgid ""')
    body = re.sub("POT-Creation-Date: [^+]*", "POT-Creation-Date: 2020-01-01 00:00", f"{GLOSSARY}{message}{rest}")
    path.write_text(body, encoding="utf-8")
    messages.update("de", english("Your turn"))
    assert path.read_text(encoding="utf-8").replace("#, fuzzy\n", "") == body
    messages.update("de", english("Your turn", "New"))
    changed = path.read_text(encoding="utf-8")
    assert changed.startswith(GLOSSARY) and changed.partition('msgid "New"')[0].rstrip() == body.rstrip()


def test_an_unknown_language_is_refused_in_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert messages.main(["klingon"]) == 2
    assert capsys.readouterr().out.startswith("There is no language 'klingon'.") and not list(folder.iterdir())


def test_translators_get_the_sentences_of_pages_commands_and_lessons():
    sentences = messages.template()
    kinds = {"cogs/": 0, "Description of": 0, "A choice of": 0, "The lesson of": 0}
    for message in sentences:
        told = [*(place for place, _ in message.locations), *message.auto_comments]
        for kind in kinds:
            kinds[kind] += any(words.startswith(kind) for words in told)
    assert "Choose the language of everything that only you can see." in sentences and "Deutsch" not in sentences
    assert "No table is open." in sentences and all(many > 50 for many in kinds.values()), kinds


def test_marks_are_found_anywhere_in_a_text():
    source = """
def f(n):
    # Translators: a person
    a = _("host")
    return f"{_('x')} {ngettext('one', 'many', n)}"
"""
    assert sorted(messages.marked(source), key=str) == [
        (4, "host", ["a person"]),
        (5, "x", []),
        (5, ("one", "many"), []),
    ]
