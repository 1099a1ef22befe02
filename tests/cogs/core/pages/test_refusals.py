"""Refusals as sentences: a game's own, the common ones, and facts in braces."""

from cogs.core.pages.refusals import COMMON, UNKNOWN_REFUSAL, sentence
from engine.contract import Options, Refusal
from tools.harness.pages import PLAYERS, seated

INFO = seated(Options(), 2)


def test_a_game_says_it_in_its_own_words_and_else_in_the_common_ones():
    assert sentence(Refusal("over", reason="won"), INFO, {"over": "Done."}) == "Done."
    assert sentence(Refusal("over", reason="won"), INFO, {}) == COMMON["over"].format(rematch="Rematch")
    assert sentence(Refusal("never heard of"), INFO, {"over": "Done."}) == UNKNOWN_REFUSAL


def test_whose_turn_it_is_is_told_in_every_game():
    assert PLAYERS[1] in sentence(Refusal("not-your-turn", turn=1), INFO, {})
    assert "someone else" in sentence(Refusal("not-your-turn", turn=-1), INFO, {})


def test_facts_are_in_the_sentence_and_people_s_words_for_them_come_first():
    words = {"taken": "At {there} lies {tile!r}, on level {level}."}
    refusal = Refusal("taken", tile="r3", level=2, there=7)
    assert sentence(refusal, INFO, words, there="M12") == "At M12 lies 'r3', on level 2."


def test_a_fact_that_is_missing_or_full_of_braces_spoils_no_sentence():
    assert sentence(Refusal("no-card", card="{x}"), INFO, {"no-card": "No {card} among {cards}."}) == "No {x} among ?."
