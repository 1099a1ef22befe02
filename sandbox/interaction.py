"""One act of one user that the bot must answer; imports records and contents only."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from .contents import Delivery, Message
from .records import Channel, Json, User

PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 1, 2, 3, 4, 5
"""Types of interactions."""

PONG, REPLY, THINKING, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9
"""Types of answers."""


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of one user that the bot must answer.

    ``created`` is of the event loop's clock and starts the three seconds; ``created_ms`` is of the world's and starts
    the token's life. ``name`` is the full name of the command, ``source`` the message whose component was used and
    ``seen`` the version of it that the user had before them, ``parent`` the interaction whose modal was submitted,
    ``forged`` marks what no honest client sends. ``sent`` and ``lost_answer`` serve to judge fairly: an act that never
    reached the bot, or whose answer an ordered fault swallowed, is no breach. ``token_lost`` is an ordered fault.
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
    sent: bool = False
    lost_answer: bool = False
    token_lost: bool = False
    answer: int | None = None
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
    def where(self) -> str:
        """How breaches name it."""
        match self.kind:
            case 2:
                return f"/{self.name} by {self.user.name}"
            case 4:
                return f"autocomplete of /{self.name} by {self.user.name}"
            case 5:
                return f"modal submitted by {self.user.name}"
            case _:
                return f"component {self.name} used by {self.user.name}"
