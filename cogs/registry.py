"""The games that the bot hosts, one line each: the only list of them outside `engine/`."""

from cogs import ausbrecher, break_out, match_five, prison_break, rope_wall

GAMES = (
    rope_wall.PACKAGE,
    match_five.PACKAGE,
    ausbrecher.PACKAGE,
    prison_break.PACKAGE,
    break_out.PACKAGE,
)
"""In the order in which players see them: the easiest to learn comes first."""
