"""Match Five: number tiles in rows and stacks, of one colour or one number, up to five.

It has the modules of every game, `types`, `state`, `rules`, `decide`, `transitions` and `view`, and three of its own:
`board` (what fits where, and which lines a play makes), `search` (finds plays) and `shelf` (caches the boards used
last).
"""

from engine.contract import ClockAction, Game
from engine.games.match_five.board import AXES, Board, IllegalPlacement, spot_of
from engine.games.match_five.decide import act, begin, deadlines, default_action
from engine.games.match_five.rules import Verdict, handfuls, in_one_line, judge_play
from engine.games.match_five.search import Places, Step, beam, laying_of, plays, singles
from engine.games.match_five.shelf import board_of, places_of
from engine.games.match_five.state import Playing, State, Turn, piece_counts, scored
from engine.games.match_five.transitions import apply_event, first_state
from engine.games.match_five.types import (
    COLOURS,
    FIVE,
    TILES,
    WILD,
    Colour,
    GameBegun,
    GameEnded,
    LastRoundBegun,
    Laying,
    Line,
    MatchFiveAction,
    MatchFiveEvent,
    MatchFiveOptions,
    Material,
    Pass,
    Passed,
    Play,
    Played,
    Spot,
    Stone,
    Swap,
    Swapped,
    Tile,
    colour_of,
    number_of,
    value,
)
from engine.games.match_five.view import MatchFiveView, legal, legal_from_view, outcome, public_totals, view

GAME = Game[State, MatchFiveAction, GameBegun, MatchFiveEvent, MatchFiveView, MatchFiveOptions, Material](
    key="match_five",
    title="Match Five",
    player_counts=range(2, 7),
    options=MatchFiveOptions,
    material=Material,
    actions=MatchFiveAction | ClockAction,
    begun=GameBegun,
    events=GameBegun | MatchFiveEvent,
    views=MatchFiveView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(state.hands),
    act=act,
    legal=legal,
    legal_from_view=legal_from_view,
    view=view,
    deadlines=deadlines,
    default_action=default_action,
    outcome=outcome,
    piece_counts=piece_counts,
    has_hidden_info=True,
    public_totals=public_totals,
    chance_fields={"begun": ("deals", "starter"), "played": ("drawn",), "swapped": ("drawn",)},
)
