"""Achievements: each is earned in one recorded game, and not in another that just misses it."""

import gzip
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import msgspec
import pytest

from engine import achievements
from engine.achievements import ausbrecher, break_out, match_five, prison_break, rope_wall
from engine.contract import Event, Moment, Outcome, Seat, to_json
from engine.export import read_export
from engine.games import GAMES
from engine.games import ausbrecher as boats
from engine.games import break_out as cards
from engine.games import match_five as tiles
from engine.games import prison_break as guards
from engine.games import rope_wall as ropes
from engine.games.ausbrecher import COLOURS, Landing
from engine.games.break_out.events import Undone
from engine.games.match_five import Line, Spot, Stone
from tests.engine.games.ausbrecher_positions import MATERIAL as RACE
from tools.harness.playouts import played
from tools.versions import FOLDER

RULES: dict[str, ModuleType] = {
    "rope_wall": rope_wall,
    "match_five": match_five,
    "ausbrecher": ausbrecher,
    "prison_break": prison_break,
    "break_out": break_out,
}
AT = Moment(1_000_000)
A, B, C = Seat(0), Seat(1), Seat(2)
FIRST = Outcome((1, 2), (9, 8), "over")
SECOND = Outcome((2, 1), (8, 9), "over")

Record = Sequence[Event]


def earned(rule: ModuleType, events: Record, outcome: Outcome = FIRST) -> dict[str, set[Seat]]:
    """Return the achievements and who earned them, without those that nobody earned."""
    return {name: {*seats} for name, seats in rule.earned(events, outcome).items() if seats}


# The Rope Wall


def pushes(seat: Seat, count: int) -> list[Event]:
    return [ropes.Pushed(seat, 1, "left", None, AT)] * count


def climb(seat: Seat, *columns: int, by: int = 12) -> list[Event]:
    """Return a round that a seat wins with this many pushes, through these exits."""
    won = ropes.RoundWon(seat, (columns,), ((),) * len(columns))
    return [*pushes(seat, by), won, ropes.Escaped(seat, columns, ((),) * len(columns)), ropes.RoundBegun(seat, AT)]


def over(winner: Seat | None, reason: Any = "prisoners") -> Event:
    return ropes.GameEnded(reason, winner)


def test_two_exits_are_two_prisoners_freed_by_one_push():
    game = [*climb(A, 2), *climb(B, 3), *climb(A, 1, 4), over(A)]
    assert earned(rope_wall, game) == {"two-exits": {A}}
    one_by_one = [*climb(A, 2), *climb(B, 3), *climb(A, 1), *climb(A, 4), over(A)]
    assert earned(rope_wall, one_by_one) == {}


@pytest.mark.parametrize(("own", "fast"), [(9, True), (10, True), (11, False)])
def test_a_fast_climb_takes_ten_pushes_of_ones_own(own: int, fast: bool):
    game = [*climb(B, 2), *pushes(B, 10), *climb(A, 1, by=own), over(None, "cancelled")]
    assert earned(rope_wall, game) == ({"fast-climb": {A}} if fast else {})


def test_pushes_of_a_cancelled_round_do_not_slow_down_the_next_climb():
    cancelled = [*pushes(A, 40), ropes.RoundCancelled("pushes"), ropes.RoundBegun(B, AT)]
    assert earned(rope_wall, [*cancelled, *climb(A, 1, by=10)]) == {"fast-climb": {A}}


def test_a_clean_break_is_a_win_before_the_rival_frees_a_prisoner():
    assert earned(rope_wall, [*climb(A, 2), *climb(A, 3), *climb(A, 1), over(A)]) == {"clean-break": {A}}
    assert earned(rope_wall, [*climb(A, 2), *climb(A, 3), *climb(B, 4), *climb(A, 1), over(A)]) == {}
    assert earned(rope_wall, [*climb(A, 2), *climb(A, 3), ropes.Resigned(B), over(A, "resigned")]) == {}


def test_out_of_the_hole_comes_who_wins_after_being_two_behind():
    last = [climb(A, 2), climb(A, 3), climb(A, 5)]
    game = [event for round_ in (climb(B, 1), climb(B, 4), *last) for event in round_]
    assert earned(rope_wall, [*game, over(A)]) == {"from-the-hole": {A}}
    level = [event for round_ in (climb(B, 1), last[0], climb(B, 4), *last[1:]) for event in round_]
    assert earned(rope_wall, [*level, over(A)]) == {}
    assert earned(rope_wall, [*game[:-4], over(B, "resigned")]) == {}


# Match Five


