"""The slate beside the board in Match Five's pictures: the whole board as coloured squares without letters, a frame
around the part that is shown, and at the edges of that part the places beyond it.
"""

from collections.abc import Collection, Iterator, Mapping

from cogs.core.drawing.composition import Composition
from cogs.core.drawing.theme import CHALK, INK, LAMP, Colour
from cogs.match_five import sprites
from cogs.match_five.layout import BOARD, SLATE_AREA, Where, Window, range_of
from cogs.match_five.sprites import palette
from cogs.match_five.tile_scenery import GLOW, PAINTS, Pile
from engine.games.match_five import colour_of

_INSET = 14  # of the slate's chalk from its frame
_MOST_DOT = 18.0


def paste_overview(sheet: Composition, shown: Mapping[Where, Pile], frame: Window) -> None:
    """Paste the map of the whole board: new and drafted tiles and free places are framed or lit."""
    lying = [at for at, pile in shown.items() if pile.tiles]  # what is free lies beside it
    columns, rows = range_of([x for x, _ in lying]), range_of([y for _, y in lying])
    wide, high = SLATE_AREA.width - 2 * _INSET, SLATE_AREA.height - 2 * _INSET
    dot = min(_MOST_DOT, wide / columns[1], high / rows[1])
    left = SLATE_AREA.left + (SLATE_AREA.width - dot * columns[1]) / 2
    top = SLATE_AREA.top + (SLATE_AREA.height - dot * rows[1]) / 2

    def corner(x: float, y: float) -> Where:
        """Return the lower left corner of a cell, or the upper right one of that before."""
        return round(left + dot * (x - columns[0])), round(top + dot * (rows[0] + rows[1] - y))

    lit: list[tuple[Colour, Where]] = []
    plain: list[tuple[Colour, Where]] = []
    for at, pile in shown.items():
        if pile.offer is not None and not pile.tiles:
            plain.append((GLOW, at))
            continue
        light = GLOW if pile.look == "last" or pile.offer is not None else _LIGHTS.get(pile.look)
        if light is not None:
            lit.append((light, at))
        plain.append((CHALK if pile.tiles[-1] == "w" else PAINTS[colour_of(pile.tiles[-1])], at))
    for colours, out in ((lit, 1), (plain, -1 if dot >= 5 else 0)):
        for colour, (x, y) in colours:
            (x0, y1), (x1, y0) = corner(x, y), corner(x + 1, y + 1)
            sheet.fill(palette().index(colour), (x0 - out, y0 - out, max(x1 + out, x0 + 1), max(y1 + out, y0 + 1)))
    if not frame.whole:
        (x0, y1), (x1, y0) = (
            corner(frame.left, frame.bottom),
            corner(frame.left + frame.columns, frame.bottom + frame.rows),
        )
        _paste_frame(sheet, x0, y0, x1, y1)


_LIGHTS: Mapping[str, Colour] = {"new": LAMP, "draft": CHALK}


def _paste_frame(sheet: Composition, left: int, top: int, right: int, foot: int) -> None:
    """Paste a frame of light around a part of the map, within the slate."""
    left, top = max(left, SLATE_AREA.left + 13), max(top, SLATE_AREA.top + 13)
    right = min(right, SLATE_AREA.left + SLATE_AREA.width - 13)
    foot = min(foot, SLATE_AREA.top + SLATE_AREA.height - 13)
    for colour, out, thick in ((INK, 4, 5), (CHALK, 3, 3)):
        x0, y0, x1, y1 = left - out, top - out, right + out, foot + out
        index = palette().index(colour)
        sheet.fill(index, (x0, y0, x1, y0 + thick))
        sheet.fill(index, (x0, y1 - thick, x1, y1))
        sheet.fill(index, (x0, y0, x0 + thick, y1))
        sheet.fill(index, (x1 - thick, y0, x1, y1))


def paste_pointers(sheet: Composition, offers: Mapping[Where, int], frame: Window) -> None:
    """Paste the numbers of places that the window does not show at its edges, with arrows towards them."""
    for number, x, y, dx, dy in _pointers(offers, frame):
        piece = sprites.pointer(number, dx, dy)
        sheet.paste(piece, (x - piece.width // 2, y - piece.height // 2))


def _pointers(offers: Mapping[Where, int], frame: Window) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the number of each place beyond the window, the middle of its pointer, and its direction."""
    taken: list[Where] = []
    half = sprites.POINTER // 2
    for at, number in sorted(offers.items(), key=lambda one: one[1]):
        if frame.shows(*at):
            continue
        dx = (at[0] >= frame.left + frame.columns) - (at[0] < frame.left)
        dy = (at[1] < frame.bottom) - (at[1] >= frame.bottom + frame.rows)
        left, top = frame.corner(*at)
        x = min(max(left + frame.cell // 2, BOARD.left + half), BOARD.left + BOARD.width - half)
        y = min(max(top + frame.cell // 2, BOARD.top + half), BOARD.top + BOARD.height - half)
        x, y = _free(x, y, taken, along_x=not dx)
        taken.append((x, y))
        yield number, x, y, dx, dy


def _free(x: int, y: int, taken: Collection[Where], *, along_x: bool) -> Where:
    """Return the nearest position along an edge at which a pointer hides none of those there."""
    step = sprites.POINTER - 8

    def hidden(at: Where) -> bool:
        return any(abs(at[0] - px) < step and abs(at[1] - py) < step for px, py in taken)

    for away in range(0, 8 * step, 4):
        for shift in (away, -away):
            at = (x + shift, y) if along_x else (x, y + shift)
            inside = BOARD.left <= at[0] <= BOARD.left + BOARD.width and BOARD.top <= at[1] <= BOARD.top + BOARD.height
            if inside and not hidden(at):
                return at
    return x, y
