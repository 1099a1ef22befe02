"""What Break-Out shows: the table, each player's own hand, and the outcome.

A view contains neither bad melds, other hands nor the pile; when a round is over, hands and bluffs are shown. Marks in
comments (R4, D1) refer to docs/rules/break_out.md.
"""

from functools import lru_cache
from typing import Literal

import msgspec

from engine.contract import Moment, Outcome, Seat, View
from engine.games.break_out.log import Catch, FinishedRound, Note, RoundScore
from engine.games.break_out.melds import REMEMBERED
from engine.games.break_out.rounds import latest
from engine.games.break_out.state import State, to_act
from engine.games.break_out.types import Card, Cards, Face, Kind, LaidMeld, Meld, in_order
from engine.turns import Interlude, places

Phase = Literal["turn", "next", "last", "gift", "interlude", "over"]


class CardView(msgspec.Struct, frozen=True):
    """A card on the table; `slot` is its id."""

    slot: int
    face: Face
    stands: str | None

    @property
    def card(self) -> Card:
        """The card."""
        return Card(self.face, self.stands)


class MeldView(msgspec.Struct, frozen=True, cache_hash=True):
    """A meld on the table. `cell` is the seat in whose cell it is; `lit` if the present or the last turn changed it."""

    id: int
    cell: Seat | None
    cards: tuple[CardView, ...]
    lit: bool

    @property
    def played(self) -> Cards:
        """The cards."""
        return tuple(card.card for card in self.cards)


class WindowView(msgspec.Struct, frozen=True):
    """The turn that can be called now. `closes` is set if the round ends then unless a call is right."""

    turn: int
    seat: Seat
    opened: Moment
    closes: Moment | None
    mine: tuple[Kind, ...]  # what the reader has called in it
    idle: bool  # nobody saw a card played or drawn in that turn
    played: bool
    plays: tuple[LaidMeld, ...]  # everything played in that turn, with its context on the table


class BreakOutView(View, frozen=True):
    """What a reader may know. `hand` is theirs; `place` is face down unless the option says otherwise."""

    phase: Phase
    round: int
    rounds: int
    referee: Literal["honour", "strict"]
    turn: Seat | None
    serial: int
    starter: Seat
    melds: tuple[MeldView, ...]
    round_card: Face
    counts: tuple[int, ...]
    out: tuple[bool, ...]
    pile: int
    place: bool
    open_place: Face | None
    scores: tuple[int, ...]
    sheet: tuple[RoundScore, ...]
    notes: tuple[Note, ...]
    acted: bool  # the player to move has played a card
    drew: bool
    full: bool
    due: Moment | None  # when a kept NEXT takes effect, a last window or an interlude closes, the clock gives or plays
    window: WindowView | None
    catcher: Seat | None
    caught: Seat | None
    pointed: tuple[bool, ...]
    hand: tuple[Face, ...]
    fresh: Face | None  # what the reader drew this turn
    limits: tuple[int, int]  # points for a break-out, cards in a cell
    values: tuple[int, int, int]  # of a Wild, a DRAW card, a Super Wild
    catch: Catch | None = None  # the last catch that was settled in the present turn
    interlude: Interlude | None = None
    finished: FinishedRound | None = None  # the round that has just ended: in an interlude, and at the end of the game
    history: tuple[FinishedRound, ...] = ()  # all rounds, at the end of the game
    kept: tuple[Kind, ...] = ()  # the reader's calls that count if this turn's NEXT was said before them


