"""What came back to an act, and messages as a person has them before them. May import `interaction`, `options`,
`records` and `rendering`.
"""

from __future__ import annotations

from sandbox.messaging.interaction import Interaction
from sandbox.messaging.message_json import visible_text
from sandbox.world.models import Json

from .command_input import Refused


class ActionResult:
    """What came back to an act: the bot's first answer, and what it sent after it.

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
        """How the bot answered."""
        return self.interaction.answer

    @property
    def by(self) -> str:
        """Which process of the bot answered, where each has an address of its own."""
        return self.interaction.answered_by

    @property
    def failed(self) -> str | None:
        """Why the act failed, or None."""
        return self.interaction.failed

    @property
    def message(self) -> Json | None:
        """The message that answers, or that the component is on, as it is now; None without one."""
        message = self.interaction.original
        return None if message is None or message.deleted else message.json

    @property
    def messages(self) -> list[Json]:
        """The answer and all follow-ups that are left, oldest first."""
        return [message.json for message in self.interaction.messages if not message.deleted]

    @property
    def modal(self) -> Json | None:
        """The modal that opened, or None."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        """What autocomplete offered."""
        return self.interaction.choices

    @property
    def text(self) -> str:
        """All text that is visible in the answer and its follow-ups."""
        shown = self.messages or ([self.message] if self.message is not None else [])
        return "\n".join(visible_text(message) for message in shown)

    def __repr__(self) -> str:
        return f"<ActionResult type={self.type} failed={self.failed!r} text={self.text[:120]!r}>"


MessageRef = Json | ActionResult
"""A message as a person has it before them: Discord's JSON, or the answer that it came with."""


def json_of(message: MessageRef) -> Json:
    """The JSON of a message that is shown; raises `Refused` where an answer has none."""
    if isinstance(message, ActionResult):
        if message.message is None:
            raise Refused(f"there is no message: {message!r}")
        return message.message
    return message
