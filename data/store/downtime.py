"""Runs of the bot, one for each shard that a process serves, and for how long nobody served a server between them."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.contract import Moment


def shard_of(guild: int, shards: int) -> int:
    """Return the shard of a server, by Discord's rule. Direct messages (server 0) belong to shard 0."""
    return (guild >> 22) % shards


class Heard(NamedTuple):
    """What a database says about its bot: when a process that has not stopped was last known to run, and when one last
    stopped.
    """

    alive_at: Moment | None
    stopped_at: Moment | None = None


class Run(NamedTuple):
    """A time for which a shard was served. With a single process, all servers are shard 0 of 1."""

    id: int
    started_at: Moment
    alive_at: Moment  # the last moment at which the process was known to run
    shard: int = 0
    shards: int = 1


class Runs:
    """All runs, and the downtime of each server between them."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = sorted(runs)
        self._numbers = {run.id for run in self._runs}
        self._counts = sorted({run.shards for run in self._runs})
        self._of: dict[tuple[int, ...], tuple[int, dict[int, int]]] = {}  # servers of the same shards have the same

    def has(self, run: int) -> bool:
        """Return True if this run is among them."""
        return run in self._numbers

    def present(self, guild: int) -> int:
        """Return the run that serves a server, or did so last; 0 if none ever did."""
        return self._story(guild)[0]

    def began(self, guild: int) -> Moment | None:
        """Return when the run began that serves a server, or did so last."""
        present = self.present(guild)
        return next((run.started_at for run in reversed(self._runs) if run.id == present), None)

    def downtime(self, since: int, guild: int, acted_at: Moment | None = None) -> int:
        """Return for how many milliseconds nobody served a server between a run and the present one. A run that crashed
        may have lasted longer than is known of it, at least until somebody last `acted_at` one of its tables.
        """
        away = self._story(guild)[1].get(since, 0)
        if not away or acted_at is None:
            return away
        known = next((run.alive_at for run in self._runs if run.id == since), acted_at)
        return max(0, away - max(0, acted_at - known))

    def _story(self, guild: int) -> tuple[int, dict[int, int]]:
        """Return the present run of a server, and its downtime since each of the earlier ones."""
        shards = tuple(shard_of(guild, count) for count in self._counts)
        story = self._of.get(shards)
        if story is None:
            its = [run for run in self._runs if shard_of(guild, run.shards) == run.shard]
            story = self._of[shards] = (its[-1].id if its else 0, _downtimes(its))
        return story


def _downtimes(runs: list[Run]) -> dict[int, int]:
    away = 0
    found: dict[int, int] = {runs[-1].id: 0} if runs else {}
    for before, after in zip(runs[-2::-1], runs[:0:-1], strict=True):
        away += max(0, after.started_at - before.alive_at)
        found[before.id] = away
    return found
