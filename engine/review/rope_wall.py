"""How decisions at the Rope Wall are evaluated: by a search, which is certain if it sees a round's end.

Nothing is hidden in this game, so everybody could know what the search finds. Between equal players a round is nearly
even until one can force a link, as measured in docs/review.md.
"""

from functools import cache, lru_cache
from math import exp
from random import Random

import msgspec

from engine.contract import Action, Fact, Seat
from engine.games.rope_wall import GAME, Push, RopeWallView
from engine.players import Steps
from engine.players.rope_wall.board import Place, Position, Round, place_of, push_into
from engine.players.rope_wall.evaluation import TEMPO
from engine.players.rope_wall.search import TWICE, WON, Search
from engine.review import Evaluation, Reviewer, displayed_loss, grade

LOOK, CLOSER, AT_A_GLANCE = 1_200, 5_000, 400
"""How many positions are searched: for each push; again, to be sure, if it seems to have been a slip; and for one
random push, which represents a random choice (there are enough pushes in a game).
"""

SLOPE = 900
"""This many points of the search make an undecided round e times more likely won than lost."""

STARTS = 0.54
"""How often the player who begins a round wins it."""


def chance(view: RopeWallView, rng: Random) -> float:
    """Return how likely the reader of this view wins the game."""
    assert view.seat is not None
    if view.turn is None or view.phase != "push":
        return _between(view, view.seat)
    mine = _to_push(msgspec.structs.replace(view, seat=None))
    return mine if view.turn == view.seat else 1 - mine


def weigh(view: RopeWallView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of a push. The choice of exits decides hardly anything and is not evaluated."""
    if not isinstance(action, Push) or view.phase != "push":
        return None
    game = Round(view)
    position = game.position(view)
    places, played = game.places(position), place_of(action)
    if len(places) < 2 or played not in places:
        return None
    found = _weighed(view, game, position, played, LOOK)
    if grade(displayed_loss(found.played, found.best)) is not None:
        found = _weighed(view, game, position, played, CLOSER)
    drawn = _weighed(view, game, position, rng.choice(places), AT_A_GLANCE)
    return msgspec.structs.replace(found, lot=max(0.0, found.best - max(0.0, drawn.best - drawn.played)))


def _weighed(view: RopeWallView, game: Round, position: Position, played: Place, looks: int) -> Evaluation:
    best, top, own = Search(game, Steps(looks)).compared(position, game.places(position), played)
    why, facts = _because(position, top, own)
    return Evaluation(_chance(view, own), _chance(view, top), push_into(best), why, facts)


def _because(position: Position, top: int, own: int) -> tuple[str, dict[str, Fact]]:
    """Return why the best push is better than the one that was made, if the search is certain.

    `links`: it links with this seat's push number `pushes`, counting from this one, unless the rival has to link for it
    before. `allows`: after the one that was made, the rival links with its own push number `pushes`, or (0) has linked
    by it.
    """
    left = position[4]
    if top > WON > own:
        return "links", {"pushes": (left - (top - WON) % TWICE + 1) // 2 + 1}
    if own < -WON < top:
        return "allows", {"pushes": (left - (-own - WON) % TWICE + 1) // 2}
    return "", {}


def _chance(view: RopeWallView, value: int) -> float:
    """Return how likely the player to push wins the game if the search finds this value."""
    assert view.turn is not None
    me = view.turn
    if abs(value) == WON:  # the round is cancelled, which ends the game
        return float(value > 0)
    wins = 1 / (1 + exp((TEMPO - value) / SLOPE)) if abs(value) < WON else float(value > 0)
    freed = 2 if abs(value) > WON + TWICE // 2 else 1
    return wins * _after(view, me, freed) + (1 - wins) * (1 - _after(view, Seat(1 - me), freed))


def _after(view: RopeWallView, winner: Seat, freed: int) -> float:
    """Return how likely the winner of this round, who frees `freed` prisoners, wins the game; the loser begins the
    next.
    """
    return _race(view.goal, view.freed[winner] + freed, view.freed[1 - winner], False)


def _between(view: RopeWallView, seat: Seat) -> float:
    """Return how likely a seat wins when nobody has to push: an exit is being chosen, or a round has just ended."""
    if view.phase == "choose" and view.turn is not None:
        wins = _after(view, view.turn, len(view.choices[0]))
        return wins if view.turn == seat else 1 - wins
    mine, theirs = view.freed[seat], view.freed[1 - seat]
    return (_race(view.goal, mine, theirs, True) + _race(view.goal, mine, theirs, False)) / 2


@cache
def _race(goal: int, mine: int, theirs: int, begins: bool) -> float:
    """Return how likely a side wins the game, by freed prisoners, and whether it begins the next round."""
    if mine >= goal or theirs >= goal:
        return float(mine >= goal)
    wins = STARTS if begins else 1 - STARTS
    return wins * _race(goal, mine + 1, theirs, False) + (1 - wins) * _race(goal, mine, theirs + 1, True)


@lru_cache(maxsize=8)
def _to_push(view: RopeWallView) -> float:
    """Return how likely the player to push wins; cached, since it is asked for both seats in turn."""
    game = Round(view)
    position = game.position(view)
    places = game.places(position)
    _, top, _ = Search(game, Steps(LOOK)).compared(position, places, places[0])
    return _chance(view, top)


REVIEWER = Reviewer(RopeWallView, GAME.actions, chance, weigh)
