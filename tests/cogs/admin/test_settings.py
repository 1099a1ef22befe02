"""`/settings`: who may change them, that they take effect, and that each change shows them all."""

from types import SimpleNamespace as Given
from typing import Any

import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st

from cogs.admin.settings_pages import SELECTS
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import PSEUDO
from cogs.core.tables.settings import Settings, read_settings, referees_of
from engine.contract import AnyGame, Options
from engine.games import GAMES
from sandbox import ActionResult, UserClient
from tests.cogs.admin.conftest import allow_everyone
from tools.harness.bot_harness import BotHarness

CHANGES = [
    ("settings show", {}),
    ("settings clock", {"game": "rope_wall", "time": 60}),
    ("settings referee", {"game": "rope_wall", "kind": "honour"}),
    ("settings channel all", {}),
    ("settings channel remove", {"channel": "1"}),
    ("settings mentions", {"style": "quiet"}),
    ("settings season", {"months": 3}),
    ("settings threads", {"use": "on"}),
    ("settings enders", {"who": "openers"}),
    ("settings limit", {"of": "person", "tables": 9}),
]


@pytest.mark.parametrize(("command", "options"), CHANGES, ids=[command for command, _ in CHANGES])
async def test_a_person_who_does_not_manage_the_server_is_refused_even_if_their_client_offers_it(
    harness: BotHarness, max_: UserClient, command: str, options: dict[str, Any]
):
    assert "settings" not in harness.ben.commands(harness.yard)
    allow_everyone(harness, "settings")
    for person in (harness.ben, max_):
        answer = await person.command(harness.yard, command, **options)
        assert "Manage Server" in answer.text
        assert answer.message["flags"] & 64
    assert await harness.client.store.server_admin.settings(int(harness.guild.id)) == {}


async def test_adding_a_channel_is_refused_without_manage_server(harness: BotHarness):
    allow_everyone(harness, "settings")
    answer = await harness.ben.command(harness.yard, "settings channel add", channel=harness.yard)
    assert "permission" in answer.text
    assert (await harness.client.tables.settings.of(int(harness.guild.id))).channels == ()


async def test_completions_are_empty_for_users_who_may_not_use_the_command(harness: BotHarness, mona: UserClient):
    await mona.command(harness.yard, "settings channel add", channel=harness.yard)
    allow_everyone(harness, "settings")
    assert await mona.choices(harness.yard, "settings channel remove", focus="channel")
    assert await harness.ben.choices(harness.yard, "settings channel remove", focus="channel") == []


async def test_all_settings_are_shown_and_only_to_the_one_who_asked(harness: BotHarness, mona: UserClient):
    answer = await mona.command(harness.yard, "settings show")
    assert answer.message["flags"] & 64
    for words in ("allowed** everywhere.", "Puzzles of the day", "at most", "own defaults"):
        assert words in answer.text
    assert chosen(answer) >= {"Threads off", "Mentions on: notify players", "A season lasts 1 month"}


async def test_a_usual_clock_counts_for_new_tables_unless_the_opener_says_otherwise(
    harness: BotHarness, mona: UserClient
):
    answer = await mona.command(harness.yard, "settings clock", game="rope_wall", time=60)
    assert "clock 1 minute" in answer.text and "allowed** everywhere." in answer.text
    await harness.ben.command(harness.yard, "rope-wall start")
    assert "Turn clock: 1 minute" in harness.public()
    await harness.ben.command(harness.yard, "rope-wall start", clock=300)
    assert "Turn clock: 5 minutes" in harness.public()
    await harness.ben.command(harness.yard, "prison-break start")
    assert "Turn clock: 3 minutes" in harness.public()
    await mona.command(harness.yard, "settings clock", game="rope_wall")
    await harness.ben.command(harness.yard, "rope-wall start")
    assert "Turn clock: 3 minutes" in harness.public()


async def test_a_game_may_be_named_by_its_title_and_an_unknown_one_is_refused(harness: BotHarness, mona: UserClient):
    answer = await mona.command(harness.yard, "settings clock", game="chess", time=60)
    assert "no game called “chess”" in answer.text and "Rope Wall" in answer.text
    names = [
        choice["value"] for choice in await mona.choices(harness.yard, "settings clock", focus="game", game="rope")
    ]
    assert names == ["rope_wall"]
    await mona.command(harness.yard, "settings clock", game="Breakout: the ROPE Wall", time=60)
    assert await harness.client.store.server_admin.settings(int(harness.guild.id)) == {"clock.rope_wall": "60"}


