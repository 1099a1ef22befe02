"""What is told of a picture to those who do not see it."""

from cogs.core.pages.alt_text import told


def test_what_is_told_ends_with_the_last_sentence_that_fits():
    assert told(["One.", "Two.", "Three."], 9) == "One. Two."
    assert told(["One.", "Two.", "Three."], 8) == "One."
    assert told(["One.", "This is too long.", "Two."], 12) == "One."
    assert told(["One.", "Two."]) == "One. Two."
