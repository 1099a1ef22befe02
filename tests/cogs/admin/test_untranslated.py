"""The findings of `/doctor`, in a pretended language whose sentences are all in brackets."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CODE, OPENS, PSEUDO
from data.store import DiskFull
from data.store.sqlite.backup import backup
from engine.contract import Moment
from sandbox import UserClient
from tests.cogs.admin.test_doctor import DAY_MS, refused_at_the_wall
from tests.cogs.read_words import missed, words_of
from tools.harness.bot_harness import BotHarness

Trouble = Callable[[BotHarness], Awaitable[None]]


async def refusals(harness: BotHarness) -> None:
    await refused_at_the_wall(harness, 403, 429, 500)


async def closed_messages(harness: BotHarness) -> None:
    harness.ben.dms_open = False
    await harness.begin("prison-break", harness.ben)


async def missing_permissions(harness: BotHarness) -> None:
    await harness.two_at_the_wall()
    harness.sandbox.deny(harness.yard, "SEND_MESSAGES", "ATTACH_FILES", "EMBED_LINKS", "CREATE_PUBLIC_THREADS")
    await harness.advance(60_000)


async def a_forgotten_game(harness: BotHarness) -> None:
    await harness.two_at_the_wall()
    await harness.advance(4 * DAY_MS)


async def a_late_clock(harness: BotHarness) -> None:
    await harness.two_at_the_wall(clock=180)
    harness.client.tables.clocks.deadline_timer.set(1, None)
    await harness.advance(60 * 60_000)


async def a_backup(harness: BotHarness) -> None:
    backup(Path(harness.database), Path(harness.database).with_name("copy.db"), Moment(harness.clock.now()))


async def a_second_bot(harness: BotHarness) -> None:
    await harness.two_at_the_wall()
    shown = harness.board()
    for person in (harness.ann, harness.ben, harness.cleo) * 2:
        await person.forge(shown, "cb:77:0:what:")
        await harness.settle()


async def a_timeout(harness: BotHarness) -> None:
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.time_out_bot(harness.guild, DAY_MS)
    guild = harness.client.get_guild(int(harness.guild.id))
    await harness.sandbox.until(lambda: guild is not None and guild.me.timed_out_until)
    await harness.advance(100)


async def an_outage(harness: BotHarness) -> None:
    await harness.two_at_the_wall(clock=60)
    harness.client.tables.api.down_since = Moment(harness.clock.now())


async def a_locked_thread(harness: BotHarness) -> None:
    harness.yard = harness.sandbox.add_thread(harness.yard, "yard")
    await harness.sandbox.until(lambda: harness.client.get_channel(int(harness.yard.id)))
    await harness.two_at_the_wall(clock=60)
    harness.sandbox.lock(harness.yard)
    thread = harness.client.get_channel(int(harness.yard.id))
    await harness.sandbox.until(lambda: getattr(thread, "locked", False))
    await harness.advance(100)


async def a_full_disk(harness: BotHarness) -> None:
    harness.client.tables.database_status.failed(DiskFull("there is no room"))


async def puzzles_to_post(harness: BotHarness) -> None:
    await harness.ann.command(harness.yard, "settings puzzles", channel=harness.yard, hour=9)


async def puzzles_that_were_posted(harness: BotHarness) -> None:
    await puzzles_to_post(harness)
    await harness.advance(DAY_MS)


async def puzzles_that_discord_refused(harness: BotHarness) -> None:
    await puzzles_to_post(harness)
    harness.sandbox.fault("POST", "/channels/*/messages", 403, times=1)
    await harness.advance(DAY_MS)


async def puzzles_without_permission(harness: BotHarness) -> None:
    await puzzles_to_post(harness)
    harness.sandbox.deny(harness.yard, "SEND_MESSAGES")


TROUBLES: tuple[Trouble, ...] = (
    *(refusals, closed_messages, missing_permissions, a_forgotten_game, a_late_clock, a_backup, a_second_bot),
    *(a_timeout, an_outage, a_locked_thread, a_full_disk),
    *(puzzles_to_post, puzzles_that_were_posted, puzzles_that_discord_refused, puzzles_without_permission),
)


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
async def test_what_the_doctor_finds_is_translated(harness: BotHarness, mona: UserClient, trouble: Trouble):
    harness.languages = Languages([PSEUDO])
    await harness.restart()
    mona.locale = CODE
    before = await mona.command(harness.yard, "doctor")
    await trouble(harness)
    answer = await mona.command(harness.yard, "doctor")
    harness.client.tables.api.down_since = None
    assert answer.text.count(OPENS) >= 8 and answer.text != before.text
    read = [words for message in (before, answer) for words in words_of(message.message or {})]
    assert [word for words in read for word in missed(words)] == []
