"""Monitoring: what /metrics and /healthz answer while people play and when something fails."""

import asyncio
import json
import logging
from typing import Any

import aiohttp
import pytest

import bot
from cogs.core.ops.config import Config, Listen, version
from cogs.core.tables.bot_workers import BotWorkers
from data.store import StoreError
from engine.contract import Moment
from sandbox import PATIENCE_S
from tools.harness.bot_harness import BotHarness

pytest.importorskip("prometheus_client", reason="what writes the figures is missing (pip install -e '.[dev]')")

from prometheus_client.parser import text_string_to_metric_families

from cogs.core.app.metrics_server import check_beat
from cogs.core.ops import process_stats
from cogs.core.ops.metrics import kind_of

HERE = Listen("127.0.0.1", 0)
"""Any free port; the log names it."""

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
async def seen(harness: BotHarness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> BotHarness:
    """The bot with its metrics and health servers."""
    monkeypatch.setattr(process_stats, "LAG_EVERY_S", 0.001)  # do not wait for the first check of the event loop
    caplog.set_level(logging.INFO, "cogs.core.app")
    await harness.stop()
    await harness.start(metrics=HERE)
    return harness


async def page(caplog: pytest.LogCaptureFixture, path: str) -> tuple[int, str, str]:
    """Return the status of a page, its type and its text."""
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    at = [record.getMessage() for record in records if record.getMessage().startswith("figures at")][-1]
    base = at.removeprefix("figures at ").removesuffix("/metrics")
    async with aiohttp.ClientSession() as session, session.get(base + path) as answer:
        return answer.status, answer.headers["Content-Type"], await answer.text()


async def figures(caplog: pytest.LogCaptureFixture) -> Samples:
    """Return all figures, by name and labels."""
    status, kind, text = await page(caplog, "/metrics")
    assert status == 200 and kind.startswith("text/plain")
    families = text_string_to_metric_families(text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


async def health(caplog: pytest.LogCaptureFixture) -> tuple[int, dict[str, Any]]:
    """Return the answer of /healthz."""
    async with asyncio.timeout(PATIENCE_S):
        status, kind, text = await page(caplog, "/healthz")
    assert kind.startswith("application/json")
    found: dict[str, Any] = json.loads(text)
    return status, found


def of(samples: Samples, name: str, **labels: str) -> float:
    """One figure; 0 for one that is not there."""
    return samples.get((f"cellblock_{name}", frozenset(labels.items())), 0)


async def test_what_people_do_is_counted(seen: BotHarness, caplog: pytest.LogCaptureFixture):
    await seen.two_at_the_wall()
    before = await figures(caplog)
    for _ in range(3):
        await seen.push()
    await seen.settle()
    after = await figures(caplog)

    def grown(name: str, **labels: str) -> float:
        return of(after, name, **labels) - of(before, name, **labels)

    assert grown("moves_total", game="rope_wall") == grown("commit_seconds_count") == 3
    assert grown("interactions_total", kind="control") == grown("acknowledgement_seconds_count", kind="control") == 3
    assert sum(grown("rest_calls_total", kind="answer", status=status) for status in ("200", "204")) == 3
    assert of(after, "interactions_total", kind="command") == 1
    statuses = {dict(labels)["status"] for name, labels in after if name == "cellblock_rest_calls_total"}
    assert statuses <= {"200", "201", "204"}  # and not the 101 of the gateway's connection
    assert of(after, "open_tables", game="rope_wall") == of(after, "awake_tables", game="rope_wall") == 1
    assert of(after, "moves_total", game="break_out") == of(after, "open_tables", game="break_out") == 0
    assert of(after, "servers") == 1 and after["process_start_time_seconds", frozenset()] > 0
    assert of(after, "build_info", version=version()) == 1 and of(after, "start_time_seconds") > 1_700_000_000


async def test_figures_name_nobody(seen: BotHarness, caplog: pytest.LogCaptureFixture):
    await seen.two_at_the_wall()
    await seen.push()
    await seen.settle()
    _, _, text = await page(caplog, "/metrics")
    people = [str(value) for one in (seen.ann, seen.ben) for value in (one.id, one.name)]
    places = [str(seen.guild.id), str(seen.yard.id), seen.guild.name, seen.yard.name]
    assert "rope_wall" in text
    assert not [secret for secret in (*people, *places, seen.sandbox.token, str(seen.database)) if secret in text]


async def test_a_limit_of_discords_and_an_answer_that_never_came_are_counted(
    seen: BotHarness, caplog: pytest.LogCaptureFixture
):
    seen.sandbox.fault("POST", "/interactions/*", 429)
    await seen.ann.command(seen.yard, "rope-wall start", clock=0)
    seen.sandbox.fault("POST", "/interactions/*", 0)
    await seen.ben.command(seen.yard, "rope-wall start", clock=0)
    await seen.settle()
    found = await figures(caplog)
    assert of(found, "rest_calls_total", kind="answer", status="429") == 1
    assert of(found, "rest_calls_total", kind="answer", status="none") == 1
    limited = {labels: value for (name, labels), value in found.items() if name == "cellblock_rest_rate_limited_total"}
    assert sum(limited.values()) == 1


async def test_computers_that_think_and_the_event_loop_leave_figures(
    seen: BotHarness, caplog: pytest.LogCaptureFixture
):
    await seen.ann.command(seen.yard, "rope-wall start", clock=0)
    await seen.press(seen.ann, "Add Trainee")
    await seen.settle()
    await seen.press(seen.ann, "Start")
    await seen.settle()
    while seen.snapshot().view(None).to_act == (0,):
        await seen.push()
    await seen.advance(5_500)
    found = await figures(caplog)
    assert of(found, "thinking_wait_seconds_count") >= 1 and of(found, "thinking_queue_length") == 0
    assert of(found, "event_loop_lag_seconds_count") >= 1


async def test_a_queue_before_the_computers_is_counted(seen: BotHarness, caplog: pytest.LogCaptureFixture):
    thinkers = seen.client.bot_workers
    second = thinkers._queue.turn(2)
    async with thinkers._queue.turn(1):
        asked = asyncio.create_task(second.__aenter__())
        await asyncio.sleep(0)
        assert of(await figures(caplog), "thinking_queue_length") == 1
    await asked
    assert of(await figures(caplog), "thinking_queue_length") == 0
    await second.__aexit__(None, None, None)


async def test_a_healthy_bot_reports_healthy(seen: BotHarness, caplog: pytest.LogCaptureFixture):
    await seen.client.wait_until_ready()
    assert await health(caplog) == (200, {"ok": True, "gateway": "ok", "api": "ok", "database": "ok", "beat": "ok"})


async def test_a_bot_that_has_not_connected_yet_is_unhealthy(harness: BotHarness, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "cogs.core.app")
    await harness.stop()
    async with bot.running(Config(None, harness.database, metrics=HERE), harness.clock, BotWorkers(0)):
        status, found = await health(caplog)
    assert (status, found["ok"]) == (503, False)
    assert (found["gateway"], found["database"], found["beat"]) == ("not connected", "ok", "none yet")


async def test_a_bot_that_is_cut_off_from_discord_is_unhealthy_until_it_is_back(
    seen: BotHarness, caplog: pytest.LogCaptureFixture
):
    await seen.client.wait_until_ready()
    shard = seen.client.shards[0]
    await shard.disconnect()
    status, found = await health(caplog)
    assert status == 503 and found["gateway"] == "not connected"
    await shard.reconnect()
    await seen.sandbox.until(lambda: not seen.client.connections.lost)
    assert (await health(caplog))[0] == 200


async def test_an_api_that_does_not_answer_and_the_tables_that_wait_for_it_are_reported(
    seen: BotHarness, caplog: pytest.LogCaptureFixture
):
    await seen.client.wait_until_ready()
    await seen.two_at_the_wall(clock=60)
    found = await figures(caplog)
    assert of(found, "discord_api_up") == 1 and of(found, "paused_tables", cause="api") == 0
    seen.sandbox.fault("*", "*", 503, times=1_000_000)
    for _ in range(3):
        seen.client.tables.api.failed()
    await seen.advance(1_000)
    status, words = await health(caplog)
    assert status == 503 and words["api"] == "not answering"
    found = await figures(caplog)
    assert of(found, "discord_api_up") == 0 and of(found, "paused_tables", cause="api") == 1


async def test_a_database_that_does_not_answer_is_reported_and_the_other_figures_are_there(
    seen: BotHarness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    async def away(*_: object) -> object:
        raise StoreError("the server is away")

    await seen.client.wait_until_ready()
    monkeypatch.setattr(seen.client.store.server_admin, "last_backup", away)
    monkeypatch.setattr(seen.client.store.server_admin, "open_games", away)
    assert await health(caplog) == (
        503,
        {"ok": False, "gateway": "ok", "api": "ok", "database": "not answering", "beat": "ok"},
    )
    found = await figures(caplog)
    assert ("cellblock_open_tables", frozenset({("game", "rope_wall")})) not in found
    assert of(found, "servers") == 1


@pytest.mark.parametrize(("age_ms", "words"), [(59_999, "ok"), (60_000, "ok"), (60_001, "last one 60 s ago")])
def test_a_beat_is_young_for_a_minute(age_ms: int, words: str):
    assert check_beat(Moment(1_000), Moment(1_000 + age_ms)) == words


async def test_beats_go_on_being_noted(harness: BotHarness):
    first = harness.client.tables.heartbeat.last
    await harness.advance(10_000)
    assert first is not None and harness.client.tables.heartbeat.last >= first + 10_000


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/api/v10/interactions/12/a-token/callback", "answer"),
        ("PATCH", "/api/v10/webhooks/1/a-token/messages/@original", "answer_edit"),
        ("POST", "/proxy/api/v10/webhooks/1/a-token", "follow_up"),
        ("POST", "/api/v10/channels/5/messages", "message"),
        ("PATCH", "/api/v10/channels/5/messages/6", "message_edit"),
        ("DELETE", "/api/v10/channels/5/messages/6", "message_delete"),
        ("POST", "/api/v10/channels/5/messages/6/threads", "thread"),
        ("POST", "/api/v10/users/@me/channels", "direct_message_channel"),
        ("PUT", "/api/v10/applications/1/commands", "commands"),
        ("POST", "/api/v10/applications/1/emojis", "emoji"),
        ("GET", "/api/v10/gateway/bot", "other"),
        ("GET", "/api/v10/channels/5/messages/6", "other"),
    ],
)
def test_a_call_is_of_a_kind_and_its_path_stays_unseen(method: str, path: str, kind: str):
    assert kind_of(method, path) == kind
