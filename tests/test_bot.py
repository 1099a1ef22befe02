"""Test the bot as a process: startup errors, shutdown, and that a kill loses nothing."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sqlite3
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bot
from cogs.core.app.client import PERMISSIONS
from cogs.core.ops import config
from cogs.core.ops.config import load_env_file
from cogs.core.ops.errors import AWAY, USAGE, ConfigurationError
from data import verification
from engine.games.rope_wall import GAME
from sandbox import PATIENCE_S, Sandbox, UserClient
from tests.preloaded import ROOT, BotProcess, start

# ------------------------------------------------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("READ_MESSAGES", "maybe"),
        ("MEMBERS_INTENT", "2"),
        ("THINKERS", "0"),
        ("THINKERS", "many"),
        ("THINK_SECONDS", "5"),
        ("THINK_SECONDS", "nan"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("METRICS", "yes"),
        ("METRICS", "-1"),
        ("METRICS", "65536"),
        ("METRICS", ":9808"),
        ("METRICS", "localhost:"),
        ("DISCORD_API", "hello"),
        ("DISCORD_API", "ftp://localhost/api"),
        ("DISCORD_API", "https://"),
        ("DISCORD_API", "https://localhost:port"),
        ("DISCORD_GATEWAY", "https://localhost"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named_with_what_it_may_be(name: str, value: str):
    with pytest.raises(ConfigurationError) as refused:
        config.read_config({name: value})
    sentence = str(refused.value)
    assert sentence.startswith(f"{name} is '{value}'") and "set it to" in sentence


def test_without_any_settings_the_database_lies_in_the_data_folder():
    settings = config.read_config({})
    assert settings == config.Config(None, ROOT / "data" / "cellblock.db")


def test_a_relative_database_starts_in_the_bots_folder_and_flags_are_read():
    settings = config.read_config(
        {"DATABASE": "data/mine.db", "READ_MESSAGES": "1", "THINKERS": "3", "LOG_LEVEL": "debug"}
    )
    assert (settings.database, settings.read_messages, settings.bot_workers) == (ROOT / "data" / "mine.db", True, 3)
    assert settings.log_level == "DEBUG"


@pytest.mark.parametrize(
    "address",
    [
        "mysql://u:secret@h/x",
        "sqlite:///x.db",
        "POSTGRESQL://u:secret@h/x",
        "postgresql:/u:secret@h/x",
        "Postgres:secret",
        "u:secret@h/x",
    ],
)
def test_a_database_of_another_kind_is_refused_without_its_password(address: str):
    with pytest.raises(ConfigurationError, match=r"by a path, or as postgresql://user:password@host/name") as refused:
        config.read_config({"DATABASE": address})
    assert address.partition(":")[0] in str(refused.value) and "secret" not in str(refused.value)
    with pytest.raises(ConfigurationError):
        config.address_of(address)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ("\n# mine\n\n  DATABASE /srv/tok.db\nTHINKERS=1\n", 4),
        ('THINKERS=1\nDISCORD_TOKEN="tok\n', 2),
        ("DISCORD_TOKEN=a\r\n\r\nDATABASE\r\n", 3),
        ("THINKERS='1' tok\n", 1),
        ("=tok\n", 1),
    ],
)
def test_an_invalid_line_of_the_settings_is_named_by_its_number_alone(lines: str, number: int, tmp_path: Path):
    (tmp_path / ".env").write_text(lines, newline="")
    with pytest.raises(ConfigurationError, match=rf"\.env, line {number}: .*NAME=value") as refused:
        load_env_file(tmp_path / ".env")
    assert "tok" not in str(refused.value)


def test_a_dollar_sign_in_the_settings_is_only_a_dollar_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    environment = {"LOGNAME": "somebody"}
    monkeypatch.setattr(os, "environ", environment)
    path = tmp_path / ".env"
    path.write_text("DATABASE=postgresql://cellblock:a${LOGNAME}$b@localhost/cellblock\n")
    load_env_file(path)
    assert environment["DATABASE"] == "postgresql://cellblock:a${LOGNAME}$b@localhost/cellblock"


def test_the_settings_may_be_a_file_as_windows_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    environment = {"THINKERS": "3"}  # overrides the file
    monkeypatch.setattr(os, "environ", environment)
    path = tmp_path / ".env"
    path.write_bytes(b"\xef\xbb\xbfTHINKERS=5\r\nTHINK_SECONDS='0.5'  # half\r\n")
    load_env_file(path)
    assert environment == {"THINKERS": "3", "THINK_SECONDS": "0.5"}


def test_settings_that_cannot_be_read_are_no_reason_to_go_on_without_them(tmp_path: Path):
    path = tmp_path / ".env"
    load_env_file(path)  # no file at all
    path.write_text("DISCORD_TOKEN=x\n", encoding="utf-16")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        load_env_file(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_env_file(path)


@pytest.mark.parametrize(
    ("value", "listen"),
    [
        ("", None),
        ("0", None),
        ("1", ("127.0.0.1", 1)),
        ("65535", ("127.0.0.1", 65_535)),
        ("0.0.0.0:9808", ("0.0.0.0", 9808)),
        ("[::1]:9808", ("::1", 9808)),
    ],
)
def test_figures_are_served_where_metrics_says_and_to_this_machine_alone_without_a_host(
    value: str, listen: tuple[str, int] | None
):
    pytest.importorskip("prometheus_client")
    assert config.read_config({"METRICS": value}).metrics == listen


def test_figures_without_what_writes_them_are_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(config, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"\.venv/bin/pip install '\.\[metrics\]'"):
        config.read_config({"METRICS": "9808"})
    assert config.read_config({}).metrics is None


def test_as_many_computer_players_think_together_as_the_machine_has_cores(monkeypatch: pytest.MonkeyPatch):
    assert config.read_config({}).bot_workers == config.Config(None, ROOT).bot_workers == config.cores() >= 1
    for usable, thinkers in ((1, 1), (6, 6), (64, 16)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, usable=usable: set(range(usable)), raising=False)
        assert config.read_config({}).bot_workers == thinkers


# --------------------------------------------------------------------------------------------------------- the process


async def ended(*arguments: str, **environment: str) -> tuple[int | None, str]:
    """Run the bot until it ends. Return its exit code and its output."""
    whole = {**os.environ, "DISCORD_TOKEN": "", "LOG_LEVEL": "ERROR", **environment}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        process = start(output, whole, *arguments)
        try:
            return await asyncio.wait_for(process.wait(), PATIENCE_S), output.read_text()
        finally:
            process.kill()


async def program_ended(*program: str) -> tuple[int | None, str]:
    """Run a Python program without settings until it ends. Return its exit code and its output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *program,
        cwd=ROOT,
        env={**os.environ, "DISCORD_TOKEN": ""},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, printed.decode()


