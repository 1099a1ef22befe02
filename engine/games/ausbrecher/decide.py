"""Ausbrecher AG's decisions: the events that follow from an action, refusals, dice, the clock, and automatic steps.

Marks in comments (R4, D1) refer to docs/rules/ausbrecher.md.
"""

from collections.abc import Sequence
from functools import reduce
from typing import assert_never

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Moment, Refusal, Seat, TimedOut
from engine.games.ausbrecher.rules import dice_choice, judge_forecast, judge_roll, known, places_in
from engine.games.ausbrecher.state import (
    Forecasting,
    Over,
    Replacing,
    Resolving,
    Result,
    Rolling,
    State,
    phase_name,
    result_of,
    to_act,
    turn_limit,
)
from engine.games.ausbrecher.track import held, landing, on_the_way, order_of_position
from engine.games.ausbrecher.transitions import apply_event
from engine.games.ausbrecher.types import (
    COLOURS,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    Die,
    Forecast,
    ForecastGiven,
    GameBegun,
    GameEnded,
    LastBoarded,
    Material,
    Race,
    Replace,
    Replaced,
    Resolve,
    Resolved,
    Roll,
    Rolled,
    StarterThrown,
    TurnBegun,
    TurnsRanOut,
)

Events = list[AusbrecherEvent]


def begin(
    seats: int, options: AusbrecherOptions, material: Material, at: Moment, chance: Chance
) -> Sequence[GameBegun]:
    """R4: all prisoners are in their cells, and R5: everyone bets before anything is rolled."""
    return [GameBegun(material, options, seats, at)]


