"""Processes of the bot over PostgreSQL: they are killed while people play every game, and nothing is lost."""

from pathlib import Path

from tests.fleet.trials import playing, replaced, scene_on
from tests.postgres import Cluster


async def test_a_process_that_is_killed_and_started_again_loses_and_doubles_nothing(
    postgres: Cluster, tmp_path: Path
) -> None:
    async with scene_on(postgres.fresh(), tmp_path) as scene:
        (guild,) = scene.guilds
        process = await scene.fleet.start()
        await scene.fleet.serving(process, guild)
        async with playing(scene.parties):
            await scene.everybody_plays()
            await replaced(scene, process, guild)
        assert await scene.judged() == []
