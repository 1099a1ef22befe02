"""The work of the review process: answer questions one after the other, in slices of time."""

from collections.abc import Sequence

from cogs.core.tables.bot_workers import SearchBudget
from engine.review import Reviewer
from engine.review.review_questions import Answer, Question, answer


def answer_in_time(reviewer: Reviewer, asked: Sequence[Question], seconds: float) -> list[Answer]:
    """Return the answers to the first questions that fit this time, at least one."""
    time = SearchBudget(seconds=seconds)
    found: list[Answer] = []
    for one in asked:
        found.append(answer(reviewer, one))
        if time.spent():
            break
    return found