def assert_one_sentence(code: int | None, printed: str, *words: str, expected: int = USAGE) -> None:
    assert code == expected
    assert printed.startswith("cellblock: ") and printed.count("\n") == 1 and "Traceback" not in printed
    for word in words:
        assert word in printed


def settings_for(sandbox: Sandbox, database: Path, **more: str) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API": sandbox.api,
        "DISCORD_GATEWAY": sandbox.gateway,
        "DATABASE": str(database),
        **more,
    }


async def test_a_python_without_the_dependencies_is_pointed_to_one_that_has_them():
    # Without site-packages
    code, printed = await program_ended("-I", "-S", "bot.py", "backup", "copy.db")
    assert_one_sentence(code, printed, ".venv/bin/python bot.py", "make run")


async def test_without_a_token_one_sentence_names_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE", str(tmp_path / "a.db"))
    code, printed = await program_ended("bot.py")
    assert_one_sentence(code, printed, "no token", ".env.example", "make play")
    assert not (tmp_path / "a.db").exists()


async def test_a_token_that_discord_refuses(tmp_path: Path):
    async with Sandbox() as sandbox:
        code, printed = await ended(**settings_for(sandbox, tmp_path / "a.db", DISCORD_TOKEN="a.wrong.token"))
    assert_one_sentence(code, printed, "refuses the token", "reset it")
    assert "a.wrong.token" not in printed


