"""What leaves a stored game: no seed of a running one, and nothing that people wrote for themselves."""

import ast
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from cogs.core.publishing.finished_games import export_of, load_record, replay_of
from data.store import SecretSeed, Store, TableRow, seed_of
from data.store.open_store import open_store
from engine.contract import AnyGame, Moment, Seat, to_json
from engine.export import write_export
from engine.free_text import free_text_fields
from engine.games import GAMES
from tools.versions import SECRET
from tools.versions.databases import Time, note, opened, play

ROOT = Path(__file__).resolve().parents[4]

MAY_READ_THE_SEED = {"data/store/rows.py", "cogs/core/tables/moves.py"}
"""Modules that may read the seed: those that guard it, and the rules, which draw from it."""


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_store(tmp_path / "archive.db", now=Time().now) as opened_store:
        yield opened_store


async def test_private_notes_are_in_no_replay_and_no_export(store: Store, game: AnyGame):
    time = Time()
    table = await opened(store, game, time)
    await note(table, time)
    wrote = any(SECRET in body for body in await store.games.events(table.id))
    assert wrote == bool(free_text_fields(game.actions))
    await play(table, time, Random(3), 10_000)
    assert SECRET not in write_export(export_of(game, await load_record(store, table.snapshot.row))).decode()
    decisions, events = await store.games.decisions(table.id), await store.games.events(table.id)
    for state in replay_of(game, table.snapshot.row, table.snapshot.options, decisions, events).states:
        assert SECRET not in repr(state)
        for seat in (None, *map(Seat, range(len(table.snapshot.seats)))):
            assert SECRET not in to_json(game.view(state, seat))


@pytest.mark.parametrize("status", ["lobby", "playing", "closed"])
async def test_the_seed_of_a_game_that_is_not_over_is_kept_back(store: Store, status: str):
    row = TableRow(1, "rope_wall", 1, 2, 10, status, "{}", Moment(0), 1, seed=bytes(32))  # type: ignore[arg-type]
    with pytest.raises(SecretSeed, match="secret until its game is over"):
        seed_of(row)
    with pytest.raises(SecretSeed):
        export_of(GAMES[row.game], await load_record(store, row))


def test_the_seed_is_kept_back_also_when_python_leaves_out_assertions():
    program = textwrap.dedent(
        """
        from cogs.core.publishing.finished_games import GameRecord, export_of
        from data.store import SecretSeed, TableRow, seed_of

        if __debug__:
            raise SystemExit("assertions are on")
        row = TableRow(1, "rope_wall", 1, 2, 10, "playing", "{}", 0, 1, seed=bytes(32))
        for give in (lambda: seed_of(row), lambda: export_of(None, GameRecord(row, (), (), (), ()))):
            try:
                give()
            except SecretSeed:
                continue
            raise SystemExit("the seed was given away")
        """
    )
    done = subprocess.run([sys.executable, "-O", "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


async def test_the_card_of_a_table_has_the_seed_only_when_the_game_is_over(store: Store):
    time = Time()
    table = await opened(store, GAMES["rope_wall"], time)
    assert table.snapshot.info().seed is None and table.snapshot.info().commitment
    await play(table, time, Random(4), 10_000)
    assert table.snapshot.info().seed == seed_of(table.snapshot.row).hex()


def test_only_the_guard_and_the_rules_own_draws_read_the_seed_of_a_row():
    guilty = set()
    for path in [*ROOT.glob("cogs/**/*.py"), *ROOT.glob("data/**/*.py"), ROOT / "bot.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "seed":
                owner = ast.unparse(node.value)
                if owner.split(".")[-1] in ("row", "table"):
                    guilty.add(path.relative_to(ROOT).as_posix())
    assert guilty == MAY_READ_THE_SEED