async def test_a_game_that_is_refereed_in_one_way_has_nothing_to_set(harness: BotHarness, mona: UserClient):
    answer = await mona.command(harness.yard, "settings referee", game="rope_wall", kind="honour")
    assert "only one referee" in answer.text


async def test_every_way_to_referee_that_a_game_has_can_be_made_the_usual_one(harness: BotHarness, mona: UserClient):
    games = [ui.game for ui in harness.client.games.values() if referees_of(ui.game)]
    for game in games:
        for kind in referees_of(game):
            answer = await mona.command(harness.yard, "settings referee", game=game.key, kind=kind)
            assert f"referee {kind}" in answer.text
            settings = await harness.client.tables.settings.of(int(harness.guild.id))
            assert str(getattr(settings.with_defaults(game, game.options(), None), "referee", None)) == kind
        offered = await mona.choices(harness.yard, "settings referee", focus="kind", game=game.key)
        assert [choice["value"] for choice in offered] == list(referees_of(game))
        answer = await mona.command(harness.yard, "settings referee", game=game.key, kind="dice")
        assert "has no referee called" in answer.text
    offered = await mona.choices(harness.yard, "settings referee", focus="game")
    assert [choice["value"] for choice in offered] == [game.key for game in games]


@pytest.mark.parametrize("game", [game for game in GAMES.values() if referees_of(game)], ids=lambda game: game.key)
def test_what_the_opener_chose_goes_before_what_is_usual(game: AnyGame):
    kinds = referees_of(game)
    settings = Settings(referees={game.key: kinds[-1]}, clocks={game.key: 60})
    assert settings.with_defaults(game, game.options(), Given(referee=None, clock=None)) == game.options(
        referee=kinds[-1], clock=60
    )
    chosen = game.options(referee=kinds[0], clock=30)
    assert settings.with_defaults(game, chosen, Given(referee=kinds[0], clock=30)) == chosen
    assert settings.with_defaults(game, chosen, Given(referee=kinds[0])) == game.options(referee=kinds[0], clock=60)


async def test_tables_open_only_in_the_allowed_channels(harness: BotHarness, mona: UserClient):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    answer = await mona.command(harness.yard, "settings channel add", channel=harness.yard)
    assert f"<#{harness.yard.id}>" in answer.text
    refused = await harness.ben.command(cellar, "rope-wall start")
    assert f"<#{harness.yard.id}>" in refused.text and refused.message["flags"] & 64
    assert "Table 1" in (await harness.ben.command(harness.yard, "rope-wall start")).text
    assert "already" in (await mona.command(harness.yard, "settings channel add", channel=harness.yard)).text
    await mona.command(harness.yard, "settings channel add", channel=cellar)
    assert "Table 2" in (await harness.ben.command(cellar, "rope-wall start")).text
    offered = await mona.choices(harness.yard, "settings channel remove", focus="channel", channel="cell")
    assert [choice["name"] for choice in offered] == ["#cellar"]
    await mona.command(harness.yard, "settings channel remove", channel=offered[0]["value"])
    assert "only allowed in" in (await harness.ben.command(cellar, "rope-wall start")).text
    assert "isn't on the list" in (await mona.command(harness.yard, "settings channel remove", channel="12")).text
    await mona.command(harness.yard, "settings channel all")
    assert "Table 3" in (await harness.ben.command(cellar, "rope-wall start")).text


async def test_taking_the_last_channel_off_the_list_opens_no_other(harness: BotHarness, mona: UserClient):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await mona.command(harness.yard, "settings channel add", channel=cellar)
    answer = await mona.command(harness.yard, "settings channel remove", channel=cellar.id)
    assert "allowed** nowhere" in answer.text
    for place in (harness.yard, cellar):
        assert "allows no new tables" in (await harness.ben.command(place, "rope-wall start")).text
    await mona.command(harness.yard, "settings channel all")
    assert "Table 1" in (await harness.ben.command(cellar, "rope-wall start")).text


