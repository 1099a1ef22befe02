"""The store: everything that has to outlast the process, in one SQLite file.

`errors` has the error tree, `rows` what is stored, `migrations` how the file grows with the bot, `opening` how it is
opened and kept from a second bot, `runs` when it was, `backup` how it is copied, `connection` and `writer` how it is
reached, `jobs` what is done to rows inside a transaction, and `store` the `Store` itself, with `records`,
`leaderboards`, `office` and `people` for what is asked of it beside the tables.
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
    "seed_of",
]