def act(state: State, seat: Seat, action: AusbrecherAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance throws the dice.

    Raises `Refusal`: `not-your-turn`; those of `rules`; `wrong-phase` (facts `phase`, the present one, and `needs`);
    about a result `not-rolled` (facts `colour`, `open`), `resolved` (fact `colour`).
    """
    return _follow(state, [_move(state, seat, action, at, chance)], at, chance)


def _move(state: State, seat: Seat, action: AusbrecherAction, at: Moment, chance: Chance) -> AusbrecherEvent:
    match action:
        case Forecast():
            return _forecast(state, seat, action)
        case Roll():
            return _roll(state, seat, action, at, chance)
        case Replace():
            return _replace(state, seat, action, at)
        case Resolve():
            return _resolve(state, seat, action, at)
        case _:
            assert_never(action)


def _forecast(state: State, seat: Seat, forecast: Forecast) -> ForecastGiven:
    """D4: it can be replaced until all are in."""
    if not isinstance(state.phase, Forecasting):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="forecast")
    judge_forecast(state.material.boats, forecast.boats)
    return ForecastGiven(seat, forecast.boats)


def _roll(state: State, seat: Seat, roll: Roll, at: Moment, chance: Chance) -> Rolled:
    if not isinstance(state.phase, Rolling):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="roll")
    turns.require_turn(seat, state.phase.seat)
    choice = dice_choice(state.race, state.turn, state.material, state.options)
    colours = judge_roll(state.race, state.turn, state.material.white_turn, choice, roll)
    second = None if roll.second is None else known(roll.second)
    faces = state.material.faces
    dice = tuple(Die(colour, chance.roll(faces)) for colour in sorted(colours, key=COLOURS.index))
    return Rolled(dice, chance.roll(faces) if roll.white else None, second, at)


def _replace(state: State, seat: Seat, replace: Replace, at: Moment) -> Replaced:
    """R11: one of the coloured results; D8: chosen after the roll and before any result is resolved."""
    if not isinstance(state.phase, Replacing):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="replace")
    turns.require_turn(seat, state.phase.seat)
    results = state.phase.results
    return Replaced(_rolled(results, replace.colour, results).colour, at)


def _resolve(state: State, seat: Seat, resolve: Resolve, at: Moment) -> Resolved:
    """R12: in any order; D10: one after the other. D11: also a result that is lost because the prisoner is covered."""
    if not isinstance(state.phase, Resolving):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="resolve")
    turns.require_turn(seat, state.phase.seat)
    result = _rolled(state.phase.results, resolve.colour, state.phase.open)
    if result.landing is not None:
        raise Refusal("resolved", colour=result.colour)
    return Resolved(result.colour, landing(state.race, result.colour, result.pips, result.back), at)


def _rolled(results: tuple[Result, ...], colour: str, left: tuple[Result, ...]) -> Result:
    """Return this colour's result; `left` are those that could have been named instead."""
    result = result_of(results, known(colour))
    if result is None:
        raise Refusal("not-rolled", colour=colour, open=tuple(one.colour for one in left))
    return result


# ------------------------------------------------------------------------------------------------------ automatic steps


def _follow(state: State, played: Events, at: Moment, chance: Chance) -> Events:
    """Return these events and all their consequences, until a player has to move or the game is over."""
    events: Events = []
    while played:
        events += played
        if isinstance(played[-1], TurnBegun | GameEnded):  # nothing follows automatically
            break
        state = reduce(apply_event, played, state)
        played = _next(state, at, chance)
    return events


def _next(state: State, at: Moment, chance: Chance) -> Events:
    """Return what happens next automatically, or nothing if the game waits.

    D16: steps without a choice are automatic. The white die replaces a single result, or the first if none of them can
    move anybody. The last open result is resolved, and so is each one that can move nobody.
    """
    match state.phase:
        case Forecasting() if not to_act(state):
            # D5: the highest throw begins, and only those who tied throw again
            faces = state.material.faces
            throws, starter = turns.throw_for_start(len(state.forecasts), lambda: chance.roll(faces))
            return [StarterThrown(throws, starter), TurnBegun(1, starter, at)]
        case Replacing(results=results) if len(results) == 1 or not _could_move(state.race, results):
            return [Replaced(results[0].colour, at)]
        case Resolving(seat=seat) as resolving:
            if sum(map(len, state.race.boats)) == len(COLOURS) - 1:
                # R20: the seventh goes to boat 4 at once and the game ends; D10: the rest is void
                return [LastBoarded(*on_the_way(state.race)), GameEnded("boats")]
            match resolving.open:
                case ():
                    return _end_of_turn(state, seat, at, chance)
                case (last,):
                    return [_resolve(state, seat, Resolve(last.colour), at)]
                case several:
                    could = _could_move(state.race, several)
                    idle = next((one for one in several if one not in could), None)
                    return [] if idle is None else [_resolve(state, seat, Resolve(idle.colour), at)]
        case _:
            return []


def _could_move(race: Race, results: tuple[Result, ...]) -> tuple[Result, ...]:
    """Return those of the open results that move a prisoner in some order; D12 and R15 prevent the others."""
    still = held(race, [one.colour for one in results])
    return tuple([one for one in results if one.colour not in still and not (one.back and one.colour in race.cells)])


def _end_of_turn(state: State, seat: Seat, at: Moment, chance: Chance) -> Events:
    if state.turn >= turn_limit(state):
        # D15: prisoners still on the way board in order of position, those in the cells at random.
        order = (*order_of_position(state.race), *chance.shuffled(state.race.cells))
        return [TurnsRanOut(order), GameEnded("turns")]
    return [TurnBegun(state.turn + 1, Seat((seat + 1) % len(state.forecasts)), at)]  # R7: clockwise


# ---------------------------------------------------------------------------------------------------------------- clock


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the clock of the running decision.

    The forecasts have one clock for all. Missing ones are drawn by chance, so there is no default.
    """
    if isinstance(state.phase, Over) or not state.options.clock:  # a default is computed only if a clock runs
        return ()
    awaited = to_act(state)
    default = None if isinstance(state.phase, Forecasting) else _default(state)
    return turns.clock(state.options, f"{phase_name(state)}-{state.ui_version}", awaited, state.began, default)


def expire(state: State, deadline: Deadline, at: Moment, chance: Chance) -> Events:
    """Return what is played for those who miss this deadline."""
    played: Events = []
    for seat in deadline.seats:
        played.append(TimedOut(seat, deadline.id))
        if isinstance(state.phase, Forecasting):  # drawn by chance, and as secret as any other
            boats = chance.shuffled(places_in(state.material.boats))
            played.append(ForecastGiven(seat, tuple(boats)))
        else:
            played.append(_move(state, seat, _default(state), at, chance))
    return _follow(state, played, at, chance)


def _default(state: State) -> Roll | Replace | Resolve:
    """Return what the rules do for a player whose clock runs out now.

    It favours nobody: the first colour rotates from turn to turn, and the white die is not rolled.
    """
    match state.phase:
        case Rolling():
            first, there = state.turn % len(COLOURS), on_the_way(state.race)
            left = [colour for colour in (*COLOURS[first:], *COLOURS[:first]) if colour in there]
            return Roll(tuple(left[: dice_choice(state.race, state.turn, state.material, state.options).plain]))
        case Replacing(results=results):
            return Replace(results[0].colour)
        case Resolving() as resolving:
            return Resolve(resolving.open[0].colour)
        case Forecasting() | Over():
            raise AssertionError("a forecast is drawn, and no clock runs when all is over")
        case _:
            assert_never(state.phase)
