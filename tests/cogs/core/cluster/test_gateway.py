"""Sessions of single shards: opened and closed while the bot runs, using internals of the library."""

import asyncio
import inspect
import itertools
from functools import partial
from typing import Any

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.shard import AutoShardedClient
from discord.state import AutoShardedConnectionState

from cogs.core.cluster import gateway
from cogs.core.cluster.gateway import STARTS_RESERVED, TESTED_WITH, ShardedBot
from data.store.shards import SLOT_MS
from sandbox import PATIENCE_S
from tests.cogs.core.cluster.fleet import Fleet
from tools.harness.bot_harness import BotHarness


def test_the_installed_library_is_the_reviewed_version():
    """For a new version, review what `gateway.py` relies on, run these tests, and update `TESTED_WITH`."""
    assert discord.__version__.startswith(TESTED_WITH)
    connect = inspect.getsource(AutoShardedClient.connect)
    assert "await self.launch_shards()" in connect and "await item.shard.reidentify" in connect
    ready = inspect.getsource(AutoShardedConnectionState.parse_ready)
    assert "len(self._ready_tasks) == len(self.shard_ids)" in ready
    assert list(inspect.signature(AutoShardedClient.launch_shard).parameters) == [
        "self",
        "gateway",
        "shard_id",
        "initial",
    ]


