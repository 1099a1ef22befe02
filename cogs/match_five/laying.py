"""The panel on which a play is put together: a tile, a place for it, and again, with the points so far.

What is put together travels in the controls' argument, so the panel survives a restart and keeps nothing: the tiles
laid so far, written as people write them, a semicolon, the tile chosen next, a semicolon, the page of places. May
import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cogs.core.messages.page import Block, Button, Choice, Page, Picture, Row, Select, Text
from cogs.match_five import picture
from cogs.match_five.words import (
    column_name,
    count,
    hand_words,
    place_name,
    read_play,
    row_name,
    stone_words,
    tile_words,
    written,
)
from engine.contract import Refusal
from engine.games.match_five import (
    TILES,
    WILD,
    Board,
    Laying,
    MatchFiveView,
    Places,
    Stone,
    Tile,
    Verdict,
    handfuls,
    in_one_line,
    judge_play,
    singles,
)

PAGE = 24
"""Places on one page: a select takes 25."""


@dataclass(frozen=True)
class Draft:
    """A play that is being put together: tiles with their places, the tile chosen next, the page of its places."""

    layings: tuple[Laying, ...] = ()
    tile: Tile | None = None
    page: int = 0

    def argument(self) -> str:
        """Return it as an argument."""
        return f"{' '.join(map(written, self.layings))};{self.tile or ''};{self.page}"


def read_draft(argument: str, view: MatchFiveView) -> Draft | None:
    """Return the draft that an argument holds, None if it is none. Whether it may be played is another question."""
    parts = argument.split(";")
    if len(parts) != 3 or not (parts[2].isascii() and parts[2].isdecimal() and len(parts[2]) < 4):
        return None
    layings = read_play(parts[0], view.stones)
    if layings is None or (parts[1] and parts[1] != WILD and parts[1] not in TILES):
        return None
    return Draft(layings, parts[1] or None, int(parts[2]))


def stone_of(laying: Laying) -> Stone:
    """Return a tile as it would lie."""
    return Stone(laying.x, laying.y, laying.level, laying.wild_as or laying.tile, laying.tile == WILD)


def left_of(view: MatchFiveView, draft: Draft) -> list[Tile]:
    """Return what is still in hand."""
    own = None if view.seat is None else view.hands[view.seat]
    left = list(own or ())
    for laying in draft.layings:
        if laying.tile in left:
            left.remove(laying.tile)
    return left


def fits(view: MatchFiveView, layings: Sequence[Laying]) -> bool:
    """Say whether these tiles can be laid one after the other, whoever holds them."""
    return not layings or _verdict(view, layings) is not None


def points_of(view: MatchFiveView, layings: Sequence[Laying]) -> int:
    """Return what a play scores; 0 for one that cannot be laid."""
    verdict = _verdict(view, layings)
    return 0 if verdict is None else verdict.points


def _verdict(view: MatchFiveView, layings: Sequence[Laying]) -> Verdict | None:
    """Return what these tiles bring, whoever holds them and in however many lines; None if they cannot be laid."""
    hand = [laying.tile for laying in layings]
    try:
        return judge_play(view.stones, hand, layings, view.bonus, one_line=False)
    except Refusal:
        return None


def spots(view: MatchFiveView, draft: Draft) -> list[tuple[int, Laying]]:
    """Return every place for the chosen tile, with what the whole play would score then, the most first."""
    if draft.tile is None:
        return []
    if draft.tile == WILD and any(laying.tile == WILD for laying in draft.layings):
        return []
    board = Board(view.stones)
    before = sum(board.lay(stone_of(laying), view.bonus) for laying in draft.layings)
    found = []
    for points, laying in singles(Places(board, view.bonus), (draft.tile,)):
        (one,) = laying
        if view.placement == "free" or _in_line(board, draft, stone_of(one)):
            found.append((before + points, one))
    return sorted(found, key=lambda one: (-one[0], one[1].x, -one[1].y, one[1].wild_as or ""))


def swaps(view: MatchFiveView) -> list[tuple[Tile, ...]]:
    """Return what the reader can give back now: each handful of their tiles once, no more than the bag holds."""
    if view.seat is None or view.turn != view.seat:
        return []
    return list(handfuls(left_of(view, Draft()), view.bag))


def _in_line(board: Board, draft: Draft, stone: Stone) -> bool:
    after = board.copy()
    after.lay(stone, 0)
    return in_one_line(after, [*map(stone_of, draft.layings), stone])


def panel(view: MatchFiveView, draft: Draft, colour: int) -> Page:
    """Return the panel."""
    return Page(tuple(blocks(view, draft)), colour)


def blocks(view: MatchFiveView, draft: Draft) -> list[Block]:
    """Return the panel's parts."""
    left = left_of(view, draft)
    ghosts = [stone_of(laying) for laying in draft.layings]
    laid = ", ".join(f"{stone_words(one)} at {place_name(one.x, one.y)}" for one in ghosts)
    points = points_of(view, draft.layings)
    if laid:
        head = f"### Your play: {count(points, 'point')} so far\n{laid}"
    else:
        head = (
            "### Your play\nChoose a tile, then a place for it. Places are lettered and numbered on the board's edges."
        )
    alt = f"The board with your tiles on it: {laid or 'none yet'}. In your hand: {hand_words(left)}."
    parts: list[Block] = [Text(head), Picture(picture.draw(view, ghosts, left), "play.png", alt[:1_000])]
    if left:
        parts.append(_tiles(left, draft))
    if draft.tile is not None:
        parts += _places(view, draft)
    parts.append(
        Row(
            (
                Button(
                    f"Lay for {count(points, 'point')}" if laid else "Lay",
                    "lay",
                    Draft(draft.layings).argument(),
                    style="success",
                    disabled=not laid,
                ),
                Button("Take back", "draft", Draft(draft.layings[:-1]).argument() + ";back", disabled=not laid),
                Button("Swap tiles", "swap", disabled=not view.bag),
                Button("Pass", "pass", disabled=bool(view.bag)),
            )
        )
    )
    return parts