def play(seat: Seat, *fives: str, points: int = 30, wild: int | None = None, bonus: int = 10) -> Event:
    """Return a turn in which these axes reached five; `wild` is the place of a Wild that was laid in it."""
    lines = []
    for number, axis in enumerate(fives):
        spots = tuple(Spot(place, number, 1) for place in range(5))
        lines.append(Line(axis, spots, 15 + bonus, bonus))  # type: ignore[arg-type]  # an axis
    stones = (Stone(4, 0, 1, "r5"), *(() if wild is None else (Stone(wild, 0, 1, "r1", wild=True),)))
    return tiles.Played(seat, stones, tuple(lines), points, (), AT)


def test_a_master_key_is_a_wild_laid_in_a_five():
    assert earned(match_five, [play(A, "x", wild=2)]) == {"wild-five": {A}}
    assert earned(match_five, [play(A, "x", wild=9)]) == {}
    assert earned(match_five, [play(A, "x", wild=2, bonus=0)]) == {}
    assert earned(match_five, [play(A, wild=2), play(A, "x")]) == {}


def test_two_fives_come_in_one_turn():
    assert earned(match_five, [play(B, "x", "y")]) == {"two-fives": {B}}
    assert earned(match_five, [play(B, "x"), play(A, "y"), play(B, "stack")]) == {}


@pytest.mark.parametrize(("points", "big"), [(69, False), (70, True), (104, True)])
def test_a_big_haul_is_seventy_points_in_one_turn(points: int, big: bool):
    assert earned(match_five, [play(A, points=points), play(B, points=69)]) == ({"big-haul": {A}} if big else {})


def test_lights_out_is_for_who_lays_the_last_tile_first_and_wins():
    game = [play(B), tiles.LastRoundBegun(B), play(A), tiles.GameEnded("last-tile")]
    assert earned(match_five, game, SECOND) == {"last-tile": {B}}
    assert earned(match_five, game, FIRST) == {}
    assert earned(match_five, game, Outcome((1, 1), (8, 8), "over")) == {}


# Ausbrecher AG


def race(*forecasts: Sequence[int], order: str = "roygbvp", ran_out: int = 0) -> list[Event]:
    """Return a race in which the prisoners board in this order, one in each turn of A; the last ones follow if the
    turns have run out.
    """
    letters = {colour[0]: colour for colour in COLOURS}
    aboard = [letters[letter] for letter in order]
    begun: Event = boats.GameBegun(RACE, boats.AusbrecherOptions(), len(forecasts), AT)
    bets = [boats.ForecastGiven(Seat(seat), tuple(forecast)) for seat, forecast in enumerate(forecasts)]
    dice, rest = aboard[: 6 - ran_out], aboard[6 - ran_out :]
    moves = [
        event
        for number, colour in enumerate(dice, 1)
        for event in (boats.TurnBegun(number, A, AT), boats.Resolved(colour, Landing("boat", None, boat=1), AT))
    ]
    end = [boats.TurnsRanOut(tuple(rest))] if ran_out else [boats.LastBoarded(rest[0])]
    return [begun, *bets, *moves, *end, boats.GameEnded("turns" if ran_out else "boats")]


def in_order(order: str) -> tuple[int, ...]:
    """Return the forecast that is right if prisoners board in this order."""
    return tuple((1, 1, 2, 2, 3, 3, 4)[order.index(colour[0])] for colour in COLOURS)


@pytest.mark.parametrize("ran_out", [0, 3])
def test_an_inside_job_is_five_prisoners_in_the_right_boat(ran_out: int):
    # If two prisoners swap places, both are in the wrong boat, and a crew with one of them is incomplete.
    five, four = in_order("yorgbvp"), (2, 3, 1, 2, 3, 1, 4)
    assert earned(ausbrecher, race(five, four, ran_out=ran_out)) == {"insider": {A}, "whole-crew": {A}}
    assert sum(one == other for one, other in zip(four, in_order("roygbvp"), strict=True)) == 3


def test_a_later_forecast_replaces_the_earlier_one():
    right, wrong = in_order("roygbvp"), (4, 3, 3, 1, 2, 1, 2)
    (begun, bet, *rest) = race(right)
    assert set(earned(ausbrecher, [begun, bet, *rest])) == {"insider", "whole-crew"}
    assert earned(ausbrecher, [begun, bet, boats.ForecastGiven(A, wrong), *rest]) == {}


