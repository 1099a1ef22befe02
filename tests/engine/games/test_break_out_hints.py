"""Break-Out's hints, and the melds at which a reader may point."""

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Seat
from engine.games.break_out import GAME, BreakOutOptions, Point, Pointed, pointable
from tools.harness.playouts import play

HONOUR = BreakOutOptions(rounds=1, clock=60)


def test_O6_D55_nothing_but_what_is_shown_hangs_on_hints():
    for state in play(GAME, 3, seats=3, options=HONOUR).running[::9]:
        silent = msgspec.structs.replace(state, options=msgspec.structs.replace(HONOUR, hints="off"))
        for seat in map(Seat, range(3)):
            assert list(GAME.legal(silent, seat)) == list(GAME.legal(state, seat))
        assert GAME.deadlines(silent) == GAME.deadlines(state)


def test_every_meld_that_may_be_pointed_at_is_taken_by_the_rules():
    tried = 0
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::5]:
            for seat in map(Seat, range(3)):
                for meld in pointable(GAME.view(state, seat)):
                    chance = Chance(bytes(SEED_BYTES), "t", 0)
                    (event,) = GAME.decide(state, seat, Point(meld.id), Moment(state.began), chance)
                    assert isinstance(event, Pointed)
                    tried += 1
    assert tried > 200


def test_a_person_who_has_pointed_or_only_watches_may_point_at_nothing():
    states = play(GAME, 2, seats=3, options=HONOUR).running
    state = next(one for one in reversed(states) if pointable(GAME.view(one, Seat(1))))
    used = msgspec.structs.replace(state, pointed=(False, True, False))
    assert pointable(GAME.view(used, Seat(1))) == () == pointable(GAME.view(state, None))
