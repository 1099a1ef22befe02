"""A REST call, its route and its response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sandbox.gateway.gateway import Gateway
from sandbox.limits import Problems
from sandbox.messaging.errors import (
    ApiError,
    missing_access,
    missing_permissions,
    unknown_channel,
    unknown_guild,
    unknown_message,
)
from sandbox.messaging.interactions import Interactions
from sandbox.messaging.messages import Draft, Upload
from sandbox.world.guilds import GuildService
from sandbox.world.models import Channel, Guild, Json, Message
from sandbox.world.permissions import Permission
from sandbox.world.state import State

from .rate_limits import Limited, RateLimits


class TooMany(Exception):
    """A rate limit that only the handler knows of."""

    def __init__(self, limited: Limited) -> None:
        super().__init__(limited.message)
        self.limited = limited


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a handler; without a body the status should be 204."""

    status: int = 204
    body: Any = None


@dataclass(frozen=True, slots=True)
class Server:
    """What handlers work with."""

    state: State
    guilds: GuildService
    interactions: Interactions
    gateway: Gateway
    rate_limits: RateLimits
    gateway_address: Callable[[str], str]


@dataclass(slots=True)
class Call:
    """A call with its path parameters, query and parsed body; ``by`` is the process of the bot that made it."""

    server: Server
    method: str
    template: str
    path: str
    params: dict[str, str]
    query: Mapping[str, str]
    by: str = ""
    body: Any = None
    uploads: dict[str, Upload] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The sandbox's state."""
        return self.server.state

    @property
    def where(self) -> str:
        """How violations refer to the call."""
        return f"{self.method} {self.path}"

    def record(self) -> Json:
        """Return the body, which must be an object."""
        problems = Problems()
        body = problems.record((), self.body if self.body is not None else {})
        problems.raise_if_any()
        return body or {}

    def draft(self) -> Draft:
        """Return the body as that of a message."""
        return Draft(self.record(), self.uploads, self.where)

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a number of the query."""
        text = self.query.get(key)
        if text is None:
            return default
        problems = Problems()
        problems.number((key,), int(text) if text.lstrip("-").isdigit() else text, low, high)
        problems.raise_if_any()
        return int(text)

    def guild(self) -> Guild:
        """Return the server of the path; raises 10004, or 50001 if the bot is not in it."""
        guild = self.state.guilds.get(self.params["guild_id"])
        if guild is None:
            raise unknown_guild()
        if not guild.bot_present:
            raise missing_access()
        return guild

    def channel(self) -> Channel:
        """Return the channel of the path; raises 10003, or 50001 if the bot cannot see what is written there."""
        channel = self.state.channels.get(self.params["channel_id"])
        if channel is None:
            raise unknown_channel()
        needed = (Permission.VIEW_CHANNEL, *((Permission.CONNECT,) if channel.voice else ()))
        if not all(channel.may(self.state.bot.id, permission) for permission in needed):
            raise missing_access()
        return channel

    def need(self, channel: Channel, permission: Permission) -> None:
        """Raise 50013 if the bot lacks a permission in a channel."""
        if not channel.may(self.state.bot.id, permission):
            raise missing_permissions()

    def message(self) -> Message:
        """Return the message of the path; raises 10008, also for ephemeral ones, which only their token reaches."""
        message = self.channel().messages.get(self.params["message_id"])
        if message is None or message.reader is not None:
            raise unknown_message()
        return message


Handler = Callable[[Call], Reply]
"""Serves one route. Raises `ApiError` with Discord's own numbers; the API responds with it."""

Route = tuple[str, str, Handler]


def own_application(call: Call) -> None:
    """Raise `ApiError` for calls on another application's resources."""
    if call.params["application_id"] != call.state.bot.id:
        text = "You are not authorized to perform this action on this application"
        raise ApiError(403, 20012, text, violation="a call on another application's resources")
