"""Processes of the bot over PostgreSQL: they end in every way while people play every game, and nothing is lost."""

from pathlib import Path

from tools.fleet.trials import database_away, handed_over, killed, playing, scene_on
from tools.postgres import Cluster, separate

PACE_S = 0.8
"""The pause between two moves. The test waits mostly for leases and starts, and other tests run in parallel."""

SETTINGS = {"PRERENDER": "0"}
"""For each process."""


async def test_after_a_kill_or_stop_of_one_of_two_processes_the_other_continues_every_game(
    postgres: Cluster, tmp_path: Path
) -> None:
    async with scene_on(postgres.fresh(), tmp_path, shards=2, pace_s=PACE_S, settings=SETTINGS) as scene:
        first, second = scene.guilds
        await scene.begin(processes=2)
        async with playing(scene):
            await scene.shared()
            await scene.everybody_plays()
            await killed(scene, scene.owners[first.id], first)
            await scene.shared()
            await handed_over(scene, scene.owners[second.id])
        await scene.shown()
        assert await scene.judged() == []


async def test_play_goes_on_after_the_database_was_away_and_the_logs_stay_short(
    postgres: Cluster, tmp_path: Path
) -> None:
    with separate() as own:
        async with scene_on(own.fresh("template1"), tmp_path, pace_s=PACE_S, settings=SETTINGS) as scene:
            process = await scene.begin()
            async with playing(scene):
                await scene.everybody_plays()
                await database_away(scene, own)
            await scene.shown()
            assert await scene.judged() == []
            assert process.written.count("\n") < 200
