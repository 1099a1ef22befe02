"""Match Five's table: state and view. May import `engine` and msgspec only."""

from typing import Literal

import msgspec

from engine.contract import Moment, Seat, View
from engine.games.match_five.pieces import Line, MatchFiveOptions, Material, Reason, Spot, Stone, Tile


class Turn(msgspec.Struct, frozen=True):
    """An entry of the score sheet: what a seat did. A swap tells how many tiles, not which."""

    seat: Seat
    kind: Literal["play", "swap", "pass"]
    points: int = 0
    stones: tuple[Stone, ...] = ()
    lines: tuple[Line, ...] = ()
    swapped: int = 0
    drawn: int = 0
    lapsed: bool = False


class Playing(msgspec.Struct, frozen=True, tag="play"):
    """This seat is to play, swap or pass."""

    seat: Seat


class Over(msgspec.Struct, frozen=True, tag="over"):
    """Nothing is left to do."""

    reason: Reason


class State(msgspec.Struct, frozen=True):
    """A game between two events. The bag is what is neither in a hand nor on the board; it has no order."""

    material: Material
    options: MatchFiveOptions
    phase: Playing | Over
    began: Moment  # when the turn began, for its clock
    starter: Seat
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]  # sorted
    drawn: tuple[tuple[Tile, ...], ...]  # what each seat drew last
    stones: tuple[Stone, ...] = ()
    scores: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()
    last: Seat | None = None  # who laid their last tile
    passes: int = 0  # in a row
    idle: int = 0  # turns without a play, in a row
    lapsed: bool = False  # the clock has run out for the present turn


class MatchFiveView(View, frozen=True):
    """The board, the score sheet, and the reader's own hand.

    `hands` are the tiles of every seat: the reader's own, and all once the game is over; else None. Tuples of seats
    have one entry a seat.
    """

    phase: Literal["play", "over"]
    turn: Seat | None
    starter: Seat
    placement: Literal["free", "one_line"]
    bonus: int  # for a series that reaches five
    wild_left: int  # what a Wild left in hand costs
    hand_size: int
    stones: tuple[Stone, ...]  # in the order in which they were laid
    locked: tuple[Spot, ...]  # beside which nothing may be laid at their level
    bag: int  # tiles left in it
    counts: tuple[int, ...]  # tiles in hand
    scores: tuple[int, ...]  # running totals; at the end what was left in hand is subtracted
    left: tuple[int, ...]  # at the end: what was subtracted
    turns: tuple[Turn, ...]
    last: Seat | None  # who laid their last tile: the last round
    reason: Reason | None
    hands: tuple[tuple[Tile, ...] | None, ...]
    drawn: tuple[Tile, ...]  # what the reader drew last
