"""Computer players run in worker processes, which may die, and which never outlive the bot."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from cogs.core.tables import bot_workers
from cogs.core.tables.bot_workers import NICE, BotWorkers, FairQueue, Question, SearchBudget, answer
from engine.chance import Chance
from engine.contract import Action, AnyGame, Moment, Seat, View, to_json
from engine.games import GAMES
from engine.players import LEVELS, Budget, Intent, Level
from engine.players.registry import BOTS
from sandbox import PATIENCE_S
from tools.harness.playouts import play

ROOT = Path(__file__).resolve().parents[4]
GAME = GAMES["rope_wall"]
WARDEN = BOTS["rope_wall"].levels[Level.MASTER]


def moment() -> tuple[View, list[Action]]:
    """Return a view of the Rope Wall for the player to act, and the legal actions."""
    state = play(GAME, 1).running[6]
    seat = Seat(GAME.view(state, None).to_act[0])
    return GAME.view(state, seat), list(GAME.legal(state, seat))


def asked(game: AnyGame, level: Level, view: View, legal: tuple[str, ...] | None) -> Question:
    player = BOTS[game.key].levels[level]
    return Question(player, game.views, game.actions, game.legal_from_view, to_json(view), legal, 1, 10, None)


@pytest.fixture
async def thinkers() -> AsyncIterator[BotWorkers]:
    made = BotWorkers(1, seconds=0.05)
    yield made
    await made.close()


def worker(thinkers: BotWorkers) -> int:
    """Return the process in which the players think."""
    (process,) = thinkers._pool._processes.values()  # accesses internals for the test
    return process.pid


async def ask(thinkers: BotWorkers) -> Intent:
    view, legal = moment()
    async with asyncio.timeout(PATIENCE_S):
        intent = await thinkers.ask(1, GAME, WARDEN, lambda: (view, legal))
    assert intent is not None and intent.action in legal
    return intent


async def test_a_player_answers_from_its_own_process(thinkers: BotWorkers):
    intent = await ask(thinkers)
    assert worker(thinkers) != os.getpid()
    assert intent.after_ms > 0


async def test_bot_workers_run_at_a_lower_priority_than_the_bot(thinkers: BotWorkers):
    await ask(thinkers)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, worker(thinkers)) == min(own + NICE, 19)


def test_bot_workers_work_where_the_priority_cannot_be_lowered(monkeypatch: pytest.MonkeyPatch):
    """As under a systemd service that may not set priorities."""
    asked_for, received = list[int](), list[int]()

    def forbidden(by: int) -> int:
        asked_for.append(by)
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", forbidden)
    monkeypatch.setattr(signal, "signal", lambda number, handler: received.append(number))
    bot_workers._begin_worker(NICE)
    assert (asked_for, received) == ([NICE], [signal.SIGINT])


async def test_a_process_that_was_killed_is_replaced_and_the_question_asked_again(thinkers: BotWorkers):
    await ask(thinkers)
    first = worker(thinkers)
    os.kill(first, signal.SIGKILL)
    await ask(thinkers)
    assert worker(thinkers) != first


async def test_a_process_killed_while_it_thinks_is_replaced_too():
    thinkers = BotWorkers(1, seconds=1.0)
    try:
        await ask(thinkers)
        first = worker(thinkers)
        asked = asyncio.create_task(ask(thinkers))
        await asyncio.sleep(0)  # the question is being sent
        os.kill(first, signal.SIGKILL)
        await asked
        assert worker(thinkers) != first
    finally:
        await thinkers.close()


def at_a_loss(view: View, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Intent | None:
    raise KeyError("a way out")


async def test_what_a_player_cannot_answer_is_an_error_of_the_one_who_asked(thinkers: BotWorkers):
    with pytest.raises(KeyError):
        await thinkers.ask(1, GAME, at_a_loss, moment)
    await ask(thinkers)  # and the next question is answered


async def test_closing_ends_the_process_also_while_it_thinks():
    thinkers = BotWorkers(1, seconds=0.05)
    await ask(thinkers)
    process = next(iter(thinkers._pool._processes.values()))  # accesses internals for the test
    thinkers._queue = FairQueue(1, 30.0, 30.0)
    asked = asyncio.create_task(thinkers.ask(1, GAME, WARDEN, moment))
    await asyncio.sleep(0)  # the question is being sent
    await thinkers.close()
    await asyncio.to_thread(process.join, PATIENCE_S)
    assert process.exitcode is not None
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)


def test_a_killed_bot_leaves_no_player_behind():
    """The worker notices that its parent is gone, even if the parent was killed."""
    script = (
        "import asyncio, os, signal, sys\n"
        "from tests.cogs.core.tables.test_bot_workers import BotWorkers, ask, worker\n"
        "async def main():\n"
        "    thinkers = BotWorkers(1, seconds=0.05)\n"
        "    await ask(thinkers)\n"
        "    print(worker(thinkers), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    # The pipe is closed only when every process that holds it has ended, including the worker: read to its end.
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL and int(ran.stdout) > 0


async def test_without_processes_players_count_steps_and_answer_the_same_every_time():
    answers = []
    for _ in range(2):
        thinkers = BotWorkers(0, steps=30)
        answers.append(await thinkers.ask(1, GAME, WARDEN, moment))
        await thinkers.close()
    assert answers[0] == answers[1] is not None


def test_a_question_carries_the_view_and_nothing_else():
    view, legal = moment()
    question = asked(GAME, Level.TRAINEE, view, tuple(map(to_json, legal)))
    found = answer(question)
    assert found is not None and GAME.read_action(found[0]) in legal


@pytest.mark.parametrize("level", LEVELS)
def test_where_a_game_finds_actions_by_the_view_a_question_needs_none(level: Level):
    game = GAMES["match_five"]
    state = play(game, 1).running[6]
    (seat,) = game.view(state, None).to_act
    found = answer(asked(game, level, game.view(state, seat), None))
    assert found is not None
    assert game.decide(state, seat, game.read_action(found[0]), Moment(state.began + 1), Chance(bytes(32), "t", 0))


def test_a_budget_of_time_is_spent_when_it_is_over():
    assert SearchBudget(seconds=0).spent()
    assert not SearchBudget(seconds=1_000).spent()


async def test_a_bot_that_can_no_longer_act_when_a_worker_is_free_is_not_asked(thinkers: BotWorkers):
    assert await thinkers.ask(1, GAME, WARDEN, lambda: None) is None
    assert thinkers._pool is None  # no computer was asked


async def test_a_seat_is_looked_at_when_a_worker_is_free_and_not_before():
    thinkers = BotWorkers(0, steps=30)
    looked: list[int] = []

    def look(number: int) -> tuple[View, list[Action]] | None:
        looked.append(number)
        return moment() if number == 1 else None

    first = asyncio.create_task(thinkers.ask(1, GAME, WARDEN, lambda: look(1)))
    second = asyncio.create_task(thinkers.ask(2, GAME, WARDEN, lambda: look(2)))
    await asyncio.sleep(0)
    assert looked == [1]
    assert await first is not None and await second is None
    assert looked == [1, 2]
    await thinkers.close()


async def test_with_a_long_queue_a_player_is_given_less_time(monkeypatch: pytest.MonkeyPatch):
    given: list[float | None] = []
    thinkers = BotWorkers(1, seconds=0.8, target=1.5)

    async def answered(work: object, question: Question) -> None:
        given.append(question.seconds)

    monkeypatch.setattr(thinkers, "_run", answered)
    await asyncio.gather(*(thinkers.ask(table, GAME, WARDEN, moment) for table in range(20)))
    assert given[0] == 0.8 and given[-1] is not None and given[-1] < 0.4
