"""Break-Out as people play it: on private pages, by slash commands and typed words; caught or not; with restarts."""

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
from tests.engine.games.break_out_positions import ScriptedRound
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.break_out import do, menu, pick, play_on, plays, say_next, toggle, view


async def table(harness: BotHarness, people: int = 3, **options: str | int) -> None:
    """Seat people and start the game."""
    await harness.begin("break-out", *(harness.ben, harness.cleo)[: people - 1], **options)


def mine(harness: BotHarness) -> BreakOutView:
    """Return the view of the player on turn."""
    return view(harness, view(harness).turn)


def others(harness: BotHarness) -> list[UserClient]:
    """Return everybody but the player whose window is open, clockwise after them."""
    window = view(harness).window
    assert window is not None
    seats = len(view(harness).counts)
    return [harness.person_at((window.seat + step) % seats) for step in range(1, seats)]


def deal(harness: BotHarness, **changed: object) -> None:
    """Put the cards of the running table as a test needs them."""
    live = harness.messages().table
    state = msgspec.structs.replace(live.snapshot.state, **changed)
    position = Position(state, live.snapshot.version, live.game.deadlines(state))
    live.snapshot = live.snapshot.after(live.snapshot.row, position=position)


def give(harness: BotHarness, *hands: str) -> None:
    """Deal these hands, to seat 0 and on."""
    deal(harness, hands=tuple(tuple(hand.split()) for hand in hands))


async def every_play(who: UserClient, panel: ActionResult) -> list[str]:
    """Return all sound plays, as the page lists them on which cards are picked; the panel goes back to the game."""
    more = await who.press(panel, label="Pick cards")
    listed = [
        option["label"]
        for part in UserClient.buttons(more)
        if "legal play" in part.get("placeholder", "").lower()
        for option in part["options"]
    ]
    await who.press(more, label="◀ Back")
    return listed


def private_page(harness: BotHarness, who: UserClient) -> dict[str, Any]:
    """Return a person's private page in the channel as it is now."""
    return who.ephemerals(harness.yard)[-1]


async def catch_button(harness: BotHarness, who: UserClient, kind: str) -> ActionResult:
    """Press the call on the table message."""
    label = next(
        str(part["label"])
        for part in UserClient.buttons(harness.board())
        if str(part.get("label", "")).startswith(kind)
    )
    return await harness.press(who, label)


# ------------------------------------------------------------------------------------------------------------ a turn


async def test_picked_cards_stay_until_their_player_goes_back_from_them(harness: BotHarness):
    await table(harness, 2)
    give(harness, "r3 b3 g3 o7 w d v1", "r3 b3 g3 o7 w d v1")
    who = harness.person_at(view(harness).turn)
    panel = await pick(harness, who, await harness.press(who, "Play"), "o7")
    assert "**Picked:**" in panel.text
    await harness.settle()
    panel = await harness.press(who, "Play")
    assert "**Picked:**" in panel.text
    await harness.settle()
    await harness.press(who, "◀ Back", panel)
    await harness.settle()
    assert "**Picked:**" not in (await harness.press(who, "Play")).text


async def test_a_sound_meld_is_two_taps_away_from_the_table(harness: BotHarness):
    await table(harness, 2)
    hand = "r3 b3 g3 o7 w d v1"
    give(harness, hand, hand)
    who, seat = harness.person_at(view(harness).turn), view(harness).turn
    panel = await harness.press(who, "Play")
    assert "Meld blue 3 green 3 red 3" in plays(panel)
    laid = await do(who, panel, "Meld blue 3 green 3 red 3")
    assert {card.face for card in view(harness).melds[1].cards} == {"r3", "b3", "g3"}
    assert "Your move" in laid.text and "Meld blue 3 green 3 red 3" not in plays(laid)
    await harness.settle()
    assert "laid blue 3, green 3, red 3" in harness.public()
    await who.press(laid, label="NEXT")
    await harness.advance(500)
    assert view(harness).turn != seat


