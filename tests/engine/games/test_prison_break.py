"""Prison Break, mark by mark of its rule book, on moments as `prisons` builds them."""

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import BrokenRecord, Delay, Delayed, Expire, Lapsed, Moment, Outcome, Seat, write
from engine.games.prison_break import (
    GAME,
    JAIL,
    KINDS,
    NOTE_LENGTH,
    Card,
    Declares,
    Decline,
    Declined,
    GameBegun,
    GameEnded,
    Guard,
    Guarding,
    GuardsGo,
    GuardsSent,
    Kind,
    LightsChecked,
    LightsThrown,
    Material,
    NoOffer,
    Note,
    Noted,
    Offer,
    Offered,
    Offering,
    OfferMade,
    OfferSettled,
    Over,
    Pass,
    Passed,
    Passes,
    PrisonBreakAction,
    PrisonBreakOptions,
    Prisoner,
    RoundBegun,
    RoundStarts,
    RowDealt,
    RowTurned,
    Sneak,
    Sneaked,
    Sneaking,
    State,
    Step,
    TimeRanOut,
    Vote,
    Voted,
    VotesShown,
    Voting,
    terms_at,
    terms_of,
)
from tests.engine.games.prisons import (
    BEGAN,
    DARK,
    EXIT,
    LIT,
    MATERIAL,
    NOW,
    A,
    B,
    C,
    D,
    after,
    begun,
    decide,
    guarding,
    moment,
    offered,
    offering,
    passed,
    public,
    refused,
    rolling,
    settled,
    sneaked,
    the,
)

# ------------------------------------------------------------------------------------------------------ the beginning


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R1_R2_all_start_on_jail_with_three_guard_tokens_each(seats: int):
    start = begun(seats)
    assert start.positions == (JAIL,) * seats
    assert [prisoner.tokens for prisoner in public(start).prisoners] == [3] * seats
    assert all((prisoner.seen, prisoner.seen_round) == (JAIL, 0) for prisoner in public(start).prisoners)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R3_as_many_offers_as_players_lie_face_up(seats: int):
    row = public(begun(seats)).row
    assert len(row) == seats
    assert all(card.up for card in row)


def test_D1_the_offer_deck_has_two_of_each_of_the_five():
    rows = [Counter(card.kind for card in begun(4, seed).row) for seed in range(200)]
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
    start = GAME.fold([GAME.read_event(write(first))])
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
    state, wardens = begun(3), []
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


def test_a_note_is_written_anew_and_may_be_empty():
    state = after(moment(), (A, Note("one")), (A, Note("two")))
    assert GAME.view(state, A).note == "two"
    assert GAME.view(after(state, (A, Note(""))), A).note == ""


def test_a_note_has_at_most_500_characters_that_can_be_stored():
    decide(moment(), A, Note("ä" * NOTE_LENGTH))
    refusal = refused(moment(), A, Note("x" * 501))
    assert (refusal.code, refusal.facts) == ("note-too-long", {"length": 501, "most": 500})
    assert refused(moment(), A, Note("half \ud83d")).code == "note-unreadable"


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


# -------------------------------------------------------------------------------------------------------------- offers


def test_R9_the_warden_chooses_a_face_up_offer_and_two_different_players_themselves_included_or_not():
    state = offering(1, 2, 3, 4, row=KINDS[:4])
    for card in range(4):
        for first, second in product(range(4), range(4)):
            if first != second:
                voting = after(state, (A, Offer(card, first, second))).phase
                assert voting == Voting(card, Seat(first), Seat(second))
    assert refused(state, A, Offer(0, 2, 2)).code == "same-player"


@pytest.mark.parametrize(
    ("offer", "code"),
    [
        (Offer(-1, 0, 1), "no-card"),
        (Offer(3, 0, 1), "no-card"),
        (Offer(1, 0, 1), "card-down"),
        (Offer(0, 0, 3), "no-player"),
        (Offer(0, -1, 1), "no-player"),
        (Offer(0, 10**30, 1), "no-player"),
    ],
)
def test_no_other_offer_can_be_made(offer: Offer, code: str):
    state = msgspec.structs.replace(offering(0, 0, 0), row=(Card("advance"), Card("lights", up=False), Card("patrols")))
    assert refused(state, A, offer).code == code


