"""One driver per game."""

from tools.harness.drivers import ausbrecher, break_out, match_five, prison_break, rope_wall
from tools.harness.drivers.base import GameDriver

DRIVERS: dict[str, GameDriver] = {
    "ausbrecher": ausbrecher.DRIVER,
    "break_out": break_out.DRIVER,
    "match_five": match_five.DRIVER,
    "prison_break": prison_break.DRIVER,
    "rope_wall": rope_wall.DRIVER,
}