async def test_three_cards_are_laid_by_hand_in_five_taps_from_the_page(harness: BotHarness):
    """One to the page of cards, one for each card, one for what to do with them."""
    await table(harness, 2)
    bad = "r3 b4 g5 o7 w d v1"
    give(harness, bad, bad)
    who = harness.person_at(view(harness).turn)
    panel = await harness.press(who, "Play")
    panel = await pick(harness, who, panel, "r3", "b4", "g5")
    assert "**Picked:** red 3, blue 4, green 5" in panel.text
    assert all(label.startswith("Bluff: ") for label in plays(panel)) and len(plays(panel)) == 2
    await do(who, panel, "Bluff: Meld")
    assert {card.face for card in view(harness).melds[1].cards} == {"r3", "b4", "g5"}


async def test_all_that_is_sound_is_behind_more_plays(harness: BotHarness):
    await table(harness, 2)
    hand = "r3 b3 g3 o3 r4 r5 w w s"
    give(harness, hand, hand)
    who = harness.person_at(view(harness).turn)
    panel = await harness.press(who, "Play")
    assert len(plays(panel)) == 2
    more = await who.press(panel, label="Pick cards")
    offered = [option["label"] for option in menu(more, "Legal plays 1 to 25")["options"]]
    assert len(offered) == 25
    await do(who, more, offered[7])
    assert len(view(harness).melds) == 2 or view(harness).out[view(harness).turn or 0]


async def test_a_wild_is_asked_for_only_where_it_is_not_clear(harness: BotHarness):
    await table(harness, 2, referee="strict")
    hand = "r5 r6 b5 g5 w w v1"
    give(harness, hand, hand)
    who = harness.person_at(view(harness).turn)
    panel = await harness.press(who, "Play")
    clear = await pick(harness, who, panel, "b5", "g5", "w")
    assert plays(clear) == ["Break out: blue 5 green 5 Wild"]
    unclear = await pick(harness, who, await who.press(clear, label="◀ Back"), "r5", "r6", "w")
    assert plays(unclear) == ["Break out: red 5 6, Wild as 4", "Break out: red 5 6, Wild as 7"]
    refused = await who.command(harness.yard, "break-out break-out", route=1, cards="r5 r6 w")
    assert "Say which card the Wild represents" in refused.text
    taken = await who.command(harness.yard, "break-out break-out", route=1, cards="r5 r6 w=r7")
    assert "You're out" in taken.text and view(harness).out[view(harness).turn or 0]


async def test_a_card_of_ones_cell_is_exchanged_for_a_wild_by_panel_and_by_command(harness: BotHarness):
    await table(harness, 2)
    seat = view(harness).turn or 0
    cells = ScriptedRound("o7", "o7", cell={seat: ["b2 b3 b4 b5", "r2 b2 g2"]}, yard=["r5 g5 w=5 w=5"]).state
    deal(harness, melds=cells.melds, out=(True, True), names=cells.names, dealt=cells.dealt)
    give(harness, "o7 v7", "o7 v7")
    who = harness.person_at(seat)
    panel = await harness.press(who, "Play")
    assert "Swap blue 5 from cell for Wild in meld 3" in await every_play(who, panel)
    assert (
        "You swapped a blue 5 for a Wild" in (await who.command(harness.yard, "break-out swap", meld=3, card="b5")).text
    )
    assert view(harness, seat).hand == ("o7", "v7", "w")
    assert [len(meld.cards) for meld in view(harness).melds] == [1, 3, 3, 4]
    refused = await who.command(harness.yard, "break-out swap", meld=3, card="r2")
    assert "only if the rest is still a meld" in refused.text  # the rest of that meld would be none


async def test_every_action_has_a_slash_command(harness: BotHarness):
    await table(harness, 2, referee="strict")
    hands = "r3 b3 g3 y3 w s d o2 o3 o4 v7"
    give(harness, hands, hands)
    deal(harness, place="y7")
    who = harness.person_at(view(harness).turn)
    yard = harness.yard
    seat = view(harness).turn or 0
    assert "You took" in (await who.command(yard, "break-out draw")).text
    offered = await who.choices(yard, "break-out meld", focus="cards", cards="")
    assert 0 < len(offered) <= 25
    assert "You laid" in (await who.command(yard, "break-out meld", cards="o2 o3 o4")).text
    name = view(harness).melds[1].id
    assert "You're out" in (await who.command(yard, "break-out break-out", route=4, moves="none")).text
    assert "Moved" in (await who.command(yard, "break-out move", melds=str(name))).text
    assert "You laid" in (await who.command(yard, "break-out meld", cards="r3 b3 w=3")).text
    made = view(harness).melds[-1].id
    assert "You swapped a green 3 for a Wild" in (await who.command(yard, "break-out swap", meld=made, card="g3")).text
    melds = await who.choices(yard, "break-out extend", focus="meld", meld="", cards="y3")
    assert str(made) in [str(choice["value"]) for choice in melds]
    assert "Added" in (await who.command(yard, "break-out extend", meld=made, cards="y3")).text
    assert "first card" in (await who.command(yard, "break-out draw-card")).text
    assert "NEXT" in (await who.command(yard, "break-out next")).text
    await harness.settle()
    assert view(harness, seat).hand == ("y7", "v7", "w", "d") and view(harness).turn != seat
    for command, options in (
        ("call", {"kind": "draw"}),
        ("point", {"meld": made}),
        ("give", {"card": "r3"}),
    ):
        answer = await who.command(yard, f"break-out {command}", **options)
        assert len(answer.text) > 15
    assert "hand" in (await who.command(yard, "break-out hand")).text.lower()


