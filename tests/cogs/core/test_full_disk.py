"""What cannot be written is refused in one sentence and tried again: nothing is lost when there is room once more."""

import itertools
import logging
from typing import Any

import pytest

from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import PlayerPage
from cogs.core.tables.table import Table
from data.store import DiskFull
from sandbox import UserClient
from tools.harness.bot_harness import House

FULL = "The database could not be written (database or disk is full): make room on its disk."


class Disk:
    """The disk of the house's database, which can be full."""

    def __init__(self, house: House) -> None:
        store: Any = house.client.tables.store
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
def disk(house: House) -> Disk:
    return Disk(house)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says about the database."""
    return [record.getMessage() for record in caplog.records if FULL in record.getMessage()]


async def test_a_click_on_a_full_disk_is_refused_in_one_sentence_and_works_when_there_is_room(house: House, disk: Disk):
    await house.two_at_the_wall()
    disk.fill()
    answer = await house.push()
    assert "nothing was done" in answer.text and answer.message["flags"] & 64 and house.pushes() == 0
    disk.empty()
    await house.push()
    assert house.pushes() == 1


async def test_a_hundred_refused_clicks_are_one_line_a_minute_and_no_traceback(house: House, disk: Disk, caplog):
    caplog.set_level(logging.INFO)
    await house.two_at_the_wall()
    disk.fill()
    for _ in range(25):
        await house.push()
    await house.turn(61_000)
    for _ in range(25):
        await house.push()
    assert disk.refused > 50
    assert 2 <= len(lines(caplog)) <= 3 and "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR and FULL not in record.message]
    disk.empty()
    await house.turn(20_000)
    assert "takes writes again" in caplog.text


async def test_a_deadline_that_falls_due_on_a_full_disk_is_kept_until_there_is_room(house: House, disk: Disk):
    await house.two_at_the_wall(clock=60)
    slow = house.awaited()
    disk.fill()
    for _ in range(20):
        await house.turn(60_000)
    assert house.pushes() == 0
    disk.empty()
    await house.turn(60_000)
    assert house.pushes() == 1 and house.awaited() is not slow
    assert await house.shows()


async def test_a_computers_move_on_a_full_disk_is_made_when_there_is_room(house: House, disk: Disk):
    await house.against_a_computer()
    before = house.pushes()
    disk.fill()
    for _ in range(5):
        await house.turn(10_000)
    assert house.pushes() == before
    disk.empty()
    await house.turn(60_000)
    assert house.pushes() == before + 1 and await house.shows()


async def test_the_beat_by_which_downtime_is_measured_goes_on_after_a_full_disk(house: House, disk: Disk):
    async def alive() -> int:
        store: Any = house.client.tables.store
        ((at,),) = await store.database.read("SELECT max(alive_at) FROM runs")
        return int(at)

    disk.fill()
    for _ in range(10):
        await house.turn(30_000)
    disk.empty()
    await house.turn(60_000)
    before = await alive()
    assert house.hands.now() - before < 10_000
    await house.turn(11_000)
    assert await alive() > before


async def test_a_repost_on_a_full_disk_is_made_once_and_its_place_is_kept_when_there_is_room(house: House, disk: Disk):
    await house.two_at_the_wall()
    disk.fill()
    house.session().message.move_down()
    for _ in range(4):
        await house.turn(61_000)
    posted = [m for m in house.sandbox.messages(house.yard) if m["components"] and not m["flags"] & 64]
    assert len(posted) == 1
    disk.empty()
    await house.turn(61_000)
    assert house.session().table.snapshot.row.message == int(posted[0]["id"])
    await house.restart()
    assert await house.shows()


async def test_a_letter_on_a_full_disk_is_sent_once_and_known_when_there_is_room(
    house: House, disk: Disk, monkeypatch: pytest.MonkeyPatch
):
    await house.begin("prison-break", house.ben)
    letters, said = house.session().direct_messages, itertools.count()
    letter_of = letters._compose

    async def page(table: Any, of: int, *looks: Any) -> PlayerPage:
        if of != int(house.ann.id):
            return await letter_of(table, of, *looks)
        number = next(said)
        return PlayerPage(Page((Text(f"letter {number}"),)), 0, None, str(number))

    monkeypatch.setattr(letters, "_compose", page)
    monkeypatch.setattr(letters, "_resting", page)
    (old,) = house.ann.dms()
    house.sandbox.state.delete(house.sandbox.state.messages[old["id"]])
    disk.fill()
    house.sandbox.settings.nonce_life_ms = 0  # the retries below are further apart than a nonce lives
    for _ in range(3):
        letters.changed()
        await house.settle()
    (letter,) = house.ann.dms()
    assert "letter 2" in UserClient.visible_text(letter)
    disk.empty()
    letters.changed()
    await house.settle()
    assert str(house.session().table.snapshot.seats[0].dm_message) == house.ann.dms()[-1]["id"]


async def test_the_doctor_tells_that_the_database_takes_nothing_and_its_owner_where_it_is(house: House, disk: Disk):
    """The words of the store name a path on the machine, which is nothing to the managers of a server."""
    await house.two_at_the_wall()
    olga = house.sandbox.add_person("Olga", house.guild, administrator=True, person_id="1")  # whose the bot is
    disk.fill()
    await house.push()
    told, owner = [await person.command(house.yard, "doctor") for person in (house.ann, olga)]
    assert "✗ Since <t:" in told.text and "the database could not be written; " in told.text and FULL not in told.text
    assert "✗ Since <t:" in owner.text and FULL in owner.text
    disk.empty()
    await house.turn(20_000)
    assert "could not be written" not in (await house.ann.command(house.yard, "doctor")).text


async def test_a_table_that_could_not_begin_stands_as_a_lobby(
    house: House, disk: Disk, monkeypatch: pytest.MonkeyPatch
):
    tables = house.client.tables
    begin = tables.begin

    async def refused(table: Table) -> None:
        disk.fill()
        try:
            await begin(table)
        finally:
            disk.empty()

    monkeypatch.setattr(tables, "begin", refused)
    answer = await house.ann.command(house.yard, "rope-wall start", computer="rookie")
    await house.settle()
    assert "nothing was done" in answer.text or "database" in answer.text
    assert await house.shows() and "Start" in {part.get("label") for part in house.ann.buttons(house.board())}
