"""Whole games of the Rope Wall: by buttons, by slash commands, against the computer."""

import re

import msgspec

from engine.contract import Seat
from engine.games.rope_wall import GAME, ChooseExits, Push
from sandbox import UserClient, walk
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.rope_wall import choose_or_push


async def test_a_whole_game_by_buttons_ends_with_a_winner_whom_everybody_sees(harness: BotHarness):
    await harness.two_at_the_wall()
    number = 0
    while harness.snapshot().playing:
        await choose_or_push(harness, number)
        number += 1
        assert number < 500
    await harness.settle()
    live = harness.messages().table
    assert GAME.fold(await harness.events()) == live.snapshot.state
    winner = harness.view().winner
    assert winner is not None
    assert f"**{live.snapshot.seats[winner].name}** **wins!**" in harness.public()
    assert not harness.controls("push") and harness.controls("rematch")
    results = await live.store.games.results(1)
    assert [(row.user, row.place) for row in results][winner] == (live.snapshot.seats[winner].user, 1)
    assert len(harness.sandbox.messages(harness.yard)) == 1


async def test_a_whole_game_by_direct_message_alone_takes_one_press_a_move(harness: BotHarness):
    for person in (harness.ann, harness.ben):
        await person.command(harness.yard, "notify", how="message")
    await harness.begin("rope-wall", harness.ben, interludes="off")
    for number in range(500):
        if not harness.snapshot().playing:
            break
        who, version = harness.awaited(), harness.snapshot().version
        messages = who.dms()
        if not messages:
            await harness.advance(70_000)  # the direct message comes when its reader has not moved for a while
            messages = who.dms()
        found = [harness.controls(verb, messages[-1]) for verb in ("exit", "push")]
        controls = next(controls for controls in found if controls)
        told = await who.press(messages[-1], controls[(number * 7 + number // 3) % len(controls)])
        await harness.settle()
        assert harness.snapshot().version > version, told.text  # one press was the whole move
    assert harness.snapshot().row.status == "over"


async def test_a_whole_game_by_slash_commands_with_what_completion_offers(harness: BotHarness):
    await harness.two_at_the_wall()
    number = 0
    while harness.snapshot().playing and number < 400:
        who = harness.awaited()
        if harness.view().phase == "choose":
            offered = await who.choices(harness.yard, "rope-wall exit", focus="exits", exits="")
            answer = await who.command(harness.yard, "rope-wall exit", exits=offered[number % len(offered)]["value"])
            assert "is out" in answer.text
        elif harness.view().phase == "interlude":
            answer = await who.command(harness.yard, "rope-wall ready")
            assert "You're ready" in answer.text
        else:
            side = ("left", "right")[number % 2]
            offered = await who.choices(harness.yard, "rope-wall push", focus="floor", side=side, floor="")
            floor = offered[(number * 5 + number // 2) % len(offered)]["value"]
            answer = await who.command(harness.yard, "rope-wall push", side=side, floor=floor)
            assert "You pushed" in answer.text
        number += 1
    await harness.settle()
    assert harness.snapshot().row.status == "over"


async def test_completion_offers_just_what_is_legal(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(40):
        live, who = harness.messages().table, harness.awaited()
        if harness.view().phase == "push":
            legal = list(live.snapshot.legal(live.snapshot.seat_of(int(who.id)) or Seat(0)))
            for side in ("left", "right"):
                offered = await who.choices(harness.yard, "rope-wall push", focus="floor", side=side, floor="")
                floors = {push.floor for push in legal if isinstance(push, Push) and push.side == side}
                assert {choice["value"] for choice in offered} == floors
        await choose_or_push(harness, number)


async def test_against_the_warden_every_move_is_answered(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="warden", clock=0)
    await harness.settle()
    for number in range(60):
        if not harness.snapshot().playing:
            break
        waiting = harness.snapshot().view(None).to_act
        if waiting and harness.snapshot().seats[waiting[0]].user is None:
            await harness.advance(4_000)
        else:
            await choose_or_push(harness, number)
            await harness.settle()
    assert harness.snapshot().version > 20


async def test_what_can_i_do_names_the_legal_openings_and_why_others_are_barred(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(200):
        view = harness.view()
        if view.phase == "push" and view.barred[view.turn]:
            break
        await choose_or_push(harness, number)
    barred = {f"{opening.side[0].upper()}{opening.floor}" for opening in view.barred[view.turn]}
    answer = await harness.press(harness.awaited(), "What can I do?")
    told = re.search(r"openings (.*?) –", answer.text)[1].split(", ")
    assert len(told) == 10 - len(barred) and not barred & set(told)
    assert all(code in answer.text for code in barred) and "may not go straight back" in answer.text
    grey = {part["label"][:2] for part in UserClient.buttons(harness.board()) if part.get("disabled")}
    assert grey == barred
    code = sorted(barred)[0]
    side = "left" if code[0] == "L" else "right"
    refused = await harness.awaited().command(harness.yard, "rope-wall push", floor=int(code[1]), side=side)
    assert "barred" in refused.text


async def test_the_other_player_is_asked_to_wait(harness: BotHarness):
    await harness.two_at_the_wall()
    answer = await harness.press(harness.idle(), "What can I do?")
    assert "Wait" in answer.text and harness.awaited().name in answer.text


async def test_the_picture_has_words_and_the_text_view_shows_the_same_wall(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.awaited().command(harness.yard, "rope-wall push", floor=5, side="left")
    await harness.settle()
    media = next(part for part in walk(harness.board()["components"]) if part.get("type") == 12)
    described = media["items"][0]["description"]
    letter = "AB"[harness.view().recent[0].seat]
    assert f"floor 5: {letter} . . . ." in described
    shown = await harness.press(harness.ben, "Text view")
    assert f"L5 > [ {letter} . . . . ]" in shown.text
    picture = harness.sandbox.file(media["items"][0]["media"]["url"])
    assert picture.startswith(b"\x89PNG") and len(picture) <= 60_000


async def test_anyone_can_page_through_the_rules_even_outside_a_table(harness: BotHarness):
    page = await harness.cleo.command(harness.yard, "rules", game="rope_wall")
    assert "the goal" in page.text
    for words in ("at least one bend", "A full floor", "Special cases"):
        page = await harness.press(harness.cleo, "Next ▶", page)
        assert words in page.text
    page = await harness.press(harness.cleo, "◀ Previous", page)
    assert "A full floor" in page.text


async def test_what_is_kept_replays_by_itself(harness: BotHarness):
    await harness.two_at_the_wall()
    for number in range(30):
        await choose_or_push(harness, number)
    decisions = await harness.client.store.games.decisions(1)
    assert decisions[0].action is None and len(decisions) == 31
    for row in decisions[1:]:
        assert isinstance(GAME.read_action(row.action or ""), Push | ChooseExits)
    first = msgspec.json.decode((await harness.client.store.games.events(1))[0])
    assert first["material"]["knots"] == 13 and "options" in first
