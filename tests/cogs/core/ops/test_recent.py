"""What was asked for last stays, and no more of it than fits."""

from cogs.core.ops.recent import Recent


def test_what_was_asked_for_longest_ago_goes_first():
    recent = Recent[int, str](2)
    recent.put(1, "one")
    recent.put(2, "two")
    assert recent.get(1) == "one"
    recent.put(3, "three")
    assert (recent.get(1), recent.get(2), recent.get(3)) == ("one", None, "three")


def test_what_is_put_in_again_takes_the_place_of_what_was_there_and_counts_as_the_last():
    recent = Recent[int, str](2)
    recent.put(1, "one")
    recent.put(2, "two")
    recent.put(1, "another")
    recent.put(3, "three")
    assert (recent.get(1), recent.get(2), recent.get(3)) == ("another", None, "three")


def test_a_value_may_be_nothing_much():
    recent = Recent[int, str](2)
    recent.put(1, "")
    recent.put(2, "two")
    assert recent.get(1) == ""
    recent.put(3, "three")
    assert (recent.get(1), recent.get(2)) == ("", None)


def test_nothing_stays_of_what_was_let_go_of():
    recent = Recent[int, str](2)
    recent.put(1, "one")
    recent.clear()
    assert recent.get(1) is None
