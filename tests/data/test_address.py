"""The address of a PostgreSQL database: its password is never shown, in any notation."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from data.store import StoreError
from data.store.postgres.address import read_address

SHOWN = "postgresql://localhost/db"

HARMFUL = st.text(alphabet="/@%:?#&=[], \t\n\\'\"0af")
"""Parts of an address, in any order."""


def described(url: str) -> str:
    """Return the text that shows the owner an address, valid or not."""
    try:
        return str(read_address(url))
    except StoreError as error:
        return str(error)


@pytest.mark.parametrize("password", ["se/cret", "p@ss", "se%zzcret", "se cret", "50% off", "5432/x", "\N{BELL}/"])
def test_a_password_with_a_character_that_would_split_the_address_must_be_encoded(password: str):
    sentence = described(f"postgresql://cell:{password}@localhost/db")
    assert "percent-encoded" in sentence and "%2F for /, %40 for @, %25 for % and %20 for a space" in sentence
    assert sentence.endswith(".") and password not in sentence and "cret" not in sentence


@given(st.text() | HARMFUL)
def test_no_password_is_ever_shown(password: str):
    """The text is one of two fixed sentences, or the address without its password."""
    refusals = {described("postgresql://cell:/@localhost/db"), described("postgresql://localhost/db?nonsense=1")}
    assert described(f"postgresql://cell:{password}@localhost/db") in {SHOWN, *refusals}
    assert described(f"postgresql://{password}@localhost/db") in {SHOWN, *refusals}


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_password_that_is_percent_encoded_is_the_one_that_is_given(password: str):
    address = read_address(f"postgresql://cell:{quote(password, safe='')}@localhost/db")
    assert conninfo_to_dict(address.conninfo)["password"] == password and str(address) == SHOWN


@pytest.mark.parametrize("url", ["postgresql://cell:secret/db", "postgresql://host:secret", "postgresql://x?secret=1"])
def test_what_libpq_would_take_for_a_port_or_a_setting_is_not_shown(url: str):
    sentence = described(url)
    assert sentence.endswith("write postgresql://user:password@host/name.") and "secret" not in sentence


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:secret@db.example:5433/cells?sslmode=require", "postgresql://db.example:5433/cells"),
        ("postgresql://me:pass:word@[::1]:5433/cells", "postgresql://::1:5433/cells"),
        ("postgres://one:5432,two:5433/cells", "postgresql://one,two:5432,5433/cells"),
        ("postgresql:///cells?host=/run/postgresql&password=se/cret", "postgresql:///run/postgresql/cells"),
        ("postgresql://", "postgresql:///"),
    ],
)
def test_an_address_is_shown_as_its_place(url: str, shown: str):
    assert described(url) == shown
