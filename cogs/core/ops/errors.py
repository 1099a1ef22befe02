"""What the cogs raise on purpose.

    CogError
    ├── UserError            something that one person must be told, privately: the sentence is in it
    ├── StaleControl         a control that was drawn for an earlier view, and means something else by now
    ├── ConfigurationError   something that the owner has to mend before the bot can run
    └── DiscordUnavailable   Discord does not serve us just now: starting again may help

Everything else that comes up is unexpected, and ends at the one handler in `cogs.core.inbound.error_handler`.
"""


class CogError(Exception):
    """The root of what the cogs raise on purpose."""


class UserError(CogError):
    """A clear sentence for the person who asked: what is wrong and what to do. Nothing was changed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class StaleControl(CogError):
    """A control was drawn for an earlier view, and means something else by now. Nothing was changed."""


class ConfigurationError(CogError):
    """Something the owner has to mend before the bot can run: one sentence with the next step."""


class DiscordUnavailable(CogError):
    """Discord cannot be reached, or does not serve us just now: one sentence. Starting again may help."""