async def test_an_intent_that_the_application_was_not_granted(tmp_path: Path):
    async with Sandbox() as sandbox:
        code, printed = await ended(**settings_for(sandbox, tmp_path / "a.db", READ_MESSAGES="1"))
    assert_one_sentence(code, printed, "READ_MESSAGES", "Bot page")


async def test_if_discord_cannot_be_reached_the_service_manager_may_retry(tmp_path: Path):
    """As after a power cut, when the machine is up before its network. systemd does not restart after exit code 2."""
    async with Sandbox() as sandbox:
        settings = settings_for(sandbox, tmp_path / "a.db")
    code, printed = await ended(**settings)
    assert_one_sentence(code, printed, "cannot be reached", "network", expected=AWAY)


@contextlib.asynccontextmanager
async def answering_server(answer: bytes) -> AsyncIterator[str]:
    """Run a server that sends `answer` to every client and closes the connection. Yield its address."""

    async def answer_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer_client, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\n<html>", "it answers 403"),
        (b"HTTP/1.1 429 Too Many\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno", "it answers 429"),
        (b"", "cannot be reached"),
    ],
)
async def test_a_discord_that_refuses_the_bot_is_reported_in_one_sentence(answer: bytes, words: str, tmp_path: Path):
    async with Sandbox() as sandbox, answering_server(answer) as api:
        settings = settings_for(sandbox, tmp_path / "a.db", DISCORD_API=api, LOG_LEVEL="ERROR")
        code, printed = await ended(**settings)
    assert_one_sentence(
        code,
        "".join(line for line in printed.splitlines(keepends=True) if "We are being rate" not in line),
        words,
        expected=AWAY,
    )


async def test_a_400_from_discord_is_not_mistaken_for_an_outage(tmp_path: Path):
    answer = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno"
    async with Sandbox() as sandbox, answering_server(answer) as api:
        code, printed = await ended(**settings_for(sandbox, tmp_path / "a.db", DISCORD_API=api, LOG_LEVEL="ERROR"))
    assert code == 1 and "Traceback" in printed and "400 Bad Request" in printed


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path):
    path = tmp_path / "a.db"
    async with Sandbox() as sandbox:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE schema_version (number INTEGER, name TEXT, sha256 TEXT, applied_at INTEGER)")
            db.execute("INSERT INTO schema_version VALUES (9999, '9999_future.sql', 'x', 0)")
            db.commit()
        before = path.read_bytes()
        code, printed = await ended(**settings_for(sandbox, path))
    assert_one_sentence(code, printed, "newer Cellblock", "update the bot")
    assert path.read_bytes() == before


async def test_a_folder_in_the_place_of_the_database(tmp_path: Path):
    async with Sandbox() as sandbox:
        code, printed = await ended(**settings_for(sandbox, tmp_path))
    assert_one_sentence(code, printed, str(tmp_path))


async def test_a_port_that_is_taken(tmp_path: Path):
    async with Sandbox() as sandbox:
        code, printed = await ended("--sandbox", "--port", str(sandbox.port), DATABASE=str(tmp_path / "a.db"))
    assert_one_sentence(code, printed, str(sandbox.port), "--port")