def test_R9_only_the_warden_makes_an_offer():
    state = offering(0, 0, 0, warden=B)
    assert refused(state, A, Offer(0, 0, 1)).facts == {"warden": B}
    assert refused(state, C, Decline()).code == "not-warden"


def test_D8_the_warden_may_decline():
    events = decide(offering(1, 2), A, Decline())
    assert events == [Declined(A, NOW)]
    then = GAME.fold(events, offering(1, 2))
    assert then.log == (NoOffer(A),)
    assert isinstance(then.phase, Guarding)
    assert all(card.up for card in then.row)


def test_R10_votes_are_secret_until_both_are_in_and_then_shown_together():
    state = offered(offering(1, 2, 3), "lights", A, C)
    for first, second in ((A, C), (C, A)):
        yes, no = (after(state, (first, Vote(accept))) for accept in (True, False))
        for reader in {None, B, second}:
            assert GAME.view(yes, reader) == GAME.view(no, reader)
        assert (GAME.view(yes, first).my_vote, GAME.view(no, first).my_vote) == (True, False)
        proposal = public(yes).proposal
        assert proposal is not None
        assert (proposal.voted, public(yes).waiting) == ((first,), (second,))
    shown = the(VotesShown, public(after(state, (C, Vote(True)), (A, Vote(False)))).log)
    assert (shown.first, shown.second, shown.accepts) == (A, C, (False, True))


def test_D9_a_vote_is_final():
    state = after(offered(offering(1, 2), "lights"), (A, Vote(True)))
    assert refused(state, A, Vote(False)).code == "voted"
    assert refused(state, A, Vote(True)).code == "voted"
    assert list(GAME.legal(state, A)) == []


def test_only_those_who_are_asked_vote():
    refusal = refused(offered(offering(1, 2, 3), "lights", A, C), B, Vote(True))
    assert (refusal.code, refusal.facts) == ("not-asked", {"first": A, "second": C})


def test_R11_a_used_offer_is_turned_down():
    row = ("advance", "lights", "advance")
    state = settled(offering(1, 2, 3, row=row), "advance", "++")
    assert state.row == (Card("advance", up=False), Card("lights"), Card("advance"))


def test_R11_D10_when_the_last_is_turned_down_as_many_new_ones_are_dealt_at_once_from_the_whole_deck():
    last = msgspec.structs.replace(
        offering(1, 2, 3), row=(Card("bribe", up=False), Card("lights"), Card("bribe", up=False))
    )
    voting = after(offered(last, "lights"), (A, Vote(True)))
    assert voting.row == last.row  # it lies there until it has taken effect
    rows = []
    for seed in range(60):
        chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "prison", 0)
        events = GAME.decide(voting, B, Vote(True), NOW, chance)
        assert [type(event) for event in events] == [Voted, OfferSettled, RowDealt]
        then = GAME.fold(events, voting)
        assert then.row == tuple(Card(kind) for kind in the(RowDealt, events).row)
        assert the(RowTurned, then.log).row == the(RowDealt, events).row
        assert isinstance(then.phase, Guarding)
        rows.append(Counter(the(RowDealt, events).row))
    assert all(row.total() == 3 and max(row.values()) <= 2 for row in rows)
    assert {kind for row in rows for kind in row} == set(KINDS)


