"""What Discord refuses is shown in a simpler form, and nobody is told that a committed move failed."""

import asyncio
from collections.abc import Iterator

import pytest

from cogs.core.publishing import components_v2
from cogs.core.publishing.forms import NOT_SHOWN, Form
from cogs.core.publishing.responder import REFUSED_SENTENCE, SORRY
from sandbox import PATIENCE_S, ActionResult, UserClient
from tools.harness.bot_harness import BotHarness, words_of
from tools.harness.environment import SERVING

CALLBACK = ("POST", "/interactions/*/callback")
TOKEN = ("PATCH", "/webhooks/*")
MINUTE_MS = 60_000
EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")

REFUSALS = (
    (400, 0),
    (400, 50006),
    (400, 50035),
    (400, 50083),
    (400, 160005),
    (400, 200000),
    (400, 200001),
    (400, 240000),
    (401, 50027),
    (403, 0),
    (403, 20012),
    (403, 50001),
    (403, 50013),
    (404, 0),
    (404, 10008),
    (404, 10015),
    (404, 10062),
    (413, 40005),
)
"""Discord's documented refusals of answers and edits: status and code."""


@pytest.fixture(autouse=True)
def nothing_is_an_accident(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def form_shown(harness: BotHarness) -> Form | None:
    """Return the form in which the table message shows the newest state, or None."""
    session = harness.messages()
    message = harness.sandbox.message(str(session.message.number))
    assert message is not None
    for form in Form:
        rendered = await harness.client.publishing.page_builder.table_page(session.table.snapshot, form)
        layout = components_v2.Layout(rendered.page, session.table.id, rendered.stamp)
        if words_of(message["components"]) == words_of(layout.to_components()):
            return form
    return None


def told(harness: BotHarness, who: UserClient, answer: ActionResult) -> str:
    """Return what a person reads: the answer, and their private pages."""
    return "\n".join((answer.text, *map(UserClient.visible_text, who.ephemerals(harness.yard))))


async def served(harness: BotHarness) -> None:
    """Wait until the bot has served an interaction, and everything has been shown."""
    serving = [task for task in asyncio.all_tasks() if task.get_name().startswith(SERVING)]
    while not serving:
        await asyncio.sleep(0)
        serving = [task for task in asyncio.all_tasks() if task.get_name().startswith(SERVING)]
    await asyncio.wait(serving, timeout=PATIENCE_S)
    await harness.settle()


@pytest.mark.parametrize("times", [1, 1_000], ids=["once", "always"])
@pytest.mark.parametrize("route", [CALLBACK, TOKEN, EDIT], ids=["answers", "edits by token", "edits"])
async def test_a_committed_move_is_shown_to_everybody_whatever_discord_refuses(
    harness: BotHarness, route: tuple[str, str], times: int
):
    await harness.two_at_the_wall()
    for number, (status, code) in enumerate(REFUSALS):
        if route is EDIT:
            await harness.without_tokens()
        who, version = harness.awaited(), harness.snapshot().version
        harness.sandbox.fault(*route, status, times=times, body={"code": code, "message": "refused"})
        pressed = await who.start_press(harness.board(), harness.controls("push")[number % 5])
        await served(harness)
        answer = ActionResult(pressed)
        harness.messages().message.invalidate()
        await harness.settle()
        await harness.advance(31_000)
        assert harness.snapshot().version > version, (status, code)
        assert SORRY not in told(harness, who, answer), (status, code)
        assert await form_shown(harness) is not None, (status, code)
        harness.sandbox.mend()
        harness.messages().message.retry()
        await harness.settle()
        assert await harness.shows_latest(), (status, code)


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
async def test_a_player_who_moves_by_a_command_reads_that_the_move_counts(harness: BotHarness, times: int):
    """Unless Discord takes no answer at all, not even one sentence."""
    await harness.two_at_the_wall()
    for number, (status, code) in enumerate(REFUSALS):
        who = harness.awaited()
        harness.sandbox.fault(*CALLBACK, status, times=times, body={"code": code, "message": "refused"})
        asked = who.start_command(harness.yard, "rope-wall push", {"floor": number % 5 + 1, "side": "left"})
        await served(harness)
        answer = ActionResult(asked)
        assert SORRY not in answer.text and harness.awaited() is not who, (status, code)
        if asked.answer is not None:
            words = (NOT_SHOWN, REFUSED_SENTENCE, "pushed")
            assert any(word in told(harness, who, answer) for word in words), (status, code, answer.text)
        else:
            assert times >= (2 if code == 10008 else 3) or code in (10062, 10015, 50027), (status, code)
        harness.sandbox.mend()
        harness.messages().pages.message_of(int(who.id)).show_in_full()


async def test_a_blocked_word_in_a_name_leaves_the_seats_marks_and_the_pictures_go(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.block_word("Ann")
    await harness.push()
    await harness.settle()
    await harness.push(1)
    await harness.settle()
    assert await form_shown(harness) is Form.MARKS
    assert "Ann" not in harness.public() and "Player 1" in harness.public() and "Player 2" in harness.public()


async def test_a_blocked_word_is_left_out_of_private_pages_and_the_thread_s_header_too(harness: BotHarness):
    await harness.ann.command(harness.yard, "settings threads", use="on")
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.settle()
    (thread,) = (channel for channel in harness.guild.channels.values() if channel.thread is not None)
    harness.sandbox.block_word("Ann")
    for guest in (harness.ben, harness.cleo):
        await harness.press(guest, "Join", harness.board(thread))
    await harness.press(harness.ann, "Start", harness.board(thread))
    await harness.settle()
    page = await harness.press(harness.ben, "Play", harness.board(thread))
    assert "Player 1" in page.text and "Ann" not in page.text
    assert any("Player 1" in UserClient.visible_text(message) for message in harness.sandbox.messages(harness.yard))
    assert await form_shown(harness) is Form.MARKS


async def test_a_page_that_was_refused_is_shown_whole_again_once_discord_takes_it(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.block_word("Ann")
    await harness.push()
    await harness.settle()
    harness.sandbox.mend()
    assert harness.messages().message.trouble is not None
    await harness.advance(61_000)
    assert await harness.shows_latest() and harness.messages().message.trouble is None


async def test_a_page_that_stays_refused_is_tried_whole_ever_more_rarely(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.block_word("Ann")
    harness.messages().message.invalidate()
    await harness.settle()
    refused = []
    for _ in range(6):
        before = len(harness.sandbox.calls)
        for _ in range(60):
            await harness.advance(60_000)
        refused.append(sum(400 <= call.status < 500 for call in harness.sandbox.calls[before:]))
    assert refused[0] <= 7 and refused[-1] <= 2, refused


async def test_without_attach_files_the_board_is_shown_as_text(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    harness.sandbox.deny(harness.yard, "ATTACH_FILES")
    await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert await form_shown(harness) is Form.TEXT and "pushed L1" in harness.public()


async def test_managers_are_notified_once_of_what_discord_refused_and_doctor_names_it(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.block_word("Ben")
    for number in range(4):
        await harness.push(number)
        await harness.settle()
        await harness.advance(MINUTE_MS)
    lines = [m for m in harness.sandbox.messages(harness.yard) if "Managers" in m["content"]]
    assert len(lines) == 1 and "AutoMod" in lines[0]["content"]
    doctor = await harness.ann.command(harness.yard, "doctor")
    assert "AutoMod" in doctor.text and "/admin repair" not in doctor.text


async def test_a_blocked_word_in_other_pages_leaves_a_sentence(harness: BotHarness):
    harness.sandbox.block_word("Rope")
    answer = await harness.ann.command(harness.yard, "rules", game="rope_wall")
    assert answer.failed is None and NOT_SHOWN in answer.text


async def test_a_refusal_with_a_blocked_word_is_shown_without_it(harness: BotHarness):
    await harness.two_at_the_wall()
    harness.sandbox.block_word("turn")
    answer = await harness.idle().command(harness.yard, "rope-wall push", floor=1, side="left")
    assert answer.failed is None and SORRY not in answer.text


async def test_what_discord_refuses_in_practice_concerns_no_manager(harness: BotHarness):
    door = await harness.ann.command(harness.ann.dm, "play")
    page = await harness.ann.press(
        await harness.ann.press(door, label="Breakout: the Rope Wall"), label="vs Trainee · practice"
    )
    harness.sandbox.block_word("Rope Wall")
    before = len(harness.sandbox.calls)
    await harness.ann.press(page, label="More …")
    await harness.settle()
    assert any(call.status == 400 for call in harness.sandbox.calls[before:])
    assert harness.client.publishing.refusals.of(0) == []
    assert not any(call.path.startswith("/channels/0/") for call in harness.sandbox.calls[before:])
