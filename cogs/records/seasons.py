"""Periods of leaderboards. A season is a whole number of months, by UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from cogs.core.i18n.translation import N_, _
from engine.contract import Moment

Period = Literal["all", "season", "last"]

LONGEST_MONTHS = 12

MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)

# Translators: "May" is both the name of the month and its short form.
SHORT_MONTHS = (
    N_("Jan"),
    N_("Feb"),
    N_("Mar"),
    N_("Apr"),
    N_("May"),
    N_("Jun"),
    N_("Jul"),
    N_("Aug"),
    N_("Sep"),
    N_("Oct"),
    N_("Nov"),
    N_("Dec"),
)


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
    return Span(_name(first, last), _begins(first), _begins(last + 1))


def _begins(month: int) -> Moment:
    return Moment(int(datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC).timestamp()) * 1_000)


def _name(first: int, last: int) -> str:
    if first == last:
        return _("{month} {year}", month=_(MONTHS[first % 12]), year=first // 12)
    begins, ends = _(SHORT_MONTHS[first % 12]), _(SHORT_MONTHS[last % 12])
    if first // 12 == last // 12:
        return _("{begins} – {ends} {year}", begins=begins, ends=ends, year=last // 12)
    return _(
        "{begins} {first_year} – {ends} {last_year}",
        begins=begins,
        first_year=first // 12,
        ends=ends,
        last_year=last // 12,
    )
