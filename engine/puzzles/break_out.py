"""Go out: the one way to get rid of the whole hand in this turn.

Proved by playing every sound play after every other.
"""

from collections.abc import Iterator
from random import Random

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Seat
from engine.games.break_out import (
    GAME,
    LETTERS,
    NATURAL,
    WILD,
    BreakOutOptions,
    Card,
    Cards,
    Face,
    Material,
    Meld,
    Slot,
    State,
)
from engine.games.break_out.melds import fault, points
from engine.games.break_out.search import sound_plays
from engine.games.break_out.types import START, BreakOut, BreakOutAction, Extend, Extract, Lay, Move
from engine.puzzles import EASIEST, HARDEST, SOLVER, Answer, Proof, PuzzleKind

RIVAL = Seat(1)
HELD = 5
"""The number of cards in the rival's hand, face down."""

TURN = 9
"""The number of the game's turn; everything on the table was laid earlier."""

MOST_NODES = 1_500
"""A position that needs more tables to be searched is no puzzle."""

Table = tuple[tuple[tuple[int | None, str], ...], tuple[Face, ...]]
"""What distinguishes two moments of a turn: each meld with where it is, and the hand."""


class GoOut(msgspec.Struct, frozen=True):
    """The melds in the Yard and in the solver's cell, and the solver's hand. The solver has not broken out yet.

    Cards are written as people write them, a Wild with what it represents ("w=r5"); melds are separated by bars.
    """

    yard: str
    cell: str
    hand: str
    round: int


def _cards(words: str) -> Cards:
    pairs = (word.partition("=") for word in words.split())
    return tuple(Card(face, declared or None) for face, _, declared in pairs)


def _written(cards: Cards) -> str:
    return " ".join(card.face if card.stands is None else f"{card.face}={card.stands}" for card in cards)


def state(position: GoOut, material: Material) -> State:
    """Return the round: it is the solver's turn, the referee is strict, and the pile has the remaining cards."""
    melds = [Meld(START, None, (Slot(0, Card(material.round_card(position.round)), None, 0),))]
    dealt = 1
    for where, words in ((None, position.yard), (SOLVER, position.cell)):
        for one in filter(None, words.split("|")):
            slots = tuple(Slot(dealt + number, card, SOLVER, TURN - 4) for number, card in enumerate(_cards(one)))
            dealt += len(slots)
            melds.append(Meld(len(melds), where, slots, (TURN - 4,)))
    hand = tuple(position.hand.split())
    pile = material.deck(2)
    for face in (*hand, *(slot.card.face for meld in melds for slot in meld.slots)):
        pile.remove(face)
    return State(
        material=material,
        options=BreakOutOptions(clock=0, interludes="off", hints="off", referee="strict"),
        round=position.round,
        serial=TURN,
        turn=SOLVER,
        starter=SOLVER,
        began=Moment(0),
        hands=(hand, tuple(pile[:HELD])),
        out=(False, False),
        pile=tuple(pile[HELD + 1 :]),
        place=pile[HELD],
        melds=tuple(melds),
        names=len(melds),
        dealt=dealt,
        full=sum(len(meld.slots) for meld in melds if meld.cell == SOLVER) >= material.cell,
        pointed=(False, False),
        scores=(0, 0),
    )


def propose(rng: Random, material: Material) -> GoOut | None:
    """Return a table with melds, and a hand that begins with a break-out and may fit the table."""
    number = rng.randrange(1, 7)
    deck = material.deck(2)
    deck.remove(material.round_card(number))
    yard = [meld for _ in range(rng.randrange(2, 5)) if (meld := _meld(rng, deck)) is not None]
    cell = [meld for _ in range(rng.randrange(2)) if (meld := _meld(rng, deck, most=material.break_out - 1))]
    way = _meld(rng, deck, least=material.break_out)
    if way is None:
        return None
    loose = [face for face in deck if face in NATURAL or face == WILD]
    hand = [*(card.face for card in way), *rng.sample(loose, rng.randrange(3, 5))]
    if sum(face not in NATURAL for face in hand) > 1:
        return None
    words = [" | ".join(map(_written, melds)) for melds in (yard, cell)]
    return GoOut(words[0], words[1], " ".join(sorted(hand)), number)


