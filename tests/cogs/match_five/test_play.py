"""Whole games of Match Five, as people play them: by the panel, in one line, with computers, with closed DMs."""

import threading

import pytest

from engine.contract import Seat
from engine.games.match_five import GAME, MatchFiveView, Places
from sandbox import Answer, Person
from tests.cogs.conftest import House


async def table(house: House, people: int = 2, **options: object) -> None:
    """Let people sit down and begin."""
    await house.ann.command(house.yard, "match-five start", clock=0, **options)
    for person in (house.ben, house.cleo)[: people - 1]:
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()


def view(house: House) -> MatchFiveView:
    """What whoever is to play sees."""
    live = house.session().table
    shown = live.view(live.view(None).waiting[0])
    assert isinstance(shown, MatchFiveView)
    return shown


def menu(panel: Answer, placeholder: str) -> dict:
    """The select of a panel whose placeholder begins like this."""
    return next(part for part in Person.buttons(panel) if part.get("placeholder", "").startswith(placeholder))


async def lay_one(house: House, panel: Answer, tile: str) -> Answer:
    """Choose a tile and the best place for it."""
    who = house.awaited()
    panel = await who.press(panel, menu(panel, "Which tile?")["custom_id"], values=[tile])
    if "There is no place" in panel.text:
        return panel
    places = menu(panel, "Where?")
    return await who.press(panel, places["custom_id"], values=[places["options"][0]["value"]])


async def turn(house: House) -> None:
    """Let whose turn it is put a play together on the panel, as they find one; else swap or pass."""
    who = house.awaited()
    panel = await house.press(who, "Play")
    for tile in sorted(set(view(house).hands[view(house).turn or 0] or ())):
        panel = await lay_one(house, panel, tile)
        if lay := [part for part in Person.buttons(panel) if str(part.get("label", "")).startswith("Lay for")]:
            await who.press(panel, lay[0]["custom_id"])
            return
    if view(house).bag:
        panel = await house.press(who, "Swap tiles", panel)
        await who.press(panel, menu(panel, "Which ones?")["custom_id"], values=["0"])
    else:
        await house.press(who, "Pass", panel)


async def test_a_play_is_put_together_on_the_panel_and_taken_back_and_laid(house: House):
    await table(house)
    who = house.awaited()
    hand = view(house).hands[view(house).turn or 0] or ()
    panel = await house.press(who, "Play")
    first = next(tile for tile in hand if tile != "w")
    panel = await lay_one(house, panel, first)
    assert f"{first[1]} points so far" in panel.text or "1 point so far" in panel.text
    back = await house.press(who, "Take back", panel)
    assert "Choose a tile" in back.text
    panel = await lay_one(house, back, first)
    label = next(str(p["label"]) for p in Person.buttons(panel) if str(p.get("label", "")).startswith("Lay for"))
    await house.press(who, label, panel)
    await house.settle()
    assert f"laid {first}@M12: **{first[1]}**" in house.public()
    assert house.awaited() is not who


async def test_the_panel_goes_on_after_a_restart(house: House):
    await table(house)
    who = house.awaited()
    panel = await house.press(who, "Play")
    first = next(tile for tile in view(house).hands[view(house).turn or 0] or () if tile != "w")
    panel = await lay_one(house, panel, first)
    await house.restart()
    label = next(str(p["label"]) for p in Person.buttons(panel) if str(p.get("label", "")).startswith("Lay for"))
    await house.press(who, label, panel)
    assert len(house.session().table.view(None).stones) == 1


@pytest.mark.parametrize(("people", "options"), [(2, {}), (3, {"placement": "one_line"})])
async def test_a_whole_game_by_the_panel_ends(house: House, people: int, options: dict[str, str]):
    await table(house, people, copies=3, **options)
    turns = 0
    while house.session().table.playing and turns < 120:
        await turn(house)
        turns += 1
    await house.settle()
    live = house.session().table
    assert live.row.status == "over"
    assert GAME.fold([GAME.read_event(body) for body in await live.store.events(1)]) == live.state
    assert "win" in house.public()
    sheet = await house.press(house.cleo, "Score sheet")  # open to all, also after the end
    assert "Score sheet" in sheet.text and "laid" in sheet.text
    assert "The game is over" in Person.visible_text(house.ben.dms()[-1])


async def test_turns_by_slash_commands_with_what_completion_offers(house: House):
    await table(house, copies=3)
    for number in range(12):
        who, seen = house.awaited(), view(house)
        offered = await who.choices(house.yard, "match-five play", focus="tiles", tiles="")
        assert len(offered) <= 25
        if not offered:
            swaps = await who.choices(house.yard, "match-five swap", focus="tiles", tiles="")
            answer = await who.command(house.yard, "match-five swap", tiles=swaps[0]["value"])
            assert "You swapped" in answer.text
            continue
        words = offered[0]["value"]
        more = await who.choices(house.yard, "match-five play", focus="tiles", tiles=f"{words} ")
        if number % 2 and more:
            words = more[0]["value"]
        answer = await who.command(house.yard, "match-five play", tiles=words)
        assert "You laid" in answer.text
        assert len(house.session().table.view(None).stones) == len(seen.stones) + len(words.split())


async def test_completing_a_swap_looks_for_no_plays(house: House, monkeypatch: pytest.MonkeyPatch):
    await table(house)
    who, hand = house.awaited(), view(house).hands[view(house).turn or 0] or ()

    def searched(*_: object) -> None:
        raise AssertionError("nobody asked for plays")

    monkeypatch.setattr(Places, "__init__", searched)
    offered = await who.choices(house.yard, "match-five swap", focus="tiles", tiles="")
    assert {one["value"] for one in offered} >= set(hand)
    assert await house.idle().choices(house.yard, "match-five swap", focus="tiles", tiles="") == []


