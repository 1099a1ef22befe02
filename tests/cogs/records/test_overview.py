"""The overview of statistics: its picture is small, legible on a phone, and described in text."""

from io import BytesIO

import pytest
from PIL import Image

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.theme import WIDTH
from cogs.core.pages.page import Row
from cogs.records import overview, overview_picture
from cogs.records.overview import GameSummary, Overview, OwnProgress, streak_of
from cogs.records.stats_picture import GameResult
from cogs.registry import GAMES
from engine.standings import Standing

SMALLEST = 9 * WIDTH / 390
"""The size in the picture of letters that are 9 pixels high on a phone."""


def result(place: int) -> GameResult:
    return GameResult(place, place == 1, False)


def summary(number: int, games: int) -> GameSummary:
    ui = GAMES[number].ui()
    trace = tuple(1_500 + 37 * turn % 400 for turn in range(games))
    standing = Standing(1, "Ann", 25.0, 4.0, rating=1_500, games=games, wins=games // 2, trace=trace)
    recent = tuple(map(result, (1, 2, 3, 4, 5, 6)[: min(games, overview.RESULTS)]))
    known = standing if games else None
    return GameSummary(ui.game.key, ui.game.title, ui.colour, games, games // 2, recent, known, casual=number == 1)


def data(own: OwnProgress, *games: int) -> Overview:
    return Overview("Ann", tuple(summary(number, count) for number, count in enumerate(games)), 3, own)


NOTHING = data(OwnProgress((0, 5), 0, 0), 0, 0, 0, 0, 0)
SOME = data(OwnProgress((3, 5), 14, 4), 34, 12, 3, 0, 71)
MUCH = data(OwnProgress((5, 5), 9_999, 999), 9_999, 9_999, 9_999, 9_999, 9_999)
EACH = pytest.mark.parametrize("shown", [NOTHING, SOME, MUCH], ids=["nothing", "some", "much"])


@EACH
def test_the_picture_is_small_and_has_an_alt_text(shown: Overview):
    drawn = overview_picture.draw(shown)
    with Image.open(BytesIO(drawn.data)) as image:
        assert image.width == WIDTH
    assert len(drawn.data) <= 60_000 and "Overview of Ann" in drawn.alt
    assert all(package.game.title in drawn.alt for package in GAMES)
    assert overview_picture.draw(shown).data == drawn.data


@EACH
def test_every_letter_is_legible_on_a_phone(shown: Overview, monkeypatch: pytest.MonkeyPatch):
    sizes: dict[str, float] = {}
    draw_text = Canvas.text

    def noted(canvas: Canvas, x: float, y: float, words: str, size: float, *more: object, **named: object) -> None:
        sizes[words] = size
        draw_text(canvas, x, y, words, size, *more, **named)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(Canvas, "text", noted)
    overview_picture.draw(shown)
    assert {words: size for words, size in sizes.items() if size < SMALLEST} == {}


def test_a_streak_is_of_the_last_games_and_ends_with_one_that_was_not_won():
    assert [streak_of(tuple(map(result, places))) for places in ((), (2,), (1,), (2, 1, 1), (1, 1, 2), (1, 1))] == [
        0,
        0,
        1,
        2,
        0,
        2,
    ]


def test_a_game_leads_to_its_own_page_and_an_unplayed_one_is_subdued():
    page = overview.page(10**18, SOME, "here", overview_picture.draw(SOME))
    buttons = [button for block in page.blocks if isinstance(block, Row) for button in block.buttons]
    games = {button.argument: button.style for button in buttons if getattr(button, "verb", "") == "stats"}
    assert games == {
        f"{10**18}.{package.game.key}.": "secondary" if package.game.key == "prison_break" else "primary"
        for package in GAMES
    }
