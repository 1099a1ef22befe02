"""Whole games of the Rope Wall, as people play them: by buttons, by slash commands, against the computer."""

import re

import msgspec

from engine.contract import Seat
from engine.games.rope_wall import GAME, ChooseExits, Push
from sandbox import UserClient, walk
from tools.harness.bot_harness import House
from tools.harness.drivers.rope_wall import choose_or_push


async def test_a_whole_game_by_buttons_ends_with_a_winner_whom_everybody_sees(house: House):
    await house.two_at_the_wall()
    number = 0
    while house.session().table.snapshot.playing:
        await choose_or_push(house, number)
        number += 1
        assert number < 500
    await house.settle()
    live = house.session().table
    assert GAME.fold(await house.events()) == live.snapshot.state
    winner = house.view().winner
    assert winner is not None
    assert f"**{live.snapshot.seats[winner].name}** **wins!**" in house.public()
    assert not house.controls("push") and house.controls("rematch")
    results = await live.store.games.results(1)
    assert [(row.user, row.place) for row in results][winner] == (live.snapshot.seats[winner].user, 1)
    assert len(house.sandbox.messages(house.yard)) == 1


async def test_a_whole_game_by_direct_message_alone_takes_one_press_a_move(house: House):
    for person in (house.ann, house.ben):
        await person.command(house.yard, "notify", how="message")
    await house.begin("rope-wall", house.ben, interludes="off")
    for number in range(500):
        if not house.session().table.snapshot.playing:
            break
        who, version = house.awaited(), house.session().table.snapshot.version
        letters = who.dms()
        if not letters:
            await house.turn(70_000)  # the letter comes when its reader has not moved for a while
            letters = who.dms()
        found = [house.controls(verb, letters[-1]) for verb in ("exit", "push")]
        controls = next(controls for controls in found if controls)
        told = await who.press(letters[-1], controls[(number * 7 + number // 3) % len(controls)])
        await house.settle()
        assert house.session().table.snapshot.version > version, told.text  # one press was the whole move
    assert house.session().table.snapshot.row.status == "over"


async def test_a_whole_game_by_slash_commands_with_what_completion_offers(house: House):
    await house.two_at_the_wall()
    number = 0
    while house.session().table.snapshot.playing and number < 400:
        who = house.awaited()
        if house.view().phase == "choose":
            offered = await who.choices(house.yard, "rope-wall exit", focus="exits", exits="")
            answer = await who.command(house.yard, "rope-wall exit", exits=offered[number % len(offered)]["value"])
            assert "is out" in answer.text
        elif house.view().phase == "interlude":
            answer = await who.command(house.yard, "rope-wall ready")
            assert "You are ready" in answer.text
        else:
            side = ("left", "right")[number % 2]
            offered = await who.choices(house.yard, "rope-wall push", focus="floor", side=side, floor="")
            floor = offered[(number * 5 + number // 2) % len(offered)]["value"]
            answer = await who.command(house.yard, "rope-wall push", side=side, floor=floor)
            assert "You pushed" in answer.text
        number += 1
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


async def test_completion_offers_just_what_is_legal(house: House):
    await house.two_at_the_wall()
    for number in range(40):
        live, who = house.session().table, house.awaited()
        if house.view().phase == "push":
            legal = list(live.snapshot.legal(live.snapshot.seat_of(int(who.id)) or Seat(0)))
            for side in ("left", "right"):
                offered = await who.choices(house.yard, "rope-wall push", focus="floor", side=side, floor="")
                floors = {push.floor for push in legal if isinstance(push, Push) and push.side == side}
                assert {choice["value"] for choice in offered} == floors
        await choose_or_push(house, number)


async def test_against_the_warden_every_move_is_answered(house: House):
    await house.ann.command(house.yard, "rope-wall start", computer="warden", clock=0)
    await house.settle()
    for number in range(60):
        if not house.session().table.snapshot.playing:
            break
        waiting = house.session().table.snapshot.view(None).to_act
        if waiting and house.session().table.snapshot.seats[waiting[0]].user is None:
            await house.turn(4_000)
        else:
            await choose_or_push(house, number)
            await house.settle()
    assert house.session().table.snapshot.version > 20


async def test_what_can_i_do_names_the_legal_openings_and_why_others_are_barred(house: House):
    await house.two_at_the_wall()
    for number in range(200):
        view = house.view()
        if view.phase == "push" and view.barred[view.turn]:
            break
        await choose_or_push(house, number)
    barred = {f"{opening.side[0].upper()}{opening.floor}" for opening in view.barred[view.turn]}
    answer = await house.press(house.awaited(), "What can I do?")
    told = re.search(r"openings (.*?) –", answer.text)[1].split(", ")
    assert len(told) == 10 - len(barred) and not barred & set(told)
    assert all(code in answer.text for code in barred) and "may not go straight back" in answer.text
    grey = {part["label"][:2] for part in UserClient.buttons(house.board()) if part.get("disabled")}
    assert grey == barred
    code = sorted(barred)[0]
    side = "left" if code[0] == "L" else "right"
    refused = await house.awaited().command(house.yard, "rope-wall push", floor=int(code[1]), side=side)
    assert "barred" in refused.text


async def test_the_other_player_is_told_to_wait(house: House):
    await house.two_at_the_wall()
    answer = await house.press(house.idle(), "What can I do?")
    assert "Wait" in answer.text and house.awaited().name in answer.text


async def test_the_picture_has_words_and_the_text_view_shows_the_same_wall(house: House):
    await house.two_at_the_wall()
    await house.awaited().command(house.yard, "rope-wall push", floor=5, side="left")
    await house.settle()
    media = next(part for part in walk(house.board()["components"]) if part.get("type") == 12)
    described = media["items"][0]["description"]
    letter = "AB"[house.view().recent[0].seat]
    assert f"floor 5: {letter} . . . ." in described
    shown = await house.press(house.ben, "Text view")
    assert f"L5 > [ {letter} . . . . ]" in shown.text
    picture = house.sandbox.file(media["items"][0]["media"]["url"])
    assert picture.startswith(b"\x89PNG") and len(picture) <= 60_000


async def test_the_rules_can_be_leafed_through_by_anybody_also_outside_a_table(house: House):
    page = await house.cleo.command(house.yard, "rules", game="rope_wall")
    assert "the aim" in page.text
    for words in ("at least one bend", "Small print"):
        page = await house.press(house.cleo, "Next ▶", page)
        assert words in page.text
    page = await house.press(house.cleo, "◀ Back", page)
    assert "at least one bend" in page.text


async def test_what_is_kept_replays_by_itself(house: House):
    await house.two_at_the_wall()
    for number in range(30):
        await choose_or_push(house, number)
    decisions = await house.client.tables.store.games.decisions(1)
    assert decisions[0].action is None and len(decisions) == 31
    for row in decisions[1:]:
        assert isinstance(GAME.read_action(row.action or ""), Push | ChooseExits)
    first = msgspec.json.decode((await house.client.tables.store.games.events(1))[0])
    assert first["material"]["knots"] == 13 and "options" in first
