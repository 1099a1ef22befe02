"""Break-Out's state and what of it anybody may see. May import `engine` and its own package.

`view` builds what a reader may know field by field; bad melds, other hands and the pile are not among it.
"""

from typing import Literal

import msgspec

from engine.contract import Moment, Seat, View
from engine.games.break_out import melds
from engine.games.break_out.pieces import (
    COLOURS,
    START,
    BreakOutOptions,
    Card,
    Cards,
    Face,
    Ids,
    Kind,
    Material,
    Play,
    in_order,
)
from engine.games.break_out.verdict import Laid


class Slot(msgspec.Struct, frozen=True):
    """A card in a meld: who laid it in which turn (None: the round card), and from which cell meld it came, if any."""

    id: int
    card: Card
    by: Seat | None
    turn: int
    source: int | None = None


class Meld(msgspec.Struct, frozen=True):
    """Cards that lie together: in somebody's cell, or in the Yard. `changed` is the turn that touched it last.

    `bad` and `breach` (of a cell's limits) are what its cards were guilty of when they were laid.
    """

    id: int
    cell: Seat | None
    slots: tuple[Slot, ...]
    changed: int
    bad: bool = False
    breach: bool = False

    @property
    def cards(self) -> Cards:
        """The cards, in the order in which they lie."""
        return tuple(slot.card for slot in self.slots)

    @property
    def start(self) -> bool:
        """Whether it is the round card alone."""
        return self.id == START and len(self.slots) == 1


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
    bad: bool = False
    meld: int | None = None  # the meld that it made or changed
    made: bool = False
    slots: Ids = ()  # the cards that it added
    before: Meld | None = None  # the meld before it
    moved: Ids = ()  # cell melds that went to the Yard
    emptied: Ids = ()  # cell melds that were used up
    coin: bool = False  # it was a break-out
    aside: Face | None = None  # a card that it put out of play
    exchanged: Slot | None = None  # the Wild that it took, as it lay
    laid: Laid | None = None  # the play with what it met on the table


class Said(msgspec.Struct, frozen=True):
    """A NEXT that has been said and takes effect at `moment`."""

    moment: Moment
    early: tuple["RightCall", ...] = ()  # calls on this turn that were received after the moment, before it was settled
    called: tuple[tuple[Seat, Kind], ...] = ()


class RightCall(msgspec.Struct, frozen=True):
    """A correct call; the catcher is found when the tie period is over."""

    seat: Seat
    kind: Kind
    at: Moment


class Window(msgspec.Struct, frozen=True):
    """Somebody's turn that is over and can still be called. `closes` is set where the last card was played."""

    turn: int
    seat: Seat
    opened: Moment
    acts: tuple[Act, ...]
    nothing: bool  # they neither played nor drew, and could have drawn
    called: tuple[tuple[Seat, Kind], ...] = ()
    closes: Moment | None = None


class Gift(msgspec.Struct, frozen=True):
    """A catcher chooses a card for whom they caught."""

    catcher: Seat
    caught: Seat
    due: Moment
    kept: bool  # the NEXT that had been said stands


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
    begun. `calls` are correct calls that wait for the end of the tie period, and `gift` the catcher's choice: during
    both everything else stands still, since `frozen`.
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
    calls: tuple[RightCall, ...] = ()
    gift: Gift | None = None
    frozen: Moment | None = None
    last_next: Moment | None = None
    closed: tuple[int, Moment] | None = None  # the last turn whose window has closed, and when
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

    def cell(self, seat: Seat) -> list[Meld]:
        """Return the melds of a cell."""
        return [meld for meld in self.melds if meld.cell == seat]

    def meld(self, name: int) -> Meld | None:
        """Return the meld of this name."""
        return next((meld for meld in self.melds if meld.id == name), None)


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
    """The turn that can be called now. `closes` is set where somebody has played their last card."""

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
    if state.over or state.calls or state.said is not None or suspended(state):
        return ()
    return (state.turn,)


def suspended(state: State) -> bool:
    """D: while a last window is open, nobody else's turn begins."""
    return state.window is not None and state.window.closes is not None


def _phase(state: State) -> Literal["turn", "next", "last", "gift", "over"]:
    if state.over:
        return "over"
    if state.gift is not None:
        return "gift"
    if suspended(state):
        return "last"
    return "turn" if state.said is None else "next"


def _due(state: State) -> Moment | None:
    if state.over:
        return None
    if state.gift is not None:
        return state.gift.due
    if state.window is not None and state.window.closes is not None:
        return state.window.closes
    if state.said is not None:
        return state.said.moment
    # The turn's clock stands still in a tie period; but that somebody has called is told only after it.
    return Moment(state.began + 1_000 * state.options.clock) if state.options.clock else None


def _window(state: State, seat: Seat | None) -> WindowView | None:
    window = state.window
    if window is None or state.gift is not None:
        return None
    return WindowView(
        turn=window.turn,
        seat=window.seat,
        opened=window.opened,
        closes=window.closes,
        mine=tuple(kind for caller, kind in window.called if caller == seat),
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


def looks_bad(meld: Meld) -> bool:
    """Whether anybody can see that a meld is none: what counts is what lies there now."""
    return not meld.start and melds.fault(meld.cards) is not None
