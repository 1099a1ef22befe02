"""A random player of Break-Out that cheats, calls, catches and gives as often as possible.

Play starts in the middle of a round, with melds in cells and in the Yard, some with Wilds, and most players out. It
covers what undoing must handle: bad melds, additions to recent melds, single cards of cells, moves, extractions, gifts.
Calls and NEXTs are handled slightly out of order, as far as settling allows.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from engine.chance import Chance
from engine.contract import ClockAction, ClockShift, Expire, Moment, Refusal, Seat, to_json
from engine.games.break_out import (
    GAME,
    KINDS,
    NATURAL,
    BreakOut,
    BreakOutAction,
    BreakOutEvent,
    BreakOutOptions,
    Call,
    Card,
    Cards,
    Caught,
    Draw,
    Extend,
    Extract,
    Face,
    Give,
    Lay,
    Meld,
    Move,
    Next,
    PlayDraw,
    Played,
    Point,
    Slot,
    State,
    fault,
    melds_of,
)
from engine.games.break_out.state import piece_counts, sorted_slots
from tests.engine.games.break_out_positions import LONG_AGO, MATERIAL
from tools.harness.playouts import BEGIN, seed_bytes

EARLY_MS = 390
"""The most by which something is handled later than it was received; less than `settle`."""


def crowded_round(rng: random.Random, seats: int, options: BreakOutOptions) -> State:
    """Return a round in progress: seat 0 plays next, and all melds were laid in the distant past."""
    state = GAME.fold(GAME.setup(seats, options, MATERIAL, BEGIN, Chance(seed_bytes(0), "riot", 0)))
    deck = [face for face, count in piece_counts(state).items() for _ in range(count)]
    deck.remove(MATERIAL.round_card(1))
    rng.shuffle(deck)
    out = tuple(rng.random() < 0.75 for _ in range(seats))
    melds, names, dealt = [state.melds[0]], 1, 1
    owners = [*range(seats), *rng.choices(range(seats), k=seats), *[None] * rng.randint(1, 4)]
    for owner in owners:
        lying = sum(len(meld.slots) for meld in melds if owner is not None and meld.cell == owner)
        found = [cards for cards in melds_of(deck[:40]) if owner is None or fits_a_cell(cards, lying)]
        cards: Cards = max(rng.sample(found, min(4, len(found))), key=len, default=())
        if not cards:
            continue
        for card in cards:
            deck.remove(card.face)
        slots = tuple(Slot(dealt + number, card, Seat(owner or 0), LONG_AGO) for number, card in enumerate(cards))
        dealt += len(cards)
        melds.append(Meld(names, None if owner is None else Seat(owner), sorted_slots(slots), (LONG_AGO,)))
        names += 1
    hands: list[tuple[Face, ...]] = []
    for _ in range(seats):
        size = rng.choice((2, 5, 7, 9))
        hands.append(tuple(deck[:size]))
        deck = deck[size:]
    pile = deck[: rng.choice((1, 3, len(deck), len(deck)))]
    return msgspec.structs.replace(
        state,
        turn=Seat(0),
        starter=Seat(0),
        hands=tuple(hands),
        out=out,
        place=pile[0] if pile else None,
        pile=tuple(pile[1:]),
        aside=tuple(deck[len(pile) :]),
        melds=tuple(melds),
        names=names,
        dealt=dealt,
    )


def fits_a_cell(cards: Cards, lying: int) -> bool:
    return sum(card.number for card in cards) < MATERIAL.break_out and lying + len(cards) <= MATERIAL.cell


@dataclass
class RandomPlay:
    """A running riot. `tried` is called with every request before it is decided."""

    seed: int
    options: BreakOutOptions | None = None
    seats: int = 0
    rules: int = GAME.rules_version
    rng: random.Random = field(init=False)
    state: State = field(init=False)
    at: Moment = BEGIN
    steps: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = rng = random.Random(f"riot/{self.seed}")
        self.seats = self.seats or rng.choice((2, 3, 3, 4, 6))
        self.options = self.options or BreakOutOptions(
            clock=rng.choice((0, 20)), rounds=1, wrong_call=rng.choice(("free", "draw"))
        )
        self.state = msgspec.structs.replace(crowded_round(rng, self.seats, self.options), rules=self.rules)

    def asked(self) -> Iterator[tuple[Seat | None, BreakOutAction | ClockAction, Moment]]:
        """Yield requests forever: from the clock if one is due, otherwise from a random seat."""
        while not self.state.over:
            self.at = Moment(self.at + self.rng.choice((1, 20, 150, 400, 1_100)))
            due = sorted(GAME.deadlines(self.state), key=lambda deadline: (deadline.due, deadline.id))
            hurry = 0.4 if self.state.said is not None or self.state.suspended else 0.05
            if due and (due[0].due <= self.at or self.rng.random() < hurry):
                self.at = max(self.at, due[0].due)
                yield None, Expire(due[0].id), self.at
            elif self.rng.random() < 0.005:
                away = self.rng.choice((1, 5_000))
                yield None, ClockShift(away), self.at
                self.at = Moment(self.at + away)
            else:
                seat, action = random_request(self.state, self.rng)
                late = self.rng.choice((0, 0, 0, EARLY_MS)) if isinstance(action, Call | Next) else 0
                yield seat, action, Moment(max(BEGIN, self.at - self.rng.randint(0, late)))

    def decide(
        self, seat: Seat | None, action: BreakOutAction | ClockAction, at: Moment
    ) -> list[BreakOutEvent] | Refusal:
        """Decide a request, apply its events, and return them or the refusal."""
        try:
            chance = Chance(seed_bytes(self.seed), "riot", self.steps)
            events: list[BreakOutEvent] = GAME.decide(self.state, seat, action, at, chance)
        except Refusal as refusal:
            self.seen[f"no {refusal.code}"] += 1
            return refusal
        for event in events:
            kind = {Played: "fault", Caught: "kind"}.get(type(event))
            self.seen[f"{type(event).__name__}{'' if kind is None else f' {getattr(event, kind)}'}"] += 1
        self.state = GAME.fold(events, self.state)
        self.steps += len(events)
        return events


def random_request(state: State, rng: random.Random) -> tuple[Seat, BreakOutAction]:
    """Return a request: usually one that undoing must handle, sometimes nonsense."""
    if state.gift is not None and rng.random() < 0.8:
        return state.gift.catcher, Give(rng.choice(state.hands[state.gift.catcher]))
    window = state.window if state.window is not None else state.closing
    if window is not None and rng.random() < 0.3:
        return Seat(rng.randrange(state.seats)), a_call(state, rng)
    if state.melds and rng.random() < 0.03:
        return Seat(rng.randrange(state.seats)), Point(rng.choice(state.melds).id)
    seat = state.turn if rng.random() < 0.97 else Seat(rng.randrange(state.seats))
    return seat, a_play(state, seat, rng)


def a_call(state: State, rng: random.Random) -> Call:
    """Return a call, usually one that is right for one of the open windows."""
    windows = [one for one in (state.window, state.closing) if one is not None]
    right = [("draw", one.turn) for one in windows if one.nothing]
    right += [("meld", one.turn) for one in windows if any(act.bad for act in one.acts)]
    if right and rng.random() < 0.75:
        kind, turn = rng.choice(right)
        return Call("draw" if kind == "draw" else "meld", rng.choice((None, turn)))
    return Call(rng.choice(KINDS), rng.choice((None, None, state.serial, state.serial - 1, state.serial - 2)))


def a_play(state: State, seat: Seat, rng: random.Random) -> BreakOutAction:
    """Return an action for a seat's own turn."""
    hand = list(state.hands[seat])
    rng.shuffle(hand)
    own = [meld for meld in state.melds if meld.cell == seat]
    lately = [meld for meld in state.melds if meld.changed >= state.serial - 1] or list(state.melds)
    names = [meld.id for meld in own]
    moved = tuple(rng.sample(names, rng.randint(0, len(names))))
    single = [slot.id for meld in own for slot in meld.slots]
    some = tuple(rng.choice([spare for meld in own for spare in spared(meld)] or [()]))
    played = tuple(declared(face, rng) for face in hand[: rng.choice((1, 1, 2, 3))])
    yard = [meld for meld in state.melds if meld.cell is None]
    wilds = [slot for meld in yard for slot in meld.slots if slot.card.wild]
    onto = rng.choice(lately if rng.random() < 0.7 else state.melds).id if state.melds else 0
    if rng.random() < (0.35 if state.acts else 0.04):
        return Next()
    match rng.randrange(1, 16):
        case 1:
            return Move(moved or tuple(names))
        case 2:
            return Draw() if rng.random() < 0.5 else PlayDraw(rng.choice("ds"))
        case 3 | 4:
            return Lay(played)
        case 5 | 6:
            return Extend(onto, played)
        case 7 | 8 | 9:
            return Extend(onto, (), some)
        case 10:
            return Lay(played[: rng.randint(0, 1)], some)
        case 11:
            return Move(moved or tuple(names[:1]))
        case 12 | 13 if wilds:
            slot = rng.choice(wilds)
            stands = slot.card.stands or ""
            fitting = [face for face in hand if face in NATURAL and face.endswith(stands)] or hand
            spare = rng.choice([None, *some, *single])
            given = next((one.card for meld in own for one in meld.slots if one.id == spare), None)
            if given is not None:
                return Extract(slot.id, given, spare)
            return Extract(slot.id, declared(fitting[0], rng) if fitting else Card("r1"))
        case 14:
            best = max(melds_of(hand), key=lambda cards: sum(card.number for card in cards), default=played)
            return BreakOut(1, best, start=rng.random() < 0.1)
        case _:
            if "s" in hand and rng.random() < 0.5:
                return BreakOut(4, (Card("s"),), moves=moved)
            return BreakOut(rng.choice((2, 3)), played, rng.choice([*names, None]), moved)


