"""Migrations of a database: files `NNNN_words.sql`, from 0001 without a gap. Pending ones are applied in one
transaction, and recorded with their SHA-256: one that was applied somewhere never changes.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from data.store.errors import MigrationFailed, NewerDatabase

_FILE = re.compile(r"(?P<number>\d{4})_[a-z0-9_]+\.sql")


class Migration(msgspec.Struct, frozen=True):
    """One step of a database's schema."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """The fingerprint of the file, independent of its line endings."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def read_folder(folder: Path) -> tuple[Migration, ...]:
    """Return the migrations of a folder in order. Raises `MigrationFailed` if one is missing or oddly named."""
    found: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        named = _FILE.fullmatch(path.name)
        if named is None or int(named["number"]) != len(found) + 1:
            raise MigrationFailed(
                f"The migrations in {folder} have a gap or a stray file before {path.name}: "
                "put the folder back as it was shipped."
            )
        found.append(Migration(len(found) + 1, path.name, path.read_text(encoding="utf-8")))
    return tuple(found)


def pending_migrations(
    applied: Sequence[tuple[int, str, str]], migrations: Sequence[Migration], database: object
) -> tuple[Migration, ...]:
    """Return the migrations after those that were `applied`: number, name and fingerprint of each. Raises
    `NewerDatabase` if some were applied that are not among these, and `MigrationFailed` if one has changed.
    """
    if applied and applied[-1][0] > len(migrations):
        raise NewerDatabase(
            f"The database {database} was written by a newer Cellblock (it has migration {applied[-1][1]}): "
            "update the bot, or set DATABASE to another file."
        )
    for (_, name, sha256), migration in zip(applied, migrations, strict=False):
        if sha256 != migration.sha256:
            raise MigrationFailed(
                f"The migration {migration.name} is not the one that the database {database} was made with ({name}): "
                "put the folder of migrations back as it was shipped."
            )
    return tuple(migrations[len(applied) :])