def test_a_whole_crew_is_everybody_in_a_boat_of_two():
    crew = (3, 1, 2, 2, 1, 4, 3)  # yellow and green are aboard boat 2
    half = (3, 1, 2, 3, 1, 4, 2)  # the last boat, with one prisoner, is no crew
    assert earned(ausbrecher, race(half, crew)) == {"whole-crew": {B}}
    assert earned(ausbrecher, race(half, (1, 2, 1, 3, 2, 3, 4))) == {}


def test_a_double_launch_is_two_aboard_in_one_turn():
    def launched(*turns: int) -> list[Event]:
        landing = Landing("boat", None, boat=1)
        return [
            event
            for number, count in enumerate(turns)
            for event in (
                boats.TurnBegun(number, Seat(number % 2), AT),
                *[boats.Resolved(colour, landing, AT) for colour in COLOURS[:count]],
            )
        ]

    assert earned(ausbrecher, launched(1, 2)) == {"double-launch": {B}}
    assert earned(ausbrecher, [*launched(1, 1, 1), boats.LastBoarded("pink")]) == {}


def test_back_in_the_cell_is_whom_a_move_leads_all_the_way():
    def moved(landing: Landing) -> list[Event]:
        return [boats.TurnBegun(1, B, AT), boats.Resolved("red", landing, AT)]

    assert earned(ausbrecher, moved(Landing("cell", 0, trail=(2, 1, 0)))) == {"back-in-the-cell": {B}}
    assert earned(ausbrecher, moved(Landing("space", 1, trail=(2, 1)))) == {}
    assert earned(ausbrecher, moved(Landing("in-cell", 0))) == {}


@pytest.mark.parametrize("seed", range(6))
def test_the_boats_that_are_worked_out_are_those_of_the_game(seed: int):
    game = played("ausbrecher", seed)
    fled = ausbrecher._boats(game.events, game.steps[-1].state.material.boats)
    race_over = game.steps[-1].state.race
    assert fled == {colour: number for number, crew in enumerate(race_over.boats, 1) for colour in crew}


# Prison Break


def sneaks(seat: Seat, *moves: tuple[int, int]) -> list[Event]:
    return [guards.Sneaked(seat, declared, moved, AT) for declared, moved in moves]


def escaped(*winners: Seat, reason: Any = "exit") -> Event:
    return guards.GameEnded(reason, winners)


TRUE, LIE = (1, 1), (0, 2)


def test_an_honest_convict_escapes_without_a_lie():
    assert earned(prison_break, [*sneaks(A, TRUE, TRUE, TRUE), *sneaks(B, LIE), escaped(A)]) == {"honest": {A}}
    assert earned(prison_break, [*sneaks(A, TRUE, TRUE, TRUE, LIE), escaped(A)]) == {}
    assert earned(prison_break, [*sneaks(A, TRUE, TRUE), escaped(A)]) == {}
    assert earned(prison_break, [*sneaks(A, TRUE, TRUE, TRUE), escaped(A, reason="rounds")]) == {}
    assert earned(prison_break, [*sneaks(A, TRUE, TRUE, TRUE), escaped(B)]) == {}


def test_a_silver_tongue_escapes_after_four_lies_and_is_never_caught():
    lies = sneaks(A, LIE, LIE, TRUE, LIE)
    assert earned(prison_break, [*lies, *sneaks(A, LIE), escaped(A)]) == {"silver-tongue": {A}}
    assert earned(prison_break, [*lies, escaped(A)]) == {}
    caught = guards.GuardsSent(B, 3, (A,), AT)
    assert earned(prison_break, [caught, *lies, *sneaks(A, LIE), escaped(A)]) == {}


def test_a_double_catch_is_two_others_by_one_check():
    assert earned(prison_break, [guards.GuardsSent(A, 3, (B, C), AT)]) == {"double-catch": {A}}
    assert earned(prison_break, [guards.GuardsSent(A, 3, (A, B), AT)]) == {}
    assert earned(prison_break, [guards.GuardsSent(A, 3, (B,), AT), guards.GuardsSent(A, 4, (C,), AT)]) == {}


def vote(first: Seat, second: Seat, *accepts: bool) -> list[Event]:
    return [guards.Offered(0, "advance", first, second, AT), guards.OfferSettled((accepts[0], accepts[1]), AT)]


def test_a_turncoat_escapes_after_rejecting_twice_what_the_other_accepted():
    split, joint, both = vote(A, B, False, True), vote(A, B, True, True), vote(A, B, False, False)
    assert earned(prison_break, [*split, *vote(C, A, True, False), escaped(A)]) == {"turncoat": {A}}
    assert earned(prison_break, [*split, *joint, *both, escaped(A)]) == {}
    assert earned(prison_break, [*split, *split, escaped(B)]) == {}


