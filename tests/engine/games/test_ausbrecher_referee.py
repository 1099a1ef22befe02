"""Random games of Ausbrecher AG against a second implementation, written from the rule book alone.

The referee keeps a list of prisoners per space, from the bottom, and moves them pip by pip. It gets the requests and
the faces of the dice, and derives everything else itself.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import permutations, product
from typing import Literal
from zlib import crc32

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import Expire, Moment, Seat, TimedOut
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    AusbrecherAction,
    AusbrecherEvent,
    AusbrecherOptions,
    AusbrecherView,
    Colour,
    DiceChoice,
    Forecast,
    ForecastGiven,
    GameEnded,
    Landing,
    LastBoarded,
    Material,
    Race,
    Replace,
    Resolve,
    Resolved,
    Roll,
    Rolled,
    StarterThrown,
    State,
    TurnsRanOut,
    landing,
)
from tests.engine.games.forbidden import Forbidden, require
from tools.harness.playouts import BEGIN, TABLE, accepted, material, seed_bytes

MATERIAL: Material = msgspec.convert(material(GAME), Material)
GAMES_EACH = 4
ROUTES: tuple[Literal["path", "rope"], ...] = ("path", "rope")
LATE_WHITES: tuple[Literal["replace", "second"], ...] = ("replace", "second")
NOW = Moment(BEGIN + 5_000)
Told = tuple[str, int | None, int | None, str | None, tuple[int, ...]]


# -------------------------------------------------------------------------------------------------------- the rule page


@dataclass
class Die:
    """A result of this turn."""

    pips: int
    back: bool = False
    led: Told | None = None

    @property
    def resolved(self) -> bool:
        return self.led is not None


@dataclass
class Referee:
    """The second implementation. `track` are the prisoners on spaces 1, 2, …, each stack from the lowest."""

    seats: int
    track: list[list[str]]
    second: bool
    limit: int
    cells: set[str] = field(default_factory=lambda: set(COLOURS))
    aboard: list[str] = field(default_factory=list)
    forecasts: list[tuple[int, ...] | None] = field(default_factory=list)
    phase: str = "forecast"
    turn: int = 0
    number: int = 0
    dice: dict[str, Die] = field(default_factory=dict)
    white: int = 0
    reason: str | None = None
    moves: list[tuple[str, Told]] = field(default_factory=list)

    # ---------------------------------------------------------------------------------------------------- the prisoners

    def space(self, prisoner: str) -> int:
        """Return 0 for a cell, else the number of the space."""
        return next((at for at, stack in enumerate(self.track, 1) if prisoner in stack), 0)

    def covered(self, prisoner: str) -> bool:
        return any(prisoner in stack[:-1] for stack in self.track)

    def boat(self, prisoner: str) -> int:
        """Boats 1, 2 and 3 take two each in order of arrival, boat 4 the seventh."""
        return (1, 1, 2, 2, 3, 3, 4)[self.aboard.index(prisoner)]

    def full(self, boat: int) -> bool:
        return len(self.aboard) >= 2 * boat

    def path(self, prisoner: str, die: Die) -> list[int]:
        """Return the spaces that it touches, as far as pips count: 0 is a cell, one beyond the last space a boat."""
        at = self.space(prisoner)
        if self.covered(prisoner) or (die.back and at == 0):
            return []
        way, end = (-1, 0) if die.back else (1, len(self.track) + 1)
        empty = [space for space in range(at + way, end, way) if not self.track[space - 1]]
        touched = empty[: die.pips - 1]  # all but the last pip lead to the next empty space
        out_of_spaces = len(touched) < die.pips - 1
        return [*touched, end if out_of_spaces else [at, *touched][-1] + way]

    def outcome(self, prisoner: str, die: Die) -> Told:
        """Return where a result leads: its fate, the space, the boat, the prisoner below, and the spaces touched."""
        touched = tuple(self.path(prisoner, die))
        if self.covered(prisoner):
            return "covered", self.space(prisoner), None, None, ()
        if not touched:
            return "in-cell", 0, None, None, ()
        if touched[-1] == 0:
            return "cell", 0, None, None, touched
        if touched[-1] > len(self.track):
            return "boat", None, (1, 1, 2, 2, 3, 3)[len(self.aboard)], None, touched[:-1]
        below = self.track[touched[-1] - 1]
        return "space", touched[-1], None, below[-1] if below else None, touched

    def move(self, prisoner: str, die: Die) -> None:
        touched = self.path(prisoner, die)
        if not touched:
            return
        self.cells.discard(prisoner)
        for stack in self.track:
            if prisoner in stack:
                stack.remove(prisoner)
        if touched[-1] == 0:
            self.cells.add(prisoner)
        elif touched[-1] > len(self.track):
            self.aboard.append(prisoner)
        else:
            self.track[touched[-1] - 1].append(prisoner)

    # -------------------------------------------------------------------------------------------------------- the turns

    def objection(self, seat: int | None, action: AusbrecherAction) -> str:
        """Return why the rule book does not allow it; empty if it does."""
        try:
            if isinstance(action, Forecast):
                require(self.phase == "forecast", "no forecast once all have given theirs")
                require(seat in range(self.seats), "only a player bets")
                require(sorted(action.boats) == [1, 1, 2, 2, 3, 3, 4], "a forecast is 2/2/2/1")
                return ""
            require(self.phase != "forecast" and seat == self.turn, "only the player whose turn it is")
            if isinstance(action, Roll):
                require(self.phase == "roll", "first the dice on the table")
                self.choose(action)
            elif isinstance(action, Replace):
                require(self.phase == "replace", "the white die has nothing to replace now")
                require(action.colour in self.dice, "only one of the results is replaced")
            else:
                require(isinstance(action, Resolve) and self.phase == "resolve", "there is nothing to resolve now")
                die = self.dice.get(action.colour) if isinstance(action, Resolve) else None
                require(die is not None and not die.resolved, "only a result that is open")
        except Forbidden as why:
            return str(why)
        return ""

    def choose(self, roll: Roll) -> None:
        free = [colour for colour in COLOURS if colour not in self.aboard]
        require(all(colour in free for colour in roll.colours), "only dice of prisoners not yet aboard")
        require(len(set(roll.colours)) == len(roll.colours), "there is one die of each colour")
        require(not roll.white or self.number >= 2, "no white die in the first turn")
        count = min(2 if self.full(1) else 3, len(free))
        if roll.white and self.full(2):
            count = 1
        require(len(roll.colours) == count, "so many dice, no more and no fewer")
        if roll.white and self.full(2) and self.second:
            require(roll.second in free, "a second colour is named, of a prisoner not yet aboard")
            require(roll.second not in roll.colours, "the second colour is another one")
        else:
            require(roll.second is None, "no second colour")

    def follow(self, seat: int, action: AusbrecherAction, events: list[AusbrecherEvent]) -> None:
        """Record an allowed action. Of the events only dice and random choices are trusted."""
        if isinstance(action, Forecast):
            self.forecasts[seat] = action.boats
            if None not in self.forecasts:
                self.start(next(event for event in events if isinstance(event, StarterThrown)))
        elif isinstance(action, Roll):
            rolled = next(event for event in events if isinstance(event, Rolled))
            assert Counter(die.colour for die in rolled.dice) == Counter(action.colours)
            assert all(1 <= die.pips <= 6 for die in rolled.dice)
            assert (rolled.white is None) != action.white and rolled.white in (None, 1, 2, 3, 4, 5, 6)
            assert rolled.second == action.second
            self.dice = {die.colour: Die(die.pips) for die in rolled.dice}
            self.white = rolled.white or 0
            self.phase = "replace" if self.white else "resolve"
            if action.second is not None:
                self.dice[action.second] = Die(self.white, back=True)
                self.phase = "resolve"
        elif isinstance(action, Replace):
            self.dice[action.colour] = Die(self.white, back=True)
            self.phase = "resolve"
        elif isinstance(action, Resolve):
            die = self.dice[action.colour]
            die.led = self.outcome(action.colour, die)
            self.moves.append((action.colour, die.led))
            self.move(action.colour, die)
            if len(self.aboard) == 6:
                (left,) = set(COLOURS) - set(self.aboard)
                self.aboard.append(left)
                self.close("boats")
            elif all(die.resolved for die in self.dice.values()):
                self.turn_over(events)

    def start(self, thrown: StarterThrown) -> None:
        """The highest die starts; ties throw again."""
        throwers = list(range(self.seats))
        for place, dice in enumerate(thrown.throws):
            assert [seat for seat, die in enumerate(dice) if die is not None] == throwers
            best = max(die for die in dice if die is not None)
            throwers = [seat for seat in throwers if dice[seat] == best]
            assert (len(throwers) == 1) == (place == len(thrown.throws) - 1)
        self.turn, self.number, self.phase = throwers[0], 1, "roll"

    def turn_over(self, events: list[AusbrecherEvent]) -> None:
        if self.number < self.limit:
            self.number += 1
            self.turn = (self.turn + 1) % self.seats
            self.phase, self.dice, self.white = "roll", {}, 0
            return
        order = next(event.order for event in events if isinstance(event, TurnsRanOut))
        on_the_way = [prisoner for stack in reversed(self.track) for prisoner in reversed(stack)]
        assert list(order[: len(on_the_way)]) == on_the_way
        assert set(order[len(on_the_way) :]) == self.cells and len(order) == 7 - len(self.aboard)
        self.aboard.extend(order)
        self.close("turns")

    def close(self, reason: str) -> None:
        self.reason, self.phase = reason, "over"
        self.cells, self.track, self.dice = set(), [[] for _ in self.track], {}

    def score(self, seat: int) -> int:
        bets = self.forecasts[seat] or ()
        return sum(bet for colour, bet in zip(COLOURS, bets, strict=True) if self.boat(colour) == bet)

    # ------------------------------------------------------------------------------------------- what may be asked for

    def only_choice(self) -> Replace | Resolve | None:
        """Return the only action that is left, if there is no choice; the engine does not ask for it."""
        left = [colour for colour, die in self.dice.items() if not die.resolved]
        if self.phase == "replace":
            first, *others = (self.after_white(colour) for colour in left)
            return Replace(left[0]) if all(other == first for other in others) else None
        if self.phase != "resolve":
            return None
        if len(left) == 1:
            return Resolve(left[0])
        going = set().union(*(going for going, _ in self.ways(self.dice)))
        return next((Resolve(colour) for colour in left if colour not in going), None)

    def after_white(self, colour: str) -> set[str]:
        """Return the possible races at the end of the turn, if the white die replaces this result."""
        return {stand for _, stand in self.ways({**self.dice, colour: Die(self.white, back=True)})}

    def ways(self, dice: dict[str, Die]) -> Iterator[tuple[set[str], str]]:
        """Yield each order of the open results: the one that is not lost, and the race afterwards."""
        for order in permutations([colour for colour, die in dice.items() if not die.resolved]):
            other = replace(self, track=[[*stack] for stack in self.track], cells={*self.cells}, aboard=[*self.aboard])
            going = set()
            for colour in order:
                if len(other.aboard) == 6:  # the rest is void
                    going.add(colour)
                else:
                    going |= {colour} if other.path(colour, dice[colour]) else set()
                    other.move(colour, dice[colour])
            yield going, repr((other.track, sorted(other.cells), other.aboard))

    def sensible(self, rng: random.Random) -> tuple[int, AusbrecherAction]:
        """Return an action that the rule book allows."""
        if self.phase == "forecast":
            return rng.randrange(self.seats), Forecast(tuple(rng.sample((1, 1, 2, 2, 3, 3, 4), 7)))
        if self.phase == "roll":
            free = rng.sample([colour for colour in COLOURS if colour not in self.aboard], 7 - len(self.aboard))
            white = self.number >= 2 and rng.random() < 0.5
            if white and self.full(2):
                return self.turn, Roll((free[0],), True, free[1] if self.second else None)
            return self.turn, Roll(tuple(free[: 2 if self.full(1) else 3]), white)
        colour = rng.choice([colour for colour, die in self.dice.items() if not die.resolved])
        return self.turn, Replace(colour) if self.phase == "replace" else Resolve(colour)


def reckless(journal: Referee, rng: random.Random) -> tuple[int | None, AusbrecherAction]:
    """Return an action close enough to the rules that some of them are allowed."""
    seat = journal.turn if rng.random() < 0.9 else rng.choice((None, -1, *range(journal.seats + 1)))
    kinds = ("forecast", "roll", "replace", "resolve")
    kind = journal.phase if journal.phase in kinds and rng.random() < 0.8 else rng.choice(kinds)
    colours = [*COLOURS, *COLOURS, *journal.dice, "gold"] if rng.random() < 0.3 else list(COLOURS)
    if kind == "forecast":
        bets = [*rng.sample((1, 1, 2, 2, 3, 3, 4), 7), 4]
        if rng.random() < 0.5:
            bets[rng.randrange(7)] = rng.randint(0, 5)
        return seat, Forecast(tuple(bets[: rng.choice((6, 7, 7, 7, 7, 8))]))
    if kind == "roll" and journal.phase == "roll" and rng.random() < 0.6:
        _, roll = journal.sensible(rng)
        assert isinstance(roll, Roll)
        match rng.randrange(4):
            case 0:
                roll = msgspec.structs.replace(roll, white=not roll.white)
            case 1:
                roll = msgspec.structs.replace(roll, second=rng.choice((None, "gold", *roll.colours, *journal.aboard)))
            case 2:
                roll = msgspec.structs.replace(roll, colours=(*roll.colours[1:], rng.choice(colours)))
        return seat, roll
    if kind == "roll":
        rolled = tuple(rng.sample(colours, rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 3, 4))))
        return seat, Roll(rolled, rng.random() < 0.5, rng.choice((None, None, *colours)))
    colour = rng.choice([*colours, *journal.dice, *journal.dice])
    return seat, Replace(colour) if kind == "replace" else Resolve(colour)


# ---------------------------------------------------------------------------------------------------------- the engine


@dataclass
class Tally:
    """Counts events, so that tests can require that each occurred."""

    tried: Counter[str] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)


def told(there: Landing) -> Told:
    return there.fate, there.space, there.boat, there.onto, there.trail


def agree(journal: Referee, state: State) -> None:
    view = GAME.view(state, None)
    assert isinstance(view, AusbrecherView)
    running = journal.phase in ("roll", "replace", "resolve")
    assert view.phase == journal.phase
    assert view.turn == (journal.turn if running else None)
    awaited = [seat for seat, bets in enumerate(journal.forecasts) if bets is None]
    assert list(view.to_act) == ([journal.turn] if running else awaited)
    assert list(view.given) == [seat for seat in range(journal.seats) if seat not in awaited]
    assert list(state.forecasts) == journal.forecasts
    assert view.turn_number == journal.number
    if running:
        assert view.turns_left == journal.limit - journal.number + 1
    assert set(view.race.cells) == journal.cells
    assert [list(stack) for stack in view.race.spaces] == journal.track
    assert [list(crew) for crew in view.race.boats] == [journal.aboard[start : start + 2] for start in (0, 2, 4, 6)]
    for one in view.prisoners:
        fled = one.colour in journal.aboard
        assert one.space == (None if fled else journal.space(one.colour))
        assert one.boat == (journal.boat(one.colour) if fled else None)
        assert one.covered == journal.covered(one.colour)
    assert [(one.colour, one.pips, one.back, one.resolved, told(one.landing)) for one in view.results] == [
        (colour, die.pips, die.back, die.resolved, die.led or journal.outcome(colour, die))
        for colour, die in journal.dice.items()
    ]
    if journal.phase == "replace":
        assert view.white == journal.white
        for die in view.results:
            assert die.replaced and told(die.replaced) == journal.outcome(die.colour, Die(journal.white, back=True))
    if journal.phase == "roll":
        plain = 2 if journal.full(1) else 3
        with_white = None if journal.number == 1 else 1 if journal.full(2) else plain
        assert view.choice == DiceChoice(plain, with_white, journal.second and journal.full(2))
    outcome = GAME.outcome(state)
    assert (outcome.reason if outcome else None) == journal.reason
    if outcome is not None:
        scores = [journal.score(seat) for seat in range(journal.seats)]
        assert list(outcome.scores) == scores == [sum(one or 0 for one in points) for points in view.points]
        assert list(outcome.places) == [1 + sum(other > mine for other in scores) for mine in scores]


def refereed(seed: str, seats: int, options: AusbrecherOptions, odd: int = 3, few_turns: bool = False) -> Tally:
    """Play a game checked by the referee; in every state this many odd actions are tried as well."""
    tally, rng, secret = Tally(), random.Random(f"referee/{seed}"), seed_bytes(crc32(seed.encode()))
    each = 2 if few_turns else 35 if seats == 2 else 25
    stuff = msgspec.structs.replace(MATERIAL, turns_each=2, turns_each_of_two=2) if few_turns else MATERIAL
    started = GAME.setup(seats, options, stuff, BEGIN, Chance(secret, TABLE, 0))
    state, count = GAME.fold(started), len(started)
    journal = Referee(
        seats,
        track=[[] for _ in range(9 if options.route == "rope" else 18)],
        second=options.late_white == "second",
        limit=min(each * seats, 100),
        forecasts=[None] * seats,
    )
    agree(journal, state)
    while journal.phase != "over":
        for _ in range(odd):
            someone, other = reckless(journal, rng)
            why = journal.objection(someone, other)
            assert accepted(GAME, state, someone, other, NOW) == (not why), (someone, other, why)
            tally.tried[why or f"allowed {type(other).__name__}"] += 1
        if rng.random() < 0.1:
            for seat in range(seats):
                assert not any(journal.objection(seat, action) for action in GAME.legal(state, Seat(seat)))
        played: list[tuple[int, AusbrecherAction]]
        deadlines = GAME.deadlines(state)
        if deadlines and rng.random() < 0.1:
            (deadline,) = deadlines
            expire = Expire(deadline.id)
            events = GAME.decide(state, None, expire, deadline.due, Chance(secret, TABLE, count))
            assert {event.seat for event in events if isinstance(event, TimedOut)} == set(deadline.seats)
            if isinstance(deadline.default, Roll | Replace | Resolve):
                played = [(deadline.seats[0], deadline.default)]
            else:  # chance drew the forecasts
                played = [(event.seat, Forecast(event.boats)) for event in events if isinstance(event, ForecastGiven)]
        else:
            owner, action = journal.sensible(rng)
            events = GAME.decide(state, Seat(owner), action, NOW, Chance(secret, TABLE, count))
            played = [(owner, action)]
        journal.moves = []
        for owner, action in played:
            assert not journal.objection(owner, action)
            journal.follow(owner, action, events)
        while (only := journal.only_choice()) is not None:
            journal.follow(journal.turn, only, events)
        assert journal.moves == [(one.colour, told(one.landing)) for one in events if isinstance(one, Resolved)]
        tally.fates.update(fate + (" on top" if below else "") for _, (fate, _, _, below, _) in journal.moves)
        count += len(events)
        state = GAME.fold(events, state)
        assert any(isinstance(event, LastBoarded) for event in events) == (journal.reason == "boats")
        agree(journal, state)
    (end,) = (event for event in events if isinstance(event, GameEnded))
    tally.ends[end.reason] += 1
    assert not any(accepted(GAME, state, seat, Resolve(colour), NOW) for seat in range(seats) for colour in COLOURS)
    return tally


@cache
def games(seats: int, route: Literal["path", "rope"], late_white: Literal["replace", "second"]) -> Tally:
    """Return the counts of some games with this number of seats, one of them with few turns."""
    whole = Tally()
    for number in range(GAMES_EACH):
        options = AusbrecherOptions(route=route, late_white=late_white, clock=180 if number else 0)
        tally = refereed(f"{seats}/{route}/{late_white}/{number}", seats, options, few_turns=not number)
        whole.tried += tally.tried
        whole.fates += tally.fates
        whole.ends += tally.ends
    return whole


@pytest.mark.parametrize("late_white", LATE_WHITES)
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("seats", GAME.player_counts)
def test_the_referee_agrees_with_every_answer_in_random_games(
    seats: int, route: Literal["path", "rope"], late_white: Literal["replace", "second"]
):
    assert games(seats, route, late_white).ends.total() == GAMES_EACH


def test_every_rule_that_forbids_something_every_fate_and_every_end_comes_up_in_the_games_that_the_referee_follows():
    tallies = [games(*table) for table in product(GAME.player_counts, ROUTES, LATE_WHITES)]
    assert set().union(*(tally.tried for tally in tallies)) == {
        "allowed Forecast",
        "allowed Roll",
        "allowed Replace",
        "allowed Resolve",
        "no forecast once all have given theirs",
        "only a player bets",
        "a forecast is 2/2/2/1",
        "only the player whose turn it is",
        "first the dice on the table",
        "only dice of prisoners not yet aboard",
        "there is one die of each colour",
        "no white die in the first turn",
        "so many dice, no more and no fewer",
        "a second colour is named, of a prisoner not yet aboard",
        "the second colour is another one",
        "no second colour",
        "the white die has nothing to replace now",
        "only one of the results is replaced",
        "there is nothing to resolve now",
        "only a result that is open",
    }
    assert set().union(*(tally.fates for tally in tallies)) == {
        "space",
        "space on top",
        "boat",
        "cell",
        "covered",
        "in-cell",
    }
    assert set().union(*(tally.ends for tally in tallies)) == {"boats", "turns"}


@pytest.mark.parametrize("length", [3, 9, 18])
def test_a_die_leads_where_the_referee_says_in_any_position(length: int):
    rng = random.Random(length)
    for _ in range(150):
        prisoners = rng.sample(COLOURS, 7)
        aboard, rest = prisoners[: (gone := rng.choice((0, 0, 1, 3, 5)))], prisoners[gone:]
        track: list[list[Colour]] = [[] for _ in range(length)]
        crowd = rng.sample(range(length), rng.randint(1, min(length, 7)))  # spaces, few enough that stacks are common
        cells = {one for one in rest if rng.random() < 0.15}
        for one in rest:
            if one not in cells:
                track[rng.choice(crowd)].append(one)
        journal = Referee(2, [[*stack] for stack in track], False, 50, cells={*cells}, aboard=[*aboard])
        race = Race(
            cells=tuple(one for one in COLOURS if one in cells),
            spaces=tuple(tuple(stack) for stack in track),
            boats=tuple(tuple(aboard[start : start + 2]) for start in (0, 2, 4, 6)),
            holds=(2, 2, 2, 1),
        )
        for one, pips, back in product(rest, range(1, 7), (False, True)):
            assert told(landing(race, one, pips, back)) == journal.outcome(one, Die(pips, back))


def test_the_referee_knows_all_630_forecasts():
    journal = Referee(1, [], False, 25)
    fair = {boats for boats in permutations((1, 1, 2, 2, 3, 3, 4)) if not journal.objection(0, Forecast(boats))}
    assert len(fair) == 630
