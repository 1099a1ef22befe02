"""Discord's error responses, raised by the handlers of REST calls.

```
ApiError            status, Discord's code and message, and the bot's violation if it is one
└── raised as is, or made by the functions below for errors used in several places
limits.Invalid      a body that breaks a limit: answered with 400 and 50035
```
"""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An error response. ``violation`` says which rule the bot broke by this call, or is None if the call was fair.

    ``extra`` is added to the body of the response.
    """

    def __init__(
        self, status: int, code: int, message: str, *, violation: str | None = None, extra: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} ({code}) {message}")
        self.status = status
        self.code = code
        self.message = message
        self.violation = violation
        self.extra = extra or {}


def unknown_channel() -> ApiError:
    """10003."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_message() -> ApiError:
    """10008."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_guild() -> ApiError:
    """10004."""
    return ApiError(404, 10004, "Unknown Guild")


def unknown_webhook() -> ApiError:
    """10015: no interaction has this token, or it was not answered yet."""
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction(violation: str | None) -> ApiError:
    """10062: the interaction does not exist or its three seconds are over."""
    return ApiError(404, 10062, "Unknown interaction", violation=violation)


def missing_access() -> ApiError:
    """50001: the bot cannot see this server or channel."""
    return ApiError(403, 50001, "Missing Access")


def blocked_by_automod() -> ApiError:
    """200000: AutoMod has blocked a word of the message."""
    return ApiError(400, 200000, "Message was blocked by automatic moderation")


def thread_archived() -> ApiError:
    """50083: the thread must be unarchived first."""
    return ApiError(400, 50083, "Thread is archived")


def thread_locked() -> ApiError:
    """160005: only members with MANAGE_THREADS may write here."""
    return ApiError(400, 160005, "Thread is locked")


def missing_permissions() -> ApiError:
    """50013: the bot can see the server or channel but lacks a permission."""
    return ApiError(403, 50013, "Missing Permissions")


def unauthorized() -> ApiError:
    """401 for a wrong or missing bot token."""
    return ApiError(401, 0, "401: Unauthorized")
