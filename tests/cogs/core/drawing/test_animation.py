"""Animations: every frame is shown as it was composed, for as long as it was told."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from cogs.core.drawing.animation import END_MS, STILL_MS, Frame, story_of
from cogs.core.drawing.composition import Bitmap, Composition

WIDTH, HEIGHT = 24, 16
PALETTE = bytes(channel for number in range(256) for channel in (number, 255 - number, number // 2))

BITMAPS = [Bitmap(Image.new("L", (width, height), 40 * number)) for number, width, height in ((1, 9, 5), (2, 4, 14))]
BITMAPS.append(Bitmap(Image.linear_gradient("L").resize((20, 12)), Image.new("1", (20, 12), 1)))
COLOURFUL = Bitmap(Image.frombytes("L", (16, 16), bytes(range(256))))

placed = st.tuples(st.sampled_from(BITMAPS), st.tuples(st.integers(-6, WIDTH), st.integers(-6, HEIGHT)))


def blank(ground: int = 3) -> Composition:
    return Composition(ground, WIDTH, (0, HEIGHT), PALETTE)


@st.composite
def compositions(draw: st.DrawFn) -> Composition:
    """Return a few bitmaps on a ground, in the order in which they were drawn."""
    made = blank()
    for bitmap, at in draw(st.lists(placed, max_size=5)):
        made.paste(bitmap, at)
    return made


def varied(draw: st.DataObject, start: Composition) -> Composition:
    """Return a composition with some of what another one has, and some more."""
    changed = blank()
    changed.placed = [one for one in start.placed if draw.draw(st.booleans())]
    for bitmap, at in draw.draw(st.lists(placed, max_size=2)):
        changed.paste(bitmap, at)
    return changed


def whole(sheet: Composition) -> Image.Image:
    return sheet.pixels((0, 0, WIDTH, HEIGHT))


def shown(data: bytes) -> list[tuple[bytes, int]]:
    """Return the pixels of each frame as a viewer shows it, and for how many milliseconds."""
    with Image.open(BytesIO(data)) as film:
        found = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            found.append((film.convert("RGB").tobytes(), film.info["duration"]))
        return found


def told(frames: list[Frame]) -> list[tuple[bytes, int]]:
    """Return what should be shown: frames that look like the one before prolong it."""
    found: list[tuple[bytes, int]] = []
    for frame in frames:
        pixels = frame.sheet.image().convert("RGB").tobytes()
        if found and found[-1][0] == pixels:
            found[-1] = pixels, found[-1][1] + frame.ms
        else:
            found.append((pixels, frame.ms))
    return found


@given(compositions(), st.data())
def test_outside_the_box_of_a_change_two_compositions_look_alike(before: Composition, draw: st.DataObject):
    after = varied(draw, before)
    box = after.changed_box(before)
    expected = whole(before)
    if box is not None:
        expected.paste(after.pixels(box), box[:2])
    assert expected.tobytes() == whole(after).tobytes()


def test_another_order_or_ground_changes_everything():
    one, other = blank(), blank()
    assert one.changed_box(other) is None
    for sheet, order in ((one, (0, 1)), (other, (1, 0))):
        for number in order:
            sheet.paste(BITMAPS[number], (2, 2))
    everything = (0, 0, WIDTH, HEIGHT)
    assert one.changed_box(other) == everything
    assert blank(4).changed_box(blank()) == everything


def test_the_box_of_a_change_stays_within_the_picture():
    before, after = blank(), blank()
    after.paste(BITMAPS[0], (-4, HEIGHT - 2))
    assert after.changed_box(before) == (0, HEIGHT - 2, 5, HEIGHT)


@given(st.lists(compositions(), min_size=2, max_size=5))
def test_a_story_shows_every_frame_for_its_time_between_two_stills(sheets: list[Composition]):
    still, *rest = sheets
    story = [Frame(sheet, 20 * number) for number, sheet in enumerate(rest, start=1)]
    data = story_of(still, story)
    assert data is not None
    assert shown(data) == told([Frame(still, STILL_MS), *story, Frame(still, END_MS)])


def test_a_change_that_uses_every_colour_is_shown_too():
    still, colourful = blank(), blank()
    colourful.paste(COLOURFUL, (4, 0))
    data = story_of(still, [Frame(colourful, 100)])
    assert data is not None and len(shown(data)) == 3
    assert (
        ImageChops.difference(
            Image.frombytes("RGB", (WIDTH, HEIGHT), shown(data)[1][0]), colourful.image().convert("RGB")
        ).getbbox()
        is None
    )


def test_without_frames_there_is_no_story():
    assert story_of(blank(), []) is None