# Break-Out


def deal() -> Event:
    return cards.RoundBegun(1, A, ((), (), ()), (), AT)


def caught(catcher: Seat, seat: Seat, kind: Any = "meld", out: Sequence[bool] = (False, False, False)) -> Event:
    undone = Undone((), (), (), tuple(out), ()) if kind == "meld" else None
    return cards.Caught(catcher, seat, kind, AT, undone=undone)


def laid(seat: Seat, fault: Any = None) -> Event:
    return cards.Played(seat, cards.Lay(()), fault)


def broke(seat: Seat, route: Any = 1, fault: Any = None) -> Event:
    return cards.Played(seat, cards.BreakOut(route), fault)


def went_out(winner: Seat | None) -> Event:
    return cards.RoundEnded(winner, (0, 0, 0))


def test_sharp_eyes_catch_three_bluffs_in_one_round():
    three = [caught(A, B), caught(A, C), caught(A, B)]
    assert earned(break_out, [deal(), *three]) == {"sharp-eyes": {A}}
    assert earned(break_out, [deal(), *three[:2], deal(), *three[2:]]) == {}
    assert earned(break_out, [deal(), *three[:2], caught(A, B, "draw")]) == {}
    assert earned(break_out, [deal(), *three[:2], caught(B, C)]) == {}


def test_forged_papers_are_a_bluff_in_a_round_that_is_won_uncaught():
    bluff = [broke(B), broke(A), laid(A, "kind")]
    assert earned(break_out, [deal(), *bluff, went_out(A)]) == {"forged-papers": {A}}
    assert earned(break_out, [deal(), *bluff, caught(B, A, out=(True, True, False)), went_out(A)]) == {}
    assert earned(break_out, [deal(), *bluff, went_out(B)]) == {}
    assert earned(break_out, [deal(), *bluff, deal(), broke(B), broke(A), went_out(A)]) == {}


def test_a_full_cell_is_broken_out_of_by_its_own_route_and_rightly():
    assert earned(break_out, [deal(), broke(A, 3)]) == {"full-cell": {A}}
    assert earned(break_out, [deal(), broke(A, 2)]) == {}
    assert earned(break_out, [deal(), broke(A, 3, "crammed")]) == {}


def test_a_lone_escape_is_a_round_won_before_another_player_breaks_out():
    assert earned(break_out, [deal(), broke(B), deal(), broke(A), went_out(A)]) == {"lone-escape": {A}}
    assert earned(break_out, [deal(), broke(B), broke(A), went_out(A)]) == {}
    assert earned(break_out, [deal(), broke(A), went_out(None)]) == {}


def test_a_player_whose_break_out_was_undone_had_not_broken_out():
    bluff = [deal(), broke(B, fault="poor"), broke(A)]
    assert earned(break_out, [*bluff, caught(A, B, out=(True, False, False)), went_out(A)]) == {"lone-escape": {A}}
    assert earned(break_out, [*bluff, went_out(A)]) == {}


# Of every game


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_four_achievements_and_says_of_each_who_earned_it(key: str):
    assert len(RULES[key].NAMES) == 4
    game = played(key, 0)
    assert tuple(RULES[key].earned(game.events, game.outcome)) == RULES[key].NAMES


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_stored_game_gives_the_same_as_the_game_itself_and_an_unfinished_one_nothing(key: str, seed: int):
    game, rule = played(key, seed), RULES[key].earned
    bodies = [to_json(event) for event in game.events]
    found = achievements.by_seat(GAMES[key], rule, bodies)
    assert found == pairs(rule(game.events, game.outcome))
    assert all(0 <= seat < game.seats for seat in found)
    assert achievements.by_seat(GAMES[key], rule, bodies[:-1]) == {}


def pairs(found: achievements.Earned) -> dict[Seat, tuple[str, ...]]:
    seats = sorted({seat for seats in found.values() for seat in seats})
    return {seat: tuple(name for name, those in found.items() if seat in those) for seat in seats}


VERSIONS = sorted(path.name for path in FOLDER.iterdir() if (path / "rope_wall.json.gz").exists())


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_game_that_an_earlier_version_recorded_is_judged(version: str, key: str):
    path = FOLDER / version / f"{key}.json.gz"
    if path.exists():
        export = read_export(gzip.decompress(path.read_bytes()))
        found = achievements.by_seat(GAMES[key], RULES[key].earned, map(msgspec.json.encode, export.events))
        assert all(0 <= seat < len(export.names) for seat in found)
        assert {name for names in found.values() for name in names} <= {*RULES[key].NAMES}
