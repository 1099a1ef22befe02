"""Finished games looked at again through the sandbox: stepping, eyes, export, animated picture, proof, permissions."""

import gzip
import io
import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

import bot
from cogs import replays
from cogs.break_out.words import face_words, spoken
from cogs.replays import reels, reviews
from cogs.replays.chapters import MOST, chapters, standing
from engine.export import read_export
from engine.games.break_out import GAME as BREAK_OUT
from engine.games.break_out import Card, in_order
from engine.games.match_five import GAME as MATCH_FIVE
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import House
from tools.harness.playouts import play
from tools.versions import FOLDER, SECRET


async def finished_wall(house: House) -> None:
    """Play the Rope Wall at table 1 until Ben resigns."""
    await house.two_at_the_wall()
    for number in range(6):
        await house.push(number % 3)
    await house.ben.command(house.yard, "rope-wall resign", table=1)
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


async def finished_break_out(house: House) -> None:
    """Play a short Break-Out at table 1: everybody only draws."""
    await house.begin("break-out", house.ben, rounds=1, referee="strict")
    for _ in range(200):
        if not house.session().table.snapshot.playing:
            break
        who = house.awaited()
        await who.command(house.yard, "break-out draw")
        await who.command(house.yard, "break-out next")
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


def eyes(answer: ActionResult) -> dict[str, Any]:
    """The select of whose eyes one looks through."""
    return next(part for part in UserClient.buttons(answer) if part.get("placeholder") == "Whose view?")


def jumps(answer: ActionResult) -> dict[str, Any]:
    """The select of the places to jump to."""
    return next(part for part in UserClient.buttons(answer) if part.get("placeholder") == "Jump to …")


async def jumped(house: House, page: ActionResult, where: str) -> ActionResult:
    """Let Cleo jump to a place of the game."""
    (value,) = [option["value"] for option in jumps(page)["options"] if option["label"] == where]
    return await house.cleo.press(page, jumps(page)["custom_id"], values=[value])


async def file_of(house: House, answer: ActionResult) -> bytes:
    """The file on an answer, which may come after a while."""
    message = await house.sandbox.until(lambda: answer.message if (answer.message or {}).get("attachments") else None)
    (attachment,) = message["attachments"]
    return house.sandbox.file(attachment["url"])


async def test_a_finished_game_is_stepped_through(house: House):
    await finished_wall(house)
    page = await house.cleo.command(house.yard, "replay", table=1)
    assert "moment 0 of 7" in page.text
    assert "Whose view?" not in str(UserClient.buttons(page)), "nobody has a secret at the Rope Wall"
    page = await house.press(house.cleo, "▶", page)
    assert "moment 1 of 7" in page.text
    assert [option["label"] for option in jumps(page)["options"] if option.get("default")] == ["Round 1"]
    page = await jumped(house, page, "The end")
    assert "moment 7 of 7" in page.text
    page = await house.press(house.cleo, "◀", page)
    assert "moment 6 of 7" in page.text
    page = await jumped(house, page, "The beginning")
    assert "moment 0 of 7" in page.text


async def test_a_jump_leads_to_a_round_or_a_catch_and_keeps_whose_view_it_is(house: House):
    await finished_break_out(house)
    page = await house.cleo.command(house.yard, "replay", table=1)
    page = await house.cleo.press(page, eyes(page)["custom_id"], values=["1"])
    page = await jumped(house, page, "The end")
    chosen = [option["label"] for one in (jumps, eyes) for option in one(page)["options"] if option.get("default")]
    assert chosen == ["The end", "What Ben knew"]
    for value in ("x", "-1", "²", "99999999"):
        answer = await house.cleo.forge(page, jumps(page)["custom_id"], [value], 3)
        assert answer.type in (4, 7)


def test_rounds_and_catches_are_places_and_a_long_game_has_no_more_of_them_than_fit():
    playout = play(BREAK_OUT, 1)
    found = chapters(BREAK_OUT, playout.states)
    labels = [one.words for one in found]
    last = BREAK_OUT.view(playout.states[-1], None)
    assert labels[0] == "The beginning" and labels[-1] == "The end" and len(found) <= MOST
    rounds = [words for words in labels if words.startswith("Round")]
    assert rounds == [f"Round {number}" for number in range(1, last.rounds + 1)]
    for one in found:
        assert one.catch is None or BREAK_OUT.view(playout.states[one.step], None).catch is not None
    assert [one.step for one in found] == sorted(one.step for one in found)


