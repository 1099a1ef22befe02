"""What Match Five shows: a seat's legal actions, its view, and the outcome.

Marks in comments (R4, D1) refer to docs/rules/match_five.md.
"""

from collections.abc import Iterator
from typing import Literal

from engine.contract import Outcome, Seat, View
from engine.games.match_five.rules import moves
from engine.games.match_five.shelf import board_of
from engine.games.match_five.state import Over, Playing, State, Turn
from engine.games.match_five.types import WILD, MatchFiveAction, Reason, Spot, Stone, Tile, value
from engine.turns import places


class MatchFiveView(View, frozen=True):
    """The board, the score sheet, and the reader's own hand.

    `hands` are the tiles of the reader, and of every seat once the game is over; else None. Tuples of seats have one
    entry per seat.
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
    last: Seat | None  # the seat that laid its last tile: the last round
    reason: Reason | None
    hands: tuple[tuple[Tile, ...] | None, ...]
    drawn: tuple[Tile, ...]  # what the reader drew last


def legal(state: State, seat: Seat) -> Iterator[MatchFiveAction]:
    """Yield what this seat may do, plays by points, descending. More plays are accepted than are found."""
    if not isinstance(state.phase, Playing) or state.phase.seat != seat:
        return
    one_line = state.options.placement == "one_line"
    yield from moves(state.stones, state.hands[seat], len(state.bag), state.material.bonus, one_line=one_line)


def legal_from_view(view: MatchFiveView) -> Iterator[MatchFiveAction]:
    """Yield what `legal` yields for the seat whose view this is."""
    if view.seat is None or view.turn != view.seat:
        return
    hand = view.hands[view.seat] or ()
    yield from moves(view.stones, hand, view.bag, view.bonus, one_line=view.placement == "one_line")


def view(state: State, seat: Seat | None) -> MatchFiveView:
    """Return the board and the score sheet, which are public, and this seat's hand. At the end all hands are shown."""
    phase = state.phase
    over = isinstance(phase, Over)
    left = _left(state) if over else (0,) * len(state.hands)
    return MatchFiveView(
        seat=seat,
        to_act=() if isinstance(phase, Over) else (phase.seat,),
        ui_version=len(state.turns) + over,
        phase="over" if over else "play",
        turn=None if isinstance(phase, Over) else phase.seat,
        starter=state.starter,
        placement=state.options.placement,
        bonus=state.material.bonus,
        wild_left=state.material.wild_left,
        hand_size=state.material.hand,
        stones=state.stones,
        locked=board_of(state.stones).locked,
        bag=len(state.bag),
        counts=tuple(len(hand) for hand in state.hands),
        scores=tuple([score - lost for score, lost in zip(state.scores, left, strict=True)]) if over else state.scores,
        left=left,
        turns=state.turns,
        last=state.last,
        reason=phase.reason if isinstance(phase, Over) else None,
        hands=tuple(hand if over or owner == seat else None for owner, hand in enumerate(state.hands)),
        drawn=() if seat is None else state.drawn[seat],
    )


def _left(state: State) -> tuple[int, ...]:
    """R20: tiles left in hand are subtracted; a Wild costs 25."""
    return tuple(
        sum(state.material.wild_left if tile == WILD else value(tile) for tile in hand) for hand in state.hands
    )


def public_totals(view: MatchFiveView) -> tuple[int, ...] | None:
    """Return the points of the rounds in which everybody has had a turn, by seat; None before the first is over."""
    turns = [[turn.points for turn in view.turns if turn.seat == seat] for seat in range(len(view.scores))]
    whole = min(map(len, turns))
    return tuple(sum(points[:whole]) for points in turns) if whole else None


def outcome(state: State) -> Outcome | None:
    """R21: the highest score wins, D18: ties share. Reasons: `last-tile`, `passes` and `idle`."""
    if not isinstance(state.phase, Over):
        return None
    scores = tuple(score - lost for score, lost in zip(state.scores, _left(state), strict=True))
    return Outcome(places([-score for score in scores]), scores, state.phase.reason)
