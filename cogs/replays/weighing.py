"""What the process does that works out reviews: it answers one question after the other, slice by slice."""

from collections.abc import Sequence

from cogs.core.tables.bot_workers import Seconds
from engine.review import Reviewer
from engine.review.review_questions import Answer, Question, answer


def answered(reviewer: Reviewer, asked: Sequence[Question], seconds: float) -> list[Answer]:
    """Return the answers to as many of the first questions as can be given in that time, one at least."""
    time = Seconds(seconds)
    found: list[Answer] = []
    for one in asked:
        found.append(answer(reviewer, one))
        if time.spent():
            break
    return found
