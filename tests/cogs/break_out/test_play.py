"""Break-Out as people play it: by the panel, by slash commands, by typed words; caught or not; with restarts."""

import asyncio
import re
from typing import Any

import msgspec
import pytest

from cogs.core.tables.snapshot import Position
from data.store import StoreError
from engine.contract import Seat
from engine.games.break_out import GAME, BreakOutView, State
from sandbox import ActionResult, UserClient
from tests.engine.games.cellblocks import Cells
from tools.harness.bot_harness import House
from tools.harness.drivers.break_out import do, menu, person, pick, play_on, plays, say_next, view


async def table(house: House, people: int = 3, **options: str | int) -> None:
    """Let people sit down and begin."""
    await house.begin("break-out", *(house.ben, house.cleo)[: people - 1], **options)


def mine(house: House) -> BreakOutView:
    """What whose turn it is sees."""
    return view(house, view(house).turn)


def others(house: House) -> list[UserClient]:
    """Everybody but whose window is open, clockwise after them."""
    window = view(house).window
    assert window is not None
    seats = len(view(house).counts)
    return [person(house, (window.seat + step) % seats) for step in range(1, seats)]


def deal(house: House, **changed: object) -> None:
    """Put the cards of the running table as a test needs them."""
    live = house.session().table
    state = msgspec.structs.replace(live.snapshot.state, **changed)
    position = Position(state, live.snapshot.version, live.game.deadlines(state))
    live.snapshot = live.snapshot.after(live.snapshot.row, position=position)


def give(house: House, *hands: str) -> None:
    """Deal these hands, to seat 0 and on."""
    deal(house, hands=tuple(tuple(hand.split()) for hand in hands))


async def every_play(who: UserClient, panel: ActionResult) -> list[str]:
    """All sound plays, as *All plays* lists them; the panel goes back to the game."""
    more = await who.press(panel, label="All plays")
    listed = [option["label"] for option in menu(more, "Plays 1")["options"]]
    await who.press(more, label="◀ Back to the game")
    return listed


def cockpit(house: House, who: UserClient) -> dict[str, Any]:
    """Somebody's panel in the channel, as it stands now."""
    return who.ephemerals(house.yard)[-1]


async def catch_button(house: House, who: UserClient, kind: str) -> ActionResult:
    """Press the call on the table message."""
    label = next(
        str(part["label"]) for part in UserClient.buttons(house.board()) if str(part.get("label", "")).startswith(kind)
    )
    return await house.press(who, label)


# ------------------------------------------------------------------------------------------------------------ a turn


async def test_picked_cards_stay_until_their_player_goes_back_from_them(house: House):
    await table(house, 2)
    give(house, "r3 b3 g3 o7 w d v1", "r3 b3 g3 o7 w d v1")
    who = person(house, view(house).turn)
    panel = await pick(house, who, await house.press(who, "Play"), "o7")
    assert "**Picked:**" in panel.text
    await house.settle()
    panel = await house.press(who, "Play")
    assert "**Picked:**" in panel.text
    await house.settle()
    await house.press(who, "◀ Back to the game", panel)
    await house.settle()
    assert "**Picked:**" not in (await house.press(who, "Play")).text


async def test_a_sound_meld_is_two_taps_away_from_the_table(house: House):
    await table(house, 2)
    hand = "r3 b3 g3 o7 w d v1"
    give(house, hand, hand)
    who, seat = person(house, view(house).turn), view(house).turn
    panel = await house.press(who, "Play")
    assert "Meld blue 3 green 3 red 3" in plays(panel)
    laid = await do(who, panel, "Meld blue 3 green 3 red 3")
    assert {card.face for card in view(house).melds[1].cards} == {"r3", "b3", "g3"}
    assert "Your move" in laid.text and "Meld blue 3 green 3 red 3" not in plays(laid)
    await house.settle()
    assert "laid blue 3, green 3, red 3" in house.public()
    await who.press(laid, label="NEXT")
    await house.turn(500)
    assert view(house).turn != seat


