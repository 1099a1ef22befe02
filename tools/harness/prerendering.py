"""Starts of the bot without the covers that it draws in advance: a second of processor time, and tests look at few."""

from cogs.core.publishing.covers import Covers


async def draw_nothing(_: Covers) -> None:
    """Replace `Covers.prerender`."""


def skip_prerendering() -> None:
    """Draw no covers in advance in the bots of this process."""
    Covers.prerender = draw_nothing  # type: ignore[assignment, method-assign]  # for good