# The cards, written out once more from the rule page: positions 5, 5 and 5 and 2 tokens each before; the first voter is
# the one who accepts of a split. What is not named stays as it is.
CARDS: list[tuple[str, Kind, str, dict[str, Any]]] = [
    ("rules", "advance", "++", {"positions": (7, 7, 5)}),
    ("rules", "advance", "+-", {"positions": (5, 8, 5)}),
    ("rules", "advance", "--", {"positions": (3, 3, 5)}),
    ("rules", "lights", "++", {"shown": (A, B, C)}),
    ("rules", "lights", "+-", {"shown": (A,)}),
    ("rules", "lights", "--", {"positions": (4, 4, 5)}),
    ("rules", "patrols", "++", {"positions": (5, 5, 4)}),
    ("rules", "patrols", "+-", {"positions": (3, 6, 5)}),
    ("rules", "patrols", "--", {"positions": (3, 3, 5)}),
    ("rules", "lockdown", "++", {"no_sneak_round": 2}),
    ("rules", "lockdown", "+-", {"positions": (5, 8, 5), "held": (A,)}),
    ("rules", "lockdown", "--", {"positions": (1, 1, 5)}),
    ("rules", "bribe", "++", {"phase": Sneaking((B, C, A))}),
    ("rules", "bribe", "+-", {"tokens": (1, 3, 2)}),
    ("rules", "bribe", "--", {"tokens": (1, 1, 2)}),
    # O1 offers = sample: a split Advance moves both 2, a split Lock Down its rejecter 2; all else is the same.
    ("sample", "advance", "++", {"positions": (7, 7, 5)}),
    ("sample", "advance", "+-", {"positions": (7, 7, 5)}),
    ("sample", "advance", "--", {"positions": (3, 3, 5)}),
    ("sample", "lockdown", "++", {"no_sneak_round": 2}),
    ("sample", "lockdown", "+-", {"positions": (5, 7, 5), "held": (A,)}),
    ("sample", "lockdown", "--", {"positions": (1, 1, 5)}),
]


@pytest.mark.parametrize(("offers", "kind", "accepts", "expected"), CARDS)
def test_R12_O1_each_offer_does_what_it_says(offers: str, kind: Kind, accepts: str, expected: dict[str, Any]):
    before = offering(5, 5, 5, tokens=2, offers=offers)
    before = msgspec.structs.replace(
        before, prisoners=tuple(msgspec.structs.replace(one, seen_round=-1) for one in before.prisoners)
    )
    then = settled(before, kind, accepts)
    assert then.positions == expected.get("positions", (5, 5, 5))
    assert tuple(one.tokens for one in then.prisoners) == expected.get("tokens", (2, 2, 2))
    assert then.no_sneak_round == expected.get("no_sneak_round", 0)
    assert tuple(seat for seat, one in enumerate(then.prisoners) if one.seen_round == 1) == expected.get("shown", ())
    assert tuple(seat for seat, one in enumerate(then.prisoners) if one.held_round == 2) == expected.get("held", ())
    assert then.phase == expected.get("phase", Guarding((A, B, C)))


def test_R12_of_a_split_it_counts_who_accepted_and_not_who_was_named_first():
    for first, second, accepts in ((A, B, "-+"), (B, A, "+-")):
        assert settled(offering(5, 5, 5), "advance", accepts, first, second).positions == (8, 5, 5)


def test_O1_sample_changes_only_advance_and_lock_down():
    rules, sample = (terms_at(MATERIAL, PrisonBreakOptions(offers=offers)) for offers in ("rules", "sample"))
    assert {terms.kind for terms in rules if terms != terms_of(terms.kind, sample)} == {"advance", "lockdown"}
    assert PrisonBreakOptions().offers == "rules"


def test_R12_extra_patrols_reach_everyone_but_the_two():
    assert settled(offering(5, 5, 5, 5), "patrols", "++", B, C).positions == (4, 5, 5, 4)
    assert settled(offering(5, 5), "patrols", "++").positions == (5, 5)


def test_R12_a_voter_who_shows_their_position_shows_it_after_the_offer_and_the_rest_stay_hidden():
    then = settled(offering(4, 5, 6), "lights", "-+")
    assert the(VotesShown, then.log).positions == (None, 5, None)
    assert [prisoner.seen for prisoner in public(then).prisoners] == [0, 5, 0]


def test_D11_positions_are_held_between_jail_and_exit():
    assert settled(offering(1, 3), "lockdown", "--").positions == (0, 0)
    assert settled(offering(10, 9), "advance", "++").positions == (EXIT, EXIT)


