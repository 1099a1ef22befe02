"""How turns of Break-Out are evaluated: by the points expected at the end of the round from what is left in hand, as a
chance over all rounds.

Calls are not evaluated: everybody could see what could be called. The final notes say who was caught and what that
cost, list the bluffs that nobody called, and the calls that were slightly too late.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from random import Random
from typing import NamedTuple

import msgspec

from engine.contract import Action, Fact, Seat, number
from engine.games.break_out import (
    GAME,
    NATURAL,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Draw,
    Extend,
    Face,
    Give,
    Kind,
    Lay,
    Next,
    PlayDraw,
)
from engine.games.break_out.state import State, Window
from engine.players import Steps
from engine.players.break_out import evaluation, turns
from engine.review import Decision, Evaluation, Note, Reviewer
from engine.review.normal_model import first

CARD, WILD_HELD, OUT, OUT_OF_MANY = 1.2, 2.5, 3.0, 6.5
"""The points that a card in hand costs in the end on average; that a Wild among them saves; and that being out saves,
at tables of up to three and of more.
"""

A_CARD = 5.6
"""The points of an unknown card."""

BONUS = 5
"""R33: times the round's number, for going out."""

THIS_ROUND, LATER_ROUND = 22.0, 28.0
"""The standard deviation of a round's points: of the present round, and of each later one."""

TRIED = 4
"""How many plays are continued to the end of the turn."""

HAIR_MS = 500
"""A right call that came at most this long after another one was slightly too late."""

LONGEST = 8
"""The most plays in a simulated turn."""


class Turn(NamedTuple):
    """A simulated turn: the view, as far as plays need it, and how many cards each of the others drew by it."""

    view: BreakOutView
    given: int = 0


def chance(view: BreakOutView, rng: Random) -> float:
    """Return how likely the reader has the fewest points in the end."""
    return _chance(view, _expected(Turn(view)))


