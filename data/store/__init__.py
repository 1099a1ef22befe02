"""The store: everything that has to outlast the process.

`store` has the `Store`, and `opening` opens one. What is asked of it stands in `tables`, `games`, `records`,
`leaderboards`, `office`, `people`, `attempts`, `notices` and `shards`, what is stored in `rows`, the error tree in
`errors`. The back ends are in `sqlite` and `postgres`, the SQL that they have in common in `clauses`. What its owner
asks of a database is in `outside`, how all of it gets into another one in `moving`, how copies appear in `files`, how
databases grow in `migrations`, for how long nobody was there in `runs`, and how many tables may be open in `limits`.
May import its neighbours.
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
    "ProcessInfo",
    "ReadOnlyDatabase",
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
