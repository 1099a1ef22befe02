"""Files that appear complete or not at all: a copy is written beside its place, and named once it was checked."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without POSIX locks: there is only the lock beside the file
    fcntl = None  # type: ignore[assignment]

from data.store.errors import BackupFailed, ReadOnlyDatabase

LOCKS = fcntl is not None
"""Whether the system can lock open files. Windows cannot, and does not rename or delete them either."""


def file_exists(database: Path) -> bool:
    """Return True if there is such a file. Raises `ReadOnlyDatabase` if we may not even look."""
    try:
        return database.is_file()
    except OSError as error:
        raise ReadOnlyDatabase(
            f"The database {database} cannot be opened ({error.strerror}): give the bot access to its folder."
        ) from error


def check_folder(database: Path) -> None:
    """Raise `ReadOnlyDatabase` if the folder of a database does not exist, and `OSError` if we may not look."""
    folder = database.parent
    if not folder.is_dir():
        raise ReadOnlyDatabase(f"The folder {folder} does not exist: make it, or set DATABASE to another place.")


@contextlib.contextmanager
def new_copy(target: Path) -> Iterator[Path]:
    """Yield an empty file that is named `target` at the end. Raises `BackupFailed`; then nothing is left behind."""
    require_free(target)
    try:
        with partial_file(target) as path:
            yield path
            sync_file(path)
            publish_file(path, target)
        sync_folder(target.parent)
    except OSError as error:
        raise BackupFailed(f"The copy {target} could not be written ({error.strerror}): check its disk.") from error


def require_free(target: Path) -> None:
    """Raise `BackupFailed` if this name is taken by more than an empty file, which earlier versions left."""
    try:
        taken = target.is_symlink() or (target.exists() and (not target.is_file() or target.stat().st_size))
    except OSError as error:
        raise _cannot_be_made(target, error) from error
    if taken:
        raise BackupFailed(f"{target} exists already, and is left as it is: name a new file.")


def _cannot_be_made(target: Path, error: OSError) -> BackupFailed:
    return BackupFailed(
        f"The copy {target} cannot be made ({error.strerror}): name a file in a folder that may be written."
    )


@contextlib.contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """Yield an empty file beside the future copy, readable by its owner only, and deleted unless it is published. It is
    locked while it is written: an unlocked one is left over from a killed copy. Raises `BackupFailed`.
    """
    path = target.with_name(target.name + ".partial")
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise _cannot_be_made(target, error) from error
    with contextlib.ExitStack() as opened:
        opened.callback(os.close, handle)
        # A copy that has just been named or deleted no longer has this name.
        if not lock_file(handle) or not (path.exists() and os.path.samestat(path.stat(), os.fstat(handle))):
            raise BackupFailed(f"Another copy is being written to {target}: wait for it, or name another file.")
        os.truncate(handle, 0)
        path.chmod(0o600)
        if not LOCKS:
            opened.close()  # it will be renamed and deleted
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def publish_file(fresh: Path, target: Path) -> None:
    """Give the copy its name, at once and without replacing anything. Raises `BackupFailed`."""
    require_free(target)
    if target.exists():
        target.unlink()
    try:
        os.link(fresh, target)
    except FileExistsError:
        raise BackupFailed(f"{target} exists already, and is left as it is: name a new file.") from None
    except OSError:  # a file system without links
        fresh.replace(target)


def lock_file(handle: int) -> bool:
    """Lock an open file until it is closed; return False if somebody else has. Without such locks, return True."""
    if not LOCKS:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True


def sync_file(path: Path) -> None:
    """Write a file's content to the disk, so that it survives a power cut."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Write a folder's names to the disk too, if the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
