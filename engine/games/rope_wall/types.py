"""The Rope Wall's types: material, options, actions and events."""

from typing import Annotated, ClassVar, Literal

import msgspec

from engine.contract import Action, ClockEvent, Event, Moment, Options, Seat
from engine.turns import InterludeEvent, Interludes, Ready

Side = Literal["left", "right"]
Row = tuple[Seat | None, ...]
"""One floor, from the leftmost column: whose knot is there."""
Wall = tuple[Row, ...]
"""`wall[floor][column]`, both from 0, from the lowest floor and the leftmost column: whose knot is there."""


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wall and the pieces. The bounds keep a game winnable and the search for ropes short."""

    floors: Annotated[int, msgspec.Meta(ge=3, le=6)]
    columns: Annotated[int, msgspec.Meta(ge=3, le=6)]
    knots: Annotated[int, msgspec.Meta(ge=5, le=24)]  # per player
    prisoners: Annotated[int, msgspec.Meta(ge=1, le=3)]  # to free for a win
    full_wall_turns: Annotated[int, msgspec.Meta(ge=1, le=100)]  # in all, after the push that fills the wall
    round_pushes: Annotated[int, msgspec.Meta(ge=1, le=1000)]  # after which a round is cancelled with the limit of 80
    cancelled_rounds: Annotated[int, msgspec.Meta(ge=1, le=100)]  # in a row, after which the game ends

    def __post_init__(self) -> None:
        if self.knots <= self.floors:
            raise ValueError("a rope needs a knot a floor and one more for its angle")
        if 2 * self.knots <= self.floors * self.columns:
            raise ValueError("the wall could swallow all knots of both players, and nobody could move")
        if 2 * self.prisoners - 1 > self.columns:
            raise ValueError("the exits could all be closed before anyone has won")


Doubles = Literal["forks", "apart"]


class RopeWallOptions(Options, frozen=True):
    """Whether the game pauses between rounds, what two ropes at once are, and how long a round may last."""

    interludes: Interludes = "on"
    doubles: Annotated[
        Doubles,
        msgspec.Meta(
            title="Two ropes at once",
            description="forks: two exits, each with its own climb; the ropes may share knots. "
            "apart: the two ropes may not share a knot.",
            extra={"asks": "What counts as two ropes at once, which free two prisoners"},
        ),
    ] = "forks"
    push_limit: Annotated[
        Literal["120", "80", "none"],
        msgspec.Meta(
            title="Push limit",
            description="120: the usual limit. 80: for shorter rounds. none: no limit; the game is unrated.",
            extra={"asks": "After how many pushes without a rope a round is cancelled"},
        ),
    ] = "120"


class Opening(msgspec.Struct, frozen=True, order=True):
    """One of the places where a knot can be pushed in. Floors count from 1, the lowest."""

    floor: int
    side: Side


class Push(Action, frozen=True, tag="push"):
    """Put one of your knots into this opening."""

    floor: int
    side: Side


class ChooseExits(Action, frozen=True, tag="choose-exits"):
    """The winner of a round chooses the exits (columns, from 1 on the left) through which the prisoners leave.

    The columns are one of the view's `choices`, in the same order.
    """

    columns: tuple[int, ...]


class Resign(Action, frozen=True, tag="resign"):
    """Concede the game."""

    counts_as_move: ClassVar[bool] = False


RopeWallAction = Push | ChooseExits | Resign | Ready


Cells = tuple[tuple[int, int], ...]
"""The knots of a rope, from the lowest floor to its end: (floor, column), both from 1."""


class GameBegun(Event, frozen=True, tag="begun"):
    """The wall is empty and the first round's starter is drawn.

    An interlude lasts `interlude_ms`; 0 is none, as in games older than interludes.
    """

    material: Material
    options: RopeWallOptions
    starter: Seat
    at: Moment
    interlude_ms: int = 0


class Pushed(Event, frozen=True, tag="pushed"):
    """A knot was pushed in. `fell` is whose knot fell out on the other side, None if the floor had a gap."""

    seat: Seat
    floor: int
    side: Side
    fell: Seat | None
    at: Moment


class Skipped(Event, frozen=True, tag="skipped"):
    """This seat had no knot in hand, so its turn was skipped."""

    seat: Seat


class RoundWon(Event, frozen=True, tag="won"):
    """The last push completed one or two links of this seat, which frees prisoners through one of these sets of
    columns.

    `ropes` lead to every column that occurs in the choices; ropes to columns of different choices may share knots.
    """

    seat: Seat
    choices: tuple[tuple[int, ...], ...]
    ropes: tuple[Cells, ...]


class Escaped(Event, frozen=True, tag="escaped"):
    """Prisoners of this seat now sit on top of these columns, at the ends of these ropes."""

    seat: Seat
    columns: tuple[int, ...]
    ropes: tuple[Cells, ...]


class RoundCancelled(Event, frozen=True, tag="cancelled"):
    """Nobody won the round: the wall was full for too long, or there were too many pushes."""

    reason: Literal["full-wall", "pushes"]


class RoundBegun(Event, frozen=True, tag="round"):
    """All knots went back to their owners and a new round began."""

    starter: Seat
    at: Moment


class Resigned(Event, frozen=True, tag="resigned"):
    """This seat gave up."""

    seat: Seat


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over. Without a winner the win is shared."""

    reason: Literal["prisoners", "cancelled", "resigned"]
    winner: Seat | None


RopeWallEvent = (
    Pushed
    | Skipped
    | RoundWon
    | Escaped
    | RoundCancelled
    | RoundBegun
    | Resigned
    | GameEnded
    | InterludeEvent
    | ClockEvent
)
