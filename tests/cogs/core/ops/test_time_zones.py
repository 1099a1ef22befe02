"""Moments at an hour of a person's local time, across changes of summer time."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.ops.time_zones import DAY_MS, hour_within, next_hour, zone, zone_names
from engine.contract import Moment

DAYS = st.integers(20_773, 22_500).map(lambda day: Moment(day * DAY_MS))
ZONES = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "Pacific/Apia"]
)


def clock(at: int, name: str) -> datetime:
    return datetime.fromtimestamp(at / 1_000, UTC).astimezone(ZoneInfo(name))


@given(day=DAYS, hour=st.integers(0, 23), name=ZONES)
def test_each_day_has_one_such_hour_and_it_is_that_hour_by_the_local_clock_if_the_day_has_it(
    day: Moment, hour: int, name: str
):
    at = hour_within(day, hour, name)
    assert day <= at < day + DAY_MS
    quarters = range(day, day + DAY_MS, DAY_MS // 96)
    exists = any((now := clock(at, name)).hour == hour and now.minute == 0 for at in quarters)
    assert not exists or (clock(at, name).hour, clock(at, name).minute) == (hour, 0)


@given(day=DAYS, after=st.integers(0, DAY_MS - 1), hour=st.integers(0, 23), name=ZONES)
def test_the_next_such_hour_is_later_and_less_than_two_days_away(day: Moment, after: int, hour: int, name: str):
    now = Moment(day + after)
    assert now < next_hour(now, hour, name) < now + 2 * DAY_MS


@pytest.mark.parametrize(("month", "utc_hour"), [(1, 6), (7, 5)])
def test_the_local_hour_stays_the_same_in_summer(month: int, utc_hour: int):
    day = Moment(round(datetime(2027, month, 15, tzinfo=UTC).timestamp() * 1_000))
    assert hour_within(day, 7, "Europe/Berlin") == day + utc_hour * 3_600_000


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "Europe/", "a" * 300, "Europe\0Berlin"])
def test_what_names_no_time_zone_is_none_and_counts_as_utc(name: str):
    assert zone(name) is None
    assert hour_within(Moment(20_800 * DAY_MS), 7, name) == 20_800 * DAY_MS + 7 * 3_600_000


def test_every_name_that_is_offered_is_a_time_zone():
    assert {"UTC", "Europe/Berlin", "America/New_York"} <= set(zone_names())
    assert all(zone(name) is not None for name in zone_names())
