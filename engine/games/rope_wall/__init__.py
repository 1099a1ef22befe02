"""Breakout: the Rope Wall.

It has the modules of every game, `types`, `state`, `rules`, `decide`, `transitions` and `view`, and two of its own:
`wall` (how knots move) and `ropes` (the search for links).
"""

from engine.contract import ClockAction, Game
from engine.games.rope_wall.decide import act, begin, deadlines, default_action, expire, window_at
from engine.games.rope_wall.rules import SIDES, judge
from engine.games.rope_wall.state import FinishedRound, State, piece_counts
from engine.games.rope_wall.transitions import apply_event, first_state
from engine.games.rope_wall.types import (
    ChooseExits,
    Escaped,
    GameBegun,
    GameEnded,
    Material,
    Opening,
    Push,
    Pushed,
    Resign,
    Resigned,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    Side,
    Skipped,
    Wall,
)
from engine.games.rope_wall.view import RopeWallView, can_act_off_turn, legal, outcome, public_totals, view
from engine.games.rope_wall.wall import SEATS

GAME = Game[State, RopeWallAction, GameBegun, RopeWallEvent, RopeWallView, RopeWallOptions, Material](
    key="rope_wall",
    title="Breakout: the Rope Wall",
    player_counts=range(2, 3),
    options=RopeWallOptions,
    material=Material,
    actions=RopeWallAction | ClockAction,
    begun=GameBegun,
    events=GameBegun | RopeWallEvent,
    views=RopeWallView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(SEATS),
    act=act,
    legal=legal,
    can_act_off_turn=can_act_off_turn,
    view=view,
    deadlines=deadlines,
    window_at=window_at,
    default_action=default_action,
    expire=expire,
    outcome=outcome,
    piece_counts=piece_counts,
    scored=False,
    public_totals=public_totals,
    unranked=lambda options: options.push_limit == "none",
    rules_version=3,
    chance_fields={"begun": ("starter",)},
    older_options={"interludes": "off", "doubles": "apart", "push_limit": "80"},
)
