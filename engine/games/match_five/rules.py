"""Match Five's rules: tiles in rows and stacks, one colour or one number, five at most.

Marks in comments (R, D, O) are those of the rule page `match_five`. May import `engine` and msgspec only.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import assert_never

import msgspec

from engine.chance import Chance
from engine.contract import (
    BrokenRecord,
    Deadline,
    Delay,
    Delayed,
    Expire,
    Fact,
    Game,
    Lapsed,
    Moment,
    Outcome,
    Refusal,
    Seat,
)
from engine.games.match_five.board import AXES, Board, Misfit
from engine.games.match_five.pieces import (
    FARTHEST,
    TILES,
    WILD,
    GameBegun,
    GameEnded,
    LastRoundBegun,
    Laying,
    MatchFiveAction,
    MatchFiveEvent,
    MatchFiveOptions,
    Material,
    Pass,
    Passed,
    Play,
    Played,
    Stone,
    Swap,
    Swapped,
    Tile,
    value,
)
from engine.games.match_five.search import Places, plays, singles
from engine.games.match_five.table import MatchFiveView, Over, Playing, State, Turn

SEATS = range(2, 7)
Events = list[MatchFiveEvent]


# ---------------------------------------------------------------------------------------------------------------- setup


def setup(seats: int, options: MatchFiveOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """R: everyone draws, and the highest total starts. D: if the highest tie, all hands are drawn anew."""
    if seats not in SEATS:
        raise ValueError(f"2 to 6 lay tiles, not {seats}")
    deals: list[tuple[tuple[Tile, ...], ...]] = []
    while True:
        tiles = chance.shuffled(_all_tiles(options, material))
        hands = tuple(tuple(tiles[seat * material.hand : (seat + 1) * material.hand]) for seat in range(seats))
        deals.append(hands)
        totals = [sum(map(value, hand)) for hand in hands]
        if totals.count(max(totals)) == 1:
            return [GameBegun(material, options, tuple(deals), Seat(totals.index(max(totals))), at)]


def _all_tiles(options: MatchFiveOptions, material: Material) -> list[Tile]:
    """D: so many copies of each tile, and the Wilds."""
    return [*TILES * options.copies, *[WILD] * material.wilds]


# --------------------------------------------------------------------------------------------------------------- decide


def decide(state: State, seat: Seat | None, action: MatchFiveAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance draws the tiles.

    Refusals: `over` (fact `reason`); `clock-only`; `not-seated`; `not-your-turn` (fact `turn`); `nothing` (no tile was
    named); `not-a-tile`, `not-in-hand` (fact `tile`); of a play `wild-undeclared`, `not-a-wild` (fact `tile`),
    `one-wild`, `too-far` (facts `x`, `y`), and with facts `tile`, `x`, `y`, `level` the faults of
    `engine.games.match_five.board`: `taken`, `support`, `too-high`, `unattached`, `locked`, and with fact `axis` too
    `too-long`, `series`, `wilds`; `one-line`; of a swap `empty-bag`, `bag-holds` (facts `bag`, `asked`); `bag-left` (of
    a pass; fact `bag`); `late` (fact `deadline`); `early` (facts `deadline`, `due`); `no-delay` (fact `by_ms`).
    """
    if isinstance(state.phase, Over):
        raise Refusal("over", reason=state.phase.reason)
    if isinstance(action, Expire | Delay):
        if seat is not None:
            raise Refusal("clock-only")
        return _expire(state, action, at, chance) if isinstance(action, Expire) else _delay(action)
    if seat is None or not 0 <= seat < len(state.hands):
        raise Refusal("not-seated")
    if seat != state.phase.seat:
        raise Refusal("not-your-turn", turn=state.phase.seat)
    return _follow(state, [_turn(state, seat, action, at, chance)])


def _turn(state: State, seat: Seat, action: Play | Swap | Pass, at: Moment, chance: Chance) -> MatchFiveEvent:
    match action:
        case Play():
            return _play(state, seat, action.layings, at, chance)
        case Swap():
            return _swap(state, seat, action.tiles, at, chance)
        case Pass():
            if state.bag:
                raise Refusal("bag-left", bag=len(state.bag))  # R: only with an empty bag
            return Passed(seat, at)
        case _:
            assert_never(action)


