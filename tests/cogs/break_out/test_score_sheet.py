"""Break-Out's score sheet, the end of a round and the end of the game, as pictures and as text."""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from cogs.break_out import end_picture, picture, score_sheet
from cogs.break_out.scenery import GREEN, SKY
from cogs.break_out.score_sheet import Fact, RoundResult
from cogs.core.drawing.canvas import text_width
from cogs.core.drawing.theme import ASH, LAMP, SEAT_MARKS
from engine.contract import Seat
from engine.games.break_out import (
    GAME,
    Bluff,
    BreakOutOptions,
    Card,
    Catch,
    FinishedRound,
    LaidMeld,
    Lay,
    RoundScore,
    in_order,
)
from tools.harness.pages import opened
from tools.harness.playouts import play

NAMES = ("Ann", "Bartholomew the Third", "Анна", "Dan", "Eve", "Fay")
BAD = tuple(map(Card, ("r3", "r5", "b5")))


def finish(seats: int = 4) -> RoundResult:
    hands = ((), ("r1", "w", "s"), ("d",) * 3, ("g2",) * 20, ("b1",), ("y7", "v7"))[:seats]
    points = (-15, 19, 27, 40, 1, 14)[:seats]
    facts = (
        Fact(Seat(1), Seat(0), "kind", BAD),
        Fact(Seat(0), None),
    )
    return RoundResult(3, 6, "out", Seat(0), hands, points, points, facts)


def rows(seats: int, rounds: int) -> tuple[RoundScore, ...]:
    return tuple(
        RoundScore(Seat(number % seats), tuple(number * 7 + 3 * seat for seat in range(seats)))
        for number in range(rounds)
    )


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_end_of_a_round_is_small_and_the_same_every_time(seats: int):
    data = score_sheet.draw_interlude(finish(seats), NAMES[:seats])
    assert data == score_sheet.draw_interlude(finish(seats), NAMES[:seats]) and len(data) <= 60_000
    assert len(score_sheet.interlude_alt(finish(seats), NAMES[:seats])) <= 1_024


def test_the_end_of_a_round_shows_hands_points_and_facts():
    base = finish()
    first = score_sheet.draw_interlude(base, NAMES[:4])
    for other in (
        replace(base, hands=(base.hands[0], ("r1", "w"), *base.hands[2:])),
        replace(base, points=(-15, 18, 27, 40)),
        replace(base, totals=(-15, 18, 27, 40)),
        replace(base, winner=None, reason="blocked"),
        replace(base, facts=(replace(base.facts[0], cards=BAD[:2]), base.facts[1])),
        replace(base, facts=(replace(base.facts[0], by=None), base.facts[1])),
    ):
        assert score_sheet.draw_interlude(other, NAMES[:4]) != first
    shorter = score_sheet.draw_interlude(replace(base, facts=()), NAMES[:4])
    assert opened(shorter).height < opened(first).height


def test_a_person_who_went_out_has_played_all_cards_which_is_more_than_a_broken_cells_door_says():
    picture_of = opened(score_sheet.draw_interlude(finish(), NAMES[:4]))
    row = picture_of.crop((200, SKY + 44, 600, SKY + 120))
    green = (
        ImageChops.difference(row, Image.new("RGB", row.size, GREEN))
        .convert("L")
        .point(lambda level: 255 * (level < 4))
    )
    left, _, right, _ = green.getbbox() or (0, 0, 0, 0)
    assert abs(right - left - text_width("ALL CARDS PLAYED", 26)) < 8


def test_the_end_of_a_round_is_described_in_words():
    words = score_sheet.interlude_alt(finish(), NAMES[:4])
    assert words.startswith("Round 3 of 6 is over. Ann went out.")
    assert "Ann −15, total −15" in words
    assert "Bartholomew the Thi… laid a bad meld, no set and no run: red 3, red 5, blue 5. Ann called it." in words
    assert "Ann neither played nor took a card. No one saw it." in words
    assert "Ann held no cards." in words


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("rounds", [1, 6, 12])
def test_the_end_of_a_game_is_small_and_shows_every_round(seats: int, rounds: int):
    table = rows(seats, rounds)
    totals = tuple(sum(row.points[seat] for row in table) for seat in range(seats))
    data = end_picture.draw_end(table, totals, rounds, NAMES[:seats])
    assert data == end_picture.draw_end(table, totals, rounds, NAMES[:seats]) and len(data) <= 60_000
    last = RoundScore(None, (99,) * seats)
    assert end_picture.draw_end((*table[:-1], last), totals, rounds, NAMES[:seats]) != data


