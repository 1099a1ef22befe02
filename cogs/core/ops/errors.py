"""The exceptions that the cogs raise on purpose.

    CogError
    ├── UserError            a sentence that one person must read, in private
    ├── StaleControl         a control was drawn for an earlier view, and now means something else
    ├── ConfigurationError   the owner has to fix something before the bot can run
    └── DiscordUnavailable   Discord does not serve the bot at the moment; starting again may help

Any other exception is unexpected, and is handled in `cogs.core.inbound.error_handler`.
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
