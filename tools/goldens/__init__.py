"""Golden playthroughs, one readable text per game: random games with fixed seeds, as every player sees them.

`python -m tools.goldens` writes them and the goldens of calls (`calls`); review the diff like a change of the rules.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engine.chance import commitment
from engine.contract import AnyGame, Seat, View, to_json
from tools.harness.playouts import BEGIN, TABLE, Playout, Step, play

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "goldens"
SEED = 398
SHORT: dict[str, dict[str, int]] = {"break_out": {"rounds": 1}}
"""Options that keep a golden short enough to read; other games use the defaults."""
WIDTH = 120
Change = tuple[str, str]
"""A path into a view, and its value now."""


def golden_file(game: AnyGame) -> Path:
    """Return the path of a game's golden."""
    return FOLDER / f"{game.key}.txt"


def golden(game: AnyGame) -> str:
    """Return the golden playthrough of a game under the current rules.

    The first view is written in full; after that, only the paths that have changed since the previous step. A seat's
    view lists what differs from the public one.
    """
    playout = play(game, SEED, options=game.options(**SHORT.get(game.key, {})))
    return "\n".join(_lines(playout)) + "\n"


def _lines(playout: Playout) -> Iterator[str]:
    game = playout.game
    yield f"{game.title} ({game.key}): {playout.seats} seats, a random game"
    yield f"options {to_json(playout.options)}"
    yield f"seed {playout.seed.hex()}, table {TABLE}"
    yield f"commitment {commitment(playout.seed)}"
    yield ""
    yield "== 0  setup"
    yield from (f"   + {to_json(event)}" for event in playout.setup)
    shown: dict[Seat | None, Any] = {}
    yield from _seen(playout, playout.start, shown)
    for number, step in enumerate(playout.steps, start=1):
        yield ""
        yield f"== {number}  {_who(step)}: {to_json(step.action)} at {(step.at - BEGIN) / 1000:.3f} s"
        yield from (f"   + {to_json(event)}" for event in step.events)
        yield from _seen(playout, step.state, shown)
    yield ""
    yield f"== outcome {msgspec.json.encode(playout.outcome).decode()}"


def _who(step: Step) -> str:
    return "clock" if step.seat is None else f"seat {step.seat}"


def _seen(playout: Playout, state: Any, shown: dict[Seat | None, Any]) -> Iterator[str]:
    """Yield what is new to each reader, the number of each seat's actions, and the clocks."""
    game = playout.game
    public = _plain(game.view(state, None))
    before = shown.get(None)
    if before is None:
        yield from _listed("public", [(path, _json(value)) for path, value in public.items()])
    else:
        yield from _listed("public", list(_changes(before, public)))
    shown[None] = public
    for number in range(playout.seats):
        seat = Seat(number)
        own = dict(_changes(public, _plain(game.view(state, seat))))
        own.pop("seat")
        past = shown.get(seat, {})
        fresh = [(path, value) for path, value in own.items() if past.get(path) != value]
        fresh += [(path, "as the public") for path in past if path not in own]
        yield from _listed(f"seat {seat}", fresh)
        shown[seat] = own
        legal = sum(1 for _ in game.legal(state, seat))
        if legal:
            yield f"   seat {seat} may do {legal} thing{'s' * (legal > 1)}"
    for deadline in game.deadlines(state):
        seats = ", ".join(str(seat) for seat in deadline.seats) or "nobody"
        default = "the rules go on" if deadline.default is None else to_json(deadline.default)
        due = (deadline.due - BEGIN) / 1000
        yield f"   clock {deadline.id} ({deadline.kind}) for {seats} until {due:.3f} s, then {default}"


def _plain(view: View) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(to_json(view))
    return plain


def _changes(before: Any, after: Any, path: str = "") -> Iterator[Change]:
    """Yield where two plain values differ, descending as long as their shapes match."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in after:
            yield from _changes(before.get(key), after[key], f"{path}.{key}" if path else key)
        for key in [key for key in before if key not in after]:
            yield f"{path}.{key}" if path else key, "gone"
    elif (kept := _rolled(before, after)) is not None:
        yield f"{path} adds", ", ".join(_json(item) for item in after[kept:])
    elif _nested(before) and _nested(after) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(old, new, f"{path}[{index}]")
    else:
        yield path, _json(after)


def _rolled(before: Any, after: Any) -> int | None:
    """Return how many items of a list were already there, if items were only appended and the oldest perhaps dropped;
    None for any other change.
    """
    if not isinstance(before, list) or not isinstance(after, list) or not before:
        return None
    for gone in range(len(before)):
        kept = len(before) - gone
        if kept < len(after) and after[:kept] == before[gone:]:
            return kept
    return None


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, list | dict) for item in value)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _listed(label: str, changes: list[Change]) -> Iterator[str]:
    """Yield the changes as lines of readable width, each with the label."""
    line = ""
    for path, value in changes:
        piece = f"{path} {value}"
        if line and len(line) + len(piece) + 3 > WIDTH:
            yield line
            line = ""
        line = f"{line} · {piece}" if line else f"   {label}  {piece}"
    if line:
        yield line
