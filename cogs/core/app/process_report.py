"""The part of `/doctor` about several processes on one database: which are running, what they serve, and how they do.
Only the bot's owner reads on which machine each runs.
"""

from collections.abc import Iterable

from cogs.core.ops.process_stats import read_process_stats
from cogs.core.ops.text_format import count
from data.store.shards import Process, Shards

MAX_LISTED = 8

LATE_MS = 250
"""A process whose event loop is later than this has too much to do."""


def process_report(shards: Shards, owner: bool, deaf: str | None) -> tuple[str, bool]:
    """Return the report about the running processes for the bot's `owner` or others, and whether it names any trouble.
    `deaf`: why notices from other processes are not received at the moment.
    """
    there = sorted(shards.processes.values(), key=lambda process: (process.id != shards.process, process.id))
    lines = [_describe(process, shards, owner) for process in there[:MAX_LISTED]]
    if len(there) > MAX_LISTED:
        lines.append(f"-# and {len(there) - MAX_LISTED} more")
    nobody = [shard for shard in range(shards.count) if _holder(shards, shard) is None]
    if nobody:
        lines.append(f"✗ Nobody serves {_named(nobody)} at the moment.")
    if deaf is not None:
        why = f": {deaf}" if owner else "; why is told to the bot's owner."
        lines.append(f"✗ What other processes do is heard late{why}")
    return "\n".join(lines), bool(nobody or deaf is not None)


def _describe(process: Process, shards: Shards, owner: bool) -> str:
    stats = read_process_stats(process.figures)
    its = [shard for shard in range(shards.count) if _holder(shards, shard) == process.id]
    name = f"**Process {process.id}**" + (" (this one)" if process.id == shards.process else "")
    where = f" · {process.host}, pid {process.pid}" if owner else ""
    head = f"{name} · {process.version}{where} · started <t:{process.started_at // 1_000}:R>"
    serves = f"Serves {_named(its)}" if its else "Stands by"
    if process.stopping:
        serves += ", is about to stop"
    if stats.waits_until:
        serves += f" · ✗ can begin no session until <t:{stats.waits_until // 1_000}:t>"
    thinking = f"{count(stats.thinking, 'computer')} wait{'s' if stats.thinking == 1 else ''} to think"
    late = f"{'✗ ' if stats.lag_ms > LATE_MS else ''}event loop up to {stats.lag_ms} ms late"
    return (
        f"{head}\n{serves} · {count(stats.servers, 'server')} · {count(stats.tables, 'table')} awake · heard of "
        f"<t:{process.beat_at // 1_000}:R>\n-# {thinking} · {stats.limited} × too fast (429) · {late}"
    )


def _holder(shards: Shards, shard: int) -> int | None:
    """Return the process that serves a shard; None if nobody who is alive does."""
    lease = shards.leases.get(shard)
    return lease.process if lease is not None and lease.process in shards.processes else None


def _named(numbers: Iterable[int]) -> str:
    """Return shards in words, neighbours as a range."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    words = [str(first) if first == last else f"{first}–{last}" for first, last in ranges]
    one = len(words) == 1 and ranges[0][0] == ranges[0][1]
    return f"shard{'' if one else 's'} {', '.join(words)}"
