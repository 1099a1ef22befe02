"""PostgreSQL's errors and its driver's as the store's."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from data.store.errors import CorruptDatabase, DatabaseLocked, DiskFull, ReadOnlyDatabase, StoreError, Unreachable
from data.store.postgres.address import Address

_NOWHERE = re.compile(r'database ".*" does not exist')
_UNSOUND = re.compile(r"invalid (port number|integer value|\w+ value)|bad value for")
_NO_ROOM = ("53100", "53200", "58030")
_HELD = ("55P03", "57014", "40001", "40P01")
_MAY_NOT = ("25006", "42501")
_NOT_LET_IN = ("28000", "28P01")
_AWAY = ("25P03", "57P01", "57P02", "57P03", "57P05", "53300")


def translate_error(error: psycopg.Error, address: Address) -> StoreError:
    """Return an error of the server or the driver as one of the store."""
    code, words = error.sqlstate or "", first_line(error)
    if code in _NO_ROOM:
        return DiskFull(f"The database {address} could not be written ({words}): make room on its disk.")
    if code in _MAY_NOT:
        return ReadOnlyDatabase(
            f"The database {address} may not be written ({words}): "
            "name its primary server in DATABASE, and let the bot's user own its tables."
        )
    if code in _HELD:
        return DatabaseLocked(f"Another program holds the database {address} ({words}): close it, then try again.")
    if code == "3D000" or (not code and _NOWHERE.search(words)):  # a refused connection has words alone
        return Unreachable(f"There is no database {address}: make it with createdb, or set DATABASE to another one.")
    if code in _NOT_LET_IN or (not code and "authentication failed" in words):
        return Unreachable(f"The database {address} does not let us in ({words}): see to the user in DATABASE.")
    if code.startswith("XX00") and code != "XX000":
        return CorruptDatabase(f"The database {address} cannot be read ({words}): restore it from a copy.")
    if not code and _UNSOUND.search(words):  # what libpq finds only when it connects
        return StoreError(f"DATABASE cannot be connected to as it is written ({words}): put its address right.")
    if code in _AWAY or code.startswith("08") or (not code and isinstance(error, psycopg.OperationalError)):
        return Unreachable(f"The database {address} cannot be reached ({words}): see whether its server runs.")
    return StoreError(f"The database {address} refused a statement ({words}): this is a bug, please report it.")


def first_line(error: BaseException) -> str:
    """Return the first line of an error: it never has a value that was being written."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:")


def is_connection_lost(error: BaseException) -> bool:
    """Return True for a lost connection, False for a refused statement."""
    return isinstance(error, psycopg.OperationalError) and (
        not error.sqlstate or error.sqlstate in _AWAY or error.sqlstate.startswith("08")
    )


@contextmanager
def translate_errors(address: Address) -> Iterator[None]:
    """Raise errors of the driver inside the block as a `StoreError`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate_error(error, address) from error
