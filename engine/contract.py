"""The contract of a game: the types that every game provides and every host of games relies on.

A game is a `Game` value made of pure functions. Its state is immutable: `decide` turns an action into events or refuses
it, `fold` applies events to a state, and players see a state only through `view`. Randomness (`engine.chance.Chance`)
and time (`Moment`) are arguments. Events carry what chance decided, so a replay draws nothing.

Errors:

    GameError
    ├── Refusal          an action that the rules do not allow: a code and facts, no prose
    └── BrokenRecord     stored events or actions that this version cannot read
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Generic, Literal, NewType, TypeVar, final, get_args

import msgspec

from engine.chance import Chance

Seat = NewType("Seat", int)
"""A place at the table: 0, 1, … in clockwise order."""

Moment = NewType("Moment", int)
"""Milliseconds since the Unix epoch."""

Fact = int | str | tuple[int, ...] | tuple[str, ...]


def number(facts: Mapping[str, Fact], name: str) -> int:
    """Return a fact that is a whole number."""
    found = facts[name]
    assert isinstance(found, int), f"{name} is no number"
    return found


class GameError(Exception):
    """The base class of all errors that the engine raises on purpose."""


class Refusal(GameError):
    """An action that the rules do not allow.

    `code` is a short stable word that the game's cog turns into a sentence; `facts` are the numbers and words that the
    sentence needs. Facts never reveal anything that the refused seat must not know.
    """

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class BrokenRecord(GameError):
    """Stored events or actions that cannot be read as those of this game."""


class Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """What a seat or the clock asks for, named in the imperative. Text written by a person has the type
    `engine.free_text.FreeText`.
    """

    counts_as_move: ClassVar[bool] = True
    """Whether this action counts as playing. Resigning, private notes, `Ready` and the clock's actions do not."""


class Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """What happened, named in the past tense. Its tag is stored and must never change."""


@final
class Expire(Action, frozen=True, tag="expire"):
    """The clock reports that this deadline has passed. Sent with seat None; refused as `late` if the deadline no longer
    runs.
    """

    counts_as_move: ClassVar[bool] = False

    deadline: str


@final
class ClockShift(Action, frozen=True, tag="delay"):
    """The host was down for `by_ms` milliseconds: postpone every running deadline by that time. Sent with seat None."""

    counts_as_move: ClassVar[bool] = False

    by_ms: int


class TimedOut(Event, frozen=True, tag="lapsed"):
    """This seat's clock ran out; the events that follow are the default action. Caused by an `Expire` only."""

    seat: Seat
    deadline: str


class ClockShifted(Event, frozen=True, tag="delayed"):
    """Every running deadline was postponed by this many milliseconds."""

    by_ms: int


ClockAction = Expire | ClockShift
ClockEvent = TimedOut | ClockShifted


