"""Numbers as people read them."""

import pytest

from cogs.core.ops.text_format import figure, signed


@pytest.mark.parametrize(("number", "own", "change"), [(7, "7", "+7"), (0, "0", "0"), (-7, "−7", "−7")])
def test_what_is_below_nothing_has_a_minus_and_a_gain_has_a_plus(number: int, own: str, change: str):
    assert (figure(number), signed(number)) == (own, change)
