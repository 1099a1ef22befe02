"""Applies the migrations of the PostgreSQL database."""

from collections.abc import Sequence
from pathlib import Path

import psycopg

from data.store.errors import CorruptDatabase, MigrationFailed, StoreError
from data.store.migrations import Migration, pending_migrations, read_folder
from data.store.postgres.address import Address
from data.store.postgres.database import rows_of
from data.store.postgres.errors import first_line, translate_error
from data.store.postgres.pool import Connection
from engine.contract import Moment

FOLDER = Path(__file__).resolve().parent / "migrations"
"""The folder of the shipped migrations."""

RECORD = """
    CREATE TABLE IF NOT EXISTS schema_version (
        number     integer PRIMARY KEY,
        name       text    NOT NULL,
        sha256     text    NOT NULL,
        applied_at bigint  NOT NULL
    )
"""


def read_migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Return the migrations of a folder in order. Raises `MigrationFailed` if one is missing or oddly named."""
    return read_folder(folder)


async def pending(db: Connection, migrations: Sequence[Migration], address: Address) -> tuple[Migration, ...]:
    """Return the pending migrations, without writing. Raises `NewerDatabase`, `MigrationFailed` if one has changed, and
    `CorruptDatabase` for another program's database. May raise `psycopg.Error`.
    """
    sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    names = {name for (name,) in await rows_of(db, sql, {})}
    if not names:
        return tuple(migrations)
    if "schema_version" not in names:
        raise CorruptDatabase(
            f"The database {address} belongs to another program: make an empty one with createdb, and name it in "
            "DATABASE."
        )
    applied = await rows_of(db, "SELECT number, name, sha256 FROM schema_version ORDER BY number", {})
    return pending_migrations([(number, name, sha256) for number, name, sha256 in applied], migrations, address)


async def migrate(db: Connection, migrations: Sequence[Migration], address: Address, at: Moment) -> None:
    """Apply what is pending, in one transaction. Raises what `pending` does, or `MigrationFailed`; then the database is
    as it was.
    """
    steps = await pending(db, migrations, address)
    if not steps:
        return
    async with db.transaction():
        await db.execute(RECORD)
        for step in steps:
            await _take(db, step, address, at)


async def _take(db: Connection, step: Migration, address: Address, at: Moment) -> None:
    """Apply and record one migration. Raises `MigrationFailed` if it is at fault, else another `StoreError`."""
    try:
        await db.execute(step.sql)
        await db.execute(
            "INSERT INTO schema_version VALUES (%(number)s, %(name)s, %(sha256)s, %(at)s)",
            {"number": step.number, "name": step.name, "sha256": step.sha256, "at": at},
        )
    except psycopg.Error as error:
        known = translate_error(error, address)
        if type(known) is not StoreError:
            raise known from error  # not the migration's fault
        raise MigrationFailed(
            f"The migration {step.name} of the database {address} failed ({first_line(error)}); the database is as it "
            "was: go back to the version of the bot that you had, and please report it."
        ) from error
