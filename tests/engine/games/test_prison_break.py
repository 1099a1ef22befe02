"""Prison Break, mark by mark of its rule book, on states built by `prison_break_positions`: the beginning, sneaks,
lights.
"""

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance
from engine.contract import Seat, to_json
from engine.games.prison_break import (
    GAME,
    JAIL,
    KINDS,
    NOTE_LENGTH,
    Declares,
    Decline,
    GameBegun,
    LightsChecked,
    LightsThrown,
    Material,
    Note,
    Noted,
    Offering,
    PrisonBreakOptions,
    Sneak,
    Sneaked,
    Sneaking,
    Step,
    note_digest,
)
from tests.engine.games.prison_break_positions import (
    BEGAN,
    EXIT,
    LIT,
    MATERIAL,
    NOW,
    A,
    B,
    C,
    after,
    decide,
    guarding,
    moment,
    new_game,
    offered,
    offering,
    passed,
    public,
    refused,
    rolling,
    settled,
    sneaked,
)
from tools.harness.playouts import the

# ------------------------------------------------------------------------------------------------------ the beginning


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R1_R2_all_start_on_jail_with_three_guard_tokens_each(seats: int):
    start = new_game(seats)
    assert start.positions == (JAIL,) * seats
    assert [prisoner.tokens for prisoner in public(start).prisoners] == [3] * seats
    assert all((prisoner.seen, prisoner.seen_round) == (JAIL, 0) for prisoner in public(start).prisoners)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R3_one_offer_per_player_lies_face_up(seats: int):
    row = public(new_game(seats)).row
    assert len(row) == seats
    assert all(card.up for card in row)


def test_D1_the_offer_deck_has_two_of_each_of_the_five():
    rows = [Counter(card.kind for card in new_game(4, seed).row) for seed in range(200)]
    assert max(count for row in rows for count in row.values()) == 2
    assert {kind for row in rows for kind in row} == set(KINDS)


def throws_of(seats: int, seed: int) -> GameBegun:
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "prison", 0)
    return the(GameBegun, GAME.setup(seats, PrisonBreakOptions(), MATERIAL, BEGAN, chance))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R4_D2_the_first_warden_threw_highest_and_only_those_who_tied_throw_again(seats: int):
    lots = [throws_of(seats, seed) for seed in range(100)]
    assert max(len(lot.throws) for lot in lots) > 1
    for lot in lots:
        still = set(range(seats))
        for throw in lot.throws:
            assert {seat for seat, pips in enumerate(throw) if pips is not None} == still
            best = max(pips for pips in throw if pips is not None)
            still = {seat for seat in still if throw[seat] == best}
        assert still == {lot.warden}
    assert {lot.warden for lot in lots} == set(range(seats))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_only_two_to_four_break_out(seats: int):
    with pytest.raises(ValueError, match="2 to 4"):
        GAME.setup(seats, PrisonBreakOptions(), MATERIAL, BEGAN, rolling(1))


def test_a_game_carries_its_material_and_options_so_that_it_replays_by_itself():
    small = msgspec.structs.replace(MATERIAL, spaces=6, tokens=1)
    (first,) = GAME.setup(2, PrisonBreakOptions(offers="sample"), small, BEGAN, rolling(1))
    start = GAME.fold([GAME.read_event(to_json(first))])
    assert (start.material, start.options.offers) == (small, "sample")
    assert (public(start).spaces, public(start).prisoners[0].tokens) == (6, 1)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"spaces": 2}, ">= 3"),
        ({"lights": [7]}, "<= 6"),
        ({"longest_sneak": 0}, ">= 1"),
        ({"offers": []}, "one offer of each kind"),
        ({"sample": [MATERIAL.offers[0], MATERIAL.offers[0]]}, "comes once"),
        ({"towers": 4}, "unknown field"),
    ],
)
def test_material_that_makes_no_game_does_not_validate(change: dict[str, Any], complaint: str):
    body = msgspec.to_builtins(MATERIAL) | msgspec.to_builtins(change)
    with pytest.raises(msgspec.ValidationError, match=complaint):
        msgspec.convert(body, Material)


