"""Prison Break: hidden movement and lies.

It has the modules of every game, `types`, `state`, `rules`, `decide`, `transitions` and `view`, and three of its own:
`log` (what everybody has seen and heard), `markers` (where a player believes the others to be) and `offers` (what an
offer does to each player).
"""

from engine.contract import ClockAction, Game
from engine.games.prison_break.decide import act, begin, deadlines, default_action, expire, window_at
from engine.games.prison_break.log import (
    Declares,
    Effects,
    GameOver,
    GuardsGo,
    LightsThrown,
    LogEntry,
    NoOffer,
    OfferMade,
    Passes,
    RoundStarts,
    RowTurned,
    TimeRanOut,
    VotesShown,
)
from engine.games.prison_break.markers import Markers, markers_text, read_markers
from engine.games.prison_break.offers import effects_of, terms_at, terms_of
from engine.games.prison_break.rules import note_digest
from engine.games.prison_break.state import (
    Card,
    Guarding,
    Offering,
    Over,
    Prisoner,
    Sneaking,
    State,
    Step,
    Voting,
    order,
    piece_counts,
)
from engine.games.prison_break.transitions import apply_event, first_state
from engine.games.prison_break.types import (
    JAIL,
    KINDS,
    NOTE_LENGTH,
    Decline,
    Declined,
    Effect,
    GameBegun,
    GameEnded,
    Guard,
    GuardsSent,
    JointEffect,
    Kind,
    LightsChecked,
    Mark,
    Marked,
    Material,
    Note,
    Noted,
    Offer,
    Offered,
    OfferSettled,
    Pass,
    Passed,
    Position,
    PrisonBreakAction,
    PrisonBreakEvent,
    PrisonBreakOptions,
    RoundBegun,
    RowDealt,
    Sneak,
    Sneaked,
    Terms,
    Vote,
    Voted,
)
from engine.games.prison_break.view import PrisonBreakView, Proposal, can_act_off_turn, legal, outcome, view

GAME = Game[State, PrisonBreakAction, GameBegun, PrisonBreakEvent, PrisonBreakView, PrisonBreakOptions, Material](
    key="prison_break",
    title="Prison Break",
    player_counts=range(2, 5),
    options=PrisonBreakOptions,
    material=Material,
    actions=PrisonBreakAction | ClockAction,
    begun=GameBegun,
    events=GameBegun | PrisonBreakEvent,
    views=PrisonBreakView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(state.prisoners),
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
    has_hidden_info=True,
    scored=False,
    rules_version=2,
    chance_fields={"begun": ("throws", "warden", "row"), "lights": ("roll", "on"), "dealt": ("row",)},
    older_options={"interludes": "off"},
    unranked=lambda options: options.round_limit == 0,
)
