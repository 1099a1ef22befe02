"""Ratings: openskill's numbers, each game once, and other statistics of a player's games."""

import random
from datetime import UTC, datetime

import msgspec
import pytest
from openskill.models import PlackettLuce

from cogs.records import stats_pages
from cogs.records.ratings import CHANGES, TRACE, new_standing, standings_after
from cogs.records.seasons import Span, season_months, span
from engine.contract import Moment
from engine.players import LEVELS, Level
from engine.players.registry import BOTS
from engine.results import FinishedGame, PlayerResult
from engine.standings import BASE, PLACEMENT_GAMES, Player, Standing

ANN, BEN, CLEO = 1, 2, 3


def game(
    number: int, *places: int, players: tuple[int | str | None, ...] = (ANN, BEN, CLEO), **scores: int
) -> FinishedGame:
    sides = tuple(
        PlayerResult(
            seat,
            player if isinstance(player, int) else None,
            player if isinstance(player, str) else None,
            f"name {player}",
            place,
            scores.get(f"seat_{seat}", 0),
        )
        for seat, (player, place) in enumerate(zip(players, places, strict=False))
    )
    return FinishedGame(number, number, "rope_wall", "ranked", Moment(number * 1_000), sides)


Standings = dict[Player, Standing]


def book(*games: FinishedGame) -> Standings:
    return standings_after({}, games, fewest={"break_out"})


def standing(made: Standings, user: int) -> Standing:
    return made[user]


def test_strengths_are_openskills_own_for_games_of_any_size_with_shared_places():
    rng = random.Random(5)
    model = PlackettLuce()
    direct = {user: model.rating() for user in range(1, 7)}
    games = []
    for number in range(1, 201):
        players = tuple(rng.sample(sorted(direct), rng.randint(2, 6)))
        places = sorted(rng.choice((1, 1, 2, 3, 4)) for _ in players)
        games.append(game(number, *places, players=players))
        rated = model.rate([[direct[player]] for player in players], ranks=[float(place) for place in places])
        direct.update({player: team[0] for player, team in zip(players, rated, strict=True)})
    made = book(*games)
    for user, rating in direct.items():
        assert (standing(made, user).mu, standing(made, user).sigma) == (rating.mu, rating.sigma)
        assert standing(made, user).rating == round(rating.ordinal(alpha=25, target=1_500))
        assert standing(made, user).margin == round(25 * rating.sigma)


def test_players_without_a_result_are_not_rated_and_the_others_are():
    whole = game(1, 1, 1, 3)
    sides = tuple(msgspec.structs.replace(side, void=side.seat == 0) for side in whole.sides)
    made = book(msgspec.structs.replace(whole, sides=sides))
    assert made.keys() == {BEN, CLEO} and made[BEN].rating > made[CLEO].rating


def test_ratings_do_not_depend_on_batches_and_skip_people_who_did_not_play():
    rng = random.Random(6)
    games = [game(number, *sorted(rng.choices((1, 2, 3), k=3))) for number in range(1, 41)]
    pieces: Standings = {}
    for first, end in ((0, 7), (7, 20), (20, 40)):
        pieces |= standings_after(pieces, games[first:end])
    assert pieces == book(*games)
    assert set(standings_after(pieces, [game(41, 1, 2, players=(ANN, CLEO))])) == {ANN, CLEO}


def test_new_players_start_at_1500_and_a_winner_rises_while_the_rating_grows_surer():
    new = new_standing(ANN, "Ann")
    assert (new.rating, new.placing, new.change) == (BASE, True, 0)
    made = book(*(game(number, 1, 2) for number in range(1, 11)))
    assert standing(made, ANN).rating > BASE > standing(made, BEN).rating
    assert standing(made, ANN).margin < new.margin


def test_where_the_fewest_points_win_the_best_score_is_the_lowest():
    games = [
        msgspec.structs.replace(game(number, 1, 2, 3, seat_0=score), game="break_out")
        for number, score in enumerate((40, -5, 12), start=1)
    ]
    assert standing(book(*games), ANN).best == -5


