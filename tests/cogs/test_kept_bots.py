"""A bot of an earlier version, stopped or killed in the middle of everything: the present one goes on where it was.

Its database and the messages on Discord are as that version left them (`tools.versions.bots`), over SQLite and, where
it is installed, over PostgreSQL.
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
from tools.harness.bot_harness import House, words_of
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
    files,
    letter_of,
    move,
    page_of,
    place_of,
    restored,
    table_messages,
    woken,
    world,
)

Json = dict[str, Any]

VERSIONS = sorted(path.name for path in FOLDER.iterdir() if path.name.isdecimal() and int(path.name) >= WITH_BOTS)
KEPT = [(version, kind, state) for version in VERSIONS for kind in ("db", "sql") for state in STATES]


class KeptHouse(House):
    """A house as a version left it. `before`: what stood in its channels then, by the message."""

    def __init__(self, sandbox: Sandbox, database: Path | str, kept: Json, *, killed: bool) -> None:
        super().__init__(sandbox, database, kept)
        self.killed = killed
        self.before = {message["id"]: message for place in self.places() for message in sandbox.messages(place)}

    def places(self) -> list[Channel]:
        """The channels, the thread, and everybody's direct messages."""
        return [*self.guild.channels.values(), self.ann.dm, self.ben.dm, self.cleo.dm]

    def new(self, *places: Channel) -> list[Json]:
        """The messages that were not there before."""
        found = (message for place in places for message in self.sandbox.messages(place))
        return [message for message in found if message["id"] not in self.before]

    async def shows_in_words(self, table: int) -> bool:
        """Whether the only message of a table has the words and controls of the present state."""
        tables = self.client.tables
        session = await tables.find(table)
        assert session is not None
        rendered = await tables.composer.table_page(session.table.snapshot)
        (message,) = table_messages(self, table)
        wanted = components_v2.Layout(rendered.page, table, rendered.stamp).to_components()
        return words_of(message["components"]) == words_of(wanted)


