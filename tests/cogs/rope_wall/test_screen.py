"""What the Rope Wall's screen says: whose move it is, what has happened, and what can be done, the best first."""

import msgspec
import pytest

from cogs.core.messages.cockpit import cockpit_page, table_page
from cogs.core.messages.page import Button, Row
from cogs.core.screen import Sitter, TableInfo, advised
from cogs.rope_wall import RopeWallScreen
from engine.contract import Moment, Seat
from engine.games.rope_wall import GAME, Push, RopeWallView, judge
from engine.players import Level
from tests.engine.playouts import play

SCREEN = RopeWallScreen()


def info(level: Level | None = None, due: int | None = 5_000, *, ranked: bool = False) -> TableInfo:
    sitters = (Sitter(Seat(0), "Ann", 1, level), Sitter(Seat(1), "Ben", 2, level))
    return TableInfo(1, sitters, GAME.options(), None if due is None else Moment(due), ranked=ranked)


def views(seed: int, reader: Seat | None = None) -> list[RopeWallView]:
    return [GAME.view(state, reader) for state in play(GAME, seed, seats=2).states]


def test_the_clock_is_told_for_people_only_and_never_in_a_replay():
    view = views(0)[0]
    assert "'s move · time runs out <t:5:R>" in SCREEN.status(view, info())
    for about in (info("rookie"), info(due=None)):
        assert "time" not in SCREEN.status(view, about)


@pytest.mark.parametrize("seed", range(3))
def test_a_status_is_one_line_and_one_small_one_and_the_news_at_most_two(seed: int):
    for view in views(seed):
        first, *small = SCREEN.status(view, info()).split("\n")
        assert len(small) == 1 and small[0].startswith("-# ") and not first.startswith("-#")
        assert len(SCREEN.news(view, info()).split("\n")) <= 2


def test_nothing_warns_of_a_cancelled_round_while_the_winner_chooses_the_exit():
    view = msgspec.structs.replace(views(0)[0], full_turns_left=None, pushes_left=5)
    assert "5 pushes until the round is cancelled" in SCREEN.status(view, info())
    choosing = msgspec.structs.replace(view, phase="choose", choices=((1,), (2,)))
    assert "cancelled" not in SCREEN.status(choosing, info()) and "chooses the exit" in SCREEN.status(choosing, info())


@pytest.mark.parametrize("seed", range(3))
def test_the_log_names_who_finished_a_rope_to_the_very_end(seed: int):
    end = views(seed)[-1]
    assert end.winner is not None
    assert f"**{info().sitters[end.winner].name}** finished" in SCREEN.news(end, info()).split("\n")[-1]


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
            advice = advised(SCREEN, mine, info(), legal)
            first = advice.split("openings ")[1][:2]
            best = next(push for push in won if f"{push.side[0].upper()}{push.floor}" == first)
            assert won[best] is not None and "wins the round" in advice
            assert "wins the round" not in advised(SCREEN, mine, info(ranked=True), legal)
    assert told


def test_the_openings_keep_their_places_and_both_cockpits_show_them():
    for view in views(2)[::9]:
        if view.phase != "push":
            continue
        labels = [
            [b.label for b in block.buttons if isinstance(b, Button)]
            for block in table_page(SCREEN, view, info()).blocks
            if isinstance(block, Row)
        ]
        assert labels == [[f"L{n} ▶" for n in range(1, 6)], [f"R{n} ◀" for n in range(1, 6)]]
        for seat in (Seat(0), Seat(1)):
            mine = cockpit_page(SCREEN, msgspec.structs.replace(view, seat=seat), info())
            assert [block for block in mine.blocks if isinstance(block, Row)] == [
                block for block in table_page(SCREEN, view, info()).blocks if isinstance(block, Row)
            ]
