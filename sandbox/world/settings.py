"""Settings of a sandbox that tests may change, and the records that it keeps for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Call(NamedTuple):
    """One REST call of the bot and its result. ``path`` is relative to the API's base URL; ``by`` is the
    bot's process.
    """

    method: str
    template: str
    path: str
    status: int
    milliseconds: float
    by: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule of Discord that the bot broke. ``where`` is the call or action; ``text`` says what happened."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(slots=True)
class Settings:
    """Settings that a test may change. Times are milliseconds.

    ``window_scale`` multiplies the length of every rate-limit window. ``reaction_ms`` is how long a person waits after
    the bot has received a response before acting on it. ``privileged_intents`` are those granted to the application
    ("members", "presences", "message_content"). ``shards`` is what /gateway/bot recommends. ``token_life_ms`` and
    ``nonce_life_ms`` are measured by the sandbox's clock; the latter is how long an enforced nonce returns the message
    already sent with it. With ``vanished_is_unknown``, calls by token on an ephemeral message that its reader no longer
    sees get 10008 instead of changing it unseen. ``slow_emoji`` limits the bot to three new emoji a minute, as Discord
    does after many. ``session_starts`` is the number of identifies a day, ``max_concurrency`` the number of buckets;
    with ``paced_identifies``, a second identify within 5 s in a bucket gets "invalid session". ``guilds_a_shard`` is
    the maximum number of servers of a shard. A session without a connection can be resumed for ``session_life_ms``.
    AutoMod refuses messages with ``blocked_words``.
    """

    answer_within_ms: float = 3_000
    token_life_ms: float = 900_000
    nonce_life_ms: float = 180_000
    reaction_ms: float = 10
    limits_on: bool = True
    window_scale: float = 1.0
    shards: int = 1
    session_starts: int = 1_000
    max_concurrency: int = 1
    paced_identifies: bool = False
    guilds_a_shard: int = 2_500
    session_life_ms: float = 180_000
    privileged_intents: set[str] = field(default_factory=set)
    vanished_is_unknown: bool = False
    slow_emoji: bool = False
    blocked_words: set[str] = field(default_factory=set)
