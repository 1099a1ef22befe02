"""Every interaction is answered once and in time, whatever happens to its token."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import pytest

from cogs.core.publishing import responder
from cogs.core.publishing.responder import MESSAGE_LIMIT, truncate
from engine.contract import Seat
from sandbox import ActionResult
from sandbox.messaging.interaction import Interaction
from sandbox.world.models import EPHEMERAL, LOADING
from tools.harness.bot_harness import BotHarness

CALLBACK = "/interactions/*/callback"
THINKING, DEFERRED, UPDATED = 5, 6, 7
GAMES = {"ausbrecher": 5, "break-out": 5, "match-five": 5, "prison-break": 3, "rope-wall": 1}
"""The number of computer players with which a table of each game starts at once."""


class Gate:
    """Holds calls until it is opened; while it holds one, answers are deferred quickly."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._open = threading.Event()

    def hold(self, owner: object, name: str) -> None:
        """Hold up the calls of a method."""
        work: Callable[..., object] = getattr(owner, name)

        def held(*args: object) -> object:
            assert self._open.wait(60), "the gate was never opened"
            return work(*args)

        self._patch.setattr(owner, name, held)
        self._patch.setattr(responder, "DEFER_AFTER_S", 0.01)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.open()


async def slowly(harness: BotHarness, gate: Gate, act: asyncio.Task[ActionResult]) -> ActionResult:
    """Open the gate once an act has been deferred. Return its answer."""
    answer = await act
    assert answer.type in (THINKING, DEFERRED), answer
    gate.open()
    await harness.settle()
    return answer


async def test_rules_that_take_long_are_deferred_and_shown_later(harness: BotHarness, gate: Gate):
    ui = harness.client.games["rope_wall"]
    gate.hold(ui, "rules")
    act = asyncio.create_task(harness.ann.command(harness.yard, "rules", game="rope_wall"))
    answer = await slowly(harness, gate, act)
    assert answer.message["flags"] & 64 and "1 of" in answer.text


async def test_in_direct_messages_an_answer_that_takes_long_stays_there_as_one_in_time_does(
    harness: BotHarness, gate: Gate
):
    in_time = await harness.ann.command(harness.ann.dm, "rules", game="match_five")
    gate.hold(harness.client.games["rope_wall"], "rules")
    act = asyncio.create_task(harness.ann.command(harness.ann.dm, "rules", game="rope_wall"))
    answer = await slowly(harness, gate, act)
    assert answer.message["flags"] & EPHEMERAL == in_time.message["flags"] & EPHEMERAL == 0


async def test_a_private_panel_that_takes_long_is_deferred_and_shown_later(harness: BotHarness, gate: Gate):
    await harness.begin("match-five", harness.ben)
    ui = harness.messages().ui
    gate.hold(ui, "player_blocks")
    answer = await slowly(harness, gate, asyncio.create_task(harness.press(harness.ann, "Play")))
    assert answer.type == DEFERRED
    (panel,) = answer.messages
    assert panel["flags"] & 64 and "in the bag" in harness.ann.visible_text(panel)


async def test_a_deferral_whose_own_answer_is_lost_leaves_nobody_waiting(harness: BotHarness, gate: Gate):
    ui = harness.client.games["rope_wall"]
    gate.hold(ui, "rules")
    harness.sandbox.fault("POST", CALLBACK, 0, drop=True)
    act = asyncio.create_task(harness.ann.command(harness.yard, "rules", game="rope_wall"))
    answer = await slowly(harness, gate, act)
    assert len(answer.messages) == 1 and "1 of" in answer.text


async def answered_elsewhere(harness: BotHarness, interaction: Interaction, kind: int, **data: Any) -> None:
    """Give the first answer to an interaction, as a process does that has served the server before."""
    interaction.lost_answer = True  # to the bot that serves the server now
    url = f"{harness.sandbox.api}/interactions/{interaction.id}/{interaction.token}/callback"
    async with aiohttp.ClientSession() as session, session.post(url, json={"type": kind, "data": data}) as response:
        assert response.status in (200, 204)


