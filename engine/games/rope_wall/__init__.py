"""Breakout: the Rope Wall.

Its rooms are those of every game: `pieces` (vocabulary), `state`, `judge`, `decide`, `evolve`, `view`; and its own are
`wall` (how knots move) and `ropes` (the search for links). May import `engine` and its own package.
"""

from engine.contract import Game
from engine.games.rope_wall.decide import deadlines, decide, setup
from engine.games.rope_wall.evolve import evolve
from engine.games.rope_wall.judge import SIDES, judge
from engine.games.rope_wall.pieces import (
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
from engine.games.rope_wall.state import FinishedRound, State, census
from engine.games.rope_wall.view import RopeWallView, legal, outcome, unasked, view

GAME = Game[State, RopeWallAction, RopeWallEvent, RopeWallView, RopeWallOptions, Material](
    key="rope_wall",
    title="Breakout: the Rope Wall",
    seats=range(2, 3),
    options=RopeWallOptions,
    material=Material,
    actions=RopeWallAction,
    events=RopeWallEvent,
    views=RopeWallView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    unasked=unasked,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    census=census,
    scored=False,
    rules=2,
    draws={"begun": ("starter",)},
)

__all__ = [
    "GAME",
    "SIDES",
    "ChooseExits",
    "Escaped",
    "FinishedRound",
    "GameBegun",
    "GameEnded",
    "Material",
    "Opening",
    "Push",
    "Pushed",
    "Resign",
    "Resigned",
    "RopeWallAction",
    "RopeWallEvent",
    "RopeWallOptions",
    "RopeWallView",
    "RoundBegun",
    "RoundCancelled",
    "RoundWon",
    "Side",
    "Skipped",
    "State",
    "Wall",
    "judge",
]
