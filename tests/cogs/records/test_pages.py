"""Pages of records: within Discord's limits at their longest, forged arguments, and the picture."""

import random
from dataclasses import replace
from io import BytesIO

import msgspec
import pytest
from PIL import Image

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import speaking
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import MARKS
from cogs.core.pages.page import Button, Page, Row
from cogs.core.publishing import components_v2
from cogs.records import leaderboard_pages, stats_pages, stats_picture, words
from cogs.records.leaderboard_pages import LeaderboardQuery, Reader
from cogs.records.ratings import standings_after
from cogs.records.seasons import Period
from cogs.records.stats_picture import GameResult, StatsData
from cogs.registry import GAMES as PACKAGES
from engine.contract import Moment
from engine.games import GAMES
from engine.results import FinishedGame, PlayerResult, Rival, Score
from engine.standings import PLACEMENT_GAMES, TREND_GAMES, Listing, Place, Standing
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules
from tools.harness.pages import text_of

UIS = {package.game.key: package.ui() for package in PACKAGES}
TITLES = {key: key.replace("_", " ").title() for key in ("ausbrecher", "match_five", "prison_break", "rope_wall")}
PERIODS: dict[Period, str] = {"all": "All time", "season": "September 2030", "last": "August 2030"}
NAME = "*_`" * 10 + "~~"


def ended(number: int, users: tuple[int, ...], places: tuple[int, ...]) -> FinishedGame:
    sides = tuple(
        PlayerResult(seat, user, None, NAME, place, 1_000_000)
        for seat, (user, place) in enumerate(zip(users, places, strict=True))
    )
    return FinishedGame(number, number, "prison_break", "ranked", Moment(1_900_000_000_000 + number), sides)


def crowd(people: int = 57) -> list[Standing]:
    """Return the standings of many games, the best first."""
    rng = random.Random(1)
    games = [
        ended(number, tuple(10**18 + user for user in rng.sample(range(people), 6)), (1, 2, 3, 4, 5, 6))
        for number in range(1, 900)
    ]
    return sorted(standings_after({}, games).values(), key=lambda standing: -standing.rating)


def check(page: Page) -> None:
    """Check a page against Discord's limits."""
    body = {"components": components_v2.Layout(page, 0, 0).to_components(), "flags": 1 << 15}
    problems = Problems()
    check_message(problems, body, MessageRules(lambda _: True, uploads=[p.name for p in page.pictures()]))
    assert not problems, problems.tree()


def listed(standings: list[Standing], page: int, reader: int, *, hidden: bool = False, whole: bool = True) -> Listing:
    """Return a page of these standings, as the store hands it out."""
    places = [Place(standing, rank) for rank, standing in enumerate(standings, start=1)]
    number = next((n for n, place in enumerate(places) if place.standing.player == reader), None)
    mine = None if number is None else places[number]
    if hidden and mine is not None:
        places.remove(mine)
        mine, number = Place(mine.standing, None), None
    first = min(page, max(0, len(places) - 1) // leaderboard_pages.PLACES_PER_PAGE) * leaderboard_pages.PLACES_PER_PAGE
    return Listing(
        tuple(places[first : first + leaderboard_pages.PLACES_PER_PAGE]), first, len(places), 0, mine, number, whole
    )


READER = 10**18 + 3


def board(ask: LeaderboardQuery, listing: Listing, reader: int = READER) -> Page:
    return leaderboard_pages.leaderboard(ask, listing, Reader(reader, "x" * 100), UIS, PERIODS)


@pytest.mark.parametrize("page", [0, 3, 5])
@pytest.mark.parametrize("whole", [True, False])
def test_a_full_leaderboard_fits_into_a_message_and_always_shows_the_askers_rank(page: int, whole: bool):
    shown = board(LeaderboardQuery("prison_break", page=page), listed(crowd(), page, READER, whole=whole))
    check(shown)
    assert "**You: " in text_of(shown) and " of 57**" in text_of(shown)
    assert ("Updating" in text_of(shown)) is not whole


def test_an_empty_leaderboard_says_what_counts():
    shown = board(LeaderboardQuery("rope_wall", "season"), listed([], 0, READER))
    check(shown)
    assert "No rated players yet" in text_of(shown) and "You** have no game" in text_of(shown)


def test_a_leaderboard_that_is_still_being_added_up_is_not_called_empty():
    told = text_of(board(LeaderboardQuery("rope_wall"), listed([], 0, READER, whole=False)))
    assert "No rated players" not in told and "Updating" in told


def test_an_unranked_player_reads_how_many_games_are_missing():
    told = []
    for games in (1, PLACEMENT_GAMES - 1):
        mine = Place(Standing(7, "Ann", 25.0, 8.0, games=games), None)
        listing = Listing((mine,), 0, 0, 1, mine, 0, True)
        page = leaderboard_pages.leaderboard(LeaderboardQuery("rope_wall"), listing, Reader(7, "Yard"), UIS, PERIODS)
        told.append(text_of(page))
    assert "4 more games until you get a place" in told[0] and "1 more game until you get a place" in told[1]


@pytest.mark.parametrize(
    ("games", "ranked", "hidden", "said"),
    [(4, 0, False, False), (5, 1, False, True), (5, 0, True, True), (4, 0, True, False)],
)
def test_the_uncertainty_is_explained_where_one_is_shown(games: int, ranked: int, hidden: bool, said: bool):
    standing = msgspec.structs.replace(crowd()[0], games=games, player=READER)
    mine = Place(standing, ranked or None)
    places = () if hidden else (mine,)
    page = text_of(
        board(LeaderboardQuery("prison_break"), Listing(places, 0, ranked, len(places) - ranked, mine, 0, True))
    )
    assert ("three times the ±" in page) is ("± " in page) is said


def test_a_page_of_those_who_are_not_ranked_yet_explains_no_uncertainty_of_others():
    placing = [Place(msgspec.structs.replace(one, games=2), None) for one in crowd()[:3]]
    page = text_of(
        board(LeaderboardQuery("prison_break", page=1), Listing(tuple(placing), 10, 10, 3, None, None, True))
    )
    assert "±" not in page and "2 of 5 placement games" in page and "After them, you get a place here" in page


def test_numbers_are_ordered_as_people_say_them():
    said = [words.ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 112, 113, 121)]
    assert " ".join(said) == "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 101st 111th 112th 113th 121st"


