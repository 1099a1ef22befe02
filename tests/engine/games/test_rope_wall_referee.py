"""Compare the Rope Wall with a slow, simple referee, and check properties of any play."""

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance
from engine.contract import (
    Moment,
    Seat,
    to_json,
)
from engine.games.rope_wall import (
    GAME,
    Push,
    RopeWallOptions,
    RoundWon,
    Side,
    State,
    Wall,
)
from engine.games.rope_wall.ropes import grid
from engine.games.rope_wall.state import Pushing
from engine.games.rope_wall.types import Doubles
from tests.engine.games.rope_wall_positions import (
    BEGAN,
    MATERIAL,
    A,
    B,
    decide,
    forked_pairs,
    refused,
    state,
    walked,
    walked_ends,
    walked_pairs,
)


@st.composite
def roped_walls(draw: st.DrawFn, floors: int = 5, columns: int = 5, knots: int = 13) -> Wall:
    """Draw a wall on which winding ropes of one or both colours are common, with knots scattered between them."""
    wall: list[list[Seat | None]] = [[None] * columns for _ in range(floors)]
    left = [knots, knots]

    def put(floor: int, column: int, seat: Seat) -> None:
        if wall[floor][column] is None and left[seat]:
            wall[floor][column] = seat
            left[seat] -= 1

    column_numbers = st.integers(0, columns - 1)
    main = draw(st.sampled_from((A, B)))
    colours = draw(st.sampled_from(((main,), (main, main), (main, main), (main, Seat(1 - main)))))
    lean = draw(st.booleans())  # one short step per rope: otherwise one player cannot have two
    for index, seat in enumerate(colours):
        column = min(draw(st.integers(2 * index, 2 * index + 1)), columns - 1) if lean else draw(column_numbers)
        bend = draw(st.integers(0, floors - 1))
        for floor in range(floors):
            put(floor, column, seat)
            if lean:
                target = draw(st.sampled_from((max(column - 1, 0), min(column + 1, columns - 1))))
                target = target if floor == bend else column
            else:
                target = draw(st.one_of(st.just(column), column_numbers))
            while column != target:
                column += 1 if target > column else -1
                put(floor, column, seat)
    strewn = 10 if not lean else 2
    for _ in range(draw(st.integers(0, strewn))):
        put(draw(st.integers(0, floors - 1)), draw(column_numbers), draw(st.sampled_from((A, B))))
    return tuple(tuple(floor) for floor in wall)


@given(roped_walls())
@settings(max_examples=400, deadline=None)
def test_the_search_finds_the_same_ends_as_walking_every_path(wall: Wall):
    shape = grid(5, 5)
    for seat in (A, B):
        knots = shape.knots(wall, seat)
        ends = shape.ends(knots)
        assert tuple(end + 1 for end in ends) == walked_ends(wall, seat)
        assert tuple((one + 1, other + 1) for one, other in shape.double_ends(knots)) == walked_pairs(wall, seat)
        assert tuple((one + 1, other + 1) for one, other in shape.fork_ends(knots)) == forked_pairs(wall, seat)
        paths = walked(wall, seat)
        found = [list(shape.cells(rope)) for rope in shape.ropes(knots)]
        assert sorted(found) == sorted(paths)
        assert [len(rope) for rope in found] == sorted(len(path) for path in paths)
        for end in ends:
            (rope,) = shape.ropes_to(knots, (end,))
            assert len(rope) == min(len(path) for path in paths if path[-1][1] == end)


@given(st.data(), st.integers(3, 6), st.integers(3, 6))
@settings(max_examples=100, deadline=None)
def test_the_search_holds_on_walls_of_every_size(data: st.DataObject, floors: int, columns: int):
    wall = data.draw(roped_walls(floors, columns, 14))
    shape = grid(floors, columns)
    knots = shape.knots(wall, A)
    assert tuple(end + 1 for end in shape.ends(knots)) == walked_ends(wall, A)
    assert tuple((one + 1, other + 1) for one, other in shape.double_ends(knots)) == walked_pairs(wall, A)
    for pair in shape.double_ends(knots):
        one, other = shape.ropes_to(knots, pair)
        assert not set(one) & set(other)
    assert tuple((one + 1, other + 1) for one, other in shape.fork_ends(knots)) == forked_pairs(wall, A)
    for pair in shape.fork_ends(knots):
        for rope, end in zip(shape.climbs_to(knots, pair), pair, strict=True):
            assert shape.cells(rope)[-2:] == ((floors - 2, end), (floors - 1, end))


def test_there_is_no_rope_to_where_none_ends():
    with pytest.raises(ValueError, match="no links end"):
        grid(5, 5).ropes_to(0, (3,))
    with pytest.raises(ValueError, match="no links climb"):
        grid(5, 5).climbs_to(0, (2, 3))


