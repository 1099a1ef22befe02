"""The store: everything that has to outlast the process.

`store` has the `Store`, what is asked of it stands in `tables`, `games`, `records`, `leaderboards`, `office` and
`people`, what is stored in `rows`, the error tree in `errors`. The back ends are in `sqlite` and
`postgres`; `outside` is what its owner asks of a database, `files` how copies appear, `migrations` how both grow.
"""

from data.store.errors import (
    BackupFailed,
    Conflict,
    CorruptDatabase,
    DiskFull,
    InUse,
    LimitReached,
    MigrationFailed,
    NewerDatabase,
    Overtaken,
    ReadOnlyDatabase,
    SecretSeed,
    StoreError,
    Unreachable,
)
from data.store.rows import (
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
from data.store.store import Store

__all__ = [
    "BackupFailed",
    "Conflict",
    "CorruptDatabase",
    "DecisionRow",
    "DiskFull",
    "InUse",
    "LimitReached",
    "Limits",
    "MigrationFailed",
    "NewTable",
    "NewerDatabase",
    "OpenTable",
    "Overtaken",
    "ReadOnlyDatabase",
    "ResultRow",
    "SeatChange",
    "SeatRow",
    "SecretSeed",
    "Status",
    "Store",
    "StoreError",
    "TableChange",
    "TableRow",
    "Unreachable",
    "seed_of",
]
