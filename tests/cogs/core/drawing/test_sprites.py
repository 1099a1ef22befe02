"""Drawn bitmaps are cached up to a number of bytes, and not drawn again while they are cached."""

import importlib
import inspect
import pkgutil
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cachetools import LRUCache
from PIL import Image

from cogs.core.drawing import sprites
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.sprites import byte_size, drawn
from cogs.registry import GAMES

SIDE = 100


def a_bitmap(*, masked: bool = False) -> Bitmap:
    mask = Image.new("1", (SIDE, SIDE)) if masked else None
    return Bitmap(Image.new("L", (SIDE, SIDE)), mask)


EACH = byte_size(a_bitmap())


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> LRUCache[Any, Any]:
    """A cache with space for eight bitmaps."""
    found = LRUCache[Any, Any](8 * EACH, getsizeof=byte_size)
    monkeypatch.setattr(sprites, "bitmaps", found)
    return found


def test_a_bitmap_keeps_its_pixels_and_mask_at_any_place():
    assert byte_size(a_bitmap(masked=True)) - EACH == SIDE * SIDE
    assert byte_size(PlacedBitmap(a_bitmap(), 3, 4)) == EACH > SIDE * SIDE


def test_no_more_is_kept_than_there_is_room_for_and_what_is_asked_for_again_stays(cache: LRUCache[Any, Any]):
    made = list[int]()

    @drawn
    def draw(number: int) -> Bitmap:
        made.append(number)
        return a_bitmap()

    for number in range(200):
        for often in (-1, -2, -3):
            assert draw(often) is draw(often)
        draw(number)
        assert cache.currsize <= 8 * EACH
    assert made.count(-1) == made.count(-2) == made.count(-3) == 1
    assert len(made) == 203


def test_functions_share_the_room_and_none_takes_anothers_bitmap_for_its_own(cache: LRUCache[Any, Any]):
    one, two = drawn(lambda number: a_bitmap()), drawn(lambda number: a_bitmap(masked=True))
    first = one(1)
    assert two(1) is not first and one(1) is first
    assert cache.currsize == 2 * EACH + SIDE * SIDE
    for number in range(50):
        two(number)
    assert cache.currsize <= 8 * EACH
    assert one(1) is not first, "what the other one drew has taken its room"


def test_two_threads_that_draw_the_same_at_once_get_the_same_bitmap(cache: LRUCache[Any, Any]):
    both = threading.Barrier(2)

    @drawn
    def draw(number: int) -> Bitmap:
        both.wait(timeout=60)
        return a_bitmap()

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(draw, [1, 1])
    assert one is other and cache.currsize == EACH


def test_every_bitmap_that_depends_on_anything_is_kept_in_the_one_cache():
    apart = set[str]()
    for package in GAMES:
        for found in pkgutil.iter_modules(importlib.import_module(f"cogs.{package.game.key}").__path__):
            module = importlib.import_module(f"cogs.{package.game.key}.{found.name}")
            for name, function in vars(module).items():
                if hasattr(function, "cache_info") and function.__module__ == module.__name__:
                    draws = inspect.signature(function, eval_str=True)
                    if draws.return_annotation in (Bitmap, PlacedBitmap) and draws.parameters:
                        apart.add(f"{package.game.key}.{found.name}.{name}")
    grounds = {"match_five.picture._ground", "match_five.end_picture._ground"}  # cached permanently
    assert apart == grounds | {"ausbrecher.space_sprites.arrival_sprite"}  # it places what another one draws


def test_what_cannot_be_drawn_is_not_kept(cache: LRUCache[Any, Any]):
    tries = list[int]()

    @drawn
    def draw(number: int) -> Bitmap:
        if not tries:
            tries.append(number)
            raise ValueError("no such bitmap")
        return a_bitmap()

    with pytest.raises(ValueError, match="no such bitmap"):
        draw(1)
    assert cache.currsize == 0
    assert draw(1) is draw(1)
