"""The headlines of Prison Break: derived from public facts alone, and removed by the next action."""

import random
import re

import pytest
from msgspec.structs import replace

from cogs.core.pages.game_ui import Highlight
from cogs.prison_break.moment_picture import Scene, draw
from engine.contract import Seat
from engine.games.prison_break import GAME, Guard, Pass, PrisonBreakOptions, State
from tests.cogs.prison_break.scenes import UI, info
from tests.engine.games.prison_break_positions import (
    DARK,
    LIT,
    A,
    B,
    C,
    after,
    guarding,
    moment,
    offering,
    settled,
    sneaked,
)
from tests.engine.games.test_prison_break_secrets import other_lives
from tools.harness.playouts import play


def moment_of(state: State, seat: Seat | None = None) -> Highlight | None:
    return UI.highlight(GAME.view(state, seat), info(len(state.prisoners)))


def headline(state: State, seat: Seat | None = None) -> str:
    found = moment_of(state, seat)
    return "" if found is None else re.sub(r"[\\_*]", "", found.headline.replace("\u00a0", " "))


def test_a_catch_is_a_headline_until_the_next_check():
    caught = after(guarding(0, 4, 2), (A, Guard(4)))
    assert headline(caught) == "The guards catch ◆ Ben on 4!"
    assert headline(after(caught, (B, Pass()))) == ""
    assert headline(after(guarding(0, 4, 2), (A, Guard(5)))) == ""


def test_a_headline_speaks_to_whom_it_is_about():
    caught = after(guarding(0, 4, 4), (A, Guard(4)))
    both = [headline(caught, reader) for reader in (A, B, C)]
    assert both[0] == "The guards catch ◆ Ben and ▲ Cleo on 4!"
    assert both[1:] == ["The guards catch you on 4, with ▲ Cleo!", "The guards catch you on 4, with ◆ Ben!"]
    assert headline(after(guarding(0, 4, 2), (A, Guard(4))), B) == "The guards catch you on 4!"
    betrayed = settled(offering(0, 0, 0), "lockdown", "+-")
    told = [headline(betrayed, reader) for reader in (A, B, C)]
    assert told == ["◆ Ben betrays you!", "You betray ● Ann!", "◆ Ben betrays ● Ann!"]
    lying = sneaked(moment(), (2, 0), (1, 1), (0, 2), roll=LIT)
    assert headline(lying, A) == "Caught lying: you and ▲ Cleo!" and "you" not in headline(lying, B)
    assert headline(sneaked(moment(), (2, 0), (1, 1), (0, 0), roll=LIT), A) == "Caught lying: you!"
    all_lie = sneaked(moment(), (2, 0), (1, 0), (0, 2), roll=LIT)
    assert headline(all_lie, B) == "Caught lying: you, ● Ann and ▲ Cleo!"


def test_the_last_catch_of_a_round_stays_while_the_next_round_begins():
    last = after(guarding(0, 4, 2), (A, Pass()), (B, Pass()), (C, Guard(4)))
    assert GAME.view(last, None).phase == "sneak" and "catch ◆ Ben" in headline(last)


@pytest.mark.parametrize(("votes", "words"), [
    ("+-", "◆ Ben betrays ● Ann!"),
    ("-+", "● Ann betrays ◆ Ben!"),
    ("++", "Lock Down: no one sneaks next round!"),
    ("--", ""),
])  # fmt: skip
def test_rejecting_what_the_other_accepts_is_a_betrayal(votes: str, words: str):
    assert headline(settled(offering(0, 0, 0), "lockdown", votes)) == words


def test_the_lights_catch_those_who_are_not_where_their_words_had_led_them():
    lying = sneaked(moment(), (2, 0), (1, 1), (0, 2), roll=LIT)
    assert headline(lying) == "Caught lying: ● Ann and ▲ Cleo!"
    assert headline(sneaked(moment(), (2, 2), (1, 1), (0, 0), roll=LIT)) == "Lights on: no one lied!"
    assert headline(sneaked(moment(), (2, 0), (1, 1), (0, 2), roll=DARK)) == ""


def test_a_round_begins_with_its_number_as_headline_until_a_player_acts():
    seen = set()
    for seed in range(6):
        for state in play(GAME, seed, options=PrisonBreakOptions(round_limit=6)).running:
            view, shown = GAME.view(state, None), headline(state)
            if " begins" in shown:
                assert shown == ("The last round begins" if view.round == 6 else f"Round {view.round} begins")
                assert view.round > 1 and len(view.to_act) > 0
                seen.add(shown)
    assert {"Round 2 begins", "Round 3 begins", "The last round begins"} <= seen
    begun = settled(offering(0, 0, 0), "lockdown", "--")
    acting = GAME.view(begun, None).to_act[0]
    assert headline(begun) == "" or " begins" not in headline(after(begun, (acting, Pass())))


def test_the_end_is_an_escape_or_says_who_got_furthest():
    for seed in range(12):
        over = play(GAME, seed, options=PrisonBreakOptions(round_limit=12)).states[-1]
        by_exit = GAME.view(over, None).reason == "exit"
        assert ("over the wall!" if by_exit else "got furthest!") in headline(over)


@pytest.mark.parametrize("seed", range(3))
def test_no_headline_depends_on_what_only_one_player_knows(seed: int):
    playout = play(GAME, seed, options=PrisonBreakOptions(round_limit=6))
    reader = Seat(seed % playout.seats)
    for real, other in other_lives(playout, reader, random.Random(seed)):
        for eyes in (reader, None):
            assert moment_of(real, eyes) == moment_of(other, eyes)
        if GAME.outcome(real) is None:
            public = replace(GAME.view(real, None), seat=reader)
            assert moment_of(real, reader) == UI.highlight(public, info(playout.seats))


def test_every_scene_is_drawn_with_up_to_two_players():
    scenes: tuple[Scene, ...] = ("caught", "lights", "betrayal", "lockdown", "bribe", "free")
    drawn = {draw(scene, seats) for scene in scenes for seats in ((), (A,), (A, B), (B, A))}
    assert len(drawn) >= 4 * len(scenes) - 3 and max(map(len, drawn)) < 4_000
