"""The query layer: one function is the same over either database."""

import asyncio
from typing import Any

import pytest

from data.store import Conflict, StoreError
from data.store.database import Database, Transaction
from data.store.sqlite.database import drive
from tests.data.both import database, store

__all__ = ["database", "store"]  # fixtures

COUNT = 'SELECT "user" FROM hidden_users ORDER BY "user"'
ADD = 'INSERT INTO hidden_users ("user") VALUES (:user)'


@pytest.fixture
def queries(store: Any) -> Database:
    """The open database behind a store."""
    found: Database = store.database
    return found


async def test_lists_are_given_in_parentheses_and_may_be_empty(queries: Database):
    await queries.write(lambda tx: tx.run_many(ADD, [{"user": user} for user in (1, 2, 3)]))
    await queries.write(lambda tx: tx.run_many(ADD, []))
    few, others = 'SELECT "user" FROM hidden_users WHERE', 'ORDER BY "user"'
    assert await queries.read(f'{few} "user" IN (:users) {others}', users=[1, 3, 9]) == [(1,), (3,)]
    assert await queries.read(f'{few} "user" NOT IN (:users) {others}', users=[1, 3, 9]) == [(2,)]
    assert await queries.read(f'{few} "user" IN (:users) {others}', users=[]) == []
    assert await queries.read(f'{few} "user" NOT IN (:users) {others}', users=[]) == [(1,), (2,), (3,)]
    assert await queries.read("SELECT name FROM settings WHERE name IN (:names)", names=["100%", "a:b"]) == []


async def test_what_a_function_wrote_is_kept_as_a_whole_or_not_at_all(queries: Database):
    async def fails(tx: Transaction) -> None:
        assert await tx.run(ADD, user=1) == 1
        assert await tx.rows(COUNT) == [(1,)]
        raise Conflict("no")

    with pytest.raises(Conflict):
        await queries.write(fails)
    with pytest.raises(Conflict):
        await queries.background_write(fails)
    assert await queries.read(COUNT) == []


async def test_a_refused_statement_is_a_store_error_for_its_caller_alone(queries: Database):
    writes = [queries.execute(ADD, user=user) for user in (1, 2, 1, 3)]
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert [outcome for outcome in outcomes if outcome == 1] == [1, 1, 1]
    assert sum(isinstance(outcome, StoreError) for outcome in outcomes) == 1
    assert await queries.read(COUNT) == [(1,), (2,), (3,)]


async def test_a_snapshot_sees_one_state_and_writes_nothing(queries: Database):
    await queries.execute(ADD, user=1)

    async def reads(tx: Transaction) -> list[object]:
        return [*await tx.rows(COUNT), *await tx.rows(COUNT)]

    assert await queries.snapshot(reads) == [(1,), (1,)]
    with pytest.raises(StoreError):
        await queries.snapshot(lambda tx: tx.run(ADD, user=2))
    assert await queries.read(COUNT) == [(1,)]


def test_over_sqlite_a_function_awaits_nothing_but_its_transaction():
    with pytest.raises(RuntimeError, match="awaited something else"):
        drive(asyncio.sleep(0))
