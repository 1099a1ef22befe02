"""One driver per game."""

from tools.harness.drivers import ausbrecher, break_out, match_five, prison_break, rope_wall
from tools.harness.drivers.base import Way

WAYS: dict[str, Way] = {
    "ausbrecher": Way(ausbrecher.boats_by_controls, ausbrecher.boats_by_command, luck=5),
    "break_out": Way(break_out.riot_by_controls, break_out.riot_by_command, options={"rounds": 1, "referee": "strict"}),
    "match_five": Way(match_five.tiles_by_controls, match_five.tiles_by_command, options={"copies": 3}),
    "prison_break": Way(prison_break.move, prison_break.command, people=3, options={"round_limit": 5}),
    "rope_wall": Way(rope_wall.rope_by_controls, rope_wall.rope_by_command, luck=0),
}
