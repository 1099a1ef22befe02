"""Break-Out's state: turns, windows, and what can be derived from a state.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

from engine.contract import Moment, Seat
from engine.games.break_out.log import Bluff, Catch, FinishedRound, Note, RoundScore, kept_notes
from engine.games.break_out.melds import lies_badly, made_of
from engine.games.break_out.types import (
    LETTERS,
    START,
    BreakOutOptions,
    Card,
    Face,
    Fault,
    Ids,
    Kind,
    LaidMeld,
    Material,
    Meld,
    Play,
    Slot,
)
from engine.turns import Interlude


def sorted_slots(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Return cards in display order: by number, then colour, so that the order does not reveal who laid what when."""
    return tuple(sorted(slots, key=_lies))


def _lies(slot: Slot) -> tuple[tuple[int, int, Face], int]:
    return _place(slot.card.face, slot.card.stands), slot.id


@cache
def _place(face: Face, declared: str | None) -> tuple[int, int, Face]:
    """Return the sorting key of a card in its meld; cached, since there are few cards."""
    card = Card(face, declared)
    return card.number or 99, 9 if card.colour is None else LETTERS.index(card.colour), face


class Scene(msgspec.Struct, frozen=True):
    """What a seat's play depends on, as it was before an act."""

    hand: tuple[Face, ...]
    melds: tuple[Meld, ...]
    out: bool
    full: bool
    drew: Face | None


class Act(msgspec.Struct, frozen=True):
    """What a seat did in a turn, with everything needed to undo it."""

    play: Play
    fault: Fault | None = None
    meld: int | None = None  # the meld that it made or changed
    slots: Ids = ()  # the cards that it added
    before: Meld | None = None  # the meld before it
    moved: Ids = ()  # cell melds that went to the Yard
    sources: Ids = ()  # cell melds that gave single cards
    coin: bool = False  # it was a break-out
    aside: Face | None = None  # a card that it put out of play
    exchanged: Slot | None = None  # the Wild that it took, as it was
    laid: LaidMeld | None = None  # the play with its context on the table
    swapped: Slot | None = None  # the card of the seat's own cell given for it, as it left the cell
    scene: Scene | None = None  # what it depended on

    @property
    def bad(self) -> bool:
        """D23: each act is judged when it is made."""
        return self.fault is not None

    @property
    def touches(self) -> frozenset[int]:
        """The melds that it made or changed."""
        return frozenset((*(() if self.meld is None else (self.meld,)), *self.moved, *self.sources))


class ReceivedCall(msgspec.Struct, frozen=True):
    """A call. Among correct ones the catcher is decided after the tie period. `fine` is what a wrong one cost."""

    seat: Seat
    kind: Kind
    at: Moment
    right: bool
    named: bool
    fine: Face | None = None


class Said(msgspec.Struct, frozen=True):
    """A NEXT that has been said and takes effect at `moment`; `open` after that, while it is being settled.

    D24: whether its player had neither played nor drawn, and could have drawn, is judged when it is said. D43: `calls`
    are those received since its moment if a DRAW catch has postponed it.
    """

    moment: Moment
    nothing: bool
    open: bool = False
    calls: tuple[ReceivedCall, ...] = ()


def later_calls(calls: Iterable[ReceivedCall], by_ms: int) -> tuple[ReceivedCall, ...]:
    """Return calls as they are after a time in which the game stood still."""
    return tuple([msgspec.structs.replace(one, at=Moment(one.at + by_ms)) for one in calls])


class Window(msgspec.Struct, frozen=True):
    """A past turn that can be called. `closes` is set if the round ends unless a call is right."""

    turn: int
    seat: Seat
    opened: Moment
    acts: tuple[Act, ...]
    nothing: bool
    calls: tuple[ReceivedCall, ...] = ()
    closes: Moment | None = None

    @property
    def right(self) -> tuple[ReceivedCall, ...]:
        """The correct calls."""
        return tuple([one for one in self.calls if one.right]) if self.calls else ()


class Closed(msgspec.Struct, frozen=True):
    """The last window that has closed."""

    turn: int
    seat: Seat
    opened: Moment
    at: Moment


class Gift(msgspec.Struct, frozen=True):
    """A catcher chooses a card for the player they caught. `then` says how the game continues.

    With `continue` the paused turn continues, with `resume` the turn resumes without the NEXT that had ended it, and
    with `begin` the turn begins only now, since the window was a last one.
    """

    catcher: Seat
    caught: Seat
    due: Moment
    then: Literal["continue", "resume", "begin"]


