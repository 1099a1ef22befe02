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
    DiskFull,
    Elsewhere,
    InUse,
    LimitReached,
    MigrationFailed,
    MoveFailed,
    NewerDatabase,
    OtherCount,
    Overtaken,
    ReadOnlyDatabase,
    SecretSeed,
    Silenced,
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
from data.store.shards import Newcomer
from data.store.store import Store

__all__ = [
    "NO_SERVER",
    "BackupFailed",
    "Conflict",
    "CorruptDatabase",
    "DecisionRow",
    "DiskFull",
    "Elsewhere",
    "InUse",
    "LimitReached",
    "Limits",
    "MigrationFailed",
    "MoveFailed",
    "NewTable",
    "Newcomer",
    "NewerDatabase",
    "OpenTable",
    "OtherCount",
    "Overtaken",
    "ReadOnlyDatabase",
    "ResultRow",
    "SeatChange",
    "SeatRow",
    "SecretSeed",
    "Silenced",
    "Status",
    "Store",
    "StoreError",
    "TableChange",
    "TableRow",
    "Unreachable",
    "seed_of",
]
