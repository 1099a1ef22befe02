"""Two simulated queues: calls under Discord's rate limit, and clicks at one process.

Both serve first come, first served. Arrivals are drawn from a seed, so the same question has the same answer.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

WARM_S = 10.0
"""Arrivals in the first seconds find an empty queue, and are not counted."""


@dataclass(frozen=True)
class Waits:
    """The number served, their waits in seconds, and the share spared because a newer call replaced them."""

    served: int
    mean: float
    p95: float
    longest: float
    spared: float = 0.0


def calls(per_second: float, tables: int, *, limit: int = 50, seconds: float = 600.0, seed: int = 1) -> Waits:
    """Simulate `per_second` calls by a number of tables, of which Discord accepts `limit` per second.

    A call that still waits when its table has a newer one is spared, since the message shows only the newest state. Its
    wait counts from the first change that it shows.
    """
    dice = random.Random(seed)
    sent: list[float] = []
    shown: dict[int, float] = {}
    waits: list[float] = []
    spared = total = 0
    now = 0.0
    while (now := now + dice.expovariate(per_second)) < seconds:
        table = dice.randrange(tables)
        total += 1
        if shown.get(table, 0.0) > now:
            spared += 1
            continue
        free = sent[-limit] + 1.0 if len(sent) >= limit else now
        sent.append(max(now, free))
        shown[table] = sent[-1]
        if now >= WARM_S:
            waits.append(sent[-1] - now)
    return _told(waits, spared / max(1, total))


def clicks(kinds: Sequence[tuple[float, float]], *, seconds: float = 300.0, seed: int = 1) -> Waits:
    """Simulate clicks at one process that serves one after the other. `kinds` has the rate and the service time of each
    kind. The wait includes the service.
    """
    dice = random.Random(seed)
    rates = [rate for rate, _ in kinds]
    takes = [spent for _, spent in kinds]
    waits: list[float] = []
    now = free = 0.0
    while (now := now + dice.expovariate(sum(rates))) < seconds:
        (service,) = dice.choices(takes, rates)
        free = max(now, free) + service
        if now >= WARM_S:
            waits.append(free - now)
    return _told(waits)


def _told(waits: list[float], spared: float = 0.0) -> Waits:
    if not waits:
        return Waits(0, 0.0, 0.0, 0.0, spared)
    waits.sort()
    return Waits(len(waits), sum(waits) / len(waits), waits[int(len(waits) * 0.95)], waits[-1], spared)