def test_a_change_by_fewer_than_ten_points_is_steady_and_by_ten_is_none():
    def told(change: int) -> str:
        trace = (1_500, *[1_500 + change] * TREND_GAMES)
        return words.trend(Standing(7, "Ann", 25.0, 8.0, 1_500 + change, games=9, trace=trace))

    assert [told(change) for change in (9, -9)] == ["▬ steady"] * 2
    assert [told(change).split(" in ")[0] for change in (10, -10)] == ["▲ up 10", "▼ down 10"]


def test_hidden_players_read_that_they_are_hidden():
    told = text_of(board(LeaderboardQuery("prison_break"), listed(crowd(12), 0, READER, hidden=True)))
    assert "hidden from leaderboards" in told and "(you)" not in told


@pytest.mark.parametrize("away", [-1, 0, 1])
def test_a_button_leads_to_the_own_rank_from_every_page_but_its_own(away: int):
    standings = crowd()
    own = next(n for n, one in enumerate(standings) if one.player == READER)
    page = board(LeaderboardQuery("prison_break"), listed(standings, own // 10 + away, READER))
    (mine,) = [one for row in page.blocks if isinstance(row, Row) for one in row.buttons if one.label == "My rank"]
    assert isinstance(mine, Button) and mine.disabled == (away == 0)


def test_names_that_people_chose_are_never_read_as_markup():
    text = text_of(board(LeaderboardQuery("prison_break"), listed(crowd(), 0, READER)))
    assert NAME not in text and "<@" not in text


def test_negative_scores_have_a_minus_in_a_history():
    sides = (PlayerResult(0, 1, None, "Ann", 1, -5), PlayerResult(1, 2, None, "Ben", 2, -1))
    game = FinishedGame(1, 1, "break_out", "ranked", Moment(1_900_000_000_000), sides)
    line = leaderboard_pages.game_line(1, game, None, TITLES)
    assert "score −5 against" in line and line.count("−1") == 1 and "-1" not in line


def test_a_full_history_fits_into_a_message():
    users = tuple(10**18 + user for user in range(6))
    games = [ended(10**6 + number, users, (1, 2, 3, 4, 5, 6)) for number in range(leaderboard_pages.GAMES_PER_PAGE)]
    links = {game.table: f"https://discord.com/channels/{10**18}/{10**18}/{10**18}" for game in games}
    shown = leaderboard_pages.history(users[5], NAME, games, links, TITLES, 1, 900)
    check(shown)
    assert "[table 1000000](https" in text_of(shown) and "6th of 6" in text_of(shown)


def test_a_game_is_described_from_its_players_point_of_view():
    pair = ended(1, (1, 2), (1, 2))
    assert leaderboard_pages.game_line(1, pair, None, TITLES).startswith("**won** · Prison Break · table 1")
    assert leaderboard_pages.game_line(2, pair, None, TITLES).startswith("**lost**")
    assert leaderboard_pages.game_line(2, ended(1, (1, 2), (1, 1)), None, TITLES).startswith("**drawn**")
    assert leaderboard_pages.game_line(3, ended(1, (1, 2, 3), (1, 2, 2)), None, TITLES).startswith("shared 2nd of 3")
    assert leaderboard_pages.game_line(3, ended(1, (1, 2, 3), (1, 2, 3)), None, TITLES).startswith("3rd of 3")
    assert leaderboard_pages.game_line(1, ended(1, (1, 2, 3), (1, 1, 3)), None, TITLES).startswith(
        "**shared the win** (3 players)"
    )
    assert leaderboard_pages.game_line(1, ended(1, (1, 2, 3), (1, 2, 2)), None, TITLES).startswith(
        "**won** (3 players)"
    )


def test_a_german_place_does_not_turn_the_lines_of_a_history_into_a_numbered_list():
    german = Languages.load().find("de")
    assert german is not None
    with speaking(german):
        line = leaderboard_pages.game_line(3, ended(1, (1, 2, 3), (1, 2, 3)), None, TITLES)
    assert line.startswith(r"3\. von 3 ·")


FORGED = (
    "",
    "rope_wall",
    "rope_wall.all.ranked.0",
    "chess.all.ranked.0.x",
    "rope_wall.ever.ranked.0.x",
    "rope_wall.all.none.0.x",
    "rope_wall.all.ranked.-1.x",
    "rope_wall.all.ranked.².x",
    "rope_wall.all.ranked.99999999.x",
)


@pytest.mark.parametrize("argument", FORGED)
def test_a_forged_leaderboard_does_not_exist(argument: str):
    with pytest.raises(UserError, match="doesn't exist"):
        leaderboard_pages.read_leaderboard_query(ComponentPress(0, 0, "leaderboard", argument), TITLES)


def test_what_a_button_of_a_leaderboard_asks_for_is_read_back():
    for ask in (
        LeaderboardQuery("rope_wall"),
        LeaderboardQuery("match_five", "season", "casual", 7),
        LeaderboardQuery("rope_wall", page=None),
    ):
        assert (
            leaderboard_pages.read_leaderboard_query(ComponentPress(0, 0, "leaderboard", ask.argument("slot")), TITLES)
            == ask
        )
    chosen = ComponentPress(
        0, 0, "leaderboard", LeaderboardQuery("rope_wall", "last").argument("game"), ("ausbrecher",)
    )
    assert leaderboard_pages.read_leaderboard_query(chosen, TITLES) == LeaderboardQuery("ausbrecher", "last")


@pytest.mark.parametrize("argument", ["", "x..", "1.rope_wall.x", "².rope_wall.", "1" * 30 + ".."])
def test_forged_statistics_do_not_exist(argument: str):
    with pytest.raises(UserError, match="don't exist"):
        stats_pages.read_stats_query(ComponentPress(0, 0, "stats", argument))


def test_what_a_control_of_statistics_asks_for_is_read_back():
    for query in (
        stats_pages.StatsQuery(1, "rope_wall"),
        stats_pages.StatsQuery(10**18, "rope_wall", 10**18 + 1),
        stats_pages.StatsQuery(1),
    ):
        assert stats_pages.read_stats_query(ComponentPress(0, 0, "stats", query.argument(query.game))) == query


def full(traces: int = 1) -> StatsData:
    rng = random.Random(2)
    recent = tuple(GameResult(place, place == 1, False) for place in rng.choices(range(1, 7), k=stats_picture.RECENT))
    scores = tuple(Score(1_000, 100, 1_000) for _ in range(stats_picture.RIVALS))
    lines = tuple(tuple(rng.randint(-500, 4_000) for _ in range(100)) for _ in range(traces))
    return StatsData("With computers", lines, recent, scores, NAME, (NAME,) * stats_picture.RIVALS)


EMPTY = StatsData("Without computers", ((),), (), (), "Ann", ())
ONE = StatsData("Without computers", ((1_512,),), (GameResult(1, True, False),), (Score(1),), "Ann", ("Ben",))
SAME = StatsData("Without computers", ((1_500,) * 9, (1_500,) * 4), (), (Score(0, 9),), "Ann", ("Ben",))


@pytest.mark.parametrize("portrait", [full(), full(2), EMPTY, ONE, SAME])
def test_the_picture_is_small_has_a_fixed_size_and_an_alt_text(portrait: StatsData):
    drawn = stats_picture.draw(portrait)
    with Image.open(BytesIO(drawn.data)) as image:
        assert image.size == (800, stats_picture.HEIGHT)
    assert len(drawn.data) <= 60_000
    assert portrait.who in drawn.alt
    assert stats_picture.draw(portrait).data == drawn.data


def test_a_shared_place_is_shown_in_the_picture_and_its_alt_text():
    games = [ended(2, (1, 2, 3), (1, 2, 3)), ended(1, (1, 2, 3), (1, 2, 2))]
    shared, alone = stats_pages.results_of(3, games)
    assert (shared.sign, alone.sign) == ("2=", "3")
    told = stats_picture.alt(StatsData("Without computers", ((),), (shared, alone), (), "Cleo", ()))
    assert "newest last: shared 2nd, 3rd." in told


def test_the_words_of_the_picture_say_what_it_shows():
    told = stats_picture.alt(ONE)
    assert "1512 now" in told and "Against Ben: 1 won, 0 drawn, 0 lost." in told


@pytest.mark.parametrize("ratings", [[1_500], [1_500, 1_501], [900, 2_400], [-300, 5_000], list(range(1_400, 1_600))])
def test_gridlines_are_few_round_and_enclose_the_ratings(ratings: list[int]):
    lines = stats_picture.gridlines(ratings)
    assert lines[0] <= min(ratings) <= max(ratings) <= lines[-1]
    assert 2 <= len(lines) <= 7 and all(line % 10 == 0 for line in lines)


def test_a_full_page_of_statistics_fits_into_a_message():
    user = READER
    standing = next(standing for standing in crowd() if standing.player == user)
    boards_of = ("Without computers", "Without computers, Oct – Dec 2030", "With computers")
    places = {title: (Place(standing, 12), 57) for title in boards_of}
    rivals = [Rival(10**18 + n, NAME, Score(1_000, 100, 1_000)) for n in range(stats_picture.RIVALS)]
    query, played = stats_pages.StatsQuery(user, "prison_break"), dict.fromkeys(TITLES, 9)
    drawn = stats_picture.draw(full())
    frame = stats_pages.StatsFrame(query, "x" * 100, drawn, played, TITLES, 0)
    check(stats_pages.person_page(frame, NAME, places, rivals, whole=False, scored=False))
    users = tuple(10**18 + n for n in range(6))
    games = [ended(10**6 + n, users, (1, 2, 3, 4, 5, 6)) for n in range(5)]
    pair = stats_pages.StatsQuery(user, "prison_break", 10**18 + 4)
    score = Score(1_000, 100, 1_000)
    check(stats_pages.pair_page(replace(frame, query=pair), (NAME, NAME), score, games, {}))


def test_a_best_score_is_shown_only_in_games_whose_score_matters():
    standing = Standing(READER, "Ann", 25.0, 8.0, games=9, best=7)
    told = {game.key: "best score 7" in words.record_words(standing, scored=game.scored) for game in GAMES.values()}
    assert told == {game.key: game.scored for game in GAMES.values()}
    assert not told["prison_break"] and told["match_five"]
    assert "best score" not in text_of(board(LeaderboardQuery("prison_break"), listed([standing], 0, READER)))
    assert "best score" not in stats_pages.place_line(
        "Without computers", Place(standing, 1), 1, scored=GAMES["prison_break"].scored
    )


def test_people_are_named_by_their_shape_and_name_and_by_no_letter_of_a_seat():
    rivals = [Rival(10**18 + n, f"Rival {n}", Score(3)) for n in range(stats_picture.RIVALS)]
    query = stats_pages.StatsQuery(READER, "prison_break")
    frame = stats_pages.StatsFrame(query, "here", stats_picture.draw(ONE), {}, TITLES, 0)
    shown = stats_pages.person_page(frame, "Ann", {}, rivals, whole=True, scored=False)
    met = text_of(shown).split("Most frequent opponents")[1]
    assert [line.split(" ")[0] for line in met.strip().splitlines()] == list(MARKS[1 : stats_picture.RIVALS + 1])
    pair = stats_pages.StatsQuery(READER, "prison_break", 5)
    compared = stats_pages.pair_page(replace(frame, query=pair), ("Ann", "Ben"), Score(1), [], {})
    text = text_of(compared)
    assert f"{MARKS[0]} **Ann**" in text and f"{MARKS[1]} **Ben**" in text and "`A`" not in text and "`B`" not in text
