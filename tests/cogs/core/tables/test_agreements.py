"""What is counted for agreements: the moves of a caretaker, and the turns before another proposal."""

from cogs.core.tables.agreements import NO_AGREEMENTS, TURNS_BETWEEN_PROPOSALS, Pardon
from data.store import SeatRow
from engine.games.break_out import Draw, Next
from engine.turns import Ready

SEATS = (SeatRow(0, 10, "Ann", caretaker=True), SeatRow(1, 11, "Ben"))


def test_several_actions_of_one_turn_are_one_move():
    now = NO_AGREEMENTS.with_pardon(Pardon(0)).with_proposal("none", 0, 2, None)
    for action in (Draw(), Next(), Ready()):
        now = now.after_move(0, action, SEATS)
    pardon = now.pardon_of(0)
    assert pardon is not None and pardon.moves == 1 and now.wait_of(0) == TURNS_BETWEEN_PROPOSALS - 1
    now = now.after_move(1, Next(), SEATS).after_move(0, Draw(), SEATS)
    pardon = now.pardon_of(0)
    assert pardon is not None and pardon.moves == 2 and now.wait_of(0) == TURNS_BETWEEN_PROPOSALS - 2


def test_a_turn_that_ran_out_is_between_two_moves_of_one_seat():
    now = NO_AGREEMENTS.with_proposal("none", 0, 2, None).after_move(0, Draw(), SEATS)
    assert now.after_move(0, Draw(), SEATS) == now
    assert now.after_clock().after_move(0, Draw(), SEATS).wait_of(0) == TURNS_BETWEEN_PROPOSALS - 2
