"""Seeded random playouts of any registered game, for the generic tests, the goldens and the benchmarks.

A playout uses only the contract. At each step either the earliest deadline expires, or a random seat that may act plays
one of its legal actions; some seconds pass in between.
"""

import random
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    A,
    Action,
    AnyGame,
    Deadline,
    Event,
    Expire,
    Game,
    M,
    Moment,
    O,
    Options,
    Outcome,
    Refusal,
    Seat,
)
from engine.games import GAMES
from engine.review import Decision

DATA = Path(__file__).resolve().parents[2] / "data"
TABLE = "playout"
BEGIN = Moment(1_700_000_000_000)
STEPS = 5_000
"""A random game with more decisions than this is considered endless."""


def folded(game: AnyGame, events: Iterable[Event], state: Any) -> Any:
    """Return the state after these events, and assert that none of them loses or creates a piece."""
    assert game.piece_counts is not None, f"{game.key}: a game with pieces must count them"
    before = game.piece_counts(state)
    for event in events:
        state = game.fold((event,), state)
        assert game.piece_counts(state) == before, f"{game.key}: {event} loses or makes a piece"
    return state


@dataclass(frozen=True)
class Step:
    """One decision: its seat, action and time, the events that followed, and the state after them."""

    seat: Seat | None
    action: Action
    at: Moment
    events: tuple[Event, ...]
    state: Any


@dataclass(frozen=True)
class Playout:
    """A whole game, with its options and events. `start` is the state after the first events, `setup`."""

    game: AnyGame
    seed: bytes
    seats: int
    options: Any
    setup: tuple[Any, ...]
    start: Any
    steps: tuple[Step, ...]

    @property
    def begin(self) -> Moment:
        """The moment of the setup."""
        return BEGIN

    @property
    def events(self) -> list[Any]:
        """All events, in order."""
        return [*self.setup, *(event for step in self.steps for event in step.events)]

    @property
    def states(self) -> list[Any]:
        """Return the state after setup and after each step."""
        return [self.start, *(step.state for step in self.steps)]

    @property
    def running(self) -> list[Any]:
        """Return the states in which the game was not over."""
        return [state for state in self.states if self.game.outcome(state) is None]

    @property
    def moments(self) -> list[tuple[Any, Moment]]:
        """Return the running states, each with its moment."""
        times = [BEGIN, *(step.at for step in self.steps)]
        timed = zip(self.states, times, strict=True)
        return [(state, at) for state, at in timed if self.game.outcome(state) is None]

    @property
    def outcome(self) -> Outcome:
        """Return the outcome."""
        outcome = self.game.outcome(self.states[-1])
        assert outcome is not None
        return outcome


