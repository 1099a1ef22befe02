"""Test `/privacy`: seeing, deleting and hiding data. After a deletion, every table and column of the database is
searched.
"""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from sandbox import ActionResult, UserClient
from tests.data.leftovers import leftovers
from tools.harness.bot_harness import BotHarness
from tools.harness.raw_database import Raw


def traces(person: UserClient) -> tuple[str, str, str]:
    """Return what would identify a person: their id, name and direct message channel."""
    return person.id, person.name, person.dm.id


def read(harness: BotHarness, answer: ActionResult) -> dict[str, Any]:
    """Return the contents of an exported file."""
    (attached,) = answer.messages[-1]["attachments"]
    data = harness.sandbox.file(attached["url"])
    return json.loads(gzip.decompress(data) if attached["filename"].endswith(".gz") else data)


async def begin_prison_break(harness: BotHarness) -> None:
    """Start Prison Break for Ann and Ben at the next table, with notes that name them."""
    await harness.begin("prison-break", harness.ben)
    await harness.ann.command(harness.yard, "prison-break note", text="Ann trusts nobody")
    await harness.ben.command(harness.yard, "prison-break note", text=f"Ben, {harness.ben.id}, was here")
    await harness.settle()


async def leave_traces(harness: BotHarness) -> None:
    """Leave data of Ben everywhere: a finished and a running game, lobbies (in one he asks to be the host, from one he
    was removed), invites, a hidden rank, a language, a lesson, an achievement.
    """
    await harness.two_at_the_wall()
    await harness.push()
    await harness.push()
    await harness.resign(harness.ben, table=1)
    while await harness.client.store.leaderboards.due():  # noqa: ASYNC110 (it is the database that changes)
        await asyncio.sleep(0)
    await begin_prison_break(harness)
    await harness.ben.command(harness.yard, "rope-wall start")
    await harness.press(harness.cleo, "Join")
    await harness.ben.command(harness.yard, "match-five start")
    await harness.ann.command(harness.yard, "rope-wall start", invite=harness.ben)
    for host in (harness.ann, harness.cleo):
        opened = await host.command(harness.yard, "rope-wall start")
        await harness.press(harness.ben, "Join", opened)
        page = await harness.press(harness.ben if host is harness.ann else host, "Manage", opened)
        if host is harness.ann:
            await harness.ben.press(page, label="Ask to be the host")
        else:
            await host.press(page, harness.controls("send-out", page)[0], values=[harness.ben.id])
    await harness.ben.command(harness.yard, "privacy hide", hidden="on")
    await harness.ben.command(harness.yard, "notify", how="nothing", achievements="off")
    await harness.client.store.progress.finish_lesson(int(harness.ben.id), "rope_wall", harness.clock.now())
    Raw(harness.database)(
        "INSERT INTO achievements VALUES"
        f" ({harness.ben.id}, {harness.guild.id}, 'rope_wall', 'two-exits', 1, {harness.clock.now()}, 'page')"
    )
    await harness.client.store.user_data.choose_language(int(harness.ben.id), "en")
    puzzle = await harness.ben.command(harness.yard, "puzzle", game="rope_wall")
    await harness.ben.press(puzzle, harness.controls("push", puzzle)[0])
    await harness.settle()
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    await harness.ben.forge(harness.board(), "cb:8:0:watch:on")
    await harness.settle()


async def forget(harness: BotHarness, person: UserClient) -> ActionResult:
    """Delete a person's data by the command, and confirm it."""
    asked = await person.command(harness.yard, "privacy delete")
    assert asked.message["flags"] & 64 and "can't undo this" in asked.text
    done = await harness.press(person, "Delete it all", asked)
    await harness.settle()
    return done


async def test_after_a_deletion_nothing_is_left_in_any_table_or_column(harness: BotHarness):
    await leave_traces(harness)
    places = {place.split(".")[0] for place in leftovers(Path(harness.database), *traces(harness.ben))}
    assert places >= {"tables", "seats", "results", "standings", "hidden_users", "decisions", "events"}
    done = await forget(harness, harness.ben)
    assert "Your data is deleted" in UserClient.visible_text(harness.sandbox.message((done.message or {})["id"]))
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []
    await harness.advance(60_000)  # direct messages, clocks and computer players have run, and stored nothing about Ben
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []
    await harness.restart()
    await harness.advance(60_000)
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []
    assert leftovers(Path(harness.database), harness.ann.id)  # the others are still there


