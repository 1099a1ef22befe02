"""Test that this version takes over from a bot of an earlier version that was stopped or killed in the middle of games.

Its database and its messages on Discord are as that version left them (`tools.versions.bots`), in SQLite and, if
PostgreSQL is installed, in PostgreSQL.
"""

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cogs.core.publishing import components_v2
from data.store.postgres import shards
from engine.games import GAMES
from sandbox import Channel, Sandbox, UserClient
from tools.harness.bot_harness import BotHarness, words_of
from tools.postgres import Cluster
from tools.versions import FOLDER, WITH_BOTS
from tools.versions.bots import (
    BETS,
    BOATS,
    ENDED,
    LOBBY,
    ONE_MORE,
    PLAYED,
    PRISON,
    STATES,
    TILES,
    WALL,
    direct_message_of,
    files,
    load_all_tables,
    move,
    page_of,
    place_of,
    restored,
    table_messages,
    world,
)

Json = dict[str, Any]

VERSIONS = sorted(path.name for path in FOLDER.iterdir() if path.name.isdecimal() and int(path.name) >= WITH_BOTS)
WITH_REMINDERS = 18
"""The first migration that stores which players were reminded."""

KEPT = [(version, kind, state) for version in VERSIONS for kind in ("db", "sql") for state in STATES]


class RecordedHarness(BotHarness):
    """Discord and the bot as a version left them.

    `before` maps channels to their messages at that time. `remembers`: that version stored whom it had reminded.
    """

    def __init__(self, sandbox: Sandbox, database: Path | str, recorded: Json, version: int, *, killed: bool) -> None:
        super().__init__(sandbox, database, recorded)
        self.killed = killed
        self.remembers = version >= WITH_REMINDERS
        self.before = {message["id"]: message for place in self.channels() for message in sandbox.messages(place)}

    def channels(self) -> list[Channel]:
        """Yield the channels, the thread and all direct message channels."""
        return [*self.guild.channels.values(), self.ann.dm, self.ben.dm, self.cleo.dm]

    def new_messages(self, *channels: Channel) -> list[Json]:
        """Return the messages that were not there before."""
        found = (message for place in channels for message in self.sandbox.messages(place))
        return [message for message in found if message["id"] not in self.before]

    async def shows_in_words(self, table: int) -> bool:
        """Return True if a table's only message shows the text and controls of the current state."""
        session = await self.client.inbound.finder.find(table)
        assert session is not None
        await self.settle()  # time in which nobody could play extends a lobby
        rendered = await self.client.publishing.page_builder.table_page(session.table.snapshot)
        (message,) = table_messages(self, table)
        wanted = components_v2.Layout(rendered.page, table, rendered.stamp).to_components()
        return words_of(message["components"]) == words_of(wanted)


@pytest.fixture(params=KEPT, ids="-".join)
async def recorded(
    request: pytest.FixtureRequest, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RecordedHarness]:
    """Start this version on what an earlier version left."""
    version, kind, state = request.param
    cluster: Cluster | None = request.getfixturevalue("postgres") if kind == "sql" else None
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    folder = FOLDER / version / "bot"
    database = restored(folder, state, kind, tmp_path, cluster)
    harness = RecordedHarness(sandbox, database, world(folder, state, kind), int(version), killed=state == "killed")
    await harness.start()
    await load_all_tables(harness)
    yield harness
    await harness.settle()
    await harness.stop()


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_has_a_recording_of_a_stopped_and_a_killed_bot_on_both_databases(version: str):
    assert {path.name for path in (FOLDER / version / "bot").iterdir()} == set(files())


def controls_of(message: Json) -> list[str]:
    """Return the custom_ids of a message, which identify the state it shows; texts differ between versions."""
    return [words for words in words_of(message["components"]) if words.startswith("cb:")]


