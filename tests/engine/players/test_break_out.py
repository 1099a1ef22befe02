"""Break-Out's computer players: in time, without secret knowledge, cheating only where it can be caught."""

import random
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy

import pytest

from engine.chance import Chance
from engine.contract import Action, Moment, Seat
from engine.games.break_out import (
    GAME,
    BreakOut,
    BreakOutAction,
    BreakOutOptions,
    BreakOutView,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Give,
    Lay,
    Move,
    Next,
    Point,
    State,
    WindowView,
)
from engine.games.break_out.search import sound_plays
from engine.players import LEVELS, Budget, Intent, Level, Steps
from engine.players.break_out import BOTS, turns, watch
from engine.players.break_out.worth import worth
from tests.engine.games.break_out_positions import SEVEN, A, B, C, ScriptedRound, cards, play_randomly
from tools.harness.matches import play_match
from tools.harness.playouts import BEGIN, play, seed_bytes


def ask(table: ScriptedRound, seat: int, level: Level = Level.MASTER, luck: int = 1, steps: int = 10) -> Intent | None:
    legal = list(GAME.legal(table.state, Seat(seat)))
    return BOTS.levels[level](table.view(seat), legal, Steps(steps), random.Random(luck)) if legal else None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("referee", ["honour", "strict"])
def test_what_they_do_is_accepted_and_under_strict_always_legal(level: Level, referee: str):
    asked = 0
    for seed in range(4):
        playout = play(GAME, seed, seats=3, options=BreakOutOptions(rounds=1, referee=referee))  # type: ignore[arg-type]  # a word
        for state in playout.running[::3]:
            for seat in map(Seat, range(3)):
                legal = list(GAME.legal(state, seat))
                if not legal:
                    continue
                view = GAME.view(state, seat)
                intent = BOTS.levels[level](view, legal, Steps(5), random.Random(seed))
                if intent is None:
                    assert seat not in view.to_act
                    continue
                asked += 1
                assert intent.after_ms >= 0
                assert referee == "honour" or intent.action in legal
                assert GAME.decide(state, seat, intent.action, Moment(BEGIN + 1), Chance(seed_bytes(1), "t", 0))
    assert asked > 60


def test_a_call_comes_within_human_times_and_is_not_put_off_by_being_asked_again():
    notices = set()
    for at in range(1_000, 9_000, 200):
        table = ScriptedRound(SEVEN, SEVEN, SEVEN)
        table.do(A, Next(), at)
        table.expire("next")
        intent = ask(table, C)
        if intent is None or not isinstance(intent.action, Call):
            notices.add(False)
            continue
        notices.add(True)
        assert intent.earliest is not None and 1_200 <= intent.earliest - BEGIN - at <= 4_000
        table.do(B, Draw(), at + 500)
        again = ask(table, C, luck=2)
        assert again is not None and again.earliest == intent.earliest
    assert True in notices


def test_the_next_inmate_catches_before_playing():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    table.expire("next")
    actions = [ask(table, B, luck=luck) for luck in range(3)]
    assert any(intent is not None and isinstance(intent.action, Call) for intent in actions)


@pytest.mark.parametrize("bad", [True, False])
def test_a_meld_is_called_when_everybody_can_see_that_it_is_none_and_not_otherwise(bad: bool):
    calls = 0
    for at in range(1_000, 5_000, 250):
        hand = "r3 b4 g5 v7 o7 y7 w" if bad else "r3 b3 g3 v7 o7 y7 w"
        table = ScriptedRound(hand, SEVEN, SEVEN)
        table.do(A, Lay(cards(" ".join(hand.split()[:3]))), 100)
        table.do(A, Next(), at)
        table.expire("next")
        intent = ask(table, C)
        calls += intent is not None and isinstance(intent.action, Call) and intent.action.kind == "meld"
    assert calls > 10 if bad else calls == 0


