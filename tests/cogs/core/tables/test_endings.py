"""Pardons for missed turns, and games ended by agreement: decisions on a store."""

import random
from typing import Any

import pytest

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.tables import absence, endings, moves, seat_rules
from cogs.core.tables.agreements import PARDON_MOVES, TURNS_BETWEEN_PROPOSALS, Kind
from cogs.core.tables.changes import Seated
from cogs.core.tables.table import Table
from data.store import Store
from engine.contract import Moment, Refusal, Seat
from engine.games import GAMES
from engine.players import Level
from tests.cogs.core.tables.live_tables import GAME_KEYS, again, mover, other, start_game, step
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

COUNTABLE = {"break_out", "match_five", "rope_wall"}


async def lapse(table: Table) -> Moment:
    """Let the next deadline expire. Return the time."""
    deadline = table.snapshot.deadlines[0]
    await table.act(moves.expire, deadline.id, deadline.due)
    return deadline.due


async def move(table: Table, at: Moment) -> Seat:
    """Make a move of the player to act, person or caretaker. Return the seat."""
    seat, action = mover(table)
    if seat in table.snapshot.bots:
        await table.act(moves.play, seat, action, table.snapshot.version, at)
    else:
        await table.act(moves.move, seat, action, at)
    return seat


async def missed_two_turns(store: Store, people: int = 3) -> tuple[Table, Seat, Moment]:
    """Return a table where one player has missed two turns in a row while the others moved, and the time."""
    table = await start_game(store, "match_five", people=people, clock=60)
    slow, at = mover(table)[0], NOON
    while not table.snapshot.seats[slow].caretaker:
        at = await lapse(table) if mover(table)[0] == slow else await _moved(table, at)
    return table, slow, at


async def _moved(table: Table, at: Moment) -> Moment:
    await move(table, Moment(at + 1_000))
    return Moment(at + 1_000)


async def caretaker_moves(table: Table, seat: Seat, at: Moment) -> Moment:
    """Let the others move until the caretaker in a seat has moved."""
    while True:
        at = Moment(at + 1_000)
        if await move(table, at) == seat:
            return at


def opponents(table: Table, seat: Seat) -> list[Seat]:
    return [Seat(row.seat) for row in table.snapshot.seats if row.seat != seat]


async def refused(table: Table, decide: Any, *arguments: Any) -> str:
    before = table.snapshot
    with pytest.raises(UserError) as error:
        await table.act(decide, *arguments)
    assert table.snapshot is before
    return str(error.value.sentence)


# Pardons


@pytest.mark.parametrize("back", [False, True])
async def test_all_opponents_who_are_still_in_pardon_two_missed_turns_and_the_caretakers_moves_stay(
    store: Store, back: bool
):
    table, slow, at = await missed_two_turns(store)
    at = await caretaker_moves(table, slow, at)
    if back:
        await table.act(absence.back, slow, at)
    one, two = opponents(table, slow)
    version = table.snapshot.version
    await table.act(endings.pardon, one, slow, at)
    assert table.snapshot.seats[slow].forfeit == 1
    await table.act(endings.pardon, two, slow, at)
    row = table.snapshot.seats[slow]
    assert row.forfeit is None and not row.caretaker and table.snapshot.version == version
    assert row.lapses == (0 if back else 1)
    assert (await again(table)).snapshot.seats == table.snapshot.seats
    assert endings.pardonable(table.snapshot) == []


@pytest.mark.parametrize("caretakers", range(PARDON_MOVES + 1))
async def test_a_pardon_is_possible_until_the_caretakers_second_move(store: Store, caretakers: int):
    table, slow, at = await missed_two_turns(store)
    for _ in range(caretakers):
        at = await caretaker_moves(table, slow, at)
    if caretakers < PARDON_MOVES:
        await table.act(endings.pardon, opponents(table, slow)[0], slow, at)
    else:
        assert "too late" in await refused(table, endings.pardon, opponents(table, slow)[0], slow, at)


