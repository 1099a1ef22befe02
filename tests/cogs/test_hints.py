"""Test hints: what a strong player would do from the reader's view, and why, in words of the game."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import discord
import msgspec
import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.pages.emoji_markup import strip
from cogs.core.tables import bot_workers
from cogs.core.tables.bot_workers import HINT_STEPS, Answer, BotWorkers, Question, answer
from cogs.registry import GAMES
from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, AnyGame, Seat, to_json
from engine.games import GAMES as RULES
from engine.games.break_out import Call, Lay, Point
from engine.games.rope_wall import Push
from engine.players import LEVELS, Level
from engine.players.registry import BOTS
from engine.turns import Ready
from sandbox import PATIENCE_S, ActionResult, UserClient
from tests.cogs.general.test_practice import mine, practised
from tests.engine.games.break_out_positions import ScriptedRound, cards
from tests.engine.games.test_prison_break_secrets import exchanged
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import Playout, play
from tools.words.tables import about

EACH_GAME = pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
STEPS = 60


def hint(game: AnyGame, state: Any, seat: Seat, steps: int = STEPS) -> Answer | None:
    """Return the worker's answer. It gets a view as JSON, the legal actions, and nothing else."""
    view, legal = game.view(state, seat), tuple(map(to_json, game.legal(state, seat)))
    player = BOTS[game.key].levels[Level.MASTER]
    explain = BOTS[game.key].explain
    return answer(Question(player, game.views, game.actions, None, to_json(view), legal, 7, steps, None, explain))


def decisions(game: AnyGame, seeds: range, states: int) -> Iterator[tuple[Playout, Any, Seat, list[Action]]]:
    """Yield moments of random games at which a seat may act."""
    for seed in seeds:
        playout, rng = play(game, seed), random.Random(seed)
        for state in rng.sample(playout.running, min(states, len(playout.running))):
            for seat in map(Seat, range(playout.seats)):
                if legal := list(game.legal(state, seat)):
                    yield playout, state, seat, legal


@EACH_GAME
def test_a_hint_may_be_played_and_its_reasons_are_given_in_words(package: GamePackage):
    game, ui = RULES[package.game.key], package.ui()
    told = 0
    for playout, state, seat, legal in decisions(game, range(8), 8):
        found = hint(game, state, seat)
        if found is None:
            continue
        action = game.read_action(found[0])
        assert action in legal or game.key == "match_five", action  # has too many plays to list
        game.decide(state, seat, action, playout.begin, Chance(bytes(SEED_BYTES), "t", 0))
        if isinstance(action, Ready):
            continue
        words = strip("\n".join(ui.hint(game.view(state, seat), about(playout, False), action, found[1])))
        assert all(words.splitlines()) and "None" not in words
        assert len(words.splitlines()) > bool(found[1])
        told += 1
    assert told > 20


# Two states that look the same to a seat


def redealt(state: Any, reader: Seat, rng: random.Random, *, unseen: str) -> Any:
    """Return the state with the other hands and the named pile or bag shuffled and redealt."""
    others = [seat for seat in range(len(state.hands)) if seat != reader]
    pieces = [*getattr(state, unseen), *(piece for seat in others for piece in state.hands[seat])]
    rng.shuffle(pieces)
    hands = list(state.hands)
    for seat in others:
        held = len(hands[seat])
        hands[seat], pieces = tuple(pieces[:held]), pieces[held:]
    return msgspec.structs.replace(state, **{"hands": tuple(hands), unseen: tuple(pieces)})


def with_other_cards(state: Any, reader: Seat, rng: random.Random) -> Any:
    """Return the state with different cards in other hands and in the pile."""
    return redealt(state, reader, rng, unseen="pile")


def with_other_tiles(state: Any, reader: Seat, rng: random.Random) -> Any:
    """Return the state with different tiles in other hands and in the bag, which lists them in order."""
    twin = redealt(state, reader, rng, unseen="bag")
    return msgspec.structs.replace(twin, bag=tuple(sorted(twin.bag)))


def with_other_bets(state: Any, reader: Seat, rng: random.Random) -> Any:
    """Return the state with different forecasts of the other seats."""
    bets = [
        bet if seat == reader or bet is None else tuple(rng.sample(bet, len(bet)))
        for seat, bet in enumerate(state.forecasts)
    ]
    return msgspec.structs.replace(state, forecasts=tuple(bets))


REDEALT: dict[str, Callable[[Any, Seat, random.Random], Any]] = {
    "break_out": with_other_cards,
    "match_five": with_other_tiles,
    "ausbrecher": with_other_bets,
    "prison_break": exchanged,
}
"""The Rope Wall hides nothing."""


