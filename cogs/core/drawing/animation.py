"""Encodes animated GIFs of compositions: a short story that ends in a still picture."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from cogs.core.drawing.composition import Box, Composition
from cogs.core.drawing.palette import ALIKE

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


class _Part(NamedTuple):
    """What a frame changes: the colours' numbers in a rectangle, its upper left corner, for how many milliseconds the
    result is shown, and the number that stands for pixels which stay as they are, if one was free.
    """

    image: Image.Image
    corner: tuple[int, int]
    ms: int
    kept: int | None


def _encode(frames: Sequence[Frame]) -> bytes:
    """Encode frames, all in the colours of the first."""
    first = frames[0].sheet
    blank = Image.new("P", (first.width, first.height))  # the header has its size and its colours
    blank.putpalette(first.palette)
    blocks, _ = GifImagePlugin.getheader(blank, info={"loop": LOOPS})
    for part in _parts(frames):
        transparent = {} if part.kept is None else {"transparency": part.kept}
        blocks += GifImagePlugin.getdata(part.image, part.corner, duration=part.ms, disposal=1, **transparent)
    return b"".join((*blocks, b";"))


def _parts(frames: Sequence[Frame]) -> list[_Part]:
    """Return what each frame changes in the picture before it; one that changes nothing prolongs that picture."""
    first = frames[0].sheet
    shown = first.pixels((0, 0, first.width, first.height))
    parts = [_Part(shown.copy(), (0, 0), frames[0].ms, None)]
    for before, frame in pairwise(frames):
        part = _change(shown, frame, frame.sheet.changed_box(before.sheet))
        if part is None:
            parts[-1] = parts[-1]._replace(ms=parts[-1].ms + frame.ms)
        else:
            parts.append(part)
    return parts


def _change(shown: Image.Image, frame: Frame, box: Box | None) -> _Part | None:
    """Bring the picture `shown` up to a frame, which differs from it only in a box; return what that changes."""
    if box is None:
        return None
    pixels = frame.sheet.pixels(box)
    difference = ImageChops.difference(pixels, shown.crop(box))
    changed = difference.getbbox()
    if changed is None:
        return None
    shown.paste(pixels, box)
    image = pixels.crop(changed)
    used = {number for _, number in image.getcolors() or ()}
    kept = next((number for number in range(len(frame.sheet.palette) // 3) if number not in used), None)
    if kept is not None:
        image.paste(kept, mask=difference.crop(changed).point(ALIKE, "1"))
    return _Part(image, (box[0] + changed[0], box[1] + changed[1]), frame.ms, kept)
