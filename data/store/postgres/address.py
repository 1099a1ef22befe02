"""The `postgresql://` address of a database, and how it is shown without its password."""

import dataclasses
import re
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from data.store.errors import StoreError

PATIENCE_S = 2
"""How long to wait for an answer before a click is answered that the database cannot be reached. psycopg's minimum is
2.
"""

_USUAL: dict[str, str | int] = {
    "application_name": "cellblock",
    "connect_timeout": PATIENCE_S,
    # The system notices a server that has vanished, so that no player waits for it.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
}

_UNESCAPED = re.compile(r"[/@\x00-\x20\x7f]|%(?![0-9A-Fa-f]{2})")
"""What must be escaped in a user or a password: libpq would take it for the start of a host or of parameters."""

_PORTS = re.compile(r"[0-9,]*")


@dataclasses.dataclass(frozen=True)
class Address:
    """An address with the settings of every connection; as a string it holds no password."""

    conninfo: str
    shown: str

    def __str__(self) -> str:
        return self.shown


def read_address(url: str) -> Address:
    """Return the address that a URL names. Raises `StoreError` for one that libpq cannot read or would misread. Never
    quotes libpq's message, which may contain a password.
    """
    user, _, _ = url.partition("://")[2].rpartition("@")
    if _UNESCAPED.search(user):
        raise StoreError(
            "DATABASE is not a valid PostgreSQL address: the part before its @ contains a character that must be "
            "percent-encoded. In the user and the password write %2F for /, %40 for @, %25 for % and %20 "
            "for a space."
        )
    try:
        given: dict[str, Any] = conninfo_to_dict(url)
        host, port, name = (given.get(key) or "" for key in ("host", "port", "dbname"))
        conninfo = make_conninfo(url, **{**_USUAL, **given})
    except (psycopg.Error, UnicodeError):
        raise _unreadable() from None
    if not _PORTS.fullmatch(port):
        raise _unreadable()
    return Address(conninfo, f"postgresql://{host}{f':{port}' if port else ''}/{name}")


def _unreadable() -> StoreError:
    return StoreError(
        "DATABASE is no address of a PostgreSQL database (it cannot be read): write postgresql://user:password@host/name."
    )
