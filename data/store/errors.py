"""What can go wrong with the database. Each error says in one sentence what is wrong, and what to do."""

from typing import Literal


class StoreError(Exception):
    """The root of what the store raises; by itself: the store is closed, or a row is missing."""


class NewerDatabase(StoreError):
    """The database has migrations that this version does not know: a newer Cellblock wrote it."""


class CorruptDatabase(StoreError):
    """The file is damaged, or is not Cellblock's database. It stays as it is."""


class ReadOnlyDatabase(StoreError):
    """The file or its folder is missing, or may not be written."""


class DatabaseLocked(StoreError):
    """Another bot runs on this database, or another program holds it."""


class DatabaseTakenOver(StoreError):
    """Another bot has opened the database since, as over a network share: this one no longer writes anything."""


class LeaseExpired(StoreError):
    """This process did not renew its lease in time: it writes nothing until it has done so."""


class NotShardOwner(StoreError):
    """Another process, or none, serves the server that this is about. Nothing was written."""


class ShardCountMismatch(StoreError):
    """Other processes are running with another number of shards: some servers would be served twice."""


class Unreachable(StoreError):
    """The database server does not answer, or was lost in a write, which may be committed or not: the next one finds
    out by the number of the event. Later writes work again once it answers.
    """


class DiskFull(StoreError):
    """The disk is full, or fails. Nothing was written; later writes work again when there is space."""


class BackupFailed(StoreError):
    """A copy of the database could not be made, and nothing is left of it."""


class MoveFailed(StoreError):
    """Nothing was moved to another database; both are as they were."""


class MigrationFailed(StoreError):
    """A migration could not be applied; the database is as it was before any of them was."""


class SecretSeed(StoreError):
    """The seed of a running game was requested: it would reveal every card to come."""


class LimitReached(StoreError):
    """As many tables of a person, channel or server are open as may be; `alone` counts a person's tables with only
    bots. `tables` are their numbers, oldest first.
    """

    def __init__(
        self, whose: Literal["person", "alone", "channel", "server"], most: int, tables: tuple[int, ...]
    ) -> None:
        super().__init__(f"{most} tables of one {whose} are open: wait until one of them is over.")
        self.whose = whose
        self.most = most
        self.tables = tables


class Conflict(StoreError):
    """An event number is taken already, or would leave a gap: somebody else wrote to the table."""


def no_table(table: int) -> StoreError:
    """Return the error for a table that does not exist."""
    return StoreError(f"There is no table {table}: look its number up again.")
