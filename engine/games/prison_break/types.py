"""Prison Break's types: material, options, actions and events.

Positions are numbers: 0 is JAIL, 1 to `Material.spaces` are the numbered spaces, one more is EXIT.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from engine.contract import Action, ClockEvent, Event, Moment, Options, Seat
from engine.free_text import FreeText
from engine.turns import InterludeEvent, Interludes, Ready

JAIL = 0
NOTE_LENGTH = 500
MERGED_NOTE_LENGTH = 1_500
"""The length of a private notepad, in characters."""

Position = int
Kind = Literal["advance", "lights", "patrols", "lockdown", "bribe"]
Reason = Literal["exit", "rounds"]
"""Why a game ended: a pawn was on EXIT, or the last round was played."""
KINDS: tuple[Kind, ...] = ("advance", "lights", "patrols", "lockdown", "bribe")
Votes = tuple[bool, bool]
"""Whether the first and the second of the two voters accept."""


# ------------------------------------------------------------------------------------------------- material and options


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an offer does to one voter, as printed."""

    steps: Annotated[int, msgspec.Meta(ge=-20, le=20)] = 0
    tokens: Annotated[int, msgspec.Meta(ge=-5, le=5)] = 0
    shown: bool = False  # their position, to all
    held: bool = False  # they may not move next round


class JointEffect(Effect, frozen=True):
    """What an offer does to both voters, and to the table, when they agree."""

    others: Annotated[int, msgspec.Meta(ge=-20, le=20)] = 0  # steps of everyone who did not vote
    all_shown: bool = False
    no_sneak: bool = False  # next round has no Sneak phase
    no_guards: bool = False  # this round's Guard Check phase is skipped


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of offer: what follows if both accept, from either side of a split, and if both reject."""

    kind: Kind
    both_accept: JointEffect
    accept: Effect
    reject: Effect
    both_reject: JointEffect


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The track, the tokens and the offers. `sample` replaces offers of the same kind if the option says so."""

    spaces: Annotated[int, msgspec.Meta(ge=3, le=20)]
    tokens: Annotated[int, msgspec.Meta(ge=0, le=9)]  # per player, at the start
    longest_sneak: Annotated[int, msgspec.Meta(ge=1, le=4)]
    lights: tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...]  # faces of the die
    copies: Annotated[int, msgspec.Meta(ge=1, le=9)]  # of each offer in the deck
    offers: tuple[Terms, ...]
    sample: tuple[Terms, ...]

    def __post_init__(self) -> None:
        if tuple(terms.kind for terms in self.offers) != KINDS:
            raise ValueError(f"there is one offer of each kind, in this order: {', '.join(KINDS)}")
        if len({terms.kind for terms in self.sample}) != len(self.sample):
            raise ValueError("a sample offer comes once")


class PrisonBreakOptions(Options, frozen=True):
    """Which offers are in the deck, when a game without an escape ends, and whether it pauses after the lights."""

    offers: Annotated[
        Literal["rules", "sample"],
        msgspec.Meta(
            title="Offers",
            description="rules: the offers as listed in the rules. "
            "sample: the printed cards: a split Advance moves both 2, a split Lock Down the rejecter 2.",
            extra={"asks": "Which offers the Warden can make"},
        ),
    ] = "rules"
    round_limit: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=60,
            title="Round limit",
            description="After this many rounds without an escape, the furthest pawn wins. 0: the game is unrated.",
            examples=[10, 15, 20, 30, 45, 60, 0],
            extra={
                "words": {0: "none"},
                "asks": "After how many rounds without an escape the furthest pawn wins (0: no limit)",
            },
        ),
    ] = 30  # 0: none
    interludes: Interludes = "on"


# ------------------------------------------------------------------------------------------------------ actions, events


class Sneak(Action, frozen=True, tag="sneak"):
    """Declare a number of spaces in public and move a number of spaces in secret."""

    declare: int
    move: int


class Offer(Action, frozen=True, tag="offer"):
    """The Warden puts a face-up offer (its index in the row, from 0) to two different players."""

    card: int
    first: int
    second: int


