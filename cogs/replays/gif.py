"""A finished game as an animated GIF: the table's pictures, sampled, at half their size."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.publishing.finished_games import Replay
from cogs.replays.replay_position import revealed_picture

FRAMES = 60
"""The most pictures: any game takes at most a minute."""
FRAME_MS, LAST_MS = 600, 4_000
WIDTH = 400
MOST_BYTES = 8_000_000
"""Discord accepts 10 MiB from a bot without boosts of the server; this leaves a margin."""


def sampled(count: int, most: int) -> list[int]:
    """Return which of `count` moments are shown: evenly spread, including the first and the last."""
    if count <= most:
        return list(range(count))
    return [round(number * (count - 1) / (most - 1)) for number in range(most)]


def animate(ui: GameUI, replay: Replay, info: TableContext) -> bytes | None:
    """Return the game as an animated GIF of at most `MOST_BYTES`; None if it has no pictures.

    Takes seconds: never on the event loop.
    """
    most = FRAMES
    while True:
        frames = _frames(ui, replay, info, most)
        if not frames:
            return None
        data = _encode(frames)
        if len(data) <= MOST_BYTES or most <= 2:
            return data
        most //= 2


def _frames(ui: GameUI, replay: Replay, info: TableContext, most: int) -> list[Image.Image]:
    frames = []
    for number in sampled(len(replay.states), most):
        picture = revealed_picture(ui, replay.states[number], info)
        if picture is None:
            continue
        with Image.open(BytesIO(picture.data)) as image:
            whole = image.convert("RGB")
        height = round(whole.height * WIDTH / whole.width)
        frames.append(whole.resize((WIDTH, height), Image.Resampling.LANCZOS))
    return frames


def _encode(frames: Sequence[Image.Image]) -> bytes:
    """Encode frames, which are padded to the height of the tallest with their own ground."""
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
