"""Boards and states of Match Five for its tests, in a short notation."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Moment, Refusal, Seat
from engine.games.match_five import (
    GAME,
    TILES,
    WILD,
    Laying,
    MatchFiveAction,
    MatchFiveEvent,
    MatchFiveOptions,
    Material,
    Play,
    Played,
    Playing,
    State,
    Stone,
)
from tools.harness.playouts import folded, material

A, B, C = Seat(0), Seat(1), Seat(2)
MATERIAL: Material = msgspec.convert(material(GAME), Material)
BEGAN = Moment(1_000_000)
NOW = Moment(1_007_000)
ALL = Counter([*TILES * 5, *[WILD] * 5])


def chance(seed: int = 0) -> Chance:
    return Chance(seed.to_bytes(SEED_BYTES, "big"), "t", 0)


def stones(words: str) -> tuple[Stone, ...]:
    """Return stones from "r3@0,0,1 w:b2@1,0,1"."""
    found = []
    for word in words.split():
        tile, place = word.split("@")
        x, y, level = map(int, place.split(","))
        found.append(Stone(x, y, level, tile.removeprefix("w:"), tile.startswith("w:")))
    return tuple(found)


def laying(words: str) -> Play:
    """Return a play, written like `stones`."""
    return Play(
        tuple(
            Laying(WILD if one.wild else one.tile, *one.spot, one.tile if one.wild else None) for one in stones(words)
        )
    )


def state(
    board: str = "", hands: Sequence[str] = ("r1 r2 r3 r4 r5", "b1 b2 b3 b4 b5"), bag: str | None = None, **more: Any
) -> State:
    """Return a state with A to play. By default the bag has all remaining tiles."""
    laid = stones(board)
    held = tuple(tuple(hand.split()) for hand in hands)
    gone = Counter([WILD if one.wild else one.tile for one in laid] + [tile for hand in held for tile in hand])
    left = tuple(sorted((ALL - gone).elements())) if bag is None else tuple(sorted(bag.split()))
    return State(
        material=MATERIAL,
        options=MatchFiveOptions(clock=more.pop("clock", 180), placement=more.pop("placement", "free")),
        phase=Playing(more.pop("turn", A)),
        began=BEGAN,
        starter=A,
        hands=held,
        bag=left,
        drawn=held,
        stones=laid,
        scores=more.pop("scores", (0,) * len(held)),
        **more,
    )


def decide(
    at: State, seat: Seat | None, action: MatchFiveAction | ClockAction, when: Moment = NOW
) -> list[MatchFiveEvent]:
    return GAME.decide(at, seat, action, when, chance())


def after(at: State, seat: Seat | None, action: MatchFiveAction | ClockAction) -> State:
    return folded(GAME, decide(at, seat, action), at)


def points(at: State, words: str) -> int:
    event = decide(at, A, laying(words))[0]
    assert isinstance(event, Played)
    return event.points


def refused(
    at: State, seat: Seat | None, action: MatchFiveAction | ClockAction, when: Moment = NOW
) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refusal) as refusal:
        decide(at, seat, action, when)
    return refusal.value.code, dict(refusal.value.facts)


def fault(board: str, words: str, **more: Any) -> str:
    tiles = " ".join(WILD if one.wild else one.tile for one in stones(words))
    return refused(state(board, (tiles, "b1")), A, laying(words), **more)[0]
