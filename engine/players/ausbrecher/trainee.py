"""How the trainee of Ausbrecher AG chooses: at random, with a little sense."""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.ausbrecher import COLOURS, AusbrecherView, Resolve, Roll

SENSE = 0.5
"""How often it considers its forecast when it chooses dice."""

PLAIN = 0.7
"""How often it leaves the white die alone."""


def choose(view: AusbrecherView, legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions."""
    rolls = [action for action in legal if isinstance(action, Roll)]
    if rolls:
        return _roll(view, rolls, rng)
    resolves = [action for action in legal if isinstance(action, Resolve)]
    if resolves and rng.random() < SENSE:  # first the runner that has to be in an early boat
        bets = _bets(view)
        return min(resolves, key=lambda action: bets.get(action.colour, 0))
    return rng.choice(legal)


def _roll(view: AusbrecherView, rolls: Sequence[Roll], rng: Random) -> Roll:
    plain = [roll for roll in rolls if not roll.white]
    chosen = plain if rng.random() < PLAIN else rolls
    if rng.random() >= SENSE:
        return rng.choice(chosen)
    bets = _bets(view)
    few = [rng.choice(chosen) for _ in range(3)]
    return min(few, key=lambda roll: sum(bets.get(colour, 0) for colour in roll.colours))


def _bets(view: AusbrecherView) -> dict[str, int]:
    own = None if view.seat is None else view.forecasts[view.seat]
    return dict(zip(COLOURS, own, strict=True)) if own else {}
