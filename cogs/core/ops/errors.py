"""The exceptions that the cogs raise on purpose. `cogs.core.inbound.error_handler` handles any other."""

USAGE = 2
"""Exit code for what the owner has to fix: configuration, token, database."""

AWAY = 1
"""Exit code if a database server or Discord cannot be reached: starting again may help."""


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
    """Something that the owner has to fix before the bot can run: one sentence with the next step."""


class DiscordUnavailable(CogError):
    """Discord cannot be reached, or does not serve the bot now: one sentence. Starting again may help."""
