"""Prison Break, mark by mark: offers and votes."""

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import Seat
from engine.games.prison_break import (
    GAME,
    KINDS,
    Card,
    Decline,
    Declined,
    Guard,
    Guarding,
    Kind,
    LightsChecked,
    NoOffer,
    Offer,
    Offering,
    OfferSettled,
    Pass,
    Passed,
    PrisonBreakOptions,
    Prisoner,
    RoundBegun,
    RoundStarts,
    RowDealt,
    RowTurned,
    Sneak,
    Sneaking,
    State,
    Vote,
    Voted,
    VotesShown,
    Voting,
    terms_at,
    terms_of,
)
from tests.engine.games.prison_break_positions import (
    EXIT,
    MATERIAL,
    NOW,
    A,
    B,
    C,
    after,
    decide,
    offered,
    offering,
    passed,
    public,
    refused,
    settled,
    sneaked,
)
from tools.harness.playouts import the

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
        assert (proposal.voted, public(yes).to_act) == ((first,), (second,))
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
    assert voting.row == last.row  # it stays there until it has taken effect
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


# The cards, copied from the rule book: positions 5, 5 and 5 and 2 tokens each before; in a split, the first voter
# accepts. What is not listed stays as it is.
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


def test_R12_a_split_depends_on_who_accepted_and_not_on_who_was_named_first():
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


def test_D11_words_too_are_held_between_jail_and_exit_one_after_the_other():
    state = settled(offering(0, 3, 0), "lockdown", "--")  # 4 back: A stays in JAIL, B comes there
    assert [prisoner.led for prisoner in public(state).prisoners] == [0, 0, 0]
    then = sneaked(passed(state), (1, 0), (2, 2))
    assert [then.prisoners[seat].led for seat in (B, C)] == [1, 2]
    end = settled(offering(0, 0, 0, prisoners=(Prisoner(3, seen=9), Prisoner(3, seen=9), Prisoner(3))), "advance", "++")
    back = settled(offering(0, 0, 0, prisoners=end.prisoners), "lockdown", "--")
    assert [prisoner.led for prisoner in (*end.prisoners[:2], *back.prisoners[:2])] == [11, 11, 7, 7]


def test_D12_a_held_player_declares_and_moves_0():
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
