"""The questions about a finished game, one seat's view each, which another process answers.

Only views are passed on, so an evaluation cannot depend on anything that its seat did not know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import msgspec

from engine.contract import AnyGame, Seat, to_json
from engine.review import CURVE, Decision, Evaluation, JudgedDecision, Note, Point, Review, Reviewer


@dataclass(frozen=True)
class Question:
    """A question: a seat's view as JSON, and what it did there; without an action, how likely it wins.

    `step` is the moment in question: the one to which the action led, or that of the view.
    """

    step: int
    seat: Seat
    view: str
    action: str | None


Answer = Evaluation | float | None


def questions(
    game: AnyGame, states: Sequence[Any], decisions: Sequence[Decision]
) -> list[tuple[int, Seat, Decision | None]]:
    """Return the questions about a game, in order: the moment, the seat, and the decision if one is in question.

    `states` are those after the setup and after each decision. There is no question about the end, whose outcome is
    known.
    """
    seats = [Seat(seat) for seat in range(len(_shares(game, states[-1])))]
    decided = [decision for decision in decisions if decision.decides]
    every = -(-len(decided) // CURVE) or 1
    sampled = {0, *(decision.step for decision in decided[::every])} - {len(states) - 1}
    asked: list[tuple[int, Seat, Decision | None]] = [(step, seat, None) for step in sampled for seat in seats]
    asked += [(decision.step, decision.seat, decision) for decision in decided if decision.seat is not None]
    return sorted(asked, key=lambda one: (one[0], one[2] is None, one[1]))


def as_questions(
    game: AnyGame, states: Sequence[Any], asked: Sequence[tuple[int, Seat, Decision | None]]
) -> tuple[Question, ...]:
    """Return questions in the form in which they are passed to another process."""

    def one(step: int, seat: Seat, decision: Decision | None) -> Question:
        state = states[step if decision is None else step - 1]
        action = None if decision is None or decision.action is None else to_json(decision.action)
        return Question(step, seat, to_json(game.view(state, seat)), action)

    return tuple(one(*each) for each in asked)


def answer(reviewer: Reviewer, asked: Question) -> Answer:
    """Return the answer to one question: the same for the same view and action."""
    view = msgspec.json.decode(asked.view, type=reviewer.views)
    rng = Random(crc32(asked.view.encode()))
    if asked.action is None:
        return min(1.0, max(0.0, reviewer.chance(view, rng)))
    return reviewer.weigh(view, msgspec.json.decode(asked.action, type=reviewer.actions), rng)


def assemble(
    game: AnyGame, states: Sequence[Any], asked: Sequence[Question], answers: Sequence[Answer], notes: Sequence[Note]
) -> Review:
    """Return the review built from these answers."""
    points: dict[int, dict[Seat, float]] = {}
    judged: list[JudgedDecision] = []
    for one, found in zip(asked, answers, strict=True):
        match found:
            case float():
                points.setdefault(one.step, {})[one.seat] = found
            case Evaluation() if one.action is not None:
                better = None if found.better is None else to_json(found.better)
                judged.append(
                    JudgedDecision(
                        one.step,
                        one.seat,
                        one.action,
                        found.played,
                        found.best,
                        better,
                        found.why,
                        found.facts,
                        found.lot,
                    )
                )
            case _:
                pass
    curve = [Point(step, tuple(chances[seat] for seat in sorted(chances))) for step, chances in sorted(points.items())]
    end = Point(len(states) - 1, _shares(game, states[-1]))
    return Review((*curve, end), tuple(judged), tuple(notes))


def review(game: AnyGame, reviewer: Reviewer, states: Sequence[Any], decisions: Sequence[Decision]) -> Review:
    """Return the review of a finished game. Slow: hosts ask the questions one by one in other processes."""
    asked = as_questions(game, states, questions(game, states, decisions))
    return assemble(
        game, states, asked, [answer(reviewer, one) for one in asked], tuple(noted(reviewer, states, decisions))
    )


def noted(reviewer: Reviewer, states: Sequence[Any], decisions: Sequence[Decision]) -> Iterator[Note]:
    """Yield the game-specific observations, if its reviewer has any."""
    if reviewer.noted is not None:
        yield from reviewer.noted(states, decisions)


def _shares(game: AnyGame, state: Any) -> tuple[float, ...]:
    """Return each seat's share of the win."""
    outcome = game.outcome(state)
    assert outcome is not None, f"{game.key}: only a finished game is reviewed"
    first = outcome.places.count(1)
    return tuple((place == 1) / first for place in outcome.places)