@pytest.mark.parametrize("port", ["65536", "-1"])
def test_an_invalid_port(port: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended_with:
        bot.main(["--sandbox", f"--port={port}"])
    assert ended_with.value.code == USAGE
    assert f"{port} is no port: choose one from 1 to 65535" in capsys.readouterr().err


async def test_a_port_for_figures_that_is_taken(tmp_path: Path):
    pytest.importorskip("prometheus_client")
    async with Sandbox() as sandbox:
        code, printed = await ended(**settings_for(sandbox, tmp_path / "a.db", METRICS=str(sandbox.port)))
    assert_one_sentence(code, printed, "METRICS", str(sandbox.port), "in use", "Choose another")


@contextlib.asynccontextmanager
async def running(
    sandbox: Sandbox, database: Path, log: Path, *, program: tuple[str, ...] = (), **more: str
) -> AsyncIterator[BotProcess | asyncio.subprocess.Process]:
    """Run the bot, or another Python `program`, on this sandbox in its own process. Kill it at the end if it still
    runs.
    """
    environment = {**os.environ, **settings_for(sandbox, database, **more), "LOG_LEVEL": "DEBUG"}
    process: BotProcess | asyncio.subprocess.Process
    await sandbox.until(lambda: not sandbox.online)  # a killed process may be gone before its connection is
    if program:
        with log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *program, cwd=ROOT, env=environment, stdout=output, stderr=output
            )
    else:
        process = start(log, environment)
    try:
        await sandbox.bot_ready()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def test_the_quicker_event_loop_is_run_where_there_is_one(monkeypatch: pytest.MonkeyPatch):
    quicker, found = pytest.importorskip("uvloop"), list[bool]()

    async def look() -> None:
        found.append(isinstance(asyncio.get_running_loop(), quicker.Loop))

    bot.run(look())
    monkeypatch.setattr(bot, "uvloop", None)  # as on a system without uvloop
    bot.run(look())
    assert found == [True, False]


async def test_a_signal_ends_the_bot_cleanly(tmp_path: Path):
    async with Sandbox() as sandbox:
        sandbox.add_guild("Alcatraz")
        async with running(sandbox, tmp_path / "a.db", tmp_path / "log", program=("bot.py",)) as process:
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
        assert "Traceback" not in (tmp_path / "log").read_text()


async def test_without_signal_handlers_the_bot_plays_and_ctrl_c_still_ends_it(tmp_path: Path):
    """As on Windows, whose event loop has no signal handlers."""
    deaf = textwrap.dedent("""
        import asyncio, signal, sys

        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if a shell runs the tests in the background

        def refuse(*_):
            raise NotImplementedError

        asyncio.SelectorEventLoop.add_signal_handler = refuse
        import bot

        bot.uvloop = None
        sys.exit(bot.main([]))
    """)
    async with Sandbox() as sandbox:
        sandbox.add_guild("Alcatraz")
        async with running(sandbox, tmp_path / "a.db", tmp_path / "log", program=("-c", deaf)) as process:
            process.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
        assert "Traceback" not in (tmp_path / "log").read_text()


WINDOWS = """
import asyncio, os, pathlib, select, signal, sys, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if a shell runs the tests in the background

for name in ("fcntl", "uvloop", "pwd", "grp", "resource"):
    sys.modules[name] = None
for module, names in (
    (select, ("poll", "epoll", "kqueue")),
    (time, ("clock_gettime", "clock_gettime_ns", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC")),
    (os, ("nice", "sched_getaffinity")),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

def refuse(*_):
    raise NotImplementedError

asyncio.SelectorEventLoop.add_signal_handler = refuse
open_file, opened = os.open, {}

def open_no_folder(path, *arguments, **named):
    if not isinstance(path, int) and os.path.isdir(path):
        raise PermissionError(13, "Permission denied")
    return open_file(path, *arguments, **named)

def is_open(path):
    there = os.stat(path)
    for handle in os.listdir("/proc/self/fd"):
        try:
            if os.path.samestat(os.fstat(int(handle)), there):
                return True
        except OSError:
            pass
    return False

def not_of_open_files(change):
    def changed(path, *arguments, **named):
        if os.path.isfile(path) and is_open(path):
            raise PermissionError(13, f"{path} is open")
        return change(path, *arguments, **named)
    return changed

end = os.kill

def kill(pid, signal):
    assert signal, "this does not ask whether a process is there, it ends it"
    end(pid, signal)

os.open, os.kill = open_no_folder, kill
for name in ("unlink", "remove", "rename", "replace"):
    setattr(os, name, not_of_open_files(getattr(os, name)))
"""
"""Removes what Windows lacks, in the bot and in its worker processes for computer players."""


