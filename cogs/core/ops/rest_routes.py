"""Kinds of calls to Discord, few enough to count each: a path holds numbers and tokens, which are nobody's to see."""

import re

_KINDS: tuple[tuple[str, str, str], ...] = (
    ("answer", "POST", r"/interactions/\d+/[^/]+/callback"),
    ("answer_edit", "PATCH|GET|DELETE", r"/webhooks/\d+/[^/]+/messages/[^/]+"),
    ("follow_up", "POST", r"/webhooks/\d+/[^/]+"),
    ("message", "POST", r"/channels/\d+/messages"),
    ("message_edit", "PATCH", r"/channels/\d+/messages/\d+"),
    ("message_delete", "DELETE", r"/channels/\d+/messages/\d+"),
    ("thread", "POST", r"/channels/\d+(?:/messages/\d+)?/threads"),
    ("channel", "GET|PATCH", r"/channels/\d+"),
    ("direct_message_channel", "POST", r"/users/@me/channels"),
    ("commands", "GET|PUT|POST", r"/applications/\d+/(?:guilds/\d+/)?commands"),
    ("emoji", "GET|POST|DELETE", r"/applications/\d+/emojis(?:/\d+)?"),
)

_PATTERNS = tuple((kind, re.compile(f"(?:{methods}) .*{path}")) for kind, methods, path in _KINDS)

KINDS = (*(kind for kind, _, _ in _KINDS), "other")
"""All kinds of calls."""

INTERACTION = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
"""The path of an answer, by which interaction it answers."""


def kind_of(method: str, path: str) -> str:
    """Return the kind of a call, independent of the base path of the API."""
    line = f"{method} {path}"
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(line)), "other")
