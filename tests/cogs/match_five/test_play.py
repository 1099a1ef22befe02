"""Whole games of Match Five: on private pages, in one line, with computers, with closed DMs."""

import re
import threading
from typing import Any

import pytest

from cogs.match_five.ui import MatchFiveUI
from cogs.match_five.words import dump_laying
from engine.contract import Seat
from engine.games.match_five import GAME, Laying, MatchFiveView, Places, Play, rules
from sandbox import UserClient, walk
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.match_five import Taps, parts, private_page, slots


async def table(harness: BotHarness, people: int = 2, **options: str | int) -> None:
    """Seat people and start the game."""
    await harness.begin("match-five", *(harness.ben, harness.cleo)[: people - 1], **options)


def view(harness: BotHarness) -> MatchFiveView:
    """Return the view of the player on turn."""
    live = harness.messages().table
    shown = live.snapshot.view(live.snapshot.view(None).to_act[0])
    assert isinstance(shown, MatchFiveView)
    return shown


async def test_a_play_is_drafted_on_the_private_page_taken_back_and_laid(harness: BotHarness):
    await table(harness)
    player = await private_page(harness)
    first = next(part for part in slots(player.panel) if part["label"] != "W")
    number = first["label"][1]
    await player.press(first)  # an empty board has only one place
    assert f"**{number} point" in player.panel.text and "the first tile" in player.panel.text
    await harness.press(player.who, "Clear", player.panel)
    assert harness.view().stones == ()
    player = await private_page(harness)
    assert len(slots(player.panel)) == 5  # nothing of it is left
    await player.press(next(part for part in slots(player.panel) if part["label"] == first["label"]))
    await player.press(parts(player.panel, "lay")[0])
    await harness.settle()
    assert f"at 12/12 for **{number} point" in harness.public()
    assert harness.awaited() is not player.who


async def test_a_tile_takes_one_tap_and_laying_one_more(harness: BotHarness):
    await table(harness, copies=3)
    laid = []
    for _ in range(12):
        player = await private_page(harness)
        tiles = await player.turn()
        await harness.settle()
        if tiles:
            assert player.taps == tiles + 1
        laid.append(tiles)
    assert max(laid) == 5


async def test_a_draft_goes_on_after_a_restart(harness: BotHarness):
    await table(harness)
    player = await private_page(harness)
    await player.lay_one(slots(player.panel)[0])
    await harness.restart()
    await player.press(parts(player.panel, "lay")[0])
    assert len(harness.view().stones) == 1


@pytest.mark.parametrize(("people", "options"), [(2, {}), (3, {"placement": "one_line"})])
async def test_a_whole_game_on_the_private_page_ends(harness: BotHarness, people: int, options: dict[str, str]):
    await table(harness, people, copies=3, **options)
    turns = 0
    while harness.snapshot().playing and turns < 120:
        await (await private_page(harness)).turn()
        turns += 1
    await harness.settle()
    live = harness.messages().table
    assert live.snapshot.row.status == "over"
    assert GAME.fold(await harness.events()) == live.snapshot.state
    assert "win" in harness.public()
    sheet = await harness.press(harness.cleo, "Score sheet")  # open to all, also after the end
    assert "Score sheet" in sheet.text and all(f"**{name}**" in sheet.text for name in ("Ann", "Ben"))
    assert re.search(r"^-# \d+\. .", sheet.text, re.MULTILINE)  # what the last turns added
    assert "wins" in UserClient.visible_text(harness.ben.dms()[-1]) or "share" in UserClient.visible_text(
        harness.ben.dms()[-1]
    )


async def test_a_whole_game_by_the_direct_message_alone_ends(harness: BotHarness):
    await table(harness, copies=3)
    turns = 0
    while harness.snapshot().playing and turns < 120:
        who = harness.awaited()
        player = Taps(who, who.dms()[-1])
        assert "**Your move**" in UserClient.visible_text(who.dms()[-1])
        await player.turn()
        await harness.settle()
        turns += 1
    assert harness.snapshot().row.status == "over"
    assert len(harness.ann.dms()) == len(harness.ben.dms()) == 1


