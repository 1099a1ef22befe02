"""What cannot be written is refused in one sentence and retried: nothing is lost once there is space again."""

import itertools
import logging
from dataclasses import replace
from typing import Any

import pytest

from cogs.core.inbound import table_opening
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import PlayerPage
from cogs.core.tables.table import Table
from data.store import DiskFull
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

FULL = "The database could not be written (database or disk is full): make room on its disk."


class Disk:
    """The disk of the bot's database, which can be full."""

    def __init__(self, harness: BotHarness) -> None:
        store: Any = harness.client.store
        self._writer = store.database.writer
        self._write = self._writer.write
        self.refused = 0

    def fill(self) -> None:
        self._writer.write = self._refuse

    def empty(self) -> None:
        self._writer.write = self._write

    async def _refuse(self, work: object, *, background: bool = False) -> None:
        self.refused += 1
        raise DiskFull(FULL)


@pytest.fixture
def disk(harness: BotHarness) -> Disk:
    return Disk(harness)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what the log says about the database."""
    return [record.getMessage() for record in caplog.records if FULL in record.getMessage()]


async def test_a_click_on_a_full_disk_is_refused_in_one_sentence_and_works_when_there_is_room(
    harness: BotHarness, disk: Disk
):
    await harness.two_at_the_wall()
    disk.fill()
    answer = await harness.push()
    assert "nothing was done" in answer.text and answer.message["flags"] & 64 and harness.pushes() == 0
    disk.empty()
    await harness.push()
    assert harness.pushes() == 1


async def test_a_hundred_refused_clicks_are_one_line_a_minute_and_no_traceback(harness: BotHarness, disk: Disk, caplog):
    caplog.set_level(logging.INFO)
    await harness.two_at_the_wall()
    disk.fill()
    for _ in range(25):
        await harness.push()
    await harness.advance(61_000)
    for _ in range(25):
        await harness.push()
    assert disk.refused > 50
    assert 2 <= len(lines(caplog)) <= 3 and "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR and FULL not in record.message]
    disk.empty()
    await harness.advance(20_000)
    assert "takes writes again" in caplog.text


async def test_a_deadline_that_falls_due_on_a_full_disk_is_kept_until_there_is_room(harness: BotHarness, disk: Disk):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    disk.fill()
    for _ in range(20):
        await harness.advance(60_000)
    assert harness.pushes() == 0
    disk.empty()
    await harness.advance(60_000)
    assert harness.pushes() == 1 and harness.awaited() is not slow
    assert await harness.shows_latest()


async def test_a_computers_move_on_a_full_disk_is_made_when_there_is_room(harness: BotHarness, disk: Disk):
    await harness.against_a_computer()
    before = harness.pushes()
    disk.fill()
    for _ in range(5):
        await harness.advance(10_000)
    assert harness.pushes() == before
    disk.empty()
    await harness.advance(60_000)
    assert harness.pushes() == before + 1 and await harness.shows_latest()


async def test_the_beat_by_which_downtime_is_measured_goes_on_after_a_full_disk(harness: BotHarness, disk: Disk):
    async def alive() -> int:
        store: Any = harness.client.store
        ((at,),) = await store.database.read("SELECT max(alive_at) FROM runs")
        return int(at)

    disk.fill()
    for _ in range(10):
        await harness.advance(30_000)
    disk.empty()
    await harness.advance(60_000)
    before = await alive()
    assert harness.clock.now() - before < 10_000
    await harness.advance(11_000)
    assert await alive() > before


async def test_a_repost_on_a_full_disk_is_made_once_and_its_place_is_kept_when_there_is_room(
    harness: BotHarness, disk: Disk
):
    await harness.two_at_the_wall()
    disk.fill()
    harness.messages().message.repost()
    for _ in range(4):
        await harness.advance(61_000)
    posted = [m for m in harness.sandbox.messages(harness.yard) if m["components"] and not m["flags"] & 64]
    assert len(posted) == 1
    disk.empty()
    await harness.advance(61_000)
    assert harness.snapshot().row.message == int(posted[0]["id"])
    await harness.restart()
    assert await harness.shows_latest()


async def test_a_direct_message_on_a_full_disk_is_sent_once_and_known_when_there_is_room(
    harness: BotHarness, disk: Disk, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("prison-break", harness.ben)
    messages, said = harness.messages().direct_messages, itertools.count()
    of_ann = messages.message_of(int(harness.ann.id))

    async def page(*looks: Any, **how: Any) -> PlayerPage:
        number = next(said)
        return PlayerPage(Page((Text(f"letter {number}"),)), 0, None, str(number))

    monkeypatch.setattr(of_ann, "_services", replace(of_ann._services, player_page=page))
    (old,) = harness.ann.dms()
    harness.sandbox.state.delete(harness.sandbox.state.messages[old["id"]])
    disk.fill()
    harness.sandbox.settings.nonce_life_ms = 0  # the retries below are further apart than a nonce lives
    for _ in range(3):
        messages.changed()
        await harness.settle()
    (letter,) = harness.ann.dms()
    assert "letter 2" in UserClient.visible_text(letter)
    disk.empty()
    messages.changed()
    await harness.settle()
    assert str(harness.snapshot().seats[0].dm_message) == harness.ann.dms()[-1]["id"]


async def test_doctor_says_that_the_database_is_full_and_shows_its_path_to_the_owner_only(
    harness: BotHarness, disk: Disk
):
    """The store's message names a path on the machine, which is none of the server managers' business."""
    await harness.two_at_the_wall()
    olga = harness.sandbox.add_person("Olga", harness.guild, administrator=True, person_id="1")  # the bot's owner
    disk.fill()
    await harness.push()
    told, owner = [await person.command(harness.yard, "doctor") for person in (harness.ann, olga)]
    assert "✗ Since <t:" in told.text and "the database could not be written; " in told.text and FULL not in told.text
    assert "✗ Since <t:" in owner.text and FULL in owner.text
    disk.empty()
    await harness.advance(20_000)
    assert "could not be written" not in (await harness.ann.command(harness.yard, "doctor")).text


async def test_a_table_that_could_not_begin_is_still_a_lobby(
    harness: BotHarness, disk: Disk, monkeypatch: pytest.MonkeyPatch
):
    begin = table_opening.begin

    async def refused(games: GameCatalog, table: Table, at: Moment) -> None:
        disk.fill()
        try:
            await begin(games, table, at)
        finally:
            disk.empty()

    monkeypatch.setattr(table_opening, "begin", refused)
    answer = await harness.ann.command(harness.yard, "rope-wall start", computer="rookie")
    await harness.settle()
    assert "nothing was done" in answer.text or "database" in answer.text
    assert await harness.shows_latest() and "Start" in {
        part.get("label") for part in harness.ann.buttons(harness.board())
    }
