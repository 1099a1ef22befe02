"""Forged input: each act gets one clear answer, causes no traceback, and changes nothing without permission.

Everything that the bot has registered is tried with input that no honest client sends, at lobbies, running, finished
and closed tables of all games, by a player and by a stranger. The choice is the same in every run.
"""

import asyncio
import itertools
import random
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from discord import AppCommandOptionType, app_commands

from cogs.core.pages.page import Button, Row, Select
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing.table_messages import TableMessages
from data.store import TableChange
from engine.contract import Seat
from sandbox import ActionResult, UserClient
from tools.harness.bot_harness import BotHarness

T = TypeVar("T")
Json = dict[str, Any]
Act = Callable[[], Awaitable[ActionResult]]

GROUPS = ("ausbrecher", "break-out", "match-five", "prison-break", "rope-wall")
STATES = ("lobby", "playing", "over", "closed")
AT_ONCE = 12

LONG = "x" * 6_000
TEXTS = ("", "²", "٣", "5" * 5_000, LONG, "\u202e\x00\n", "`" * 1_900, "w@M12", "-1", "r3@M12 " * 30, "@everyone")
NUMBERS: tuple[Any, ...] = (-1, 0, 7, 2**31, 2**53, 2**63, 10**200, -(2**63), "7", 1.5, True, None, [], {})
ARGUMENTS = ("", "0", "-1", "9" * 60, "²", "٣", "x" * 60, "\u202e", "1-99999999", "a.b.c", "0.0.0", ";;", "w@M12;w;99")
VALUES: tuple[Sequence[str] | None, ...] = (None, [], ["0"], ["x" * 101], ["9" * 40], ["x"] * 30, ["²", "a"])
FOREIGN = "123456789012345678"
STRANGER = {"id": FOREIGN, "username": "mallory", "discriminator": "0", "avatar": None, "global_name": None}

MAY = {"prison-break note", "break-out call", *(f"{game} start" for game in GROUPS)}
"""What everybody, or Ben, may do, with valid values."""

RIGHTS = {
    "take-over",
    "join",
    "thread-join",
    "leave",
    "leave-sure",
    "back",
    "rematch",
    "forget-me",
    "repost",
    "draw",
    "next",
    "pass",
    "decline",
}
"""What Ben may do at these tables with only the verb, on his turn; a stranger may do four of them."""


# What is tried


def leaves(harness: BotHarness) -> Iterator[tuple[str, app_commands.Command[Any, ..., Any]]]:
    """Yield every command that can be run, with its full name."""
    for command in harness.client.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield command.qualified_name, command


def hostile(option: app_commands.Parameter) -> Sequence[Any]:
    """Return values for an option that nobody should send."""
    match option.type:
        case AppCommandOptionType.string:
            return (*TEXTS, 5, None, [])
        case AppCommandOptionType.user | AppCommandOptionType.channel:
            return (FOREIGN, "x", "9" * 40, 5, None, "")
        case _:
            return NUMBERS


def sound(option: app_commands.Parameter) -> Any:
    """Return a value that an option takes."""
    if option.choices:
        return option.choices[0].value
    usual = {AppCommandOptionType.string: "r3", AppCommandOptionType.boolean: True}
    return usual.get(option.type, option.min_value or 1)


def fits(option: app_commands.Parameter, value: Any) -> bool:
    """Return True if a value is valid for an option's declaration."""
    if option.choices:
        return value in [choice.value for choice in option.choices]
    if option.type is AppCommandOptionType.integer:
        return type(value) is int and (option.min_value or 0) <= value <= (option.max_value or 2**53)
    return type(value) is str and option.type is AppCommandOptionType.string


def forged_commands(harness: BotHarness) -> Iterator[tuple[str, list[Json], Json]]:
    """Yield each option of each command with each hostile value, the others filled in as they should be."""
    for name, command in leaves(harness):
        yield name, [{"name": "no-such", "type": 3, "value": "x"}], {}
        yield name, [{"name": one.name, "type": 10, "value": 1} for one in command.parameters], {}
        for option in command.parameters:
            others = [
                {"name": other.name, "type": other.type.value, "value": sound(other)}
                for other in command.parameters
                if other.required and other.name != option.name
            ]
            for value in hostile(option):
                if name in MAY and fits(option, value):
                    continue
                entry = {"name": option.name, "type": option.type.value, "value": value}
                yield name, [*others, entry], {"users": {FOREIGN: STRANGER}} if value == FOREIGN else {}
                yield name, [entry], {}


def forged_completions(harness: BotHarness) -> Iterator[tuple[str, list[Json]]]:
    """Yield each option of each command as being typed, whether or not it completes; half of them beside invalid
    values.
    """
    for name, command in leaves(harness):
        for option in command.parameters:
            nonsense = [
                {"name": other.name, "type": other.type.value, "value": hostile(other)[number % 5]}
                for number, other in enumerate(command.parameters)
                if other.name != option.name
            ]
            for value in (*TEXTS, "1", "r"):
                typed = {"name": option.name, "type": option.type.value, "value": value, "focused": True}
                yield name, [typed]
                yield name, [*nonsense, typed]


