"""The figures from which everything is computed: measured, published by Discord, or assumed.

Measured on 2026-11-23 on an otherwise idle virtual machine with two cores; memory of a table and commits per second on
the day before, under other load (8 to 11).
"""

from dataclasses import dataclass
from typing import Literal

GATEWAY = "https://docs.discord.com/developers/events/gateway"
RATES = "https://docs.discord.com/developers/topics/rate-limits"

Kind = Literal["measured", "Discord", "assumed"]


@dataclass(frozen=True)
class Figure:
    """A number with its unit and its source: how it was measured, Discord's page, or why it is assumed."""

    value: float
    unit: str
    kind: Kind
    source: str


_MEASURED: dict[str, tuple[float, str, str]] = {
    # Cost of a move
    "processor a move": (
        7.8,
        "ms",
        "`make bench` (fleet): one process over PostgreSQL, all five games, every player page open, most moves by "
        "slash command. A push on the table message alone takes 1.5 ms (`make bench`, clicks)",
    ),
    "processor a look": (0.7, "ms", "`make bench` (clicks): a private page with a picture"),
    "commits a move": (
        1.35,
        "commits",
        "`make bench` (fleet): syncs of PostgreSQL's log per move, including starts and ends of games",
    ),
    "bytes a move": (1_079, "bytes", "`make bench` (fleet): growth of the database; finished games are packed"),
    "counted calls a move": (
        0.44,
        "calls",
        "`make bench` (calls): 0.35, 0.72, 0.24, 0.55 and 0 in the five games at a human pace, 0.37 on average; and "
        "0.07 for the messages that begin and end games (`make bench`, fleet)",
    ),
    "answers a move": (
        3.12,
        "calls",
        "`make bench` (fleet): answers to interactions, and edits and deletions by their tokens: not counted",
    ),
    # Cost of idle servers and tables
    "memory of a process": (199, "MiB", "`make bench` (fleet): after 1,000 moves in all games, their pictures drawn"),
    "memory a server": (9_600, "bytes", "`make bench` (gateway): servers of ten channels and ten roles"),
    "processor a server at the start": (0.15, "ms", "`make bench` (gateway)"),
    "memory a table": (
        28,
        "KB",
        "`make bench` (lasting): one that is awake, late in its game and with every player page open, on "
        "average over all games and numbers of seats (15 to 39); a sleeping one takes 0.7",
    ),
    # Other capacities
    "commits a second": (
        980,
        "commits",
        "`make bench` (commits): 64 tables at once, every commit synced; 2,990 into one SQLite file",
    ),
    "connections a process": (
        10,
        "connections",
        "from the code: eight for commits, one for notices, one for the lock",
    ),
    "seconds a beat": (3, "s", "data/store/shards.py: the interval of a process's heartbeat"),
}

_DISCORD: dict[str, tuple[float, str, str]] = {
    "calls a second": (50, "calls", f"{RATES}#global-rate-limit; answers to interactions are not counted"),
    "servers a shard, at most": (2_500, "servers", f"{GATEWAY}#sharding"),
    "seconds an identify": (5.5, "s", f"{GATEWAY}#session-start-limit-object: 5 s; half a second is added"),
    "starts a day": (1_000, "identifies", f"{GATEWAY}#identifying"),
    "servers of a large bot": (150_000, "servers", f"{GATEWAY}#sharding-for-large-bots"),
    "starts a day a thousand servers, large": (
        5,
        "identifies",
        f"{GATEWAY}#sharding-for-large-bots: max(2000, servers / 1000 * 5)",
    ),
}

_ASSUMED: dict[str, tuple[float, str, str]] = {
    "tables a server": (0.01, "tables", "at the busiest hour one server in a hundred is running a game"),
    "seconds a move": (12.5, "s", "people take 5 to 20 s, as in `make bench` (calls)"),
    "presses a move": (1.5, "presses", "before every other move somebody opens a page"),
    "busy seconds a day": (28_800, "s", "a day has as many moves as eight busiest hours"),
    "servers a shard": (1_000, "servers", "about what /gateway/bot recommends"),
    "identifies at once, large": (16, "identifies", f"the example of {GATEWAY}#max-concurrency"),
    "restarts a day": (2, "restarts", "of every process, planned or not"),
    "busy": (0.5, "of a core", "above that, clicks wait too long"),
    "servers a process": (50_000, "servers", "so that a crash affects no more than that"),
}

_KINDS: dict[Kind, dict[str, tuple[float, str, str]]] = {
    "measured": _MEASURED,
    "Discord": _DISCORD,
    "assumed": _ASSUMED,
}

ALL: dict[str, Figure] = {
    name: Figure(value, unit, kind, source)
    for kind, figures in _KINDS.items()
    for name, (value, unit, source) in figures.items()
}
"""All figures by name."""
