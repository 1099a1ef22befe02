"""The registry: every supported game, by key. Adding a game is one line here."""

from engine.contract import AnyGame
from engine.games import ausbrecher, break_out, match_five, prison_break, rope_wall

GAMES: dict[str, AnyGame] = {
    game.key: game for game in (ausbrecher.GAME, break_out.GAME, match_five.GAME, prison_break.GAME, rope_wall.GAME)
}
