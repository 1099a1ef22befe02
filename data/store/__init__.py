"""The store: everything that has to outlast the process, in one SQLite file.

`errors` has the error tree, `rows` what is stored, `migrations` how the file grows with the bot, `opening` how it is
opened and kept from a second bot, `connection` and `writer` how it is reached, and `store` the `Store` itself.
"""

from data.store.errors import (
    Conflict,
    CorruptDatabase,
    DiskFull,
    InUse,
    MigrationFailed,
    NewerDatabase,
    ReadOnlyDatabase,
    StoreError,
)
from data.store.rows import (
    DecisionRow,
    NewTable,
    OpenTable,
    ResultRow,
    SeatChange,
    SeatRow,
    Status,
    TableChange,
    TableRow,
)
from data.store.store import Store

__all__ = [
    "Conflict",
    "CorruptDatabase",
    "DecisionRow",
    "DiskFull",
    "InUse",
    "MigrationFailed",
    "NewTable",
    "NewerDatabase",
    "OpenTable",
    "ReadOnlyDatabase",
    "ResultRow",
    "SeatChange",
    "SeatRow",
    "Status",
    "Store",
    "StoreError",
    "TableChange",
    "TableRow",
]
