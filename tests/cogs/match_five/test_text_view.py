"""Match Five's board as text: everything on it can be read back, however large it has grown."""

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec
import pytest

from cogs.core.i18n.translation import speaking
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import back_row
from cogs.core.publishing import components_v2
from cogs.match_five.alt_text import board_part_text
from cogs.match_five.draft import hand_of
from cogs.match_five.text_view import LEGEND, TOO_LARGE, WIDTH
from cogs.match_five.ui import MatchFiveUI
from cogs.match_five.words import place_name, read_place, stone_words, tile_words
from engine.contract import Seat
from engine.games.match_five import GAME, TILES, MatchFiveOptions, MatchFiveView, Stone, colour_of, number_of
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules
from tests.cogs.real_languages import with_notes
from tools.harness.pages import seated, text_of
from tools.harness.playouts import begin, play

UI = MatchFiveUI()

NAMED = {tile_words(tile): tile for tile in TILES}

Lying = set[tuple[Stone, bool]]
"""Stones, and whether each is locked."""


def late(seats: int, seed: int) -> Iterator[MatchFiveView]:
    """Yield the last turns of a random game with all its tiles, as their players see them."""
    for state in play(GAME, seed, seats=seats, options=MatchFiveOptions()).running[-9::4]:
        view = GAME.view(state, GAME.view(state, None).to_act[0])
        assert isinstance(view, MatchFiveView)
        yield view


def board_of(stones: Sequence[Stone]) -> MatchFiveView:
    """Return the view of a player whose board has these stones."""
    view = GAME.view(begin(GAME, 1, seats=6), Seat(0))
    assert isinstance(view, MatchFiveView)
    return msgspec.structs.replace(view, stones=tuple(stones), scores=(1_000,) * 6)


def lying(view: MatchFiveView) -> Lying:
    return {(one, one.spot in view.locked) for one in view.stones}


def stone(x: int, y: int, level: int, written: str) -> tuple[Stone, bool]:
    """Return a stone as the text shows it: the tile in words or letters, a w for a Wild, a star if locked."""
    bare = written.rstrip("w*")
    return Stone(x, y, level, NAMED.get(bare, bare), "w" in written[len(bare) :]), written.endswith("*")


def tops(text: str) -> Iterator[tuple[int, int, str]]:
    """Return the text of each place: in a grid below its column and beside its row, or in the list of a row."""
    columns: list[str] = []
    for line in unwrapped(text):
        if (row := re.match(r"row (-?\d+): (.+)$", line)) is not None:
            for entry in row[2].split(", "):
                column, cell = entry.split()
                yield int(column) - 12, int(row[1]) - 12, cell
        elif re.fullmatch(r" +(-?\d+ *)+", line):
            columns = line.split()
        elif columns and line:
            label, *cells = line.split()
            for column, cell in zip(columns, cells, strict=True):
                if cell != ".":
                    yield int(column) - 12, int(label) - 12, cell
        else:
            columns = []


