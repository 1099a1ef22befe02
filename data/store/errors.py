"""What can go wrong with the database, each told in one sentence: what is wrong, and what to do.

    StoreError               the root; by itself: the store is closed, or a row that ought to be there is not
    ├── NewerDatabase        a newer Cellblock wrote it
    ├── CorruptDatabase      damaged, or no database of Cellblock's at all; the file stays as it is
    ├── ReadOnlyDatabase     the file or its folder is missing or may not be written
    ├── InUse                another bot, or another program, holds it
    ├── Overtaken            another bot has opened it since; this one writes nothing any more
    ├── Silenced             this process was not heard of in time: it writes nothing until it has been heard of again
    ├── Elsewhere            another process serves the table's server by now
    ├── OtherCount           processes are there that count with another number of shards
    ├── Unreachable          the database server does not answer; later writes work again when it does
    ├── DiskFull             no room, or the disk fails; later writes work again when there is room
    ├── BackupFailed         no copy was made, or the copy was not whole; the database is as it was
    ├── MoveFailed           nothing was carried to another database; both are as they were
    ├── MigrationFailed      a step of its growth failed, or was changed after it was taken
    ├── SecretSeed           the seed of a game that is not over was asked for
    ├── LimitReached         as many tables are open as may be
    └── Conflict             this event number is taken: somebody else wrote to the table

May import the standard library only.
"""

from typing import Literal


class StoreError(Exception):
    """The root of what the store raises on purpose."""


class NewerDatabase(StoreError):
    """The database has migrations that this version does not know."""


class CorruptDatabase(StoreError):
    """The file is damaged, or is not Cellblock's database."""


class ReadOnlyDatabase(StoreError):
    """The file or its folder is missing, or may not be written."""


class DatabaseLocked(StoreError):
    """Another bot runs on this database, or another program holds it."""


class DatabaseTakenOver(StoreError):
    """Another bot has opened the database since this one did, as over a network share, where no lock holds."""


class LeaseExpired(StoreError):
    """This process was not heard of in time, so others may have taken over what it served."""


class NotShardOwner(StoreError):
    """Another process serves the server that this is about, or nobody any more. Nothing of the write took place."""


class ShardCountMismatch(StoreError):
    """Processes are there that count with another number of shards: the servers would be shared out twice."""


class Unreachable(StoreError):
    """The database server does not answer, or was lost in the middle. What was being written may be there or not;
    nothing of it was acknowledged, and the next write finds out by the number of the event.
    """


class DiskFull(StoreError):
    """The disk has no room left, or fails. Nothing of the write took place."""


class BackupFailed(StoreError):
    """A copy of the database could not be made. What there was of it is gone again."""


class MoveFailed(StoreError):
    """What is kept could not be carried to another database. Nothing of it is there."""


class MigrationFailed(StoreError):
    """A migration could not be applied; the database is as it was before any of them was."""


class SecretSeed(StoreError):
    """The seed of a game that is not over: whoever knows it knows every card to come."""


class LimitReached(StoreError):
    """As many tables of a person, a channel or a server are open as may be; `alone`: of those at which a person plays
    against computers only. `tables` are they, oldest first.
    """

    def __init__(
        self, whose: Literal["person", "alone", "channel", "server"], most: int, tables: tuple[int, ...]
    ) -> None:
        super().__init__(f"{most} tables of one {whose} are open: wait until one of them is over.")
        self.whose = whose
        self.most = most
        self.tables = tables


class Conflict(StoreError):
    """An event number that is taken already, or that would leave a gap."""


def no_table(table: int) -> StoreError:
    """Return the error for a table that there is not."""
    return StoreError(f"There is no table {table}: look its number up again.")