async def test_without_what_windows_lacks_the_bot_plays_a_game_with_a_computer_and_its_database_is_copied(
    tmp_path: Path,
):
    (tmp_path / "sitecustomize.py").write_text(WINDOWS)
    database, log = tmp_path / "a.db", tmp_path / "log"
    environment = {"PYTHONPATH": str(tmp_path), "THINK_SECONDS": "0.05", "THINKERS": "1"}
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000) as sandbox:
        guild = sandbox.add_guild("Alcatraz")
        yard, ann = sandbox.add_channel(guild, "yard"), sandbox.add_person("Ann", guild)
        async with running(sandbox, database, log, program=("bot.py",), **environment) as process:
            await ann.command(yard, "rope-wall start", computer="warden", pace="quick")
            for _ in range(3):
                await ann.until(lambda: ann_may_push(newest(sandbox, yard)))
                await ann.press(newest(sandbox, yard), ann_may_push(newest(sandbox, yard))[0])
            question = await ann.command(yard, "rope-wall resign")
            await ann.press(question, label="Resign the game")
            await ann.until(lambda: is_over(newest(sandbox, yard)))
            copy = await asyncio.create_subprocess_exec(
                *(sys.executable, "bot.py", "backup", str(tmp_path / "copy.db")),
                cwd=ROOT,
                env={**os.environ, **environment, "DATABASE": str(database)},
            )
            assert await asyncio.wait_for(copy.wait(), PATIENCE_S) == 0
            process.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
        restored = await asyncio.create_subprocess_exec(
            *(sys.executable, "bot.py", "restore", str(tmp_path / "copy.db")),
            cwd=ROOT,
            env={**os.environ, **environment, "DATABASE": str(database)},
        )
        assert await asyncio.wait_for(restored.wait(), PATIENCE_S) == 0
    assert "Traceback" not in log.read_text()


def newest(sandbox: Sandbox, channel: object) -> dict[str, object]:
    """Return the newest public message that has controls."""
    return [m for m in sandbox.messages(channel) if m["components"] and not m["flags"] & 64][-1]  # type: ignore[arg-type]


def ann_may_push(message: dict[str, object]) -> list[str]:
    """Return the custom_ids of Ann's possible pushes; empty while the computer thinks."""
    mine = "**Ann**'s move" in UserClient.visible_text(message)
    return [part["custom_id"] for part in push_buttons(message) if not part.get("disabled")] if mine else []


def is_over(message: dict[str, object]) -> bool:
    """Return True if the game has ended."""
    return any(part.get("label") == "Rematch" for part in UserClient.buttons(message))


@pytest.mark.parametrize(("mode", "open_to_others"), [(0o600, False), (0o400, False), (0o640, True), (0o644, True)])
def test_the_owner_is_warned_of_a_token_that_others_can_read(tmp_path: Path, mode: int, open_to_others: bool):
    path = tmp_path / ".env"
    assert config.env_file_warning(path) is None
    path.write_text("DISCORD_TOKEN=x")
    path.chmod(mode)
    warning = config.env_file_warning(path)
    assert (warning is not None) == open_to_others
    if warning is not None:
        assert f"mode {mode:o}" in warning and f"chmod 600 {path}" in warning


