"""The end of Prison Break says why the winner won, in every way in which a game can end."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from cogs.core.pages.player_page import table_page
from cogs.prison_break import alt_text, end_picture, picture
from cogs.prison_break.finish_order import arrivals, ranked, short_win_reason
from cogs.prison_break.status import with_winners
from engine.contract import Seat
from engine.games.prison_break import GAME, Decline, PrisonBreakOptions, State, Vote
from tests.cogs.prison_break.scenes import UI, info
from tests.engine.games.prison_break_positions import A, B, after, moment, offered, passed, sneaked
from tools.harness.pages import text_of
from tools.harness.playouts import play

ANN, BEN, CLEO = "●\u00a0**Ann**", "◆\u00a0**\\_Ben\\_\\***", "▲\u00a0**Cleo**"
NAMES = ("Ann", "Ben", "Cleo")


def end(positions: tuple[int, ...], *moves: int, votes: str = "", **facts: Any) -> State:
    """Return the end of a round with these moves, from the Warden on; with `votes`, Advance was offered to A and B."""
    state = sneaked(moment(positions, **facts), *((0, move) for move in moves))
    if not votes:
        return passed(after(state, (state.warden, Decline())))
    return passed(after(offered(state, "advance"), (A, Vote(votes[0] == "+")), (B, Vote(votes[1] == "+"))))


def table(state: State, *places: int) -> str:
    """Return the text of the table; `places` are set if players had left the game."""
    return text_of(table_page(UI, GAME.view(state, None), replace(info(len(state.prisoners)), places=places)))


SNEAKED = end((9, 9, 3), 2, 0, 2, warden=B)
"""Both A and B sneak to EXIT; B is the Warden, so B is there first."""
ONE_BROUGHT = end((8, 9, 3), 0, 2, 0, votes="-+")
"""B sneaks to EXIT, and then the offer brings A there."""
BOTH_BROUGHT = end((9, 9, 3), 0, 0, 0, votes="++")
ALONE = end((9, 4, 3), 2, 0, 0)


def test_the_first_of_two_who_sneaked_to_EXIT_won_and_the_picture_says_so():
    page = table(SNEAKED)
    assert f"★ {BEN} escapes!" in page
    assert f"The first on EXIT wins: {BEN} sneaked there before {ANN} did." in page
    assert f"{BEN} ended on EXIT, sneaked there first, lied" in page
    assert f"{ANN} ended on EXIT, sneaked there second, lied" in page
    assert page.index(f"{BEN} ended") < page.index(f"{ANN} ended") < page.index(f"{CLEO} ended on 3, lied")


def test_a_sneak_to_EXIT_comes_before_the_offer_and_that_is_said():
    page = table(ONE_BROUGHT)
    assert f"The first on EXIT wins: {BEN} sneaked there before the offer brought {ANN} there." in page
    assert f"{ANN} ended on EXIT, brought there by the offer, lied" in page


def test_players_brought_to_EXIT_by_one_offer_share_the_win_and_the_picture_says_so():
    page = table(BOTH_BROUGHT)
    assert f"★ {ANN} and {BEN} escape together!" in page
    assert "The same offer brought them to EXIT in round 1, so they share the win." in page


def test_the_picture_says_that_the_winner_is_alone_on_EXIT():
    page = table(ALONE)
    assert "No one else was on EXIT when round 1 ended." in page
    assert f"{ANN} ended on EXIT, lied in 1 of 1 sneak" in page


@pytest.mark.parametrize(
    ("positions", "why"),
    [((4, 7, 2), "The furthest pawn was on 7."), ((7, 7, 2), "The furthest pawns were on 7, so they share the win.")],
)
def test_after_the_last_round_it_is_said_how_far_the_winners_were(positions: tuple[int, ...], why: str):
    page = table(end(positions, 0, 0, 0, round_limit=5, round=5))
    assert f"No one was on EXIT when round 5, the last one, ended. {why}" in page


def test_where_a_winner_had_left_that_is_said_and_the_places_count():
    page = table(ALONE, 3, 1, 2)
    assert f"★ {BEN} wins!\n-# A player who was ahead or level had left the game." in page
    assert "ended on" not in page, "the places below and the picture say it, and the page stays on one screen"
    words = UI.text(GAME.view(ALONE, None), replace(info(3), places=(3, 1, 2)))
    assert "wins. A player who was ahead or level had left the game." in words


@pytest.mark.parametrize("state", [SNEAKED, ONE_BROUGHT, BOTH_BROUGHT, ALONE])
def test_pictures_and_the_words_for_them_say_why_too(state: State):
    view = GAME.view(state, None)
    why = table(state).split("-# ")[1].split("\n")[0]
    plain = why.replace(ANN, "Ann").replace(BEN, "Ben")
    assert plain in alt_text.alt(view, NAMES) and plain in alt_text.table_text(view, NAMES)
    others = [
        msgspec.structs.replace(view, warden=A if view.warden == B else B),
        msgspec.structs.replace(view, round=2),
    ]
    shown = {picture.draw(each, NAMES) for each in (view, *others)}
    assert len(shown) == (3 if state is SNEAKED else 2)  # the Warden's order matters only for sneaks


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_order_of_arrival_is_the_one_of_the_rules(seats: int):
    several = 0
    for seed in range(60):
        playout = play(GAME, seed, seats=seats, options=PrisonBreakOptions(round_limit=10))
        view, outcome = GAME.view(playout.states[-1], None), playout.outcome
        assert [outcome.places[seat] for seat in ranked(view, ())] == sorted(outcome.places)
        groups = arrivals(view)
        several += sum(map(len, groups)) > 1
        assert [len({outcome.places[seat] for seat in group}) for group in groups] == [1] * len(groups)
        if view.reason == "exit":
            assert groups[0] == view.winners
    assert several


@pytest.mark.parametrize("seed", [537, 837, 884])
def test_the_picture_of_a_long_game_of_four_is_small_enough(seed: int):
    view = GAME.view(play(GAME, seed, seats=4).states[-1], None)
    assert len(picture.draw(view, ("Benedikta", "Wilhelmi", "Cleo Qjx", "Maximilia"))) <= 60_000


def test_a_pawn_brought_to_EXIT_by_the_offer_arrives_with_the_offer():
    page = table(end((9, 9, 3), 1, 2, 0, votes="-+"))  # A sneaks to 10, B to EXIT, and then the offer brings A there
    assert f"before the offer brought {ANN} there" in page
    assert f"{ANN} ended on EXIT, brought there by the offer" in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (SNEAKED, "first of 2 on EXIT in round 1"),
        (ONE_BROUGHT, "first of 2 on EXIT in round 1"),
        (BOTH_BROUGHT, "brought to EXIT by the same offer in round 1"),
        (ALONE, "alone on EXIT in round 1"),
        (end((9, 9, 9), 0, 0, 2, votes="++"), "first of 3 on EXIT in round 1"),
        (end((7, 4, 2), 0, 0, 0, round_limit=5, round=5), "on 7 after round 5, the last one"),
    ],
)
def test_the_picture_says_in_short_why_the_winner_won(state: State, words: str):
    assert short_win_reason(GAME.view(state, None)) == words


@pytest.mark.parametrize(("state", "places"), [(ALONE, (3, 1, 2)), (BOTH_BROUGHT, (3, 1, 2))])
def test_if_a_player_ahead_or_level_had_left_that_is_the_reason(state: State, places: tuple[int, ...]):
    assert "A player who was ahead or level had left the game." in table(state, *places)
    view = with_winners(GAME.view(state, None), replace(info(3), places=places))
    assert short_win_reason(view) == "in round 1 · a player ahead or level had left"


def test_a_winner_alone_on_EXIT_needs_no_place_in_the_picture():
    assert [end_picture._place(GAME.view(ALONE, None), seat) for seat in map(Seat, range(3))] == ["", "", ""]
