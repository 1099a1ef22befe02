"""Why a push or a choice of exits is good: what the master's search and evaluation say about it, as facts."""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action
from engine.games.rope_wall import ChooseExits, Push, RopeWallView
from engine.players import Budget, Reason
from engine.players.rope_wall.board import Finish, Knots, Place, Position, Round, place_of
from engine.players.rope_wall.evaluation import fewest
from engine.players.rope_wall.search import TWICE, WON, Search


def explain(
    view: RopeWallView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for a push or a choice of exits, the main reason first."""
    match action:
        case ChooseExits(columns=columns):
            edge = any(column in (1, view.columns) for column in columns)
            return (Reason("leaves", {"columns": columns, "edge": int(edge)}),)
        case Push() if view.phase == "push":
            pushes = [one for one in legal if isinstance(one, Push)]
            return tuple(_push(view, action, pushes, budget, rng))
        case _:
            return ()


def _push(view: RopeWallView, push: Push, pushes: Sequence[Push], budget: Budget, rng: Random) -> Iterator[Reason]:
    game = Round(view)
    position = game.position(view)
    seat, place = position[1], place_of(push)
    after = game.play(position, place)
    if isinstance(after, Finish):
        if after.winner == seat:
            left = max(0, game.goal - game.freed[seat] - after.freed)
            yield Reason("finishes", {"freed": after.freed, "left": left})
        return
    places = [place_of(one) for one in pushes]
    own_pushes = _forced(game, position, place, places, budget, rng)
    if own_pushes:
        yield Reason("forces", {"pushes": own_pushes})
    bad = sum(_gives_away(game, position, other) for other in places)
    if bad and not _gives_away(game, position, place):
        yield Reason("guards", {"bad": bad, "of": len(places)})
    if not own_pushes:
        yield _ways(game, position[0], after[0], seat)


def _forced(game: Round, position: Position, place: Place, places: Sequence[Place], budget: Budget, rng: Random) -> int:
    """Return in how many pushes, counting this one, the seat completes a link against every answer; 0 if the search
    found no such way.
    """
    search = Search(game, budget)
    if search.best(position, places, rng) != place or search.value < WON:
        return 0
    left = (search.value - WON) % TWICE
    return (position[4] - left + 1) // 2 + 1


def _gives_away(game: Round, position: Position, place: Place) -> bool:
    """Return whether after this push the other side has a link, or completes one with a single push."""
    after, other = game.play(position, place), 1 - position[1]
    if isinstance(after, Finish):
        return after.winner == other
    return after[1] == other and any(
        game.ends(game.shoved(after[0], other, one)[0], other) for one in game.places(after)
    )


def _ways(game: Round, before: Knots, after: Knots, seat: int) -> Reason:
    """Return how many pushes each side's shortest link takes, left alone, before and after; −1 if there is none."""
    found = {
        name: fewest(game.shape, game.open, wall, owner)
        for name, wall, owner in (
            ("mine", after, seat),
            ("was", before, seat),
            ("theirs", after, 1 - seat),
            ("theirs-was", before, 1 - seat),
        )
    }
    return Reason("ways", {name: -1 if pushes is None else pushes for name, pushes in found.items()})
