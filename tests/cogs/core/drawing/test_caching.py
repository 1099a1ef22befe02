"""What was drawn is kept within its room, and what is asked for again and again is not drawn again."""

import importlib
import inspect
import pkgutil
import threading
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cogs.core.drawing.caching import JOINED, Cache, weight
from cogs.core.drawing.sheets import Piece, Sprite
from cogs.registry import GAMES

SIDE = 100


def a_piece(*, masked: bool = False) -> Piece:
    mask = Image.new("1", (SIDE, SIDE)) if masked else None
    return Piece(Image.new("L", (SIDE, SIDE)), mask)


EACH = weight(a_piece())


def test_a_piece_weighs_its_pixels_and_its_mask_wherever_it_lies():
    assert weight(a_piece(masked=True)) - EACH == SIDE * SIDE
    assert weight(Sprite(a_piece(), 3, 4)) == EACH > SIDE * SIDE


@given(asked=st.lists(st.integers(0, 20)), room=st.integers(0, 9))
def test_no_more_is_kept_than_there_is_room_for_and_what_is_kept_is_one_piece(asked: list[int], room: int):
    cache, made = Cache(room * EACH), dict[int, list[Piece]]()

    @cache.drawn
    def draw(number: int) -> Piece:
        made.setdefault(number, []).append(a_piece())
        return made[number][-1]

    for number in asked:
        assert draw(number) is made[number][-1]
        assert cache.held <= room * EACH and cache.held % EACH == 0
    if len(set(asked)) <= room:
        assert all(len(pieces) == 1 for pieces in made.values())
        assert cache.held == len(made) * EACH
    cache.clear()
    assert cache.held == 0


def test_what_is_asked_for_again_and_again_stays_however_much_else_is_drawn():
    cache, made = Cache(16 * EACH), list[int]()

    @cache.drawn
    def draw(number: int) -> Piece:
        made.append(number)
        return a_piece()

    for number in range(200):
        for often in (-1, -2, -3):
            draw(often)
        draw(number)
    assert made.count(-1) == made.count(-2) == made.count(-3) == 1
    assert len(made) == 203


def test_functions_share_the_room_and_none_takes_anothers_piece_for_its_own():
    cache = Cache(8 * EACH)
    one, two = cache.drawn(lambda number: a_piece()), cache.drawn(lambda number: a_piece(masked=True))
    first = one(1)
    assert two(1) is not first and one(1) is first
    assert cache.held == 2 * EACH + SIDE * SIDE
    for number in range(50):
        two(number)
    assert cache.held <= 8 * EACH
    assert one(1) is not first, "what the other one drew has taken its room"


def test_nothing_that_was_put_together_holds_pieces_that_are_gone():
    cache, joined = Cache(8 * EACH), list[int]()
    draw = cache.drawn(lambda number: a_piece())

    @cache.joined
    def pair(number: int) -> tuple[Piece, Piece]:
        joined.append(number)
        return draw(number), draw(number + 1)

    first = pair(0)
    assert pair(0) is first and joined == [0]
    for number in range(10, 30):
        draw(number)
    assert all(mine is kept for mine, kept in zip(pair(0), (draw(0), draw(1)), strict=True))
    assert joined == [0, 0]


def test_two_threads_that_draw_the_same_at_once_get_the_same_piece():
    cache, both = Cache(8 * EACH), threading.Barrier(2)

    @cache.drawn
    def draw(number: int) -> Piece:
        both.wait(timeout=60)
        return a_piece()

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(draw, [1, 1])
    assert one is other and cache.held == EACH


def test_every_piece_that_depends_on_anything_is_kept_in_the_one_room():
    apart = set[str]()
    for package in GAMES:
        for found in pkgutil.iter_modules(importlib.import_module(f"cogs.{package.game.key}").__path__):
            module = importlib.import_module(f"cogs.{package.game.key}.{found.name}")
            for name, function in vars(module).items():
                if hasattr(function, "cache_info") and function.__module__ == module.__name__:
                    draws = inspect.signature(function, eval_str=True)
                    if draws.return_annotation in (Piece, Sprite) and draws.parameters:
                        apart.add(f"{package.game.key}.{found.name}.{name}")
    assert apart == {"match_five.picture._ground", "match_five.ending._ground"}, "these are kept for good: grounds"


def test_what_cannot_be_drawn_is_not_kept():
    cache = Cache(8 * EACH)

    @cache.drawn
    def draw(number: int) -> Piece:
        if not tries:
            tries.append(number)
            raise ValueError("no such piece")
        return a_piece()

    tries: list[int] = []
    try:
        draw(1)
    except ValueError:
        assert cache.held == 0
    assert draw(1) is draw(1)


def test_what_is_put_together_is_kept_of_each_function_up_to_a_number_the_youngest():
    cache, made = Cache(1 << 20), list[int]()

    @cache.joined
    def join(number: int) -> str:
        made.append(number)
        return str(number)

    for number in (*range(JOINED), 0, JOINED - 1):
        assert join(number) == str(number)
    assert made == list(range(JOINED))
    assert (join(JOINED), join(0)) == (str(JOINED), "0")
    assert made[JOINED:] == [JOINED, 0]
    assert (join(JOINED), join(2)) == (str(JOINED), "2") and len(made) == JOINED + 2