def test_D11_tokens_never_fall_below_0():
    assert [one.tokens for one in settled(offering(1, 1, tokens=0), "bribe", "--").prisoners] == [0, 0]


def test_D14_what_an_offer_did_is_public_as_it_is_printed_and_never_how_far_it_went():
    wide, stuck = (settled(offering(*positions, 0), "lockdown", "--") for positions in ((9, 8), (0, 3)))
    assert public(wide) == public(stuck)
    entry = the(VotesShown, public(stuck).log)
    assert entry.effects.steps == (-4, -4, 0)
    assert [prisoner.printed for prisoner in public(stuck).prisoners] == [-4, -4, 0]
    ahead, close = (settled(offering(*positions, 0), "advance", "++") for positions in ((2, 3), (10, 9)))
    assert public(ahead) == public(close)


def test_D12_who_may_not_move_declares_and_moves_0():
    state = sneaked(passed(settled(offering(5, 5), "lockdown", "+-")), (0, 0))
    assert public(state).turn == A
    assert [(sneak.declare, sneak.move) for sneak in GAME.legal(state, A)] == [(0, 0), (1, 0), (2, 0)]
    assert refused(state, A, Sneak(2, 1)).code == "held"
    then = sneaked(state, (2, 0))
    assert then.positions[A] == 5
    assert public(then).prisoners[A].declared == 2


def held_in_this_round(*positions: int) -> State:
    return offering(*positions, round=2, prisoners=tuple(Prisoner(3, held_round=2 * (seat == A)) for seat in range(3)))


def test_D12_offers_cannot_move_forward_who_may_not_move_this_round():
    then = settled(held_in_this_round(5, 5, 5), "advance", "++")
    assert then.positions == (5, 7, 5)
    assert the(VotesShown, then.log).blocked == (A,)
    assert [prisoner.printed for prisoner in then.prisoners] == [0, 2, 0]
    assert settled(held_in_this_round(5, 5, 5), "patrols", "-+").positions == (5, 3, 5)


def test_D12_backward_moves_and_guards_still_reach_who_may_not_move():
    then = settled(held_in_this_round(5, 5, 5), "advance", "--")
    assert then.positions == (3, 3, 5)
    assert the(VotesShown, then.log).blocked == ()
    assert after(passed_to(then, B), (B, Guard(3))).positions == (0, 0, 5)


def passed_to(state: State, seat: Seat) -> State:
    while public(state).turn != seat:
        state = after(state, (Seat(public(state).turn or 0), Pass()))
    return state


def test_D12_not_moving_lasts_for_the_next_round_only():
    this = settled(offering(5, 5), "lockdown", "+-")
    assert public(this).prisoners[A].held_round == 2
    state = sneaked(passed(this), (0, 0), (0, 0))
    state = passed(after(state, (B, Decline())))
    assert sneaked(state, (1, 1)).positions == (6, 8)


def test_R12_lock_down_skips_the_next_rounds_sneak_phase():
    state = settled(offering(5, 5, tokens=(0, 1)), "lockdown", "++")
    events = decide(state, B, Pass())
    assert [type(event) for event in events] == [Passed, RoundBegun, LightsChecked]
    then = GAME.fold(events, state)
    assert (then.round, then.warden, then.phase) == (2, B, Offering())
    assert RoundStarts(2, B, False, ()) in then.log
    following = passed(after(then, (B, Decline())))
    assert (following.round, following.phase) == (3, Sneaking((A, B)))


def test_D13_bribed_guards_are_those_of_the_same_round():
    state = settled(offering(5, 5), "bribe", "++")
    assert (state.round, state.phase) == (2, Sneaking((B, A)))
    state = after(sneaked(state, (0, 0), (0, 0)), (B, Decline()))
    assert isinstance(state.phase, Guarding)


def test_D16_going_to_jail_by_an_offer_costs_no_sneak_phase_and_shows_nothing():
    state = settled(offering(3, 5), "lockdown", "--")
    assert state.positions == (0, 1)
    assert public(state).prisoners[A].seen_round == 0
    assert not public(state).prisoners[A].skips
    assert passed(state).phase == Sneaking((B, A))