async def test_a_deletion_leaves_nothing_in_the_bytes_of_the_file_either(harness: BotHarness, tmp_path: Path):
    await leave_traces(harness)
    await forget(harness, harness.ben)
    await harness.stop()
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert int(harness.ben.id).to_bytes(8, "big") not in content, file.name
        assert f"Ben, {harness.ben.id}".encode() not in content, file.name
    await harness.start()


async def test_a_running_game_goes_on_with_a_computer_and_without_the_name(harness: BotHarness):
    await harness.two_at_the_wall()
    gone = harness.awaited()
    stays = harness.idle()
    await forget(harness, gone)
    assert f"**{gone.name}**" not in harness.public() and "someone" in harness.public()
    assert "I'm back" not in [part.get("label") for part in UserClient.buttons(harness.board())]
    await harness.advance(30_000)
    assert harness.pushes() == 1 and harness.awaited() is stays
    assert "If you watch this game" in (await harness.press(gone, "Play")).text
    await harness.resign(stays)
    await harness.settle()
    assert "wins" in harness.public() and gone.name not in harness.public()


async def test_lobbies_are_left_and_handed_over_or_closed(harness: BotHarness):
    await harness.ben.command(harness.yard, "rope-wall start")
    await harness.press(harness.cleo, "Join")
    await harness.ben.command(harness.yard, "match-five start")
    await forget(harness, harness.ben)
    assert "Cleo** – host" in UserClient.visible_text(harness.sandbox.messages(harness.yard)[0])
    assert "closed" in harness.public()
    assert (await harness.client.store.tables.get(2)).opener == 0


async def test_a_paused_game_is_found_too(harness: BotHarness):
    await begin_prison_break(harness)
    await harness.restart()
    assert not harness.client.tables.registry.awake()
    await forget(harness, harness.ben)
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []
    seat = next(seat for seat in harness.snapshot().seats if seat.user is None)
    assert (seat.level, seat.caretaker, seat.name) == (None, True, "somebody")


async def test_old_opponents_keep_their_games(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.resign(harness.ben, table=1)
    await harness.settle()
    await forget(harness, harness.ben)
    games = await harness.client.store.records.games_of(int(harness.ann.id), int(harness.guild.id), most=9)
    assert [(side.user, side.name) for side in games[0].sides if side.user != int(harness.ann.id)] == [
        (None, "somebody")
    ]
    assert (await harness.press(harness.ann, "Rematch")).failed is None


async def test_nothing_is_deleted_before_it_is_confirmed(harness: BotHarness):
    await leave_traces(harness)
    before = leftovers(Path(harness.database), *traces(harness.ben))
    asked = await harness.ben.command(harness.yard, "privacy delete")
    kept = await harness.press(harness.ben, "Keep it", asked)
    assert "Nothing was deleted" in kept.text
    assert leftovers(Path(harness.database), *traces(harness.ben)) == before


async def test_a_forged_press_deletes_nobody_but_the_one_who_presses(harness: BotHarness):
    await leave_traces(harness)
    board, before = harness.board(), leftovers(Path(harness.database), *traces(harness.ben))
    await harness.cleo.forge(board, f"cb:0:0:forget-me:{harness.ben.id}")
    await harness.settle()
    assert leftovers(Path(harness.database), *traces(harness.ben)) == before
    assert leftovers(Path(harness.database), harness.cleo.id) == []
    assert harness.sandbox.message(board)["components"] == harness.board()["components"]


async def test_deleting_twice_at_once_is_deleting_once(harness: BotHarness):
    await leave_traces(harness)
    asked = await harness.ben.command(harness.yard, "privacy delete")
    answers = await asyncio.gather(*(harness.press(harness.ben, "Delete it all", asked) for _ in range(3)))
    await harness.settle()
    assert all(answer.failed is None for answer in answers)
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []


async def test_a_deleted_user_may_start_again(harness: BotHarness):
    await leave_traces(harness)
    await forget(harness, harness.ben)
    await harness.ben.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    assert "Ben" in harness.public()


async def test_an_export_is_a_private_file_with_all_that_is_kept(harness: BotHarness):
    await leave_traces(harness)
    answer = await harness.ben.command(harness.yard, "privacy export")
    await harness.settle()
    assert all(message["flags"] & 64 for message in answer.messages)
    kept = read(harness, answer)
    assert all(kept.values())
    assert {row["name"] for row in kept["seats"]} == {"Ben"}
    assert any("was here" in row["action"] for row in kept["moves"])
    text = json.dumps(kept)
    assert harness.ann.id not in text and "trusts nobody" not in text
    seeds = [table.snapshot.row.seed for table in harness.client.tables.registry.awake()]
    assert not [seed for seed in seeds if seed is not None and seed.hex() in text]


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (404, 10015), (401, 50027)])
async def test_an_export_that_reaches_nobody_any_more_is_no_error(
    harness: BotHarness, caplog: pytest.LogCaptureFixture, status: int, code: int
):
    gone = {"code": code, "message": "gone"}
    for path in ("/interactions/*/callback", "/webhooks/*"):
        harness.sandbox.fault("*", path, status, times=9, body=gone, drop=True)
    await harness.ben.command(harness.yard, "privacy export")
    await harness.settle()
    assert not [record for record in caplog.records if record.levelname == "ERROR" or record.exc_info]


