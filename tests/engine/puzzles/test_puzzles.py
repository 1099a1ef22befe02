"""The puzzles: each has one best answer, which a second solver also finds; all kinds follow the contract."""

from random import Random
from typing import Any

import pytest

from data.material import load_material
from data.puzzles import load_puzzles
from engine.contract import Action, Moment, Seat
from engine.games import match_five, prison_break
from engine.puzzles import EASIEST, HARDEST, SOLVER, AnyKind, Puzzle, make
from engine.puzzles.registry import KINDS
from tests.engine.puzzles import solvers

PACK = load_puzzles()
EVERY = 29
"""Every 29th day of the year is solved here; `python -m tests.engine.puzzles` solves them all."""

NUMBERS = range(1, 379, EVERY)


def puzzles(key: str) -> list[Puzzle]:
    return [PACK[key].numbered(number) for number in NUMBERS]


def state_of(kind: AnyKind, puzzle: Puzzle) -> Any:
    return kind.state(puzzle.position, load_material(kind.game))


def judged(kind: AnyKind, puzzle: Puzzle, *played: Action) -> str:
    return kind.judge(puzzle.position, puzzle.proof, load_material(kind.game), played).verdict


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
class TestEveryKind:
    def test_the_same_random_numbers_make_the_same_puzzle(self, kind: AnyKind) -> None:
        material = load_material(kind.game)
        assert make(kind, Random(3), material) == make(kind, Random(3), material)

    def test_the_solver_is_to_move_and_may_do_what_the_answer_says(self, kind: AnyKind) -> None:
        for puzzle in puzzles(kind.game.key):
            state = state_of(kind, puzzle)
            assert SOLVER in kind.game.view(state, None).to_act
            assert kind.game.decide(state, SOLVER, puzzle.proof.line[0], Moment(0), solvers.CHANCE)

    def test_the_answer_is_right_and_each_step_before_its_last_goes_on(self, kind: AnyKind) -> None:
        for puzzle in puzzles(kind.game.key):
            line = puzzle.proof.line
            assert judged(kind, puzzle, *line) == "right"
            for length in range(1, len(line)):
                assert judged(kind, puzzle, *line[:length]) == "go-on"

    def test_the_proof_can_be_made_again(self, kind: AnyKind) -> None:
        material = load_material(kind.game)
        for puzzle in puzzles(kind.game.key)[::4]:
            assert kind.prove(puzzle.position, material) == puzzle.proof

    def test_there_is_a_choice_and_the_best_is_clearly_better(self, kind: AnyKind) -> None:
        for puzzle in puzzles(kind.game.key):
            proof = puzzle.proof
            assert proof.legal >= 2 and proof.best != proof.second
            assert EASIEST <= proof.difficulty <= HARDEST

    def test_a_week_begins_with_its_easiest_and_ends_with_its_hardest(self, kind: AnyKind) -> None:
        week = [PACK[kind.game.key].numbered(day).proof.difficulty for day in range(1, 8)]
        assert week == sorted(week)


# Match Five's positions are the end of a game; the other tiles have been played elsewhere.
@pytest.mark.parametrize(
    "kind", [kind for key, kind in KINDS.items() if key != "match_five"], ids=lambda kind: kind.key
)
def test_no_piece_is_lost_or_invented_by_the_position(kind: AnyKind) -> None:
    for puzzle in puzzles(kind.game.key):
        material = load_material(kind.game)
        state = state_of(kind, puzzle)
        assert kind.game.piece_counts is not None
        started = kind.game.setup(kind.seats, type(state.options)(clock=0), material, Moment(0), solvers.CHANCE)
        assert kind.game.piece_counts(state) == kind.game.piece_counts(kind.game.fold(started))


def test_no_other_push_links_in_two() -> None:
    kind = KINDS["rope_wall"]
    for puzzle in puzzles("rope_wall"):
        state = state_of(kind, puzzle)
        assert solvers.links_in_two(state) == [puzzle.proof.line[0]]
        others = [push for push in kind.game.legal(state, SOLVER) if push != puzzle.proof.line[0]]
        assert {judged(kind, puzzle, push) for push in others} == {"wrong"}


def test_no_other_play_scores_as_much() -> None:
    kind = KINDS["match_five"]
    for puzzle in puzzles("match_five")[::2]:
        assert solvers.best_play(state_of(kind, puzzle)) == (puzzle.proof.best, 1, puzzle.proof.second)
        worse = next(
            action
            for action in kind.game.legal(state_of(kind, puzzle), SOLVER)
            if isinstance(action, match_five.Play) and len(action.layings) == 1
        )
        assert judged(kind, puzzle, worse) == "wrong"


def test_no_other_dice_are_as_likely() -> None:
    kind = KINDS["ausbrecher"]
    for puzzle in puzzles("ausbrecher")[::3]:
        wins = solvers.best_dice(state_of(kind, puzzle), puzzle.position)
        ranked = sorted(wins, key=lambda roll: -wins[roll])
        assert ranked[0] == puzzle.proof.line[0] and wins[ranked[0]] > wins[ranked[1]]
        assert [round(1_000 * wins[roll] / 1_296) for roll in ranked[:2]] == [puzzle.proof.best, puzzle.proof.second]
        assert judged(kind, puzzle, ranked[1]) == "wrong"


def test_only_one_rival_must_be_on_one_space() -> None:
    kind = KINDS["prison_break"]
    for puzzle in puzzles("prison_break"):
        state = state_of(kind, puzzle)
        may = {rival: solvers.where_they_may_be(state, Seat(rival)) for rival in (1, 2)}
        sure = {rival: spaces for rival, spaces in may.items() if len(spaces) == 1}
        assert [prison_break.Guard(space) for spaces in sure.values() for space in spaces] == list(puzzle.proof.line)
        ((rival, spaces),) = sure.items()
        assert state.positions[rival] in spaces
        assert all(state.positions[rival] in spaces for rival, spaces in may.items())


def test_there_is_one_way_out() -> None:
    kind = KINDS["break_out"]
    for puzzle in puzzles("break_out"):
        assert len(solvers.ways_out(state_of(kind, puzzle))) == 1
