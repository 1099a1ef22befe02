"""Opponents for the Masters: at least two per game, by game and short name.

Each was written from the rule book without looking at the Master. It is a `Player` like the Masters: it gets a view,
the legal actions, a budget that it need not use up, and its own random numbers.
"""

from engine.players import Player
from tools.bench.opponents import ausbrecher, break_out, match_five, prison_break, rope_wall

OPPONENTS: dict[str, dict[str, Player]] = {
    "ausbrecher": ausbrecher.OPPONENTS,
    "break_out": break_out.OPPONENTS,
    "match_five": match_five.OPPONENTS,
    "prison_break": prison_break.OPPONENTS,
    "rope_wall": rope_wall.OPPONENTS,
}
