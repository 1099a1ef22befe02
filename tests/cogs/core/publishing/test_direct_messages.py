"""What one person alone receives: one direct message per table to play on, turn reminders, nudges, closed DMs."""

import asyncio
import contextlib
import random
import re
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from cogs.core.ops.discord_errors import UNKNOWN_WEBHOOK
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.direct_messages import FOLLOWED_MS, DirectMessage
from cogs.core.publishing.ephemeral_pages import CALM_MS
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS, InteractionMessage
from cogs.core.publishing.player_page_host import LIVELY_MS, OPEN_MS
from cogs.core.publishing.turn_reminder import MENTION_AFTER_MS
from cogs.core.tables import changes, moves
from data.store import DiskFull, SeatChange, TableRow
from engine.contract import Seat
from sandbox import ActionResult, Refused, UserClient
from tools.harness.bot_harness import BotHarness


async def gathered(harness: BotHarness) -> None:
    """Ann and Ben sit in the lobby of Prison Break, a game of secrets."""
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.settle()


async def begin_prison_break(harness: BotHarness) -> None:
    """Start Prison Break for Ann and Ben."""
    await gathered(harness)
    await harness.press(harness.ann, "Start")
    await harness.settle()


def direct_message_calls(harness: BotHarness, person: UserClient) -> list[str]:
    """Return the methods of the calls that wrote direct messages to a person, in order."""
    return [call.method for call in harness.sandbox.calls if call.path.startswith(f"/channels/{person.dm.id}/messages")]


async def test_each_player_of_a_game_with_secrets_gets_one_dm_with_server_table_and_link(
    harness: BotHarness,
):
    await gathered(harness)
    assert harness.ben.dms() == []
    await harness.press(harness.ann, "Start")
    await harness.settle()
    (message,) = harness.ben.dms()
    text = UserClient.visible_text(message)
    assert "Alcatraz" in text and "table 1" in text
    assert f"/channels/{harness.guild.id}/{harness.yard.id}/{harness.board()['id']}" in text