async def test_one_refusal_ends_it_and_nothing_that_is_stored_says_whose_it_was(store: Store):
    stored = []
    for refuses in (0, 1):
        table, slow, at = await missed_two_turns(store)
        judges = opponents(table, slow)
        await table.act(endings.pardon, judges[1 - refuses], slow, at)
        await table.act(endings.do_not_pardon, judges[refuses], slow, at)
        assert table.snapshot.row.agreements is not None
        stored.append(table.snapshot.row.agreements.replace(f'"seat":{slow}', "the seat"))
        assert endings.pardonable(table.snapshot) == [] and table.snapshot.seats[slow].forfeit == 1
        assert "too late" in await refused(table, endings.pardon, judges[1 - refuses], slow, at)
    assert stored[0] == stored[1]


async def test_nobody_is_pardoned_twice_in_a_game(store: Store):
    table, slow, at = await missed_two_turns(store)
    for judge in opponents(table, slow):
        await table.act(endings.pardon, judge, slow, at)
    while table.snapshot.seats[slow].forfeit is None:  # one more missed turn is enough
        at = await lapse(table) if mover(table)[0] == slow else await _moved(table, at)
    assert endings.pardonable(table.snapshot) == []
    assert "too late" in await refused(table, endings.pardon, opponents(table, slow)[0], slow, at)


async def test_a_player_who_left_is_not_pardoned_and_one_who_is_away_is_not_asked(store: Store):
    table, slow, at = await missed_two_turns(store, people=4)
    stays, away, forgives = opponents(table, slow)
    await table.act(absence.leave, away, at)
    assert [one.seat for one in endings.pardonable(table.snapshot)] == [slow]
    assert "too late" in await refused(table, endings.pardon, stays, away, at)
    assert "still playing" in await refused(table, endings.pardon, away, slow, at)
    assert "still playing" in await refused(table, endings.pardon, slow, slow, at)
    await table.act(endings.pardon, stays, slow, at)
    await table.act(endings.pardon, forgives, slow, at)
    assert table.snapshot.seats[slow].forfeit is None and table.snapshot.seats[away].forfeit is not None


async def test_a_pardon_is_granted_once_the_last_opponent_who_has_not_agreed_leaves(store: Store):
    table, slow, at = await missed_two_turns(store, people=4)
    one, two, three = opponents(table, slow)
    await table.act(endings.pardon, one, slow, at)
    await table.act(absence.leave, two, at)
    assert table.snapshot.seats[slow].forfeit == 1
    await table.act(absence.leave, three, at)
    assert table.snapshot.seats[slow].forfeit is None and "was pardoned" in (table.snapshot.notice or "")
    assert endings.pardonable(table.snapshot) == []
    assert (await again(table)).snapshot.seats == table.snapshot.seats


async def test_a_pardon_is_granted_once_the_last_opponent_who_has_not_agreed_misses_turns(store: Store):
    table, slow, at = await missed_two_turns(store)
    one, two = opponents(table, slow)
    await table.act(endings.pardon, one, slow, at)
    seats = seat_rules.leave(table.snapshot.seats, two)  # as the clock does it
    await table.act(lambda now: Seated(now.with_forfeits(seats)))
    assert table.snapshot.seats[slow].forfeit == 1
    await table.act(endings.settle, at)
    assert table.snapshot.seats[slow].forfeit is None and table.snapshot.seats[two].forfeit is not None
    assert await table.act(endings.settle, at) is False


async def test_nobody_is_pardoned_while_no_opponent_is_there(store: Store):
    table, slow, at = await missed_two_turns(store)
    one, two = opponents(table, slow)
    await table.act(endings.pardon, one, slow, at)
    await table.act(absence.leave, one, at)
    assert table.snapshot.seats[slow].forfeit == 1
    await table.act(absence.leave, two, at)
    assert not table.snapshot.playing and table.snapshot.results[slow].place == 3


async def test_a_pardon_comes_before_an_end_to_which_only_the_others_have_agreed(store: Store):
    table, slow, at = await missed_two_turns(store)
    one, two = opponents(table, slow)
    await table.act(endings.pardon, one, slow, at)
    await table.act(endings.propose, one, "none", (), at)
    await table.act(absence.leave, two, at)
    assert table.snapshot.playing and table.snapshot.seats[slow].forfeit is None
    await table.act(endings.agree, slow, 1, at)
    assert [result.place for result in table.snapshot.results] == [1 if seat != two else 3 for seat in range(3)]


