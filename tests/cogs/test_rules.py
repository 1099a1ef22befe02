"""Test that the rules pages explain what decides games, including rare cases."""

from io import BytesIO

import pytest
from PIL import Image

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import ENGLISH, Language, speaking
from cogs.core.pages.page import Page, Picture, Text
from cogs.registry import GAMES
from tools.harness.environment import shipped

SAID = {
    "rope_wall": (
        "the player who has freed more prisoners wins, and equal numbers share the win",
        "after a cancelled round, the same player starts again",
        "A random player starts",
        "doesn't help, unless it's on the lowest or highest floor",
        "two open exits, and below each the rope climbs from the fourth floor to the fifth",
        "or a round brings none within 120 pushes",
    ),
    "break_out": (
        "the **fewest points** win",
        "The **round card** can't be used to break out, even if others have added to it",
        "in round 3 a 3, one card of the deck that is placed there before the deal",
        "the numbers 1 to 7 in six colours, six Wilds, six DRAW cards and two Super Wilds; four or more players",
        "Play goes clockwise",
        "You can do that without breaking out: your cell is part of the table",
        "at any time, also on other players' turns, but only once until your own next turn begins",
        "every bad meld of that turn goes back with everything that depended on it",
        "A wrong call costs a card from the pile, unless the table makes it free",
        "The round is blocked, and ends without a bonus",
        "In the first round, the player with the lowest of one card each begins",
        "a Super Wild played as one, makes everyone else take a card",
        "from your hand or your cell. The Wild goes to your hand",
        "the last of those turns can be challenged for 10 seconds",
        "no natural card; a break-out below 15 or with the round card",
    ),
    "match_five": (
        "The player with the highest total starts",
        "then, and only then, you may pass",
        "If it stays alone, it scores its number",
        "option *one line*",
    ),
    "prison_break": (
        "players brought there by the same effect share the win",
        "If an offer takes you to JAIL, you skip nothing",
        "The highest roll of a die decides who is first",
        "coming back is a new arrival",
    ),
    "ausbrecher": (
        "in a stack from the top, in the cells at random",
        "25 turns each (35 with two players, at most 100 in all)",
        "The boats at the start of your turn decide this",
        "one in a cell can't go back",
        "The highest roll starts",
    ),
}


@pytest.mark.parametrize("key", SAID)
def test_the_rules_say_what_decides_games(key: str):
    ui = next(package.ui() for package in GAMES if package.game.key == key)
    words = "\n".join(block.body for page in ui.rules() for block in page.blocks if isinstance(block, Text))
    assert [sentence for sentence in SAID[key] if sentence not in words] == []


def test_every_game_is_asked_for_its_rules():
    assert set(SAID) == {package.game.key for package in GAMES}


LINE, PRINT = 44, 54
"""How many characters fit on one line of a phone, in normal and in small text."""

HEIGHT = 474
"""The pixels of a phone's screen available for a page of rules, above two rows of buttons."""


def height(page: Page) -> int:
    """Estimate the height of a page on a phone in pixels, without its buttons."""
    pixels = 0
    for block in page.blocks:
        pixels += 8
        if isinstance(block, Picture):
            with Image.open(BytesIO(block.data)) as picture:
                pixels += 344 * picture.height // picture.width
        elif isinstance(block, Text):
            for line in block.body.splitlines():
                small = line.startswith("-# ")
                pixels += (18 if small else 21) * -(-len(line) // (PRINT if small else LINE))
    return pixels


@pytest.mark.parametrize("language", (ENGLISH, *shipped().others), ids=lambda language: language.code)
@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_each_page_of_rules_fits_one_screen_of_a_phone_and_has_at_most_one_picture(
    package: GamePackage, language: Language
):
    with speaking(language):
        pages = package.ui().rules()
    heights = [height(page) for page in pages]
    assert max(heights) <= HEIGHT, heights
    assert all(len(list(page.pictures())) <= 1 for page in pages)


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_the_rules_begin_with_the_goal_and_a_picture_and_end_with_special_cases(package: GamePackage):
    first, *_others, last = package.ui().rules()
    words = ["\n".join(block.body for block in page.blocks if isinstance(block, Text)) for page in (first, last)]
    assert "– the goal" in words[0] and list(first.pictures()) and "time" in words[1].splitlines()[0]