def material(game: Game[Any, Any, Any, Any, Any, Any, M]) -> M:
    """Return the game's shipped material."""
    body = (DATA / f"{game.key}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(body), game.material)


def some_options(game: Game[Any, Any, Any, Any, Any, O, Any], rng: random.Random) -> O:
    """Return random options within what a host may set. Half of the tables keep the default clock, many have none."""
    chosen: dict[str, Any] = {}
    for field, kind in _fields(game.options):
        if field.name == "clock":
            chosen["clock"] = rng.choice((0, 20, field.default, field.default))
            continue
        match kind:
            case msgspec.inspect.LiteralType(values=values):
                chosen[field.name] = rng.choice(values)
            case msgspec.inspect.Metadata(type=msgspec.inspect.LiteralType(values=values)):
                chosen[field.name] = rng.choice(values)
            case msgspec.inspect.BoolType() | msgspec.inspect.Metadata(type=msgspec.inspect.BoolType()):
                chosen[field.name] = rng.choice((False, True))
            case (
                msgspec.inspect.IntType(ge=int(low), le=int(high))
                | msgspec.inspect.Metadata(type=msgspec.inspect.IntType(ge=int(low), le=int(high)))
            ):
                chosen[field.name] = rng.choice((low, high, rng.randint(low, high)))
            case other:
                raise AssertionError(f"{game.key}: option {field.name} is neither words nor a bounded number: {other}")
    return msgspec.convert(chosen, game.options)


@cache
def _fields(options: type[Options]) -> tuple[tuple[msgspec.structs.FieldInfo, msgspec.inspect.Type], ...]:
    """Return a game's options with their types; cached, since this is slow."""
    return tuple((field, msgspec.inspect.type_info(field.type)) for field in msgspec.structs.fields(options))


def seed_bytes(seed: int) -> bytes:
    """Return a table's secret seed for a small number."""
    return seed.to_bytes(SEED_BYTES, "big")


def moves(game: Game[Any, A, Any, Any, Any, Any, Any], state: Any, seats: int) -> list[tuple[Seat, A]]:
    """Return every legal action of every seat."""
    return [(Seat(seat), action) for seat in range(seats) for action in game.legal(state, Seat(seat))]


def the(kind: type[Any], events: Iterable[Any]) -> Any:
    """Return the only item of this type."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def kinds(events: Iterable[Any]) -> list[type[Any]]:
    """Return the types of these events, in order."""
    return [type(event) for event in events]


def deeds(playout: Playout) -> list[Decision]:
    """Return the decisions of a game in the form that reviews use."""
    return [Decision(number, step.seat, step.action) for number, step in enumerate(playout.steps, 1)]


def accepted(game: AnyGame, state: Any, seat: int | None, action: Action, at: Moment) -> bool:
    """Return True if the game accepts an action. Seat None is the clock."""
    before = repr(state)
    try:
        game.decide(state, None if seat is None else Seat(seat), action, at, Chance(seed_bytes(7), TABLE, 1))
    except Refusal:
        return False
    finally:
        assert repr(state) == before
    return True


def earliest(game: AnyGame, state: Any) -> Deadline | None:
    """Return the next deadline, if one is running."""
    return min(game.deadlines(state), key=lambda deadline: (deadline.due, deadline.id), default=None)


@lru_cache(maxsize=1_024)
def play(
    game: AnyGame,
    seed: int,
    *,
    seats: int | None = None,
    options: Options | None = None,
    lapses: float = 0.05,
    table: str = TABLE,
) -> Playout:
    """Play a random game. The same arguments give the same game; the last are cached, since many tests use the same.

    `seats` and `options` are random unless given; `lapses` is how often the clock acts although a player could move,
    and `table` the one whose chance is drawn.
    """
    rng, secret = random.Random(f"{game.key}/{seed}"), seed_bytes(seed)
    seats, options, setup = _set_up(game, secret, seats, options, rng, table)
    start = game.fold(setup)
    steps = tuple(_steps(game, start, seats, secret, len(setup), rng, lapses, table))
    return Playout(game, secret, seats, options, setup, start, steps)


def begin(game: AnyGame, seed: int, *, seats: int | None = None, options: Options | None = None) -> Any:
    """Return the first state of the game that `play` plays with the same arguments."""
    rng = random.Random(f"{game.key}/{seed}")
    return game.fold(_set_up(game, seed_bytes(seed), seats, options, rng, TABLE)[-1])


def _set_up(
    game: AnyGame, secret: bytes, seats: int | None, options: Options | None, rng: random.Random, table: str
) -> tuple[int, Options, tuple[Any, ...]]:
    """Return the number of seats, the options and the first events of a game; what is not given is random."""
    seats = rng.choice(game.player_counts) if seats is None else seats
    options = some_options(game, rng) if options is None else options
    return seats, options, tuple(game.setup(seats, options, material(game), BEGIN, Chance(secret, table, 0)))


def _steps(
    game: AnyGame, state: Any, seats: int, secret: bytes, count: int, rng: random.Random, lapses: float, table: str
) -> Iterator[Step]:
    at = BEGIN
    for _ in range(STEPS):
        if game.outcome(state) is not None:
            return
        possible = moves(game, state, seats)
        deadline = earliest(game, state)
        assert possible or deadline, f"{game.key}: nobody can move and no clock runs"
        seat: Seat | None
        action: Action
        at = Moment(at + rng.randrange(100, 9_000))
        if deadline is not None and (not possible or at >= deadline.due or rng.random() < lapses):
            at = max(at, deadline.due)
            seat, action = None, Expire(deadline.id)
        else:
            seat = rng.choice(sorted({seat for seat, _ in possible}))
            action = rng.choice([action for owner, action in possible if owner == seat])
        events = tuple(game.decide(state, seat, action, at, Chance(secret, table, count)))
        count += len(events)
        state = folded(game, events, state)
        yield Step(seat, action, at, events, state)
    raise AssertionError(f"{game.key}: a random game does not end within {STEPS} steps")


def played(key: str, seed: int) -> Playout:
    """Return the random game of this seed."""
    return play(GAMES[key], seed)
