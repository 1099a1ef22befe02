"""A second implementation of Break-Out's cards, plays and undoing, written from the rule book alone.

It keeps a list of deeds. The table is the result of doing all deeds of the round from the deal on; to undo something,
its deeds are struck out and the rest is done again.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field

from engine.games.break_out import Card

ROUND_CARD = 0
"""The name of the meld that starts with the round card, and of that card."""
FACES = [*(colour + number for colour in "rbygov" for number in "1234567"), "w", "d", "s"]


# ------------------------------------------------------------------------------------------------------- what melds are


def value(face: str) -> int:
    """R: the value of a card in hand."""
    return {"w": 8, "d": 9, "s": 10}.get(face) or int(face[1])


def number(card: Card) -> int:
    words = card.stands or card.face
    return int(words[-1]) if words[-1].isdecimal() else 0


def colour(card: Card) -> str:
    words = card.stands or card.face
    return words[0] if len(words) == 2 else ""


def worth(cards: Iterable[Card]) -> int:
    return sum(map(number, cards))


def is_set(cards: list[Card]) -> bool:
    return len({number(card) for card in cards}) == 1 and number(cards[0]) > 0


def is_run(cards: list[Card]) -> bool:
    numbers = sorted(map(number, cards))
    one_colour = len({colour(card) for card in cards}) == 1 and colour(cards[0]) != ""
    return one_colour and numbers == list(range(numbers[0], numbers[0] + len(cards)))


def sound(cards: list[Card]) -> bool:
    """R 3 to 6 cards; D a set or a run; D at least one natural card."""
    return 3 <= len(cards) <= 6 and any(card.face not in "wds" for card in cards) and (is_set(cards) or is_run(cards))


# ------------------------------------------------------------------------------------------------- the table, and deeds


@dataclass
class Heap:
    """Cards that form one heap. `cell` is the seat whose cell it is in, None in the Yard; `touched` is when it last
    changed.
    """

    cell: int | None
    cards: dict[int, Card]
    touched: int = -1


@dataclass
class Table:
    """The table with everything on it, hidden or not."""

    hands: list[Counter[str]]
    pile: list[str]
    place: str | None
    heaps: dict[int, Heap]
    out: list[bool]
    gone: list[str] = field(default_factory=list)
    heirs: dict[int, int] = field(default_factory=dict)  # for an extracted card, the one that replaced it
    astray: dict[int, int] = field(default_factory=dict)  # cards of struck-out deeds: the seat holding them

    def draw(self, seat: int) -> str:
        """Return a card from the pile, or None if it is empty."""
        if not self.pile:
            return ""
        self.hands[seat][self.pile[0]] += 1
        return self.pile.pop(0)

    def refill(self) -> None:
        if self.place is None and self.pile:
            self.place = self.pile.pop(0)

    def stead(self, card: int) -> int:
        """Return a card on the table, or the one that has replaced it."""
        while self.home(card) is None and card in self.heirs:
            card = self.heirs[card]
        return card

    def home(self, card: int) -> int | None:
        """Return the heap that contains a card."""
        return next((name for name, heap in self.heaps.items() if card in heap.cards), None)

    def cell(self, seat: int) -> list[int]:
        return [name for name, heap in self.heaps.items() if heap.cell == seat]

    def held(self, seat: int) -> int:
        return sum(len(self.heaps[name].cards) for name in self.cell(seat))

    def bad(self, name: int) -> bool:
        """D: judged by the present cards; a cell's limits count only in the cell, for the cards beyond them."""
        heap = self.heaps[name]
        if list(heap.cards) == [ROUND_CARD]:
            return False
        if not sound(list(heap.cards.values())):
            return True
        if heap.cell is None:
            return False
        there = sorted(card for other in self.cell(heap.cell) for card in self.heaps[other].cards)
        return worth(heap.cards.values()) >= 15 or any(card in there[9:] for card in heap.cards)


@dataclass(eq=False)
class Deed:
    """One deed. `struck` deeds have been undone, and their cards are back where they were.

    A `lifted` deed has only lost the cards that it put on a heap; the rest of it remains done.
    """

    seat: int
    turn: int
    what: str
    hand: dict[int, Card] = field(default_factory=dict)  # cards from the hand, by their names on the table
    cell: tuple[int, ...] = ()  # cards from cell melds
    heap: int | None = None  # where the cards go
    moves: tuple[int, ...] = ()
    face: str = ""  # a card that is given away or removed from the game
    other: int = -1  # the receiver
    old: int = -1  # the card that an extraction frees
    given: int = -1  # the cell's card that an extraction gives
    bad: bool = False
    coin: bool = False
    struck: bool = False
    lifted: bool = False
    undone: list[tuple[bool, bool]] = field(default_factory=list)  # which deeds were struck or lifted before it
    in_yard: bool = False  # its seat had broken out before it
    possible: "Callable[[Journal], bool] | None" = None  # whether it is possible, and sound, at this moment of a book

    @property
    def play(self) -> bool:
        return self.what in ("put", "exchange", "draw-card", "break-out")


