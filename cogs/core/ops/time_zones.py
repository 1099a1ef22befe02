"""Time zones by their names in the IANA database, and moments at an hour of somebody's own clock."""

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from engine.contract import Moment

DAY_MS = 86_400_000

NO_ZONE = "UTC"


@lru_cache(maxsize=1)
def zone_names() -> tuple[str, ...]:
    """Return the names of all time zones that people use, such as Europe/Berlin. It reads hundreds of files once."""
    technical = ("Etc/", "SystemV/", "posix/", "right/", "localtime", "posixrules", "Factory")
    names = sorted(name for name in available_timezones() if not name.startswith(technical))
    return (NO_ZONE, *(name for name in names if "/" in name))


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo | None:
    """Return the time zone of a name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def hour_within(day: Moment, hour: int, name: str) -> Moment:
    """Return when it is a full hour by the clock of a time zone within the day (of UTC) that begins at `day`.

    On the day of a change of the clock this may be so at no time of the day, or twice; then it is the nearest time
    within the day, or the first. An unknown zone counts as UTC.
    """
    here = zone(name) or UTC
    first = datetime.fromtimestamp(day / 1_000, UTC).astimezone(here).date()
    dates = (first + timedelta(days=days) for days in (-1, 0, 1))
    found = [Moment(round(datetime.combine(date, time(hour), here).timestamp() * 1_000)) for date in dates]
    last = Moment(day + DAY_MS - 3_600_000)
    nearest = {at: max(day, min(at, last)) for at in found}
    return next((at for at in found if day <= at < day + DAY_MS), min(nearest.items(), key=_distance)[1])


def _distance(found: tuple[Moment, Moment]) -> tuple[int, int]:
    wanted, at = found
    return abs(at - wanted), -at


def next_hour(now: Moment, hour: int, name: str) -> Moment:
    """Return the next moment at which it is a full hour by the clock of a time zone, once in each day of UTC."""
    today = Moment(now // DAY_MS * DAY_MS)
    at = hour_within(today, hour, name)
    return at if at > now else hour_within(Moment(today + DAY_MS), hour, name)
