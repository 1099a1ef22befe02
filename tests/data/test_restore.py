"""Restoring a copy: it becomes the database, the old one is kept, and no mistake loses data."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot import main
from cogs.core.ops.errors import USAGE
from data.store import BackupFailed, CorruptDatabase, DatabaseLocked, ReadOnlyDatabase, Store, StoreError
from data.store.games import NewDecision
from data.store.maintenance import restore_backup
from data.store.open_store import Address, open_store
from data.store.sqlite import backup as backup_module
from data.store.sqlite.backup import backup, restore
from tests.data.conftest import NOON, Time, start_table


@pytest.fixture
async def copy(tmp_path: Path, time: Time) -> Path:
    """A copy with a game in it."""
    async with open_store(tmp_path / "first.db", now=time.now) as store:
        await start_table(store)
        backup(tmp_path / "first.db", tmp_path / "copy.db", NOON)
    for file in tmp_path.glob("first.db*"):
        file.unlink()
    return tmp_path / "copy.db"


async def fallen(copy: Path, path: Path, time: Time) -> Path:
    """Play one move on a copy, and leave what a crash leaves: the file with its log."""
    played = copy.with_name("played.db")
    played.write_bytes(copy.read_bytes())
    async with open_store(played, now=time.now) as store:
        await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["later"], due=None))
        for suffix in ("", "-wal"):
            path.with_name(path.name + suffix).write_bytes(played.with_name(played.name + suffix).read_bytes())
    for file in copy.parent.glob("played.db*"):
        file.unlink()
    assert path.with_name(path.name + "-wal").stat().st_size
    return path


async def events(database: Path, time: Time) -> list[str]:
    """Return the events of the first table."""
    async with open_store(database, now=time.now) as store:
        return await store.games.events(1)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(("-lock", "-shm"))}


async def test_a_copy_is_what_it_was_also_where_a_crash_has_left_a_log_and_both_are_kept(
    copy: Path, path: Path, time: Time
):
    await fallen(copy, path, time)
    before = copy.read_bytes()
    aside = restore(copy, path, NOON)
    assert aside is not None and aside.parent == path.parent and aside.name.startswith(f"{path.name}-")
    assert await events(path, time) == ["a", "b"]
    assert await events(aside, time) == ["a", "b", "later"]
    assert copy.read_bytes() == before and path.stat().st_mode & 0o777 == 0o600


async def test_a_damaged_database_makes_room_and_is_kept_with_its_log(copy: Path, path: Path, time: Time):
    path.write_bytes(b"no database any more")
    path.with_name(path.name + "-wal").write_bytes(b"nor a log")
    aside = restore(copy, path, NOON)
    assert aside is not None and await events(path, time) == ["a", "b"]
    assert aside.read_bytes() == b"no database any more"
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"nor a log"


async def test_where_there_was_no_database_there_is_one_and_nothing_else(copy: Path, path: Path, time: Time):
    assert restore(copy, path, NOON) is None
    assert set(files(path.parent)) == {copy.name, path.name}
    assert await events(path, time) == ["a", "b"]


async def test_a_log_whose_database_is_gone_is_kept(copy: Path, path: Path, time: Time):
    await fallen(copy, path, time)
    path.unlink()
    aside = restore(copy, path, NOON)
    assert aside is not None and aside.exists()
    assert await events(path, time) == ["a", "b"]


async def test_under_a_bot_nothing_is_put(copy: Path, path: Path, store: Store):
    with pytest.raises(DatabaseLocked, match="stop it first"):
        restore(copy, path, NOON)
    await start_table(store)
    assert await store.games.events(1) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "error"), [(None, BackupFailed), (b"", CorruptDatabase), (b"a letter", CorruptDatabase)]
)
async def test_a_file_that_is_not_a_copy_replaces_nothing(
    copy: Path, path: Path, time: Time, content: bytes | None, error: type[StoreError]
):
    await fallen(copy, path, time)
    wrong = copy.with_name("wrong.db")
    if content is not None:
        wrong.write_bytes(content)
    before = files(path.parent)
    with pytest.raises(error):
        restore(wrong, path, NOON)
    with pytest.raises(ReadOnlyDatabase, match="does not exist: make it"):
        restore(copy, path.with_name("nowhere") / "cellblock.db", NOON)
    with pytest.raises(BackupFailed, match="the database itself"):
        restore(path, path, NOON)
    assert files(path.parent) == before


async def test_a_copy_that_has_lost_rows_takes_nobodys_place(copy: Path, path: Path, time: Time):
    await fallen(copy, path, time)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("UPDATE seats SET table_id = 999 WHERE seat = 0")
        db.commit()
    before = files(path.parent)
    with pytest.raises(BackupFailed, match="a row of seats belongs to one of tables that is not there"):
        restore(copy, path, NOON)
    assert files(path.parent) == before


async def test_what_fails_at_the_last_moment_leaves_the_database_in_its_place(
    copy: Path, path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
):
    await fallen(copy, path, time)

    def fails(fresh: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup_module, "publish_file", fails)
    with pytest.raises(BackupFailed, match="No space left on device"):
        restore(copy, path, NOON)
    assert await events(path, time) == ["a", "b", "later"]
    assert {name for name in files(path.parent) if name.startswith(path.name)} == {path.name}


async def test_the_owner_puts_it_back_by_one_command(
    copy: Path, path: Path, time: Time, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    await fallen(copy, path, time)
    monkeypatch.setenv("DATABASE", str(path))
    assert main(["restore", str(copy)]) == 0
    assert f"restored {path} from {copy}. The previous database was kept as {path}-" in capsys.readouterr().out
    assert main(["restore", str(copy.with_name("lost.db"))]) == USAGE
    assert "There is no copy" in capsys.readouterr().err


def test_a_server_is_restored_by_its_own_means(tmp_path: Path):
    server: Address = "postgresql://user:secret@host/name"
    with pytest.raises(StoreError, match="pg_restore") as told:
        restore_backup(server, tmp_path / "copy.db", NOON)
    assert "secret" not in str(told.value)