def verbs_of(harness: BotHarness, table: int) -> set[str]:
    """Return the verbs on the pages of a running game."""
    session = harness.messages(table)
    live, info = session.table, session.table.snapshot.info()
    pages = [
        table_page(session.ui, live.snapshot.view(None), info),
        *(seat_page(session.ui, live.snapshot.view(Seat(n)), info) for n in (0, 1)),
    ]
    found = set(session.ui.public_actions)
    for block in itertools.chain(*(page.blocks for page in pages if page is not None)):
        if isinstance(block, Row):
            found |= {button.verb for button in block.buttons if isinstance(button, Button)}
        elif isinstance(block, Select):
            found.add(block.verb)
    return found


def some(found: Iterable[T], most: int, kind: Callable[[T], object] = lambda one: None) -> list[T]:
    """Return this many of them, the same in every run, with at least one of each kind."""
    everything = list(found)
    random.Random(17).shuffle(everything)
    firsts = {kind(one): number for number, one in reversed(list(enumerate(everything)))}
    return [everything[number] for number in sorted({*firsts.values(), *range(min(most, len(everything)))})]


# The state of the tables


async def tables(harness: BotHarness) -> dict[tuple[str, str], int]:
    """Return a table of Ann's and Ben's for each game and state."""
    for of in ("person", "channel", "server"):
        await harness.client.tables.settings.change(int(harness.guild.id), f"limit.{of}", "900")
    made: dict[tuple[str, str], int] = {}
    for (key, ui), state in itertools.product(harness.client.games.items(), STATES):
        await harness.ann.command(harness.yard, f"{ui.command} start", clock=0)
        number = made[key, state] = max(table.id for table in harness.client.tables.registry.awake())
        await harness.press(harness.ben, "Join")
        if state == "closed":
            await harness.press(harness.ann, "Close the table")
        elif state != "lobby":
            await harness.press(harness.ann, "Start")
        if state == "over":
            await over(harness, number)
    await harness.settle()
    return made


def waits_for(session: TableMessages, who: UserClient) -> bool:
    """Return True if a running game waits for this person."""
    live = session.table
    return live.snapshot.playing and live.snapshot.seat_of(int(who.id)) in live.snapshot.view(None).to_act


async def over(harness: BotHarness, table: int) -> None:
    """End a game as if it had been played to its end."""
    session = harness.messages(table)
    ended = TableChange(status="over", ended_at=harness.clock.now(), due=None)
    await harness.client.store.tables.update(table, ended)
    await session.table.reload()
    session.message.invalidate()
    await session.message.settle()


def unchanging(harness: BotHarness) -> dict[int, tuple[object, ...]]:
    """Return what must not change: seats, events, state and drafts."""
    live = list(harness.client.tables.registry.awake())
    return {
        one.id: (
            one.snapshot.version,
            one.snapshot.row.status,
            one.snapshot.row.opener,
            one.snapshot.options,
            one.snapshot.seats,
        )
        for one in live
    }


async def each(acts: Sequence[Act], caplog: pytest.LogCaptureFixture) -> list[ActionResult]:
    """Do these things, a few at a time. Each must get one clear answer, and none may cause a traceback."""
    answers: list[ActionResult] = []
    for first in range(0, len(acts), AT_ONCE):
        answers += await asyncio.gather(*(act() for act in acts[first : first + AT_ONCE]))
    for answer in answers:
        where = answer.interaction.where[:200]
        assert answer.failed is None, f"{where} was not answered"
        # A GIF follows, since the page has said that it is being drawn.
        assert len(answer.messages) <= (2 if ":replay-film:" in where else 1), f"{where} was answered twice"
        assert "went wrong" not in answer.text, where
        # A first answer is never empty: Discord would refuse it. A panel goes when the next one takes its place.
        assert answer.type in (4, 7, 8, 9) or answer.text, f"{where} was told nothing"
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    return answers


# The results


async def test_every_command_with_hostile_options_gets_one_answer_and_changes_nothing(harness: BotHarness, caplog):
    made = await tables(harness)
    before = unchanging(harness)
    found = some(forged_commands(harness), 700, lambda one: one[0])
    his = {session.ui.command for table in made.values() if waits_for(session := harness.messages(table), harness.ben)}
    his |= {"break-out", "prison-break"}  # where anybody may call, or move their own markers
    assert {name for name, _, _ in found} == {name for name, _ in leaves(harness)}

    def act(who: UserClient, name: str, options: list[Json], resolved: Json) -> Act:
        return lambda: who.forge_command(harness.yard, name, options, resolved)

    people = itertools.cycle((harness.ben, harness.cleo))
    # Where Ben is to act, a valid command is legal for him: there a stranger tries.
    acts = [act(harness.cleo if one[0].split()[0] in his else next(people), *one) for one in found]
    await each(acts, caplog)
    assert unchanging(harness) == before
    await each([act(harness.ann, *one) for one in found if one[0].startswith(("settings", "doctor"))], caplog)