def do(table: Table, deed: Deed) -> None:
    """Do a deed, or do it again on a table on which some earlier deeds are not done."""
    hands = table.hands
    match deed.what:
        case "take":
            hands[deed.seat][str(table.place)] += 1
            table.place = None
        case "refill":
            table.refill()
        case "fine":
            deed.face = table.draw(deed.seat)
        case "refund":
            hands[deed.seat][deed.face] -= 1
            table.pile.insert(0, deed.face)
        case "forced":
            if table.place is None:
                table.draw(deed.seat)
            else:
                hands[deed.seat][table.place] += 1
                table.place = None
                table.refill()
        case "gift":
            hands[deed.seat][deed.face] -= 1
            hands[deed.other][deed.face] += 1
        case "point":
            table.gone += [card.face for card in table.heaps.pop(int(str(deed.heap))).cards.values()]
        case "home":
            heap = table.heaps.get(int(str(deed.heap)), Heap(None, {}))
            if deed.old in heap.cards:  # without a guilty deed it might never have been there
                hands[deed.seat][heap.cards.pop(deed.old).face] += 1
                heap.touched = deed.turn
                tidy(table)
        case "draw-card":
            hands[deed.seat][deed.face] -= 1
            table.gone.append(deed.face)
            for step in range(1, len(hands)):
                table.draw((deed.seat + step) % len(hands))
        case "exchange":
            exchange(table, deed)
        case "put" | "break-out":
            put(table, deed)


def tidy(table: Table) -> None:
    for name in [name for name, heap in table.heaps.items() if not heap.cards]:
        del table.heaps[name]


def put(table: Table, deed: Deed) -> None:
    if deed.face:
        table.hands[deed.seat][deed.face] -= 1
        table.gone.append(deed.face)
    if deed.heap is not None and not deed.lifted:
        here = Heap(None if deed.coin or table.out[deed.seat] else deed.seat, {})
        heap = table.heaps.setdefault(deed.heap, here)
        for name, card in deed.hand.items():
            table.hands[deed.seat][card.face] -= 1
            heap.cards[name] = card
        for name in deed.cell:
            source = table.heaps[int(str(table.home(name)))]
            heap.cards[name] = source.cards.pop(name)
            source.touched = deed.turn
        heap.touched = deed.turn
    for name in deed.moves:
        if name in table.heaps:  # it may have been laid by a struck-out deed
            table.heaps[name].cell = None
            table.heaps[name].touched = deed.turn
    tidy(table)
    table.out[deed.seat] |= deed.coin


def exchange(table: Table, deed: Deed) -> None:
    """D: a Wild extracted from an undone play stays away; the card that replaced it goes back instead."""
    ((name, card),) = deed.hand.items()
    table.heirs[deed.old] = name
    if deed.given >= 0:
        source = table.heaps[int(str(table.home(deed.given)))]
        del source.cards[deed.given]
        source.touched = deed.turn
        tidy(table)
    else:
        table.hands[deed.seat][card.face] -= 1
    table.hands[deed.seat][deed.face] += 1
    home = table.home(deed.old)
    if home is None:
        owner = table.astray[deed.old]
        table.hands[owner][deed.face] -= 1
        table.hands[owner][card.face] += 1
        table.astray[name] = owner
        return
    heap = table.heaps[home]
    del heap.cards[deed.old]
    heap.cards[name] = card
    heap.touched = deed.turn