def test_D2_the_warden_passes_clockwise_every_round():
    state, wardens = new_game(3), []
    for _ in range(5):
        wardens.append(state.warden)
        state = sneaked(state, (0, 0), (0, 0), (0, 0))
        state = passed(after(state, (state.warden, Decline())))
    first = wardens[0]
    assert wardens == [(first + turn) % 3 for turn in range(5)]


# --------------------------------------------------------------------------------------------------------- help to note


def test_R5_D3_the_table_sums_what_everyone_declared_since_their_position_was_public():
    state = sneaked(moment(), (2, 0), (1, 1), (0, 2))
    assert [prisoner.declared for prisoner in public(state).prisoners] == [2, 1, 0]
    state = passed(after(state, (A, Decline())))
    state = sneaked(state, (2, 0), (2, 1), (1, 2))
    assert [prisoner.declared for prisoner in public(state).prisoners] == [3, 3, 2]


def test_D3_everyone_has_a_private_notepad_at_any_time():
    states = [
        moment(),
        offering(1, 2, 3),
        offered(offering(1, 2, 3), "advance"),
        guarding(1, 2, 3),
    ]
    for state, seat in product(states, (A, B, C)):
        (noted,) = decide(state, seat, Note("B is on 4"))
        assert noted == Noted(seat, "B is on 4")
        then = GAME.fold([noted], state)
        assert GAME.view(then, seat).note == "B is on 4"
        assert public(then) == public(state)
        for other in {A, B, C} - {seat}:
            assert GAME.view(then, other) == GAME.view(state, other)
        assert GAME.deadlines(then) == GAME.deadlines(state)


def test_a_note_is_rewritten_and_may_be_empty():
    state = after(moment(), (A, Note("one")), (A, Note("two")))
    assert GAME.view(state, A).note == "two"
    assert GAME.view(after(state, (A, Note(""))), A).note == ""


def test_a_note_has_at_most_500_characters_that_can_be_stored():
    decide(moment(), A, Note("ä" * NOTE_LENGTH))
    refusal = refused(moment(), A, Note("x" * 501))
    assert (refusal.code, refusal.facts) == ("note-too-long", {"length": 501, "most": 500})
    assert refused(moment(), A, Note("half \ud83d")).code == "note-unreadable"


@given(st.lists(st.tuples(st.text("ab", max_size=3), st.integers(0, 3)), max_size=8))
def test_no_note_that_its_writer_had_not_seen_is_ever_lost(written: list[tuple[str, int]]):
    """Each form was opened some notes ago."""
    said = [""]
    state = moment()
    for text, ago in written:
        seen = said[max(0, len(said) - 1 - ago)]
        state = after(state, (A, Note(text, note_digest(seen))))
        now = GAME.view(state, A).note
        if note_digest(seen) != note_digest(said[-1]):
            assert now in (said[-1], text) or (said[-1] in now and text in now)
            assert said[-1] in now or not said[-1]
        else:
            assert now == text
        said.append(now)


def test_a_note_over_one_that_has_changed_is_refused_only_if_both_are_too_long():
    full = after(moment(), (A, Note("x" * NOTE_LENGTH)))
    both = after(full, (A, Note("y" * NOTE_LENGTH, note_digest("old"))))
    assert len(GAME.view(both, A).note) == 2 * NOTE_LENGTH + 1
    decide(both, A, Note("z" * (2 * NOTE_LENGTH + 1)))
    refusal = refused(both, A, Note("z" * NOTE_LENGTH, note_digest("old")))
    assert (refusal.code, refusal.facts) == ("notes-too-long", {"length": 1_502, "most": 1_500})


# --------------------------------------------------------------------------------------------------------------- sneak


