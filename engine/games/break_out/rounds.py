"""What Break-Out records of a round to show when it is over: catches, bluffs that nobody called, open hands.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from typing import Literal

import msgspec

from engine.games.break_out.events import Caught, Pointed, RoundEnded
from engine.games.break_out.log import Bluff, Catch, FinishedRound
from engine.games.break_out.state import State, Window


def caught(state: State, event: Caught, window: Window) -> State:
    """Return the state with a catch recorded, including why the meld was bad."""
    act = next((act for act in window.acts if act.bad), None) if event.kind == "meld" else None
    fault, laid = (None, None) if act is None else (act.fault, act.laid)
    catch = Catch(event.catcher, event.caught, event.kind, state.serial, event.margin, fault, laid)
    return msgspec.structs.replace(state, catches=(*state.catches, catch))


def latest(state: State) -> Catch | None:
    """Return the catch that was settled in the present turn, or None."""
    catch = state.catches[-1] if state.catches else None
    return catch if catch is not None and catch.during == state.serial else None


def uncalled(state: State, window: Window | None) -> State:
    """Return the state after this window has closed without a correct call."""
    if window is None:
        return state
    if not window.nothing and not any(act.bad for act in window.acts):
        return state
    found = [Bluff(window.seat, "draw", window.turn)] if window.nothing else []
    found += [Bluff(window.seat, "meld", window.turn, act.fault, act.laid, act.meld) for act in window.acts if act.bad]
    return msgspec.structs.replace(state, bluffs=(*state.bluffs, *found))


def pointed_at(state: State, event: Pointed) -> State:
    """Return the state after a bad meld was found late."""
    bluffs = tuple(
        msgspec.structs.replace(bluff, found=event.seat) if bluff.meld == event.meld else bluff
        for bluff in state.bluffs
    )
    return msgspec.structs.replace(state, bluffs=bluffs)


def finished(state: State, event: RoundEnded, totals: tuple[int, ...]) -> FinishedRound:
    """D53: return what everybody sees of the round that has just ended."""
    reason: Literal["out", "idle", "blocked"] = "out"
    if event.winner is None:
        reason = "blocked" if state.dry >= state.seats else "idle"
    return FinishedRound(
        state.round, reason, event.winner, state.hands, event.points, totals, state.catches, state.bluffs
    )