OFFENCES: dict[str, tuple[ScriptedRound, Sequence[BreakOutAction]]] = {
    "size": (ScriptedRound("r3 b3 v7 o7", SEVEN, SEVEN), [Lay(cards("r3 b3"))]),
    "size of an addition": (
        ScriptedRound("r5 b5 v7 o7", SEVEN, SEVEN, out=[0], yard=["g5 o5 y5 v5 w=5"]),
        [Extend(1, cards("r5 b5"))],
    ),
    "kind": (ScriptedRound("r3 b4 g5 v7 o7", SEVEN, SEVEN), [Lay(cards("r3 b4 g5"))]),
    "natural": (ScriptedRound("w w s v7 o7", SEVEN, SEVEN), [Lay(cards("w=2 w=2 s=2"))]),
    "poor": (ScriptedRound("r2 b2 g2 v7 o7", SEVEN, SEVEN), [BreakOut(1, cards("r2 b2 g2"))]),
    "poor with a cell meld": (
        ScriptedRound("r3 v7 o7", SEVEN, SEVEN, cell={0: ["b3 g3 o3"]}),
        [BreakOut(2, cards("r3"), 1)],
    ),
    "poor, and repaired in the same turn": (
        ScriptedRound("r3 b3 g3 y3 v3 o7", SEVEN, SEVEN),
        [BreakOut(1, cards("r3 b3 g3")), Extend(1, cards("y3 v3"))],
    ),
    "start": (ScriptedRound("r2 r3 r4 r5 r6 o7", SEVEN, SEVEN), [BreakOut(1, cards("r2 r3 r4 r5 r6"), start=True)]),
    "rich": (ScriptedRound("r5 b5 g5 v7 o7", SEVEN, SEVEN), [Lay(cards("r5 b5 g5"))]),
    "rich by an addition": (
        ScriptedRound("r4 v7 o7", SEVEN, SEVEN, cell={0: ["b4 g4 o4"]}),
        [Extend(1, cards("r4"))],
    ),
    "crammed": (
        ScriptedRound("r3 b3 g3 v7 o7", SEVEN, SEVEN, cell={0: ["b1 g1 o1 y1", "b2 g2 o2 y2"]}),
        [Lay(cards("r3 b3 g3"))],
    ),
    "swap": (ScriptedRound("r3 v7 o7", SEVEN, SEVEN, out=[0], yard=["b5 b6 w=b7"]), [Extract(3, Card("r3"))]),
}
"""Each offence of the rule book, by its fault: a table, and the plays of seat 0 that commit it."""


@pytest.mark.parametrize("offence", OFFENCES)
def test_each_offence_of_the_rule_page_is_called_by_a_master_who_may_call(offence: str):
    started, plays = OFFENCES[offence]
    called = 0
    for at in range(1_000, 5_000, 250):
        table = deepcopy(started)
        for committed in plays:
            table.do(A, committed, 100)
        table.pass_turn(A, at)
        faults = list(watch.faults(table.view(C), window_of(table)))
        assert faults == [offence.split()[0].strip(",")]
        intent = ask(table, C)
        called += intent is not None and intent.action == Call("meld", window_of(table).turn)
    assert called > 10


def window_of(table: ScriptedRound) -> WindowView:
    window = table.view(C).window
    assert window is not None
    return window


def test_an_offence_is_called_also_when_the_next_inmate_has_added_to_it():
    table = ScriptedRound("r2 b2 g2 v7 o7", "y2 v2 o1 o3", SEVEN, out=[1])
    table.do(A, BreakOut(1, cards("r2 b2 g2")), 100)
    table.pass_turn(A, 1_000)
    table.do(B, Extend(1, cards("y2 v2")), 1_500)
    assert list(watch.faults(table.view(C), window_of(table))) == ["poor"]


def test_bots_call_exactly_what_the_referee_punishes():
    seen = Counter[bool]()

    def look(state: State) -> None:
        view = GAME.view(state, None)
        if state.window is None or view.window is None:
            return
        bad = any(act.bad for act in state.window.acts)
        seen[bad] += 1
        assert any(watch.faults(view, view.window)) == bad

    for seed in range(12):
        play_randomly(seed, 400, look)
    assert seen[True] > 50 and seen[False] > 50


def test_nobody_who_drew_is_called_with_DRAW():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    table.do(A, Draw())
    table.pass_turn(A, 1_000)
    assert ask(table, C) is None