async def test_a_player_who_is_back_and_leaves_by_themselves_is_not_pardoned_any_more(store: Store):
    table, slow, at = await missed_two_turns(store)
    one, two = opponents(table, slow)
    await table.act(endings.pardon, one, slow, at)
    await table.act(absence.back, slow, at)
    await table.act(absence.leave, slow, at)
    assert "too late" in await refused(table, endings.pardon, two, slow, at)
    assert table.snapshot.seats[slow].caretaker and table.snapshot.seats[slow].forfeit == 1


async def test_where_missed_turns_cost_no_place_there_is_nothing_to_pardon(store: Store):
    table = await start_game(store, "match_five", people=2, computers=1, clock=60)
    at = NOON
    slow = Seat(0)
    while not table.snapshot.seats[slow].caretaker:
        at = await lapse(table) if mover(table)[0] == slow else await _moved(table, at)
    assert not table.snapshot.asleep and endings.pardonable(table.snapshot) == []
    assert table.snapshot.row.agreements is None


# Ending without a result


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_game_ends_without_a_result_when_everybody_agrees(store: Store, key: str):
    table = await start_game(store, key)
    await move(table, NOON)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    assert table.snapshot.playing and (await again(table)).snapshot.agreements == table.snapshot.agreements
    await table.act(endings.agree, Seat(1), 1, NOON)
    assert table.snapshot.row.status == "closed" and table.snapshot.results == ()
    assert await store.games.results(table.id) == []


async def test_a_certain_place_is_booked_although_the_others_end_without_a_result(store: Store):
    table = await start_game(store, "match_five", people=3)
    await table.act(absence.leave, Seat(1), NOON)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    await table.act(endings.agree, Seat(2), 1, NOON)
    found = [(result.place, result.reason) for result in await store.games.results(table.id)]
    assert found == [(1, "void"), (3, "left"), (1, "void")]


async def test_people_who_are_away_need_not_agree_and_leaving_is_an_answer(store: Store):
    table = await start_game(store, "match_five", people=3)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    await table.act(endings.agree, Seat(1), 1, NOON)
    assert table.snapshot.playing
    await table.act(absence.leave, Seat(2), NOON)
    assert not table.snapshot.playing
    assert [result.place for result in await store.games.results(table.id)] == [1, 1, 3]


async def test_a_proposal_that_is_declined_or_whose_proposer_leaves_is_gone(store: Store):
    table = await start_game(store, "match_five", people=3)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    await table.act(endings.decline, Seat(1), 1, NOON)
    assert table.snapshot.notice == endings.NOT_ACCEPTED
    assert endings.NO_PROPOSAL in await refused(table, endings.agree, Seat(2), 1, NOON)
    await table.act(endings.propose, Seat(1), "none", (), NOON)
    assert endings.NO_PROPOSAL in await refused(table, endings.agree, Seat(2), 1, NOON)  # a button of the first one
    await table.act(absence.leave, Seat(1), NOON)
    assert table.snapshot.playing and endings.open_proposal(table.snapshot) is None


async def test_a_proposal_of_a_player_who_was_away_does_not_end_the_game_as_they_return(store: Store):
    table = await start_game(store, "match_five", people=2, computers=1)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    for seat in (Seat(0), Seat(1)):
        await table.act(absence.leave, seat, NOON)
    assert table.snapshot.asleep
    await table.act(absence.back, Seat(0), NOON)
    assert await table.act(endings.settle, NOON) is False and table.snapshot.playing
    assert endings.open_proposal(table.snapshot) is None


@pytest.mark.parametrize(
    ("kind", "withdrawn", "declined"),
    [
        ("none", "●\N{NO-BREAK SPACE}**User 10** withdrew the proposal to end the game.", endings.NOT_ACCEPTED),
        ("draw", "●\N{NO-BREAK SPACE}**User 10** withdrew the draw offer.", endings.DRAW_DECLINED),
    ],
)
async def test_a_proposal_that_its_own_player_withdraws_is_not_said_to_be_declined(
    store: Store, kind: Kind, withdrawn: str, declined: str
):
    for seat, said in ((Seat(0), withdrawn), (Seat(1), declined)):
        table = await start_game(store, "match_five", people=2)
        await table.act(endings.propose, Seat(0), kind, (10, 10), NOON)
        await table.act(endings.decline, seat, 1, NOON)
        assert table.snapshot.notice == said