class State(msgspec.Struct, frozen=True):
    """The state of a game.

    `turn` is the seat to move, in the `serial`-th turn of the game; while a last window is open (`window.closes`) that
    turn has not begun. While a NEXT whose moment has come, or the end of a last window, is being settled, `closing` is
    the window before. During a catcher's choice (`gift`) everything else is paused, since `frozen`.
    """

    material: Material
    options: BreakOutOptions
    round: int
    serial: int
    turn: Seat
    starter: Seat
    began: Moment
    hands: tuple[tuple[Face, ...], ...]
    out: tuple[bool, ...]  # by seat: whether it has broken out
    pile: tuple[Face, ...] = ()
    place: Face | None = None  # the draw card
    aside: tuple[Face, ...] = ()  # out of play
    melds: tuple[Meld, ...] = ()
    names: int = START + 1  # the next id for a meld
    dealt: int = 1  # the next id for a card that is laid
    drew: Face | None = None
    acts: tuple[Act, ...] = ()
    full: bool = False  # the cell was full when the turn began
    said: Said | None = None
    window: Window | None = None
    closing: Window | None = None
    gift: Gift | None = None
    frozen: Moment | None = None
    last_next: Moment | None = None
    closed: Closed | None = None
    kept: tuple[ReceivedCall, ...] = ()  # calls in this turn that count if its NEXT was received before them
    ticks: int = 0  # how often the clocks were restarted: part of a deadline's id
    pointed: tuple[bool, ...] = ()
    idle: int = 0  # turns in a row without a card played or drawn
    dry: int = 0  # turns in a row without a card played, the pile empty
    scores: tuple[int, ...] = ()
    sheet: tuple[RoundScore, ...] = ()
    notes: tuple[Note, ...] = ()
    catches: tuple[Catch, ...] = ()  # of this round
    bluffs: tuple[Bluff, ...] = ()  # of this round, so far
    finished: tuple[FinishedRound, ...] = ()
    interlude_ms: int = 0
    rules: int = 3
    interlude: Interlude | None = None
    over: bool = False

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def called(self) -> Window | None:
        """The window with a correct call, while its tie period runs."""
        if self.gift is not None:
            return None
        if self.closing is not None and self.closing.right:
            return self.closing
        if self.window is None or not self.window.right or (self.said is not None and self.said.open):
            return None
        return self.window

    @property
    def suspended(self) -> bool:
        """D38: while a last window is open, nobody else's turn begins."""
        return self.last is not None

    @property
    def last(self) -> Window | None:
        """The last window of a round, while it is open or being settled."""
        window = self.window if self.window is not None else self.closing
        return window if window is not None and window.closes is not None else None

    def cell(self, seat: Seat) -> list[Meld]:
        """Return the melds of a cell."""
        return [meld for meld in self.melds if meld.cell == seat]

    def meld(self, name: int) -> Meld | None:
        """Return the meld with this id."""
        for meld in self.melds:
            if meld.id == name:
                return meld
        return None


def piece_counts(state: State) -> Counter[str]:
    """Return how often each card occurs anywhere in the game."""
    found = Counter(face for hand in state.hands for face in hand)
    found.update([*state.pile, *state.aside, *(() if state.place is None else (state.place,))])
    found.update(card.face for meld in state.melds for card in meld.cards)
    return found


def with_notes(state: State, *notes: Note) -> State:
    """Return the state with these notes added."""
    return msgspec.structs.replace(state, notes=notes_with(state, *notes))


def notes_with(state: State, *added: Note) -> tuple[Note, ...]:
    """Return the state's notes with these added, for callers that change more with one `replace`."""
    return kept_notes((*state.notes, *added), len(state.hands))


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that must act before the game continues: none while only a clock can end the wait."""
    if state.gift is not None:
        return (state.gift.catcher,)
    if state.over or state.interlude is not None or state.said is not None or state.suspended:
        return ()
    return (state.turn,)


def cell_cards(state: State, seat: Seat) -> int:
    """Return how many cards lie in a cell."""
    return sum([len(meld.slots) for meld in state.melds if meld.cell == seat])


def is_bad(state: State, meld: Meld) -> bool:
    """D46: return whether a meld counts as bad when a player points at it. It is judged as it is now: a repaired one is
    not bad.
    """
    cell = None if meld.cell is None else [slot.id for other in state.cell(meld.cell) for slot in other.slots]
    limits = state.material.break_out, state.material.cell
    return not meld.start and lies_badly(made_of(meld.cards), [slot.id for slot in meld.slots], cell, limits)


def standstill(state: State) -> tuple[int, int]:
    """Return `State.idle` and `State.dry` as they will be once the present turn is over."""
    if state.acts:
        return 0, 0
    return state.idle + 1 if state.drew is None else 0, 0 if state.pile else state.dry + 1


def circuit_is_over(state: State) -> bool:
    """D49, D50: return whether the present turn completes a circuit in which nobody has played or drawn, or in which
    the pile is empty and nobody has played.
    """
    return max(standstill(state)) >= state.seats
