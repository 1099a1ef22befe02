"""The board of Match Five as text, for players who cannot see its picture: every tile, also below others.

Lines are as long as a phone shows them in a code block; a wider board is split into several parts, one below the other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import figure
from cogs.core.pages.display_names import shortened
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import RESERVED, TEXT_LIMIT
from cogs.match_five.layout import Where
from cogs.match_five.words import column_name, place_name, row_name, stone_words, tile_words
from engine.games.match_five import MatchFiveView, Spot, Stone, Tile

WIDTH = 34
"""The characters per line that a phone fits in a code block."""

MOST_CHARACTERS = TEXT_LIMIT - RESERVED
"""The most characters of a table's text, which is one message."""

LEGEND = N_("* locked  w Wild  ² stack of two")
"""The legend of the signs after a tile."""

TOO_LARGE = N_("Too large to draw. Row by row,\neach tile after its column:")
"""Shown instead of a board that is too large for a message."""

_RAISED = ("", "²", "³", "⁴", "⁵")

Stacks = Mapping[Where, Sequence[Stone]]
"""The tiles of each place, from the bottom."""


def table_text(view: MatchFiveView, info: TableContext) -> str:
    """Return the board, every stack, the totals and the reader's own hand, in the most legible form that fits a
    message.
    """
    lying, behind = stacks_of(view.stones), _signs(view)
    about = [_("bag {number}", number=view.bag), *_totals(view, info)]
    own = None if view.seat is None else view.hands[view.seat]
    if own is not None:
        about += _wrapped(_("hand:"), list(map(tile_words, sorted(own))) or [_("no tiles")])
    words, short = _stack_lines(lying, behind, tile_words), _stack_lines(lying, behind, str)
    drawn = [_(LEGEND), *grid(view, *_ranges(lying))] if lying else [_("The board is empty.")]
    for board, stacks in ((drawn, words), (drawn, short)):
        text = "\n".join([*board, *stacks, *about])
        if len(text) <= MOST_CHARACTERS:
            return text
    return "\n".join([_(LEGEND), _(TOO_LARGE), *_rows(lying, behind), *short, *about])


def stacks_of(stones: Sequence[Stone]) -> dict[Where, tuple[Stone, ...]]:
    """Return the tiles of each occupied place, from the bottom: column by column, each from below."""
    found: dict[Where, tuple[Stone, ...]] = {}
    for one in sorted(stones, key=lambda stone: stone.spot):
        at = one.x, one.y
        found[at] = (*found.get(at, ()), one)
    return found


def stack_lines(view: MatchFiveView) -> Iterator[str]:
    """Yield every stack as a sentence in Discord's markdown: its place and its tiles, from the bottom."""
    locked = set(view.locked)
    for at, stack in stacks_of(view.stones).items():
        if len(stack) > 1:
            tiles = [
                _("{tile} (locked)", tile=stone_words(one)) if one.spot in locked else stone_words(one) for one in stack
            ]
            yield f"**{place_name(*at)}** {', '.join(tiles)}"


def grid(view: MatchFiveView, columns: range, rows: range) -> list[str]:
    """Return these columns and rows of the board as lines, split into parts with an empty line after each if they are
    too wide.

    A tile is its letter and number, such as r3, followed by its stack's height and signs.
    """
    lying, behind = stacks_of(view.stones), _signs(view)
    margin = max(len(row_name(y)) for y in (rows[0], rows[-1]))
    drawn = {x: [_cell(lying.get((x, y)), behind) for y in reversed(rows)] for x in columns}
    wide = {x: max(len(column_name(x)), *map(len, cells)) for x, cells in drawn.items()}
    lines: list[str] = []
    for part in _parts(wide, WIDTH - margin):
        lines.append(" " * margin + "".join(f" {column_name(x):<{wide[x]}}" for x in part).rstrip())
        for place, y in enumerate(reversed(rows)):
            cells = "".join(f" {drawn[x][place]:<{wide[x]}}" for x in part)
            lines.append(f"{row_name(y):>{margin}}{cells}".rstrip())
        lines.append("")
    return lines


def _parts(wide: Mapping[int, int], available: int) -> Iterator[list[int]]:
    """Yield the columns of each part, given the width of every column."""
    part: list[int] = []
    left = available
    for x, width in wide.items():
        if part and width + 1 > left:
            yield part
            part, left = [], available
        part.append(x)
        left -= width + 1
    yield part


def _ranges(lying: Stacks) -> tuple[range, range]:
    """Return the range of columns and of rows in which tiles lie."""
    across, down = [x for x, _ in lying], [y for _, y in lying]
    return range(min(across), max(across) + 1), range(min(down), max(down) + 1)


def _signs(view: MatchFiveView) -> dict[Spot, str]:
    """Return the signs after each tile."""
    locked = set(view.locked)
    return {one.spot: f"{'w' if one.wild else ''}{'*' if one.spot in locked else ''}" for one in view.stones}


def _cell(stack: Sequence[Stone] | None, behind: Mapping[Spot, str]) -> str:
    return f"{stack[-1].tile}{_RAISED[len(stack) - 1]}{behind[stack[-1].spot]}" if stack else "."


def _stack_lines(lying: Stacks, behind: Mapping[Spot, str], called: Callable[[Tile], str]) -> list[str]:
    """Return every stack as lines, its tiles from the bottom, each as `called` names it."""
    lines = [_("stacks, each from the bottom:")]
    for at, stack in lying.items():
        if len(stack) > 1:
            lines += _wrapped(f"{place_name(*at)}:", [_signed(called(one.tile), behind[one.spot]) for one in stack])
    return lines if len(lines) > 1 else []


def _signed(words: str, signs: str) -> str:
    """Return a tile with its signs, which a letter must not run into."""
    return f"{words} {signs}" if words[-1:].isalpha() and signs[:1].isalpha() else f"{words}{signs}"


def _rows(lying: Stacks, behind: Mapping[Spot, str]) -> Iterator[str]:
    """Yield the top tiles as lines, row by row from the top, without empty places."""
    rows: dict[int, list[str]] = {}
    for y, x in sorted(((y, x) for x, y in lying), key=lambda at: (-at[0], at[1])):
        rows.setdefault(y, []).append(f"{column_name(x)} {_cell(lying[x, y], behind)}")
    for y, tiles in rows.items():
        yield from _wrapped(_("row {row}:", row=row_name(y)), tiles)


def _totals(view: MatchFiveView, info: TableContext) -> Iterator[str]:
    for name, score in zip(info.distinct_names, view.scores, strict=True):
        points = figure(score)
        yield f"{shortened(name, WIDTH - len(points) - 1)} {points}"


def _wrapped(head: str, things: Sequence[str]) -> Iterator[str]:
    """Yield a heading and items, separated by commas, wrapped into lines without splitting an item."""
    line = head
    for thing in [*(f"{one}," for one in things[:-1]), *things[-1:]]:
        if len(line) + 1 + len(thing) > WIDTH:
            yield line
            line = " "
        line = f"{line} {thing}"
    yield line