def _tiles(left: Sequence[Tile], draft: Draft) -> Select:
    choices = tuple(
        Choice(
            tile_words(tile) + (f" ×{left.count(tile)}" if left.count(tile) > 1 else ""),
            tile,
            chosen=tile == draft.tile,
        )
        for tile in sorted(set(left))
    )
    return Select("tile", choices, "Which tile?", Draft(draft.layings).argument())


def _places(view: MatchFiveView, draft: Draft) -> list[Block]:
    found = spots(view, draft)
    assert draft.tile is not None
    if not found:
        return [Text(f"-# There is no place for {tile_words(draft.tile)} now.")]
    pages = -(-len(found) // PAGE)
    page = min(draft.page, pages - 1)
    here = found[page * PAGE : (page + 1) * PAGE]
    choices = tuple(
        Choice(_place_label(view, points, laying), written(laying), _level_words(laying)) for points, laying in here
    )
    more = f", page {page + 1} of {pages}" if pages > 1 else ""
    parts: list[Block] = [
        Select("place", choices, f"Where? {count(len(found), 'place')}{more}", Draft(draft.layings).argument())
    ]
    if pages > 1:
        turned = [Draft(draft.layings, draft.tile, number).argument() for number in (max(page - 1, 0), page + 1)]
        parts.append(
            Row(
                (
                    Button("◀ Better", "draft", turned[0] + ";up", disabled=page == 0),
                    Button("More places ▶", "draft", turned[1] + ";down", disabled=page == pages - 1),
                )
            )
        )
    return parts


def _place_label(view: MatchFiveView, points: int, laying: Laying) -> str:
    stands_for = f" as {tile_words(laying.wild_as)}" if laying.wild_as is not None else ""
    return f"{column_name(laying.x)}{row_name(laying.y)}{stands_for} – {count(points, 'point')} in all"


def _level_words(laying: Laying) -> str | None:
    return None if laying.level == 1 else f"on top of {count(laying.level - 1, 'tile')}"
