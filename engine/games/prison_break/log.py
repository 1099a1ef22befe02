"""Prison Break's public log: what everybody has seen and heard. Nothing that a seat keeps to itself stands in it.

May import `engine`, msgspec and `pieces`.
"""

import msgspec

from engine.contract import Seat
from engine.games.prison_break.pieces import Kind, Position, Reason, Votes


class Entry(msgspec.Struct, frozen=True, tag_field="entry", gc=False):
    """A public fact. What a seat keeps to itself has no place in any entry."""


class RoundStarts(Entry, frozen=True, tag="round"):
    """A round begins. Without a Sneak phase nobody declares; otherwise all do, from the Warden, but `sits_out`."""

    round: int
    warden: Seat
    sneaks: bool
    sits_out: tuple[Seat, ...]


class Declares(Entry, frozen=True, tag="declares"):
    """A seat says that it moves so many spaces."""

    seat: Seat
    spaces: int


class LightsThrown(Entry, frozen=True, tag="lights"):
    """The throw of the lights check, and all positions a seat if it lit the yard."""

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
    """What an offer did as it is printed: `steps` and `tokens` have one entry a seat."""

    steps: tuple[int, ...]
    tokens: tuple[int, ...]
    shown: tuple[Seat, ...]
    held: tuple[Seat, ...]
    no_sneak: bool
    no_guards: bool


class VotesShown(Entry, frozen=True, tag="votes"):
    """Both votes, and what the offer did to whom.

    `effects.steps` are the printed ones: how far a pawn really went depends on where it stood, which is secret.
    `blocked` may not move this round, so that their steps forward were void. `positions` has one entry a seat, None for
    those not shown.
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
    """A seat checked a space; `caught` are in JAIL now."""

    seat: Seat
    space: int
    caught: tuple[Seat, ...]


class Passes(Entry, frozen=True, tag="passes"):
    """A seat makes no check."""

    seat: Seat


class TimeRanOut(Entry, frozen=True, tag="time"):
    """A seat's clock ran out: the next move of that seat is the safe default."""

    seat: Seat


class GameOver(Entry, frozen=True, tag="over"):
    """The end."""

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
