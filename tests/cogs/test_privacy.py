"""`/privacy`: see it, delete it, hide it. After a deletion every table and column of the database is looked through."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from sandbox import ActionResult, UserClient
from tests.data.leftovers import leftovers
from tools.harness.bot_harness import House


def traces(person: UserClient) -> tuple[str, str, str]:
    """What would lead to somebody: their id, their name, their direct messages."""
    return person.id, person.name, person.dm.id


def read(house: House, answer: ActionResult) -> dict[str, Any]:
    """The file that an export was answered with."""
    (attached,) = answer.messages[-1]["attachments"]
    data = house.sandbox.file(attached["url"])
    return json.loads(gzip.decompress(data) if attached["filename"].endswith(".gz") else data)


async def prisoners(house: House) -> None:
    """Let Ann and Ben begin Prison Break at the next table, with notes that name them."""
    await house.begin("prison-break", house.ben)
    await house.ann.command(house.yard, "prison-break note", text="Ann trusts nobody")
    await house.ben.command(house.yard, "prison-break note", text=f"Ben, {house.ben.id}, was here")
    await house.settle()


async def lived(house: House) -> None:
    """Leave traces of Ben everywhere: a game that is over, one under way, lobbies, invitations, a hidden rank."""
    await house.two_at_the_wall()
    await house.push()
    await house.push()
    await house.ben.command(house.yard, "rope-wall resign", table=1)
    while await house.client.tables.store.leaderboards.due():  # noqa: ASYNC110 (it is the database that changes)
        await asyncio.sleep(0)
    await prisoners(house)
    await house.ben.command(house.yard, "rope-wall start")
    await house.press(house.cleo, "Join")
    await house.ben.command(house.yard, "match-five start")
    await house.ann.command(house.yard, "rope-wall start", invite=house.ben)
    await house.ben.command(house.yard, "privacy hide", hidden="on")
    await house.ben.command(house.yard, "notify", how="nothing")
    puzzle = await house.ben.command(house.yard, "puzzle", game="rope_wall")
    await house.ben.press(puzzle, house.controls("push", puzzle)[0])
    await house.settle()


async def forget(house: House, person: UserClient) -> ActionResult:
    """Let somebody ask to be deleted, and confirm it."""
    asked = await person.command(house.yard, "privacy delete")
    assert asked.message["flags"] & 64 and "cannot be undone" in asked.text
    done = await house.press(person, "Delete it all", asked)
    await house.settle()
    return done


async def test_after_a_deletion_nothing_is_left_in_any_table_or_column(house: House):
    await lived(house)
    places = {place.split(".")[0] for place in leftovers(Path(house.database), *traces(house.ben))}
    assert places >= {"tables", "seats", "results", "standings", "hidden_users", "decisions", "events"}
    done = await forget(house, house.ben)
    assert "It is done" in UserClient.visible_text(house.sandbox.message((done.message or {})["id"]))
    assert leftovers(Path(house.database), *traces(house.ben)) == []
    await house.turn(60_000)  # letters, clocks and computer players have had their turn, and wrote nothing of them
    assert leftovers(Path(house.database), *traces(house.ben)) == []
    await house.restart()
    await house.turn(60_000)
    assert leftovers(Path(house.database), *traces(house.ben)) == []
    assert leftovers(Path(house.database), house.ann.id)  # the others are still there


async def test_a_deletion_leaves_nothing_in_the_bytes_of_the_file_either(house: House, tmp_path: Path):
    await lived(house)
    await forget(house, house.ben)
    await house.stop()
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert int(house.ben.id).to_bytes(8, "big") not in content, file.name
        assert f"Ben, {house.ben.id}".encode() not in content, file.name
    await house.start()


async def test_a_running_game_goes_on_with_a_computer_and_without_the_name(house: House):
    await house.two_at_the_wall()
    gone = house.awaited()
    stays = house.idle()
    await forget(house, gone)
    assert f"**{gone.name}**" not in house.public() and "somebody" in house.public()
    assert "I am back" not in [part.get("label") for part in UserClient.buttons(house.board())]
    await house.turn(30_000)
    assert house.pushes() == 1 and house.awaited() is stays
    assert "do not sit" in (await house.press(gone, "Play")).text
    await stays.command(house.yard, "rope-wall resign")
    await house.settle()
    assert "wins" in house.public() and gone.name not in house.public()


async def test_lobbies_are_left_and_handed_over_or_closed(house: House):
    await house.ben.command(house.yard, "rope-wall start")
    await house.press(house.cleo, "Join")
    await house.ben.command(house.yard, "match-five start")
    await forget(house, house.ben)
    assert "Cleo** – host" in UserClient.visible_text(house.sandbox.messages(house.yard)[0])
    assert "closed" in house.public()
    assert (await house.client.tables.store.tables.get(2)).opener == 0


async def test_a_game_that_sleeps_is_found_too(house: House):
    await prisoners(house)
    await house.restart()
    assert not house.client.tables.registry.awake()
    await forget(house, house.ben)
    assert leftovers(Path(house.database), *traces(house.ben)) == []
    seat = next(seat for seat in house.session().table.snapshot.seats if seat.user is None)
    assert (seat.level, seat.caretaker, seat.name) == (None, True, "somebody")


async def test_old_opponents_keep_their_games(house: House):
    await house.two_at_the_wall()
    await house.push()
    await house.ben.command(house.yard, "rope-wall resign", table=1)
    await house.settle()
    await forget(house, house.ben)
    games = await house.client.tables.store.records.games_of(int(house.ann.id), int(house.guild.id), most=9)
    assert [(side.user, side.name) for side in games[0].sides if side.user != int(house.ann.id)] == [(None, "somebody")]
    assert (await house.press(house.ann, "Rematch")).failed is None


async def test_nothing_is_deleted_before_it_is_confirmed(house: House):
    await lived(house)
    before = leftovers(Path(house.database), *traces(house.ben))
    asked = await house.ben.command(house.yard, "privacy delete")
    kept = await house.press(house.ben, "Keep it", asked)
    assert "Nothing was deleted" in kept.text
    assert leftovers(Path(house.database), *traces(house.ben)) == before


async def test_a_forged_press_deletes_nobody_but_the_one_who_presses(house: House):
    await lived(house)
    board, before = house.board(), leftovers(Path(house.database), *traces(house.ben))
    await house.cleo.forge(board, f"cb:0:0:forget-me:{house.ben.id}")
    await house.settle()
    assert leftovers(Path(house.database), *traces(house.ben)) == before
    assert leftovers(Path(house.database), house.cleo.id) == []
    assert house.sandbox.message(board)["components"] == house.board()["components"]


async def test_deleting_twice_at_once_is_deleting_once(house: House):
    await lived(house)
    asked = await house.ben.command(house.yard, "privacy delete")
    answers = await asyncio.gather(*(house.press(house.ben, "Delete it all", asked) for _ in range(3)))
    await house.settle()
    assert all(answer.failed is None for answer in answers)
    assert leftovers(Path(house.database), *traces(house.ben)) == []


async def test_who_was_deleted_may_begin_anew(house: House):
    await lived(house)
    await forget(house, house.ben)
    await house.ben.command(house.yard, "rope-wall start", computer="rookie", clock=0)
    await house.settle()
    assert "Ben" in house.public()


async def test_an_export_is_a_private_file_with_all_that_is_kept(house: House):
    await lived(house)
    answer = await house.ben.command(house.yard, "privacy export")
    await house.settle()
    assert all(message["flags"] & 64 for message in answer.messages)
    kept = read(house, answer)
    assert all(kept.values())
    assert {row["name"] for row in kept["seats"]} == {"Ben"}
    assert any("was here" in row["action"] for row in kept["moves"])
    text = json.dumps(kept)
    assert house.ann.id not in text and "trusts nobody" not in text
    seeds = [table.snapshot.row.seed for table in house.client.tables.registry.awake()]
    assert not [seed for seed in seeds if seed is not None and seed.hex() in text]


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (404, 10015), (401, 50027)])
async def test_an_export_that_reaches_nobody_any_more_is_no_error(
    house: House, caplog: pytest.LogCaptureFixture, status: int, code: int
):
    gone = {"code": code, "message": "gone"}
    for path in ("/interactions/*/callback", "/webhooks/*"):
        house.sandbox.fault("*", path, status, times=9, body=gone, drop=True)
    await house.ben.command(house.yard, "privacy export")
    await house.settle()
    assert not [record for record in caplog.records if record.levelname == "ERROR" or record.exc_info]


async def test_an_export_that_is_too_large_is_packed(house: House, monkeypatch: pytest.MonkeyPatch):
    await lived(house)
    store = house.client.tables.store.user_data
    kept = await store.export(int(house.ben.id))
    many = {**kept, "moves": kept["moves"] * 60_000}

    async def export(user: int) -> dict[str, Any]:
        return many

    monkeypatch.setattr(store, "export", export)
    answer = await house.ben.command(house.yard, "privacy export")
    await house.ben.until(lambda: answer.messages and answer.messages[-1]["attachments"])
    assert answer.messages[-1]["attachments"][0]["filename"] == "cellblock.json.gz"
    assert read(house, answer) == many


async def test_of_a_stranger_nothing_is_kept(house: House):
    answer = await house.cleo.command(house.yard, "privacy export")
    await house.settle()
    assert "Nothing is kept" in answer.text
    assert not any(read(house, answer).values())


async def test_everything_works_in_direct_messages_too(house: House):
    await prisoners(house)
    answer = await house.ben.command(house.ben.dm, "privacy export")
    await house.settle()
    assert read(house, answer)["seats"]
    asked = await house.ben.command(house.ben.dm, "privacy delete")
    await house.press(house.ben, "Delete it all", asked)
    await house.settle()
    assert leftovers(Path(house.database), *traces(house.ben)) == []


async def test_somebody_can_hide_and_show_themselves(house: House):
    hidden = await house.ben.command(house.yard, "privacy hide", hidden="on")
    assert "no leaderboard" in hidden.text and hidden.message["flags"] & 64
    assert await house.client.tables.store.records.hidden() == {int(house.ben.id)}
    await house.ben.command(house.yard, "privacy hide", hidden="off")
    assert await house.client.tables.store.records.hidden() == frozenset()