async def test_a_deleted_channel_is_not_offered_as_the_place_for_tables(harness: BotHarness, mona: UserClient):
    cellar, attic = (harness.sandbox.add_channel(harness.guild, name) for name in ("cellar", "attic"))
    for place in (cellar, attic):
        await mona.command(harness.yard, "settings channel add", channel=place)
    harness.sandbox.remove_channel(cellar)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(cellar.id)) is None)
    refused = await harness.ben.command(harness.yard, "rope-wall start")
    assert f"<#{attic.id}>" in refused.text and f"<#{cellar.id}>" not in refused.text
    harness.sandbox.remove_channel(attic)
    await harness.sandbox.until(lambda: harness.client.get_channel(int(attic.id)) is None)
    refused = await harness.ben.command(harness.yard, "rope-wall start")
    assert "allows no new tables" in refused.text and "<#" not in refused.text


async def test_tables_are_allowed_everywhere_except_in_the_channels_that_were_named(
    harness: BotHarness, mona: UserClient
):
    cellar = harness.sandbox.add_channel(harness.guild, "cellar")
    await mona.command(harness.yard, "settings channel add", channel=cellar)
    answer = await mona.command(harness.yard, "settings channel except", channel=cellar)
    assert f"everywhere except in <#{cellar.id}>" in answer.text
    assert "aren't allowed in this channel" in (await harness.ben.command(cellar, "rope-wall start")).text
    assert "Table 1" in (await harness.ben.command(harness.yard, "rope-wall start")).text
    answer = await mona.command(harness.yard, "settings channel remove", channel=cellar.id)
    assert "allowed** everywhere." in answer.text
    await harness.restart()
    assert "Table 2" in (await harness.ben.command(cellar, "rope-wall start")).text


CHANNELS = st.sets(st.integers(1, 4))


@given(lists=st.fixed_dictionaries({}, optional={"channels": CHANNELS, "channels.except": CHANNELS}))
def test_each_list_of_channels_allows_what_its_mode_says_and_that_of_earlier_versions_what_it_did(
    lists: dict[str, set[int]],
):
    settings = read_settings({name: " ".join(map(str, numbers)) for name, numbers in lists.items()}, {})
    for channel in range(1, 6):
        only, but = lists.get("channels"), lists.get("channels.except", ())
        expected = channel not in but if only is None else channel in only
        assert settings.allows(channel) == expected


async def test_on_a_quiet_server_the_player_to_move_is_named_but_not_notified(harness: BotHarness, mona: UserClient):
    await mona.command(harness.yard, "settings mentions", style="quiet")
    await harness.two_at_the_wall(clock=180)
    awaited = harness.awaited()
    awaited.clear_notices()
    await harness.advance(61_000)  # a person who has just pressed something is looking
    lines = [message["content"] for message in harness.sandbox.messages(harness.yard)]
    assert any(awaited.mention in line for line in lines)
    assert [notice["kind"] for notice in awaited.notices if notice["kind"] == "mention"] == []
    await mona.command(harness.yard, "settings mentions", style="mention")
    await harness.push()
    await harness.settle()
    awaited = harness.awaited()
    awaited.clear_notices()
    await harness.advance(61_000)  # a person who has just pressed something is looking
    assert "mention" in [notice["kind"] for notice in awaited.notices]


def test_the_command_names_those_who_may_end_tables_as_the_page_does(harness: BotHarness):
    settings = harness.client.tree.get_command("settings")
    assert isinstance(settings, app_commands.Group)
    enders = settings.get_command("enders")
    assert isinstance(enders, app_commands.Command)
    (who,) = enders.parameters
    assert {choice.value: choice.name for choice in who.choices} == SELECTS["enders"][1]
    assert any("host" in choice.name for choice in who.choices)


async def test_settings_outlast_a_restart_and_are_each_servers_own(harness: BotHarness, mona: UserClient):
    await mona.command(harness.yard, "settings season", months=6)
    answer = await mona.command(harness.yard, "settings enders", who="openers")
    assert "6 months" in answer.text and "the table's host" in answer.text
    await harness.restart()
    assert "6 months" in (await mona.command(harness.yard, "settings show")).text
    assert (await harness.client.tables.settings.of(1)).season_months == 1
    assert await harness.client.store.records.setting(int(harness.guild.id), "season_months") == "6"


def test_what_makes_no_sense_counts_as_not_set(harness: BotHarness):
    kept = {
        "clock.rope_wall": "a year",
        "clock.chess": "60",
        "clock.prison_break": "-3",
        "referee.rope_wall": "dice",
        "channels": "12 yard 13",
        "mentions": "shout",
        "enders": "nobody",
        "season_months": "99",
    }
    settings = read_settings(kept, harness.client.games)
    assert settings == Settings(clocks={}, referees={}, channels=(12, 13), channel_mode="only")
    assert settings.allows(12) and settings.allows(7, 13) and not settings.allows(7, None)
    assert settings.with_defaults(GAMES["rope_wall"], Options(), None) == Options()


