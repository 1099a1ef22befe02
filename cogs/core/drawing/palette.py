"""Palettes: what is drawn on a `Canvas` is fitted to a palette's colours once, and cached as bitmaps."""

from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, Composition, band_edges
from cogs.core.drawing.theme import CHALK, INK, NIGHT, SLATE, WIDTH, Colour

PIXELS = 64
"""How many pixels of a sample one stands for when colours are chosen."""

ALIKE = [255] + [0] * 255
"""Turns differences, by `Image.point`, into a mask of where there is none."""

_DIFFERENT = [0] + [255] * 255


class Palette:
    """A fixed ground, and the colours of it and every bitmap on it. Pixels of one byte make pictures fast: a PNG
    takes a fifth of the time and a third of the bytes of one in full colour.
    """

    def __init__(
        self,
        ground: Image.Image,
        samples: Iterable[Image.Image] = (),
        flat: Iterable[Colour] = (),
        colours: int = 256,
        bands: Iterable[int] = (),
        like: "Palette | None" = None,
    ) -> None:
        """Choose the colours for the ground (mode RGB) and for `samples`, pictures that show what bitmaps will need.

        The colours of `flat` are included exactly. Crowded pictures stay small with fewer `colours`. At the rows
        `bands` something else begins, so what changes alone is packed alone. `like` is a palette whose colours are
        taken instead: choosing them takes the longest.
        """
        kept = list(dict.fromkeys((INK, NIGHT, SLATE, CHALK, *flat)))
        self._palette: Image.Image = like._palette if like is not None else _chosen([ground, *samples], kept, colours)
        self.colours = bytes(self._palette.getpalette("RGB") or ())
        self.ground = Bitmap(self.fitted(ground))
        self._bands = tuple(bands)
        self._indices: dict[Colour, int] = {}

    def canvas(self, left: int, top: int, width: int, height: int) -> Canvas:
        """Return a canvas for a bitmap that will be placed there: it shows that part of the ground."""
        ground = self.with_colours(self.ground.image.crop((left, top, left + width, top + height)))
        return Canvas(width, height, ground, left=left, top=top)

    def bitmap(self, canvas: Canvas, mask: Image.Image | None = None) -> Bitmap:
        """Return what was drawn as a bitmap for a composition in this palette, with a mask if one is given. Where
        nothing was drawn, it is the ground itself: Pillow does not always find a palette's colour again.
        """
        picture = canvas.picture()
        fitted = self.fitted(picture)
        if canvas.ground is not None:
            fitted.paste(canvas.ground, _changed(picture, canvas.ground).point(ALIKE, "1"))
        return Bitmap(fitted, mask)

    def cut(self, canvas: Canvas, within: Image.Image | None = None) -> Bitmap:
        """Return what was drawn on a `canvas` of this palette without the ground that is left free, as a bitmap to
        place over others; only what lies `within` a mask if one is given.
        """
        picture = canvas.picture()
        assert canvas.ground is not None
        mask = _changed(picture, canvas.ground).point(_DIFFERENT, "1")
        return Bitmap(self.fitted(picture), mask if within is None else ImageChops.logical_and(mask, within))

    def composition(self, ground: Bitmap | None = None) -> Composition:
        """Return a composition on the palette's ground, or on another bitmap."""
        ground = ground or self.ground
        return Composition(ground, ground.width, band_edges(ground.height, self._bands), self.colours)

    def blank(self, height: int, colour: Colour) -> Composition:
        """Return a composition of one colour, as wide as every picture."""
        return Composition(self.index(colour), WIDTH, band_edges(height, self._bands), self.colours)

    def index(self, colour: Colour) -> int:
        """Return the number of a colour."""
        found = self._indices.get(colour)
        if found is None:
            pixel = self.fitted(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
            assert isinstance(pixel, int)
            found = self._indices[colour] = pixel
        return found

    def fitted(self, picture: Image.Image) -> Image.Image:
        """Return a picture (mode RGB) in these colours (mode P)."""
        fitted = picture.quantize(palette=self._palette, dither=Image.Dither.NONE)
        fitted.load()  # so that threads only read
        return fitted

    def with_colours(self, image: Image.Image) -> Image.Image:
        """Return an image of numbers (mode L) as one that shows its colours (mode P)."""
        shown = Image.frombytes("P", image.size, image.tobytes())
        shown.putpalette(self.colours)
        return shown


def _changed(picture: Image.Image, ground: Image.Image) -> Image.Image:
    """Return how much a picture differs from its ground, pixel by pixel."""
    return ImageChops.difference(picture, ground.convert("RGB")).convert("L")


def _chosen(samples: Sequence[Image.Image], kept: Sequence[Colour], colours: int) -> Image.Image:
    """Return an image of mode P with this many colours: those kept, the rest by a median cut through the samples."""
    width = max(sample.width for sample in samples)
    strip = Image.new("RGB", (width, sum(sample.height for sample in samples)), samples[0].getpixel((0, 0)))
    top = 0
    for sample in samples:
        strip.paste(sample, (0, top))
        top += sample.height
    cut = _condensed(strip).quantize(colours - len(kept), Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    channels = [channel for colour in kept for channel in colour] + (cut.getpalette() or [])
    palette = Image.new("P", (1, 1))
    palette.putpalette(channels[:768])
    return palette


def _condensed(strip: Image.Image) -> Image.Image:
    """Return a picture of the colours of another, each as often in proportion: choosing among its pixels takes a tenth
    of the time, since nearly all of a picture is in few colours.
    """
    counted: Any = strip.getcolors(strip.width * strip.height)
    pixels = b"".join(bytes(colour) * -(-count // PIXELS) for count, colour in counted)
    return Image.frombytes("RGB", (len(pixels) // 3, 1), pixels)
