"""custom_ids: what is written can be read back, and forged ones are rejected."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import FRESH, ComponentPress, custom_id, next_fresh, parse_press

TABLES = st.integers(0, 10**12)
STAMPS = st.integers(0, 10**6)
VERBS = st.from_regex(r"[a-z][a-z-]{0,23}", fullmatch=True)
ARGUMENTS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40)


@given(TABLES, STAMPS, VERBS, ARGUMENTS)
def test_a_custom_id_is_read_back_and_fits_discord(table: int, stamp: int, verb: str, argument: str):
    name = custom_id(table, stamp, verb, argument)
    assert len(name) <= 100
    assert parse_press({"custom_id": name}) == ComponentPress(table, stamp, verb, argument)


@given(st.text(max_size=120))
def test_any_text_is_a_control_or_none_and_never_an_accident(name: str):
    try:
        control = parse_press({"custom_id": name})
    except UserError:
        return
    assert custom_id(control.table, control.stamp, control.verb, control.argument)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "cb",
        "cb:1:0",
        "cb:1:0:push",
        "cb:x:0:push:",
        "cb:-1:0:push:",
        "cb:1:-1:push:",
        "cb:1:0:PUSH:",
        "cb:1:0:push_it:",
        "cb:٣:0:push:",
        "xx:1:0:push:",
        "cb:1:0:push:a\nb",
        "cb:1:0:push:" + "x" * 61,
        "cb:" + "9" * 19 + ":0:push:",
        "cb:1:" + "9" * 10 + ":push:",
        " cb:1:0:push:",
        "cb:1:0:push:\n",
    ],
)
def test_a_forged_custom_id_is_none(name: str):
    with pytest.raises(UserError):
        parse_press({"custom_id": name})


HALF = "\ud83d"
"""Half of a surrogate pair: JSON can write it, and nothing can store it."""


@pytest.mark.parametrize(
    "more",
    [
        {"custom_id": f"cb:1:0:push:{HALF}"},
        {"values": [HALF]},
        {"components": [{"component": {"custom_id": "text", "value": HALF}}]},
        {"components": [{"components": [{"custom_id": HALF, "value": "text"}]}]},
    ],
)
def test_what_is_no_text_is_nothing(more: dict[str, Any]):
    with pytest.raises(UserError):
        parse_press({"custom_id": "cb:1:0:push:", **more})


@pytest.mark.parametrize("argument", ["x" * 61, "a\nb"])
def test_an_argument_that_could_not_be_read_back_is_not_written(argument: str):
    with pytest.raises(ValueError, match="not a custom_id of this bot"):
        custom_id(1, 0, "push", argument)


def test_a_custom_id_longer_than_discord_takes_is_not_written():
    with pytest.raises(ValueError, match="not a custom_id of this bot"):
        custom_id(10**17, 10**8, "a" * 24, "x" * 60)


@given(STAMPS, st.integers(1, 30))
def test_each_use_of_a_select_makes_its_custom_id_fresh_and_means_the_same(stamp: int, uses: int):
    fresh = 0
    seen: list[str] = []
    for _ in range(uses):
        name = custom_id(1, stamp + fresh, "invite")
        assert parse_press({"custom_id": name, "values": ["7"]}) == ComponentPress(1, stamp, "invite", "", ("7",))
        assert not seen or name != seen[-1]
        seen.append(name)
        fresh = next_fresh({"custom_id": name, "values": ["7"]})
        assert 0 < fresh < 10 * FRESH and fresh % FRESH == 0
    for data in ({"custom_id": custom_id(1, stamp, "push")}, {"custom_id": "x", "values": ["7"]}):
        assert next_fresh(data) == 0