async def test_a_bot_on_no_server_says_how_to_add_it_to_one(tmp_path: Path):
    log = tmp_path / "log"
    async with Sandbox() as sandbox, running(sandbox, tmp_path / "a.db", log):
        await sandbox.until(lambda: "add the bot to a server" in log.read_text())
    found = re.search(r"https://discord.com/oauth2/authorize\?\S+", log.read_text())
    told = (ROOT / "README.md").read_text()
    assert found is not None and f"permissions={PERMISSIONS.value}" in found[0]
    application = re.search(r"client_id=(\d+)", found[0])
    assert application is not None and found[0].replace(application[1], "YOUR_APPLICATION_ID") in told


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (4010, "set SHARD_COUNT to auto"),
        (4011, "set SHARD_COUNT to a larger number"),
        (4012, "update it"),
        (4013, "update the bot, or set READ_MESSAGES"),
    ],
)
async def test_when_discord_closes_the_gateway_the_owner_reads_why_in_one_sentence(
    code: int, words: str, tmp_path: Path
):
    """systemd must not restart it every few seconds until the owner looks."""
    async with Sandbox() as sandbox:
        sandbox.refuse_sessions(code)
        ended_with, printed = await ended(**settings_for(sandbox, tmp_path / "a.db", SHARD_COUNT="1"))
    assert_one_sentence(ended_with, printed, words)


@pytest.mark.parametrize(
    ("code", "words", "expected"),
    [
        (4004, "no longer accepts the token in DISCORD_TOKEN", USAGE),
        (4014, "switch it on on its Bot page", USAGE),
        (4011, "counts them again when it starts", AWAY),  # it counts automatically, so that helps
    ],
)
async def test_a_gateway_closed_for_good_while_the_bot_runs_is_reported_too(
    code: int, words: str, expected: int, tmp_path: Path
):
    log = tmp_path / "log"
    async with Sandbox() as sandbox:
        sandbox.add_guild("Alcatraz")
        async with running(sandbox, tmp_path / "a.db", log) as process:
            sandbox.refuse_sessions(code)
            sandbox.ask_to_reconnect(sandbox.sessions[0])
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == expected
    written = log.read_text()
    assert words in written.splitlines()[-1] and "Traceback" not in written


async def test_each_json_log_line_is_one_object_and_contains_no_secret(tmp_path: Path):
    """Not even at level DEBUG, where the libraries log all traffic."""
    database, log = tmp_path / "a.db", tmp_path / "log"
    async with Sandbox(reaction_ms=0, answer_within_ms=PATIENCE_S * 1_000) as sandbox:
        guild = sandbox.add_guild("Alcatraz")
        yard = sandbox.add_channel(guild, "yard")
        ann, ben = sandbox.add_person("Ann", guild), sandbox.add_person("Ben", guild)
        async with running(sandbox, database, log, LOG_FORMAT="json") as process:
            await ann.command(yard, "break-out start", clock=0)
            await ben.press(table_message(sandbox, yard), label="Join")
            await ann.press(table_message(sandbox, yard), label="Start")
            # On a busy machine the answer is deferred, and the message is edited a little later.
            await ann.until(lambda: "NEXT" in {part.get("label") for part in ann.buttons(table_message(sandbox, yard))})
            hand = re.search(r"Your hand: (.+)", (await ann.command(yard, "break-out hand")).text)
            await ann.press(table_message(sandbox, yard), label="NEXT")
            with contextlib.closing(sqlite3.connect(database)) as db:
                ((seed,),) = db.execute("SELECT seed FROM tables")
                # The row that a second bot adds when it starts
                db.execute("INSERT INTO runs (started_at, alive_at) VALUES (1, 1)")
                db.commit()
            await ann.command(yard, "rope-wall start")
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 2
        tokens = {call.path.split("/")[-2] for call in sandbox.calls if call.path.endswith("/callback")}
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    assert {line["logger"] for line in lines} >= {"cellblock", "discord.gateway"}
    assert (lines[-1]["level"], lines[-1]["message"][:24]) == ("CRITICAL", "Another bot has opened t")
    assert hand is not None and len(tokens) >= 5
    assert not [secret for secret in (sandbox.token, seed.hex(), hand[1], *tokens) if secret in written]


