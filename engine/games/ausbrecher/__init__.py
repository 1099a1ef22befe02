"""Ausbrecher AG: seven prisoners race for four boats, and everyone has bet who flees in which.

It has the modules of every game, `types`, `state`, `rules`, `decide`, `transitions` and `view`, and one of its own:
`track` (where everyone is, and where a die leads).
"""

from engine.contract import ClockAction, Game
from engine.games.ausbrecher.decide import act, begin, deadlines, expire
from engine.games.ausbrecher.rules import could_happen, judge_forecast
from engine.games.ausbrecher.state import Forecasting, Over, Replacing, Resolving, Result, Rolling, State, piece_counts
from engine.games.ausbrecher.track import (
    boarded,
    held,
    landing,
    moved,
    on_the_way,
    points,
    prisoner,
)
from engine.games.ausbrecher.transitions import apply_event, first_state
from engine.games.ausbrecher.types import (
    CELL,
    COLOURS,
    Assignment,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    Boat,
    Colour,
    DiceChoice,
    Die,
    Forecast,
    ForecastGiven,
    GameBegun,
    GameEnded,
    Landing,
    LastBoarded,
    Material,
    Move,
    PastTurn,
    Prisoner,
    Race,
    Replace,
    Replaced,
    Resolve,
    Resolved,
    Roll,
    Rolled,
    StarterThrown,
    Turn,
    TurnBegun,
    TurnsRanOut,
)
from engine.games.ausbrecher.view import AusbrecherView, OpenResult, can_act_off_turn, legal, outcome, view

GAME = Game[State, AusbrecherAction, GameBegun, AusbrecherEvent, AusbrecherView, AusbrecherOptions, Material](
    key="ausbrecher",
    title="Ausbrecher AG (Break Out Ltd)",
    player_counts=range(2, 7),
    options=AusbrecherOptions,
    material=Material,
    actions=AusbrecherAction | ClockAction,
    begun=GameBegun,
    events=GameBegun | AusbrecherEvent,
    views=AusbrecherView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(state.forecasts),
    act=act,
    legal=legal,
    can_act_off_turn=can_act_off_turn,
    view=view,
    deadlines=deadlines,
    expire=expire,
    outcome=outcome,
    piece_counts=piece_counts,
    has_hidden_info=True,
    could_happen=could_happen,
    rules_version=3,
    chance_fields={
        "forecast": ("boats",),
        "starter": ("throws", "starter"),
        "rolled": ("dice", "white"),
        "limit": ("order",),
    },
)
