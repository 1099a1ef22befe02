"""Every game's `start` command has every option of its game, by the same rule."""

from typing import Any

import msgspec
import pytest
from discord import app_commands

from cogs.core.inbound.game_cog import read_options
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import span
from cogs.core.tables.options import meaning, option_description, option_fields
from engine.games import GAMES
from engine.games.break_out import BreakOutOptions
from engine.games.match_five import MatchFiveOptions
from engine.players import Level
from tools.harness.bot_harness import BotHarness


def start_of(harness: BotHarness, key: str) -> app_commands.Command[Any, ..., Any]:
    group = harness.client.tree.get_command(harness.client.games[key].command)
    assert isinstance(group, app_commands.Group)
    found = group.get_command("start")
    assert isinstance(found, app_commands.Command)
    return found


async def test_every_start_command_has_every_option_of_its_game_in_the_same_order(harness: BotHarness):
    for key, game in GAMES.items():
        own = [entry.name for entry in option_fields(game.options) if entry.name not in ("clock", "pace")]
        company = ["invite", "computer"] + (["computers"] if game.player_counts[-1] > 2 else [])
        assert [option.name for option in start_of(harness, key).parameters] == [*company, *own, "clock", "pace"]


async def test_what_can_be_chosen_is_what_the_game_declares(harness: BotHarness):
    for key, game in GAMES.items():
        declared = {entry.name: entry for entry in option_fields(game.options)}
        for option in start_of(harness, key).parameters:
            if option.name not in declared:
                continue
            assert 1 <= len(option.description) <= 100
            values = [choice.value for choice in option.choices]
            if values:
                assert values == list(declared[option.name].values)
                assert all(1 <= len(choice.name) <= 100 for choice in option.choices)
            else:
                for value in (option.min_value, option.max_value):
                    read_options(game.options, {option.name: value})
                for value in (option.min_value - 1, option.max_value + 1):
                    with pytest.raises(UserError):
                        read_options(game.options, {option.name: value})


async def test_the_draw_card_and_the_price_of_a_wrong_call_can_be_chosen_at_the_start(harness: BotHarness):
    chosen: dict[str, Any] = {
        "referee": "strict",
        "rounds": 2,
        "draw_card": "face_up",
        "wrong_call": "draw",
        "clock": 60,
    }
    await harness.ann.command(harness.yard, "break-out start", **chosen)
    assert harness.snapshot().options == BreakOutOptions(**chosen)


async def test_what_is_not_chosen_stays_as_the_game_has_it(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", copies=3)
    assert harness.snapshot().options == msgspec.structs.replace(MatchFiveOptions(), copies=3)


async def test_as_many_computer_players_sit_down_as_were_requested(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start", computer="warden", computers=3)
    assert [row.level for row in harness.snapshot().seats] == [None, "warden", "warden", "warden"]


def test_a_value_is_explained_by_the_sentence_that_its_option_has_for_it():
    options = {entry.name: entry for entry in option_fields(MatchFiveOptions)}
    assert meaning(options["placement"], "free") == "you can place the tiles of a turn anywhere"
    assert meaning(options["placement"], "one_line") == "they must all end up in one line"
    assert option_description(options["placement"]) == "Where you can place the tiles of one turn"
    assert meaning(options["clock"], 60) == "" and option_description(options["clock"]) == options["clock"].description


async def test_no_option_is_described_by_its_own_name(harness: BotHarness):
    for key in GAMES:
        for option in start_of(harness, key).parameters:
            assert len(str(option.description).split()) > 2, f"{key}: {option.name}"


async def test_everybody_begins_with_start_so_it_is_the_first_command_of_every_game(harness: BotHarness):
    groups = {key: harness.client.tree.get_command(ui.command) for key, ui in harness.client.games.items()}
    for group in groups.values():
        assert isinstance(group, app_commands.Group)
        assert group.commands[0].name == "start" and len(group.commands) > 1


async def test_games_with_similar_names_are_distinguished_by_their_kind(harness: BotHarness):
    kinds = set[str]()
    for key, ui in harness.client.games.items():
        group = harness.client.tree.get_command(ui.command)
        assert isinstance(group, app_commands.Group)
        kinds.add(group.description)
        answer = await harness.ann.press(await harness.ann.command(harness.yard, "play"), label=ui.game.title)
        assert f"{span(ui.game.player_counts)} players" in answer.text and group.description in answer.text
        assert start_of(harness, key).description == f"Open a table of {ui.game.title}. {group.description}"
    assert len(kinds) == len(harness.client.games)


async def test_computers_without_a_level_are_trainees(harness: BotHarness):
    await harness.ann.command(harness.yard, "ausbrecher start", computers=2)
    assert [seat.level for seat in harness.snapshot().seats] == [None, Level.TRAINEE, Level.TRAINEE]


async def test_the_scores_of_a_table_in_its_lobby_are_not_looked_for_at_others(harness: BotHarness):
    await harness.ann.command(harness.yard, "match-five start")
    asked = await harness.cleo.command(harness.yard, "match-five scores", table=1)
    assert asked.text == "The game hasn't started."
