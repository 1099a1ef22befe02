"""Break-Out between two rounds: the pause, what is shown then and at the end, and how a catch is shown.

Times are in milliseconds after the beginning, on a clock that the test sets.
"""

from typing import Any

import msgspec
import pytest

from engine.contract import ClockShift, Expire, Moment, Refusal, to_json
from engine.games.break_out import (
    GAME,
    Bluff,
    Call,
    Catch,
    Draw,
    Extend,
    GameEnded,
    Give,
    Lay,
    Next,
    Point,
    RoundBegun,
)
from engine.players.registry import BOTS
from engine.turns import INTERLUDE_MS, InterludeEnded, Readied, Ready
from tests.engine.games.break_out_positions import MATERIAL, SEVEN, A, B, C, ScriptedRound, cards, chance, faces
from tools.harness.playouts import BEGIN

LAST, SETTLE = 10_000, 400
ENDS = 1_000 + LAST + SETTLE
"""When the round of `ended` is over."""


def ended(hand: str = "r3 b3 g3", **options: object) -> ScriptedRound:
    """Return a table at which A has laid this hand, said NEXT at 1,000 and gone out; nobody has called."""
    table = ScriptedRound(hand, SEVEN, "w d", **{"interludes": "on", **options})  # type: ignore[arg-type]  # see Cells
    table.do(A, Lay(cards(hand)), 500)
    table.pass_turn(A, 1_000)
    table.expire("last")
    return table


# ------------------------------------------------------------------------------------------------------------ the pause


def test_D52_after_a_round_the_game_pauses_until_everybody_is_ready():
    table = ended()
    view = table.view(None)
    assert (view.phase, view.turn, view.to_act, view.due) == ("interlude", None, (), BEGIN + ENDS + INTERLUDE_MS)
    for number, (seat, missing) in enumerate(((B, (A, B, C)), (A, (A, C)), (C, (C,)))):
        (clock,) = GAME.deadlines(table.state)
        assert (clock.kind, clock.default, clock.seats) == ("window", None, missing)
        assert list(GAME.legal(table.state, seat)) == [Ready()]
        events = table.do(seat, Ready(), 12_000 + number)
        assert events[0] == Readied(seat)
        assert list(GAME.legal(table.state, seat)) == [] or number == 2
    assert [type(event) for event in events] == [Readied, InterludeEnded, RoundBegun]
    assert table.state.round == 2 and table.state.interlude is None and table.state.began == BEGIN + 12_002
    assert table.view(None).to_act == (A,) and table.view(None).finished is None


def test_D52_when_the_time_is_over_the_next_round_is_dealt_although_a_player_is_not_ready():
    table = ended(clock=0)
    table.do(B, Ready(), 12_000)
    events = table.expire("interlude")
    assert [type(event) for event in events] == [InterludeEnded, RoundBegun] and table.at == BEGIN + ENDS + INTERLUDE_MS
    assert GAME.deadlines(table.state) == ()


def test_D52_only_then_is_the_deal_drawn():
    table = ended()
    hands = set()
    for step in range(2):
        events = GAME.decide(table.state, None, Expire("interlude-1"), Moment(table.clock().due), chance(step))
        hands |= {event.hands for event in events if isinstance(event, RoundBegun)}
    assert len(hands) == 2


@pytest.mark.parametrize(("early", "goes_on"), [(-1, False), (0, True), (1, True)])
def test_D52_an_interlude_is_over_in_the_millisecond_at_which_it_ends(early: int, goes_on: bool):
    at = ENDS + INTERLUDE_MS + early
    table = ended()
    events = table.do(B, Ready(), at)
    assert (type(events[-1]) is RoundBegun) == goes_on
    again = ended()
    (clock,) = GAME.deadlines(again.state)
    if goes_on:
        assert type(GAME.decide(again.state, None, Expire(clock.id), Moment(BEGIN + at), chance())[-1]) is RoundBegun
    else:
        with pytest.raises(Refusal, match="early"):
            GAME.decide(again.state, None, Expire(clock.id), Moment(BEGIN + at), chance())