def test_what_the_next_inmate_does_is_not_laid_at_the_door_of_the_one_before():
    table = ScriptedRound("r3 b3 g3 v7 o7 y7 w", "r1 b5 g7 o2", SEVEN)
    table.do(A, Lay(cards("r3 b3 g3")), 100)
    table.pass_turn(A, 1_000)
    table.do(B, Lay(cards("r1 b5 g7")), 1_500)  # a bad one, but B's
    window = table.view(C).window
    assert window is not None and list(watch.faults(table.view(C), window)) == []


def test_a_bad_meld_that_slipped_through_is_pointed_at():
    pointed = 0
    for serial in range(12):
        table = ScriptedRound("r3 b4 g5 v7 o7 y7 w", SEVEN, SEVEN)
        table.do(A, Lay(cards("r3 b4 g5")), 100)
        table.pass_turn(A, 1_000 + serial)
        for seat, at in ((B, 7_000), (C, 14_000)):
            table.do(seat, Draw(), at - 500)
            table.pass_turn(seat, at)
        intent = ask(table, B)
        pointed += intent is not None and isinstance(intent.action, Point)
    assert pointed in (0, 12)  # it notices it or not, but consistently within a turn


def test_the_master_goes_out_when_it_can():
    last = ScriptedRound("r5", SEVEN, out=[0], yard=["b5 g5 o5"])
    intent = ask(last, A)
    assert intent is not None and intent.action == Extend(1, cards("r5"))


WAYS_OUT = {
    "a break-out, and what then fits the Yard": (
        ScriptedRound("v3 o6 w g6 y6 v5 v1", SEVEN, yard=["b5 g5 o5", "r1 r2 r3"]),
        4,
    ),
    "a Super Wild, which is dear otherwise": (
        ScriptedRound("r2 b2 g2 s v2 b3", SEVEN, yard=["b5 g5 o5", "b6 g6 y6"]),
        2,
    ),
    "both kinds of Wild": (ScriptedRound("s v5 o3 r6 w", SEVEN, out=[0], yard=["b6 g6 y6", "b5 g5 o5"]), 3),
    "a run rather than a set": (ScriptedRound("v5 r3 y3 r4 w v4 g3", SEVEN, out=[0], yard=["v2 y2 g2", "b5 g5 o5"]), 3),
    "a DRAW card first": (ScriptedRound("d r3", SEVEN, out=[0], yard=["b3 g3 o3"]), 2),
}
"""Tables where seat 0 can lay its whole hand, and the maximum number of plays it takes."""


@pytest.mark.parametrize("way", WAYS_OUT)
def test_the_master_lays_down_its_last_card_where_any_order_of_plays_does_it(way: str):
    started, most = WAYS_OUT[way]
    table = deepcopy(started)
    for _ in range(most):
        if not table.hand(A):
            break
        intent = ask(table, A, steps=200)
        assert intent is not None
        table.do(A, intent.action)
    assert table.hand(A) == []


def test_where_no_order_of_plays_ends_the_hand_none_is_claimed():
    table = ScriptedRound("r1 b1 g1 r7 w", SEVEN)
    assert turns.way_out(table.view(A), Steps(500)) == ()
    assert turns.way_out(ScriptedRound("r1 b1 g1", SEVEN).view(A), Steps(0)) == ()


def test_what_the_search_thinks_of_a_play_is_what_the_rules_make_of_it():
    """The computed view and the real one have the same cards everywhere, the same worth and the same sound plays."""
    compared = Counter[str]()
    for seed in range(12):
        playout = play(GAME, seed, seats=3, options=BreakOutOptions(rounds=1))
        for state in playout.running[::2]:
            seat = state.turn
            view = GAME.view(state, seat)
            if view.phase != "turn":
                continue
            for action in list(sound_plays(view, seat))[::3]:
                chance = Chance(seed_bytes(1), "t", 0)
                events = GAME.decide(state, seat, action, Moment(BEGIN + 1), chance)
                real, thought = GAME.view(GAME.fold(events, state), seat), turns.after(view, seat, action)
                assert turns.position(thought, seat) == turns.position(real, seat)
                assert worth(thought, seat) == worth(real, seat)
                others = [one for one in range(3) if one != seat]
                assert [thought.counts[one] for one in others] == [real.counts[one] for one in others]
                laid = [
                    {repr(one) for one in sound_plays(there, seat) if isinstance(one, Lay)} for there in (thought, real)
                ]
                assert laid[0] == laid[1]
                from_cell = isinstance(action, Extend | Extract) and action.cell not in ((), None)
                compared["single cards from the cell" if from_cell else type(action).__name__] += 1
    kinds = ("Lay", "Extend", "single cards from the cell", "BreakOut", "Extract", "PlayDraw", "Move")
    assert all(compared[kind] for kind in kinds), compared