def test_where_not_all_places_fit_the_rounds_stay_and_the_catches_go():
    """Of a made-up game: a round begins with every fourth moment, and somebody is caught in the third one after it."""
    game: Any = SimpleNamespace(view=lambda state, seat: state)
    found = chapters(game, made_up(MOST - 2))
    assert [one.words for one in found[1:-1]] == [f"Round {number}" for number in range(1, MOST - 1)]
    few = [one.words for one in chapters(game, made_up(2))]
    assert few == ["The beginning", "Round 1", "A catch", "Round 2", "The end"]
    many = [one.words for one in chapters(game, made_up(50))]
    assert len(many) <= MOST and many[1:3] == ["Rounds 1 to 3", "Rounds 4 to 6"] and many[-2] == "Rounds 49 to 50"


def made_up(rounds: int) -> list[Any]:
    caught = SimpleNamespace(catcher=0, caught=1)
    return [SimpleNamespace(round=step // 4 + 1, catch=caught if step % 4 == 3 else None) for step in range(4 * rounds)]


def test_a_moment_stands_in_the_round_that_is_played_and_a_catch_is_one_moment():
    game: Any = SimpleNamespace(view=lambda state, seat: state)
    found = chapters(game, made_up(3))
    stood = [standing(found, step).words for step in range(12)]
    first, second = ["The beginning", "Round 1", "Round 1", "A catch"], [*["Round 2"] * 3, "A catch"]
    assert stood == [*first, *second, *["Round 3"] * 3, "The end"]
    early = chapters(game, [made_up(1)[one] for one in (0, 1, 3, 1, 1)])  # the round goes on after a catch
    assert [standing(early, step).words for step in range(5)] == [*first[:2], "A catch", "Round 1", "The end"]
    views = [SimpleNamespace(turns=(0,) * step) for step in range(26)]
    turns = chapters(game, views)
    assert [one.words for one in turns] == [
        "The beginning",
        "Turns 1 to 9",
        "Turns 10 to 19",
        "Turns 20 to 25",
        "The end",
    ]
    assert [standing(turns, step).words for step in (0, 1, 9, 10, 24, 25)] == [
        "The beginning",
        "Turns 1 to 9",
        "Turns 1 to 9",
        "Turns 10 to 19",
        "Turns 20 to 25",
        "The end",
    ]
    nothing = chapters(game, [SimpleNamespace()] * 5)
    assert [standing(nothing, step).words for step in (0, 3, 4)] == ["The beginning", "The beginning", "The end"]


def test_a_game_without_rounds_has_every_tenth_turn():
    playout = play(MATCH_FIVE, 1)
    found = chapters(MATCH_FIVE, playout.states)
    turns = len(MATCH_FIVE.view(playout.states[-1], None).turns)
    assert len(found) <= MOST
    assert found[1].words.startswith("Turns 1 to ")
    for one in found[2:-1]:
        number = len(MATCH_FIVE.view(playout.states[one.step], None).turns)
        assert one.part == ("Turn", number) and one.words.split(" to ")[0] in (f"Turn {number}", f"Turns {number}")
    assert len(found) > 3 or turns < 10


async def test_everything_shows_all_hands_and_a_seats_eyes_only_its_own(house: House):
    await finished_break_out(house)
    page = await house.cleo.command(house.yard, "replay", table=1)
    live = house.session().table
    dealt = live.game.read_event((await live.store.games.events(1))[1]).hands
    hands = [spoken([Card(face) for face in in_order(hand)]) for hand in dealt]
    everything = page.text
    assert all(hand in everything for hand in hands) and "`" not in everything
    own = await house.cleo.press(page, eyes(page)["custom_id"], values=["0"])
    assert "**Ann** knew then" in own.text and not any(hand in own.text for hand in hands[1:])
    assert face_words(dealt[0][0]) in own.text


async def test_export_and_proof_online_and_offline(house: House, tmp_path, capsys: pytest.CaptureFixture[str]):
    await finished_break_out(house)
    page = await house.ben.command(house.yard, "replay", table=1)
    answer = await house.press(house.ben, "Export", page)
    body = await file_of(house, answer)
    export = read_export(body)
    assert export.table == 1 and export.names == ("Ann", "Ben")
    assert "*Verify* recomputes it here" in answer.text
    pressed = await house.press(house.ben, "Verify", page)  # for whoever has no computer at hand
    await house.sandbox.until(lambda: "Proved" in pressed.text)
    proved = await house.cleo.command(house.yard, "verify", table=1)
    await house.sandbox.until(lambda: "Proved" in proved.text)
    assert export.seed in proved.text
    path = tmp_path / "game.json"
    path.write_bytes(body)
    assert bot.main(["verify", str(path)]) == 0
    assert "follow from the seed" in capsys.readouterr().out
    changed = json.loads(body)
    changed["events"][5]["seat"] = 1 - changed["events"][5]["seat"]
    path.write_text(json.dumps(changed))
    assert bot.main(["verify", str(path)]) == 1
    assert "Event 6 differs" in capsys.readouterr().out
    assert bot.main(["verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


async def test_the_animated_picture_is_small_and_has_the_whole_game(house: House):
    await finished_wall(house)
    page = await house.ann.command(house.yard, "replay", table=1)
    pressed = await house.press(house.ann, "Animation", page)
    assert "is being drawn" in pressed.text and "moment 0 of 7" in pressed.text
    await house.settle()
    follow = house.ann.ephemerals(house.yard)[-1]
    assert "as an animated picture" in follow["content"]
    data = house.sandbox.file(follow["attachments"][0]["url"])
    with Image.open(io.BytesIO(data)) as film:
        assert getattr(film, "n_frames", 1) == 8 and film.width == 400
    assert len(data) < 2_000_000


async def test_no_page_waits_for_what_takes_longer_than_a_page(house: House, monkeypatch: pytest.MonkeyPatch):
    await finished_wall(house)
    where = dict[str, str]()

    def noted(name: str, work: Callable[..., Any], *args: Any) -> Any:
        where[name] = threading.current_thread().name
        return work(*args)

    for module, name in (
        (reels, "reel"),
        (reels, "chapters"),
        (replays, "film"),
        (replays, "export_file"),
        (replays, "verify"),
        (reviews, "questions"),
        (reviews, "written"),
        (reviews, "noted"),
        (reviews, "review_page"),
    ):
        monkeypatch.setattr(module, name, partial(noted, name, getattr(module, name)))
    page = await house.ann.command(house.yard, "replay", table=1)
    await house.press(house.ann, "Animation", page)
    await house.press(house.ann, "Export", page)
    await house.ann.command(house.yard, "verify", table=1)
    await house.ann.command(house.yard, "review", table=1)
    await house.settle()
    assert len(where) == 9 and set(where.values()) == {"leisure-0"}


async def test_a_running_game_gives_nothing_away(house: House):
    await house.two_at_the_wall()
    refused = await house.cleo.command(house.yard, "replay", table=1)
    assert "still open" in refused.text
    told = await house.cleo.command(house.yard, "verify", table=1)
    live = house.session().table.snapshot.row
    assert live.seed is not None and live.commitment is not None
    assert live.commitment in told.text and live.seed.hex() not in told.text
    admin = await house.ann.command(house.yard, "admin export", table=1)
    assert "still open" in admin.text
    for control in ("replay-file:0.all.a", "replay-film:0.all.a", "replay:0.all.a"):
        forged = await house.ann.forge(house.board(), f"cb:1:0:{control}")
        assert "still open" in forged.text and not forged.messages[-1]["attachments"]


async def test_tables_of_another_server_and_none_are_told(house: House):
    await finished_wall(house)
    assert "no table 99" in (await house.ann.command(house.yard, "replay", table=99)).text
    assert "no table 99" in (await house.ann.command(house.yard, "verify", table=99)).text
    other = house.sandbox.add_guild("Elsewhere")
    hall = house.sandbox.add_channel(other, "hall")
    eve = house.sandbox.add_person("Eve", other)
    assert "no table 1 on this server" in (await eve.command(hall, "replay", table=1)).text
    assert "no table 1 on this server" in (await eve.command(hall, "verify", table=1)).text


async def test_forged_buttons_of_a_replay_come_to_a_sentence_or_a_page(house: House):
    await finished_wall(house)
    page = await house.ann.command(house.yard, "replay", table=1)
    for argument in ("", "x", "1.9.a", "99999999.all.a", "-1.all.a", "1.².a", "0.all", "123.1.z"):
        answer = await house.ann.forge(page, f"cb:1:0:replay:{argument}")
        assert answer.type in (4, 7) and "went wrong" not in answer.text
    assert "Nobody sat there" in (await house.ann.forge(page, "cb:1:0:replay:1.2.a")).text
    for verb in ("replay-file", "replay-film", "replay"):
        answer = await house.ann.forge(page, f"cb:77:0:{verb}:0.all.a")
        assert "no table 77" in answer.text


async def test_completion_offers_the_finished_tables(house: House):
    await finished_wall(house)
    await house.two_at_the_wall()
    for command in ("replay", "verify"):
        offered = await house.cleo.choices(house.yard, command, focus="table", table="")
        assert [choice["value"] for choice in offered] == [1]


async def test_a_moderator_exports_and_the_channel_is_told(house: House):
    await finished_wall(house)
    answer = await house.ann.command(house.yard, "admin export", table=1)
    assert read_export(await file_of(house, answer)).game == "rope_wall"
    await house.settle()
    assert any("**Ann** exported" in m["content"] for m in house.sandbox.messages(house.yard))
    assert "permission" in (await house.ben.command(house.yard, "admin export", table=1)).text


async def test_who_may_not_see_the_channel_of_a_table_is_told_that_there_is_none(house: House):
    await finished_wall(house)
    hall = house.sandbox.add_channel(house.guild, "hall")
    page = await house.cleo.command(hall, "replay", table=1)
    assert "moment 0 of 7" in page.text
    house.sandbox.deny(house.yard, "view_channel", who=house.cleo)
    await house.settle()
    none = (await house.cleo.command(hall, "replay", table=99)).text
    for command in ("replay", "verify"):
        assert (await house.cleo.command(hall, command, table=1)).text == none.replace("99", "1")
        assert await house.cleo.choices(hall, command, focus="table", table="") == []
        assert await house.ben.choices(hall, command, focus="table", table="") != []
    for label in ("▶", "Export", "Animation"):
        assert "no table 1 on this server" in (await house.press(house.cleo, label, page)).text
    assert "moment 0 of 7" in (await house.ben.command(hall, "replay", table=1)).text


async def test_of_a_running_game_in_a_hidden_channel_not_even_the_commitment_is_told(house: House):
    await house.two_at_the_wall()
    hall = house.sandbox.add_channel(house.guild, "hall")
    assert "SHA-256" in (await house.cleo.command(hall, "verify", table=1)).text
    house.sandbox.deny(house.yard, "view_channel", who=house.cleo)
    await house.settle()
    assert "no table 1 on this server" in (await house.cleo.command(hall, "verify", table=1)).text


async def test_a_game_whose_channel_is_gone_is_read_by_those_who_played_it(house: House):
    await finished_wall(house)
    hall = house.sandbox.add_channel(house.guild, "hall")
    house.sandbox.remove_channel(house.yard)
    await house.settle()
    assert "moment 0 of 7" in (await house.ben.command(hall, "replay", table=1)).text
    assert "no table 1 on this server" in (await house.cleo.command(hall, "replay", table=1)).text


async def earlier_version(house: House) -> None:
    """Go on with the database that an earlier version left behind."""
    await house.stop()
    house.database.write_bytes(gzip.decompress((FOLDER / "0003" / "cellblock.db.gz").read_bytes()))
    with closing(sqlite3.connect(house.database)) as db:
        db.execute("UPDATE tables SET guild = ?, channel = ?", (int(house.guild.id), int(house.yard.id)))
        db.execute("UPDATE results SET guild = ?", (int(house.guild.id),))
        db.commit()
    await house.start()


async def test_notes_that_an_earlier_version_stored_are_shown_to_nobody(house: House):
    await earlier_version(house)
    ((table, _),) = [
        entry
        for entry in await house.client.tables.store.server_admin.numbers(int(house.guild.id), ("over",), most=50)
        if entry[1] == "prison_break"
    ]
    assert any(SECRET in body for body in await house.client.tables.store.games.events(table))
    page = await house.cleo.command(house.yard, "replay", table=table)
    page = await jumped(house, page, "The end")
    own = await house.cleo.press(page, eyes(page)["custom_id"], values=["0"])
    assert SECRET not in page.text and SECRET not in own.text
    body = await file_of(house, await house.press(house.cleo, "Export", page))
    assert SECRET not in body.decode() and read_export(body).game == "prison_break"
    proved = await house.cleo.command(house.yard, "verify", table=table)
    await house.sandbox.until(lambda: "proved" in proved.text.lower())
    assert "Not proved" not in proved.text


async def test_a_game_without_pictures_cannot_be_animated_and_that_is_said(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    await finished_wall(house)
    page = await house.ann.command(house.yard, "replay", table=1)
    screen = house.client.tables.screens["rope_wall"]
    monkeypatch.setattr(screen, "picture", lambda view, info: None)
    answer = await house.press(house.ann, "Animation", page)
    assert "no pictures to animate" in await until_text(house, answer)


async def until_text(house: House, answer: ActionResult) -> str:
    await house.settle()
    return "\n".join(UserClient.visible_text(message) for message in answer.messages)
