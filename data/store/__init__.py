"""The store: everything that outlasts the process, in one SQLite file or a PostgreSQL database. What differs between
them is in `sqlite` and `postgres`.
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
    user_list,
    users_in,
)
from data.store.shards import ProcessInfo
from data.store.store import Store