@pytest.mark.parametrize("key", REDEALT)
def test_two_states_that_look_the_same_have_the_same_hint(key: str):
    game, rng, differ = RULES[key], random.Random(5), 0
    for _, state, seat, _ in decisions(game, range(4), 5):
        twin = REDEALT[key](state, seat, rng)
        differ += twin != state
        assert to_json(game.view(twin, seat)) == to_json(game.view(state, seat))
        assert hint(game, twin, seat, HINT_STEPS // 10) == hint(game, state, seat, HINT_STEPS // 10)
    assert differ > 10


async def test_the_same_view_has_the_same_hint_also_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot_workers, "HINT_SECONDS", float(PATIENCE_S))  # limited by steps, not by time
    game = RULES["rope_wall"]
    _, state, seat, legal = next(decisions(game, range(1), 1))
    view, player, thinkers = game.view(state, seat), BOTS["rope_wall"].levels[Level.MASTER], BotWorkers(1)
    try:
        hints = [
            await thinkers.hint(1, game, player, BOTS["rope_wall"].explain, lambda: (view, iter(legal)))
            for _ in range(2)
        ]
    finally:
        await thinkers.close()
    assert hints[0] is not None and hints[0][0] in legal and hints[0] == hints[1]


@pytest.mark.parametrize("left_out", [frozenset(), RULES["break_out"].accusations])
def test_a_hint_advises_calling_a_bluff_unless_accusations_are_excluded(left_out: frozenset[type[Action]]):
    table = ScriptedRound("r1 b4 g6 v7", "o1 y3", "o2 y4")
    table.do(Seat(0), Lay(cards("r1 b4 g6")), 500)
    table.pass_turn(Seat(0), 1_000)
    game, view = RULES["break_out"], to_json(table.view(Seat(2)))
    legal = tuple(map(to_json, game.legal(table.state, Seat(2))))
    asked = Question(
        BOTS["break_out"].levels[Level.MASTER],
        game.views,
        game.actions,
        None,
        view,
        legal,
        7,
        STEPS,
        None,
        None,
        left_out,
    )
    found = answer(asked)
    assert (found is None) if left_out else (found is not None and game.read_action(found.action) == Call("meld", 1))


# At a table


@pytest.mark.parametrize("people", [1, 2])
async def test_a_hint_accuses_nobody_where_people_play_beside_a_computer(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, people: int
):
    await harness.begin("break-out", *[harness.ben][: people - 1], computer="rookie")
    bots, asked = harness.computers(), list[frozenset[type[Action]]]()

    async def hint(*given: Any) -> None:
        asked.append(given[-1])

    monkeypatch.setattr(bots.bot_workers, "hint", hint)
    seat = next(row.seat for row in harness.snapshot().seats if row.user == int(harness.ann.id))
    await bots.hint(Seat(seat))
    assert asked == [{Call, Point} if people == 2 else set()]


async def hinted_page(harness: BotHarness, who: UserClient, page: ActionResult | dict[str, Any]) -> ActionResult:
    """Return the page that *Hint* opens, behind *More …*."""
    return await who.press(await who.press(page, label="More …"), label="Hint")


@EACH_GAME
async def test_a_hint_in_practice_says_why_and_one_press_follows_it(harness: BotHarness, package: GamePackage):
    await practised(harness, harness.ann, package.game.title)
    assert await mine(harness, harness.ann)
    table = harness.messages().table
    version = table.snapshot.version
    page = await hinted_page(harness, harness.ann, harness.ann.dms()[-1])
    assert "What the Master would do" in page.text and table.snapshot.version == version
    assert len(page.text.split("What the Master would do")[1].splitlines()) > 2
    known = harness.computers().known_hint(Seat(0))
    assert known is not None and known.action is not None and known.reasons
    await harness.press(harness.ann, "Do it", page)
    moves = [one for one in await table.store.games.decisions(1) if one.seat == 0]
    assert table.snapshot.version > version and moves[-1].action == to_json(known.action)


