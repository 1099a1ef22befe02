"""The notes of a game: what every player did since their previous NEXT, so that players can decide whether to call."""

import pytest

from engine.games.break_out import GAME, BreakOutOptions
from engine.games.break_out.log import MOST_NOTES, NOTES
from tools.harness.playouts import play


@pytest.mark.parametrize("seats", [2, 6])
def test_the_last_turn_of_every_player_is_kept_however_much_happens(seats: int):
    longest = 0
    for seed in range(8):
        playout = play(GAME, seed, seats=seats, options=BreakOutOptions(rounds=2))
        said = 0
        for state in playout.states:
            notes = [note for note in state.notes if not note.private]
            longest = max(longest, len(notes))
            ends = [note for note in notes if note.kind == "next"]
            said = max(said, len(ends)) if len(notes) < NOTES else said
            assert len(notes) <= MOST_NOTES
            assert len(ends) >= min(said, seats) or len(notes) == MOST_NOTES
            if len(notes) > NOTES:
                assert len(ends) <= seats, "more than usual are kept only for the turns of one circuit"
    assert longest >= NOTES