@st.composite
def pushes(draw: st.DrawFn) -> tuple[State, Push]:
    """Draw a push, and the wall before it, derived backwards from a wall that may have links."""
    after = draw(roped_walls())
    floor = draw(st.integers(0, 4))
    side: Side = draw(st.sampled_from(("left", "right")))
    row = after[floor] if side == "left" else after[floor][::-1]
    if draw(st.booleans()):  # a full floor moves as a whole, so one push can complete distant ropes
        first, filler = draw(st.sampled_from(((A, B), (B, A))))
        packed = draw(st.integers(1, 5))
        row = (
            tuple((filler if place else first) if cell is None else cell for place, cell in enumerate(row[:packed]))
            + row[packed:]
        )
    seat = row[0]
    assume(seat is not None)
    gap = row.index(None) if None in row else 5
    last: Seat | None = draw(st.sampled_from((None, A, B))) if gap == 5 else None
    before = (*row[1:gap], last, *row[gap:])
    if side == "right":
        before = before[::-1]
    wall = (*after[:floor], before, *after[floor + 1 :])
    exits = draw(st.permutations((None, None, None, A, B))) if draw(st.booleans()) else (None,) * 5
    start = msgspec.structs.replace(state(turn=seat or A), wall=wall, exits=tuple(exits))
    for owner in (A, B):
        assume(sum(cells.count(owner) for cells in wall) <= 13 - (owner == seat))
        assume(all(exits[end - 1] is not None for end in walked_ends(wall, owner)))  # otherwise the round would be over
    return start, Push(floor + 1, side)


@given(pushes(), st.sampled_from(("forks", "apart")))
@settings(max_examples=400, deadline=None)
def test_D8_O2_a_slow_referee_sees_the_same_winner_and_the_same_choices(pushed: tuple[State, Push], doubles: Doubles):
    start, action = pushed
    start = msgspec.structs.replace(start, options=msgspec.structs.replace(start.options, doubles=doubles))
    double = forked_pairs if doubles == "forks" else walked_pairs
    assert isinstance(start.phase, Pushing)
    seat = start.phase.seat
    events = decide(start, seat, action)
    wall = GAME.fold(events[:1], start).wall
    expected: tuple[Seat, tuple[tuple[int, ...], ...]] | None = None
    for owner in (Seat(1 - seat), seat):  # the pusher comes last, and takes precedence
        ends = tuple((end,) for end in walked_ends(wall, owner) if start.exits[end - 1] is None)
        pairs = tuple(pair for pair in double(wall, owner) if all(start.exits[end - 1] is None for end in pair))
        if ends:
            expected = (owner, pairs if pairs and owner == seat and start.exits.count(owner) < 2 else ends)
    won = [(event.seat, event.choices) for event in events if isinstance(event, RoundWon)]
    assert won == ([expected] if expected else [])
    if expected and len(expected[1]) > 1:
        assert len(events) == 2
    ropes = [list(rope) for event in events if isinstance(event, RoundWon) for rope in event.ropes]
    paths = [[(floor + 1, column + 1) for floor, column in path] for path in walked(wall, won[0][0])] if won else []
    assert all(rope in paths for rope in ropes)
    assert {rope[-1][1] for rope in ropes} == {end for choice in (expected[1] if expected else ()) for end in choice}


@given(st.integers(0, 1 << 32), st.lists(st.integers(0, 9), min_size=40, max_size=200), st.sampled_from((0, 180)))
@settings(max_examples=40, deadline=None)
def test_knots_are_conserved_and_the_record_is_complete_in_any_game(seed: int, picks: list[int], clock: int):
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "wall", 0)
    events = GAME.setup(2, RopeWallOptions(clock=clock), MATERIAL, BEGAN, chance)
    now = GAME.fold(events)
    for turn, pick in enumerate(picks):
        if GAME.outcome(now) is not None:
            break
        view = GAME.view(now, None)
        knots = [cell for floor in view.wall for cell in floor]
        assert [knots.count(seat) + view.hands[seat] for seat in (A, B)] == [13, 13]
        assert [sum(view.exits.count(seat) for seat in (A, B))] == [sum(view.freed)]
        (seat,) = view.to_act or (Seat(0 if view.interlude is None else len(view.interlude.ready)),)
        possible = list(GAME.legal(now, seat))
        for floor in range(7):
            for side in ("left", "right"):
                if Push(floor, side) not in possible:
                    refused(now, seat, Push(floor, side))
                refused(now, Seat(1 - seat), Push(floor, side))
        action = possible[pick % len(possible)]
        assert GAME.read_action(to_json(action)) == action
        following = decide(now, seat, action, Moment(BEGAN + 1000 * turn))
        now = GAME.fold(following, now)
        events += following
    assert GAME.fold(events) == now
    assert GAME.fold([GAME.read_event(to_json(event)) for event in events]) == now
    assert msgspec.json.decode(msgspec.json.encode(now), type=State) == now
