"""A second, slow implementation of Break-Out's plays and rounds, written from the rule book alone.

It plays under a strict referee, where every play is either sound or refused and nothing can be caught: what may be
played when, where the cards go, when a round ends, and the scores. Timing windows and undoing have their own tests.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from engine.chance import Chance
from engine.contract import Moment, Refusal, Seat
from engine.games.break_out import (
    GAME,
    BreakOut,
    BreakOutAction,
    BreakOutOptions,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    Point,
    RoundBegun,
    State,
)
from engine.turns import Ready
from tests.engine.games.break_out_positions import MATERIAL, random_action
from tests.engine.games.forbidden import Forbidden, require
from tools.harness.playouts import BEGIN, seed_bytes


@dataclass
class Pile:
    """Cards that form one pile. `inmate` is the seat whose cell it is in, None in the Yard; the round card has the name
    0.
    """

    inmate: int | None
    cards: dict[int, Card] = field(default_factory=dict)  # by the card's own name


def value(face: str) -> int:
    """R1: the value of a card in hand."""
    return {"w": 8, "d": 9, "s": 10}.get(face) or int(face[1])


def number(card: Card) -> int:
    """D19: a Wild counts the number that it represents."""
    words = card.stands if card.stands is not None else card.face
    return int(words[-1]) if words[-1] in "1234567" else 0


def colour(card: Card) -> str:
    words = card.stands if card.stands is not None else card.face
    return words[0] if len(words) == 2 else "?"


def sound(cards: list[Card]) -> bool:
    """R25 3 to 6 cards; D18 a set or a run, and a natural card among them."""
    if len(cards) not in (3, 4, 5, 6) or all(card.face in "wsd" for card in cards):
        return False
    numbers = sorted(map(number, cards))
    if numbers[0] == 0:
        return False
    one_number = numbers[0] == numbers[-1]
    one_colour = len(set(map(colour, cards))) == 1 and colour(cards[0]) != "?"
    return one_number or (one_colour and numbers == list(range(numbers[0], numbers[0] + len(cards))))


class Prison:
    """A round, played card by card with plain lists."""

    def __init__(self, started: RoundBegun, totals: list[int], empty_turns: tuple[int, int] = (0, 0)) -> None:
        self.round = started.number
        self.hands = [list(hand) for hand in started.hands]
        self.pile = list(started.pile[1:])
        self.draw_card: str | None = started.pile[0]
        self.piles = {0: Pile(None, {0: Card(MATERIAL.round_card(started.number))})}
        self.out = [False] * len(self.hands)
        self.gone: list[str] = []
        self.turn, self.starter, self.totals = int(started.starter), int(started.starter), totals
        self.next_pile = self.next_card = 1
        self.over: list[int] | None = None  # the points of the round
        self.did_nothing, self.played_nothing = empty_turns
        self.new_turn()

    def new_turn(self) -> None:
        self.drawn: str | None = None
        self.played: list[str] = []
        self.full = self.held(self.turn) >= 9 and not self.out[self.turn]

    def held(self, inmate: int) -> int:
        return sum(len(pile.cards) for pile in self.piles.values() if pile.inmate == inmate)

    # Requests

    def act(self, inmate: int, action: BreakOutAction) -> None:
        """Do it, or raise `Forbidden` and change nothing."""
        require(inmate == self.turn and not isinstance(action, Call | Give | Point | Ready))
        match action:
            case Draw():
                require(not self.played and self.drawn is None and self.draw_card is not None)
                self.drawn, self.draw_card = self.draw_card, None
                self.hands[inmate].append(str(self.drawn))
            case Next():
                self.say_next(inmate)
            case Lay():
                self.lay(inmate, action)
            case Extend():
                self.extend(inmate, action)
            case BreakOut():
                self.break_out(inmate, action)
            case Extract():
                self.extract(inmate, action)
            case PlayDraw():
                self.play_draw(inmate, action)
            case Move():
                require(self.out[inmate] and len(action.melds) > 0)
                self.move(inmate, action.melds)
                self.played.append("move")

    def say_next(self, inmate: int) -> None:
        require(bool(self.played) or self.drawn is not None or self.draw_card is None)
        pile_was_empty = not self.pile
        if self.drawn is not None and self.pile:
            self.draw_card = self.pile.pop(0)
        self.did_nothing = 0 if self.played or self.drawn is not None else self.did_nothing + 1
        self.played_nothing = self.played_nothing + 1 if pile_was_empty and not self.played else 0
        everybody = len(self.hands)
        if not self.hands[inmate]:
            self.end(inmate)
        elif self.did_nothing == everybody or self.played_nothing == everybody:
            self.end(None)
        self.turn = (inmate + 1) % everybody
        self.new_turn()

    def end(self, winner: int | None) -> None:
        self.over = [
            -5 * self.round if inmate == winner else sum(value(face) for face in hand)
            for inmate, hand in enumerate(self.hands)
        ]
        self.totals = [have + more for have, more in zip(self.totals, self.over, strict=True)]

    def next_starter(self) -> int:
        assert self.over is not None
        best = min(self.over)
        inmate = (self.starter + 1) % len(self.hands)
        while self.over[inmate] != best:
            inmate = (inmate + 1) % len(self.hands)
        return inmate

    # Cards

    def from_hand(self, inmate: int, cards: tuple[Card, ...]) -> None:
        """Check that these cards are in the hand, may be played, and are declared."""
        hand = list(self.hands[inmate])
        for card in cards:
            require(card.face in hand)
            hand.remove(card.face)
            if card.face in ("w", "s"):
                require(card.stands is not None and card.stands[-1] in "1234567" and len(card.stands) < 3)
                require(len(str(card.stands)) == 1 or str(card.stands)[0] in "rbygov")
            else:
                require(card.stands is None)
        if self.drawn == "d" and any(card.face == "d" for card in cards):
            require("d" in hand)  # R9 the one that was drawn stays

    def from_cell(self, inmate: int, names: tuple[int, ...]) -> list[Card]:
        require(len(set(names)) == len(names) and (not names or self.out[inmate]))
        found = []
        for name in names:
            owners = [pile for pile in self.piles.values() if pile.inmate == inmate and name in pile.cards]
            require(len(owners) == 1)
            found.append(owners[0].cards[name])
        for pile in self.piles.values():
            if pile.inmate == inmate and set(names) & set(pile.cards):
                rest = [card for name, card in pile.cards.items() if name not in names]
                require(not rest or sound(rest))
        return found

    def put(self, inmate: int, name: int, cards: tuple[Card, ...], cell: tuple[int, ...]) -> None:
        for card in cards:
            self.hands[inmate].remove(card.face)
            self.piles[name].cards[self.next_card] = card
            self.next_card += 1
        for other in sorted(self.piles):
            for gone in [one for one in self.piles[other].cards if one in cell and other != name]:
                self.piles[name].cards[self.next_card] = self.piles[other].cards.pop(gone)
                self.next_card += 1
            if not self.piles[other].cards:
                del self.piles[other]

    def lay(self, inmate: int, action: Lay) -> None:
        require(bool(action.cards or action.cell))
        self.from_hand(inmate, action.cards)
        cards = [*action.cards, *self.from_cell(inmate, action.cell)]
        require(sound(cards))
        if not self.out[inmate]:
            require(sum(map(number, cards)) < 15 and self.held(inmate) + len(cards) <= 9)
        self.piles[self.next_pile] = Pile(None if self.out[inmate] else inmate)
        self.put(inmate, self.next_pile, action.cards, action.cell)
        self.next_pile += 1
        self.played.append("lay")

    def extend(self, inmate: int, action: Extend) -> None:
        require(action.meld in self.piles and bool(action.cards or action.cell))
        pile = self.piles[action.meld]
        require(pile.inmate is None if self.out[inmate] else pile.inmate == inmate)
        self.from_hand(inmate, action.cards)
        cards = [*pile.cards.values(), *action.cards, *self.from_cell(inmate, action.cell)]
        require(sound(cards))
        if pile.inmate is not None:
            require(sum(map(number, cards)) < 15 and self.held(inmate) + len(action.cards) <= 9)
        self.put(inmate, action.meld, action.cards, action.cell)
        self.played.append("extend")

    def break_out(self, inmate: int, action: BreakOut) -> None:
        own = [name for name, pile in self.piles.items() if pile.inmate == inmate]
        require(not self.out[inmate] and not action.start)
        require(len(set(action.moves)) == len(action.moves))
        require(all(name in own and name != action.meld for name in action.moves))
        match action.route:
            case 1:
                require(action.meld is None and bool(action.cards))
                self.from_hand(inmate, action.cards)
                require(sound(list(action.cards)) and sum(map(number, action.cards)) >= 15)
                self.piles[self.next_pile] = Pile(None)
                self.put(inmate, self.next_pile, action.cards, ())
                self.next_pile += 1
                self.move(inmate, tuple(own))
            case 2:
                require(action.meld in own and bool(action.cards))
                self.from_hand(inmate, action.cards)
                cards = [*self.piles[int(str(action.meld))].cards.values(), *action.cards]
                require(sound(cards) and sum(map(number, cards)) >= 15)
                self.put(inmate, int(str(action.meld)), action.cards, ())
                self.move(inmate, (int(str(action.meld)), *action.moves))
            case 3:
                require(self.full and bool(action.moves) and not action.cards and action.meld is None)
                self.move(inmate, action.moves)
            case 4:
                require([card.face for card in action.cards] == ["s"] and "s" in self.hands[inmate])
                require(action.meld is None)
                self.hands[inmate].remove("s")
                self.gone.append("s")
                self.move(inmate, action.moves)
        self.out[inmate] = True
        self.played.append("break-out")

    def move(self, inmate: int, names: tuple[int, ...]) -> None:
        require(len(set(names)) == len(names))
        require(all(name in self.piles and self.piles[name].inmate == inmate for name in names))
        for name in names:
            self.piles[name].inmate = None

    def extract(self, inmate: int, action: Extract) -> None:
        require(self.out[inmate])
        places = [pile for pile in self.piles.values() if pile.inmate is None and action.slot in pile.cards]
        require(len(places) == 1 and action.slot != 0)
        pile = places[0]
        wild = pile.cards[action.slot]
        require(wild.face in "ws" and action.card.face not in "wsd")
        if action.cell is None:
            self.from_hand(inmate, (action.card,))
        else:
            require(self.from_cell(inmate, (action.cell,)) == [action.card])
        require(number(action.card) == number(wild))
        a_set = len({number(card) for card in pile.cards.values()}) == 1
        require(a_set or action.card.face == wild.stands)
        if action.cell is None:
            self.hands[inmate].remove(action.card.face)
        else:
            (home,) = [name for name, other in self.piles.items() if action.cell in other.cards]
            del self.piles[home].cards[action.cell]
            if not self.piles[home].cards:
                del self.piles[home]
        self.hands[inmate].append(wild.face)
        pile.cards[action.slot] = action.card
        self.played.append("extract")

    def play_draw(self, inmate: int, action: PlayDraw) -> None:
        require(self.out[inmate] and action.face in ("d", "s") and not self.played)
        older = self.hands[inmate].count(action.face) - (self.drawn == action.face)
        require(older > 0)
        self.hands[inmate].remove(action.face)
        self.gone.append(action.face)
        for step in range(1, len(self.hands)):
            if self.pile:
                self.hands[(inmate + step) % len(self.hands)].append(self.pile.pop(0))
        self.played.append("draw-card")


def compare(prison: Prison, state: State) -> None:
    assert prison.turn == state.turn and prison.out == list(state.out)
    assert [Counter(hand) for hand in prison.hands] == [Counter(hand) for hand in state.hands]
    assert (prison.pile, prison.draw_card) == (list(state.pile), state.place)
    assert Counter(prison.gone) == Counter(state.aside)
    assert {
        name: (pile.inmate, Counter((one, card.face, card.stands) for one, card in pile.cards.items()))
        for name, pile in prison.piles.items()
    } == {
        meld.id: (meld.cell, Counter((slot.id, slot.card.face, slot.card.stands) for slot in meld.slots))
        for meld in state.melds
    }


def referee_a_game(seed: int, seats: int) -> Counter[str]:
    """Play a game with sound and odd actions; both implementations must agree on each, and on its result."""
    rng, secret = random.Random(f"referee/{seed}"), seed_bytes(seed)
    options = BreakOutOptions(clock=0, referee="strict", rounds=rng.choice((1, 2, 6)), interludes="off")
    setup = GAME.setup(seats, options, MATERIAL, BEGIN, Chance(secret, "t", 0))
    state, step, seen = GAME.fold(setup), len(setup), Counter[str]()
    first = setup[-1]
    assert isinstance(first, RoundBegun)
    prison = Prison(first, [0] * seats)
    while not state.over:
        compare(prison, state)
        if rng.random() < 0.5:
            seat, action = Seat(state.turn), rng.choice(list(GAME.legal(state, state.turn)))
        else:
            seat, action = random_action(state, rng)
        name = type(action).__name__
        before = (prison.hands, prison.piles, prison.totals)
        try:
            prison.act(seat, action)
            allowed = True
        except Forbidden:
            allowed = False
            assert (prison.hands, prison.piles, prison.totals) == before
        try:
            events = GAME.decide(state, seat, action, Moment(BEGIN + step), Chance(secret, "t", step))
        except Refusal as refusal:
            assert not allowed, (action, refusal.code)
            seen[f"no {name}"] += 1
            continue
        assert allowed, action
        seen[name + (str(action.route) if isinstance(action, BreakOut) else "")] += 1
        step += len(events)
        state = GAME.fold(events, state)
        if prison.over is not None:
            assert prison.totals == list(state.scores)
            seen["won" if min(prison.over) < 0 else "nobody won"] += 1
            started = next((event for event in events if isinstance(event, RoundBegun)), None)
            assert (started is None) == state.over
            if started is not None:
                assert started.starter == prison.next_starter()
                prison = Prison(started, prison.totals)
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.scores == tuple(prison.totals)
    best = sorted(prison.totals)
    assert outcome.places == tuple(best.index(total) + 1 for total in prison.totals)
    return seen


@pytest.mark.parametrize("seats", range(2, 7))
def test_two_implementations_agree_on_every_play_of_whole_games(seats: int):
    for seed in range(6):
        assert referee_a_game(10 * seed + seats, seats)


def test_every_kind_of_play_was_tried_and_refused():
    seen: Counter[str] = Counter()
    for seed in range(10):
        seen += referee_a_game(1_000 + seed, 2 + seed % 3)
    for name in ("Draw", "Next", "Lay", "Extend", "BreakOut1", "BreakOut2", "BreakOut4", "Extract", "PlayDraw", "Move"):
        assert seen[name], name
    for name in ("Draw", "Next", "Lay", "Extend", "BreakOut", "Extract", "PlayDraw", "Move", "Call", "Point"):
        assert seen[f"no {name}"], name
    assert seen["won"] and seen["nobody won"]
