"""What Discord shows of commands in other languages, and how long it may be."""

from collections.abc import Iterator
from gettext import NullTranslations
from typing import Any

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import Language
from sandbox.limits.commands import MAX_SIZE
from tools.harness.bot_harness import BotHarness

Json = dict[str, Any]


class Wordy(NullTranslations):
    """A language that is twice as long, up to Discord's limits."""

    def gettext(self, message: str) -> str:
        return f"{message} {message}"[:100]


def characters(part: Json) -> int:
    """Return the characters of a command or option that Discord counts: of each text the longest translation."""
    texts = [
        max(map(len, (part.get(key) or "", *(part.get(f"{key}_localizations") or {}).values())))
        for key in ("name", "description")
    ]
    return sum(texts) + len(str(part.get("value", ""))) + sum(map(characters, inside(part)))


def inside(part: Json) -> Iterator[Json]:
    yield from part.get("options") or ()
    yield from part.get("choices") or ()


async def test_commands_in_a_language_twice_as_long_are_within_discords_limit(harness: BotHarness):
    harness.languages = Languages([Language("de", Wordy())])
    await harness.restart()
    commands = list(harness.sandbox.state.commands[None].values())
    sizes = {command["name"]: characters(command) for command in commands}
    assert max(sizes.values()) <= MAX_SIZE, sizes
    assert all(command["description_localizations"]["de"] for command in commands)


async def test_the_commands_of_every_language_are_taken_and_keep_their_english_names(harness: BotHarness):
    harness.languages = Languages.load(pseudo=True)
    await harness.restart()
    commands = list(harness.sandbox.state.commands[None].values())
    assert all(characters(command) <= MAX_SIZE for command in commands)
    assert not any(command.get("name_localizations") for command in commands)


async def test_each_language_is_offered_by_its_own_name_in_every_locale(harness: BotHarness):
    harness.languages = Languages([Language("de", Wordy()), Language("fr", Wordy())])
    await harness.restart()
    known = {command["name"]: command for command in harness.sandbox.state.commands[None].values()}
    (of_server,) = (option for option in known["settings"]["options"] if option["name"] == "language")
    for command, others in ((known["language"], ["Same as Discord"]), (of_server, [])):
        choices = command["options"][0]["choices"]
        assert [choice["name"] for choice in choices] == [*others, "English", "Deutsch", "Français"]
        assert not any(choice.get("name_localizations") for choice in choices[len(others) :])
