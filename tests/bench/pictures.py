"""How long a table's picture takes and how large it is, beside a blank one of the same size."""

import statistics
import time
from collections.abc import Callable, Iterator
from io import BytesIO

from PIL import Image

from cogs.core.messages.cockpit import table_page
from cogs.core.screen import Screen, Sitter, TableInfo
from engine.contract import Seat
from engine.players import LEVELS
from tests.bench.budgets import judged
from tests.engine.playouts import play

MOST_MS, MOST_KB = 3, 60
"""Budgets of one table picture."""

VIEWS = 40


def median_ms(work: Callable[[], object], times: int = 3) -> float:
    """Return the median duration of `work` in milliseconds."""
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        spent.append((time.perf_counter() - begin) * 1_000)
    return statistics.median(spent)


def blank_ms(data: bytes) -> float:
    """Return how long Pillow needs to write a blank picture in full colour of the same size."""
    size = Image.open(BytesIO(data)).size
    blank = Image.new("RGB", size, (24, 28, 44))
    return median_ms(lambda: blank.save(BytesIO(), "PNG"), 15)


def rows(screens: list[Screen]) -> Iterator[tuple[str, str]]:
    """Yield a line for each game: the pictures of its table page over the states of random games."""
    for screen in screens:
        games = [play(screen.game, seed, seats=screen.game.seats[-1]) for seed in range(4)]
        states = [state for game in games for state in game.states]
        states = states[:: max(1, len(states) // VIEWS)]
        sitters = tuple(Sitter(Seat(seat), f"Player {seat}", None, LEVELS[0]) for seat in range(screen.game.seats[-1]))
        card = TableInfo(1, sitters, screen.game.options())
        views = [screen.game.view(state, None) for state in states]
        for view in views:  # the fixed layers and sprites are drawn once in the life of a bot
            table_page(screen, view, card)
        spent, pictures = [], []
        for view in views:
            begin = time.perf_counter()
            page = table_page(screen, view, card)
            spent.append((time.perf_counter() - begin) * 1_000)
            pictures += [picture.data for picture in page.pictures()]
        median, sizes, blank = statistics.median(spent), [len(data) / 1_000 for data in pictures], blank_ms(pictures[0])
        slow, large = judged(median <= MOST_MS, f"{MOST_MS} ms"), judged(max(sizes) <= MOST_KB, f"{MOST_KB} KB")
        yield (
            screen.game.key,
            (
                f"{median:.1f} ms{slow}, worst {max(spent):.1f} ms ({median / blank:.1f} blank ones); "
                f"{statistics.median(sizes):.0f} KB, largest {max(sizes):.0f} KB"
                f"{large}"
            ),
        )