async def test_wrong_plays_are_refused_with_the_rule(harness: BotHarness):
    await table(harness, 2, referee="strict")
    hand = "r3 b3 g4 y7 w d v1"
    give(harness, hand, hand)
    who, other = harness.person_at(view(harness).turn), harness.person_at(1 - (view(harness).turn or 0))
    for command, options, words in (
        ("next", {}, "Play a card or take"),
        ("meld", {"cards": "r3 b3 g4"}, "neither a set"),
        ("meld", {"cards": "nonsense!"}, "can't read"),
        ("break-out", {"route": 2}, "say which with the option `meld`"),
        ("meld", {"cards": "o6 o5 o4"}, "don't hold"),
        ("meld", {"cards": "r3 b3"}, "3 to 6"),
        ("extend", {"meld": 0, "cards": "r3"}, "break out first"),
        ("extend", {"meld": 77, "cards": "r3"}, "no such meld"),
        ("break-out", {"route": 3}, "held 9 cards"),
        ("break-out", {"route": 4}, "don't hold"),
        ("draw-card", {}, "break out first"),
        ("move", {"melds": "x"}, "isn't a list of melds"),
        ("call", {"kind": "meld"}, "nothing to call"),
    ):
        answer = await who.command(harness.yard, f"break-out {command}", **options)
        assert words in answer.text, (command, answer.text)
    assert who.name in (await other.command(harness.yard, "break-out draw")).text


# --------------------------------------------------------------------------------------------------------- catching


async def test_a_player_who_neither_played_nor_drew_is_caught_with_draw_and_given_a_card(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness)
    window = view(harness).window
    assert window is not None
    catcher = others(harness)[1]
    before = harness.public()
    answer = await catch_button(harness, catcher, "DRAW!")
    assert "you'll see the result in a moment" in answer.text and answer.message["flags"] & 64
    await harness.settle()
    assert harness.public() == before  # nobody else learns it before the tie period is over
    await harness.advance(2_000)
    name = harness.snapshot().seats[window.seat].name
    assert re.search(rf"caught .\s\*\*{name}\*\*!\n▶ \*\*DRAW!\*\* – no card was played or taken", harness.public())
    caught = harness.person_at(window.seat)
    panel = private_page(harness, catcher)
    shown = UserClient.visible_text(panel)
    assert re.search(rf"You caught . \*\*{name}\*\*!", shown) and "the result in a moment" not in shown
    await catcher.press(panel, next(p["custom_id"] for p in UserClient.buttons(panel) if ":give:" in p["custom_id"]))
    await harness.settle()
    assert view(harness).counts[window.seat] == 9  # the draw card and the gift
    message = UserClient.visible_text(caught.dms()[-1])
    assert "You had to take" in message and f"**{catcher.name}** gave you" in message
    for stranger in (harness.ann, harness.ben, harness.cleo):
        if stranger not in (caught, catcher):
            assert "gave you" not in UserClient.visible_text(stranger.dms()[-1])


