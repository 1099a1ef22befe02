"""Fixtures for all tests: PostgreSQL servers where it is installed, and reproducible Hypothesis runs."""

import asyncio
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, settings

from engine.contract import Moment
from tools import postgres as servers

# The same examples in every run and no time limit, so that tests depend on neither randomness nor speed.
settings.register_profile("sure", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sure")


FIRST = ("tests/tools/fleet/", "tests/test_bot.py", "tests/cogs/test_untranslated.py", "tests/test_browser.py")
"""Files whose tests take longest. They begin first, so that the end of a run does not wait for one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first; the others keep their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from walking what was imported, and let it collect less often than in the bot: a start
    makes so many objects at once that it would walk them several times.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[servers.Cluster]:
    """Start one PostgreSQL server for all tests, with a template database that has every migration. Skip the test if
    PostgreSQL is not installed.
    """
    pytest.importorskip("psycopg", reason="the driver for PostgreSQL is missing (pip install -e '.[dev]')")
    programs = servers.programs()
    if programs is None:
        pytest.skip("PostgreSQL is missing (apt-get install postgresql)")
    base = tmp_path_factory.getbasetemp()
    with servers.shared(base if worker_id == "master" else base.parent, programs, _prepare) as running:
        yield running


@pytest.fixture
def postgres(cluster: servers.Cluster) -> Iterator[servers.Cluster]:
    """The shared server. Databases that a test creates are dropped after it, since each takes 8 MB."""
    with cluster.swept():
        yield cluster


@pytest.fixture
def own_cluster(postgres: servers.Cluster) -> Iterator[servers.Cluster]:
    """A server for this test alone, which may be stopped."""
    with servers.separate() as cluster:
        yield cluster


def _prepare(cluster: servers.Cluster) -> None:
    from data.store.postgres.address import read_address
    from data.store.postgres.migrate import migrate, read_migrations
    from data.store.postgres.pool import connect

    async def migrate_template() -> None:
        address = read_address(cluster.url(servers.TEMPLATE))
        db = await connect(address)
        try:
            await migrate(db, read_migrations(), address, Moment(0))
        finally:
            await db.close()

    cluster.program("createdb", "-h", str(cluster.folder), "-U", servers.USER, servers.TEMPLATE)
    with ThreadPoolExecutor(1) as thread:  # the first test that needs it may be running on an event loop
        thread.submit(lambda: asyncio.run(migrate_template())).result()
