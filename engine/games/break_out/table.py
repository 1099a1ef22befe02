"""Break-Out's state and what of it anybody may see. May import `engine` and its own package.

`view` builds what a reader may know field by field; bad melds, other hands and the pile are not among it.
"""

from collections import Counter
from typing import Literal

import msgspec

from engine.contract import Moment, Seat, View
from engine.games.break_out.melds import lies_badly
from engine.games.break_out.pieces import (
    COLOURS,
    START,
    BreakOutOptions,
    Card,
    Cards,
    Face,
    Fault,
    Ids,
    Kind,
    Material,
    Meld,
    Play,
    Slot,
    in_order,
)
from engine.games.break_out.verdict import Laid


def sorted_slots(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return cards as they lie: by number, then colour, so that their order tells nothing of who laid what when."""
    letters = [colour[0] for colour in COLOURS]

    def key(slot: Slot) -> tuple[int, int, str, int]:
        colour = slot.card.colour
        return slot.card.number or 99, 9 if colour is None else letters.index(colour), slot.card.face, slot.id

    return tuple(sorted(slots, key=key))


class Act(msgspec.Struct, frozen=True):
    """What a seat did in a turn, with all that it takes to undo it."""

    play: Play
    fault: Fault | None = None
    meld: int | None = None  # the meld that it made or changed
    slots: Ids = ()  # the cards that it added
    before: Meld | None = None  # the meld before it
    moved: Ids = ()  # cell melds that went to the Yard
    sources: Ids = ()  # cell melds that gave single cards
    coin: bool = False  # it was a break-out
    aside: Face | None = None  # a card that it put out of play
    exchanged: Slot | None = None  # the Wild that it took, as it lay
    laid: Laid | None = None  # the play with what it met on the table
    swapped: Slot | None = None  # the card of one's cell that was given for it, as it left the cell

    @property
    def bad(self) -> bool:
        """D: each act is judged when it is made."""
        return self.fault is not None

    @property
    def touches(self) -> frozenset[int]:
        """The melds that it made or changed."""
        return frozenset((*(() if self.meld is None else (self.meld,)), *self.moved, *self.sources))


class Said(msgspec.Struct, frozen=True):
    """A NEXT that has been said and takes effect at `moment`; `open` once that has come, while it is settled.

    D: whether its inmate had neither played nor drawn, and could have drawn, is judged as it is said.
    """

    moment: Moment
    nothing: bool
    open: bool = False


class Heard(msgspec.Struct, frozen=True):
    """A call; of correct ones the catcher is found when the tie period is over. `fine` is what a wrong one cost."""

    seat: Seat
    kind: Kind
    at: Moment
    right: bool
    named: bool
    fine: Face | None = None


class Window(msgspec.Struct, frozen=True):
    """Somebody's turn that is over and can be called. `closes` is set where the round ends if nobody is right."""

    turn: int
    seat: Seat
    opened: Moment
    acts: tuple[Act, ...]
    nothing: bool
    heard: tuple[Heard, ...] = ()
    closes: Moment | None = None

    @property
    def right(self) -> tuple[Heard, ...]:
        """The correct calls."""
        return tuple(one for one in self.heard if one.right)


class Closed(msgspec.Struct, frozen=True):
    """The last window that has closed."""

    turn: int
    opened: Moment
    at: Moment


class Gift(msgspec.Struct, frozen=True):
    """A catcher chooses a card for whom they caught. What goes on after it: the turn `stood` still, a NEXT that had
    ended it is `dropped`, or it begins only now, since the caught one's window was a `last` one.
    """

    catcher: Seat
    caught: Seat
    due: Moment
    then: Literal["stood", "dropped", "last"]


class RoundScore(msgspec.Struct, frozen=True):
    """A line of the score sheet."""

    winner: Seat | None
    points: tuple[int, ...]


NoteKind = Literal[
    "round",
    "drew",
    "played",
    "next",
    "wrong",
    "caught",
    "undone",
    "forced",
    "given",
    "pointed",
    "lapsed",
    "out",
]


class Note(msgspec.Struct, frozen=True):
    """Something that happened, for those who were not looking. `face` is known to `knows` alone."""

    kind: NoteKind
    seat: Seat
    other: Seat | None = None
    play: Play | None = None
    call: Kind | None = None
    ms: int | None = None
    count: int = 0
    right: bool = False
    face: Face | None = None
    knows: tuple[Seat, ...] = ()


NOTES = 14
"""So many notes are kept."""


class State(msgspec.Struct, frozen=True):
    """Everything about a game.

    `turn` is whose turn it is, the `serial`-th of the game; while a last window is open (`window.closes`) it has not
    begun. While a NEXT is settled whose moment has come, or the end of a last window, `closing` is the window before.
    During a catcher's choice (`gift`) everything else stands still, since `frozen`.
    """

    material: Material
    options: BreakOutOptions
    round: int
    serial: int
    turn: Seat
    starter: Seat
    began: Moment
    hands: tuple[tuple[Face, ...], ...]
    out: tuple[bool, ...]  # who has broken out
    pile: tuple[Face, ...] = ()
    place: Face | None = None  # the draw card
    aside: tuple[Face, ...] = ()  # out of play
    melds: tuple[Meld, ...] = ()
    names: int = START + 1  # the next name for a meld
    dealt: int = 1  # the next name for a card that is laid
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
    ticks: int = 0  # how often the clocks were set anew: part of a deadline's name
    pointed: tuple[bool, ...] = ()
    idle: int = 0  # turns in a row without a card played or drawn
    dry: int = 0  # turns in a row without a card played, the pile empty
    scores: tuple[int, ...] = ()
    sheet: tuple[RoundScore, ...] = ()
    notes: tuple[Note, ...] = ()
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
        """D: while a last window is open, nobody else's turn begins."""
        return self.last is not None

    @property
    def last(self) -> Window | None:
        """The last window of a round, while it is open or is settled."""
        window = self.window if self.window is not None else self.closing
        return window if window is not None and window.closes is not None else None

    def cell(self, seat: Seat) -> list[Meld]:
        """Return the melds of a cell."""
        return [meld for meld in self.melds if meld.cell == seat]

    def meld(self, name: int) -> Meld | None:
        """Return the meld of this name."""
        return next((meld for meld in self.melds if meld.id == name), None)


def census(state: State) -> Counter[str]:
    """Return how often each card is anywhere in the game."""
    found = Counter(face for hand in state.hands for face in hand)
    found.update([*state.pile, *state.aside, *(() if state.place is None else (state.place,))])
    found.update(card.face for meld in state.melds for card in meld.cards)
    return found


def noted(state: State, *notes: Note) -> State:
    """Return the state with these notes."""
    return msgspec.structs.replace(state, notes=(*state.notes, *notes)[-NOTES:])


# ----------------------------------------------------------------------------------------------------------------- view


class CardView(msgspec.Struct, frozen=True):
    """A card on the table; `slot` names it."""

    slot: int
    face: Face
    stands: str | None

    @property
    def card(self) -> Card:
        """The card."""
        return Card(self.face, self.stands)


class MeldView(msgspec.Struct, frozen=True):
    """A meld on the table. `cell` is whose cell it lies in; `lit` if the present or the last turn touched it."""

    id: int
    cell: Seat | None
    cards: tuple[CardView, ...]
    lit: bool

    @property
    def played(self) -> Cards:
        """The cards."""
        return tuple(card.card for card in self.cards)


class WindowView(msgspec.Struct, frozen=True):
    """The turn that can be called now. `closes` is set where the round ends then if nobody is right."""

    turn: int
    seat: Seat
    opened: Moment
    closes: Moment | None
    mine: tuple[Kind, ...]  # what the reader has called in it
    idle: bool  # no card was seen to be played or drawn in that turn
    played: bool
    plays: tuple[Laid, ...]  # all that was played in that turn, with what it met on the table


class BreakOutView(View, frozen=True):
    """What a reader may know. `hand` is theirs; `place` is face down unless the option has it open."""

    phase: Literal["turn", "next", "last", "gift", "over"]
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
    acted: bool  # whose turn it is has played a card
    drew: bool
    full: bool
    due: Moment | None  # when a kept NEXT takes effect, a last window closes, the clock chooses a gift or ends the turn
    window: WindowView | None
    catcher: Seat | None
    caught: Seat | None
    pointed: tuple[bool, ...]
    hand: tuple[Face, ...]
    fresh: Face | None  # what the reader drew this turn
    limits: tuple[int, int]  # points for a break-out, cards in a cell
    values: tuple[int, int, int]  # of a Wild, a DRAW card, a Super Wild


def view(state: State, seat: Seat | None) -> BreakOutView:
    """Return what is public, and this seat's own hand."""
    mine = () if seat is None else state.hands[seat]
    turning = state.turn == seat
    return BreakOutView(
        seat=seat,
        waiting=waiting(state),
        stamp=state.serial + state.over,
        phase=_phase(state),
        round=state.round,
        rounds=state.options.rounds,
        referee=state.options.referee,
        turn=None if state.over else state.turn,
        serial=state.serial,
        starter=state.starter,
        melds=tuple(
            MeldView(
                meld.id,
                meld.cell,
                tuple(CardView(slot.id, slot.card.face, slot.card.stands) for slot in meld.slots),
                meld.changed >= state.serial - 1 and not meld.start,
            )
            for meld in state.melds
        ),
        round_card=state.material.round_card(state.round),
        counts=tuple(map(len, state.hands)),
        out=state.out,
        pile=len(state.pile),
        place=state.place is not None,
        open_place=state.place if state.options.draw_card == "face_up" else None,
        scores=state.scores,
        sheet=state.sheet,
        notes=tuple(_note(note, seat) for note in state.notes),
        acted=bool(state.acts),
        drew=state.drew is not None,
        full=state.full,
        due=_due(state),
        window=_window(state, seat),
        catcher=None if state.gift is None else state.gift.catcher,
        caught=None if state.gift is None else state.gift.caught,
        pointed=state.pointed,
        hand=in_order(mine),
        fresh=state.drew if turning else None,
        limits=(state.material.break_out, state.material.cell),
        values=(state.material.wild_value, state.material.draw_value, state.material.super_wild_value),
    )


def waiting(state: State) -> tuple[Seat, ...]:
    """Return whom the game waits for: nobody while a clock runs that has to run out."""
    if state.gift is not None:
        return (state.gift.catcher,)
    if state.over or state.said is not None or state.suspended:
        return ()
    return (state.turn,)


def _phase(state: State) -> Literal["turn", "next", "last", "gift", "over"]:
    if state.over:
        return "over"
    if state.gift is not None:
        return "gift"
    if state.suspended:
        return "last"
    return "turn" if state.said is None else "next"


def _due(state: State) -> Moment | None:
    if state.over:
        return None
    if state.gift is not None:
        return state.gift.due
    if state.last is not None:
        return state.last.closes
    if state.said is not None:
        return state.said.moment
    # The turn's clock stands still in a tie period; but that somebody has called is told only after it.
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
        mine=tuple(one.kind for one in window.heard if one.seat == seat),
        idle=window.nothing,
        played=bool(window.acts),
        plays=tuple(act.laid for act in window.acts if act.laid is not None),
    )


def _note(note: Note, seat: Seat | None) -> Note:
    """Return a note as this reader knows it."""
    known = seat is not None and seat in note.knows
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
    )


def cell_cards(state: State, seat: Seat) -> int:
    """Return how many cards lie in a cell."""
    return sum(len(meld.slots) for meld in state.cell(seat))


def is_bad(state: State, meld: Meld) -> bool:
    """D: whether a meld is bad for whoever points at it, judged by what lies there: one that was repaired is not."""
    cell = None if meld.cell is None else [slot.id for other in state.cell(meld.cell) for slot in other.slots]
    limits = state.material.break_out, state.material.cell
    return not meld.start and lies_badly(meld.cards, [slot.id for slot in meld.slots], cell, limits)
