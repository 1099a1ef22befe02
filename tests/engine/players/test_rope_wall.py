"""The Rope Wall's computer players: a compact wall that follows the rules, and a Master that overlooks nothing."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from engine.contract import Seat
from engine.games.rope_wall import GAME, Material, Push, RoundCancelled, RoundWon, Skipped, State
from engine.games.rope_wall.rules import default_push
from engine.games.rope_wall.state import Choosing, Pushing
from engine.players import LEVELS, Level, Steps
from engine.players.registry import BOTS
from engine.players.rope_wall import search
from engine.players.rope_wall.board import Finish, Position, Round, place_of, push_into
from engine.players.rope_wall.evaluation import Heuristic, fewest
from engine.players.rope_wall.search import CONTEMPT, PROGRESS, Search
from tests.engine.games.rope_wall_positions import BEGAN, MATERIAL, A, B, decide, new_game, state
from tests.engine.games.test_rope_wall_referee import pushes
from tools.harness.matches import play_match
from tools.harness.playouts import kinds

ROPE_WALL = BOTS["rope_wall"].levels
WARDEN, ROOKIE = ROPE_WALL["warden"], ROPE_WALL["rookie"]


def played(seed: int, material: Material = MATERIAL, sense: float = 0.0) -> Iterator[State]:
    """Yield the unfinished states of a random game. With `sense`, links are given away less often."""
    rng = random.Random(f"wall/{seed}")
    now = msgspec.structs.replace(new_game(seed), material=material)
    now = msgspec.structs.replace(now, wall=((None,) * material.columns,) * material.floors)
    now = msgspec.structs.replace(now, exits=(None,) * material.columns)
    while GAME.outcome(now) is None:
        yield now
        (seat,) = GAME.view(now, None).to_act
        action = rng.choice(list(GAME.legal(now, seat)))
        if isinstance(action, Push) and rng.random() < sense:
            action = default_push(now, seat)
        now = GAME.fold(decide(now, seat, action, BEGAN), now)


def compact(now: State) -> tuple[Round, Position]:
    view = GAME.view(now, None)
    game = Round(view)
    return game, game.position(view)


def legal(now: State) -> list[Any]:
    return list(GAME.legal(now, turn(now)))


def turn(now: State) -> Seat:
    assert isinstance(now.phase, Pushing | Choosing)
    return now.phase.seat


def answer(level: Level, now: State, steps: int, seed: int = 0) -> Any:
    intent = ROPE_WALL[level](GAME.view(now, turn(now)), legal(now), Steps(steps), random.Random(seed))
    assert intent is not None
    assert 500 <= intent.after_ms <= 3_000
    return intent.action


# ----------------------------------------------------------------------------------------------------- the compact wall


def assert_the_same(now: State, push: Push) -> list[type[Any]]:
    """Assert that the compact wall and the game agree on the consequences of a push; return the kinds of events."""
    game, position = compact(now)
    events = decide(now, turn(now), push)
    then = GAME.fold(events, now)
    after = game.play(position, place_of(push))
    won = [event for event in events if isinstance(event, RoundWon)]
    cancelled = any(isinstance(event, RoundCancelled) for event in events)
    if isinstance(after, Finish):
        assert cancelled == (after.winner is None)
        choices = tuple(tuple(column + 1 for column in choice) for choice in after.choices)
        assert [(event.seat, event.choices) for event in won] == ([] if cancelled else [(after.winner, choices)])
        assert all(len(choice) == after.freed for choice in after.choices)
    else:
        assert not won
        assert not cancelled
        next_game, expected = compact(then)
        assert after == expected
        assert next_game.open == game.open
        assert {push_into(place) for place in game.places(after)} == set(legal(then))
    return kinds(events)


@pytest.mark.parametrize("size", [(5, 5, 13), (3, 5, 8), (4, 6, 13), (6, 5, 16), (5, 6, 16)])
def test_the_compact_wall_agrees_with_the_game_on_every_push_of_random_games(size: tuple[int, int, int]):
    floors, columns, knots = size
    material = msgspec.structs.replace(MATERIAL, floors=floors, columns=columns, knots=knots)
    for seed in range(2):
        for now in played(seed, material, sense=0.3):
            if isinstance(now.phase, Pushing):
                for push in legal(now):
                    assert_the_same(now, push)


def test_the_compact_wall_agrees_on_skipped_turns_and_on_cancelled_rounds():
    seen: set[type[Any]] = set()
    rng = random.Random(5)
    for _ in range(600):
        owners = [A] * 13 + [B] * 12 if rng.random() < 0.7 else [A] * 13 + [B] * 11 + [None]
        if rng.random() < 0.5:
            owners = [None if owner is None else Seat(1 - owner) for owner in owners]
        rng.shuffle(owners)
        wall = tuple(tuple(owners[floor * 5 : floor * 5 + 5]) for floor in range(5))
        exits = tuple(rng.sample((A, B, A, B, None), 5))
        full = None if None in owners else rng.randrange(1, 4)
        hands = [13 - owners.count(seat) for seat in (A, B)]
        now = state(turn=A if hands[A] else B, full_turns_left=full, pushes=rng.choice((0, 40, 78, 79)))
        now = msgspec.structs.replace(now, wall=wall, exits=exits, cancelled=rng.randrange(3))
        for push in legal(now):
            seen.update(assert_the_same(now, push))
    assert {Skipped, RoundCancelled, RoundWon} <= seen


@given(pushes())
@settings(max_examples=120, deadline=None)
def test_the_compact_wall_agrees_on_links_of_every_kind(pushed: tuple[State, Push]):
    assert_the_same(*pushed)


def test_openings_are_numbered_both_ways():
    for place in range(12):
        assert place_of(push_into(place)) == place


def test_a_cancelled_round_means_the_game_only_if_it_is_the_third_in_a_row():
    ahead = state(exits="A A B . .", cancelled=2)
    assert [compact(ahead)[0].cancelled_for(seat) for seat in (A, B)] == [1, -1]
    even = state(exits="A B . . .", cancelled=2)
    assert [compact(even)[0].cancelled_for(seat) for seat in (A, B)] == [0, 0]
    early = state(exits="A A B . .", cancelled=1)
    assert [compact(early)[0].cancelled_for(seat) for seat in (A, B)] == [0, 0]


# -------------------------------------------------------------------------------------------------------- the judgement


def judged(wall: str, exits: str = ". . . . .") -> tuple[int, bool, bool]:
    game, position = compact(state(wall, exits=exits))
    return Heuristic(game.shape, game.open).judge(position[0])


ONE_SHORT = """
    . . . . .
    A . . . .
    A . . . .
    A . . . .
    A A . . .