async def test_any_cards_are_picked_by_hand_in_three_taps(house: House):
    await table(house, 2)
    bad = "r3 b4 g5 o7 w d v1"
    give(house, bad, bad)
    who = person(house, view(house).turn)
    panel = await house.press(who, "Play")
    panel = await pick(house, who, panel, "r3", "b4", "g5")
    assert "**Picked:** red 3, blue 4, green 5" in panel.text and plays(panel) == []
    await do(who, panel, "Meld")
    assert {card.face for card in view(house).melds[1].cards} == {"r3", "b4", "g5"}


async def test_all_that_is_sound_stands_behind_more_plays(house: House):
    await table(house, 2)
    hand = "r3 b3 g3 o3 r4 r5 w w s"
    give(house, hand, hand)
    who = person(house, view(house).turn)
    panel = await house.press(who, "Play")
    assert len(plays(panel)) == 2
    more = await who.press(panel, label="All plays")
    offered = [option["label"] for option in menu(more, "Plays 1 to 25")["options"]]
    assert len(offered) == 25
    await do(who, more, offered[7])
    assert len(view(house).melds) == 2 or view(house).out[view(house).turn or 0]


async def test_a_wild_is_asked_for_only_where_it_is_not_clear(house: House):
    await table(house, 2, referee="strict")
    hand = "r5 r6 b5 g5 w w v1"
    give(house, hand, hand)
    who = person(house, view(house).turn)
    panel = await house.press(who, "Play")
    clear = await pick(house, who, panel, "b5", "g5", "w")
    assert plays(clear) == ["Break out: blue 5 green 5 Wild"]
    unclear = await pick(house, who, clear, "r5", "r6", "w")
    assert plays(unclear) == ["Break out: Wild as red 4, 5 6", "Break out: red 5 6, Wild as 7"]
    refused = await who.command(house.yard, "break-out break-out", route=1, cards="r5 r6 w")
    assert "Say what the Wild stands for" in refused.text
    taken = await who.command(house.yard, "break-out break-out", route=1, cards="r5 r6 w=r7")
    assert "You are out" in taken.text and view(house).out[view(house).turn or 0]


async def test_a_card_of_ones_cell_is_exchanged_for_a_wild_by_panel_and_by_command(house: House):
    await table(house, 2)
    seat = view(house).turn or 0
    cells = Cells("o7", "o7", cell={seat: ["b2 b3 b4 b5", "r2 b2 g2"]}, yard=["r5 g5 w=5 w=5"]).state
    deal(house, melds=cells.melds, out=(True, True), names=cells.names, dealt=cells.dealt)
    give(house, "o7 v7", "o7 v7")
    who = person(house, seat)
    panel = await house.press(who, "Play")
    assert "Swap blue 5 of cell for Wild in meld 3" in await every_play(who, panel)
    assert (
        "You swapped a blue 5 for a Wild" in (await who.command(house.yard, "break-out swap", meld=3, card="b5")).text
    )
    assert view(house, seat).hand == ("o7", "v7", "w")
    assert [len(meld.cards) for meld in view(house).melds] == [1, 3, 3, 4]
    refused = await who.command(house.yard, "break-out swap", meld=3, card="r2")
    assert "Single cards may leave" in refused.text  # what would stay of that meld is none


async def test_every_action_has_a_slash_command(house: House):
    await table(house, 2, referee="strict")
    hands = "r3 b3 g3 y3 w s d o2 o3 o4 v7"
    give(house, hands, hands)
    deal(house, place="y7")
    who = person(house, view(house).turn)
    yard = house.yard
    seat = view(house).turn or 0
    assert "You took" in (await who.command(yard, "break-out draw")).text
    offered = await who.choices(yard, "break-out meld", focus="cards", cards="")
    assert 0 < len(offered) <= 25
    assert "You laid" in (await who.command(yard, "break-out meld", cards="o2 o3 o4")).text
    name = view(house).melds[1].id
    assert "You are out" in (await who.command(yard, "break-out break-out", route=4, moves="none")).text
    assert "Moved" in (await who.command(yard, "break-out move", melds=str(name))).text
    assert "You laid" in (await who.command(yard, "break-out meld", cards="r3 b3 w=3")).text
    made = view(house).melds[-1].id
    assert "You swapped a green 3 for a Wild" in (await who.command(yard, "break-out swap", meld=made, card="g3")).text
    melds = await who.choices(yard, "break-out extend", focus="meld", meld="", cards="y3")
    assert str(made) in [str(choice["value"]) for choice in melds]
    assert "Added" in (await who.command(yard, "break-out extend", meld=made, cards="y3")).text
    assert "first card" in (await who.command(yard, "break-out draw-card")).text
    assert "NEXT" in (await who.command(yard, "break-out next")).text
    await house.settle()
    assert view(house, seat).hand == ("y7", "v7", "w", "d") and view(house).turn != seat
    for command, options in (
        ("call", {"kind": "draw"}),
        ("point", {"meld": made}),
        ("give", {"card": "r3"}),
    ):
        answer = await who.command(yard, f"break-out {command}", **options)
        assert len(answer.text) > 15
    assert "hand" in (await who.command(yard, "break-out hand")).text.lower()


