"""Refusals as sentences: a game's own, the common ones, and facts in braces."""

from cogs.core.pages.refusals import COMMON, UNKNOWN_REFUSAL, sentence
from engine.contract import Refusal


def test_a_game_says_it_in_its_own_words_and_else_in_the_common_ones():
    assert sentence(Refusal("over", reason="won"), {"over": "Done."}) == "Done."
    assert sentence(Refusal("over", reason="won"), {}) == COMMON["over"]
    assert sentence(Refusal("never heard of"), {"over": "Done."}) == UNKNOWN_REFUSAL


def test_facts_are_in_the_sentence_and_people_s_words_for_them_come_first():
    words = {"taken": "At {there} lies {tile!r}, on level {level}."}
    refusal = Refusal("taken", tile="r3", level=2, there=7)
    assert sentence(refusal, words, there="M12") == "At M12 lies 'r3', on level 2."


def test_a_fact_that_is_missing_or_full_of_braces_spoils_no_sentence():
    assert sentence(Refusal("no-card", card="{x}"), {"no-card": "No {card} among {cards}."}) == "No {x} among ?."
