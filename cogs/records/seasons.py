"""Periods of leaderboards. A season is a whole number of months, by UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import period as named
from engine.contract import Moment

Period = Literal["all", "season", "last"]

LONGEST_MONTHS = 12


@dataclass(frozen=True)
class Span:
    """A period from `since` to before `until`, and its name. None is unlimited on that side."""

    name: str
    since: Moment | None = None
    until: Moment | None = None


def season_months(setting: str | None) -> int:
    """Return a season's length from a server's setting: 1 to 12 months, and 1 for invalid values."""
    months = int(setting) if setting is not None and setting.isdecimal() and len(setting) < 3 else 1
    return months if 1 <= months <= LONGEST_MONTHS else 1


def span(period: Period, months: int, now: Moment) -> Span:
    """Return the period at this moment, with seasons of this many months.

    Seasons are counted from January of year 0, so those of 2, 3, 4, 6 and 12 months begin with the calendar year.
    """
    if period == "all":
        return Span(_("All time"))
    today = datetime.fromtimestamp(now / 1_000, UTC)
    season = (today.year * 12 + today.month - 1) // months - (period == "last")
    first, last = season * months, season * months + months - 1
    return Span(named(_first_day(first), _first_day(last)), _begins(first), _begins(last + 1))


def _first_day(month: int) -> datetime:
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)


def _begins(month: int) -> Moment:
    return Moment(int(_first_day(month).timestamp()) * 1_000)
