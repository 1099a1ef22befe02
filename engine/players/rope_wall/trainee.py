"""How the trainee of the Rope Wall pushes: at random, with a little sense."""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.rope_wall import Push, RopeWallView
from engine.players.rope_wall.board import Finish, Round, place_of

SEES_A_LINK = 0.75
SEES_A_GIFT = 0.85
SEES_A_THREAT = 0.35


def choose(view: RopeWallView, legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions: often a link, rarely one that gives the other a link now or next."""
    pushes = [action for action in legal if isinstance(action, Push)]
    if not pushes:
        return rng.choice(legal)
    game = Round(view)
    position = game.position(view)
    after = {push: game.play(position, place_of(push)) for push in pushes}
    winners = {push: follows.winner for push, follows in after.items() if isinstance(follows, Finish)}
    links = [push for push, winner in winners.items() if winner == view.turn]
    if links and rng.random() < SEES_A_LINK:
        return rng.choice(links)
    careful = pushes
    if rng.random() < SEES_A_GIFT:
        careful = [push for push in pushes if winners.get(push, view.turn) == view.turn] or pushes
    if rng.random() < SEES_A_THREAT:
        careful = [push for push in careful if not _lets_through(game, after[push], position[1])] or careful
    return rng.choice(careful)


def _lets_through(game: Round, after: tuple[int, int, int, int, int] | Finish, seat: int) -> bool:
    """Return whether the other side can complete a link right after this."""
    if isinstance(after, Finish) or after[1] == seat:
        return False
    answers = (game.play(after, place) for place in game.places(after))
    return any(isinstance(answer, Finish) and answer.winner == after[1] for answer in answers)
