"""Properties of every game in the registry, tested on the same seeded random games.

A new game is tested here as soon as it is registered; its specific properties are tested in `tests/engine/games`.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import (
    Action,
    AnyGame,
    ClockShift,
    Event,
    Expire,
    Moment,
    Options,
    Refusal,
    Seat,
    TimedOut,
    to_json,
)
from engine.games import GAMES
from tools.goldens import golden_file
from tools.harness.playouts import (
    BEGIN,
    TABLE,
    Playout,
    earliest,
    folded,
    material,
    moves,
    play,
    played,
    seed_bytes,
    some_options,
)

SEEDS = range(6)
EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
EACH_PLAYOUT = pytest.mark.parametrize(
    "playout", [(key, seed) for key in GAMES for seed in SEEDS], indirect=True, ids=lambda case: f"{case[0]}-{case[1]}"
)


@pytest.fixture
def playout(request: pytest.FixtureRequest) -> Playout:
    key, seed = request.param
    return played(key, seed)


def chance() -> Chance:
    """Return chance for a decision whose result is discarded."""
    return Chance(seed_bytes(99), TABLE, 0)


def sampled(playout: Playout, count: int = 25) -> list[Any]:
    """Return some of the states in which the game was not over, always including the first and the last."""
    running = playout.running
    if len(running) <= count:
        return running
    rng = random.Random(len(running))
    return [running[0], *rng.sample(running[1:-1], count - 2), running[-1]]


def readers(playout: Playout) -> Iterator[Seat | None]:
    yield None
    yield from (Seat(seat) for seat in range(playout.seats))


# --------------------------------------------------------------------------------------------------- what it is made of


@EACH_GAME
def test_a_game_is_registered_under_its_key_and_takes_at_least_two(game: AnyGame):
    assert GAMES[game.key] is game
    assert game.title
    assert list(game.player_counts) == list(range(game.player_counts.start, game.player_counts.stop))
    assert game.player_counts.start >= 2


@EACH_GAME
def test_the_shipped_material_validates(game: AnyGame):
    loaded = material(game)
    assert isinstance(loaded, game.material)
    assert msgspec.json.decode(msgspec.json.encode(loaded), type=game.material) == loaded


@EACH_GAME
def test_a_game_has_a_golden_playthrough(game: AnyGame):
    assert golden_file(game).is_file()


@EACH_GAME
def test_every_option_says_what_it_is_and_has_a_sound_default(game: AnyGame):
    assert issubclass(game.options, Options)
    default = game.options()
    assert msgspec.convert(msgspec.structs.asdict(default), game.options) == default
    for field in msgspec.structs.fields(game.options):
        kind = msgspec.inspect.type_info(field.type)
        assert isinstance(kind, msgspec.inspect.Metadata), field.name
        assert kind.extra_json_schema is not None, field.name
        assert kind.extra_json_schema.get("title"), field.name
        assert kind.extra_json_schema.get("description"), field.name


@EACH_GAME
@pytest.mark.parametrize("kind", ["actions", "events"])
def test_tags_are_short_stable_words_and_no_two_are_the_same(game: AnyGame, kind: str):
    structs = getattr(game, kind).__args__
    tags = [struct.__struct_config__.tag for struct in structs]
    assert len(set(tags)) == len(tags)
    assert all(isinstance(tag, str) and 0 < len(tag) <= 24 and tag == tag.lower() for tag in tags)
    assert all("." not in tag for tag in tags)


NO_MOVES = {"expire", "delay", "ready", "resign", "note", "mark"}


@EACH_GAME
def test_every_action_is_a_move_but_what_the_clock_does_being_ready_giving_up_and_notes(game: AnyGame):
    for kind in game.actions.__args__:
        assert kind.counts_as_move == (kind.__struct_config__.tag not in NO_MOVES)
        assert "counts_as_move" not in kind.__struct_fields__


@EACH_GAME
@pytest.mark.parametrize("seats", [-1, 0, 1, 99])
def test_a_wrong_number_of_players_makes_no_game(game: AnyGame, seats: int):
    assert seats not in game.player_counts
    with pytest.raises((ValueError, Refusal)):
        game.setup(seats, game.options(), material(game), BEGIN, chance())


# ---------------------------------------------------------------------------------------------------------- whole games


@EACH_PLAYOUT
def test_a_random_game_ends_with_a_place_and_a_score_for_everyone(playout: Playout):
    outcome = playout.outcome
    assert len(outcome.places) == len(outcome.scores) == playout.seats
    for place in outcome.places:  # 1, 1, 3: a shared place leaves those after it free
        assert place == 1 + sum(better < place for better in outcome.places)
    assert outcome.reason


@EACH_PLAYOUT
def test_nothing_is_left_to_do_in_a_game_that_is_over(playout: Playout):
    game, last = playout.game, playout.states[-1]
    assert moves(game, last, playout.seats) == []
    assert game.deadlines(last) == ()
    for reader in readers(playout):
        assert game.view(last, reader).to_act == ()
    refused_everywhere(playout, last, [step.action for step in playout.steps[-5:]])


@EACH_PLAYOUT
def test_the_same_seed_gives_the_same_game(playout: Playout):
    seed = int.from_bytes(playout.seed, "big")
    assert play.__wrapped__(playout.game, seed).events == playout.events  # not from the cache


@EACH_GAME
def test_another_seed_gives_another_game(game: AnyGame):
    assert len({repr(played(game.key, seed).events) for seed in SEEDS}) == len(SEEDS)


@EACH_PLAYOUT
def test_a_stored_game_replays_to_the_same_states_and_views_without_a_draw(
    playout: Playout, monkeypatch: pytest.MonkeyPatch
):
    def drawn(*_: object) -> int:
        raise AssertionError("a replay draws nothing")

    monkeypatch.setattr(Chance, "below", drawn)
    game = playout.game
    stored = [to_json(event) for event in playout.events]
    state = game.fold([game.read_event(body) for body in stored])
    assert state == playout.states[-1]
    for reader in readers(playout):
        assert to_json(game.view(state, reader)) == to_json(game.view(playout.states[-1], reader))
    half = game.fold(game.read_event(body) for body in stored[: len(stored) // 2])
    assert game.fold([game.read_event(body) for body in stored[len(stored) // 2 :]], half) == state


@EACH_PLAYOUT
def test_every_event_and_action_is_read_back_as_it_was_written(playout: Playout):
    game = playout.game
    for event in playout.events:
        assert game.read_event(to_json(event)) == event
    for step in playout.steps:
        assert game.read_action(to_json(step.action)) == step.action


@EACH_PLAYOUT
def test_a_decision_has_consequences(playout: Playout):
    assert playout.setup
    assert all(step.events for step in playout.steps)


@EACH_PLAYOUT
def test_no_piece_is_ever_lost_or_made(playout: Playout):
    """Playouts check this at each event; here it is checked over the whole game."""
    census = playout.game.piece_counts
    assert census is not None
    counted = [census(state) for state in playout.states]
    assert counted[0].total() and all(one == counted[0] for one in counted)
    assert min(counted[0].values()) > 0


# ----------------------------------------------------------------------------------------------------- what may be done


@EACH_GAME
def test_what_a_game_says_that_chance_decides_are_fields_of_its_events(game: AnyGame):
    fields = {str(kind.__struct_config__.tag): kind.__struct_fields__ for kind in game.events.__args__}
    for tag, names in game.chance_fields.items():
        assert names and set(names) <= set(fields[tag])
    assert game.rules_version >= 1


@EACH_PLAYOUT
def test_another_seed_changes_first_what_the_game_says_that_chance_decides(playout: Playout):
    game = playout.game
    other = Chance(seed_bytes(123_456), TABLE, 1)
    again = game.setup(playout.seats, playout.options, material(game), BEGIN, other)
    pairs = [(playout.setup, again)]
    for step, before in zip(playout.steps, playout.states, strict=False):
        pairs.append((step.events, game.decide(before, step.seat, step.action, step.at, other)))
    for one, two in pairs:
        for event, twin in zip(one, two, strict=False):
            if event != twin:
                assert type(event) is type(twin)
                drawn = game.chance_fields[str(type(event).__struct_config__.tag)]
                changed = {name for name in event.__struct_fields__ if getattr(event, name) != getattr(twin, name)}
                assert changed <= set(drawn), (event, twin)
                break  # what follows in the same decision depends on it


@EACH_PLAYOUT
def test_every_legal_action_is_accepted_from_its_seat(playout: Playout):
    """Both when the state arises, and until just before the next clock expires."""
    game, moments = playout.game, playout.moments
    for state, at in random.Random(1).sample(moments, min(25, len(moments))):
        clock = earliest(game, state)
        until = at + 10**6 if clock is None else clock.due - 1
        for seat, action in some(moves(game, state, playout.seats)):
            assert game.read_action(to_json(action)) == action
            for moment in {at, max(at, until)}:
                events = game.decide(state, seat, action, Moment(moment), chance())
                folded(game, events, state)


@EACH_PLAYOUT
def test_a_seats_own_view_says_what_it_may_do_and_whether_it_may_act_off_turn(
    playout: Playout,
):
    game = playout.game
    for state in sampled(playout):
        for seat in map(Seat, range(playout.seats)):
            view, legal = game.view(state, seat), list(game.legal(state, seat))
            if seat not in view.to_act:
                assert bool(legal) == (game.can_act_off_turn is not None and game.can_act_off_turn(view))
            if game.legal_from_view is not None:
                assert list(game.legal_from_view(view)) == legal
    assert game.can_act_off_turn is None or not game.can_act_off_turn(game.view(playout.states[0], None))


@EACH_PLAYOUT
def test_only_the_clocks_own_actions_cause_a_timeout(playout: Playout):
    lapsing = [step for step in playout.steps if any(isinstance(event, TimedOut) for event in step.events)]
    assert all(isinstance(step.action, Expire) and step.seat is None for step in lapsing)


@EACH_PLAYOUT
def test_a_running_game_waits_for_someone_who_can_move_or_for_the_clock(playout: Playout):
    game = playout.game
    for state in playout.running:
        waiting = game.view(state, None).to_act
        assert waiting or game.deadlines(state)
        for seat in waiting:
            assert next(game.legal(state, seat), None) is not None


@EACH_PLAYOUT
def test_asking_from_a_wrong_seat_is_refused_or_fine_but_never_an_accident(playout: Playout):
    game = playout.game
    for state in sampled(playout, 12):
        before = repr(state)
        for seat, action in some(moves(game, state, playout.seats), 6):
            for stranger in (None, Seat(-1), Seat(playout.seats), Seat(99)):
                refused(game, state, stranger, action)
            for other in range(playout.seats):
                if other != seat:
                    attempted(game, state, Seat(other), action)
        assert repr(state) == before


@EACH_PLAYOUT
def test_actions_of_other_moments_are_refused_or_fine_but_never_an_accident(playout: Playout):
    game = playout.game
    rng = random.Random(7)
    actions = [step.action for step in playout.steps]
    for state in sampled(playout, 12):
        before = repr(state)
        for action in rng.sample(actions, min(8, len(actions))):
            for seat in readers(playout):
                attempted(game, state, seat, action)
        assert repr(state) == before


def some(found: list[tuple[Seat, Action]], count: int = 40) -> list[tuple[Seat, Action]]:
    """Return at most this many of them, evenly spread."""
    return found[:: -(-len(found) // count)] if found else []


def attempted(game: AnyGame, state: Any, seat: Seat | None, action: Action) -> list[Event] | Refusal:
    """Return the result of an action: events that fold, or a valid refusal."""
    try:
        events: list[Event] = game.decide(state, seat, action, Moment(BEGIN + 1), chance())
    except Refusal as refusal:
        assert refusal.code == refusal.code.lower()
        assert refusal.code
        for fact in refusal.facts.values():
            assert isinstance(fact, int | str | tuple)
        return refusal
    assert events
    folded(game, events, state)
    return events


def refused(game: AnyGame, state: Any, seat: Seat | None, action: Action, at: Moment = BEGIN) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        game.decide(state, seat, action, at, chance())
    return refusal.value


def refused_everywhere(playout: Playout, state: Any, actions: list[Action]) -> None:
    for seat in readers(playout):
        for action in [*actions, Expire("turn-0"), ClockShift(1000)]:
            refused(playout.game, state, seat, action)


# --------------------------------------------------------------------------------------------------------- what is seen


@EACH_PLAYOUT
def test_views_are_of_the_declared_type_and_can_be_sent(playout: Playout):
    game = playout.game
    for state in [*sampled(playout), playout.states[-1]]:
        for reader in readers(playout):
            view = game.view(state, reader)
            assert type(view) is game.views
            assert view.seat == reader
            assert msgspec.json.decode(to_json(view), type=game.views) == view


@EACH_PLAYOUT
def test_all_readers_agree_on_the_stamp_and_on_who_is_waited_for(playout: Playout):
    game = playout.game
    for state in sampled(playout):
        views = [game.view(state, reader) for reader in readers(playout)]
        assert len({(view.ui_version, view.to_act) for view in views}) == 1


@EACH_PLAYOUT
def test_the_stamp_never_decreases(playout: Playout):
    stamps = [playout.game.view(state, None).ui_version for state in playout.states]
    assert stamps == sorted(stamps)


@EACH_PLAYOUT
def test_an_action_of_another_games_type_is_refused_and_changes_nothing(playout: Playout):
    game = playout.game
    strange = {
        type(step.action): step.action
        for key in GAMES
        for step in played(key, 0).steps
        if type(step.action) not in game.actions.__args__
    }
    assert len(strange) > 6
    for state in sampled(playout, 4):
        for seat in map(Seat, range(playout.seats)):
            assert {refused(game, state, seat, action).code for action in strange.values()} == {"no-such-action"}


# --------------------------------------------------------------------------------------------------------------- clocks


@EACH_PLAYOUT
def test_deadlines_are_in_the_order_in_which_they_are_due(playout: Playout):
    for state in playout.states:
        due = [deadline.due for deadline in playout.game.deadlines(state)]
        assert due == sorted(due)


@EACH_PLAYOUT
def test_deadlines_have_ids_of_their_own_for_the_whole_game(playout: Playout):
    """An id names only one time span: it is never reused, and only a delay moves it."""
    game = playout.game
    due: dict[str, Moment] = {}
    gone: set[str] = set()
    for state in playout.states:
        deadlines = game.deadlines(state)
        ids = [deadline.id for deadline in deadlines]
        assert len(set(ids)) == len(ids)
        assert not gone & set(ids)
        for deadline in deadlines:
            assert due.setdefault(deadline.id, deadline.due) == deadline.due
            assert set(deadline.seats) <= set(range(playout.seats))
            assert deadline.kind == "window" or deadline.seats
        gone |= set(due) - set(ids)


@EACH_PLAYOUT
def test_without_a_turn_clock_no_turn_runs_out(playout: Playout):
    if playout.options.clock == 0:
        for state in playout.running:
            assert all(deadline.kind == "window" for deadline in playout.game.deadlines(state))


@EACH_PLAYOUT
def test_the_default_of_a_deadline_is_accepted_from_those_it_waits_for(playout: Playout):
    game = playout.game
    for state in sampled(playout):
        for deadline in game.deadlines(state):
            if deadline.default is not None:
                for seat in deadline.seats:
                    assert game.decide(state, seat, deadline.default, deadline.due, chance())


@EACH_PLAYOUT
def test_every_deadline_that_runs_out_makes_the_game_go_on(playout: Playout):
    game = playout.game
    for state in sampled(playout):
        now = state
        left = {deadline.id for deadline in game.deadlines(state)}
        while left and (first := earliest(game, now)) is not None:
            events = game.decide(now, None, Expire(first.id), first.due, chance())
            now = folded(game, events, now)
            assert first.id not in {deadline.id for deadline in game.deadlines(now)}
            if game.outcome(now) is None:
                assert refused(game, now, None, Expire(first.id), first.due).code == "late"
            left &= {deadline.id for deadline in game.deadlines(now)}


@EACH_PLAYOUT
def test_a_clock_that_strikes_early_late_or_for_nothing_is_refused(playout: Playout):
    game = playout.game
    for state in sampled(playout):
        for deadline in game.deadlines(state):
            refused(game, state, None, Expire(deadline.id), Moment(deadline.due - 1))
            for seat in range(playout.seats):
                refused(game, state, Seat(seat), Expire(deadline.id), deadline.due)
        assert refused(game, state, None, Expire("never-was"), Moment(BEGIN + 10**9)).code == "late"


@EACH_PLAYOUT
def test_a_delay_moves_every_deadline_by_exactly_that_and_nothing_else(playout: Playout):
    game = playout.game
    for state in sampled(playout):
        before = game.deadlines(state)
        if not before:
            continue
        after = game.fold(game.decide(state, None, ClockShift(12_345), BEGIN, chance()), state)
        moved = [msgspec.structs.replace(deadline, due=Moment(deadline.due + 12_345)) for deadline in before]
        assert list(game.deadlines(after)) == moved
        assert game.view(after, None).ui_version == game.view(state, None).ui_version
        assert moves(game, after, playout.seats) == moves(game, state, playout.seats)
        for seat in range(playout.seats):
            refused(game, state, Seat(seat), ClockShift(12_345))


@EACH_GAME
def test_random_tables_try_all_that_a_host_may_set(game: AnyGame):
    rng = random.Random(1)
    drawn = [some_options(game, rng) for _ in range(200)]
    assert all(isinstance(options, game.options) for options in drawn)
    for field in msgspec.structs.fields(game.options):
        assert len({getattr(options, field.name) for options in drawn}) > 1
