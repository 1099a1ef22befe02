"""The store: everything that outlasts the process, in one SQLite file or a PostgreSQL database.

`open_store` opens a `Store`, whose parts are in modules of their own and share the query layer in `database`. What
differs between the databases is in `sqlite` and `postgres`.
"""

from data.store.errors import (
    BackupFailed,
    Conflict,
    CorruptDatabase,
    DatabaseLocked,
    DatabaseTakenOver,
    DiskFull,
    LeaseExpired,
    LimitReached,
    MigrationFailed,
    MoveFailed,
    NewerDatabase,
    NotShardOwner,
    ReadOnlyDatabase,
    SecretSeed,
    ShardCountMismatch,
    StoreError,
    Unreachable,
)
from data.store.rows import (
    NO_SERVER,
    DecisionRow,
    Limits,
    NewTable,
    OpenTable,
    PendingDeletion,
    Reminder,
    ResultRow,
    SeatChange,
    SeatRow,
    Status,
    TableChange,
    TableRow,
    seed_of,
)
from data.store.shards import ProcessInfo
from data.store.store import Store

__all__ = [
    "NO_SERVER",
    "BackupFailed",
    "Conflict",
    "CorruptDatabase",
    "DatabaseLocked",
    "DatabaseTakenOver",
    "DecisionRow",
    "DiskFull",
    "LeaseExpired",
    "LimitReached",
    "Limits",
    "MigrationFailed",
    "MoveFailed",
    "NewTable",
    "NewerDatabase",
    "NotShardOwner",
    "OpenTable",
    "PendingDeletion",
    "ProcessInfo",
    "ReadOnlyDatabase",
    "Reminder",
    "ResultRow",
    "SeatChange",
    "SeatRow",
    "SecretSeed",
    "ShardCountMismatch",
    "Status",
    "Store",
    "StoreError",
    "TableChange",
    "TableRow",
    "Unreachable",
    "seed_of",
]
