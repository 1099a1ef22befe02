"""The contract of a game: the types that every game's module fills in and every host of games relies on.

A game is a value, `Game`, with pure functions. Its state never changes in place: `decide` turns an action into events
or refuses it, `evolve` folds one event into a state, and everything that a player may see goes through `view`.
Randomness (`engine.chance.Chance`) and time (`Moment`) come in as arguments; what chance decided is carried by the
events, so a replay never draws. May import the standard library, msgspec and `engine.chance`.

Errors:

    GameError
    ├── Refusal          an action that the rules do not allow: a code and facts, no prose
    └── BrokenRecord     stored events or actions that this version cannot read
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Generic, Literal, NewType, TypeVar

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
    """The root of what the engine raises on purpose."""


class Refusal(GameError):
    """An action that the rules do not allow.

    `code` is a short stable word that the game's cog turns into a sentence; `facts` are the numbers and words that the
    sentence needs. Facts never hold what the refused seat may not know.
    """

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class BrokenRecord(GameError):
    """Stored events or actions that cannot be read back as this game's."""


class Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """What a seat, or the clock, asks for: an imperative. A person's own words are `engine.words.Written`."""

    counts_as_move: ClassVar[bool] = True
    """Whether who does it plays. Giving up, a note to oneself, being ready and what the clock does are no moves."""


class Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """What happened: a fact in the past tense. Its tag is stored, so it stays as it is for good."""


class Expire(Action, frozen=True, tag="expire"):
    """The clock says that this deadline has passed. Sent with seat None; one that is gone refuses it as `late`."""

    counts_as_move: ClassVar[bool] = False

    deadline: str


class Delay(Action, frozen=True, tag="delay"):
    """The host was away for so many milliseconds: every running deadline moves back by them. Sent with seat None."""

    counts_as_move: ClassVar[bool] = False

    by_ms: int


class Lapsed(Event, frozen=True, tag="lapsed"):
    """This seat let its clock run out; the events that follow are the default that was played for it. Only an `Expire`
    leads to it.
    """

    seat: Seat
    deadline: str


class Delayed(Event, frozen=True, tag="delayed"):
    """Every deadline that was running moved back by so many milliseconds."""

    by_ms: int