def _play(state: State, seat: Seat, layings: Sequence[Laying], at: Moment, chance: Chance) -> Played:
    if not layings:
        raise Refusal("nothing")
    _check_hand(state.hands[seat], [laying.tile for laying in layings])
    if sum(laying.tile == WILD for laying in layings) > 1:
        raise Refusal("one-wild")  # R: one a turn
    board = Board(state.stones)
    stones = [_stone(laying) for laying in layings]
    for laying, stone in zip(layings, stones, strict=True):
        try:
            board.check(stone)
        except Misfit as misfit:
            facts: dict[str, Fact] = {"tile": laying.tile, "x": stone.x, "y": stone.y, "level": stone.level}
            if misfit.axis is not None:
                facts["axis"] = misfit.axis
            raise Refusal(misfit.fault, **facts) from None
        board.lay(stone, state.material.bonus)
    if state.options.placement == "one_line" and not _in_one_line(board, stones):
        raise Refusal("one-line")  # O
    lines = board.lines(stones, state.material.bonus)
    points = sum(line.points for line in lines)
    if not lines:
        points = 0 if stones[0].wild else value(stones[0].tile)  # D: a first tile laid alone scores its number
    # R: refill while the bag lasts.
    drawn = _draw(state.bag, min(len(layings), len(state.bag)), chance)
    return Played(seat, tuple(stones), lines, points, drawn, at)


def _stone(laying: Laying) -> Stone:
    if max(abs(laying.x), abs(laying.y)) > FARTHEST:
        raise Refusal("too-far", x=laying.x, y=laying.y)
    if laying.tile != WILD:
        if laying.wild_as is not None:
            raise Refusal("not-a-wild", tile=laying.tile)
        return Stone(laying.x, laying.y, laying.level, laying.tile)
    if laying.wild_as not in TILES:
        raise Refusal("wild-undeclared")  # D: declared when laid
    return Stone(laying.x, laying.y, laying.level, laying.wild_as, True)


def _in_one_line(board: Board, stones: Sequence[Stone]) -> bool:
    spots = {stone.spot for stone in stones}
    return any(spots.issubset(board.line(stones[0].spot, axis)) for axis in AXES)


def _swap(state: State, seat: Seat, tiles: Sequence[Tile], at: Moment, chance: Chance) -> Swapped:
    if not state.bag:
        raise Refusal("empty-bag")  # R
    if not tiles:
        raise Refusal("nothing")
    _check_hand(state.hands[seat], tiles)
    if len(tiles) > len(state.bag):
        raise Refusal("bag-holds", bag=len(state.bag), asked=len(tiles))  # D
    return Swapped(seat, tuple(tiles), _draw(state.bag, len(tiles), chance), at)  # D: drawn before the old go back


def _check_hand(hand: Sequence[Tile], tiles: Sequence[Tile]) -> None:
    for tile in tiles:
        if tile != WILD and tile not in TILES:
            raise Refusal("not-a-tile", tile=tile)
    for tile, wanted in Counter(tiles).items():
        if hand.count(tile) < wanted:
            raise Refusal("not-in-hand", tile=tile)


def _draw(bag: Sequence[Tile], count: int, chance: Chance) -> tuple[Tile, ...]:
    left = list(bag)
    return tuple(left.pop(chance.below(len(left))) for _ in range(count))


def _follow(state: State, events: Events) -> Events:
    """Return these events and the end that they may bring about."""
    before = state
    for event in events:
        state = evolve(state, event)
    played = events[-1]
    if isinstance(played, Played) and before.last is None and not state.hands[played.seat]:
        events.append(LastRoundBegun(played.seat))  # R: the bag is empty by then; D: only a play does, once
        return events
    seats = len(state.hands)
    if before.last is not None and isinstance(state.phase, Playing) and state.phase.seat == before.last:
        events.append(GameEnded("last-tile"))  # R: everyone else has had one more turn
    elif state.passes == seats:
        events.append(GameEnded("passes"))  # D: all passed in a row
    elif state.idle == seats * state.material.idle_circuits:
        events.append(GameEnded("idle"))  # D: two full circuits of nothing but swaps and passes
    return events


