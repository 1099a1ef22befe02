"""Break-Out's events: what happened, as it is stored.

Marks in comments refer to docs/rules/break_out.md.
"""

import msgspec

from engine.contract import ClockEvent, Event, Moment, Seat
from engine.games.break_out.types import BreakOutOptions, Face, Fault, Ids, Kind, Material, Meld, Play
from engine.turns import InterludeEvent


class GameBegun(Event, frozen=True, tag="begun"):
    """A game began. `lots` are the cards that decided who begins, draw after draw; None for a seat that did not draw
    again.

    An interlude lasts `interlude_ms`; 0 is none, as in games older than interludes. `rules` is the version of the rules
    that the game is played under; those before 4 did not record it.
    """

    material: Material
    options: BreakOutOptions
    lots: tuple[tuple[Face | None, ...], ...]
    starter: Seat
    at: Moment
    interlude_ms: int = 0
    rules: int = 3


class RoundBegun(Event, frozen=True, tag="round"):
    """The cards are dealt. `pile` is in the order of drawing; its first card is the draw card."""

    number: int
    starter: Seat
    hands: tuple[tuple[Face, ...], ...]
    pile: tuple[Face, ...]
    at: Moment


class Drew(Event, frozen=True, tag="drew"):
    """A seat took the draw card."""

    seat: Seat


class Played(Event, frozen=True, tag="played"):
    """A seat played cards; `fault` is the first fault that the rules find in the play, if any."""

    seat: Seat
    play: Play
    fault: Fault | None = None


class NextSaid(Event, frozen=True, tag="next"):
    """A seat said NEXT, which takes effect at this moment."""

    seat: Seat
    moment: Moment
    at: Moment


class WindowShut(Event, frozen=True, tag="shut"):
    """A NEXT's moment, or that at which a last window closes, has come.

    What is received from now on is too late for the window before; what was received earlier still counts.
    """


class NextTaken(Event, frozen=True, tag="taken"):
    """The NEXT took effect."""

    seat: Seat


class Called(Event, frozen=True, tag="called"):
    """A seat called, rightly or not; a wrong call may have cost a card. `named` says whether it named the turn."""

    seat: Seat
    kind: Kind
    turn: int
    right: bool
    at: Moment
    fined: bool = False
    named: bool = True


class CallKept(Event, frozen=True, tag="kept"):
    """A seat called without naming a turn, and nothing is known that the call could be about.

    It counts if a NEXT turns out to have been received before it, that is only handled later.
    """

    seat: Seat
    kind: Kind
    at: Moment


class Voided(Event, frozen=True, tag="void"):
    """A call on this turn was received after a NEXT that is handled only now: it does not count, and costs nothing.

    `by_ms` is by how much it was too late; older events do not say.
    """

    seat: Seat
    kind: Kind
    turn: int
    by_ms: int | None = None


class Undone(msgspec.Struct, frozen=True):
    """The table after a bad meld was undone: all hands, the melds that changed, and the ids of those gone.

    `renamed` are slots in which another player has since exchanged a Wild for a card: the slot, and the id that this
    card has now; -1 if it is in a hand.
    """

    hands: tuple[tuple[Face, ...], ...]
    melds: tuple[Meld, ...]
    gone: Ids
    out: tuple[bool, ...]
    aside: tuple[Face, ...]
    renamed: tuple[tuple[int, int], ...] = ()


class Caught(Event, frozen=True, tag="caught"):
    """A seat was caught. `margin` is by how many milliseconds the call beat the pending NEXT, if there was one.

    With MELD, `undone` is the resulting table; events of the first rules lack it (`first_undo`).
    """

    catcher: Seat
    caught: Seat
    kind: Kind
    at: Moment
    margin: int | None = None
    undone: Undone | None = None


class Given(Event, frozen=True, tag="given"):
    """The catcher gave a card. `lapsed` says whether the clock chose it."""

    giver: Seat
    receiver: Seat
    face: Face
    at: Moment
    lapsed: bool = False


class WindowClosed(Event, frozen=True, tag="closed"):
    """A last window closed without a catch: `seat` had played its last card, or ended a circuit without plays."""

    seat: Seat


class Pointed(Event, frozen=True, tag="pointed"):
    """A seat pointed at a meld, rightly or not."""

    seat: Seat
    meld: int
    right: bool


class RoundEnded(Event, frozen=True, tag="round-over"):
    """`points` are what each seat scores. `winner` went out."""

    winner: Seat | None
    points: tuple[int, ...]


class GameEnded(Event, frozen=True, tag="ended"):
    """All rounds are played."""


BreakOutEvent = (
    RoundBegun
    | Drew
    | Played
    | NextSaid
    | WindowShut
    | NextTaken
    | Called
    | CallKept
    | Voided
    | Caught
    | Given
    | WindowClosed
    | Pointed
    | RoundEnded
    | GameEnded
    | InterludeEvent
    | ClockEvent
)