async def test_wrong_plays_are_told_with_the_rule(house: House):
    await table(house, 2, referee="strict")
    hand = "r3 b3 g4 y7 w d v1"
    give(house, hand, hand)
    who, other = person(house, view(house).turn), person(house, 1 - (view(house).turn or 0))
    for command, options, words in (
        ("next", {}, "Play a card or take"),
        ("meld", {"cards": "r3 b3 g4"}, "neither a set"),
        ("meld", {"cards": "nonsense!"}, "cannot read"),
        ("meld", {"cards": "o6 o5 o4"}, "do not hold"),
        ("meld", {"cards": "r3 b3"}, "3 to 6"),
        ("extend", {"meld": 0, "cards": "r3"}, "break out first"),
        ("extend", {"meld": 77, "cards": "r3"}, "no such meld"),
        ("break-out", {"route": 3}, "held 9 cards"),
        ("break-out", {"route": 4}, "do not hold"),
        ("draw-card", {}, "break out first"),
        ("move", {"melds": "x"}, "no list of melds"),
        ("call", {"kind": "meld"}, "nothing to call"),
    ):
        answer = await who.command(house.yard, f"break-out {command}", **options)
        assert words in answer.text, (command, answer.text)
    assert who.name in (await other.command(house.yard, "break-out draw")).text


# --------------------------------------------------------------------------------------------------------- catching


async def test_who_neither_played_nor_drew_is_caught_with_draw_and_given_a_card(house: House):
    await table(house, 3)
    await say_next(house)
    window = view(house).window
    assert window is not None
    catcher = others(house)[1]
    before = house.public()
    answer = await catch_button(house, catcher, "DRAW!")
    assert "what comes of it is told in a moment" in answer.text and answer.message["flags"] & 64
    await house.settle()
    assert house.public() == before  # nobody else is told before the tie period is over
    await house.turn(2_000)
    name = house.session().table.snapshot.seats[window.seat].name
    assert re.search(rf". \*\*{name}\*\* with \*\*DRAW!\*\* – no card was played or taken", house.public())
    caught = person(house, window.seat)
    panel = cockpit(house, catcher)
    shown = UserClient.visible_text(panel)
    assert re.search(rf"You caught . \*\*{name}\*\*!", shown) and "What comes of it" not in shown
    await catcher.press(panel, next(p["custom_id"] for p in UserClient.buttons(panel) if ":give:" in p["custom_id"]))
    await house.settle()
    assert view(house).counts[window.seat] == 9  # the draw card and the gift
    letter = UserClient.visible_text(caught.dms()[-1])
    assert "You had to take" in letter and f"**{catcher.name}** gave you" in letter
    for stranger in (house.ann, house.ben, house.cleo):
        if stranger not in (caught, catcher):
            assert "gave you" not in UserClient.visible_text(stranger.dms()[-1])


async def test_a_right_call_calls_nothing_at_discord_and_delays_no_computer_until_its_tie_period_is_over(house: House):
    """Else whoever watches the edits of the message, or how soon a computer moves, would know of it."""
    await table(house, 2, computer="rookie")
    computers = house.computers()
    deal(house, turn=Seat(0), window=None, said=None, acts=(), drew=None)
    computers.forget()
    await say_next(house, 0)
    await house.turn(500)
    assert view(house).turn == 1 and view(house).window is not None
    meant = computers._meant[Seat(1)]
    before = len(house.sandbox.calls)
    answer = await catch_button(house, house.ben, "DRAW!")
    await house.settle()
    assert "what comes of it is told in a moment" in answer.text and house.session().table.snapshot.state.window.right
    own = f"/channels/{house.ben.dm.id}/"  # where nobody else looks
    made = [call for call in house.sandbox.calls[before:] if "/callback" not in call.path and own not in call.path]
    assert made == []
    after = computers._meant[Seat(1)]
    assert after.due == meant.due and after.view is meant.view, "it has not been asked again"
    assert after.version == house.session().table.snapshot.version


