"""The bot's responses to actions, and references to messages."""

from __future__ import annotations

from sandbox.messaging.interaction import Interaction
from sandbox.messaging.message_json import visible_text
from sandbox.world.models import Json

from .command_input import Refused


class ActionResult:
    """The result of an action: the bot's first response, and what it sent after it.

    ``type`` is the callback's type (4 message, 5 thinking, 6 deferred update, 7 update, 8 choices, 9 modal) or None;
    ``failed`` says why there was none.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    @property
    def id(self) -> str:
        """The interaction's id."""
        return self.interaction.id

    @property
    def type(self) -> int | None:
        """The type of the bot's response."""
        return self.interaction.answer

    @property
    def by(self) -> str:
        """The process of the bot that responded, if each has its own address."""
        return self.interaction.answered_by

    @property
    def failed(self) -> str | None:
        """Why the action failed, or None."""
        return self.interaction.failed

    @property
    def message(self) -> Json | None:
        """The message that responds, or that holds the component, in its current version; None without one."""
        message = self.interaction.original
        return None if message is None or message.deleted else message.json

    @property
    def messages(self) -> list[Json]:
        """The response and all follow-ups that still exist, oldest first."""
        return [message.json for message in self.interaction.messages if not message.deleted]

    @property
    def modal(self) -> Json | None:
        """The modal that opened, or None."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        """The choices of an autocomplete."""
        return self.interaction.choices

    @property
    def text(self) -> str:
        """All visible text of the response and its follow-ups."""
        shown = self.messages or ([self.message] if self.message is not None else [])
        return "\n".join(visible_text(message) for message in shown)

    def __repr__(self) -> str:
        return f"<ActionResult type={self.type} failed={self.failed!r} text={self.text[:120]!r}>"


MessageRef = Json | ActionResult
"""A message as a person sees it: Discord's JSON, or the result of the action that it responds to."""


def json_of(message: MessageRef) -> Json:
    """Return the JSON of a message reference; raises `Refused` for a result without a message."""
    if isinstance(message, ActionResult):
        if message.message is None:
            raise Refused(f"there is no message: {message!r}")
        return message.message
    return message