def weigh(view: BreakOutView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of an action: of one's turn, or the choice of a card to give away.

    None if there was no choice, for calls, and for bluffs.
    """
    if view.seat is None:
        return None
    if isinstance(action, Give):
        return _gift(view, view.seat, action)
    if view.turn != view.seat or not isinstance(action, Draw | Next | Lay | Extend | BreakOut | PlayDraw):
        return None
    found = {one: _played(view, view.seat, one) for one in _tried(msgspec.structs.replace(view, due=None))}
    made = found.get(action) or _made(view, view.seat, action)
    if made is None:
        return None
    found[action] = made
    if len(found) < 2:
        return None
    chances = {one: _chance(view, _expected(after)) for one, after in found.items()}
    best = max(chances, key=chances.__getitem__)
    played, top, lot = chances[action], chances[best], sum(chances.values()) / len(chances)
    if top <= played:
        return Evaluation(played, played, action, lot=lot)
    why, facts = _because(view, view.seat, found[action], found[best], best)
    return Evaluation(played, top, best, why, facts, lot)


@lru_cache(maxsize=4)
def _tried(view: BreakOutView) -> tuple[Action, ...]:
    """Return the alternatives that are worth continuing."""
    assert view.seat is not None
    plays = [one for one, _ in turns.laying(view, view.seat)]
    plays.sort(key=lambda one: -evaluation.value(view, one))
    way = turns.way_out(view, Steps(200))
    tried = [*([] if way is None else [way]), *plays[:TRIED]]
    tried.append(Next() if view.acted or view.drew else Draw())
    return tuple(dict.fromkeys(tried))


def _made(view: BreakOutView, seat: Seat, action: Action) -> Turn | None:
    """Return the turn after a sound action that was not tried; None for what the rules forbid."""
    if isinstance(action, Draw | Next):
        return _played(view, seat, action)
    return _played(view, seat, action) if any(one == action for one, _ in turns.laying(view, seat)) else None


def _played(view: BreakOutView, seat: Seat, action: Action) -> Turn:
    """Return the turn after this action, continued as well as possible."""
    match action:
        case Next():
            return Turn(view)
        case Draw():
            drawn = _continued(Turn(view), seat)
            return Turn(msgspec.structs.replace(drawn.view, hand=(*drawn.view.hand, "")), drawn.given)
        case _:
            cards = next(cards for one, cards in turns.laying(view, seat) if one == action)
            after = turns.after(view, seat, action, cards)
            return _continued(Turn(after, int(isinstance(action, PlayDraw))), seat)


def _continued(turn: Turn, seat: Seat) -> Turn:
    """Continue a turn: with a way out if there is one, else with the play that sheds most."""
    for _ in range(LONGEST):
        view = turn.view
        if not view.hand:
            break
        plays = dict(turns.laying(view, seat))
        best = turns.way_out(view, Steps(60)) or max(plays, key=lambda one: evaluation.value(view, one), default=None)
        if best is None or best not in plays or evaluation.value(view, best) <= 0:
            break
        given = turn.given + int(isinstance(best, PlayDraw))
        turn = Turn(turns.after(view, seat, best, plays[best]), given)
    return turn


def _gift(view: BreakOutView, seat: Seat, action: Give) -> Evaluation | None:
    """Return the evaluation of the choice of a card to give away."""

    def kept(face: Face) -> float:
        left = list(view.hand)
        left.remove(face)
        return _chance(view, _expected(Turn(msgspec.structs.replace(view, hand=tuple(left)))))

    best = evaluation.gift(view, [Give(face) for face in dict.fromkeys(view.hand)])
    if len(set(view.hand)) < 2 or action.face not in view.hand or not isinstance(best, Give):
        return None
    played, top = kept(action.face), kept(best.face)
    lot = sum(map(kept, view.hand)) / len(view.hand)
    return Evaluation(played, max(played, top), best if top > played else action, lot=lot)


# Consequences of a turn


def _expected(turn: Turn) -> list[float]:
    """Return the points that each seat is expected to have at the end of the round."""
    view = turn.view
    if view.phase in ("interlude", "over"):
        return [float(score) for score in view.scores]
    gone = view.seat is not None and not view.hand
    out = OUT if len(view.counts) < 4 else OUT_OF_MANY
    found = []
    for seat, (score, count) in enumerate(zip(view.scores, view.counts, strict=True)):
        if seat == view.seat:
            found.append(score + (-BONUS * view.round if gone else _hand(view.hand) - out * view.out[seat]))
        else:
            cards = count + turn.given
            found.append(score + (A_CARD * cards if gone else CARD * cards - out * view.out[seat]))
    return found


def _hand(hand: Sequence[Face]) -> float:
    """Return what a hand costs in the end, on average: its points hardly count this early, and a Wild helps."""
    wilds = sum(face in (WILD, SUPER) for face in hand)
    numbers = sum(int(face[1]) for face in hand if face in NATURAL)
    return CARD * len(hand) + 0.1 * (numbers - 4 * len(hand)) - WILD_HELD * wilds


def _chance(view: BreakOutView, expected: Sequence[float]) -> float:
    """Return how likely the reader has the fewest points in the end, given those expected after this round."""
    assert view.seat is not None
    playing = view.phase not in ("interlude", "over")
    later = view.rounds - view.round
    spread = sqrt(playing * THIS_ROUND**2 + later * LATER_ROUND**2 + 1.0)
    return first([-points for points in expected], view.seat, spread)


def _because(view: BreakOutView, seat: Seat, made: Turn, best: Turn, better: Action) -> tuple[str, dict[str, Fact]]:
    """Return why the better action is better.

    `goes-out`: the whole hand could be laid down. `breaks-out`: it breaks out, which the other did not. `sheds`: by the
    end of the turn it leaves `left` cards in hand instead of `kept`.
    """
    if not best.view.hand:
        return "goes-out", {}
    if best.view.out[seat] and not made.view.out[seat]:
        return "breaks-out", {}
    if len(best.view.hand) < len(made.view.hand):
        return "sheds", {"left": len(best.view.hand), "kept": len(made.view.hand)}
    return "", {}


# Final notes


def noted(states: Sequence[State], decisions: Sequence[Decision]) -> Iterator[Note]:
    """Yield who was caught, the bluffs that nobody called in time, by round, and the right calls that came too late.

    `caught`: this seat was caught `times` times, by these `calls` in order; the `cost` are the cards that it had to
    take and those that the catchers gave. `draw` and `meld`: this seat got away with it in `round`, until `found`
    pointed at the meld (−1: nobody did); for a meld, `fault` says what was wrong. `late`: its right call on `whom` came
    `ms` after the window's end, so it was void. `beaten`: its right call came `ms` after that of `by`, who was the
    catcher; the closest ones first.
    """
    yield from _caught(states)
    for finished in states[-1].finished:
        for bluff in finished.bluffs:
            found = -1 if bluff.found is None else bluff.found
            facts: dict[str, Fact] = {"round": finished.number, "found": found, "fault": bluff.fault or ""}
            yield Note(0, bluff.kind, bluff.seat, facts)
    late = [
        note
        for step, (before, after) in enumerate(pairwise(states), start=1)
        for window in (before.window, before.closing)
        if window is not None and window.right
        for note in _calls(step, before, after, window)
    ]
    yield from sorted(late, key=lambda note: (note.what != "late", number(note.facts, "ms")))


def _caught(states: Sequence[State]) -> Iterator[Note]:
    """Yield one note for each seat that was caught, most often caught first."""
    calls: dict[Seat, list[Kind]] = {}
    cost: dict[Seat, list[Face]] = {}
    for before, after in pairwise(states):
        whom = before.gift.caught if before.gift is not None and after.gift is None else None
        if len(after.catches) > len(before.catches):
            catch = after.catches[-1]
            calls.setdefault(catch.caught, []).append(catch.kind)
            whom = catch.caught if catch.kind == "draw" else None  # a MELD catch only returns what they laid
        if whom is not None:
            cost.setdefault(whom, []).extend((Counter(after.hands[whom]) - Counter(before.hands[whom])).elements())
    for seat, found in sorted(calls.items(), key=lambda one: (-len(one[1]), one[0])):
        facts: dict[str, Fact] = {"times": len(found), "calls": tuple(found), "cost": tuple(cost.get(seat, ()))}
        yield Note(0, "caught", seat, facts)


def _calls(step: int, before: State, after: State, window: Window) -> Iterator[Note]:
    """Yield what became of the right calls of a window, if that is decided now."""
    still = next((one for one in (after.window, after.closing) if one is not None and one.turn == window.turn), None)
    if still is not None and after.gift is None:
        end = after.said.moment if after.said is not None else window.closes
        for one in window.right:
            if one not in still.calls and end is not None:
                facts: dict[str, Fact] = {"round": before.round, "whom": window.seat, "ms": one.at - end}
                yield Note(step, "late", one.seat, facts)
    elif len(after.catches) > len(before.catches):
        catcher = after.catches[-1].catcher
        won = min((one.at for one in window.right if one.seat == catcher), default=None)
        for one in window.right:
            if one.seat != catcher and won is not None and won < one.at <= won + HAIR_MS:
                yield Note(step, "beaten", one.seat, {"round": before.round, "by": catcher, "ms": one.at - won})


REVIEWER = Reviewer(BreakOutView, GAME.actions, chance, weigh, noted)
