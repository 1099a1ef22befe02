"""Headlines of Match Five's great moments, for the player and for the others, and their small pictures."""

from dataclasses import replace

import msgspec
import pytest

from cogs.core.pages.player_page import seat_page, table_page
from cogs.match_five.moments import RICH, highlight
from cogs.match_five.ui import MatchFiveUI
from engine.contract import Seat
from engine.games.match_five import GAME, Board, Line, MatchFiveView, Spot, Stone, Turn, scored
from tools.harness.pages import opened, seated, text_of
from tools.harness.playouts import begin, play

ABOUT = seated(GAME.options(), 2)
ROW = tuple(Stone(x, 0, 1, f"r{x + 1}") for x in range(5))
TOWER = tuple(Stone(4, 0, level, f"{colour}5") for level, colour in enumerate("bygo", 2))


def after(*stones: Stone, laid: int, points: int | None = None, reader: int | None = None) -> MatchFiveView:
    """Return a game in which Player 1 has just laid this many of these tiles."""
    view = GAME.view(begin(GAME, 1, seats=2), None if reader is None else Seat(reader))
    assert isinstance(view, MatchFiveView)
    lines = Board(stones).lines(stones[-laid:], 10)
    turn = Turn(Seat(1), "play", points or sum(line.points for line in lines), stones[-laid:], scored(lines))
    return msgspec.structs.replace(view, stones=stones, turns=(turn,), turn=Seat(0))


@pytest.mark.parametrize(
    ("view", "headline"),
    [
        (after(*ROW, laid=2), "◆\N{NO-BREAK SPACE}**Player 1** completed a row: +25"),
        (after(*ROW, laid=2, reader=0), "◆\N{NO-BREAK SPACE}**Player 1** completed a row: +25"),
        (after(*ROW, laid=2, reader=1), "You completed a row: +25!"),
        (after(*ROW, *TOWER, laid=1, reader=1), "You completed a stack: +35!"),
        (after(*ROW, *TOWER, laid=5), "◆\N{NO-BREAK SPACE}**Player 1**: 2 fives at once, +60"),
        (after(*ROW[:3], laid=1, points=RICH), f"The best turn so far: ◆\N{NO-BREAK SPACE}**Player 1**, +{RICH}"),
        (after(*ROW[:3], laid=1, points=RICH, reader=1), f"Your turn is the best so far: +{RICH}!"),
    ],
)
def test_a_first_five_several_at_once_and_the_best_turn_have_a_headline_and_a_small_picture(
    view: MatchFiveView, headline: str
):
    found = highlight(view, ABOUT)
    assert found is not None and found.headline == headline and found.picture is not None
    image = opened(found.picture.data)
    assert image.width == image.height <= 160 and len(found.picture.data) <= 4_000


def test_an_ordinary_turn_has_none_and_neither_has_a_swap():
    view = after(*ROW[:3], laid=1)
    assert highlight(view, ABOUT) is None
    assert highlight(msgspec.structs.replace(view, turns=()), ABOUT) is None
    assert highlight(msgspec.structs.replace(view, turns=(Turn(Seat(1), "swap", 0, swapped=5),)), ABOUT) is None


def test_a_second_five_is_ordinary_unless_others_come_with_it_and_so_is_a_turn_below_the_best():
    view = after(*ROW, laid=2)
    again = msgspec.structs.replace(view, turns=(*view.turns, *view.turns))
    assert highlight(again, ABOUT) is None
    two = after(*ROW, *TOWER, laid=5)
    assert highlight(msgspec.structs.replace(two, turns=(*view.turns, *two.turns)), ABOUT) is not None
    others = Turn(Seat(0), "play", RICH + 1, ROW[:1])
    rich = after(*ROW[:3], laid=1, points=RICH)
    assert highlight(msgspec.structs.replace(rich, turns=(others, *rich.turns)), ABOUT) is None
    first = msgspec.structs.replace(view, turns=(others, *view.turns))
    assert highlight(first, ABOUT) is not None  # the first five of this player


def test_the_picture_of_a_five_shows_its_tiles_also_those_under_others():
    stack = Line("stack", tuple(Spot(4, 0, level) for level in range(1, 6)), 35, 10)
    view = after(*ROW, *TOWER, laid=1)
    assert scored([stack]) == view.turns[0].lines or len(view.turns[0].lines) == 1
    found = highlight(view, ABOUT)
    assert found is not None and found.picture is not None
    assert found.picture.alt == "Five tiles: red 5, blue 5, yellow 5, green 5, orange 5."


def test_the_end_says_by_how_much_the_game_was_won():
    state = play(GAME, 1, seats=2).states[-1]
    view = msgspec.structs.replace(GAME.view(state, None), scores=(212, 200))
    ends = {
        f"{ABOUT.name(Seat(0))} wins by 12 points!": view,
        "You won by 12 points!": msgspec.structs.replace(view, seat=Seat(0)),
        "A shared win!": msgspec.structs.replace(view, scores=(200, 200)),
    }
    for words, shown in ends.items():
        found = highlight(shown, ABOUT)
        assert found is not None and found.headline == words and found.picture is not None
    assert highlight(view, replace(ABOUT, places=(2, 1))) is None  # a player who was ahead had left


def test_a_moment_is_above_the_table_and_above_the_players_own_page():
    ui = MatchFiveUI()
    for reader in (None, 0, 1):
        view = after(*ROW, laid=2, reader=reader)
        page = table_page(ui, view, ABOUT) if reader is None else seat_page(ui, view, ABOUT)
        assert "\n## " in f"\n{text_of(page)}" and "five.png" in [one.name for one in page.pictures()]