def test_D52_nothing_else_is_done_meanwhile():
    table = ended()
    for action in (Draw(), Next(), Lay(cards("v7 o7 y7")), Extend(1, cards("w=3")), Point(1)):
        refusal = table.refused(B, action, 12_000)
        assert (refusal.code, refusal.facts) == ("interlude", {"due": BEGIN + ENDS + INTERLUDE_MS})
    assert table.refused(B, Call("meld", 1), 12_000).facts["by_ms"] == 1_000
    table.do(B, Ready(), 12_000)
    assert table.refused(B, Ready(), 12_001).code == "ready-already"
    assert ScriptedRound(SEVEN, SEVEN).refused(A, Ready(), 0).code == "no-interlude"


def test_D52_an_interlude_keeps_its_remaining_time_while_the_clocks_are_paused():
    table = ended()
    table.do(B, Ready(), 12_000)
    before = table.state
    after = GAME.fold(GAME.decide(before, None, ClockShift(60_000), Moment(BEGIN + 15_000), chance()), before)
    assert after.interlude is not None and after.interlude.ready == (B,)
    assert GAME.deadlines(after) == tuple(
        msgspec.structs.replace(one, due=Moment(one.due + 60_000)) for one in GAME.deadlines(before)
    )


def test_D52_computer_players_are_ready_at_once():
    view = ended().view(B)
    for player in BOTS["break_out"].levels.values():
        intent = player(view, [Ready()], _Never(), _no_dice())
        assert intent is not None and (intent.action, intent.after_ms, intent.earliest) == (Ready(), 0, None)


class _Never:
    """A budget that must not be asked."""

    def spent(self) -> bool:
        raise AssertionError("there is nothing to think about")


def _no_dice() -> Any:
    """Dice that must not be rolled."""
    return None


def test_O5_without_interludes_the_next_round_is_dealt_at_once():
    table = ended(interludes="off")
    assert table.state.round == 2 and table.view(None).finished is None
    assert type(table.events[-1]) is RoundBegun


def test_O5_a_game_that_began_before_there_were_interludes_has_none():
    started = to_json(GAME.setup(2, GAME.options(), MATERIAL, BEGIN, chance())[0])
    assert GAME.fold([GAME.read_event(started)]).interlude_ms == INTERLUDE_MS
    stored = msgspec.json.decode(started)
    del stored["interlude_ms"], stored["options"]["interludes"]
    assert GAME.fold([GAME.read_event(msgspec.json.encode(stored))]).interlude_ms == 0


# --------------------------------------------------------------------------------------------------------- what is told


def test_D53_a_finished_round_shows_open_hands_points_and_totals():
    for reader in (None, A, B, C):
        told = ended().view(reader).finished
        assert told is not None
        assert (told.number, told.reason, told.winner) == (1, "out", A)
        assert told.hands == ((), faces(SEVEN), ("w", "d"))
        assert told.points == told.totals == (-5, 34, 17)
        assert told.catches == told.bluffs == ()


def test_D53_a_finished_round_shows_an_uncalled_bad_meld_and_its_fault():
    table = ScriptedRound("r3 b4 g5", SEVEN, SEVEN, interludes="on")
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    assert table.view(None).finished is None
    table.expire("last")
    told = table.view(None).finished
    assert told is not None
    (bluff,) = told.bluffs
    assert (bluff.seat, bluff.kind, bluff.fault, bluff.found) == (A, "meld", "kind", None)
    assert bluff.laid is not None and bluff.laid.cards == cards("r3 b4 g5")


def played_on(table: ScriptedRound) -> ScriptedRound:
    """Return a table after A's turn, and turns of B and C without a play; A lays three threes and goes out."""
    table.do(B, Draw(), 2_000)
    table.pass_turn(B, 7_000)
    return table


def test_D53_a_finished_round_shows_an_uncalled_next_without_a_play_or_a_draw():
    table = ScriptedRound("r3 b3 g3", SEVEN, SEVEN, interludes="on", rounds=1)
    table.do(A, Next(), 1_000)
    table.expire("next")
    played_on(table)
    table.do(C, Draw(), 8_000)
    table.pass_turn(C, 13_000)
    table.do(A, Lay(cards("r3 b3 g3")), 14_000)
    table.pass_turn(A, 19_000)
    table.expire("last")
    told = table.view(None).finished
    assert told is not None and told.bluffs == (Bluff(A, "draw", 1),)