async def test_every_table_message_is_edited_in_its_place_and_nothing_is_posted_twice(recorded: RecordedHarness):
    harness = recorded
    for table in (*PLAYED, LOBBY):
        (message,) = table_messages(harness, table)
        assert message["id"] in harness.before and await harness.shows_in_words(table), table
    (ended,) = table_messages(harness, ENDED)
    assert ended["components"] == harness.before[ended["id"]]["components"]
    assert harness.new_messages(*harness.channels()) == []
    (wall,) = table_messages(harness, WALL)
    changed = controls_of(wall) != controls_of(harness.before[wall["id"]])
    assert changed is harness.killed, "what was not shown yet is shown, and nothing else has happened"


async def test_one_call_for_a_turn_from_before_remains_or_is_made_again_where_nobody_knows_of_it(
    recorded: RecordedHarness,
):
    harness = recorded
    called = {message["id"] for message in harness.before.values() if message["content"].startswith("<@")}
    kept_on = called & set(harness.sandbox.state.messages)
    assert called and (called == kept_on if harness.remembers else not kept_on)
    await harness.advance(70_000)
    channels = harness.yard, place_of(harness, WALL)
    new_messages = [message for message in harness.new_messages(*channels) if message["content"]]
    assert all(line["content"].startswith("<@") for line in new_messages)
    old = [message for place in channels for message in harness.sandbox.messages(place) if message["id"] in kept_on]
    lines = [*old, *new_messages]
    for table, key in PLAYED.items():
        (line,) = [line for line in lines if f"[{GAMES[key].title}, table {table}]" in line["content"]]
        assert harness.awaited(table).mention in line["content"]


@pytest.mark.parametrize("table", PLAYED)
async def test_what_was_drawn_by_that_version_can_be_pressed(recorded: RecordedHarness, table: int):
    harness = recorded
    old = [
        message
        for message in harness.before.values()
        if any(_is_of(part, table) for part in UserClient.buttons(message))
    ]
    assert len(old) >= 3
    for person in (harness.ann, harness.ben, harness.cleo):
        seen = {message["id"] for message in _seen(harness, person)}
        for message in old:
            parts = [part for part in UserClient.buttons(message) if part["type"] == 2 and _is_of(part, table)]
            part = next((part for part in parts if not part.get("disabled")), None)
            if message["id"] in seen and part is not None:
                answer = await person.press(message, part["custom_id"])
                assert answer.failed is None and "no longer works" not in answer.text, part
                await harness.settle()
    assert len(table_messages(harness, table)) == 1


def _is_of(part: Json, table: int) -> bool:
    return str(part.get("custom_id", "")).startswith(f"cb:{table}:")


def _seen(harness: BotHarness, person: UserClient) -> list[Json]:
    return [*person.messages(harness.yard), *person.messages(place_of(harness, WALL)), *person.dms()]


async def test_a_move_by_an_old_control_of_the_table_message_is_made_and_shown_there(recorded: RecordedHarness):
    harness = recorded
    (before,) = table_messages(harness, WALL)
    mover, version = harness.awaited(WALL), harness.snapshot(WALL).version
    answer = await mover.press(before, harness.controls("push", before)[0])
    await harness.settle()
    assert answer.failed is None and harness.snapshot(WALL).version > version
    (after,) = table_messages(harness, WALL)
    assert after["id"] == before["id"] and await harness.shows_in_words(WALL)


async def test_a_draft_of_the_earlier_version_can_be_continued_on_its_old_page(
    recorded: RecordedHarness,
):
    harness = recorded
    page = page_of(harness, harness.ann, BOATS)
    assert page is not None
    chosen = {*BETS, ONE_MORE} if harness.killed else {*BETS}
    assert {label[:-2] for label in _labels(page) if label[-1:].isdigit()} == chosen
    new_messages = await harness.press(harness.ann, "Make my forecast", table_messages(harness, BOATS)[-1])
    assert {label[:-2] for label in _labels(new_messages.message or {}) if label[-1:].isdigit()} == chosen
    pressed = await harness.press(harness.ann, "Pink", page)
    await harness.settle()
    assert pressed.type == 7
    assert {label[:-2] for label in _labels(pressed.message or {}) if label[-1:].isdigit()} == {*chosen, "Pink"}


def _labels(message: Json) -> list[str]:
    return [part.get("label") or "" for part in UserClient.buttons(message)]