async def test_a_session_that_was_closed_does_not_come_back(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    (session,) = [session for session in fleet.sandbox.sessions if session.shard == (1, 2)]
    await one.client.close_shard(1)
    await fleet.sandbox.until(lambda: session.connection is None, timeout=PATIENCE_S)
    assert one.client.sessions == {0} and one.client.get_guild(int(fleet.guilds[1].id)) is None
    info = one.client.get_shard(1)
    assert info is not None and info.is_closed()
    # What the library may have queued by then: a request to connect again, which gets as far as the identify.
    before = len(fleet.sandbox.sessions)
    await asyncio.create_task(info.reconnect(), context=one.context)
    assert len(fleet.sandbox.sessions) == before
    await asyncio.create_task(one.client.open_shard(1), context=one.context)
    await fleet.sandbox.until(lambda: one.client.get_guild(int(fleet.guilds[1].id)) is not None, timeout=PATIENCE_S)


async def test_a_session_that_is_lost_comes_back_and_its_tables_with_it(fleet: Fleet):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    (session,) = [session for session in fleet.sandbox.sessions if session.shard == (1, 2)]
    await fleet.sandbox.disconnect(session=session)
    await fleet.sandbox.until(lambda: session.connection is not None, timeout=PATIENCE_S)
    assert (await fleet.ann.command(fleet.yards[1], "rope-wall start")).by == "one"
    assert one.serves == {0, 1}


# When few of the day's starts are left

FEW = STARTS_RESERVED + 1
"""One session start fewer than required, if Discord allows one identify at a time."""


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask Discord repeatedly."""
    monkeypatch.setattr(gateway, "LIMIT_VALID_S", 0.0)
    monkeypatch.setattr(gateway, "ASK_EVERY_S", 0.02)


def left(fleet: Fleet, starts: int | None = None) -> int:
    """Set how many of the day's session starts are left."""
    settings = fleet.sandbox.settings
    used = settings.session_starts - fleet.sandbox.starts_left
    if starts is not None:
        settings.session_starts = used + starts
    return settings.session_starts - used


@pytest.mark.usefixtures("asking")
async def test_a_session_that_is_lost_waits_where_few_starts_are_left_and_the_doctor_says_so(
    fleet: Fleet, caplog: pytest.LogCaptureFixture
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    left(fleet, FEW)
    (session,) = [session for session in fleet.sandbox.sessions if session.shard == (1, 2)]
    await fleet.sandbox.disconnect(resumable=False, session=session)
    traffic = one.client.publishing.rest_errors
    await fleet.sandbox.until(lambda: traffic.waits_until is not None, timeout=PATIENCE_S)
    await fleet.step(one)
    told = (await fleet.ann.command(fleet.yards[0], "doctor")).text
    assert f"✗ Discord lets this bot start only {FEW} more sessions until <t:" in told
    assert "✗ can't start a session until <t:" in told and f"begin {FEW} more sessions" in caplog.text
    assert left(fleet) == FEW
    left(fleet, FEW + 1)
    guild = int(fleet.guilds[1].id)
    await fleet.sandbox.until(lambda: traffic.waits_until is None, timeout=PATIENCE_S)
    await fleet.sandbox.until(lambda: left(fleet) == FEW, timeout=PATIENCE_S)
    assert (await fleet.ann.command(fleet.yards[1], "rope-wall start")).by == "one"
    assert one.client.get_guild(guild) is not None and one.client.sessions == {0, 1}
    await fleet.step(one)
    told = (await fleet.ann.command(fleet.yards[0], "doctor")).text
    assert "more sessions" not in told and "start a session" not in told


@pytest.mark.usefixtures("asking")
async def test_a_session_that_is_not_open_yet_waits_too_and_is_forgotten_when_it_is_wanted_no_more(fleet: Fleet):
    one = await fleet.start("one")
    left(fleet, FEW)
    opening = [asyncio.create_task(one.client.open_shard(shard), context=one.context) for shard in (0, 1)]
    await fleet.sandbox.until(lambda: one.client.publishing.rest_errors.waits_until is not None, timeout=PATIENCE_S)
    await asyncio.create_task(one.client.close_shard(1), context=one.context)
    await opening[1]
    assert left(fleet) == FEW and not fleet.sandbox.sessions
    left(fleet, FEW + 1)
    await opening[0]
    assert left(fleet) == FEW and one.client.sessions == {0}


@pytest.mark.usefixtures("asking")
async def test_starts_that_others_take_while_a_session_connects_are_seen_before_it_begins(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    slots = []

    async def slot(number: int) -> int:
        slots.append(number)
        left(fleet, FEW if len(slots) == 1 else FEW + 1)
        return 10 if len(slots) == 1 else 0  # it waits for the slot, and meanwhile others start sessions

    monkeypatch.setattr(one.client, "identify_slot", slot)
    opening = asyncio.create_task(one.client.open_shard(0), context=one.context)
    await fleet.sandbox.until(lambda: one.client.publishing.rest_errors.waits_until is not None, timeout=PATIENCE_S)
    assert not fleet.sandbox.sessions and slots == [0]
    left(fleet, FEW + 1)
    await opening
    assert slots == [0, 0] and left(fleet) == FEW


@pytest.mark.usefixtures("asking")
async def test_if_discord_does_not_say_how_many_starts_are_left_it_is_soon_asked_again(
    fleet: Fleet, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    monkeypatch.setattr(gateway, "ASK_AGAIN_S", 0.02)
    monkeypatch.setattr(gateway, "ASK_EVERY_S", 3_600.0)
    fleet.sandbox.fault("GET", "/gateway/bot", 403)
    await asyncio.create_task(one.client.open_shard(0), context=one.context)
    assert "does not say how many sessions" in caplog.text and one.client.sessions == {0}


async def test_a_single_process_identifies_once_in_more_than_five_seconds_a_slot(harness: BotHarness):
    client = harness.client
    await client.identify_slot(0)
    assert await client.identify_slot(1) == 0 < 5_000 < await client.identify_slot(0) <= SLOT_MS


async def test_a_slot_is_taken_after_discord_was_asked_and_right_before_the_identify(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    """The question may take long: if the slot were taken first, the next identify would come too early."""
    one = await fleet.start("one")
    monkeypatch.setattr(gateway, "LIMIT_VALID_S", 0.0)
    done: list[str] = []
    ask, send = one.client.http.get_bot_gateway, DiscordWebSocket.send_as_json

    async def asked() -> Any:
        answer = await ask()
        await asyncio.sleep(0.05)
        done.append("asked")
        return answer

    async def slot(number: int) -> int:
        done.append("slot")
        return 0

    async def sent(socket: DiscordWebSocket, data: Any) -> None:
        if data["op"] == DiscordWebSocket.IDENTIFY:
            done.append("identify")
        await send(socket, data)

    monkeypatch.setattr(one.client.http, "get_bot_gateway", asked)
    monkeypatch.setattr(one.client, "identify_slot", slot)
    monkeypatch.setattr(DiscordWebSocket, "send_as_json", sent)
    await asyncio.gather(*(asyncio.create_task(one.client.open_shard(shard), context=one.context) for shard in (0, 1)))
    assert [each for each in done if each != "asked"] == ["slot", "identify"] * 2
    assert "slot asked" not in " ".join(done)


@pytest.mark.parametrize("at_once", [1, 2])
async def test_however_long_discord_takes_to_say_how_many_starts_are_left_no_identify_is_too_early(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, at_once: int
):
    settings = fleet.sandbox.settings
    settings.paced_identifies, settings.window_scale, settings.max_concurrency = True, 0.08, at_once  # 0.4 s for 5
    monkeypatch.setattr(gateway, "LIMIT_VALID_S", 0.0)
    monkeypatch.setattr(gateway, "SLOT_MS", 440)
    one = await fleet.start("one", shard_count=4)
    monkeypatch.setattr(one.client, "identify_slot", partial(ShardedBot.identify_slot, one.client))
    ask, times = one.client.http.get_bot_gateway, itertools.cycle([0.0, 0.15])

    async def asked() -> Any:
        await asyncio.sleep(next(times))
        return await ask()

    monkeypatch.setattr(one.client.http, "get_bot_gateway", asked)
    opening = [asyncio.create_task(one.client.open_shard(shard), context=one.context) for shard in range(4)]
    await asyncio.gather(*opening)
    await fleet.sandbox.until(lambda: len(fleet.sandbox.sessions) == 4, timeout=PATIENCE_S)
    assert settings.session_starts - fleet.sandbox.starts_left == 4


async def test_a_lost_session_that_waits_for_its_slot_holds_up_none_that_only_has_to_resume(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one")
    await fleet.until(one, {0, 1})
    asked: list[int] = []
    free = asyncio.Event()

    async def slot(number: int) -> int:
        asked.append(number)
        return 0 if free.is_set() else 200

    monkeypatch.setattr(one.client, "identify_slot", slot)
    resumed, lost = sorted(fleet.sandbox.sessions, key=lambda session: session.shard)
    await fleet.sandbox.disconnect(resumable=False, session=lost)
    await fleet.sandbox.until(lambda: bool(asked), timeout=PATIENCE_S)
    await fleet.sandbox.disconnect(session=resumed)
    await fleet.sandbox.until(lambda: resumed.connection is not None, timeout=PATIENCE_S)
    assert fleet.sandbox.sessions == [resumed]
    free.set()
    await fleet.sandbox.until(lambda: len(fleet.sandbox.sessions) == 2, timeout=PATIENCE_S)
    assert (await fleet.ann.command(fleet.yards[1], "rope-wall start")).by == "one"


async def test_the_shard_whose_clock_runs_out_first_identifies_first_also_if_it_comes_last(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    one = await fleet.start("one", shard_count=4)
    one.client.leases.first_clocks = {3: 5, 1: 7}
    free = asyncio.Event()

    async def slot(number: int) -> int:
        return 0 if free.is_set() else 10

    monkeypatch.setattr(one.client, "identify_slot", slot)
    opening = []
    for shard in range(4):
        opening.append(asyncio.create_task(one.client.open_shard(shard), context=one.context))
        await asyncio.sleep(0.05)
    free.set()
    await asyncio.gather(*opening)
    await fleet.sandbox.until(lambda: len(fleet.sandbox.sessions) == 4, timeout=PATIENCE_S)
    assert [session.shard[0] for session in fleet.sandbox.sessions] == [3, 1, 0, 2]


# The parts of an event from which the library builds objects


async def test_only_the_identity_of_a_pressed_message_is_built(harness: BotHarness):
    pressed: list[discord.Message | None] = []

    async def on_interaction(interaction: discord.Interaction) -> None:
        pressed.append(interaction.message)

    harness.client.add_listener(on_interaction)
    await harness.two_at_the_wall()
    board = harness.board()
    await harness.push()
    message = pressed[-1]
    assert message is not None and message.id == int(board["id"]) and not message.flags.ephemeral
    assert board["components"] and not message.components
    assert board["author"] and not hasattr(message, "author")


async def test_edits_of_messages_are_not_dispatched(harness: BotHarness):
    edited: list[object] = []

    async def on_raw_message_edit(payload: discord.RawMessageUpdateEvent) -> None:
        edited.append(payload)

    harness.client.add_listener(on_raw_message_edit)
    await harness.two_at_the_wall()
    await harness.push()
    assert edited == []