async def test_turns_by_slash_commands_with_what_completion_offers(harness: BotHarness):
    await table(harness, copies=3)
    for number in range(12):
        who, seen = harness.awaited(), view(harness)
        offered = await who.choices(harness.yard, "match-five play", focus="tiles", tiles="")
        assert len(offered) <= 25
        if not offered:
            swaps = await who.choices(harness.yard, "match-five swap", focus="tiles", tiles="")
            answer = await who.command(harness.yard, "match-five swap", tiles=swaps[0]["value"])
            assert "You swapped" in answer.text
            continue
        words = offered[0]["value"]
        more = await who.choices(harness.yard, "match-five play", focus="tiles", tiles=f"{words} ")
        if number % 2 and more:
            words = more[0]["value"]
        answer = await who.command(harness.yard, "match-five play", tiles=words)
        assert "You laid" in answer.text
        assert len(harness.view().stones) == len(seen.stones) + len(words.split())


async def test_completing_a_swap_looks_for_no_plays(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await table(harness)
    who, hand = harness.awaited(), view(harness).hands[view(harness).turn or 0] or ()

    def searched(*_: object) -> None:
        raise AssertionError("nobody asked for plays")

    monkeypatch.setattr(rules, "plays", searched)
    offered = await who.choices(harness.yard, "match-five swap", focus="tiles", tiles="")
    assert {one["value"] for one in offered} >= set(hand)
    assert await harness.idle().choices(harness.yard, "match-five swap", focus="tiles", tiles="") == []


async def test_what_a_computer_may_do_is_never_looked_for_on_the_event_loop(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    searching: list[threading.Thread] = []
    search = Places.__init__

    def noted(places: Places, *about: Any) -> None:
        searching.append(threading.current_thread())
        search(places, *about)

    monkeypatch.setattr(Places, "__init__", noted)
    await harness.begin("match-five", computer="warden", computers=1)
    for _ in range(6):
        await harness.advance(3_000)
        if view(harness).turn == 0:
            tile = (view(harness).hands[0] or ())[0]
            assert "You swapped" in (await harness.ann.command(harness.yard, "match-five swap", tiles=tile)).text
            await harness.settle()
    await harness.advance(3_000)
    assert any(turn.seat == 1 and turn.kind == "play" for turn in view(harness).turns)
    assert searching and threading.main_thread() not in searching


async def test_a_half_typed_play_that_cannot_be_laid_is_completed_with_nothing(harness: BotHarness):
    await table(harness)
    who = harness.awaited()
    for typed in ("w@M12 ", "w@12/12", "r3@12/12 r3@99999/12 ", "r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 "):
        assert await who.choices(harness.yard, "match-five play", focus="tiles", tiles=typed) == []


async def test_wrong_plays_are_refused_with_the_rule(harness: BotHarness):
    await table(harness)
    who, other = harness.awaited(), harness.idle()
    held = view(harness).hands[view(harness).turn or 0] or ()
    tile = next(tile for tile in held if tile != "w")
    missing = next(f"{colour}{number}" for colour in "rbygo" for number in "12345" if f"{colour}{number}" not in held)
    for command, options, words in (
        ("play", {"tiles": "rubbish"}, "I can't read"),
        ("play", {"tiles": f"{missing}@12/12"}, "don't have"),
        ("play", {"tiles": f"{tile}@12/12 {tile}@25/99"}, ""),
        ("swap", {"tiles": "q9"}, "There's no tile"),
        ("swap", {"tiles": missing}, "don't have"),
        ("pass", {}, "play or swap"),
        ("board", {"around": "??"}, "isn't a place"),
    ):
        answer = await who.command(harness.yard, f"match-five {command}", **options)
        assert words in answer.text and len(answer.text) > 15, (command, answer.text)
    assert f"{who.name}" in (await other.command(harness.yard, "match-five play", tiles=f"{tile}@M12")).text
    assert harness.view().stones == ()


async def test_nobody_else_finds_the_hand_anywhere(harness: BotHarness):
    harness.cleo.dms_open = False
    await table(harness, 3)
    live = harness.messages().table
    for seat, person in enumerate((harness.ann, harness.ben, harness.cleo)):
        shown = await harness.press(person, "Play")
        alts = [item["description"] for part in walk(shown.message["components"]) for item in part.get("items", ())]
        own = live.snapshot.view(Seat(seat))
        assert isinstance(own, MatchFiveView)
        if person is harness.awaited():
            assert len(slots(shown)) == len(own.hands[seat] or ())
        else:
            assert "Your hand: " in alts[-1] and slots(shown) == []
        other = live.snapshot.view(Seat((seat + 1) % 3))
        assert isinstance(other, MatchFiveView) and other.hands[seat] is None
        assert (await person.command(harness.yard, "match-five hand")).type == 4
    assert harness.cleo.dms() == []


async def test_a_board_region_and_a_stack_can_be_read_as_text(harness: BotHarness):
    await table(harness)
    await (await private_page(harness)).turn()
    region = await harness.ann.command(harness.yard, "match-five board", around="12/12")
    assert "```" in region.text and "12" in region.text
    stack = await harness.ann.command(harness.yard, "match-five board", around="M12", side=True)
    assert "1" in stack.text


async def test_swapping_takes_a_tap_a_tile_and_two_more_and_the_turn(harness: BotHarness):
    await table(harness)
    player = await private_page(harness)
    before = view(harness).hands[view(harness).turn or 0]
    await player.press(parts(player.panel, "swap", "Swap …")[0])
    tiles = [part for part in parts(player.panel, "swap") if part["label"] != "Pick all"]
    await player.press(tiles[0])
    assert parts(player.panel, "swap-do", "Swap 1 tile")
    tiles = [part for part in parts(player.panel, "swap") if part["label"] != "Pick all"]
    await player.press(tiles[3])
    await player.press(parts(player.panel, "swap-do", "Swap 2 tiles")[0])
    await harness.settle()
    assert player.taps == 4
    assert harness.awaited() is not player.who and "swapped 2 tiles" in harness.public()
    assert harness.view(Seat(0 if player.who is harness.ann else 1)).hands != before


async def test_a_draft_of_an_earlier_turn_or_a_forged_one_does_nothing(harness: BotHarness):
    await table(harness)
    player = await private_page(harness)
    tile = next(part for part in slots(player.panel) if part["label"] != "W")
    await player.press(tile)
    name = tile["label"].lower()
    lay = parts(player.panel, "lay")[0]["custom_id"]
    head, _, _ = lay.rpartition(":")
    for forged in ("x", "r9@M12;;0", "r1@M12 r1@M12;;0", ";;", "@;;0", f"{name}@ZZZZZ9999999;;0"):
        answer = await player.who.forge(player.panel, f"{head}:{forged}")
        assert answer.type in (4, 7) and harness.view().stones == ()
    now = await player.who.command(harness.yard, "match-five play", tiles=f"{name}@M12")
    assert "has moved on" in (await player.who.forge(now, lay)).text


# ------------------------------------------------------------------------------------------ a clock that runs out


async def place_tile(harness: BotHarness, where: str) -> Taps:
    """Let the player on turn place a tile on their page in the channel or in direct messages."""
    await table(harness, clock=60)
    who = harness.awaited()
    player = await private_page(harness) if where == "panel" else Taps(who, who.dms()[-1])
    await player.lay_one(next(part for part in slots(player.panel) if part["label"] != "W"))
    assert "so far" in UserClient.visible_text(player.panel if where == "panel" else who.dms()[-1])
    return player


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_draft_is_laid_as_the_players_own_move_when_the_clock_runs_out(harness: BotHarness, where: str):
    player = await place_tile(harness, where)
    seat = harness.snapshot().seat_of(int(player.who.id))
    lay = parts(player.panel, "lay")[0]["custom_id"].rpartition(":")[2]
    due = harness.snapshot().earliest
    assert due is not None
    await harness.advance(due - harness.clock.now() - 1)
    await harness.client.tables.clocks.deadline_timer.run(1)  # who looks too early
    assert view(harness).stones == ()
    await harness.advance(1)
    seen = view(harness)
    (stone,) = seen.stones
    assert dump_laying(Laying(stone.tile, stone.x, stone.y, stone.level)) == lay.partition(";")[0]
    assert not seen.turns[-1].lapsed and harness.snapshot().seats[seat or 0].lapses == 0
    assert "time ran out" not in harness.public() and harness.awaited() is not player.who


async def test_a_draft_on_a_direct_message_is_laid_even_after_a_restart(harness: BotHarness):
    player = await place_tile(harness, "direct message")
    await harness.restart(5_000)
    await harness.advance(66_000)
    assert len(view(harness).stones) == 1 and not view(harness).turns[-1].lapsed
    assert harness.awaited() is not player.who


async def test_a_draft_is_still_there_when_the_page_is_opened_again(harness: BotHarness):
    player = await place_tile(harness, "panel")
    lay = parts(player.panel, "lay")[0]["custom_id"]
    await harness.settle()
    opened = await harness.press(player.who, "Play")
    assert parts(opened, "lay")[0]["custom_id"] == lay
    await harness.settle()
    swap = await harness.press(player.who, "Swap …", await harness.press(player.who, "Clear", opened))
    await player.who.press(swap, parts(swap, "swap")[0]["custom_id"])
    await harness.settle()
    opened = await harness.press(player.who, "Play")
    assert parts(opened, "swap-do", "Swap 1 tile")
    await harness.settle()
    assert not parts(await harness.press(player.who, "◀ Back", opened), "swap-do")
    await harness.settle()
    assert not parts(await harness.press(player.who, "Play"), "swap-do")


async def test_a_draft_is_laid_even_while_the_page_shows_something_else(harness: BotHarness):
    player = await place_tile(harness, "panel")
    await harness.settle()
    await harness.press(player.who, "Score sheet")
    await harness.settle()
    await harness.advance(61_000)
    assert len(view(harness).stones) == 1 and not view(harness).turns[-1].lapsed


async def test_a_draft_that_was_taken_back_is_not_laid(harness: BotHarness):
    player = await place_tile(harness, "panel")
    await harness.press(player.who, "Clear", player.panel)
    await harness.advance(61_000)
    assert view(harness).turns[-1].lapsed  # the game's own choice


async def test_a_draft_of_a_player_who_has_left_is_not_laid(harness: BotHarness):
    player = await place_tile(harness, "direct message")
    await harness.leave(player.who)
    session = harness.messages()
    assert session.direct_messages.look_of(int(player.who.id)) is not None
    assert not await harness.drafts().submit(session.table.snapshot.deadlines[0], harness.clock.now())
    assert view(harness).stones == ()


async def test_an_unreadable_draft_does_not_delay_the_clock(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await place_tile(harness, "panel")

    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(MatchFiveUI, "draft", broken)
    await harness.advance(61_000)
    assert view(harness).turns[-1].lapsed


async def test_a_draft_that_the_rules_refuse_leaves_the_clock_to_the_game(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await place_tile(harness, "panel")
    monkeypatch.setattr(MatchFiveUI, "draft", lambda *_: Play((Laying("r9", 0, 0, 1),)))
    await harness.advance(61_000)
    assert view(harness).turns[-1].lapsed


async def test_anyone_can_see_the_scores_at_any_time(harness: BotHarness):
    await harness.begin("match-five", harness.ben)
    for who in (harness.ann, harness.cleo):
        shown = await who.command(harness.yard, "match-five scores")
        assert "Ann" in shown.text and "Ben" in shown.text and "Your hand" not in shown.text