@pytest.mark.parametrize("defer_after_s", [0.3, 60])
async def test_what_another_process_has_only_deferred_is_answered_by_the_one_that_serves_now(
    harness: BotHarness, gate: Gate, monkeypatch: pytest.MonkeyPatch, defer_after_s: float
):
    gate.hold(harness.client.games["rope_wall"], "rules")
    monkeypatch.setattr(responder, "DEFER_AFTER_S", defer_after_s)
    asked = harness.ann.start_command(harness.yard, "rules", {"game": "rope_wall"})
    await answered_elsewhere(harness, asked, THINKING, flags=EPHEMERAL)
    await asyncio.sleep(2 * defer_after_s if defer_after_s < 1 else 0)
    gate.open()
    await harness.settle()
    answer = ActionResult(asked)
    assert len(answer.messages) == 1 and "1 of" in answer.text and not answer.message["flags"] & LOADING


async def test_a_sentence_of_another_process_is_not_replaced_but_followed_by_the_answer(
    harness: BotHarness, gate: Gate, monkeypatch: pytest.MonkeyPatch
):
    gate.hold(harness.client.games["rope_wall"], "rules")
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.3)
    asked = harness.ann.start_command(harness.yard, "rules", {"game": "rope_wall"})
    await answered_elsewhere(harness, asked, 4, content="I am stopping.", flags=EPHEMERAL)
    await asyncio.sleep(0.6)  # deferring it is refused by then
    gate.open()
    await harness.settle()
    sentence, page = ActionResult(asked).messages
    assert sentence["content"] == "I am stopping." and "1 of" in harness.ann.visible_text(page)
    assert not harness.sandbox.violations


async def test_a_panel_is_edited_in_place_also_when_that_takes_long(harness: BotHarness, gate: Gate):
    await harness.ann.command(harness.yard, "rules", game="rope_wall")
    shown = harness.ann.messages(harness.yard)[-1]
    ui = harness.client.games["rope_wall"]
    gate.hold(ui, "rules")
    await slowly(harness, gate, asyncio.create_task(harness.ann.press(shown, label="Next ▶")))
    (panel,) = harness.ann.messages(harness.yard)
    assert panel["id"] == shown["id"] and "2 of" in harness.ann.visible_text(panel)


async def test_a_form_that_is_filled_in_and_takes_long_is_deferred_and_answered_later(harness: BotHarness, gate: Gate):
    await harness.begin("prison-break", harness.ben)
    form = await harness.ann.command(harness.yard, "prison-break note")
    ui = harness.messages().ui
    gate.hold(ui, "player_blocks")
    answer = await slowly(harness, gate, asyncio.create_task(harness.ann.submit(form, {"text": "Ben lies"})))
    assert answer.type == THINKING and harness.view(Seat(0)).note == "Ben lies"


async def test_a_form_that_cannot_open_in_time_says_so(harness: BotHarness, monkeypatch):
    await harness.begin("prison-break", harness.ben)
    store = harness.client.store
    tables_of = store.tables.of
    slow = asyncio.Event()

    async def held(*args: Any, **more: Any) -> object:
        await slow.wait()
        return await tables_of(*args, **more)

    monkeypatch.setattr(store.tables, "of", held)
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.01)
    answer = await harness.ann.command(harness.yard, "prison-break note")
    slow.set()
    await harness.settle()
    assert answer.type == THINKING and "try again" in answer.text


async def test_a_press_is_deferred_while_the_language_of_its_author_is_read_slowly(harness: BotHarness, monkeypatch):
    await harness.two_at_the_wall()
    people = harness.client.store.user_data
    language, slow = people.language, asyncio.Event()

    async def held(user: int) -> object:
        await slow.wait()
        return await language(user)

    harness.client.language_choice.forget()
    monkeypatch.setattr(people, "language", held)
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.01)
    answer = await harness.ann.press(harness.board(), label="Play")
    slow.set()
    await harness.settle()
    assert answer.type in (THINKING, DEFERRED)
    assert len(harness.ann.ephemerals(harness.yard)) == 1