# -------------------------------------------------------------------------------------------------------- guard checks


def test_R13_in_turn_order_from_the_warden_each_may_spend_a_token():
    state = moment((1, 2, 3), Guarding((B, C, A)), warden=B)
    for seat in (B, C, A):
        assert public(state).turn == seat
        state = after(state, (seat, Guard(9)))
    assert [one.tokens for one in state.prisoners] == [2, 2, 2]
    assert (state.round, state.warden) == (2, C)


@pytest.mark.parametrize("space", range(1, 11))
def test_R13_D15_every_pawn_on_the_named_space_goes_to_jail(space: int):
    state = guarding(space, 11 - space, space, EXIT)
    (event,) = decide(state, A, Guard(space))
    assert event == GuardsSent(A, space, (A, C), NOW)  # D15: the checker's own pawn included
    then = GAME.fold([event], state)
    assert then.positions == (0, 11 - space, 0, EXIT)
    assert then.log == (GuardsGo(A, space, (A, C)),)


@pytest.mark.parametrize("space", [-1, 0, 11, 12, 10**30])
def test_R13_D20_only_numbered_spaces_can_be_checked_and_not_exit(space: int):
    refusal = refused(guarding(0, EXIT), A, Guard(space))
    assert (refusal.code, refusal.facts) == ("no-space", {"space": space, "spaces": 10})


def test_D15_a_check_that_finds_nobody_is_public_too():
    then = after(guarding(1, 2, 3), (A, Guard(7)))
    assert then.log == (GuardsGo(A, 7, ()),)
    assert then.prisoners[A].tokens == 2


def test_D15_one_check_a_player_a_round():
    then = after(guarding(1, 2, 3), (A, Guard(7)))
    assert refused(then, A, Guard(8)).code == "not-your-turn"
    assert refused(then, A, Pass()).code == "not-your-turn"


def test_D18_players_without_tokens_are_passed_over():
    state = after(offering(1, 2, 3, 4, tokens=(0, 1, 0, 2)), (A, Decline()))
    assert state.phase == Guarding((B, D))
    assert refused(state, C, Guard(1)).code == "no-token"
    assert after(offering(1, 2, tokens=0), (A, Decline())).round == 2


def test_D18_those_sent_to_jail_may_still_check():
    state = after(guarding(1, 2, 3), (A, Guard(2)), (B, Guard(3)))
    assert state.positions == (1, 0, 0)
    assert state.prisoners[B].tokens == 2


def test_D17_a_hit_makes_the_position_public_and_resets_the_declared_sum():
    prisoners = (Prisoner(3, declared=4), Prisoner(3, declared=5, printed=-2))
    then = after(guarding(1, 3, prisoners=prisoners, round=4), (A, Guard(3)))
    assert public(then).prisoners[B] == Prisoner(3, seen=JAIL, seen_round=4, skips=True)
    assert public(then).prisoners[A].declared == 4


def test_R14_D6_who_was_sent_back_skips_the_next_sneak_phase_and_declares_nothing():
    state = passed(after(guarding(1, 3, 5), (A, Guard(3))))
    assert state.phase == Sneaking((C, A), (B,))
    assert public(state).sits_out == (B,)
    assert refused(state, B, Sneak(0, 0)).code == "sits-out"
    then = sneaked(state, (0, 0), (0, 0))
    assert [entry.seat for entry in then.log if isinstance(entry, Declares)] == [C, A]
    following = passed(after(then, (B, Decline())))
    assert following.phase == Sneaking((C, A, B))


def test_R14_when_all_were_sent_back_the_sneak_phase_passes_without_a_sneak():
    state = after(guarding(3, 3), (A, Guard(3)))
    events = decide(state, B, Pass())
    assert [type(event) for event in events] == [Passed, RoundBegun, LightsChecked]
    then = GAME.fold(events, state)
    assert RoundStarts(2, B, True, (B, A)) in then.log
    assert passed(after(then, (B, Decline()))).phase == Sneaking((A, B))


