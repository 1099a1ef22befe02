"""Test that catalogues agree with the English sentences, and that those of some languages are complete."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog, Message, pofile

from cogs.core.i18n.languages import FOLDER, read_catalogue
from tools.messages import COMPLETE, MARKS, path_of, template

CODES = sorted(path.parents[1].name.replace("_", "-") for path in FOLDER.glob("*/LC_MESSAGES/cellblock.po"))

in_every_language = pytest.mark.parametrize("code", CODES)
in_each_complete_language = pytest.mark.parametrize("code", COMPLETE)

NUMBERS = (*range(201), 1_000_000)
"""Includes every plural form of every language."""

COGS = Path(__file__).resolve().parents[1] / "cogs"

LABEL = 32
"""Maximum characters of a button's label: the 24 of an English one, and a third more."""

FEWEST_TERMS = 30


@cache
def english() -> Catalog:
    return template()


@cache
def catalogue(code: str) -> Catalog:
    with path_of(code).open("rb") as file:
        return pofile.read_po(file, locale=code.replace("-", "_"), abort_invalid=True)


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the forms of a translation."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def originals(message: Message) -> tuple[str, ...]:
    """Return the English forms of a sentence."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def messages(code: str) -> Iterator[Message]:
    """Yield the translated messages."""
    return (message for message in catalogue(code) if message.id and all(forms_of(message)))


def pairs(code: str) -> Iterator[tuple[str, str]]:
    """Yield each English sentence with its translation; the plural with every form."""
    for message in messages(code):
        for form in forms_of(message):
            yield originals(message)[-1], form


def named(sentence: str) -> set[str]:
    """Return the values that a sentence names, with their formats."""
    parts = Formatter().parse(sentence)
    return {f"{name}!{sign}:{how}" for _, name, how, sign in parts if name is not None}


def key(message: Message) -> str:
    return "\0".join(originals(message))


@cache
def numbers_of(code: str) -> dict[int, set[int]]:
    """Return the numbers to which each plural form of a language applies."""
    spoken, found = read_catalogue(path_of(code), code), dict[int, set[int]]()
    for number in NUMBERS:
        form = spoken.translations.plural(number)  # type: ignore[attr-defined]  # of GNUTranslations, without a stub
        found.setdefault(form, set()).add(number)
    return found


@in_each_complete_language
def test_a_catalogue_has_every_sentence_and_none_that_nobody_says_any_more(code: str):
    has = {key(message) for message in catalogue(code) if message.id}
    wanted = {key(message) for message in english() if message.id}
    assert sorted(wanted - has) == [], "`make messages`, and translate them"
    assert sorted(has - wanted) == [], "`make messages` removes them"


@in_each_complete_language
def test_every_sentence_is_translated_and_none_is_only_guessed(code: str):
    entries = [message for message in catalogue(code) if message.id]
    assert [originals(message)[0] for message in entries if not all(forms_of(message))] == []
    assert [originals(message)[0] for message in entries if message.fuzzy] == []


@in_each_complete_language
def test_a_catalogue_opens_with_the_glossary_of_its_terms(code: str):
    opening = path_of(code).read_text(encoding="utf-8").partition("msgid")[0]
    assert len(re.findall(r"^# \S.* – \S", opening, re.MULTILINE)) >= FEWEST_TERMS


@in_every_language
def test_every_translation_names_the_values_of_its_sentence(code: str):
    """The form for a single number, or the one for a number that English spells out, may leave out the number."""
    wrong, figure = list[str](), {"n!None:"}
    for message in messages(code):
        wanted = set(chain.from_iterable(map(named, originals(message))))
        plural = not isinstance(message.id, str)
        for number, form in enumerate(forms_of(message)):
            spelled_out = number == 0 and not figure & named(originals(message)[0])
            may_omit = figure if plural and (spelled_out or len(numbers_of(code).get(number, ())) == 1) else set[str]()
            if named(form) | may_omit != wanted | may_omit:
                wrong.append(form)
    assert wrong == []


@in_every_language
def test_every_plural_form_is_for_some_number_and_can_be_shown_with_it(code: str):
    spoken, numbers = read_catalogue(path_of(code), code), numbers_of(code)
    tried = 0
    for message in messages(code):
        forms = forms_of(message)
        if isinstance(message.id, str):
            continue
        assert len(forms) == catalogue(code).num_plurals == len(numbers), message.id
        for form, reached in numbers.items():
            values = dict.fromkeys((name.partition("!")[0] for name in named(forms[form])), "x")
            for number in (min(reached), max(reached)):
                shown = spoken.translations.ngettext(message.id[0], message.id[1], number)
                assert shown == forms[form] and shown.format_map({**values, "n": number}), message.id
        tried += 1
    assert tried > 30


def test_a_translation_emphasises_the_same_things_in_any_order():
    assert marks("**Ann** · `/play`, `x` and *Rules*\n-# ▶ [here](url)") == marks(
        "**Ann** · *Regeln*, `y` und `/play`\n-# ▶ [da](url)"
    )
    assert marks("`/play`") != marks("`/spiel`") and marks("-# small") != marks("small")


MARK = re.compile(
    r"`/[^`]*`|`|\*\*|\*|__|~~|\]\([^)]*\)|^(?:#{1,3}|-#|>|[•-]) |\n|<[^>]*>|:[a-z][a-z0-9_]+:|[▶◀✓✗→←↑↓]", re.M
)
"""What Discord's markdown interprets in a text, commands in backticks, mentions, emoji and the signs of buttons."""


def marks(sentence: str) -> Counter[str]:
    return Counter(MARK.findall(sentence))


@in_every_language
def test_every_translation_has_the_markup_and_the_commands_of_its_sentence(code: str):
    wrong = [
        f"{dict(marks(sentence) - marks(form))} – {dict(marks(form) - marks(sentence))}: {form}"
        for sentence, form in pairs(code)
        if marks(sentence) != marks(form)
    ]
    assert wrong == []


@in_every_language
def test_descriptions_and_choices_of_commands_are_short_enough_for_discord(code: str):
    of_commands = {key(m) for m in english() if any("at most 100" in comment for comment in m.auto_comments)}
    assert len(of_commands) > 150
    found = [forms_of(message)[0] for message in messages(code) if key(message) in of_commands]
    assert [form for form in found if len(form) > 100] == []


def labels() -> set[str]:
    """Return the sentences used as labels of buttons."""
    found = set[str]()
    for path in COGS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Button"
                and node.args
            ):
                found |= {
                    str(form.value)
                    for call in ast.walk(node.args[0])
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MARKS
                    for form in call.args[: MARKS[call.func.id]]
                    if isinstance(form, ast.Constant)
                }
    return found


@in_every_language
def test_labels_of_buttons_are_not_cut_on_a_phone(code: str):
    known = labels()
    assert len(known) > 100
    assert [form for sentence, form in pairs(code) if sentence in known and len(form) > LABEL] == []


MISPRINTS = {
    "de": re.compile(r"['\"]|[\d }]%|\w…"),
    "fr": re.compile(r"['\"]|[ \u202f]:|[^\s!?][!?;]|\S [!?;]|«[^\u202f]|[^\u202f]»|[\d }]%|\w …"),
}
"""Quotation marks, apostrophes and spaces that a language doesn't have."""

TYPED = re.compile(r"`[^`]*`|DRAW!|MELD!|\{kind\}!")
"""What is the same in every language."""


@pytest.mark.parametrize("code", MISPRINTS)
def test_translations_have_the_signs_and_spaces_of_their_language(code: str):
    assert [form for _, form in pairs(code) if MISPRINTS[code].search(TYPED.sub("", form))] == []
