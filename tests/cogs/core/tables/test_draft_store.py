"""Drafts on private pages: which pages they belong to, and how they are stored."""

import pytest

from cogs.core.pages.custom_ids import ComponentPress, dump_press
from cogs.core.tables import changes
from cogs.core.tables.draft_store import SAVED_AFTER_MS, TableDrafts
from cogs.core.tables.snapshot import UNLOADS_AFTER_MS
from data.store import DiskFull, SeatChange, TableRow
from engine.contract import Seat
from tools.harness.bot_harness import BotHarness

DICE, MORE_DICE = ComponentPress(1, 0, "dice", "R"), ComponentPress(1, 0, "dice", "RO")


async def begin(harness: BotHarness) -> tuple[TableDrafts, int]:
    """Open a table of a game with drafts. Return the draft, and its owner."""
    await harness.begin("ausbrecher", harness.ben)
    await harness.settle()
    return harness.drafts(), int(harness.ann.id)


async def test_a_page_without_a_draft_leaves_the_stored_draft_unchanged(harness: BotHarness):
    begun, ann = await begin(harness)
    await begun.note_page(ann, DICE)
    await begun.note_page(ann, ComponentPress(1, 0, "hint"))
    assert begun.of(ann) == DICE
    await begun.note_page(ann, None)
    assert begun.of(ann) is None


async def test_an_earlier_versions_draft_of_a_page_without_one_is_empty(harness: BotHarness):
    begun, ann = await begin(harness)
    for look, found in ((ComponentPress(1, 0, "hint"), None), (DICE, DICE)):
        await harness.messages().table.act(changes.change_seat_of, ann, SeatChange(begun=dump_press(look)))
        assert begun.of(ann) == found


async def test_what_changes_while_it_is_written_is_written_too(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    begun, ann = await begin(harness)
    table = harness.messages().table
    update = table.store.seats.update

    async def slowly(number: int, seat: int, what: SeatChange) -> TableRow:
        row = await update(number, seat, what)
        if what.begun == dump_press(DICE):
            await begun.note_page(ann, MORE_DICE)
        return row

    monkeypatch.setattr(table.store.seats, "update", slowly)
    await begun.note_page(ann, DICE)
    await begun.save()
    assert (begun.of(ann), table.snapshot.seats[0].begun) == (MORE_DICE, dump_press(DICE))
    await harness.advance(SAVED_AFTER_MS)
    assert table.snapshot.seats[0].begun == dump_press(MORE_DICE)


async def test_what_is_begun_and_given_up_before_it_is_kept_is_never_written(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    begun, ann = await begin(harness)

    async def written(*_: object) -> None:
        raise AssertionError("there is nothing to be written")

    monkeypatch.setattr(harness.messages().table.store.seats, "update", written)
    await begun.note_page(ann, DICE)
    await begun.note_page(ann, None)
    await begun.save()
    assert begun.of(ann) is None


async def test_a_draft_stored_by_another_process_since_is_the_current_one(harness: BotHarness):
    begun, ann = await begin(harness)
    table = harness.messages().table
    await begun.note_page(ann, DICE)
    await table.store.seats.update(1, Seat(0), SeatChange(begun=dump_press(MORE_DICE)))
    await table.catch_up()
    assert begun.of(ann) == MORE_DICE
    await harness.advance(SAVED_AFTER_MS)
    assert (await table.store.seats.of(1))[0].begun == dump_press(MORE_DICE) and not begun.busy


async def test_what_was_begun_is_kept_at_once_where_another_process_takes_the_table(harness: BotHarness):
    begun, ann = await begin(harness)
    table = harness.messages().table
    await begun.note_page(ann, DICE)
    harness.client.serving.release(lambda _: True)
    await harness.settle()
    assert (await table.store.seats.of(1))[0].begun == dump_press(DICE)


async def test_a_table_stays_in_memory_until_what_was_begun_there_is_kept(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    begun, ann = await begin(harness)

    async def full(*_: object) -> None:
        raise DiskFull("There is no room.")

    monkeypatch.setattr(harness.messages().table.store.seats, "update", full)
    await begun.note_page(ann, DICE)
    for _ in range(3):
        await harness.advance(UNLOADS_AFTER_MS)
    assert harness.drafts().of(ann) == DICE
    monkeypatch.undo()
    for _ in range(3):
        await harness.advance(UNLOADS_AFTER_MS)
    assert not harness.client.tables.registry.present
    session = await harness.client.inbound.finder.find(1)
    assert session is not None and harness.drafts().of(ann) == DICE
