"""Break-Out's types: cards, material, options and actions. The events are in `events`.

A card's face is written as people write it: the first letter of its colour and its number, "r3"; "w" is a Wild, "d" a
DRAW card, "s" a Super Wild. In a meld a Wild is declared: "5" in a set of fives, "r5" in a red run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import msgspec

from engine.contract import Action, Options, Seat
from engine.turns import Interludes, Ready

RULES = 5
"""The version of the rules."""

Colour = Literal["red", "blue", "yellow", "green", "orange", "violet"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
LETTERS = tuple(colour[0] for colour in COLOURS)

NUMBERS = 7
"""The highest number of a colour."""

WILD = "w"
DRAW = "d"
SUPER = "s"
NATURAL = tuple(f"{letter}{number}" for letter in LETTERS for number in range(1, NUMBERS + 1))
"""Every card with a number."""
FACES = (*NATURAL, WILD, DRAW, SUPER)
"""Every face, in sorting order."""
if TYPE_CHECKING:
    Face = str
else:
    Face = Literal[FACES]  # decoding a record yields one shared string per face, however many cards are alike

DECLARABLE = frozenset([*NATURAL, *map(str, range(1, NUMBERS + 1))])
"""What a Wild may be declared as: a number, or a number and a colour."""

NUMBER_OF: dict[str, int] = {shown: int(shown[-1]) for shown in DECLARABLE} | dict.fromkeys((WILD, DRAW, SUPER), 0)
"""The number of a face, or of what a Wild represents; 0 for a face without one."""
COLOUR_OF: dict[Face, str] = {face: face[0] for face in NATURAL}
"""The letter of the colour of each card with a number."""
RANK: dict[Face, int] = {face: rank for rank, face in enumerate(FACES)}
"""The position of a face in sorting order."""

START = 0
"""The id of the meld that begins with the round card."""


class Card(msgspec.Struct, frozen=True, gc=False):
    """A card as it is played: its face and, for a Wild or Super Wild in a meld, what it represents."""

    face: Face
    stands: str | None = None

    @property
    def wild(self) -> bool:
        """Whether it represents another card."""
        return self.face in (WILD, SUPER)

    @property
    def number(self) -> int:
        """The number that it counts in a meld; 0 for a DRAW card."""
        return NUMBER_OF.get(self.face if self.stands is None else self.stands, 0)

    @property
    def colour(self) -> str | None:
        """The letter of its colour; None for a Wild declared as a number only, and for a DRAW card."""
        return COLOUR_OF.get(self.face if self.stands is None else self.stands)


class Slot(msgspec.Struct, frozen=True, gc=False):
    """A card in a meld: who laid it in which turn (None: the round card), and from which cell meld it came, if any.

    `was` is what it was there: its id, and the turn in which it had been laid.
    """

    id: int
    card: Card
    by: Seat | None
    turn: int
    source: int | None = None
    was: tuple[int, int] | None = None


class Meld(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Cards that lie together: in a player's cell, or in the Yard. `turns` are the turns that changed it, the last one
    last.
    """

    id: int
    cell: Seat | None
    slots: tuple[Slot, ...]
    turns: tuple[int, ...] = ()

    @property
    def cards(self) -> "Cards":
        """The cards, in order."""
        return tuple([slot.card for slot in self.slots])

    @property
    def start(self) -> bool:
        """Whether it is the round card alone."""
        return self.id == START and len(self.slots) == 1

    @property
    def changed(self) -> int:
        """The last turn that changed it; -1 if none has."""
        return self.turns[-1] if self.turns else -1


