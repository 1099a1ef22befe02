"""The possible plays in a turn of Break-Out, from the rule book alone: which cards, where to, and whether they are
sound.

Every request results in a deed, or raises `Forbidden` and changes nothing.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.games.break_out import BreakOut, Card, Extend, Extract, Lay, Move, PlayDraw
from tests.engine.games.break_out_reference_cards import (
    FACES,
    ROUND_CARD,
    Deed,
    Journal,
    Table,
    is_set,
    number,
    sound,
    worth,
)
from tests.engine.games.forbidden import Forbidden, require


@dataclass(frozen=True)
class Turn:
    """A turn in progress: its seat and number, what was drawn in it, and whether the cell was full at its start."""

    seat: int
    serial: int
    drawn: str
    full: bool


class Plays:
    """The plays of a round. New cards on the table, and new melds, are numbered in order."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        heaps = journal.table.heaps
        self.heaps = max(heaps) + 1
        self.cards = max(card for heap in heaps.values() for card in heap.cards) + 1

    @property
    def table(self) -> Table:
        return self.journal.table

    def of(self, turn: Turn) -> list[Deed]:
        """Return what was played in a turn, including what was undone."""
        deeds = self.journal.deeds
        return [deed for deed in deeds if deed.turn == turn.serial and deed.play and deed.seat == turn.seat]

    def deed(self, turn: Turn, action: object) -> Deed:
        deed = self.made(turn, action)
        deed.in_yard = self.table.out[turn.seat]
        deed.possible = lambda journal: possible(journal, turn, action)
        return deed

    def made(self, turn: Turn, action: object) -> Deed:
        match action:
            case Lay():
                return self.lay(turn, action)
            case Extend():
                return self.extend(turn, action)
            case BreakOut():
                return self.break_out(turn, action)
            case Extract():
                return self.extract(turn, action)
            case PlayDraw():
                return self.play_draw(turn, action)
            case Move():
                require(self.table.out[turn.seat], "only once broken out")
                require(bool(action.melds), "nothing is moved")
                self.own(turn, action.melds)
                return Deed(turn.seat, turn.serial, "put", moves=action.melds)
        raise Forbidden("no such play")

    # Which cards

    def from_hand(self, turn: Turn, cards: Iterable[Card]) -> dict[int, Card]:
        """Check that these are in the hand, may be played now, and are declared; return them with new names."""
        cards = list(cards)
        have = Counter(self.table.hands[turn.seat])
        if turn.drawn == "d" and have["d"]:
            have["d"] -= 1
        for face, times in Counter(card.face for card in cards).items():
            require(have[face] >= times, "a card you do not hold, or a DRAW card that you have just drawn")
        for card in cards:
            self.check_stands(card)
        return self.named(cards)

    def check_stands(self, card: Card) -> None:
        if card.face in ("w", "s"):
            words = card.stands or "?"
            require(words in FACES[:-3] or words in list("1234567"), "a Wild stands for one definite card")
        else:
            require(card.stands is None, "only a Wild stands for another card")

    def named(self, cards: Iterable[Card]) -> dict[int, Card]:
        found = dict(enumerate(cards, start=self.cards))
        self.cards += len(found)
        return found

    def from_cell(self, turn: Turn, names: tuple[int, ...]) -> list[Card]:
        if not names:
            return []
        require(self.table.out[turn.seat], "only once broken out")
        require(len(set(names)) == len(names), "twice the same card")
        homes = [self.table.home(name) for name in names]
        require(all(home in self.table.cell(turn.seat) for home in homes), "not in your cell")
        for home in set(homes):
            heap = self.table.heaps[int(str(home))]
            rest = [card for name, card in heap.cards.items() if name not in names]
            require(not rest or sound(rest), "what stays must be a valid meld or nothing")
        return [self.table.heaps[int(str(home))].cards[name] for home, name in zip(homes, names, strict=True)]

    def own(self, turn: Turn, names: tuple[int, ...]) -> None:
        require(len(set(names)) == len(names), "twice the same meld")
        require(set(names) <= set(self.table.cell(turn.seat)), "not a meld of your cell")

    def judged(self, deed: Deed, cards: list[Card], *, added: int = 0, faulty: bool = False) -> Deed:
        """Return the play, marked as bad or not: by the table at that moment, other offences, and last the cell's
        limits.
        """
        deed.bad = faulty or not sound(cards)
        if not self.table.out[deed.seat] and not deed.coin:
            deed.bad |= worth(cards) >= 15 or self.table.held(deed.seat) + added > 9
        return deed

    def lay(self, turn: Turn, action: Lay) -> Deed:
        require(bool(action.cards or action.cell), "no cards")
        cell, hand = self.from_cell(turn, action.cell), self.from_hand(turn, action.cards)
        deed = Deed(turn.seat, turn.serial, "put", hand, action.cell, self.new_heap())
        return self.judged(deed, [*action.cards, *cell], added=len(hand))

    def new_heap(self) -> int:
        self.heaps += 1
        return self.heaps - 1

    def extend(self, turn: Turn, action: Extend) -> Deed:
        require(bool(action.cards or action.cell), "no cards")
        require(action.meld in self.table.heaps, "a meld that does not exist")
        heap = self.table.heaps[action.meld]
        require(
            heap.cell == (None if self.table.out[turn.seat] else turn.seat), "neither in the Yard nor in your open cell"
        )
        cell, hand = self.from_cell(turn, action.cell), self.from_hand(turn, action.cards)
        deed = Deed(turn.seat, turn.serial, "put", hand, action.cell, action.meld)
        return self.judged(deed, [*heap.cards.values(), *action.cards, *cell], added=len(hand))

    def break_out(self, turn: Turn, action: BreakOut) -> Deed:
        require(not self.table.out[turn.seat], "you have broken out")
        self.own(turn, action.moves)
        deed = Deed(turn.seat, turn.serial, "break-out", coin=True, moves=action.moves)
        if action.route == 4:
            require(
                [card.face for card in action.cards] == ["s"] and self.table.hands[turn.seat]["s"] > 0, "no Super Wild"
            )
            require(action.meld is None and not action.start, "a Super Wild alone")
            deed.face = "s"
            return deed
        if action.route == 3:
            require(turn.full and bool(action.moves) and not action.cards, "no full cell")
            require(action.meld is None and not action.start, "melds only")
            return deed
        require(bool(action.cards), "no cards")
        way = self.first_way if action.route == 1 else self.second_way
        return way(turn, deed, action)

    def first_way(self, turn: Turn, deed: Deed, action: BreakOut) -> Deed:
        require(action.meld is None, "from your hand")
        there: list[Card] = []
        if action.start:
            require(ROUND_CARD in self.table.heaps, "no round card")
            there = list(self.table.heaps[ROUND_CARD].cards.values())
        deed.hand = self.from_hand(turn, action.cards)
        deed.moves = tuple(self.table.cell(deed.seat))
        deed.heap = ROUND_CARD if action.start else self.new_heap()
        cards = [*there, *action.cards]
        return self.judged(deed, cards, faulty=action.start or worth(cards) < 15)

    def second_way(self, turn: Turn, deed: Deed, action: BreakOut) -> Deed:
        require(action.meld is not None and not action.start, "a cell meld and cards")
        meld = int(str(action.meld))
        self.own(turn, (meld, *action.moves))
        deed.hand, deed.heap = self.from_hand(turn, action.cards), meld
        deed.moves = (meld, *action.moves)
        cards = [*self.table.heaps[meld].cards.values(), *action.cards]
        return self.judged(deed, cards, faulty=worth(cards) < 15)

    def extract(self, turn: Turn, action: Extract) -> Deed:
        require(self.table.out[turn.seat], "only once broken out")
        home = self.table.home(action.slot)
        require(home is not None and action.slot != ROUND_CARD, "no such card")
        heap = self.table.heaps[int(str(home))]
        wild = heap.cards[action.slot]
        require(heap.cell is None and wild.face in ("w", "s"), "no Wild of a Yard meld")
        card = action.card
        if card.face in ("w", "s"):
            card = Card(card.face, card.stands or wild.stands)
        if action.cell is None:
            hand = self.from_hand(turn, [card])
        else:
            (lying,) = self.from_cell(turn, (action.cell,))
            require(lying.face == card.face, "another card")
            hand = {action.cell: card}
        cards = list(heap.cards.values())
        actual = card.face not in ("w", "d", "s") and number(card) == number(wild)
        free = is_set(cards) or (wild.stands is not None and len(wild.stands) == 1)
        bad = not actual or not (free or card.face == wild.stands)
        given = -1 if action.cell is None else action.cell
        return Deed(
            turn.seat, turn.serial, "exchange", hand, heap=home, face=wild.face, old=action.slot, given=given, bad=bad
        )

    def play_draw(self, turn: Turn, action: PlayDraw) -> Deed:
        require(self.table.out[turn.seat] and not self.of(turn), "only once broken out, as the first card of the turn")
        require(action.face in ("d", "s"), "no DRAW card")
        older = self.table.hands[turn.seat][action.face] - (turn.drawn == action.face)
        require(older > 0, "you have none, or have just drawn it")
        return Deed(turn.seat, turn.serial, "draw-card", face=action.face)


def possible(journal: Journal, turn: Turn, action: object) -> bool:
    """Return True if a play is possible and sound at this moment of a book; it moves the melds it can."""
    own = journal.table.cell(turn.seat)
    if isinstance(action, Move):
        action = Move(tuple(name for name in action.melds if name in own))
    if isinstance(action, BreakOut):
        moves = tuple(name for name in action.moves if name in own)
        action = BreakOut(action.route, action.cards, action.meld, moves, action.start)
    try:
        return not Plays(journal).made(turn, action).bad
    except Forbidden:
        return False