async def test_tiles_that_were_put_on_the_board_but_not_laid_are_laid_from_the_old_page(recorded: RecordedHarness):
    harness = recorded
    mover, version = harness.awaited(TILES), harness.snapshot(TILES).version
    page = page_of(harness, mover, TILES)
    assert page is not None
    answer = await mover.press(page, harness.controls("lay", page)[0])
    await harness.settle()
    assert answer.type == 7 and harness.snapshot(TILES).version > version
    again = page_of(harness, mover, TILES)
    assert again is not None and again["id"] == page["id"] and await harness.shows_in_words(TILES)


async def test_a_direct_message_is_played_on_and_edited_in_its_place(recorded: RecordedHarness):
    harness, dice = recorded, random.Random(1)
    for _ in range(4):
        mover = harness.awaited(PRISON)
        before = direct_message_of(mover, PRISON)
        assert before is not None and before["id"] in harness.before
        assert "last updated" not in UserClient.visible_text(before)
        await move(harness, PRISON, dice, before)
        await harness.advance(60_000)
        after = direct_message_of(mover, PRISON)
        assert after is not None and after["id"] == before["id"] and after["components"] != before["components"]
    assert not harness.new_messages(harness.ann.dm, harness.ben.dm, harness.cleo.dm)


async def test_what_is_read_on_a_direct_message_stays_until_its_reader_is_awaited(recorded: RecordedHarness):
    harness, dice = recorded, random.Random(1)
    reading = [
        (person, letter)
        for person in (harness.ann, harness.ben, harness.cleo)
        if (letter := direct_message_of(person, PRISON)) is not None and "◀ Back to the game" in _labels(letter)
    ]
    assert reading or harness.killed
    for person, letter in reading:
        shown = UserClient.visible_text(harness.before[letter["id"]])
        assert UserClient.visible_text(letter) == shown
        for _ in range(10):
            if harness.awaited(PRISON) is person:
                break
            await move(harness, PRISON, dice)
        await harness.advance(60_000)
        assert "◀ Back to the game" not in _labels(direct_message_of(person, PRISON) or {})


async def test_the_lobby_is_joined_and_begun_by_its_old_controls(recorded: RecordedHarness):
    harness = recorded
    (lobby,) = table_messages(harness, LOBBY)
    await harness.press(harness.ben, "Join", harness.before[lobby["id"]])
    await harness.settle()
    await harness.press(harness.ann, "Start", table_messages(harness, LOBBY)[-1])
    await harness.settle()
    (message,) = table_messages(harness, LOBBY)
    assert harness.snapshot(LOBBY).playing and message["id"] == lobby["id"]


async def test_after_a_game_that_had_ended_there_is_a_rematch(recorded: RecordedHarness):
    harness = recorded
    (ended,) = table_messages(harness, ENDED)
    answer = await harness.press(harness.ann, "Rematch", harness.before[ended["id"]])
    await harness.settle()
    assert answer.failed is None
    assert harness.client.tables.registry.present[ENDED + 1].snapshot.row.rematch_of == ENDED


async def test_every_game_continues_by_the_controls_of_its_pages_and_is_stored_as_played(recorded: RecordedHarness):
    harness, dice = recorded, random.Random(7)
    for table, key in PLAYED.items():
        version = harness.snapshot(table).version
        for _ in range(4):
            if harness.view(table=table).to_act:
                await move(harness, table, dice)
            await harness.advance(2_000)
        live = harness.messages(table).table
        assert live.snapshot.version > version and GAMES[key].fold(await harness.events(table)) == live.snapshot.state
        assert await harness.shows_in_words(table)


async def test_a_game_that_ends_is_shown_and_kept_with_its_results(recorded: RecordedHarness):
    harness = recorded
    await harness.resign(harness.ann, channel=place_of(harness, WALL))
    await harness.settle()
    live = harness.messages(WALL).table
    results = await live.store.games.results(WALL)
    assert live.snapshot.row.status == "over" and {row.user: row.place for row in results}[int(harness.ben.id)] == 1
    assert harness.controls("rematch", table_messages(harness, WALL)[-1])
