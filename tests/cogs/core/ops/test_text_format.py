"""Numbers as people read them."""

import pytest

from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import speaking
from cogs.core.ops.text_format import count, duration, either, figure, listed, signed


@pytest.mark.parametrize(("number", "own", "change"), [(7, "7", "+7"), (0, "0", "0"), (-7, "−7", "−7")])
def test_what_is_below_nothing_has_a_minus_and_a_gain_has_a_plus(number: int, own: str, change: str):
    assert (figure(number), signed(number)) == (own, change)


def test_numbers_lists_and_durations_are_in_the_language_of_the_page():
    assert [count(1, "card"), count(-3, "card"), count(2, "point")] == ["1 card", "−3 cards", "2 points"]
    assert [listed("abc"), either("ab"), listed("a"), listed(())] == ["a, b and c", "a or b", "a", ""]
    with speaking(PSEUDO):
        assert [count(1, "card"), count(-3, "card"), count(2, "point")] == ["⟦1 çàrd⟧", "⟦−3 çàrdš⟧", "⟦2 pöîñtš⟧"]
        assert [listed("abc"), either("ab"), duration(7_200_000)] == ["⟦a, b àñd c⟧", "⟦a ör b⟧", "⟦2 höûrš⟧"]
