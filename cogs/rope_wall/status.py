"""The lines that say whose move it is, the score, and what happened last."""

import msgspec

from cogs.core.i18n.translation import _, ngettext
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
        first = _("**Shared win!**") if winner is None else _("{winner} **wins!**", winner=info.name(winner))
        return f"★ {first}\n" + _("-# Prisoners out: {score}", score=out)
    score = _("-# Prisoners out ({goal} to win): {score}", goal=view.goal, score=out)
    if view.interlude is not None:
        if view.ropes:
            first = _("Round {number} is over", number=view.round)
        else:
            first = _("Round {number} was cancelled", number=view.round)
        return f"▶ {first}\n{score}\n{interludes.waits(view.interlude, info, _begins_next(view, info))}"
    assert view.turn is not None
    first = f"▶ {info.to_move(view.to_act, view.seat)}"
    if view.phase == "choose":
        return f"{first}\n{score}\n-# {_choosing(view, info, view.turn)}"
    third = " · ".join([_("Round {number}", number=view.round), *_remarks(view, info)])
    return f"{first}\n{score}\n-# {third}"


def _freed_words(players: tuple[SeatedPlayer, ...], freed: tuple[int, ...]) -> str:
    return ", ".join(
        f"{player.bold}\N{NO-BREAK SPACE}**{number}**" for player, number in zip(players, freed, strict=True)
    )


def _choosing(view: RopeWallView, info: TableContext, seat: Seat) -> str:
    """Return who has won the round and still has to choose the exit."""
    if seat == view.seat:
        return _("You won round {number} and choose the exit", number=view.round)
    return _("{name} won round {number} and chooses the exit", name=info.name(seat), number=view.round)


def _remarks(view: RopeWallView, info: TableContext) -> list[str]:
    """Return what else to say about the round: that the picture shows the previous round, that the round may soon be
    cancelled, why the same player pushes again, or who starts and why.
    """
    assert view.turn is not None
    begins = [] if view.begins is None else [_begins(view, info, view.begins)]
    if view.last_wall is not None and not has_interludes(info):
        empty = _("the wall is empty; the picture still shows how round {number} ended", number=view.round - 1)
        return [*begins, empty]
    if view.full_turns_left is not None:
        return [
            ngettext(
                "the wall is full: {n} turn until the round is cancelled",
                "the wall is full: {n} turns until the round is cancelled",
                view.full_turns_left,
            )
        ]
    waiting = other(view.turn)
    if not view.hands[waiting]:
        if waiting == view.seat:
            return [_("you have no knots left, and no turn until one falls out")]
        return [_("{name} has no knots left, and no turn until one falls out", name=info.name(waiting))]
    if view.pushes_left is not None and view.pushes_left <= 10:
        return [
            ngettext(
                "{n} push until the round is cancelled", "{n} pushes until the round is cancelled", view.pushes_left
            )
        ]
    return begins


def _begins(view: RopeWallView, info: TableContext, seat: Seat) -> str:
    """Return who starts a round without a push so far, and why. R18, R19, D10."""
    yours, name, lost = seat == view.seat, info.name(seat), view.round - 1
    if view.round == 1:
        return _("you start (drawn at random)") if yours else _("{name} starts (drawn at random)", name=name)
    if view.cancelled:
        return _("you start again") if yours else _("{name} starts again", name=name)
    if yours:
        return _("you start because you lost round {number}", number=lost)
    return _("{name} starts after losing round {number}", name=name, number=lost)


def _begins_next(view: RopeWallView, info: TableContext) -> str:
    """Return who starts the round after the finished one, and why. R19, D10."""
    seat, number = view.begins, view.round + 1
    assert seat is not None
    yours, name = seat == view.seat, info.name(seat)
    if view.cancelled:
        if yours:
            return _("You also start round {number}", number=number)
        return _("{name} also starts round {number}", name=name, number=number)
    if yours:
        return _("You lost and start round {number}", number=number)
    return _("{name} lost and starts round {number}", name=name, number=number)


def news(view: RopeWallView, info: TableContext) -> str:
    """Return what happened last; nothing when a round begins after a pause, in which everybody has seen it: the
    headline still says how the last one ended.
    """
    if view.phase == "push" and view.last_wall is not None and has_interludes(info):
        return ""
    lines: list[str] = []
    lines += [_pushed(push, info.seated_players) for push in view.recent]
    if view.last_wall is not None:
        ended = _how_it_ended(view, view.last_wall, info)
        lines.append(ended if view.phase == "over" else f"{ended} " + _("A new round starts."))
    elif view.phase != "push" and (view.ropes or view.phase == "interlude"):
        lines.append(_how_it_ended(view, view.wall, info))
    if view.phase == "over" and view.winner is not None and view.reason == "resigned":
        lines.append(_("{name} resigned.", name=info.name(other(view.winner))))
    elif view.reason == "cancelled":
        lines.append(
            ngettext(
                "{n} round was cancelled, which ends the game.",
                "{n} rounds in a row were cancelled, which ends the game.",
                view.cancelled,
            )
        )
    return "\n".join(f"-# {line}" for line in lines[-2:])


def _pushed(push: Pushed, players: tuple[SeatedPlayer, ...]) -> str:
    name, opening = players[push.seat].bold, code(Opening(push.floor, push.side))
    if push.fell is None:
        # Translators: "pushed L3": put a knot into the opening L3.
        return _("{name} pushed {opening}", name=name, opening=opening)
    if push.fell == push.seat:
        return _("{name} pushed {opening}; their own knot fell out on the other side", name=name, opening=opening)
    return _(
        "{name} pushed {opening}; {owner}'s knot fell out on the other side",
        name=name,
        opening=opening,
        owner=players[push.fell].bold,
    )


def _how_it_ended(view: RopeWallView, wall: Wall, info: TableContext) -> str:
    if not view.ropes:
        return _("No one finished a rope in time: the round was cancelled.")
    floor, column = view.ropes[0][0]
    winner = wall[floor - 1][column - 1]
    assert winner is not None  # knots are drawn over the strands of a rope
    if view.phase == "choose":
        return _("{name} finished a rope.", name=info.name(winner))
    if len(view.ropes) == 2:
        return _("{name} finished two ropes: two prisoners are out.", name=info.name(winner))
    return _("{name} finished a rope: a prisoner is out.", name=info.name(winner))
