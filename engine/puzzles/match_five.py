"""The best play: four tiles, and the one way to lay them for the most points.

Proved by laying them in every possible way. Four tiles, no Wild and an empty bag keep the proof short and the answer
visible.
"""

import re
from operator import itemgetter
from random import Random

import msgspec

from engine.contract import Action, Moment, Seat
from engine.games.match_five import (
    GAME,
    TILES,
    MatchFiveOptions,
    Material,
    Play,
    Playing,
    State,
    Stone,
    judge_play,
)
from engine.games.match_five.board import Board, Code, Key
from engine.games.match_five.search import Draft, Places, Step, laying_of, plays
from engine.puzzles import EASIEST, SOLVER, Answer, Proof, PuzzleKind

HAND = 4
FEWEST_STONES, MOST_STONES = 12, 24
MARGIN = 3
"""How many more points than any other the best play scores, at least."""

SHARES = (96, 90, 82, 72)
"""Choosing tile by tile reaches this percentage of the best play's points: the lower, the harder the puzzle."""

_STONE = re.compile(r"(?P<tile>[a-z]\d)(?P<x>-?\d+),(?P<y>-?\d+),(?P<level>\d)")


Placed = tuple[Key, Code]
"""A tile and its spot, in the board's numbers."""


class BestPlay(msgspec.Struct, frozen=True):
    """The board, each stone a tile with its x, y and level, and the solver's tiles."""

    stones: str
    hand: str


def stones(position: BestPlay) -> tuple[Stone, ...]:
    """Return the stones on the board."""
    found = (_STONE.fullmatch(word) for word in position.stones.split())
    return tuple(
        Stone(int(one["x"]), int(one["y"]), int(one["level"]), one["tile"]) for one in found if one is not None
    )


def state(position: BestPlay, material: Material) -> State:
    """Return a game near its end: the bag is empty, and the rival has as many tiles as the solver."""
    return State(
        material=material,
        options=MatchFiveOptions(clock=0),
        phase=Playing(SOLVER),
        began=Moment(0),
        starter=Seat(1),
        hands=(tuple(position.hand.split()), TILES[:HAND]),
        bag=(),
        drawn=((), ()),
        stones=stones(position),
        scores=(0, 0),
    )


def propose(rng: Random, material: Material) -> BestPlay | None:
    """Return a board after good alternating plays, and four tiles."""
    laid: list[Stone] = []
    wanted = rng.randrange(FEWEST_STONES, MOST_STONES + 1)
    while len(laid) < wanted:
        places = Places(Board(laid), material.bonus)
        found = [one for one in plays(places, rng.choices(TILES, k=5)) if len(one.layings) > 1][:8]
        if not found:
            return None
        laid += [Stone(one.x, one.y, one.level, one.tile) for one in rng.choice(found).layings]
    words = " ".join(f"{stone.tile}{stone.x},{stone.y},{stone.level}" for stone in laid)
    return BestPlay(words, " ".join(sorted(rng.sample(TILES, HAND))))


def prove(position: BestPlay, material: Material) -> Proof | None:
    """Return the proof that one play scores most; None if another comes close."""
    places = Places(Board(stones(position)), material.bonus)
    found = _all(places, position.hand.split())
    if len(found) < 2:
        return None
    ranked = sorted(found.items(), key=lambda one: -one[1][0])
    (_, (best, line)), (_, (second, _)) = ranked[:2]
    if best - second < MARGIN or len(line) < HAND:
        return None
    share = 100 * _greedy(places, position.hand.split()) // best
    if share == 100:
        return None
    play = Play(tuple(laying_of(key, code) for key, code in line))
    return Proof((play,), best, second, len(found), EASIEST + sum(share < step for step in SHARES))


def _all(places: Places, hand: list[str]) -> dict[frozenset[Placed], tuple[int, tuple[Placed, ...]]]:
    """Return every play: what is laid where, in any order, with its points and an order that the rules allow."""
    found: dict[frozenset[Placed], tuple[int, tuple[Placed, ...]]] = {}
    drafts: list[Draft] = [places.begin(hand)]
    most = len(places.openings) + 1
    while drafts:
        ways = ((draft, way) for draft in drafts for way in places.steps(draft, most))
        made = (Step(points, draft, key, code) for draft, (points, key, code) in ways)
        steps = {frozenset(step.laid): step for step in made}
        found |= {laid: (step.points, step.laid) for laid, step in steps.items()}
        drafts = [places.lay(step) for step in steps.values() if step.left]
    return found


def _greedy(places: Places, hand: list[str]) -> int:
    """Return what choosing the most points tile by tile reaches."""
    draft = places.begin(hand)
    while draft.left:
        steps = list(places.steps(draft, 1))
        if not steps:
            break
        points, key, code = max(steps, key=itemgetter(0))
        draft = places.lay(Step(points, draft, key, code))
    return draft.points


def judge(position: BestPlay, proof: Proof, material: Material, played: tuple[Action, ...]) -> Answer:
    """Evaluate a play. Facts: its `points`, and the `best` possible ones."""
    (play,) = played
    assert isinstance(play, Play)
    verdict = judge_play(stones(position), position.hand.split(), play.layings, material.bonus, one_line=False)
    return Answer(
        "right" if verdict.points >= proof.best else "wrong", facts={"points": verdict.points, "best": proof.best}
    )


KIND: PuzzleKind[BestPlay] = PuzzleKind(
    key="best-play",
    game=GAME,
    position=BestPlay,
    propose=propose,
    prove=prove,
    state=state,
    judge=judge,
    answers=(Play,),
)
