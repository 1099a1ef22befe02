"""Ausbrecher AG's rules: seven prisoners race for the boats, and everyone steers them to where they have bet.

Marks in comments (R, D, O) are those of the rule page `ausbrecher`. May import `engine` and msgspec only.
"""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import combinations
from typing import assert_never

from engine.chance import Chance
from engine.contract import Deadline, Delay, Delayed, Expire, Game, Lapsed, Moment, Outcome, Refusal, Seat
from engine.games.ausbrecher.pieces import (
    COLOURS,
    Assignment,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    Colour,
    Die,
    Forecast,
    ForecastGiven,
    GameBegun,
    GameEnded,
    LastBoarded,
    Material,
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
from engine.games.ausbrecher.record import evolve, scores
from engine.games.ausbrecher.table import (
    AusbrecherView,
    DiceChoice,
    Forecasting,
    OpenResult,
    Over,
    Replacing,
    Resolving,
    Rolling,
    State,
    dice_choice,
    phase_name,
    result_of,
    seats,
    turn_limit,
    waiting,
)
from engine.games.ausbrecher.track import (
    Race,
    landing,
    on_the_way,
    order_of_position,
    points,
    prisoner,
)

SEATS = range(2, 7)
Events = list[AusbrecherEvent]


# ---------------------------------------------------------------------------------------------------------------- setup


def setup(seats: int, options: AusbrecherOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """R: all prisoners are in their cells, and everyone bets before anything is rolled."""
    if seats not in SEATS:
        raise ValueError(f"2 to 6 bet on this break-out, not {seats}")
    return [GameBegun(material, options, seats, at)]


# --------------------------------------------------------------------------------------------------------------- decide


def decide(state: State, seat: Seat | None, action: AusbrecherAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance throws the dice.

    Refusals: `over` (fact `reason`); `clock-only`; `not-seated`; `wrong-phase` (facts `phase`, the present one, and
    `needs`); `not-your-turn` (fact `turn`); of a forecast `bets` (facts `given`, `needed`), `no-boat` (facts `boat`,
    `boats`), `boat-load` (facts `boat`, `given`, `holds`); of a roll `no-colour` (fact `colours`), `twice` (fact
    `colour`), `aboard` (facts `colour`, `boat`), `too-early` (facts `turn`, `from_turn`), `dice` (facts `given`,
    `needed`, `white`: 0 or 1), `no-second`, `needs-second`, `same-second` (fact `colour`); of a result `not-rolled`
    (facts `colour`, `open`), `resolved` (fact `colour`); `late` (fact `deadline`); `early` (facts `deadline`, `due`);
    `no-delay` (fact `by_ms`).
    """
    if isinstance(state.phase, Over):
        raise Refusal("over", reason=state.phase.reason)
    if isinstance(action, Expire | Delay):
        if seat is not None:
            raise Refusal("clock-only")
        return _expire(state, action, at, chance) if isinstance(action, Expire) else _delay(action)
    if seat is None or seat not in seats(state):
        raise Refusal("not-seated")
    return _follow(state, [_move(state, seat, action, at, chance)], at, chance)


def _move(
    state: State, seat: Seat, action: Forecast | Roll | Replace | Resolve, at: Moment, chance: Chance
) -> AusbrecherEvent:
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
    """R: two prisoners in each of the boats 1 to 3, one in boat 4. D: another one may follow until all are in."""
    if not isinstance(state.phase, Forecasting):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="forecast")
    holds = state.material.boats
    if len(forecast.boats) != len(COLOURS):
        raise Refusal("bets", given=len(forecast.boats), needed=len(COLOURS))
    for boat in forecast.boats:
        if not 1 <= boat <= len(holds):
            raise Refusal("no-boat", boat=boat, boats=len(holds))
    for boat, room in enumerate(holds, start=1):
        if (given := forecast.boats.count(boat)) != room:
            raise Refusal("boat-load", boat=boat, given=given, holds=room)
    return ForecastGiven(seat, forecast.boats)


def _roll(state: State, seat: Seat, roll: Roll, at: Moment, chance: Chance) -> Rolled:
    if not isinstance(state.phase, Rolling):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="roll")
    _check_turn(seat, state.phase.seat)
    choice = dice_choice(state)
    colours = tuple(_on_the_way(state.race, word) for word in roll.colours)
    for colour in colours:
        if colours.count(colour) > 1:
            raise Refusal("twice", colour=colour)
    if roll.white and choice.with_white is None:
        raise Refusal("too-early", turn=state.turn, from_turn=state.material.white_turn)
    needed = _needed(choice, roll.white)
    if len(colours) != needed:
        raise Refusal("dice", given=len(colours), needed=needed, white=int(roll.white))
    second = _second(state.race, choice, roll, colours)
    faces = state.material.faces
    dice = tuple(Die(colour, chance.roll(faces)) for colour in sorted(colours, key=COLOURS.index))
    return Rolled(dice, chance.roll(faces) if roll.white else None, second, at)


def _second(race: Race, choice: DiceChoice, roll: Roll, colours: tuple[Colour, ...]) -> Colour | None:
    """O `second`: named together with the dice; D: another colour, not aboard, and it may be covered."""
    if not (choice.second and roll.white):
        if roll.second is not None:
            raise Refusal("no-second")
        return None
    if roll.second is None:
        raise Refusal("needs-second")
    second = _on_the_way(race, roll.second)
    if second in colours:
        raise Refusal("same-second", colour=second)
    return second


def _replace(state: State, seat: Seat, replace: Replace, at: Moment) -> Replaced:
    """R: one of the coloured results; D: said after the roll and before any result is resolved."""
    if not isinstance(state.phase, Replacing):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="replace")
    _check_turn(seat, state.phase.seat)
    result = result_of(state.phase.results, _colour(replace.colour))
    if result is None:
        rolled = tuple(result.colour for result in state.phase.results)
        raise Refusal("not-rolled", colour=replace.colour, open=rolled)
    return Replaced(result.colour, at)


def _resolve(state: State, seat: Seat, resolve: Resolve, at: Moment) -> Resolved:
    """R: in any order, D: one after the other. R: also a result that is lost, for the prisoner is covered."""
    if not isinstance(state.phase, Resolving):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="resolve")
    _check_turn(seat, state.phase.seat)
    result = result_of(state.phase.results, _colour(resolve.colour))
    if result is None:
        left = tuple(result.colour for result in state.phase.open)
        raise Refusal("not-rolled", colour=resolve.colour, open=left)
    if result.landing is not None:
        raise Refusal("resolved", colour=result.colour)
    return Resolved(result.colour, landing(state.race, result.colour, result.pips, result.back), at)


def _expire(state: State, expire: Expire, at: Moment, chance: Chance) -> Events:
    for deadline in deadlines(state):
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=expire.deadline, due=deadline.due)
            played: Events = []
            for seat in deadline.seats:
                played.append(Lapsed(seat, expire.deadline))
                if deadline.default is None:  # a forecast drawn by chance, and as secret as any other
                    boats = chance.shuffled(_places(state.material.boats))
                    played.append(ForecastGiven(seat, tuple(boats)))
                else:
                    played.append(_move(state, seat, _default(state), at, chance))
            return _follow(state, played, at, chance)
    raise Refusal("late", deadline=expire.deadline)


def _delay(delay: Delay) -> Events:
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return [Delayed(delay.by_ms)]


def _check_turn(seat: Seat, turn: Seat) -> None:
    if seat != turn:
        raise Refusal("not-your-turn", turn=turn)


def _colour(word: str) -> Colour:
    for colour in COLOURS:
        if colour == word:
            return colour
    raise Refusal("no-colour", colours=COLOURS)


def _on_the_way(race: Race, word: str) -> Colour:
    """R: a boarded prisoner's die can no longer be chosen."""
    colour = _colour(word)
    boat = prisoner(race, colour).boat
    if boat is not None:
        raise Refusal("aboard", colour=colour, boat=boat)
    return colour


def _needed(choice: DiceChoice, white: bool) -> int:
    return choice.with_white if white and choice.with_white is not None else choice.plain


# -------------------------------------------------------------------------------------------------- what goes by itself


def _follow(state: State, played: Events, at: Moment, chance: Chance) -> Events:
    """Return these events and all that they bring about, until somebody is to move or the game is over."""
    events: Events = []
    while played:
        events += played
        state = reduce(evolve, played, state)
        played = _next(state, at, chance)
    return events


def _next(state: State, at: Moment, chance: Chance) -> Events:
    """Return what happens next without anybody's doing, nothing where the game waits.

    A choice of one is made automatically: of a single result that the white die can replace, and of the last open one.
    """
    match state.phase:
        case Forecasting() if not waiting(state):
            thrown = _starter(state, chance)
            return [thrown, TurnBegun(1, thrown.starter, at)]
        case Replacing(results=(only,)):
            return [Replaced(only.colour, at)]
        case Resolving(seat=seat) as resolving:
            left = on_the_way(state.race)
            if len(left) == 1:  # R: the seventh goes to boat 4 at once and the game ends; D: the rest is void
                return [LastBoarded(left[0]), GameEnded("boats")]
            match resolving.open:
                case ():
                    return _end_of_turn(state, seat, at, chance)
                case (last,):
                    return [_resolve(state, seat, Resolve(last.colour), at)]
                case _:
                    return []
        case _:
            return []


def _starter(state: State, chance: Chance) -> StarterThrown:
    """D: the highest throw begins, and only those who tied throw again."""
    throws: list[tuple[int | None, ...]] = []
    tied = list(seats(state))
    while len(tied) > 1:
        throw = tuple(chance.roll(state.material.faces) if seat in tied else None for seat in seats(state))
        throws.append(throw)
        best = max(pips for pips in throw if pips is not None)
        tied = [seat for seat in tied if throw[seat] == best]
    return StarterThrown(tuple(throws), tied[0])


def _end_of_turn(state: State, seat: Seat, at: Moment, chance: Chance) -> Events:
    if state.turn >= turn_limit(state):
        # D: whoever is still on the way boards in order of position, in the cells by lot.
        order = (*order_of_position(state.race), *chance.shuffled(state.race.cells))
        return [TurnsRanOut(order), GameEnded("turns")]
    return [TurnBegun(state.turn + 1, Seat((seat + 1) % len(state.forecasts)), at)]  # R: clockwise


# ------------------------------------------------------------------------------------------------- legal, view, clock


def legal(state: State, seat: Seat) -> Iterator[AusbrecherAction]:
    """Yield what this seat may play; in the forecast phase also a change of what it has given."""
    match state.phase:
        case Forecasting() if seat in seats(state):
            yield from _forecasts(state.material.boats)
        case Rolling(seat=turn) if turn == seat:
            yield from _rolls(state)
        case Replacing(seat=turn, results=results) if turn == seat:
            yield from (Replace(result.colour) for result in results)
        case Resolving(seat=turn) as resolving if turn == seat:
            yield from (Resolve(result.colour) for result in resolving.open)
        case _:
            return


def view(state: State, seat: Seat | None) -> AusbrecherView:
    """Return the race, which is public, and what this seat has bet. R: at the end all forecasts are shown."""
    phase = state.phase
    over = isinstance(phase, Over)
    known = tuple(bet if over or owner == seat else None for owner, bet in enumerate(state.forecasts))
    return AusbrecherView(
        seat=seat,
        waiting=waiting(state),
        stamp=state.stamp,
        route=state.options.route,
        late_white=state.options.late_white,
        faces=state.material.faces,
        length=len(state.race.spaces),
        phase=phase_name(state),
        race=state.race,
        prisoners=tuple(prisoner(state.race, colour) for colour in COLOURS),
        given=tuple(owner for owner in seats(state) if state.forecasts[owner] is not None),
        drawn=state.drawn,
        throws=state.throws,
        turn=phase.seat if isinstance(phase, Rolling | Replacing | Resolving) else None,
        turn_number=state.turn,
        turns_left=0 if over else turn_limit(state) - max(state.turn, 1) + 1,
        choice=dice_choice(state) if isinstance(phase, Rolling) else None,
        white=phase.white if isinstance(phase, Replacing) else None,
        results=_open_results(state),
        turns=state.turns,
        carried=state.carried,
        reason=phase.reason if isinstance(phase, Over) else None,
        forecasts=known,
        points=tuple((None,) * len(COLOURS) if bet is None else points(state.race, bet) for bet in known),
    )


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the clock of the running decision.

    The forecasts have one clock for all: those who let it pass get one drawn by chance, so that there is no default.
    """
    awaited = waiting(state)
    if not state.options.clock or not awaited:
        return ()
    due = Moment(state.began + 1000 * state.options.clock)
    default = None if isinstance(state.phase, Forecasting) else _default(state)
    return (Deadline(f"{phase_name(state)}-{state.stamp}", awaited, due, default),)


def outcome(state: State) -> Outcome | None:
    """R: most points win, D: ties share. Reasons: `boats` (six got away) and `turns` (the last was played)."""
    if not isinstance(state.phase, Over):
        return None
    scored = scores(state)
    return Outcome(
        places=tuple(1 + sum(other > score for other in scored) for score in scored),
        scores=scored,
        reason=state.phase.reason,
    )


# ------------------------------------------------------------------------------------------------------- at the table


def _places(holds: tuple[int, ...]) -> Assignment:
    """Return the boat of each place in the boats: 1, 1, 2, 2, 3, 3, 4."""
    return tuple(boat for boat, room in enumerate(holds, start=1) for _ in range(room))


@cache
def _forecasts(holds: tuple[int, ...]) -> tuple[Forecast, ...]:
    """Return every forecast: 630 of them for boats of 2, 2, 2 and 1."""

    def fill(room: tuple[int, ...], bets: Assignment) -> Iterator[Forecast]:
        if len(bets) == len(COLOURS):
            yield Forecast(bets)
            return
        for boat, free in enumerate(room, start=1):
            if free:
                yield from fill((*room[: boat - 1], free - 1, *room[boat:]), (*bets, boat))

    return tuple(fill(holds, ()))


def _rolls(state: State) -> Iterator[Roll]:
    choice, left = dice_choice(state), on_the_way(state.race)
    yield from (Roll(colours) for colours in combinations(left, choice.plain))
    if choice.with_white is None:
        return
    for colours in combinations(left, choice.with_white):
        if choice.second:
            yield from (Roll(colours, True, second) for second in left if second not in colours)
        else:
            yield Roll(colours, True)


def _open_results(state: State) -> tuple[OpenResult, ...]:
    match state.phase:
        case Replacing(results=results, white=white):
            return tuple(
                OpenResult(
                    one.colour,
                    one.pips,
                    one.back,
                    False,
                    landing(state.race, one.colour, one.pips, one.back),
                    landing(state.race, one.colour, white, back=True),
                )
                for one in results
            )
        case Resolving(results=results):
            return tuple(
                OpenResult(
                    one.colour,
                    one.pips,
                    one.back,
                    one.landing is not None,
                    one.landing or landing(state.race, one.colour, one.pips, one.back),
                )
                for one in results
            )
        case _:
            return ()


def _default(state: State) -> Roll | Replace | Resolve:
    """Return what the rules do for a player who lets the clock run out now.

    They favour nobody: the dice go round, a turn's first colour after that of the turn before, without the white one.
    """
    match state.phase:
        case Rolling():
            first = state.turn % len(COLOURS)
            left = [colour for colour in (*COLOURS[first:], *COLOURS[:first]) if colour in on_the_way(state.race)]
            return Roll(tuple(left[: dice_choice(state).plain]))
        case Replacing(results=results):
            return Replace(results[0].colour)
        case Resolving() as resolving:
            return Resolve(resolving.open[0].colour)
        case Forecasting() | Over():
            raise AssertionError("a forecast is drawn, and no clock runs when all is over")
        case _:
            assert_never(state.phase)


GAME = Game[State, AusbrecherAction, AusbrecherEvent, AusbrecherView, AusbrecherOptions, Material](
    key="ausbrecher",
    title="Ausbrecher AG (Break Out Ltd)",
    seats=SEATS,
    options=AusbrecherOptions,
    material=Material,
    actions=AusbrecherAction,
    events=AusbrecherEvent,
    views=AusbrecherView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    hides=True,
    draws={"forecast": ("boats",), "starter": ("throws", "starter"), "rolled": ("dice", "white"), "limit": ("order",)},
)
