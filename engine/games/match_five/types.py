"""Match Five's types: tiles, spots, material, options, actions and events.

A tile is written as people write it: the first letter of its colour and its number, "r3"; "w" is a Wild. Positions are
(x, y, level); the lowest level is 1.
"""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, get_args

import msgspec

from engine.contract import Action, ClockEvent, Event, Moment, Options, Seat

Colour = Literal["red", "blue", "yellow", "green", "orange"]
COLOURS: tuple[Colour, ...] = get_args(Colour)

FIVE = 5
"""The five of the game's name: numbers, colours, tiles in a full series, and levels of a stack."""

WILD = "w"
TILES = tuple(f"{colour[0]}{number}" for colour in COLOURS for number in range(1, FIVE + 1))
"""Every tile but the Wilds, by colour and number."""
if TYPE_CHECKING:
    Tile = str
else:
    Tile = Literal[(*TILES, WILD)]  # decoding a record yields one shared string per tile, however many tiles are alike

FARTHEST = 1_000_000
"""The board has no edge, but nothing lies further than this from (0, 0) along x or y."""


class Spot(NamedTuple):
    """A position on the board."""

    x: int
    y: int
    level: int


def colour_of(tile: Tile) -> Colour:
    """Return a tile's colour."""
    return COLOURS[TILES.index(tile) // FIVE]


def number_of(tile: Tile) -> int:
    """Return a tile's number."""
    return int(tile[1])


def value(tile: Tile) -> int:
    """R3, D2: return what a tile in hand counts for deciding who starts; a Wild counts 0."""
    return 0 if tile == WILD else number_of(tile)


# ------------------------------------------------------------------------------------------------- material and options


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tiles and what they count. The bounds keep a game finite."""

    wilds: Annotated[int, msgspec.Meta(ge=0, le=20)]
    hand: Annotated[int, msgspec.Meta(ge=1, le=8)]
    bonus: Annotated[int, msgspec.Meta(ge=0, le=100)]
    wild_left: Annotated[int, msgspec.Meta(ge=0, le=100)]
    idle_circuits: Annotated[int, msgspec.Meta(ge=1, le=10)]


class MatchFiveOptions(Options, frozen=True):
    """How many tiles there are, and how freely a turn's tiles may be laid."""

    copies: Annotated[
        Literal[5, 4, 3],
        msgspec.Meta(
            title="Copies of each tile",
            description="5: the full game, 130 tiles. 4: shorter, 105 tiles. 3: short, 80 tiles.",
            extra={"asks": "How long the game is: the number of copies of each tile"},
        ),
    ] = 5
    placement: Annotated[
        Literal["free", "one_line"],
        msgspec.Meta(
            title="Placement",
            description="free: you can place the tiles of a turn anywhere. one line: they must all end up in one line.",
            extra={"asks": "Where you can place the tiles of one turn"},
        ),
    ] = "free"
    laying: Annotated[
        Literal["automatic", "by_hand"],
        msgspec.Meta(
            title="Choice of place",
            description="automatic: tiles go where they score most. by hand: you choose each place.",
            extra={"asks": "What happens when you press a tile of your hand"},
        ),
    ] = "automatic"
    """O3: the rules ignore it; the page on which a turn is put together reads it."""


# ------------------------------------------------------------------------------------------------------ actions, events


class Laying(msgspec.Struct, frozen=True):
    """One tile of a play: from the hand to a position. A Wild is declared: `wild_as` is the tile that it represents."""

    tile: Tile
    x: int
    y: int
    level: int
    wild_as: Tile | None = None


class Play(Action, frozen=True, tag="play"):
    """Lay one to five tiles, in this order."""

    layings: tuple[Laying, ...]


class Swap(Action, frozen=True, tag="swap"):
    """Give tiles back and draw as many."""

    tiles: tuple[Tile, ...]


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing; only allowed with an empty bag."""


MatchFiveAction = Play | Swap | Pass


class Stone(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A tile on the board. A Wild remains what it was declared as."""

    x: int
    y: int
    level: int
    tile: Tile  # for a Wild: what it represents
    wild: bool = False

    @property
    def spot(self) -> Spot:
        """Where it lies."""
        return Spot(self.x, self.y, self.level)


Axis = Literal["x", "y", "stack"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line that a play made or extended: its spots from one end to the other, and what it scored."""

    axis: Axis
    spots: tuple[Spot, ...]
    points: int
    bonus: int = 0  # R16, for having reached five


class GameBegun(Event, frozen=True, tag="begun"):
    """All have drawn. `deals` are the hands by seat; only the last deal counts, the earlier ones were ties."""

    material: Material
    options: MatchFiveOptions
    deals: tuple[tuple[tuple[Tile, ...], ...], ...]
    starter: Seat
    at: Moment


class Played(Event, frozen=True, tag="played"):
    """A seat laid these stones, scored these lines and drew these tiles."""

    seat: Seat
    stones: tuple[Stone, ...]
    lines: tuple[Line, ...]
    points: int
    drawn: tuple[Tile, ...]
    at: Moment


class Swapped(Event, frozen=True, tag="swapped"):
    """A seat drew the tiles `drawn`, and then gave back the tiles `back`."""

    seat: Seat
    back: tuple[Tile, ...]
    drawn: tuple[Tile, ...]
    at: Moment


class Passed(Event, frozen=True, tag="passed"):
    """A seat did nothing."""

    seat: Seat
    at: Moment


class LastRoundBegun(Event, frozen=True, tag="last"):
    """This seat laid its last tile: everyone else has one more turn."""

    seat: Seat


Reason = Literal["last-tile", "passes", "idle"]


class GameEnded(Event, frozen=True, tag="ended"):
    """The last round was over, all passed in a row, or nobody had played for long."""

    reason: Reason


MatchFiveEvent = Played | Swapped | Passed | LastRoundBegun | GameEnded | ClockEvent