async def test_every_completion_with_hostile_words_is_answered(harness: BotHarness, caplog):
    await tables(harness)
    before = unchanging(harness)
    found = some(forged_completions(harness), 500, lambda one: (one[0], one[1][-1]["name"]))

    def act(who: UserClient, name: str, options: list[Json]) -> Act:
        return lambda: who.forge_command(harness.yard, name, options, complete=True)

    people = itertools.cycle((harness.ann, harness.ben, harness.cleo))
    answers = await each([act(next(people), *one) for one in found], caplog)
    assert all(answer.type == 8 for answer in answers)
    assert unchanging(harness) == before


async def test_every_verb_with_forged_arguments_and_values_gets_one_answer_and_changes_nothing(
    harness: BotHarness, caplog
):
    made = await tables(harness)
    before = unchanging(harness)
    message = harness.board()
    acts: list[tuple[str, str, Sequence[str] | None]] = []
    for (key, state), table in made.items():
        moves = verbs_of(harness, made[key, "playing"]) - set(harness.client.inbound.router.verbs)
        if waits_for(harness.messages(made[key, "playing"]), harness.ben):
            moves = set()  # they are his good right now; at the other tables he is not to move
        verbs = sorted((set(harness.client.inbound.router.verbs) | moves) - RIGHTS)
        stamp = 0 if state == "lobby" else harness.snapshot(made[key, "playing"]).view(None).ui_version
        acts += [
            (verb, f"cb:{table}:{stamp}:{verb}:{argument}"[:100], values)
            for verb, argument, values in itertools.product(verbs, ARGUMENTS, VALUES)
        ]
    chosen = some(acts, 800, lambda one: one[0])

    def act(who: UserClient, verb: str, name: str, values: Sequence[str] | None) -> Act:
        return lambda: who.forge(message, name, values, 2 if values is None else 3)

    people = itertools.cycle((harness.ben, harness.cleo))
    await each([act(next(people), *one) for one in chosen], caplog)
    assert unchanging(harness) == before


async def test_a_stranger_moves_nothing_with_any_verb_at_any_table(harness: BotHarness, caplog):
    made = await tables(harness)
    before = unchanging(harness)
    message = harness.board()
    verbs = [
        verb
        for verb in harness.client.inbound.router.verbs
        if verb not in ("join", "thread-join", "forget-me", "repost")
    ]

    def act(table: int, verb: str) -> Act:
        return lambda: harness.cleo.forge(message, f"cb:{table}:0:{verb}:", ["0"], 3)

    await each([act(*one) for one in itertools.product(made.values(), verbs)], caplog)
    assert unchanging(harness) == before


async def test_a_forged_request_to_post_a_table_again_is_answered_at_once_and_not_when_time_runs_out(
    harness: BotHarness, caplog
):
    made = await tables(harness)
    before = unchanging(harness)
    message = harness.board()

    def act(who: UserClient, table: int, argument: object) -> Act:
        return lambda: who.forge(message, f"cb:{table}:0:repost:{argument}")

    people = itertools.cycle((harness.ann, harness.ben, harness.cleo))
    acts = [act(next(people), table, argument) for table in made.values() for argument in (table, 1, 999, "")]
    answers = await each(acts, caplog)
    assert {answer.type for answer in answers} == {4}  # none was deferred, which here happens after a minute
    assert unchanging(harness) == before


async def test_forms_that_nobody_opened_get_one_answer_and_change_nothing(harness: BotHarness, caplog):
    made = await tables(harness)
    before = unchanging(harness)
    message = harness.board()
    many = {f"f{number}": "x" for number in range(9)}
    fields: tuple[dict[str, Any], ...] = (
        {},
        {"text": LONG},
        {"no-such": "x"},
        many,
        {"text": "\u202e\x00"},
        {"x" * 200: ""},
    )
    verbs = ("note", "push", "no-such", "exit", "hand", "rules", "leaderboard", "options")
    acts = itertools.product(made.values(), verbs, ("", "9" * 60), fields)

    def act(who: UserClient, table: int, verb: str, argument: str, filled: dict[str, str]) -> Act:
        return lambda: who.forge_submit(message, f"cb:{table}:0:{verb}:{argument}", filled)

    chosen = some(acts, 300, lambda one: one[1])
    # Ben may write his own notes; everything else here belongs to others.
    people = itertools.cycle((harness.ben, harness.cleo))
    await each([act(harness.cleo if one[1] == "note" else next(people), *one) for one in chosen], caplog)
    assert unchanging(harness) == before


async def test_no_game_has_a_control_of_its_own_that_the_host_takes_for_another(harness: BotHarness):
    """The core's verbs that a game uses on purpose, since they lead to the core's pages, are listed here."""
    shared = {"hand", "hint", "hint-do", "learn", "more", "play", "practise", "rules", "text", "what"}
    own = set(harness.client.inbound.router.verbs) - shared
    for group in GROUPS:
        folder = Path(__file__).parents[3] / "cogs" / group.replace("-", "_")
        source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
        verbs = set(re.findall(r'(?:Button|Select|Form)\([^()]*?"([a-z][a-z-]*)"', source))
        verbs |= set(re.findall(r'case \(?"([a-z-]+)"', source))
        assert len(verbs) > 3 and not verbs & own, group