async def test_only_people_who_are_still_in_propose_and_answer(store: Store):
    table = await start_game(store, "match_five", people=3)
    await table.act(absence.leave, Seat(1), NOON)
    await table.act(absence.back, Seat(1), NOON)  # but the last place is theirs
    assert "still in" in await refused(table, endings.propose, Seat(1), "none", (), NOON)
    await table.act(endings.propose, Seat(0), "none", (), NOON)
    assert "still in" in await refused(table, endings.agree, Seat(1), 1, NOON)
    assert "open proposal first" in await refused(table, endings.propose, Seat(2), "none", (), NOON)


async def test_a_person_proposes_once_in_five_turns_of_theirs(store: Store):
    table, at = await start_game(store, "match_five", people=2), NOON
    await table.act(endings.propose, Seat(0), "none", (), at)
    await table.act(endings.decline, Seat(1), 1, at)
    await table.act(endings.propose, Seat(1), "none", (), at)  # the others may
    await table.act(endings.decline, Seat(0), 2, at)
    for left in range(TURNS_BETWEEN_PROPOSALS, 0, -1):
        words = "after your next turn" if left == 1 else f"after {left} more "
        assert words in await refused(table, endings.propose, Seat(0), "none", (), at)
        while await move(table, at) != 0:
            pass
    await table.act(endings.propose, Seat(0), "none", (), at)
    assert endings.open_proposal(table.snapshot) is not None


# Counting public totals


async def to_totals(table: Table, rng: random.Random) -> Moment:
    """Play until there are totals that may be counted, and they are not level."""
    at = NOON
    while True:
        totals = endings.public_totals(table.snapshot)
        if totals is not None and len(set(totals)) > 1:
            return at
        at = await step(table, rng, at)


@pytest.mark.parametrize("key", sorted(COUNTABLE - {"break_out"}))
async def test_the_finished_rounds_are_counted_where_everybody_agrees(store: Store, key: str):
    table = await start_game(store, key)
    at = await to_totals(table, random.Random(4))
    totals = endings.public_totals(table.snapshot)
    assert totals is not None
    await table.act(endings.propose, Seat(0), "count", (), at)
    await table.act(endings.agree, Seat(1), 1, at)
    results = await store.games.results(table.id)
    assert table.snapshot.row.status == "closed" and [result.score for result in results] == list(totals)
    assert [result.place for result in results] == [1 if total == max(totals) else 2 for total in totals]
    assert {result.reason for result in results} == {"counted"}


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_totals_are_counted_only_where_only_people_sit_and_the_game_gives_nothing_away(store: Store, key: str):
    assert (GAMES[key].public_totals is not None) == (key in COUNTABLE)
    people, beside_computers = await start_game(store, key), await start_game(store, key, people=1, computers=1)
    for table in (people, beside_computers):  # no round is over yet
        assert "No round is finished" in await refused(table, endings.propose, Seat(0), "count", (), NOON)
    if key in COUNTABLE - {"break_out"}:
        await to_totals(people, random.Random(5))
        assert endings.public_totals(people.snapshot) is not None
    assert beside_computers.snapshot.seats[1].level == Level.TRAINEE
    assert endings.public_totals(beside_computers.snapshot) is None


async def test_a_proposal_to_count_lapses_when_another_round_ends(store: Store):
    table, rng = await start_game(store, "match_five"), random.Random(4)
    at = await to_totals(table, rng)
    await table.act(endings.propose, Seat(0), "count", (), at)
    before = endings.public_totals(table.snapshot)
    for _ in range(4):
        if endings.public_totals(table.snapshot) == before:
            await move(table, at)
    assert endings.public_totals(table.snapshot) != before
    assert endings.NO_PROPOSAL in await refused(table, endings.agree, Seat(1), 1, at)


