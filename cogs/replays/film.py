"""A finished game as an animated picture: the table's pictures, sampled, at half their size."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.publishing.finished_games import Replay
from cogs.replays.look import whole_picture

FRAMES = 60
"""No more pictures than this: a minute's look at any game."""
FRAME_MS, LAST_MS = 600, 4_000
WIDTH = 400
MOST_BYTES = 8_000_000
"""Discord takes 10 MiB from a bot without any boost of the server; this leaves room."""


def sampled(count: int, most: int) -> list[int]:
    """Return which of so many moments are shown: evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return [round(number * (count - 1) / (most - 1)) for number in range(most)]


def film(screen: GameUI, reel: Replay, info: TableContext) -> bytes | None:
    """Return the game as an animated GIF of at most `MOST_BYTES`; None if nothing of it has a picture.

    Takes seconds: never on the event loop.
    """
    most = FRAMES
    while True:
        frames = _frames(screen, reel, info, most)
        if not frames:
            return None
        data = _animated(frames)
        if len(data) <= MOST_BYTES or most <= 2:
            return data
        most //= 2


def _frames(screen: GameUI, reel: Replay, info: TableContext, most: int) -> list[Image.Image]:
    frames = []
    for number in sampled(len(reel.states), most):
        picture = whole_picture(screen, reel.states[number], info)
        if picture is None:
            continue
        with Image.open(BytesIO(picture.data)) as image:
            whole = image.convert("RGB")
        height = round(whole.height * WIDTH / whole.width)
        frames.append(whole.resize((WIDTH, height), Image.Resampling.LANCZOS))
    return frames


def _animated(frames: Sequence[Image.Image]) -> bytes:
    """All frames are as tall as the tallest; what a frame lacks below is filled with its own ground."""
    height = max(frame.height for frame in frames)
    padded = []
    for frame in frames:
        sheet = Image.new("RGB", (WIDTH, height), frame.getpixel((0, frame.height - 1)))
        sheet.paste(frame, (0, 0))
        padded.append(sheet.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
    file = BytesIO()
    durations = [FRAME_MS] * (len(padded) - 1) + [LAST_MS]
    padded[0].save(file, "GIF", save_all=True, append_images=padded[1:], duration=durations, loop=0, disposal=1)
    return file.getvalue()
