"""Prison Break's public log: what everybody has seen and heard. It contains no secret of any seat."""

import msgspec

from engine.contract import Seat
from engine.games.prison_break.types import Kind, Position, Reason, Votes


class Entry(msgspec.Struct, frozen=True, tag_field="entry", gc=False):
    """A public fact. Entries contain no secret of any seat."""


class RoundStarts(Entry, frozen=True, tag="round"):
    """A round begins. With a Sneak phase, all declare in turn from the Warden, except `sits_out`."""

    round: int
    warden: Seat
    sneaks: bool
    sits_out: tuple[Seat, ...]


class Declares(Entry, frozen=True, tag="declares"):
    """A seat declares that it moves this many spaces."""

    seat: Seat
    spaces: int


class LightsThrown(Entry, frozen=True, tag="lights"):
    """The throw of the lights check, and all positions by seat if it lit the yard."""

    roll: int
    positions: tuple[Position, ...] | None


class OfferMade(Entry, frozen=True, tag="offer"):
    """The Warden puts an offer to two players."""

    warden: Seat
    kind: Kind
    first: Seat
    second: Seat


class NoOffer(Entry, frozen=True, tag="no-offer"):
    """The Warden makes no offer."""

    warden: Seat


class Effects(msgspec.Struct, frozen=True, gc=False):
    """What an offer did as printed: `steps` and `tokens` have one entry per seat."""

    steps: tuple[int, ...]
    tokens: tuple[int, ...]
    shown: tuple[Seat, ...]
    held: tuple[Seat, ...]
    no_sneak: bool
    no_guards: bool


class VotesShown(Entry, frozen=True, tag="votes"):
    """Both votes, and what the offer did.

    `effects.steps` are the printed ones: how far a pawn really went depends on where it was, which is secret. `blocked`
    may not move this round, so their steps forward were void. `positions` has one entry per seat, None for those not
    shown.
    """

    kind: Kind
    first: Seat
    second: Seat
    accepts: Votes
    effects: Effects
    blocked: tuple[Seat, ...]
    positions: tuple[Position | None, ...]


class RowTurned(Entry, frozen=True, tag="row"):
    """New offers lie face up."""

    row: tuple[Kind, ...]


class GuardsGo(Entry, frozen=True, tag="guards"):
    """A seat checked a space; `caught` are now in JAIL."""

    seat: Seat
    space: int
    caught: tuple[Seat, ...]


class Passes(Entry, frozen=True, tag="passes"):
    """A seat makes no check."""

    seat: Seat


class TimeRanOut(Entry, frozen=True, tag="time"):
    """A seat's clock ran out: its next move is the safe default."""

    seat: Seat


class GameOver(Entry, frozen=True, tag="over"):
    """The end of the game."""

    reason: Reason
    winners: tuple[Seat, ...]


LogEntry = (
    RoundStarts
    | Declares
    | LightsThrown
    | OfferMade
    | NoOffer
    | VotesShown
    | RowTurned
    | GuardsGo
    | Passes
    | TimeRanOut
    | GameOver
)