# ------------------------------------------------------------------------------------------------- material and options


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards, what they count, and the timing windows in milliseconds. The bounds keep every deal possible."""

    wilds: Annotated[int, msgspec.Meta(ge=0, le=12)]
    draws: Annotated[int, msgspec.Meta(ge=0, le=12)]
    super_wilds: Annotated[int, msgspec.Meta(ge=0, le=6)]
    two_decks_from: Annotated[int, msgspec.Meta(ge=2, le=5)]
    hand: Annotated[int, msgspec.Meta(ge=3, le=9)]
    cell: Annotated[int, msgspec.Meta(ge=6, le=30)]
    break_out: Annotated[int, msgspec.Meta(ge=6, le=42)]
    bonus: Annotated[int, msgspec.Meta(ge=0, le=100)]
    wild_value: Annotated[int, msgspec.Meta(ge=0, le=100)]
    draw_value: Annotated[int, msgspec.Meta(ge=0, le=100)]
    super_wild_value: Annotated[int, msgspec.Meta(ge=0, le=100)]
    round_colours: Annotated[tuple[Colour, ...], msgspec.Meta(min_length=6, max_length=6)]
    catch_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)]
    last_catch_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)]
    tie_ms: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    settle_ms: Annotated[int, msgspec.Meta(ge=0, le=5_000)]
    gift_ms: Annotated[int, msgspec.Meta(ge=1_000, le=600_000)]

    def value(self, face: Face) -> int:
        """R1: return what a card in hand counts at the end of a round."""
        special = {WILD: self.wild_value, DRAW: self.draw_value, SUPER: self.super_wild_value}
        return special[face] if face in special else int(face[1])

    def deck(self, seats: int) -> list[Face]:
        """D1: return all cards for this number of players, in order."""
        one = [*NATURAL, *[WILD] * self.wilds, *[DRAW] * self.draws, *[SUPER] * self.super_wilds]
        return one * (2 if seats >= self.two_decks_from else 1)

    def round_card(self, number: int) -> Face:
        """R2, D2: return the card that is laid in the Yard in this round."""
        return f"{self.round_colours[number - 1][0]}{number}"


ROUND_MINUTES = 10
"""About how long a round takes: forty turns of 15 s each, regardless of the number of players."""


class BreakOutOptions(Options, frozen=True):
    """The referee, the length of the game, and the cost of a wrong call."""

    referee: Annotated[
        Literal["honour", "strict"],
        msgspec.Meta(
            title="Referee",
            description="honour: you can cheat, and the others can catch you. strict: the bot refuses illegal plays.",
            extra={"asks": "Who enforces the rules: the players or the bot"},
        ),
    ] = "honour"
    rounds: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=6,
            title="Length",
            description="How many rounds you play; the full game has six. "
            f"A round takes about {ROUND_MINUTES} minutes.",
            examples=[1, 2, 3, 4, 5, 6],
            extra={
                "words": {
                    1: "1 round",
                    2: "Short (2 rounds)",
                    3: "Half (3 rounds)",
                    4: "4 rounds",
                    5: "5 rounds",
                    6: "Full game (6 rounds)",
                }
            },
        ),
    ] = 6
    draw_card: Annotated[
        Literal["face_down", "face_up"],
        msgspec.Meta(title="Card to take", description="Whether the next card you can take is face down or face up."),
    ] = "face_down"
    wrong_call: Annotated[
        Literal["draw", "free"],
        msgspec.Meta(
            title="Wrong call",
            description="draw: the caller takes a card. free: it costs nothing.",
            extra={"asks": "What a wrong DRAW! or MELD! costs the caller", "words": {"free": "no cost"}},
        ),
    ] = "draw"
    interludes: Interludes = "on"
    hints: Annotated[
        Literal["on", "off"],
        msgspec.Meta(
            title="Hints",
            description="on: only you see which plays of your hand are legal. off: find them yourself.",
            extra={"asks": "Whether you are shown which plays of your hand are legal"},
        ),
    ] = "on"


# -------------------------------------------------------------------------------------------------------------- actions

Cards = tuple[Card, ...]
Ids = tuple[int, ...]
Kind = Literal["draw", "meld"]
"""What can be called: that a player neither played nor drew, or laid a bad meld."""
KINDS: tuple[Kind, ...] = get_args(Kind)
Route = Literal[1, 2, 3, 4]


class Draw(Action, frozen=True, tag="draw"):
    """Take the draw card."""


class Lay(Action, frozen=True, tag="lay"):
    """Lay a new meld: into the player's own cell, or after breaking out into the Yard. `cell` are cards of the
    player's own cell melds.
    """

    cards: Cards
    cell: Ids = ()


class Extend(Action, frozen=True, tag="extend"):
    """Add cards to a meld: of the player's own cell, or after breaking out to any in the Yard."""

    meld: int
    cards: Cards
    cell: Ids = ()


class BreakOut(Action, frozen=True, tag="break-out"):
    """Break out by one of the four routes.

    1: `cards` from the hand. 2: the cell meld `meld` and `cards`. 3: a full cell, whose melds `moves` go to the Yard.
    4: a Super Wild. On routes 2 to 4 `moves` are the (other) cell melds that move too. `start` puts the cards on the
    round card, which is not allowed in a break-out.
    """

    route: Route
    cards: Cards = ()
    meld: int | None = None
    moves: Ids = ()
    start: bool = False


class Extract(Action, frozen=True, tag="extract"):
    """Take a Wild out of a Yard meld, in exchange for a card from the hand, or for the card `cell` of the player's
    cell.
    """

    slot: int
    card: Card
    cell: int | None = None


class PlayDraw(Action, frozen=True, tag="draw-card"):
    """Play a DRAW card, or a Super Wild as one."""

    face: Face = DRAW


class Move(Action, frozen=True, tag="move"):
    """Move melds of the player's own cell to the Yard."""

    melds: Ids


class Next(Action, frozen=True, tag="next"):
    """Say NEXT."""


class Call(Action, frozen=True, tag="call"):
    """Call DRAW or MELD on the turn of this number, or on this seat; without either, on the turn whose window is open
    at that moment.
    """

    kind: Kind
    turn: int | None = None
    seat: Seat | None = None


class Give(Action, frozen=True, tag="give"):
    """Give a card to the player who was caught."""

    face: Face


class Point(Action, frozen=True, tag="point"):
    """Point at a bad meld on the table after its window has closed."""

    meld: int


BreakOutAction = Draw | Lay | Extend | BreakOut | Extract | PlayDraw | Move | Next | Call | Give | Point | Ready
Play = Lay | Extend | BreakOut | Extract | PlayDraw | Move
"""Actions that play cards."""

Fault = Literal["size", "kind", "natural", "poor", "start", "rich", "crammed", "swap"]
"""D22: why a meld is bad: not 3 to 6 cards; neither set nor run; no natural card; a break-out worth too little; the
round card used in a break-out; too much for a cell; a cell with too many cards; an extraction with a wrong card.
"""


class LaidMeld(msgspec.Struct, frozen=True):
    """A play with its context on the table. All of it is public.

    `cards` are the meld that it made, or for an extraction the meld that contained the Wild. `held` is how many cards
    were in the cell into which it went, None in the Yard. `wild` is the Wild that an extraction took.
    """

    play: Play
    cards: Cards = ()
    held: int | None = None
    wild: Card | None = None


def in_order(faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return cards in sorting order."""
    return tuple(sorted(faces, key=RANK.__getitem__))
