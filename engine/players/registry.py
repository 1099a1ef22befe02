"""The computer players of every game that has them, by the game's key. May import `engine` only."""

from engine.players import Explain, Level, Player, ausbrecher, break_out, match_five, prison_break, rope_wall

PLAYERS: dict[str, dict[Level, Player]] = {
    "ausbrecher": ausbrecher.PLAYERS,
    "break_out": break_out.PLAYERS,
    "match_five": match_five.PLAYERS,
    "prison_break": prison_break.PLAYERS,
    "rope_wall": rope_wall.PLAYERS,
}

REASONS: dict[str, Explain] = {
    "ausbrecher": ausbrecher.explain,
    "break_out": break_out.explain,
    "match_five": match_five.explain,
    "prison_break": prison_break.explain,
    "rope_wall": rope_wall.explain,
}
"""What says why an action is good, by the game's key."""