def test_D16_the_skip_is_of_the_next_sneak_phase_that_takes_place():
    state = after(settled(offering(5, 5), "lockdown", "++"), (A, Guard(7)), (B, Pass()))
    assert state.round == 2  # without a Sneak phase
    state = msgspec.structs.replace(state, prisoners=(Prisoner(3), Prisoner(3, skips=True)))
    state = passed(after(state, (B, Decline())))
    assert (state.round, state.phase) == (3, Sneaking((A,), (B,)))


def test_D16_a_skip_waits_while_lock_down_leaves_out_the_sneak_phase():
    state = after(settled(offering(5, 6), "lockdown", "++"), (A, Guard(6)), (B, Pass()))
    assert (state.round, state.phase, state.prisoners[B].skips) == (2, Offering(), True)
    state = passed(after(state, (B, Decline())))
    assert state.phase == Sneaking((A,), (B,))


def test_D16_two_hits_before_it_cost_the_same_one_sneak_phase():
    state = offering(0, 0, 5, prisoners=(Prisoner(3, skips=True), Prisoner(3), Prisoner(3)), no_sneak_round=1)
    state = after(settled(state, "advance", "++"), (A, Pass()), (B, Guard(2)), (C, Pass()))
    assert state.phase == Sneaking((C,), (B, A))
    state = passed(after(sneaked(state, (0, 0)), (B, Decline())))
    assert state.phase == Sneaking((C, A, B))


# ------------------------------------------------------------------------------------------------------------- winning


def test_R15_who_is_on_exit_when_the_round_ends_wins():
    state = guarding(EXIT, 5, tokens=(0, 3), seats=[B])
    events = decide(state, B, Pass())
    assert events == [Passed(B, NOW), GameEnded("exit", (A,))]
    then = GAME.fold(events, state)
    assert GAME.outcome(then) == Outcome((1, 2), (EXIT, 5), "exit")
    assert (public(then).phase, public(then).winners, public(then).waiting) == ("over", (A,), ())


def test_R15_D19_not_before_the_guard_checks_and_also_where_they_are_skipped():
    state = sneaked(moment((9, 5)), (0, 2), (0, 0))
    assert GAME.outcome(state) is None
    state = after(state, (A, Decline()))
    assert GAME.outcome(state) is None
    assert GAME.outcome(passed(state)) is not None
    assert GAME.outcome(settled(offering(EXIT, 5), "bribe", "++")) is not None
    assert GAME.outcome(after(offering(EXIT, 5, tokens=0), (A, Decline()))) is not None


def test_D20_an_offer_can_move_a_pawn_off_exit():
    state = settled(offering(EXIT, 5, arrivals=(1, None), effects=4), "patrols", "--")
    assert (state.positions, state.arrivals) == ((9, 3), (None, None))
    assert GAME.outcome(passed(state)) is None


def test_D21_of_several_the_first_to_arrive_wins_and_every_sneak_is_its_own_effect():
    state = sneaked(moment((5, 10, 10), warden=B), (0, 2), (0, 1), (0, 0))
    state = passed(after(state, (B, Decline())))
    assert GAME.outcome(state) == Outcome((3, 1, 2), (5, EXIT, EXIT), "exit")
    assert public(state).winners == (B,)


def test_D21_who_sneaked_there_arrived_before_who_is_moved_there_by_the_offer():
    state = sneaked(moment((9, 9)), (0, 0), (0, 2))
    state = passed(settled(state, "advance", "++"))
    assert state.positions == (EXIT, EXIT)
    assert public(state).winners == (B,)


def test_D21_arrived_by_the_same_effect_is_a_shared_win():
    state = passed(settled(offering(10, 9, 4), "advance", "++"))
    assert GAME.outcome(state) == Outcome((1, 1, 3), (EXIT, EXIT, 4), "exit")
    assert public(state).winners == (A, B)


def test_D20_leaving_exit_and_coming_back_is_a_new_arrival():
    state = offering(EXIT, EXIT, arrivals=(1, 2), effects=2)
    state = msgspec.structs.replace(settled(state, "lights", "--"), phase=Offering())
    assert state.arrivals == (None, None)
    assert settled(state, "advance", "++").arrivals == (4, 4)


