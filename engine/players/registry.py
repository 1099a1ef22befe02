"""The computer players of every game that has them, by the game's key. May import `engine` only."""

from engine.players import Level, Player, ausbrecher, break_out, match_five, prison_break, rope_wall

PLAYERS: dict[str, dict[Level, Player]] = {
    "ausbrecher": ausbrecher.PLAYERS,
    "break_out": break_out.PLAYERS,
    "match_five": match_five.PLAYERS,
    "prison_break": prison_break.PLAYERS,
    "rope_wall": rope_wall.PLAYERS,
}
