"""Completions: no more than Discord accepts, what was typed, and always an answer."""

from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.inbound.command_options import CLOCK_CHOICES, LEVEL_CHOICES, MAX_CHOICES, suggestions
from cogs.core.inbound.command_validation import _check
from cogs.core.ops.errors import UserError
from engine.players import LEVELS
from tools.harness.bot_harness import BotHarness


@given(st.lists(st.tuples(st.text(min_size=1, max_size=200), st.integers()), max_size=60), st.text(max_size=5))
def test_suggestions_fit_discord_and_what_was_typed(values: list[tuple[str, int]], typed: str):
    found = suggestions(values, typed)
    assert len(found) <= MAX_CHOICES
    for choice in found:
        assert len(choice.name) <= 100
        kept = choice.name.rstrip("…") if len(choice.name) < 102 else choice.name
        full = [name for name, value in values if value == choice.value and name.startswith(kept.rstrip(" ,.;:·"))]
        assert any(typed.strip().lower() in name.lower() for name in full)


def test_what_discord_could_not_send_back_is_not_suggested():
    assert suggestions([("a", "v" * 101), ("b", "v" * 100), ("", "nameless")], "") == suggestions(
        [("b", "v" * 100)], ""
    )


def test_suggestions_keep_their_order_and_ignore_case_and_blanks():
    values = [("Table 7", 7), ("table 17", 17), ("Table 8", 8)]
    assert [choice.value for choice in suggestions(values, "  TABLE ")] == [7, 17, 8]
    assert [choice.value for choice in suggestions(values, "7")] == [7, 17]
    assert suggestions(values, "no such") == []


def test_the_choices_of_start_are_words_that_people_understand():
    assert [choice.value for choice in LEVEL_CHOICES] == list(LEVELS)
    assert 2 <= len(CLOCK_CHOICES) <= MAX_CHOICES
    assert len({choice.name for choice in CLOCK_CHOICES}) == len(CLOCK_CHOICES)
    assert all(isinstance(choice.value, int) for choice in CLOCK_CHOICES)


async def test_every_option_that_means_a_table_is_completed(harness: BotHarness):
    commands = [one for one in harness.client.tree.walk_commands() if isinstance(one, app_commands.Command)]
    meant = {one.qualified_name: option for one in commands for option in one.parameters if option.name == "table"}
    assert {"rope-wall push", "break-out draw", "replay", "verify", "admin end", "admin export"} <= meant.keys()
    assert [name for name, option in meant.items() if not option.autocomplete] == []


async def test_a_games_command_suggests_the_open_tables_of_that_game_at_which_one_sits(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.ann.command(harness.yard, "prison-break start")
    await harness.cleo.command(harness.yard, "rope-wall start")
    offered = {
        name: [choice["value"] for choice in await harness.ann.choices(harness.yard, name, focus="table")]
        for name in ("rope-wall board", "prison-break board", "admin end")
    }
    assert offered == {"rope-wall board": [1], "prison-break board": [2], "admin end": [3, 2, 1]}
    assert await harness.ann.choices(harness.yard, "admin export", focus="table") == []


@pytest.mark.parametrize("value", [2**63, -1, 0, 1.5, "seven", True, None, [3]])
async def test_a_number_that_no_table_can_have_is_answered_with_the_tables_that_there_are(
    harness: BotHarness, value: Any
):
    await harness.two_at_the_wall()
    answer = await harness.ann.forge_command(
        harness.yard, "rope-wall board", [{"name": "table", "type": 4, "value": value}]
    )
    assert "9,007" not in answer.text
    assert "Choose one of: table 1." in answer.text or value is None


async def test_a_table_that_does_not_exist_is_answered_with_those_at_which_one_plays(harness: BotHarness):
    await harness.two_at_the_wall()
    answer = await harness.ann.command(harness.yard, "rope-wall board", table=99)
    assert "This server has no table 99 of this game. You're playing at table 1." in answer.text
    answer = await harness.cleo.command(harness.yard, "rope-wall board", table=99)
    assert "lists yours." in answer.text


async def test_a_number_without_a_range_is_never_explained_by_the_largest_numbers(harness: BotHarness):
    commands = [one for one in harness.client.tree.walk_commands() if isinstance(one, app_commands.Command)]
    for command in commands:
        for option in command.parameters:
            if option.type is discord.AppCommandOptionType.integer and option.name != "table":
                with pytest.raises(UserError) as told:
                    _check(option, 2**63, {})
                assert "9,007" not in told.value.sentence
