"""Test that a sixth game, Nim, needs only its own files and one line: it is played, replayed, verified and ranked."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from cogs.core.tables.bot_workers import BotWorkers
from cogs.registry import GAMES
from data.verification import check
from engine.contract import Seat
from engine.games import GAMES as ENGINES
from engine.players import Level
from sandbox import ActionResult, UserClient
from tests.sixth import PACKAGE as NIM
from tests.sixth.game import GAME, Take, takes
from tools.harness.bot_harness import BotHarness

Turn = Callable[[BotHarness], Awaitable[ActionResult]]


@pytest.fixture
async def six(harness: BotHarness) -> BotHarness:
    """Start the bot with a sixth game. This is the one line."""
    await harness.stop()
    harness.games = (*GAMES, NIM)
    await harness.start()
    return harness


async def by_button(harness: BotHarness) -> ActionResult:
    who = harness.awaited()
    return await who.press(harness.board(), harness.controls("take")[-1])


async def by_command(harness: BotHarness) -> ActionResult:
    take = list(takes(harness.view()))[-1]
    answer = await harness.awaited().command(harness.yard, "nim take", heap=take.heap, count=take.count)
    assert f"You took {take.count}." in answer.text
    return answer


async def whole_game(harness: BotHarness, turn: Turn = by_button) -> UserClient:
    """Play a game at table 1 as Ann and Ben. Return the winner."""
    await harness.begin("nim", harness.ben)
    for _ in range(12):  # no more objects are left
        if not harness.snapshot().playing:
            break
        last = harness.awaited()
        await turn(harness)
    await harness.settle()
    return last


@pytest.mark.parametrize("turn", [by_button, by_command])
async def test_a_game_that_the_core_does_not_know_is_played_to_its_end(six: BotHarness, turn: Turn):
    assert GAME.key not in ENGINES
    winner = await whole_game(six, turn)
    live = six.messages().table
    assert live.snapshot.row.status == "over" and f"**{winner.name}** **wins!**" in six.public()
    results = await live.store.games.results(1)
    assert {row.user: row.place for row in results}[int(winner.id)] == 1
    assert await six.shows_latest()


async def test_it_goes_on_after_a_restart_and_is_refused_in_its_own_words(six: BotHarness):
    await six.ann.command(six.yard, "nim start", clock=0)
    await six.press(six.ben, "Join")
    await six.press(six.ann, "Start")
    await six.settle()
    await by_button(six)
    await six.restart()
    await six.client.inbound.finder.find(1)
    await by_button(six)
    assert sum(six.view().heaps) == 12 - 3 - 2
    refused = await six.awaited().command(six.yard, "nim take", heap=1, count=4)
    assert "From that heap take 1 to 3." in refused.text
    waiting = next(person for person in (six.ann, six.ben) if person is not six.awaited())
    assert "'s turn, not yours." in (await waiting.command(six.yard, "nim take", heap=1, count=1)).text


@pytest.mark.parametrize("level", ["rookie", "warden"])
async def test_its_computer_players_play_it(six: BotHarness, level: str):
    await six.ann.command(six.yard, "nim start", computer=level, clock=0)
    await six.finish(six.ann)
    assert six.snapshot().row.status == "over"


async def test_a_hint_is_the_move_alone_where_a_game_has_no_words_for_it(six: BotHarness):
    await six.ann.command(six.yard, "nim start", computer="rookie", clock=0)
    while six.snapshot().view(None).to_act != (0,):
        await six.advance(3_000)
    page = await six.press(six.ann, "Hint", await six.press(six.ann, "More …", await six.press(six.ann, "Play")))
    hint = six.computers().known_hint(Seat(0))
    assert hint is not None and isinstance(hint.action, Take) and hint.reasons == ()
    assert f"{hint.action.count} from heap {hint.action.heap}" in page.text
    before = sum(six.view().heaps)
    await six.press(six.ann, "Do it", page)
    assert sum(six.view().heaps) <= before - hint.action.count


async def test_its_players_think_in_a_process_of_their_own_as_any(six: BotHarness):
    draw: Any = _FirstChoice()
    state = GAME.fold(GAME.setup(2, GAME.options(), six.client.games.materials["nim"], six.clock.now(), draw))
    thinkers = BotWorkers(1, seconds=0.05)
    try:
        intent = await thinkers.ask(
            1, GAME, NIM.bots.levels[Level.MASTER], lambda: (GAME.view(state, Seat(0)), list(takes(state)))
        )
    finally:
        await thinkers.close()
    assert intent is not None and intent.action in list(takes(state))


class _FirstChoice:
    """Picks the first of anything."""

    def pick(self, items):
        return items[0]


async def test_it_is_shown_again_exported_and_proved(six: BotHarness, tmp_path):
    winner = await whole_game(six)
    page = await six.cleo.command(six.yard, "replay", table=1)
    assert "### Nim\n-# Replay of table 1 · move 0 of 5" in page.text and "Heap 3: 5" in page.text
    page = await six.press(six.cleo, "10 ▶", page)
    assert "move 5 of 5" in page.text and f"**{winner.name}** **wins!**" in page.text
    proved = await six.cleo.command(six.yard, "verify", table=1)
    await six.sandbox.until(lambda: "Proved." in proved.text)
    answer = await six.press(six.cleo, "Export", page)
    message = await six.sandbox.until(lambda: answer.message if (answer.message or {}).get("attachments") else None)
    path = tmp_path / "nim.json"
    path.write_bytes(six.sandbox.file(message["attachments"][0]["url"]))
    assert NIM.folder is not None and check(path, [NIM.game], NIM.folder).proved
    changed = json.loads(path.read_bytes())
    changed["events"][2]["count"] = 1
    path.write_bytes(msgspec.json.encode(changed))
    assert not check(path, [NIM.game], NIM.folder).proved


async def test_a_game_without_reviews_offers_none_and_says_so(six: BotHarness):
    await whole_game(six)
    assert "Replay" in str(UserClient.buttons(six.board())) and "Review" not in str(UserClient.buttons(six.board()))
    page = await six.cleo.command(six.yard, "replay", table=1)
    assert "Review" not in str(UserClient.buttons(page))
    refused = await six.cleo.command(six.yard, "review", table=1)
    assert "Nim has no reviews." in refused.text


async def test_it_is_on_the_leaderboard_with_its_best_score_the_fewest_turns(six: BotHarness):
    winner = await whole_game(six)
    keeper = six.client.get_cog("Records")._updater
    shown = await winner.command(six.yard, "leaderboard", game="nim")
    assert "Leaderboard · Nim" in shown.text and shown.text.count("1 of 5 placement games") == 3
    assert "best score" in shown.text and "nim" in keeper._fewest and "match_five" not in keeper._fewest


async def test_it_is_among_the_games_of_the_bot(six: BotHarness):
    games = UserClient.buttons(await six.cleo.command(six.yard, "play"))
    assert "Nim" in [part.get("label") for part in games]
    offered = await six.cleo.choices(six.yard, "leaderboard", focus="game", game="ni")
    assert [one["value"] for one in offered] == ["nim"]