async def test_a_right_call_calls_nothing_at_discord_and_delays_no_computer_until_its_tie_period_is_over(
    harness: BotHarness,
):
    """Otherwise, the edits of the message or the delay of a computer would reveal it."""
    await table(harness, 2, computer="rookie")
    computers = harness.computers()
    deal(harness, turn=Seat(0), window=None, said=None, acts=(), drew=None)
    computers.forget()
    await say_next(harness, 0)
    await harness.advance(500)
    assert view(harness).turn == 1 and view(harness).window is not None
    meant = computers._planned[Seat(1)]
    before = len(harness.sandbox.calls)
    answer = await catch_button(harness, harness.ben, "DRAW!")
    await harness.settle()
    assert "you'll see the result in a moment" in answer.text and harness.snapshot().state.window.right
    own = f"/channels/{harness.ben.dm.id}/"  # where nobody else looks
    made = [call for call in harness.sandbox.calls[before:] if "/callback" not in call.path and own not in call.path]
    assert made == []
    after = computers._planned[Seat(1)]
    assert after.due == meant.due and after.view is meant.view, "it has not been asked again"
    assert after.version == harness.snapshot().version


async def test_a_bad_meld_looks_like_any_other_until_it_is_called_and_comes_back(harness: BotHarness):
    await table(harness, 3)
    bad = "r3 b4 g5 o7 w d v1"
    give(harness, bad, bad, bad)
    who = harness.person_at(view(harness).turn)
    seat = view(harness).turn or 0
    panel = await harness.press(who, "Play")
    panel = await pick(harness, who, panel, "r3", "b4", "g5")
    await do(who, panel, "Bluff: Meld")
    await say_next(harness)
    assert "laid red 3, blue 4, green 5" in harness.public() and "bad meld" not in harness.public().lower()
    first, second = others(harness)
    await asyncio.gather(catch_button(harness, second, "MELD!"), catch_button(harness, first, "MELD!"))
    await harness.advance(2_000)
    assert f"**{first.name}** caught" in harness.public()  # a tie: the nearest clockwise
    assert "red 3, blue 4, green 5: neither a set" in harness.public()
    assert sorted(view(harness, seat).hand) == sorted(bad.split())
    await harness.advance(31_000)  # the catcher is absent, so the most expensive card is given
    assert len(view(harness, seat).hand) == 8 and "d" in view(harness, seat).hand
    assert "gave" in harness.public() and "chosen by the clock" in harness.public()
    told = UserClient.visible_text((await harness.press(first, "Play")).message)
    assert "Your time ran out, so " in told and "got your costliest card" in told


async def test_a_wrong_call_is_reported_and_a_second_one_refused(harness: BotHarness):
    await table(harness, 3)
    await harness.press(harness.person_at(view(harness).turn), "Take a card")
    await say_next(harness)
    caller = others(harness)[0]
    await catch_button(harness, caller, "DRAW!")
    await harness.settle()
    assert "called DRAW! on" in harness.public() and "was wrong" in harness.public()
    await catch_button(harness, caller, "DRAW!")
    await harness.settle()
    assert "You can make each call once" in UserClient.visible_text(caller.ephemerals(harness.yard)[0])


def calls(harness: BotHarness) -> dict[str, bool]:
    """Return the call buttons on the table message: their labels, and whether they are enabled."""
    found = {str(one.get("label")): not one["disabled"] for one in UserClient.buttons(harness.board())}
    return {label: on for label, on in found.items() if label.startswith(("DRAW!", "MELD!"))}


async def test_D62_a_late_call_is_free_affects_nobody_and_reads_by_how_much_it_was_late(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness)
    first = view(harness).window
    assert first is not None
    old = harness.board()
    custom = next(p["custom_id"] for p in UserClient.buttons(old) if str(p.get("label", "")).startswith("DRAW!"))
    await say_next(harness, 600)
    second = view(harness).window
    assert second is not None and second.seat != first.seat
    caller = next(seat for seat in range(3) if seat not in (first.seat, second.seat))
    hand = view(harness, caller).hand
    late = await harness.person_at(caller).forge(harness.board(), custom)  # they still pressed the old one
    named = harness.snapshot().seated_players[first.seat].name
    assert "Too late by " in late.text and f"{named}** could be challenged" in late.text
    assert "costs you nothing" in late.text
    await harness.advance(3_000)
    assert view(harness, caller).hand == hand and view(harness).window == second and view(harness).phase == "turn"