async def test_a_bad_meld_looks_like_any_other_until_it_is_called_and_comes_back(house: House):
    await table(house, 3)
    bad = "r3 b4 g5 o7 w d v1"
    give(house, bad, bad, bad)
    who = person(house, view(house).turn)
    seat = view(house).turn or 0
    panel = await house.press(who, "Play")
    panel = await pick(house, who, panel, "r3", "b4", "g5")
    await do(who, panel, "Meld")
    await say_next(house)
    assert "laid red 3, blue 4, green 5" in house.public() and "bad meld" not in house.public().lower()
    first, second = others(house)
    await asyncio.gather(catch_button(house, second, "MELD!"), catch_button(house, first, "MELD!"))
    await house.turn(2_000)
    assert f"**{first.name}** caught" in house.public()  # a tie: the nearest clockwise
    assert "red 3, blue 4, green 5: neither a set" in house.public()
    assert sorted(view(house, seat).hand) == sorted(bad.split())
    await house.turn(31_000)  # the catcher sleeps: the dearest card is given
    assert len(view(house, seat).hand) == 8 and "d" in view(house, seat).hand
    assert "gave" in house.public() and "which the clock chose" in house.public()
    told = UserClient.visible_text((await house.press(first, "Play")).message)
    assert "Your time ran out: " in told and "which counts most, went to" in told


async def test_a_wrong_call_is_told_and_a_second_one_refused(house: House):
    await table(house, 3)
    await house.press(person(house, view(house).turn), "Take a card")
    await say_next(house)
    caller = others(house)[0]
    await catch_button(house, caller, "DRAW!")
    await house.settle()
    assert "called DRAW! on" in house.public() and "was wrong" in house.public()
    await catch_button(house, caller, "DRAW!")
    await house.settle()
    assert "each call can be made once" in UserClient.visible_text(caller.ephemerals(house.yard)[0])


async def test_a_late_call_is_told_by_how_much_it_was_late(house: House):
    await table(house, 3)
    await say_next(house)
    old = house.board()
    caller = others(house)[1]
    label = next(str(p["label"]) for p in UserClient.buttons(old) if str(p.get("label", "")).startswith("DRAW!"))
    custom = next(p["custom_id"] for p in UserClient.buttons(old) if p.get("label") == label)
    await say_next(house)
    late = await caller.forge(house.board(), custom)
    assert "Too late, by " in late.text


async def test_next_said_early_is_kept_until_the_fair_moment(house: House):
    await table(house, 3)
    await say_next(house, 500)
    who = person(house, view(house).turn)
    await house.press(who, "Take a card")
    first = view(house).serial
    await house.press(who, "NEXT")
    await house.turn(3_000)
    assert view(house).phase == "next" and "It takes effect in a few seconds" in house.public()
    assert "<t:" not in house.public().split("It takes effect")[1].splitlines()[0]
    await house.turn(2_500)
    assert view(house).serial == first + 1


@pytest.mark.parametrize("moment", ["window", "kept", "tie", "gift"])
async def test_a_restart_inside_each_window_robs_nobody(house: House, moment: str):
    await table(house, 3)
    await say_next(house, 500)
    window = view(house).window
    assert window is not None
    caught, catcher = window.seat, others(house)[1]
    if moment == "kept":
        who = person(house, view(house).turn)
        await house.press(who, "Take a card")
        await house.press(who, "NEXT")
        assert view(house).phase == "next"
    if moment in ("tie", "gift"):
        await catch_button(house, catcher, "DRAW!")
    if moment == "gift":
        await house.turn(2_000)
        assert view(house).phase == "gift"
    await house.restart(60_000)
    await house.press(house.ann, "Text view")  # wakes the table
    if moment in ("window", "kept"):
        await catch_button(house, catcher, "DRAW!")
    if moment != "gift":
        await house.turn(2_000)
    assert view(house).phase == "gift" and view(house).caught == caught
    await house.turn(31_000)
    assert view(house).counts[caught] == 9
    state = house.session().table.snapshot.state
    assert isinstance(state, State)
    stored = await house.events()
    assert GAME.fold(stored) == state