def spared(meld: Meld) -> list[tuple[int, ...]]:
    """Return choices of cards that leave a cell meld: ones that leave a meld behind, or all; and one that is not
    allowed.
    """
    ids = [slot.id for slot in meld.slots]
    ends = [slot.id for slot in meld.slots if fault([one.card for one in meld.slots if one is not slot]) is None]
    return [*((name,) for name in (*ends, *ends, ids[0])), tuple(ids)]


def declared(face: Face, rng: random.Random) -> Card:
    """Return a card as it is played; a Wild represents any card."""
    return Card(face, rng.choice((str(rng.randint(1, 7)), rng.choice(NATURAL)))) if face in "ws" else Card(face)


def play_at_random(
    seed: int,
    steps: int,
    look: Callable[[State], None] = lambda state: None,
    rules: int = GAME.rules_version,
) -> Counter[str]:
    """Run random play for this many requests, call `look` on each state, and return the events.

    In every state each card exists exactly once and ids are unique; the stored events lead to the same state.
    """
    wild = RandomPlay(seed, rules=rules)
    total = piece_counts(wild.state)
    for (seat, action, at), _ in zip(wild.asked(), range(steps), strict=False):
        before = wild.state
        events = wild.decide(seat, action, at)
        if isinstance(events, Refusal):
            assert wild.state is before
            continue
        state = wild.state
        assert piece_counts(state) == total, (action, events)
        names = [slot.id for meld in state.melds for slot in meld.slots]
        assert len(set(names)) == len(names) and all(meld.slots for meld in state.melds)
        assert all(state.meld(meld.id) is meld for meld in state.melds)
        assert GAME.fold([GAME.read_event(to_json(event)) for event in events], before) == state
        look(state)
    return wild.seen