async def test_a_bot_that_another_one_has_overtaken_says_so_and_stops(tmp_path: Path):
    database, log = tmp_path / "a.db", tmp_path / "log"
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000) as sandbox:
        guild = sandbox.add_guild("Alcatraz")
        yard, ann = sandbox.add_channel(guild, "yard"), sandbox.add_person("Ann", guild)
        async with running(sandbox, database, log) as process:
            with contextlib.closing(sqlite3.connect(database)) as db:
                # The row that a second bot adds when it starts
                db.execute("INSERT INTO runs (started_at, alive_at) VALUES (1, 1)")
                db.commit()
            answer = await ann.command(yard, "rope-wall start")
            assert "nothing was done" in answer.text
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 2
            assert all(message["flags"] & 64 for message in sandbox.messages(yard))  # there is no table
    written = log.read_text()
    assert "cellblock: Another bot has opened this database" in written and "Traceback" not in written


async def test_a_health_check_distinguishes_a_running_bot_from_one_that_crashed_stopped_or_never_ran(tmp_path: Path):
    database = tmp_path / "a.db"

    def change(sql: str) -> None:
        with contextlib.closing(sqlite3.connect(database)) as db:
            db.execute(sql)
            db.commit()

    assert_one_sentence(*await ended("alive", DATABASE=str(database)), "no database", str(database))
    async with Sandbox() as sandbox:
        sandbox.add_guild("Alcatraz")
        async with running(sandbox, database, tmp_path / "log") as process:
            code, printed = await ended("alive", DATABASE=str(database))
            assert code == 0 and "a bot is running on" in printed
            code, printed = await ended("alive", "--here", DATABASE=str(database))
            assert code == 0 and "a bot on this host is running on" in printed
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), PATIENCE_S)
        code, printed = await ended("alive", DATABASE=str(database))
        assert code == 1 and "no bot is running" in printed and "(stopped" in printed
        with contextlib.closing(sqlite3.connect(database)) as db:
            ((alive, stopped),) = db.execute("SELECT alive_at, stopped_at FROM runs")
        assert abs(stopped - alive) < 60_000  # from here on the bot counts as offline
    change("UPDATE runs SET stopped_at = NULL, alive_at = alive_at - 61000")
    code, printed = await ended("alive", DATABASE=str(database))
    assert code == 1 and "no bot is running" in printed and "(last seen" in printed
    change("ALTER TABLE runs DROP COLUMN stopped_at")  # as in an earlier version
    code, printed = await ended("alive", DATABASE=str(database))
    assert code == 1 and "(last seen" in printed
    change("DELETE FROM runs")
    code, printed = await ended("alive", DATABASE=str(database))
    assert code == 1 and "(never seen)" in printed


@pytest.mark.parametrize("way", ["move-database", "restore"])
async def test_a_database_that_was_restored_or_moved_has_no_bot_alive(tmp_path: Path, way: str):
    database, there, copy = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "copy.db"
    async with Sandbox() as sandbox:
        sandbox.add_guild("Alcatraz")
        async with running(sandbox, database, tmp_path / "log") as process:
            assert (await ended("backup", str(copy), DATABASE=str(database)))[0] == 0
            process.kill()
            await process.wait()
    if way == "restore":
        assert (await ended("restore", str(copy), DATABASE=str(there)))[0] == 0
    else:
        assert (await ended("move-database", str(database), str(there)))[0] == 0
    code, printed = await ended("alive", DATABASE=str(there))
    assert code == 1 and "no bot is running" in printed


async def test_a_health_check_loads_neither_discord_nor_games_nor_pictures(tmp_path: Path):
    program = (
        "import runpy, sys\n"
        "sys.argv = ['bot.py', 'alive']\n"
        "try:\n    runpy.run_path('bot.py', run_name='__main__')\n"
        "except SystemExit as ended:\n    print(ended.code)\n"
        "print(sorted({'discord', 'aiohttp', 'PIL', 'psycopg', 'engine.games', 'cogs.registry'} & set(sys.modules)))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, cwd=ROOT, env={**os.environ, "DATABASE": str(tmp_path / "a.db")}, stdout=-1
    )
    printed, _ = await process.communicate()
    assert printed.decode().split("\n")[-3:-1] == [str(USAGE), "[]"]


