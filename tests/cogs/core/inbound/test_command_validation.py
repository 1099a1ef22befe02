"""Options are validated again by the bot, and no answer is ever too long."""

import pytest

from cogs.core.inbound.command_validation import CHANGED, number
from cogs.core.pages.custom_ids import custom_id
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.publishing import components_v2
from cogs.core.tables.snapshot import TableSnapshot
from data.store import TableChange
from engine.games.match_five import Swap
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness

INTEGER, STRING = 4, 3


def private(answer: ActionResult) -> bool:
    return answer.failed is None and len(answer.messages) == 1 and bool(answer.message["flags"] & 64)


async def forged(who: UserClient, harness: BotHarness, name: str, **options: str | int) -> ActionResult:
    """Return a command with options that no honest client would send."""
    filled = [
        {"name": key, "type": INTEGER if isinstance(value, int) else STRING, "value": value}
        for key, value in options.items()
    ]
    return await who.forge_command(harness.yard, name, filled)


TEXTS = ("rules game", "leaderboard game", "stats game", "rope-wall exit exits", "match-five play tiles")


@pytest.mark.parametrize("named", TEXTS)
@pytest.mark.parametrize("length", [1_900, 6_000])
async def test_a_text_of_any_length_gets_an_answer(harness: BotHarness, named: str, length: int):
    command, _, option = named.rpartition(" ")
    answer = await forged(harness.ben, harness, command, **{option: "x" * length})
    assert private(answer) and f"`{option}` takes at most" in answer.text


async def test_an_exit_of_thousands_of_digits_is_refused_in_a_sentence(harness: BotHarness):
    await harness.two_at_the_wall()
    assert "at most" in (await forged(harness.awaited(), harness, "rope-wall exit", exits="5" * 5_000)).text
    assert private(await forged(harness.awaited(), harness, "rope-wall exit", exits="5" * 100))


async def test_a_forged_repost_of_an_impossible_table_number_reads_that_it_is_gone(harness: BotHarness):
    await harness.two_at_the_wall()
    for argument in ("9" * 60, "9223372036854775808", "-1", "²", "٣"):
        answer = await harness.ben.forge(harness.board(), f"cb:0:0:repost:{argument}")
        assert private(answer) and "gone" in answer.text


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        ("break-out", "computers", 2**31),
        ("break-out", "computers", 0),
        ("break-out", "computers", True),
        ("rope-wall", "clock", -1),
        ("rope-wall", "clock", 7),
        ("prison-break", "round_limit", 61),
        ("prison-break", "round_limit", 2**63),
        ("match-five", "copies", 6),
        ("break-out", "draw_card", "upside_down"),
        ("rope-wall", "computer", "genius"),
    ],
)
async def test_an_option_outside_of_its_range_or_choices_opens_no_table(
    harness: BotHarness, game: str, option: str, value
):
    answer = await forged(harness.ben, harness, f"{game} start", **{option: value})
    assert private(answer) and f"`{option}`" in answer.text
    assert not harness.client.tables.registry.awake()
    assert "no open tables" in (await harness.ben.command(harness.yard, "tables")).text


@pytest.mark.parametrize("kind", [STRING, 5, 6, 10])
async def test_an_option_of_another_type_than_was_declared_is_not_taken_even_if_its_value_fits(
    harness: BotHarness, kind: int
):
    clock = {"name": "clock", "type": kind, "value": 0}
    answer = await harness.ben.forge_command(harness.yard, "rope-wall start", [clock])
    assert private(answer) and answer.text == CHANGED
    assert not harness.client.tables.registry.awake()


@pytest.mark.parametrize("values", [["0"] * 26, ["x" * 101]])
async def test_no_menu_exceeds_discords_limits_on_values(harness: BotHarness, values: list[str]):
    await harness.two_at_the_wall()
    answer = await harness.ben.forge(harness.board(), custom_id(1, harness.snapshot().version, "push"), values, 3)
    assert private(answer) and answer.text.startswith("This button no longer works")