def test_D20_a_step_forward_on_exit_is_no_arrival():
    state = settled(offering(EXIT, 9, arrivals=(1, None), effects=1), "advance", "++")
    assert state.arrivals == (1, 2)


def test_O2_after_the_round_limit_the_furthest_pawn_wins_and_ties_share():
    def last(*positions: int) -> Outcome | None:
        return GAME.outcome(passed(guarding(*positions, round=12, round_limit=12)))

    assert last(4, 9, 9) == Outcome((3, 1, 1), (4, 9, 9), "rounds")
    assert last(4, 2, 3) == Outcome((1, 3, 2), (4, 2, 3), "rounds")
    assert last(10, EXIT, 3) == Outcome((2, 1, 3), (10, EXIT, 3), "exit")
    assert GAME.outcome(passed(guarding(4, 9, round=11, round_limit=12))) is None
    assert PrisonBreakOptions().round_limit == 30


def test_D22_at_the_end_all_tracks_are_shown_but_notes_stay_private():
    state = after(sneaked(moment((9, 5)), (0, 2), (2, 1)), (A, Decline()), (B, Note("I knew it")))
    assert public(state).positions == (None, None)
    assert GAME.view(state, B).positions == (None, 6)
    state = passed(state)
    for reader in (None, A, B):
        seen = GAME.view(state, reader)
        assert seen.positions == (EXIT, 6)
        assert seen.paths == ((Step(1, "sneak", 0, 2, EXIT),), (Step(1, "sneak", 2, 1, 6),))
        assert seen.note == ("I knew it" if reader == B else "")


# ------------------------------------------------------------------------------------------------ refusals, the clock


MOVES: dict[str, PrisonBreakAction] = {
    "sneak": Sneak(0, 0),
    "offer": Offer(0, 0, 1),
    "vote": Vote(True),
    "guard": Guard(1),
}


@pytest.mark.parametrize(
    ("phase", "state"),
    [
        ("sneak", moment()),
        ("offer", offering(1, 2, 3)),
        ("vote", offered(offering(1, 2, 3), "advance")),
        ("guard", guarding(1, 2, 3)),
    ],
)
def test_a_move_of_another_phase_is_refused(phase: str, state: State):
    for needs, move in MOVES.items():
        if needs == phase:
            decide(state, A, move)
        else:
            refusal = refused(state, A, move)
            assert (refusal.code, refusal.facts) == ("wrong-phase", {"phase": phase, "needs": needs})
    assert phase == "offer" or refused(state, A, Decline()).facts == {"phase": phase, "needs": "offer"}
    assert phase == "guard" or refused(state, A, Pass()).facts == {"phase": phase, "needs": "guard"}


@pytest.mark.parametrize("stranger", [None, -1, 3, 99])
def test_who_does_not_sit_at_the_table_can_do_nothing(stranger: int | None):
    seat = None if stranger is None else Seat(stranger)
    for move in [*MOVES.values(), Note("hello")]:
        assert refused(moment(), seat, move).code == "not-seated"


def test_when_all_is_over_nothing_is_left_to_do():
    state = moment((EXIT, 5), Over("exit", (A,)))
    for move in [*MOVES.values(), Decline(), Pass(), Note("x"), Expire("sneak-1-0"), Delay(5)]:
        assert refused(state, A, move).facts == {"reason": "exit"}
    assert GAME.deadlines(state) == ()


def test_the_clock_is_not_for_players():
    assert refused(moment(), A, Expire("sneak-1-0")).code == "clock-only"
    assert refused(moment(), A, Delay(1000)).code == "clock-only"


