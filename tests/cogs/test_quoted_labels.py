"""Sentences that name a button call it what its reader sees on the screen."""

import ast
import contextlib
import random
import re
from collections.abc import Iterator
from typing import Any

from cogs.core.i18n.languages import Languages
from cogs.core.ops.errors import UserError
from cogs.core.tables import moves
from sandbox import UserClient
from tests.cogs.real_languages import FRENCH, GERMAN
from tests.test_catalogues import COGS, english, originals
from tools.harness.bot_harness import BotHarness

Json = dict[str, Any]

QUOTED = re.compile(r"(?<![*\w])\*([^*\s][^*\n]*)\*(?!\*)")
"""What a sentence has between asterisks: the label of a button, an option, or a word that is stressed."""

OWN = {
    "Advance",
    "End by agreement …",
    "End the game",
    "Export",
    "I'm back",
    "Lay",
    "Learn a game",
    "Leave",
    "Let others join",
    "Manage",
    "Markers",
    "No check",
    "Pick cards",
    "Play again",
    "Verify",
}
"""Labels of buttons in the language of the sentence that names them: both are on private pages, or on one message."""

NO_BUTTONS = {
    "Attach Files",
    "May not move next round",
    "Offers: sample",
    "Round limit",
    "Split",
    "and",
    "apart",
    "hints",
    "one line",
    "rope",
    "say",
    "second",
    "strict",
}
"""Permissions, options, marks on cards, and words that are stressed."""


def test_a_sentence_names_a_button_of_a_public_message_by_a_value_not_in_its_own_words():
    wrong = [
        f"*{one}* in {sentence!r}"
        for message in english()
        for sentence in originals(message)
        for one in QUOTED.findall(sentence)
        if not re.fullmatch(r"\{\w+\}", one) and one not in OWN | NO_BUTTONS
    ]
    assert wrong == [], "use `public_label`; the labels of buttons on private pages belong in OWN"


def public_labels() -> Iterator[str]:
    """Yield the labels that sentences name by `public_label`."""
    for path in COGS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "public_label":
                yield ast.literal_eval(node.args[0])


def labels_of(message: Json) -> set[str]:
    return {part["label"] for part in UserClient.buttons(message) if "label" in part}


async def test_in_practice_which_nobody_else_sees_all_buttons_are_in_the_language_of_the_player(harness: BotHarness):
    await harness.stop()
    harness.languages, harness.guild.locale = Languages.load(), GERMAN
    await harness.start()
    games = await harness.ann.command(harness.ann.dm, "play")
    page = await harness.ann.press(await harness.ann.press(games, label="Prison Break"), label="vs Trainee · practice")
    more = await harness.ann.press(page, label="More …")
    advice = (await harness.ann.press(more, label="What can I do?")).text
    assert "*Play*" in advice and "*Spielen*" not in advice


async def at_two_languages(harness: BotHarness) -> None:
    """Start on an English server for a German, a French and an English reader."""
    harness.languages = Languages.load()
    await harness.restart()
    harness.ann.locale, harness.cleo.locale = GERMAN, FRENCH


async def test_the_buttons_that_private_sentences_name_are_on_public_messages(harness: BotHarness):
    found = set[str]()

    async def look() -> None:
        await harness.settle()
        for message in harness.sandbox.messages(harness.yard):
            found.update(labels_of(message) if not message["flags"] & 64 else ())

    await harness.ann.command(harness.yard, "prison-break start", clock=180, invite=harness.cleo.id)
    await look()
    await harness.advance(20 * 60_000)  # the lobby closes
    await look()
    await harness.begin("ausbrecher", harness.ben)
    await look()
    await harness.begin("prison-break", harness.ben)
    table, dice = harness.messages(3).table, random.Random(3)
    while table.snapshot.playing:
        await look()
        for seat in table.snapshot.view(None).to_act:
            with contextlib.suppress(UserError):
                await table.act(moves.move, seat, dice.choice(table.snapshot.legal(seat)), harness.clock.now())
        await harness.advance(5_500)
    await harness.press(harness.ann, "Rematch")
    await look()
    assert {*public_labels()} - found == set()


async def test_a_private_sentence_names_a_button_of_the_table_as_the_table_shows_it(harness: BotHarness):
    await at_two_languages(harness)
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    answer = await harness.cleo.press(harness.board(), harness.controls("manage")[0])
    assert "*Join*" in answer.text and "l’hôte" in answer.text


async def test_advice_names_the_buttons_of_a_table_in_the_language_of_the_table(harness: BotHarness):
    await at_two_languages(harness)
    await harness.begin("prison-break", harness.ben)
    for who, label in ((harness.ann, "Was kann ich tun?"), (harness.ben, "What can I do?")):
        more = await who.press(harness.board(), label="More …")
        advice = (await who.press(more, label=label)).text
        assert ("Sag eine Zahl" in advice) == (who is harness.ann)
        named = {*QUOTED.findall(advice)}
        assert "Play" in named and named <= labels_of(harness.board())
