"""Copies of the database: complete, restorable, never overwriting another file, with clear errors."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from data.store import BackupFailed, ReadOnlyDatabase, Store
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite import backup as backup_module
from data.store.sqlite.backup import backup
from engine.contract import Moment
from tests.data.conftest import NOON, Time, new, start_table, two

ROOT = Path(__file__).resolve().parents[2]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def test_a_copy_is_made_while_the_bot_plays_and_can_be_played_on(store: Store, path: Path, time: Time):
    await start_table(store)
    copy = path.with_name("copy.db")
    size = backup(path, copy, NOON)
    assert size == copy.stat().st_size
    await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["after the copy"], due=None))
    async with open_store(copy, now=time.now) as restored:
        assert await restored.games.events(1) == ["a", "b"]
        assert [seat.name for seat in await restored.seats.of(1)] == ["Ann", "Ben"]
        await restored.games.append(
            1, NewDecision(number=2, seat=1, at=NOON, action="y", events=["played on"], due=None)
        )
        assert (await restored.tables.create(new(), two())).id == 2
        assert await restored.games.events(1) == ["a", "b", "played on"]
    assert await store.games.events(1) == ["a", "b", "after the copy"]


async def test_the_database_knows_when_it_was_last_copied(store: Store, path: Path):
    assert await store.server_admin.last_backup() is None
    backup(path, path.with_name("one.db"), NOON)
    size = backup(path, path.with_name("two.db"), Moment(NOON + 5))
    last = await store.server_admin.last_backup()
    assert last is not None and (last.at, last.bytes) == (NOON + 5, size)


async def test_a_copy_is_made_of_a_database_that_was_cut_short(path: Path, tmp_path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        # A crash leaves the file with its log beside it, and no process that holds them.
        fallen = tmp_path / "fallen.db"
        for suffix in ("", "-wal"):
            fallen.with_name(fallen.name + suffix).write_bytes(path.with_name(path.name + suffix).read_bytes())
    backup(fallen, tmp_path / "copy.db", NOON)
    async with open_store(tmp_path / "copy.db", now=time.now) as restored:
        assert await restored.games.events(1) == ["a", "b"]


async def test_only_its_owner_may_read_a_copy(store: Store, path: Path):
    copy = path.with_name("copy.db")
    backup(path, copy, NOON)
    assert copy.stat().st_mode & 0o777 == 0o600


async def test_an_existing_file_is_never_overwritten(store: Store, path: Path, tmp_path: Path):
    for name in ("letter.txt", path.name):
        target = tmp_path / name
        before = target.read_bytes() if target.exists() else b"dear Ben"
        if not target.exists():
            target.write_bytes(before)
        with pytest.raises(BackupFailed, match="exists already"):
            backup(path, target, NOON)
        assert target.read_bytes() == before
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "nowhere.db")
    with pytest.raises(BackupFailed, match="exists already"):
        backup(path, link, NOON)
    assert not (tmp_path / "nowhere.db").exists()


def test_a_database_that_is_missing_is_named_and_nothing_is_made(tmp_path: Path):
    with pytest.raises(BackupFailed, match=r"no database .*lost\.db"):
        backup(tmp_path / "lost.db", tmp_path / "copy.db", NOON)
    assert names(tmp_path) == set()


def killed(program: str, *arguments: Path) -> None:
    """Run a program that kills itself, in its own process."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("at", ["_copy", "_check", "sync_file", "publish_file"])
async def test_a_copy_that_is_killed_blocks_no_other_and_passes_for_none(store: Store, path: Path, at: str):
    await start_table(store)
    copy = path.with_name("copy.db")
    killed(
        """
        import os, signal, sys
        from pathlib import Path
        from data.store import atomic_files as files
        from data.store.sqlite import backup

        room = files if hasattr(files, sys.argv[3]) else backup
        step = getattr(room, sys.argv[3])

        def die(*arguments):
            if sys.argv[3] != "publish_file":
                step(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(room, sys.argv[3], die)
        backup.backup(Path(sys.argv[1]), Path(sys.argv[2]), 1)
        """,
        path,
        copy,
        Path(at),
    )
    assert "copy.db" not in names(path.parent) and "copy.db.partial" in names(path.parent)
    assert backup(path, copy, NOON) == copy.stat().st_size
    assert "copy.db.partial" not in names(path.parent) and copy.stat().st_mode & 0o777 == 0o600


