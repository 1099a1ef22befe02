"""Map each move to a slash command and to presses of controls."""

import random
from collections.abc import Iterator
from typing import Any

from cogs.match_five.words import written
from engine.contract import Action, AnyGame, Seat
from engine.games import ausbrecher, break_out, match_five, prison_break, rope_wall
from engine.turns import Ready

Command = tuple[str, dict[str, int | str | bool]]
"""The name of a slash command and its options."""

Press = tuple[str, str | None]
"""The end of a control's custom_id, and the chosen value if it is a select."""

OPTIONS: dict[str, dict[str, int | str | bool]] = {
    "ausbrecher": {},
    "break_out": {"rounds": 1, "referee": "strict", "interludes": "off"},
    "match_five": {"copies": 3},
    "prison_break": {"round_limit": 5, "interludes": "off"},
    "rope_wall": {"interludes": "off"},
}
"""Options of each game's tables, so that nothing waits for a clock."""

PEOPLE = {"prison_break": 3}
"""Seats per game, if not two."""


def chosen(game: AnyGame, state: Any, seat: Seat, dice: random.Random) -> Action:
    """Return a legal move that has a slash command."""
    legal = list(_considered(game, state, seat))
    return dice.choice(legal)


def _considered(game: AnyGame, state: Any, seat: Seat) -> Iterator[Action]:
    """Yield moves without resignations: in Break-Out drawing, then NEXT; in Match Five only the longest plays."""
    legal = [action for action in game.legal(state, seat) if action.counts_as_move or isinstance(action, Ready)]
    if game.key == "break_out":
        wanted = next(kind for kind in (break_out.Draw, break_out.Next, Ready) if _any(legal, kind))
        legal = [action for action in legal if isinstance(action, wanted)]
    if game.key == "match_five" and (plays := [action for action in legal if isinstance(action, match_five.Play)]):
        longest = max(len(play.layings) for play in plays)
        legal = [play for play in plays if len(play.layings) == longest]
    yield from legal


def _any(actions: list[Action], kind: type[Action]) -> bool:
    return any(isinstance(action, kind) for action in actions)


def command(game: AnyGame, action: Action) -> Command:
    """Return the slash command for a move. Raises ValueError if there is none."""
    name = game.key.replace("_", "-")
    match action:
        case Ready():
            return f"{name} ready", {}
        case rope_wall.Push(floor, side):
            return f"{name} push", {"floor": floor, "side": side}
        case rope_wall.ChooseExits(columns):
            return f"{name} exit", {"exits": " ".join(map(str, columns))}
        case ausbrecher.Forecast(crews):
            boats = ausbrecher.COLOURS
            named = {
                f"boat{boat}": " ".join(c for c, own in zip(boats, crews, strict=True) if own == boat)
                for boat in (1, 2, 3)
            }
            return f"{name} forecast", dict(named)
        case ausbrecher.Roll(colours, white):
            return f"{name} roll", {"dice": " ".join(colours), "white": white}
        case ausbrecher.Resolve(colour):
            return f"{name} move", {"prisoner": colour}
        case ausbrecher.Replace(colour):
            return f"{name} back", {"prisoner": colour}
        case match_five.Play(layings):
            return f"{name} play", {"tiles": " ".join(map(written, layings))}
        case match_five.Swap(tiles):
            return f"{name} swap", {"tiles": " ".join(tiles)}
        case match_five.Pass() | prison_break.Pass():
            return f"{name} pass", {}
        case break_out.Draw():
            return f"{name} draw", {}
        case break_out.Next():
            return f"{name} next", {}
        case prison_break.Sneak(declare, move):
            return f"{name} sneak", {"say": declare, "go": move}
        case prison_break.Offer(card, first, second):
            return f"{name} offer", {"offer": card, "first": first, "second": second}
        case prison_break.Decline():
            return f"{name} decline", {}
        case prison_break.Vote(accept):
            return f"{name} vote", {"vote": "accept" if accept else "reject"}
        case prison_break.Guard(space):
            return f"{name} guard", {"space": space}
    raise ValueError(f"there is no command for {action}")


def presses(action: Action) -> list[Press]:
    """Return the presses that make a move, starting on the table message; a private page may start with the second.
    Empty if the controls depend on the state, as for tiles and places.
    """
    match action:
        case rope_wall.Push(floor, side):
            return [(f":push:{side[0].upper()}{floor}", None)]
        case ausbrecher.Roll(colours, white, back):
            dice = [colour[0].upper() for colour in (colours if back is None else (*colours, back))]
            chosen = ["".join(dice[: number + 1]) for number in range(len(dice))]
            codes = ["", *(["W", *(code + "W" for code in chosen)] if white else chosen)]
            return [(f":dice:{code}", None) for code in codes]
        case ausbrecher.Resolve(colour):
            return [(f":move:{colour}", None)]
        case ausbrecher.Replace(colour):
            return [(f":replace:{colour}", None)]
        case break_out.Draw():
            return [(":draw:", None)]
        case break_out.Next():
            return [(":next:", None)]
        case prison_break.Sneak(declare, move):
            return [(f":sneak:{declare}.{move}", None)]
        case prison_break.Vote(accept):
            return [(f":vote:{'accept' if accept else 'reject'}", None)]
        case prison_break.Guard(space):
            return [(":guard:", str(space))]
        case prison_break.Decline():
            return [(":decline:", None)]
        case prison_break.Pass():
            return [(":pass:", None)]
    return []