async def test_what_was_left_of_a_window_is_left_after_a_restart_though_no_clock_runs(house: House):
    """The five seconds before the next NEXT takes effect did not pass while the bot was away."""
    await table(house, 3)
    await say_next(house, 500)
    assert house.session().table.snapshot.deadlines == ()
    await house.turn(1_000)
    await house.restart(60_000)
    await house.press(house.ann, "Text view")  # wakes the table
    who = person(house, view(house).turn)
    await house.press(who, "Take a card")
    await house.press(who, "NEXT")
    await house.turn(1_500)
    assert view(house).phase == "next" and "It takes effect" in house.public()
    await catch_button(house, others(house)[1], "DRAW!")
    await house.turn(2_000)
    assert view(house).phase == "gift"


async def test_typed_words_count_as_buttons_where_the_bot_may_read(house: House):
    await house.stop()
    house.sandbox.privileged_intents = {"message_content"}
    await house.start(read_messages=True)
    await table(house, 3)
    first = person(house, view(house).turn)
    await first.say(house.yard, "next!")
    await house.sandbox.until(lambda: view(house).phase == "next")
    await house.turn(500)
    assert view(house).window is not None
    await others(house)[0].say(house.yard, "Draw")
    await house.sandbox.until(lambda: house.session().table.snapshot.state.called is not None)
    await house.turn(2_000)
    assert view(house).phase == "gift" and view(house).catcher is not None
    await first.say(house.yard, "NEXT")
    said = "until the catcher has chosen"
    await house.sandbox.until(lambda: any(said in m["content"] for m in house.sandbox.messages(house.yard)))


async def test_a_typed_word_means_nothing_to_those_who_play_at_two_tables_of_a_channel(house: House):
    await house.stop()
    house.sandbox.privileged_intents = {"message_content"}
    await house.start(read_messages=True)
    await table(house, 3)
    await table(house, 3)
    both = [house.session(number).table for number in (1, 2)]
    assert all(live.snapshot.playing for live in both)
    before = [live.snapshot.version for live in both]
    for number in (1, 2):
        await person(house, house.view(table=number).turn).say(house.yard, "next!")
        await house.ann.command(house.yard, "tables")  # what came before it has been served when it is answered
        await house.settle()
    assert [live.snapshot.version for live in both] == before


async def test_a_typed_word_that_cannot_be_kept_is_told_in_a_sentence(house: House, monkeypatch, caplog):
    await house.stop()
    house.sandbox.privileged_intents = {"message_content"}
    await house.start(read_messages=True)
    await table(house, 3)

    async def full(*_: object, **__: object) -> object:
        raise StoreError("no room")

    monkeypatch.setattr(house.client.tables.store.games, "append", full)
    await person(house, view(house).turn).say(house.yard, "next!")
    await house.sandbox.until(
        lambda: any("nothing was done" in m["content"] for m in house.sandbox.messages(house.yard))
    )
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_bad_meld_can_be_pointed_at_later(house: House):
    await table(house, 3)
    bad = "r3 b4 g5 o7 w d v1"
    give(house, bad, bad, bad)
    who = person(house, view(house).turn)
    laid = await who.command(house.yard, "break-out meld", cards="r3 b4 g5")
    assert "You laid" in laid.text
    name = view(house).melds[1].id
    await say_next(house)
    early = await house.cleo.command(house.yard, "break-out point", meld=name)
    assert "can only be called" in early.text or "was changed" in early.text
    for _ in range(2):
        await house.press(person(house, view(house).turn), "Take a card")
        await say_next(house)
    panel = await house.press(house.cleo, "Point at a meld")
    await house.cleo.press(panel, menu(panel, "Which meld")["custom_id"], values=[str(name)])
    await house.settle()
    assert "pointed at a bad meld: its 3 cards left the game" in house.public()
    assert [meld.id for meld in view(house).melds] == [0]