class Decline(Action, frozen=True, tag="decline"):
    """The Warden makes no offer this round."""


class Vote(Action, frozen=True, tag="vote"):
    """Accept or reject the offer, in secret until both votes are in. Final."""

    accept: bool


class Guard(Action, frozen=True, tag="guard"):
    """Spend a token and send every pawn on this numbered space to JAIL."""

    space: int


class Pass(Action, frozen=True, tag="pass"):
    """Make no guard check this round."""


class Note(Action, frozen=True, tag="note"):
    """Replace the text of the player's own notepad. Possible at any time, and not a move.

    `over` is the digest of the text that it was written over, if that is known. If the notepad says something else by
    now, both are kept.
    """

    counts_as_move: ClassVar[bool] = False

    text: FreeText
    over: str | None = None


class Mark(Action, frozen=True, tag="mark"):
    """Set the player's own private markers for one opponent (see `markers`). Possible at any time, and not a move."""

    counts_as_move: ClassVar[bool] = False

    markers: FreeText


PrisonBreakAction = Sneak | Offer | Decline | Vote | Guard | Pass | Note | Mark | Ready


class GameBegun(Event, frozen=True, tag="begun"):
    """All are on JAIL, the first Warden is drawn and the first offers lie face up.

    `throws` are the rounds of dice for the first Warden by seat; None if a seat did not throw again. An interlude lasts
    `interlude_ms`; 0 is none, as in games older than interludes.
    """

    material: Material
    options: PrisonBreakOptions
    throws: tuple[tuple[int | None, ...], ...]
    warden: Seat
    row: tuple[Kind, ...]
    at: Moment
    interlude_ms: int = 0


class Sneaked(Event, frozen=True, tag="sneaked"):
    """A seat declared in public and moved in secret. `moved` is what was asked for; the track's end may limit it."""

    seat: Seat
    declared: int
    moved: int
    at: Moment


class LightsChecked(Event, frozen=True, tag="lights"):
    """The die was thrown; if it lit the yard, all positions were shown."""

    roll: int
    on: bool
    at: Moment


class Offered(Event, frozen=True, tag="offered"):
    """The Warden put this card of the row to these two."""

    card: int
    kind: Kind
    first: Seat
    second: Seat
    at: Moment


class Declined(Event, frozen=True, tag="declined"):
    """The Warden made no offer."""

    seat: Seat
    at: Moment


class Voted(Event, frozen=True, tag="voted"):
    """A seat cast its vote, face down."""

    seat: Seat
    accept: bool


class OfferSettled(Event, frozen=True, tag="settled"):
    """Both votes were shown, the offer took effect and its card was turned down."""

    accepts: Votes
    at: Moment


class RowDealt(Event, frozen=True, tag="dealt"):
    """All offers were down: they went back, the deck was shuffled and these lie face up now."""

    row: tuple[Kind, ...]


class GuardsSent(Event, frozen=True, tag="guards"):
    """A seat spent a token on this space; `caught` were there and are now in JAIL."""

    seat: Seat
    space: int
    caught: tuple[Seat, ...]
    at: Moment


class Passed(Event, frozen=True, tag="passed"):
    """A seat made no guard check."""

    seat: Seat
    at: Moment


class RoundBegun(Event, frozen=True, tag="round"):
    """A new round began under this Warden."""

    round: int
    warden: Seat
    at: Moment


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over: a pawn was on EXIT when the round ended, or the last round was played."""

    reason: Reason
    winners: tuple[Seat, ...]


class Noted(Event, frozen=True, tag="noted"):
    """A seat rewrote its notepad."""

    seat: Seat
    text: FreeText


class Marked(Event, frozen=True, tag="marked"):
    """A seat set its private markers for one opponent."""

    seat: Seat
    markers: FreeText


PrisonBreakEvent = (
    Sneaked
    | LightsChecked
    | Offered
    | Declined
    | Voted
    | OfferSettled
    | RowDealt
    | GuardsSent
    | Passed
    | RoundBegun
    | GameEnded
    | Noted
    | Marked
    | InterludeEvent
    | ClockEvent
)