async def test_D62_after_a_change_of_target_the_calls_rest_for_a_second_on_every_page(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness)
    first = view(harness).window
    assert first is not None
    caller = others(harness)[1]
    await harness.press(caller, "Play")
    await harness.settle()
    names = harness.snapshot().seated_players
    assert calls(harness) == {f"{call} {names[first.seat].label(16)}": True for call in ("DRAW!", "MELD!")}
    await say_next(harness, 600)  # of which 400 ms are the time to settle
    second = view(harness).window
    assert second is not None
    rests = {f"{call} {names[second.seat].label(16)}": False for call in ("DRAW!", "MELD!")}
    assert calls(harness) == rests
    own = {str(one.get("label")): not one["disabled"] for one in UserClient.buttons(private_page(harness, caller))}
    assert {label: on for label, on in own.items() if label in rests} == rests
    await harness.advance(1_100)
    assert calls(harness) == dict.fromkeys(rests, True)
    own = {str(one.get("label")): not one["disabled"] for one in UserClient.buttons(private_page(harness, caller))}
    assert {label: on for label, on in own.items() if label in rests} == dict.fromkeys(rests, True)


async def test_D62_the_command_takes_a_target(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness)
    window = view(harness).window
    assert window is not None
    other, seat = ((window.seat + step) % 3 for step in (1, 2))
    caller = harness.person_at(seat)
    offered = await caller.choices(harness.yard, "break-out call", focus="target", kind="draw", target="")
    assert {choice["value"] for choice in offered} == {0, 1, 2} - {seat}
    wrong = await caller.command(harness.yard, "break-out call", kind="draw", target=seat)
    assert "can't be challenged now" in wrong.text
    kept = await caller.command(harness.yard, "break-out call", kind="draw", target=other)
    assert "Your **DRAW!** counts if NEXT was said just before it." in kept.text
    await caller.command(harness.yard, "break-out call", kind="draw", target=int(window.seat))
    await harness.advance(2_000)
    assert view(harness).phase == "gift" and view(harness).caught == window.seat


async def test_D63_the_loser_of_a_tie_reads_who_was_nearer(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness)
    near, far = others(harness)
    window = view(harness).window
    assert window is not None
    for caller in (far, near):
        await harness.press(caller, "Play")
        await catch_button(harness, caller, "DRAW!")
    assert "nearer" not in harness.public()
    await harness.advance(2_100)
    assert view(harness).phase == "gift"
    who = harness.snapshot().seated_players[(window.seat + 1) % 3].name
    assert re.search(rf"was right, but .+{who}.. was nearer", far.visible_text(private_page(harness, far)))
    assert re.search(rf"called DRAW! too, but .+{who}.. was nearer", harness.public())


async def test_anyone_can_see_the_scores_at_any_time_without_secrets(harness: BotHarness):
    assert "is in progress here" in (await harness.cleo.command(harness.yard, "break-out scores")).text
    await table(harness, 2, rounds=1)
    for who in (harness.ann, harness.cleo):
        for options in ({}, {"table": 1}):
            shown = await who.command(harness.yard, "break-out scores", **options)
            assert "### Scores" in shown.text and "Totals: Ann 0, Ben 0." in shown.text
            assert "Your hand" not in shown.text
    offered = await harness.cleo.choices(harness.yard, "break-out scores", focus="table")
    assert [choice["value"] for choice in offered] == [1]
    await play_to_the_end(harness)
    shown = await harness.cleo.command(harness.yard, "break-out scores", table=1)
    assert "### Scores" in shown.text
    assert "no table 7" in (await harness.cleo.command(harness.yard, "break-out scores", table=7)).text


async def play_to_the_end(harness: BotHarness) -> None:
    while harness.snapshot().playing:
        await play_on(harness, 4)


async def test_next_said_early_is_kept_until_the_fair_moment(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness, 500)
    who = harness.person_at(view(harness).turn)
    await harness.press(who, "Take a card")
    first = view(harness).serial
    await harness.press(who, "NEXT")
    await harness.advance(3_000)
    assert view(harness).phase == "next" and "It takes effect in a few seconds" in harness.public()
    assert "<t:" not in harness.public().split("It takes effect")[1].splitlines()[0]
    await harness.advance(2_500)
    assert view(harness).serial == first + 1


