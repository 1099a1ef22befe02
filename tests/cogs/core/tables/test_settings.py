"""Stored settings and preferences: an invalid value counts as not set."""

import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import DiscordClock
from cogs.core.tables.settings import (
    DEFAULT_HOUR,
    MAX_CLOCK,
    MAX_TABLES,
    Notify,
    Preferences,
    Settings,
    read_settings,
)
from cogs.registry import GAMES as PACKAGES
from data.store import Store
from engine.games import GAMES
from engine.games.break_out import BreakOutOptions
from engine.games.rope_wall import RopeWallOptions
from tests.data.conftest import path, store, time

__all__ = ["path", "store", "time"]  # fixtures

UIS = {package.game.key: package.ui() for package in PACKAGES}
HUGE = "9" * 400


def stored(**kept: str) -> Settings:
    return read_settings({name.replace("__", "."): value for name, value in kept.items()}, UIS)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0), (str(MAX_CLOCK), MAX_CLOCK), (str(MAX_CLOCK + 1), None), ("-1", None), ("²", None), (HUGE, None)],
)
def test_a_clock_is_read_within_its_bounds(value: str, seconds: int | None):
    assert stored(clock__rope_wall=value).clocks.get("rope_wall") == seconds


def test_a_number_with_more_digits_than_any_setting_is_not_even_read():
    assert stored(clock__rope_wall="0" * 30).clocks == {}


@pytest.mark.parametrize(("value", "most"), [("1", 1), (str(MAX_TABLES), MAX_TABLES), ("0", None), ("1001", None)])
def test_limits_are_read_within_their_bounds(value: str, most: int | None):
    usual = Settings().limits
    assert stored(limit__channel=value).limits.channel == (usual.channel if most is None else most)


def test_what_is_not_valid_counts_as_not_set():
    odd = stored(
        mentions="loud", enders="all", season_months="13", threads="yes", puzzle__hour="24", puzzle__games="two"
    )
    assert odd == Settings() and odd.puzzles.hour == DEFAULT_HOUR


def test_a_referee_is_taken_only_where_a_game_has_that_one():
    settings = stored(referee__break_out="strict", referee__rope_wall="strict")
    assert settings.referees == {"break_out": "strict"}
    wall, riot = GAMES["rope_wall"], GAMES["break_out"]
    forged = Settings(referees={"rope_wall": "strict", "break_out": "nobody"})
    assert forged.with_defaults(wall, RopeWallOptions(), RopeWallOptions()) == RopeWallOptions()
    assert forged.with_defaults(riot, BreakOutOptions(), object()) == BreakOutOptions()
    assert settings.with_defaults(riot, BreakOutOptions(), object()) == BreakOutOptions(referee="strict")


@pytest.mark.parametrize("how", ["message", "nothing"])
async def test_the_usual_preference_is_stored_by_no_row(store: Store, how: Notify):
    preferences = Preferences(store, Ownership(DiscordClock()))
    await preferences.change(10, how)
    assert await store.user_data.notified(10) == how and await preferences.of(10) == how
    await preferences.change(10, "mention")
    assert await store.user_data.notified(10) is None and await preferences.of(10) == "mention"