async def test_an_empty_file_that_an_earlier_version_left_is_replaced(store: Store, path: Path):
    copy = path.with_name("copy.db")
    copy.touch()
    assert backup(path, copy, NOON) == copy.stat().st_size > 0


async def test_two_copies_under_one_name_do_not_spoil_each_other(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
):
    copy, check = path.with_name("copy.db"), backup_module._check

    def meanwhile(partial: Path) -> None:
        with pytest.raises(BackupFailed, match="Another copy is being written"):
            backup(path, copy, NOON)
        check(partial)

    monkeypatch.setattr(backup_module, "_check", meanwhile)
    assert backup(path, copy, NOON) == copy.stat().st_size > 0


@pytest.mark.parametrize("content", [b"", b"this is a diary, not a database" * 40])
def test_another_file_is_not_taken_for_the_database(tmp_path: Path, content: bytes):
    (tmp_path / "diary.db").write_bytes(content)
    with pytest.raises(BackupFailed, match=r"diary\.db"):
        backup(tmp_path / "diary.db", tmp_path / "copy.db", NOON)
    assert names(tmp_path) == {"diary.db"}
    assert (tmp_path / "diary.db").read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
    with pytest.raises(BackupFailed, match="no database of Cellblock's"):
        backup(tmp_path / "other.db", tmp_path / "copy.db", NOON)
    assert names(tmp_path) == {"other.db"}


async def test_a_missing_folder_is_reported(store: Store, path: Path, tmp_path: Path):
    with pytest.raises(BackupFailed, match="folder"):
        backup(path, tmp_path / "attic" / "copy.db", NOON)


async def test_a_folder_without_access_is_reported(store: Store, path: Path, tmp_path: Path):
    nowhere = tmp_path / ("x" * 300)  # the system refuses access, as for other users' files
    with pytest.raises(BackupFailed, match="cannot be made"):
        backup(path, nowhere / "copy.db", NOON)
    with pytest.raises(ReadOnlyDatabase, match="cannot be opened"):
        backup(nowhere / "cellblock.db", tmp_path / "copy.db", NOON)
    assert not (tmp_path / "copy.db").exists()


async def test_a_damaged_database_gives_no_copy(path: Path, tmp_path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        for _ in range(200):
            await start_table(store)
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    content[5 * page : 20 * page] = os.urandom(15 * page)
    path.write_bytes(bytes(content))
    with pytest.raises(BackupFailed, match=r"cannot be read|could not be copied"):
        backup(path, tmp_path / "copy.db", NOON)
    assert "copy.db" not in names(tmp_path) and "copy.db.partial" not in names(tmp_path)


async def test_a_full_disk_is_reported_and_leaves_nothing_behind(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
):
    await start_table(store)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BackupFailed, match="No space left"):
        backup(path, path.with_name("copy.db"), NOON)
    monkeypatch.undo()
    assert not {"copy.db", "copy.db.partial"} & names(path.parent)
    assert await store.server_admin.last_backup() is None


async def test_a_copy_without_disk_space_is_reported(store: Store, path: Path, tmp_path: Path):
    """The limit on a process's file size simulates a disk that fills up halfway."""
    resource = pytest.importorskip("resource")
    for _ in range(50):
        await start_table(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 * 1024, hard))
    try:
        with pytest.raises(BackupFailed, match="room"):
            backup(path, tmp_path / "copy.db", NOON)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert not {"copy.db", "copy.db.partial"} & names(tmp_path)
