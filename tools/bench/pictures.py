"""Time and size of a picture after a move, compared with a blank one of the same size.

New games with new names are drawn move by move in a process that has drawn others before: what tables have in common is
cached, what is particular to one is not.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from multiprocessing import get_context
from typing import Any

from PIL import Image

from cogs.core.drawing.png import MAX_BYTES
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import seat_page, table_page
from cogs.registry import GAMES
from engine.contract import Seat
from tools.bench import judged
from tools.harness.playouts import play

MOST_MS, MOST_KB = 3, 60
"""Budgets of one table picture."""

WARM, PLAYED = range(10), range(10, 13)
"""Seeds of the games that are drawn first, and of those that are measured."""

MOVES = 60
"""Most moves per game."""


@dataclass
class Spent:
    """Milliseconds of processor time and kilobytes of pictures."""

    first: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    private: list[float] = field(default_factory=list)  # the page with it, without the table's picture
    sizes: list[float] = field(default_factory=list)
    private_sizes: list[float] = field(default_factory=list)


def timed(work: Callable[..., Page], *args: Any) -> tuple[Page, float]:
    """Return the page that `work` makes, and the milliseconds of processor time it took."""
    begin = time.thread_time()
    made = work(*args)
    return made, (time.thread_time() - begin) * 1_000


def blank_ms(data: bytes) -> float:
    """Return how long Pillow takes to write a blank full-colour picture of the same size."""
    size = Image.open(BytesIO(data)).size
    blank, spent = Image.new("RGB", size, (24, 28, 44)), []
    for _ in range(15):
        begin = time.thread_time()
        blank.save(BytesIO(), "PNG")
        spent.append((time.thread_time() - begin) * 1_000)
    return statistics.median(spent)


def draw(screen: GameUI, seed: int, spent: Spent) -> bytes:
    """Draw a game move by move, with one person's private pictures; return the last picture."""
    game = screen.game
    seats, data = game.player_counts[-1], b""
    sitters = tuple(SeatedPlayer(Seat(seat), f"{'ABCDEF'[seat]}nn {seed}", seat + 1) for seat in range(seats))
    info = TableContext(1, sitters, game.options())
    for number, state in enumerate(play(game, seed, seats=seats).states[:MOVES]):
        if game.outcome(state) is not None:
            break
        public, own = game.view(state, None), game.view(state, Seat(0))
        page, took = timed(table_page, screen, public, info)
        board = next(iter(page.pictures()))
        data = board.data
        (spent.moved if number else spent.first).append(took)
        spent.sizes.append(len(data) / 1_000)
        page, took = timed(seat_page, screen, own, info, board)
        secret = [picture for picture in page.pictures() if picture is not board]
        if secret:
            spent.private.append(took)
            spent.private_sizes += [len(picture.data) / 1_000 for picture in secret]
    return data


def rows() -> Iterator[tuple[str, str]]:
    """Yield lines per game: table pictures, and private pictures."""
    yield "kept of packed pictures at most", f"{MAX_BYTES / 2**20:.0f} MiB"
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for package in GAMES:
            yield from pool.submit(_of, package.game.key).result()


def _of(game: str) -> list[tuple[str, str]]:
    screen = next(package.ui() for package in GAMES if package.game.key == game)
    for seed in WARM:
        draw(screen, seed, Spent())
    spent, data = Spent(), b""
    for seed in PLAYED:
        data = draw(screen, seed, spent)
    median, mean, blank = statistics.median(spent.moved), statistics.mean(spent.moved), blank_ms(data)
    slow, large = judged(median <= MOST_MS, f"{MOST_MS} ms"), judged(max(spent.sizes) <= MOST_KB, f"{MOST_KB} KB")
    found = [
        (
            game,
            (
                f"{median:.2f} ms after a move{slow}, mean {mean:.2f}, worst "
                f"{max(spent.moved):.1f}, a new table's first {statistics.median(spent.first):.1f} "
                f"({median / blank:.2f} blank ones); {statistics.median(spent.sizes):.0f} KB, largest "
                f"{max(spent.sizes):.0f} KB{large}"
            ),
        )
    ]
    if spent.private:
        median, mean = statistics.median(spent.private), statistics.mean(spent.private)
        found.append(
            (
                f"{game}, for one alone",
                (
                    f"{median:.2f} ms with its page, mean {mean:.2f}, worst "
                    f"{max(spent.private):.1f}; {statistics.median(spent.private_sizes):.0f} KB"
                ),
            )
        )
    return found
