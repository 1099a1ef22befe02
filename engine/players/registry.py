"""The bots of every game, by the game's key."""

from engine.players import ausbrecher, break_out, match_five, prison_break, rope_wall

BOTS = {
    bots.game.key: bots
    for bots in (ausbrecher.BOTS, break_out.BOTS, match_five.BOTS, prison_break.BOTS, rope_wall.BOTS)
}