@pytest.mark.parametrize("moment", ["window", "kept", "tie", "gift"])
async def test_a_restart_inside_each_window_robs_nobody(harness: BotHarness, moment: str):
    await table(harness, 3)
    await say_next(harness, 500)
    window = view(harness).window
    assert window is not None
    caught, catcher = window.seat, others(harness)[1]
    if moment == "kept":
        who = harness.person_at(view(harness).turn)
        await harness.press(who, "Take a card")
        await harness.press(who, "NEXT")
        assert view(harness).phase == "next"
    if moment in ("tie", "gift"):
        await catch_button(harness, catcher, "DRAW!")
    if moment == "gift":
        await harness.advance(2_000)
        assert view(harness).phase == "gift"
    await harness.restart(60_000)
    await harness.press(harness.ann, "Text view")  # wakes the table
    if moment in ("window", "kept"):
        await catch_button(harness, catcher, "DRAW!")
    if moment != "gift":
        await harness.advance(6_000 if moment == "tie" else 2_000)  # its window began again in full
    assert view(harness).phase == "gift" and view(harness).caught == caught
    await harness.advance(31_000)
    assert view(harness).counts[caught] == 9
    state = harness.snapshot().state
    assert isinstance(state, State)
    stored = await harness.events()
    assert GAME.fold(stored) == state


async def test_what_was_left_of_a_window_is_left_after_a_restart_though_no_clock_runs(harness: BotHarness):
    """The five seconds before the next NEXT takes effect did not pass while the bot was away."""
    await table(harness, 3)
    await say_next(harness, 500)
    assert harness.snapshot().deadlines == ()
    await harness.advance(1_000)
    await harness.restart(60_000)
    await harness.press(harness.ann, "Text view")  # wakes the table
    who = harness.person_at(view(harness).turn)
    await harness.press(who, "Take a card")
    await harness.press(who, "NEXT")
    await harness.advance(1_500)
    assert view(harness).phase == "next" and "It takes effect" in harness.public()
    await catch_button(harness, others(harness)[1], "DRAW!")
    await harness.advance(2_000)
    assert view(harness).phase == "gift"


async def next_is_typed(harness: BotHarness) -> UserClient:
    """Start a game that reads messages. Return the player on turn, who has typed NEXT."""
    await harness.stop()
    harness.sandbox.privileged_intents = {"message_content"}
    await harness.start(read_messages=True)
    await table(harness, 3)
    first = harness.person_at(view(harness).turn)
    await first.say(harness.yard, "next!")
    await harness.sandbox.until(lambda: view(harness).phase == "next")
    return first


async def test_typed_words_count_as_buttons_where_the_bot_may_read(harness: BotHarness):
    first = await next_is_typed(harness)
    await harness.advance(500)
    assert view(harness).window is not None
    await others(harness)[0].say(harness.yard, "Draw")
    await harness.sandbox.until(lambda: harness.snapshot().state.called is not None)
    await harness.advance(2_000)
    assert view(harness).phase == "gift" and view(harness).catcher is not None
    await first.say(harness.yard, "NEXT")
    said = "once the catcher has chosen"
    await harness.sandbox.until(lambda: any(said in m["content"] for m in harness.sandbox.messages(harness.yard)))


@pytest.mark.parametrize("gone", [True, False], ids=["deleted", "without the history of messages"])
async def test_who_typed_a_word_too_early_is_told_even_if_there_is_nothing_to_reply_to(harness: BotHarness, gone: bool):
    first = await next_is_typed(harness)
    if not gone:
        harness.sandbox.deny(harness.yard, "read_message_history")
    before = {message["id"] for message in harness.sandbox.messages(harness.yard)}
    said = await first.say(harness.yard, "next!")
    if gone:
        await first.delete(said)

    def told() -> bool:
        messages = [m for m in harness.sandbox.messages(harness.yard) if m["id"] not in before | {said["id"]}]
        return any(message["content"] for message in messages)

    await harness.sandbox.until(told)


async def test_a_typed_word_that_discord_delivers_again_is_passed_over(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"message_content"}
    await harness.start(read_messages=True)
    await table(harness, 3)
    first = harness.person_at(view(harness).turn)
    said = await first.say(harness.yard, "next!")
    await harness.sandbox.until(lambda: view(harness).phase == "next")
    before = len(harness.sandbox.messages(harness.yard))
    harness.sandbox.redeliver_message(said)
    await harness.advance(500)
    await first.say(harness.yard, "and now?")  # whatever the repeated message leads to comes before this
    await harness.advance(500)
    assert len(harness.sandbox.messages(harness.yard)) == before + 1