def test_R6_from_the_warden_one_after_the_other():
    state = moment(warden=B)
    turns = []
    while isinstance(state.phase, Sneaking):
        turns.append(public(state).turn)
        for seat in {A, B, C} - {turns[-1]}:
            refusal = refused(state, Seat(seat), Sneak(0, 0))
            assert (refusal.code, refusal.facts) == ("not-your-turn", {"turn": turns[-1]})
        state = sneaked(state, (0, 0))
    assert turns == [B, C, A]


@pytest.mark.parametrize(("declare", "move"), list(product(range(3), range(3))))
def test_R6_R7_declare_and_move_0_1_or_2_and_the_two_may_differ(declare: int, move: int):
    state = sneaked(moment((4, 0)), (declare, move))
    assert state.positions == (4 + move, 0)
    assert the(Declares, state.log) == Declares(A, declare)
    assert GAME.view(state, A).paths[A] == (Step(1, "sneak", declare, move, 4 + move),)


@pytest.mark.parametrize("wrong", [-1, 3, 10**30])
def test_R6_no_other_spaces_may_be_declared_or_moved(wrong: int):
    assert refused(moment(), A, Sneak(wrong, 0)).facts == {"spaces": wrong, "most": 2}
    assert refused(moment(), A, Sneak(wrong, 0)).code == "no-declaration"
    assert refused(moment(), A, Sneak(0, wrong)).code == "no-move"


def test_D4_only_the_declaration_is_announced():
    others = [
        [GAME.view(sneaked(moment((4, 2, 9)), (1, move)), reader) for reader in (None, B, C)] for move in range(3)
    ]
    assert others[0] == others[1] == others[2]


def test_D5_movement_stops_at_exit():
    assert sneaked(moment((10, 0)), (1, 2)).positions == (EXIT, 0)


@pytest.mark.parametrize("move", range(3))
def test_D5_a_pawn_on_exit_declares_like_any_other_and_does_not_move(move: int):
    state = moment((EXIT, 0), arrivals=(7, None))
    assert set(GAME.legal(state, A)) == set(GAME.legal(moment((0, 0)), A))
    then = sneaked(state, (2, move))
    assert (then.positions, then.arrivals) == ((EXIT, 0), (7, None))
    assert public(then).prisoners[A].declared == 2


# -------------------------------------------------------------------------------------------------------------- lights


@pytest.mark.parametrize("roll", range(1, 7))
def test_R8_on_5_or_6_all_positions_are_shown_to_all(roll: int):
    state = sneaked(moment((3, 10, 0)), (2, 1), (0, 1), (0, 0), roll=roll)
    entry = the(LightsThrown, public(state).log)
    if roll >= 5:
        assert entry == LightsThrown(roll, (4, EXIT, 0))
        assert [(one.seen, one.seen_round, one.declared) for one in public(state).prisoners] == [
            (4, 1, 0),
            (EXIT, 1, 0),
            (0, 1, 0),
        ]
    else:
        assert entry == LightsThrown(roll, None)
        assert [(one.seen, one.seen_round, one.declared) for one in public(state).prisoners] == [
            (0, 0, 2),
            (0, 0, 0),
            (0, 0, 0),
        ]
    assert isinstance(state.phase, Offering)


def test_D7_a_reveal_is_a_snapshot():
    state = sneaked(moment((3, 3)), (2, 2), (2, 2), roll=LIT)
    lit = [prisoner.seen for prisoner in public(state).prisoners]
    state = sneaked(passed(settled(state, "advance", "++")), (0, 2), (2, 0))
    assert [prisoner.seen for prisoner in public(state).prisoners] == lit == [5, 5]
    assert state.positions == (7, 9)


def test_the_die_is_thrown_only_after_the_last_sneak_and_the_event_carries_it():
    state = moment((0, 0))
    assert [type(event) for event in decide(state, A, Sneak(0, 0), LIT)] == [Sneaked]
    state = sneaked(state, (0, 0))
    assert decide(state, B, Sneak(0, 0), LIT)[1] == LightsChecked(6, True, NOW)