async def test_the_totals_of_match_five_count_whole_rounds_only(store: Store):
    table = await start_game(store, "match_five", people=3)
    for turn in range(1, 13):
        await move(table, NOON)
        view: Any = table.snapshot.view(None)
        whole = turn // 3 * 3
        points = [sum(one.points for one in view.turns[:whole] if one.seat == seat) for seat in range(3)]
        assert endings.public_totals(table.snapshot) == (tuple(points) if whole else None)


# Draws


async def test_two_people_may_agree_on_a_draw_after_ten_moves_each(store: Store):
    table = await start_game(store, "rope_wall")
    assert "10 moves" in await refused(table, endings.propose, Seat(0), "draw", (10, 9), NOON)
    await table.act(endings.propose, Seat(0), "draw", (10, 10), NOON)
    await table.act(endings.agree, Seat(1), 1, NOON)
    results = await store.games.results(table.id)
    assert [(result.place, result.score, result.reason) for result in results] == [(1, None, "drawn")] * 2


async def test_no_draw_is_possible_at_tables_of_three_against_computers_or_with_a_player_who_left(store: Store):
    three = await start_game(store, "match_five", people=3)
    computer = await start_game(store, "match_five", people=1, computers=1)
    left = await start_game(store, "match_five")
    await left.act(absence.leave, Seat(1), NOON)
    for table in (three, computer, left):
        assert "two people" in await refused(table, endings.propose, Seat(0), "draw", (99, 99, 99), NOON)


# What always holds


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", GAME_KEYS)
async def test_every_request_and_answer_is_stored_and_a_place_is_returned_at_most_once(
    store: Store, key: str, seed: int
):
    rng, at = random.Random(f"{key}.{seed}"), NOON
    table = await start_game(store, key, people=2 if key == "rope_wall" else 3, clock=60)
    seats = [Seat(row.seat) for row in table.snapshot.seats]
    given_back = dict.fromkeys(seats, 0)
    kinds: tuple[Kind, ...] = ("none", "count", "draw")
    for _ in range(60):
        if not table.snapshot.playing or table.snapshot.asleep:
            break
        before, seat, whom = table.snapshot, rng.choice(seats), rng.choice(seats)
        at = Moment(at + 1_000)
        number = before.agreements.proposals
        try:
            match rng.randrange(9):
                case 0:
                    at = await lapse(table)
                case 1:
                    await table.act(absence.back, seat, at)
                case 2:
                    await table.act(endings.propose, seat, rng.choice(kinds), (9, 10, 11)[: len(seats)], at)
                case 3:
                    await table.act(rng.choice((endings.agree, endings.decline)), seat, number, at)
                case 4 | 5:
                    await table.act(rng.choice((endings.pardon, endings.do_not_pardon)), seat, whom, at)
                case 6 if not rng.randrange(4):
                    await table.act(absence.leave, seat, at)
                case _:
                    at = await step(table, rng, at)
        except (UserError, StaleControl, Refusal):
            assert table.snapshot is before
        for one in seats:
            if before.seats[one].forfeit is not None and table.snapshot.seats[one].forfeit is None:
                given_back[one] += 1
        stored = (await again(table)).snapshot
        assert stored.agreements == table.snapshot.agreements and stored.seats == table.snapshot.seats
        assert stored.results == table.snapshot.results and stored.row == table.snapshot.row
    assert max(given_back.values()) <= 1


async def test_an_opponent_cannot_be_found_who_is_not_there(store: Store):
    table, slow, at = await missed_two_turns(store)
    assert "too late" in await refused(table, endings.pardon, other(table, slow), 17, at)


async def test_an_offer_of_a_draw_lapses_when_the_other_player_leaves(store: Store):
    table = await start_game(store, "rope_wall", people=2, clock=60)
    at, counts = NOON, (10, 10)
    await table.act(endings.propose, Seat(0), "draw", counts, at)
    assert endings.open_proposal(table.snapshot) is not None
    await table.act(absence.leave, Seat(1), at)
    assert table.snapshot.playing and endings.open_proposal(table.snapshot) is None