async def test_a_typed_word_counts_at_the_one_of_two_tables_where_it_applies_else_its_writer_is_asked(
    harness: BotHarness,
):
    await harness.stop()
    harness.sandbox.privileged_intents = {"message_content"}
    await harness.start(read_messages=True)
    await table(harness, 3)
    await table(harness, 3)
    both = [harness.messages(number).table for number in (1, 2)]

    async def say(seat: int | None, words: str) -> list[int]:
        """Write as the person in a seat of the first table. Return the tables at which that had an effect."""
        before = [live.snapshot.version for live in both]
        assert seat is not None
        await harness.person_at(seat).say(harness.yard, words)
        await harness.ann.command(harness.yard, "tables")  # earlier messages have been served when this is answered
        await harness.settle()
        return [live.id for live, version in zip(both, before, strict=True) if live.snapshot.version != version]

    turns = [harness.view(table=number).turn for number in (1, 2)]
    person = {number: harness.snapshot(number).seats for number in (1, 2)}
    first, second = (person[number][turn].user for number, turn in zip((1, 2), turns, strict=True))
    if first == second:
        assert await say(turns[0], "next!") == []
        told = "\n".join(m["content"] for m in harness.sandbox.messages(harness.yard))
        assert re.search("You're playing at table (1 and table 2|2 and table 1) here. Use `/break-out next` and", told)
        await harness.person_at(turns[0] or 0).command(harness.yard, "break-out next", table=1)
    else:
        assert await say(turns[0], "next!") == [1]
    await harness.advance(500)
    window = harness.view(table=1).window
    assert window is not None
    for caller in range(3):
        if caller != window.seat:
            assert await say(caller, "draw!") == [1], "nobody can be called at the other"
            break


async def test_a_typed_word_that_cannot_be_stored_is_refused_in_a_sentence(harness: BotHarness, monkeypatch, caplog):
    await harness.stop()
    harness.sandbox.privileged_intents = {"message_content"}
    await harness.start(read_messages=True)
    await table(harness, 3)

    async def full(*_: object, **__: object) -> object:
        raise StoreError("no room")

    monkeypatch.setattr(harness.client.store.games, "append", full)
    await harness.person_at(view(harness).turn).say(harness.yard, "next!")
    await harness.sandbox.until(
        lambda: any("nothing was done" in m["content"] for m in harness.sandbox.messages(harness.yard))
    )
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_bad_meld_can_be_pointed_at_later(harness: BotHarness):
    await table(harness, 3)
    bad = "r3 b4 g5 o7 w d v1"
    give(harness, bad, bad, bad)
    who = harness.person_at(view(harness).turn)
    laid = await who.command(harness.yard, "break-out meld", cards="r3 b4 g5")
    assert "You laid" in laid.text
    name = view(harness).melds[1].id
    await say_next(harness)
    early = await harness.cleo.command(harness.yard, "break-out point", meld=name)
    assert "can only be called" in early.text or "was changed" in early.text
    for _ in range(2):
        await harness.press(harness.person_at(view(harness).turn), "Take a card")
        await say_next(harness)
    panel = await harness.cleo.press(await harness.press(harness.cleo, "Play"), label="Point at a meld")
    await harness.cleo.press(panel, menu(panel, "Which meld")["custom_id"], values=[str(name)])
    await harness.settle()
    assert "pointed at a bad meld: its 3 cards left the game" in harness.public()
    assert [meld.id for meld in view(harness).melds] == [0]


# ---------------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize(("people", "options"), [(2, {"referee": "strict"}), (3, {})])
async def test_a_whole_game_by_the_panel_ends(harness: BotHarness, people: int, options: dict[str, str]):
    await table(harness, people, rounds=1, **options)
    await play_on(harness, 220)
    await harness.settle()
    live = harness.messages().table
    assert live.snapshot.row.status == "over"
    assert GAME.fold(await harness.events()) == live.snapshot.state
    assert "fewest points" in harness.public()


async def test_with_a_closed_dm_everything_is_on_my_hand(harness: BotHarness):
    harness.ben.dms_open = False
    await table(harness, 2)
    hand = await harness.press(harness.ben, "Play")
    assert "Your hand" in hand.text
    assert harness.ben.dms() == []


def first(page: dict[str, Any], *verbs: str) -> str | None:
    """Return the first control on a page that can be pressed, of the first of these verbs that has one."""
    found = [p["custom_id"] for p in UserClient.buttons(page) if "custom_id" in p and not p.get("disabled")]
    return next((one for verb in verbs for one in found if one.split(":")[3] == verb), None)


