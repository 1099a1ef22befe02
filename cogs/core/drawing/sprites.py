"""A picture in two steps: what costs time is drawn once, what happens after every move is cheap.

Shapes, letters and smooth edges are drawn on a `Canvas` and fitted to the palette of a `Scene`: that gives the fixed
ground and pieces of one byte a pixel, which `caching` keeps. After a move they are laid on a `Sheet`, and
`encoding.encode` puts together and packs what of it is new. Everything cached is read only afterwards, so pictures may
be drawn in several threads at once.
"""

from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.sheets import Piece, Sheet, cuts
from cogs.core.drawing.theme import CHALK, INK, NIGHT, SLATE, WIDTH, Colour

_ALIKE = [255] + [0] * 255  # of differences, where there is none
_DIFFERENT = [0] + [255] * 255


class Scene:
    """A fixed ground and the palette in which it and every sprite on it are drawn.

    Pixels of one byte are what makes pictures fast: pasting copies bytes, and a PNG of them takes a fifth of the time
    and a third of the room of one in full colour.
    """

    def __init__(
        self,
        ground: Image.Image,
        samples: Iterable[Image.Image] = (),
        flat: Iterable[Colour] = (),
        colours: int = 256,
        bands: Iterable[int] = (),
        like: "Scene | None" = None,
    ) -> None:
        """Choose the palette for the ground (mode RGB) and for `samples`, pictures that show what sprites will need.

        The colours of `flat` are in the palette as they are. Crowded pictures stay small with fewer `colours`: their
        smooth edges are what takes room. `bands`: rows at which something else begins; what changes by itself is packed
        by itself then. `like`: a scene whose palette is taken instead, as choosing one takes longer than all the rest.
        """
        kept = list(dict.fromkeys((INK, NIGHT, SLATE, CHALK, *flat)))
        self._palette: Image.Image = like._palette if like is not None else _palette([ground, *samples], kept, colours)
        self.colours = bytes(self._palette.getpalette("RGB") or ())
        self.ground = Piece(self.fitted(ground))
        self._bands = tuple(bands)
        self._indices: dict[Colour, int] = {}

    def canvas(self, left: int, top: int, width: int, height: int) -> Canvas:
        """Return a canvas for a sprite that will lie there: it shows that piece of the ground."""
        part = self.ground.image.crop((left, top, left + width, top + height))
        ground = Image.frombytes("P", part.size, part.tobytes())
        ground.putpalette(self.colours)
        return Canvas(width, height, ground, left=left, top=top)

    def sprite(self, canvas: Canvas, mask: Image.Image | None = None) -> Piece:
        """Return what was drawn as a piece to lay on a `sheet` of this scene, through a mask if one is given.

        Where nothing was drawn on a `canvas` of the scene, the piece is its ground: Pillow does not always find a
        palette's colour again by looking for the nearest one.
        """
        picture = canvas.picture()
        fitted = self.fitted(picture)
        if canvas.ground is not None:
            fitted.paste(canvas.ground, _changed(picture, canvas.ground).point(_ALIKE, "1"))
        return Piece(fitted, mask)

    def cut(self, canvas: Canvas, within: Image.Image | None = None) -> Piece:
        """Return what was drawn on a `canvas` of this scene, without the ground that is left free, as a piece to lay on
        others: what lies `within` a mask if one is given.
        """
        picture = canvas.picture()
        assert canvas.ground is not None
        mask = _changed(picture, canvas.ground).point(_DIFFERENT, "1")
        return Piece(self.fitted(picture), mask if within is None else ImageChops.logical_and(mask, within))

    def sheet(self, ground: Piece | None = None) -> Sheet:
        """Return a sheet of the scene's ground, or of another piece: lay pieces on it, then `encode` it."""
        ground = ground or self.ground
        return Sheet(ground, ground.width, cuts(ground.height, self._bands), self.colours)

    def blank(self, height: int, colour: Colour) -> Sheet:
        """Return a sheet as wide as every picture, all of one colour."""
        return Sheet(self.index(colour), WIDTH, cuts(height, self._bands), self.colours)

    def index(self, colour: Colour) -> int:
        """Return the number of a colour in the palette."""
        found = self._indices.get(colour)
        if found is None:
            pixel = self.fitted(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
            assert isinstance(pixel, int)
            found = self._indices[colour] = pixel
        return found

    def fitted(self, picture: Image.Image) -> Image.Image:
        """Return a picture (mode RGB) in this scene's palette, for a piece that was not drawn on its ground."""
        fitted = picture.quantize(palette=self._palette, dither=Image.Dither.NONE)
        fitted.load()  # settles Pillow's lazy state, so that threads only read
        return fitted


def _changed(picture: Image.Image, ground: Image.Image) -> Image.Image:
    """Return how much a picture differs from its ground, pixel by pixel."""
    return ImageChops.difference(picture, ground.convert("RGB")).convert("L")


def _palette(samples: Sequence[Image.Image], kept: Sequence[Colour], colours: int) -> Image.Image:
    """Return an image of mode P with so many colours: those kept, the rest from a median cut through the samples."""
    width = max(sample.width for sample in samples)
    strip = Image.new("RGB", (width, sum(sample.height for sample in samples)), samples[0].getpixel((0, 0)))
    top = 0
    for sample in samples:
        strip.paste(sample, (0, top))
        top += sample.height
    cut = strip.quantize(colours - len(kept), Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    channels = [channel for colour in kept for channel in colour] + (cut.getpalette() or [])
    palette = Image.new("P", (1, 1))
    palette.putpalette(channels[:768])
    return palette
