"""Prison Break's referee: which moves a seat may make now, and why others are refused.

All other code asks these functions. They use public knowledge only. `offers` knows what an offer does. Marks in
comments (R4, D1) refer to docs/rules/prison_break.md.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from engine.contract import Refusal, Seat
from engine.games.prison_break.markers import is_valid, read_markers
from engine.games.prison_break.state import Guarding, Offering, Sneaking, State, Voting, held, phase_name, to_act
from engine.games.prison_break.types import (
    MERGED_NOTE_LENGTH,
    NOTE_LENGTH,
    Decline,
    Guard,
    Mark,
    Note,
    Offer,
    Pass,
    PrisonBreakAction,
    Sneak,
    Vote,
)
from engine.turns import require_turn

Move = Sneak | Offer | Decline | Vote | Guard | Pass
"""What a seat does in a phase; notes and markers are possible at any time."""


def judge(state: State, seat: Seat, move: Move) -> None:
    """Raise `Refusal` for a move that this seat may not make now.

    Codes: `wrong-phase` (facts `phase`, the present one, and `needs`); `not-your-turn` (fact `turn`); `sits-out`;
    `no-declaration`, `no-move` (facts `spaces`, `most`); `held` (fact `spaces`); `not-warden` (fact `warden`);
    `no-card`, `card-down` (fact `card`); `no-player`, `same-player` (fact `player`); `not-asked` (facts `first`,
    `second`); `voted`; `no-token`; `no-space` (facts `space`, `spaces`).
    """
    match move:
        case Sneak():
            _sneak(state, seat, move)
        case Offer():
            _offer(state, seat, move)
        case Decline():
            _check_warden(state, seat)  # D8: the Warden may make no offer
        case Vote():
            _vote(state, seat)
        case Guard():
            _guard(state, seat, move)
        case Pass():
            _check_guarding(state, seat)


def note_digest(text: str) -> str:
    """Return a short name of what a notepad says."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def judge_note(note: Note, present: str) -> str:
    """Return what the notepad that says `present` says from now on: both, if it was changed since the note was begun.

    Raises `Refusal`: `note-too-long`, or `notes-too-long` for both together (facts `length`, `most`);
    `note-unreadable`.
    """
    most = max(NOTE_LENGTH, len(present))  # more only after two texts were kept
    if len(note.text) > most:
        raise Refusal("note-too-long", length=len(note.text), most=most)
    try:
        note.text.encode()
    except UnicodeEncodeError as error:  # half of a surrogate pair: it could not be stored
        raise Refusal("note-unreadable") from error
    if note.over in (None, note_digest(present)) or note.text == present or not present:
        return note.text
    both = f"{present}\n{note.text}" if note.text else present
    if len(both) > MERGED_NOTE_LENGTH:
        raise Refusal("notes-too-long", length=len(both), most=MERGED_NOTE_LENGTH)
    return both


def judge_mark(state: State, seat: Seat, mark: Mark) -> None:
    """Raise `Refusal` for markers that cannot be set. Blanked ones are accepted, and change nothing.

    Codes: `no-marker` (fact `spaces`).
    """
    found = read_markers(mark.markers)
    spaces = state.material.spaces
    if mark.markers and (found is None or not is_valid(*found, seat, len(state.prisoners), spaces)):
        raise Refusal("no-marker", spaces=spaces)


def _sneak(state: State, seat: Seat, sneak: Sneak) -> None:
    """R6: declare 0, 1 or 2, and move 0, 1 or 2; the two may differ."""
    if not isinstance(state.phase, Sneaking):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="sneak")
    if seat in state.phase.sits_out:
        raise Refusal("sits-out")
    require_turn(seat, state.phase.seats[0])  # R6: one after the other
    most = state.material.longest_sneak
    if not 0 <= sneak.declare <= most:
        raise Refusal("no-declaration", spaces=sneak.declare, most=most)
    if not 0 <= sneak.move <= most:
        raise Refusal("no-move", spaces=sneak.move, most=most)
    if sneak.move and held(state, seat):  # D12: they declare, but the move is 0
        raise Refusal("held", spaces=sneak.move)


def _offer(state: State, seat: Seat, offer: Offer) -> None:
    """R9: a face-up offer and two different players, who may include the Warden."""
    _check_warden(state, seat)
    if not 0 <= offer.card < len(state.row):
        raise Refusal("no-card", card=offer.card)
    if not state.row[offer.card].up:
        raise Refusal("card-down", card=offer.card)
    for player in (offer.first, offer.second):
        if player not in range(len(state.prisoners)):
            raise Refusal("no-player", player=player)
    if offer.first == offer.second:
        raise Refusal("same-player", player=offer.first)


def _vote(state: State, seat: Seat) -> None:
    if not isinstance(state.phase, Voting):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="vote")
    voting = state.phase
    if seat not in voting.voters:
        raise Refusal("not-asked", first=voting.first, second=voting.second)
    if voting.of(seat) is not None:
        raise Refusal("voted")  # D9: a vote is final


def _guard(state: State, seat: Seat, guard: Guard) -> None:
    """R13: a token for a numbered space."""
    _check_guarding(state, seat)
    if not 1 <= guard.space <= state.material.spaces:  # D20: EXIT cannot be checked
        raise Refusal("no-space", space=guard.space, spaces=state.material.spaces)


def _check_warden(state: State, seat: Seat) -> None:
    if not isinstance(state.phase, Offering):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="offer")
    if seat != state.warden:
        raise Refusal("not-warden", warden=state.warden)


def _check_guarding(state: State, seat: Seat) -> None:
    """R13: in turn order from the Warden. D15: one check per player and round; D18: players without a token are
    skipped.
    """
    if not isinstance(state.phase, Guarding):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="guard")
    if not state.prisoners[seat].tokens:
        raise Refusal("no-token")
    require_turn(seat, state.phase.seats[0])


def moves(state: State, seat: Seat) -> Iterator[PrisonBreakAction]:
    """Return what this seat may play. Notes and markers are left out; each pair is named once."""
    match state.phase:
        case Sneaking(seats=(turn, *_)) if turn == seat:
            most = state.material.longest_sneak
            return iter(_sneaks(most, 0 if held(state, seat) else most))
        case Offering() if seat == state.warden:
            up = tuple([place for place, card in enumerate(state.row) if card.up])
            return iter(_offers(up, len(state.prisoners)))
        case Voting() if seat in to_act(state):
            return iter((Vote(True), Vote(False)))
        case Guarding(seats=(turn, *_)) if turn == seat:
            return iter(_checks(state.material.spaces))
        case _:
            return iter(())


@cache
def _sneaks(declared: int, moved: int) -> tuple[Sneak, ...]:
    """Return all sneaks with at most these numbers of spaces."""
    return tuple(Sneak(declare, move) for declare in range(declared + 1) for move in range(moved + 1))


@cache
def _offers(up: tuple[int, ...], seats: int) -> tuple[Offer | Decline, ...]:
    """Return what a Warden may do with these cards face up, by the number of seats."""
    pairs = tuple(combinations(range(seats), 2))
    return (*(Offer(card, first, second) for card in up for first, second in pairs), Decline())


@cache
def _checks(spaces: int) -> tuple[Guard | Pass, ...]:
    """Return the possible guard checks on a track with this many numbered spaces."""
    return (*(Guard(space) for space in range(1, spaces + 1)), Pass())
