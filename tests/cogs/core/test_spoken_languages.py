"""Private texts are in their reader's language, public ones in the server's."""

from gettext import NullTranslations
from typing import Any

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CLOSES, CODE, OPENS, PSEUDO
from cogs.core.i18n.translation import ENGLISH, Language
from cogs.core.tables.language_choice import Reader
from sandbox import UserClient
from tests.cogs.read_words import words_of
from tests.cogs.real_languages import foreign
from tests.cogs.test_untranslated import speak_pseudo
from tools.harness.bot_harness import BotHarness
from tools.harness.raw_database import Raw

Json = dict[str, Any]


class Shouted(NullTranslations):
    """A second test language that is easy to tell from the others."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"


LANGUAGES = Languages([PSEUDO, Language("de", Shouted())])


@pytest.fixture
async def spoken(harness: BotHarness) -> BotHarness:
    """A server where Ann's Discord uses the pretended language, and everybody else's English."""
    harness.languages = LANGUAGES
    await harness.restart()
    harness.ann.locale = CODE
    return harness


def public_words(harness: BotHarness) -> str:
    """Return everything that was ever posted publicly in the channel."""
    shown = (m for m in harness.sandbox.messages(harness.yard) if not m["flags"] & 64)
    return "\n".join(m["content"] + UserClient.visible_text(m) for m in shown)


async def private_words(harness: BotHarness, who: UserClient) -> str:
    await harness.settle()
    return "\n".join(map(UserClient.visible_text, who.ephemerals(harness.yard)))


async def test_a_person_reads_their_own_page_in_their_language_and_everybody_the_servers(spoken: BotHarness):
    await spoken.begin("prison-break", spoken.ben)
    for who in (spoken.ann, spoken.ben):
        await spoken.press(who, "Play")
    assert OPENS in await private_words(spoken, spoken.ann)
    assert OPENS not in await private_words(spoken, spoken.ben)
    assert OPENS not in public_words(spoken)


async def test_a_servers_language_is_for_everybody_and_its_tables_change_at_once(spoken: BotHarness):
    await spoken.two_at_the_wall()
    await spoken.ann.command(spoken.yard, "settings language", language=CODE)
    await spoken.settle()
    assert OPENS in spoken.public()
    await spoken.ann.command(spoken.yard, "settings language")
    await spoken.settle()
    assert OPENS not in spoken.public()


async def test_a_server_without_a_setting_speaks_the_language_of_its_discord(harness: BotHarness):
    await harness.stop()
    harness.languages = LANGUAGES
    harness.guild.locale = "de"
    await harness.start()
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.settle()
    assert "«" in harness.public()


async def test_a_chosen_language_goes_before_that_of_discord_and_outlasts_a_restart(spoken: BotHarness):
    answer = await spoken.ann.command(spoken.yard, "language", language="de")
    assert "«" in answer.text
    await spoken.restart()
    answer = await spoken.ann.command(spoken.yard, "rope-wall board")
    assert "«" in answer.text and OPENS not in answer.text
    answer = await spoken.ann.command(spoken.yard, "language", language="discord")
    assert OPENS in answer.text and CLOSES in answer.text


async def test_what_a_clock_shows_is_in_the_language_that_was_seen_last(spoken: BotHarness):
    for who in (spoken.ann, spoken.ben):
        await who.command(spoken.yard, "notify", how="message")
    await spoken.begin("prison-break", spoken.ben)
    await spoken.restart(60_000)
    await spoken.client.inbound.finder.find(1)
    await spoken.advance(60_000)
    words = {who.name: "\n".join(map(UserClient.visible_text, who.dms())) for who in (spoken.ann, spoken.ben)}
    assert OPENS in words["Ann"] and OPENS not in words["Ben"]
    choice = spoken.client.language_choice
    assert await choice.of(int(spoken.ann.id)) == Reader(None, PSEUDO)
    assert await choice.of(int(spoken.ben.id)) == Reader(None, ENGLISH)


async def test_a_command_with_one_language_alone_offers_no_choice_of_it(harness: BotHarness):
    harness.languages = Languages()
    await harness.restart()
    names = {command.name for command in harness.client.tree.get_commands()}
    assert "language" not in names and "settings" in names


async def test_what_is_stored_is_in_no_language(harness: BotHarness):
    people = await speak_pseudo(harness)
    await harness.ann.command(harness.yard, "prison-break start", clock=0, computer="rookie", computers=2)
    await harness.ben.press(harness.board(), harness.controls("join")[0])
    await harness.settle()
    await harness.finish(*people)
    for command in ("match-five start", "rope-wall start"):
        await harness.ann.command(harness.yard, command)
    await harness.ann.forge(harness.board(), "cb:3:0:close-sure:")
    await harness.advance(2 * 86_400_000)
    await harness.ann.command(harness.yard, "settings season", months=3)
    await harness.ben.command(harness.yard, "privacy hide", hidden="on")
    await harness.settle()
    stored = Raw(harness.database)
    assert stored.leftovers("Trainee") and stored.leftovers(OPENS, repr(OPENS.encode())[2:-1]) == []


async def test_a_language_chosen_in_the_middle_of_a_game_shows_at_the_next_page(harness: BotHarness):
    async def opened() -> str:
        page = await harness.press(harness.ann, "Play")
        return "\n".join(words_of(page.message or {}))

    harness.ann.locale = "de"
    await harness.begin("prison-break", harness.ben)
    german, public = await opened(), public_words(harness)
    assert foreign(german, "fr") and not foreign(german, "de")
    answer = await harness.ann.command(harness.yard, "language", language="fr")
    assert foreign(answer.text, "de") and not foreign(answer.text, "fr")
    french = await opened()
    assert foreign(french, "de") and not foreign(french, "fr")
    assert public_words(harness) == public


async def test_open_pages_change_to_a_newly_chosen_language_at_once_and_rules_that_are_read_stay(harness: BotHarness):
    async def words() -> list[str]:
        await harness.settle()
        shown = [*harness.ann.ephemerals(harness.yard)[:1], *harness.ann.dms()]
        return ["\n".join(words_of(message)) for message in shown]

    harness.ann.locale = "de"
    await harness.begin("prison-break", harness.ben)
    await harness.press(harness.ann, "Play")
    page, message = await words()
    assert not foreign(page, "de") and not foreign(message, "de")
    await harness.ann.command(harness.yard, "language", language="fr")
    await harness.advance(61_000)  # meanwhile their message rests, since they play in the channel
    page, message = await words()
    assert foreign(page, "de") and not foreign(page, "fr") and foreign(message, "de") and not foreign(message, "fr")
