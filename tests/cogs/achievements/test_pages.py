"""The pages of achievements: small pictures, letters that are legible on a phone, and pages within Discord's limits."""

from io import BytesIO

import pytest
from PIL import Image

from cogs.achievements import pages
from cogs.achievements.pages import GameBadges, Shown
from cogs.core.drawing.badges import SIZE
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.theme import WIDTH
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import ENGLISH, speaking
from cogs.core.ops.storage import Earned
from cogs.core.pages.achievements import badge_of
from cogs.core.pages.page import Page, Text
from cogs.core.publishing.components_v2 import truncate
from cogs.registry import GAMES
from engine.contract import Moment, Outcome

SMALLEST = 9 * WIDTH / 390
"""The size in the picture of letters that are 9 pixels high on a phone."""

ALL = tuple(GameBadges(package.ui(), package.achievements) for package in GAMES if package.achievements is not None)
KEYS = [(game.ui.game.key, one.name) for game in ALL for one in game.achievements.listed]


def shown(*keys: tuple[str, str]) -> Shown:
    return Shown({key: Earned(*key, 10**6, Moment(1_900_000_000_000)) for key in keys})


NONE, SOME, EVERY = shown(), shown(*KEYS[::3]), shown(*KEYS)
EACH = pytest.mark.parametrize("case", [NONE, SOME, EVERY], ids=["none", "some", "every"])


def test_there_are_twenty_achievements_four_for_each_game_under_names_and_titles_of_their_own():
    assert [len(game.achievements.listed) for game in ALL] == [4] * 5
    every = [one for game in ALL for one in game.achievements.listed]
    for words in ({one.name for one in every}, {one.title for one in every}, {one.how for one in every}):
        assert len(words) == 20
    assert len({one.symbol for one in every}) == 20


def test_each_game_lists_what_its_rule_finds():
    for game in ALL:
        found = game.achievements.rule([], Outcome((1, 2), (0, 0), "over"))
        assert list(found) == [one.name for one in game.achievements.listed]


@EACH
def test_the_picture_of_all_achievements_is_small_and_has_an_alt_text(case: Shown):
    drawn = pages.draw(ALL, case)
    with Image.open(BytesIO(drawn.data)) as image:
        assert image.width == WIDTH and image.height <= 710  # with the buttons below it, the page fits a phone
    assert len(drawn.data) <= 60_000
    told = {game.ui.game.key: game.done(case) for game in ALL}
    assert all(f"{game.ui.game.title}, {told[game.ui.game.key]} of 4" in drawn.alt for game in ALL)


@EACH
@pytest.mark.parametrize("pseudo", [False, True], ids=["English", "longer words"])
def test_every_letter_is_legible_on_a_phone(case: Shown, pseudo: bool, monkeypatch: pytest.MonkeyPatch):
    sizes: dict[str, float] = {}
    draw_text = Canvas.text

    def noted(canvas: Canvas, x: float, y: float, words: str, size: float, *more: object, **named: object) -> None:
        sizes[words] = size
        draw_text(canvas, x, y, words, size, *more, **named)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(Canvas, "text", noted)
    with speaking(PSEUDO if pseudo else ENGLISH):
        pages.draw(ALL, case)
    assert {words: size for words, size in sizes.items() if size < SMALLEST} == {}


def test_a_badge_is_a_small_square():
    for game in ALL:
        for one in game.achievements.listed:
            data = badge_of(one, game.ui.colour).data
            with Image.open(BytesIO(data)) as image:
                assert image.size == (SIZE, SIZE)
            assert len(data) <= 4_000 and data != badge_of(one, game.ui.colour, earned=False).data


@EACH
def test_no_page_is_too_long_for_a_message(case: Shown):
    every: list[Page] = [pages.overview(ALL, case, pages.draw(ALL, case))]
    every += [pages.game_page(game, case, share=True) for game in ALL]
    every += [pages.shared_page("**Ann**", game.ui, game.achievements.listed) for game in ALL]
    for page in every:
        assert tuple(truncate(page)) == page.blocks


def test_a_page_says_of_each_achievement_how_to_earn_it():
    for game in ALL:
        texts = [block.body for block in pages.game_page(game, NONE, share=True).blocks if isinstance(block, Text)]
        assert [one.how in text for one, text in zip(game.achievements.listed, texts[1:], strict=True)] == [True] * 4