class Deadline(msgspec.Struct, frozen=True):
    """A moment at which the clock acts.

    `seats` are the seats that are awaited. `default` is what the rules play for a seat that misses the deadline, or
    None if the game simply continues. A `turn` is a person's time to think: the host reminds them and counts how often
    it expires. A `window` is a time span of the rules, and nobody is blamed when it ends.
    """

    id: str
    seats: tuple[Seat, ...]
    due: Moment
    default: Action | None
    kind: Literal["turn", "window"] = "turn"


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. `places` and `scores` have one entry per seat; 1 is the best place, and ties share a place."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can set before the game begins; each game adds its own fields.

    A field is a `Literal` of words or numbers, or an `int` with bounds. Its `msgspec.Meta` has a `title` and a
    `description`, from which the lobby builds the controls. If the description explains each value, `asks` (in `extra`)
    says what the option decides.
    """

    clock: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=86_400,
            title="Turn clock",
            description="How long a turn can take before the clock makes a safe move for you.",
            examples=[0, 30, 60, 120, 180, 300, 600, 3_600, 86_400],
        ),
    ] = 180
    """In seconds; 0 disables the clock."""

    pace: Annotated[
        Literal["calm", "quick"],
        msgspec.Meta(
            title="Computers",
            description="calm: they take their time, like people. quick: they move at once.",
            extra={"asks": "How fast computer players move"},
        ),
    ] = "calm"
    """How fast bots move. The rules ignore it; the host reads it."""


class View(msgspec.Struct, frozen=True):
    """What one seat may know, or the public if `seat` is None. Each game adds its own fields.

    `to_act` are the seats that must act before the game continues. `ui_version` increases whenever a control drawn for
    an earlier view would have another meaning now; it is the same for every reader.
    """

    seat: Seat | None
    to_act: tuple[Seat, ...] = msgspec.field(name="waiting")
    ui_version: int = msgspec.field(name="stamp")


S = TypeVar("S", bound=msgspec.Struct)
A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=Event)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Options)  # noqa: E741 (S, A, B, E, V, O, M: one letter for each part of the contract)
M = TypeVar("M", bound=msgspec.Struct)


@dataclass(frozen=True, eq=False)
class Game(Generic[S, A, B, E, V, O, M]):
    """One game. There is one instance per game, equal only to itself.

    `player_counts` are the possible numbers of players, `begun` is the type of the first event, and `actions` and
    `events` are unions of tagged structs. A game provides these functions:

    - `begin(seats, options, material, at, chance)` returns the events that begin a game, `begun` first.
    - `first_state(begun)` returns the state after the first event.
    - `apply_event(state, event)` returns the state after any later event.
    - `players(state)` returns the number of players.
    - `act(state, seat, action, at, chance)` returns the events that follow from a seat's action while the game runs, at
      least one, or raises `Refusal`. `at` is when the action was received.
    - `legal(state, seat)` iterates over actions that `act` accepts from that seat now, sensible ones only.
    - `view(state, seat)` returns what that seat may know; None is the public.
    - `deadlines(state)` returns the running clocks, the first one due first.
    - `outcome(state)` returns None until the game is over.
    - `default_action(state, seat)` returns what is played for a seat whose turn ran out of time.
    - `expire(state, deadline, at, chance)` returns what follows from any other deadline: a window's, or every one in a
      game without `default_action`.
    - `piece_counts(state)` counts the pieces of the game by kind, including hidden ones and those out of play; the
      counts never change. Every game in the registry has one.

    Hosts call `setup`, `decide` and `fold`, which do what all games have in common.
    """

    key: str
    title: str
    player_counts: range
    options: type[O]
    material: type[M]
    actions: Any  # a union of types: Python 3.11 has no type for "a union of subclasses of Action"
    begun: type[B]
    events: Any
    views: type[V]
    begin: Callable[[int, O, M, Moment, Chance], Sequence[B | E]]
    first_state: Callable[[B], S]
    apply_event: Callable[[S, E | ClockEvent], S]
    players: Callable[[S], int]
    act: Callable[[S, Seat, A, Moment, Chance], Sequence[E]]
    legal: Callable[[S, Seat], Iterator[A]]
    view: Callable[[S, Seat | None], V]
    deadlines: Callable[[S], tuple[Deadline, ...]]
    outcome: Callable[[S], Outcome | None]
    default_action: Callable[[S, Seat], A] | None = None
    expire: Callable[[S, Deadline, Moment, Chance], Sequence[E | ClockEvent]] | None = None
    legal_from_view: Callable[[V], Iterator[A]] | None = None
    """What `legal` returns, computed from the seat's own view. For games in which this is slow, so that it can run in
    the bots' worker processes.
    """
    can_act_off_turn: Callable[[V], bool] | None = None
    """Whether the reader of a view may act although the game does not wait for them, for example to call; None if that
    never happens. It is asked after every move, so it must not enumerate actions.
    """
    piece_counts: Callable[[S], Counter[str]] | None = None
    has_hidden_info: bool = False
    """Whether seats have secrets. If so, players get direct messages."""
    lowest_wins: bool = False
    """Whether the lowest score wins."""
    scored: bool = True
    """Whether a score measures how well a player did, so that a personal best is worth showing."""
    public_totals: Callable[[V], tuple[int, ...] | None] | None = None
    """What each seat has scored in the rounds that are finished, from the public view; None before the first. Only for
    games in which that gives nothing away: their players may agree to end the game and to count it.
    """
    unranked: Callable[[O], bool] = lambda options: False
    """Whether games with these options are never ranked."""
    window_at: Callable[[S, Moment], Moment | None] = lambda state, at: None
    """When the window of seconds opened that is open at a moment, if there is one. After a time in which nobody could
    play it opens again, whole.
    """
    rules_version: int = 1
    """The version of the rules, increased with every change of what `setup` or `decide` return for the same arguments.
    A table keeps the version under which it began. Replays need none, since events carry everything: `fold` reads the
    events of every version.
    """
    chance_fields: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """What chance decides: for an event's tag, the names of the fields that depend on the seed."""
    could_happen: Callable[[Any, M], bool] = lambda event, material: True
    """Whether an event could have happened in some game with this material, beyond its types. Records from outside are
    checked by it before they are folded; the game's own are not.
    """
    accusations: frozenset[type[Action]] = frozenset()
    """Actions that accuse another player. No hint names one where others are people, who may lie in peace."""
    older_options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """What an option was before games recorded it: its value in a game whose record lacks it."""

    @cached_property
    def _events(self) -> msgspec.json.Decoder[B | E | ClockEvent]:
        return msgspec.json.Decoder(self.events)

    @cached_property
    def _own_actions(self) -> frozenset[type[Action]]:
        return frozenset(get_args(self.actions))

    @cached_property
    def _actions(self) -> msgspec.json.Decoder[A | ClockAction]:
        return msgspec.json.Decoder(self.actions)

    def read_event(self, body: bytes | str) -> B | E | ClockEvent:
        """Return the event that `to_json` encoded. Raises `BrokenRecord`."""
        try:
            event = self._events.decode(body)
            if type(event) is self.begun and self.older_options:
                stored = msgspec.json.decode(body, type=_StoredOptions)
                return msgspec.structs.replace(event, options=self.read_options(stored.options))
        except msgspec.DecodeError as error:
            raise BrokenRecord(f"{self.key}: this is no event of the game: {error}") from error
        return event

    def read_options(self, stored: bytes | str | msgspec.Raw) -> O:
        """Return the options that a game began with, from JSON. An option that it lacks has the value that it had then.

        Raises `msgspec.DecodeError`.
        """
        options = msgspec.json.decode(stored, type=self.options)
        named = msgspec.json.decode(stored, type=dict[str, msgspec.Raw])
        lacking = {name: value for name, value in self.older_options.items() if name not in named}
        return msgspec.structs.replace(options, **lacking)

    def read_action(self, body: bytes | str) -> A | ClockAction:
        """Return the action that `to_json` encoded. Raises `BrokenRecord`."""
        try:
            return self._actions.decode(body)
        except msgspec.DecodeError as error:
            raise BrokenRecord(f"{self.key}: this is no action of the game: {error}") from error

    def setup(self, seats: int, options: O, material: M, at: Moment, chance: Chance) -> list[B | E]:
        """Return the events that begin a game. Raises `ValueError` for an unsupported number of seats."""
        if seats not in self.player_counts:
            raise ValueError(f"{self.key} is for {_span(self.player_counts)} players, not {seats}")
        return list(self.begin(seats, options, material, at, chance))

    def decide(
        self, state: S, seat: Seat | None, action: A | ClockAction, at: Moment, chance: Chance
    ) -> list[E | ClockEvent]:
        """Return the events that follow from an action received at this moment. Seat None is the clock.

        Raises `Refusal`: `over` (fact `reason`); `not-seated`; `no-such-action` (it is another game's); for the clock's
        actions `clock-only`, `early` (facts `deadline`, `due`), `late` (fact `deadline`; it no longer runs), `no-delay`
        (fact `by_ms`; less than 1 ms); and the game's own codes.
        """
        outcome = self.outcome(state)
        if outcome is not None:
            raise Refusal("over", reason=outcome.reason)
        if type(action) is Expire or type(action) is ClockShift:  # `isinstance` takes six times as long with a Struct
            if seat is not None:
                raise Refusal("clock-only")
            return self._tick(state, action, at, chance)
        if seat is None or not 0 <= seat < self.players(state):
            raise Refusal("not-seated")
        if type(action) not in self._own_actions:
            raise Refusal("no-such-action")
        return list(self.act(state, seat, action, at, chance))

    def _tick(self, state: S, action: ClockAction, at: Moment, chance: Chance) -> list[E | ClockEvent]:
        if isinstance(action, ClockShift):
            if action.by_ms < 1:
                raise Refusal("no-delay", by_ms=action.by_ms)
            return [ClockShifted(action.by_ms)]
        for deadline in self.deadlines(state):
            if deadline.id == action.deadline:
                if at < deadline.due:
                    raise Refusal("early", deadline=deadline.id, due=deadline.due)
                return self._expired(state, deadline, at, chance)
        raise Refusal("late", deadline=action.deadline)

    def _expired(self, state: S, deadline: Deadline, at: Moment, chance: Chance) -> list[E | ClockEvent]:
        if self.default_action is None or deadline.kind == "window":
            assert self.expire is not None, f"{self.key}: nothing follows from {deadline.id}"
            return list(self.expire(state, deadline, at, chance))
        events: list[E | ClockEvent] = []
        for seat in deadline.seats:
            default = self.default_action(state, seat)
            played: list[E | ClockEvent] = [TimedOut(seat, deadline.id)]
            played += self.act(state, seat, default, at, chance)
            events += played
            state = reduce(self.apply_event, played, state)
        return events

    def fold(self, events: Iterable[B | E | ClockEvent], state: S | None = None) -> S:
        """Return the state after these events, starting from nothing or from `state`.

        Raises `BrokenRecord` if the first event is missing or comes twice, or if an event does not fit the game.
        """
        for event in events:
            if type(event) is self.begun:
                if state is not None:
                    raise BrokenRecord(f"{self.key}: a game begins once")
                state = self.first_state(event)
            elif state is None:
                raise BrokenRecord(f"{self.key}: a game begins with {self.begun.__struct_config__.tag}")
            else:
                state = self.apply_event(state, event)  # type: ignore[arg-type] # mypy does not rule out B here
        if state is None:
            raise BrokenRecord(f"{self.key}: a game needs at least one event")
        return state


class _StoredOptions(msgspec.Struct):
    """The options of a stored first event."""

    options: msgspec.Raw


AnyGame = Game[Any, Any, Any, Any, Any, Any, Any]
"""A game whose types the caller does not know. Hosts of games handle its values without looking inside."""


def to_json(value: Action | Event | View | Options) -> str:
    """Return the value as JSON, as it is stored and sent to the bots' worker processes."""
    return msgspec.json.encode(value).decode()


def _span(numbers: range) -> str:
    first, last = numbers[0], numbers[-1]
    return str(first) if first == last else f"{first} to {last}"
