"""The answers to requests, in a pretended language whose sentences are all in brackets."""

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CODE, PSEUDO
from sandbox.client.user_client import UserClient
from tests.cogs.admin.conftest import allow_everyone
from tests.cogs.read_words import missed, words_of
from tools.harness.bot_harness import BotHarness

AT_A_TABLE = (
    *("join", "leave", "decline-invite", "manage", "add:rookie", "add:nobody", "drop", "options", "option:clock"),
    *("heir", "take-over", "send-out", "uninvite", "reopen", "rematch", "rematch-open", "watch:on", "watch-board"),
    *("hand", "more", "what", "text", "fair", "notify:message", "hint", "hint-do", "agreement", "propose:none"),
    *("propose:draw", "propose:count", "agree:1", "decline:1", "pardon:1", "no-pardon:1", "back", "push:9"),
)
"""Controls that a person may press or forge at a table."""

WITHOUT_A_TABLE = (
    *("play", "play:rope_wall", "play:chess", "play-computer:rope_wall.nobody", "play-join:77", "practise:rope_wall"),
    *("practise:rope_wall.nobody", "practise-on:7", "rules:rope_wall", "rules:chess", "repost:77"),
)

COMMANDS = ("help", "play", "tables", "table join", "table leave", "table start", "table end", "rope-wall board")


@pytest.fixture
async def pretended(harness: BotHarness) -> BotHarness:
    """The bot with people and a server that use the pretended language."""
    harness.languages = Languages([PSEUDO])
    await harness.stop()
    harness.guild.locale = CODE
    await harness.start()
    for who in (harness.ann, harness.ben, harness.cleo):
        who.locale = CODE
    return harness


async def ask_for_all(harness: BotHarness, table: int) -> set[str]:
    """Let everybody press everything and use the commands; return the words that were not translated."""
    found = set[str]()
    people = harness.ann, harness.ben, harness.cleo

    def look(asked: str, who: UserClient) -> None:
        seen = (*harness.sandbox.messages(harness.yard), *who.ephemerals(harness.yard), *who.dms())
        words = {word for message in seen for text in words_of(message) for word in missed(text)}
        found.update(f"{asked}: {word}" for word in words)

    for who in people:
        for control in AT_A_TABLE:
            verb, _, argument = control.partition(":")
            await who.forge(harness.board(), f"cb:{table}:0:{verb}:{argument}")
        look("controls", who)
        door = await who.command(harness.yard, "play")
        for control in WITHOUT_A_TABLE:
            verb, _, argument = control.partition(":")
            await who.forge(door, f"cb:0:0:{verb}:{argument}")
        look("play", who)
        for command in COMMANDS:
            await who.command(harness.yard, command)
        await who.command(harness.yard, "rope-wall board", table=99)
        await who.command(who.dm, "play")
        look("commands", who)
    names = await harness.ann.choices(harness.yard, "table leave", focus="table")
    found.update(f"choices: {word}" for one in names for word in missed(one["name"]))
    await harness.settle()
    look("in the end", harness.ann)
    return found


async def test_no_answer_at_a_lobby_has_a_word_that_is_not_translated(pretended: BotHarness):
    await pretended.ann.command(pretended.yard, "prison-break start", invite=pretended.cleo)
    await pretended.settle()
    assert await ask_for_all(pretended, 1) == set()


async def test_no_answer_at_a_game_has_a_word_that_is_not_translated(pretended: BotHarness):
    await pretended.ann.command(pretended.yard, "rope-wall start", clock=0)
    await pretended.ben.forge(pretended.board(), "cb:1:0:join:")
    await pretended.ann.forge(pretended.board(), "cb:1:0:begin:")
    await pretended.settle()
    assert await ask_for_all(pretended, 1) == set()
    await pretended.ann.forge(pretended.board(), "cb:1:0:leave-sure:")
    await pretended.ben.forge(pretended.board(), "cb:1:0:leave-sure:")
    await pretended.settle()
    assert await ask_for_all(pretended, 1) == set()


async def test_why_no_more_tables_can_be_opened_is_translated(pretended: BotHarness):
    answers = [await pretended.ann.command(pretended.yard, "match-five start") for _ in range(5)]
    answers += [await pretended.ben.command(pretended.yard, "rope-wall start", computer="rookie") for _ in range(5)]
    assert not [word for answer in answers for text in words_of(answer.message or {}) for word in missed(text)]
    assert "/settings limit" in answers[4].text and "/settings limit" in answers[-1].text


async def test_the_names_of_missing_permissions_are_translated(pretended: BotHarness):
    allow_everyone(pretended, "settings")
    pretended.sandbox.deny(pretended.yard, "SEND_MESSAGES", "ATTACH_FILES")
    answers = [
        await pretended.ben.command(pretended.yard, "settings season", months=3),
        await pretended.ann.command(pretended.yard, "rope-wall start"),
    ]
    assert [answer.text.count("⟦") for answer in answers] == [2, 4]
    assert not [word for answer in answers for text in words_of(answer.message or {}) for word in missed(text)]
