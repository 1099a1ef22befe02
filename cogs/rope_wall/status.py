"""The lines that say whose move it is, the score, and what happened last."""

from functools import lru_cache

import msgspec

from cogs.core.ops.text_format import count
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.rope_wall.words import code
from engine.contract import Seat
from engine.games.rope_wall import Opening, Pushed, RopeWallOptions, RopeWallView, Wall
from engine.games.rope_wall.wall import other


def with_winner(view: RopeWallView, info: TableContext) -> RopeWallView:
    """Return the view with the winner, which the board does not show if somebody has left the game."""
    first = info.winners(() if view.winner is None else (view.winner,))
    winner = first[0] if len(first) == 1 else None
    if view.phase != "over" or winner == view.winner:
        return view
    return msgspec.structs.replace(view, winner=winner, reason=None)


def has_interludes(info: TableContext) -> bool:
    """Return whether a pause shows how a round ended before the next one begins."""
    assert isinstance(info.options, RopeWallOptions)
    return info.options.interludes == "on"


def picture_view(view: RopeWallView, info: TableContext) -> RopeWallView:
    """Return the view for the picture.

    A new round has its own, empty wall, unless there was no pause to look at the previous one.
    """
    if view.last_wall is None or not has_interludes(info):
        return view
    return msgspec.structs.replace(view, last_wall=None, ropes=(), recent=())


def status(view: RopeWallView, info: TableContext) -> str:
    """Return whose turn it is, then the score and the round on a line each, so that what follows keeps its place."""
    out = _freed_words(info.seated_players, view.freed)
    if view.phase == "over":
        winner = with_winner(view, info).winner
        if winner is None:
            return f"**Shared** – nobody got away with it.\n-# Prisoners out: {out}"
        return f"★ {info.name(winner)} **wins!**\n-# Prisoners out: {out}"
    score = f"-# Prisoners out ({view.goal} win): {out}"
    if view.interlude is not None:
        over = "" if view.ropes else "The round was cancelled. "
        waits = interludes.waits(view.interlude, info, _begins_next(view, info))
        return f"▶ {over}Round {view.round} is over\n{score}\n{waits}"
    assert view.turn is not None
    first = f"▶ {info.to_move(view.to_act, view.seat)}"
    if view.phase == "choose":
        return f"{first}\n{score}\n-# {_choosing(view, info, view.turn)}"
    what = _remark(view, info)
    return f"{first}\n{score}\n-# Round {view.round}{f' · {what}' if what else ''}"


@lru_cache(maxsize=512)  # the same at the table and on both player pages until a prisoner gets out
def _freed_words(sitters: tuple[SeatedPlayer, ...], freed: tuple[int, ...]) -> str:
    return ", ".join(
        f"{sitter.bold}\N{NO-BREAK SPACE}**{number}**" for sitter, number in zip(sitters, freed, strict=True)
    )


def _choosing(view: RopeWallView, info: TableContext, seat: Seat) -> str:
    """Return who has won the round and still has to choose the exit."""
    who, ending = ("You", "") if seat == view.seat else (info.name(seat), "s")
    return f"{who} won round {view.round} and choose{ending} the exit"


def _remark(view: RopeWallView, info: TableContext) -> str:
    """Return a remark on the round, or an empty string.

    It says that the picture shows the previous round, that the round may soon be cancelled, why the same player pushes
    again, or who begins and why.
    """
    assert view.turn is not None
    begins = "" if view.begins is None else _begins(view, info, view.begins)
    if view.last_wall is not None and not has_interludes(info):
        return f"{begins}: the wall is empty again; the picture still shows how round {view.round - 1} ended"
    if view.full_turns_left is not None:
        return f"the wall is full: {count(view.full_turns_left, 'turn')} until the round is cancelled"
    waiting = other(view.turn)
    if not view.hands[waiting]:
        who = "you have" if waiting == view.seat else f"{info.name(waiting)} has"
        return f"{who} no knot left: no turn until one falls out"
    if view.pushes_left is not None and view.pushes_left <= 10:
        return f"{count(view.pushes_left, 'push', 'pushes')} until the round is cancelled"
    return begins


def _begins(view: RopeWallView, info: TableContext, seat: Seat) -> str:
    """Return who begins a round without a push so far, and why. R18, R19, D10."""
    who = "you begin" if seat == view.seat else f"{info.name(seat)} begins"
    if view.round == 1:
        return f"{who}, drawn by lot"
    return f"{who} again" if view.cancelled else f"{who}, having lost round {view.round - 1}"


def _begins_next(view: RopeWallView, info: TableContext) -> str:
    """Return who begins the round after the finished one, and why. R19, D10."""
    seat, number = view.begins, view.round + 1
    assert seat is not None
    who, ending = ("You", "") if seat == view.seat else (info.name(seat), "s")
    if view.cancelled:
        return f"{who} begin{ending} round {number}, as the one before,"
    return f"{who} lost and begin{ending} round {number}"


def news(view: RopeWallView, info: TableContext) -> str:
    """Return what happened last."""
    lines: list[str] = []
    lines += [_pushed(push, info.seated_players) for push in view.recent]
    if view.last_wall is not None:
        begins = "" if view.phase == "over" else " A new round begins."
        lines.append(f"{_how_it_ended(view, view.last_wall, info)}{begins}")
    elif view.phase != "push" and (view.ropes or view.phase == "interlude"):
        lines.append(_how_it_ended(view, view.wall, info))
    if view.phase == "over" and view.winner is not None and view.reason == "resigned":
        lines.append(f"{info.name(other(view.winner))} resigned.")
    elif view.reason == "cancelled":
        lines.append(f"{view.cancelled} rounds in a row were cancelled, which ends the game.")
    return "\n".join(f"-# {line}" for line in lines[-2:])


@lru_cache(maxsize=512)  # the same until the next push
def _pushed(push: Pushed, sitters: tuple[SeatedPlayer, ...]) -> str:
    words = f"{sitters[push.seat].bold} pushed {code(Opening(push.floor, push.side))}"
    if push.fell is not None:
        words += f"; a knot of {sitters[push.fell].bold} fell out on the other side"
    return words


def _how_it_ended(view: RopeWallView, wall: Wall, info: TableContext) -> str:
    if not view.ropes:
        return "Nobody finished a rope in time: the round was cancelled."
    floor, column = view.ropes[0][0]
    winner = wall[floor - 1][column - 1]
    assert winner is not None  # knots are drawn over the strands of a rope
    if view.phase == "choose":
        return f"{info.name(winner)} finished a rope."
    freed = "two ropes, and two prisoners are" if len(view.ropes) == 2 else "a rope, and a prisoner is"
    return f"{info.name(winner)} finished {freed} out."
