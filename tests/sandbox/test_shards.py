"""Shards and several processes: which events each gets, how often a bot may start sessions, and how Discord
ends them.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
import yarl
from discord.ext import commands

from sandbox import PATIENCE_S, Guild, Sandbox, default_world
from sandbox.gateway.starts import Starts, StartsExhausted
from sandbox.world.clock import snowflake_at
from sandbox.world.settings import Settings
from tests.sandbox.conftest import Scene, Wire, discord

GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
DAY_MS = 86_400_000


class Process(commands.AutoShardedBot):
    """One of several processes of a bot; its name shows which one answered."""

    def __init__(self, name: str, shards: list[int], count: int) -> None:
        super().__init__(
            "!",
            intents=discord.Intents.default(),
            guild_ready_timeout=0.02,
            max_messages=None,
            shard_ids=shards,
            shard_count=count,
        )
        self.name = name
        self.refused: list[int] = []

        @self.tree.command(name="who", description="who answers?")
        async def who(interaction: discord.Interaction) -> None:
            try:
                await interaction.response.send_message(self.name)
            except discord.HTTPException as error:
                self.refused.append(error.code)

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not pace identifies as the library would: the tests check what comes too early."""


Run = Callable[[Process], Awaitable[Process]]


@pytest.fixture
async def run(scene: Scene) -> AsyncIterator[Run]:
    """Start processes of the bot; they are closed at the end."""
    running: list[tuple[Process, asyncio.Task[None]]] = []

    async def start(process: Process) -> Process:
        ready = asyncio.Event()

        async def on_ready() -> None:
            ready.set()

        process.add_listener(on_ready)
        running.append((process, asyncio.create_task(process.start(scene.sandbox.token))))
        async with asyncio.timeout(PATIENCE_S):
            await ready.wait()
        await scene.sandbox.until(lambda: not any(guild.unavailable for guild in process.guilds))
        return process

    yield start
    for process, task in running:
        await process.close()
        await task


@pytest.fixture
def other(scene: Scene) -> Guild:
    """A second server, on the other of two shards."""
    ids = (snowflake_at(1_735_776_000_000 + later) for later in (0, 1))
    elsewhere = next(each for each in ids if (int(each) >> 22) % 2 != scene.guild.shard(2))
    guild = scene.sandbox.add_guild("Rikers", elsewhere)
    scene.sandbox.add_channel(guild, "cell")
    scene.sandbox.join(scene.ann, guild)
    return guild


async def identify(scene: Scene, *shard: int, intents: int = GUILDS) -> Wire:
    """Return a connection that has just sent an identify, whatever the result."""
    wire = await scene.wire()
    await wire.send(2, {"token": scene.sandbox.token, "intents": intents, "properties": {}, "shard": list(shard)})
    return wire


# ---------------------------------------------------------------- events by shard


async def test_each_process_knows_the_servers_of_its_own_shards_and_answers_there(
    scene: Scene, other: Guild, run: Run
) -> None:
    shard = scene.guild.shard(2)
    first = await run(Process("first", [shard], 2))
    second = await run(Process("second", [1 - shard], 2))
    assert [guild.name for guild in first.guilds] == ["Alcatraz"]
    assert [guild.name for guild in second.guilds] == ["Rikers"]
    cell = next(iter(other.channels.values()))
    assert (await scene.ann.command(scene.yard, "who")).text == "first"
    assert (await scene.ann.command(cell, "who")).text == "second"
    direct = await scene.ann.command(scene.ann.dm, "who")
    assert direct.text == ("first" if shard == 0 else "second")
    assert not scene.sandbox.violations