async def test_five_cold_starts_at_once_leave_nobody_unanswered(harness: BotHarness, gate: Gate):
    yards = [harness.sandbox.add_channel(harness.guild, name) for name in GAMES]
    await harness.ann.until(lambda: all(harness.client.get_channel(int(yard.id)) for yard in yards))
    for ui in harness.client.games.values():
        gate.hold(ui, "status")
    people = (harness.ann, harness.ben, harness.cleo, harness.ann, harness.ben)  # nobody may open five
    starts = [
        who.command(yard, f"{game} start", computer="rookie", **({"computers": most} if most > 1 else {}))
        for who, yard, (game, most) in zip(people, yards, GAMES.items(), strict=True)
    ]
    answers = await asyncio.gather(*starts)
    assert [answer.type for answer in answers] == [THINKING] * 5
    gate.open()
    await harness.settle()
    for yard, answer in zip(yards, answers, strict=True):
        table = harness.board(yard)
        assert not table["flags"] & 64 and table["id"] in answer.text  # the link to it


async def test_a_table_message_that_is_drawn_slowly_is_edited_by_the_click_itself(harness: BotHarness, gate: Gate):
    await harness.two_at_the_wall()
    ui = harness.messages().ui
    shown = harness.board()
    gate.hold(ui, "status")
    answer = await slowly(
        harness, gate, asyncio.create_task(harness.awaited().press(shown, harness.controls("push")[0]))
    )
    assert answer.type == DEFERRED and harness.pushes() == 1
    assert harness.board()["id"] == shown["id"] and "pushed" in harness.public()


@pytest.mark.parametrize("code", [10062, 10015, 50027, 40060])
async def test_an_error_that_can_no_longer_be_answered_raises_nothing(harness: BotHarness, code: int, caplog):
    status = 404 if code < 20_000 else 401
    harness.sandbox.fault("POST", CALLBACK, status, body={"code": code, "message": "gone"}, drop=True)
    await harness.ann.command(harness.yard, "privacy export")
    await harness.settle()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_token_that_has_died_meanwhile_ends_in_no_traceback(harness: BotHarness, caplog):
    harness.ann.dms_open = False
    harness.sandbox.fault("POST", "/webhooks/*", 401, times=9, body={"code": 50027, "message": "Invalid Webhook Token"})
    await harness.ann.command(harness.yard, "rope-wall start")  # the hint about closed direct messages follows up
    await harness.settle()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_completion_that_takes_too_long_suggests_nothing_in_time(harness: BotHarness, monkeypatch):
    await harness.two_at_the_wall()
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.01)
    never = asyncio.Event()

    async def held(*_: object, **more: object) -> None:
        await never.wait()

    monkeypatch.setattr(harness.client.store.tables, "of", held)
    assert await harness.ann.choices(harness.yard, "rope-wall push", focus="floor", floor="") == []


async def test_an_accident_in_a_completion_is_logged_and_answered(harness: BotHarness, monkeypatch, caplog):
    async def broken(*_: object, **more: object) -> object:
        raise ZeroDivisionError("an accident")

    with monkeypatch.context() as patched:
        patched.setattr(harness.client.store.tables, "of", broken)
        assert await harness.ann.choices(harness.yard, "rope-wall push", focus="floor", floor="") == []
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info is not None


async def test_a_command_without_an_answer_is_detected(harness: BotHarness, monkeypatch, caplog):
    async def silent(*_: object) -> None:
        return

    monkeypatch.setattr(responder.Responder, "show", silent)
    answer = await harness.ann.command(harness.yard, "help")
    assert "went wrong" in answer.text and "unanswered" in caplog.text


def test_a_text_is_shortened_to_what_discord_takes_with_its_code_block_closed():
    assert truncate("short") == "short"
    long = truncate("x" * 5_000)
    assert len(long) == MESSAGE_LIMIT and long.endswith("x…")
    block = truncate("```\n" + "x" * 5_000 + "\n```")
    assert len(block) == MESSAGE_LIMIT and block.count("```") == 2


async def test_the_answer_of_one_interaction_is_given_once_however_many_ask_for_it(harness: BotHarness, monkeypatch):
    """All callers get the same responder: there is one timer and one first answer."""
    seen = []
    show = responder.Responder.show

    async def twice(self, page, *more):
        seen.extend([self, responder.responder_for(self.interaction)])
        await asyncio.gather(show(self, page, *more), show(self, page, *more))

    monkeypatch.setattr(responder.Responder, "show", twice)
    answer = await harness.ann.command(harness.yard, "help")
    await harness.settle()
    assert seen[0] is seen[1] and len(answer.messages) == 2
    with contextlib.suppress(AttributeError):
        assert seen[0]._timer.cancelled()
