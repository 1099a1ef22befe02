"""What a test may turn, and what the sandbox notes down. May import the standard library only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Call(NamedTuple):
    """One REST call of the bot, as it was answered. ``path`` is relative to the API's base; ``by`` is the process."""

    method: str
    template: str
    path: str
    status: int
    milliseconds: float
    by: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """One of Discord's rules, broken by the bot. ``where`` is the call or the act; ``text`` says what and how."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(slots=True)
class Settings:
    """What a test may turn. Times are milliseconds.

    ``window_scale`` multiplies the length of every rate-limit window; ``reaction_ms`` is how long a person waits
    after the bot has heard of something before they act on it; ``privileged_intents`` are those that the application
    was granted ("members", "presences", "message_content"); ``shards`` is what /gateway/bot recommends.
    ``token_life_ms`` runs on the world's clock, which a test may turn, and so does ``nonce_life_ms``: how long an
    enforced nonce returns the message already sent with it. With ``vanished_is_unknown`` an ephemeral message that its
    reader no longer sees answers calls by token with 10008 instead of changing unseen.
    ``slow_emoji`` lets the bot create three emoji a minute, as Discord does after many.
    ``session_starts`` is how often a day it may identify, ``max_concurrency`` the number of buckets that may do so at
    once; with ``paced_identifies`` a second one within 5 s in a bucket gets "invalid session". A shard may have
    ``guilds_a_shard`` servers. A session without a connection can be resumed for ``session_life_ms``.
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
