"""What can go wrong with the database. Each error says in one sentence what is wrong, and what to do.

StoreError               the root; by itself: the store is closed, or a row that should be there is not
├── NewerDatabase        a newer Cellblock wrote it
├── CorruptDatabase      damaged, or no database of Cellblock's at all; the file stays as it is
├── ReadOnlyDatabase     the file or its folder is missing or may not be written
├── DatabaseLocked       another bot, or another program, holds it
├── DatabaseTakenOver    another bot has opened it since; this one writes nothing any more
├── LeaseExpired         this process did not renew its lease in time: it writes nothing until it has done so
├── NotShardOwner        another process serves the table's server by now
├── ShardCountMismatch   other processes are running with another number of shards
├── Unreachable          the database server does not answer; later writes work again when it does
├── DiskFull             no space, or the disk fails; later writes work again when there is space
├── BackupFailed         no copy was made, or the copy was not complete; the database is as it was
├── MoveFailed           nothing was moved to another database; both are as they were
├── MigrationFailed      a migration failed, or was changed after it had been applied
├── SecretSeed           the seed of a game that is not over was asked for
├── LimitReached         as many tables are open as may be
└── Conflict             this event number is taken: somebody else wrote to the table
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
    """This process did not renew its lease in time, so others may have taken over what it served."""


class NotShardOwner(StoreError):
    """Another process, or none at all, serves the server that this is about. Nothing was written."""


class ShardCountMismatch(StoreError):
    """Other processes are running with another number of shards: some servers would be served twice."""


class Unreachable(StoreError):
    """The database server does not answer, or was lost in the middle of a write. That write may be there or not;
    nothing of it was acknowledged, and the next one finds out by the number of the event.
    """


class DiskFull(StoreError):
    """The disk has no space left, or fails. Nothing was written."""


class BackupFailed(StoreError):
    """A copy of the database could not be made. Nothing is left of it."""


class MoveFailed(StoreError):
    """The data could not be moved to another database. Nothing of it is there."""


class MigrationFailed(StoreError):
    """A migration could not be applied; the database is as it was before any of them was."""


class SecretSeed(StoreError):
    """The seed of a game that is not over: it tells every card to come."""


class LimitReached(StoreError):
    """As many tables of a person, a channel or a server are open as may be; `alone` counts those at which a person
    plays against bots only. `tables` are their numbers, oldest first.
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
    """Return the error for a table that does not exist."""
    return StoreError(f"There is no table {table}: look its number up again.")