async def press_first(harness: BotHarness, who: UserClient, where: str, *verbs: str) -> bool:
    """Press the first of these controls on a person's private page, in the channel or in direct messages."""
    await harness.settle()
    page = private_page(harness, who) if where == "panel" else who.dms()[-1]
    control = first(page, *verbs)
    if control is not None:
        await who.press(page, control)
    return control is not None


@pytest.mark.parametrize("where", ["panel", "direct message"])
async def test_a_whole_game_is_played_on_the_private_page_alone(harness: BotHarness, where: str):
    await table(harness, 2, rounds=2)
    people = (harness.ann, harness.ben)
    for who in people if where == "panel" else ():
        await harness.press(who, "Play")
    before, paused = len(harness.sandbox.messages(harness.yard)), False
    for _ in range(300):
        if not harness.snapshot().playing:
            break
        now = view(harness)
        if now.interlude is not None:
            paused = True
            for who in people:
                assert await press_first(harness, who, where, "ready")
        elif now.phase != "turn":
            await harness.advance(11_000 if now.phase == "last" else 5_500)
        else:
            assert await press_first(harness, harness.person_at(now.turn), where, "lay", "draw", "next")
    assert harness.snapshot().row.status == "over" and paused
    assert len(harness.sandbox.messages(harness.yard)) <= before + 1, "nothing but the end is a message of its own"


async def test_the_catcher_gives_a_card_in_the_direct_message(harness: BotHarness):
    await table(harness, 2)
    await say_next(harness, 500)
    catcher = others(harness)[0]
    assert await press_first(harness, catcher, "direct message", "call")
    await harness.advance(2_000)
    assert view(harness).phase == "gift"
    assert "no card was played or taken" in UserClient.visible_text(catcher.dms()[-1])
    assert await press_first(harness, catcher, "direct message", "give")
    assert view(harness).phase != "gift"


async def test_the_servers_usual_referee_is_taken_unless_one_is_named(harness: BotHarness):
    told = await harness.ann.command(harness.yard, "settings referee", game="break_out", kind="strict")
    assert "strict" in told.text
    await table(harness, 2)
    assert view(harness).referee == "strict"
    await harness.begin("break-out", harness.ben, referee="honour")
    assert harness.view(table=2).referee == "honour"


async def test_cards_that_are_picked_stay_picked_while_others_act(harness: BotHarness):
    await table(harness, 3)
    await say_next(harness, 500)
    who, caller = others(harness)
    panel = await harness.press(who, "Play")
    await pick(harness, who, panel, *view(harness, view(harness).turn).hand[:2])
    await catch_button(harness, caller, "MELD!")
    await harness.settle()
    assert "was wrong" in harness.public()
    assert "**Picked:**" in UserClient.visible_text(private_page(harness, who))


async def test_a_picked_card_is_put_back_by_pressing_it_again(harness: BotHarness):
    await table(harness, 2)
    give(harness, "r3 r3 g3 o7 w d v1", "r3 r3 g3 o7 w d v1")
    who = harness.person_at(view(harness).turn)
    panel = await pick(harness, who, await harness.press(who, "Play"), "r3", "r3", "o7")
    assert "**Picked:** red 3 3, orange 7" in panel.text
    panel = await toggle(who, panel, "r3", picked=True)
    assert "**Picked:** red 3, orange 7" in panel.text


async def test_cards_that_are_picked_stay_picked_on_a_page_that_is_opened_again(harness: BotHarness):
    await table(harness)
    who = harness.awaited()
    await pick(harness, who, await harness.press(who, "Play"), *view(harness, view(harness).turn).hand[:2])
    await harness.settle()
    assert "**Picked:**" in (await harness.press(who, "Play")).text


async def test_the_lobby_says_how_long_a_game_takes(harness: BotHarness):
    await harness.ann.command(harness.yard, "break-out start", rounds=2)
    assert "Length: Short (2 rounds)" in harness.public()
    options = await harness.press(harness.ann, "Options")
    words = [option["label"] for option in menu(options, "Length")["options"]]
    assert words[1:3] == ["Length: Short (2 rounds)", "Half (3 rounds)"] and words[-1] == "Full game (6 rounds)"