class Deadline(msgspec.Struct, frozen=True):
    """A moment at which the clock acts.

    `seats` are those it waits for; `default` is what the rules play for a seat that lets it pass (None where the rules
    simply go on). A `turn` is a person's time to think: the host nudges, and counts how often it lapsed. A `window` is
    a rule's own span and is nobody's fault.
    """

    id: str
    seats: tuple[Seat, ...]
    due: Moment
    default: Action | None
    kind: Literal["turn", "window"] = "turn"


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. `places` and `scores` have one entry a seat; place 1 is best, and equal places are shared."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may set before the game begins; a game adds its own fields.

    A field is a `Literal` of words or numbers, or an `int` with bounds; its `msgspec.Meta` has a `title` and a
    `description`, from which the lobby makes the controls. Where the description has a sentence for each value, `asks`
    (in `extra`) says what is chosen.
    """

    clock: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=86_400,
            title="Turn clock",
            description="How long a turn may take before a safe move is made for you.",
            examples=[0, 30, 60, 120, 180, 300, 600, 3_600, 86_400],
        ),
    ] = 180
    """Seconds; 0 is no clock."""

    pace: Annotated[
        Literal["calm", "quick"],
        msgspec.Meta(
            title="Computers",
            description="calm: they take their time, as people do. quick: they move at once.",
            extra={"asks": "How fast computer players move"},
        ),
    ] = "calm"
    """How fast computer players move. No rule knows it: the host reads it."""


class View(msgspec.Struct, frozen=True):
    """What one seat may know, or with `seat` None the public. Games extend it, field by field.

    `waiting` are the seats without whose move the game does not go on. `stamp` grows whenever a control that was drawn
    for an earlier view would now mean something else; it is the same for every reader.
    """

    seat: Seat | None
    waiting: tuple[Seat, ...]
    stamp: int


S = TypeVar("S", bound=msgspec.Struct)
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Options)  # noqa: E741 (S, A, E, V, O, M: one letter a part of the contract)
M = TypeVar("M", bound=msgspec.Struct)


@dataclass(frozen=True, eq=False)
class Game(Generic[S, A, E, V, O, M]):
    """One game: there is one of each, and it equals itself alone. `seats` are the numbers of players it takes;
    `actions` and `events` are unions of tagged structs.

    - `setup(seats, options, material, at, chance)` gives the events that begin a game at that moment, or raises
      ValueError for a number of seats that it does not take.
    - `decide(state, seat, action, at, chance)` gives the events that follow from an action, at least one, or raises
      `Refusal`. Seat None is the clock. `at` is when the action was received.
    - `evolve(state, event)` gives the state after an event; the first event of a game makes a state out of None.
    - `legal(state, seat)` iterates over actions that `decide` accepts from that seat now, sound ones only.
    - `view(state, seat)` gives what that seat may know; None is the public.
    - `deadlines(state)` gives the clocks that run.
    - `outcome(state)` is None until the game is over.
    - `census(state)` counts the pieces of the game by what they are, wherever they lie, also out of sight and out of
      play: it stays the same from the first state to the last. Every game in the registry has one.
    """

    key: str
    title: str
    seats: range
    options: type[O]
    material: type[M]
    actions: Any  # a union of types: Python 3.11 has no type for "a union of subclasses of Action"
    events: Any
    views: type[V]
    setup: Callable[[int, O, M, Moment, Chance], list[E]]
    decide: Callable[[S, Seat | None, A, Moment, Chance], list[E]]
    evolve: Callable[[S | None, E], S]
    legal: Callable[[S, Seat], Iterator[A]]
    view: Callable[[S, Seat | None], V]
    deadlines: Callable[[S], tuple[Deadline, ...]]
    outcome: Callable[[S], Outcome | None]
    choices: Callable[[V], Iterator[A]] | None = None
    """What `legal` gives, from the seat's own view: for games where finding it takes long, so that it can be found
    where computer players think.
    """
    unasked: Callable[[V], bool] | None = None
    """Whether the reader of a view for whom the game does not wait may do something all the same, such as call; None
    where nobody ever may. It is asked after every move, so it reads the view and enumerates nothing.
    """
    census: Callable[[S], Counter[str]] | None = None
    hides: bool = False
    """Whether seats have secrets: then people get direct messages."""
    fewest: bool = False
    """Whether the fewest points are the best score."""
    scored: bool = True
    """Whether a score says how well somebody played, so that somebody's best is worth telling."""
    rules: int = 1
    """The version of the rules: it grows with every change of what `setup` or `decide` make of the same arguments. A
    table keeps the one that it began under. Replays ask for none, since events tell all: `evolve` reads those of
    every version.
    """
    draws: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """What chance decides: by an event's tag, its fields that another seed would fill otherwise."""

    @cached_property
    def _events(self) -> msgspec.json.Decoder[E]:
        return msgspec.json.Decoder(self.events)

    @cached_property
    def _actions(self) -> msgspec.json.Decoder[A]:
        return msgspec.json.Decoder(self.actions)

    def read_event(self, body: bytes | str) -> E:
        """Return the event that `write` wrote. Raises `BrokenRecord`."""
        try:
            return self._events.decode(body)
        except msgspec.DecodeError as error:
            raise BrokenRecord(f"{self.key}: this is no event of the game: {error}") from error

    def read_action(self, body: bytes | str) -> A:
        """Return the action that `write` wrote. Raises `BrokenRecord`."""
        try:
            return self._actions.decode(body)
        except msgspec.DecodeError as error:
            raise BrokenRecord(f"{self.key}: this is no action of the game: {error}") from error

    def fold(self, events: Iterable[E], state: S | None = None) -> S:
        """Return the state after these events, from nothing or from `state`. Raises `BrokenRecord` if there is none."""
        for event in events:
            state = self.evolve(state, event)
        if state is None:
            raise BrokenRecord(f"{self.key}: a game needs at least one event")
        return state


AnyGame = Game[Any, Any, Any, Any, Any, Any]
"""A game whose types the reader does not know: hosts of games handle its values without looking inside."""


def write(value: Action | Event | View | Options) -> str:
    """Return the value as JSON, as it is stored and sent to computer players."""
    return msgspec.json.encode(value).decode()