def view(state: State, seat: Seat | None) -> BreakOutView:
    """Return what is public, and this seat's own hand."""
    mine = () if seat is None else state.hands[seat]
    since = state.serial - 1
    return BreakOutView(
        seat=seat,
        to_act=to_act(state),
        ui_version=state.serial + state.over,
        phase=phase(state),
        round=state.round,
        rounds=state.options.rounds,
        referee=state.options.referee,
        turn=None if state.over or state.interlude is not None else state.turn,
        serial=state.serial,
        starter=state.starter,
        melds=tuple([_meld(meld, meld.changed >= since and not meld.start) for meld in state.melds]),
        round_card=state.material.round_card(state.round),
        counts=tuple(map(len, state.hands)),
        out=state.out,
        pile=len(state.pile),
        place=state.place is not None,
        open_place=state.place if state.options.draw_card == "face_up" else None,
        scores=state.scores,
        sheet=state.sheet,
        notes=tuple([_note(note, seat) for note in state.notes if not note.private or note.seat == seat]),
        acted=bool(state.acts),
        drew=state.drew is not None,
        full=state.full,
        due=_due(state),
        window=_window(state, seat),
        catcher=None if state.gift is None else state.gift.catcher,
        caught=None if state.gift is None else state.gift.caught,
        pointed=state.pointed,
        hand=in_order(mine),
        fresh=state.drew if state.turn == seat else None,
        limits=(state.material.break_out, state.material.cell),
        values=(state.material.wild_value, state.material.draw_value, state.material.super_wild_value),
        catch=latest(state),
        interlude=state.interlude,
        finished=state.finished[-1] if state.over or state.interlude is not None else None,
        history=state.finished if state.over else (),
        kept=tuple([one.kind for one in state.kept if one.seat == seat]) if state.kept else (),
    )


@lru_cache(REMEMBERED)
def _meld(meld: Meld, lit: bool) -> MeldView:
    """Return a meld as everybody sees it; cached, since most stay unchanged for many turns."""
    cards = tuple(CardView(slot.id, slot.card.face, slot.card.stands) for slot in meld.slots)
    return MeldView(meld.id, meld.cell, cards, lit)


def phase(state: State) -> Phase:
    """Return what the game waits for."""
    if state.over:
        return "over"
    if state.interlude is not None:
        return "interlude"
    if state.gift is not None:
        return "gift"
    if state.suspended:
        return "last"
    return "turn" if state.said is None else "next"


def _due(state: State) -> Moment | None:
    if state.over:
        return None
    if state.interlude is not None:
        return state.interlude.until
    if state.gift is not None:
        return state.gift.due
    if state.last is not None:
        return state.last.closes
    if state.said is not None:
        return state.said.moment
    # The turn's clock is paused in a tie period, but that there was a call stays secret until it is over.
    return Moment(state.began + 1_000 * state.options.clock) if state.options.clock else None


def _window(state: State, seat: Seat | None) -> WindowView | None:
    window = state.window
    if window is None:
        return None
    return WindowView(
        turn=window.turn,
        seat=window.seat,
        opened=window.opened,
        closes=window.closes,
        mine=tuple([one.kind for one in window.calls if one.seat == seat]),
        idle=window.nothing,
        played=bool(window.acts),
        plays=tuple([act.laid for act in window.acts if act.laid is not None]),
    )


def _note(note: Note, seat: Seat | None) -> Note:
    """Return a note as this reader knows it."""
    if note.dealt:
        return msgspec.structs.replace(note, dealt=tuple([one for one in note.dealt if one[0] == seat]))
    if not note.knows:
        return note
    known = seat in note.knows
    return Note(
        kind=note.kind,
        seat=note.seat,
        other=note.other,
        play=note.play,
        call=note.call,
        ms=note.ms,
        count=note.count,
        right=note.right,
        face=note.face if known else None,
        lapsed=note.lapsed,
        after=note.after,
    )


def public_totals(view: BreakOutView) -> tuple[int, ...] | None:
    """Return the points of the finished rounds, by seat; None before the first is over."""
    return view.scores if view.sheet else None


def outcome(state: State) -> Outcome | None:
    """R36: the fewest points win. D51: ties share the place."""
    if not state.over:
        return None
    return Outcome(places(state.scores), state.scores, "rounds")
