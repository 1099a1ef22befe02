"""Alternative texts of pictures."""

from cogs.core.pages.alt_text import join_within


def test_what_is_told_ends_with_the_last_sentence_that_fits():
    assert join_within(["One.", "Two.", "Three."], 9) == "One. Two."
    assert join_within(["One.", "Two.", "Three."], 8) == "One."
    assert join_within(["One.", "This is too long.", "Two."], 12) == "One."
    assert join_within(["One.", "Two."]) == "One. Two."