async def test_what_a_computer_may_do_is_never_looked_for_on_the_event_loop(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    searching: list[threading.Thread] = []
    search = Places.__init__

    def noted(places: Places, *about: object) -> None:
        searching.append(threading.current_thread())
        search(places, *about)

    monkeypatch.setattr(Places, "__init__", noted)
    await house.ann.command(house.yard, "match-five start", clock=0, computer="warden", computers=1)
    await house.press(house.ann, "Start")
    await house.settle()
    for _ in range(3):
        await house.turn(3_000)
        if view(house).turn == 0:
            tile = (view(house).hands[0] or ())[0]
            assert "You swapped" in (await house.ann.command(house.yard, "match-five swap", tiles=tile)).text
            await house.settle()
    await house.turn(3_000)
    assert any(turn.seat == 1 and turn.kind == "play" for turn in view(house).turns)
    assert searching and threading.main_thread() not in searching


async def test_a_half_typed_play_that_cannot_be_laid_is_completed_with_nothing(house: House):
    await table(house)
    who = house.awaited()
    for typed in ("w@M12 ", "w@M12", "r3@M12 r3@ZZZZZ12 ", "r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 r1@M12 "):
        assert await who.choices(house.yard, "match-five play", focus="tiles", tiles=typed) == []


async def test_wrong_plays_are_told_with_the_rule(house: House):
    await table(house)
    who, other = house.awaited(), house.idle()
    held = view(house).hands[view(house).turn or 0] or ()
    tile = next(tile for tile in held if tile != "w")
    missing = next(f"{colour}{number}" for colour in "rbygo" for number in "12345" if f"{colour}{number}" not in held)
    for command, options, words in (
        ("play", {"tiles": "rubbish"}, "I cannot read"),
        ("play", {"tiles": f"{missing}@M12"}, "do not hold"),
        ("play", {"tiles": f"{tile}@M12 {tile}@Z99"}, ""),
        ("swap", {"tiles": "q9"}, "There is no tile"),
        ("swap", {"tiles": missing}, "do not hold"),
        ("pass", {}, "you play or swap"),
        ("board", {"around": "??"}, "no place"),
    ):
        answer = await who.command(house.yard, f"match-five {command}", **options)
        assert words in answer.text and len(answer.text) > 15, (command, answer.text)
    assert f"{who.name}" in (await other.command(house.yard, "match-five play", tiles=f"{tile}@M12")).text
    assert house.session().table.view(None).stones == ()


async def test_nobody_else_finds_the_hand_anywhere(house: House):
    house.cleo.dms_open = False
    await table(house, 3)
    for who in (house.ann, house.ben, house.cleo):
        hand = await house.press(who, "Play")
        assert "hand" in hand.text.lower() or "Your play" in hand.text
    assert house.cleo.dms() == []
    live = house.session().table
    for seat, person in enumerate((house.ann, house.ben, house.cleo)):
        other = live.view(Seat((seat + 1) % 3))
        assert isinstance(other, MatchFiveView) and other.hands[seat] is None
        assert (await person.command(house.yard, "match-five hand")).type == 4


async def test_a_board_region_and_a_stack_can_be_read_as_text(house: House):
    await table(house)
    await turn(house)
    region = await house.ann.command(house.yard, "match-five board", around="M12")
    assert "```" in region.text and "M" in region.text
    stack = await house.ann.command(house.yard, "match-five board", around="M12", side=True)
    assert "1" in stack.text


async def test_swapping_by_the_panel_takes_the_turn(house: House):
    await table(house)
    who = house.awaited()
    before = view(house).hands[view(house).turn or 0]
    panel = await house.press(who, "Play")
    panel = await house.press(who, "Swap tiles", panel)
    await who.press(panel, menu(panel, "Which ones?")["custom_id"], values=["0", "3"])
    await house.settle()
    assert house.awaited() is not who and "swapped 2 tiles" in house.public()
    assert house.session().table.view(Seat(0 if who is house.ann else 1)).hands != before


async def test_a_draft_of_an_earlier_turn_or_a_forged_one_does_nothing(house: House):
    await table(house)
    who = house.awaited()
    panel = await house.press(who, "Play")
    tile = next(tile for tile in view(house).hands[view(house).turn or 0] or () if tile != "w")
    panel = await lay_one(house, panel, tile)
    lay = next(p["custom_id"] for p in Person.buttons(panel) if str(p.get("label", "")).startswith("Lay for"))
    head, _, _ = lay.rpartition(":")
    for forged in ("x", "r9@M12;;0", "r1@M12 r1@M12;;0", ";;", "@;;0", f"{tile}@ZZZZZ9999999;;0"):
        answer = await who.forge(panel, f"{head}:{forged}")
        assert answer.type in (4, 7) and house.session().table.view(None).stones == ()
    await who.command(house.yard, "match-five play", tiles=f"{tile}@M12")
    assert "earlier moment" in (await who.press(panel, lay)).text


async def test_who_leaves_in_the_middle_is_played_for_until_the_game_is_over(house: House):
    await house.ann.command(house.yard, "match-five start", clock=0, computer="rookie", computers=1, copies=3)
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    asked = await house.press(house.ann, "Leave")
    await house.press(house.ann, "Leave, let it play", asked)
    await house.finish(house.ben)
    assert house.session().table.row.status == "over"