def _meld(rng: Random, deck: list[Face], *, least: int = 0, most: int = 99) -> Cards | None:
    """Take a random sound meld out of the deck, sometimes with a Wild; None if none is found."""
    for _ in range(12):
        size = rng.choice((3, 3, 4))
        if rng.random() < 0.5:
            low, letter = rng.randrange(1, 9 - size), rng.choice(LETTERS)
            wanted = [Card(f"{letter}{number}") for number in range(low, low + size)]
        else:
            number = rng.randrange(1, 8)
            wanted = [Card(f"{letter}{number}") for letter in rng.sample(LETTERS, size)]
        if rng.random() < 0.35:
            run = len({card.face[0] for card in wanted}) == 1
            place = rng.randrange(size)
            wanted[place] = Card(WILD, wanted[place].face if run else wanted[place].face[1])
        cards = tuple(wanted)
        left = list(deck)
        try:
            for card in cards:
                left.remove(card.face)
        except ValueError:
            continue
        if fault(cards) is None and least <= points(cards) <= most:
            deck[:] = left
            return cards
    return None


def prove(position: GoOut, material: Material) -> Proof | None:
    """Return the proof that there is one way out; None if there is none or another, or if it takes only one play."""
    begun = state(position, material)
    search = _Search()
    line = search.way(begun)
    if line is None or len(line) < 2 or len(search.tables) != 1:
        return None
    first = sum(1 for _ in _plays(begun))
    if first < 2:
        return None
    harder = len(line) - 2 + any(isinstance(play, Extract) for play in line) + (first > 4)
    return Proof(tuple(line), 0, search.fewest, first, min(HARDEST, EASIEST + harder))


def _plays(made: State) -> Iterator[BreakOutAction]:
    """Yield the plays that get rid of something; moving cell melds never helps to go out."""
    for play in sound_plays(GAME.view(made, SOLVER), SOLVER):
        if isinstance(play, Lay | Extend | BreakOut | Extract):
            yield play


def _after(made: State, play: BreakOutAction) -> State:
    chance = Chance(bytes(SEED_BYTES), "puzzle", made.dealt)
    after: State = GAME.fold(GAME.decide(made, SOLVER, play, Moment(0), chance), made)
    return after


class _Search:
    """A search through all continuations. `tables` are those on which the hand is empty, `fewest` the cards left
    otherwise.
    """

    def __init__(self) -> None:
        self.tables: set[tuple[tuple[int | None, str], ...]] = set()
        self.fewest = 99
        self._seen: dict[Table, tuple[Action, ...] | None] = {}

    def way(self, made: State) -> tuple[Action, ...] | None:
        """Return the plays that empty the hand, or None if there are none or the search takes too long."""
        table = _table(made)
        if not made.hands[SOLVER]:
            self.tables.add(table[0])
            return ()
        if table in self._seen:
            return self._seen[table]
        if len(self._seen) >= MOST_NODES:
            self.tables |= {(), ((None, "too many"),)}
            return None
        self._seen[table] = None
        found: tuple[Action, ...] | None = None
        for play in _plays(made):
            rest = self.way(_after(made, play))
            if rest is not None and (found is None or len(rest) + 1 < len(found)):
                found = (play, *rest)
        if found is None:
            self.fewest = min(self.fewest, len(made.hands[SOLVER]))
        self._seen[table] = found
        return found


def _table(made: State) -> Table:
    melds = sorted(
        (-1 if meld.cell is None else meld.cell, _written(tuple(sorted(meld.cards, key=_order)))) for meld in made.melds
    )
    return tuple(melds), tuple(sorted(made.hands[SOLVER]))


def _order(card: Card) -> tuple[str, str]:
    return card.face, card.stands or ""


def judge(position: GoOut, proof: Proof, material: Material, played: tuple[Action, ...]) -> Answer:
    """Evaluate the plays so far: wrong ones leave no way out. Fact: the cards `left` in hand."""
    made = state(position, material)
    for play in played:
        assert isinstance(play, Lay | Extend | BreakOut | Extract | Move)
        made = _after(made, play)
    facts: dict[str, int | str] = {"left": len(made.hands[SOLVER])}
    if not made.hands[SOLVER]:
        return Answer("right", facts=facts)
    return Answer("wrong" if _Search().way(made) is None else "go-on", facts=facts)


KIND: PuzzleKind[GoOut] = PuzzleKind(
    key="go-out",
    game=GAME,
    position=GoOut,
    propose=propose,
    prove=prove,
    state=state,
    judge=judge,
    answers=(Lay, Extend, BreakOut, Extract, Move),
)
