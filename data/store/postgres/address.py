"""Where a PostgreSQL database is: the `postgresql://` address of the configuration, and how it is shown without its
password. May import psycopg, the standard library and `data.store.errors`.
"""

import dataclasses
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from data.store.errors import StoreError

PATIENCE_S = 2
"""How long to wait for an answer before a click is told that the database cannot be reached. psycopg's least is 2."""

_USUAL: dict[str, str | int] = {
    "application_name": "cellblock",
    "connect_timeout": PATIENCE_S,
    # A server that has vanished without a word is noticed by the system, not by whoever plays.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
}


@dataclasses.dataclass(frozen=True)
class Address:
    """An address, complete with what we ask of every connection; as a string it holds no password."""

    conninfo: str
    shown: str

    def __str__(self) -> str:
        return self.shown


def read_address(url: str) -> Address:
    """Return the address that a URL names. Raises `StoreError` for one that libpq cannot read."""
    try:
        given: dict[str, Any] = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        words = str(error).strip().splitlines()[0] if "password" not in str(error) else "it cannot be read"
        raise StoreError(
            f"DATABASE is no address of a PostgreSQL database ({words}): write postgresql://user:password@host/name."
        ) from None
    host, port, name = given.get("host"), given.get("port"), given.get("dbname")
    place = f"{host or ''}{f':{port}' if port else ''}"
    return Address(make_conninfo(url, **{**_USUAL, **given}), f"postgresql://{place}/{name or ''}")