def _expire(state: State, expire: Expire, at: Moment, chance: Chance) -> Events:
    for deadline in deadlines(state):
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=expire.deadline, due=deadline.due)
            (seat,) = deadline.seats
            return _follow(
                state, [Lapsed(seat, expire.deadline), _turn(state, seat, default_action(state, seat), at, chance)]
            )
    raise Refusal("late", deadline=expire.deadline)


def _delay(delay: Delay) -> Events:
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return [Delayed(delay.by_ms)]


def default_action(state: State, seat: Seat) -> Play | Swap | Pass:
    """Return what is done for a seat whose clock has run out: its best single tile; else a swap, or a pass."""
    found = singles(Places(Board(state.stones), state.material.bonus), state.hands[seat])
    if found:
        return Play(found[0].layings)
    return Swap((state.hands[seat][0],)) if state.bag and state.hands[seat] else Pass()


# --------------------------------------------------------------------------------------------------------------- evolve


def evolve(state: State | None, event: MatchFiveEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` where the first event is missing or comes twice."""
    if state is None:
        if isinstance(event, GameBegun):
            return _first(event)
        raise BrokenRecord(f"match_five: a game begins with {GameBegun.__struct_config__.tag}")
    match event:
        case Played():
            return _played(state, event)
        case Swapped():
            hand = _without(state.hands[event.seat], event.back) + event.drawn
            bag = tuple(sorted([*_without(state.bag, event.drawn), *event.back]))
            turn = Turn(event.seat, "swap", swapped=len(event.back), drawn=len(event.drawn), lapsed=state.lapsed)
            return _next(state, event.seat, event.at, turn, hand, bag, event.drawn, passes=0, idle=state.idle + 1)
        case Passed():
            turn = Turn(event.seat, "pass", lapsed=state.lapsed)
            return _next(
                state,
                event.seat,
                event.at,
                turn,
                state.hands[event.seat],
                state.bag,
                (),
                passes=state.passes + 1,
                idle=state.idle + 1,
            )
        case LastRoundBegun():
            return msgspec.structs.replace(state, last=event.seat)
        case GameEnded():
            return msgspec.structs.replace(state, phase=Over(event.reason))
        case Lapsed():
            return msgspec.structs.replace(state, lapsed=True)
        case Delayed():
            return msgspec.structs.replace(state, began=Moment(state.began + event.by_ms))
        case GameBegun():
            raise BrokenRecord("match_five: a game begins once")
        case _:
            assert_never(event)


def _first(begun: GameBegun) -> State:
    hands = begun.deals[-1]
    bag = _without(_all_tiles(begun.options, begun.material), [tile for hand in hands for tile in hand])
    return State(
        material=begun.material,
        options=begun.options,
        phase=Playing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        hands=hands,
        bag=tuple(sorted(bag)),
        drawn=hands,
        scores=(0,) * len(hands),
    )


def _played(state: State, played: Played) -> State:
    laid = [WILD if stone.wild else stone.tile for stone in played.stones]
    hand = _without(state.hands[played.seat], laid) + played.drawn
    turn = Turn(
        played.seat,
        "play",
        played.points,
        played.stones,
        played.lines,
        drawn=len(played.drawn),
        lapsed=state.lapsed,
    )
    bag = _without(state.bag, played.drawn)
    after = _next(state, played.seat, played.at, turn, hand, bag, played.drawn, passes=0, idle=0)
    scores = tuple(score + played.points if seat == played.seat else score for seat, score in enumerate(state.scores))
    return msgspec.structs.replace(after, stones=(*state.stones, *played.stones), scores=scores)


def _next(
    state: State,
    seat: Seat,
    at: Moment,
    turn: Turn,
    hand: tuple[Tile, ...],
    bag: tuple[Tile, ...],
    drawn: tuple[Tile, ...],
    *,
    passes: int,
    idle: int,
) -> State:
    """Return the state in which the next seat, clockwise, is to play."""
    return msgspec.structs.replace(
        state,
        phase=Playing(Seat((seat + 1) % len(state.hands))),
        began=at,
        hands=_with(state.hands, seat, hand),
        bag=bag,
        drawn=_with(state.drawn, seat, drawn),
        turns=(*state.turns, turn),
        passes=passes,
        idle=idle,
        lapsed=False,
    )


def _with(values: tuple[tuple[Tile, ...], ...], seat: Seat, changed: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    return (*values[:seat], changed, *values[seat + 1 :])


def _without(tiles: Sequence[Tile], taken: Sequence[Tile]) -> tuple[Tile, ...]:
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)


# --------------------------------------------------------------------------------------------------- legal, view, clock


def legal(state: State, seat: Seat) -> Iterator[MatchFiveAction]:
    """Yield what this seat may do: every play of one tile and the best that are found of more, the most points first;
    every swap; a pass. More plays are accepted than are found.
    """
    if not isinstance(state.phase, Playing) or state.phase.seat != seat:
        return
    one_line = state.options.placement == "one_line"
    yield from _choices(state.stones, state.hands[seat], len(state.bag), state.material.bonus, one_line)


def choices(view: MatchFiveView) -> Iterator[MatchFiveAction]:
    """Yield what `legal` yields for the seat whose view this is."""
    if view.seat is None or view.turn != view.seat:
        return
    hand = view.hands[view.seat] or ()
    yield from _choices(view.stones, hand, view.bag, view.bonus, view.placement == "one_line")


def _choices(
    stones: Sequence[Stone], hand: Sequence[Tile], bag: int, bonus: int, one_line: bool
) -> Iterator[MatchFiveAction]:
    places = Places(Board(stones), bonus)
    yield from (Play(found.layings) for found in plays(places, hand, one_line=one_line))
    if not bag:
        yield Pass()
        return
    yield from map(Swap, handfuls(hand, bag))


def handfuls(hand: Sequence[Tile], bag: int) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles that may be given back, few first: D, no more than the bag holds."""
    for count in range(1, min(len(hand), bag) + 1):
        yield from dict.fromkeys(combinations(sorted(hand), count))


def view(state: State, seat: Seat | None) -> MatchFiveView:
    """Return the board and the score sheet, which are public, and this seat's hand. At the end all hands are shown."""
    phase = state.phase
    over = isinstance(phase, Over)
    left = _left(state) if over else (0,) * len(state.hands)
    return MatchFiveView(
        seat=seat,
        waiting=() if isinstance(phase, Over) else (phase.seat,),
        stamp=len(state.turns) + over,
        phase="over" if over else "play",
        turn=None if isinstance(phase, Over) else phase.seat,
        starter=state.starter,
        placement=state.options.placement,
        bonus=state.material.bonus,
        wild_left=state.material.wild_left,
        hand_size=state.material.hand,
        stones=state.stones,
        locked=tuple(Board(state.stones).locked),
        bag=len(state.bag),
        counts=tuple(len(hand) for hand in state.hands),
        scores=tuple(score - lost for score, lost in zip(state.scores, left, strict=True)),
        left=left,
        turns=state.turns,
        last=state.last,
        reason=phase.reason if isinstance(phase, Over) else None,
        hands=tuple(hand if over or owner == seat else None for owner, hand in enumerate(state.hands)),
        drawn=() if seat is None else state.drawn[seat],
    )


def _left(state: State) -> tuple[int, ...]:
    """R: tiles left in hand are subtracted; a Wild left costs 25."""
    return tuple(
        sum(state.material.wild_left if tile == WILD else value(tile) for tile in hand) for hand in state.hands
    )


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock. What is done when it runs out depends on the hand, so that it is not told before."""
    if not state.options.clock or isinstance(state.phase, Over):
        return ()
    due = Moment(state.began + 1000 * state.options.clock)
    return (Deadline(f"turn-{len(state.turns)}", (state.phase.seat,), due, None),)


def outcome(state: State) -> Outcome | None:
    """R: the highest score wins, D ties share. Reasons: `last-tile`, `passes` and `idle`."""
    if not isinstance(state.phase, Over):
        return None
    scores = tuple(score - lost for score, lost in zip(state.scores, _left(state), strict=True))
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(places, scores, state.phase.reason)


GAME = Game[State, MatchFiveAction, MatchFiveEvent, MatchFiveView, MatchFiveOptions, Material](
    key="match_five",
    title="Match Five",
    seats=SEATS,
    options=MatchFiveOptions,
    material=Material,
    actions=MatchFiveAction,
    events=MatchFiveEvent,
    views=MatchFiveView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    choices=choices,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    hides=True,
    draws={"begun": ("deals", "starter"), "played": ("drawn",), "swapped": ("drawn",)},
)
