"""How turns of Break-Out are evaluated: by what the position after them is worth to the Master, in points of the round,
as a chance over all rounds.

Calls are not evaluated: everybody could see what could be called. The final notes say who was caught and what that
cost, list the bluffs that nobody called, and the calls that were slightly too late.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from random import Random

import msgspec

from engine.contract import Action, Fact, Seat, number
from engine.games.break_out import (
    GAME,
    SUPER,
    WILD,
    BreakOutView,
    Draw,
    Face,
    Give,
    Kind,
    Next,
    Play,
)
from engine.games.break_out.state import State, Window
from engine.players import Steps
from engine.players.break_out import turns
from engine.players.break_out.planning import Turn, gift, turns_of
from engine.players.break_out.worth import worth
from engine.review import Decision, Evaluation, Note, Reviewer
from engine.review.normal_model import first

CARD, OUT = 1.2, 6.0
"""The points that a card in another's hand costs them in the end on average, and that being out saves them."""

A_CARD = 5.6
"""The points of an unknown card."""

BONUS = 5
"""R33: times the round's number, for going out."""

THIS_ROUND, LATER_ROUND = 28.0, 30.0
"""The standard deviation of a seat's points: of the present round, and of each later one."""

HAIR_MS = 500
"""A right call that came at most this long after another one was slightly too late."""

SAMPLED = 3
"""How many actions are drawn to represent random choices."""

THINKING = 400
"""The questions that the search for turns may ask of its budget, which never end it."""


def chance(view: BreakOutView, rng: Random) -> float:
    """Return how likely the reader has the fewest points in the end."""
    assert view.seat is not None
    if view.phase in ("interlude", "over"):
        return _first(view, view.scores, view.rounds - view.round)
    return _chance(view, Turn(worth(view, view.seat), view))


def weigh(view: BreakOutView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of an action: of one's turn, or the choice of a card to give away.

    None if there was no choice, for calls, and for bluffs.
    """
    seat = view.seat
    if seat is None:
        return None
    if isinstance(action, Give):
        return _gift(view, seat, action)
    if view.turn != seat or not isinstance(action, Draw | Next | Play):
        return None
    found = dict(_turns(msgspec.structs.replace(view, due=None)))
    if action not in found or len(found) < 2:
        return None
    some = rng.sample(list(found), min(SAMPLED, len(found)))
    for one in {action, *some}:
        if isinstance(one, Play) and not found[one].continued:
            found[one] = max(found[one], _continued(view, seat, one), key=lambda turn: turn.worth)
    chances = {one: _chance(view, turn) for one, turn in found.items()}
    best = max(chances, key=chances.__getitem__)
    played, top, lot = chances[action], chances[best], sum(chances[one] for one in some) / len(some)
    if top <= played:
        return Evaluation(played, played, action, lot=lot)
    why, facts = _because(seat, found[action], best, found[best])
    return Evaluation(played, top, best, why, facts, lot)


def _continued(view: BreakOutView, seat: Seat, play: Play) -> Turn:
    """Return the best turn that begins with this play, searched from the position after it."""
    there = turns.after(view, seat, play)
    return max(_turns(there).values(), key=lambda turn: turn.worth)


@lru_cache(maxsize=8)
def _turns(view: BreakOutView) -> dict[Action, Turn]:
    return turns_of(view, Steps(THINKING))


def _gift(view: BreakOutView, seat: Seat, action: Give) -> Evaluation | None:
    """Return the evaluation of the choice of a card to give away."""

    def kept(face: Face) -> float:
        rest = turns.after(view, seat, Give(face))
        return _chance(rest, Turn(worth(rest, seat), rest))

    if len(set(view.hand)) < 2 or action.face not in view.hand:
        return None
    best = gift(view, [Give(face) for face in dict.fromkeys(view.hand)])
    assert isinstance(best, Give)
    played, top = kept(action.face), kept(best.face)
    lot = sum(map(kept, view.hand)) / len(view.hand)
    return Evaluation(played, max(played, top), best if top > played else action, lot=lot)


# Consequences of a turn


def _chance(view: BreakOutView, turn: Turn) -> float:
    """Return how likely the reader has the fewest points in the end, if their turn ends so."""
    seat, end = view.seat, turn.end
    assert seat is not None
    others = len(end.counts) - 1
    cards, out = (sum(end.counts) - end.counts[seat]) / others, (sum(end.out) - end.out[seat]) / others
    gone = not end.hand
    expected = [
        score + (A_CARD * count if gone else CARD * (count - cards) - OUT * (free - out))
        for score, count, free in zip(end.scores, end.counts, end.out, strict=True)
    ]
    expected[seat] = end.scores[seat] - (BONUS * end.round if gone else turn.worth)
    return _first(end, expected, view.rounds - view.round, THIS_ROUND)


def _first(view: BreakOutView, expected: Sequence[float], later: int, spread: float = 0.0) -> float:
    """Return how likely the reader has the fewest points in the end, given those expected after this round and their
    deviation, and the number of later rounds.
    """
    assert view.seat is not None
    return first([-points for points in expected], view.seat, sqrt(spread**2 + later * LATER_ROUND**2 + 1.0))


def _because(seat: Seat, made: Turn, better: Action, best: Turn) -> tuple[str, dict[str, Fact]]:
    """Return why the better action is better, by what it leaves at the end of the turn.

    `goes-out`: the whole hand could be laid down. `card-first`: a card could be drawn before. `breaks-out`: it breaks
    out, which the other did not. `waits`: it breaks out later. `wilds`: it keeps `more` Wilds. `sheds`: it leaves
    `left` cards in hand instead of `kept`. `together`: the cards that it leaves make better melds.
    """
    mine, theirs = best.end, made.end
    if not mine.hand:
        return "goes-out", {}
    if isinstance(better, Draw):
        return "card-first", {}
    if mine.out[seat] != theirs.out[seat]:
        return "breaks-out" if mine.out[seat] else "waits", {}
    if (more := _wilds(mine.hand) - _wilds(theirs.hand)) > 0:
        return "wilds", {"more": more}
    if len(mine.hand) < len(theirs.hand):
        return "sheds", {"left": len(mine.hand), "kept": len(theirs.hand)}
    return ("together" if mine.hand != theirs.hand else ""), {}


def _wilds(hand: Sequence[Face]) -> int:
    return sum(face in (WILD, SUPER) for face in hand)


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