@pytest.mark.parametrize(
    ("state", "name", "seats", "default"),
    [
        (moment(), "sneak-1-0", (A,), Sneak(0, 0)),
        (offering(1, 2, round=4), "offer-4", (A,), Decline()),
        (offered(offering(1, 2, 3), "advance", B, C), "vote-1", (B, C), Vote(False)),
        (guarding(1, 2, seats=[B]), "guard-1-1", (B,), Pass()),
    ],
)
def test_every_turn_has_a_clock_with_a_safe_default(
    state: State, name: str, seats: tuple[Seat, ...], default: PrisonBreakAction
):
    (deadline,) = GAME.deadlines(state)
    assert deadline.id.startswith(name)
    assert (deadline.seats, deadline.default, deadline.kind) == (seats, default, "turn")
    assert deadline.due == state.began + 180_000
    lapses = GAME.decide(state, None, Expire(deadline.id), deadline.due, rolling(DARK))
    assert [event.seat for event in lapses if isinstance(event, Lapsed)] == list(seats)
    assert lapses[0] == Lapsed(seats[0], deadline.id)
    assert TimeRanOut(seats[0]) in GAME.fold(lapses, state).log
    assert refused(state, None, Expire(deadline.id), Moment(deadline.due - 1)).code == "early"
    gone = GAME.fold(lapses, state)
    assert refused(gone, None, Expire(deadline.id), deadline.due).code == "late"


def test_the_default_moves_are_what_the_seat_itself_could_play():
    for state in (moment(), offering(1, 2, 3), offered(offering(1, 2, 3), "advance"), guarding(1, 2, 3)):
        (deadline,) = GAME.deadlines(state)
        for seat in deadline.seats:
            assert deadline.default in GAME.legal(state, seat)


def test_a_vote_that_lapses_is_a_reject_and_never_shown_before_the_other_is_in():
    state = offered(offering(5, 5, 5), "advance")
    (deadline,) = GAME.deadlines(state)
    events = GAME.decide(state, None, Expire(deadline.id), deadline.due, rolling(DARK))
    assert [type(event) for event in events] == [Lapsed, Voted, Lapsed, Voted, OfferSettled]
    assert GAME.fold(events, state).positions == (3, 3, 5)
    half = after(state, (B, Vote(True)))
    (rest,) = GAME.deadlines(half)
    assert (rest.id, rest.seats, rest.due) == (deadline.id, (A,), deadline.due)
    events = GAME.decide(half, None, Expire(rest.id), rest.due, rolling(DARK))
    assert GAME.fold(events, half).positions == (8, 5, 5)


def test_without_a_clock_nothing_runs_out():
    assert GAME.deadlines(moment(clock=0)) == ()
    assert refused(moment(clock=0), None, Expire("sneak-1-0"), Moment(10**15)).code == "late"


def test_a_delay_moves_the_clock_and_nothing_else():
    assert decide(moment(), None, Delay(500)) == [Delayed(500)]
    state = GAME.fold([Delayed(500)], moment())
    assert GAME.deadlines(state)[0].due == BEGAN + 180_500
    assert public(state) == public(moment())
    assert refused(moment(), None, Delay(0)).code == "no-delay"
    assert refused(moment(), None, Delay(-5)).code == "no-delay"


def test_the_clock_of_a_turn_begins_when_the_one_before_ended():
    state = sneaked(moment(), (0, 0))
    assert GAME.deadlines(state)[0].due == NOW + 180_000


def test_records_that_do_not_fit_the_game_are_broken():
    (first,) = GAME.setup(2, PrisonBreakOptions(), MATERIAL, BEGAN, rolling(1))
    wrong: list[list[Any]] = [
        [],
        [Passed(A, NOW)],
        [first, first],
        [first, Passed(A, NOW)],
        [first, Voted(A, True)],
        [first, OfferSettled((True, True), NOW)],
        [first, Offered(0, first.row[0], A, B, NOW), Sneaked(A, 0, 0, NOW)],
    ]
    for events in wrong:
        with pytest.raises(BrokenRecord):
            GAME.fold(events)


def test_the_log_tells_a_round_in_order():
    state = sneaked(moment((1, 2)), (2, 1), (1, 2))
    state = passed(settled(state, "advance", "+-"))
    assert [type(entry) for entry in state.log] == [
        Declares,
        Declares,
        LightsThrown,
        OfferMade,
        VotesShown,
        Passes,
        Passes,
        RoundStarts,
    ]
