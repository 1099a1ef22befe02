"""The rules that people read in the bot say what decides games, also where it comes up seldom."""

import pytest

from cogs.core.pages.page import Text
from cogs.registry import GAMES

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
    screen = next(package.ui() for package in GAMES if package.game.key == key)
    words = "\n".join(block.body for page in screen.rules() for block in page.blocks if isinstance(block, Text))
    assert [sentence for sentence in SAID[key] if sentence not in words] == []


def test_every_game_is_asked_for_its_rules():
    assert set(SAID) == {package.game.key for package in GAMES}