async def test_calls_and_sessions_are_attributed_to_processes_by_their_addresses(
    scene: Scene, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = scene.sandbox
    plain = await run(Process("plain", [0], 1))
    callers: list[tuple[str | None, str]] = []
    sandbox.state.listeners.append(lambda _: callers.append((sandbox.state.caller, sandbox.state.route)))
    assert (await scene.ann.command(scene.yard, "who")).by == ""
    await scene.ann.say(scene.yard, "hello")
    callback = "/interactions/{interaction_id}/{webhook_token}/callback"
    assert (callers[0], callers[-1]) == (("", callback), (None, ""))
    await plain.close()
    monkeypatch.setattr(discord.http.Route, "BASE", sandbox.api_of("one"))
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway_of("one")))
    await run(Process("named", [0], 1))
    assert (await scene.ann.command(scene.yard, "who")).by == "one"
    assert [session.by for session in sandbox.sessions] == ["one"]
    assert {call.by for call in sandbox.calls if call.path == "/users/@me"} == {"", "one"}
    wire = Wire(await scene.session.ws_connect(sandbox.gateway_of("one") + "?v=10"))
    await wire.send(2, {"token": sandbox.token, "intents": 0, "properties": {}})
    assert (await wire.next("READY"))["resume_gateway_url"] == sandbox.gateway_of("one")


async def test_one_process_may_have_several_shards(scene: Scene, other: Guild, run: Run) -> None:
    process = await run(Process("only", [0, 1, 2], 3))
    assert {guild.name for guild in process.guilds} == {"Alcatraz", other.name}
    assert sorted(session.shard for session in scene.sandbox.sessions) == [(0, 3), (1, 3), (2, 3)]


async def test_direct_messages_go_to_the_first_shard_of_every_count_in_use(scene: Scene) -> None:
    wires = [await scene.wire(DIRECT_MESSAGES, shard=shard) for shard in ((0, 1), (0, 3))]
    await scene.wire(DIRECT_MESSAGES, shard=(1, 3))
    await scene.ann.say(scene.ann.dm, "psst")
    for wire in wires:
        assert (await wire.next("MESSAGE_CREATE"))["content"] == "psst"
    received = {session.shard: session.sequence for session in scene.sandbox.sessions}
    assert received == {(0, 1): 2, (0, 3): 2, (1, 3): 1}


async def test_two_sessions_of_a_shard_get_the_same_events_and_the_second_answer_is_no_violation(
    scene: Scene, run: Run
) -> None:
    old, new = await run(Process("old", [0], 1)), await run(Process("new", [0], 1))
    used = await scene.ann.command(scene.yard, "who")
    assert used.text in ("old", "new")
    loser = old if used.text == "new" else new
    await scene.sandbox.until(lambda: loser.refused)
    assert loser.refused == [40060]
    assert not scene.sandbox.violations


async def test_a_session_that_says_goodbye_leaves_the_other_one_of_its_shard_alone(scene: Scene, run: Run) -> None:
    old = await run(Process("old", [0], 1))
    await run(Process("new", [0], 1))
    await old.close()
    await scene.sandbox.until(lambda: len(scene.sandbox.sessions) == 1)
    assert (await scene.ann.command(scene.yard, "who")).text == "new"
    assert scene.sandbox.online


async def test_an_action_whose_only_receiver_disconnected_fails_without_a_violation(scene: Scene) -> None:
    scene.patience(0.2)
    wire = await scene.wire(GUILDS)
    _, command = await scene.raw.call(
        "POST", f"/applications/{scene.sandbox.bot_id}/commands", {"name": "who", "description": "who answers?"}
    )
    assert command["name"] == "who"
    act = scene.ann.start_command(scene.yard, "who", {})
    assert (await wire.next("INTERACTION_CREATE"))["id"] == act.id
    await wire.socket.close(code=4000)
    await act.answered.wait()
    assert act.failed == "This interaction failed"
    assert not scene.sandbox.violations
    received = await scene.wire(GUILDS)
    await scene.ann.command(scene.yard, "who")
    assert "not acknowledged" in str(scene.sandbox.violations[0])
    await received.socket.close()


# ---------------------------------------------------------------- session starts