def table_message(sandbox: Sandbox, channel: object) -> dict[str, object]:
    """Return the table message."""
    return next(m for m in sandbox.messages(channel) if m["components"] and not m["flags"] & 64)  # type: ignore[arg-type]


def push_buttons(message: dict[str, object]) -> list[dict[str, str]]:
    """Return the buttons that push a knot."""
    return [part for part in UserClient.buttons(message) if ":push:" in part.get("custom_id", "")]


def shows(message: dict[str, object], made: list[str]) -> bool:
    """Return True if the table message shows the last push, or, before the first push, a started game."""
    return bool(push_buttons(message)) and (not made or f"pushed {made[-1]}" in UserClient.visible_text(message))


async def test_a_kill_after_each_acknowledged_move_loses_nothing(tmp_path: Path):
    """The next click goes to the message as the killed process left it."""
    database, log = tmp_path / "a.db", tmp_path / "log"
    async with Sandbox(reaction_ms=0, answer_within_ms=PATIENCE_S * 1_000) as sandbox:
        guild = sandbox.add_guild("Alcatraz")
        yard = sandbox.add_channel(guild, "yard")
        ann, ben = sandbox.add_person("Ann", guild), sandbox.add_person("Ben", guild)
        made: list[str] = []
        for number in range(8):
            async with running(sandbox, database, log) as process:
                if number == 0:
                    await ann.command(yard, "rope-wall start", clock=0)
                    await ben.press(table_message(sandbox, yard), label="Join")
                    await ann.press(table_message(sandbox, yard), label="Start")
                # An edit of the killed process may have arrived last; the next one shows the committed state.
                await ann.until(lambda: shows(table_message(sandbox, yard), made))
                pushes = push_buttons(table_message(sandbox, yard))
                message = table_message(sandbox, yard)
                mover = ann if "**Ann**'s move" in UserClient.visible_text(message) else ben
                chosen = pushes[number % len(pushes)]
                answer = await mover.press(message, chosen["custom_id"])
                assert answer.failed is None, answer
                made.append(chosen["custom_id"].rsplit(":", 1)[1])
                if answer.type != 7:  # deferred on a busy machine: the move counts once the message shows it
                    await ann.until(lambda: shows(table_message(sandbox, yard), made))
                process.kill()  # immediately after the acknowledgement
                await process.wait()
        assert sandbox.violations == []
        with contextlib.closing(sqlite3.connect(database)) as db:
            bodies = [body for (body,) in db.execute("SELECT body FROM events WHERE table_id = 1 ORDER BY number")]
        events = [GAME.read_event(body) for body in bodies]
        pushed = [event for event in events if type(event).__name__ == "Pushed"]
        assert [f"{push.side[0].upper()}{push.floor}" for push in pushed] == made
        assert GAME.view(GAME.fold(events), None).pushes_left == 120 - len(made)
        with contextlib.closing(sqlite3.connect(database)) as db:
            ((seed,),) = db.execute("SELECT seed FROM tables")
    written = log.read_text()
    assert sandbox.token not in written and seed.hex() not in written, "a secret is in the log"
    assert "Traceback" not in written


def test_a_file_without_a_size_is_not_read_without_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    endless = Path("/proc/self/maps")  # like a device, it reports a size of 0
    if not endless.exists():
        pytest.skip("this system has no such file")
    monkeypatch.setattr(verification, "MOST_BYTES", 1_024)
    assert bot.main(["verify", str(endless)]) == USAGE
    assert_one_sentence(USAGE, capsys.readouterr().err, str(endless), "too large to be an exported game")


def test_a_file_of_sixty_thousand_brackets_is_reported_as_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "game.json"
    path.write_bytes(b"[" * 60_000)
    assert bot.main(["verify", str(path)]) == USAGE
    assert_one_sentence(USAGE, capsys.readouterr().err, "no exported game", str(path))