def test_the_winner_runs_free_and_the_others_stay_behind_bars():
    table = rows(3, 2)
    alone = opened(end_picture.draw_end(table, (4, 10, 20), 2, NAMES[:3])).crop((430, 90, 800, 300))
    assert {colour for _, colour in alone.getcolors(1 << 20) or ()} & {mark.colour for mark in SEAT_MARKS[:3]} == {
        SEAT_MARKS[0].colour
    }
    shared = opened(end_picture.draw_end(table, (4, 10, 4), 2, NAMES[:3])).crop((430, 90, 800, 300))
    assert {colour for _, colour in shared.getcolors(1 << 20) or ()} & {mark.colour for mark in SEAT_MARKS[:3]} == {
        SEAT_MARKS[0].colour,
        SEAT_MARKS[2].colour,
    }
    assert end_picture.end_alt(table, (4, 10, 4), NAMES[:3]).startswith("Ann and Анна share the win with 4 points.")
    assert end_picture.end_alt(table, (4, 10, 20), NAMES[:3]).startswith("Ann wins with 4 points.")


def test_a_finished_table_shows_the_end():
    view = GAME.view(play(GAME, 4, seats=3, options=BreakOutOptions(rounds=1)).states[-1], None)
    assert picture.draw(view, NAMES[:3]) == end_picture.draw_end(view.sheet, view.scores, view.rounds, NAMES[:3])
    assert "win" in picture.alt(view, NAMES[:3])


def test_the_score_sheet_marks_who_went_out_and_who_leads():
    empty = opened(score_sheet.draw_sheet((), (0, 0, 0), 6))
    kept = opened(score_sheet.draw_sheet(rows(3, 2), (7, 13, 19), 6))
    found = {colour for _, colour in kept.getcolors(1 << 20) or ()}
    assert LAMP in found and GREEN in found
    assert not {LAMP, GREEN} & {colour for _, colour in empty.getcolors(1 << 20) or ()}


def test_before_the_first_round_has_ended_nobody_has_a_place():
    for rounds_played, scores, placed in (((), (0, 0, 0), False), (rows(3, 2), (7, 13, 19), True)):
        shown = opened(score_sheet.draw_sheet(rounds_played, scores, 6))
        places = shown.crop((12, shown.height // 4, 62, shown.height))
        assert (ASH in {colour for _, colour in places.getcolors(1 << 20) or ()}) == placed


def test_an_interlude_shows_the_round_that_has_just_ended():
    playout = play(GAME, 4, seats=3, options=BreakOutOptions(rounds=2))
    views = [GAME.view(state, None) for state in playout.states]
    shown = next(view for view in views if view.phase == "interlude")
    found = shown.finished
    assert found is not None
    told = score_sheet.round_result(found, shown.rounds)
    assert (told.hands, told.points, told.totals) == (tuple(map(in_order, found.hands)), found.points, found.totals)
    assert len(told.facts) == len(found.catches) + len(found.bluffs)
    assert picture.draw(shown, NAMES[:3]) == score_sheet.draw_interlude(told, NAMES[:3])
    assert picture.alt(shown, NAMES[:3]) == score_sheet.interlude_alt(told, NAMES[:3])


def test_bluffs_are_listed_with_what_was_wrong_and_who_found_them():
    laid = LaidMeld(Lay(BAD, ()), BAD)
    catch = Catch(Seat(0), Seat(1), "draw", 5)
    bluffs = (Bluff(Seat(2), "meld", 7, "kind", laid, 4, Seat(1)), Bluff(Seat(1), "meld", 8, "size", laid, 5))
    over = FinishedRound(1, "blocked", None, ((), ("r1",), ("b2",)), (0, 1, 2), (0, 1, 2), (catch,), bluffs)
    facts = score_sheet.round_result(over, 6).facts
    assert [(fact.seat, fact.by, fact.spotted, fact.fault, fact.cards) for fact in facts] == [
        (1, 0, False, None, ()),
        (2, 1, True, "kind", BAD),
        (1, None, True, "size", BAD),
    ]
    words = score_sheet.interlude_alt(score_sheet.round_result(over, 6), ("Ann", "Ben", "Cleo"))
    for told in (
        "The pile is empty, and no one could play.",
        "Ben neither played nor took a card. Ann called it.",
        "Cleo laid a bad meld, no set and no run: red 3, red 5, blue 5. Ben spotted it.",
        "Ben laid a bad meld, not 3 to 6 cards: red 3, red 5, blue 5. No one saw it.",
    ):
        assert told in words


def test_a_long_list_of_facts_ends_with_the_number_of_the_rest():
    base = finish()
    many = replace(base, facts=base.facts * 6)
    some, more = (
        opened(score_sheet.draw_interlude(base, NAMES[:4])),
        opened(score_sheet.draw_interlude(many, NAMES[:4])),
    )
    assert more.height - some.height < 4 * 84
    assert score_sheet.draw_interlude(replace(base, facts=base.facts * 5), NAMES[:4]) != score_sheet.draw_interlude(
        many, NAMES[:4]
    )