def chosen(panel: ActionResult) -> set[str]:
    """What the selects of a page show."""
    options = [option for part in UserClient.buttons(panel) for option in part.get("options", ())]
    return {option["label"] for option in options if option.get("default")}


async def choose(who: UserClient, panel: ActionResult, ending: str, value: str) -> ActionResult:
    """Choose in the select whose custom_id ends like this, since it changes with every use."""
    custom = next(part["custom_id"] for part in UserClient.buttons(panel) if part["custom_id"].endswith(f":{ending}"))
    return await who.press(panel, custom, values=[value])


async def test_the_panel_sets_what_has_a_few_values_and_shows_it_at_once(harness: BotHarness, mona: UserClient):
    panel = await mona.command(harness.yard, "settings show")
    for name, value, words in (
        ("threads", "on", "Threads on: each table gets its own"),
        ("mentions", "quiet", "Mentions quiet: don't notify players"),
        ("enders", "openers", "Moderators and the host can end tables"),
        ("season_months", "3", "A season lasts 3 months"),
    ):
        panel = await choose(mona, panel, f"setting:{name}", value)
        assert words in chosen(panel)
    assert "by the table's host" in panel.text
    settings = await harness.client.tables.settings.of(int(harness.guild.id))
    assert (settings.threads, settings.mentions, settings.enders, settings.season_months) == (
        True,
        "quiet",
        "openers",
        3,
    )


async def test_the_panel_sets_what_is_usual_at_a_game(harness: BotHarness, mona: UserClient):
    panel = await mona.command(harness.yard, "settings show")
    page = await choose(mona, panel, "setting-game:", "break_out")
    page = await choose(mona, page, "setting:clock.break_out", "60")
    page = await choose(mona, page, "setting:referee.break_out", "strict")
    settings = await harness.client.tables.settings.of(int(harness.guild.id))
    assert settings.clocks == {"break_out": 60} and settings.referees == {"break_out": "strict"}
    page = await choose(mona, page, "setting:clock.break_out", "own")
    assert (await harness.client.tables.settings.of(int(harness.guild.id))).clocks == {}
    shown = (await mona.press(page, label="◀ All settings")).text
    assert "**Break-Out** · referee strict" in shown and "Other games use their own defaults" in shown


async def test_the_panel_obeys_only_those_who_manage_the_server(
    harness: BotHarness, mona: UserClient, max_: UserClient
):
    panel = await mona.command(harness.yard, "settings show")
    for person in (harness.ben, max_):
        for verb, values in (
            ("setting:threads", ["on"]),
            ("setting:clock.rope_wall", ["60"]),
            ("setting-game:", ["rope_wall"]),
            ("setting-game:", None),
        ):
            answer = await person.forge(panel, f"cb:0:0:{verb}", values, 2 if values is None else 3)
            assert "Manage Server" in answer.text
    assert await harness.client.store.server_admin.settings(int(harness.guild.id)) == {}


async def test_forged_values_on_the_panel_change_nothing(harness: BotHarness, mona: UserClient):
    panel = await mona.command(harness.yard, "settings show")
    for argument, value in (
        ("threads", "yes"),
        ("season_months", "99"),
        ("clock.rope_wall", "7"),
        ("clock.chess", "60"),
        ("referee.rope_wall", "own"),
        ("limit.person", "9"),
        ("channels", "1"),
    ):
        answer = await mona.forge(panel, f"cb:0:0:setting:{argument}", [value], 3)
        assert "isn't on the page" in answer.text or "no game called" in answer.text, argument
    assert await harness.client.store.server_admin.settings(int(harness.guild.id)) == {}


async def test_the_language_of_a_server_is_among_its_settings_where_there_is_a_choice(
    harness: BotHarness, mona: UserClient
):
    harness.languages = Languages()
    await harness.restart()
    assert "Language" not in (await mona.command(harness.yard, "settings show")).text
    harness.languages = Languages([PSEUDO])
    await harness.restart()
    assert "**Language**: the server's own" in (await mona.command(harness.yard, "settings show")).text
    changed = await mona.command(harness.yard, "settings language", language=PSEUDO.code)
    assert "### Settings changed" in changed.text and f"**Language**: {PSEUDO.code} (" in changed.text