@pytest.mark.parametrize("hand", ["r3 b4 g5 v1 o2 y7 b7", "r3 b3 g3 v1 o2 y7 b7"])
def test_the_master_draws_first_if_it_cannot_play_or_a_play_gains_little(hand: str):
    intent = ask(ScriptedRound(hand, SEVEN), A)
    assert intent is not None and intent.action == Draw()


def test_the_master_takes_a_Wild_for_a_card_that_fits_nowhere_else_rather_than_draw():
    table = ScriptedRound("b7 v1 y3", SEVEN, out=[0], yard=["b5 b6 w=b7"])
    intent = ask(table, A)
    assert intent is not None and intent.action == Extract(3, Card("b7"))


def test_the_master_holds_a_Wild_rather_than_lay_it_alone():
    table = ScriptedRound("w b2 y3 o4 r6", SEVEN, out=[0], yard=["b5 g5 o5"])
    intent = ask(table, A)
    assert intent is not None and intent.action == Draw()


def test_the_master_lays_its_last_cards_by_exchanging_one_for_a_Wild():
    table = ScriptedRound("b7", SEVEN, out=[0], yard=["b5 b6 w=b7", "r1 g1 o1"])
    for _ in range(2):
        intent = ask(table, A)
        assert intent is not None
        table.do(A, intent.action)
    assert table.hand(A) == []


def why(table: ScriptedRound, action: BreakOutAction) -> dict[str, dict[str, object]]:
    """Return the reasons for an action of seat 0, by code."""
    legal = list(GAME.legal(table.state, A))
    found = BOTS.explain(table.view(A), action, legal, Steps(500), random.Random(1)) if BOTS.explain else ()
    return {reason.code: dict(reason.facts) for reason in found}


def test_a_play_is_explained_by_what_the_whole_turn_leaves_in_hand():
    table = ScriptedRound("r5 b5 y5 g6 o6 v6 b1", SEVEN)
    one, *_ = (intent.action for intent in [ask(table, A)] if intent is not None)
    found = why(table, one)
    assert "breaks-out" in found
    assert (found["sheds"]["plays"], found["sheds"]["left"]) == (2, 1)


def test_a_turn_that_ends_by_an_exchange_for_a_Wild_is_explained_as_going_out():
    table = ScriptedRound("b7", SEVEN, out=[0], yard=["b5 b6 w=b7", "r1 g1 o1"])
    assert why(table, Extract(3, Card("b7"))) == {"goes-out": {"plays": 2}}
    table.do(A, Extract(3, Card("b7")))
    table.do(A, Extend(2, cards("w=1")))
    assert why(table, Next()) == {"goes-out": {"plays": 0}}


def where_c_gives_a_card(hand: str) -> ScriptedRound:
    """Return a round in which C, who has these cards, has caught A."""
    table = ScriptedRound(SEVEN, SEVEN, hand)
    table.do(A, Next(), 1_000)
    table.expire("next")
    table.do(C, Call("draw"), 2_000)
    table.expire("tie")
    return table


def test_a_card_to_give_is_useful_if_one_more_card_could_make_a_meld_with_it():
    table = where_c_gives_a_card("v6 v7 r1 d")
    view, legal = table.view(C), list(GAME.legal(table.state, C))
    assert BOTS.explain is not None
    useful = [
        BOTS.explain(view, Give(face), legal, Steps(9), random.Random(1))[0].number("useful") for face in ("v7", "r1")
    ]
    assert useful == [1, 0]