class Journal:
    """All deeds of a round, and the table that results from doing them again from the deal."""

    def __init__(self, dealt: Table) -> None:
        self.dealt, self.table = dealt, deepcopy(dealt)
        self.deeds: list[Deed] = []

    def record(self, deed: Deed) -> Deed:
        deed.undone = [(other.struck, other.lifted) for other in self.deeds]
        self.deeds.append(deed)
        do(self.table, deed)
        return deed

    def before(self, deed: Deed, guilty: list[Deed]) -> None:
        """Go back to the table as it was before a deed, and as it would have been without guilty ones."""
        everything = self.deeds
        now = [(other.struck, other.lifted) for other in everything]
        self.deeds = everything[: everything.index(deed)]
        for other, (struck, lifted) in zip(self.deeds, deed.undone, strict=True):
            other.struck, other.lifted = struck or other in guilty, lifted
        self.again()
        self.deeds = everything
        for other, (struck, lifted) in zip(everything, now, strict=True):
            other.struck, other.lifted = struck, lifted

    def again(self) -> None:
        """Do everything again that is not struck out."""
        self.table = deepcopy(self.dealt)
        for deed in self.deeds:
            if deed.struck or deed.lifted:
                self.table.astray.update(dict.fromkeys(deed.hand, deed.seat))
            if not deed.struck:
                do(self.table, deed)

    def strike(self, seat: int, turn: int) -> None:
        """D: undo what was bad in that turn, and what is impossible or bad in the turn without it."""
        guilty, fallen = self.without(seat, turn)
        fallen |= {deed.heap for deed in guilty if deed.heap is not None}
        fallen |= {name for deed in guilty for name in deed.moves}
        since = self.deeds[self.deeds.index(guilty[-1]) :]
        lifted: list[Deed] = []
        for deed in since:
            if deed.what in ("put", "break-out") and deed.turn > turn and deed.heap in fallen and not deed.lifted:
                deed.lifted = True
                lifted.append(deed)
        exchanges = [deed for deed in guilty if deed.what == "exchange"]
        for deed in guilty:
            # An exchange in a meld that has left the table stays: no other player loses anything.
            lies = any(self.table.home(self.table.stead(card)) is not None for card in deed.hand)
            deed.struck = lies or deed not in exchanges
        self.again()
        while any(times < 0 for times in self.table.hands[seat].values()):  # a Wild is no longer available
            next(deed for deed in exchanges if deed.struck and self.table.hands[seat][deed.face] < 0).struck = False
            self.again()
        assert all(times >= 0 for hand in self.table.hands for times in hand.values())
        self.send_home(lifted, since)
        own = [
            self.table.stead(card)
            for deed in guilty
            if deed.struck and not deed.lifted
            for card in (*deed.cell, deed.given)
        ]
        for name in list(self.table.heaps):
            heap = self.table.heaps[name]
            back = {card: seat for card in own if card in heap.cards}
            if back and heap.cell is None:
                stays = self.fitting(heap, back)
                for card in [card for card in back if card not in stays]:
                    self.record(Deed(seat, self.touched(name), "home", heap=name, old=card))

    def touched(self, name: int) -> int:
        """Return the last turn with an active deed on this heap."""
        done = [deed for deed in self.deeds if not deed.struck and not deed.lifted]
        return max(deed.turn for deed in done if deed.heap == name or name in deed.moves or self.took(deed, name))

    def without(self, seat: int, turn: int) -> tuple[list[Deed], set[int | None]]:
        """Return what is undone of a turn, and the melds now in the cell that were laid in the Yard."""
        guilty: list[Deed] = []
        fallen: set[int | None] = set()
        for deed in [deed for deed in self.deeds if deed.seat == seat and deed.turn == turn and deed.play]:
            stays = not deed.bad
            if stays and guilty:
                self.before(deed, guilty)
                assert deed.possible is not None
                stays = deed.possible(self) and (deed.what != "exchange" or self.table.home(deed.old) == deed.heap)
                if stays and deed.in_yard and not self.table.out[seat] and deed.heap not in self.table.heaps:
                    fallen.add(deed.heap)
            if not stays:
                guilty.append(deed)
        self.again()
        return guilty, fallen

    def send_home(self, lifted: list[Deed], since: list[Deed]) -> None:
        """D: cards that cannot go back go to their owner's hand. Redoing the rest has put them where they were."""
        for name in list(self.table.heaps):
            heap = self.table.heaps[name]
            cards = [(self.table.stead(card), deed.seat) for deed in lifted for card in deed.cell]
            owners = {card: seat for card, seat in cards if card in heap.cards}
            if not owners:
                continue
            (owner,) = set(owners.values())
            others = [deed for deed in since if deed.seat == owner and deed not in lifted and not deed.struck]
            taken = any(name in deed.moves or self.took(deed, name) for deed in others + lifted_moves(lifted))
            stays = list(owners) if heap.cell == owner and not taken else self.welcome(name, owners, owner)
            for card in owners:
                if card not in stays:
                    self.record(Deed(owner, heap.touched, "home", heap=name, old=card))

    def took(self, deed: Deed, name: int) -> bool:
        """Return True if a deed took cards from this heap in a cell."""
        if deed.what == "exchange":
            return deed.given in self.lay_in(name)
        return any(card in self.lay_in(name) for card in deed.cell)

    def lay_in(self, name: int) -> set[int]:
        """Return all cards that were ever laid in this heap from a hand, or were there at the deal."""
        cards = set(self.dealt.heaps[name].cards) if name in self.dealt.heaps else set()
        return cards | {card for deed in self.deeds if deed.heap == name for card in deed.hand}

    def welcome(self, name: int, owners: dict[int, int], owner: int) -> list[int]:
        """Return the cards with which the heap in their cell is a meld: all of them, or else those
        that fit one by one.
        """
        heap = self.table.heaps[name]
        return self.fitting(heap, owners) if heap.cell == owner else []

    def fitting(self, heap: Heap, owners: dict[int, int]) -> list[int]:
        """Return those of these cards with which a heap is a meld."""
        if sound(list(heap.cards.values())):
            return list(owners)
        rest = {card: what for card, what in heap.cards.items() if card not in owners}
        stays: list[int] = []
        for _ in owners:
            for card in owners:
                if card not in stays and sound([*rest.values(), heap.cards[card]]):
                    rest[card] = heap.cards[card]
                    stays.append(card)
        return stays


def lifted_moves(lifted: list[Deed]) -> list[Deed]:
    """Return the other effects of lifted deeds: the melds that they moved."""
    return [Deed(deed.seat, deed.turn, "put", moves=deed.moves) for deed in lifted if deed.moves]