# ---------------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize(("people", "options"), [(2, {"referee": "strict"}), (3, {})])
async def test_a_whole_game_by_the_panel_ends(house: House, people: int, options: dict[str, str]):
    await table(house, people, rounds=1, **options)
    await play_on(house, 220)
    await house.settle()
    live = house.session().table
    assert live.snapshot.row.status == "over"
    assert GAME.fold(await house.events()) == live.snapshot.state
    assert "fewest points" in house.public()


async def test_with_a_closed_dm_everything_is_on_my_hand(house: House):
    house.ben.dms_open = False
    await table(house, 2)
    hand = await house.press(house.ben, "Play")
    assert "Your hand" in hand.text
    assert house.ben.dms() == []


def first(page: dict[str, Any], *verbs: str) -> str | None:
    """The first control on a page that can be pressed, of the first of these verbs that has one."""
    found = [p["custom_id"] for p in UserClient.buttons(page) if "custom_id" in p and not p.get("disabled")]
    return next((one for verb in verbs for one in found if one.split(":")[3] == verb), None)


async def press_first(house: House, who: UserClient, where: str, *verbs: str) -> bool:
    """Press the first of these controls in somebody's cockpit, in the channel or in their direct messages."""
    await house.settle()
    page = cockpit(house, who) if where == "panel" else who.dms()[-1]
    control = first(page, *verbs)
    if control is not None:
        await who.press(page, control)
    return control is not None


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_whole_game_is_played_in_the_cockpit_alone(house: House, where: str):
    await table(house, 2, rounds=2)
    people = (house.ann, house.ben)
    for who in people if where == "panel" else ():
        await house.press(who, "Play")
    before, paused = len(house.sandbox.messages(house.yard)), False
    for _ in range(300):
        if not house.session().table.snapshot.playing:
            break
        now = view(house)
        if now.interlude is not None:
            paused = True
            for who in people:
                assert await press_first(house, who, where, "ready")
        elif now.phase != "turn":
            await house.turn(11_000 if now.phase == "last" else 5_500)
        else:
            assert await press_first(house, person(house, now.turn), where, "lay", "draw", "next")
    assert house.session().table.snapshot.row.status == "over" and paused
    assert len(house.sandbox.messages(house.yard)) <= before + 1, "nothing but the end is a message of its own"


async def test_the_catcher_gives_a_card_in_the_direct_message(house: House):
    await table(house, 2)
    await say_next(house, 500)
    catcher = others(house)[0]
    assert await press_first(house, catcher, "direct message", "call")
    await house.turn(2_000)
    assert view(house).phase == "gift"
    assert "no card was played or taken" in UserClient.visible_text(catcher.dms()[-1])
    assert await press_first(house, catcher, "direct message", "give")
    assert view(house).phase != "gift"


async def test_the_servers_usual_referee_is_taken_unless_one_is_named(house: House):
    told = await house.ann.command(house.yard, "settings referee", game="break_out", kind="strict")
    assert "strict" in told.text
    await table(house, 2)
    assert view(house).referee == "strict"
    await house.begin("break-out", house.ben, referee="honour")
    assert house.view(table=2).referee == "honour"


async def test_cards_that_are_picked_stay_picked_while_others_act(house: House):
    await table(house, 3)
    await say_next(house, 500)
    who, caller = others(house)
    panel = await house.press(who, "Play")
    await pick(house, who, panel, *view(house, view(house).turn).hand[:2])
    await catch_button(house, caller, "MELD!")
    await house.settle()
    assert "was wrong" in house.public()
    assert "**Picked:**" in UserClient.visible_text(cockpit(house, who))


async def test_cards_that_are_picked_stay_picked_on_a_page_that_is_opened_anew(house: House):
    await table(house)
    who = house.awaited()
    await pick(house, who, await house.press(who, "Play"), *view(house, view(house).turn).hand[:2])
    await house.settle()
    assert "**Picked:**" in (await house.press(who, "Play")).text


async def test_the_length_of_a_game_is_told_in_words_before_it_begins(house: House):
    await house.ann.command(house.yard, "break-out start", rounds=2)
    assert "Length: Short (2 rounds)" in house.public()
    options = await house.press(house.ann, "Options")
    words = [option["label"] for option in menu(options, "Length")["options"]]
    assert words[1:3] == ["Short (2 rounds)", "Half (3 rounds)"] and words[-1] == "Whole (6 rounds)"