def test_a_catcher_gives_a_card_that_hurts_and_keeps_its_wilds():
    table = where_c_gives_a_card("w s d v7 r1")
    intent = ask(table, C)
    assert intent is not None and intent.action == Give("d")  # useless for a player in the cell


def test_a_trainee_forgets_to_draw_and_bluffs_now_and_then_but_not_under_strict():
    forgot = bluffed = 0
    for seed in range(40):
        playout = play(GAME, seed, seats=3, options=BreakOutOptions(rounds=1))
        for state in playout.running[::2]:
            view = GAME.view(state, state.turn)
            if view.phase != "turn":
                continue
            legal = list(GAME.legal(state, state.turn))
            intent = BOTS.levels[Level.TRAINEE](view, legal, Steps(5), random.Random(seed))
            if intent is None or intent.action in legal:
                continue
            forgot += isinstance(intent.action, Next)
            bluffed += isinstance(intent.action, Lay)
    assert forgot > 5 and bluffed > 2


def tries(table: ScriptedRound, seat: Seat = A) -> list[BreakOutAction]:
    """Return what trainees with forty different random numbers would do here."""
    found = (ask(table, seat, Level.TRAINEE, luck) for luck in range(40))
    return [intent.action for intent in found if intent is not None]


def test_a_trainee_usually_lays_the_only_play_of_its_hand_and_sometimes_overlooks_it():
    found = tries(ScriptedRound("r1 b1 g1 v4 o6", SEVEN))
    assert 20 < found.count(Lay(cards("b1 g1 r1"))) < 38
    assert Draw() in found


def test_a_trainee_breaks_out_as_soon_as_it_sees_how_and_lays_its_Wilds_at_once():
    found = tries(ScriptedRound("r5 b5 w v1 o2", SEVEN))
    assert found.count(BreakOut(1, cards("b5 r5 w=5"))) > 20


def test_a_trainee_in_the_Yard_takes_a_Wild_for_a_card_but_spares_no_cards_of_its_cell():
    exchange = ScriptedRound("b7 v1 y3", SEVEN, out=[0], yard=["b5 b6 w=b7"])
    assert tries(exchange).count(Extract(3, Card("b7"))) > 20
    spare = ScriptedRound("v1 y3", SEVEN, out=[0], cell={0: ["r2 b2 g2"]}, yard=["b5 b6 b7"])
    assert any(isinstance(action, Move) for action in GAME.legal(spare.state, A))
    assert not any(isinstance(action, Move) for action in tries(spare))


def test_a_trainee_keeps_its_wilds_when_it_gives_a_card():
    table = where_c_gives_a_card("w s d v7 r1")
    assert set(tries(table, C)) == {Give("d"), Give("v7"), Give("r1")}
    assert set(tries(where_c_gives_a_card("w"), C)) == {Give("w")}


def random_choices(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Intent | None:
    """Play at random, without calls."""
    possible = [action for action in legal if not isinstance(action, Call | Point)]
    return Intent(rng.choice(possible), 1_500) if possible else None


def test_a_trainee_beats_random_choices_clearly():
    result = play_match(GAME, BOTS.levels[Level.TRAINEE], random_choices, 40, lambda: Steps(5), 1)
    assert result.won >= 28


def test_they_survive_tables_at_which_others_play_nonsense():
    def look(state: State) -> None:
        for seat in range(state.seats):
            legal = list(GAME.legal(state, Seat(seat)))
            if legal:
                for level in LEVELS:
                    view = GAME.view(state, Seat(seat))
                    intent = BOTS.levels[level](view, legal, Steps(5), random.Random(1))
                    assert intent is not None or seat not in view.to_act

    for seed in range(3):
        play_randomly(seed, 300, look)


@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_computer_players_end(seats: int):
    result = play_match(
        GAME, BOTS.levels[Level.MASTER], BOTS.levels[Level.TRAINEE], 2, lambda: Steps(5), seats, seats=seats
    )
    assert result.games == 2


def test_the_master_beats_three_trainees_more_often_than_not():
    result = play_match(
        GAME, BOTS.levels[Level.MASTER], BOTS.levels[Level.TRAINEE], 8, lambda: Steps(20), 3, seats=4, alone=True
    )
    assert result.won >= 5
