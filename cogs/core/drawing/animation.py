"""Encodes animated GIFs of compositions: a short story that ends in a still picture."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import NamedTuple

from cogs.core.drawing.composition import Composition

STILL_MS, END_MS = 900, 6_000
"""How long the picture of the end is shown before the story, and after it."""

LOOPS = 2
"""How often the story is told again: enough for those who look late, and then the picture stays."""

MOST_BYTES = 300_000
"""A larger animation is not shown: phones load it too slowly."""


class Frame(NamedTuple):
    """A moment of a story, and for how many milliseconds it is shown (at least 20; GIF counts hundredths)."""

    sheet: Composition
    ms: int


def story_of(still: Composition, frames: Iterable[Frame]) -> bytes | None:
    """Return frames as an animated GIF that begins and ends with the still picture, which is what a program shows that
    does not animate. All are of one size and palette. Return None if it would be too large, or there are no frames.

    The same always gives the same bytes. Takes tens of milliseconds: never on the event loop.
    """
    told = list(frames)
    if not told:
        return None
    data = _encode([Frame(still, STILL_MS), *told, Frame(still, END_MS)])
    return data if len(data) < MOST_BYTES else None


def _encode(frames: Sequence[Frame]) -> bytes:
    """Encode frames: of each, Pillow stores only what differs from the one before."""
    first, *rest = (frame.sheet.image() for frame in frames)
    file, durations = BytesIO(), [frame.ms for frame in frames]
    first.save(
        file, "GIF", save_all=True, append_images=rest, duration=durations, loop=LOOPS, disposal=1, optimize=True
    )
    return file.getvalue()