def test_D53_a_finished_round_shows_who_pointed_at_a_bad_meld_later():
    table = ScriptedRound("r3 b4 g5 v7 o7 y7 w", SEVEN, SEVEN, interludes="on")
    table.do(A, Lay(cards("r3 b4 g5")), 100)
    table.pass_turn(A, 1_000)
    played_on(table)
    assert [bluff.found for bluff in table.state.bluffs] == [None]
    table.do(B, Point(1), 8_000)
    assert [bluff.found for bluff in table.state.bluffs] == [B]


def test_D53_a_finished_round_shows_a_catch_which_is_not_listed_as_a_bluff():
    table = ScriptedRound("r3 b4 g5 v7", SEVEN, "w d", interludes="on")
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    table.do(B, Call("meld"), 2_000)
    table.expire("tie")
    table.do(B, Give("r1"), 5_000)
    played_on(table)
    assert [(one.catcher, one.caught, one.kind) for one in table.state.catches] == [(B, A, "meld")]
    assert table.state.bluffs == ()


def test_D53_at_the_end_of_the_game_all_rounds_are_shown():
    table = ended(rounds=2)
    for seat in (A, B, C):
        table.do(seat, Ready(), 12_000)
    assert table.view(None).history == () and table.state.bluffs == table.state.catches == ()
    hand, *others = table.state.hands
    table.state = msgspec.structs.replace(table.state, hands=((), *others), aside=hand)
    table.do(A, Next(), 13_000)
    table.expire("next")
    events = table.expire("last")
    assert type(events[-1]) is GameEnded
    view = table.view(None)
    assert view.phase == "over" and view.finished is not None and view.finished.number == 2
    assert [one.number for one in view.history] == [1, 2] and view.history[-1] == view.finished


@pytest.mark.parametrize(("pile", "place", "reason"), [("v1 v2", "y1", "idle"), ("", None, "blocked")])
def test_D53_why_a_round_ended_in_which_nobody_went_out(pile: str, place: str | None, reason: str):
    table = ScriptedRound(SEVEN, SEVEN, pile=pile, place=place, interludes="on")
    table.do(A, Next(), 1_000)
    table.expire("next")
    table.do(B, Next(), 7_000)
    table.expire("next")
    table.expire("last")
    told = table.view(None).finished
    assert told is not None and (told.reason, told.winner) == (reason, None)
    # D25: with an empty place it is a pass, which nobody could have called.
    assert [bluff.seat for bluff in told.bluffs] == ([A, B] if reason == "idle" else [])


# ------------------------------------------------------------------------------------------------- how a catch is told


def test_D54_a_catch_is_shown_with_the_melds_fault_until_the_next_NEXT_takes_effect():
    table = ScriptedRound("r3 b4 g5 v7 o7 y7 w", SEVEN, SEVEN)
    table.do(A, Lay(cards("r3 b4 g5")), 500)
    table.pass_turn(A, 1_000)
    table.do(C, Call("meld"), 2_000)
    assert table.view(None).catch is None  # D41: secret until the tie period is over
    table.expire("tie")
    for reader in (None, A, B, C):
        catch = table.view(reader).catch
        assert catch is not None and (catch.catcher, catch.caught, catch.kind, catch.fault) == (C, A, "meld", "kind")
        assert catch.laid is not None and catch.laid.cards == cards("r3 b4 g5")
    table.do(C, Give("v7"), 5_000)
    table.do(B, Draw(), 6_000)
    assert table.view(None).catch is not None
    table.pass_turn(B, 9_000)
    assert table.view(None).catch is None


def test_D54_a_DRAW_catch_shows_by_how_much_the_call_beat_the_NEXT():
    table = ScriptedRound(SEVEN, SEVEN, SEVEN)
    table.do(A, Next(), 1_000)
    table.expire("next")
    table.do(B, Draw(), 2_000)
    table.do(B, Next(), 3_000)  # kept until 6,000
    table.do(C, Call("draw"), 5_200)
    table.expire("tie")
    assert table.view(None).catch == Catch(C, A, "draw", 2, margin=800)
