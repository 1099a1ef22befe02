"""A PostgreSQL cluster for tests and tools: one per test session, in a temporary folder, on a Unix socket only.

The shared cluster does not sync to the disk, since no test simulates a power cut.
"""

import contextlib
import fcntl
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

USER = "cellblock"
TEMPLATE = "kept"
"""A database with every migration, from which the databases of tests are copied."""

FAST = ("fsync=off", "full_page_writes=off", "max_connections=300", "shared_buffers=32MB", "autovacuum=off")


def programs() -> Path | None:
    """Return the folder of the server's programs, if it is installed. Debian does not put them on the PATH."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql")
    folders = sorted(versions.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return folders[-1].parent if folders else None


def _owner() -> str | None:
    """Return the user that owns the cluster; the server refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Cluster:
    """A running server. `stop` and `start` let tests see what happens in between."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._numbers = itertools.count(1)
        self._made: list[str] = []

    def url(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def program(self, name: str, *arguments: str) -> str:
        """Run one of the server's programs; return its output."""
        owner = _owner()
        done = subprocess.run(
            [self._programs / name, *arguments],
            user=owner,
            group=None if owner is None else pwd.getpwnam(owner).pw_gid,
            extra_groups=None if owner is None else [],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    def make(self, *settings: str) -> None:
        """Create the cluster, and start it."""
        data = str(self.folder / "data")
        self.program("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        lines = [f"unix_socket_directories='{self.folder}'", "listen_addresses=''", *settings]
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.write("".join(f"{line}\n" for line in lines))
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.program("pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-w", "-s", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop the server: `fast` closes all connections, `immediate` is a crash."""
        self.program("pg_ctl", "-D", str(self.folder / "data"), "-m", how, "-w", "-s", "stop")

    def remove(self) -> None:
        """Stop the server, if it runs, and delete the cluster."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def fresh(self, template: str = TEMPLATE) -> str:
        """Create a database and return its address."""
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        with self._administered() as db:
            # The only way before version 15
            copied = " STRATEGY file_copy" if db.info.server_version >= 150_000 else ""
            db.execute(f"CREATE DATABASE {name} TEMPLATE {template}{copied}".encode())
        self._made.append(name)
        return self.url(name)

    def dump(self, url: str) -> bytes:
        """Return a database as SQL that any later server understands."""
        plain = ("--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=1000")
        return self.program("pg_dump", *plain, f"--dbname={url}").encode()

    def restored(self, dump: bytes) -> str:
        """Return the address of a new database with the contents of this dump."""
        import psycopg

        url = self.fresh("template1")
        sql = "\n".join(line for line in dump.decode().splitlines() if not line.startswith("\\"))
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(sql.encode())
        return url

    @contextlib.contextmanager
    def swept(self) -> Iterator[None]:
        """Drop the databases that this process creates in this context, even if clients are connected."""
        before = len(self._made)
        yield
        made, self._made[before:] = self._made[before:], []
        if made:
            with self._administered() as db:
                for name in made:
                    db.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def _administered(self) -> "psycopg.Connection[Any]":
        import psycopg

        return psycopg.connect(self.url("postgres"), autocommit=True)


def folder() -> Path:
    """Create a folder for a cluster that its owner may enter, with a path short enough for a socket."""
    path = Path(tempfile.mkdtemp(prefix="cellblock-"))
    owner = _owner()
    if owner is not None:
        os.chown(path, pwd.getpwnam(owner).pw_uid, pwd.getpwnam(owner).pw_gid)
    return path


@contextlib.contextmanager
def shared(place: Path, binaries: Path, prepare: Callable[[Cluster], None]) -> Iterator[Cluster]:
    """Yield the cluster that all test processes with this `place` share. The first process creates and prepares it, and
    the last one deletes it.
    """
    users = place / "postgres"
    with _locked(place):
        count, path = users.read_text().split() if users.exists() else ("0", str(folder()))
        cluster = Cluster(Path(path), binaries)
        users.write_text(f"{int(count) + 1} {path}")
        if count == "0":
            cluster.make(*FAST)
            prepare(cluster)
    try:
        yield cluster
    finally:
        with _locked(place):
            left = int(users.read_text().split()[0]) - 1
            users.write_text(f"{left} {path}")
            if not left:
                users.unlink()
                cluster.remove()


@contextlib.contextmanager
def separate() -> Iterator[Cluster]:
    """Yield a small cluster that may be stopped, since nothing else uses it."""
    binaries = programs()
    assert binaries is not None
    cluster = Cluster(folder(), binaries)
    try:
        cluster.make("fsync=off", "max_connections=40", "shared_buffers=16MB")
        yield cluster
    finally:
        cluster.remove()


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    with (place / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
