"""The Rope Wall's UI: whose turn it is, what has happened, and what can be done, the best first."""

import msgspec
import pytest

from cogs.core.pages.game_ui import SeatedPlayer, TableContext, available_moves_text
from cogs.core.pages.page import Button, Page, Row
from cogs.core.pages.player_page import seat_page, table_page
from cogs.rope_wall.review import REVIEW
from cogs.rope_wall.ui import RopeWallUI
from engine.contract import Moment, Seat, to_json
from engine.games.rope_wall import GAME, Opening, Push, RopeWallView, judge
from engine.games.rope_wall.wall import other
from engine.players import Level
from engine.review import JudgedDecision
from tools.harness.playouts import play

UI = RopeWallUI()


def info(level: Level | None = None, due: int | None = 5_000, *, ranked: bool = False) -> TableContext:
    sitters = (SeatedPlayer(Seat(0), "Ann", 1, level), SeatedPlayer(Seat(1), "Ben", 2, level))
    return TableContext(1, sitters, GAME.options(), None if due is None else Moment(due), ranked=ranked)


def views(seed: int, reader: Seat | None = None) -> list[RopeWallView]:
    return [GAME.view(state, reader) for state in play(GAME, seed, seats=2).states]


def test_the_clock_is_shown_for_people_only_and_never_in_a_replay():
    view = views(0)[0]
    assert "'s move · time runs out <t:5:R>" in UI.status(view, info())
    for about in (info(Level.TRAINEE), info(due=None)):
        assert "time" not in UI.status(view, about)


@pytest.mark.parametrize("seed", range(3))
def test_a_status_has_the_score_on_a_small_line_and_the_round_on_another_and_the_news_at_most_two(seed: int):
    for view in views(seed):
        first, *small = UI.status(view, info()).split("\n")
        assert len(small) == (1 if view.phase == "over" else 2) and small[0].startswith("-# Prisoners out")
        assert all(line.startswith("-# ") for line in small) and not first.startswith("-#")
        assert len(UI.news(view, info()).split("\n")) <= 2


@pytest.mark.parametrize(
    ("why", "pushes", "words"),
    [
        ("links", 1, "**R5** finishes a rope at once."),
        ("links", 3, "**R5** forces a rope within 3 pushes, no matter how ◆ **Ben** replies."),
        ("allows", 0, "**L2** finished ◆ **Ben**'s rope."),
        ("allows", 1, "After **L2**, ◆ **Ben** finishes a rope with the next push."),
        ("allows", 2, "After **L2**, ◆ **Ben** forces a rope within 2 pushes."),
        ("", 0, ""),
    ],
)
def test_a_review_says_of_which_push_it_speaks(why: str, pushes: int, words: str):
    played, better = to_json(Push(2, "left")), to_json(Push(5, "right"))
    judged = JudgedDecision(4, Seat(0), played, 0.1, 0.9, better, why, {"pushes": pushes})
    assert REVIEW.because(views(0)[3], judged, info()).replace("\u00a0", " ") == words


def test_nothing_warns_of_a_cancelled_round_while_the_winner_chooses_the_exit():
    view = msgspec.structs.replace(views(0)[0], full_turns_left=None, pushes_left=5)
    assert "5 pushes until the round is cancelled" in UI.status(view, info())
    choosing = msgspec.structs.replace(view, phase="choose", choices=((1,), (2,)))
    assert "cancelled" not in UI.status(choosing, info()) and "chooses the exit" in UI.status(choosing, info())


def test_the_score_says_what_is_counted_and_the_winner_of_a_round_is_named_with_it():
    playing = msgspec.structs.replace(views(0)[0], freed=(0, 2), round=3, turn=Seat(1))
    choosing = msgspec.structs.replace(playing, phase="choose", choices=((1,), (2,)))
    score = "\n-# Prisoners out (3 to win): ●\u00a0**Ann**\u00a0**0**, ◆\u00a0**Ben**\u00a0**2**\n-# "
    assert f"{score}Round 3" in UI.status(playing, info())
    for reader in (None, Seat(0)):
        told = UI.status(msgspec.structs.replace(choosing, seat=reader), info())
        assert told.endswith(f"{score}◆\u00a0**Ben** won round 3 and chooses the exit")
    mine = UI.status(msgspec.structs.replace(choosing, seat=Seat(1)), info())
    assert mine.endswith(f"{score}You won round 3 and choose the exit")
    over = next(view for view in reversed(views(0)) if view.phase == "over")
    assert " of 3" not in UI.status(over, info()) and "\n-# Prisoners out: " in UI.status(over, info())


