"""Replays of finished games on the sandbox: steps, viewpoints, export, GIF, verification, permissions."""

import gzip
import io
import json
import re
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
from cogs.replays import replay_cache, reviews
from cogs.replays.chapters import MOST, chapter_at, chapters
from engine.export import read_export
from engine.games.break_out import GAME as BREAK_OUT
from engine.games.break_out import Card, in_order
from engine.games.match_five import GAME as MATCH_FIVE
from sandbox import ActionResult, UserClient
from tests.cogs.admin.conftest import allow_everyone
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import play
from tools.versions import FOLDER, SECRET


async def finished_wall(harness: BotHarness) -> None:
    """Play the Rope Wall at table 1 until Ben resigns."""
    await harness.two_at_the_wall()
    for number in range(6):
        await harness.push(number % 3)
    await harness.resign(harness.ben, table=1)
    await harness.settle()
    assert harness.snapshot().row.status == "over"


async def finished_break_out(harness: BotHarness) -> None:
    """Play a short Break-Out at table 1, in which everybody only draws."""
    await harness.begin("break-out", harness.ben, rounds=1, referee="strict")
    for _ in range(200):
        if not harness.snapshot().playing:
            break
        who = harness.awaited()
        await who.command(harness.yard, "break-out draw")
        await who.command(harness.yard, "break-out next")
    await harness.settle()
    assert harness.snapshot().row.status == "over"


def viewpoints(answer: ActionResult) -> dict[str, Any]:
    """Return the select of viewpoints."""
    return next(part for part in UserClient.buttons(answer) if part.get("placeholder") == "Whose view?")


def jumps(answer: ActionResult) -> dict[str, Any]:
    """Return the select of the places to jump to."""
    return next(part for part in UserClient.buttons(answer) if part.get("placeholder") == "Jump to …")


async def jump_to(harness: BotHarness, page: ActionResult, where: str) -> ActionResult:
    """Jump to a place of the game as Cleo."""
    (value,) = [option["value"] for option in jumps(page)["options"] if option["label"] == where]
    return await harness.cleo.press(page, jumps(page)["custom_id"], values=[value])


async def file_of(harness: BotHarness, answer: ActionResult) -> bytes:
    """Return the file of an answer, which may arrive later."""
    message = await harness.sandbox.until(lambda: answer.message if (answer.message or {}).get("attachments") else None)
    (attachment,) = message["attachments"]
    return harness.sandbox.file(attachment["url"])


async def test_a_finished_game_is_stepped_through(harness: BotHarness):
    await finished_wall(harness)
    page = await harness.cleo.command(harness.yard, "replay", table=1)
    assert "move 0 of 7" in page.text
    assert "Whose view?" not in str(UserClient.buttons(page)), "nobody has a secret at the Rope Wall"
    page = await harness.press(harness.cleo, "▶", page)
    assert "move 1 of 7" in page.text
    assert [option["label"] for option in jumps(page)["options"] if option.get("default")] == ["Round 1"]
    page = await jump_to(harness, page, "End")
    assert "move 7 of 7" in page.text
    page = await harness.press(harness.cleo, "◀", page)
    assert "move 6 of 7" in page.text
    page = await jump_to(harness, page, "Beginning")
    assert "move 0 of 7" in page.text


async def test_a_jump_leads_to_a_round_or_a_catch_and_keeps_whose_view_it_is(harness: BotHarness):
    await finished_break_out(harness)
    page = await harness.cleo.command(harness.yard, "replay", table=1)
    page = await harness.cleo.press(page, viewpoints(page)["custom_id"], values=["1"])
    page = await jump_to(harness, page, "End")
    chosen = [
        option["label"] for one in (jumps, viewpoints) for option in one(page)["options"] if option.get("default")
    ]
    assert chosen == ["End", "What ◆ Ben knew"]
    for value in ("x", "-1", "²", "99999999"):
        answer = await harness.cleo.forge(page, jumps(page)["custom_id"], [value], 3)
        assert answer.type in (4, 7)


def test_rounds_and_catches_are_places_and_a_long_game_has_no_more_of_them_than_fit():
    playout = play(BREAK_OUT, 1)
    found = chapters(BREAK_OUT, playout.states)
    labels = [one.words for one in found]
    last = BREAK_OUT.view(playout.states[-1], None)
    assert labels[0] == "Beginning" and labels[-1] == "End" and len(found) <= MOST
    rounds = [words for words in labels if words.startswith("Round")]
    assert rounds == [f"Round {number}" for number in range(1, last.rounds + 1)]
    for one in found:
        assert one.catch is None or BREAK_OUT.view(playout.states[one.step], None).catch is not None
    assert [one.step for one in found] == sorted(one.step for one in found)


