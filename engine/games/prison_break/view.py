"""What Prison Break shows: a seat's legal actions, its view, and the outcome.

Marks in comments (R4, D1) refer to docs/rules/prison_break.md.
"""

from collections.abc import Iterator

import msgspec

from engine.contract import Outcome, Seat, View
from engine.games.prison_break.log import LogEntry
from engine.games.prison_break.markers import Markers
from engine.games.prison_break.offers import terms_at
from engine.games.prison_break.rules import moves
from engine.games.prison_break.state import (
    Card,
    Over,
    PhaseName,
    Prisoner,
    Sneaking,
    State,
    Step,
    Voting,
    phase_name,
    to_act,
)
from engine.games.prison_break.types import Kind, Position, PrisonBreakAction, Reason, Terms
from engine.turns import Interlude, Ready, awaits_ready, places


class Proposal(msgspec.Struct, frozen=True):
    """The offer that is being voted on."""

    card: int  # its index in the row, from 0
    kind: Kind
    first: Seat
    second: Seat
    voted: tuple[Seat, ...]  # the seats that have voted


class PrisonBreakView(View, frozen=True):
    """What is on the table, and what its reader keeps behind the screen.

    `positions` and `paths` contain only the reader's own, and everyone's once the game is over; `note`, `my_vote` and
    `markers` (the spaces marked for each seat) are always the reader's own. A `round_limit` of 0 is none.
    """

    spaces: int
    longest_sneak: int
    lights: tuple[int, ...]  # faces of the die
    terms: tuple[Terms, ...]  # of the offers at this table
    round: int  # from 1
    round_limit: int
    warden: Seat
    phase: PhaseName
    turn: Seat | None  # who sneaks, offers or checks; None in a vote, where `to_act` has the awaited seats
    sits_out: tuple[Seat, ...]  # phase sneak: who skips it
    row: tuple[Card, ...]
    proposal: Proposal | None  # phase vote
    prisoners: tuple[Prisoner, ...]
    no_sneak_round: int  # the round without a Sneak phase; past and 0 are none
    log: tuple[LogEntry, ...]  # complete, the oldest entry first
    reason: Reason | None
    winners: tuple[Seat, ...]
    positions: tuple[Position | None, ...]
    paths: tuple[tuple[Step, ...], ...]
    my_vote: bool | None
    note: str
    interlude: Interlude | None = None  # all positions were shown, and stay visible for a while
    believed: tuple[Prisoner, ...] = ()  # what was known of each player until then
    markers: Markers = ()


def legal(state: State, seat: Seat) -> Iterator[PrisonBreakAction]:
    """Return what this seat may play. Notes and markers are left out; each pair is named once."""
    if state.interlude is not None:
        return iter((Ready(),) if awaits_ready(state.interlude, seat) else ())
    return moves(state, seat)


def can_act_off_turn(view: PrisonBreakView) -> bool:
    """Return True if the reader can end an interlude early; the game does not wait for that."""
    return awaits_ready(view.interlude, view.seat)


def view(state: State, seat: Seat | None) -> PrisonBreakView:
    """Return what is public, and what this seat keeps behind its screen. D22: at the end all tracks are shown."""
    phase = state.phase
    over = phase if isinstance(phase, Over) else None
    awaited = to_act(state)
    mine = (seat,) if seat is not None else ()
    open_ = range(len(state.prisoners)) if over else mine
    return PrisonBreakView(
        seat=seat,
        to_act=awaited,
        ui_version=state.ui_version,
        spaces=state.material.spaces,
        longest_sneak=state.material.longest_sneak,
        lights=state.material.lights,
        terms=terms_at(state.material, state.options),
        round=state.round,
        round_limit=state.options.round_limit,
        warden=state.warden,
        phase=phase_name(state),
        turn=awaited[0] if awaited and not isinstance(phase, Voting) else None,
        sits_out=phase.sits_out if isinstance(phase, Sneaking) else (),
        row=state.row,
        proposal=_proposal(state, phase) if isinstance(phase, Voting) else None,
        prisoners=state.prisoners,
        no_sneak_round=state.no_sneak_round,
        log=state.log,
        reason=over.reason if over else None,
        winners=over.winners if over else (),
        positions=tuple(at if owner in open_ else None for owner, at in enumerate(state.positions)),
        paths=tuple(path if owner in open_ else () for owner, path in enumerate(state.paths)),
        my_vote=phase.of(seat) if isinstance(phase, Voting) else None,
        note="" if seat is None else state.notes[seat],
        interlude=state.interlude,
        believed=state.believed,
        markers=() if seat is None else state.markers[seat],
    )


def outcome(state: State) -> Outcome | None:
    """Scores are positions, JAIL 0. D25: places go by position, on EXIT by arrival. Reasons: `exit` and `rounds`."""
    if not isinstance(state.phase, Over):
        return None
    keys = [(-position, arrival or 0) for position, arrival in zip(state.positions, state.arrivals, strict=True)]
    return Outcome(
        places=places(keys),
        scores=state.positions,
        reason=state.phase.reason,
    )


def _proposal(state: State, voting: Voting) -> Proposal:
    """R10: everybody sees who has voted, but not how."""
    voted = tuple(voter for voter in voting.voters if voting.of(voter) is not None)
    return Proposal(voting.card, state.row[voting.card].kind, voting.first, voting.second, voted)