@pytest.fixture(params=KEPT, ids="-".join)
async def kept(
    request: pytest.FixtureRequest, patient: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[KeptHouse]:
    """The house as a version left it, with the present bot in it."""
    version, kind, state = request.param
    cluster: Cluster | None = request.getfixturevalue("postgres") if kind == "sql" else None
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    folder = FOLDER / version / "bot"
    database = restored(folder, state, kind, tmp_path, cluster)
    house = KeptHouse(patient, database, world(folder, state, kind), killed=state == "killed")
    await house.start()
    await woken(house)
    yield house
    await house.settle()
    await house.stop()


@pytest.mark.parametrize("version", VERSIONS)
def test_of_each_version_a_stopped_and_a_killed_bot_are_kept_over_either_database(version: str):
    assert {path.name for path in (FOLDER / version / "bot").iterdir()} == set(files())


async def test_every_table_message_is_edited_in_its_place_and_nothing_is_posted_twice(kept: KeptHouse):
    house = kept
    for table in (*PLAYED, LOBBY):
        (message,) = table_messages(house, table)
        assert message["id"] in house.before and await house.shows_in_words(table), table
    (ended,) = table_messages(house, ENDED)
    assert ended["components"] == house.before[ended["id"]]["components"]
    assert house.new(*house.places()) == []
    (wall,) = table_messages(house, WALL)
    changed = words_of(wall["components"]) != words_of(house.before[wall["id"]]["components"])
    assert changed is house.killed, "what was not shown yet is shown, and nothing else has happened"


async def test_calls_for_a_turn_from_before_are_taken_away_and_made_again_once(kept: KeptHouse):
    house = kept
    called = {message["id"] for message in house.before.values() if message["content"].startswith("<@")}
    assert called and not called & set(house.sandbox.state.messages)
    await house.turn(70_000)
    lines = [message for message in house.new(house.yard, place_of(house, WALL)) if message["content"]]
    assert all(line["content"].startswith("<@") for line in lines)
    for table, key in PLAYED.items():
        (line,) = [line for line in lines if f"[{GAMES[key].title}, table {table}]" in line["content"]]
        assert house.awaited(table).mention in line["content"]


@pytest.mark.parametrize("table", PLAYED)
async def test_what_was_drawn_by_that_version_can_be_pressed(kept: KeptHouse, table: int):
    house = kept
    old = [
        message for message in house.before.values() if any(_is_of(part, table) for part in UserClient.buttons(message))
    ]
    assert len(old) >= 3
    for person in (house.ann, house.ben, house.cleo):
        seen = {message["id"] for message in _seen(house, person)}
        for message in old:
            parts = [part for part in UserClient.buttons(message) if part["type"] == 2 and _is_of(part, table)]
            part = next((part for part in parts if not part.get("disabled")), None)
            if message["id"] in seen and part is not None:
                answer = await person.press(message, part["custom_id"])
                assert answer.failed is None and "not one of mine" not in answer.text, part
                await house.settle()
    assert len(table_messages(house, table)) == 1


def _is_of(part: Json, table: int) -> bool:
    return str(part.get("custom_id", "")).startswith(f"cb:{table}:")


def _seen(house: House, person: UserClient) -> list[Json]:
    return [*person.messages(house.yard), *person.messages(place_of(house, WALL)), *person.dms()]


async def test_a_move_by_an_old_control_of_the_table_message_is_made_and_shown_there(kept: KeptHouse):
    house = kept
    (before,) = table_messages(house, WALL)
    mover, version = house.awaited(WALL), house.session(WALL).table.snapshot.version
    answer = await mover.press(before, house.controls("push", before)[0])
    await house.settle()
    assert answer.failed is None and house.session(WALL).table.snapshot.version > version
    (after,) = table_messages(house, WALL)
    assert after["id"] == before["id"] and await house.shows_in_words(WALL)


async def test_what_somebody_has_begun_on_their_page_is_there_and_they_go_on_with_it_on_the_old_page(kept: KeptHouse):
    house = kept
    page = page_of(house, house.ann, BOATS)
    assert page is not None
    chosen = {*BETS, ONE_MORE} if house.killed else {*BETS}
    assert {label[:-2] for label in _labels(page) if label[-1:].isdigit()} == chosen
    new = await house.press(house.ann, "Make my forecast", table_messages(house, BOATS)[-1])
    assert {label[:-2] for label in _labels(new.message or {}) if label[-1:].isdigit()} == chosen
    pressed = await house.press(house.ann, "Pink", page)
    await house.settle()
    assert pressed.type == 7
    assert {label[:-2] for label in _labels(pressed.message or {}) if label[-1:].isdigit()} == {*chosen, "Pink"}


def _labels(message: Json) -> list[str]:
    return [part.get("label") or "" for part in UserClient.buttons(message)]


async def test_tiles_that_were_put_on_the_board_but_not_laid_are_laid_from_the_old_page(kept: KeptHouse):
    house = kept
    mover, version = house.awaited(TILES), house.session(TILES).table.snapshot.version
    page = page_of(house, mover, TILES)
    assert page is not None
    answer = await mover.press(page, house.controls("lay", page)[0])
    await house.settle()
    assert answer.type == 7 and house.session(TILES).table.snapshot.version > version
    again = page_of(house, mover, TILES)
    assert again is not None and again["id"] == page["id"] and await house.shows_in_words(TILES)


async def test_a_direct_message_is_played_on_and_edited_in_its_place(kept: KeptHouse):
    house, dice = kept, random.Random(1)
    for _ in range(4):
        mover = house.awaited(PRISON)
        before = letter_of(mover, PRISON)
        assert before is not None and before["id"] in house.before
        assert "as it stood" not in UserClient.visible_text(before)
        await move(house, PRISON, dice, before)
        await house.turn(60_000)
        after = letter_of(mover, PRISON)
        assert after is not None and after["id"] == before["id"] and after["components"] != before["components"]
    assert not house.new(house.ann.dm, house.ben.dm, house.cleo.dm)


async def test_what_is_read_on_a_direct_message_stays_until_its_reader_is_awaited(kept: KeptHouse):
    house, dice = kept, random.Random(1)
    reading = [
        (person, letter)
        for person in (house.ann, house.ben, house.cleo)
        if (letter := letter_of(person, PRISON)) is not None and "◀ Back to the game" in _labels(letter)
    ]
    assert reading or house.killed
    for person, letter in reading:
        shown = UserClient.visible_text(house.before[letter["id"]])
        assert UserClient.visible_text(letter) == shown
        for _ in range(10):
            if house.awaited(PRISON) is person:
                break
            await move(house, PRISON, dice)
        await house.turn(60_000)
        assert "◀ Back to the game" not in _labels(letter_of(person, PRISON) or {})


async def test_the_lobby_is_joined_and_begun_by_its_old_controls(kept: KeptHouse):
    house = kept
    (lobby,) = table_messages(house, LOBBY)
    await house.press(house.ben, "Join", house.before[lobby["id"]])
    await house.settle()
    await house.press(house.ann, "Start", table_messages(house, LOBBY)[-1])
    await house.settle()
    (message,) = table_messages(house, LOBBY)
    assert house.session(LOBBY).table.snapshot.playing and message["id"] == lobby["id"]


async def test_after_a_game_that_had_ended_there_is_a_rematch(kept: KeptHouse):
    house = kept
    (ended,) = table_messages(house, ENDED)
    answer = await house.press(house.ann, "Rematch", house.before[ended["id"]])
    await house.settle()
    assert answer.failed is None
    assert house.client.tables.registry.present[ENDED + 1].snapshot.row.rematch_of == ENDED


async def test_every_game_is_played_on_by_whatever_its_pages_offer_and_kept_as_it_was_played(kept: KeptHouse):
    house, dice = kept, random.Random(7)
    for table, key in PLAYED.items():
        version = house.session(table).table.snapshot.version
        for _ in range(4):
            if house.view(table=table).to_act:
                await move(house, table, dice)
            await house.turn(2_000)
        live = house.session(table).table
        assert live.snapshot.version > version and GAMES[key].fold(await house.events(table)) == live.snapshot.state
        assert await house.shows_in_words(table)


async def test_a_game_that_ends_is_shown_and_kept_with_its_results(kept: KeptHouse):
    house = kept
    await house.ann.command(place_of(house, WALL), "rope-wall resign")
    await house.settle()
    live = house.session(WALL).table
    results = await live.store.games.results(WALL)
    assert live.snapshot.row.status == "over" and {row.user: row.place for row in results}[int(house.ben.id)] == 1
    assert house.controls("rematch", table_messages(house, WALL)[-1])