def test_where_not_all_places_fit_the_rounds_stay_and_the_catches_go():
    """In a made-up game, a round starts at every fourth moment, and a player is caught in the third one after it."""
    game: Any = SimpleNamespace(view=lambda state, seat: state)
    found = chapters(game, made_up(MOST - 2))
    assert [one.words for one in found[1:-1]] == [f"Round {number}" for number in range(1, MOST - 1)]
    few = [one.words for one in chapters(game, made_up(2))]
    assert few == ["Beginning", "Round 1", "A catch", "Round 2", "End"]
    many = [one.words for one in chapters(game, made_up(50))]
    assert len(many) <= MOST and many[1:3] == ["Rounds 1 to 3", "Rounds 4 to 6"] and many[-2] == "Rounds 49 to 50"


def made_up(rounds: int) -> list[Any]:
    caught = SimpleNamespace(catcher=0, caught=1)
    return [SimpleNamespace(round=step // 4 + 1, catch=caught if step % 4 == 3 else None) for step in range(4 * rounds)]


def test_a_moment_is_in_the_round_that_is_played_and_a_catch_is_one_moment():
    game: Any = SimpleNamespace(view=lambda state, seat: state)
    found = chapters(game, made_up(3))
    stood = [chapter_at(found, step).words for step in range(12)]
    first, second = ["Beginning", "Round 1", "Round 1", "A catch"], [*["Round 2"] * 3, "A catch"]
    assert stood == [*first, *second, *["Round 3"] * 3, "End"]
    early = chapters(game, [made_up(1)[one] for one in (0, 1, 3, 1, 1)])  # the round goes on after a catch
    assert [chapter_at(early, step).words for step in range(5)] == [*first[:2], "A catch", "Round 1", "End"]
    views = [SimpleNamespace(turns=(0,) * step) for step in range(26)]
    turns = chapters(game, views)
    assert [one.words for one in turns] == [
        "Beginning",
        "Turns 1 to 9",
        "Turns 10 to 19",
        "Turns 20 to 25",
        "End",
    ]
    assert [chapter_at(turns, step).words for step in (0, 1, 9, 10, 24, 25)] == [
        "Beginning",
        "Turns 1 to 9",
        "Turns 1 to 9",
        "Turns 10 to 19",
        "Turns 20 to 25",
        "End",
    ]
    nothing = chapters(game, [SimpleNamespace()] * 5)
    assert [chapter_at(nothing, step).words for step in (0, 3, 4)] == ["Beginning", "Beginning", "End"]


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


async def test_everything_shows_all_hands_and_a_seats_eyes_only_its_own(harness: BotHarness):
    await finished_break_out(harness)
    page = await harness.cleo.command(harness.yard, "replay", table=1)
    live = harness.messages().table
    dealt = live.game.read_event((await live.store.games.events(1))[1]).hands
    hands = [spoken([Card(face) for face in in_order(hand)]) for hand in dealt]
    everything = page.text
    assert all(hand in everything for hand in hands) and "`" not in everything
    own = await harness.cleo.press(page, viewpoints(page)["custom_id"], values=["0"])
    assert "**Ann** knew at this point" in own.text and not any(hand in own.text for hand in hands[1:])
    assert face_words(dealt[0][0]) in own.text


async def test_export_and_proof_online_and_offline(harness: BotHarness, tmp_path, capsys: pytest.CaptureFixture[str]):
    await finished_break_out(harness)
    page = await harness.ben.command(harness.yard, "replay", table=1)
    answer = await harness.press(harness.ben, "Export", page)
    body = await file_of(harness, answer)
    export = read_export(body)
    assert export.table == 1 and export.names == ("Ann", "Ben")
    assert "press *Verify*" in answer.text
    pressed = await harness.press(harness.ben, "Verify", page)  # for people without a computer at hand
    await harness.sandbox.until(lambda: "Proved" in pressed.text)
    proved = await harness.cleo.command(harness.yard, "verify", table=1)
    await harness.sandbox.until(lambda: "Proved" in proved.text)
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


async def test_the_animated_picture_is_small_and_has_the_whole_game(harness: BotHarness):
    await finished_wall(harness)
    page = await harness.ann.command(harness.yard, "replay", table=1)
    pressed = await harness.press(harness.ann, "Animation", page)
    assert "move 0 of 7" in pressed.text
    assert re.search(r"Animation\nExport\nVerify\nReview\n✓ Drawing the animation", pressed.text), "beside its button"
    await harness.settle()
    follow = harness.ann.ephemerals(harness.yard)[-1]
    assert "as an animation" in follow["content"]
    data = harness.sandbox.file(follow["attachments"][0]["url"])
    with Image.open(io.BytesIO(data)) as film:
        assert getattr(film, "n_frames", 1) == 8 and film.width == 400
    assert len(data) < 2_000_000


async def test_no_page_waits_for_what_takes_longer_than_a_page(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await finished_wall(harness)
    where = dict[str, str]()

    def noted(name: str, work: Callable[..., Any], *args: Any) -> Any:
        where[name] = threading.current_thread().name
        return work(*args)

    for module, name in (
        (replay_cache, "replay_of"),
        (replay_cache, "chapters"),
        (replays, "animate"),
        (replays, "export_file"),
        (replays, "verify"),
        (reviews, "questions"),
        (reviews, "as_questions"),
        (reviews, "noted"),
        (reviews, "review_page"),
    ):
        monkeypatch.setattr(module, name, partial(noted, name, getattr(module, name)))
    page = await harness.ann.command(harness.yard, "replay", table=1)
    await harness.press(harness.ann, "Animation", page)
    await harness.press(harness.ann, "Export", page)
    await harness.ann.command(harness.yard, "verify", table=1)
    review = await harness.ann.command(harness.yard, "review", table=1)
    await harness.settle()
    await harness.press(harness.ann, "Whole review", review)
    await harness.settle()
    assert len(where) == 9 and set(where.values()) == {"leisure-0"}


async def test_a_running_game_gives_nothing_away(harness: BotHarness):
    await harness.two_at_the_wall()
    refused = await harness.cleo.command(harness.yard, "replay", table=1)
    assert "still open" in refused.text
    told = await harness.cleo.command(harness.yard, "verify", table=1)
    live = harness.snapshot().row
    assert live.seed is not None and live.commitment is not None
    assert live.commitment in told.text and live.seed.hex() not in told.text
    admin = await harness.ann.command(harness.yard, "admin export", table=1)
    assert "still open" in admin.text
    for control in ("replay-file:0.all.a", "replay-film:0.all.a", "replay:0.all.a"):
        forged = await harness.ann.forge(harness.board(), f"cb:1:0:{control}")
        assert "still open" in forged.text and not forged.messages[-1]["attachments"]


async def test_tables_of_another_server_and_missing_tables_are_refused(harness: BotHarness):
    await finished_wall(harness)
    assert "no table 99" in (await harness.ann.command(harness.yard, "replay", table=99)).text
    assert "no table 99" in (await harness.ann.command(harness.yard, "verify", table=99)).text
    other = harness.sandbox.add_guild("Elsewhere")
    hall = harness.sandbox.add_channel(other, "hall")
    eve = harness.sandbox.add_person("Eve", other)
    assert "no table 1 on this server" in (await eve.command(hall, "replay", table=1)).text
    assert "no table 1 on this server" in (await eve.command(hall, "verify", table=1)).text


async def test_forged_buttons_of_a_replay_come_to_a_sentence_or_a_page(harness: BotHarness):
    await finished_wall(harness)
    page = await harness.ann.command(harness.yard, "replay", table=1)
    for argument in ("", "x", "1.9.a", "99999999.all.a", "-1.all.a", "1.².a", "0.all", "123.1.z"):
        answer = await harness.ann.forge(page, f"cb:1:0:replay:{argument}")
        assert answer.type in (4, 7) and "went wrong" not in answer.text
    assert "No one sat there" in (await harness.ann.forge(page, "cb:1:0:replay:1.2.a")).text
    for verb in ("replay-file", "replay-film", "replay"):
        answer = await harness.ann.forge(page, f"cb:77:0:{verb}:0.all.a")
        assert "no table 77" in answer.text


async def test_completion_offers_the_finished_tables(harness: BotHarness):
    await finished_wall(harness)
    await harness.two_at_the_wall()
    for command in ("replay", "verify"):
        offered = await harness.cleo.choices(harness.yard, command, focus="table", table="")
        assert [choice["value"] for choice in offered] == [1]


async def test_a_moderators_export_is_announced_in_the_channel(harness: BotHarness):
    await finished_wall(harness)
    answer = await harness.ann.command(harness.yard, "admin export", table=1)
    assert read_export(await file_of(harness, answer)).game == "rope_wall"
    await harness.settle()
    assert any("**Ann** exported" in m["content"] for m in harness.sandbox.messages(harness.yard))
    allow_everyone(harness, "admin")
    assert "Manage Messages" in (await harness.ben.command(harness.yard, "admin export", table=1)).text


async def test_a_user_who_cannot_see_a_tables_channel_reads_that_there_is_no_such_table(harness: BotHarness):
    await finished_wall(harness)
    hall = harness.sandbox.add_channel(harness.guild, "hall")
    page = await harness.cleo.command(hall, "replay", table=1)
    assert "move 0 of 7" in page.text
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    await harness.settle()
    none = (await harness.cleo.command(hall, "replay", table=99)).text
    for command in ("replay", "verify"):
        assert (await harness.cleo.command(hall, command, table=1)).text == none.replace("99", "1")
        assert await harness.cleo.choices(hall, command, focus="table", table="") == []
        assert await harness.ben.choices(hall, command, focus="table", table="") != []
    for label in ("▶", "Export", "Animation"):
        assert "no table 1 on this server" in (await harness.press(harness.cleo, label, page)).text
    assert "move 0 of 7" in (await harness.ben.command(hall, "replay", table=1)).text


async def test_not_even_the_commitment_of_a_running_game_in_a_hidden_channel_is_shown(harness: BotHarness):
    await harness.two_at_the_wall()
    hall = harness.sandbox.add_channel(harness.guild, "hall")
    assert "SHA-256" in (await harness.cleo.command(hall, "verify", table=1)).text
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    await harness.settle()
    assert "no table 1 on this server" in (await harness.cleo.command(hall, "verify", table=1)).text


async def test_a_game_whose_channel_is_gone_is_read_by_those_who_played_it(harness: BotHarness):
    await finished_wall(harness)
    hall = harness.sandbox.add_channel(harness.guild, "hall")
    harness.sandbox.remove_channel(harness.yard)
    await harness.settle()
    assert "move 0 of 7" in (await harness.ben.command(hall, "replay", table=1)).text
    assert "no table 1 on this server" in (await harness.cleo.command(hall, "replay", table=1)).text


async def earlier_version(harness: BotHarness) -> None:
    """Continue with the database that an earlier version left."""
    await harness.stop()
    harness.database.write_bytes(gzip.decompress((FOLDER / "0003" / "cellblock.db.gz").read_bytes()))
    with closing(sqlite3.connect(harness.database)) as db:
        db.execute("UPDATE tables SET guild = ?, channel = ?", (int(harness.guild.id), int(harness.yard.id)))
        db.execute("UPDATE results SET guild = ?", (int(harness.guild.id),))
        db.commit()
    await harness.start()


async def test_notes_that_an_earlier_version_stored_are_shown_to_nobody(harness: BotHarness):
    await earlier_version(harness)
    ((table, _),) = [
        entry
        for entry in await harness.client.store.server_admin.numbers(int(harness.guild.id), ("over",), most=50)
        if entry[1] == "prison_break"
    ]
    assert any(SECRET in body for body in await harness.client.store.games.events(table))
    page = await harness.cleo.command(harness.yard, "replay", table=table)
    page = await jump_to(harness, page, "End")
    own = await harness.cleo.press(page, viewpoints(page)["custom_id"], values=["0"])
    assert SECRET not in page.text and SECRET not in own.text
    body = await file_of(harness, await harness.press(harness.cleo, "Export", page))
    assert SECRET not in body.decode() and read_export(body).game == "prison_break"
    proved = await harness.cleo.command(harness.yard, "verify", table=table)
    await harness.sandbox.until(lambda: "proved" in proved.text.lower())
    assert "Not proved" not in proved.text


async def test_a_game_without_pictures_cannot_be_animated_and_that_is_said(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await finished_wall(harness)
    page = await harness.ann.command(harness.yard, "replay", table=1)
    ui = harness.client.games["rope_wall"]
    monkeypatch.setattr(ui, "picture", lambda view, info: None)
    answer = await harness.press(harness.ann, "Animation", page)
    assert "no pictures to animate" in await until_text(harness, answer)


async def until_text(harness: BotHarness, answer: ActionResult) -> str:
    await harness.settle()
    return "\n".join(UserClient.visible_text(message) for message in answer.messages)
