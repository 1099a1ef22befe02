"""Break-Out: melds, NEXT, and catching each other.

It has the modules of every game, `types`, `state`, `rules`, `decide`, `transitions` and `view`, and some of its own:
`events` (as they are stored), `melds` (what a meld is), `effects` (what plays do), `calls` and `catches` (cheating, and
what follows), `undo` (takes back bad melds), `undone_acts` (which acts that concerns), `first_undo` (the same by the
first rules), `log` (notes and records of rounds), `rounds` (keeps those records) and `search` (finds sound actions).
"""

from engine.contract import ClockAction, Game
from engine.games.break_out.decide import act, begin, deadlines, expire, window_at
from engine.games.break_out.events import (
    BreakOutEvent,
    Called,
    CallKept,
    Caught,
    GameBegun,
    GameEnded,
    Given,
    NextSaid,
    NextTaken,
    Played,
    Pointed,
    RoundBegun,
    RoundEnded,
    Voided,
    WindowClosed,
    WindowShut,
)
from engine.games.break_out.log import Bluff, Catch, FinishedRound, Note, RoundScore
from engine.games.break_out.melds import additions, fault, fits, melds_of, points, shape
from engine.games.break_out.rules import fault_of
from engine.games.break_out.search import can_act_off_turn, legal, pointable, sound, sound_plays
from engine.games.break_out.state import State, piece_counts
from engine.games.break_out.transitions import apply_event, first_state
from engine.games.break_out.types import (
    COLOURS,
    DRAW,
    FACES,
    KINDS,
    LETTERS,
    NATURAL,
    NUMBERS,
    ROUND_MINUTES,
    RULES,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutAction,
    BreakOutOptions,
    Call,
    Card,
    Cards,
    Draw,
    Extend,
    Extract,
    Face,
    Fault,
    Give,
    Kind,
    LaidMeld,
    Lay,
    Material,
    Meld,
    Move,
    Next,
    Play,
    PlayDraw,
    Point,
    Slot,
    in_order,
)
from engine.games.break_out.view import BreakOutView, CardView, MeldView, WindowView, outcome, public_totals, view

GAME = Game[State, BreakOutAction, GameBegun, BreakOutEvent, BreakOutView, BreakOutOptions, Material](
    key="break_out",
    title="Break-Out",
    player_counts=range(2, 7),
    options=BreakOutOptions,
    material=Material,
    actions=BreakOutAction | ClockAction,
    begun=GameBegun,
    events=GameBegun | BreakOutEvent,
    views=BreakOutView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(state.hands),
    act=act,
    legal=legal,
    legal_from_view=sound,
    can_act_off_turn=can_act_off_turn,
    view=view,
    deadlines=deadlines,
    window_at=window_at,
    expire=expire,
    outcome=outcome,
    piece_counts=piece_counts,
    has_hidden_info=True,
    lowest_wins=True,
    public_totals=public_totals,
    rules_version=RULES,
    accusations=frozenset({Call, Point}),
    chance_fields={"begun": ("lots", "starter"), "round": ("hands", "pile")},
    older_options={"interludes": "off", "hints": "on", "wrong_call": "free"},
)