def unwrapped(text: str) -> list[str]:
    """Return the lines of a text, joined with their continuation lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and re.match(r"  [a-z\d-]", line) and lines[-1].endswith(","):
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines


def read(text: str) -> Lying:
    """Parse the board of a text."""
    found: Lying = set()
    heights = {}
    for x, y, cell in tops(text):
        tile, height, signs = cell[:2], cell[2:].rstrip("w*"), cell[2:].lstrip("²³⁴⁵")
        heights[x, y] = " ²³⁴⁵".index(height or " ") + 1
        found.add(stone(x, y, heights[x, y], tile + signs))
    for line in unwrapped(text):
        if (stack := re.match(r"(-?\d+/-?\d+): (.+)$", line)) is not None:
            place = read_place(stack[1])
            assert place is not None
            tiles = [stone(*place, level, one) for level, one in enumerate(stack[2].split(", "), 1)]
            assert len(tiles) == heights[place] > 1 and tiles[-1] in found
            found.update(tiles)
    return found


def fits(text: str) -> None:
    """It is a message that Discord takes whole, and no line of it is longer than a phone is wide."""
    page = Page((Text(f"```\n{text}\n```"), back_row()), UI.colour)
    body = {"components": components_v2.Layout(page, 10**15, 10**6).to_components(), "flags": 1 << 15}
    problems = Problems()
    check_message(problems, body, MessageRules(lambda _: True, uploads=[]))
    assert not problems, problems.tree()
    assert text in str(body["components"][0]["components"][0]["content"])
    assert max(map(len, text.split("\n"))) <= WIDTH


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_tile_of_a_late_board_is_in_the_text_view_with_its_locks_and_wilds(seats: int):
    locks = wilds = stacked = 0
    for seed in range(8):
        for view in late(seats, seed):
            text = UI.text(view, seated(GAME.options(), seats))
            assert read(text) == lying(view)
            fits(text)
            assert TOO_LARGE not in text and (LEGEND in text) is bool(view.stones)
            locks, wilds = locks + len(view.locked), wilds + sum(one.wild for one in view.stones)
            stacked += sum(one.level > 1 for one in view.stones)
    assert locks > 50 and wilds > 10 and stacked > 200


def diagonal(n: int) -> tuple[int, int]:
    return (n + 1) // 2, -(n // 2)


def spread(n: int) -> tuple[int, int]:
    return n % 24, n // 24 * 6 + n % 6


def piled(places: int, height: int, where: Callable[[int], tuple[int, int]]) -> list[Stone]:
    """Return this many stacks, all of this height."""
    tiles = sorted(TILES, key=lambda tile: (number_of(tile), colour_of(tile)), reverse=True)  # the longest words first
    return [
        Stone(*where(n), level + 1, tiles[(5 * n + level) % 25], wild=level == 0)
        for n in range(places)
        for level in range(height)
    ]


@pytest.mark.parametrize(("places", "height"), [(130, 1), (65, 2), (43, 3), (26, 5)])
def test_a_board_too_large_to_draw_is_described_row_by_row_and_the_page_says_so(places: int, height: int):
    view = board_of(piled(places, height, lambda n: diagonal(n * height)))
    text = UI.text(view, seated(GAME.options(), 6, ["a long name that goes on and on"] * 6))
    assert TOO_LARGE in text and read(text) == lying(view)
    fits(text)


def test_on_a_large_board_stacks_are_abbreviated_by_letters():
    view = board_of(piled(60, 2, spread))
    text = UI.text(view, seated(GAME.options(), 6))
    assert TOO_LARGE not in text and read(text) == lying(view)
    assert not re.search("blue|orange", text.partition("\nbag ")[0])
    fits(text)


def test_an_empty_board_is_said_to_be_empty():
    text = UI.text(board_of(()), seated(GAME.options(), 6))
    assert text.startswith("The board is empty.\nbag ") and LEGEND not in text


def test_the_text_view_names_people_and_tiles_and_breaks_a_long_hand():
    (view, *_) = late(4, 1)
    text = UI.text(view, seated(GAME.options(), 4))
    assert "\nPlayer 0 " in text and "\nPlayer 3 " in text
    hand = "hand: " + ", ".join(map(tile_words, hand_of(view)))
    assert len(hand) > WIDTH and unwrapped(text)[-1] == hand


def test_the_part_of_the_board_around_a_place_marks_locks_and_wilds_too():
    for view in late(3, 2):
        for x, y in {(one.x, one.y) for one in view.stones}:
            shown = set(tops(around(view, x, y)))
            assert (x, y) in {(column, row) for column, row, _ in shown}
            assert shown <= set(tops(UI.text(view, seated(GAME.options(), 3))))


def around(view: MatchFiveView, x: int, y: int) -> str:
    text = board_part_text(view, (x, y))
    assert max(map(len, text.split("\n"))) <= WIDTH
    return text


def test_the_sign_of_a_wild_runs_into_no_word():
    stones = (Stone(0, 0, 1, "b4"), Stone(0, 0, 2, "g4", True))
    languages, _lacking = with_notes()
    for language in languages.others:
        with speaking(language):
            text = UI.text(board_of(stones), seated(GAME.options(), 6))
            (line,) = [one for one in text.split("\n") if one.startswith("12/12")]
            assert re.search(r"(\d| )w$", line), line


def test_all_stacks_are_listed_from_the_bottom_on_a_page_of_their_own():
    view = next(late(2, 1))
    page = UI.press(view, seated(GAME.options(), 2), ComponentPress(3, 0, "stacks"))
    assert isinstance(page, Page)
    lines = text_of(page).split("\n")
    places: dict[tuple[int, int], list[str]] = {}
    for one in sorted(view.stones, key=lambda one: one.level):
        sign = " (locked)" if one.spot in view.locked else ""
        places.setdefault((one.x, one.y), []).append(stone_words(one) + sign)
    stacks = {f"**{place_name(*at)}** {', '.join(tiles)}" for at, tiles in places.items() if len(tiles) > 1}
    assert set(lines[2:]) == stacks and len(stacks) > 10
    empty = UI.press(board_of(()), seated(GAME.options(), 6), ComponentPress(3, 0, "stacks"))
    assert isinstance(empty, Page) and "none yet" in text_of(empty)
