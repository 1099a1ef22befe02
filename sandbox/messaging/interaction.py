"""One action of one user that the bot must respond to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.world.models import Channel, Delivery, Json, Message, User

PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 1, 2, 3, 4, 5
"""Types of interactions."""

PONG, REPLY, THINKING, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9
"""Types of responses."""


class Receiver(Protocol):
    """A connection of the bot to which an interaction was sent."""

    @property
    def is_open(self) -> bool:
        """True until either side closes it."""


@dataclass(slots=True, eq=False)
class Interaction:
    """One action of one user that the bot must respond to.

    ``created`` is a time of the event loop's clock and starts the three seconds; ``created_ms`` is a time of the
    sandbox's clock and starts the token's life. ``name`` is the full name of the command. ``source`` is the message
    whose component was used, and ``seen`` the version of it that the user saw. ``parent`` is the interaction whose
    modal was submitted. ``forged`` marks what no honest client sends. ``receivers`` are the connections that it was
    sent to: without an open one nobody can respond, and of several only the first response counts. ``lost_answer``
    marks an ordered fault that lost the response, ``token_lost`` one that ended the token early. ``answered_by`` is the
    bot's process that responded.
    """

    id: str
    token: str
    kind: int
    user: User
    channel: Channel
    created: float
    created_ms: int
    name: str = ""
    focused_kind: int = 3
    source: Message | None = None
    seen: Json | None = None
    parent: Interaction | None = None
    forged: bool = False
    receivers: list[Receiver] = field(default_factory=list)
    lost_answer: bool = False
    token_lost: bool = False
    answer: int | None = None
    answered_by: str = ""
    failed: str | None = None
    original: Message | None = None
    messages: list[Message] = field(default_factory=list)
    modal: Json | None = None
    modal_used: bool = False
    choices: list[Json] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    timer: asyncio.TimerHandle | None = None
    delivery: Delivery = field(default_factory=Delivery)

    @property
    def answerable(self) -> bool:
        """True if a connection that received it is still open."""
        return any(connection.is_open for connection in self.receivers)

    @property
    def where(self) -> str:
        """How violations refer to it."""
        match self.kind:
            case 2:
                return f"/{self.name} by {self.user.name}"
            case 4:
                return f"autocomplete of /{self.name} by {self.user.name}"
            case 5:
                return f"modal submitted by {self.user.name}"
            case _:
                return f"component {self.name} used by {self.user.name}"
