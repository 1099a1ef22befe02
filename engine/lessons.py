"""Lessons: learning a game by playing it, step by step, in positions reached by the game's own rules.

A lesson is data: only chance is scripted, and no state is stored, since a position follows from the number of its step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, AnyGame, BrokenRecord, Event, Expire, Moment, Options, Refusal, Seat

T = TypeVar("T")

Body = dict[str, Any]
"""An action as JSON, or some of its fields. A scripted move names its `seat`, and may have `rolls`; one with `wait`
only lets this many milliseconds pass.
"""

LEARNER = Seat(0)

NAME = "lesson"
BEGINS = Moment(1_700_000_000_000)
BETWEEN_MS = 6_000
"""The time between two moves, long enough that each has the same effect as among people who take their time."""


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new game. `rolls` are what dice show (or which of several items is drawn, from 0), and `orders` the first
    pieces of each shuffle.

    What is not scripted is the same in every run. `moves` lead to the position.
    """

    rolls: tuple[int, ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()
    moves: tuple[Body, ...] = ()


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a move that the rules allow but the step does not ask for, if it has all of these fields."""

    when: Body
    say: str


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One idea, and what the learner does with it.

    `right` are the moves that are asked for; one that names only some fields matches any values of the others. `shown`
    is the move made for a learner who asks to see it, by default the first right one. A step without right moves is
    only read. With `earns`, a move must also score this many points. `rolls` are what dice show then; `after` happens
    next, automatically. `well` answers the right move, `otherwise` others that no `wrong` covers. `controls` are the
    verbs of the game's controls that the page keeps, so that it shows only what the step needs; all of them if there
    are none.
    """

    say: str
    scene: Scene | None = None
    right: tuple[Body, ...] = ()
    shown: Body | None = None
    earns: int = 0
    rolls: tuple[int, ...] = ()
    after: tuple[Body, ...] = ()
    well: str = ""
    wrong: tuple[Wrong, ...] = ()
    otherwise: str = ""
    controls: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson: the other players' names, the table's options, the steps, and the text at the end.

    If `lit`, the controls to press are highlighted, since the steps name them; otherwise finding them is part of the
    lesson.
    """

    others: tuple[str, ...]
    steps: tuple[Step, ...]
    ending: str
    options: Body = {}
    lit: bool = False


class ScriptError(Exception):
    """A lesson that cannot be played as written. The message is one sentence that names the step and the problem."""


@dataclass(frozen=True)
class Position:
    """A state of a lesson's game, its moment, and how many events have led to it."""

    state: Any
    at: Moment
    events: int


class _Scripted(Chance):
    """Chance that yields the scripted values, and then always the same ones."""

    def __init__(self, step: int, rolls: Iterable[int], orders: Iterable[Sequence[str]] = ()) -> None:
        super().__init__(bytes(SEED_BYTES), NAME, step)
        self._rolls = list(rolls)
        self._orders = list(orders)

    def below(self, bound: int) -> int:
        return self._rolls.pop(0) if self._rolls else super().below(bound)

    def roll(self, sides: int = 6) -> int:
        return self._rolls.pop(0) if self._rolls else super().roll(sides)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest, first = list(items), []
        for wanted in self._orders.pop(0) if self._orders else ():
            place = next((place for place, item in enumerate(rest) if str(item) == wanted), None)
            if place is None:
                raise ScriptError(f"there is no {wanted} left to lie where it is wanted")
            first.append(rest.pop(place))
        rolls, self._rolls = self._rolls, []
        found = first + super().shuffled(rest)
        self._rolls = rolls
        return found

    def used_up(self) -> bool:
        return not self._rolls and not self._orders


def matches(given: Any, wanted: Any) -> bool:
    """Return whether an action, as JSON, has all these fields, including nested ones. Lists of words match in any
    order.
    """
    if isinstance(given, dict) and isinstance(wanted, dict):
        return all(name in given and matches(given[name], value) for name, value in wanted.items())
    if isinstance(given, list) and isinstance(wanted, list):
        if all(isinstance(one, str) for one in (*given, *wanted)):
            return sorted(given) == sorted(wanted)
        return len(given) == len(wanted) and all(map(matches, given, wanted))
    return bool(given == wanted)


def body_of(action: Action) -> Body:
    """Return an action as JSON."""
    found: Body = msgspec.json.decode(msgspec.json.encode(action))
    return found


class Course:
    """A lesson of one game, ready to be played. Raises `ScriptError` if a step cannot be reached.

    The position of a step follows from the learner's last right move and the scripted answers to it, or from a new
    `Scene`, begun by `setup` and continued by `decide`. The learner has seat 0, and no clock runs that they could miss.
    """

    def __init__(self, game: AnyGame, material: Any, lesson: Lesson) -> None:
        self.game = game
        self.lesson = lesson
        self._material = material
        self.seats = 1 + len(lesson.others)
        if not lesson.steps or lesson.steps[0].scene is None:
            raise ScriptError("the first step needs a scene")
        try:
            self.options: Options = msgspec.convert(lesson.options, game.options)
        except msgspec.ValidationError as error:
            raise ScriptError(f"these are no options of the game: {error}") from error
        self.options = msgspec.structs.replace(self.options, clock=0)
        self._positions: list[Position] = []
        for number in range(len(lesson.steps)):
            try:
                self._positions.append(self._reached(number))
                self._check(number)
            except (ScriptError, Refusal, BrokenRecord, ValueError) as error:
                raise ScriptError(f"step {number + 1}: {error}") from error

    def __len__(self) -> int:
        return len(self.lesson.steps)

    def position(self, number: int) -> Position:
        """Return the position of a step, from 0."""
        return self._positions[number]

    def follows(self, number: int) -> bool:
        """Return whether a step continues from the end of the previous one."""
        return 0 < number < len(self) and self.lesson.steps[number].scene is None

    def shown(self, number: int) -> Action:
        """Return the move that a step shows. Raises `BrokenRecord` if it has none."""
        step = self.lesson.steps[number]
        return self._read(step.shown or next(iter(step.right), {}))

    def asked(self, number: int, action: Action) -> bool:
        """Return whether a move is one that a step asks for. Raises `Refusal`."""
        step = self.lesson.steps[number]
        if not any(matches(body_of(action), wanted) for wanted in step.right):
            return False
        return (
            not step.earns
            or self._points(self.tried(number, action)) - self._points(self.position(number)) >= step.earns
        )

    def _points(self, position: Position) -> int:
        """Return the learner's points. The game's view must have a score per seat."""
        scores: Sequence[int] = self.game.view(position.state, LEARNER).scores
        return scores[LEARNER]

    def goes_on(self, number: int, after: Position) -> bool:
        """Return whether the position after a move is that of the next step."""
        return self.follows(number + 1) and self.position(number + 1).state == after.state

    def remark(self, number: int, action: Action) -> str:
        """Return the answer to a move that the rules allow but the step does not ask for."""
        step = self.lesson.steps[number]
        body = body_of(action)
        return next((wrong.say for wrong in step.wrong if matches(body, wrong.when)), step.otherwise)

    def tried(self, number: int, action: Action) -> Position:
        """Return the position after a move of the learner, before anything else happens. Raises `Refusal`."""
        before = self.position(number)
        now = Moment(before.at + BETWEEN_MS)
        return self._moved(before, LEARNER, action, now, self.lesson.steps[number].rolls)

    def outcome(self, number: int, action: Action) -> Position:
        """Return the position after a move and what happens next. Raises `Refusal`."""
        return self._scripted(self.tried(number, action), self.lesson.steps[number].after)

    # Building positions

    def _reached(self, number: int) -> Position:
        step = self.lesson.steps[number]
        if step.scene is not None:
            return self._begun(step.scene)
        before = self.lesson.steps[number - 1]
        if not before.right:
            return self._scripted(self.position(number - 1), before.after)
        return self.outcome(number - 1, self.shown(number - 1))

    def _check(self, number: int) -> None:
        """Raise `ScriptError` or `Refusal` if the moves of a step cannot be made."""
        step = self.lesson.steps[number]
        if not step.right:
            return
        if not step.otherwise:
            raise ScriptError("it has nothing to say of other moves")
        if not self.asked(number, self.shown(number)):
            raise ScriptError("what it shows is none of the moves that it asks for")
        self.outcome(number, self.shown(number))
        for wanted in step.right:
            try:
                whole = self._read(wanted)
            except BrokenRecord:
                continue  # it names only some fields
            self.outcome(number, whole)

    def _begun(self, scene: Scene) -> Position:
        chance = _Scripted(0, scene.rolls, scene.orders)
        events = self.game.setup(self.seats, self.options, self._material, BEGINS, chance)
        if not chance.used_up():
            raise ScriptError("more of its chance is written down than is drawn")
        return self._scripted(Position(self.game.fold(events), BEGINS, len(events)), scene.moves)

    def _scripted(self, position: Position, moves: Iterable[Body]) -> Position:
        for move in moves:
            if "wait" in move:
                position = self._passed(position, Moment(position.at + int(move["wait"])))
                continue
            action = self._read({name: value for name, value in move.items() if name not in ("seat", "rolls")})
            now = Moment(position.at + BETWEEN_MS)
            position = self._moved(position, Seat(int(move["seat"])), action, now, move.get("rolls", ()))
        return position

    def _passed(self, position: Position, now: Moment) -> Position:
        """Return the position at a later moment, after the rules' own windows that were due have closed."""
        while due := sorted((one for one in self.game.deadlines(position.state) if one.due <= now), key=_due):
            position = self._moved(replace(position, at=due[0].due), None, Expire(due[0].id), due[0].due, ())
        return replace(position, at=now)

    def _moved(
        self, position: Position, seat: Seat | None, action: Action, now: Moment, rolls: Sequence[int]
    ) -> Position:
        if seat is not None:
            position = self._passed(position, now)
        chance = _Scripted(position.events, rolls)
        events: Sequence[Event] = self.game.decide(position.state, seat, action, now, chance)
        return Position(self.game.fold(events, position.state), now, position.events + len(events))

    def _read(self, body: Body) -> Action:
        action: Action = self.game.read_action(msgspec.json.encode(body))
        return action


def _due(deadline: Any) -> int:
    return int(deadline.due)