async def test_a_hint_that_the_game_has_passed_is_not_followed(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    while harness.snapshot().view(None).to_act != (0,):
        await harness.advance(3_000)
    panel = await harness.press(harness.ann, "Play")
    page = await hinted_page(harness, harness.ann, panel)
    follow = next(part["custom_id"] for part in UserClient.buttons(page) if part.get("label") == "Do it")
    known = harness.computers().known_hint(Seat(0))
    assert known is not None and isinstance(known.action, Push)
    another = f":{'R' if known.action.side == 'left' else 'L'}{known.action.floor}"
    await harness.ann.press(harness.board(), next(one for one in harness.controls("push") if one.endswith(another)))
    version = harness.snapshot().version
    early = await harness.ann.forge(page, follow)
    assert "nothing to do right now" in early.text and harness.snapshot().version == version
    while harness.snapshot().view(None).to_act != (0,):
        await harness.advance(3_000)
    version = harness.snapshot().version
    late = await harness.ann.forge(page, follow)
    await harness.settle()
    assert "has moved on" in late.text and harness.snapshot().version == version


async def test_a_hint_is_no_draft_and_a_page_that_is_opened_again_shows_the_game(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    while harness.snapshot().view(None).to_act != (0,):
        await harness.advance(3_000)
    page = await hinted_page(harness, harness.ann, await harness.press(harness.ann, "Play"))
    assert "Do it" in {part.get("label") for part in UserClient.buttons(page)}
    await harness.settle()
    opened = await harness.press(harness.ann, "Play")
    assert "Do it" not in {part.get("label") for part in UserClient.buttons(opened)}


async def test_a_ranked_table_gives_no_hints_and_says_where_they_are_given(harness: BotHarness):
    await harness.two_at_the_wall()
    who = harness.awaited()
    more = await harness.press(who, "More …", await harness.press(who, "Play"))
    labels = [button.get("label") for button in UserClient.buttons(more.message or {})]
    assert "What can I do?" in labels and "Hint" not in labels
    told = await harness.press(who, "What can I do?", more)
    assert "Hints aren't allowed when only people play" in told.text


async def test_the_hint_button_is_primary_only_for_players_who_may_act(harness: BotHarness):
    async def style() -> int:
        more = await harness.press(harness.ann, "More …", await harness.press(harness.ann, "Play"))
        return next(
            button["style"] for button in UserClient.buttons(more.message or {}) if button.get("label") == "Hint"
        )

    await harness.against_a_computer()
    assert await style() == discord.ButtonStyle.secondary.value
    await harness.advance(5_000)
    assert harness.view().turn == 0
    assert await style() == discord.ButtonStyle.success.value


@pytest.mark.parametrize("game", ["ausbrecher", "match-five", "prison-break", "rope-wall"])
async def test_a_hint_is_one_press_away_for_the_player_to_move_if_the_game_allows_it(harness: BotHarness, game: str):
    await harness.begin(game, computer="rookie")
    assert await mine(harness, harness.ann)
    page = await harness.press(harness.ann, "Play")
    labels = [button.get("label") for button in UserClient.buttons(page.message or {})]
    assert labels[-2:] == ["Hint", "More …"]
    hint = await harness.press(harness.ann, "Hint", page)
    assert "What the Master would do" in hint.text


@pytest.mark.parametrize("game", ["ausbrecher", "match-five", "prison-break", "rope-wall"])
async def test_no_hint_is_at_hand_in_a_rated_game(harness: BotHarness, game: str):
    await harness.begin(game, harness.ben)
    for who in (harness.ann, harness.ben):
        page = await harness.press(who, "Play")
        assert "Hint" not in [button.get("label") for button in UserClient.buttons(page.message or {})]


def test_no_hint_about_a_guard_check_is_at_hand_where_a_person_may_be_lying():
    game = RULES["prison_break"]
    ui = next(package.ui() for package in GAMES if package.game.key == game.key)
    person = about(play(game, 1, seats=3), False)
    bots = [replace(one, user=None, level=Level.MASTER) if one.seat else one for one in person.seated_players]
    computers = replace(person, seated_players=tuple(bots))
    seen = set()
    for state in play(game, 1, seats=3).running:
        view = game.view(state, Seat(0))
        if view.seat in view.to_act:
            seen.add(view.phase)
            assert ui.hint_at_hand(view, person) is (view.phase != "guard")
            assert ui.hint_at_hand(view, computers)
    assert {"sneak", "guard"} <= seen


async def test_a_table_may_switch_hints_off(harness: BotHarness):
    await harness.begin("break-out", computer="rookie", hints="off")
    more = await harness.press(harness.ann, "More …", await harness.press(harness.ann, "Play"))
    assert "Hint" not in [button.get("label") for button in UserClient.buttons(more.message or {})]


def test_every_game_of_the_bot_says_why():
    assert set(BOTS) == {package.game.key for package in GAMES}
    assert all(package.bots is BOTS[package.game.key] for package in GAMES)
    assert all(set(bots.levels) == set(LEVELS) and bots.explain is not None for bots in BOTS.values())
