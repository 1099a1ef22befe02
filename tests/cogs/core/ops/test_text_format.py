"""Numbers as people read them."""

from datetime import date

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.i18n.translation import Language, speaking
from cogs.core.ops.text_format import (
    clauses,
    count,
    decimal,
    duration,
    either,
    figure,
    labelled,
    large,
    listed,
    on_the_hour,
    percent,
    period,
    signed,
)


@pytest.mark.parametrize(("number", "own", "change"), [(7, "7", "+7"), (0, "0", "0"), (-7, "−7", "−7")])
def test_what_is_below_nothing_has_a_minus_and_a_gain_has_a_plus(number: int, own: str, change: str):
    assert (figure(number), signed(number)) == (own, change)


def test_numbers_lists_and_durations_are_in_the_language_of_the_page():
    assert [count(1, "card"), count(-3, "card"), count(2, "point")] == ["1 card", "−3 cards", "2 points"]
    assert [listed("abc"), either("ab"), listed("a"), listed(())] == ["a, b and c", "a or b", "a", ""]
    with speaking(PSEUDO):
        assert [count(1, "card"), count(-3, "card"), count(2, "point")] == ["⟦1 çàrd⟧", "⟦−3 çàrdš⟧", "⟦2 pöîñtš⟧"]
        assert [listed("abc"), either("ab"), duration(7_200_000)] == ["⟦a, b àñd c⟧", "⟦a ör b⟧", "⟦2 höûrš⟧"]


OCTOBER, NOVEMBER, JANUARY = date(2026, 10, 1), date(2026, 11, 1), date(2027, 1, 1)


@pytest.mark.parametrize(
    ("code", "lists", "numbers", "spans"),
    [
        (
            "en",
            ("a, b and c", "a, b or c"),
            ("9,007", "1.50", "5%"),
            ("1 day", "3 hours", "November 2026", "Oct – Nov 2026", "Nov 2026 – Jan 2027"),
        ),
        (
            "de",
            ("a, b und c", "a, b oder c"),
            ("9.007", "1,50", "5\u00a0%"),
            ("1 Tag", "3 Stunden", "November 2026", "Okt.–Nov. 2026", "Nov. 2026 – Jan. 2027"),
        ),
        (
            "fr",
            ("a, b et c", "a, b ou c"),
            ("9\u00a0007", "1,50", "5\u00a0%"),
            ("1\u00a0jour", "3\u00a0heures", "novembre 2026", "oct.–nov. 2026", "nov. 2026 – janv. 2027"),
        ),
        (
            "xx",
            ("a, b and c", "a, b or c"),
            ("9,007", "1.50", "5%"),
            ("1 day", "3 hours", "November 2026", "Oct – Nov 2026", "Nov 2026 – Jan 2027"),
        ),
    ],
)
def test_lists_numbers_and_periods_follow_each_languages_own_conventions(
    code: str, lists: tuple[str, ...], numbers: tuple[str, ...], spans: tuple[str, ...]
):
    with speaking(Language(code)):
        assert (listed("abc"), either("abc")) == lists
        assert (large(9_007), decimal(1.5, 2), percent(5)) == numbers
        months = [(NOVEMBER, NOVEMBER), (OCTOBER, NOVEMBER), (NOVEMBER, JANUARY)]
        assert (duration(86_400_000), duration(10_800_000), *(period(*one) for one in months)) == spans


@pytest.mark.parametrize(("code", "nine"), [("en", "09:00"), ("de", "09:00"), ("es", "9:00"), ("ko", "오전 9:00")])
def test_a_full_hour_is_written_as_the_language_does(code: str, nine: str):
    with speaking(Language(code)):
        assert on_the_hour(9) == nine


def test_names_with_braces_stay_as_they_are_in_a_list():
    assert listed(["{0}", "{name}"]) == "{0} and {name}"


def test_what_a_list_or_a_period_says_is_marked_in_the_pretended_language():
    with speaking(PSEUDO):
        assert period(OCTOBER, NOVEMBER) == "⟦Öçt – Növ 2026⟧"
        assert (percent(5), decimal(0.25, 1)) == ("5%", "0.2")


def test_colons_and_semicolons_have_the_spaces_of_the_language():
    assert (labelled("Ann", "12"), clauses(["a", "b", "c"])) == ("Ann: 12", "a; b; c")
    french = Languages.load().of("fr")
    with speaking(french):
        assert (labelled("Ann", "12"), clauses(["a", "b"])) == ("Ann\u00a0: 12", "a\u202f; b")
