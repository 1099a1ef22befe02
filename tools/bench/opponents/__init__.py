"""Opponents that the bench pairs with the masters: at least two a game, by the game's key and a short name.

Each is written from the game's rule page, without a look at the master, and is a `Player` as the masters are: it gets a
view, the legal actions, a budget that it need not use up, and draws of its own.
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
