"""Match Five: number tiles in rows and stacks, one colour or one number, up to five.

Its rooms are those of every game: `pieces` (vocabulary), `state`, `judge`, `decide`, `evolve`, `view`; and its own are
`board` (what fits where, and what lines a play makes), `search` (finds plays) and `shelf` (boards that were asked for
last). May import `engine` and its own package.
"""

from engine.contract import Game
from engine.games.match_five.board import AXES, Board, Misfit, spot_of
from engine.games.match_five.decide import SEATS, deadlines, decide, setup
from engine.games.match_five.evolve import evolve
from engine.games.match_five.judge import Verdict, handfuls, in_one_line, judge_play
from engine.games.match_five.pieces import (
    COLOURS,
    FIVE,
    TILES,
    WILD,
    Axis,
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
    Reason,
    Spot,
    Stone,
    Swap,
    Swapped,
    Tile,
    colour_of,
    number_of,
    value,
)
from engine.games.match_five.search import Found, Places, Step, beam, laying_of, plays, singles
from engine.games.match_five.shelf import board_of, places_of
from engine.games.match_five.state import Over, Playing, State, Turn, census, scored
from engine.games.match_five.view import MatchFiveView, choices, legal, outcome, view

GAME = Game[State, MatchFiveAction, MatchFiveEvent, MatchFiveView, MatchFiveOptions, Material](
    key="match_five",
    title="Match Five",
    seats=SEATS,
    options=MatchFiveOptions,
    material=Material,
    actions=MatchFiveAction,
    events=MatchFiveEvent,
    views=MatchFiveView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    choices=choices,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    census=census,
    hides=True,
    draws={"begun": ("deals", "starter"), "played": ("drawn",), "swapped": ("drawn",)},
)

__all__ = [
    "AXES",
    "COLOURS",
    "FIVE",
    "GAME",
    "TILES",
    "WILD",
    "Axis",
    "Board",
    "Colour",
    "Found",
    "GameBegun",
    "GameEnded",
    "LastRoundBegun",
    "Laying",
    "Line",
    "MatchFiveAction",
    "MatchFiveEvent",
    "MatchFiveOptions",
    "MatchFiveView",
    "Material",
    "Misfit",
    "Over",
    "Pass",
    "Passed",
    "Places",
    "Play",
    "Played",
    "Playing",
    "Reason",
    "Spot",
    "State",
    "Step",
    "Stone",
    "Swap",
    "Swapped",
    "Tile",
    "Turn",
    "Verdict",
    "beam",
    "board_of",
    "colour_of",
    "handfuls",
    "in_one_line",
    "judge_play",
    "laying_of",
    "number_of",
    "places_of",
    "plays",
    "scored",
    "singles",
    "spot_of",
    "value",
]