def test_games_wins_streaks_and_best_scores_are_counted():
    made = book(
        game(1, 1, 2, seat_0=7, seat_1=-3),
        game(2, 1, 2, seat_0=9),
        game(3, 1, 1, seat_0=4),  # nobody won
        game(4, 1, 2, seat_0=5),
    )
    ann, ben = standing(made, ANN), standing(made, BEN)
    assert (ann.games, ann.wins, ann.streak, ann.longest, ann.best) == (4, 3, 1, 2, 9)
    assert (ben.games, ben.wins, ben.streak, ben.longest, ben.best) == (4, 0, 0, 0, 0)


def test_a_game_ended_by_agreement_has_no_score_and_leaves_the_best_one():
    ended = game(1, 1, 2)
    stood = msgspec.structs.replace(
        ended, number=2, sides=tuple(msgspec.structs.replace(side, score=None) for side in ended.sides)
    )
    made = book(stood)
    assert standing(made, ANN).best is None and standing(made, ANN).games == 1
    assert standing(book(game(1, 1, 2, seat_0=7), stood), ANN).best == 7


def test_computers_are_rated_by_level():
    made = book(*(game(number, 1, 2, players=(ANN, "rookie")) for number in range(1, 9)))
    assert set(made) == {ANN, "rookie"}
    stranger = book(*(game(number, 1, 2, players=(ANN, None)) for number in range(1, 9)))
    assert standing(made, ANN).rating < standing(stranger, ANN).rating  # the rookie is known to be weak by now


def test_computers_of_one_level_at_one_table_learn_from_the_first_of_them():
    made = book(game(1, 2, 1, 3, players=(ANN, "rookie", "rookie")))
    model = PlackettLuce()
    (_, (first,), (last,)) = model.rate([[model.rating()] for _ in range(3)], ranks=[2, 1, 3])
    assert first.mu > last.mu and (made["rookie"].mu, made["rookie"].games) == (first.mu, 1)


def test_a_deleted_user_is_a_different_stranger_in_each_game():
    made = book(game(1, 1, 2, players=(ANN, None)))
    model = PlackettLuce()
    ((ann,), _) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert (standing(made, ANN).mu, standing(made, ANN).sigma) == (ann.mu, ann.sigma)
    assert set(made) == {ANN}


def test_a_game_of_one_says_nothing_about_strength():
    made = book(game(1, 1, players=(ANN,)))
    assert (standing(made, ANN).rating, standing(made, ANN).games) == (BASE, 1)


def test_the_trend_is_the_change_over_the_last_games_and_the_trace_is_bounded():
    made = book(*(game(number, 1, 2) for number in range(1, 21)), *(game(number, 2, 1) for number in range(21, 26)))
    ann = standing(made, ANN)
    assert ann.change == ann.trace[-1] - ann.trace[-6] < 0
    assert not ann.placing and ann.games >= PLACEMENT_GAMES
    made = standings_after(made, [game(number, 1, 1) for number in range(26, 26 + TRACE)])
    ann = standing(made, ANN)
    assert len(ann.trace) == TRACE and ann.trace[-1] == ann.rating  # the last ones


def test_the_course_that_is_drawn_begins_with_the_rating_before_the_first_game_as_long_as_all_are_kept():
    made = book(game(1, 1, 2))
    loser = standing(made, BEN)
    assert loser.course == (BASE, loser.rating) and loser.rating < BASE
    assert new_standing(CLEO, "Cleo").course == ()
    assert stats_pages.stats_data("Ben", "ranked", [loser, None], (), ()).traces == ((BASE, loser.rating), ())
    many = standing(standings_after(made, [game(number, 1, 2) for number in range(2, 2 + TRACE)]), BEN)
    assert many.course == many.trace and len(many.course) == TRACE


