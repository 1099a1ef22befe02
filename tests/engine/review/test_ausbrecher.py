"""How steering is evaluated, and what the final notes say about the bets."""

from random import Random

import msgspec
import pytest

from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, AusbrecherView, DiceChoice, Forecast, Race, Roll
from engine.review import Decision, Evaluation
from engine.review.ausbrecher import chance, noted, weigh
from tools.harness.playouts import Playout, play

BETS = (1, 1, 2, 2, 3, 3, 4)


@pytest.fixture(scope="module")
def playout() -> Playout:
    return play(GAME, 2, seats=2, lapses=0.0)


def last_two(playout: Playout, violet: int, pink: int) -> AusbrecherView:
    """Return a view with five aboard as seat 0 has bet, and violet and pink on these spaces; seat 0 is to roll."""
    at = {violet: "violet", pink: "pink"}
    seen = GAME.view(playout.states[0], Seat(0))
    told = {
        "cells": [],
        "spaces": [[at[space]] if space in at else [] for space in range(1, 19)],
        "boats": [["red", "orange"], ["yellow", "green"], ["blue"], []],
        "holds": seen.race.holds,
    }
    race = msgspec.convert(told, Race)
    return msgspec.structs.replace(
        seen,
        phase="roll",
        length=18,
        race=race,
        turn=Seat(0),
        turn_number=30,
        turns_left=20,
        choice=DiceChoice(2, 1),
        forecasts=(BETS, None),
    )


def test_steering_against_ones_own_bets_is_a_slip(playout: Playout):
    view = last_two(playout, violet=18, pink=17)
    good, bad = Roll(("violet", "pink")), Roll(("violet",), True)
    right, wrong = weigh(view, good, Random(0)), weigh(view, bad, Random(0))
    assert isinstance(right, Evaluation) and isinstance(wrong, Evaluation)
    assert right.best - right.played < 0.05
    assert wrong.best - wrong.played > 0.04 and wrong.why == "points" and int(str(wrong.facts["tenths"])) > 30


def test_more_right_bets_make_a_win_likelier(playout: Playout):
    assert chance(last_two(playout, violet=18, pink=1), Random(0)) > chance(
        last_two(playout, violet=1, pink=18), Random(0)
    )


def test_the_same_dice_in_another_order_are_the_same_choice(playout: Playout):
    view = last_two(playout, violet=10, pink=9)
    one, other = (weigh(view, Roll(colours), Random(0)) for colours in (("violet", "pink"), ("pink", "violet")))
    assert isinstance(one, Evaluation) and isinstance(other, Evaluation)
    assert one.best - one.played == pytest.approx(other.best - other.played)


def test_a_forecast_is_not_weighed(playout: Playout):
    assert weigh(GAME.view(playout.states[0], Seat(0)), Forecast(BETS), Random(0)) is None


def test_the_final_notes_list_the_bets_of_each_seat_with_the_odds_at_the_time(playout: Playout):
    deeds = [Decision(number, step.seat, step.action) for number, step in enumerate(playout.steps, 1)]
    notes = list(noted(playout.states, deeds))
    last = playout.states[-1]
    boats = {colour: boat for boat, crew in enumerate(last.race.boats, 1) for colour in crew}
    assert [note.seat for note in notes] == [0, 1]
    for note, bets, score in zip(notes, last.forecasts, playout.outcome.scores, strict=True):
        right = {colour for colour, bet in zip(COLOURS, bets, strict=True) if boats[colour] == bet}
        assert note.facts["right"] == len(right) and note.facts["points"] == score
        assert "came" not in note.facts or (note.facts["came"] in right and int(str(note.facts["came_odds"])) <= 50)
        assert "failed" not in note.facts or note.facts["failed"] not in right