async def test_a_page_that_cannot_be_drawn_does_not_delay_the_other_players_pages(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    await gathered(harness)
    messages = harness.messages().direct_messages
    services = messages._services

    def broken(*asked: Any, **named: Any) -> Awaitable[PlayerPage]:
        if asked[1] == int(harness.ann.id):
            raise ValueError("no chalk")
        return services.player_page(*asked, **named)

    context = replace(messages._context, services=replace(services, player_page=broken))
    monkeypatch.setattr(messages, "_context", context)
    monkeypatch.setattr(messages, "_messages", {})
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.ann.dms() == [] and len(harness.ben.dms()) == 1
    assert any("direct-message-1 could not be brought up to date" in record.getMessage() for record in caplog.records)
    failures = [one for one in caplog.records if "could not be brought up to date" in one.getMessage()]
    await harness.advance(60_000)  # it waits for the next change, and is not tried every few seconds
    assert [one for one in caplog.records if "could not be brought up to date" in one.getMessage()] == failures


async def test_where_nothing_is_secret_nobody_is_written_to(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    assert harness.ann.dms() == harness.ben.dms() == []


@pytest.mark.parametrize(("clock", "how", "written"), [(0, None, 0), (3_600, None, 1), (0, "message", 1)])
async def test_a_lone_player_without_a_clock_gets_no_dm_and_no_mention_unless_requested(
    harness: BotHarness, clock: int, how: str | None, written: int
):
    if how is not None:
        await harness.ann.command(harness.yard, "notify", how=how)
    await harness.begin("prison-break", computer="rookie", clock=clock)
    for _ in range(20):
        if harness.snapshot().may_act(Seat(0)):
            break
        await harness.advance(5_500)
    await harness.advance(LIVELY_MS + MENTION_AFTER_MS)
    await harness.advance(OPEN_MS)
    assert len(harness.ann.dms()) == written
    assert len(harness.mentions()) == (clock > 0)


async def test_a_move_is_made_on_the_direct_message_itself_which_then_shows_the_table_after_it(harness: BotHarness):
    await begin_prison_break(harness)
    mover = harness.awaited()
    (message,) = mover.dms()
    answer = await mover.press(message, label="say 2, go 1")
    await harness.settle()
    (after,) = mover.dms()
    assert answer.type == 7 and after["id"] == message["id"] and mover is not harness.awaited()
    assert "said 2" in UserClient.visible_text(after) and mover.ephemerals(harness.yard) == []
    assert await harness.shows_latest()


async def test_a_direct_message_stays_as_it_is_until_there_is_something_to_report(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    who = harness.awaited()
    answer = await who.press(who.dms()[-1], label="More …")
    assert "Rules" in answer.text
    await harness.settle()
    shown = UserClient.visible_text(who.dms()[-1])
    assert "Fairness" in shown or "What can I do?" in shown
    back = await who.press(who.dms()[-1], label="◀ Back to the game")
    await harness.settle()
    assert "Your turn to sneak" in UserClient.visible_text(who.dms()[-1]) and back.failed is None
    other = next(one for one in (harness.ann, harness.ben, harness.cleo) if one is not who)
    await other.press(other.dms()[-1], label="More …")
    await harness.settle()
    assert "What can I do?" in UserClient.visible_text(other.dms()[-1])
    while harness.awaited() is not other:
        await harness.awaited().command(harness.yard, "prison-break sneak", say=1, go=1)
        await harness.settle()
    assert "Your turn to sneak" in UserClient.visible_text(other.dms()[-1])


async def test_an_edit_that_is_composed_while_its_reader_presses_does_not_take_away_what_they_asked_for(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await begin_prison_break(harness)
    mover = harness.awaited()
    reader = harness.ben if mover is harness.ann else harness.ann
    messages = harness.messages().direct_messages
    message = messages.message_of(int(reader.id))
    services, presses = message._services, list[ActionResult]()

    async def slowly(*asked: Any, **named: Any) -> PlayerPage:
        found = await services.player_page(*asked, **named)
        if not presses and harness.awaited() is reader:
            presses.append(await reader.press(reader.dms()[-1], label="More …"))
            while message.presses:  # noqa: ASYNC110 (it is answered, and not yet taken note of)
                await asyncio.sleep(0)
        return found

    monkeypatch.setattr(message, "_services", replace(services, player_page=slowly))
    await mover.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert presses and "What can I do?" in UserClient.visible_text(reader.dms()[-1])


async def test_a_refusal_on_the_direct_message_is_a_line_on_it(harness: BotHarness):
    await begin_prison_break(harness)
    mover = harness.awaited()
    (message,) = mover.dms()
    await mover.press(message, label="say 2, go 1")
    await mover.press(message, label="say 1, go 1")
    await harness.settle()
    (after,) = mover.dms()
    said = UserClient.visible_text(after)
    assert said.count("⚠") == 1 and "has moved on" in said
    assert said.index(".png") < said.index("⚠") < said.index("Write a note"), "it stands where the press was"


async def test_a_direct_message_is_edited_for_its_readers_own_move_and_not_for_every_move_of_others(
    harness: BotHarness,
):
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    for person in (harness.ben, harness.cleo):
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    first, last = harness.awaited(), None
    order = []
    while harness.view().phase == "sneak" and harness.awaited() not in order:
        order.append(harness.awaited())
        last = order[-1]
        before = {
            person: len(direct_message_calls(harness, person)) for person in (harness.ann, harness.ben, harness.cleo)
        }
        await harness.awaited().press(harness.awaited().dms()[0], label="say 1, go 1")
        await harness.settle()
        after = harness.awaited()
        for person in (harness.ann, harness.ben, harness.cleo):
            if person not in (last, after):
                assert len(direct_message_calls(harness, person)) == before[person]
    assert first in order and len(order) >= 2


async def test_a_person_who_leaves_on_their_turn_has_no_move_on_their_direct_message_from_then_on(harness: BotHarness):
    await harness.begin("match-five", harness.ben)
    away = harness.awaited()
    assert "Swap …" in UserClient.visible_text(away.dms()[0])
    await harness.leave(away)
    await harness.settle()
    told = UserClient.visible_text(away.dms()[0])
    assert "A computer is playing for" in told and "Swap …" not in told and "Your move" not in told


async def test_a_caretakers_moves_do_not_edit_the_players_direct_message(harness: BotHarness):
    await harness.begin("match-five", harness.ben)
    away, stays = (harness.ann, harness.ben) if harness.awaited() is harness.ann else (harness.ben, harness.ann)
    await harness.leave(away)
    await harness.advance(LIVELY_MS)  # until then they count as looking at the channel
    before, session = len(direct_message_calls(harness, away)), harness.messages()
    assert "A computer is playing for" in UserClient.visible_text(away.dms()[0])
    seat = session.table.snapshot.seat_of(int(stays.id))
    assert seat is not None
    before_version = session.table.snapshot.version
    for _ in range(6):
        if session.table.snapshot.may_act(seat):
            await session.table.act(moves.move, seat, session.table.snapshot.legal(seat)[0], harness.clock.now())
        await harness.advance(5_000)
    assert session.table.snapshot.version >= before_version + 4 and len(direct_message_calls(harness, away)) == before


async def test_a_stranger_cannot_use_the_controls_of_a_table_from_their_own_direct_messages(harness: BotHarness):
    await begin_prison_break(harness)
    await harness.cleo.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.cleo, "Start")
    await harness.settle()
    (message,) = harness.cleo.dms()
    version = harness.snapshot().version
    control = harness.controls("sneak", harness.awaited().dms()[0])[0]
    answer = await harness.cleo.forge(message, control)
    assert "gone" in answer.text and harness.snapshot().version == version


async def test_a_closed_dm_is_tried_once_and_hurts_nobody(harness: BotHarness):
    harness.ben.dms_open = False
    await begin_prison_break(harness)
    for _ in range(2):
        await harness.press(harness.awaited(), "Play")
        panel = harness.awaited().ephemerals(harness.yard)[-1]
        await harness.awaited().press(panel, label="say 1, go 1")
        await harness.settle()
    refused = [call for call in harness.sandbox.calls if call.status == 403]
    assert len(refused) == 1 and "closed" not in harness.public()


@pytest.mark.parametrize("unloaded", [False, True])
async def test_dms_that_were_closed_are_tried_again_when_their_owner_chooses_how_to_be_notified(
    harness: BotHarness, unloaded: bool
):
    harness.ben.dms_open = False
    await begin_prison_break(harness)
    await harness.ben.command(harness.yard, "notify", how="message")  # they are still closed
    await harness.settle()
    assert harness.snapshot().seats[1].dm_closed and not harness.ben.dms()
    if unloaded:
        await harness.restart()
    harness.ben.dms_open = True
    await harness.ben.command(harness.yard, "notify", how="message")
    await harness.settle()
    assert not harness.snapshot().seats[1].dm_closed and len(harness.ben.dms()) == 1
    before = len(harness.sandbox.calls)
    await harness.cleo.command(harness.yard, "notify", how="message")  # who plays nowhere
    await harness.settle()
    assert not [call for call in harness.sandbox.calls[before:] if call.template == "/users/@me/channels"]


async def test_dms_that_discord_calls_closed_by_another_status_are_closed_too(harness: BotHarness):
    """Opening them has been answered by 400 instead of 403 at times."""
    await gathered(harness)
    harness.sandbox.fault("POST", "/users/@me/channels", 400, 1_000, body={"code": 50007, "message": "closed"})
    await harness.ben.command(harness.yard, "notify", how="message")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    while harness.awaited() is not harness.ben:
        await harness.ann.command(harness.yard, "prison-break sneak", say=1, go=1)
        await harness.settle()
    await harness.advance(LIVELY_MS + MENTION_AFTER_MS)
    asked = [call.status for call in harness.sandbox.calls if call.template == "/users/@me/channels"]
    assert asked == [400, 400] and [row.dm_closed for row in harness.snapshot().seats] == [True, True]
    assert any(f"<@{harness.ben.id}>" in line for line in harness.mentions())


PASSING: dict[str, tuple[int, dict[str, Any] | str]] = {
    "opened too fast": (403, {"code": 40003, "message": "You are opening direct messages too fast."}),
    "blocked by Cloudflare": (403, "<html>Access denied</html>"),
    "blocked by Cloudflare in JSON": (403, {"code": 40333, "message": "internal network error"}),
    "an address that is banned": (429, "error code: 1015"),
}


@pytest.mark.parametrize("refusal", PASSING)
async def test_a_refusal_that_passes_closes_no_dms_and_the_page_is_sent_later(harness: BotHarness, refusal: str):
    status, body = PASSING[refusal]
    await gathered(harness)
    harness.sandbox.fault("POST", "/users/@me/channels", status, times=2, body=body)
    await harness.press(harness.ann, "Start")
    await harness.settle()
    assert harness.ann.dms() == harness.ben.dms() == []
    await harness.advance(11_000)
    assert len(harness.ann.dms()) == len(harness.ben.dms()) == 1
    assert not any(row.dm_closed for row in harness.snapshot().seats)


async def test_a_direct_message_with_the_same_content_is_not_written_again(harness: BotHarness):
    await begin_prison_break(harness)
    before = direct_message_calls(harness, harness.ben)
    harness.messages().direct_messages.changed()
    await harness.settle()
    assert before and direct_message_calls(harness, harness.ben) == before


async def test_a_direct_message_that_may_have_been_sent_already_is_made_sure_of_by_an_edit(harness: BotHarness):
    """Discord answers the second try with the first message: its picture may be an older one."""
    await gathered(harness)
    harness.sandbox.fault("POST", f"/channels/{harness.ben.dm.id}/messages", 0, drop=True)
    await harness.press(harness.ann, "Start")
    await harness.settle()
    harness.messages().direct_messages.changed()
    await harness.settle()
    assert direct_message_calls(harness, harness.ben)[-1] == "PATCH" and len(harness.ben.dms()) == 1


@pytest.mark.parametrize("status", [503, 0])
async def test_a_direct_message_that_took_effect_and_failed_is_not_sent_twice(harness: BotHarness, status: int):
    await gathered(harness)
    harness.sandbox.fault("POST", f"/channels/{harness.ben.dm.id}/messages", status, drop=True)
    await harness.press(harness.ann, "Start")
    await harness.settle()
    harness.messages().direct_messages.changed()
    await harness.settle()
    (message,) = harness.ben.dms()
    assert "Prison Break" in UserClient.visible_text(message)


async def test_in_the_place_of_a_lost_direct_message_another_is_written(harness: BotHarness):
    await begin_prison_break(harness)
    mover = harness.awaited()
    first = mover.dms()[-1]
    gone = {"code": 10008, "message": "Unknown Message"}
    harness.sandbox.fault("PATCH", f"/channels/{mover.dm.id}/messages/*", 404, body=gone)
    seat = harness.snapshot().seat_of(int(mover.id))
    assert seat is not None
    await harness.messages().table.act(lambda _: changes.SeatChanged(seat, SeatChange(dm_state=None)))
    harness.messages().direct_messages.changed()
    await harness.settle()
    assert mover.dms()[-1]["id"] != first["id"] and UserClient.buttons(mover.dms()[-1])


async def test_a_quick_answer_needs_no_mention_and_a_slow_one_gets_one_that_goes_again(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.advance(70_000)
    who = harness.awaited()
    assert len(harness.mentions()) == 1 and who.mention in harness.mentions()[0]
    assert [n["kind"] for n in who.notices if n["kind"] == "mention"]
    await harness.push()
    await harness.settle()
    assert harness.mentions() == []


async def test_the_mention_pings_nobody_else(harness: BotHarness):
    await harness.two_at_the_wall()
    other = harness.idle()
    other.clear_notices()
    await harness.advance(70_000)
    assert other.notices == [] and harness.cleo.notices == []


async def test_before_the_clock_runs_out_there_is_a_nudge_in_place_of_the_mention(harness: BotHarness):
    await harness.two_at_the_wall(clock=120)
    await harness.advance(9_000)
    await harness.advance(75_000)
    (line,) = harness.mentions()
    assert "runs out" in line
    await harness.push()
    await harness.settle()
    assert harness.mentions() == []


async def test_a_mention_from_before_a_restart_is_deleted_when_the_turn_passes(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.advance(70_000)
    assert len(harness.mentions()) == 1
    await harness.restart()
    mover = harness.ann if harness.ann.mention in harness.mentions()[0] else harness.ben
    await mover.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert harness.mentions() == []


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (401, 50027), (404, 10015), (400, 40060)])
async def test_a_command_whose_asker_is_gone_is_no_traceback(harness: BotHarness, caplog, status: int, code: int):
    harness.sandbox.fault("POST", "/interactions/*/callback", status, body={"code": code, "message": "gone"})
    asked = harness.ann.start_command(harness.yard, "privacy export", {})
    await harness.sandbox.until(lambda: any(call.status == status for call in harness.sandbox.calls))
    await harness.settle()
    assert asked.answer is None
    assert "Traceback" not in caplog.text and not [r for r in caplog.records if r.levelname == "ERROR"]


async def test_a_player_who_chose_direct_messages_gets_a_new_one_per_move_and_the_old_one_is_deleted(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        await person.command(harness.yard, "notify", how="message")
    for _ in range(3):
        await harness.advance(70_000)
        who = harness.awaited()
        (message,) = who.dms()
        assert harness.controls("push", message) and harness.mentions() == []
        await who.press(message, harness.controls("push", message)[0])
        await harness.settle()
    assert harness.pushes() == 3


async def test_with_notifications_off_nobody_is_mentioned_or_written_to(harness: BotHarness):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        more = await harness.press(person, "More …")
        ways = await person.press(more, label="Notify me …")
        chosen = await person.press(ways, label="Don't notify me")
        assert "I don't notify you" in chosen.text
    await harness.advance(100_000)
    assert harness.mentions() == [] and harness.ann.dms() == harness.ben.dms() == []


async def test_notification_preferences_survive_a_restart_and_are_deleted_with_the_users_data(harness: BotHarness):
    await harness.ann.command(harness.yard, "notify", how="nothing")
    await harness.restart()
    notify = harness.client.tables.preferences
    assert await notify.of(int(harness.ann.id)) == "nothing"
    kept = await harness.client.store.user_data.export(int(harness.ann.id))
    assert kept["notified_by"] == [{"user": int(harness.ann.id), "how": "nothing"}]
    await harness.client.tables.leaving.forget(int(harness.ann.id))
    assert await notify.of(int(harness.ann.id)) == "mention"


@pytest.mark.parametrize(("label", "later_ms"), [("More …", LIVELY_MS), ("Play", OPEN_MS)])
async def test_a_player_active_recently_is_mentioned_later_and_with_an_open_page_later_still(
    harness: BotHarness, label: str, later_ms: int
):
    await harness.two_at_the_wall()
    await harness.advance(20_000)
    await harness.press(harness.awaited(), label)
    await harness.advance(later_ms - 10_000)
    assert harness.mentions() == []
    await harness.advance(20_000)
    assert len(harness.mentions()) == 1


def counted_edits(harness: BotHarness, person: UserClient) -> int:
    """Return how often a person's direct message was edited by the bot's token, which Discord counts."""
    return direct_message_calls(harness, person).count("PATCH")


@pytest.mark.parametrize(("ms", "refused", "counted"), [(0, False, 0), (TOKEN_LIFETIME_MS, False, 1), (0, True, 1)])
async def test_a_direct_message_that_was_pressed_is_edited_by_that_press_as_long_as_its_token_lives(
    harness: BotHarness, ms: int, refused: bool, counted: int
):
    await begin_prison_break(harness)
    reader = harness.awaited()
    await reader.press(reader.dms()[0], label="say 2, go 1")
    await harness.advance(ms)
    before = counted_edits(harness, reader)
    if refused:
        body = {"code": UNKNOWN_WEBHOOK, "message": "Unknown Webhook"}
        harness.sandbox.fault("PATCH", "/webhooks/*", 404, times=9, body=body)  # the table message's token too
    await harness.client.tables.registry.end(1, lambda: "Closed.")
    await harness.settle()
    assert "is closed" in UserClient.visible_text(reader.dms()[0])
    assert counted_edits(harness, reader) == before + counted


async def test_a_direct_message_waits_while_its_reader_plays_on_their_panel(harness: BotHarness):
    await begin_prison_break(harness)
    reader, other = harness.idle(), harness.awaited()
    await harness.press(reader, "Play")
    before = counted_edits(harness, reader)
    await harness.press(other, "Play")
    await other.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert harness.awaited() is reader and counted_edits(harness, reader) == before
    await harness.advance(LIVELY_MS)
    assert counted_edits(harness, reader) == before + 1
    assert any(part.get("label") == "say 1, go 1" for part in UserClient.buttons(reader.dms()[0]))


def text_of(person: UserClient) -> str:
    return UserClient.visible_text(person.dms()[0])


def is_current(harness: BotHarness, person: UserClient) -> bool:
    """Return True if a person's direct message says correctly whose turn it is."""
    table, ui = harness.messages().table, harness.messages().ui
    status = ui.status(table.snapshot.view(table.snapshot.seat_of(int(person.id))), table.snapshot.info()).splitlines()[
        0
    ]
    status = re.sub("\ue000.*?\ue001", "", status)  # card emoji, which are not uploaded here
    return status.replace("\xa0", " ") in text_of(person)


def rests(person: UserClient) -> bool:
    return "last updated " in text_of(person)


@pytest.mark.parametrize(("clock", "when"), [(300, r"<t:\d+:t>"), (86_400, r"<t:\d+:f>"), (0, r"<t:\d+:f>")])
async def test_a_resting_direct_message_shows_its_time_of_day_and_in_long_games_its_date(
    harness: BotHarness, clock: int, when: str
):
    await harness.begin("prison-break", harness.ben, clock=clock)
    assert re.search(f"last updated {when}", text_of(harness.idle()))


async def test_the_message_of_a_player_who_is_not_to_move_says_as_of_when_and_shows_no_clock(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, clock=300)
    reader, other = harness.idle(), harness.awaited()
    assert rests(reader) and "time runs out" not in UserClient.visible_text(reader.dms()[0])
    assert not rests(other) and "time runs out" in UserClient.visible_text(other.dms()[0])
    await other.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert harness.awaited() is reader and not rests(reader)
    assert rests(other) and "time runs out" not in UserClient.visible_text(other.dms()[0])


async def test_a_person_who_plays_on_their_direct_message_sees_the_game_go_on_there_at_no_counted_call(
    harness: BotHarness,
):
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    for person in (harness.ben, harness.cleo):
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    reader = harness.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await harness.settle()
    before = counted_edits(harness, reader)
    await harness.awaited().command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert not rests(reader) and not is_current(harness, reader)
    await harness.advance(CALM_MS - 1)
    assert not is_current(harness, reader)
    await harness.advance(1)
    assert is_current(harness, reader) and counted_edits(harness, reader) == before


async def test_a_press_on_a_direct_message_is_followed_by_no_edit_that_shows_the_same(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    await harness.without_tokens()  # the table message is edited by the bot's own then
    reader = harness.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await harness.settle()
    await harness.advance(CALM_MS)
    assert not [call for call in harness.sandbox.calls if call.method == "PATCH" and "/webhooks/" in call.path]


async def test_a_finished_game_is_not_shown_as_a_past_position(harness: BotHarness):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        await person.command(harness.yard, "notify", how="message")
    await harness.advance(70_000)
    reader, other = harness.awaited(), harness.idle()
    assert "Your move" in text_of(reader)
    await harness.resign(other)
    await harness.settle()
    assert "wins" in text_of(reader) and not rests(reader)


async def test_a_direct_message_that_rests_goes_on_at_a_press_although_its_reader_plays_on_their_panel(
    harness: BotHarness,
):
    await harness.begin("prison-break", harness.ben)
    reader, other = harness.idle(), harness.awaited()
    await harness.press(reader, "Play")
    await other.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert rests(reader) and harness.awaited() is reader and "say 1, go 1" not in text_of(reader)
    await reader.press(reader.dms()[0], label="Go on")
    await harness.settle()
    assert not rests(reader) and "say 1, go 1" in text_of(reader) and "Go on" not in text_of(reader)


async def test_a_direct_message_that_rests_has_nothing_to_press_that_may_mean_nothing_any_more(harness: BotHarness):
    await harness.begin("break-out", harness.ben)
    reader = harness.idle()
    await harness.press(reader, "Play")
    await harness.advance(LIVELY_MS)
    assert rests(reader)
    assert [part["label"] for part in UserClient.buttons(reader.dms()[0])] == ["Go on", "More …"]
    back = await reader.press(await reader.press(reader.dms()[0], label="More …"), label="◀ Back to the game")
    assert [part["label"] for part in UserClient.buttons(back.message or {})] == ["Log", "More …"]


async def test_a_direct_message_rests_when_its_reader_has_pressed_nothing_on_it_for_five_minutes(harness: BotHarness):
    await begin_prison_break(harness)
    reader = harness.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await harness.settle()
    before = counted_edits(harness, reader)
    await harness.advance(FOLLOWED_MS - 1)
    assert not rests(reader)
    await harness.advance(1)
    assert rests(reader) and counted_edits(harness, reader) == before


async def test_an_edit_that_is_on_its_way_does_not_replace_the_answer_to_a_press(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    reader, edit, pressed = harness.awaited(), InteractionMessage.edit, list[asyncio.Task[ActionResult]]()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await harness.settle()

    async def edited(landed: InteractionMessage, *arguments: Any) -> None:
        if str(landed.message) == reader.dms()[0]["id"] and not pressed:
            pressed.append(asyncio.create_task(reader.press(reader.dms()[0], label="More …")))
            for _ in range(2_000):
                await asyncio.sleep(0)
        await edit(landed, *arguments)

    monkeypatch.setattr(InteractionMessage, "edit", edited)
    await harness.awaited().command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.advance(CALM_MS)
    assert "Fairness" in (await pressed[0]).text
    await harness.advance(CALM_MS)
    assert "Fairness" in text_of(reader)


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_is_read_on_a_direct_message_stays_over_a_restart(harness: BotHarness, stopped: bool):
    await begin_prison_break(harness)
    reader, mover = harness.idle(), harness.awaited()
    await reader.press(reader.dms()[0], label="More …")
    await harness.settle()
    if stopped:
        await harness.restart()
        await harness.press(mover, "Play")
        await harness.settle()
    assert "Fairness" in text_of(reader)
    await mover.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert harness.awaited() is reader and is_current(harness, reader)


async def test_a_direct_message_that_did_not_get_through_is_tried_again(harness: BotHarness):
    await begin_prison_break(harness)
    reader, mover = harness.idle(), harness.awaited()
    harness.sandbox.fault("PATCH", f"/channels/{reader.dm.id}/messages/*", 0, times=9)
    await mover.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert rests(reader)
    harness.sandbox.mend()
    await harness.advance(DirectMessage.RETRY_MS[0] - 1)
    assert rests(reader)
    await harness.advance(1)
    assert is_current(harness, reader)


async def test_rules_read_on_a_direct_message_stay_although_it_would_rest(harness: BotHarness):
    await begin_prison_break(harness)
    reader = harness.awaited()
    await reader.press(reader.dms()[0], label="say 1, go 1")
    await harness.settle()
    more = await reader.press(reader.dms()[0], label="More …")
    assert more.message is not None
    await reader.press(more.message, label="Rules")
    await harness.settle()
    rules = UserClient.visible_text(reader.dms()[0])
    await harness.advance(FOLLOWED_MS)
    assert UserClient.visible_text(reader.dms()[0]) == rules


async def test_while_its_reader_plays_on_their_panel_a_direct_message_rests_at_the_cost_of_one_edit(
    harness: BotHarness,
):
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    for person in (harness.ben, harness.cleo):
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    reader = harness.awaited()
    await harness.press(reader, "Play")
    before = counted_edits(harness, reader)
    for _ in range(12):
        who = harness.awaited()
        if harness.view().phase != "sneak":
            break
        await who.command(harness.yard, "prison-break sneak", say=1, go=1)
        await harness.settle()
        if who is reader:
            assert rests(reader)
    else:
        raise AssertionError("nobody sneaks any more")
    assert counted_edits(harness, reader) == before + 1


async def test_a_message_that_could_not_be_brought_to_rest_is_with_the_next_change(harness: BotHarness):
    await begin_prison_break(harness)
    reader = harness.awaited()
    harness.sandbox.fault(
        "PATCH", f"/channels/{reader.dm.id}/messages/*", 400, body={"code": 50083, "message": "archived"}
    )
    await reader.command(harness.yard, "prison-break sneak", say=1, go=1)
    await harness.settle()
    assert not rests(reader)
    harness.messages().direct_messages.changed()
    await harness.settle()
    assert rests(reader)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["prison-break", "break-out", "ausbrecher", "match-five"])
async def test_no_direct_message_ever_shows_a_wrong_turn_or_another_players_clock(
    harness: BotHarness, game: str, seed: int
):
    dice = random.Random(f"{game}.{seed}")
    await harness.begin(game, harness.ben, harness.cleo, clock=300)
    people = (harness.ann, harness.ben, harness.cleo)
    for _ in range(25):
        if not harness.snapshot().playing:
            break
        asked = harness.view().to_act and dice.random() < 0.7
        who = harness.awaited() if asked else dice.choice(people)
        pages = [harness.board(), *who.dms(), *who.ephemerals(harness.yard)]
        with contextlib.suppress(Refused):
            await harness.press_anything(who, dice.choice(pages), dice, but={"leave", "resign", "repost", "notify"})
        await harness.advance(dice.choice((0, 500, CALM_MS, LIVELY_MS)))
        for _ in range(3):  # the next edit also shows what happens while this one waits
            await harness.advance(CALM_MS)
        table = harness.messages().table
        for person in people if table.snapshot.playing else ():
            seat = table.snapshot.seat_of(int(person.id))
            assert seat is not None
            reads = "◀ Back to the game" in text_of(person)
            assert reads or rests(person) or table.snapshot.awaits(seat) or is_current(harness, person), text_of(person)
            assert not (rests(person) and "time runs out" in text_of(person))


async def test_what_the_database_did_not_take_yet_is_kept_together_with_what_comes_after_it(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    table, message = harness.messages().table, harness.messages().direct_messages.message_of(int(harness.ann.id))
    seats = table.store.seats
    update = seats.update
    taken, later = list[SeatChange](), list[asyncio.Task[None]]()

    async def full(*_: object) -> None:
        raise DiskFull("There is no room.")

    async def noted(number: int, seat: int, what: SeatChange) -> TableRow:
        taken.append(what)
        if len(taken) == 1:
            later.append(asyncio.create_task(message.store(SeatChange(dm_look="later"))))
            await asyncio.sleep(0)  # it is asked for while the one before is being written
        return await update(number, seat, what)

    with monkeypatch.context() as patch:
        patch.setattr(seats, "update", full)
        await message.store(SeatChange(dm_channel=98, dm_message=99))
    with monkeypatch.context() as patch:
        patch.setattr(seats, "update", noted)
        await message.store(SeatChange(dm_state="seen"))
        await asyncio.gather(*later)
    row = table.snapshot.seats[table.snapshot.seat_of(message.user) or 0]
    assert (row.dm_channel, row.dm_message, row.dm_state, row.dm_look) == (98, 99, "seen", "later")
    assert message.row == row and message._unstored is None


async def test_in_a_game_without_secrets_a_move_on_a_message_brings_that_of_the_other_player_up_to_date(
    harness: BotHarness,
):
    for person in (harness.ann, harness.ben):
        await person.command(harness.yard, "notify", how="message")
    await harness.two_at_the_wall()
    for number in range(2):
        await harness.push(number)
        await harness.settle()
        await harness.advance(300_000)
    mover, reader = harness.awaited(), harness.idle()
    sent, before = len(reader.dms()), harness.controls("push", reader.dms()[-1])
    await mover.press(mover.dms()[-1], harness.controls("push", mover.dms()[-1])[2])
    await harness.settle()
    now = harness.controls("push", reader.dms()[-1])
    assert len(reader.dms()) == sent and now and now != before