def test_each_of_the_last_games_says_by_how_much_it_changed_the_best_guess():
    made = book(*(game(number, 1 + number % 2, 2 - number % 2) for number in range(1, CHANGES + 3)))
    for user in (ANN, BEN):
        changes = standing(made, user).changes
        assert [table for table, _, _ in changes] == list(range(3, CHANGES + 3))
        assert [games for _, _, games in changes] == list(range(3, CHANGES + 3))
    assert all(
        standing(made, ANN).change_at(number) == -(standing(made, BEN).change_at(number) or 0)
        for number in range(3, CHANGES + 3)
    )
    assert standing(made, ANN).change_at(2) is None


@pytest.mark.parametrize("key", sorted(BOTS))
def test_computers_keep_their_measured_strength_after_any_result(key: str):
    strengths = {key: BOTS[key].strengths}
    assert BOTS[key].strengths[Level.TRAINEE] < BOTS[key].strengths[Level.MASTER]
    made: Standings = {}
    for number in range(1, 30):
        one = game(number, *((1, 2, 3) if number % 3 else (3, 1, 2)), players=(ANN, "rookie", "warden"))
        made |= standings_after(made, [msgspec.structs.replace(one, game=key)], strengths=strengths)
        for level in LEVELS:
            assert made[level].mu == BOTS[key].strengths[level]
    assert made["rookie"].games == 29 and made[ANN].mu > 25


def test_beating_a_master_gains_more_than_beating_a_trainee():
    strengths = {"rope_wall": BOTS["rope_wall"].strengths}
    gains = [
        standings_after({}, [game(1, 1, 2, players=(ANN, level))], strengths=strengths)[ANN].mu
        for level in ("rookie", "warden")
    ]
    assert gains[0] < gains[1]


def test_the_trend_of_the_first_games_is_the_change_since_the_beginning():
    made = book(*(game(number, 1, 2) for number in range(1, PLACEMENT_GAMES + 1)))
    ann = standing(made, ANN)
    assert not ann.placing and ann.change == ann.rating - BASE > 0


def test_a_player_has_the_name_of_their_last_table():
    renamed = game(2, 1, 2)
    sides = (msgspec.structs.replace(renamed.sides[0], name="Anna"), renamed.sides[1])
    assert standing(book(game(1, 1, 2), msgspec.structs.replace(renamed, sides=sides)), ANN).name == "Anna"


def at(year: int, month: int, day: int, hour: int = 0) -> Moment:
    return Moment(int(datetime(year, month, day, hour, tzinfo=UTC).timestamp()) * 1_000)


@pytest.mark.parametrize(
    ("period", "months", "expected"),
    [
        ("all", 1, Span("All time")),
        ("season", 1, Span("January 2030", at(2030, 1, 1), at(2030, 2, 1))),
        ("last", 1, Span("December 2029", at(2029, 12, 1), at(2030, 1, 1))),
        ("season", 3, Span("Jan – Mar 2030", at(2030, 1, 1), at(2030, 4, 1))),
        ("last", 3, Span("Oct – Dec 2029", at(2029, 10, 1), at(2030, 1, 1))),
        ("season", 12, Span("Jan – Dec 2030", at(2030, 1, 1), at(2031, 1, 1))),
        ("season", 11, Span("Jul 2029 – May 2030", at(2029, 7, 1), at(2030, 6, 1))),
    ],
)
def test_seasons_are_whole_months(period, months: int, expected: Span):
    assert span(period, months, at(2030, 1, 31, 23)) == expected


def test_a_season_ends_where_the_next_begins():
    last_moment = Moment(at(2030, 2, 1) - 1)
    assert span("season", 1, last_moment).until == span("season", 1, at(2030, 2, 1)).since
    assert span("last", 1, at(2030, 2, 1)) == span("season", 1, last_moment)


@pytest.mark.parametrize("setting", [None, "", "0", "13", "-1", "x", "1.5", "²", "999999999999"])
def test_a_season_without_a_sensible_setting_is_a_month(setting: str | None):
    assert season_months(setting) == 1


def test_a_season_may_have_up_to_twelve_months():
    assert [season_months(str(months)) for months in (1, 2, 12)] == [1, 2, 12]
