"""Equal values share one instance."""

from engine.games.prison_break import GAME, JAIL, Step
from engine.interning import intern
from tools.harness.playouts import played


def test_interning_keeps_the_first_of_equal_values():
    first = intern(Step(1, "guards", None, 0, JAIL))
    again = Step(1, "guards", None, 0, JAIL)
    assert first is not again and intern(again) is first
    assert intern(Step(2, "guards", None, 0, JAIL)) is not first


def test_what_is_said_twice_in_a_game_is_kept_once():
    log = GAME.fold(played(GAME.key, 1).events).log
    assert len({id(entry) for entry in log}) == len(set(log)) < len(log)