async def test_an_export_that_is_too_large_is_packed(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await leave_traces(harness)
    store = harness.client.store.user_data
    kept = await store.export(int(harness.ben.id))
    many = {**kept, "moves": kept["moves"] * 60_000}

    async def export(user: int) -> dict[str, Any]:
        return many

    monkeypatch.setattr(store, "export", export)
    answer = await harness.ben.command(harness.yard, "privacy export")
    await harness.ben.until(lambda: answer.messages and answer.messages[-1]["attachments"])
    assert answer.messages[-1]["attachments"][0]["filename"] == "cellblock.json.gz"
    assert read(harness, answer) == many


@pytest.mark.parametrize(("over", "name"), [(0, "cellblock.json"), (1, "cellblock.json.gz")])
async def test_an_export_is_packed_from_the_first_byte_beyond_what_discord_takes(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, over: int, name: str
):
    limit = 10 * 1024 * 1024
    empty = len(json.dumps({"moves": [{"action": ""}]}, indent=1))
    kept = {"moves": [{"action": "x" * (limit + over - empty)}]}

    async def export(user: int) -> dict[str, Any]:
        return kept

    monkeypatch.setattr(harness.client.store.user_data, "export", export)
    answer = await harness.ben.command(harness.yard, "privacy export")
    await harness.ben.until(lambda: answer.messages and answer.messages[-1]["attachments"])
    (attached,) = answer.messages[-1]["attachments"]
    assert attached["filename"] == name and (over > 0 or attached["size"] == limit)
    assert read(harness, answer) == kept


async def test_nothing_is_stored_about_a_stranger(harness: BotHarness):
    answer = await harness.cleo.command(harness.yard, "privacy export")
    await harness.settle()
    assert "Nothing is stored" in answer.text
    assert not any(read(harness, answer).values())


async def test_everything_works_in_direct_messages_too(harness: BotHarness):
    await begin_prison_break(harness)
    answer = await harness.ben.command(harness.ben.dm, "privacy export")
    await harness.settle()
    assert read(harness, answer)["seats"]
    asked = await harness.ben.command(harness.ben.dm, "privacy delete")
    await harness.press(harness.ben, "Delete it all", asked)
    await harness.settle()
    assert leftovers(Path(harness.database), *traces(harness.ben)) == []


async def test_users_can_hide_and_show_themselves(harness: BotHarness):
    hidden = await harness.ben.command(harness.yard, "privacy hide", hidden="on")
    assert "no longer appear on leaderboards" in hidden.text and hidden.message["flags"] & 64
    assert await harness.client.store.records.hidden() == {int(harness.ben.id)}
    await harness.ben.command(harness.yard, "privacy hide", hidden="off")
    assert await harness.client.store.records.hidden() == frozenset()
