"""What a process shares with the others in its heartbeat, and `/doctor`'s report of it. Nothing is about people."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from cogs.core.i18n.translation import _, ngettext
from data.background import BackgroundTasks
from data.store.postgres.shards import Shards
from data.store.shards import Process

LAG_EVERY_S = 0.25
"""How often the lag of the event loop is measured."""

WINDOW_S = 60.0
"""The window of which the worst lag is reported."""

LATE_MS = 250
"""A process whose event loop is later than this has too much to do."""

MAX_LISTED = 8
"""The most processes that the report describes."""


class ProcessStats(msgspec.Struct, frozen=True):
    """The state of a process."""

    servers: int = 0
    tables: int = 0  # in memory
    thinking: int = 0  # questions that wait for a computer player
    lag_ms: int = 0  # the worst of its event loop within `WINDOW_S`
    limited: int = 0  # calls refused as too many (429) in ten minutes
    waits_until: int = 0  # when it may start sessions again, if few starts are left that day


def read_process_stats(text: str) -> ProcessStats:
    """Return the statistics of a process, which may run another version; those that cannot be read are 0."""
    try:
        return msgspec.json.decode(text, type=ProcessStats)
    except msgspec.DecodeError:
        return ProcessStats()


async def watch_lag(report: Callable[[float], None]) -> None:
    """Report the lag of the event loop in seconds, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        report(max(0.0, loop.time() - wanted))


class LoopLag:
    """How late the event loop has been lately."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._worst: deque[tuple[float, float]] = deque()  # when, and how late: ever less late, the worst one first
        self._tasks = BackgroundTasks()

    def add(self, seconds: float) -> None:
        """Record how late it was just now."""
        while self._worst and self._worst[-1][1] <= seconds:
            self._worst.pop()
        self._worst.append((self._steady(), seconds))

    def worst_ms(self) -> int:
        """Return the worst lag within `WINDOW_S`, in milliseconds."""
        since = self._steady() - WINDOW_S
        while self._worst and self._worst[0][0] < since:
            self._worst.popleft()
        return round(self._worst[0][1] * 1_000) if self._worst else 0

    def start(self) -> None:
        """Begin to measure."""
        self._tasks.spawn(watch_lag(self.add), "looking at how late the event loop is")

    async def close(self) -> None:
        """Stop measuring."""
        await self._tasks.close()


def process_report(shards: Shards, owner: bool, notices_trouble: str | None) -> tuple[str, bool]:
    """Return the report about the processes on one database, and whether it names any trouble. Only the bot's `owner`
    reads on which machine each runs. `notices_trouble`: why no notices of other processes arrive.
    """
    running = sorted(shards.processes.values(), key=lambda process: (process.id != shards.process, process.id))
    lines = [_describe(process, shards, owner) for process in running[:MAX_LISTED]]
    if len(running) > MAX_LISTED:
        lines.append(ngettext("-# and {n} more", "-# and {n} more", len(running) - MAX_LISTED))
    unserved = [shard for shard in range(shards.count) if _holder(shards, shard) is None]
    if unserved:
        lines.append(_("✗ No process serves {shards} at the moment.", shards=_shard_ranges(unserved)))
    if notices_trouble is not None:
        if owner:
            lines.append(_("✗ Notices of other processes arrive late: {reason}", reason=notices_trouble))
        else:
            lines.append(_("✗ Notices of other processes arrive late; the bot's owner sees why."))
    return "\n".join(lines), bool(unserved or notices_trouble is not None)


def _describe(process: Process, shards: Shards, owner: bool) -> str:
    """Return what is known about a process, in three lines."""
    stats = read_process_stats(process.figures)
    held = [shard for shard in range(shards.count) if _holder(shards, shard) == process.id]
    this = process.id == shards.process
    name = _("**Process {id}** (this one)", id=process.id) if this else _("**Process {id}**", id=process.id)
    head = [
        name,
        process.version,
        *([f"{process.host}, pid {process.pid}"] if owner else ()),
        _("started {when}", when=f"<t:{process.started_at // 1_000}:R>"),
    ]
    serves = [_("Serves {shards}", shards=_shard_ranges(held)) if held else _("On standby")]
    if process.stopping:
        serves.append(_("about to stop"))
    if stats.waits_until:
        serves.append(_("✗ can't start a session until {when}", when=f"<t:{stats.waits_until // 1_000}:t>"))
    serves += [
        ngettext("{n} server", "{n} servers", stats.servers),
        ngettext("{n} table awake", "{n} tables awake", stats.tables),
        _("last heard from {when}", when=f"<t:{process.beat_at // 1_000}:R>"),
    ]
    late = _("event loop up to {ms} ms late", ms=stats.lag_ms)
    load = [
        ngettext("{n} computer waiting to think", "{n} computers waiting to think", stats.thinking),
        _("{number} × too fast (429)", number=stats.limited),
        f"✗ {late}" if stats.lag_ms > LATE_MS else late,
    ]
    return f"{' · '.join(head)}\n{' · '.join(serves)}\n-# {' · '.join(load)}"


def _holder(shards: Shards, shard: int) -> int | None:
    """Return the process that serves a shard; None if no live process does."""
    lease = shards.leases.get(shard)
    return lease.process if lease is not None and lease.process in shards.processes else None


def _shard_ranges(numbers: Iterable[int]) -> str:
    """Return shards in words, neighbours as a range."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    words = [str(first) if first == last else f"{first}–{last}" for first, last in ranges]
    if len(words) == 1 and ranges[0][0] == ranges[0][1]:
        return _("shard {number}", number=words[0])
    return _("shards {numbers}", numbers=", ".join(words))
