"""What a number of servers needs: tables, moves, processes, shards, memory, connections, commits, calls, starts.

Every number comes from `figures`.
"""

import math
from dataclasses import dataclass

from tools.scale import figures, queues
from tools.scale.queues import Waits

CALLS, COMMITS, STARTS = "Discord's calls", "Commits of one PostgreSQL", "Identifies of a day"
"""Resources with a limit."""


@dataclass(frozen=True)
class Growth:
    """The bot at its busiest hour. Rates are per second, for all processes together; `used` has the used share of each
    limited resource.
    """

    servers: int
    tables: float
    moves: float
    answers: float
    processes: int
    shards: int
    memory_bytes: float
    connections: int
    commits: float
    calls: float
    call_waits: Waits
    click_waits: Waits
    identified_s: float
    restarts_a_day: int
    stored_bytes_a_day: float
    used: dict[str, float]

    @property
    def first(self) -> str:
        """Return the resource that is exhausted first."""
        return max(self.used, key=lambda name: self.used[name])


def value(name: str) -> float:
    """Return the value of a figure. Raises KeyError."""
    return figures.ALL[name].value


def grown(servers: int) -> Growth:
    """Return what this number of servers needs."""
    tables = servers * value("tables a server")
    moves = tables / value("seconds a move")
    looks = moves * (value("presses a move") - 1)
    processes = processes_for(servers, moves, looks)
    shards = math.ceil(servers / value("servers a shard"))
    clicks = (
        (moves, value("processor a move") / 1_000),
        (looks, value("processor a look") / 1_000),
    )
    calls = moves * value("counted calls a move")
    return Growth(
        servers=servers,
        tables=tables,
        moves=moves,
        answers=moves * value("answers a move"),
        processes=processes,
        shards=shards,
        memory_bytes=(
            value("memory of a process") * 2**20
            + servers / processes * value("memory a server")
            + tables / processes * value("memory a table") * 1_000
        ),
        connections=processes * int(value("connections a process")),
        commits=moves * value("commits a move") + processes / value("seconds a beat"),
        calls=calls,
        call_waits=queues.calls(calls, max(1, round(tables)), limit=int(value("calls a second"))),
        click_waits=queues.clicks([(rate / processes, spent) for rate, spent in clicks]),
        identified_s=(math.ceil(shards / identifies_at_once(servers)) - 1) * value("seconds an identify"),
        restarts_a_day=starts_a_day(servers) // shards,
        stored_bytes_a_day=moves * value("busy seconds a day") * value("bytes a move"),
        used={what: used(what, servers) for what in (CALLS, COMMITS, STARTS)},
    )


def processes_for(servers: int, moves: float, looks: float) -> int:
    """Return the number of processes, within the limits for load and servers per process."""
    work = (moves * value("processor a move") + looks * value("processor a look")) / 1_000
    return max(1, math.ceil(work / value("busy")), math.ceil(servers / value("servers a process")))


def large(servers: int) -> bool:
    """Return True if Discord calls it a large bot, which may identify more often."""
    return servers >= value("servers of a large bot")


def starts_a_day(servers: int) -> int:
    """Return how often per day the bot may identify."""
    if not large(servers):
        return int(value("starts a day"))
    return int(max(2 * value("starts a day"), servers / 1_000 * value("starts a day a thousand servers, large")))


def identifies_at_once(servers: int) -> int:
    """Return how many shards may identify within five seconds."""
    return int(value("identifies at once, large")) if large(servers) else 1


def used(what: str, servers: int) -> float:
    """Return the used share of a resource. Raises ValueError if it has no limit."""
    moves = servers * value("tables a server") / value("seconds a move")
    match what:
        case "Discord's calls":
            return moves * value("counted calls a move") / value("calls a second")
        case "Commits of one PostgreSQL":
            return moves * value("commits a move") / value("commits a second")
        case "Identifies of a day":
            shards = math.ceil(servers / value("servers a shard"))
            return shards * value("restarts a day") / starts_a_day(servers)
    raise ValueError(f"{what} is not limited")


def most_servers(what: str) -> int:
    """Return the number of servers at which a resource is exhausted."""
    low, high = 0, 1_000_000_000
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if used(what, middle) <= 1 else (low, middle - 1)
    return low