@pytest.mark.parametrize("fields", [{f"f{n}": "x" for n in range(6)}, {"text": "x" * 4_001}, {"f" * 101: "x"}])
async def test_no_form_exceeds_discords_limits_on_fields(harness: BotHarness, fields: dict[str, str]):
    await harness.two_at_the_wall()
    answer = await harness.ben.forge_submit(harness.board(), custom_id(1, harness.snapshot().version, "push"), fields)
    assert private(answer) and answer.text.startswith("This button no longer works")


async def test_completing_an_undeclared_wild_raises_nothing(harness: BotHarness, caplog):
    await harness.begin("match-five", harness.ben)
    for typed in ("w@M12", "w@M12 ", "w@M12 r3", "w@M12 w@N12 ", "r3@M12 w@N12"):
        for who in (harness.ann, harness.ben):
            await who.choices(harness.yard, "match-five play", focus="tiles", tiles=typed)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("user", ["x", None, [], {}, 5, "9" * 40])
async def test_what_else_is_filled_in_wrongly_does_not_disturb_a_completion(harness: BotHarness, user: object):
    """People are still typing; and for users, Discord sends only the id."""
    half = {"name": "user", "type": 6, "value": user}
    typed = {"name": "game", "type": STRING, "value": "rope", "focused": True}
    answer = await harness.ben.forge_command(harness.yard, "stats", [half, typed], complete=True)
    assert [choice["value"] for choice in answer.choices] == ["rope_wall"]


async def test_swaps_are_completed_from_the_hand_without_a_search_for_plays(harness: BotHarness, monkeypatch):
    await harness.begin("match-five", harness.ben)
    table, who = harness.messages().table, harness.awaited()
    seat = table.snapshot.seat_of(int(who.id))
    assert seat is not None
    legal = {" ".join(action.tiles) for action in table.snapshot.legal(seat) if isinstance(action, Swap)}
    monkeypatch.setattr(TableSnapshot, "legal", None)
    found = await who.choices(harness.yard, "match-five swap", focus="tiles", tiles="")
    assert len(found) == min(25, len(legal)) and {choice["value"] for choice in found} <= legal
    idle = harness.idle()
    assert await idle.choices(harness.yard, "match-five swap", focus="tiles", tiles="") == []


async def test_a_table_whose_record_cannot_be_read_breaks_no_list_of_others(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.client.store.tables.update(1, TableChange(options='{"clock":-1}'))
    await harness.restart()
    answer = await harness.ann.command(harness.yard, "tables")
    assert "table 1 · its record can't be read" in answer.text and "waiting for players, " in answer.text
    pressed = await harness.ben.forge(harness.board(), "cb:1:0:join:")
    assert private(pressed) and "can't be read" in pressed.text
    asked = await harness.ann.command(harness.yard, "admin end", table=1)
    assert "ended table 1" in (await harness.ann.press(asked, label="End table 1")).text
    assert "table 1 ·" not in (await harness.ann.command(harness.yard, "tables")).text


@pytest.mark.parametrize(("text", "found"), [("0", 0), ("17", 17), ("", None), ("-1", None), ("²", None), ("٣", None)])
def test_a_number_in_a_control_is_a_number_or_nothing(text: str, found: int | None):
    assert number(text) == found
    assert number("9" * 5_000) is None
    assert number("17", most=16) is None and number("16", most=16) == 16


def test_a_page_that_is_too_long_is_cut_to_what_discord_takes():
    texts = tuple(Text("x" * 3_000) for _ in range(3))
    rows = tuple(Row(tuple(Button("Go", "go", f"{row}.{n}") for n in range(5))) for row in range(10))
    (frame,) = components_v2.Layout(Page((*texts, *rows)), 1, 0).to_components()
    parts = frame["components"]
    shown = [part["content"] for part in parts if part["type"] == 10]
    assert sum(map(len, shown)) == 4_000 and shown[-1].endswith("…")
    assert 1 + len(parts) + sum(len(part.get("components", ())) for part in parts) <= 40
