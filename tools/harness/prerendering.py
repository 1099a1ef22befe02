"""Starts of the bot without the pictures that it draws in advance: that is most of a start's cost, six seconds of
processor time, and tests look at few of them.
"""

from cogs.core.publishing.covers import Covers
from cogs.core.publishing.responder import PendingAnswers


async def draw_nothing(_: Covers, __: PendingAnswers) -> None:
    """Replace `Covers.prerender`."""


def skip_prerendering() -> None:
    """Draw no pictures in advance in the bots of this process."""
    Covers.prerender = draw_nothing  # type: ignore[assignment, method-assign]  # for good