async def test_the_starts_of_the_day_are_counted_down_by_identifies_and_not_by_resumes(scene: Scene) -> None:
    settings = scene.sandbox.settings
    settings.shards, settings.session_starts, settings.max_concurrency = 7, 10, 16

    async def told() -> dict[str, int]:
        _, body = await scene.raw.call("GET", "/gateway/bot")
        assert body["shards"] == 7
        return dict(body["session_start_limit"])

    assert await told() == {"total": 10, "remaining": 10, "reset_after": DAY_MS, "max_concurrency": 16}
    wire = await scene.wire(0)
    await scene.wire(0)
    assert (await told())["remaining"] == 8
    await scene.sandbox.disconnect()
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": wire.session, "seq": wire.sequence})
    await back.next("RESUMED")
    scene.sandbox.move_clock(DAY_MS // 2)
    limit = await told()
    assert limit["remaining"] == 8
    assert 0 < limit["reset_after"] <= DAY_MS // 2
    scene.sandbox.move_clock(DAY_MS // 2)
    assert (await told())["remaining"] == 10


async def test_a_second_identify_of_a_bucket_is_an_invalid_session_and_counts(scene: Scene) -> None:
    scene.sandbox.settings.paced_identifies = True
    scene.sandbox.settings.max_concurrency = 2
    scene.sandbox.settings.window_scale = 1_000
    await (await identify(scene, 0, 4)).next("READY")
    await (await identify(scene, 1, 4)).next("READY")
    early = await identify(scene, 2, 4)
    assert await early.operation() == {"op": 9, "d": False}
    _, body = await scene.raw.call("GET", "/gateway/bot")
    assert body["session_start_limit"]["remaining"] == 997
    assert [session.shard for session in scene.sandbox.sessions] == [(0, 4), (1, 4)]


@pytest.mark.parametrize(("later_s", "may"), [(0.0, False), (4.999, False), (5.0, True), (60.0, True)])
def test_a_bucket_is_open_again_after_five_seconds(later_s: float, may: bool) -> None:
    now = 100.0
    starts = Starts(Settings(paced_identifies=True, max_concurrency=4), lambda: 0, lambda: now)
    assert starts.take(1)
    now += later_s
    assert starts.take(3)
    assert starts.take(5) is may


@pytest.mark.parametrize(("later_ms", "remaining"), [(0, 1), (DAY_MS - 1, 1), (DAY_MS, 3)])
def test_a_day_of_starts_begins_with_its_first_one(later_ms: int, remaining: int) -> None:
    now_ms = 5
    starts = Starts(Settings(session_starts=3), lambda: now_ms)
    starts.take(0)
    starts.take(0)
    now_ms += later_ms
    limit = starts.json()
    assert (limit["remaining"], limit["reset_after"]) == (remaining, DAY_MS - later_ms or DAY_MS)


def test_one_start_too_many_is_not_the_last_one_allowed() -> None:
    starts = Starts(Settings(session_starts=2), lambda: 0)
    assert [starts.take(0), starts.take(0)] == [True, True]
    with pytest.raises(StartsExhausted):
        starts.take(0)


async def test_one_start_too_many_ends_every_session_and_resets_the_token(scene: Scene) -> None:
    scene.sandbox.settings.session_starts = 1
    wire = await scene.wire(GUILDS)
    token = scene.sandbox.token
    greedy = await identify(scene, 0, 1)
    assert await greedy.closed() == 4004
    assert await wire.closed() == 4004
    assert scene.sandbox.sessions == []
    assert (await scene.raw.call("GET", "/users/@me", token=token))[0] == 401
    assert (await scene.raw.call("GET", "/users/@me"))[0] == 200
    assert "more often than a day allows" in str(scene.sandbox.violations[-1])


@pytest.mark.parametrize("shard", [[1, 1], [-1, 2], [0, 0], [0], ["0", "2"], [0, 1, 2]])
async def test_a_shard_that_is_none_closes_the_connection(scene: Scene, shard: list[int]) -> None:
    assert await (await identify(scene, *shard)).closed() == 4010


async def test_too_many_servers_for_one_shard_close_the_connection(scene: Scene, other: Guild) -> None:
    scene.sandbox.settings.guilds_a_shard = 1
    assert await (await identify(scene, 0, 1)).closed() == 4011
    ready = await (await identify(scene, other.shard(2), 2)).next("READY")
    assert [guild["id"] for guild in ready["guilds"]] == [other.id]


# ---------------------------------------------------------------- end of a session


async def test_a_bot_that_is_asked_to_reconnect_resumes_and_misses_nothing(scene: Scene, run: Run) -> None:
    process = await run(Process("only", [0], 1))
    (session,) = scene.sandbox.sessions
    before = session.connection
    scene.sandbox.ask_to_reconnect(session)
    await scene.sandbox.until(lambda: session.connection not in (before, None))
    assert (await scene.ann.command(scene.yard, "who")).text == "only"
    assert scene.sandbox.sessions == [session]
    assert not process.is_closed()


@pytest.mark.parametrize("resumable", [True, False])
async def test_an_invalid_session_is_resumed_or_replaced(scene: Scene, run: Run, resumable: bool) -> None:
    await run(Process("only", [0], 1))
    (session,) = scene.sandbox.sessions
    before = session.connection
    scene.sandbox.invalidate(session, resumable=resumable)
    await scene.sandbox.until(lambda: any(each.connection not in (before, None) for each in scene.sandbox.sessions))
    assert (scene.sandbox.sessions == [session]) is resumable
    assert (await scene.ann.command(scene.yard, "who")).text == "only"


async def test_one_of_two_sessions_is_disconnected_and_gets_the_missed_events_on_resume(scene: Scene) -> None:
    cut, other = await scene.wire(GUILD_MESSAGES), await scene.wire(GUILD_MESSAGES)
    session = next(each for each in scene.sandbox.sessions if each.id == cut.session)
    await scene.sandbox.disconnect(session=session, code=4009)
    assert await cut.closed() == 4009
    said = await scene.ann.say(scene.yard, "meanwhile")
    assert (await other.next("MESSAGE_CREATE"))["id"] == said["id"]
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": cut.session, "seq": cut.sequence})
    assert (await back.next("MESSAGE_CREATE"))["id"] == said["id"]


async def test_another_identify_of_its_shard_leaves_a_lost_session_to_be_resumed(scene: Scene) -> None:
    wire = await scene.wire(GUILD_MESSAGES)
    await scene.sandbox.disconnect()
    await scene.wire(GUILD_MESSAGES)
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": wire.session, "seq": wire.sequence})
    await back.next("RESUMED")


async def test_a_session_that_is_not_resumed_is_dropped(scene: Scene) -> None:
    wire = await scene.wire(GUILD_MESSAGES)
    scene.sandbox.settings.session_life_ms = 0
    await scene.sandbox.disconnect()
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": wire.session, "seq": wire.sequence})
    assert await back.operation() == {"op": 9, "d": False}


async def test_the_bot_is_away_only_when_the_last_of_its_sessions_is(scene: Scene) -> None:
    await scene.wire(0)
    await scene.wire(0)
    first, second = scene.sandbox.sessions
    await scene.sandbox.disconnect(session=first)
    assert scene.sandbox.online
    await scene.sandbox.disconnect(session=second, resumable=False)
    assert not scene.sandbox.online
    assert scene.sandbox.sessions == [first]


# ---------------------------------------------------------------- the sandbox alone


async def test_a_world_of_several_servers_is_spread_over_the_shards_with_everybody_on_each() -> None:
    async with Sandbox() as sandbox:
        default_world(sandbox, servers=8, people=8)
        guilds = list(sandbox.state.guilds.values())
        assert sorted(guild.shard(4) for guild in guilds) == [0, 0, 1, 1, 2, 2, 3, 3]
        assert len({guild.name for guild in guilds}) == 8
        assert len(sandbox.state.channels) == 8 * 2 + 8
        assert {len(guild.members) for guild in guilds} == {1 + 8}


async def test_the_command_line_sets_the_number_of_servers_and_shards() -> None:
    arguments = ["--port", "0", "--servers", "3", "--shards", "2", "--max-concurrency", "4", "--starts", "50"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        settings: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE_S):
            while "DISCORD_GATEWAY" not in settings:
                name, _, value = (await process.stdout.readline()).decode().strip().partition("=")
                settings[name] = value
        headers = {"Authorization": f"Bot {settings['DISCORD_TOKEN']}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            async with session.get(settings["DISCORD_API"] + "/gateway/bot") as response:
                body = await response.json()
            async with session.get(settings["DISCORD_API"] + "/users/@me/guilds") as response:
                assert len(await response.json()) == 3
        assert body["url"] == settings["DISCORD_GATEWAY"]
        assert body["shards"] == 2
        assert body["session_start_limit"]["total"] == 50
        assert body["session_start_limit"]["max_concurrency"] == 4
    finally:
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