"""


def test_a_side_that_is_one_push_from_a_link_is_seen_to_be():
    points, first, second = judged(ONE_SHORT)
    assert points > 0
    assert (first, second) == (True, False)


def test_both_sides_are_judged_the_same_way():
    points, first, second = judged(ONE_SHORT)
    mirrored = "\n".join(line[::-1] for line in ONE_SHORT.splitlines())
    assert judged(mirrored) == (points, first, second)
    assert judged(ONE_SHORT.replace("A", "B")) == (-points, second, first)
    assert judged(ONE_SHORT.replace("A", ".")) == (0, False, False)


def test_a_way_to_a_closed_exit_counts_for_less():
    assert judged(ONE_SHORT, exits="B . . . .")[0] < judged(ONE_SHORT)[0]


def test_a_straight_column_counts_for_less_than_one_with_an_angle():
    assert judged(ONE_SHORT.replace("A A", "A ."))[0] < judged(ONE_SHORT)[0]


def test_a_person_who_can_complete_a_link_upwards_is_seen_to_be_near():
    """The search stops where the evaluation says that no push completes a link; only detours are missed."""
    near = missed = 0
    for now in pushing(range(10)):
        if links(now):
            game, position = compact(now)
            near += 1
            missed += not Heuristic(game.shape, game.open).judge(position[0])[1 + turn(now)]
    assert near > 50
    assert missed <= near // 50


# ----------------------------------------------------------------------------------------------------------- the master


def links(now: State) -> list[Push]:
    """Return the pushes by which the seat to move wins the round, according to the game."""
    return [push for push in legal(now) if winner(decide(now, turn(now), push)) == turn(now)]


def winner(events: list[Any]) -> Seat | None:
    return next((event.seat for event in events if isinstance(event, RoundWon)), None)


def harmless(now: State) -> list[Push]:
    """Return the pushes that neither complete a link of the other side nor allow one next."""
    found = []
    for push in legal(now):
        events = decide(now, turn(now), push)
        then = GAME.fold(events, now)
        ended = any(isinstance(event, RoundWon | RoundCancelled) for event in events)
        if winner(events) is None and (ended or turn(then) == turn(now) or not links(then)):
            found.append(push)
    return found


def pushing(seeds: range) -> Iterator[State]:
    """Yield every state of random games in which a knot has to be pushed in."""
    for seed in seeds:
        yield from (now for now in played(seed, sense=0.4) if isinstance(now.phase, Pushing))


def test_the_master_never_overlooks_a_link():
    found = [(now, possible) for now in pushing(range(30)) if (possible := links(now))]
    assert len(found) > 100
    for now, possible in found:
        assert answer(Level.MASTER, now, 0) in possible
        assert answer(Level.MASTER, now, 40) in possible


def test_the_master_stops_a_link_where_that_is_possible_and_gives_none_away():
    stopped = 0
    for now in pushing(range(6)):
        if not links(now) and 0 < len(possible := harmless(now)) < len(legal(now)):
            assert answer(Level.MASTER, now, 0) in possible
            assert answer(Level.MASTER, now, 40) in possible
            stopped += 1
    assert stopped > 50


def walk(game: Round, after: Position | Finish, seat: int, pushes: int) -> int:
    """Return 1 if this seat can win within `pushes`, −1 if it must lose, else 0, by exhaustive search."""
    if isinstance(after, Finish):
        return 0 if after.winner is None else 1 if after.winner == seat else -1
    if pushes == 0:
        return 0
    values = [walk(game, game.play(after, place), seat, pushes - 1) for place in game.places(after)]
    return max(values) if after[1] == seat else min(values)


def test_the_master_sees_every_forced_win_three_pushes_ahead():
    """It forces a link or holds out where the exhaustive search finds that this is possible."""
    compared = {-1: 0, 0: 0, 1: 0}
    moments = list(pushing(range(16)))
    for now in random.Random(2).sample(moments, 400):
        game, position = compact(now)
        ends = [walk(game, game.play(position, place), position[1], 0) for place in game.places(position)]
        soon = max(ends)
        if links(now) or soon:
            continue
        values = {push: walk(game, game.play(position, place_of(push)), position[1], 2) for push in legal(now)}
        if len(set(values.values())) > 1:
            assert values[answer(Level.MASTER, now, 300)] == max(values.values())
            compared[max(values.values())] += 1
    assert compared[0] > 20
    assert compared[1] > 10


def test_the_master_prefers_two_links_at_once_to_one():
    now = state("""
        . A . . A
        . A . . A
        A B A A B
        A . . A .
        A . . A .
    """)
    assert Push(4, "left") in links(now)
    assert answer(Level.MASTER, now, 0) == Push(3, "left")


def test_a_leader_prefers_a_third_cancelled_round_to_a_risk():
    """The wall is full and this is the last turn: any push that completes nothing wins the game for the leader."""
    rng = random.Random(3)
    checked = 0
    while checked < 5:
        owners = [A] * 12 + [B] * 13
        rng.shuffle(owners)
        wall = tuple(tuple(owners[floor * 5 : floor * 5 + 5]) for floor in range(5))
        now = msgspec.structs.replace(state(turn=A, full_turns_left=1, cancelled=2, exits="A A B . ."), wall=wall)
        outcomes = {push: winner(decide(now, A, push)) for push in legal(now)}
        if A in outcomes.values() or B not in outcomes.values() or None not in outcomes.values():
            continue
        assert outcomes[answer(Level.MASTER, now, 10)] is None
        checked += 1


def test_the_search_goes_deeper_with_more_budget_and_says_how_deep():
    game, position = compact(state())
    depths = []
    for steps in (0, 100, 1_000):
        looked = Search(game, Steps(steps))
        looked.best(position, game.places(position), random.Random(0))
        assert looked.positions <= steps
        depths.append(looked.depth)
    assert depths == sorted(set(depths))
    assert depths[-1] >= 4


def test_most_rounds_between_two_masters_are_decided():
    """Without the penalty for draws and variety in the opening they would cancel every round."""
    ended: list[type[Any]] = []
    for seed in range(2):
        now, steps = new_game(seed), random.Random(seed)
        while GAME.outcome(now) is None:
            events = decide(now, turn(now), answer(Level.MASTER, now, 60, seed=steps.randrange(1_000)))
            ended += [kind for kind in kinds(events) if kind in (RoundWon, RoundCancelled)]
            now = GAME.fold(events, now)
    assert len(ended) >= 6
    assert 2 * ended.count(RoundWon) > len(ended), ended


def test_the_master_varies_its_play_after_the_same_opening():
    """One push is best here, and several are almost as good."""
    now = state(
        """
        . . . . .
        A . . . .
        . . . . .
        . . . . B
        . . . . .
        """,
        turn=A,
    )
    assert len({answer(Level.MASTER, now, 300, seed) for seed in range(20)}) >= 3


def test_each_knot_on_the_wall_is_worth_a_little_to_who_searches(monkeypatch: pytest.MonkeyPatch):
    """No floor of an empty wall is full soon, so all walls examined have equally many knots."""
    game, position = compact(state(turn=A))
    values = []
    for worth in (0, PROGRESS):
        monkeypatch.setattr(search, "PROGRESS", worth)
        looked = Search(game, Steps(60))
        looked.best(position, game.places(position), random.Random(0))
        values.append(looked.value)
    assert looked.depth > 1
    assert values[1] - values[0] == PROGRESS * looked.depth > 0


def test_a_round_that_is_sure_to_be_cancelled_is_worth_less_than_an_even_wall():
    game, position = compact(state(turn=A, pushes=118))  # two pushes on an empty wall link nothing
    looked = Search(game, Steps(200))
    looked.best(position, game.places(position), random.Random(0))
    assert looked.value == -CONTEMPT < 0


# ---------------------------------------------------------------------------------------------------------- both levels


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_always_answers_with_a_legal_action(level: Level):
    rng = random.Random(level)
    for seed in range(12):
        for now in played(100 + seed, sense=rng.random()):
            assert answer(level, now, rng.choice((0, 0, 1, 3, 12))) in legal(now)


def test_the_master_beats_the_trainee():
    result = play_match(GAME, WARDEN, ROOKIE, 10, lambda: Steps(25), seed=11)
    assert result.games == 10
    assert result.won >= 9


def test_a_match_between_equals_is_even_and_repeatable():
    matches = [play_match(GAME, ROOKIE, ROOKIE, 30, lambda: Steps(0), seed=4) for _ in range(2)]
    assert matches[0] == matches[1]
    assert 6 <= matches[0].won <= 24


def test_the_right_push_leaves_one_fewer_to_the_shortest_rope_and_none_leaves_fewer():
    near = 0
    for now in random.Random(2).sample(list(played(3)), 30):
        view = GAME.view(now, None)
        if view.phase != "push":
            continue
        game = Round(view)
        wall = game.position(view)[0]
        for seat in (A, B):
            left = fewest(game.shape, game.open, wall, seat)
            after = [game.shoved(wall, seat, place)[0] for place in game.shape.places]
            counts = [fewest(game.shape, game.open, one, seat) for one in after]
            assert left and min(one for one in counts if one is not None) == left - 1
            linked = [bool(game.ends(one, seat)) for one, count in zip(after, counts, strict=True) if count == 0]
            assert all(linked)
            near += bool(linked)
    assert near