@pytest.mark.parametrize("seed", range(3))
def test_the_log_names_who_finished_a_rope_to_the_very_end(seed: int):
    end = views(seed)[-1]
    assert end.winner is not None
    assert f"**{info().seated_players[end.winner].name}** finished" in UI.news(end, info()).split("\n")[-1]


def test_what_can_be_done_begins_with_what_wins_and_ends_with_what_loses_unless_the_table_is_ranked():
    told = 0
    for state in play(GAME, 3, seats=2).states:
        view = GAME.view(state, None)
        if view.turn is None or view.phase != "push":
            continue
        mine, legal = GAME.view(state, view.turn), list(GAME.legal(state, view.turn))
        won = {push: judge(view, view.turn, push).won for push in legal if isinstance(push, Push)}
        if any(verdict is not None and verdict.seat == view.turn for verdict in won.values()):
            told += 1
            advice = available_moves_text(UI, mine, info(), legal)
            first = advice.split("openings ")[1][:2]
            best = next(push for push in won if f"{push.side[0].upper()}{push.floor}" == first)
            assert won[best] is not None and "win the round" in advice
            assert "win the round" not in available_moves_text(UI, mine, info(ranked=True), legal)
    assert told


def rows_of(page: Page) -> list[tuple[Button, ...]]:
    return [tuple(b for b in row.buttons if isinstance(b, Button)) for row in page.blocks if isinstance(row, Row)]


def test_the_openings_keep_their_places_and_are_grey_for_players_who_are_not_to_move():
    for view in views(2)[::9]:
        if view.phase != "push" or view.turn is None:
            continue
        shown = rows_of(table_page(UI, view, info()))
        assert [[b.label for b in row] for row in shown] == [
            [f"L{n} ▶" for n in range(1, 6)],
            [f"R{n} ◀" for n in range(1, 6)],
        ]
        mine, theirs = (
            rows_of(seat_page(UI, msgspec.structs.replace(view, seat=seat), info()))
            for seat in (view.turn, other(view.turn))
        )
        assert mine == shown and not all(b.disabled for row in mine for b in row)
        assert theirs == [tuple(msgspec.structs.replace(b, disabled=True) for b in row) for row in shown]


def test_the_exits_are_grey_for_players_who_do_not_choose():
    view = msgspec.structs.replace(views(0)[0], phase="choose", choices=((1,), (2,)))
    for reader, grey in ((None, False), (Seat(0), view.turn != 0), (Seat(1), view.turn != 1)):
        (exits,) = rows_of(seat_page(UI, msgspec.structs.replace(view, seat=reader), info()))
        assert [b.disabled for b in exits] == [grey, grey]


def test_the_page_says_why_the_same_player_pushes_again():
    view = views(0)[0]
    assert view.turn is not None
    idle = other(view.turn)
    hands = (0, 5) if idle == 0 else (5, 0)
    spent = msgspec.structs.replace(view, hands=hands)
    name = info().name(idle)
    assert "no knots left" not in UI.status(view, info())
    assert f"{name} has no knots left, and no turn until one falls out" in UI.status(spent, info())
    assert "you have no knots left" in UI.status(msgspec.structs.replace(spent, seat=idle), info())


def test_what_is_barred_is_barred_this_turn_for_the_player_to_move():
    start = views(0)[0]
    assert start.turn is not None
    view = msgspec.structs.replace(start, barred=((Opening(2, "left"),),) * 2)
    for seat, words in (
        (start.turn, "Not allowed this turn: L2"),
        (other(start.turn), "Not allowed on your next turn"),
    ):
        assert words in available_moves_text(UI, msgspec.structs.replace(view, seat=seat), info(), ())


def test_an_opening_that_is_barred_for_the_player_to_push_cannot_be_pressed():
    view, barred = views(0)[0], Opening(2, "left")
    assert view.turn is not None
    mine, theirs = [((barred,), ()), ((), (barred,))][:: 1 if view.turn == 0 else -1]
    for bars, disabled in ((mine, ["L2"]), (theirs, [])):
        page = table_page(UI, msgspec.structs.replace(view, barred=bars), info(), None)
        pushes = [
            one
            for block in page.blocks
            if isinstance(block, Row)
            for one in block.buttons
            if isinstance(one, Button) and one.verb == "push"
        ]
        assert len(pushes) == 10 and [one.argument for one in pushes if one.disabled] == disabled
