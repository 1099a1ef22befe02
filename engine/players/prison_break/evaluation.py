"""How the master of Prison Break chooses: by the share of the win after each action.

It infers where everyone is (`belief`) and reads the worth of a position from a table (`race`). It sneaks by a small
game of hide and seek (`sneaking`, `hiding`) that models how its rivals look for it (`hunting`), and bargains by another
(`offering`, `bargaining`).
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Budget
from engine.players.prison_break.offering import offer, vote
from engine.players.prison_break.sneaking import sneak
from engine.players.prison_break.table import Table
from engine.players.prison_break.weighing import guard_worths

THRIFT = 0.004
"""How much more than its token a check must be worth, in shares of a win."""


def choose(view: PrisonBreakView, legal: Sequence[Action], budget: Budget, rng: Random) -> Action:
    """Return one of the legal actions, the best one found before the budget is spent."""
    if len(legal) == 1:
        return legal[0]
    if view.seat is None or (budget.spent() and view.proposal is None):
        return _at_once(legal)
    table = Table(view, view.seat, rng)
    match legal[0]:
        case Sneak():
            return sneak(table, [action for action in legal if isinstance(action, Sneak)], budget)
        case Vote():
            return _at_once(legal) if view.proposal is None else vote(table, view.proposal)
        case Guard() | Pass():
            return _guard(table, [action for action in legal if isinstance(action, Guard)])
        case _:
            return offer(table, [action for action in legal if isinstance(action, Offer)], budget)


def _at_once(legal: Sequence[Action]) -> Action:
    """Return what is rarely wrong: run and declare 0, reject, make no offer, keep the token."""
    for action in (Vote(False), Decline(), Pass()):
        if action in legal:
            return action
    return max(legal, key=lambda action: action.move if isinstance(action, Sneak) else 0)


def _guard(table: Table, guards: Sequence[Guard]) -> Action:
    """Check where it helps this seat most, if that is worth a token."""
    worth = guard_worths(table, guards)
    best = max(guards, key=worth.__getitem__)
    return best if worth[best] > worth[Pass()] + THRIFT else Pass()
